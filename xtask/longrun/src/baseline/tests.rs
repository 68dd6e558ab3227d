//! What a run that has ended does with baselines, and what is refused before it begins.
#![allow(clippy::unwrap_used)]

use std::sync::Barrier;
use std::thread;

use super::fingerprint::made::fingerprint;
use super::names::made::names;
use super::*;
use crate::ab::made::item;
use crate::run::judge::ResultStatus;

/// A complete run of nine repeats around so many seconds.
fn result(case: &str, median_s: f64) -> ConfigurationResult {
    let away = [
        -0.004, -0.003, -0.002, -0.001, 0.0, 0.001, 0.002, 0.003, 0.004,
    ];
    ConfigurationResult {
        status: ResultStatus::Complete,
        raw_s: away.iter().map(|away| median_s * (1.0 + away)).collect(),
        ..ConfigurationResult::skipped(&item(case), "")
    }
}

/// What saves to `saved`, and compares with what `compared` holds. Locks are beside the file.
fn baselines(compared: Option<&Path>, saved: Option<&Path>) -> Baselines {
    let file = saved.or(compared).unwrap();
    Baselines {
        suite: "tracking".into(),
        fingerprint: fingerprint(),
        names: names(&[("a", ""), ("b", "")]),
        commit: "0123456".into(),
        policy: Policy::Tracker,
        compared: compared.map(|path| stored(path, "tracking").unwrap()),
        saved: saved.map(Path::to_owned),
        locks: file.with_file_name(file_lock::FOLDER),
    }
}

impl Baselines {
    /// What comes of these results, where nobody interrupts.
    fn concluded(&self, results: &[ConfigurationResult]) -> Concluded {
        self.conclude(results, false, &Interrupt::made(false))
    }
}

fn verdicts(concluded: &Concluded) -> Vec<&'static str> {
    let rows = concluded.comparison.as_ref().unwrap().rows.iter();
    rows.map(|row| row.verdict.as_str()).collect()
}

#[test]
fn what_was_saved_is_compared_with_and_only_what_got_slower_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.toml");
    let saved = baselines(None, Some(&path)).concluded(&[result("a", 1.0), result("b", 2.0)]);
    assert_eq!(saved.exit(), Exit::Success);
    assert!(
        saved
            .to_text(Palette::Plain)
            .contains("2 entries (2 added, 0 replaced, 0 kept)")
    );
    let later = baselines(Some(&path), None);
    let same = later.concluded(&[result("a", 1.0), result("b", 2.0)]);
    assert_eq!(verdicts(&same), ["pass", "pass"]);
    assert_eq!(same.exit(), Exit::Success);
    let slow = later.concluded(&[result("a", 1.4), result("b", 1.0)]);
    assert_eq!(verdicts(&slow), ["regressed", "improved"]);
    assert_eq!(slow.exit(), Exit::Regressed);
    assert_eq!(slow.comparison_json()["tally"]["regressed"], 1);
    assert!(slow.saved_json().is_null());
}

#[test]
fn a_run_is_compared_with_what_was_there_before_it_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.toml");
    baselines(None, Some(&path)).concluded(&[result("a", 1.0), result("b", 2.0)]);
    let both = baselines(Some(&path), Some(&path)).concluded(&[result("a", 1.4)]);
    assert_eq!(verdicts(&both), ["regressed"]);
    let json = both.saved_json();
    assert_eq!((&json["replaced"], &json["kept"]), (&json!(1), &json!(1)));
    let after = baselines(Some(&path), None).concluded(&[result("a", 1.4)]);
    assert_eq!(verdicts(&after), ["pass"]);
    assert_eq!(after.comparison.unwrap().missing[0].configuration.case, "b");
}

#[test]
fn an_interrupted_run_is_neither_compared_nor_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.toml");
    let interrupt = Interrupt::made(true);
    let concluded = baselines(None, Some(&path)).conclude(&[result("a", 1.0)], true, &interrupt);
    assert!(concluded.comparison.is_none() && !path.exists());
    assert!(concluded.notes[0].contains("once it is finished"));
    assert_eq!(concluded.exit(), Exit::Success);
}

#[test]
fn runs_that_save_to_one_file_at_once_lose_nothing_of_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("b.toml");
    let cases = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let all_there = &Barrier::new(cases.len());
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || {
                let run = baselines(None, Some(path));
                all_there.wait();
                let concluded = run.concluded(&[result(case, 1.0)]);
                assert!(concluded.failure.is_none(), "{:?}", concluded.failure);
            });
        }
    });
    let kept = disk::read(path).unwrap().unwrap();
    let names: Vec<&str> = kept.entries.iter().map(|one| one.case.as_str()).collect();
    assert_eq!(names, cases);
}

#[test]
fn a_run_that_is_interrupted_while_another_saves_is_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.toml");
    let run = baselines(None, Some(&path));
    let nobody = Interrupt::made(false);
    let _other = LOCKED.hold(&run.locks, &path, &nobody).unwrap();
    let concluded = run.conclude(&[result("a", 1.0)], false, &Interrupt::made(true));
    assert_eq!(concluded.exit(), Exit::Interrupted);
    let failure = concluded.failure.as_ref().unwrap();
    assert!(
        failure.message.contains("saves to the same baseline"),
        "{failure}"
    );
    assert!(!path.exists());
}

#[test]
fn what_will_be_inconclusive_is_said_when_it_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.toml");
    let few = ConfigurationResult {
        raw_s: vec![1.0, 1.1, 0.9],
        ..result("a", 1.0)
    };
    let run = baselines(None, Some(&path));
    let concluded = run.concluded(&[few, result("b", 1.0)]);
    assert!(concluded.saved.is_some());
    assert_eq!(concluded.notes.len(), 1, "{:?}", concluded.notes);
    let note = "note: 1 entry of this run will be inconclusive";
    let text = concluded.to_text(Palette::Plain);
    assert!(text.contains(note), "{text}");
    assert_eq!(run.concluded(&[result("a", 1.0)]).notes, [""; 0]);
}

#[test]
fn a_run_without_times_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.toml");
    let failed = ConfigurationResult {
        status: ResultStatus::Failed,
        ..result("a", 1.0)
    };
    let concluded = baselines(None, Some(&path)).concluded(&[failed]);
    assert!(!path.exists());
    assert_eq!(
        concluded.notes,
        ["no baseline was saved: no configuration has a time"]
    );
}

#[test]
fn entries_of_another_machine_are_not_added_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.toml");
    baselines(None, Some(&path)).concluded(&[result("a", 1.0)]);
    let before = std::fs::read(&path).unwrap();
    let mut elsewhere = baselines(Some(&path), Some(&path));
    elsewhere.fingerprint.slug = "other-cpu-8c".into();
    let concluded = elsewhere.concluded(&[result("a", 9.0)]);
    assert_eq!(verdicts(&concluded), ["incomparable"]);
    let failure = concluded.failure.as_ref().unwrap();
    assert!(
        failure
            .message
            .contains("`some-cpu-4c` and is `other-cpu-8c`"),
        "{failure}"
    );
    assert!(failure.message.contains("a file of its own"), "{failure}");
    assert_eq!(concluded.exit(), Exit::Usage);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_that_cannot_be_compared_with_is_refused_with_the_next_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.toml");
    let refused = |suite: &str| stored(&path, suite).err().unwrap();
    let absent = refused("tracking");
    assert_eq!(absent.exit, Exit::Usage);
    assert!(absent.message.contains("there is no such file"), "{absent}");
    assert!(absent.message.contains("--save-baseline"), "{absent}");
    baselines(None, Some(&path)).concluded(&[result("a", 1.0)]);
    let other = refused("kernels");
    assert_eq!(other.exit, Exit::Usage);
    assert!(other.message.contains("of the suite `tracking`"), "{other}");
    assert!(other.message.contains("--set"), "{other}");
}

#[test]
fn nothing_that_is_saved_names_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.toml");
    baselines(None, Some(&path)).concluded(&[result("a", 1.0)]);
    let text = std::fs::read_to_string(&path).unwrap();
    let place = folder.path().to_string_lossy().into_owned();
    assert!(!text.contains(&place), "{text}");
    assert_eq!(crate::redact::redacted(&text), text);
}
