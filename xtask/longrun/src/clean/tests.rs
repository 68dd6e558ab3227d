//! Tests of `clean`, on made disks.
#![allow(clippy::unwrap_used)]
use tempfile::TempDir;

use super::*;
use crate::in_use::InUse;
use crate::interrupt::Interrupt;

const DAY: Duration = Duration::from_secs(86_400);

/// A made checkout and a made cache.
struct Disk {
    folder: TempDir,
    places: Places,
}

impl Disk {
    fn new() -> Disk {
        let folder = tempfile::tempdir().unwrap();
        let places = Places {
            work: folder.path().join("target/longrun"),
            cache: Some(folder.path().join("cache")),
            history: folder.path().join("history"),
        };
        Disk { folder, places }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn has(&self, path: &str) -> bool {
        self.folder.path().join(path).exists()
    }

    /// A bundle of a run of this size, of two configurations of which some are complete.
    fn run(&self, id: &str, size: &str, complete: usize) {
        let plan = format!(
            "{{\"options\":{{\"selection\":{{\"size\":\"{size}\"}}}},\"configurations\":[1,2]}}"
        );
        self.write(&format!("target/longrun/runs/{id}/plan.json"), &plan);
        let line = |n| format!("{{\"configuration\":{n},\"status\":\"complete\"}}\n");
        let lines: String = (0..complete).map(line).collect();
        self.write(&format!("target/longrun/runs/{id}/results.jsonl"), &lines);
    }

    /// What became of everything when so many days have passed, by its path.
    fn clean(&self, days: u32, unrecorded: bool) -> Vec<(String, Fate)> {
        let items = survey::survey(&self.places, SystemTime::now() + days * DAY).unwrap();
        let policy = Policy {
            older_than: 30 * DAY,
            unrecorded,
        };
        let fates = free_old(&self.places, &items, &policy);
        let name = |item: &Item| {
            let path = item.path.strip_prefix(self.folder.path()).unwrap();
            path.display().to_string()
        };
        items.iter().map(name).zip(fates).collect()
    }
}

fn all_kinds() -> Disk {
    let disk = Disk::new();
    for path in [
        "target/longrun/native/0a/build.json",
        "target/longrun/workers/0b/worker",
        "target/longrun/cargo/release/worker",
        "target/longrun/cargo-trees/0c/release/worker",
        "target/longrun/roof/0d/roof",
        "target/longrun/checkpoints/0e/states",
        "target/longrun/ab/0f/observations.jsonl",
        "target/longrun/verify/10/results.jsonl",
        "target/longrun/plots/13/results.jsonl",
        "cache/trees/aa/11/Cargo.toml",
        "cache/trees/aa/partial-12/Cargo.toml",
        "cache/wisdom/fftw/1/plans",
        "cache/aa/slug.json",
        "target/longrun/native/latest-cpu.json",
    ] {
        disk.write(path, "text");
    }
    disk.run("20260101T000000Z-abc", "quick", 2);
    disk
}

#[test]
fn everything_is_found_with_its_size_and_age() {
    let disk = all_kinds();
    let items = survey::survey(&disk.places, SystemTime::now() + 3 * DAY).unwrap();
    let mut kinds: Vec<Kind> = items.iter().map(|item| item.kind).collect();
    assert_eq!(kinds.len(), 14);
    kinds.dedup();
    assert_eq!(kinds, Kind::ALL);
    for item in &items {
        assert!(item.bytes > 0, "{item:?}");
        assert_eq!(item.age.unwrap().as_secs() / 86_400, 3, "{item:?}");
    }
}

#[test]
fn what_is_old_goes_and_what_took_long_to_learn_stays() {
    let disk = all_kinds();
    let young = disk.clean(29, true);
    assert!(
        young
            .iter()
            .all(|(_, fate)| matches!(fate, Fate::Young | Fate::Durable))
    );
    for (path, fate) in disk.clean(31, false) {
        let calibration = path == "cache/wisdom" || path == "cache/aa";
        let expected = match calibration {
            true => Fate::Durable,
            false => Fate::Freed,
        };
        assert_eq!(fate, expected, "{path}");
        assert_eq!(disk.has(&path), calibration, "{path}");
    }
    assert!(disk.has("target/longrun/native/latest-cpu.json"));
    assert!(!disk.has("target/longrun/removed") && !disk.has("cache/removed"));
}

#[test]
fn locks_of_baselines_are_nothing_that_could_be_freed() {
    let disk = Disk::new();
    disk.write("cache/locks/baseline-0123.lock", "1");
    let items = survey::survey(&disk.places, SystemTime::now()).unwrap();
    assert_eq!(items, []);
}

#[test]
fn a_complete_run_stays_until_it_is_recorded_or_asked_for() {
    let disk = Disk::new();
    disk.run("complete", "full", 2);
    disk.run("partial", "full", 1);
    disk.run("recorded", "full", 2);
    disk.run("quick", "quick", 2);
    disk.write("history/a-1c.csv", "run_id,date\nrecorded,2026\n");
    let fates = disk.clean(31, false);
    for (path, fate) in &fates {
        let expected = match path.ends_with("/complete") {
            true => Fate::Unrecorded,
            false => Fate::Freed,
        };
        assert_eq!(*fate, expected, "{path}");
    }
    assert_eq!(fates.len(), 4);
    let items = survey::survey(&disk.places, SystemTime::now()).unwrap();
    let shown = Report {
        items: &items,
        fates: &[Fate::Shown],
        policy: None,
    };
    assert!(
        shown.text().contains("1 complete run: runs `complete`"),
        "{}",
        shown.text()
    );
    let last = disk.clean(31, true);
    assert_eq!(last[0].1, Fate::Freed);
    assert!(!disk.has("target/longrun/runs/complete"));
}

#[test]
fn what_a_process_uses_stays() {
    let disk = all_kinds();
    let builds = InUse::hold(&disk.places.work, &Interrupt::made(false)).unwrap();
    disk.write("target/longrun/ab/1f/lock", "");
    disk.write("target/longrun/ab/1f/plan.json", "{}");
    let held = [
        "target/longrun/ab/0f/observations.jsonl",
        "target/longrun/ab/1f/lock",
        "target/longrun/verify/10/results.jsonl",
        "target/longrun/plots/13/results.jsonl",
        "cache/trees/aa/11.lock",
        "cache/trees/aa/12.lock",
    ];
    let locks = held.map(|path| {
        let path = disk.folder.path().join(path);
        let lock = fs::OpenOptions::new().create(true).append(true).open(path);
        let lock = lock.unwrap();
        lock.lock_shared().unwrap();
        lock
    });
    for (path, fate) in disk.clean(31, false) {
        let expected = match path.as_str() {
            "cache/wisdom" | "cache/aa" => Fate::Durable,
            path if path.contains("/runs/") => Fate::Freed,
            _ => Fate::InUse,
        };
        assert_eq!(fate, expected, "{path}");
        assert_eq!(disk.has(&path), fate != Fate::Freed, "{path}");
    }
    drop((builds, locks));
    let fates = disk.clean(31, false);
    assert_eq!(
        fates
            .iter()
            .filter(|(_, fate)| *fate == Fate::Freed)
            .count(),
        12
    );
}

#[test]
fn a_bundle_whose_lock_is_about_to_be_made_stays() {
    let disk = Disk::new();
    fs::create_dir_all(disk.places.work.join("ab/0f")).unwrap();
    let policy = Policy {
        older_than: Duration::ZERO,
        unrecorded: false,
    };
    for (age, expected) in [(0, Fate::InUse), (120, Fate::Freed)] {
        let now = SystemTime::now() + Duration::from_secs(age);
        let items = survey::survey(&disk.places, now).unwrap();
        assert_eq!(free_old(&disk.places, &items, &policy), [expected]);
    }
}

#[test]
fn what_began_after_it_was_looked_at_stays() {
    let disk = Disk::new();
    disk.write("target/longrun/ab/0f/plan.json", "{}");
    let items = survey::survey(&disk.places, SystemTime::now() + 31 * DAY).unwrap();
    let lock = disk.places.work.join("ab/0f/lock");
    let lock = fs::File::create(lock).unwrap();
    lock.lock().unwrap();
    let policy = Policy {
        older_than: 30 * DAY,
        unrecorded: false,
    };
    assert_eq!(free_old(&disk.places, &items, &policy), [Fate::InUse]);
}

#[test]
fn the_lock_of_a_tree_goes_with_the_last_form_of_it() {
    let disk = Disk::new();
    disk.write("cache/trees/aa/11/Cargo.toml", "");
    disk.write("cache/trees/aa/11.lock", "");
    disk.write("cache/trees/aa/12/Cargo.toml", "");
    disk.write("cache/trees/aa/partial-12/Cargo.toml", "");
    disk.write("cache/trees/aa/12.lock", "");
    let items = survey::survey(&disk.places, SystemTime::now()).unwrap();
    let partial = |item: &&Item| item.path.ends_with("partial-12");
    let partial = items.iter().find(partial).unwrap();
    assert!(free(&disk.places, partial).unwrap());
    assert!(disk.has("cache/trees/aa/12.lock"), "it protects the whole");
    disk.clean(31, false);
    for gone in ["11", "11.lock", "12", "12.lock"] {
        assert!(!disk.has(&format!("cache/trees/aa/{gone}")), "{gone}");
    }
}

#[test]
fn a_tree_is_as_old_as_its_last_use() {
    let disk = Disk::new();
    disk.write("cache/trees/aa/11/Cargo.toml", "");
    disk.write("cache/trees/aa/11.lock", "");
    let lock = fs::File::open(disk.folder.path().join("cache/trees/aa/11.lock")).unwrap();
    lock.set_modified(SystemTime::now() + 10 * DAY).unwrap();
    assert_eq!(disk.clean(31, false)[0].1, Fate::Young);
    assert_eq!(disk.clean(41, false)[0].1, Fate::Freed);
}

#[test]
fn files_with_several_names_take_their_room_once() {
    let disk = Disk::new();
    disk.write("target/longrun/native/0a/one", &"x".repeat(1 << 20));
    let folder = disk.places.work.join("native/0a");
    let bytes = |disk: &Disk| survey::survey(&disk.places, SystemTime::now()).unwrap()[0].bytes;
    let one = bytes(&disk);
    fs::hard_link(folder.join("one"), folder.join("two")).unwrap();
    assert!(one >= 1 << 20);
    assert!(bytes(&disk) < 2 * one);
}

#[test]
fn ages_have_units() {
    let said =
        [0, 119, 120, 2879, 2880, 57_600].map(|minutes| age(Duration::from_secs(60 * minutes)));
    assert_eq!(said, ["0 min", "119 min", "2 h", "47 h", "2 d", "40 d"]);
}
