//! `track --archive`: a whole copy of the bundle, however the run ended.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::wait_until;

/// Every file below a folder with its content.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// The flag that copies a run into a folder.
fn into(folder: &Path) -> String {
    format!("--archive {}", folder.display())
}

#[track_caller]
fn holds_a_copy_of_the_bundle(bench: &Bench, archive: &Path) {
    let bundle = bench.bundle();
    let copies = fs::read_dir(archive).unwrap().count();
    assert_eq!(copies, 1, "the copy, and nothing half done");
    let copy = archive.join(bundle.id());
    assert_eq!(content(&copy), content(bundle.path()));
}

#[test]
fn a_run_is_copied_whole_and_the_report_says_where() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b"))
        .commit();
    let archive = bench.outside("archive/deep");
    let words = format!("--json {}", into(&archive));
    let report = bench.track(&words).exits(0).json();
    holds_a_copy_of_the_bundle(&bench, &archive);
    let copy = archive.join(report["run_id"].as_str().unwrap());
    assert_eq!(report["archive"], *copy.to_string_lossy());
}

#[test]
fn a_run_that_failed_is_copied_as_well() {
    let bench = Bench::new().case(Case::new("a").behaves("crash")).commit();
    let archive = bench.outside("archive");
    bench.track(&into(&archive)).exits(1);
    holds_a_copy_of_the_bundle(&bench, &archive);
}

#[test]
fn a_run_that_ends_in_the_middle_is_copied_as_well() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b").launched_by(&["tools/absent"]))
        .commit();
    let archive = bench.outside("archive");
    let ran = bench.track(&into(&archive)).exits(6);
    ran.says("tools/absent")
        .says("what is complete is kept; go on with");
    holds_a_copy_of_the_bundle(&bench, &archive);
    assert_eq!(bench.bundle().results().len(), 1);
}

#[test]
fn an_interrupted_run_is_copied_and_its_copy_grows_when_it_is_resumed() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b").behaves("gated"))
        .commit();
    let archive = bench.outside("archive");
    let running = bench.start_track(&into(&archive));
    wait_until("the second worker runs", || bench.ran() == ["a", "b"]);
    running.interrupt();
    running.finish().exits(130).says("--archive");
    holds_a_copy_of_the_bundle(&bench, &archive);
    bench.open_gate();
    bench.resume(&into(&archive)).exits(0);
    holds_a_copy_of_the_bundle(&bench, &archive);
}

#[test]
fn an_archive_inside_what_is_measured_is_refused() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let link = bench.outside("link");
    std::os::unix::fs::symlink(bench.root().join("workloads"), &link).unwrap();
    for folder in [
        "native/archive",
        "workloads/deep/archive",
        "absent/../workloads/archive",
        link.to_str().unwrap(),
    ] {
        let ran = bench.run(["track", "--archive", folder]).exits(2);
        ran.says("part of what is measured").says("--archive");
    }
    assert!(bench.bundles().is_empty(), "nothing was run");
    assert_eq!(bench.status(), "");
}

#[test]
fn the_folder_of_runs_is_refused_before_there_is_a_run() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let runs = "target/longrun/runs";
    for folder in [runs, "target/longrun/runs/archive"] {
        let ran = bench.run(["track", "--archive", folder]).exits(2);
        ran.says("the runs themselves are in").says("--archive");
        assert!(!bench.has(runs), "no bundle, and no folder for one");
    }
    let elsewhere = bench.outside("runs").display().to_string();
    bench
        .run(["track", "--out", &elsewhere, "--archive", &elsewhere])
        .exits(2)
        .says("the runs themselves are in");
    assert_eq!(bench.ran(), [""; 0]);
}

#[test]
fn an_archive_that_cannot_be_written_is_refused_before_anything_is_built() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .commit();
    let ran = bench
        .run(["track", "--archive", ".gitignore/archive"])
        .exits(6);
    ran.says("failed to prepare the archive").says("--archive");
    assert!(!bench.has("target/longrun/native"), "nothing was built");
}

#[test]
fn something_else_in_the_way_stays_and_nothing_is_run() {
    let bench = Bench::new().case(Case::new("a")).commit();
    bench.run(["track"]).exits(0);
    let archive = bench.outside("archive");
    let target = archive.join(bench.bundle().id());
    fs::create_dir_all(&target).unwrap();
    fs::write(target.join("precious"), "").unwrap();
    bench
        .resume(&into(&archive))
        .exits(6)
        .says("no earlier copy of this run");
    assert_eq!(content(&target).len(), 1);
}

#[test]
fn a_copy_that_fails_says_how_to_copy_the_run_elsewhere() {
    let bench = Bench::new().case(Case::new("a").behaves("gated")).commit();
    let archive = bench.outside("archive");
    let running = bench.start_track(&into(&archive));
    wait_until("the worker runs", || bench.ran() == ["a"]);
    fs::remove_dir(&archive).unwrap();
    fs::write(&archive, "in the way").unwrap();
    running.interrupt();
    let ran = running.finish().exits(130);
    let run_id = bench.bundle().id();
    ran.says("failed to archive the run").says(&format!(
        "copy it to another folder with `cargo xtask track --resume {run_id} --archive OTHER`"
    ));
}
