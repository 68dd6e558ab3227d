//! The history and the plan of a suite of operations.

use crate::case::Case;
use crate::kernels::{is, kernels, lasting, operation, with};

/// The production width is part of the name of a hardware set: with the flag, there is one file on
/// every machine.
const RECORD: &str = "--append-history --production 2";

#[test]
fn operations_are_recorded_as_rows_of_their_suite_in_one_commit_that_touches_one_file() {
    let bench = kernels();
    let before = bench.commits();
    bench.track_kernels(RECORD).exits(0).says("recorded 2 rows");
    assert_eq!(bench.commits(), before + 1);
    assert_eq!(bench.files_of_last_commit(), [bench.history_path()]);
    assert_eq!(bench.status(), "");
    let rows = bench.committed_rows();
    assert_eq!(rows.len(), 2);
    let row = &rows[0];
    for (column, value) in [
        ("suite", "kernels"),
        ("case", "fft"),
        ("size", "full"),
        ("repeats", "12"),
        ("accepted", ""),
        ("source_evaluations", ""),
        ("raw_s", ""),
    ] {
        assert_eq!(row[column], value, "{column}");
    }
    for (column, time_s) in [("median_s", 1e-5), ("min_s", 9.9e-6), ("max_s", 1.01e-5)] {
        let found: f64 = row[column].parse().unwrap();
        assert!((found - time_s).abs() < 1e-15, "{column}: {found}");
    }
}

#[test]
fn a_part_another_size_too_few_samples_and_changed_code_are_refused_before_anything_is_run() {
    let bench = with(["fft", "sum"].map(|name| operation(name).also("quick"))).commit();
    let refused = |words: &str, code: &str| {
        let ran = bench.track_kernels(&format!("{RECORD} --json {words}"));
        let refusals = ran.exits(5).json()["refusals"].clone();
        assert_eq!(refusals.as_array().unwrap().len(), 1, "{refusals}");
        assert_eq!(refusals[0]["code"], code, "{refusals}");
    };
    refused("--case fft", "partial_plan");
    refused("--threads 1", "partial_plan");
    refused("--size quick", "size");
    refused("--repeats 2", "repeats");
    bench.append("workloads/kernels.toml", "# mine\n");
    refused("", "dirty");
    assert_eq!(bench.ran(), [""; 0]);
    assert!(bench.bundles().is_empty());
    assert_eq!(bench.rows(), []);
}

#[test]
fn a_run_that_regressed_is_recorded_all_the_same_and_exits_3() {
    let mut bench = kernels();
    bench.save_baseline("--production 2").exits(0);
    bench.redefine(lasting("fft", 200));
    bench.commit_all("a slower operation");
    let ran = bench.compare_with_baseline(RECORD).exits(3);
    ran.says("regressed").says("recorded 2 rows");
    assert_eq!(bench.committed_rows().len(), 2);
}

#[test]
fn memory_that_nobody_measured_is_an_empty_field_and_never_0() {
    let bench = with([operation("fft").behaves("unmeasured_memory")]).commit();
    bench.track_kernels(RECORD).exits(0);
    let row = bench.committed_rows().remove(0);
    assert_eq!(row["peak_rss_bytes"], "");
    assert_eq!(row["device_memory_bytes"], "");
}

#[test]
fn history_shows_operations_beside_the_tracked_cases_and_compares_them_with_their_like() {
    let mut bench = kernels();
    bench.track(RECORD).exits(0);
    bench.track_kernels(RECORD).exits(0);
    bench.backdate("2001-01-01T00:00:00Z");
    bench.redefine(lasting("fft", 200));
    bench.commit_all("a slower operation");
    bench.track_kernels(RECORD).exits(0);
    let slug = bench.rows()[0]["slug"].clone();
    let history = bench.run(["history", &slug, "--json"]).exits(0).json();
    let lines = history["suites"]["kernels"]["1"].as_array().unwrap();
    assert_eq!(lines.len(), 2);
    is(&lines[1]["previous"]["ratio"], 2.0_f64.sqrt());
    assert_eq!(lines[1]["previous"]["shared"], 2);
    assert_eq!(
        history["suites"]["tracking"]["1"].as_array().unwrap().len(),
        1
    );
    let ran = bench.run(["history", &slug, "--set", "kernels"]).exits(0);
    ran.says("kernels").does_not_say("tracking");
    let ran = bench.run(["history", &slug, "--case", "fft"]).exits(0);
    ran.says("10.0 µs").says("20.0 µs");
}

#[test]
fn list_shows_both_suites_and_its_total_is_their_sum() {
    let estimate = "estimates = { 1 = { run_s = 0.5, setup_s = 1.0, memory_bytes = 1024 } }";
    let bench = with([operation("fft").size_line(estimate)])
        .case(Case::new("b").size_line(estimate))
        .written();
    let plan = |words: &[&str]| {
        let ran = bench.run([&["list", "--json"], words].concat());
        ran.exits(0).json()
    };
    let kernels = plan(&["--set", "kernels"])["estimate_s"].as_f64().unwrap();
    let b = plan(&["--case", "b"])["estimate_s"].as_f64().unwrap();
    let both = plan(&["--case", "b", "--set", "kernels"]);
    is(&both["estimate_s"], kernels + b);
    let all = plan(&["--set", "all"]);
    assert_eq!(all["configurations"].as_array().unwrap().len(), 3);
    let kinds = [0, 1, 2].map(|index| all["configurations"][index]["sampling"]["kind"].clone());
    assert_eq!(kinds, ["sampled", "complete", "complete"]);
    assert!(all["estimate_s"].is_null(), "the time of `a` is unknown");
    bench
        .run(["list", "--set", "all"])
        .exits(0)
        .says("kernels")
        .says("fft reference @1")
        .says("time unknown");
}

#[test]
fn an_operation_without_a_time_is_reported_and_kept_out_of_the_history() {
    // Every interval is shorter than a tick.
    let fast = operation("fft").parameter("tick_ns = 1000000000");
    let bench = with([fast, operation("sum")]).commit();
    let ran = bench.track_kernels("--json").exits(0);
    let fft = ran.result("fft");
    assert_eq!(fft["status"], "complete");
    assert!(fft["median_s"].is_null(), "{fft}");
    assert_eq!(fft["sampled"]["warning"]["code"], "below_tick");
    let before = bench.commits();
    let ran = bench.track_kernels(RECORD).exits(5);
    ran.says("unresolved: ").says("`fft reference @1`");
    assert_eq!(bench.commits(), before);
    assert_eq!(bench.rows(), []);
}
