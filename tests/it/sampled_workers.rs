//! Workers that misbehave while they sample: no time without samples that can be believed.

use crate::kernels::{operation, with};

/// Behaviours, the status that they get and a part of the reason.
const MISBEHAVIOURS: [(&str, &str, &str); 22] = [
    (
        "sampled_absent",
        "failed",
        "does not say how its samples came about",
    ),
    ("sampled_unequal_ops", "failed", "sample 12 has"),
    ("sampled_no_ops", "failed", "sample 12 has 0 operations"),
    ("sampled_other_ops", "failed", "sample 1 has"),
    ("sampled_too_few", "failed", "contradicts itself"),
    ("no_samples", "failed", "has no sample"),
    (
        "sampled_lost",
        "failed",
        "the clock went back in 1000 blocks",
    ),
    ("zero", "failed", "sample 1 has no time"),
    (
        "sampled_one_witness",
        "failed",
        "has 1 witnesses of its samples and not 2",
    ),
    ("no_digest", "failed", "the last sample has no digest"),
    ("no_sketch", "failed", "has 0 numbers and not 256"),
    (
        "other_digest",
        "inconsistent",
        "the last sample contradicts itself",
    ),
    ("far_field", "inconsistent", "the last sample ends 1.00e-3"),
    (
        "sampled_nan_reference",
        "failed",
        "the output is no finite number",
    ),
    (
        "sampled_no_distance",
        "failed",
        "the output is no finite number",
    ),
    (
        "sampled_far_reference",
        "failed",
        "1.00e-3 (relative L2) from the reference",
    ),
    ("half", "failed", "receipt cannot be read"),
    ("nan", "failed", "receipt cannot be read"),
    ("negative", "failed", "receipt cannot be read"),
    ("panics", "failed", "exited with 101 and left no receipt"),
    ("crash", "failed", "died of signal 6 (abort)"),
    ("killed_in_line", "failed", "died of signal 9 (killed"),
];

#[test]
fn samples_that_cannot_be_believed_are_a_named_failure_and_the_run_goes_on() {
    let misbehaving = MISBEHAVIOURS.map(|(behaviour, ..)| operation(behaviour).behaves(behaviour));
    let bench = with(misbehaving)
        .case_of("kernels", operation("last"))
        .commit();
    let ran = bench.track_kernels("--json").exits(1);
    for (behaviour, status, reason) in MISBEHAVIOURS {
        ran.has_no_time(behaviour, status, reason);
    }
    assert_eq!(ran.result("last")["status"], "complete");
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn an_operation_that_never_ends_is_ended_at_the_time_limit_and_the_next_one_is_timed() {
    let bench = with([operation("fft").behaves("hang"), operation("sum")]).commit();
    let ran = bench.track_kernels("--timeout 3 --json").exits(1);
    ran.has_no_time("fft", "timed_out", "the worker took longer than 3 s");
    assert_eq!(ran.result("sum")["repeats"], 12);
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn a_kernel_that_fails_keeps_the_whole_suite_out_of_the_history() {
    let bad = operation("fft").behaves("sampled_far_reference");
    let bench = with([bad, operation("sum")]).commit();
    let before = bench.commits();
    let ran = bench.track_kernels("--append-history --json").exits(1);
    assert_eq!(ran.json()["refusals"][0]["code"], "incomplete");
    assert_eq!(bench.commits(), before);
    assert_eq!(bench.rows(), []);
}

#[test]
fn an_operation_without_a_reference_is_timed_and_none_is_claimed() {
    let bench = with([operation("fft").behaves("sampled_no_reference")]).commit();
    let fft = bench.track_kernels("--json").exits(0).result("fft");
    assert_eq!(fft["status"], "complete");
    assert!(fft["sampled"]["reference"].is_null());
}

#[test]
fn more_threads_than_were_given_are_inconsistent_and_fewer_may_be_all_that_a_kernel_can_use() {
    let bench = with([
        operation("few").widths(r#"["2"]"#).behaves("one_thread"),
        operation("many").behaves("many_threads"),
    ])
    .commit();
    let ran = bench.track_kernels("--json").exits(1);
    assert_eq!(ran.result("few")["status"], "complete");
    let many = ran.result("many");
    assert_eq!(many["status"], "inconsistent");
    let reason = many["reason"].as_str().unwrap();
    assert!(
        reason.contains("ran on 64 threads and was given 1"),
        "{reason}"
    );
}

#[test]
fn output_that_is_cut_in_the_middle_of_a_line_loses_nothing() {
    let case = operation("fft").behaves("cut_line");
    let bench = with([case, operation("sum")]).commit();
    let ran = bench.track_kernels("--json").exits(0);
    assert_eq!(ran.result("fft")["status"], "complete");
    let log = bench.bundle().text("01-fft-1/stdout.log");
    assert!(log.ends_with("\"repe"), "{log}");
}
