//! What the samples of a configuration say, as it is stored and printed.
//!
//! Everything is computed from the raw samples of the receipt, by the code that every reader has:
//! a worker describes and does not conclude.

use longrun_measure::sampling::{SampledFacts, diagnose};
use longrun_measure::statistics::Statistics;
use longrun_protocol::Receipt;
use longrun_protocol::receipt::Sample;
use longrun_protocol::sampling::{
    AllocationCounts, AllocationReport, ClockReport, ReferenceReport, SampledReport, Stopped,
    WorkReport,
};
use serde::{Deserialize, Serialize};

use crate::doctor::roof::kept::{Kept, Rates, Reached};
use crate::run::judge::sampled::is_of_clock;

/// Sampled work of one configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampledResult {
    /// Of the times of one operation, ns.
    pub statistics: Statistics,
    /// Operations of every block.
    pub ops: u64,
    /// Every sample, in order.
    pub samples: Vec<Sample>,
    /// Blocks that were run before the first sample.
    pub warm_up_blocks: usize,
    /// Why sampling ended.
    pub stopped: Stopped,
    /// Whether blocks last as long as was wanted; `None` where their size was given.
    pub target_met: Option<bool>,
    /// Blocks for which the clock gave no interval.
    pub lost: u32,
    /// The clock.
    pub clock: ClockReport,
    /// What was allocated, in a pass of its own; `None` where nothing was counted.
    pub allocations: Option<AllocationReport>,
    /// What one operation does by its definition.
    pub work: Option<WorkReport>,
    /// How far the output is from that of the reference, where there is one.
    pub reference: Option<ReferenceReport>,
    /// Whether the clock can time the blocks.
    pub resolved: bool,
    /// Why the times mean less than they seem to, if they do.
    pub warning: Option<Reservation>,
    /// Floating-point operations in a second, 10^9, by the median time.
    pub gflops: Option<f64>,
    /// Bytes that must be moved in a second, 10^9, by the median time.
    pub gbytes_per_s: Option<f64>,
    /// How much of the roof of this machine these rates reach, where it is known. What was found is
    /// stored without: the roof is measured on its own.
    #[serde(default)]
    pub reached: Option<Reached>,
}

/// A warning of the harness, by its stable code and in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Stable word.
    pub code: String,
    /// What it means for the reader.
    pub sentence: String,
}

/// What one operation allocates, on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allocated {
    /// Blocks.
    pub count: f64,
    /// Bytes that were asked for.
    pub bytes: f64,
    /// Bytes that stay; below zero where more is freed.
    pub kept: f64,
}

impl SampledResult {
    /// What the samples of a receipt say; `None` where it has none that are times.
    pub fn of(receipt: &Receipt) -> Option<Self> {
        let report = receipt.sampled.as_ref()?;
        SampledResult::from_parts(report, &receipt.samples)
    }

    fn from_parts(report: &SampledReport, samples: &[Sample]) -> Option<Self> {
        let facts = SampledFacts::of(samples, &report.clock);
        let statistics = facts.statistics?;
        let warning = diagnose(&facts);
        let resolved = !warning.as_ref().is_some_and(is_of_clock);
        let warning = warning.map(|warning| Reservation {
            code: warning.code().to_owned(),
            sentence: warning.sentence(),
        });
        let rate = |count: Option<f64>| {
            let known = count.filter(|_| statistics.median > 0.0);
            // Something in a nanosecond is 10^9 of it in a second.
            known.map(|count| count / statistics.median)
        };
        Some(SampledResult {
            statistics,
            ops: report.ops,
            samples: samples.to_vec(),
            warm_up_blocks: report.warm_up.len(),
            stopped: report.stopped,
            target_met: report.target_met,
            lost: report.lost,
            clock: report.clock,
            allocations: report.allocations,
            work: report.work,
            reference: report.reference,
            resolved,
            warning,
            gflops: rate(report.work.and_then(|work| work.flops)),
            gbytes_per_s: rate(report.work.and_then(|work| work.bytes)),
            reached: None,
        })
    }

    /// Holds the rates against the roof of this machine at so many threads.
    pub fn hold_against(&mut self, roof: &Kept, threads: u32) {
        let bytes = self.work.and_then(|work| work.bytes);
        let rates = Rates {
            flops_per_s: self.gflops.map(|rate| rate * 1e9),
            bytes_per_s: self.gbytes_per_s.map(|rate| rate * 1e9),
            // Counted by hand, so far below 2^53; a number below zero becomes zero.
            bytes: bytes.map(|bytes| bytes.round() as u64),
        };
        self.reached = roof.reached(threads, &rates);
    }

    /// What one operation allocates: by everything in the process where that was counted, else by
    /// its Rust code. `None` where nothing was counted, which is not zero.
    pub fn allocated(&self) -> Option<Allocated> {
        let report = self.allocations?;
        let AllocationCounts {
            allocations,
            bytes,
            live_bytes,
        } = report.process.or(report.rust)?;
        // Counts below 2^53 are exact.
        let ops = report.ops as f64;
        (report.ops > 0).then(|| Allocated {
            count: allocations as f64 / ops,
            bytes: bytes as f64 / ops,
            kept: live_bytes as f64 / ops,
        })
    }
}

#[cfg(test)]
pub mod made;

#[cfg(test)]
mod tests;
