//! What the verification of one configuration came to, as it is stored and printed.

use std::path::Path;
use std::time::Duration;

use longrun_protocol::receipt::{OracleLine, Relation};
use longrun_protocol::{Configuration, Receipt, Size};
use serde::Serialize;

use crate::run::judge::ResultStatus;
use crate::run::launch::Launched;
use crate::run::plan::PlanItem;
use crate::text;

/// One quantity with its verdict: an entry of the JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The case.
    pub case: String,
    /// Its size.
    pub size: Size,
    /// What was run.
    pub configuration: Configuration,
    /// The oracle in the registry.
    pub oracle: String,
    /// What was measured, in words.
    pub quantity: String,
    /// Unit of the numbers; empty for a ratio.
    pub unit: String,
    /// How the two are compared.
    pub relation: Relation,
    /// What it should be.
    pub expected: f64,
    /// What it is; none where the run gave no finite number.
    pub obtained: Option<f64>,
    /// How far off it may be.
    pub tolerance: f64,
    /// The verdict.
    pub passed: bool,
}

impl Line {
    fn of(configuration: &Configuration, line: &OracleLine) -> Self {
        Line {
            case: configuration.case.clone(),
            size: configuration.size,
            configuration: configuration.clone(),
            oracle: line.oracle.clone(),
            quantity: line.quantity.clone(),
            unit: line.unit.clone(),
            relation: line.relation,
            expected: line.expected,
            obtained: line.obtained,
            tolerance: line.tolerance,
            passed: line.passed(),
        }
    }
}

/// The result of one configuration: a line of `results.jsonl`.
#[derive(Clone, Debug, Serialize)]
pub struct Verification {
    /// What was run.
    pub configuration: Configuration,
    /// Whether the worker answered; what it answered is in the lines.
    pub status: ResultStatus,
    /// Why, where it is not complete.
    pub reason: Option<String>,
    /// Every quantity, in the order of the receipt; none of a receipt that does not answer.
    pub lines: Vec<Line>,
    /// Time from the launch of the worker to its end.
    pub elapsed_s: f64,
    /// Folder of the configuration, relative to the bundle.
    pub folder: Option<String>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

impl Verification {
    /// The result of a configuration that was run in `folder`.
    pub fn of(item: &PlanItem, folder: &Path, launched: Launched, elapsed: Duration) -> Self {
        let mut result = Verification::skipped(item, &launched.judgement.reason);
        result.status = launched.judgement.status;
        result.elapsed_s = elapsed.as_secs_f64();
        result.folder = folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        result.notes = launched.notes;
        if let Some(receipt) = launched.receipt {
            result.describe(&receipt);
        }
        result
    }

    /// The result of a configuration that was not run.
    pub fn skipped(item: &PlanItem, reason: &str) -> Self {
        Verification {
            configuration: item.configuration.clone(),
            status: ResultStatus::Skipped,
            reason: (!reason.is_empty()).then(|| reason.to_owned()),
            lines: Vec::new(),
            elapsed_s: 0.0,
            folder: None,
            notes: Vec::new(),
        }
    }

    fn describe(&mut self, receipt: &Receipt) {
        if self.status == ResultStatus::Complete {
            let line = |line| Line::of(&self.configuration, line);
            self.lines = receipt.oracles.iter().map(line).collect();
        }
        self.notes.extend(receipt.warnings.iter().cloned());
        let skips = receipt.skips.iter();
        self.notes
            .extend(skips.map(|skip| format!("skipped {}: {}", skip.what, skip.reason)));
    }

    /// Whether the worker answered, and every quantity is as expected.
    pub fn passed(&self) -> bool {
        let complete = self.status == ResultStatus::Complete;
        complete && !self.lines.is_empty() && self.lines.iter().all(|line| line.passed)
    }

    /// One line for the progress of a run.
    pub fn line(&self) -> String {
        if self.status != ResultStatus::Complete {
            let reason = self.reason.as_deref().unwrap_or("for no known reason");
            return format!("{}: {reason}", self.status.as_str());
        }
        let passed = self.lines.iter().filter(|line| line.passed).count();
        let all = text::counted(self.lines.len(), "quantity").replace("ys", "ies");
        format!("{passed} of {all} as expected")
    }
}

#[cfg(test)]
pub mod testing {
    //! Plan items and results for the tests of this verb.

    use longrun_protocol::registry::{SamplingPolicy, WorkerSpec};
    use longrun_protocol::request::Bounds;
    use longrun_protocol::{Configuration, Engine, Size, Width};

    use crate::run::plan::PlanItem;

    /// A configuration of a case with these oracles.
    pub fn item(case: &str, oracles: &[&str]) -> PlanItem {
        PlanItem {
            configuration: Configuration {
                suite: "tracking".into(),
                case: case.into(),
                size: Size::Full,
                revision: 1,
                engine: Engine::Native,
                stepper: "default".into(),
                variant: String::new(),
                width: Width::Threads(1),
            },
            interface: "gnlse".into(),
            worker: WorkerSpec {
                package: None,
                binary: None,
                command: Some(vec!["stub".into()]),
            },
            parameters: Default::default(),
            default_stepper: "rk".into(),
            seed: None,
            noise: "none".into(),
            sampling: SamplingPolicy::Complete { repeats: 2 },
            repeats: 2,
            processes: 1,
            spread_s: 0,
            oracles: oracles.iter().map(|name| (*name).to_owned()).collect(),
            bounds: Bounds {
                repeat: 1e-9,
                revision: 1e-6,
            },
            estimate: None,
            fft_plans: false,
        }
    }
}
