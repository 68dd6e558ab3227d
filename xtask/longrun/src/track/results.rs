//! What one configuration came to, as it is stored, printed and recorded.

use std::path::Path;
use std::time::Duration;

use longrun_measure::statistics::Summary;
use longrun_protocol::identity::tolerances_text;
use longrun_protocol::receipt::{Context, Sample};
use longrun_protocol::registry::SamplingPolicy;
use longrun_protocol::sampling::Breakdown;
use longrun_protocol::{Configuration, Receipt};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::load::{self, RepeatLoad};
use super::sampled::SampledResult;
use crate::run::judge::ResultStatus;
use crate::run::launch::Launched;
use crate::run::plan::PlanItem;
use crate::text;

/// The result of one configuration: a line of `results.jsonl`, an entry of the JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConfigurationResult {
    /// What was computed.
    pub configuration: Configuration,
    /// Which of its processes this is of, from 1; absent where it is of all, or of the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<u32>,
    /// Verdict.
    pub status: ResultStatus,
    /// Why, where it is not complete.
    pub reason: Option<String>,
    /// How it is sampled.
    #[serde(default)]
    pub sampling: SamplingPolicy,
    /// Median wall time of the repeats, or of one operation of sampled work. Only a complete
    /// configuration has times, and one that the clock cannot resolve has none.
    pub median_s: Option<f64>,
    /// Shortest.
    pub min_s: Option<f64>,
    /// Longest.
    pub max_s: Option<f64>,
    /// Every repeat or sample, in order.
    pub raw_s: Vec<f64>,
    /// Median CPU time of the repeats.
    pub cpu_median_s: Option<f64>,
    /// Timed repeats or samples.
    pub repeats: u32,
    /// Accepted steps.
    pub accepted: Option<u64>,
    /// Rejected steps.
    pub rejected: Option<u64>,
    /// Source evaluations.
    pub source_evaluations: Option<u64>,
    /// Peak resident memory of the worker.
    pub peak_rss_bytes: Option<u64>,
    /// Device memory that the run held.
    pub device_memory_bytes: Option<u64>,
    /// Whether the machine was busy while its worker was set up or in one of its repeats.
    pub busy: Option<bool>,
    /// Whether it was while the worker was set up.
    #[serde(default)]
    pub setup_busy: Option<bool>,
    /// The machine during each timed repeat, in order; of sampled work, during the samples of each
    /// process. Empty is unknown.
    #[serde(default)]
    pub load: Vec<RepeatLoad>,
    /// Integrator that ran.
    pub integrator: Option<String>,
    /// Tolerances that it ran with.
    pub tolerances: Option<String>,
    /// Noise model that was applied.
    pub noise_model: Option<String>,
    /// Digest of the FFT plans that were used.
    pub fft_plans: Option<String>,
    /// Numbers that the worker says of the problem: points of a grid, a length.
    #[serde(default)]
    pub facts: Map<String, Value>,
    /// Where the time of an extra repeat went, if that was asked for.
    #[serde(default)]
    pub breakdown: Option<Breakdown>,
    /// Time from the launch of the worker to its end.
    pub elapsed_s: f64,
    /// Folder of the configuration, relative to the bundle.
    pub folder: Option<String>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// What there is beside the times of sampled work.
    #[serde(default)]
    pub sampled: Option<SampledResult>,
}

impl ConfigurationResult {
    /// The result of a configuration that was run in `folder`.
    pub fn of(item: &PlanItem, folder: &Path, launched: Launched, elapsed: Duration) -> Self {
        let mut result = ConfigurationResult::skipped(item, &launched.judgement.reason);
        result.status = launched.judgement.status;
        result.setup_busy = launched.busy;
        result.elapsed_s = elapsed.as_secs_f64();
        result.folder = folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        result.notes = launched.notes;
        if let Some(receipt) = launched.receipt {
            result.describe(&receipt);
            // A run whose numbers are wrong has no time: it has a failure.
            if result.status == ResultStatus::Complete {
                result.time(&receipt);
            }
        }
        result.busy = load::flag(result.setup_busy, &result.load);
        result
    }

    /// The result of a configuration that was not run.
    pub fn skipped(item: &PlanItem, reason: &str) -> Self {
        ConfigurationResult {
            configuration: item.configuration.clone(),
            process: None,
            status: ResultStatus::Skipped,
            reason: (!reason.is_empty()).then(|| reason.to_owned()),
            sampling: item.sampling,
            median_s: None,
            min_s: None,
            max_s: None,
            raw_s: Vec::new(),
            cpu_median_s: None,
            repeats: item.repeats,
            accepted: None,
            rejected: None,
            source_evaluations: None,
            peak_rss_bytes: None,
            device_memory_bytes: None,
            busy: None,
            setup_busy: None,
            load: Vec::new(),
            integrator: None,
            tolerances: None,
            noise_model: None,
            fft_plans: None,
            facts: Map::new(),
            breakdown: None,
            elapsed_s: 0.0,
            folder: None,
            notes: Vec::new(),
            sampled: None,
        }
    }

    /// Whether it has no time and will have none.
    pub fn is_lost(&self) -> bool {
        self.status != ResultStatus::Complete
    }

    /// Whether it is of this process of this configuration.
    pub fn is_of(&self, configuration: &Configuration, process: Option<u32>) -> bool {
        self.process == process && self.configuration == *configuration
    }

    /// The same result with every number read from its receipt again.
    pub fn with_receipt(mut self, receipt: &Receipt) -> Self {
        let notes = std::mem::take(&mut self.notes);
        self.describe(receipt);
        self.time(receipt);
        // They were taken from the receipt and from the launch when the result was made.
        self.notes = notes;
        self
    }

    /// Another run was measuring at the same time.
    pub fn disturb(&mut self) {
        self.busy = Some(true);
        self.notes
            .push("another run was measuring on this machine at the same time".to_owned());
    }

    fn describe(&mut self, receipt: &Receipt) {
        if let Some(witness) = receipt.witnesses.first() {
            self.accepted = witness.accepted;
            self.rejected = witness.rejected;
            self.source_evaluations = witness.evaluations;
            self.fft_plans.clone_from(&witness.fft_plans);
        }
        if let Some(resolved) = &receipt.resolved {
            self.integrator = Some(resolved.integrator.clone());
            self.tolerances = Some(tolerances_text(resolved));
            self.noise_model = Some(resolved.noise_model.clone());
        }
        self.peak_rss_bytes = receipt.memory.peak_rss_bytes;
        self.device_memory_bytes = receipt.memory.device_bytes;
        self.facts = numbers(receipt.context.as_ref());
        self.breakdown = receipt.breakdown;
        self.load = load::of_receipt(receipt);
        self.notes.extend(receipt.warnings.iter().cloned());
        let skips = receipt.skips.iter();
        self.notes
            .extend(skips.map(|skip| format!("skipped {}: {}", skip.what, skip.reason)));
    }

    fn time(&mut self, receipt: &Receipt) {
        self.sampled = SampledResult::of(receipt);
        self.sum_up(&receipt.samples);
    }

    /// What so many samples come to, wall and CPU time.
    pub(super) fn sum_up(&mut self, samples: &[Sample]) {
        if self.sampled.is_some() {
            self.repeats = u32::try_from(samples.len()).unwrap_or(u32::MAX);
        }
        self.raw_s = samples.iter().map(seconds_per_op).collect();
        if let Some(summary) = Summary::of(&self.raw_s) {
            // Zero is what a clock shows that is too coarse for the blocks.
            self.median_s = Some(summary.median).filter(|median| *median > 0.0);
            self.min_s = Some(summary.min);
            self.max_s = Some(summary.max);
        }
        let cpu: Option<Vec<f64>> = samples.iter().map(cpu_seconds_per_op).collect();
        self.cpu_median_s = cpu.and_then(|cpu| Summary::of(&cpu)).map(|cpu| cpu.median);
    }

    /// Range of the repeats over their median; none of sampled work, where it grows with the number
    /// of samples.
    pub fn spread(&self) -> Option<f64> {
        if self.sampling.is_sampled() {
            return None;
        }
        let (median, min, max) = (self.median_s?, self.min_s?, self.max_s?);
        (median > 0.0).then(|| (max - min) / median)
    }

    fn spread_in_words(&self) -> String {
        let sampled = self.sampled.as_ref();
        let iqr = sampled.and_then(|sampled| sampled.statistics.relative_iqr);
        match (self.spread(), iqr) {
            (Some(spread), _) => format!(" (spread {})", percent(spread)),
            (None, Some(iqr)) => format!(" (IQR {})", percent(iqr)),
            (None, None) => String::new(),
        }
    }

    /// One line for the progress of a run.
    pub fn line(&self) -> String {
        match (self.median_s, &self.reason) {
            (Some(median), _) => {
                format!("{}{}", text::seconds(median), self.spread_in_words())
            }
            (None, Some(reason)) => format!("{}: {reason}", self.status.as_str()),
            (None, None) => self.status.as_str().to_owned(),
        }
    }
}

/// The numbers among the facts of a context. Words are left out: whoever keeps these would have to
/// know that none of them names a machine.
fn numbers(context: Option<&Context>) -> Map<String, Value> {
    let facts = context.into_iter().flat_map(|context| &context.facts);
    let numbers = facts.filter(|(_, value)| value.is_number());
    numbers
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// A fraction as a percentage.
pub fn percent(fraction: f64) -> String {
    format!("{:.1} %", fraction * 100.0)
}

// Times up to a hundred days are exact to the nanosecond in f64.
fn seconds_per_op(sample: &Sample) -> f64 {
    sample.interval_ns as f64 / sample.ops as f64 * 1e-9
}

fn cpu_seconds_per_op(sample: &Sample) -> Option<f64> {
    sample.cpu_ns.map(|ns| ns as f64 / sample.ops as f64 * 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_numbers_of_a_context_are_kept() {
        let facts = json!({
            "points": 1024, "time_step_s": 1.5e-15, "host": "a-host", "lossy": true,
            "planes": [1, 2], "environment": {"HOME": "x"}, "order": null
        });
        let context = Context {
            kind: "optics".to_owned(),
            facts: facts.as_object().cloned().unwrap_or_default(),
        };
        let kept = Value::Object(numbers(Some(&context)));
        assert_eq!(kept, json!({"points": 1024, "time_step_s": 1.5e-15}));
        assert_eq!(numbers(None), Map::new());
    }
}
