//! What cannot be recorded: exit 5 before anything is run, each reason with its code.

use std::fs;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::wait_until;

fn bench() -> Bench {
    Bench::new()
        .case(
            Case::new("a")
                .line("steppers = [\"rk\"]")
                .line("variants = { dtype = [\"f32\", \"f64\"] }")
                .also("smoke"),
        )
        .case(Case::new("b").also("smoke"))
        .commit()
}

#[track_caller]
fn refused(bench: &Bench, selection: &[&str], codes: &[&str]) {
    let mut arguments = vec!["track", "--append-history", "--json"];
    arguments.extend(selection);
    let ran = bench.run(&arguments).exits(5).says("nothing was run");
    let report = ran.json();
    let refusals = report["refusals"].as_array().unwrap();
    let found: Vec<&str> = refusals
        .iter()
        .map(|r| r["code"].as_str().unwrap())
        .collect();
    assert_eq!(found, codes, "{selection:?}");
    assert_eq!(report["recorded"], false);
    assert!(bench.bundles().is_empty(), "nothing was run");
}

#[test]
fn a_part_of_the_plan_is_not_recorded() {
    let bench = bench();
    let selections: [&[&str]; 8] = [
        &["--case", "a"],
        &["--case", "a", "--case", "b"],
        &["--all"],
        &["--set", "all"],
        &["--engine", "reference"],
        &["--stepper", "default"],
        &["--threads", "1"],
        &["--case", "a", "--variant", "dtype=f64"],
    ];
    for selection in selections {
        refused(&bench, selection, &["partial_plan"]);
        let mut arguments = vec!["track", "--append-history"];
        arguments.extend(selection);
        bench.run(arguments).exits(5).says(selection[0]);
    }
}

#[test]
fn another_size_is_not_recorded() {
    refused(&bench(), &["--size", "smoke"], &["size"]);
}

#[test]
fn fewer_than_three_repeats_are_not_recorded() {
    refused(&bench(), &["--repeats", "1"], &["repeats"]);
    refused(&bench(), &["--repeats", "2"], &["repeats"]);
}

#[test]
fn all_reasons_are_given_together() {
    let bench = bench();
    bench.append("workloads/tracking.toml", "# mine\n");
    refused(
        &bench,
        &["--case", "a", "--size", "smoke", "--repeats", "1"],
        &["partial_plan", "size", "repeats", "dirty"],
    );
}

#[test]
fn allow_dirty_excuses_only_what_is_dirty() {
    let bench = bench();
    bench.append("workloads/tracking.toml", "# mine\n");
    refused(&bench, &["--allow-dirty", "--repeats", "1"], &["repeats"]);
}

#[test]
fn what_does_not_narrow_the_plan_is_recorded() {
    let bench = bench();
    let ran = bench.run([
        "track",
        "--append-history",
        "--set",
        "tracking",
        "--repeats",
        "4",
        "--threading",
        "active",
        "--production",
        "2",
    ]);
    ran.exits(0);
    let row = bench.committed_rows().remove(0);
    assert_eq!(
        (row["repeats"].as_str(), row["threading"].as_str()),
        ("4", "active")
    );
}

#[test]
fn an_interrupted_run_says_what_is_incomplete() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b").behaves("gated"))
        .commit();
    for json in [true, false] {
        let before = bench.ran().len();
        let flags: &[&str] = if json { &["--json"] } else { &[] };
        let running = bench.start([&["track", "--append-history"][..], flags].concat());
        wait_until("the second worker runs", || bench.ran().len() == before + 2);
        running.interrupt();
        let ran = running.finish().exits(130);
        if json {
            assert_eq!(ran.json()["refusals"][0]["code"], "incomplete");
        }
        ran.says("incomplete").says("`b reference @1`");
    }
}

#[test]
fn a_history_that_cannot_be_read_is_one_reason_among_the_others() {
    for (place, next) in [
        ("history", "move away what is in its place"),
        ("history/FILE", "move it away"),
    ] {
        let bench = bench();
        let elsewhere = bench.outside("runs").display().to_string();
        let ran = bench.run(["track", "--json", "--out", &elsewhere]).exits(0);
        let slug = ran.json()["slug"].clone();
        let file = format!("{}.csv", slug.as_str().unwrap());
        let place = place.replace("FILE", &file);
        if place == "history" {
            fs::remove_dir_all(bench.root().join("history")).unwrap();
            bench.write("history", "a file");
        } else {
            fs::create_dir_all(bench.root().join(&place)).unwrap();
        }
        let flags: [&[&str]; 2] = [&["--repeats", "1"], &["--repeats", "1", "--dry-run"]];
        for flags in flags {
            refused(&bench, flags, &["repeats", "history_file"]);
        }
        bench
            .run(["track", "--append-history"])
            .exits(5)
            .says("history_file: ")
            .says(next)
            .does_not_say("cannot_commit");
    }
}
