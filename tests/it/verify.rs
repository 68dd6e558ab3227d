//! `verify`: numbers become verdicts, and a worker that does not answer is named.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::{Ran, members, wait_until};

/// A case that names one oracle, which the stub worker always meets.
fn sound(name: &str) -> Case {
    Case::new(name).size_line(r#"oracles = ["energy"]"#)
}

#[test]
fn numbers_as_expected_are_verified() {
    let bench = Bench::new().case(sound("a")).commit();
    let ran = bench.run(["verify"]).exits(0);
    let table = "\
case            quantity                 expected   obtained  verdict
a reference @1  energy, end over launch  2 ± 0.5 J  2.000 J   as expected
";
    assert!(ran.stdout.starts_with(table), "{ran}");
    ran.says("verified: every quantity is as expected (1)");
}

#[test]
fn the_json_is_what_the_manual_says() {
    let bench = Bench::new().case(sound("a").behaves("far_oracle")).commit();
    let mut report = bench.run(["verify", "--json"]).exits(1).json();
    let run_id = report["run_id"].take();
    let bundle = report["bundle"].take();
    assert!(bundle.as_str().unwrap().ends_with(run_id.as_str().unwrap()));
    let configuration = json!({
        "suite": "tracking", "case": "a", "size": "full", "revision": 1,
        "engine": "reference", "stepper": "default", "variant": "", "width": "1"
    });
    let golden = json!({
        "schema_version": 1,
        "passed": false,
        "lines": [{
            "case": "a", "size": "full", "configuration": configuration,
            "oracle": "energy", "quantity": "energy, end over launch", "unit": "J",
            "relation": "within", "expected": 2.0, "obtained": 3.0, "tolerance": 0.5,
            "passed": false
        }],
        "failures": [],
        "notes": [],
        "run_id": null,
        "bundle": null
    });
    assert_eq!(report, golden);
}

#[test]
fn the_bundle_holds_what_was_asked_and_what_came_back() {
    let bench = Bench::new().case(sound("a")).commit();
    bench.run(["verify"]).exits(0);
    assert!(bench.bundles().is_empty(), "it is no run");
    let bundle = bench.verification();
    let request = bundle.json("01-a-1/request.json");
    assert_eq!(request["task"], "verify");
    assert_eq!(request["oracles"], json!(["energy"]));
    assert_eq!(request["repeats"], 2);
    assert_eq!(request["threads"], 1);
    let results = bundle.results();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["status"], "complete");
    assert_eq!(results[0]["lines"][0]["passed"], true);
    let files = [
        "environment.json",
        "receipt.json",
        "request.json",
        "stderr.log",
        "stdout.log",
    ];
    assert_eq!(bundle.names("01-a-1"), files);
    assert_eq!(bundle.json("plan.json")["commit"], bench.commit_id("HEAD"));
}

#[test]
fn each_case_runs_at_width_one_unless_widths_are_named() {
    let bench = Bench::new()
        .case(sound("a").widths(r#"["1", "production"]"#))
        .commit();
    let widths = |arguments: &[&str]| -> Vec<String> {
        let report = bench.run(arguments).exits(0).json();
        let lines = report["lines"].as_array().unwrap().iter();
        lines
            .map(|line| line["configuration"]["width"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(widths(&["verify", "--json", "--production", "2"]), ["1"]);
    assert_eq!(
        widths(&["verify", "--json", "--threads", "1,2"]),
        ["1", "2"]
    );
}

/// What the stub worker does, whether it ends by itself, and how that is named.
const FAILURES: [(&str, &str); 10] = [
    (
        "fail",
        "construct: failed to set up the problem: it was told to",
    ),
    ("crash", "died of signal 6 (abort)"),
    ("silent", "exited with 0 and left no receipt"),
    ("half", "receipt cannot be read"),
    ("foreign", "the receipt answers another request"),
    (
        "lacks_oracle",
        "it lacks the oracle `energy`, which was asked for",
    ),
    (
        "strange_oracle",
        "it has the oracle `weather`, which was not asked for",
    ),
    (
        "double_oracle",
        "oracle `energy` has the quantity `energy, end over launch` twice",
    ),
    ("nan_oracle", "receipt cannot be read"),
    ("one_thread", "ran on 1 threads and was given 2"),
];

#[test]
fn a_worker_that_does_not_answer_is_named_and_the_others_still_run() {
    let bench = FAILURES.iter().fold(Bench::new(), |bench, (behaviour, _)| {
        bench.case(sound(behaviour).behaves(behaviour))
    });
    let bench = bench.case(sound("last")).commit();
    let report = bench
        .run(["verify", "--json", "--threads", "2"])
        .exits(1)
        .json();
    let failures = report["failures"].as_array().unwrap();
    assert_eq!(failures.len(), FAILURES.len());
    for ((behaviour, reason), failure) in FAILURES.iter().zip(failures) {
        assert_eq!(failure["configuration"]["case"], *behaviour);
        assert_eq!(failure["status"], "failed");
        let given = failure["reason"].as_str().unwrap();
        assert!(given.contains(reason), "{behaviour}: {given}");
    }
    assert_eq!(report["passed"], false);
    let lines = report["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 1, "what does not answer has no numbers");
    assert_eq!(lines[0]["case"], "last");
    assert_eq!(lines[0]["passed"], true);
}

#[test]
fn a_quantity_without_a_number_has_not_passed() {
    let bench = Bench::new()
        .case(sound("a").behaves("unknown_oracle_value"))
        .commit();
    let ran = bench.run(["verify"]).exits(1);
    ran.says("no number").says("NOT as expected");
    let report = bench.run(["verify", "--json"]).exits(1).json();
    assert_eq!(report["lines"][0]["obtained"], Value::Null);
    assert_eq!(report["lines"][0]["passed"], false);
}

#[test]
fn a_worker_that_hangs_is_ended_and_named() {
    let bench = Bench::new()
        .case(sound("hangs").behaves("grandchild"))
        .case(sound("last"))
        .commit();
    let report = bench
        .run(["verify", "--json", "--timeout", "3"])
        .exits(1)
        .json();
    assert_eq!(report["failures"][0]["status"], "timed_out");
    let reason = report["failures"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("the worker took longer than 3 s"),
        "{reason}"
    );
    assert_eq!(report["lines"][0]["case"], "last");
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn an_interrupted_verification_keeps_what_has_finished() {
    let bench = Bench::new()
        .case(sound("a"))
        .case(sound("b").behaves("grandchild"))
        .case(sound("c"))
        .commit();
    let running = bench.start(["verify", "--json"]);
    wait_until("the second worker runs", || {
        let bundles = bench.verifications();
        bundles
            .iter()
            .any(|bundle| bundle.text("02-b-1/stdout.log").contains("run"))
    });
    running.interrupt();
    let report = running.finish().exits(130).json();
    assert_eq!(report["lines"][0]["case"], "a");
    assert_eq!(report["failures"][0]["reason"], "interrupted");
    assert_eq!(report["failures"][1]["status"], "skipped");
    assert_eq!(report["passed"], false);
    assert_eq!(bench.verification().results()[0]["status"], "complete");
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn a_case_without_oracles_is_said_to_be_without() {
    let bench = Bench::new()
        .case(sound("a"))
        .case(Case::new("bare"))
        .commit();
    let sentence = "`bare` at size `full` has no oracles: it is not verified";
    let ran = bench.run(["verify"]).exits(0);
    assert!(ran.stderr.contains(sentence), "{ran}");
    let report = bench.run(["verify", "--json"]).exits(0).json();
    assert_eq!(report["notes"], json!([sentence]));
    let folders = |ran: &Ran| ran.stdout.contains("bare");
    assert!(!folders(&ran), "it was not run");
}

#[test]
fn nothing_to_verify_is_a_wrong_selection() {
    let bench = Bench::new()
        .case(sound("a"))
        .case(Case::new("bare"))
        .commit();
    let ran = bench.run(["verify", "--case", "bare"]).exits(2);
    ran.says("failed to verify `bare` at size `full`: no oracle is registered there");
    bench.run(["verify", "--case", "absent"]).exits(2);
    bench.run(["verify", "--size", "smoke"]).exits(2);
    assert!(bench.verifications().is_empty(), "nothing was run");
}

#[test]
fn what_the_environment_cannot_do_is_exit_6() {
    let bench = Bench::new().case(sound("a").native()).commit();
    bench.run(["verify"]).exits(6);
    let ran = bench.run(["verify", "--out", ".gitignore/runs"]).exits(6);
    ran.says(".gitignore/runs").says("--out");
}

#[test]
fn a_registry_that_names_an_oracle_twice_is_refused() {
    let bench = Bench::new()
        .case(Case::new("a").size_line(r#"oracles = ["energy", "energy"]"#))
        .commit();
    let ran = bench.run(["verify"]).exits(2);
    ran.says("oracle `energy` is there twice at size `full`");
}

#[test]
fn a_line_has_no_member_that_the_manual_does_not_name() {
    let bench = Bench::new().case(sound("a")).commit();
    let report = bench.run(["verify", "--json"]).exits(0).json();
    let documented = [
        "case",
        "configuration",
        "expected",
        "obtained",
        "oracle",
        "passed",
        "quantity",
        "relation",
        "size",
        "tolerance",
        "unit",
    ];
    assert_eq!(members(&report["lines"][0]), documented);
}
