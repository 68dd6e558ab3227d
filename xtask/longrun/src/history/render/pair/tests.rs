//! What people read about two runs.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::history::find::find_run;
use crate::history::pair::report;
use crate::history::testing::{entries, full_row};
use crate::history::{HistoryFile, Row};

fn row(run: &str, case: &str, median_s: f64) -> Row {
    let mut row = full_row(run, case, median_s);
    row.configuration.variant = String::new();
    row.busy = Some(false);
    row
}

fn text_of(rows: &[Row]) -> String {
    let files = [HistoryFile {
        entries: entries(rows),
        ..HistoryFile::empty("some-cpu-2c")
    }];
    let find = |run| find_run(&files, run).unwrap();
    to_text(&report(find("r1"), find("r2")).unwrap())
}

#[test]
fn the_two_runs_read_as_expected() {
    let mut a = row("r2", "a", 1.25);
    a.fft_plans = Some("f2".into());
    a.build_key = Some("b2".into());
    a.accepted = Some(110);
    a.busy = None;
    let mut b = row("r2", "b", 1.0);
    b.max_s = None;
    b.source_evaluations = None;
    let mut changed = row("r2", "c", 1.0);
    changed.threading = Some("bound".into());
    changed.dirty = Some(true);
    let rows = [
        row("r1", "a", 1.0),
        row("r1", "b", 1.0),
        row("r1", "c", 1.0),
        row("r1", "gone", 1.0),
        a,
        b,
        changed,
        row("r2", "fresh", 1.0),
    ];
    let expected = "\
two runs of tracking on some-cpu-2c

before  r1  2026-10-27 12:00  0.1.0  0123456
after   r2  2026-10-27 12:00  0.1.0  0123456* (uncommitted changes were measured)

@1: +11.8 % (shared 2); worst a @1 +25.0 %, best b @1 0.0 %

configuration                     before                       after   change      \
from the ranges       steps  evaluations
a @1           1.00 s (500 ms to 1.50 s)   1.25 s (500 ms to 1.50 s)  +25.0 %  \
-66.7 % to +200.0 %  100 -> 110          704
    other FFT plans, which alone can change a time: fft_plans f1 -> f2
    differs as well: build_key b1 -> b2
    unknown whether the machine was busy after
b @1           1.00 s (500 ms to 1.50 s)  1.00 s (500 ms to unknown)    \
0.0 %                    -         100     704 -> -
not the same work: c @1: threading passive -> bound
only before: gone @1
only after: fresh @1
";
    assert_eq!(text_of(&rows), expected);
}

#[test]
fn steps_that_only_add_up_to_the_same_are_shown_as_different() {
    let mut after = row("r2", "a", 1.0);
    (after.accepted, after.rejected) = (Some(101), Some(1));
    let mut before = row("r1", "a", 1.0);
    (before.accepted, before.rejected) = (Some(100), Some(2));
    let text = text_of(&[before, after.clone()]);
    assert!(text.contains("  100+2 -> 101+1  "), "{text}");
    let mut same = row("r1", "a", 1.0);
    (same.accepted, same.rejected) = (Some(101), Some(1));
    let text = text_of(&[same, after]);
    assert!(
        text.contains("  101+1  ") && !text.contains("-> 101+1"),
        "{text}"
    );
}

#[test]
fn runs_that_share_nothing_say_so() {
    let text = text_of(&[row("r1", "a", 1.0), row("r2", "b", 1.0)]);
    assert!(text.contains("@1: - (shared 0)\n"), "{text}");
    assert!(text.contains("they share no configuration\n"), "{text}");
}
