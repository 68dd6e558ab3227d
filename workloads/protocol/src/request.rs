//! What `xtask` asks of one worker process.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::configuration::Configuration;
use crate::duet::{CheckpointPlan, DuetPlan};
use crate::sampling::StopRule;

/// The open map in which a case's parameters travel, as the registry gives them.
pub type Parameters = serde_json::Map<String, serde_json::Value>;

/// What the worker is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Warm up, then run the configuration `repeats` times, timed.
    Run,
    /// Add the FFT plans that the configuration needs to the wisdom store.
    PrepareFft,
    /// Run once, untimed, and keep the state at checkpoints along the way.
    Checkpoint,
    /// Load two libraries and alternate segments of the same work.
    Duet,
    /// Run once, untimed, and measure the quantities of the case's oracles.
    Verify,
    /// Run once, untimed, and draw what came out and how.
    Plot,
}

/// A native library, and the key that it must carry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// Absolute path of the shared library.
    pub path: PathBuf,
    /// Build key that the library must report.
    pub build_key: String,
}

/// How many operations a timed block has, for sampled work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum BlockPlan {
    /// Grow geometrically until a block lasts `target_ns`, with at most `ops_max` operations.
    Geometric {
        /// Least time of a block.
        target_ns: u64,
        /// Most operations of a block.
        ops_max: u64,
    },
    /// `ceil(target / median warm-up)`, at most `ops_max`.
    Target {
        /// Wanted time of a block.
        target_ns: u64,
        /// Most operations of a block.
        ops_max: u64,
    },
    /// Exactly as many as an earlier plan froze.
    Frozen {
        /// Operations of every block.
        ops: u64,
    },
}

/// The bounds that the worker needs to know of to describe its own repeats.
///
/// The verdict is not the worker's: `xtask` judges consistency from the receipt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Largest relative L2 difference of the final state between repeats of one run.
    pub repeat: f64,
    /// Largest relative L2 difference between two revisions of the same physics.
    pub revision: f64,
}

fn no(value: &bool) -> bool {
    !value
}

/// What one worker process is asked to do. Written to `request.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Version of the protocol; a worker refuses any other.
    #[cfg_attr(test, schemars(extend("const" = crate::PROTOCOL_VERSION)))]
    pub protocol_version: u32,
    /// Unique to this request; the receipt repeats it.
    pub request_id: String,
    /// What to do.
    pub task: Task,
    /// What the process computes.
    pub configuration: Configuration,
    /// Which of its problem families a worker is to set up: `gnlse`, …
    pub interface: String,
    /// Parameters of the case at this size, as in the registry.
    pub parameters: Parameters,
    /// Native library; absent for the reference engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<Library>,
    /// FFT wisdom to read; absent: plan anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wisdom: Option<PathBuf>,
    /// Threads to run with, at least 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub threads: u32,
    /// Timed repeats of a complete run, at least 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub repeats: u32,
    /// Untimed part run before the repeats, as a fraction of the whole (at least one step).
    pub warm_up: f64,
    /// Fraction of the whole to run, in (0, 1]; 1 for everything that is recorded.
    pub length: f64,
    /// Block plan of a sampled case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_plan: Option<BlockPlan>,
    /// When to stop sampling; absent: after `repeats` samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopRule>,
    /// Blocks that are run and not sampled first, of sampled work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up_blocks: Option<u32>,
    /// Whether to count allocations in a pass of its own, of sampled work.
    #[serde(default, skip_serializing_if = "no")]
    pub count_allocations: bool,
    /// Whether to add a repeat that is in no statistic and says where its time went.
    #[serde(default, skip_serializing_if = "no")]
    pub breakdown: bool,
    /// Step lengths, in metres, to take instead of controlling the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay_steps: Option<Vec<f64>>,
    /// Seed of the noise; absent where the case has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Noise model of the case: `input` (one photon per mode) or `none`.
    pub noise: String,
    /// Stepper that `default` stands for, as the registry gives it.
    pub default_stepper: String,
    /// Bounds of the case.
    pub bounds: Bounds,
    /// Whether to keep the final state as an artifact.
    #[serde(default)]
    pub keep_state: bool,
    /// Oracles to measure, by the names of the registry (task `verify`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub oracles: Vec<String>,
    /// What to prepare (task `checkpoint`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointPlan>,
    /// The other side, and what to alternate (task `duet`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duet: Option<DuetPlan>,
}
