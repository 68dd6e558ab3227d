//! What people read about sampled work.
#![allow(clippy::unwrap_used)]

use longrun_protocol::sampling::{AllocationCounts, AllocationReport, SampledReport, WorkReport};

use super::*;
use crate::doctor::roof::kept::made::roof;
use crate::track::sampled::made;

/// Nine quiet blocks of ten operations, 100 ns each.
const QUIET: [u64; 9] = [990, 995, 998, 1_000, 1_000, 1_000, 1_002, 1_005, 1_007];

fn quiet(case: &str) -> ConfigurationResult {
    made::result(case, &QUIET, 10, |_| ())
}

fn text(results: &[ConfigurationResult]) -> String {
    let results: Vec<&ConfigurationResult> = results.iter().collect();
    to_text(&results, Palette::Plain)
}

/// The lines below the only row, without the mean.
fn notes_of(intervals_ns: &[u64], change: impl FnOnce(&mut SampledReport)) -> Vec<String> {
    let text = text(&[made::result("fft", intervals_ns, 10, change)]);
    let notes = text.lines().filter_map(|line| line.strip_prefix("    "));
    let mut notes: Vec<String> = notes.map(str::to_owned).collect();
    let mean = notes.pop().unwrap();
    assert!(mean.starts_with("mean "), "{mean}");
    notes
}

fn failed(case: &str, reason: &str) -> ConfigurationResult {
    ConfigurationResult {
        status: ResultStatus::Failed,
        reason: Some(reason.to_owned()),
        ..ConfigurationResult::skipped(&made::item(case), "")
    }
}

#[test]
fn a_row_shows_the_spread_and_the_mean_stands_apart_from_what_is_compared() {
    let expected = "\
kernels
configuration                     median         IQR         min     n
fft @1                            100 ns     0.40 ns     99.0 ns     9
    mean 100 ns (adds up to the total time; compare medians)
";
    assert_eq!(text(&[quiet("fft")]), expected);
}

#[test]
fn a_clean_run_has_no_notes() {
    assert_eq!(notes_of(&QUIET, |_| ()), [""; 0]);
}

#[test]
fn durations_have_a_unit_and_carry_into_the_next() {
    for (ns, shown) in [
        (0.7, "0.70 ns"),
        (750.0, "750 ns"),
        (999.6, "1.00 µs"),
        (1_500.0, "1.50 µs"),
        (2.5e6, "2.50 ms"),
        (999.96e6, "1.00 s"),
        (3.25e9, "3.25 s"),
    ] {
        assert_eq!(time(ns), shown);
    }
}

#[test]
fn an_impossible_duration_is_named_and_not_printed_as_a_number() {
    for ns in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(time(ns), "unknown");
    }
}

#[test]
fn a_warning_of_the_harness_becomes_a_note() {
    let near = notes_of(&[2; 9], |_| ());
    assert_eq!(near.len(), 1);
    assert!(
        near[0].starts_with("warning: an interval of 2 ns"),
        "{near:?}"
    );
    let some = [96, 97, 97, 99, 100, 101, 104, 104, 105].map(|ns: u64| 1_000 * ns);
    let spread = notes_of(&some, |_| ());
    assert!(spread[0].starts_with("note: "), "{spread:?}");
}

#[test]
fn a_time_that_the_clock_does_not_resolve_is_no_number() {
    let text = text(&[made::result("fft", &[0; 9], 10, |_| ())]);
    let row = text.lines().nth(2).unwrap();
    assert_eq!(row.split_whitespace().nth(2), Some("-"), "{row}");
    assert!(text.contains("    warning: "), "{text}");
}

#[test]
fn samples_far_above_the_others_are_counted_and_not_removed() {
    let mut intervals = QUIET;
    intervals[4] = 20_000;
    let notes = notes_of(&intervals, |_| ());
    assert_eq!(
        notes,
        ["1 of 9 samples lie far above the others; the longest took 2.00 µs"]
    );
    let text = text(&[made::result("fft", &intervals, 10, |_| ())]);
    assert!(text.contains("     9\n"), "none is left out: {text}");
}

#[test]
fn a_median_far_above_the_minimum_tells_of_interference() {
    let intervals = [500, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000];
    let notes = notes_of(&intervals, |_| ());
    assert_eq!(
        notes,
        ["the median is 2.00 times the minimum: something else used the machine"]
    );
}

#[test]
fn memory_is_left_out_without_counters_and_zero_is_not_unknown() {
    let with = |counts: Option<AllocationCounts>| {
        made::result("fft", &QUIET, 10, |report| {
            report.allocations = counts.map(|counts| AllocationReport {
                ops: 4,
                rust: None,
                process: Some(counts),
            });
        })
    };
    let counts = |allocations, bytes, live_bytes| {
        Some(AllocationCounts {
            allocations,
            bytes,
            live_bytes,
        })
    };
    assert!(!text(&[with(None)]).contains("alloc"));
    let none = text(&[with(counts(0, 0, 0)), with(None)]);
    let last: Vec<&str> = none
        .lines()
        .filter(|line| line.starts_with("fft"))
        .filter_map(|line| line.split_whitespace().last())
        .collect();
    assert!(none.lines().nth(1).unwrap().ends_with("allocs"), "{none}");
    assert_eq!(last, ["0", "-"]);
    assert!(!none.contains("allocations in"), "{none}");
    for (counts, said) in [
        (
            counts(8, 512, 0),
            "allocations in an operation: 2, 128 B together, none of it kept",
        ),
        (
            counts(2, 32, 16),
            "allocations in an operation: 0.50, 8 B together, 4 B of it kept",
        ),
        (
            counts(0, 0, -8192),
            "allocations in an operation: 0, 0 B together, 2.00 KiB more freed",
        ),
    ] {
        assert!(text(&[with(counts)]).contains(said), "{said}");
    }
}

#[test]
fn rates_have_columns_where_somebody_has_counted_and_say_that_no_roof_is_known() {
    let counted = made::result("fft", &QUIET, 10, |report| {
        report.work = Some(WorkReport {
            flops: Some(1_234.0),
            bytes: None,
        });
    });
    let text = text(&[counted, quiet("other")]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].ends_with("     n   GFLOP/s"), "{text}");
    assert!(lines[2].ends_with("     9      12.3"), "{text}");
    assert!(lines[4].ends_with("     9         -"), "{text}");
    assert!(text.contains("doctor --roof"), "{text}");
    assert!(!text.contains("GB/s"), "{text}");
}

#[test]
fn rates_stand_beside_the_roof_where_it_is_known() {
    let mut counted = made::result("fft", &QUIET, 10, |report| {
        report.work = Some(WorkReport {
            flops: Some(1_234.0),
            bytes: Some(100.0),
        });
    });
    let sampled = counted.sampled.as_mut().unwrap();
    sampled.hold_against(&roof(1), 1);
    assert_eq!(sampled.reached.as_ref().unwrap().of, "multiply-add");
    let text = text(&[counted, quiet("other")]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].ends_with("of roof"), "{text}");
    assert!(lines[2].ends_with("  12 % multiply-add"), "{text}");
    assert!(lines[4].ends_with("  -"), "{text}");
    assert!(!text.contains("doctor --roof"), "{text}");
}

#[test]
fn blocks_that_are_too_short_and_sampling_that_ended_early_are_told() {
    let notes = notes_of(&QUIET, |report| {
        report.target_met = Some(false);
        report.lost = 1;
        report.stopped = Stopped::TotalMax;
    });
    let expected = [
        "blocks of 10 operations, the most there may be, last less than was wanted",
        "the clock gave no interval for 1 block",
        "sampling ended at the most time, short of samples",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn a_busy_machine_and_what_the_worker_says_are_told() {
    let mut result = quiet("fft");
    result.setup_busy = Some(true);
    result.notes = vec!["skipped x: y".to_owned()];
    let said = remarks(&result);
    let busy = "the machine was busy while it was set up";
    assert_eq!(said, [busy, "skipped x: y"]);
}

#[test]
fn a_failure_stands_where_the_time_would_with_its_reason_below() {
    let text = text(&[
        failed("fft", "the output is no finite number"),
        quiet("other"),
    ]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[2].split_whitespace().nth(2), Some("failed"), "{text}");
    assert_eq!(lines[3], "    the output is no finite number");
    assert!(
        lines[4].starts_with("other @1"),
        "no mean of nothing: {text}"
    );
}

#[test]
fn rows_stay_in_the_order_of_the_plan_under_the_name_of_their_suite() {
    let mut other = quiet("a");
    "tensor".clone_into(&mut other.configuration.suite);
    let text = text(&[quiet("z"), quiet("b"), other]);
    let order: Vec<usize> = ["kernels\n", "\nz @1", "\nb @1", "\n\ntensor\n", "\na @1"]
        .map(|part| text.find(part).unwrap())
        .to_vec();
    assert!(order.is_sorted(), "{text}");
}

#[test]
fn colour_comes_after_alignment_and_only_where_it_was_asked_for() {
    let results = [failed("fft", "no"), quiet("other")];
    let results: Vec<&ConfigurationResult> = results.iter().collect();
    let plain = to_text(&results, Palette::Plain);
    let painted = to_text(&results, Palette::Ansi);
    assert!(!plain.contains('\u{1b}'));
    assert!(
        painted.contains("\u{1b}[31m      failed\u{1b}[0m"),
        "{painted:?}"
    );
    let mut bare = painted;
    for code in ["\u{1b}[31m", "\u{1b}[33m", "\u{1b}[2m", "\u{1b}[0m"] {
        bare = bare.replace(code, "");
    }
    assert_eq!(bare, plain, "words and places are the same");
}

#[test]
fn long_names_are_cut_and_no_name_breaks_a_line() {
    let odd = format!("a \"b\"\n\u{1b}[2J|{}", "x".repeat(300));
    let text = text(&[quiet(&odd), quiet("b")]);
    assert!(!text.contains('\u{1b}'), "{text:?}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    let widths: Vec<usize> = [1, 2, 4].map(|line| lines[line].chars().count()).to_vec();
    assert_eq!(widths, [widths[0]; 3], "{text}");
    assert!(lines[2].contains("x…  "), "{text}");
}
