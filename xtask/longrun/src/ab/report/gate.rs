//! The acceptance policy on a comparison: `gate.json`. Pure, but for writing it.
//!
//! The fields are those of the interleaved gate of the policy's source, with its rule about
//! iterations, and ours beside them. It is made to be kept and shown: it names no host and no path.

pub mod json;

use std::path::Path;

use longrun_measure::acceptance::{Check, Precision, SideSamples, Thresholds, compare};
use longrun_measure::paired::fraction::ratio;
use longrun_protocol::{Configuration, Width};
use serde::Serialize;

use crate::ab::kept::record::{Compared, Header, Standing};
use crate::ab::report::figures;
use crate::ab::verdicts::ledger::{SideTime, Times};
use crate::ab::verdicts::timing::Measured;
use crate::ab::verdicts::{ConfigurationVerdict, Verdicts, Word};
use crate::failure::Outcome;
use crate::whole_file::write_json;

/// Name of the file in the bundle of a comparison.
pub const GATE: &str = "gate.json";

/// Ceiling under which a verdict that is inconclusive may lie with certainty, and pass.
pub const CEILING: f64 = 1.10;

/// Value of a variant's axis `dtype` that computes in 32 bits.
const SINGLE: [&str; 2] = ["dtype=f32", "dtype=float32"];

/// Why a check failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// A stable word.
    pub code: String,
    /// A sentence.
    pub message: String,
}

impl Reason {
    fn new(code: &str, message: impl Into<String>) -> Reason {
        Reason {
            code: code.to_owned(),
            message: message.into(),
        }
    }
}

/// The policy on one configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct GateCheck {
    /// What was checked.
    pub configuration: Configuration,
    /// Its name in the baseline, where it was another.
    pub renamed_from: Option<String>,
    /// The verdict.
    pub word: Word,
    /// What was measured.
    pub measured: Option<Measured>,
    /// What the acceptance policy says; absent where nothing was timed.
    pub acceptance: Option<Check>,
    /// Upper bound of the change at 95 %, where an inconclusive verdict was held to it.
    pub upper_bound: Option<f64>,
    /// Every reason against the candidate.
    pub reasons: Vec<Reason>,
}

impl GateCheck {
    /// Whether there is no reason against the candidate.
    pub fn passed(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// The policy on a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// One check for each configuration of the baseline.
    pub checks: Vec<GateCheck>,
    /// Configurations that only the candidate has: reported, not checked.
    pub candidate_only: Vec<Configuration>,
    /// Reasons that are of no single configuration.
    pub reasons: Vec<Reason>,
}

impl Gate {
    /// Applies the policy.
    pub fn of(header: &Header, verdicts: &Verdicts) -> Gate {
        let all = || header.configurations.iter().zip(&verdicts.configurations);
        let of_baseline = all().filter(|(compared, _)| compared.standing != Standing::New);
        let checks: Vec<GateCheck> = of_baseline
            .map(|(compared, verdict)| check(compared, verdict))
            .collect();
        let new = all().filter(|(compared, _)| compared.standing == Standing::New);
        let candidate_only = new.map(|(compared, _)| compared.configuration.clone());
        let suite = verdicts.suite.as_ref();
        let regressed = suite.filter(|suite| suite.word == Word::Regressed);
        let mut reasons = Vec::new();
        if regressed.is_some_and(|suite| suite.configurations > 1) {
            let message = "all configurations together are regressed";
            reasons.push(Reason::new("suite_regressed", message));
        }
        if checks.is_empty() {
            let message = "the baseline has no configuration that was checked";
            reasons.push(Reason::new("nothing_checked", message));
        }
        if verdicts.ending.is_none() {
            let message = "the comparison was stopped before its end";
            reasons.push(Reason::new("stopped", message));
        }
        Gate {
            candidate_only: candidate_only.collect(),
            checks,
            reasons,
        }
    }

    /// Every reason against the candidate: of no single configuration first, then those of each
    /// with its name. None where it passed.
    pub fn all_reasons(&self) -> impl Iterator<Item = (Option<&Configuration>, &Reason)> {
        let whole = self.reasons.iter().map(|reason| (None, reason));
        let of_checks = self.checks.iter().flat_map(|check| {
            let reasons = check.reasons.iter();
            reasons.map(|reason| (Some(&check.configuration), reason))
        });
        whole.chain(of_checks)
    }

    /// Whether every check passed and there is one.
    pub fn passed(&self) -> bool {
        self.all_reasons().next().is_none()
    }

    /// Writes `gate.json`, whole or not at all.
    pub fn write(&self, path: &Path, header: &Header, verdicts: &Verdicts) -> Outcome<()> {
        write_json(path, &json::of(self, header, verdicts))
    }
}

fn check(compared: &Compared, verdict: &ConfigurationVerdict) -> GateCheck {
    let acceptance = verdict.is_timed().then(|| acceptance(compared, verdict));
    let upper_bound = match verdict.word {
        Word::Inconclusive => upper_bound(verdict),
        _ => None,
    };
    let mut reasons = by_word(verdict, upper_bound);
    for reason in acceptance.iter().flat_map(|check| &check.reasons) {
        reasons.push(Reason::new(reason.code(), reason.to_string()));
    }
    if verdict.is_timed() && verdict.difference.not_compared > 0 {
        let message = "the results of some observations were not compared";
        reasons.push(Reason::new("not_compared", message));
    }
    GateCheck {
        configuration: compared.configuration.clone(),
        renamed_from: compared.renamed_from.clone(),
        word: verdict.word,
        measured: verdict.measured.clone(),
        acceptance,
        upper_bound,
        reasons,
    }
}

/// Upper end of the interval at 95 %, as a fraction.
fn upper_bound(verdict: &ConfigurationVerdict) -> Option<f64> {
    let interval = verdict.measured.as_ref()?.equivalence_interval?;
    interval.get(1).copied()
}

/// What the verdict alone has against the candidate.
fn by_word(verdict: &ConfigurationVerdict, upper_bound: Option<f64>) -> Vec<Reason> {
    let said = || verdict.notes.join("; ");
    let estimate = verdict
        .measured
        .as_ref()
        .and_then(|measured| measured.estimate);
    let reason = match verdict.word {
        Word::Improved | Word::Unchanged | Word::SameBuild | Word::New => None,
        Word::Regressed => Some(format!(
            "it is slower by {}",
            estimate.map_or("an unknown amount".to_owned(), figures::size)
        )),
        Word::Inconclusive => within_ceiling(upper_bound).err(),
        Word::ResultsDiffer => Some(said()),
        Word::ChangedConfiguration => Some(said()),
        Word::Missing => Some(
            "the candidate does not have it; `renamed_from` names its new \
                               entry if it has one"
                .to_owned(),
        ),
        Word::Failed => Some(said()),
    };
    let code = match verdict.word {
        Word::Missing => "missing_in_candidate",
        word => word.as_str(),
    };
    reason
        .into_iter()
        .map(|message| Reason::new(code, message))
        .collect()
}

/// An inconclusive verdict passes only where the change is below the ceiling with certainty.
fn within_ceiling(upper_bound: Option<f64>) -> Result<(), String> {
    match upper_bound {
        Some(bound) if bound < CEILING - 1.0 => Ok(()),
        Some(bound) => Err(format!(
            "it may take up to {:.3} times as long, and {CEILING:.2} is the ceiling",
            1.0 + bound
        )),
        None => Err("there were too few observations for any bound".to_owned()),
    }
}

/// The acceptance policy, by the clock that decides.
fn acceptance(compared: &Compared, verdict: &ConfigurationVerdict) -> Check {
    let ledger = &verdict.ledger;
    let metric = ledger.metric(compared.metric);
    let times = &ledger.screen.times;
    let side = |side: fn(&Times) -> SideTime| {
        let sides = || times.iter().map(side);
        let converged = sides()
            .map(|side| side.converged)
            .collect::<Option<Vec<bool>>>();
        SideSamples {
            seconds: sides().filter_map(|side| side.by(metric)).collect(),
            iterations: sides().filter_map(|side| side.iterations).collect(),
            converged: converged
                .filter(|all| !all.is_empty())
                .map(|all| all.into_iter().all(|one| one)),
            objective: None,
            precision: precision(&compared.configuration),
        }
    };
    let ratios = ledger.screen.by(metric).iter();
    let pairs: Vec<f64> = ratios.map(|log_ratio| ratio(*log_ratio)).collect();
    compare(
        &side(|times| times.baseline),
        &side(|times| times.candidate),
        &pairs,
        &thresholds(&compared.configuration),
    )
}

fn precision(configuration: &Configuration) -> Precision {
    let mut axes = configuration.variant.split(',');
    match axes.any(|axis| SINGLE.contains(&axis)) {
        true => Precision::Single,
        false => Precision::Double,
    }
}

/// Limits for the place where a configuration runs.
pub fn thresholds(configuration: &Configuration) -> Thresholds {
    match configuration.width {
        Width::Device => Thresholds::gpu(),
        Width::Threads(_) => Thresholds::cpu(),
    }
}

#[cfg(test)]
mod tests;
