//! Documents that other commands wrote, made into records, or refused. Pure.
//!
//! A run that is not complete and consistent, and a verification that did not pass, leave no
//! record: nothing of them may stand on a page. Neither does a run of another revision than the
//! registry's, or of code that is not committed.

use std::collections::BTreeSet;

use longrun_protocol::receipt::{OracleLine, Relation};
use longrun_protocol::registry::WidthSpec;
use longrun_protocol::{CaseEntry, Configuration, Size, Width};
use serde::Deserialize;
use serde_json::Value;

use super::record::{Cost, Oracle, Origin, Record, Shares, Study, Subject};
use crate::redact::redacted;
use crate::registry::Registry;
use crate::run::judge::ResultStatus;
use crate::track::breakdown::Split;
use crate::track::results::ConfigurationResult;

/// Version of the documents of `track` and `verify`.
const VERSION: u64 = 1;

/// Code of the refusal of a run whose code is not committed.
const DIRTY: &str = "dirty";

/// What is said of a text that was cut, or that another command wrote.
const NO_DOCUMENT: &str =
    "it is no whole document of `track --json`, `verify --json` or a study of steppers";

/// Refusals that are listed.
const REFUSALS_MAX: usize = 20;

/// Records of one suite.
pub type OfSuite = (String, Vec<Record>);

/// Why a document gives no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is none that is known, or a part of one.
    Damaged(String),
    /// It holds what must not be recorded: every reason.
    Unfit(Vec<String>),
}

#[derive(Deserialize)]
struct Tracked {
    run_id: Option<String>,
    slug: Option<String>,
    complete: bool,
    consistent: bool,
    #[serde(default)]
    refusals: Vec<Refusal>,
    results: Vec<ConfigurationResult>,
    breakdown: Option<Explained>,
}

/// Why the run is not in the history.
#[derive(Deserialize)]
struct Refusal {
    code: String,
}

#[derive(Deserialize)]
struct Explained {
    configurations: Vec<Split>,
}

#[derive(Deserialize)]
struct Verified {
    run_id: String,
    passed: bool,
    lines: Vec<Line>,
    failures: Vec<Value>,
}

#[derive(Deserialize)]
struct Line {
    configuration: Configuration,
    oracle: String,
    quantity: String,
    unit: String,
    relation: Relation,
    expected: f64,
    obtained: Option<f64>,
    tolerance: f64,
}

/// The records of a document: what `track --json`, `verify --json` or a study wrote.
///
/// # Errors
/// As [`Refused`] says.
pub fn records(text: &str, registry: &Registry) -> Result<Vec<OfSuite>, Refused> {
    let mut reasons = Vec::new();
    let records = match serde_json::from_str::<Value>(text) {
        Ok(value) if value.get("results").is_some() => {
            tracked(document(value)?, registry, &mut reasons)
        }
        Ok(value) if value.get("lines").is_some() => {
            verified(document(value)?, registry, &mut reasons)
        }
        _ => studied(text, registry, &mut reasons)?,
    };
    for (_, record) in &records {
        reasons.extend(
            record
                .defect()
                .map(|why| format!("{}: {why}", name(record))),
        );
        if names_a_path(record) {
            reasons.push(format!("{} names a path of a machine", name(record)));
        }
    }
    match (reasons.is_empty(), records.is_empty()) {
        (true, true) => Err(Refused::Damaged("it holds nothing".to_owned())),
        (true, false) => Ok(by_suite(records)),
        (false, _) => Err(Refused::Unfit(shortened(reasons))),
    }
}

/// A document of a version that is known.
fn document<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, Refused> {
    let damaged = |cause: String| Refused::Damaged(cause);
    match value.get("schema_version").and_then(Value::as_u64) {
        Some(VERSION) => {
            serde_json::from_value(value).map_err(|e| damaged(format!("{NO_DOCUMENT}: {e}")))
        }
        _ => Err(damaged(format!(
            "it is no document of schema version {VERSION}"
        ))),
    }
}

fn tracked(
    document: Tracked,
    registry: &Registry,
    reasons: &mut Vec<String>,
) -> Vec<(String, Record)> {
    for result in &document.results {
        if result.status != ResultStatus::Complete {
            let (name, status) = (&result.configuration, result.status.as_str());
            reasons.push(format!("`{name}` is {status}: it has no time"));
        } else if result.sampling.is_sampled() {
            reasons.push(format!(
                "`{}` is sampled work, whose times are kept in baselines",
                result.configuration
            ));
        }
    }
    if !(document.complete && document.consistent) && reasons.is_empty() {
        reasons.push("the run is not complete and consistent".to_owned());
    }
    if document
        .refusals
        .iter()
        .any(|refusal| refusal.code == DIRTY)
    {
        reasons.push(
            "the run was of code that is not committed: its id would name other code".to_owned(),
        );
    }
    let Some((run_id, slug)) = document.run_id.zip(document.slug) else {
        reasons.push("the run was refused before it began".to_owned());
        return Vec::new();
    };
    let origin = Origin {
        run_id,
        slug: Some(slug),
    };
    let mut records = Vec::new();
    for result in &document.results {
        if let Some((suite, of)) = subject(&result.configuration, registry, reasons) {
            match cost(result, of, &origin) {
                Some(cost) => records.push((suite, Record::Cost(cost))),
                None if result.status == ResultStatus::Complete => {
                    reasons.push(format!("`{}` has no time", result.configuration));
                }
                None => {}
            }
        }
    }
    for split in document
        .breakdown
        .into_iter()
        .flat_map(|of| of.configurations)
    {
        if let Some((suite, of)) = subject(&split.configuration, registry, reasons) {
            records.push((suite, Record::Breakdown(shares(&split, of, &origin))));
        }
    }
    records
}

fn cost(result: &ConfigurationResult, of: Subject, origin: &Origin) -> Option<Cost> {
    Some(Cost {
        of,
        origin: origin.clone(),
        median_s: result.median_s?,
        min_s: result.min_s?,
        max_s: result.max_s?,
        repeats: result.repeats,
        accepted: result.accepted,
        rejected: result.rejected,
        evaluations: result.source_evaluations,
        peak_rss_bytes: result.peak_rss_bytes,
        busy: result.busy,
        integrator: result.integrator.clone(),
        tolerances: result.tolerances.clone(),
        noise_model: result.noise_model.clone(),
        facts: result.facts.clone(),
    })
}

fn shares(split: &Split, of: Subject, origin: &Origin) -> Shares {
    Shares {
        of,
        origin: origin.clone(),
        run_s: split.run_s,
        fft_s: split.fft_s,
        pointwise_s: split.pointwise_s,
        stepper_s: split.stepper_s,
        absorb_s: split.absorb_s,
        observe_s: split.observe_s,
        rest_s: split.rest_s,
        evaluations: split.evaluations,
        bare_evaluation_s: split.bare_evaluation_s,
        fft_time_s: split.fft_time_s,
        floor_s: split.floor_s,
        stepper_overhead: split.stepper_overhead,
    }
}

fn verified(
    document: Verified,
    registry: &Registry,
    reasons: &mut Vec<String>,
) -> Vec<(String, Record)> {
    for failure in &document.failures {
        let text = |field: &str| match failure.get(field) {
            Some(Value::String(text)) => text.clone(),
            _ => "for no known reason".to_owned(),
        };
        let configuration = failure.get("configuration").cloned().unwrap_or_default();
        let name = serde_json::from_value::<Configuration>(configuration);
        let name = name.map_or("a configuration".to_owned(), |name| format!("`{name}`"));
        reasons.push(format!("{name} did not answer: {}", text("reason")));
    }
    let mut records = Vec::new();
    for line in document.lines {
        if let Some((suite, of)) = subject(&line.configuration, registry, reasons) {
            records.push((suite, Record::Oracle(oracle(line, of, &document.run_id))));
        }
    }
    // A line that is not as expected is a reason of its own.
    let failed = records.iter().any(|(_, record)| record.defect().is_some());
    if !document.passed && !failed && reasons.is_empty() {
        reasons.push("the verification did not pass".to_owned());
    }
    records
}

fn oracle(line: Line, of: Subject, run_id: &str) -> Oracle {
    Oracle {
        of,
        origin: Origin {
            run_id: run_id.to_owned(),
            slug: None,
        },
        line: OracleLine {
            oracle: line.oracle,
            quantity: line.quantity,
            unit: line.unit,
            relation: line.relation,
            expected: line.expected,
            obtained: line.obtained,
            tolerance: line.tolerance,
        },
    }
}

fn studied(
    text: &str,
    registry: &Registry,
    reasons: &mut Vec<String>,
) -> Result<Vec<(String, Record)>, Refused> {
    let mut records = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let begun = !(records.is_empty() && reasons.is_empty());
        let study: Study = serde_json::from_str(line).map_err(|error| {
            Refused::Damaged(match begun || is_of_study(line) {
                true => format!("line {number}: {error}"),
                false => NO_DOCUMENT.to_owned(),
            })
        })?;
        let ran = Ran {
            case: &study.case,
            size: study.size,
            revision: study.revision,
            stepper: &study.stepper,
            width: None,
        };
        if let Some(suite) = registered(ran, registry, reasons) {
            records.push((suite, Record::Study(study)));
        }
    }
    Ok(records)
}

/// Whether a line is meant as one of a study: it has a case, and no version as documents have one.
fn is_of_study(line: &str) -> bool {
    let value: Value = serde_json::from_str(line).unwrap_or_default();
    value.get("case").is_some() && value.get("schema_version").is_none()
}

/// Suite and subject of a configuration that the registry has at this revision.
fn subject(
    configuration: &Configuration,
    registry: &Registry,
    reasons: &mut Vec<String>,
) -> Option<(String, Subject)> {
    let ran = Ran {
        case: &configuration.case,
        size: configuration.size,
        revision: configuration.revision,
        stepper: &configuration.stepper,
        width: Some(configuration.width),
    };
    let suite = registered(ran, registry, reasons)?;
    let (_, entry) = registry.case(ran.case)?;
    Some((suite, Subject::of(configuration, &entry.default_stepper)))
}

/// What a document says was run, as far as the registry must have it.
#[derive(Clone, Copy)]
struct Ran<'a> {
    case: &'a str,
    size: Size,
    revision: u32,
    stepper: &'a str,
    /// None of a study, which says none.
    width: Option<Width>,
}

/// The suite of what was run; none, and a reason more, where the registry does not have it.
fn registered(ran: Ran<'_>, registry: &Registry, reasons: &mut Vec<String>) -> Option<String> {
    match suite_of(ran, registry) {
        Ok(suite) => Some(suite),
        Err(reason) => {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
            None
        }
    }
}

fn suite_of(ran: Ran<'_>, registry: &Registry) -> Result<String, String> {
    let Ran {
        case,
        size,
        revision,
        stepper,
        width,
    } = ran;
    let found = registry.case(case);
    let now = found.and_then(|(_, entry)| entry.sizes.get(&size));
    let Some(((suite, entry), now)) = found.zip(now) else {
        return Err(format!("no case `{case}` of size {size} is registered"));
    };
    if now.revision != revision {
        return Err(format!(
            "`{case}` at size {size} was run at revision {revision} and has revision {} now",
            now.revision
        ));
    }
    if !has_stepper(entry, stepper) {
        return Err(format!("`{case}` has no stepper `{stepper}`"));
    }
    match width.filter(|width| !has_width(&now.widths, *width)) {
        Some(width) => Err(format!("`{case}` at size {size} has no width {width}")),
        None => Ok(suite.name.clone()),
    }
}

/// Whether a case may be asked for a stepper, or has it as its own.
fn has_stepper(entry: &CaseEntry, stepper: &str) -> bool {
    entry.admits_stepper(stepper) || entry.default_stepper == stepper
}

/// Whether a width is one of these. The production width is another one on each machine.
fn has_width(widths: &[WidthSpec], width: Width) -> bool {
    widths.iter().any(|spec| match (spec, width) {
        (WidthSpec::Threads(has), Width::Threads(threads)) => *has == threads,
        (WidthSpec::Production, Width::Threads(_)) | (WidthSpec::Device, Width::Device) => true,
        _ => false,
    })
}

/// How a message calls a record.
fn name(record: &Record) -> String {
    format!("`{}` at size {}", record.case(), record.size())
}

/// Whether any text of a record is, or holds, a path of a machine.
fn names_a_path(record: &Record) -> bool {
    fn holds(value: &Value) -> bool {
        match value {
            Value::String(text) => redacted(text) != *text,
            Value::Array(values) => values.iter().any(holds),
            Value::Object(fields) => fields
                .iter()
                .any(|(name, value)| redacted(name) != *name || holds(value)),
            _ => false,
        }
    }
    // What cannot be JSON cannot be written either, which is said there.
    serde_json::to_value(record).is_ok_and(|value| holds(&value))
}

fn by_suite(records: Vec<(String, Record)>) -> Vec<OfSuite> {
    let suites: BTreeSet<String> = records.iter().map(|(suite, _)| suite.clone()).collect();
    let mut parts: Vec<OfSuite> = suites
        .into_iter()
        .map(|suite| (suite, Vec::new()))
        .collect();
    for (suite, record) in records {
        if let Some((_, part)) = parts.iter_mut().find(|(name, _)| *name == suite) {
            part.push(record);
        }
    }
    parts
}

fn shortened(mut reasons: Vec<String>) -> Vec<String> {
    let more = reasons.len().saturating_sub(REFUSALS_MAX);
    reasons.truncate(REFUSALS_MAX);
    if more > 0 {
        reasons.push(format!("and {more} more"));
    }
    reasons
}

#[cfg(test)]
mod tests;
