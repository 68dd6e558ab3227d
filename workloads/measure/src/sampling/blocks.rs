//! How many operations a timed block has.
//!
//! A block that lasts many ticks of the clock is timed well, whatever one operation costs. A size
//! is planned once, before the first sample, and no size is planned that was not timed, or computed
//! from times that the clock resolves.

use longrun_protocol::Sample;
use longrun_protocol::request::BlockPlan;
use longrun_protocol::sampling::ClockReport;

use super::bench::Bench;
use super::operation::Operation;
use crate::clock::Clock;
use crate::statistics::Summary;
use crate::timing::ns_per_op;

/// How many times as many operations the next block has, while blocks are too short.
const GROWTH: u64 = 4;

/// Blocks in a row that must be long enough: the first call of anything is slow, and any one block
/// may have been disturbed.
const IN_A_ROW: u32 = 2;

/// Most blocks of one plan. From 1 to 2^64 operations are 33 sizes.
pub const TRIALS_MAX: u32 = 100;

/// Blocks whose median [`BlockPlan::Target`] reckons with.
const TARGET_BLOCKS: usize = 3;

/// Ticks, or readings, of the clock that such a block lasts: one of them is a percent of it.
const RESOLVED_TICKS: f64 = 100.0;

/// The size that all blocks will have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Operations of a block, at least 1.
    pub ops: u64,
    /// Whether a block of that many lasts as long as was wanted; none where nothing was.
    pub target_met: Option<bool>,
}

/// Plans the size of blocks. What is timed for it stays in the bench, outside the samples.
pub fn plan<C: Clock, O: Operation>(
    plan: &BlockPlan,
    clock: &ClockReport,
    bench: &mut Bench<'_, C, O>,
) -> Result<Planned, O::Error> {
    let (target_ns, ops_max) = match *plan {
        BlockPlan::Frozen { ops } => {
            return Ok(Planned {
                ops,
                target_met: None,
            });
        }
        BlockPlan::Geometric { target_ns, ops_max } | BlockPlan::Target { target_ns, ops_max } => {
            (target_ns, ops_max)
        }
    };
    // By a clock that stands still no block is ever long enough, however long it really takes.
    if clock.granularity_ns.is_none() {
        return Ok(Planned {
            ops: 1,
            target_met: Some(false),
        });
    }
    match plan {
        BlockPlan::Target { .. } => aim(target_ns, ops_max, clock, bench),
        _ => grow(target_ns, ops_max, bench),
    }
}

/// Lets blocks grow from one operation until two in a row last `least_ns`.
fn grow<C: Clock, O: Operation>(
    least_ns: u64,
    ops_max: u64,
    bench: &mut Bench<'_, C, O>,
) -> Result<Planned, O::Error> {
    let planned = |ops, met| Planned {
        ops,
        target_met: Some(met),
    };
    let (mut ops, mut timed, mut in_a_row) = (1_u64, 1_u64, 0);
    for _ in 0..TRIALS_MAX {
        let Some(interval_ns) = bench.trial(ops)? else {
            continue;
        };
        timed = ops;
        if interval_ns >= least_ns {
            in_a_row += 1;
            if in_a_row == IN_A_ROW {
                return Ok(planned(ops, true));
            }
        } else if ops >= ops_max {
            return Ok(planned(ops, false));
        } else {
            in_a_row = 0;
            ops = ops.saturating_mul(GROWTH).min(ops_max);
        }
    }
    Ok(planned(timed, false))
}

/// `ceil(target / median)` of blocks that the clock resolves; of single operations, where it
/// resolves those.
fn aim<C: Clock, O: Operation>(
    target_ns: u64,
    ops_max: u64,
    clock: &ClockReport,
    bench: &mut Bench<'_, C, O>,
) -> Result<Planned, O::Error> {
    let Planned { ops, .. } = grow(resolved_ns(clock).min(target_ns), ops_max, bench)?;
    for _ in times_of(&bench.warm_up, ops).len()..TARGET_BLOCKS {
        bench.trial(ops)?;
    }
    let Some(summary) = Summary::of(&times_of(&bench.warm_up, ops)) else {
        return Ok(Planned {
            ops,
            target_met: Some(false),
        });
    };
    // Saturates: an operation that takes no time would need more than there can be.
    let wanted = (target_ns as f64 / summary.median).ceil() as u64;
    Ok(Planned {
        ops: wanted.min(ops_max).max(1),
        target_met: Some(wanted <= ops_max),
    })
}

fn times_of(blocks: &[Sample], ops: u64) -> Vec<f64> {
    let of_this_size = blocks.iter().filter(|block| block.ops == ops);
    of_this_size.map(ns_per_op).collect()
}

/// Time in which one tick of the clock, or one reading, is a percent.
fn resolved_ns(clock: &ClockReport) -> u64 {
    let tick_ns = clock.granularity_ns.unwrap_or(0) as f64;
    let step_ns = tick_ns.max(clock.overhead_ns.unwrap_or(0.0));
    (RESOLVED_TICKS * step_ns).ceil() as u64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::bench::Room;
    use super::*;
    use crate::clock::{Probed, ScriptedClock, VirtualClock};

    /// What is planned for an operation of so many ns on a clock of 25 ns, and the blocks that were
    /// timed for it.
    fn planned(plan: BlockPlan, op_ns: f64) -> (Planned, Vec<u64>) {
        let clock = VirtualClock::new(25.0, 25);
        let report = Probed::new(&clock).report;
        let mut operation = |ops: u64| {
            clock.pass(ops as f64 * op_ns);
            Ok::<(), String>(())
        };
        let mut bench = Bench::new(&clock, &mut operation, Room::default());
        let planned = super::plan(&plan, &report, &mut bench).unwrap();
        let trials = bench.warm_up.iter().map(|sample| sample.ops).collect();
        (planned, trials)
    }

    fn geometric(target_ns: u64, ops_max: u64) -> BlockPlan {
        BlockPlan::Geometric { target_ns, ops_max }
    }

    fn target(target_ns: u64, ops_max: u64) -> BlockPlan {
        BlockPlan::Target { target_ns, ops_max }
    }

    fn met(ops: u64) -> Planned {
        Planned {
            ops,
            target_met: Some(true),
        }
    }

    fn missed(ops: u64) -> Planned {
        Planned {
            ops,
            target_met: Some(false),
        }
    }

    #[test]
    fn blocks_grow_by_four_until_two_in_a_row_are_long_enough() {
        let (planned, trials) = planned(geometric(1_000_000, 100_000_000), 40.0);
        assert_eq!(planned, met(65_536));
        let sizes: Vec<u64> = (0..9).map(|power| 4_u64.pow(power)).collect();
        assert_eq!(trials, [&sizes[..], &[65_536]].concat());
    }

    #[test]
    fn a_long_operation_is_a_block_of_its_own_after_two_calls() {
        let (planned, trials) = planned(geometric(1_000_000, 100), 5e9);
        assert_eq!((planned, trials), (met(1), vec![1, 1]));
    }

    /// The original let 4^14 operations through where 10^8 were allowed, and never timed them.
    #[test]
    fn a_capped_block_has_the_most_operations_that_are_allowed_and_was_timed() {
        let (planned, trials) = planned(geometric(1_000_000, 50), 40.0);
        assert_eq!(planned, missed(50));
        assert_eq!(trials, [1, 4, 16, 50]);
    }

    #[test]
    fn the_largest_block_may_just_reach_the_target() {
        let (planned, trials) = planned(geometric(2_000, 50), 40.0);
        assert_eq!((planned, trials), (met(50), vec![1, 4, 16, 50, 50]));
    }

    /// What the clock says of blocks of 1, 1, 4, 4, … operations.
    fn scripted(intervals: &[u64], plan: BlockPlan) -> Planned {
        let mut readings = Vec::new();
        let mut now = 0;
        for interval in intervals {
            readings.extend([now, now + interval]);
            now += interval;
        }
        let clock = ScriptedClock::new(&readings, &[]);
        let mut operation = |_: u64| Ok::<(), String>(());
        let report = ClockReport {
            overhead_ns: Some(1.0),
            granularity_ns: Some(1),
            pairs: 64,
        };
        let mut bench = Bench::new(&clock, &mut operation, Room::default());
        super::plan(&plan, &report, &mut bench).unwrap()
    }

    /// The original planned before any warm-up.
    #[test]
    fn a_cold_first_call_does_not_make_blocks_too_short() {
        let plan = geometric(1_000, 1_000);
        assert_eq!(scripted(&[90_000, 300, 1_200, 1_100], plan), met(4));
        assert_eq!(scripted(&[300, 9_000, 800, 2_000, 3_000], plan), met(16));
    }

    #[test]
    fn a_target_is_divided_by_the_median_of_three() {
        // The clock resolves one operation, so the blocks are of one.
        let plan = target(1_000, 64);
        assert_eq!(scripted(&[900, 300, 290], plan), met(4));
        assert_eq!(scripted(&[900, 200, 210], plan), met(5));
        assert_eq!(scripted(&[40_000, 2_000, 2_000], plan), met(1));
    }

    #[test]
    fn a_capped_target_says_that_it_was_not_met() {
        assert_eq!(scripted(&[9, 9, 9], target(9, 64)), met(1));
        assert_eq!(scripted(&[900, 300, 310], target(100_000, 64)), missed(64));
    }

    #[test]
    fn a_target_for_an_operation_below_the_tick_is_reckoned_from_longer_blocks() {
        // A hundred ticks are 2,500 ns; 64 operations and a reading last 2,585 ns.
        let (planned, trials) = planned(target(1_000_000, 100_000_000), 40.0);
        assert_eq!(trials, [1, 4, 16, 64, 64, 64]);
        assert_eq!(planned.target_met, Some(true));
        let exact = 25_000.0;
        assert!(
            (planned.ops as f64 / exact - 1.0).abs() < 0.02,
            "{planned:?}"
        );
    }

    #[test]
    fn a_frozen_size_is_taken_as_it_is_without_a_trial() {
        let (frozen, trials) = planned(BlockPlan::Frozen { ops: 7 }, 40.0);
        let expected = Planned {
            ops: 7,
            target_met: None,
        };
        assert_eq!((frozen, trials), (expected, vec![]));
    }

    #[test]
    fn nothing_is_planned_by_a_clock_that_stands_still() {
        let still = ScriptedClock::new(&[5], &[]);
        let report = Probed::new(&still).report;
        let mut calls = 0;
        let mut operation = |_: u64| {
            calls += 1;
            Ok::<(), String>(())
        };
        let mut bench = Bench::new(&still, &mut operation, Room::default());
        for plan in [geometric(1_000, 1_000_000), target(1_000, 1_000_000)] {
            assert_eq!(super::plan(&plan, &report, &mut bench), Ok(missed(1)));
        }
        assert_eq!(calls, 0);
    }

    #[test]
    fn a_clock_that_keeps_going_back_ends_the_plan_after_a_hundred_blocks() {
        let clock = VirtualClock::new(0.0, 1);
        clock.pass(1e9);
        let mut operation = |_: u64| {
            clock.pass(-10.0);
            Ok::<(), String>(())
        };
        let report = ClockReport {
            overhead_ns: None,
            granularity_ns: Some(1),
            pairs: 64,
        };
        let mut bench = Bench::new(&clock, &mut operation, Room::default());
        let planned = super::plan(&geometric(1_000, 9), &report, &mut bench);
        assert_eq!(planned, Ok(missed(1)));
        assert_eq!((bench.lost, bench.warm_up.len()), (TRIALS_MAX, 0));
    }
}
