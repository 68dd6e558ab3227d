//! What cannot be recorded: exit 5 before anything is run, each reason with its code.

use crate::bench::Bench;
use crate::case::Case;

fn bench() -> Bench {
    let smoke = "[case.sizes.smoke]\nrevision = 1\nwidths = [\"1\"]";
    Bench::new()
        .case(
            Case::new("a")
                .line("steppers = [\"rk\"]")
                .line("variants = { dtype = [\"f32\", \"f64\"] }")
                .size_line(smoke),
        )
        .case(Case::new("b").size_line(smoke))
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
