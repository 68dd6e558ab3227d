//! `track` on a suite of operations: what workers are asked, and what their samples come to.

use serde_json::json;

use crate::bench::Bench;
use crate::case::{Case, sampling};
use crate::kernels::{is, kernels, operation, scattered, with};
use crate::ran::Ran;

#[test]
fn a_sampled_suite_runs_whole_and_every_statistic_follows_from_its_samples() {
    let bench = kernels();
    let ran = bench.track_kernels("--json").exits(0);
    assert_eq!(bench.ran(), ["fft", "sum"]);
    assert_eq!(ran.json()["complete"], true);
    let fft = ran.result("fft");
    let statistics = &fft["sampled"]["statistics"];
    assert_eq!(statistics["count"], 12);
    for (name, expected) in [
        ("min", 9_900.0),
        ("q1", 9_900.0),
        ("median", 10_000.0),
        ("q3", 10_100.0),
        ("max", 10_100.0),
        ("mean", 10_000.0),
        ("iqr", 200.0),
        ("relative_iqr", 0.02),
        ("mad", 100.0),
        ("robust_sigma", 200.0 / 1.349),
    ] {
        is(&statistics[name], expected);
    }
    for (name, expected) in [("median_s", 1e-5), ("min_s", 9.9e-6), ("max_s", 1.01e-5)] {
        is(&fft[name], expected);
    }
    assert_eq!(fft["repeats"], 12);
    assert_eq!(fft["sampled"]["stopped"], "enough");
    assert_eq!(fft["sampled"]["target_met"], true);
    assert!(fft["sampled"]["warning"].is_null(), "{fft}");
}

#[test]
fn blocks_are_long_enough_and_their_size_is_the_same_in_all_samples() {
    let bench = kernels();
    let ran = bench.track_kernels("--json").exits(0);
    let ops = ran.result("fft")["sampled"]["ops"].as_u64().unwrap();
    let receipt = bench.bundle().json("01-fft-1/receipt.json");
    let samples = receipt["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 12);
    for sample in samples {
        assert_eq!(sample["ops"], ops);
        assert!(sample["interval_ns"].as_u64().unwrap() >= 1_000_000);
    }
}

#[test]
fn a_worker_is_asked_for_the_policy_of_its_case() {
    let bench = kernels();
    bench.track_kernels("").exits(0);
    let request = bench.bundle().json("01-fft-1/request.json");
    let stop = json!({
        "kind": "adaptive", "samples_min": 12, "samples_max": 60,
        "total_ns_min": 1, "total_ns_max": 1_000_000_000,
    });
    assert_eq!(request["stop"], stop);
    assert_eq!(request["block_plan"]["target_ns"], 1_000_000);
    assert_eq!(request["warm_up_blocks"], 3);
    assert_eq!(request["count_allocations"], true);
}

#[test]
fn a_complete_case_is_asked_for_nothing_of_the_kind() {
    let bench = kernels();
    bench.run(["track"]).exits(0);
    let request = bench.bundle().json("01-a-1/request.json");
    for name in ["block_plan", "stop", "warm_up_blocks", "count_allocations"] {
        assert!(request.get(name).is_none(), "{name}: {request}");
    }
    let ran = bench.run(["track", "--json"]).exits(0);
    assert!(ran.result("a")["sampled"].is_null());
}

#[test]
fn repeats_of_a_sampled_suite_are_a_fixed_number_of_samples() {
    let bench = kernels();
    let ran = bench.track_kernels("--repeats 6 --json").exits(0);
    assert_eq!(ran.result("fft")["repeats"], 6);
    let request = bench.bundle().json("01-fft-1/request.json");
    assert_eq!(request["stop"], json!({"kind": "fixed", "samples": 6}));
    let receipt = bench.bundle().json("01-fft-1/receipt.json");
    assert_eq!(receipt["samples"].as_array().unwrap().len(), 6);
}

#[test]
fn a_size_can_be_sampled_otherwise_than_the_case() {
    let quick = format!("sampling = {}", sampling(6, 30, "100000000"));
    let bench = with([operation("fft").size("quick").size_line(&quick)]).commit();
    let ran = bench.track_kernels("--size quick --json").exits(0);
    assert_eq!(ran.result("fft")["repeats"], 6);
    let request = bench.bundle().json("01-fft-1/request.json");
    assert_eq!(request["stop"]["samples_min"], 6);
    assert_eq!(request["warm_up_blocks"], 1, "a quick size warms up less");
}

#[test]
fn sampling_goes_on_until_there_is_enough_measured_time() {
    let policy = "sampling = { kind = \"sampled\", block_ns = 1000000, samples_min = 3, \
                  samples_max = 500, total_ns_min = 50000000, total_ns_max = 1000000000 }";
    let case = Case::new("fft")
        .line(policy)
        .takes_ns([9_900, 10_000, 10_100]);
    let bench = with([case]).commit();
    let fft = bench.track_kernels("--json").exits(0).result("fft");
    assert_eq!(fft["sampled"]["stopped"], "enough");
    let receipt = bench.bundle().json("01-fft-1/receipt.json");
    let intervals = receipt["samples"].as_array().unwrap().iter();
    let total: u64 = intervals.map(|s| s["interval_ns"].as_u64().unwrap()).sum();
    assert!(total >= 50_000_000, "{total}");
    assert!(fft["repeats"].as_u64().unwrap() > 3);
}

#[test]
fn an_operation_longer_than_the_ceiling_is_timed_once_and_says_so() {
    // Twelve blocks of a millisecond have room, and one operation has not.
    let policy = format!("sampling = {}", sampling(12, 60, "12000000"));
    let long = Case::new("fft").line(&policy).takes_ns([20_000_000; 3]);
    let bench = with([long, operation("sum")]).commit();
    let ran = bench.track_kernels("--json").exits(0);
    let fft = ran.result("fft");
    assert_eq!(fft["repeats"], 1);
    assert_eq!(fft["sampled"]["stopped"], "total_max");
    is(&fft["median_s"], 2e-2);
    assert_eq!(fft["sampled"]["warning"]["code"], "few_samples");
    assert_eq!(ran.result("sum")["repeats"], 12);
    let ran = bench.track_kernels("").exits(0);
    ran.says("sampling ended at the most time, short of samples");
}

#[test]
fn a_block_that_cannot_be_made_long_enough_is_said_to_be_short() {
    // No admissible number of these lasts a millisecond.
    let case = Case::new("fft").sampled().parameter("time_ns = 0.00001");
    let bench = with([case]).commit();
    let ran = bench.track_kernels("--json").exits(0);
    assert_eq!(ran.result("fft")["sampled"]["target_met"], false);
}

#[test]
fn an_operation_that_the_clock_cannot_resolve_says_so_and_is_no_failure() {
    // The clock tells whole milliseconds: a block is a tick or two.
    let coarse = operation("fft").parameter("tick_ns = 1000000");
    let bench = with([coarse, operation("sum")]).commit();
    let ran = bench.track_kernels("--json").exits(0);
    let warning = ran.result("fft")["sampled"]["warning"].clone();
    assert_eq!(warning["code"], "near_tick");
    let sentence = warning["sentence"].as_str().unwrap();
    assert!(ran.result("sum")["sampled"]["warning"].is_null());
    bench.track_kernels("").exits(0).says(sentence);
}

#[test]
fn an_operation_of_forty_nanoseconds_has_no_warning_on_a_clock_of_twenty_five() {
    let case = Case::new("fft").sampled().parameter("time_ns = 40");
    let case = case.parameter("tick_ns = 25").parameter("spread = 0.01");
    let bench = with([case]).commit();
    let fft = bench.track_kernels("--json").exits(0).result("fft");
    let sampled = &fft["sampled"];
    assert_eq!(sampled["clock"]["granularity_ns"], 25);
    assert_eq!(sampled["target_met"], true);
    assert!(sampled["warning"].is_null(), "{fft}");
    let median = sampled["statistics"]["median"].as_f64().unwrap();
    assert!((39.5..40.5).contains(&median), "{median}");
}

#[test]
fn a_clock_of_unknown_grain_says_so() {
    let case = operation("fft").behaves("sampled_no_tick");
    let bench = with([case]).commit();
    let ran = bench.track_kernels("--json").exits(0);
    let fft = ran.result("fft");
    assert!(fft["sampled"]["clock"]["granularity_ns"].is_null());
    assert_eq!(fft["sampled"]["warning"]["code"], "unknown_granularity");
}

#[test]
fn a_spread_of_more_than_a_twentieth_is_noted_and_one_of_more_than_a_tenth_is_too_much() {
    let spread = |by: u64| {
        let bench = with([scattered("fft", by, 100)]).commit();
        bench.track_kernels("--json").exits(0).result("fft")["sampled"]["warning"].clone()
    };
    assert!(spread(200).is_null());
    let noted = spread(400);
    assert_eq!(noted["code"], "spread");
    assert!(
        noted["sentence"].as_str().unwrap().contains("8.0 %"),
        "{noted}"
    );
    assert_eq!(spread(1_000)["code"], "noisy");
}

#[test]
fn what_an_operation_does_becomes_rates_and_what_nobody_counted_is_unknown() {
    let counted = operation("fft")
        .parameter("flops = 20000")
        .parameter("bytes = 5000");
    let bench = with([counted, operation("sum")]).commit();
    let ran = bench.track_kernels("--json").exits(0);
    let fft = ran.result("fft");
    is(&fft["sampled"]["gflops"], 2.0);
    is(&fft["sampled"]["gbytes_per_s"], 0.5);
    let sum = ran.result("sum");
    assert!(sum["sampled"]["gflops"].is_null());
    assert!(sum["sampled"]["gbytes_per_s"].is_null());
}

#[test]
fn allocations_are_counted_and_what_was_not_counted_is_unknown() {
    let bench = with([
        operation("fft").parameter("allocates = 2"),
        operation("sum"),
        operation("uncounted").behaves("sampled_uncounted"),
    ])
    .commit();
    let ran = bench.track_kernels("--json").exits(0);
    let process = |name| ran.result(name)["sampled"]["allocations"]["process"].clone();
    assert_eq!(process("fft")["allocations"], 20, "in ten operations");
    assert_eq!(process("sum")["allocations"], 0);
    assert!(ran.result("uncounted")["sampled"]["allocations"].is_null());
}

/// A bench of both suites, and what `track` says of all of it.
fn both(words: &[&str]) -> (Bench, Ran) {
    let bench = kernels();
    let ran = bench.run([&["track", "--set", "all"], words].concat());
    (bench, ran)
}

#[test]
fn both_suites_run_together_and_such_a_run_is_not_recorded() {
    let (bench, ran) = both(&["--json"]);
    let ran = ran.exits(0);
    assert_eq!(bench.ran(), ["fft", "sum", "a"]);
    assert!(ran.result("a")["sampled"].is_null());
    is(&ran.result("sum")["median_s"], 1e-5);
    assert_eq!(ran.json()["refusals"][0]["code"], "partial_plan");
    let (bench, ran) = both(&["--append-history"]);
    ran.exits(5).says("partial_plan");
    assert_eq!(bench.ran(), [""; 0]);
}

#[test]
fn a_text_report_shows_both_kinds_of_suites() {
    let (_, ran) = both(&[]);
    let ran = ran.exits(0);
    ran.says("fft").says("a reference @1").says("10.0 µs");
}
