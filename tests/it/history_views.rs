//! The views of `history` over made rows, with numbers that can be checked by hand.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::case::Case;
use crate::made_history::{Made, SLUG, bench, path, row, text};
use crate::ran::{Ran, members};

fn shown(bench: &Bench, arguments: &[&str]) -> Ran {
    bench.run([&["history", SLUG], arguments].concat())
}

fn document(bench: &Bench, arguments: &[&str]) -> Value {
    shown(bench, &[arguments, &["--json"]].concat())
        .exits(0)
        .json()
}

#[track_caller]
fn near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!(
        (found - expected).abs() < 1e-12,
        "{found} and not {expected}"
    );
}

/// Two runs on two commits. Width 1: `a` 1 s to 1.5 s, `b` 4 s to 2 s. Width 2: `a` 2 s to 3 s.
fn two_runs() -> Vec<Made> {
    let mut rows = vec![
        row("run1", 1, "a", 1.0),
        row("run1", 1, "b", 4.0),
        row("run1", 1, "a", 2.0).with("width", "2"),
    ];
    let later = [
        row("run2", 2, "a", 1.5),
        row("run2", 2, "b", 2.0),
        row("run2", 2, "a", 3.0).with("width", "2"),
    ];
    let commit = "fedcba9876543210fedcba9876543210fedcba98";
    rows.extend(later.map(|row| row.with("commit", commit)));
    rows
}

#[test]
fn two_runs_on_two_commits_give_the_ratios_of_hand_arithmetic() {
    let bench = bench(&two_runs());
    let history = document(&bench, &[]);
    let lines = &history["suites"]["tracking"];
    let (narrow, wide) = (&lines["1"][1], &lines["2"][1]);
    assert_ne!(lines["1"][0]["commit"], narrow["commit"]);
    for against in ["first", "previous"] {
        // The root of 1.5 times 0.5.
        near(&narrow[against]["ratio"], 0.75_f64.sqrt());
        assert_eq!(narrow[against]["shared"], 2);
        assert_eq!(narrow[against]["run_id"], "run1");
        assert_eq!(narrow[against]["worst"]["configuration"]["case"], "a");
        near(&narrow[against]["worst"]["ratio"], 1.5);
        assert_eq!(narrow[against]["best"]["configuration"]["case"], "b");
        near(&narrow[against]["best"]["ratio"], 0.5);
        near(&wide[against]["ratio"], 1.5);
        assert_eq!(wide[against]["shared"], 1);
    }
    shown(&bench, &[])
        .exits(0)
        .says("-13.4 % (shared 2)")
        .says("since previous: worst a @1 +50.0 %, best b @1 -50.0 %")
        .says("+50.0 % (shared 1)");
}

#[test]
fn the_extremes_since_the_first_run_are_named_too() {
    let mut rows = two_runs();
    rows.extend([row("run3", 3, "a", 3.0), row("run3", 3, "b", 2.0)]);
    shown(&bench(&rows), &["--threads", "1"])
        .exits(0)
        .says("since first: worst a @1 +200.0 %, best b @1 -50.0 %")
        .says("since previous: worst a @1 +100.0 %, best b @1 0.0 %");
}

#[test]
fn the_course_of_a_case_has_its_changes_breaks_and_gaps() {
    let rows = [
        row("run1", 1, "a", 1.0),
        row("run2", 2, "a", 2.0).with("fft_plans", "f2"),
        row("run3", 3, "b", 1.0),
        row("run4", 4, "a", 8.0).with("revision", "2"),
        row("run5", 5, "a", 6.0).with("revision", "2"),
        row("run5", 5, "a", 7.0).with("stepper", "rk"),
    ];
    let bench = bench(&rows);
    let course = document(&bench, &["--case", "a"]);
    assert_eq!(
        (&course["slug"], &course["case"]),
        (&json!(SLUG), &json!("a"))
    );
    let series = course["series"].as_array().unwrap();
    assert_eq!(series.len(), 2, "one for each stepper");
    let points = &series[0]["points"];
    assert_eq!(points[0]["first"], Value::Null);
    assert_eq!(
        points[1]["previous"],
        json!({"run_id": "run1", "ratio": 2.0})
    );
    assert_eq!(points[1]["possible_reasons"][0]["field"], "fft_plans");
    assert_eq!(points[2]["missing_before"], json!(["run3"]));
    let change = json!([{"field": "revision", "before": "1", "after": "2"}]);
    assert_eq!(points[2]["breaks"], change);
    assert_eq!(points[2]["previous"], Value::Null);
    assert_eq!(points[3]["first"], json!({"run_id": "run4", "ratio": 0.75}));
    shown(&bench, &["--case", "a"])
        .exits(0)
        .says("not the same work from here: revision 1 -> 2")
        .says("missing from 1 run: run3")
        .says("differs as well: fft_plans unknown -> f2")
        .says("medians, oldest first: 18.|81 (each part has its own scale)")
        .says("tracking, 1 thread, stepper rk");
}

#[test]
fn the_letters_of_a_course_do_not_depend_on_the_locale_of_a_pipe() {
    let bench = bench(&two_runs());
    let with = |locale: &str| {
        let ran = bench.run_with(["history", SLUG, "--case", "a"], |command| {
            command.env("LC_ALL", locale).env("LANG", locale);
        });
        ran.exits(0).stdout
    };
    let plain = with("C");
    assert!(
        plain.contains("medians, oldest first: 18 (1.00 s to 1.50 s)"),
        "{plain}"
    );
    for locale in ["de_DE.UTF-8", "ar_EG.UTF-8", "en_US.UTF-8"] {
        assert_eq!(with(locale), plain);
    }
}

#[test]
fn an_unknown_case_is_refused_with_what_is_near() {
    let bench = bench(&[row("run1", 1, "gnlse_soliton", 1.0)]);
    shown(&bench, &["--case", "gnlse_solitons"])
        .exits(2)
        .says("`gnlse_solitons`")
        .says("near it are `gnlse_soliton`");
}

#[test]
fn everything_about_a_run_is_shown_by_the_beginning_of_its_id() {
    let bench = bench(&two_runs());
    let run = document(&bench, &["--run", "run1"]);
    assert_eq!(run["run_id"], "run1");
    assert_eq!(run["rows"].as_array().unwrap().len(), 3);
    let first = &run["rows"][0];
    assert_eq!(first["configuration"]["case"], "a");
    assert_eq!(first["median_s"], 1.0);
    assert_eq!(first["source_evaluations"], 704);
    assert_eq!(first["build_key"], Value::Null);
    assert_eq!(run["retracted"], json!([]));
    shown(&bench, &["--run", "run2"])
        .exits(0)
        .says("hardware set    made-cpu-2c")
        .says("fedcba9876543210fedcba9876543210fedcba98")
        .says("build key       unknown");
    // Without the hardware set, every history is searched.
    bench.run(["history", "--run", "run1"]).exits(0);
}

#[test]
fn an_ambiguous_or_unknown_run_is_refused_with_candidates() {
    let bench = bench(&two_runs());
    shown(&bench, &["--run", "run"])
        .exits(2)
        .says("`run1` (made-cpu-2c)")
        .says("`run2` (made-cpu-2c)");
    shown(&bench, &["--run", "rum1"])
        .exits(2)
        .says("near it are `run1`");
    shown(&bench, &["--run", ""]).exits(2);
}

#[test]
fn a_commit_that_was_rewritten_is_listed_as_unreachable() {
    let bench = Bench::new().case(Case::new("a")).commit();
    bench
        .run(["track", "--append-history", "--production", "1"])
        .exits(0);
    let slug = bench.rows()[0]["slug"].clone();
    let run_id = bench.rows()[0]["run_id"].clone();
    let state = || {
        let history = bench.run(["history", &slug, "--json"]).exits(0).json();
        let run = bench
            .run(["history", "--run", &run_id, "--json"])
            .exits(0)
            .json();
        let line = history["suites"]["tracking"]["1"][0]["reachable"].clone();
        (line, run["reachable"].clone())
    };
    assert_eq!(state(), (json!(true), json!(true)));
    let rows = bench.read(&bench.history_path());
    bench.git(["reset", "--quiet", "--hard", "HEAD~1"]);
    bench.append("Cargo.toml", "# amended\n");
    bench.git(["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    bench.write(&format!("history/{slug}.csv"), &rows);
    assert_eq!(state(), (json!(false), json!(false)));
    bench.run(["history", &slug]).exits(0).says("! unreachable");
    let run = bench.run(["history", "--run", &run_id]).exits(0);
    let run = run.says("unreachable: no branch, no tag and not HEAD leads to this commit");
    assert!(run.stdout.contains("worker digest"), "{run}");
    bench.git(["tag", "kept", &bench.rows()[0]["commit"]]);
    assert_eq!(state(), (json!(true), json!(true)));
}

#[test]
fn two_runs_are_compared_configuration_by_configuration() {
    let mut rows = two_runs();
    rows.push(row("run1", 1, "gone", 1.0));
    rows.push(row("run2", 2, "fresh", 1.0));
    rows.push(row("run1", 1, "c", 1.0).with("fft_plans", "f1"));
    rows.push(
        row("run2", 2, "c", 1.0)
            .with("fft_plans", "f2")
            .with("accepted", "110"),
    );
    rows.push(row("run1", 1, "d", 1.0));
    rows.push(row("run2", 2, "d", 1.0).with("integrator", "multistep"));
    let bench = bench(&rows);
    let pair = document(&bench, &["--run", "run1", "--run", "run2"]);
    assert_eq!(
        (&pair["before"]["run_id"], &pair["after"]["run_id"]),
        (&json!("run1"), &json!("run2"))
    );
    let narrow = &pair["widths"]["1"];
    // The third root of 1.5 times 0.5 times 1.
    near(&narrow["ratio"], 0.75_f64.cbrt());
    assert_eq!(narrow["shared"], 3);
    assert_eq!(narrow["worst"]["configuration"]["case"], "a");
    assert_eq!(narrow["best"]["configuration"]["case"], "b");
    near(&pair["widths"]["2"]["ratio"], 1.5);
    let first = &pair["shared"][0];
    near(&first["ratio"], 1.5);
    // Made ranges go from half to twice the median.
    near(&first["ratio_min"], 0.375);
    near(&first["ratio_max"], 6.0);
    assert_eq!(pair["changed"][0]["fields"][0]["field"], "integrator");
    assert_eq!(pair["only_before"][0]["case"], "gone");
    assert_eq!(pair["only_after"][0]["case"], "fresh");
    shown(&bench, &["--run", "run1", "--run", "run2"])
        .exits(0)
        .says("other FFT plans, which alone can change a time: fft_plans f1 -> f2")
        .says("100+2 -> 110+2")
        .says("not the same work: d @1: integrator rk -> multistep")
        .says("only before: gone @1")
        .says("only after: fresh @1");
    let back = document(&bench, &["--run", "run2", "--run", "run1"]);
    near(&back["shared"][0]["ratio"], 1.0 / 1.5);
}

#[test]
fn runs_of_two_machines_are_not_compared() {
    let bench = bench(&two_runs());
    let other = row("other1", 3, "a", 1.0).with("slug", "other-cpu-2c");
    bench.write(&path("other-cpu-2c"), &text(&[other]));
    bench
        .run(["history", "--run", "run1", "--run", "other1"])
        .exits(2)
        .says("two kinds of machine")
        .says("`made-cpu-2c` and `other-cpu-2c`");
    bench
        .run([
            "history", "--run", "run1", "--run", "run2", "--run", "other1",
        ])
        .exits(2)
        .says("two are compared at a time");
}

#[test]
fn a_vanished_case_is_missing_and_a_renamed_one_goes_on() {
    let rows = [
        row("run1", 1, "old_name", 1.0),
        row("run1", 1, "b", 1.0),
        row("run2", 2, "new_name", 3.0),
    ];
    let unknowing = bench(&rows);
    let line = &document(&unknowing, &[])["suites"]["tracking"]["1"][1].clone();
    assert_eq!(line["previous"]["shared"], 0);
    assert_eq!(line["missing"].as_array().unwrap().len(), 2);
    assert_eq!(line["added"][0]["case"], "new_name");
    let renamed = Case::new("new_name").line("renamed_from = \"old_name\"");
    let knowing = Bench::new()
        .case(renamed)
        .file(&path(SLUG), &text(&rows))
        .commit();
    let line = &document(&knowing, &[])["suites"]["tracking"]["1"][1].clone();
    near(&line["previous"]["ratio"], 3.0);
    assert_eq!(line["missing"][0]["case"], "b");
    shown(&knowing, &[])
        .exits(0)
        .says("missing: b @1")
        .says("`old_name` is called `new_name` now");
    for name in ["old_name", "new_name"] {
        let course = document(&knowing, &["--case", name]);
        assert_eq!(course["case"], "new_name");
        assert_eq!(course["series"][0]["points"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn a_registry_that_cannot_be_read_hides_no_history() {
    let bench = bench(&two_runs());
    bench.write("workloads/tracking.toml", "schema_version = \n");
    let ran = shown(&bench, &[]).exits(0);
    ran.says("-13.4 % (shared 2)")
        .says("shown under their earlier names");
}

#[test]
fn merged_branches_read_the_same_whichever_came_first() {
    let (one, other) = (row("run1", 1, "a", 1.0), row("run2", 2, "a", 2.0));
    let last = row("run3", 3, "a", 1.0);
    let orders = [
        [&one, &other, &last],
        [&other, &last, &one],
        [&last, &one, &other],
    ];
    let documents = orders.map(|rows| {
        let rows: Vec<Made> = rows.into_iter().cloned().collect();
        let bench = bench(&rows);
        (document(&bench, &[]), document(&bench, &["--case", "a"]))
    });
    assert_eq!(documents[0], documents[1]);
    assert_eq!(documents[0], documents[2]);
    let lines = &documents[0].0["suites"]["tracking"]["1"];
    let order: Vec<&Value> = (0..3).map(|line| &lines[line]["run_id"]).collect();
    assert_eq!(order, ["run1", "run2", "run3"]);
}

#[test]
fn every_view_has_its_documented_members() {
    let bench = bench(&two_runs());
    let common = |more: &[&str]| {
        let mut all = [&["notes", "schema_version", "slug"], more].concat();
        all.sort_unstable();
        all.into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    let tables: [(&[&str], &[&str]); 4] = [
        (&[], &["suites", "retracted"]),
        (&["--case", "a"], &["case", "series", "retracted"]),
        (
            &["--run", "run1"],
            &["run_id", "reachable", "retracted", "rows"],
        ),
        (
            &["--run", "run1", "--run", "run2"],
            &[
                "suite",
                "before",
                "after",
                "widths",
                "shared",
                "changed",
                "only_before",
                "only_after",
            ],
        ),
    ];
    for (arguments, expected) in tables {
        let view = document(&bench, arguments);
        assert_eq!(members(&view), common(expected), "{arguments:?}");
        assert_eq!(view["schema_version"], 1);
    }
}
