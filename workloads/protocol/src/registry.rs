//! The entries of a registry file `workloads/<suite>.toml`.
//!
//! Plain data and the checks that need nothing else. Reading files, and saying in which line a
//! defect stands, is `xtask`'s part.

mod sampling;

pub use sampling::{BLOCK_OPS_MAX, PROCESSES_MAX, SAMPLES_MAX, SamplingPolicy};

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::configuration::{Engine, Size, UnknownWord};
use crate::request::Parameters;

/// Version of the registry files.
pub const REGISTRY_VERSION: u32 = 1;

/// Longest name of a case or suite: names become file names.
pub const NAME_LENGTH_MAX: usize = 64;

/// Longest time that processes may be spread over, s.
pub const SPREAD_S_MAX: u32 = 3600;

/// Noise models that a request may carry.
const NOISE_MODELS: [&str; 2] = ["input", "none"];

/// Names that Windows reserves whatever their extension.
const RESERVED_NAMES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// A width as a case declares it; the plan makes numbers of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum WidthSpec {
    /// Exactly that many host threads.
    Threads(u32),
    /// The production width of the machine.
    Production,
    /// The whole case on the device.
    Device,
}

impl fmt::Display for WidthSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WidthSpec::Threads(threads) => f.pad(&threads.to_string()),
            WidthSpec::Production => f.pad("production"),
            WidthSpec::Device => f.pad("device"),
        }
    }
}

impl FromStr for WidthSpec {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        match text {
            "production" => Ok(WidthSpec::Production),
            "device" => Ok(WidthSpec::Device),
            _ => match text.parse::<u32>() {
                Ok(threads) if threads >= 1 => Ok(WidthSpec::Threads(threads)),
                _ => Err(UnknownWord {
                    kind: "width",
                    given: text.to_owned(),
                    admitted: "a number of threads of at least 1, `production` or `device`",
                }),
            },
        }
    }
}

impl TryFrom<String> for WidthSpec {
    type Error = UnknownWord;

    fn try_from(text: String) -> Result<Self, UnknownWord> {
        text.parse()
    }
}

impl From<WidthSpec> for String {
    fn from(width: WidthSpec) -> String {
        width.to_string()
    }
}

/// Which program runs a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerSpec {
    /// Cargo package of the worker; with `binary`.
    #[serde(default)]
    pub package: Option<String>,
    /// Binary of that package.
    #[serde(default)]
    pub binary: Option<String>,
    /// A command instead: program and arguments, relative paths against the repository root.
    #[serde(default)]
    pub command: Option<Vec<String>>,
}

/// Which clock decides in comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Process CPU time: for single-threaded CPU-bound configurations.
    Cpu,
    /// Wall time.
    #[default]
    Wall,
}

/// What one configuration is expected to cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// Seconds of one complete run; of one operation, of sampled work.
    pub run_s: f64,
    /// Seconds of everything before the first timed repeat.
    pub setup_s: f64,
    /// Peak resident memory.
    pub memory_bytes: u64,
}

/// A case at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeEntry {
    /// Revision of the definition at this size, at least 1.
    pub revision: u32,
    /// Widths at which the case runs at this size.
    pub widths: Vec<WidthSpec>,
    /// Parameters that differ from, or add to, those of the case.
    #[serde(default)]
    pub parameters: Parameters,
    /// Oracles that apply at this size, by name; which names there are is the worker's affair.
    #[serde(default)]
    pub oracles: Vec<String>,
    /// How the case is sampled at this size, where that is not as at the others.
    #[serde(default)]
    pub sampling: Option<SamplingPolicy>,
    /// Processes at this size, where there are not as many as at the others.
    #[serde(default)]
    pub processes: Option<u32>,
    /// Expected cost by width (`1`, `production`, …); only for widths of this size.
    #[serde(default)]
    pub estimates: BTreeMap<WidthSpec, Estimate>,
}

/// One case of a registry file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseEntry {
    /// Name, unique over all suites without regard to letter case.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Problem family that the worker sets up.
    pub interface: String,
    /// Program that runs it.
    pub worker: WorkerSpec,
    /// Whether it belongs to the suite's default plan; others run when named.
    #[serde(default = "yes")]
    pub tracked: bool,
    /// Earlier name, so that a renamed case is not a missing one.
    #[serde(default)]
    pub renamed_from: Option<String>,
    /// What may compute it; the first is the default.
    #[serde(default = "native_only")]
    pub engines: Vec<Engine>,
    /// Those of them that work on one thread: they run at width 1 only.
    #[serde(default)]
    pub single_threaded_engines: Vec<Engine>,
    /// Stepper overrides admitted beside `default`.
    #[serde(default)]
    pub steppers: Vec<String>,
    /// What `default` stands for.
    #[serde(default = "unstepped")]
    pub default_stepper: String,
    /// Whether the steps are laid down: then only `default` is admitted.
    #[serde(default)]
    pub fixed_schedule: bool,
    /// Axes of variants: each combination of one value per axis is a configuration.
    #[serde(default)]
    pub variants: BTreeMap<String, Vec<String>>,
    /// Seed of the noise; none for cases without noise.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Noise model: `input` (one photon per mode) or `none`.
    #[serde(default = "no_noise")]
    pub noise: String,
    /// How it is sampled.
    #[serde(default)]
    pub sampling: SamplingPolicy,
    /// Fresh processes that sample it, one after the other; each does what `sampling` says. Times
    /// differ more from process to process than within one, so that a baseline needs several.
    #[serde(default = "one")]
    pub processes: u32,
    /// Least time from the first of several processes to the last, s: a machine is like itself for
    /// a while, and processes that follow one another too closely all meet one state of it.
    #[serde(default)]
    pub spread_s: u32,
    /// Which clock decides in comparisons.
    #[serde(default)]
    pub primary_metric: Metric,
    /// Largest relative L2 difference of the final state between repeats (1e-9 for f64 fields).
    pub repeat_bound: f64,
    /// Largest relative L2 difference between revisions of the same physics.
    pub revision_bound: f64,
    /// Largest relative difference in accepted steps between revisions.
    #[serde(default)]
    pub step_tolerance: f64,
    /// Whether only statistics may be compared across engines, widths and revisions.
    #[serde(default)]
    pub chaotic: bool,
    /// Whether the worker serves the task `prepare_fft` and reads `wisdom`.
    #[serde(default)]
    pub fft_plans: bool,
    /// Parameters common to all sizes.
    #[serde(default)]
    pub parameters: Parameters,
    /// The sizes it has.
    pub sizes: BTreeMap<Size, SizeEntry>,
}

fn one() -> u32 {
    1
}

fn yes() -> bool {
    true
}

fn native_only() -> Vec<Engine> {
    vec![Engine::Native]
}

fn unstepped() -> String {
    "none".to_owned()
}

fn no_noise() -> String {
    "none".to_owned()
}

/// A defect of one case, and the key near which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// Key of the entry that is wrong, for finding the line.
    pub key: &'static str,
    /// Size in whose part of the entry it stands; none for what all sizes share.
    pub size: Option<Size>,
    /// What is wrong, and what to write instead.
    pub reason: String,
}

impl Defect {
    fn new(key: &'static str, reason: impl Into<String>) -> Self {
        Defect {
            key,
            size: None,
            reason: reason.into(),
        }
    }
}

/// Why `name` cannot name a case or a suite; `None` if it can.
///
/// Names become file names on every system, so they are short lower-case words.
pub fn name_defect(name: &str) -> Option<String> {
    let first_is_letter = name.starts_with(|c: char| c.is_ascii_lowercase());
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    if name.is_empty() {
        Some("the name is empty".to_owned())
    } else if name.len() > NAME_LENGTH_MAX {
        Some(format!(
            "the name has {} characters; at most {NAME_LENGTH_MAX} are allowed",
            name.len()
        ))
    } else if !first_is_letter || !name.chars().all(allowed) {
        Some(format!(
            "`{name}` is not a name: use lower-case letters, digits, `_` and `-`, \
             beginning with a letter"
        ))
    } else if RESERVED_NAMES.contains(&name) {
        Some(format!("`{name}` is a reserved file name on Windows"))
    } else {
        None
    }
}

impl CaseEntry {
    /// Everything that is wrong with this entry by itself.
    pub fn defects(&self) -> Vec<Defect> {
        let mut defects = Vec::new();
        if let Some(reason) = name_defect(&self.name) {
            defects.push(Defect::new("name", reason));
        }
        if let Some(defect) = self.worker.defect() {
            defects.push(defect);
        }
        if self.engines.is_empty() {
            defects.push(Defect::new("engines", "a case needs at least one engine"));
        }
        defects.extend(self.single_threaded_defect());
        if self.fixed_schedule && !self.steppers.is_empty() {
            let reason = "a case on a fixed schedule admits only the stepper `default`: \
                          remove `steppers`";
            defects.push(Defect::new("steppers", reason));
        }
        defects.extend(self.noise_defect());
        for (key, bound) in [
            ("repeat_bound", self.repeat_bound),
            ("revision_bound", self.revision_bound),
        ] {
            if !(bound.is_finite() && bound >= 0.0) {
                let reason = format!("`{key}` is {bound}: it must be finite and not negative");
                defects.push(Defect::new(key, reason));
            }
        }
        if !(self.step_tolerance.is_finite() && self.step_tolerance >= 0.0) {
            let reason = "`step_tolerance` must be finite and not negative";
            defects.push(Defect::new("step_tolerance", reason));
        }
        if self.sizes.is_empty() {
            defects.push(Defect::new("name", "a case needs at least one size"));
        }
        for (size, entry) in &self.sizes {
            defects.extend(entry.defects(*size));
        }
        defects.extend(self.sampling.defect());
        defects.extend(self.processes_defects());
        defects
    }

    fn processes_defects(&self) -> Vec<Defect> {
        let own = self.sizes.iter().filter_map(|(size, entry)| {
            let defect = sampling::processes_defect(entry.processes?, self.sampling_at(entry))?;
            Some(Defect {
                size: Some(*size),
                ..defect
            })
        });
        let all = self
            .sizes
            .values()
            .filter(|entry| entry.processes.is_none());
        let mut all = all.map(|entry| self.sampling_at(entry));
        let common = all.find_map(|policy| sampling::processes_defect(self.processes, policy));
        let spread = (self.spread_s > SPREAD_S_MAX).then(|| {
            let reason = format!("`spread_s` must be at most {SPREAD_S_MAX}");
            Defect::new("spread_s", reason)
        });
        common.into_iter().chain(own).chain(spread).collect()
    }

    fn single_threaded_defect(&self) -> Option<Defect> {
        let listed = |engine: &&Engine| self.engines.contains(engine);
        let key = "single_threaded_engines";
        let engine = self
            .single_threaded_engines
            .iter()
            .find(|engine| !listed(engine))?;
        let reason = format!("`{engine}` is not among the `engines` of the case");
        Some(Defect::new(key, reason))
    }

    fn noise_defect(&self) -> Option<Defect> {
        let reason = if !NOISE_MODELS.contains(&self.noise.as_str()) {
            format!("unknown noise `{}`: write `input` or `none`", self.noise)
        } else if self.noise != "none" && self.seed.is_none() {
            format!("noise `{}` needs a `seed`", self.noise)
        } else {
            return None;
        };
        Some(Defect::new("noise", reason))
    }

    /// Parameters at `size`: those of the case, overridden by those of the size.
    pub fn parameters_at(&self, entry: &SizeEntry) -> Parameters {
        let mut merged = self.parameters.clone();
        merged.extend(entry.parameters.clone());
        merged
    }

    /// How the case is sampled at the size of `entry`.
    pub fn sampling_at(&self, entry: &SizeEntry) -> SamplingPolicy {
        entry.sampling.unwrap_or(self.sampling)
    }

    /// How many processes sample the case at the size of `entry`.
    pub fn processes_at(&self, entry: &SizeEntry) -> u32 {
        entry.processes.unwrap_or(self.processes)
    }

    /// Whether `stepper` may be requested.
    pub fn admits_stepper(&self, stepper: &str) -> bool {
        stepper == "default" || self.steppers.iter().any(|admitted| admitted == stepper)
    }
}

impl WorkerSpec {
    fn defect(&self) -> Option<Defect> {
        let reason = match (&self.package, &self.binary, &self.command) {
            (Some(_), Some(_), None) => return None,
            (None, None, Some(command)) if !command.is_empty() => return None,
            (None, None, Some(_)) => "`command` is empty",
            (None, None, None) => "the case has no worker",
            _ => "the worker is neither one nor the other",
        };
        let advice = "give `package` and `binary` of a cargo worker, or a `command`";
        Some(Defect::new("worker", format!("{reason}: {advice}")))
    }
}

impl SizeEntry {
    fn defects(&self, size: Size) -> Vec<Defect> {
        let mut defects = self.width_defects(size);
        if self.revision == 0 {
            let reason = format!("revision 0 at size `{size}`: revisions begin at 1");
            defects.push(Defect::new("revision", reason));
        }
        let mut seen = BTreeSet::new();
        for oracle in &self.oracles {
            let reason = if !seen.insert(oracle) {
                format!("oracle `{oracle}` is there twice at size `{size}`: remove one")
            } else if let Some(reason) = name_defect(oracle) {
                format!("oracle at size `{size}`: {reason}")
            } else {
                continue;
            };
            defects.push(Defect::new("oracles", reason));
        }
        for (width, estimate) in &self.estimates {
            if !self.widths.contains(width) {
                let reason = format!(
                    "the estimate at width `{width}` is for a width that size `{size}` does not \
                     have: add it to `widths` or remove the estimate"
                );
                defects.push(Defect::new("estimates", reason));
            }
            let sound = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
            if !sound(estimate.run_s) || !sound(estimate.setup_s) {
                let reason = format!("the estimate at width `{width}` is not a time");
                defects.push(Defect::new("estimates", reason));
            }
        }
        defects.extend(self.sampling.as_ref().and_then(SamplingPolicy::defect));
        for defect in &mut defects {
            defect.size = Some(size);
        }
        defects
    }

    fn width_defects(&self, size: Size) -> Vec<Defect> {
        let mut defects = Vec::new();
        if self.widths.is_empty() {
            let reason = format!("no widths at size `{size}`: give at least one");
            defects.push(Defect::new("widths", reason));
        }
        let mut seen = BTreeSet::new();
        for width in &self.widths {
            if !seen.insert(*width) {
                let reason = format!("width `{width}` is there twice at size `{size}`: remove one");
                defects.push(Defect::new("widths", reason));
            }
        }
        defects
    }
}

#[cfg(test)]
mod tests;
