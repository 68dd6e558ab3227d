//! `track --append-history`: the rows, and the one commit that holds them.

use std::fs;

use crate::bench::Bench;
use crate::case::Case;
use crate::csv_file::Row;

const RECORD: [&str; 4] = ["track", "--append-history", "--production", "2"];

fn bench() -> Bench {
    Bench::new()
        .case(Case::new("a").widths(r#"["1", "production"]"#))
        .case(Case::new("b").takes_ns([3_000_000, 1_000_000, 2_000_000]))
        .file("README.md", "A bench.\n")
}

fn configurations(rows: &[Row]) -> Vec<String> {
    rows.iter()
        .map(|row| format!("{} @{}", row["case"], row["width"]))
        .collect()
}

#[test]
fn a_run_is_recorded_in_one_commit_that_touches_one_file() {
    let bench = bench().commit();
    let measured = bench.commit_id("HEAD");
    bench
        .run(RECORD)
        .exits(0)
        .says("recorded 3 rows in `history/");
    assert_eq!(bench.commit_id("HEAD~1"), measured);
    assert_eq!(bench.files_of_last_commit(), [bench.history_path()]);
    assert_eq!(bench.status(), "", "the checkout is clean afterwards");
    let rows = bench.committed_rows();
    assert_eq!(configurations(&rows), ["a @1", "a @2", "b @1"]);
}

#[test]
fn a_row_holds_what_was_measured_and_leaves_the_unknown_empty() {
    let bench = bench().commit();
    let measured = bench.commit_id("HEAD");
    bench.run(RECORD).exits(0);
    let row = bench.committed_rows().remove(2);
    let expected = [
        ("version", "1.0.0"),
        ("commit", &measured),
        ("dirty", "false"),
        ("suite", "tracking"),
        ("case", "b"),
        ("size", "full"),
        ("revision", "1"),
        ("engine", "reference"),
        ("stepper", "default"),
        ("width", "1"),
        ("integrator", "stub"),
        ("tolerances", "rtol=1e-6"),
        ("noise_model", "none"),
        ("threading", "passive"),
        ("repeats", "3"),
        ("accepted", "10"),
        ("rejected", "2"),
        ("source_evaluations", "73"),
        ("build_key", ""),
        ("gpu_model", ""),
        ("device_memory_bytes", ""),
    ];
    for (column, value) in expected {
        assert_eq!(row[column], value, "{column}");
    }
    let seconds = |column: &str| row[column].parse::<f64>().unwrap();
    for (column, time) in [("median_s", 0.002), ("min_s", 0.001), ("max_s", 0.003)] {
        assert!((seconds(column) - time).abs() < 1e-12, "{column}");
    }
    assert_eq!(bench.history_path(), format!("history/{}.csv", row["slug"]));
}

#[test]
fn a_native_row_names_the_build() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .commit();
    bench.run(RECORD).exits(0);
    let identity = bench.run(["build", "--json"]).json()["identity"].clone();
    let row = bench.committed_rows().remove(0);
    assert_eq!(row["build_key"], identity["build_key"].as_str().unwrap());
    assert_eq!(row["native_version"], "1.2.3");
    assert_eq!(row["native_profile"], "Release");
    let message = bench.git(["show", "--no-patch", "--format=%B", "HEAD"]);
    assert!(message.contains(&row["build_key"][..12]), "{message}");
}

#[test]
fn an_ignored_native_source_is_rebuilt_for_and_never_recorded() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .commit();
    bench.run(["build"]).exits(0);
    bench.append(".gitignore", "*.gen.h\n");
    bench.git(["commit", "--quiet", "--all", "--message", "ignore"]);
    bench.write("native/include/v.gen.h", "#define V 1\n");
    bench.run(["build"]).exits(0).says("v.gen.h");
    bench
        .run(RECORD)
        .exits(5)
        .says("ignored_sources")
        .says("native/include/v.gen.h");
}

#[test]
fn a_worker_in_the_repository_is_part_of_what_is_measured() {
    let script = "#!/bin/sh\nexec \"$@\"\n";
    let bench = Bench::new()
        .file("bin/worker.sh", script)
        .case(Case::new("a").launched_by(&["sh", "bin/worker.sh"]))
        .commit();
    bench.run(RECORD).exits(0);
    bench.append("bin/worker.sh", "# edited\n");
    bench
        .run(RECORD)
        .exits(5)
        .says("`bin/worker.sh` (modified)");
    bench.git(["commit", "--quiet", "--all", "--message", "edit"]);
    bench.run(RECORD).exits(0);
    let rows = bench.committed_rows();
    let digests: Vec<&str> = rows.iter().map(|row| &*row["worker_digest"]).collect();
    assert_eq!(
        digests.iter().filter(|digest| digest.len() == 64).count(),
        2
    );
    assert_ne!(digests[0], digests[1]);
}

#[test]
fn nothing_that_is_recorded_names_the_host_or_a_path() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .commit();
    bench.run(RECORD).exits(0);
    let message = bench.git(["show", "--no-patch", "--format=%B", "HEAD"]);
    let recorded = message + &bench.read(&bench.history_path());
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let word = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let mut words = recorded.split(|c: char| !word(c));
    assert!(!words.any(|word| word == host.trim()), "{recorded}");
    let temporary = bench.root().parent().unwrap().to_str().unwrap();
    assert!(!recorded.contains(temporary), "{recorded}");
    assert!(
        !recorded.contains("/home/") && !recorded.contains("/root"),
        "{recorded}"
    );
}

#[test]
fn a_changed_watched_file_stops_the_run_before_it_begins() {
    for (path, change) in [
        ("workloads/tracking.toml", "modified"),
        ("native/src/a.cpp", "untracked"),
        ("Cargo.toml", "modified"),
    ] {
        let bench = bench().commit();
        let text = if bench.has(path) {
            bench.read(path)
        } else {
            String::new()
        };
        bench.write(path, &(text + "\n"));
        let before = bench.commits();
        let ran = bench.run(RECORD).exits(5).says("dirty: ");
        ran.says(&format!("`{path}` ({change})"))
            .says("nothing was run");
        assert!(bench.bundles().is_empty(), "no worker was started");
        assert_eq!(bench.commits(), before);
        assert_eq!(bench.rows(), []);
    }
}

#[test]
fn code_that_changes_during_the_run_keeps_it_out_of_the_history() {
    let bench = Bench::new()
        .case(Case::new("a").behaves("meddles"))
        .commit();
    let before = bench.commits();
    let ran = bench.run(RECORD).exits(5);
    ran.says("sources_changed: ")
        .says("`workloads/meddled.txt` is untracked now");
    assert_eq!(bench.commits(), before);
    assert_eq!(bench.rows(), []);
}

#[test]
fn staged_changes_of_watched_files_count_as_well() {
    let bench = bench().commit();
    bench.append("workloads/tracking.toml", "# staged\n");
    bench.git(["add", "workloads"]);
    bench.run(RECORD).exits(5).says("`workloads/tracking.toml`");
}

#[test]
fn a_touched_file_is_not_a_changed_one() {
    let bench = bench().commit();
    let text = bench.read("workloads/tracking.toml");
    bench.write("workloads/tracking.toml", &text);
    bench.run(RECORD).exits(0);
    assert_eq!(bench.committed_rows()[0]["dirty"], "false");
}

#[test]
fn a_file_that_git_converts_on_checkout_is_not_a_changed_one() {
    let bench = bench()
        .file(".gitattributes", "*.txt text eol=crlf\n")
        .file("workloads/notes.txt", "one\ntwo\n")
        .commit();
    bench.git(["rm", "--quiet", "--cached", "workloads/notes.txt"]);
    bench.git(["reset", "--quiet", "--hard"]);
    assert_eq!(bench.read("workloads/notes.txt"), "one\r\ntwo\r\n");
    bench.run(RECORD).exits(0);
    bench.append("workloads/notes.txt", "three\r\n");
    bench
        .run(RECORD)
        .exits(5)
        .says("`workloads/notes.txt` (modified)");
}

#[test]
fn rows_of_uncommitted_code_are_recorded_on_demand_and_marked() {
    let bench = bench().commit();
    bench.append("workloads/tracking.toml", "# mine\n");
    let ran = bench.run(["track", "--append-history", "--allow-dirty"]);
    ran.exits(0);
    assert!(
        bench
            .committed_rows()
            .iter()
            .all(|row| row["dirty"] == "true")
    );
    assert_eq!(bench.files_of_last_commit(), [bench.history_path()]);
    assert_eq!(
        bench.status().trim(),
        "M workloads/tracking.toml",
        "still uncommitted"
    );
}

#[test]
fn what_is_not_watched_may_change() {
    let bench = bench().native_project().commit();
    bench.append("README.md", "More.\n");
    bench.append("native/docs/notes.md", "More.\n");
    bench.append("native/tests/check.cpp", "// more\n");
    bench.run(RECORD).exits(0);
    assert_eq!(bench.committed_rows()[0]["dirty"], "false");
}

#[test]
fn another_suite_is_recorded_into_the_same_file() {
    let bench = bench().case_of("kernels", Case::new("k")).commit();
    bench.run(RECORD).exits(0);
    bench
        .run([
            "track",
            "--append-history",
            "--production",
            "2",
            "--set",
            "kernels",
        ])
        .exits(0);
    let rows = bench.committed_rows();
    assert_eq!(configurations(&rows), ["a @1", "a @2", "b @1", "k @1"]);
    assert_eq!(rows[3]["suite"], "kernels");
}

#[test]
fn rows_left_uncommitted_are_extended_and_then_committed_together() {
    let bench = bench().commit();
    let before = bench.commits();
    let uncommitted = [
        "track",
        "--append-history",
        "--production",
        "2",
        "--no-commit",
    ];
    for rows in [3, 6] {
        bench.run(uncommitted).exits(0).says("not committed");
        assert_eq!(bench.rows().len(), rows);
        assert_eq!(bench.commits(), before);
    }
    bench.run(RECORD).exits(0);
    assert_eq!(bench.committed_rows().len(), 9);
    assert_eq!(bench.commits(), before + 1);
    assert_eq!(bench.status(), "");
}

#[test]
fn runs_that_record_at_the_same_time_all_land() {
    let bench = bench().commit();
    let before = bench.commits();
    let running: Vec<_> = (0..4).map(|_| bench.start(RECORD)).collect();
    for running in running {
        running.finish().exits(0);
    }
    let rows = bench.committed_rows();
    assert_eq!(rows.len(), 12);
    let mut runs: Vec<&str> = rows.iter().map(|row| row["run_id"].as_str()).collect();
    runs.dedup();
    assert_eq!(runs.len(), 4, "the rows of a run stand together");
    assert_eq!(bench.commits(), before + 4);
    assert_eq!(bench.status(), "");
}
