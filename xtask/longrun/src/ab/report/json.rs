//! The report for programs. Pure.

use serde_json::{Value, json};

use super::Report;
use super::alarms::Alarms;
use crate::ab::kept::record::Compared;
use crate::ab::report::gate;
use crate::ab::verdicts::ledger::Load;
use crate::ab::verdicts::suite::SuiteVerdict;
use crate::ab::verdicts::{ConfigurationVerdict, Need};

/// Version of the JSON of `ab`.
pub const SCHEMA_VERSION: u32 = 1;

/// The report as JSON.
pub fn of(report: &Report<'_>) -> Value {
    let header = &report.record.header;
    let compared = header.configurations.iter();
    let cases = compared.zip(&report.verdicts.configurations).enumerate();
    let cases: Vec<Value> = cases
        .map(|(index, (compared, verdict))| {
            let mut case = case(compared, verdict);
            if let Some(fields) = case.as_object_mut() {
                let aa = report.calibrations.get(index);
                fields.insert("aa".to_owned(), json!(aa));
            }
            case
        })
        .collect();
    let gate = report.gate.as_ref();
    json!({
        "schema_version": SCHEMA_VERSION,
        "run_id": header.run_id,
        "date": header.date,
        "baseline": header.baseline,
        "candidate": header.candidate,
        "build_difference": header.build_difference,
        "machine": header.machine,
        "options": header.options,
        "ending": report.verdicts.ending,
        "cases": cases,
        "suite": report.verdicts.suite.as_ref().map(suite),
        "gate": gate.map(|gate| gate::json::of(gate, header, &report.verdicts)),
        "false_alarms": Alarms::of(header),
    })
}

fn case(compared: &Compared, verdict: &ConfigurationVerdict) -> Value {
    let measured = verdict.measured.as_ref();
    json!({
        "configuration": compared.configuration,
        "renamed_from": compared.renamed_from,
        "verdict": verdict.word,
        "decided": verdict.need == Need::Decided,
        "mode": compared.mode,
        "metric": measured.map(|measured| measured.metric),
        "estimate": measured.and_then(|measured| measured.estimate),
        "change_interval": measured.and_then(|measured| measured.change_interval),
        "equivalence_interval": measured.and_then(|measured| measured.equivalence_interval),
        "margin": compared.margin,
        "rounds": measured.map_or(0, |measured| measured.rounds),
        "observations": measured.map_or(0, |measured| measured.observations),
        "resolvable": measured.and_then(|measured| measured.resolvable),
        "spread": measured.and_then(|measured| measured.spread),
        "known_sd": compared.known_sd,
        "calibration": compared.calibration,
        "confirmation": verdict.confirmation,
        "second_opinion": verdict.second_opinion,
        "difference": verdict.difference,
        "load": load(verdict.load),
        "notes": verdict.notes,
    })
}

fn load(load: Load) -> Value {
    json!({
        "busy": load.busy,
        "unknown": load.unknown,
        "observations": load.observations,
    })
}

fn suite(suite: &SuiteVerdict) -> Value {
    json!({
        "verdict": suite.word,
        "metric": suite.measured.metric,
        "estimate": suite.measured.estimate,
        "interval": suite.measured.change_interval,
        "equivalence_interval": suite.measured.equivalence_interval,
        "rounds": suite.measured.rounds,
        "resolvable": suite.measured.resolvable,
        "spread": suite.measured.spread,
        "configurations": suite.configurations,
        "decided": !suite.open,
        "notes": suite.notes,
    })
}
