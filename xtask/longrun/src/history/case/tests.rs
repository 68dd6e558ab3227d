//! Tests of the course of a case.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::exit::Exit;
use crate::history::Entry;
use crate::history::testing::{entries, full_row};

fn row(day: u32, case: &str, median_s: f64) -> Row {
    let mut row = full_row(&format!("run{day}"), case, median_s);
    row.date = format!("2026-10-{day:02}T12:00:00Z");
    row
}

fn file(entries: Vec<Entry>) -> HistoryFile {
    HistoryFile {
        entries,
        ..HistoryFile::empty("some-cpu-2c")
    }
}

fn course(rows: &[Row]) -> CaseReport {
    report(&file(entries(rows)), "a", &HistoryQuery::default()).unwrap()
}

/// Runs and ratios of a point: against the first and the previous.
fn changes(point: &Point) -> [Option<(String, Option<f64>)>; 2] {
    [&point.first, &point.previous].map(|change| {
        let change = change.as_ref()?;
        Some((change.run_id.clone(), change.ratio))
    })
}

fn against(run: &str, ratio: f64) -> Option<(String, Option<f64>)> {
    Some((run.to_owned(), Some(ratio)))
}

#[test]
fn each_point_is_compared_with_the_first_and_the_one_before() {
    let report = course(&[row(1, "a", 1.0), row(2, "a", 2.0), row(3, "a", 1.0)]);
    let [series] = report.series.as_slice() else {
        unreachable!("one configuration has one series");
    };
    let found: Vec<_> = series.points.iter().map(changes).collect();
    assert_eq!(found[0], [None, None]);
    assert_eq!(found[1], [against("run1", 2.0), against("run1", 2.0)]);
    assert_eq!(found[2], [against("run1", 1.0), against("run2", 0.5)]);
}

#[test]
fn a_break_of_the_identity_is_named_and_begins_anew() {
    let mut second = row(2, "a", 8.0);
    second.configuration.revision = 2;
    let mut third = second.clone();
    (third.run_id, third.median_s) = ("run3".into(), 4.0);
    third.date = "2026-10-03T12:00:00Z".into();
    let back = row(4, "a", 3.0);
    let report = course(&[row(1, "a", 1.0), second, third, back]);
    let points = &report.series[0].points;
    let revision = |before: &str, after: &str| FieldChange {
        field: "revision",
        before: Some(before.into()),
        after: Some(after.into()),
    };
    assert_eq!(points[1].breaks, [revision("1", "2")]);
    assert_eq!(changes(&points[1]), [None, None]);
    assert_eq!(
        changes(&points[2]),
        [against("run2", 0.5), against("run2", 0.5)]
    );
    assert_eq!(points[3].breaks, [revision("2", "1")]);
    assert_eq!(changes(&points[3]), [against("run1", 3.0), None]);
}

#[test]
fn an_unknown_identity_is_compared_with_nothing() {
    let unknown = |day| {
        let mut row = row(day, "a", 1.0);
        row.integrator = None;
        row
    };
    let report = course(&[unknown(1), unknown(2)]);
    let second = &report.series[0].points[1];
    assert_eq!(changes(second), [None, None]);
    assert_eq!(second.breaks[0].field, "integrator");
}

#[test]
fn runs_without_the_case_are_gaps() {
    let report = course(&[
        row(1, "b", 1.0),
        row(2, "a", 1.0),
        row(3, "b", 1.0),
        row(4, "b", 1.0),
        row(5, "a", 2.0),
        row(6, "b", 1.0),
    ]);
    let series = &report.series[0];
    assert_eq!(series.points.len(), 2);
    assert_eq!(series.points[0].missing_before, [""; 0]);
    assert_eq!(series.points[1].missing_before, ["run3", "run4"]);
    assert_eq!(changes(&series.points[1])[1], against("run2", 2.0));
    assert_eq!(series.missing_after, ["run6"]);
}

#[test]
fn steppers_engines_variants_and_widths_have_series_of_their_own() {
    let mut rows = vec![row(1, "a", 1.0)];
    let apart: [fn(&mut Row); 4] = [
        |row| row.configuration.stepper = "rk".into(),
        |row| row.configuration.engine = Engine::Reference,
        |row| row.configuration.variant = "dtype=f32".into(),
        |row| row.configuration.width = Width::Device,
    ];
    for change in apart {
        let mut other = row(1, "a", 1.0);
        change(&mut other);
        rows.push(other);
    }
    let report = course(&rows);
    assert_eq!(report.series.len(), 5);
    let query = HistoryQuery {
        width: Some(Width::Device),
        suite: None,
    };
    let narrow = super::report(&file(entries(&rows)), "a", &query).unwrap();
    assert_eq!(narrow.series.len(), 1);
}

#[test]
fn what_else_differs_is_a_possible_reason() {
    let mut second = row(2, "a", 1.0);
    second.fft_plans = Some("f2".into());
    let report = course(&[row(1, "a", 1.0), second]);
    let reasons = &report.series[0].points[1].possible_reasons;
    assert_eq!(reasons.len(), 1);
    assert_eq!(reasons[0].field, "fft_plans");
    assert!(report.series[0].points[1].breaks.is_empty());
}

#[test]
fn a_run_that_was_taken_back_is_no_point_and_is_named() {
    let mut all = entries(&[row(1, "a", 1.0), row(2, "a", 9.0), row(3, "a", 2.0)]);
    for run in ["run2", "run9"] {
        all.push(Entry::Retracted(Retraction {
            run_id: run.into(),
            date: "2026-10-04T12:00:00Z".into(),
            suite: "tracking".into(),
            slug: None,
            reason: "the fan had failed".into(),
        }));
    }
    let report = report(&file(all), "a", &HistoryQuery::default()).unwrap();
    let points = &report.series[0].points;
    assert_eq!(points.len(), 2);
    assert_eq!(changes(&points[1])[1], against("run1", 2.0));
    assert_eq!(report.retracted.len(), 1, "run9 never measured it");
}

#[test]
fn an_unknown_case_is_refused_with_what_is_near() {
    let rows = entries(&[row(1, "gnlse_soliton", 1.0), row(1, "huber", 1.0)]);
    for (asked, expected) in [
        ("gnlse_solitn", "near it are `gnlse_soliton`"),
        ("zzzzzz", "recorded are `gnlse_soliton`, `huber`"),
    ] {
        let query = HistoryQuery::default();
        let failure = report(&file(rows.clone()), asked, &query).unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
        assert!(failure.message.contains(expected), "{failure}");
    }
    let failure = report(&file(vec![]), "a", &HistoryQuery::default()).unwrap_err();
    assert!(
        failure.message.contains("nothing has been recorded"),
        "{failure}"
    );
}
