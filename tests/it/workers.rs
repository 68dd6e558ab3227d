//! Workers that misbehave: each is a failure with a name, and the run goes on.

use crate::bench::Bench;
use crate::case::Case;

/// Behaviours that end by themselves, the status that they get and a part of the reason.
const MISBEHAVIOURS: [(&str, &str, &str); 26] = [
    (
        "fail",
        "failed",
        "construct: failed to set up the problem: it was told to",
    ),
    ("crash", "failed", "died of signal 6 (abort)"),
    (
        "segfault",
        "failed",
        "died of signal 11 (segmentation fault)",
    ),
    (
        "illegal",
        "failed",
        "environment: the worker died of signal 4 (illegal instruction)",
    ),
    ("silent", "failed", "exited with 0 and left no receipt"),
    ("exits", "failed", "exited with 70 and left no receipt"),
    ("rubbish", "failed", "receipt cannot be read"),
    ("half", "failed", "receipt cannot be read"),
    ("foreign", "failed", "the receipt answers another request"),
    ("nan", "failed", "receipt cannot be read"),
    ("negative", "failed", "receipt cannot be read"),
    ("infinite", "failed", "receipt cannot be read"),
    ("no_number", "failed", "receipt cannot be read"),
    ("no_samples", "failed", "has 0 times and 3 witnesses"),
    ("zero", "failed", "repeat 1 has no time"),
    (
        "contradicts",
        "failed",
        "exited with 3 although its receipt says complete",
    ),
    ("other_protocol", "failed", "speaks protocol version 2"),
    (
        "inconsistent_steps",
        "inconsistent",
        "repeat 3 took 11 accepted steps",
    ),
    (
        "far_field",
        "inconsistent",
        "repeat 3 ends 1.00e-3 (relative L2) from the first",
    ),
    (
        "negative_distance",
        "inconsistent",
        "repeat 3 ends -1.00e0 (relative L2) from the first",
    ),
    (
        "other_digest",
        "inconsistent",
        "repeat 3 contradicts itself",
    ),
    ("no_digest", "failed", "repeat 3 has no digest"),
    (
        "short_digest",
        "failed",
        "the digest of repeat 3 is not a SHA-256",
    ),
    ("no_sketch", "failed", "has 0 numbers and not 256"),
    ("strays", "failed", "not named by a plain file name"),
    (
        "one_thread",
        "inconsistent",
        "repeat 1 ran on 1 threads and was given 2",
    ),
];

#[test]
fn every_misbehaving_worker_is_a_named_failure_and_the_run_goes_on() {
    let misbehaving = MISBEHAVIOURS
        .iter()
        .fold(Bench::new(), |bench, (behaviour, ..)| {
            bench.case(Case::new(behaviour).behaves(behaviour).widths(r#"["2"]"#))
        });
    let bench = misbehaving.case(Case::new("last")).commit();
    let ran = bench.run(["track", "--json"]).exits(1);
    let report = ran.json();
    let results = report["results"].as_array().unwrap();
    for ((behaviour, status, reason), result) in MISBEHAVIOURS.iter().zip(results) {
        assert_eq!(result["configuration"]["case"], *behaviour);
        ran.has_no_time(behaviour, status, reason);
    }
    assert_eq!(results.last().unwrap()["status"], "complete");
    assert_eq!(report["complete"], false);
    assert_eq!(report["consistent"], false);
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn a_worker_that_hangs_is_ended_with_all_that_it_started() {
    let bench = Bench::new()
        .case(Case::new("hangs").behaves("hang"))
        .case(Case::new("stubborn").behaves("grandchild"))
        .case(Case::new("last"))
        .commit();
    let report = bench
        .run(["track", "--json", "--timeout", "3"])
        .exits(1)
        .json();
    for index in [0, 1] {
        assert_eq!(report["results"][index]["status"], "timed_out");
        let reason = report["results"][index]["reason"].as_str().unwrap();
        assert!(reason.contains("the worker took longer than"), "{reason}");
    }
    assert_eq!(report["results"][2]["status"], "complete");
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn a_child_that_a_worker_leaves_behind_is_ended_and_noted() {
    let bench = Bench::new()
        .case(Case::new("a").behaves("leaves_child"))
        .commit();
    let ran = bench.run(["track"]).exits(0);
    ran.says("processes that the worker left behind were ended");
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn a_process_that_left_group_session_and_environment_is_ended_and_noted() {
    let bench = Bench::new()
        .case(Case::new("a").behaves("escapes"))
        .case(Case::new("b"))
        .commit();
    let ran = bench.run(["track"]).exits(0);
    ran.says("a reference @1: processes that the worker left behind were ended")
        .does_not_say("could not be ended")
        .does_not_say("b reference @1: processes");
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn a_process_that_left_the_group_is_ended_with_the_worker_that_hangs() {
    let bench = Bench::new()
        .case(Case::new("a").behaves("escapes_and_hangs"))
        .case(Case::new("b"))
        .commit();
    let ran = bench.run(["track", "--timeout", "3", "--json"]).exits(1);
    let results = &ran.json()["results"];
    assert_eq!(results[0]["status"], "timed_out");
    assert_eq!(results[1]["status"], "complete");
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn output_without_an_end_is_kept_as_it_is() {
    let bench = Bench::new()
        .case(Case::new("a").behaves("unterminated"))
        .commit();
    bench.run(["track"]).exits(0);
    let log = bench.bundle().text("01-a-1/stdout.log");
    assert!(log.ends_with("no end of line"), "{log}");
}

#[test]
fn a_time_limit_that_is_none_is_a_usage_error() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let limits = [
        "0",
        "-1",
        "1.5",
        "1e400",
        "nan",
        "",
        "604801",
        "18446744073709551616",
    ];
    for limit in limits {
        bench.run(["track", &format!("--timeout={limit}")]).exits(2);
    }
    assert!(bench.bundles().is_empty(), "nothing was run");
}

#[test]
fn output_beyond_the_bound_is_cut_and_noted() {
    let bench = Bench::new().case(Case::new("a").behaves("chatty")).commit();
    bench
        .run(["track"])
        .exits(0)
        .says("output of the worker was cut");
    assert!(bench.bundle().text("01-a-1/stdout.log").len() <= 16 << 20);
}

#[test]
fn a_worker_that_ran_another_library_has_no_time() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native().behaves("wrong_key"))
        .case(Case::new("b").native())
        .commit();
    let report = bench.run(["track", "--json"]).exits(1).json();
    let reason = report["results"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("ran the library 000000000000 and not"),
        "{reason}"
    );
    assert_eq!(report["results"][1]["status"], "complete");
}

#[test]
fn a_worker_that_cannot_be_started_is_named() {
    let bench = Bench::new()
        .case(Case::new("a").launched_by(&["tools/absent"]))
        .commit();
    bench
        .run(["track"])
        .exits(6)
        .says("failed to start the worker `tools/absent`");
}

#[test]
fn a_misbehaving_worker_keeps_the_whole_run_out_of_the_history() {
    for (behaviour, code) in [("crash", "incomplete"), ("far_field", "inconsistent")] {
        let bench = Bench::new()
            .case(Case::new("sound"))
            .case(Case::new("bad").behaves(behaviour))
            .commit();
        let before = bench.commits();
        let ran = bench.run(["track", "--append-history", "--json"]).exits(1);
        assert_eq!(ran.json()["refusals"][0]["code"], code);
        assert_eq!(ran.json()["recorded"], false);
        assert_eq!(bench.commits(), before);
        assert_eq!(bench.rows(), []);
        assert_eq!(bench.status(), "");
    }
}
