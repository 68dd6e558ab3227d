//! What people read about one case.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::history::case::report;
use crate::history::compare::HistoryQuery;
use crate::history::rows::Retraction;
use crate::history::testing::{entries, full_row};
use crate::history::{Entry, HistoryFile, Row};

fn row(day: u32, case: &str, median_s: f64) -> Row {
    let mut row = full_row(&format!("run{day}"), case, median_s);
    row.date = format!("2026-10-{day:02}T12:00:00Z");
    row.configuration.variant = String::new();
    row.busy = Some(false);
    row
}

fn example() -> CaseReport {
    let mut revised = row(5, "a", 3.0);
    revised.configuration.revision = 2;
    revised.accepted = None;
    revised.version = None;
    let mut dirty = row(3, "a", 1.25);
    dirty.dirty = Some(true);
    dirty.fft_plans = Some("0123456789abcdef".into());
    let mut all = entries(&[
        row(1, "a", 1.0),
        row(2, "b", 1.0),
        dirty,
        row(4, "a", 9.0),
        revised,
        row(6, "b", 1.0),
    ]);
    all.push(Entry::Retracted(Retraction {
        run_id: "run4".into(),
        date: "2026-10-07T12:00:00Z".into(),
        suite: "tracking".into(),
        slug: None,
        reason: "the fan had failed".into(),
    }));
    let file = HistoryFile {
        entries: all,
        ..HistoryFile::empty("some-cpu-2c")
    };
    report(&file, "a", &HistoryQuery::default()).unwrap()
}

#[test]
fn the_course_reads_as_expected() {
    // Lines that are longer than this file allows go on after a backslash.
    let expected = "\
a on some-cpu-2c

tracking, 1 thread
run   version  commit    median             range  steps  busy  \
since first  since previous
run1  0.1.0    0123456   1.00 s  500 ms to 1.50 s    100  \
no              -               -
    missing from 1 run: run2
run3  0.1.0    0123456*  1.25 s  500 ms to 1.50 s    100  \
no        +25.0 %         +25.0 %
    differs as well: fft_plans f1 -> 0123456789ab
    not the same work from here: revision 1 -> 2
run5  -        0123456   3.00 s  500 ms to 1.50 s    ?+0  \
no              -               -
    differs as well: fft_plans 0123456789ab -> f1
medians, oldest first: 1.8|4 (each part has its own scale)
run5: too few rows: 0 comparable runs before it, and 8 are needed
    it is missing since, from 1 run: run6

* uncommitted changes were measured

retracted run4 (tracking): the fan had failed
";
    assert_eq!(to_text(&example(), Letters::Digits), expected);
}

#[test]
fn blocks_change_nothing_but_the_line_of_letters() {
    let plain = to_text(&example(), Letters::Digits);
    let blocks = to_text(&example(), Letters::Blocks);
    assert_eq!(plain.replace(": 1.8|4 (", ": ▁·█|▄ ("), blocks);
}

#[test]
fn what_is_not_ordinary_is_in_the_heading() {
    let mut report = example();
    let series = &mut report.series[0];
    series.engine = Engine::Reference;
    series.stepper = "rk".into();
    series.variant = "dtype=f32".into();
    series.size = Size::Quick;
    let text = to_text(&report, Letters::Digits);
    let heading = "tracking, 1 thread, quick, engine reference, stepper rk, dtype=f32\n";
    assert!(text.contains(heading), "{text}");
}

#[test]
fn a_case_of_which_nothing_was_asked_for_says_so() {
    let mut report = example();
    report.series.clear();
    let text = to_text(&report, Letters::Digits);
    assert!(text.contains("no run of it stands"), "{text}");
}
