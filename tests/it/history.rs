//! `history`: what recorded runs say about each other.

use serde_json::Value;

use crate::bench::Bench;
use crate::case::Case;

const RECORD: [&str; 4] = ["track", "--append-history", "--production", "2"];

/// `a` runs at widths 1 and 2, `b` at width 1.
fn cases(a_ns: u64, b_ns: u64) -> [Case; 2] {
    let a = Case::new("a")
        .widths(r#"["1", "production"]"#)
        .takes_ns([a_ns; 3]);
    [a, Case::new("b").takes_ns([b_ns; 3])]
}

fn bench([a, b]: [Case; 2]) -> Bench {
    Bench::new().case(a).case(b).commit()
}

/// Records the first run as of long ago, then a second one of changed cases.
fn two_runs(first: [Case; 2], second: [Case; 2]) -> Bench {
    let mut bench = bench(first);
    bench.run(RECORD).exits(0);
    bench.backdate("2001-01-01T00:00:00Z");
    record_changed(&mut bench, second);
    bench
}

fn record_changed(bench: &mut Bench, cases: [Case; 2]) {
    for case in cases {
        bench.redefine(case);
    }
    bench.commit_all("change the cases");
    bench.run(RECORD).exits(0);
}

/// The lines of one width.
#[track_caller]
fn lines(bench: &Bench, width: &str) -> Vec<Value> {
    let slug = bench.rows()[0]["slug"].clone();
    let history = bench.run(["history", &slug, "--json"]).exits(0).json();
    assert_eq!(history["slug"], slug);
    history["suites"]["tracking"][width]
        .as_array()
        .unwrap()
        .clone()
}

#[track_caller]
fn change(line: &Value, against: &str, ratio: f64, shared: u64) {
    let found = line[against]["ratio"].as_f64().unwrap();
    assert!(
        (found - ratio).abs() < 1e-9,
        "{against}: {found} and not {ratio}"
    );
    assert_eq!(line[against]["shared"], shared, "{against}");
}

#[test]
fn changes_are_geometric_means_over_what_two_runs_share() {
    // Width 1: a doubles and b falls to an eighth: the root of 2 / 8. Width 2: only a.
    let bench = two_runs(cases(1_000_000, 8_000_000), cases(2_000_000, 1_000_000));
    let narrow = lines(&bench, "1");
    assert_eq!(narrow.len(), 2);
    assert!(narrow[0]["first"].is_null() && narrow[0]["previous"].is_null());
    change(&narrow[1], "first", 0.5, 2);
    change(&narrow[1], "previous", 0.5, 2);
    let wide = lines(&bench, "2");
    change(&wide[1], "previous", 2.0, 1);
}

#[test]
fn opposite_changes_cancel_and_the_extremes_are_named() {
    let bench = two_runs(cases(1_000_000, 1_000_000), cases(2_000_000, 500_000));
    let line = lines(&bench, "1").remove(1);
    change(&line, "previous", 1.0, 2);
    assert_eq!(line["previous"]["worst"]["configuration"]["case"], "a");
    assert_eq!(line["previous"]["best"]["configuration"]["case"], "b");
}

#[test]
fn each_run_is_compared_with_the_first_and_with_the_one_before() {
    let mut bench = two_runs(cases(4_000_000, 4_000_000), cases(2_000_000, 2_000_000));
    bench.backdate("2002-01-01T00:00:00Z");
    record_changed(&mut bench, cases(1_000_000, 1_000_000));
    let line = lines(&bench, "1").remove(2);
    change(&line, "first", 0.25, 2);
    change(&line, "previous", 0.5, 2);
}

#[test]
fn the_json_has_its_documented_fields() {
    let bench = bench(cases(1_000_000, 1_000_000));
    let measured = bench.commit_id("HEAD");
    bench.run(RECORD).exits(0);
    let slug = bench.rows()[0]["slug"].clone();
    let history = bench.run(["history", &slug, "--json"]).exits(0).json();
    assert_eq!(history["schema_version"], 1);
    let line = &history["suites"]["tracking"]["1"][0];
    assert_eq!(line["run_id"], bench.rows()[0]["run_id"]);
    assert_eq!(line["date"], bench.rows()[0]["date"]);
    assert_eq!(line["version"], "1.0.0");
    assert_eq!(line["commit"], measured);
    assert_eq!(line["dirty"], false);
    assert_eq!(line["configurations"], 2);
    assert!(line["busy"].is_u64());
}

#[test]
fn a_new_revision_is_shown_as_changed_and_not_averaged() {
    let [a, b] = cases(1_000_000, 1_000_000);
    let slower = cases(1_000_000, 50_000_000);
    let second = [slower[0].clone(), slower[1].clone().revision(2)];
    let bench = two_runs([a, b], second);
    let line = lines(&bench, "1").remove(1);
    change(&line, "previous", 1.0, 1);
    let changed = line["changed"].to_string();
    assert!(
        changed.contains("\"b\"") && changed.contains("revision"),
        "{changed}"
    );
    let slug = bench.rows()[0]["slug"].clone();
    bench
        .run(["history", &slug])
        .exits(0)
        .says("b")
        .says("revision");
}

#[test]
fn a_changed_default_is_shown_as_changed_and_not_averaged() {
    let first = cases(1_000_000, 1_000_000);
    let [a, b] = cases(1_000_000, 50_000_000);
    let bench = two_runs(first, [a, b.parameter("integrator = \"other\"")]);
    let line = lines(&bench, "1").remove(1);
    change(&line, "previous", 1.0, 1);
    assert!(
        line["changed"].to_string().contains("integrator"),
        "{}",
        line["changed"]
    );
}

#[test]
fn runs_with_nothing_in_common_have_no_ratio() {
    let first = cases(1_000_000, 1_000_000);
    let bench = two_runs(
        first,
        cases(9_000_000, 9_000_000).map(|case| case.revision(2)),
    );
    let line = lines(&bench, "1").remove(1);
    assert!(line["previous"]["ratio"].is_null());
    assert_eq!(line["previous"]["shared"], 0);
}

#[test]
fn the_text_has_the_change_with_its_sign_and_shared_count() {
    let bench = two_runs(cases(1_000_000, 1_000_000), cases(1_500_000, 1_500_000));
    let slug = bench.rows()[0]["slug"].clone();
    bench
        .run(["history", &slug])
        .exits(0)
        .says("+50.0 %")
        .says("1 thread")
        .says("2 threads");
}

#[test]
fn only_the_width_and_suite_that_were_asked_for_are_shown() {
    let bench = bench(cases(1_000_000, 1_000_000));
    bench.run(RECORD).exits(0);
    let slug = bench.rows()[0]["slug"].clone();
    let shown = |arguments: &[&str]| {
        let mut all = vec!["history", slug.as_str(), "--json"];
        all.extend(arguments);
        bench.run(all).exits(0).json()["suites"].clone()
    };
    let narrow = shown(&["--threads", "1"]);
    assert!(narrow["tracking"]["1"].is_array() && narrow["tracking"]["2"].is_null());
    assert!(shown(&["--set", "tracking"])["tracking"].is_object());
    assert!(shown(&["--threads", "7"]).as_object().unwrap().is_empty());
    bench
        .run(["history", &slug, "--threads", "7"])
        .exits(0)
        .says("width 7; there are runs at 1, 2")
        .says("stands in what was asked for");
    let a = ["history", &slug, "--case", "a", "--threads", "7"];
    bench.run(a).exits(0).says("there are runs at 1, 2");
}

#[test]
fn an_unknown_suite_is_refused_with_those_that_there_are() {
    let bench = bench(cases(1_000_000, 1_000_000));
    bench.run(RECORD).exits(0);
    let slug = bench.rows()[0]["slug"].clone();
    for more in [&["--json"][..], &["--case", "a"]] {
        let arguments = [&["history", slug.as_str(), "--set", "nope"], more].concat();
        let ran = bench.run(arguments).exits(2);
        ran.says("`nope`").says("recorded are `tracking`");
    }
}

#[test]
fn the_text_has_the_ids_of_runs_that_other_commands_need() {
    let bench = bench(cases(1_000_000, 1_000_000));
    bench.run(RECORD).exits(0);
    let row = bench.rows().remove(0);
    let (slug, run) = (row["slug"].as_str(), row["run_id"].as_str());
    bench.run(["history", slug]).exits(0).says(run);
    bench
        .run(["history", slug, "--case", "a"])
        .exits(0)
        .says(run);
}

#[test]
fn an_unknown_hardware_set_is_refused_with_those_that_there_are() {
    let bench = bench(cases(1_000_000, 1_000_000));
    bench.run(RECORD).exits(0);
    let slug = bench.rows()[0]["slug"].clone();
    bench
        .run(["history", "abacus-1c"])
        .exits(2)
        .says("`abacus-1c`")
        .says(&slug);
}

#[test]
fn an_empty_history_says_so() {
    let bench = bench(cases(1_000_000, 1_000_000));
    bench.run(["history"]).exits(0).says("no recorded run");
    let history = bench.run(["history", "--json"]).exits(0).json();
    assert_eq!(history["schema_version"], 1);
    assert_eq!(history["suites"], serde_json::json!({}));
}
