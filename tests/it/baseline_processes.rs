//! `track --baseline-file` where several processes sampled an operation: what they do not bear out
//! is no verdict.

use crate::bench::Bench;
use crate::case::Case;
use crate::kernels::{is, lasting, operation, with};
use crate::saved::BOTH;

/// What seven processes of one build take, in percent: as few as can tell a change.
const ALIKE: [u64; 7] = [100, 101, 99, 100, 102, 98, 100];

/// The operation `fft` of 10 µs, sampled by processes that take so many percent of it.
fn fft(percents: &[u64]) -> Case {
    operation("fft").processes_take(percents)
}

/// A bench with a baseline of `fft` as these processes took it, and of `sum`, which one sampled.
fn saved(percents: &[u64]) -> Bench {
    let bench = with([fft(percents), operation("sum")]).commit();
    bench.save_baseline("").exits(0);
    bench
}

#[test]
fn all_seven_processes_slower_by_a_fifth_are_a_regression_with_its_name_and_exit_3() {
    let mut bench = saved(&ALIKE);
    bench.redefine(lasting("fft", 120).processes_take(&ALIKE));
    let ran = bench.compare_with_baseline("--json").exits(3);
    is(&ran.finds("fft", "regressed", BOTH)["relative"], 0.2);
    ran.finds("sum", "pass", BOTH);
    let ran = bench.compare_with_baseline("").exits(3);
    let lines = ran.stdout.lines();
    let marked: Vec<&str> = lines.filter(|line| line.starts_with("!!")).collect();
    assert_eq!(marked.len(), 1, "{ran}");
    assert!(marked[0].starts_with("!! fft reference @1 "), "{ran}");
}

#[test]
fn all_seven_processes_faster_are_an_improvement_and_equal_ones_pass() {
    let mut bench = saved(&ALIKE);
    let ran = bench.compare_with_baseline("--json").exits(0);
    is(&ran.finds("fft", "pass", BOTH)["relative"], 0.0);
    bench.redefine(lasting("fft", 80).processes_take(&ALIKE));
    let ran = bench.compare_with_baseline("--json").exits(0);
    is(&ran.finds("fft", "improved", BOTH)["relative"], -0.2);
}

#[test]
fn one_process_that_is_as_fast_as_the_baseline_leaves_no_regression_and_exits_0() {
    let mut bench = saved(&ALIKE);
    bench.redefine(fft(&[120, 120, 120, 120, 120, 120, 100]));
    let ran = bench.compare_with_baseline("--json").exits(0);
    let row = ran.finds("fft", "inconclusive", &["mixed_processes"]);
    is(&row["relative"], 0.2);
    let reason = row["reason"].as_str().unwrap();
    assert!(reason.starts_with("+20.00 % may be a change"), "{row}");
    let ran = bench.compare_with_baseline("").exits(0).says(reason);
    let rows = ran.stdout.lines().filter(|line| line.starts_with("??"));
    assert_eq!(rows.count(), 1, "{ran}");
    let words = "--policy acceptance --json";
    let ran = bench.compare_with_baseline(words).exits(3);
    ran.finds("fft", "inconclusive", &["mixed_processes"]);
}

#[test]
fn one_process_that_is_far_from_the_other_side_keeps_equal_medians_from_passing() {
    let one_at = |percent: u64| [100, 100, 100, 100, 100, 100, percent];
    for (before, after) in [(ALIKE, one_at(111)), (one_at(111), ALIKE)] {
        let mut bench = saved(&before);
        bench.redefine(fft(&after));
        let ran = bench.compare_with_baseline("--json").exits(0);
        let row = ran.finds("fft", "inconclusive", &["astray_process"]);
        is(&row["relative"], 0.0);
        let reason = row["reason"].as_str().unwrap();
        assert!(reason.contains("11.00 %"), "{row}");
        bench.compare_with_baseline("").exits(0).says(reason);
    }
    let mut bench = saved(&ALIKE);
    bench.redefine(fft(&one_at(109)));
    let ran = bench.compare_with_baseline("--json").exits(0);
    ran.finds("fft", "pass", BOTH);
}

#[test]
fn a_side_with_fewer_than_seven_processes_is_named_and_nothing_is_called() {
    let five = &ALIKE[..5];
    for (before, after, said) in [
        (five, &ALIKE[..], "the baseline was sampled in 5 of the 7"),
        (&ALIKE[..], five, "this run was sampled in 5 of the 7"),
    ] {
        let mut bench = saved(before);
        for percent in [100, 120] {
            bench.redefine(lasting("fft", percent).processes_take(after));
            let ran = bench.compare_with_baseline("--json").exits(0);
            let row = ran.finds("fft", "inconclusive", &["few_processes"]);
            let reason = row["reason"].as_str().unwrap();
            assert!(reason.starts_with(said), "{row}");
        }
    }
}

#[test]
fn one_process_beside_seven_is_too_few_and_one_beside_one_is_compared() {
    let mut bench = saved(&ALIKE);
    bench.redefine(lasting("fft", 120));
    bench.redefine(operation("sum").processes_take(&ALIKE));
    let ran = bench.compare_with_baseline("--json").exits(0);
    for (case, said) in [
        ("fft", "this run was sampled in 1 of the 7"),
        ("sum", "the baseline was sampled in 1 of the 7"),
    ] {
        let row = ran.finds(case, "inconclusive", &["few_processes"]);
        let reason = row["reason"].as_str().unwrap();
        assert!(reason.starts_with(said), "{row}");
    }
    bench.redefine(lasting("sum", 120));
    let ran = bench.compare_with_baseline("--json").exits(3);
    ran.finds("sum", "regressed", BOTH);
}

#[test]
fn a_process_that_fails_is_invalid_beside_a_baseline_and_leaves_its_entry_as_it_was() {
    let mut bench = saved(&ALIKE);
    let entry = bench.entry("fft");
    bench.redefine(fft(&ALIKE).behaves_in_launch(7, "exits"));
    let words = format!("{} --json", bench.saving());
    let ran = bench.compare_with_baseline(&words).exits(1);
    let row = ran.finds("fft", "invalid", &["broken_witness"]);
    let reason = row["reason"].as_str().unwrap();
    assert!(reason.contains("process 7 of 7: "), "{row}");
    assert_eq!(bench.entry("fft"), entry);
}

#[test]
fn medians_of_processes_are_in_the_file_in_order_and_are_read_back_as_they_were_written() {
    // Draws of each process of its own: numbers with many digits.
    let scan = operation("scan").processes(3).parameter("spread = 0.013");
    let bench = with([fft(&[100, 104, 97]), scan, operation("sum")]).commit();
    bench.save_baseline("").exits(0);
    let entry = bench.entry("fft");
    let line = "process_ratios = [1.0, 1.04, 0.97]";
    assert!(entry.lines().any(|found| found == line), "{entry}");
    for line in ["samples = 36", "median_ns = 10000.0"] {
        assert!(entry.lines().any(|found| found == line), "{entry}");
    }
    assert!(!bench.entry("sum").contains("process_ratios"));
    // Nothing but the file decides what it says of what was not run.
    let other = with([operation("other")]).commit();
    other.write_baseline(&bench.baseline());
    other.save_baseline("").exits(0);
    for name in ["fft", "scan", "sum"] {
        assert_eq!(other.entry(name), bench.entry(name));
    }
}

#[test]
fn a_median_of_a_process_that_is_no_amount_is_refused_before_anything_is_run() {
    let bench = saved(&[100, 101]);
    let before = bench.ran();
    bench.edit_baseline("fft", "process_ratios", "[1.0, -1.0]");
    let said = "`process_ratios` of `fft reference @1`: -1 is not an amount";
    bench.compare_with_baseline("").exits(2).says(said);
    assert_eq!(bench.ran(), before);
}

#[test]
fn a_median_of_a_process_that_is_no_time_makes_its_side_none() {
    let bench = saved(&ALIKE);
    let ratios = "[1.0, 1.01, 0.99, 0.0, 1.02, 0.98, 1.0]";
    bench.edit_baseline("fft", "process_ratios", ratios);
    let ran = bench.compare_with_baseline("--json").exits(0);
    ran.finds("fft", "inconclusive", &["not_a_time"]);
}

/// A time that was corrected by hand takes those of its processes along.
#[test]
fn a_baseline_whose_median_was_lowered_makes_a_regression_of_the_same_times() {
    let bench = saved(&ALIKE);
    bench.compare_with_baseline("").exits(0);
    bench.edit_baseline("fft", "median_ns", "7000.0");
    let ran = bench.compare_with_baseline("--json").exits(3);
    let row = ran.finds("fft", "regressed", &["relative", "sigmas"]);
    assert_eq!(row["name"], "fft reference @1");
}
