//! What `history` says of a run that stands out: never more than the rows before it allow.

use serde_json::Value;

use crate::bench::Bench;
use crate::made_history::{Made, SLUG, bench, row};
use crate::ran::Ran;

/// Commit of the rows before, and of the new ones.
const COMMITS: [&str; 2] = [
    "0123456789abcdef0123456789abcdef01234567",
    "fedcba9876543210fedcba9876543210fedcba98",
];

/// A run of one case on its own day, with a range of two percent.
fn run(day: u32, median_s: f64, commit: &str) -> Made {
    row(&format!("run{day:02}"), day, "a", median_s)
        .with("min_s", &(median_s * 0.99).to_string())
        .with("max_s", &(median_s * 1.01).to_string())
        .with("commit", commit)
}

/// Runs that alternate by one percent about one second, then new ones.
fn runs(old: u32, new: &[f64]) -> Vec<Made> {
    let before = (1..=old).map(|day| {
        let median_s = if day % 2 == 0 { 1.01 } else { 1.0 };
        run(day, median_s, COMMITS[0])
    });
    let after = (old + 1..).zip(new);
    let after = after.map(|(day, median_s)| run(day, *median_s, COMMITS[1]));
    before.chain(after).collect()
}

fn shown(bench: &Bench, arguments: &[&str]) -> Ran {
    bench.run([&["history", SLUG], arguments].concat())
}

/// Claims about the last run of the table, and the suspicion of the last point of the case.
fn last(bench: &Bench) -> (Value, Value) {
    let table = shown(bench, &["--json"]).exits(0).json();
    let lines = table["suites"]["tracking"]["1"].as_array().unwrap();
    let case = shown(bench, &["--case", "a", "--json"]).exits(0).json();
    let points = case["series"][0]["points"].as_array().unwrap();
    let (line, point) = (lines.last().unwrap(), points.last().unwrap());
    (line["claims"].clone(), point["suspicion"].clone())
}

#[test]
fn a_run_after_fewer_than_eight_is_too_few_rows_however_large_the_step() {
    let bench = bench(&runs(7, &[50.0]));
    let (claims, suspicion) = last(&bench);
    assert_eq!(claims["too_few_rows"], 1);
    assert_eq!(claims["suspects"], Value::Array(Vec::new()));
    assert_eq!(suspicion["standing"], "too_few_rows");
    assert_eq!(suspicion["rows"], 7);
    assert_eq!(suspicion["judged"], Value::Null);
    shown(&bench, &[])
        .exits(0)
        .says("run08: too few rows for 1 of 1 configurations")
        .does_not_say("suspect");
    shown(&bench, &["--case", "a"])
        .exits(0)
        .says("run08: too few rows: 7 comparable runs before it, and 8 are needed")
        .does_not_say("suspect");
}

#[test]
fn one_run_that_stands_out_of_eight_is_suspect_with_its_noise_and_what_to_run() {
    let bench = bench(&runs(8, &[1.1]));
    let (claims, suspicion) = last(&bench);
    assert_eq!(claims["judged"], 1);
    assert_eq!(claims["suspects"][0]["configuration"]["case"], "a");
    assert_eq!(claims["suspects"][0]["suspicion"], suspicion);
    assert_eq!(suspicion["standing"], "suspect");
    let by = &suspicion["judged"];
    let figure = |name: &str| by[name].as_f64().unwrap();
    assert!((figure("step") - 1.1 / 1.01_f64.sqrt()).abs() < 1e-12);
    assert!(figure("z") > figure("threshold"));
    let floors = ["floor_within", "floor_between", "scatter"].map(figure);
    let largest = floors.into_iter().fold(0.0, f64::max);
    assert!((figure("noise") - largest).abs() < 1e-15);
    for arguments in [&[][..], &["--case", "a"]] {
        shown(&bench, arguments)
            .exits(0)
            .says("suspect: +9.5 % against the median of 8 runs; noise 1.0 % (within runs 0.8 %")
            .says("> 4.3; run cargo xtask ab --baseline 0123456");
    }
}

#[test]
fn three_runs_beyond_eight_are_confirmed_and_two_are_not() {
    for (new, expected) in [
        (&[1.1, 1.1][..], "suspect"),
        (&[1.1, 1.1, 1.1], "confirmed"),
        (&[0.9, 0.9, 0.9], "confirmed"),
    ] {
        let bench = bench(&runs(8, new));
        assert_eq!(last(&bench).1["standing"], expected, "{new:?}");
    }
    let bench = bench(&runs(8, &[1.1, 1.1, 1.1]));
    shown(&bench, &[])
        .exits(0)
        .says("a @1: confirmed by three runs: +8.9 % against the median of 10 runs")
        // All three are of the new commit: what is compared with is the code before the step.
        .says("run cargo xtask ab --baseline 0123456")
        .does_not_say("look at the machine");
}

#[test]
fn a_run_within_the_noise_says_which_steps_are_not_seen() {
    let bench = bench(&runs(8, &[1.02]));
    let (claims, suspicion) = last(&bench);
    assert_eq!(suspicion["standing"], "within_noise");
    assert_eq!(
        claims["smallest_steps"][0],
        suspicion["judged"]["smallest_step"]
    );
    shown(&bench, &[])
        .exits(0)
        .says("run09: 1 of 1 configurations judged, by steps from 5.")
        .does_not_say("suspect");
    shown(&bench, &["--case", "a"])
        .exits(0)
        .says("run09: within the noise of 8 comparable runs: noise 1.0 %")
        .says("are not seen");
}

#[test]
fn rows_of_another_identity_or_hardware_set_are_no_ground_for_a_claim() {
    type Edit = fn(Made) -> Made;
    let table: [(&str, Edit); 3] = [
        ("too_few_rows", |row| row.with("revision", "2")),
        ("too_few_rows", |row| row.with("threading", "active")),
        ("unknown", |row| row.with("integrator", "")),
    ];
    for (count, edit) in table {
        let mut rows = runs(8, &[9.0]);
        let new = rows.pop().unwrap();
        rows.push(edit(new));
        let (claims, _) = last(&bench(&rows));
        assert_eq!(claims[count], 1, "{claims}");
        assert_eq!(claims["judged"], 0);
    }
}

#[test]
fn a_run_of_the_same_commit_points_at_the_machine() {
    let mut rows = runs(8, &[]);
    rows.push(run(9, 1.1, COMMITS[0]));
    shown(&bench(&rows), &[])
        .exits(0)
        .says("suspect: +9.5 %")
        .says("an earlier run of this commit does not stand out: look at the machine");
}
