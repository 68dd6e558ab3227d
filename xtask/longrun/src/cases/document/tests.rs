//! Documents that become records, and those that are refused.

#![allow(clippy::panic, clippy::unwrap_used)]

use serde_json::json;

use super::*;
use crate::cases::made::{registry, study};

fn configuration(case: &str, width: &str) -> Value {
    json!({
        "suite": "tracking", "case": case, "size": "full",
        "revision": if case == "tube" { 2 } else { 1 },
        "engine": "native", "stepper": "default", "variant": "", "width": width
    })
}

fn result(case: &str) -> Value {
    json!({
        "configuration": configuration(case, "1"), "status": "complete", "reason": null,
        "median_s": 2.0, "min_s": 1.5, "max_s": 2.5, "raw_s": [1.5, 2.0, 2.5],
        "cpu_median_s": 2.0, "repeats": 3, "accepted": 10, "rejected": 0,
        "source_evaluations": 61, "peak_rss_bytes": 1024, "device_memory_bytes": null,
        "busy": null, "integrator": "multistep order=5", "tolerances": "rtol=1e-6",
        "noise_model": "none", "fft_plans": null, "facts": {"points": 512},
        "elapsed_s": 7.0, "folder": "01-tube-1", "notes": []
    })
}

/// What `track --json` prints of complete runs of these cases.
fn track(cases: &[&str]) -> Value {
    json!({
        "schema_version": 1, "run_id": "20261130T215342Z-7311b15-7672",
        "bundle": "/home/someone/target/longrun/runs/x", "slug": "a-cpu",
        "complete": true, "consistent": true,
        "results": cases.iter().map(|case| result(case)).collect::<Vec<_>>(),
        "breakdown": null
    })
}

/// What `verify --json` prints of `tube`.
fn verify(obtained: f64) -> Value {
    json!({
        "schema_version": 1, "passed": (obtained - 1.0).abs() <= 0.1, "run_id": "20261130T2",
        "bundle": "/home/someone/x", "notes": [], "failures": [],
        "lines": [{
            "case": "tube", "size": "full", "configuration": configuration("tube", "1"),
            "oracle": "energy", "quantity": "energy, end over launch", "unit": "",
            "relation": "within", "expected": 1.0, "obtained": obtained, "tolerance": 0.1,
            "passed": true
        }]
    })
}

fn taken(document: &Value) -> Vec<Record> {
    let parts = records(&document.to_string(), &registry()).unwrap();
    assert_eq!(parts.len(), 1);
    assert_eq!(parts[0].0, "tracking");
    parts.into_iter().flat_map(|(_, records)| records).collect()
}

fn unfit(text: &str) -> Vec<String> {
    match records(text, &registry()) {
        Err(Refused::Unfit(reasons)) => reasons,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_complete_run_is_reduced_to_its_cost() {
    let mut document = track(&["tube", "tube"]);
    document["results"][1]["configuration"]["stepper"] = json!("rk");
    let records = taken(&document);
    let steppers: Vec<&str> = records
        .iter()
        .map(|record| match record {
            Record::Cost(cost) => cost.of.stepper.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(steppers, ["multistep", "rk"], "`default` has a name");
    let Record::Cost(cost) = &records[0] else {
        panic!("{records:?}");
    };
    assert_eq!((cost.median_s, cost.min_s, cost.max_s), (2.0, 1.5, 2.5));
    assert_eq!((cost.evaluations, cost.busy), (Some(61), None));
    assert_eq!(cost.facts["points"], 512);
    assert_eq!(cost.origin.day().as_deref(), Some("2026-11-30"));
    let text = serde_json::to_string(&records).unwrap();
    assert!(
        !text.contains("someone") && !text.contains("01-tube"),
        "{text}"
    );
}

#[test]
fn a_breakdown_is_a_record_beside_the_cost() {
    let mut document = track(&["tube"]);
    document["breakdown"] = json!({"notes": [], "configurations": [{
        "configuration": configuration("tube", "1"), "run_s": 2.0, "over_median": 1.0,
        "fft_s": 1.0, "pointwise_s": 0.5, "stepper_s": 0.25, "absorb_s": 0.125,
        "observe_s": 0.0625, "rest_s": 0.0625, "adds_up": true, "evaluations": 61,
        "bare_evaluation_s": 0.02, "fft_time_s": 0.01, "loop_evaluations": 200,
        "source_bytes": 1000, "bandwidth": {"level": "L2", "bytes_per_s": 1e9},
        "floor_s": 0.011, "stepper_overhead": 1.1
    }]});
    let records = taken(&document);
    assert_eq!(records.len(), 2);
    let Record::Breakdown(shares) = &records[1] else {
        panic!("{records:?}");
    };
    assert_eq!((shares.fft_s, shares.floor_s), (1.0, Some(0.011)));
}

#[test]
fn quantities_that_are_as_expected_are_taken_up() {
    let records = taken(&verify(1.05));
    let Record::Oracle(oracle) = &records[0] else {
        panic!("{records:?}");
    };
    assert_eq!(oracle.line.obtained, Some(1.05));
    assert_eq!(oracle.of.stepper, "multistep");
}

#[test]
fn lines_of_a_study_are_taken_up() {
    let line = |stepper, rtol| serde_json::to_string(&study(stepper, rtol)).unwrap();
    let text = format!("{}\n\n{}\n", line("rk", 1e-8), line("multistep", 1e-7));
    let parts = records(&text, &registry()).unwrap();
    assert_eq!(parts[0].1.len(), 2);
    assert_eq!(parts[0].1[0], Record::Study(study("rk", 1e-8)));
}

/// Asserts that each text is refused for its reason.
fn refused(table: &[(String, &str)]) {
    for (text, reason) in table {
        let reasons = unfit(text);
        let named = reasons.iter().any(|said| said.contains(reason));
        assert!(named, "{reason}: {reasons:?}");
    }
}

/// What `track --json` prints of `tube` and `fibre`, changed.
fn changed(change: impl Fn(&mut Value)) -> String {
    let mut document = track(&["tube", "fibre"]);
    change(&mut document);
    document.to_string()
}

#[test]
fn a_run_that_is_not_sound_gives_no_record() {
    let status = |status: &'static str| {
        changed(|document| {
            document["complete"] = json!(status == "inconsistent");
            document["consistent"] = json!(status != "inconsistent");
            document["results"][0]["status"] = json!(status);
            document["results"][0]["median_s"] = Value::Null;
        })
    };
    refused(&[
        (status("failed"), "`tube @1` is failed: it has no time"),
        (status("inconsistent"), "`tube @1` is inconsistent"),
        (status("timed_out"), "`tube @1` is timed out"),
        (status("skipped"), "`tube @1` is skipped"),
        (
            changed(|document| document["complete"] = json!(false)),
            "the run is not complete and consistent",
        ),
        (
            changed(|document| document["run_id"] = Value::Null),
            "the run was refused before it began",
        ),
        (
            changed(|document| document["results"][1]["median_s"] = Value::Null),
            "`fibre @1` has no time",
        ),
        (
            changed(|document| document["results"][1]["min_s"] = json!(3.0)),
            "`fibre` at size full: its times are none",
        ),
    ]);
}

#[test]
fn a_run_of_something_else_or_with_a_path_gives_no_record() {
    let configured = |key: &'static str, value: Value| {
        changed(move |document| document["results"][0]["configuration"][key] = value.clone())
    };
    refused(&[
        (
            configured("revision", json!(1)),
            "`tube` at size full was run at revision 1 and has revision 2 now",
        ),
        (
            configured("case", json!("gone")),
            "no case `gone` of size full is registered",
        ),
        (
            configured("size", json!("quick")),
            "no case `tube` of size quick is registered",
        ),
        (
            changed(|document| document["slug"] = json!("/home/someone")),
            "names a path of a machine",
        ),
        (
            changed(|document| document["results"][0]["integrator"] = json!("in /home/someone/x")),
            "`tube` at size full names a path of a machine",
        ),
        (
            changed(|document| {
                document["refusals"] = json!([{"code": "dirty", "message": "a.rs is modified"}]);
            }),
            "the run was of code that is not committed",
        ),
        (
            changed(|document| {
                document["results"][0]["sampling"] = json!({
                    "kind": "sampled", "block_ns": 1000000, "samples_min": 5,
                    "samples_max": 10, "total_ns_min": 1, "total_ns_max": 1000000000
                });
            }),
            "`tube @1` is sampled work",
        ),
    ]);
}

#[test]
fn a_stepper_or_a_width_that_a_case_does_not_have_gives_no_record() {
    let configured = |key: &'static str, value: &'static str| {
        changed(|document| document["results"][1]["configuration"][key] = json!(value))
    };
    let mut verified = verify(1.0);
    verified["lines"][0]["configuration"]["stepper"] = json!("euler");
    let studied = serde_json::to_string(&study("euler", 1e-8)).unwrap();
    refused(&[
        (configured("stepper", "rk"), "`fibre` has no stepper `rk`"),
        (verified.to_string(), "`tube` has no stepper `euler`"),
        (studied, "`tube` has no stepper `euler`"),
        (configured("width", "2"), "size full has no width 2"),
        (configured("width", "device"), "full has no width device"),
    ]);
    // The production width of `tube` is 7 on some machine.
    let mut wide = track(&["tube"]);
    wide["results"][0]["configuration"]["width"] = json!("7");
    assert_eq!(taken(&wide).len(), 1);
}

#[test]
fn a_verification_or_a_study_that_is_not_sound_gives_no_record() {
    let mut failed = verify(1.0);
    failed["passed"] = json!(false);
    failed["failures"] = json!([{
        "configuration": configuration("tube", "1"), "status": "failed", "reason": "it crashed"
    }]);
    let mut unsound = verify(1.0);
    unsound["passed"] = json!(false);
    let mut strange = study("rk", 1e-8);
    strange.error = -1.0;
    refused(&[
        (verify(1.5).to_string(), "is not as expected"),
        (failed.to_string(), "`tube @1` did not answer: it crashed"),
        (unsound.to_string(), "the verification did not pass"),
        (
            serde_json::to_string(&strange).unwrap(),
            "`error` must be more than 0",
        ),
    ]);
}

#[test]
fn every_reason_is_given_and_a_long_list_is_cut() {
    let mut document = track(&["tube", "fibre"]);
    document["complete"] = json!(false);
    for index in 0..2 {
        document["results"][index]["status"] = json!("failed");
    }
    assert_eq!(unfit(&document.to_string()).len(), 2);
    // What holds nothing for a reason is refused for that.
    let mut nothing = track(&[]);
    nothing["complete"] = json!(false);
    assert_eq!(unfit(&nothing.to_string()).len(), 1);
    let mut many = track(&["fibre"; 30]);
    many["results"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .for_each(|result| result["status"] = json!("failed"));
    let reasons = unfit(&many.to_string());
    assert_eq!(reasons.len(), REFUSALS_MAX + 1);
    assert_eq!(reasons.last().unwrap(), "and 10 more");
}

#[test]
fn what_is_no_document_is_damaged() {
    let whole = track(&["tube"]).to_string();
    let mut later = track(&["tube"]);
    later["schema_version"] = json!(2);
    let mut nothing = verify(1.0);
    nothing["lines"] = json!([]);
    let line = serde_json::to_string(&study("rk", 1e-8)).unwrap();
    // What other commands print.
    let listed = json!({"schema_version": 1, "suites": [], "cases": [{"case": "tube"}]});
    let foreign = json!({"schema_version": 1, "results": []});
    let mut partial = track(&["tube"]);
    partial["results"][0]["configuration"]["width"] = json!("many");
    let table = [
        (String::new(), "it holds nothing"),
        (track(&[]).to_string(), "it holds nothing"),
        (nothing.to_string(), "it holds nothing"),
        (whole[..whole.len() / 2].to_owned(), NO_DOCUMENT),
        ("{\"schema_version\":1".to_owned(), NO_DOCUMENT),
        (listed.to_string(), NO_DOCUMENT),
        ("{}".to_owned(), NO_DOCUMENT),
        ("a text".to_owned(), NO_DOCUMENT),
        (foreign.to_string(), "or a study of steppers: missing field"),
        (later.to_string(), "no document of schema version 1"),
        (partial.to_string(), "many"),
        ("{\"case\": \"tube\"}".to_owned(), "line 1: missing field"),
        (format!("{line}\n{}", &line[..9]), "line 2: EOF"),
    ];
    for (text, cause) in table {
        match records(&text, &registry()) {
            Err(Refused::Damaged(said)) => assert!(said.contains(cause), "{cause}: {said}"),
            other => panic!("{cause}: {other:?}"),
        }
    }
}
