//! What a baseline file says of one configuration.

use std::fmt::{self, Display};

use longrun_measure::statistics::SPREAD_SAMPLES_MIN;
use longrun_measure::stored::StoredFacts;
use longrun_protocol::registry::name_defect;
use longrun_protocol::{Configuration, Engine, Size, Width};
use serde::{Deserialize, Serialize};

use super::found::{Contract, Found, Times};

/// One configuration of a baseline file, in the order of its keys. Times are in ns per operation.
///
/// The last key is a text that every entry has: of a file that was cut, no entry is taken for
/// whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Name of the case.
    pub case: String,
    /// Size of the case.
    pub size: Size,
    /// Revision of the case at this size.
    pub revision: u32,
    /// What computed.
    pub engine: Engine,
    /// Requested stepper.
    pub stepper: String,
    /// Other distinctions.
    pub variant: String,
    /// Host threads.
    pub width: Width,
    /// Integrator that ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integrator: Option<String>,
    /// Tolerances that it ran with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerances: Option<String>,
    /// Noise model that was applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise_model: Option<String>,
    /// Median.
    pub median_ns: f64,
    /// Interquartile range; absent for fewer than five samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iqr_ns: Option<f64>,
    /// Median absolute deviation; absent for fewer than five samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mad_ns: Option<f64>,
    /// Shortest.
    pub min_ns: f64,
    /// Longest.
    pub max_ns: f64,
    /// Samples.
    pub samples: usize,
    /// Medians of the processes that they are of, in their order, as parts of `median_ns`: whoever
    /// corrects the one corrects the others. Absent where there was one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub process_ratios: Vec<f64>,
    /// Blocks that one operation allocates; absent where that was not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocations: Option<f64>,
    /// Bytes that one operation asks for; absent where that was not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocated_bytes: Option<f64>,
    /// Code of the warning that they carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// Whatever people write; shown and never compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Commit that was measured; shown and never compared.
    pub commit: String,
}

/// What names a configuration in a baseline: all of it but the revision, so that a case that was
/// revised is still found, and said to be another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    case: String,
    size: Size,
    engine: Engine,
    stepper: String,
    variant: String,
    width: Width,
}

impl Key {
    /// The name of a configuration.
    pub fn of(configuration: &Configuration) -> Key {
        Key {
            case: configuration.case.clone(),
            size: configuration.size,
            engine: configuration.engine,
            stepper: configuration.stepper.clone(),
            variant: configuration.variant.clone(),
            width: configuration.width,
        }
    }
}

/// Something that is wrong with an entry, and the key beside which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// Key.
    pub key: &'static str,
    /// What is wrong with its value.
    pub reason: String,
}

impl Entry {
    /// What a run found, taken from code at `commit`.
    pub fn of(found: &Found, times: &Times, commit: &str, note: Option<String>) -> Entry {
        let Configuration {
            suite: _,
            case,
            size,
            revision,
            engine,
            stepper,
            variant,
            width,
        } = found.configuration.clone();
        let Contract {
            integrator,
            tolerances,
            noise_model,
        } = found.contract.clone();
        let statistics = &times.statistics;
        // Of fewer it would be the smaller gap in disguise.
        let has_spread = statistics.count >= SPREAD_SAMPLES_MIN;
        Entry {
            case,
            size,
            revision,
            engine,
            stepper,
            variant,
            width,
            integrator,
            tolerances,
            noise_model,
            median_ns: statistics.median,
            iqr_ns: has_spread.then_some(statistics.iqr),
            mad_ns: has_spread.then_some(statistics.mad),
            min_ns: statistics.min,
            max_ns: statistics.max,
            samples: statistics.count,
            process_ratios: ratios(&times.process_medians_ns, statistics.median),
            allocations: times.allocations,
            allocated_bytes: times.allocated_bytes,
            warning: times.warning.map(|warning| warning.code().to_owned()),
            note,
            commit: commit.to_owned(),
        }
    }

    /// The configuration, in the suite of its file.
    pub fn configuration(&self, suite: &str) -> Configuration {
        Configuration {
            suite: suite.to_owned(),
            case: self.case.clone(),
            size: self.size,
            revision: self.revision,
            engine: self.engine,
            stepper: self.stepper.clone(),
            variant: self.variant.clone(),
            width: self.width,
        }
    }

    /// What names it.
    pub fn key(&self) -> Key {
        Key {
            case: self.case.clone(),
            size: self.size,
            engine: self.engine,
            stepper: self.stepper.clone(),
            variant: self.variant.clone(),
            width: self.width,
        }
    }

    /// What the rule reads of it; whose machine it was is left open.
    pub fn facts(&self) -> StoredFacts {
        StoredFacts {
            median_ns: self.median_ns,
            // Of so few samples nothing reads it.
            iqr_ns: self.iqr_ns.unwrap_or(self.max_ns - self.min_ns),
            mad_ns: self.mad_ns,
            min_ns: self.min_ns,
            samples: self.samples,
            process_medians_ns: self.process_medians_ns(),
            warning: self.warning.clone(),
            fingerprint: None,
        }
    }

    /// Medians of its processes, ns.
    fn process_medians_ns(&self) -> Vec<f64> {
        let ratios = self.process_ratios.iter();
        ratios.map(|ratio| ratio * self.median_ns).collect()
    }

    /// Why the run of the same name did other work; empty if it did the same.
    pub fn contract_differences(&self, found: &Found) -> Vec<String> {
        let mut differences = Vec::new();
        let (was, is) = (self.revision, found.configuration.revision);
        if was != is {
            differences.push(format!("the case was at revision {was} and is at {is}"));
        }
        let contract = &found.contract;
        for (what, was, is) in [
            ("integrator was", &self.integrator, &contract.integrator),
            ("tolerances were", &self.tolerances, &contract.tolerances),
            ("noise model was", &self.noise_model, &contract.noise_model),
        ] {
            if was != is {
                let [was, is] = [was, is].map(|value| shown(value.as_deref()));
                differences.push(format!("the {what} {was} and now {is}"));
            }
        }
        differences
    }

    /// Everything that is wrong with it by itself.
    pub fn defects(&self) -> Vec<Defect> {
        let mut defects = Vec::new();
        let mut report = |key, reason: String| defects.push(Defect { key, reason });
        if let Some(reason) = name_defect(&self.case) {
            report("case", reason);
        }
        if self.revision == 0 {
            report("revision", "revisions begin at 1".to_owned());
        }
        if self.samples == 0 {
            report("samples", "a time has at least 1 sample".to_owned());
        }
        let has_spread = self.iqr_ns.is_some() && self.mad_ns.is_some();
        if self.samples >= SPREAD_SAMPLES_MIN && !has_spread {
            let reason = "so many samples have a spread: `iqr_ns` and `mad_ns` belong to them";
            report("samples", reason.to_owned());
        }
        let amounts = [
            ("median_ns", Some(self.median_ns)),
            ("iqr_ns", self.iqr_ns),
            ("mad_ns", self.mad_ns),
            ("min_ns", Some(self.min_ns)),
            ("max_ns", Some(self.max_ns)),
            ("allocations", self.allocations),
            ("allocated_bytes", self.allocated_bytes),
        ];
        let of_processes = self.process_ratios.iter();
        let of_processes = of_processes.map(|ratio| ("process_ratios", Some(*ratio)));
        for (key, amount) in amounts.into_iter().chain(of_processes) {
            if let Some(amount) = amount.filter(|amount| !(amount.is_finite() && *amount >= 0.0)) {
                report(key, format!("{amount} is not an amount"));
            }
        }
        defects
    }
}

/// Times as parts of another; none where that is no time.
fn ratios(times_ns: &[f64], whole_ns: f64) -> Vec<f64> {
    match whole_ns > 0.0 {
        true => times_ns.iter().map(|ns| ns / whole_ns).collect(),
        false => Vec::new(),
    }
}

fn shown(value: Option<&str>) -> String {
    match value {
        None => "unknown".to_owned(),
        Some("") => "none".to_owned(),
        Some(value) => format!("`{value}`"),
    }
}

/// As everywhere else: the name of its configuration.
impl Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.configuration("").fmt(f)
    }
}
