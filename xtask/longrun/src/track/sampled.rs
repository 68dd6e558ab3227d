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
    /// Operations of every block; where there were several processes, those of the first.
    pub ops: u64,
    /// Every sample, in order.
    pub samples: Vec<Sample>,
    /// Medians of the processes that they are of, ns; empty where there was one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub process_medians_ns: Vec<f64>,
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

/// What times say by themselves, and beside the work that was done.
struct Said {
    statistics: Statistics,
    resolved: bool,
    warning: Option<Reservation>,
    gflops: Option<f64>,
    gbytes_per_s: Option<f64>,
}

impl Said {
    /// `None` where there are no times.
    fn of(samples: &[Sample], clock: &ClockReport, work: Option<WorkReport>) -> Option<Said> {
        let facts = SampledFacts::of(samples, clock);
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
        Some(Said {
            statistics,
            resolved,
            warning,
            gflops: rate(work.and_then(|work| work.flops)),
            gbytes_per_s: rate(work.and_then(|work| work.bytes)),
        })
    }
}

/// The clock with the longest tick; one whose tick was not seen may have any.
fn coarsest(parts: &[&SampledResult]) -> Option<ClockReport> {
    let clocks = parts.iter().map(|part| part.clock);
    clocks.max_by_key(|clock| clock.granularity_ns.unwrap_or(u64::MAX))
}

/// The counts with the most blocks per operation; none where one process counted nothing.
fn most_allocating(parts: &[&SampledResult]) -> Option<AllocationReport> {
    let counted: Option<Vec<(f64, AllocationReport)>> = parts
        .iter()
        .map(|part| Some((part.allocated()?.count, part.allocations?)))
        .collect();
    let most = counted?.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(most.1)
}

/// The output that is farthest from that of the reference; one of unknown distance is farther.
fn farthest(parts: &[&SampledResult]) -> Option<ReferenceReport> {
    let reports = parts.iter().filter_map(|part| part.reference);
    let distance = |report: &ReferenceReport| report.relative_l2.unwrap_or(f64::INFINITY);
    reports.max_by(|a, b| distance(a).total_cmp(&distance(b)))
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
        let said = Said::of(samples, &report.clock, report.work)?;
        Some(SampledResult {
            statistics: said.statistics,
            ops: report.ops,
            samples: samples.to_vec(),
            process_medians_ns: Vec::new(),
            warm_up_blocks: report.warm_up.len(),
            stopped: report.stopped,
            target_met: report.target_met,
            lost: report.lost,
            clock: report.clock,
            allocations: report.allocations,
            work: report.work,
            reference: report.reference,
            resolved: said.resolved,
            warning: said.warning,
            gflops: said.gflops,
            gbytes_per_s: said.gbytes_per_s,
            reached: None,
        })
    }

    /// What the samples of several processes say together; none of none. Of what each has found,
    /// the least favourable counts.
    pub fn gathered(parts: &[&SampledResult]) -> Option<Self> {
        let first = *parts.first()?;
        let samples: Vec<Sample> = parts.iter().flat_map(|part| part.samples.clone()).collect();
        let clock = coarsest(parts)?;
        let said = Said::of(&samples, &clock, first.work)?;
        let early = parts.iter().find(|part| part.stopped != Stopped::Enough);
        let met: Option<Vec<bool>> = parts.iter().map(|part| part.target_met).collect();
        let lost = parts.iter().map(|part| part.lost);
        Some(SampledResult {
            statistics: said.statistics,
            ops: first.ops,
            samples,
            process_medians_ns: parts.iter().map(|part| part.statistics.median).collect(),
            warm_up_blocks: parts.iter().map(|part| part.warm_up_blocks).sum(),
            stopped: early.map_or(first.stopped, |part| part.stopped),
            target_met: met.map(|met| met.iter().all(|met| *met)),
            lost: lost.fold(0, u32::saturating_add),
            clock,
            allocations: most_allocating(parts),
            work: first.work,
            reference: farthest(parts),
            resolved: said.resolved,
            warning: said.warning,
            gflops: said.gflops,
            gbytes_per_s: said.gbytes_per_s,
            reached: None,
        })
    }

    /// How far the medians of the processes lie apart, as a part of the median of all.
    pub fn process_range(&self) -> Option<f64> {
        let medians = &self.process_medians_ns;
        let least = medians.iter().copied().reduce(f64::min)?;
        let most = medians.iter().copied().reduce(f64::max)?;
        let median = self.statistics.median;
        (median > 0.0).then(|| (most - least) / median)
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
