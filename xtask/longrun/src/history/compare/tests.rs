//! Tests of comparisons, with values that can be checked by hand.
#![allow(clippy::unwrap_used)]

use longrun_protocol::Engine;

use super::*;
use crate::exit::Exit;
use crate::history::Entry;
use crate::history::testing::{entries, full_row};

/// Something done to a row.
type Edit = fn(&mut Row);

/// Ratios against the first run and the previous one.
type Ratios = (Option<f64>, Option<f64>);

/// A row of the run of a given day.
fn row(day: u32, case: &str, median_s: f64) -> Row {
    let mut row = full_row(&format!("run{day}"), case, median_s);
    row.date = format!("2026-10-{day:02}T12:00:00Z");
    row
}

fn file(entries: Vec<Entry>) -> HistoryFile {
    HistoryFile {
        name: "history/some-cpu-2c.csv".into(),
        slug: "some-cpu-2c".into(),
        columns: vec![],
        entries,
        newer: None,
    }
}

fn lines(rows: &[Row]) -> Vec<RunLine> {
    let file = file(entries(rows));
    let mut report = report(&file, &HistoryQuery::default());
    let mut widths = report.suites.remove("tracking").unwrap();
    widths.remove(&Width::Threads(1)).unwrap()
}

fn outcome(comparison: &Option<Comparison>) -> (String, Option<f64>, usize) {
    let comparison = comparison.as_ref().unwrap();
    (
        comparison.run_id.clone(),
        comparison.ratio,
        comparison.shared,
    )
}

#[test]
fn ratios_of_two_and_a_half_average_to_exactly_one() {
    let mut bumped = row(3, "c", 1.0);
    bumped.configuration.revision = 2;
    let lines = lines(&[
        row(1, "a", 1.0),
        row(1, "b", 1.0),
        row(1, "c", 1.0),
        row(2, "d", 5.0),
        row(3, "a", 2.0),
        row(3, "b", 0.5),
        bumped,
    ]);
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0].first, None);
    assert_eq!(lines[0].previous, None);
    assert_eq!(outcome(&lines[1].first), ("run1".into(), None, 0));
    assert_eq!(outcome(&lines[2].first), ("run1".into(), Some(1.0), 2));
    assert_eq!(outcome(&lines[2].previous), ("run2".into(), None, 0));
    assert_eq!(lines[2].configurations, 3);
    let first = lines[2].first.as_ref().unwrap();
    let (worst, best) = (first.worst.as_ref().unwrap(), first.best.as_ref().unwrap());
    assert_eq!((worst.configuration.case.as_str(), worst.ratio), ("a", 2.0));
    assert_eq!((best.configuration.case.as_str(), best.ratio), ("b", 0.5));
}

#[test]
fn a_revision_bump_drops_the_count_and_not_the_run() {
    let mut bumped = row(2, "b", 9.0);
    bumped.configuration.revision = 2;
    let lines = lines(&[row(1, "a", 1.0), row(1, "b", 1.0), row(2, "a", 1.0), bumped]);
    assert_eq!(lines[1].configurations, 2);
    assert_eq!(outcome(&lines[1].previous), ("run1".into(), Some(1.0), 1));
    let changed = &lines[1].changed;
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].configuration.case, "b");
    let expected = FieldChange {
        field: "revision",
        before: Some("1".into()),
        after: Some("2".into()),
    };
    assert_eq!(changed[0].fields, [expected]);
}

#[test]
fn each_part_of_the_identity_keeps_rows_apart() {
    let changes: [(&str, Edit); 5] = [
        ("integrator", |row| row.integrator = Some("rk".into())),
        ("tolerances", |row| row.tolerances = "rtol=1e-6".into()),
        ("noise_model", |row| row.noise_model = Some("none".into())),
        ("threading", |row| row.threading = Some("active".into())),
        ("memory_domains", |row| row.memory_domains = Some(2)),
    ];
    for (field, change) in changes {
        let mut later = row(2, "a", 2.0);
        change(&mut later);
        let lines = lines(&[row(1, "a", 1.0), later]);
        assert_eq!(outcome(&lines[1].previous).2, 0, "{field}");
        assert_eq!(lines[1].changed[0].fields[0].field, field);
    }
    let apart: [Edit; 3] = [
        |row| row.configuration.engine = Engine::Reference,
        |row| row.configuration.stepper = "rk".into(),
        |row| row.configuration.variant = "dtype=f32".into(),
    ];
    for change in apart {
        let mut later = row(2, "a", 2.0);
        change(&mut later);
        let lines = lines(&[row(1, "a", 1.0), later]);
        assert_eq!(outcome(&lines[1].previous).2, 0);
        assert_eq!(lines[1].changed, [], "it was asked for something else");
    }
}

#[test]
fn what_only_explains_a_change_keeps_rows_together() {
    let mut later = row(2, "a", 2.0);
    later.build_key = Some("b2".into());
    later.fft_plans = Some("f2".into());
    later.busy = None;
    let lines = lines(&[row(1, "a", 1.0), later]);
    assert_eq!(outcome(&lines[1].previous), ("run1".into(), Some(2.0), 1));
}

#[test]
fn unknown_memory_domains_equal_nothing_not_even_themselves() {
    let unknown = |day| {
        let mut row = row(day, "a", 1.0);
        row.memory_domains = None;
        row
    };
    let lines = lines(&[unknown(1), unknown(2)]);
    assert_eq!(outcome(&lines[1].previous), ("run1".into(), None, 0));
    let expected = FieldChange {
        field: "memory_domains",
        before: None,
        after: None,
    };
    assert_eq!(lines[1].changed[0].fields, [expected]);
}

#[test]
fn medians_that_are_no_times_make_no_ratio() {
    for odd in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for (old, new) in [(odd, 1.0), (1.0, odd)] {
            let lines = lines(&[
                row(1, "a", old),
                row(1, "b", 1.0),
                row(2, "a", new),
                row(2, "b", 4.0),
            ]);
            let (_, ratio, shared) = outcome(&lines[1].previous);
            assert_eq!(shared, 1, "{old} {new}");
            assert!((ratio.unwrap() - 4.0).abs() < 1e-12);
        }
    }
    assert_eq!(ratio(f64::MIN_POSITIVE, f64::MAX), None);
}

#[test]
fn runs_are_ordered_by_date_and_those_of_one_date_as_they_are_in_the_file() {
    let mut twin = row(2, "a", 1.0);
    twin.run_id = "run2-twin".into();
    let mut same_instant = row(2, "a", 1.0);
    same_instant.run_id = "run2-ü".into();
    same_instant.date = "2026-10-02T12:00:00.000Z".into();
    let rows = [
        row(3, "a", 1.0),
        same_instant,
        twin,
        row(1, "a", 1.0),
        row(2, "a", 1.0),
    ];
    let lines = lines(&rows);
    let order: Vec<&str> = lines.iter().map(|line| line.run_id.as_str()).collect();
    assert_eq!(order, ["run1", "run2-ü", "run2-twin", "run2", "run3"]);
}

#[test]
fn a_retracted_run_is_in_no_line_and_no_comparison() {
    let mut all = entries(&[row(1, "a", 1.0), row(2, "a", 9.0), row(3, "a", 2.0)]);
    all.push(Entry::Retracted(Retraction {
        run_id: "run2".into(),
        date: "2026-10-04T12:00:00Z".into(),
        suite: "tracking".into(),
        slug: None,
        reason: "another job was running".into(),
    }));
    let report = report(&file(all), &HistoryQuery::default());
    let lines = &report.suites["tracking"][&Width::Threads(1)];
    assert_eq!(lines.len(), 2);
    assert_eq!(outcome(&lines[1].previous).0, "run1");
    assert_eq!(report.retracted.len(), 1);
}

#[test]
fn busy_and_dirty_are_counted_with_what_is_unknown() {
    let with = |case: &str, busy, dirty| {
        let mut row = row(1, case, 1.0);
        (row.busy, row.dirty) = (busy, dirty);
        row
    };
    let table = [
        ([Some(false), Some(false)], Some(false)),
        ([None, Some(false)], None),
        ([None, Some(true)], Some(true)),
    ];
    for ([a, b], expected) in table {
        let lines = lines(&[
            with("a", Some(true), a),
            with("b", None, b),
            with("c", Some(false), b),
        ]);
        assert_eq!((lines[0].busy, lines[0].busy_unknown), (1, 1));
        assert_eq!(lines[0].dirty, expected);
    }
}

#[test]
fn a_query_keeps_one_suite_and_one_width() {
    let mut wide = row(1, "a", 1.0);
    wide.configuration.width = Width::Device;
    let mut other = row(1, "a", 1.0);
    other.configuration.suite = "kernels".into();
    let file = file(entries(&[row(1, "a", 1.0), wide, other]));
    let all = report(&file, &HistoryQuery::default());
    assert_eq!(all.suites.len(), 2);
    assert_eq!(all.suites["tracking"].len(), 2);
    let query = HistoryQuery {
        width: Some(Width::Device),
        suite: Some("tracking".into()),
    };
    let some = report(&file, &query);
    let widths: Vec<_> = some.suites["tracking"].keys().collect();
    assert_eq!((some.suites.len(), widths), (1, vec![&Width::Device]));
}

#[test]
fn a_vanished_configuration_is_missing_and_another_one_is_new() {
    let lines = lines(&[
        row(1, "a", 1.0),
        row(1, "b", 1.0),
        row(2, "a", 1.0),
        row(3, "a", 1.0),
        row(3, "c", 1.0),
    ]);
    let names = |configurations: &[Configuration]| -> Vec<String> {
        let names = configurations.iter().map(|one| one.case.clone());
        names.collect()
    };
    assert_eq!(
        (names(&lines[0].missing), names(&lines[0].added)),
        (vec![], vec![])
    );
    assert_eq!(names(&lines[1].missing), ["b"]);
    assert_eq!(names(&lines[2].missing), [""; 0], "it is said once");
    assert_eq!(names(&lines[2].added), ["c"]);
}

#[test]
fn few_constant_and_gappy_courses_have_golden_answers() {
    // Medians by day; NaN is a day whose run lacks the case. Since first, since previous.
    let nan = f64::NAN;
    let table: [(&[f64], &[Ratios]); 6] = [
        (&[2.0], &[(None, None)]),
        (&[2.0, 1.0], &[(None, None), (Some(0.5), Some(0.5))]),
        (
            &[1.0, 4.0, 1.0],
            &[
                (None, None),
                (Some(4.0), Some(4.0)),
                (Some(1.0), Some(0.25)),
            ],
        ),
        (
            &[3.0, 3.0, 3.0, 3.0],
            &[
                (None, None),
                (Some(1.0), Some(1.0)),
                (Some(1.0), Some(1.0)),
                (Some(1.0), Some(1.0)),
            ],
        ),
        (
            &[1.0, nan, 2.0],
            &[(None, None), (None, None), (Some(2.0), None)],
        ),
        (&[nan, nan], &[(None, None), (None, None)]),
    ];
    for (medians, expected) in table {
        let mut rows = Vec::new();
        for (day, median_s) in (1..).zip(medians) {
            // Another case of which nothing is known keeps the run of a gap in the list.
            let mut other = row(day, "other", 1.0);
            other.memory_domains = None;
            rows.push(other);
            if median_s.is_finite() {
                rows.push(row(day, "a", *median_s));
            }
        }
        let lines = lines(&rows);
        let ratio = |change: &Option<Comparison>| change.as_ref().and_then(|change| change.ratio);
        let found: Vec<_> = lines
            .iter()
            .map(|line| (ratio(&line.first), ratio(&line.previous)))
            .collect();
        assert_eq!(found, expected, "{medians:?}");
    }
}

#[test]
fn a_run_that_a_clock_dated_before_its_predecessor_is_shown_at_its_date() {
    let lines = lines(&[row(5, "a", 1.0), row(3, "a", 2.0), row(6, "a", 4.0)]);
    let order: Vec<&str> = lines.iter().map(|line| line.run_id.as_str()).collect();
    assert_eq!(order, ["run3", "run5", "run6"]);
    assert_eq!(outcome(&lines[1].previous), ("run3".into(), Some(0.5), 1));
}

#[test]
fn what_leads_to_a_commit_is_noted() {
    let mut report = report(
        &file(entries(&[row(1, "a", 1.0)])),
        &HistoryQuery::default(),
    );
    assert_eq!(report.commits().len(), 1);
    report.mark_reachable(&Reach::default());
    assert!(report.lines().all(|line| line.reachable.is_none()));
}

#[test]
fn an_unknown_suite_is_refused_and_an_unused_width_is_noted() {
    let mut wide = row(1, "a", 1.0);
    wide.configuration.width = Width::Threads(16);
    let some = file(entries(&[row(1, "a", 1.0), wide]));
    let empty = HistoryFile::empty("some-cpu-2c");
    let note = |file: &HistoryFile, suite: Option<&str>, width: Option<u32>| {
        let query = HistoryQuery {
            width: width.map(Width::Threads),
            suite: suite.map(str::to_owned),
        };
        query.note(file)
    };
    let failure = note(&some, Some("nope"), None).unwrap_err();
    assert_eq!(failure.exit, Exit::Usage);
    assert!(
        failure.message.contains("recorded are `tracking`"),
        "{failure}"
    );
    let unused = note(&some, Some("tracking"), Some(7)).unwrap().unwrap();
    assert!(
        unused.contains("width 7; there are runs at 1, 16"),
        "{unused}"
    );
    for (file, suite, width) in [
        (&some, Some("tracking"), Some(16)),
        (&some, None, None),
        (&empty, Some("nope"), Some(7)),
    ] {
        assert_eq!(
            note(file, suite, width).unwrap(),
            None,
            "{suite:?} {width:?}"
        );
    }
}
