//! Operations of nanoseconds to seconds, timed in blocks.
//!
//! [`sample`] plans the size of a block, warms up, and times blocks until the stop rule is met. The
//! clock and the operation are given to it, so a test says how long everything takes. Every block
//! is kept: those of planning and warm-up apart, because they are in no statistic.
//!
//! Between the two readings of the clock there is the operation of a block and nothing else: no
//! allocation, no call through a table. What is counted beside time, such as allocations, is
//! counted in a pass of its own.

mod bench;
mod blocks;
mod operation;
mod stop;
mod warning;

use std::fmt;

use longrun_protocol::Sample;
use longrun_protocol::request::BlockPlan;
use longrun_protocol::sampling::{ClockReport, SampledReport, StopRule, Stopped};

use crate::clock::{Clock, Probed};
use bench::{Bench, Room};
use blocks::Planned;
use stop::Progress;

pub use longrun_protocol::registry::SAMPLES_MAX;
pub use operation::{Operation, repeat};
pub use warning::{SampledFacts, Warning, diagnose, is_a_note};

/// Most blocks of warm-up that can be asked for.
pub const WARM_UP_BLOCKS_MAX: u32 = 1_000;

/// How something is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How many operations a block has.
    pub block: BlockPlan,
    /// When to stop.
    pub stop: StopRule,
    /// Blocks before the first sample. Fewer where they last as long as all samples may.
    pub warm_up_blocks: u32,
}

impl Settings {
    /// A second of evidence in blocks of a millisecond.
    pub fn full() -> Self {
        Settings::adaptive(3, 30, 1_000_000_000)
    }

    /// A tenth of that.
    pub fn quick() -> Self {
        Settings::adaptive(1, 10, 100_000_000)
    }

    fn adaptive(warm_up_blocks: u32, samples_min: u32, total_ns_min: u64) -> Self {
        Settings {
            block: BlockPlan::Geometric {
                target_ns: 1_000_000,
                ops_max: 100_000_000,
            },
            stop: StopRule::Adaptive {
                samples_min,
                samples_max: 1_000,
                total_ns_min,
                total_ns_max: 30_000_000_000,
            },
            warm_up_blocks,
        }
    }

    /// What makes them impossible to follow, if something does.
    pub fn defect(&self) -> Option<&'static str> {
        let ops = match self.block {
            BlockPlan::Frozen { ops } => ops,
            BlockPlan::Geometric { ops_max, .. } | BlockPlan::Target { ops_max, .. } => ops_max,
        };
        let samples_max = stop::samples_max(&self.stop);
        let contradiction = match self.stop {
            StopRule::Fixed { .. } => false,
            StopRule::Adaptive {
                samples_min,
                samples_max,
                total_ns_min,
                total_ns_max,
            } => samples_min > samples_max || total_ns_min > total_ns_max,
        };
        let defects = [
            (ops == 0, "a block without operations"),
            (samples_max == 0, "no samples"),
            (
                samples_max > u64::from(SAMPLES_MAX),
                "more samples than a receipt may have",
            ),
            (contradiction, "a least number or time above the most"),
            (
                self.warm_up_blocks > WARM_UP_BLOCKS_MAX,
                "more than 1,000 blocks of warm-up",
            ),
        ];
        let mut found = defects.into_iter().filter(|(is_so, _)| *is_so);
        found.next().map(|(_, defect)| defect)
    }
}

/// What sampling found.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// Blocks that count, in order; each has `ops` operations.
    pub samples: Vec<Sample>,
    /// Operations of a block.
    pub ops: u64,
    /// Whether a block of that many lasts as long as was wanted; none where nothing was.
    pub target_met: Option<bool>,
    /// Blocks of planning and warm-up, in order.
    pub warm_up: Vec<Sample>,
    /// Why sampling ended.
    pub stopped: Stopped,
    /// Blocks of either kind for which the clock gave no interval, because it went back.
    pub lost: u32,
    /// What the clock is like.
    pub clock: ClockReport,
}

impl Sampled {
    /// The samples, and the rest as a receipt has it. What is found beside times is left open.
    pub fn into_report(self) -> (Vec<Sample>, SampledReport) {
        let report = SampledReport {
            ops: self.ops,
            target_met: self.target_met,
            warm_up: self.warm_up,
            stopped: self.stopped,
            lost: self.lost,
            clock: self.clock,
            allocations: None,
            work: None,
            reference: None,
        };
        (self.samples, report)
    }

    /// What a diagnosis reads.
    pub fn facts(&self) -> SampledFacts {
        SampledFacts::of(&self.samples, &self.clock)
    }
}

/// Why there is no result, and what had been timed until then.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenOff<E> {
    /// What happened.
    pub cause: Cause<E>,
    /// Blocks of planning and warm-up.
    pub warm_up: Vec<Sample>,
    /// Blocks that would have counted.
    pub samples: Vec<Sample>,
    /// Blocks for which the clock gave no interval.
    pub lost: u32,
}

/// Why sampling broke off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause<E> {
    /// It was asked for something impossible, and did not begin.
    Settings(&'static str),
    /// The operation failed.
    Operation(E),
}

impl<E: fmt::Display> fmt::Display for BrokenOff<E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Settings(defect) => write!(
                out,
                "failed to begin sampling: it was asked for {defect}; correct the sampling policy"
            ),
            Cause::Operation(error) => write!(
                out,
                "failed to sample the operation: it failed after {} blocks of warm-up and {} \
                 samples: {error}",
                self.warm_up.len(),
                self.samples.len()
            ),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for BrokenOff<E> {}

/// Plans, warms up and samples an operation.
///
/// An operation that takes longer than all samples may is done three times: twice for the plan,
/// once as the only sample. Nothing bounds a single block, because it cannot be ended from within.
pub fn sample<C: Clock, O: Operation>(
    settings: &Settings,
    clock: &Probed<'_, C>,
    operation: &mut O,
) -> Result<Sampled, BrokenOff<O::Error>> {
    if let Some(defect) = settings.defect() {
        return Err(BrokenOff {
            cause: Cause::Settings(defect),
            warm_up: Vec::new(),
            samples: Vec::new(),
            lost: 0,
        });
    }
    let mut bench = Bench::new(clock.clock, operation, room(settings));
    let done = course(settings, &clock.report, &mut bench);
    let Bench {
        warm_up,
        samples,
        lost,
        ..
    } = bench;
    match done {
        Ok((planned, stopped)) => Ok(Sampled {
            samples,
            ops: planned.ops,
            target_met: planned.target_met,
            warm_up,
            stopped,
            lost,
            clock: clock.report,
        }),
        Err(error) => Err(BrokenOff {
            cause: Cause::Operation(error),
            warm_up,
            samples,
            lost,
        }),
    }
}

/// How many blocks there can be.
fn room(settings: &Settings) -> Room {
    let warm_up = u64::from(blocks::TRIALS_MAX) + u64::from(settings.warm_up_blocks);
    let size = |count| usize::try_from(count).unwrap_or(0);
    Room {
        warm_up: size(warm_up),
        samples: size(stop::samples_max(&settings.stop)),
    }
}

fn course<C: Clock, O: Operation>(
    settings: &Settings,
    clock: &ClockReport,
    bench: &mut Bench<'_, C, O>,
) -> Result<(Planned, Stopped), O::Error> {
    let planned = blocks::plan(&settings.block, clock, bench)?;
    warm_up(settings, planned.ops, bench)?;
    let stopped = until_stopped(&settings.stop, planned.ops, bench)?;
    Ok((planned, stopped))
}

fn warm_up<C: Clock, O: Operation>(
    settings: &Settings,
    ops: u64,
    bench: &mut Bench<'_, C, O>,
) -> Result<(), O::Error> {
    let planning = bench.warm_up.iter().map(|block| block.interval_ns);
    let mut total_ns = planning.fold(0, u64::saturating_add);
    for _ in 0..settings.warm_up_blocks {
        if stop::total_ns_max(&settings.stop).is_some_and(|most| total_ns >= most) {
            break;
        }
        total_ns = total_ns.saturating_add(bench.trial(ops)?.unwrap_or(0));
    }
    Ok(())
}

/// The loop that times. Bounded by the attempts of the rule.
fn until_stopped<C: Clock, O: Operation>(
    rule: &StopRule,
    ops: u64,
    bench: &mut Bench<'_, C, O>,
) -> Result<Stopped, O::Error> {
    let mut so_far = Progress::default();
    loop {
        so_far.attempts += 1;
        if let Some(interval_ns) = bench.sample(ops)? {
            so_far.samples += 1;
            so_far.total_ns = so_far.total_ns.saturating_add(interval_ns);
            if so_far.samples == 1 {
                bench.after_first_sample()?;
            }
        }
        if let Some(stopped) = stop::stopped(rule, &so_far) {
            return Ok(stopped);
        }
    }
}

#[cfg(test)]
mod tests;
