//! What a comparison keeps, line by line: enough to compute every verdict again, on any machine.
//!
//! The first line is a [`Header`]; then one [`Observation`] per duet process or pair, written and
//! synced as it finishes; at the end an [`End`]. Times are whole nanoseconds and verdicts are
//! functions of these lines alone.

use std::collections::BTreeMap;

use longrun_protocol::Configuration;
use longrun_protocol::duet::{Side, StretchReport};
use longrun_protocol::receipt::{Resolved, Sample};
use longrun_protocol::registry::Metric;
use serde::{Deserialize, Serialize};

use crate::cli::ab::{Harness, Mode, Opinion};

/// Name of the format.
pub const SCHEMA: &str = "longrun-ab";

/// Version of the format.
pub const SCHEMA_VERSION: u32 = 1;

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Line {
    /// The first line.
    Header(Box<Header>),
    /// One observation, or a failed attempt at one.
    Observation(Box<Observation>),
    /// A comparison that was stopped goes on here.
    Resumed {
        /// When, UTC, RFC 3339.
        date: String,
    },
    /// The last line.
    End(End),
}

/// Everything that was decided before the first observation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: String,
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Id of the comparison.
    pub run_id: String,
    /// When it began, UTC, RFC 3339.
    pub date: String,
    /// The baseline.
    pub baseline: ArmRecord,
    /// The candidate; the same build as the baseline's with `aa`.
    pub candidate: ArmRecord,
    /// How their builds differ.
    pub build_difference: BuildDifference,
    /// The machine, without anything that names it.
    pub machine: MachineRecord,
    /// What was asked for, with defaults filled in.
    pub options: Options,
    /// What is compared, in the order of each round; observations refer to it by index.
    pub configurations: Vec<Compared>,
}

/// One side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArmRecord {
    /// As the user wrote it; `working tree` for the default candidate.
    pub revision: String,
    /// Full id of the commit; for the working tree that of HEAD.
    pub commit: String,
    /// Whether watched content differs from that commit.
    pub dirty: bool,
    /// First line of the commit's message.
    pub subject: String,
    /// Version of what is tracked.
    pub version: Option<String>,
    /// Key of the native build; absent where no configuration needs one.
    pub build_key: Option<String>,
    /// Digests of the workers, by worker.
    pub workers: BTreeMap<String, String>,
    /// Name, version and flags of what the native build was made with, for the gate's fingerprint.
    pub toolchain: BTreeMap<String, String>,
}

/// Why the two builds are not one, or that they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildDifference {
    /// Whether nothing that is measured differs: `same_build`.
    pub same: bool,
    /// What differs, one sentence each; why nothing does, if it does not.
    pub reasons: Vec<String>,
}

/// What of the machine a reader must know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineRecord {
    /// Hardware set, as in the history.
    pub slug: String,
    /// CPU model, where known.
    pub cpu_model: Option<String>,
    /// CPU signature, as in rows.
    pub signature: String,
    /// Operating system and architecture.
    pub platform: String,
}

/// What was asked for, with defaults filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// What one observation is, where a configuration does not need something else.
    pub mode: Mode,
    /// Whose workers run the sides.
    pub workers: Harness,
    /// Probability with which equal programs may be called changed.
    pub alpha: f64,
    /// Exact number of rounds, where one was asked for.
    pub rounds: Option<u32>,
    /// Longest time of all rounds together, s.
    pub max_time_s: f64,
    /// Seed of all coins.
    pub seed: u64,
    /// Whether both sides were kept on one core.
    pub pin: bool,
    /// Fraction of each workload that was run.
    pub length: f64,
    /// Threading policy.
    pub threading: String,
    /// Second opinion, where one was asked for.
    pub confirm: Option<Opinion>,
    /// Whether the acceptance policy is applied.
    pub gate: bool,
    /// Comparisons of a build with itself; absent for a comparison of two.
    pub aa: Option<u32>,
}

/// One configuration of either side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// As the candidate has it, or the baseline where the candidate has none.
    pub configuration: Configuration,
    /// Name of the case in the baseline, where it was another.
    pub renamed_from: Option<String>,
    /// Whether both sides can be compared.
    pub standing: Standing,
    /// What one observation is.
    pub mode: Mode,
    /// Clock that decides.
    pub metric: Metric,
    /// Margin of equivalence as a fraction: 0.01.
    pub margin: f64,
    /// Most observations.
    pub observations_max: u32,
    /// Largest relative L2 difference of states that still is the same physics.
    pub revision_bound: f64,
    /// Largest relative difference in accepted steps.
    pub step_tolerance: f64,
    /// Whether final states of complete runs say nothing across builds.
    pub chaotic: bool,
    /// Expected seconds of one observation, where known.
    pub observation_s: Option<f64>,
    /// Robust standard deviation of one observation on this machine, where A/A comparisons have
    /// shown one.
    pub known_sd: Option<f64>,
    /// What those comparisons came to; absent where there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// What comparisons of one build with itself came to on this machine, for one configuration in one
/// mode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// How many there were.
    pub comparisons: u32,
    /// How many of them called it changed, which it was not.
    pub changed: u32,
    /// How many of them proved it unchanged.
    pub unchanged: u32,
    /// Median of the robust standard deviations of one observation, as log-ratios.
    pub sd: Option<f64>,
    /// Smallest change, as a log-ratio, that the last look of the comparison with this header calls
    /// with that deviation.
    pub resolvable: Option<f64>,
}

/// Whether a configuration can be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "snake_case")]
pub enum Standing {
    /// Both sides define the same work.
    Comparable,
    /// Only the candidate has it.
    New,
    /// Only the baseline has it.
    Missing,
    /// The sides define different work; one sentence for each difference.
    Changed {
        /// What differs.
        reasons: Vec<String>,
    },
}

/// Why an observation was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Discarded: the first after an idle gap.
    WarmUp,
    /// For the verdict.
    Screen,
    /// Fresh, for a configuration that was called changed among several.
    Confirm,
    /// A pair of processes, for a second opinion.
    SecondOpinion,
}

/// One duet process or one pair of processes, or what became of the attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// Index into [`Header::configurations`].
    pub configuration: usize,
    /// Number of the comparison, from 0; above 0 with `aa` only.
    pub comparison: u32,
    /// Why it was made.
    pub phase: Phase,
    /// Number within its phase, from 0.
    pub round: u32,
    /// Seed of its coins.
    pub seed: u64,
    /// Side whose engine was created first, or whose process ran first.
    pub first: Side,
    /// Seconds since the beginning of the comparison, when it had ended.
    pub at_s: f64,
    /// Seconds that it took in all, processes and orchestration.
    pub took_s: f64,
    /// Whether other processes used the machine; absent: unknown.
    pub busy: Option<bool>,
    /// What was measured.
    pub outcome: Outcome,
}

/// What an attempt at an observation came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// A duet process.
    Duet {
        /// Side that took the first segment.
        first_segment: Side,
        /// What it visited.
        stretches: Vec<StretchReport>,
        /// What the configuration resolved to.
        resolved: Option<Resolved>,
    },
    /// Two processes.
    Pair {
        /// The baseline's.
        baseline: Box<PairSide>,
        /// The candidate's.
        candidate: Box<PairSide>,
        /// Relative L2 difference of the final states, estimated from their sketches.
        relative_l2: Option<f64>,
    },
    /// It failed: the configuration has no verdict but this.
    Failed {
        /// Side that failed; absent where that cannot be said.
        side: Option<Side>,
        /// Why.
        reason: String,
    },
}

/// One process of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairSide {
    /// Time of the complete run.
    pub sample: Sample,
    /// What the configuration resolved to.
    pub resolved: Option<Resolved>,
    /// Steps accepted.
    pub accepted: Option<u64>,
    /// Source evaluations.
    pub evaluations: Option<u64>,
    /// Iterations of an iterative workload.
    pub iterations: Option<u64>,
    /// Whether it converged.
    pub converged: Option<bool>,
    /// SHA-256 of the final state.
    pub digest: Option<String>,
}

/// How a comparison ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Why no further observation was made.
    pub why: Ending,
}

/// Why a comparison ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Every verdict is there.
    Decided,
    /// The time was up.
    OutOfTime,
    /// Nothing needed timing.
    NothingToTime,
}
