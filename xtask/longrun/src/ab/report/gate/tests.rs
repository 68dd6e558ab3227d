//! The gate: every reason that it has, and the document.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::ab::kept::record::{BuildDifference, Ending, Observation, Outcome as Came, Phase};
use crate::ab::testing::{about, duet_of, header, observation, pair, series};
use serde_json::Value;

fn header_with_gate(cases: &[&str]) -> Header {
    let mut made = header(cases);
    made.options.gate = true;
    made
}

fn gate_of(made: &Header, observations: &[Observation]) -> (Gate, Value) {
    let verdicts = Verdicts::of(made, observations, Some(Ending::Decided));
    let gate = Gate::of(made, &verdicts);
    let json = json::of(&gate, made, &verdicts);
    (gate, json)
}

fn screened(ratio: f64, spread: f64, count: u32) -> (Gate, Value) {
    let observations = series(0, Phase::Screen, 0, &about(ratio, spread, count));
    gate_of(&header_with_gate(&["a"]), &observations)
}

fn codes(gate: &Gate) -> Vec<&str> {
    let of_checks = gate.checks.iter().flat_map(|check| &check.reasons);
    let all = gate.reasons.iter().chain(of_checks);
    all.map(|reason| reason.code.as_str()).collect()
}

#[test]
fn what_is_unchanged_or_improved_passes_and_a_regression_of_any_size_fails() {
    for (ratio, spread, count, expected) in [
        (1.0, 0.004, 40, [].as_slice()),
        (0.9, 0.004, 12, &[]),
        (1.004, 0.001, 20, &["regressed"]),
        (
            1.2,
            0.004,
            12,
            &["regressed", "median_slowdown", "paired_slowdown"],
        ),
    ] {
        let (gate, json) = screened(ratio, spread, count);
        assert_eq!(codes(&gate), expected, "{ratio}");
        assert_eq!(json["passed"], expected.is_empty(), "{ratio}");
        assert_eq!(json["checks"][0]["passed"], expected.is_empty(), "{ratio}");
    }
}

#[test]
fn fewer_than_nine_pairs_never_pass() {
    let (gate, json) = screened(1.0, 0.001, 8);
    assert_eq!(codes(&gate), ["few_pairs"]);
    assert_eq!(json["checks"][0]["pairs"], 8);
    assert_eq!(codes(&screened(1.0, 0.001, 9).0), [""; 0]);
}

#[test]
fn what_is_inconclusive_passes_only_below_the_ceiling_and_the_bound_is_kept() {
    let (gate, json) = screened(1.0, 0.06, 80);
    assert_eq!(gate.checks[0].word, Word::Inconclusive);
    assert_eq!(codes(&gate), [""; 0]);
    let bound = json["checks"][0]["upper_bound"].as_f64().unwrap();
    assert!(bound > 0.0 && bound < 0.10, "{bound}");
    let (gate, json) = screened(1.0, 0.6, 10);
    assert!(codes(&gate).contains(&"inconclusive"), "{:?}", codes(&gate));
    assert!(json["checks"][0]["upper_bound"].as_f64().unwrap() >= 0.10);
    let first = &json["reasons"][0];
    assert_eq!(first["configuration"], "a @1");
    assert_eq!(first["code"], "inconclusive");
    let message = &gate.checks[0].reasons[0].message;
    assert_eq!(first["message"], *message);
    assert!(message.contains("and 1.10 is the ceiling"), "{message}");
    let (gate, _) = screened(1.0, 0.001, 3);
    assert!(
        codes(&gate).contains(&"inconclusive"),
        "no bound is no pass"
    );
}

#[test]
fn a_gate_without_observations_has_no_pairs_and_no_ratio_of_one() {
    let (gate, json) = gate_of(&header_with_gate(&["a"]), &[]);
    let messages: Vec<&str> = gate
        .all_reasons()
        .map(|(_, one)| one.message.as_str())
        .collect();
    assert!(
        messages.contains(&"no pairs where 9 are needed"),
        "{messages:?}"
    );
    assert!(!codes(&gate).contains(&"not_a_ratio"), "{messages:?}");
    assert_eq!(json["reasons"].as_array().unwrap().len(), messages.len());
}

#[test]
fn a_failed_gate_on_a_build_beside_itself_names_its_reasons() {
    let mut made = header_with_gate(&["a"]);
    made.options.aa = Some(1);
    let observations = series(0, Phase::Screen, 0, &about(1.05, 0.004, 12));
    let (gate, json) = gate_of(&made, &observations);
    assert!(!gate.passed());
    assert_eq!(
        (&json["passed"], &json["self_check"]),
        (&false.into(), &true.into())
    );
    assert_eq!(json["reasons"][0]["code"], "regressed");
    assert_eq!(json["reasons"][0]["configuration"], "a @1");
}

#[test]
fn a_missing_case_fails_and_a_renamed_or_new_one_does_not() {
    let mut made = header_with_gate(&["a", "gone", "more"]);
    made.configurations[0].renamed_from = Some("old".to_owned());
    made.configurations[1].standing = Standing::Missing;
    made.configurations[2].standing = Standing::New;
    let observations = series(0, Phase::Screen, 0, &about(1.0, 0.004, 40));
    let (gate, json) = gate_of(&made, &observations);
    assert_eq!(codes(&gate), ["missing_in_candidate"]);
    assert_eq!(
        (json["passed"].clone(), json["checked_cases"].clone()),
        (false.into(), 2.into())
    );
    assert_eq!(json["checks"][0]["passed"], true);
    assert_eq!(json["checks"][0]["renamed_from"], "old");
    assert_eq!(json["candidate_only"][0], "more @1");
}

#[test]
fn what_was_not_compared_or_went_wrong_fails_by_name() {
    let failed = |reason: &str| Came::Failed {
        side: None,
        reason: reason.to_owned(),
    };
    let mut uncompared = pair(1.0);
    if let Came::Pair { relative_l2, .. } = &mut uncompared {
        *relative_l2 = None;
    }
    for (outcome, code) in [
        (failed("it hung"), "failed"),
        (duet_of(1.0, 1.0, (3, 3)), "results_differ"),
        (uncompared, "not_compared"),
    ] {
        let mut observations = series(0, Phase::Screen, 0, &about(1.0, 0.004, 40));
        observations.push(observation(0, Phase::Screen, 40, outcome));
        let (gate, _) = gate_of(&header_with_gate(&["a"]), &observations);
        assert_eq!(codes(&gate), [code]);
    }
    let mut made = header_with_gate(&["a"]);
    made.configurations[0].standing = Standing::Changed {
        reasons: vec!["`rtol` was 1e-6".to_owned()],
    };
    assert_eq!(codes(&gate_of(&made, &[]).0), ["changed_configuration"]);
}

#[test]
fn one_build_passes_nothing_at_all_does_not_and_a_stopped_comparison_neither() {
    let mut made = header_with_gate(&["a"]);
    made.build_difference = BuildDifference {
        same: true,
        reasons: Vec::new(),
    };
    assert!(gate_of(&made, &[]).0.passed());
    let nothing = header_with_gate(&[]);
    assert_eq!(codes(&gate_of(&nothing, &[]).0), ["nothing_checked"]);
    made = header_with_gate(&["a"]);
    let observations = series(0, Phase::Screen, 0, &about(1.0, 0.004, 40));
    let verdicts = Verdicts::of(&made, &observations, None);
    assert_eq!(codes(&Gate::of(&made, &verdicts)), ["stopped"]);
}

/// Pairs of an iterative workload with these iterations of the sides.
fn iterating(variant: &str, iterations: (u64, u64), converged: bool) -> (Gate, Value) {
    let mut made = header_with_gate(&["a"]);
    made.configurations[0].configuration.variant = variant.to_owned();
    let observations: Vec<Observation> = (0..)
        .zip(about(1.0, 0.004, 40))
        .map(|(round, ratio)| {
            let mut outcome = pair(ratio);
            if let Came::Pair {
                baseline,
                candidate,
                ..
            } = &mut outcome
            {
                baseline.iterations = Some(iterations.0);
                candidate.iterations = Some(iterations.1);
                (baseline.converged, candidate.converged) = (Some(converged), Some(converged));
            }
            observation(0, Phase::Screen, round, outcome)
        })
        .collect();
    gate_of(&made, &observations)
}

#[test]
fn iterations_are_held_to_the_policy() {
    let (gate, json) = iterating("", (26, 27), true);
    assert_eq!(codes(&gate), [""; 0]);
    assert_eq!(json["checks"][0]["iterations_changed"], false);
    let (gate, json) = iterating("dtype=f64", (26, 28), true);
    assert_eq!(codes(&gate), ["iterations"]);
    assert_eq!(json["checks"][0]["iterations_changed"], true);
    assert_eq!(json["iterations_changed"], true);
    // A quarter is allowed in single precision, but equal objectives must be shown.
    let (gate, json) = iterating("dtype=f32,penalty=l1", (26, 28), true);
    assert_eq!(codes(&gate), ["objective"]);
    assert_eq!(json["checks"][0]["iterations"]["allowed"], 7.0);
    let (gate, _) = iterating("", (26, 26), false);
    assert_eq!(codes(&gate), ["not_converged", "not_converged"]);
}

#[test]
fn the_document_has_the_fields_of_the_policy_and_ours() {
    let (_, json) = screened(1.0, 0.004, 40);
    for field in [
        "schema",
        "schema_version",
        "passed",
        "checked_cases",
        "allow_native_version_change",
        "native_versions",
        "sample_repetitions",
        "iteration_policy",
        "iterations_changed",
        "checks",
        "baseline",
        "candidate",
        "machine",
        "suite",
        "interleaved_capture",
    ] {
        assert!(json.get(field).is_some(), "{field}");
    }
    for field in [
        "key",
        "passed",
        "paired_median_slowdown",
        "max_paired_slowdown",
        "pairs",
        "candidate_faster_pairs",
        "candidate_slower_pairs",
        "reasons",
        "fixed_runner",
        "verdict",
        "estimate",
    ] {
        assert!(json["checks"][0].get(field).is_some(), "{field}");
    }
    assert_eq!(json["schema"], "longrun-ab-gate");
    let compiler = &json["native_versions"]["compiler"];
    assert_eq!(compiler["changed"], false);
    let runner = &json["checks"][0]["fixed_runner"];
    assert_eq!(
        (runner["passed"].clone(), runner["baseline_repeats"].clone()),
        (true.into(), 40.into())
    );
    let faster = json["checks"][0]["candidate_faster_pairs"]
        .as_u64()
        .unwrap();
    let slower = json["checks"][0]["candidate_slower_pairs"]
        .as_u64()
        .unwrap();
    assert_eq!(faster + slower, 40);
}

#[test]
fn no_path_of_the_machine_is_in_the_document_and_it_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(GATE);
    let mut made = header_with_gate(&["a"]);
    let flags = "-I/home/someone/include".to_owned();
    made.baseline.toolchain.insert("flags".to_owned(), flags);
    let reason = "failed to load `/home/someone/lib.so`: no such file".to_owned();
    let outcome = Came::Failed { side: None, reason };
    let observations = [observation(0, Phase::Screen, 0, outcome)];
    let verdicts = Verdicts::of(&made, &observations, Some(Ending::Decided));
    let gate = Gate::of(&made, &verdicts);
    gate.write(&path, &made, &verdicts).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("failed to load `<path>`") && !text.contains("someone"),
        "{text}"
    );
    let read: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(read, json::of(&gate, &made, &verdicts));
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "no temporary file is left");
}

/// The document of equal programs, as the manual shows it.
fn example() -> Value {
    let observations = series(0, Phase::Screen, 0, &about(1.0, 0.004, 40));
    gate_of(&header_with_gate(&["gnlse_soliton"]), &observations).1
}

#[test]
fn the_example_of_the_manual_is_a_document_of_this_version() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let (_, section) = manual.split_once("\n### gate.json\n").unwrap();
    let (_, example_of_manual) = section.split_once("```json\n").unwrap();
    let (text, _) = example_of_manual.split_once("```").unwrap();
    let shown: Value = serde_json::from_str(text).unwrap();
    assert_alike("", &shown, &example());
}

/// Equal but for the last digits of numbers that follow from the constants of the rule.
fn assert_alike(at: &str, shown: &Value, made: &Value) {
    match (shown, made) {
        (Value::Object(shown), Value::Object(made)) => {
            let (shown_keys, made_keys): (Vec<_>, Vec<_>) =
                (shown.keys().collect(), made.keys().collect());
            assert_eq!(shown_keys, made_keys, "{at}");
            for (key, value) in shown {
                assert_alike(&format!("{at}.{key}"), value, &made[key]);
            }
        }
        (Value::Array(shown), Value::Array(made)) => {
            assert_eq!(shown.len(), made.len(), "{at}");
            for (shown, made) in shown.iter().zip(made) {
                assert_alike(at, shown, made);
            }
        }
        (Value::Number(shown), Value::Number(made)) if shown.is_f64() && made.is_f64() => {
            let (shown, made) = (shown.as_f64().unwrap(), made.as_f64().unwrap());
            assert!(
                (shown - made).abs() <= 0.05 * made.abs(),
                "{at}: {shown}, now {made}"
            );
        }
        _ => assert_eq!(shown, made, "{at}"),
    }
}
