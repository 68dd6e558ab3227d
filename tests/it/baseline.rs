//! `track --baseline-file`: what a run says of an earlier one.

use std::fs;

use serde_json::json;

use crate::bench::Bench;
use crate::case::Case;
use crate::kernels::{is, kernels, lasting, operation, scattered, with};
use crate::saved::{BOTH, FILE};

#[test]
fn what_was_saved_a_moment_ago_passes() {
    let bench = kernels();
    bench.save_baseline("").exits(0).says(FILE);
    let ran = bench.compare_with_baseline("--json").exits(0);
    for case in ["fft", "sum"] {
        is(&ran.finds(case, "pass", BOTH)["relative"], 0.0);
    }
}

#[test]
fn a_baseline_at_seventy_percent_is_a_regression_with_its_name_and_exit_3() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    bench.edit_baseline("fft", "median_ns", "7000.0");
    let ran = bench.compare_with_baseline("--json").exits(3);
    is(&ran.finds("fft", "regressed", BOTH)["relative"], 3.0 / 7.0);
    ran.finds("sum", "pass", BOTH);
    let ran = bench.compare_with_baseline("").exits(3);
    let row = ran.stdout.lines().find(|line| line.contains("regressed"));
    let row = row.unwrap();
    assert!(row.starts_with("!!") && row.contains("fft"), "{row}");
}

#[test]
fn a_slower_operation_is_regressed_and_a_faster_one_improved() {
    let mut bench = with([operation("fft"), operation("sum"), operation("scan")]).commit();
    bench.save_baseline("").exits(0);
    bench.redefine(lasting("fft", 120));
    bench.redefine(lasting("sum", 60));
    let ran = bench.compare_with_baseline("--json").exits(3);
    is(&ran.finds("fft", "regressed", BOTH)["relative"], 0.2);
    is(&ran.finds("sum", "improved", BOTH)["relative"], -0.4);
    ran.finds("scan", "pass", BOTH);
}

#[test]
fn an_improvement_alone_fails_nothing() {
    let mut bench = kernels();
    bench.save_baseline("").exits(0);
    bench.redefine(lasting("fft", 60));
    let ran = bench.compare_with_baseline("").exits(0);
    let row = ran.stdout.lines().find(|line| line.contains("improved"));
    assert!(row.unwrap().starts_with("++"), "{ran}");
}

#[test]
fn of_all_verdicts_only_regressed_exits_3_and_it_names_its_case() {
    let cases = ["same", "faster", "noisy", "revised", "fresh"].map(operation);
    let mut bench = with(cases).commit();
    bench.save_baseline("").exits(0);
    bench.edit_baseline("fresh", "case", "\"gone\"");
    bench.redefine(lasting("faster", 60));
    bench.redefine(scattered("noisy", 2_000, 150));
    bench.redefine(lasting("revised", 200).revision(2));
    let ran = bench.compare_with_baseline("--json").exits(0);
    for (case, verdict) in [
        ("same", "pass"),
        ("faster", "improved"),
        ("noisy", "inconclusive"),
        ("revised", "incomparable"),
        ("fresh", "new"),
    ] {
        assert_eq!(ran.compared(case)["verdict"], verdict, "{case}: {ran}");
    }
    let missing = ran.json()["comparison"]["missing"].clone();
    assert_eq!(missing[0]["configuration"]["case"], "gone", "{missing}");
    bench.redefine(lasting("same", 150));
    let ran = bench.compare_with_baseline("").exits(3);
    let lines = ran.stdout.lines();
    let marked: Vec<&str> = lines.filter(|line| line.starts_with("!!")).collect();
    assert_eq!(marked.len(), 1, "{ran}");
    assert!(marked[0].starts_with("!! same reference @1 "), "{ran}");
}

#[test]
fn a_change_that_is_certain_and_small_passes_and_says_which_threshold_it_missed() {
    let tight = |times| Case::new("fft").sampled().takes_ns(times);
    let mut bench = with([tight([9_990, 10_000, 10_010])]).commit();
    bench.save_baseline("").exits(0);
    bench.redefine(tight([10_190, 10_200, 10_210]));
    let ran = bench.compare_with_baseline("--json").exits(0);
    let row = ran.finds("fft", "pass", &["relative"]);
    is(&row["relative"], 0.02);
    assert!(row["sigmas"].as_f64().unwrap() > 3.0, "{row}");
    let reason = row["reason"].as_str().unwrap();
    assert!(
        reason.contains("2.00 %") && reason.contains("5.00 %"),
        "{row}"
    );
}

#[test]
fn eight_or_twenty_percent_that_are_lost_in_the_noise_are_neither_regressed_nor_passed() {
    for (by_ns, percent, relative) in [(200, 108, 0.08), (480, 120, 0.2)] {
        let mut bench = with([scattered("fft", by_ns, 100)]).commit();
        bench.save_baseline("").exits(0);
        bench.redefine(scattered("fft", by_ns, percent));
        let ran = bench.compare_with_baseline("--json").exits(0);
        let row = ran.finds("fft", "inconclusive", &["sigmas"]);
        is(&row["relative"], relative);
    }
}

#[test]
fn noise_in_which_a_change_could_hide_is_inconclusive_although_the_medians_agree() {
    let bench = with([scattered("fft", 480, 100)]).commit();
    bench.save_baseline("").exits(0);
    let ran = bench.compare_with_baseline("--json").exits(0);
    let row = ran.finds("fft", "inconclusive", &["standard_error"]);
    is(&row["relative"], 0.0);
}

#[test]
fn noise_in_the_run_or_in_the_baseline_is_inconclusive_and_exits_0() {
    let loud = || scattered("fft", 2_000, 100);
    for (before, after) in [(operation("fft"), loud()), (loud(), lasting("fft", 200))] {
        let mut bench = with([before]).commit();
        bench.save_baseline("").exits(0);
        bench.redefine(after);
        let ran = bench.compare_with_baseline("--json").exits(0);
        let row = ran.finds("fft", "inconclusive", &["noisy"]);
        assert!(row["reason"].as_str().unwrap().contains('%'), "{row}");
        let ran = bench.compare_with_baseline("").exits(0);
        let row = ran
            .stdout
            .lines()
            .find(|line| line.contains("inconclusive"));
        assert!(row.unwrap().starts_with("??"), "{ran}");
    }
}

#[test]
fn identical_samples_are_inconclusive_because_they_show_a_clock_and_no_stability() {
    let bench = with([Case::new("fft").sampled().takes_ns([10_000; 3])]).commit();
    bench.save_baseline("").exits(0);
    let ran = bench.compare_with_baseline("--json").exits(0);
    ran.finds("fft", "inconclusive", &["no_spread"]);
}

#[test]
fn an_operation_that_the_clock_cannot_resolve_is_inconclusive() {
    let bench = with([operation("fft").parameter("tick_ns = 1000000")]).commit();
    bench.save_baseline("").exits(0);
    let ran = bench.compare_with_baseline("--json").exits(0);
    ran.finds(
        "fft",
        "inconclusive",
        &["no_spread", "warned", "baseline_warned"],
    );
}

#[test]
fn an_operation_that_is_not_in_the_file_is_new_and_fails_nothing() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    let bench = bench.case_of("kernels", operation("extra")).written();
    let ran = bench.compare_with_baseline("--json").exits(0);
    ran.finds("extra", "new", &["not_in_baseline"]);
    ran.finds("fft", "pass", BOTH);
    bench.compare_with_baseline("").exits(0).says("extra");
}

#[test]
fn an_entry_that_was_not_run_is_named_and_fails_nothing() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    bench.edit_baseline("sum", "case", "\"gone\"");
    let ran = bench.compare_with_baseline("").exits(0);
    let line = ran.stdout.lines().find(|line| line.starts_with("-- "));
    assert!(line.unwrap().contains("gone"), "{ran}");
    let ran = bench.compare_with_baseline("--json").exits(0);
    let missing = ran.json()["comparison"]["missing"].clone();
    assert_eq!(missing.as_array().unwrap().len(), 1, "{missing}");
    assert_eq!(missing[0]["configuration"]["case"], "gone");
    ran.finds("sum", "new", &["not_in_baseline"]);
}

#[test]
fn each_size_has_entries_of_its_own_and_those_of_another_size_are_not_missing() {
    let bench = with(["fft", "sum"].map(|name| operation(name).also("quick"))).commit();
    bench.save_baseline("").exits(0);
    let full = bench.entry("fft");
    bench.save_baseline("--size quick").exits(0);
    assert_eq!(bench.entry("fft"), full);
    let ran = bench.compare_with_baseline("--size quick --json").exits(0);
    for case in ["fft", "sum"] {
        ran.finds(case, "pass", BOTH);
    }
    let comparison = ran.json()["comparison"].clone();
    assert_eq!(comparison["missing"], json!([]));
    assert_eq!(comparison["other_sizes"], 2);
    let ran = bench.compare_with_baseline("--size quick").exits(0);
    ran.says("2 entries of the baseline at other sizes");
}

#[test]
fn a_case_that_was_renamed_is_compared_with_its_entry() {
    let bench = with([operation("fft")]).commit();
    bench.save_baseline("").exits(0);
    let renamed = lasting("fft_forward", 150).line(r#"renamed_from = "fft""#);
    let other = with([renamed]).commit();
    other.write_baseline(&bench.baseline());
    let ran = other.compare_with_baseline("--json").exits(3);
    is(
        &ran.finds("fft_forward", "regressed", BOTH)["relative"],
        0.5,
    );
    let missing = ran.json()["comparison"]["missing"].clone();
    assert_eq!(missing.as_array().unwrap().len(), 0, "{missing}");
}

#[test]
fn a_revised_case_is_another_one_and_not_compared() {
    let mut bench = kernels();
    bench.save_baseline("").exits(0);
    bench.redefine(lasting("fft", 200).revision(2));
    let ran = bench.compare_with_baseline("--json").exits(0);
    let row = ran.finds("fft", "incomparable", &["other_work"]);
    assert!(
        row["reason"].as_str().unwrap().contains("revision"),
        "{row}"
    );
}

#[test]
fn a_baseline_of_another_machine_is_incomparable_and_says_what_differs() {
    let mut bench = kernels();
    bench.save_baseline("").exits(0);
    bench.redefine(lasting("fft", 200));
    let text = bench.baseline();
    for (key, value, said) in [
        ("slug", "some-cpu-64c", "`some-cpu-64c`"),
        ("cpu", "vendor=Someone", "`vendor` of the CPU was Someone"),
    ] {
        let start = format!("{key} = ");
        let line = text.lines().find(|line| line.starts_with(&start));
        let other = text.replacen(line.unwrap(), &format!("{start}\"{value}\""), 1);
        bench.write_baseline(&other);
        let ran = bench.compare_with_baseline("--json").exits(0);
        for case in ["fft", "sum"] {
            ran.finds(case, "incomparable", &["other_fingerprint"]);
        }
        bench.compare_with_baseline("").exits(0).says(said);
        bench.save_baseline("").exits(2).says("another machine");
        assert_eq!(bench.baseline(), other, "two machines are not mixed");
    }
}

#[test]
fn times_under_another_threading_policy_are_incomparable() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    let ran = bench
        .compare_with_baseline("--threading active --json")
        .exits(0);
    ran.finds("fft", "incomparable", &["other_fingerprint"]);
}

#[test]
fn a_kernel_that_fails_is_invalid_and_the_exit_is_1() {
    let mut bench = kernels();
    bench.save_baseline("").exits(0);
    bench.redefine(operation("fft").behaves("sampled_far_reference"));
    bench.edit_baseline("sum", "median_ns", "7000.0");
    let ran = bench.compare_with_baseline("--json").exits(1);
    ran.finds("fft", "invalid", &["broken_witness"]);
    ran.finds("sum", "regressed", BOTH);
}

#[test]
fn the_policy_acceptance_fails_on_what_is_not_known_to_be_as_good() {
    let bench = with([scattered("fft", 2_000, 100)]).commit();
    bench.save_baseline("").exits(0);
    bench.compare_with_baseline("").exits(0);
    let ran = bench
        .compare_with_baseline("--policy acceptance --json")
        .exits(3);
    ran.finds("fft", "inconclusive", &["noisy", "noisy"]);
}

#[test]
fn three_complete_runs_are_saved_and_compared_without_a_verdict_on_noise() {
    let mut bench = Bench::new()
        .case(Case::new("a").takes_ns([3_000_000, 1_000_000, 2_000_000]))
        .commit();
    bench.track(&bench.saving()).exits(0);
    bench.redefine(Case::new("a").takes_ns([9_000_000, 8_000_000, 7_000_000]));
    let compare = format!("{} --json", bench.comparing());
    let ran = bench.track(&compare).exits(0);
    ran.finds("a", "inconclusive", &["few_samples", "few_samples"]);
}

#[test]
fn markdown_has_the_comparison_and_no_path() {
    let mut bench = kernels();
    bench.save_baseline("").exits(0);
    bench.redefine(lasting("fft", 120));
    let page = bench.outside("page.md");
    let ran = bench.compare_with_baseline(&format!("--markdown {}", page.display()));
    ran.exits(3);
    let page = fs::read_to_string(page).unwrap();
    for part in ["| !! | fft reference @1 |", "+20.00 %", "regressed"] {
        assert!(page.contains(part), "{part}:\n{page}");
    }
    let folder = bench.outside("");
    assert!(!page.contains(folder.to_str().unwrap()), "{page}");
}
