//! How a case is sampled: in whole runs, or in blocks of operations.

use serde::{Deserialize, Serialize};

use super::Defect;
use crate::request::BlockPlan;
use crate::sampling::StopRule;

/// Most samples that a policy may ask for: a receipt keeps every one of them.
pub const SAMPLES_MAX: u32 = 100_000;

/// Most processes that a case may be sampled in.
pub const PROCESSES_MAX: u32 = 64;

/// Most operations of a block. Operations of a quarter of a nanosecond fill a second with so many;
/// of shorter ones there are none.
pub const BLOCK_OPS_MAX: u64 = 1 << 32;

/// How a case is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SamplingPolicy {
    /// Whole runs, each one sample.
    Complete {
        /// Timed repeats.
        repeats: u32,
    },
    /// Blocks of operations until the stop rule is met.
    Sampled {
        /// Least time of a block.
        block_ns: u64,
        /// Least number of samples.
        samples_min: u32,
        /// Most samples.
        samples_max: u32,
        /// Least measured time in all.
        total_ns_min: u64,
        /// Most measured time in all.
        total_ns_max: u64,
    },
    /// A fixed number of blocks of operations.
    Fixed {
        /// Samples.
        repeats: u32,
        /// Least time of a block.
        block_ns: u64,
    },
}

impl Default for SamplingPolicy {
    fn default() -> Self {
        SamplingPolicy::Complete { repeats: 3 }
    }
}

impl SamplingPolicy {
    /// Timed repeats, where the policy fixes them.
    pub fn repeats(&self) -> Option<u32> {
        match self {
            SamplingPolicy::Complete { repeats } | SamplingPolicy::Fixed { repeats, .. } => {
                Some(*repeats)
            }
            SamplingPolicy::Sampled { .. } => None,
        }
    }

    /// Fewest samples that it ends with, unless a ceiling of time comes first.
    pub fn samples_min(&self) -> u32 {
        match self {
            SamplingPolicy::Complete { repeats } | SamplingPolicy::Fixed { repeats, .. } => {
                *repeats
            }
            SamplingPolicy::Sampled { samples_min, .. } => *samples_min,
        }
    }

    /// Whether a sample is a block of operations and not a whole run.
    pub fn is_sampled(&self) -> bool {
        !matches!(self, SamplingPolicy::Complete { .. })
    }

    /// The same with exactly so many repeats: then nothing is left for the samples to decide.
    pub fn with_repeats(self, repeats: u32) -> Self {
        match self {
            SamplingPolicy::Complete { .. } => SamplingPolicy::Complete { repeats },
            SamplingPolicy::Sampled { block_ns, .. } | SamplingPolicy::Fixed { block_ns, .. } => {
                SamplingPolicy::Fixed { repeats, block_ns }
            }
        }
    }

    /// How many operations a block has. Blocks grow until one is long enough: an estimate from one
    /// operation would rest on what the clock cannot resolve.
    pub fn block_plan(&self) -> Option<BlockPlan> {
        match self {
            SamplingPolicy::Complete { .. } => None,
            SamplingPolicy::Sampled { block_ns, .. } | SamplingPolicy::Fixed { block_ns, .. } => {
                Some(BlockPlan::Geometric {
                    target_ns: *block_ns,
                    ops_max: BLOCK_OPS_MAX,
                })
            }
        }
    }

    /// When sampling ends.
    pub fn stop(&self) -> Option<StopRule> {
        match *self {
            SamplingPolicy::Complete { .. } => None,
            SamplingPolicy::Sampled {
                samples_min,
                samples_max,
                total_ns_min,
                total_ns_max,
                ..
            } => Some(StopRule::Adaptive {
                samples_min,
                samples_max,
                total_ns_min,
                total_ns_max,
            }),
            SamplingPolicy::Fixed { repeats, .. } => Some(StopRule::Fixed { samples: repeats }),
        }
    }

    /// Seconds that the samples take together, where one run or operation takes `run_s`.
    pub fn seconds(&self, run_s: f64) -> f64 {
        // Times up to a hundred days are exact to the nanosecond in f64.
        let seconds = |ns: u64| ns as f64 * 1e-9;
        match *self {
            SamplingPolicy::Complete { repeats } => f64::from(repeats) * run_s,
            SamplingPolicy::Fixed { repeats, block_ns } => {
                f64::from(repeats) * seconds(block_ns).max(run_s)
            }
            SamplingPolicy::Sampled {
                block_ns,
                samples_min,
                samples_max,
                total_ns_min,
                total_ns_max,
            } => {
                let block = seconds(block_ns).max(run_s);
                let asked = (f64::from(samples_min) * block).max(seconds(total_ns_min));
                let ceiling = (f64::from(samples_max) * block).min(seconds(total_ns_max));
                // A block that has begun is finished, whatever the ceiling is.
                asked.min(ceiling).max(block)
            }
        }
    }

    pub(super) fn defect(&self) -> Option<Defect> {
        let (key, reason) = match *self {
            SamplingPolicy::Complete { repeats } | SamplingPolicy::Fixed { repeats, .. }
                if repeats == 0 || repeats > SAMPLES_MAX =>
            {
                ("repeats", format!("`repeats` must be 1 to {SAMPLES_MAX}"))
            }
            SamplingPolicy::Fixed { block_ns: 0, .. }
            | SamplingPolicy::Sampled { block_ns: 0, .. } => {
                ("block_ns", "`block_ns` must be at least 1".to_owned())
            }
            SamplingPolicy::Sampled { samples_min: 0, .. } => {
                ("samples_min", "`samples_min` must be at least 1".to_owned())
            }
            SamplingPolicy::Sampled {
                samples_min,
                samples_max,
                ..
            } if samples_min > samples_max || samples_max > SAMPLES_MAX => {
                let reason = format!(
                    "`samples_max` must not be below `samples_min`, nor above {SAMPLES_MAX}"
                );
                ("samples_max", reason)
            }
            SamplingPolicy::Sampled {
                total_ns_min,
                total_ns_max,
                ..
            } if total_ns_max == 0 || total_ns_min > total_ns_max => {
                let reason = "`total_ns_max` must be at least 1 and not below `total_ns_min`";
                ("total_ns_max", reason.to_owned())
            }
            SamplingPolicy::Sampled {
                block_ns,
                samples_min,
                total_ns_max,
                ..
            } if u64::from(samples_min).saturating_mul(block_ns) > total_ns_max => {
                let reason = "`total_ns_max` must allow `samples_min` blocks of `block_ns`";
                ("total_ns_max", reason.to_owned())
            }
            _ => return None,
        };
        Some(Defect::new(key, reason))
    }
}

/// What is wrong with so many processes of work that is sampled like this.
pub(super) fn processes_defect(processes: u32, policy: SamplingPolicy) -> Option<Defect> {
    let reason = match processes {
        1 => return None,
        2..=PROCESSES_MAX if policy.is_sampled() => return None,
        2..=PROCESSES_MAX => {
            "complete runs are repeated in one process: remove `processes`, or sample in blocks"
                .to_owned()
        }
        _ => format!("`processes` must be 1 to {PROCESSES_MAX}"),
    };
    Some(Defect::new("processes", reason))
}

#[cfg(test)]
mod tests;
