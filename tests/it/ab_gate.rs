//! `ab --gate`: the acceptance policy, and what it writes.

use crate::changes::{WORK, changes, noisy, work};
use crate::ran::members;

#[test]
fn equal_costs_pass_the_gate_and_gate_json_says_so() {
    let bench = changes();
    let words = "--baseline base --candidate refactored --gate --json";
    let ran = bench.ab(words).exits(0);
    let gate = bench.comparison().json("gate.json");
    for field in [
        "schema",
        "schema_version",
        "passed",
        "checked_cases",
        "iteration_policy",
        "native_versions",
        "checks",
    ] {
        assert!(members(&gate).contains(&field), "{field}: {gate}");
    }
    assert_eq!(gate["passed"], true);
    assert_eq!(ran.json()["gate"]["passed"], true);
    assert_eq!(gate["checked_cases"], 1);
    let check = &gate["checks"][0];
    for field in [
        "key",
        "passed",
        "paired_median_slowdown",
        "max_paired_slowdown",
        "pairs",
        "candidate_faster_pairs",
        "candidate_slower_pairs",
        "reasons",
    ] {
        assert!(members(check).contains(&field), "{field}: {check}");
    }
    let faster = check["candidate_faster_pairs"].as_u64().unwrap();
    let slower = check["candidate_slower_pairs"].as_u64().unwrap();
    let pairs = check["pairs"].as_u64().unwrap();
    assert!(pairs >= 9 && faster + slower <= pairs, "{check}");
}

#[test]
fn the_gate_has_nine_pairs_whatever_the_rounds_are() {
    let bench = changes();
    let words = "--baseline base --candidate refactored --gate --rounds 3";
    bench.ab(words).exits(0);
    let gate = bench.comparison().json("gate.json");
    assert_eq!(gate["checks"][0]["pairs"], 9, "{gate}");
}

#[test]
fn a_regression_of_any_size_fails_the_gate_with_its_reason() {
    let bench = changes();
    bench
        .ab("--baseline base --candidate slower --gate")
        .exits(3);
    let gate = bench.comparison().json("gate.json");
    assert_eq!(gate["passed"], false);
    assert_eq!(gate["checks"][0]["passed"], false);
    assert_ne!(gate["checks"][0]["reasons"], serde_json::json!([]));
}

#[test]
fn the_nine_pairs_of_the_gate_are_quoted_before_anything_is_built() {
    let bench = changes();
    let words = "--baseline base --candidate slower --gate --rounds 1 --dry-run";
    let quoted = bench.ab(&format!("{words} --json")).exits(0).json();
    assert_eq!(quoted["cost"]["rounds"], 9);
    bench.ab(words).exits(0).says(" 9 ");
}

#[test]
fn a_build_beside_itself_that_fails_the_gate_says_why() {
    let mut bench = changes();
    bench.redefine(noisy("a", 0.9));
    bench.commit_all("a very loud case");
    let words = "--baseline HEAD --aa --gate --max-observations 9";
    bench.ab(words).exits(3).says("gate: FAILED");
    let gate = bench.comparison().json("gate.json");
    assert_eq!(gate["self_check"], true);
    let reasons = gate["reasons"].as_array().unwrap();
    assert!(!reasons.is_empty(), "{gate}");
    let name = gate["checks"][0]["key"].clone();
    assert!(
        reasons.iter().all(|reason| reason["configuration"] == name),
        "{gate}"
    );
}

#[test]
fn an_improvement_passes_the_gate() {
    let bench = changes();
    let words = "--baseline base --candidate half --gate";
    bench.ab(words).exits(0);
    assert_eq!(bench.comparison().json("gate.json")["passed"], true);
}

#[test]
fn what_is_inconclusive_passes_only_below_the_ceiling_and_the_bound_is_printed() {
    // Within 12 rounds, 4 % of noise hides 1 %, and surely not 10 %; 30 % hides that too.
    for (noise, below) in [(0.04, true), (0.3, false)] {
        let mut bench = changes();
        bench.redefine(noisy("a", noise));
        bench.commit_all("a loud case");
        bench.write(WORK, &work("cost=1.01", 50));
        let ran = bench.ab("--baseline HEAD --gate --max-observations 12");
        let gate = bench.comparison().json("gate.json");
        let check = &gate["checks"][0];
        assert_eq!(check["verdict"], "inconclusive", "{ran}");
        let bound = check["upper_bound"].as_f64().unwrap();
        assert_eq!(bound < 0.1, below, "{bound}");
        let reasons = check["reasons"].as_array().unwrap();
        let by_bound = reasons
            .iter()
            .any(|reason| reason["code"] == "inconclusive");
        assert_eq!(by_bound, !below, "{check}");
        ran.says(&format!("{:.3}", 1.0 + bound)[..4]);
    }
}

#[test]
fn a_same_build_passes_the_gate_and_a_failed_side_does_not() {
    let bench = changes();
    bench
        .ab("--baseline base --candidate comment --gate")
        .exits(0);
    bench
        .ab("--baseline base --candidate crashing --gate")
        .exits(1);
    let passed: Vec<bool> = bench
        .comparisons()
        .iter()
        .map(|bundle| bundle.json("gate.json")["passed"] == true)
        .collect();
    assert_eq!(
        passed.iter().filter(|passed| **passed).count(),
        passed.len() - 1
    );
}
