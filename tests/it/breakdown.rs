//! `track --breakdown`: where the time of a run went.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::case::Case;
use crate::kernels::{is, kernels};
use crate::ran::Ran;

/// The parts of a run, in JSON.
const PARTS: [&str; 6] = [
    "fft_s",
    "pointwise_s",
    "stepper_s",
    "absorb_s",
    "observe_s",
    "rest_s",
];

/// A case whose run takes 73 ms and has 73 evaluations.
fn case(name: &str) -> Case {
    Case::new(name).takes_ns([73_000_000; 3])
}

fn bench(case: Case) -> Bench {
    Bench::new().case(case).commit()
}

#[track_caller]
fn breakdown(ran: &Ran) -> Value {
    let of_run = ran.json()["breakdown"].clone();
    let splits = of_run["configurations"].as_array().unwrap();
    let split = splits.iter().find(|s| s["configuration"]["case"] == "a");
    split.cloned().unwrap_or_default()
}

#[test]
fn the_parts_of_a_run_and_the_rest_add_up_to_it() {
    let bench = bench(case("a"));
    let ran = bench.run(["track", "--breakdown", "--json"]).exits(0);
    assert_eq!(
        bench.bundle().json("01-a-1/request.json")["breakdown"],
        true
    );
    let parts = breakdown(&ran);
    let of = |name: &str| parts[name].as_f64().unwrap();
    is(&parts["run_s"], 0.073);
    is(&parts["fft_s"], 0.0365);
    let sum: f64 = PARTS.iter().map(|name| of(name)).sum();
    assert!((sum - 0.073).abs() < 1e-12, "{sum}: {parts}");
    assert_eq!(parts["adds_up"], true);
    is(&parts["over_median"], 1.0);
}

#[test]
fn overhead_and_transforms_are_held_against_a_bare_evaluation() {
    let bench = bench(case("a"));
    let ran = bench.run(["track", "--breakdown", "--json"]).exits(0);
    let parts = breakdown(&ran);
    // 1 ms of the run for each evaluation; half of it is the evaluation, a tenth is no evaluation.
    is(&parts["bare_evaluation_s"], 0.5e-3);
    is(&parts["fft_time_s"], 0.3e-3);
    is(&parts["stepper_overhead"], 1.8);
}

#[test]
fn the_text_names_every_part_and_what_is_unknown() {
    let bench = bench(case("a"));
    let ran = bench.run(["track", "--breakdown"]).exits(0);
    for part in [
        "fft",
        "pointwise",
        "stepper",
        "absorb",
        "observe",
        "rest",
        "50.0 %",
    ] {
        assert!(ran.stdout.contains(part), "{part}:\n{ran}");
    }
    // Nobody has measured the bandwidth here.
    ran.says("floor").says("unknown").says("doctor --roof");
}

#[test]
fn times_are_those_of_a_run_without_it() {
    let bench = bench(case("a"));
    let without = bench.run(["track", "--json"]).exits(0);
    let request = bench.bundle().json("01-a-1/request.json");
    assert!(request.get("breakdown").is_none(), "{request}");
    assert!(without.json()["breakdown"].is_null());
    let with = bench.run(["track", "--breakdown", "--json"]).exits(0);
    for name in ["median_s", "min_s", "max_s", "repeats"] {
        assert_eq!(with.result("a")[name], without.result("a")[name], "{name}");
    }
}

#[test]
fn a_worker_that_cannot_break_a_run_down_is_a_note_and_no_failure() {
    let bench = bench(case("a").behaves("breakdown_refused"));
    let ran = bench.run(["track", "--breakdown"]).exits(0);
    ran.says("breakdown: this library does not time its parts");
    let ran = bench.run(["track", "--breakdown", "--json"]).exits(0);
    assert_eq!(ran.result("a")["status"], "complete");
    assert!(breakdown(&ran).is_null());
}

#[test]
fn a_worker_that_forgets_the_breakdown_is_noted() {
    let bench = bench(case("a").behaves("breakdown_unmentioned"));
    let ran = bench.run(["track", "--breakdown"]).exits(0);
    ran.says("`a reference @1` has no breakdown");
}

#[test]
fn parts_that_do_not_make_up_the_run_are_said_not_to() {
    for (behaviour, said) in [
        ("breakdown_short", "27.0 % of it is in none of them"),
        ("breakdown_beyond", "they are longer by 48.0 %"),
    ] {
        let bench = bench(case("a").behaves(behaviour));
        let ran = bench.run(["track", "--breakdown"]).exits(0);
        ran.says("do not sum to its run").says(said);
        let ran = bench.run(["track", "--breakdown", "--json"]).exits(0);
        assert_eq!(breakdown(&ran)["adds_up"], false);
    }
}

#[test]
fn parts_without_loops_leave_the_rest_unknown() {
    let bench = bench(case("a").behaves("breakdown_parts_alone"));
    let ran = bench.run(["track", "--breakdown", "--json"]).exits(0);
    let parts = breakdown(&ran);
    for name in [
        "bare_evaluation_s",
        "fft_time_s",
        "floor_s",
        "stepper_overhead",
    ] {
        assert!(parts[name].is_null(), "{name}: {parts}");
    }
    is(&parts["fft_s"], 0.0365);
}

#[test]
fn an_operation_has_no_parts_and_its_times_stay() {
    let bench = kernels();
    let ran = bench.track_kernels("--breakdown --json").exits(0);
    let fft = ran.result("fft");
    assert_eq!(ran.json()["breakdown"]["configurations"], json!([]));
    assert_eq!(fft["status"], "complete");
    is(&fft["median_s"], 1e-5);
}

#[test]
fn a_resumed_run_keeps_the_breakdown_that_it_was_begun_with() {
    let bench = Bench::new()
        .case(case("a"))
        .case(case("b").behaves("gated"))
        .commit();
    bench
        .run(["track", "--breakdown", "--timeout", "2"])
        .exits(1);
    bench.open_gate();
    let ran = bench.resume("--json").exits(0);
    assert_eq!(bench.ran(), ["a", "b", "b"]);
    for name in ["a", "b"] {
        assert_eq!(ran.result(name)["breakdown"]["run_ns"], json!(73_000_000));
    }
}
