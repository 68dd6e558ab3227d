//! Records: what is kept of runs for the page of the cases, reduced to what it shows. Plain data.
//!
//! A record names no path, host or user. Its verdicts are not stored: they follow from its numbers.

use longrun_protocol::receipt::OracleLine;
use longrun_protocol::{Configuration, Engine, Size, Width};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a record is of: a configuration with its stepper by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The case.
    pub case: String,
    /// Its size.
    pub size: Size,
    /// What computed.
    pub engine: Engine,
    /// What integrated: the name that `default` stood for, where that was asked for.
    pub stepper: String,
    /// Other distinctions, as in [`Configuration`].
    pub variant: String,
    /// Host threads, or the device.
    pub width: Width,
    /// Revision of the definition that was run.
    pub revision: u32,
}

impl Subject {
    /// Of a configuration of a case whose `default` stands for `default_stepper`.
    pub fn of(configuration: &Configuration, default_stepper: &str) -> Subject {
        let stepper = match configuration.stepper.as_str() {
            "default" => default_stepper,
            stepper => stepper,
        };
        Subject {
            case: configuration.case.clone(),
            size: configuration.size,
            engine: configuration.engine,
            stepper: stepper.to_owned(),
            variant: configuration.variant.clone(),
            width: configuration.width,
            revision: configuration.revision,
        }
    }
}

/// Where and when something was run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Id of the run, which begins with its time in UTC.
    pub run_id: String,
    /// Hardware set; absent where nothing was timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
}

impl Origin {
    /// Day of the run, `2026-11-30`; none of an id that begins otherwise.
    pub fn day(&self) -> Option<String> {
        let digits = self.run_id.get(..8)?;
        let all = digits.bytes().all(|byte| byte.is_ascii_digit());
        let parts = (digits.get(..4)?, digits.get(4..6)?, digits.get(6..)?);
        all.then(|| format!("{}-{}-{}", parts.0, parts.1, parts.2))
    }
}

/// What a complete, consistent configuration cost. Times in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Of what.
    pub of: Subject,
    /// Where and when.
    pub origin: Origin,
    /// Median of the repeats.
    pub median_s: f64,
    /// Shortest.
    pub min_s: f64,
    /// Longest.
    pub max_s: f64,
    /// Timed repeats.
    pub repeats: u32,
    /// Accepted steps.
    pub accepted: Option<u64>,
    /// Rejected steps.
    pub rejected: Option<u64>,
    /// Source evaluations.
    pub evaluations: Option<u64>,
    /// Peak resident memory.
    pub peak_rss_bytes: Option<u64>,
    /// Whether the machine was busy while the worker was set up or in a repeat.
    pub busy: Option<bool>,
    /// Integrator that ran, with its order where it has one.
    pub integrator: Option<String>,
    /// Tolerances that it ran with.
    pub tolerances: Option<String>,
    /// Noise model that was applied.
    pub noise_model: Option<String>,
    /// Numbers that the worker says of the problem.
    pub facts: Map<String, Value>,
}

/// Where the time of one more repeat went. Times in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shares {
    /// Of what.
    pub of: Subject,
    /// Where and when.
    pub origin: Origin,
    /// The whole repeat.
    pub run_s: f64,
    /// Transforms of source evaluations.
    pub fft_s: f64,
    /// Their other loops.
    pub pointwise_s: f64,
    /// Loops of the stepper.
    pub stepper_s: f64,
    /// Absorb.
    pub absorb_s: f64,
    /// Observe.
    pub observe_s: f64,
    /// What is in none of them.
    pub rest_s: f64,
    /// Source evaluations of the repeat.
    pub evaluations: u64,
    /// One of them alone.
    pub bare_evaluation_s: Option<f64>,
    /// Its transforms alone.
    pub fft_time_s: Option<f64>,
    /// What an evaluation cannot be faster than.
    pub floor_s: Option<f64>,
    /// What the stepper adds, as a ratio to bare evaluations.
    pub stepper_overhead: Option<f64>,
}

/// One quantity of an oracle, as expected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oracle {
    /// Of what.
    pub of: Subject,
    /// When.
    pub origin: Origin,
    /// What was expected and obtained.
    pub line: OracleLine,
}

/// What a stepper takes for an error, at one tolerance and one thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The case.
    pub case: String,
    /// Its size.
    pub size: Size,
    /// Revision of the definition that was run.
    pub revision: u32,
    /// The stepper, by name.
    pub stepper: String,
    /// Tolerance that it ran with.
    pub rtol: f64,
    /// Relative L2 error of the final state.
    pub error: f64,
    /// Source evaluations.
    pub evaluations: u64,
    /// Accepted steps.
    pub accepted: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Its time over that of `rk` at an equal error.
    pub seconds_ratio_to_rk: f64,
}

/// A record of any kind: a line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Record {
    /// What a configuration cost.
    Cost(Cost),
    /// Where its time went.
    Breakdown(Shares),
    /// A quantity of an oracle.
    Oracle(Oracle),
    /// What a stepper takes for an error.
    Study(Study),
}

/// What is replaced as a whole: records of one kind of one configuration, whatever its revision.
pub type Group<'a> = (u8, &'a str, Size, Engine, &'a str, &'a str, Option<Width>);

impl Record {
    /// What it is replaced with.
    pub fn group(&self) -> Group<'_> {
        let (kind, subject) = match self {
            Record::Cost(cost) => (0, &cost.of),
            Record::Breakdown(shares) => (1, &shares.of),
            Record::Oracle(oracle) => (2, &oracle.of),
            Record::Study(study) => {
                let (case, stepper) = (study.case.as_str(), study.stepper.as_str());
                return (3, case, study.size, Engine::default(), stepper, "", None);
            }
        };
        (
            kind,
            &subject.case,
            subject.size,
            subject.engine,
            &subject.stepper,
            &subject.variant,
            Some(subject.width),
        )
    }

    /// What tells it from the others of its group.
    pub fn within(&self) -> (&str, &str, f64) {
        match self {
            Record::Cost(_) | Record::Breakdown(_) => ("", "", 0.0),
            Record::Oracle(oracle) => (&oracle.line.oracle, &oracle.line.quantity, 0.0),
            // The loosest first.
            Record::Study(study) => ("", "", -study.rtol),
        }
    }

    /// Whether it says what something cost.
    pub fn is_cost(&self) -> bool {
        matches!(self, Record::Cost(_))
    }

    /// Whether it says where time went.
    pub fn is_breakdown(&self) -> bool {
        matches!(self, Record::Breakdown(_))
    }

    /// Whether it is of an oracle.
    pub fn is_oracle(&self) -> bool {
        matches!(self, Record::Oracle(_))
    }

    /// Whether it is of a study of steppers.
    pub fn is_study(&self) -> bool {
        matches!(self, Record::Study(_))
    }

    /// Its case.
    pub fn case(&self) -> &str {
        self.group().1
    }

    /// Its size.
    pub fn size(&self) -> Size {
        self.group().2
    }

    /// Revision of what it is of.
    pub fn revision(&self) -> u32 {
        match self {
            Record::Cost(cost) => cost.of.revision,
            Record::Breakdown(shares) => shares.of.revision,
            Record::Oracle(oracle) => oracle.of.revision,
            Record::Study(study) => study.revision,
        }
    }

    /// Why it cannot be right; `None` where nothing is wrong.
    pub fn defect(&self) -> Option<String> {
        match self {
            Record::Cost(cost) => cost.defect(),
            Record::Breakdown(shares) if shares.run_s <= 0.0 => {
                Some("its repeat took no time".to_owned())
            }
            Record::Breakdown(_) => None,
            Record::Oracle(oracle) if !oracle.line.passed() => {
                Some(format!("`{}` is not as expected", oracle.line.quantity))
            }
            Record::Oracle(_) => None,
            Record::Study(study) => study.defect(),
        }
    }
}

impl Cost {
    fn defect(&self) -> Option<String> {
        let times = self.min_s > 0.0 && self.min_s <= self.median_s && self.median_s <= self.max_s;
        let sound = times && self.repeats > 0;
        (!sound).then(|| "its times are none".to_owned())
    }

    /// Range of the repeats over their median.
    pub fn spread(&self) -> f64 {
        (self.max_s - self.min_s) / self.median_s
    }
}

impl Study {
    fn defect(&self) -> Option<String> {
        let numbers = [
            ("rtol", self.rtol),
            ("error", self.error),
            ("seconds_ratio_to_rk", self.seconds_ratio_to_rk),
        ];
        let wrong = numbers.into_iter().find(|(_, value)| *value <= 0.0);
        let counted = self.evaluations > 0 && self.accepted > 0;
        match wrong {
            Some((name, _)) => Some(format!("`{name}` must be more than 0")),
            None if !counted => Some("it has no steps or no evaluations".to_owned()),
            None => None,
        }
    }
}
