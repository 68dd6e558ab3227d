//! What a run says of the machine that it ran on, repeat by repeat.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::members;

/// A case whose second repeat of three is slow, on a machine that others use meanwhile.
fn disturbed() -> Case {
    Case::new("a")
        .takes_ns([1_000_000_000, 1_080_000_000, 1_000_000_000])
        .parameter("others_percent = [0, 50, 0]")
}

fn flags(result: &Value) -> Value {
    let load = result["load"].as_array().unwrap();
    load.iter().map(|repeat| repeat["busy"].clone()).collect()
}

#[test]
fn a_repeat_on_a_busy_machine_marks_its_configuration_everywhere() {
    let bench = Bench::new().case(disturbed()).commit();
    let ran = bench.run(["track", "--append-history", "--json"]).exits(0);
    let result = ran.json()["results"][0].clone();
    assert_eq!(flags(&result), json!([false, true, false]));
    assert_eq!(result["busy"], true);
    let second = &result["load"][1];
    let before = json!({"load_1m": 0.5, "cpu_some_avg10": 1.5, "memory_some_avg10": null});
    let after = json!({"load_1m": 1.0, "cpu_some_avg10": 11.5, "memory_some_avg10": null});
    assert_eq!((&second["before"], &second["after"]), (&before, &after));
    assert_eq!(second["others_cpus"], 0.5);

    let bundle = bench.bundle();
    assert_eq!(bundle.results()[0]["load"], result["load"]);
    let receipt = bundle.json("01-a-1/receipt.json");
    assert_eq!(receipt["load"].as_array().unwrap().len(), 3);
    assert_eq!(bench.committed_rows()[0]["busy"], "true");
}

#[test]
fn the_summary_says_when_the_machine_was_busy_and_what_it_did_during_the_slowest_repeat() {
    let bench = Bench::new().case(disturbed()).commit();
    let ran = bench.run(["track"]).exits(0);
    let row = ran.stdout.lines().find(|line| line.contains("8.0 %"));
    assert!(row.unwrap().trim_end().ends_with("yes"), "{ran}");
    ran.says(
        "a reference @1: the repeats spread by 8.0 %; during the slowest, repeat 2, the machine \
         was busy (others used 0.50 CPUs, load 0.50 before and 1.00 after, CPU pressure 1.5 % \
         before and 11.5 % after); run again on a quieter machine",
    )
    .says("during repeat 2 of 3");
}

#[test]
fn a_quiet_machine_is_not_marked_and_one_of_which_nothing_is_known_is_unknown() {
    let bench = Bench::new()
        .case(Case::new("quiet").parameter("others_percent = [5]"))
        .case(Case::new("silent"))
        .commit();
    let report = bench.run(["track", "--json"]).exits(0).json();
    let results = report["results"].as_array().unwrap();
    assert_eq!(flags(&results[0]), json!([false, false, false]));
    assert_eq!(results[1]["load"], json!([]));
    for (result, otherwise) in results.iter().zip([json!(false), Value::Null]) {
        assert!(members(result).contains(&"setup_busy"), "{result}");
        // What this machine does while the worker starts is not for a test to say.
        let expected = match result["setup_busy"] == true {
            true => json!(true),
            false => otherwise,
        };
        assert_eq!(result["busy"], expected, "{result}");
    }
}

#[test]
fn a_run_that_is_reported_again_says_the_same_of_the_machine() {
    let bench = Bench::new().case(disturbed()).commit();
    let first = bench.run(["track", "--json"]).exits(0).json();
    let again = ["track", "--json", "--resume", "20"];
    let again = bench.run(again).exits(0).json();
    let fields = ["busy", "setup_busy", "load"];
    let said = |report: &Value| fields.map(|field| report["results"][0][field].clone());
    assert_eq!(said(&first), said(&again));
}

#[test]
fn sampled_work_has_a_flag_for_the_samples_of_each_process() {
    let case = Case::new("a").sampled().processes(2);
    let case = case.parameter("others_percent = [50]");
    let bench = Bench::new().case(case).commit();
    let ran = bench.run(["track", "--json"]).exits(0);
    let result = &ran.json()["results"][0];
    assert_eq!(flags(result), json!([true, true]));
    assert_eq!(result["busy"], true);
    let parts = bench.bundle().results();
    let of_parts: Vec<Value> = parts.iter().map(flags).collect();
    assert_eq!(of_parts, [json!([true]), json!([true])]);
    let again = bench.run(["track", "--resume", "20"]).exits(0);
    again
        .says("the machine was busy")
        .says("while it was sampled");
}
