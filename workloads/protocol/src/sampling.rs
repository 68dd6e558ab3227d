//! Sampled work: operations of nanoseconds to seconds, timed in blocks.
//!
//! A block is one timed interval of `ops` operations; every block of a process has equally many.
//! How many is planned by [`BlockPlan`](crate::request::BlockPlan) before the first sample, and
//! when to stop is said by [`StopRule`].

use serde::{Deserialize, Serialize};

use crate::receipt::Sample;

/// When sampling ends. A block that has begun is always finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum StopRule {
    /// After so many samples.
    Fixed {
        /// Samples, at least 1.
        samples: u32,
    },
    /// When there are enough samples and enough measured time, or at either ceiling.
    Adaptive {
        /// Least number of samples.
        samples_min: u32,
        /// Most samples.
        samples_max: u32,
        /// Least measured time in all, ns.
        total_ns_min: u64,
        /// Most measured time in all, ns.
        total_ns_max: u64,
    },
}

/// Why sampling ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// There were as many samples, and as much measured time, as were asked for.
    Enough,
    /// At the most samples.
    SamplesMax,
    /// At the most measured time.
    TotalMax,
    /// The clock gave so few intervals that the attempts ran out.
    AttemptsMax,
}

/// What the clock of the process is like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClockReport {
    /// Mean difference of two successive readings, ns; absent if none could be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead_ns: Option<f64>,
    /// Smallest difference above zero that was seen, ns; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granularity_ns: Option<u64>,
    /// Pairs of readings that were taken.
    pub pairs: u64,
}

/// What one allocator was asked for over some operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AllocationCounts {
    /// Blocks that were allocated; a reallocation counts as one.
    pub allocations: u64,
    /// Bytes that were asked for.
    pub bytes: u64,
    /// Bytes that were held at the end and not at the beginning; below zero where more was freed.
    pub live_bytes: i64,
}

/// What was allocated in a pass of its own, which is not timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AllocationReport {
    /// Operations of the pass, at least 1.
    pub ops: u64,
    /// By the Rust code of the worker; absent where it is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rust: Option<AllocationCounts>,
    /// By everything in the process: C++, FFT library and Rust; absent where it cannot be counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<AllocationCounts>,
}

/// What one operation does by its definition; counted by hand, never measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorkReport {
    /// Floating-point operations; a transform of n complex values counts as 5 n log2 n, a real one
    /// as half of that. Absent where nobody has counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flops: Option<f64>,
    /// Bytes that must be read once and written once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<f64>,
}

/// How far the output of one operation is from what another implementation computes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReferenceReport {
    /// Relative L2 difference; absent where it is no finite number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative_l2: Option<f64>,
    /// What it may be at most.
    pub bound: f64,
}

impl ReferenceReport {
    /// Whether the output is as close as it must be. No value has not passed.
    pub fn passed(&self) -> bool {
        self.relative_l2.is_some_and(|found| found <= self.bound)
    }
}

/// How the samples of a receipt came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SampledReport {
    /// Operations of every block.
    pub ops: u64,
    /// Whether a block of that many reached the wanted time; absent where none was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_met: Option<bool>,
    /// Blocks of the calibration and of the warm-up, in order. They are in no statistic.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warm_up: Vec<Sample>,
    /// Why sampling ended.
    pub stopped: Stopped,
    /// Blocks for which the clock gave no interval, because it went back.
    #[serde(default)]
    pub lost: u32,
    /// The clock.
    pub clock: ClockReport,
    /// What was allocated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocations: Option<AllocationReport>,
    /// What one operation does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<WorkReport>,
    /// The check of the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<ReferenceReport>,
}

/// Where the time of one complete run went: an extra repeat that is in no statistic, because
/// reading the clock between its parts costs time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Breakdown {
    /// Wall time of the whole repeat, ns.
    pub run_ns: u64,
    /// Inside transforms, those of absorbing and observing aside.
    pub fft_ns: u64,
    /// Inside the other loops of source evaluations.
    pub pointwise_ns: u64,
    /// Inside the loops of the stepper: stages, predictions, corrections, norms, exponentials.
    pub stepper_ns: u64,
    /// Inside absorb.
    pub absorb_ns: u64,
    /// Inside observe.
    pub observe_ns: u64,
    /// Source evaluations of the repeat.
    pub evaluations: u64,
    /// Mean time of a source evaluation in a loop on the state at mid-guide, ns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bare_evaluation_ns: Option<f64>,
    /// Mean time of its transforms alone, ns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transforms_ns: Option<f64>,
    /// Bytes that an evaluation must read and write once, its transforms aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_bytes: Option<u64>,
    /// Evaluations of each of these loops.
    pub loop_evaluations: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_without_a_distance_has_not_passed() {
        let report = |relative_l2| ReferenceReport {
            relative_l2,
            bound: 1e-12,
        };
        for (relative_l2, passed) in [
            (Some(0.0), true),
            (Some(1e-12), true),
            (Some(1.1e-12), false),
            (Some(f64::NAN), false),
            (None, false),
        ] {
            assert_eq!(report(relative_l2).passed(), passed, "{relative_l2:?}");
        }
    }
}
