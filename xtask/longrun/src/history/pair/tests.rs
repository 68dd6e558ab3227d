//! Tests of two runs beside each other, with values that can be checked by hand.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::exit::Exit;
use crate::history::Entry;
use crate::history::find::find_run;
use crate::history::rows::Retraction;
use crate::history::testing::{entries, full_row};

fn file(slug: &str, rows: &[Row]) -> HistoryFile {
    HistoryFile {
        entries: entries(rows),
        ..HistoryFile::empty(slug)
    }
}

fn pair(files: &[HistoryFile]) -> Outcome<PairReport> {
    report(
        find_run(files, "r1").unwrap(),
        find_run(files, "r2").unwrap(),
    )
}

fn refused(files: &[HistoryFile]) -> String {
    let failure = pair(files).unwrap_err();
    assert_eq!(failure.exit, Exit::Usage);
    failure.message
}

fn names(configurations: &[Configuration]) -> Vec<&str> {
    configurations.iter().map(|one| one.case.as_str()).collect()
}

#[test]
fn every_configuration_has_its_place() {
    let mut changed = full_row("r2", "c", 1.0);
    changed.integrator = Some("rk".into());
    let rows = [
        full_row("r1", "a", 1.0),
        full_row("r1", "b", 4.0),
        full_row("r1", "c", 1.0),
        full_row("r1", "gone", 1.0),
        full_row("r2", "a", 2.0),
        full_row("r2", "b", 2.0),
        changed,
        full_row("r2", "fresh", 1.0),
    ];
    let report = pair(&[file("x-1c", &rows)]).unwrap();
    let ratios: Vec<_> = report
        .shared
        .iter()
        .map(|line| line.ratio.unwrap())
        .collect();
    assert_eq!(ratios, [2.0, 0.5]);
    let width = &report.widths["1"];
    assert_eq!((width.ratio, width.shared), (Some(1.0), 2));
    assert_eq!(width.worst.as_ref().unwrap().configuration.case, "a");
    assert_eq!(width.best.as_ref().unwrap().configuration.case, "b");
    assert_eq!(report.changed.len(), 1);
    assert_eq!(report.changed[0].fields[0].field, "integrator");
    assert_eq!(names(&report.only_before), ["gone"]);
    assert_eq!(names(&report.only_after), ["fresh"]);
}

#[test]
fn ranges_bound_the_ratio() {
    let mut new = full_row("r2", "a", 2.0);
    (new.min_s, new.max_s) = (Some(1.5), Some(3.0));
    // The ranges are 0.5 s to 1.5 s, and 1.5 s to 3 s.
    let report = pair(&[file("x-1c", &[full_row("r1", "a", 1.0), new.clone()])]).unwrap();
    let line = &report.shared[0];
    assert_eq!((line.ratio_min, line.ratio_max), (Some(1.0), Some(6.0)));
    (new.min_s, new.max_s) = (None, None);
    let report = pair(&[file("x-1c", &[full_row("r1", "a", 1.0), new])]).unwrap();
    let line = &report.shared[0];
    assert_eq!((line.ratio_min, line.ratio_max), (None, None));
}

#[test]
fn other_plans_are_a_possible_reason_and_no_other_work() {
    let mut new = full_row("r2", "a", 2.0);
    new.fft_plans = Some("f2".into());
    let report = pair(&[file("x-1c", &[full_row("r1", "a", 1.0), new])]).unwrap();
    assert_eq!(report.shared.len(), 1);
    assert_eq!(report.shared[0].possible_reasons[0].field, "fft_plans");
}

#[test]
fn the_runs_are_compared_in_the_order_in_which_they_are_named() {
    let mut old = full_row("r2", "a", 1.0);
    old.date = "2020-01-01T00:00:00Z".into();
    let report = pair(&[file("x-1c", &[full_row("r1", "a", 4.0), old])]).unwrap();
    assert_eq!(report.shared[0].ratio, Some(0.25));
}

#[test]
fn runs_of_two_machines_or_suites_or_one_run_are_not_compared() {
    let other = [
        file("x-1c", &[full_row("r1", "a", 1.0)]),
        file("y-1c", &[full_row("r2", "a", 1.0)]),
    ];
    assert!(refused(&other).contains("`x-1c` and `y-1c`"));
    let mut kernels = full_row("r2", "a", 1.0);
    kernels.configuration.suite = "kernels".into();
    let message = refused(&[file("x-1c", &[full_row("r1", "a", 1.0), kernels])]);
    assert!(message.contains("`tracking` and `kernels`"), "{message}");
    let files = [file("x-1c", &[full_row("r1", "a", 1.0)])];
    let same = find_run(&files, "r1").unwrap();
    assert!(
        report(same, same)
            .unwrap_err()
            .message
            .contains("it is one run")
    );
}

#[test]
fn a_run_that_was_taken_back_is_not_compared() {
    let mut with = file(
        "x-1c",
        &[full_row("r1", "a", 1.0), full_row("r2", "a", 1.0)],
    );
    with.entries.push(Entry::Retracted(Retraction {
        run_id: "r1".into(),
        date: "2026-10-28T12:00:00Z".into(),
        suite: "tracking".into(),
        slug: None,
        reason: "the fan had failed".into(),
    }));
    assert!(refused(&[with]).contains("r1 was taken back: the fan had failed"));
}
