//! Tests of what people and programs read.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};

use super::*;
use crate::history::compare::{HistoryQuery, report};
use crate::history::rows::Retraction;
use crate::history::testing::{entries, full_row};
use crate::history::{Entry, HistoryFile, Row};

fn row(day: u32, case: &str, median_s: f64) -> Row {
    let mut row = full_row(&format!("run{day}"), case, median_s);
    row.date = format!("2026-10-0{day}T12:00:00Z");
    row.configuration.variant = String::new();
    row.busy = Some(false);
    row
}

fn example() -> HistoryReport {
    let mut busy = row(2, "a", 1.25);
    busy.busy = Some(true);
    busy.dirty = Some(true);
    let mut changed = row(3, "b", 1.0);
    changed.integrator = Some("rk".into());
    changed.version = None;
    changed.busy = None;
    let mut all = entries(&[
        row(1, "a", 1.0),
        row(1, "b", 2.0),
        busy,
        row(2, "b", 2.0),
        changed,
    ]);
    all.push(Entry::Retracted(Retraction {
        run_id: "run9".into(),
        date: "2026-10-09T12:00:00Z".into(),
        suite: "tracking".into(),
        slug: None,
        reason: "the fan had failed".into(),
    }));
    let file = HistoryFile {
        name: "history/some-cpu-2c.csv".into(),
        slug: "some-cpu-2c".into(),
        columns: vec![],
        entries: all,
        newer: None,
    };
    report(&file, &HistoryQuery::default())
}

#[test]
fn the_table_reads_as_expected() {
    // Lines that are longer than this file allows go on after a backslash.
    let expected = "\
history of some-cpu-2c

tracking, 1 thread
run   version  commit    configurations  busy               \
since first         since previous
run1  0.1.0    0123456   2               0 of 2             \
-                   -
run2  0.1.0    0123456*  2               1 of 2             \
+11.8 % (shared 2)  +11.8 % (shared 2)
    since previous: worst a @1 +25.0 %, best b @1 0.0 %
run3  -        0123456   1               0 of 1, 1 unknown  \
- (shared 0)        - (shared 0)
    changed: b @1: integrator multistep -> rk
    missing: a @1
run3: too few rows for 1 of 1 configurations (fewer than 8 comparable runs before)

* uncommitted changes were measured

retracted run9 (tracking): the fan had failed
";
    assert_eq!(to_text(&example()), expected);
}

#[test]
fn an_empty_history_says_so() {
    let mut report = example();
    report.suites.clear();
    report.retracted.clear();
    let expected = "history of some-cpu-2c\n\nno recorded run\n";
    assert_eq!(
        to_text(&report),
        expected.replace("run\n", "run stands in what was asked for\n")
    );
    report.recorded = false;
    assert_eq!(to_text(&report), expected);
}

#[test]
fn the_json_form_has_the_documented_shape() {
    let document: Value =
        serde_json::from_str(&to_json(to_document(&example()), vec!["a note".into()]).unwrap())
            .unwrap();
    assert_eq!(document["schema_version"], 1);
    assert_eq!(document["slug"], "some-cpu-2c");
    let lines = document["suites"]["tracking"]["1"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["first"], Value::Null);
    let second = &lines[1];
    assert_eq!(second["run_id"], "run2");
    assert_eq!(second["date"], "2026-10-02T12:00:00Z");
    assert_eq!(second["version"], "0.1.0");
    assert_eq!(second["commit"], "0123456789abcdef0123456789abcdef01234567");
    assert_eq!(second["dirty"], true);
    assert_eq!(second["configurations"], 2);
    assert_eq!(second["busy"], 1);
    assert_eq!(second["previous"]["shared"], 2);
    assert_eq!(second["previous"]["worst"]["configuration"]["case"], "a");
    let ratio = second["first"]["ratio"].as_f64().unwrap();
    assert!((ratio - 1.25_f64.sqrt()).abs() < 1e-12);
    let third = &lines[2];
    assert_eq!(third["version"], Value::Null);
    assert_eq!(third["previous"]["ratio"], Value::Null);
    let change = json!({"field": "integrator", "before": "multistep", "after": "rk"});
    assert_eq!(third["changed"][0]["fields"][0], change);
    assert_eq!(document["retracted"][0]["run_id"], "run9");
}
