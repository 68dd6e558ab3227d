//! `gate.json`: the fields, in the words of the policy's source, and ours. Pure.

use longrun_measure::acceptance::{Check, PAIRS_MIN, Reason as Policy};
use serde_json::{Map, Value, json};

use super::{CEILING, Gate, GateCheck, Reason, thresholds};
use crate::ab::kept::record::{ArmRecord, Header};
use crate::ab::verdicts::Verdicts;
use crate::ab::verdicts::judge::rounds_asked;
use crate::redact::redacted;

/// Name of the format.
pub const SCHEMA: &str = "longrun-ab-gate";

/// Version of the format.
pub const SCHEMA_VERSION: u32 = 1;

/// The whole document.
pub fn of(gate: &Gate, header: &Header, verdicts: &Verdicts) -> Value {
    let changed = gate.checks.iter().filter_map(iterations_changed);
    let document = json!({
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "passed": gate.passed(),
        "reasons": gate.all_reasons().map(|(configuration, reason)| json!({
            "configuration": configuration.map(ToString::to_string),
            "code": reason.code,
            "message": reason.message,
        })).collect::<Vec<_>>(),
        "checked_cases": gate.checks.len(),
        "self_check": header.options.aa.is_some(),
        "allow_native_version_change": true,
        "native_versions": native_versions(&header.baseline, &header.candidate),
        "sample_repetitions": {
            "policy": "frozen_plan",
            "harness": header.options.workers,
            "length": header.options.length,
        },
        "iteration_policy": "relative",
        "iterations_changed": changed.fold(false, |any, changed| any | changed),
        "interleaved_capture": {
            "pair_id": header.run_id,
            "rounds": rounds_asked(&header.options),
            "pairs_min": PAIRS_MIN,
            "sample_alignment": "round_index",
            "seed": header.options.seed,
        },
        "date": header.date,
        "baseline": arm(&header.baseline),
        "candidate": arm(&header.candidate),
        "machine": header.machine,
        "suite": verdicts.suite.as_ref().map(|suite| json!({
            "verdict": suite.word,
            "estimate": suite.measured.estimate,
            "interval": suite.measured.change_interval,
        })),
        "candidate_only": gate.candidate_only.iter().map(ToString::to_string)
            .collect::<Vec<_>>(),
        "checks": gate.checks.iter().map(check).collect::<Vec<_>>(),
    });
    without_paths(document)
}

/// Every text of the document without paths of this machine.
fn without_paths(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(redacted(&text)),
        Value::Array(items) => Value::Array(items.into_iter().map(without_paths).collect()),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            Value::Object(
                fields
                    .map(|(key, value)| (key, without_paths(value)))
                    .collect(),
            )
        }
        other => other,
    }
}

fn arm(arm: &ArmRecord) -> Value {
    json!({
        "revision": arm.revision,
        "commit": arm.commit,
        "dirty": arm.dirty,
        "version": arm.version,
        "build_key": arm.build_key,
        "workers": arm.workers,
    })
}

/// What each side was made with, part by part.
fn native_versions(baseline: &ArmRecord, candidate: &ArmRecord) -> Value {
    let mut sections = Map::new();
    let names = baseline.toolchain.keys().chain(candidate.toolchain.keys());
    for name in names {
        let (before, after) = (baseline.toolchain.get(name), candidate.toolchain.get(name));
        let section = json!({
            "baseline": before,
            "candidate": after,
            "changed": before != after,
        });
        sections.insert(name.clone(), section);
    }
    Value::Object(sections)
}

fn check(check: &GateCheck) -> Value {
    let facts = check.acceptance.as_ref().map(|check| &check.facts);
    let measured = check.measured.as_ref();
    let thresholds = thresholds(&check.configuration);
    json!({
        "key": check.configuration.to_string(),
        "configuration": check.configuration,
        "renamed_from": check.renamed_from,
        "passed": check.passed(),
        "verdict": check.word,
        "reasons": check.reasons,
        "metric": measured.map(|measured| measured.metric),
        "estimate": measured.map(|measured| measured.estimate),
        "change_interval": measured.map(|measured| measured.change_interval),
        "equivalence_interval": measured.map(|measured| measured.equivalence_interval),
        "ceiling": CEILING,
        "upper_bound": check.upper_bound,
        "pairs": facts.map_or(0, |facts| facts.pairs),
        "paired_median_slowdown": facts.and_then(|facts| facts.paired_median_slowdown),
        "max_paired_slowdown": facts.and_then(|facts| facts.max_paired_slowdown),
        "candidate_faster_pairs": facts.map_or(0, |facts| facts.candidate_faster_pairs),
        "candidate_slower_pairs": facts.map_or(0, |facts| facts.candidate_slower_pairs),
        "sign_probability": facts.and_then(|facts| facts.sign_probability),
        "iterations_changed": iterations_changed(check),
        "iterations": check.acceptance.as_ref().and_then(iterations),
        "thresholds": {
            "slowdown": thresholds.slowdown,
            "relative_mad": thresholds.relative_mad,
            "pairs_min": thresholds.pairs_min,
            "iteration_delta": thresholds.iteration_delta,
        },
        "fixed_runner": check.acceptance.as_ref().map(fixed_runner),
    })
}

/// Absent for a workload that does not iterate.
fn iterations_changed(check: &GateCheck) -> Option<bool> {
    let iterations = check.acceptance.as_ref()?.iterations.as_ref()?;
    Some(iterations.changed)
}

fn iterations(check: &Check) -> Option<Value> {
    let iterations = check.iterations.as_ref()?;
    Some(json!({
        "baseline": iterations.baseline,
        "candidate": iterations.candidate,
        "allowed": iterations.allowed,
        "slowdown_per_iteration": iterations.slowdown_per_iteration,
        "objective_difference": iterations.objective_difference,
    }))
}

/// The samples of the sides without their pairing, as a gate against a stored record sees them.
fn fixed_runner(check: &Check) -> Value {
    let of_pairs = |reason: &&Policy| {
        matches!(
            reason,
            Policy::FewPairs { .. } | Policy::PairedSlowdown { .. } | Policy::NotARatio
        )
    };
    let reasons = check.reasons.iter().filter(|reason| !of_pairs(reason));
    let reasons: Vec<Reason> = reasons
        .map(|reason| Reason::new(reason.code(), reason.to_string()))
        .collect();
    let facts = &check.facts;
    json!({
        "passed": reasons.is_empty(),
        "reasons": reasons,
        "baseline_repeats": facts.baseline_samples,
        "candidate_repeats": facts.candidate_samples,
        "baseline_median_seconds": facts.baseline_median_s,
        "candidate_median_seconds": facts.candidate_median_s,
        "median_slowdown": facts.median_slowdown,
        "baseline_relative_mad": facts.baseline_relative_mad,
        "candidate_relative_mad": facts.candidate_relative_mad,
    })
}
