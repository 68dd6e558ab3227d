//! Sampling by clocks and operations that do what a test tells them to.
#![allow(clippy::unwrap_used)]
use std::cell::{Cell, RefCell};

use super::*;
use crate::clock::{ScriptedClock, VirtualClock};
use crate::statistics::Statistics;
use crate::timing::ns_per_op;

/// A clock of 25 ns, as fine as most.
fn fine() -> VirtualClock {
    VirtualClock::new(25.0, 25)
}

fn lasting(clock: &VirtualClock, op_ns: f64) -> impl FnMut(u64) -> Result<(), String> {
    move |ops| {
        clock.pass(ops as f64 * op_ns);
        Ok(())
    }
}

/// What sampling an operation of so many ns finds.
fn sampled(settings: &Settings, clock: &VirtualClock, op_ns: f64) -> Sampled {
    sample(settings, &Probed::new(clock), &mut lasting(clock, op_ns)).unwrap()
}

fn frozen(ops: u64, warm_up_blocks: u32, samples: u32) -> Settings {
    Settings {
        block: BlockPlan::Frozen { ops },
        stop: StopRule::Fixed { samples },
        warm_up_blocks,
    }
}

/// A clock that is not probed, because its script is for blocks only.
fn unprobed<C>(clock: &C) -> Probed<'_, C> {
    let report = ClockReport {
        overhead_ns: Some(20.0),
        granularity_ns: Some(20),
        pairs: 64,
    };
    Probed { clock, report }
}

fn statistics(sampled: &Sampled) -> Statistics {
    sampled.facts().statistics.unwrap()
}

fn code(sampled: &Sampled) -> Option<&'static str> {
    diagnose(&sampled.facts()).map(|warning| warning.code())
}

#[test]
fn the_defaults_warm_up_and_ask_for_a_second_of_evidence() {
    let Settings {
        stop,
        warm_up_blocks,
        ..
    } = Settings::full();
    let expected = StopRule::Adaptive {
        samples_min: 30,
        samples_max: 1_000,
        total_ns_min: 1_000_000_000,
        total_ns_max: 30_000_000_000,
    };
    assert_eq!((stop, warm_up_blocks), (expected, 3));
    assert_eq!(Settings::full().defect(), None);
}

#[test]
fn quick_is_quicker_and_still_warms_up() {
    let clock = fine();
    let quick = sampled(&Settings::quick(), &clock, 1e6);
    let full = sampled(&Settings::full(), &clock, 1e6);
    assert_eq!((quick.samples.len(), full.samples.len()), (100, 1_000));
    // Planning took two blocks of each.
    assert_eq!((quick.warm_up.len(), full.warm_up.len()), (3, 5));
}

#[test]
fn blocks_of_planning_and_warm_up_are_kept_apart_from_the_samples() {
    let clock = fine();
    let blocks = RefCell::new(Vec::new());
    let mut operation = |ops: u64| {
        blocks.borrow_mut().push(ops);
        // Cold at first.
        let op_ns = if blocks.borrow().len() < 3 {
            900.0
        } else {
            100.0
        };
        clock.pass(ops as f64 * op_ns);
        Ok::<(), String>(())
    };
    let found = sample(&frozen(7, 2, 3), &Probed::new(&clock), &mut operation).unwrap();
    assert_eq!(*blocks.borrow(), [7; 5]);
    assert_eq!((found.warm_up.len(), found.samples.len()), (2, 3));
    assert!(found.warm_up.iter().all(|block| ns_per_op(block) > 899.0));
    assert!(found.samples.iter().all(|block| ns_per_op(block) < 110.0));
    assert!(found.samples.iter().all(|block| block.ops == 7));
    assert_eq!((found.ops, found.target_met), (7, None));
    assert_eq!(found.stopped, Stopped::Enough);
}

/// The original warned of every operation that is shorter than two ticks.
#[test]
fn forty_nanoseconds_in_blocks_are_measured_without_a_warning_on_a_clock_of_twenty_five() {
    let found = sampled(&Settings::full(), &fine(), 40.0);
    assert_eq!((found.ops, found.target_met), (65_536, Some(true)));
    assert_eq!(found.stopped, Stopped::Enough);
    assert!((statistics(&found).median / 40.0 - 1.0).abs() < 1e-4);
    assert_eq!(code(&found), None);
}

#[test]
fn what_the_clock_cannot_resolve_says_so() {
    let coarse = VirtualClock::new(5.0, 25);
    let near = sampled(&frozen(1, 0, 30), &coarse, 40.0);
    assert_eq!(code(&near), Some("near_tick"));
    let below = sampled(&frozen(1, 0, 30), &VirtualClock::new(5.0, 1_000), 40.0);
    assert_eq!(code(&below), Some("below_tick"));
    assert!(below.samples.iter().any(|sample| sample.interval_ns == 0));
}

#[test]
fn a_block_that_may_not_be_long_enough_says_that_its_target_was_not_met() {
    let settings = Settings {
        block: BlockPlan::Geometric {
            target_ns: 1_000_000,
            ops_max: 100,
        },
        ..Settings::quick()
    };
    let found = sampled(&settings, &fine(), 40.0);
    assert_eq!((found.ops, found.target_met), (100, Some(false)));
    // A thousand samples of 4 µs are no tenth of a second.
    assert_eq!(found.stopped, Stopped::SamplesMax);
    assert_eq!(found.samples.len(), 1_000);
}

#[test]
fn an_operation_longer_than_the_ceiling_is_done_three_times_and_is_one_sample() {
    let clock = fine();
    let calls = Cell::new(0);
    let mut operation = |ops: u64| {
        calls.set(calls.get() + ops);
        clock.pass(ops as f64 * 40e9);
        Ok::<(), String>(())
    };
    let found = sample(&Settings::full(), &Probed::new(&clock), &mut operation).unwrap();
    assert_eq!((calls.get(), found.samples.len()), (3, 1));
    assert_eq!(found.stopped, Stopped::TotalMax);
    assert_eq!(code(&found), Some("few_samples"));
}

#[test]
fn a_clock_that_goes_back_gives_a_lost_block_and_never_a_fast_one() {
    let clock = ScriptedClock::new(&[0, 100, 500, 400, 600, 700, 800, 900], &[]);
    let mut operation = |_: u64| Ok::<(), String>(());
    let found = sample(&frozen(1, 0, 3), &unprobed(&clock), &mut operation).unwrap();
    let intervals: Vec<u64> = found.samples.iter().map(|s| s.interval_ns).collect();
    assert_eq!((intervals, found.lost), (vec![100; 3], 1));
    assert_eq!(found.stopped, Stopped::Enough);
}

/// The original never ended.
#[test]
fn a_clock_that_always_runs_backwards_ends_without_a_sample_and_says_so() {
    let clock = fine();
    clock.pass(1e12);
    let mut operation = |_: u64| {
        clock.pass(-1_000.0);
        Ok::<(), String>(())
    };
    let found = sample(&frozen(1, 1, 30), &unprobed(&clock), &mut operation).unwrap();
    assert_eq!((found.samples.len(), found.lost), (0, 61));
    assert_eq!(found.stopped, Stopped::AttemptsMax);
    assert_eq!(code(&found), Some("no_samples"));
}

#[test]
fn a_clock_that_stands_still_ends_with_samples_of_zero_and_says_so() {
    let clock = ScriptedClock::new(&[5], &[]);
    let mut operation = |_: u64| Ok::<(), String>(());
    let found = sample(&Settings::quick(), &Probed::new(&clock), &mut operation).unwrap();
    assert_eq!(found.stopped, Stopped::SamplesMax);
    assert_eq!((found.ops, found.target_met), (1, Some(false)));
    assert_eq!(statistics(&found).max.to_bits(), 0.0_f64.to_bits());
    assert_eq!(code(&found), Some("below_tick"));
}

#[test]
fn a_clock_that_stops_after_it_was_probed_ends_as_well_and_says_so() {
    let clock = ScriptedClock::new(&[5], &[]);
    let settings = Settings {
        block: BlockPlan::Geometric {
            target_ns: 1_000,
            ops_max: 100,
        },
        ..Settings::quick()
    };
    let mut operation = |_: u64| Ok::<(), String>(());
    let found = sample(&settings, &unprobed(&clock), &mut operation).unwrap();
    assert_eq!((found.ops, found.target_met), (100, Some(false)));
    assert_eq!(found.stopped, Stopped::SamplesMax);
    assert_eq!(code(&found), Some("below_tick"));
}

#[test]
fn a_clock_that_leaps_to_its_end_stops_at_the_most_time_and_overflows_nothing() {
    let clock = ScriptedClock::new(&[0, u64::MAX, 0, u64::MAX], &[]);
    let settings = Settings {
        block: BlockPlan::Frozen { ops: 1 },
        ..Settings::quick()
    };
    let mut operation = |_: u64| Ok::<(), String>(());
    let found = sample(&settings, &unprobed(&clock), &mut operation).unwrap();
    assert_eq!((found.warm_up.len(), found.samples.len()), (1, 1));
    assert_eq!(found.stopped, Stopped::TotalMax);
    assert_eq!(code(&found), Some("few_samples"));
}

/// Fails at the block of this number, counted from 1.
fn failing_at(clock: &VirtualClock, number: u32) -> impl FnMut(u64) -> Result<(), String> {
    let mut block = 0;
    move |ops| {
        block += 1;
        clock.pass(ops as f64 * 100.0);
        if block == number {
            return Err("the output is not finite".to_owned());
        }
        Ok(())
    }
}

#[test]
fn an_operation_that_fails_ends_sampling_and_loses_nothing_that_was_timed() {
    let clock = fine();
    let mut operation = failing_at(&clock, 6);
    let error = sample(&frozen(10, 2, 9), &Probed::new(&clock), &mut operation).unwrap_err();
    assert_eq!((error.warm_up.len(), error.samples.len()), (2, 3));
    assert_eq!(
        error.to_string(),
        "failed to sample the operation: it failed after 2 blocks of warm-up and 3 samples: the \
         output is not finite"
    );
}

#[test]
fn an_operation_that_fails_while_blocks_are_planned_has_no_result() {
    let clock = fine();
    let mut operation = failing_at(&clock, 3);
    let error = sample(&Settings::full(), &Probed::new(&clock), &mut operation).unwrap_err();
    assert_eq!((error.warm_up.len(), error.samples.len()), (2, 0));
    assert!(matches!(error.cause, Cause::Operation(_)));
}

/// Counts its blocks, and looks at the output for a long time.
struct Watched<'a> {
    clock: &'a VirtualClock,
    blocks: u32,
    looked_after: Vec<u32>,
    looks: Result<(), String>,
}

impl Operation for Watched<'_> {
    type Error = String;

    fn run(&mut self, ops: u64) -> Result<(), String> {
        self.blocks += 1;
        self.clock.pass(ops as f64 * 100.0);
        Ok(())
    }

    fn after_first_sample(&mut self) -> Result<(), String> {
        self.looked_after.push(self.blocks);
        self.clock.pass(1e9);
        self.looks.clone()
    }
}

#[test]
fn the_output_of_the_first_sample_is_looked_at_once_and_that_is_not_timed() {
    let clock = fine();
    let mut watched = Watched {
        clock: &clock,
        blocks: 0,
        looked_after: Vec::new(),
        looks: Ok(()),
    };
    let found = sample(&frozen(10, 2, 5), &Probed::new(&clock), &mut watched).unwrap();
    assert_eq!((watched.blocks, watched.looked_after), (7, vec![3]));
    assert!(statistics(&found).max < 110.0);
}

#[test]
fn a_first_output_that_is_refused_ends_sampling() {
    let clock = fine();
    let mut watched = Watched {
        clock: &clock,
        blocks: 0,
        looked_after: Vec::new(),
        looks: Err("it is not a number".to_owned()),
    };
    let error = sample(&frozen(10, 0, 5), &Probed::new(&clock), &mut watched).unwrap_err();
    assert_eq!(error.samples.len(), 1);
    assert_eq!(
        error.cause,
        Cause::Operation("it is not a number".to_owned())
    );
}

#[test]
fn settings_that_cannot_be_followed_are_refused_before_anything_is_done() {
    let adaptive = |samples_min, samples_max, total_ns_min| StopRule::Adaptive {
        samples_min,
        samples_max,
        total_ns_min,
        total_ns_max: 1_000,
    };
    let with = |block, stop, warm_up_blocks| Settings {
        block,
        stop,
        warm_up_blocks,
    };
    let one = BlockPlan::Frozen { ops: 1 };
    let (target_ns, ops_max) = (1_000, 0);
    for settings in [
        frozen(0, 1, 1),
        with(
            BlockPlan::Geometric { target_ns, ops_max },
            adaptive(1, 2, 3),
            1,
        ),
        with(
            BlockPlan::Target { target_ns, ops_max },
            adaptive(1, 2, 3),
            1,
        ),
        frozen(1, 1, 0),
        with(one, adaptive(0, 0, 0), 1),
        with(one, adaptive(3, 2, 0), 1),
        with(one, adaptive(1, 2, 1_001), 1),
        frozen(1, 1, SAMPLES_MAX + 1),
        frozen(1, WARM_UP_BLOCKS_MAX + 1, 1),
    ] {
        let calls = Cell::new(0);
        let mut operation = |_: u64| {
            calls.set(calls.get() + 1);
            Ok::<(), String>(())
        };
        let clock = fine();
        let error = sample(&settings, &Probed::new(&clock), &mut operation).unwrap_err();
        assert!(matches!(error.cause, Cause::Settings(_)), "{settings:?}");
        assert_eq!(calls.get(), 0);
        assert!(error.to_string().starts_with("failed to begin sampling"));
    }
}

#[test]
fn room_for_every_sample_is_made_before_the_first() {
    let found = sampled(&Settings::full(), &fine(), 1e9);
    assert_eq!(found.samples.len(), 30);
    assert!(found.samples.capacity() >= 1_000);
    assert!(found.warm_up.capacity() >= 100);
}

/// The original probed its clock for every operation.
#[test]
fn the_clock_is_read_twice_for_a_block_and_not_probed_again() {
    // Time passes by reading only, a nanosecond each.
    let clock = VirtualClock::new(1.0, 1);
    let mut nothing = |_: u64| Ok::<(), String>(());
    let found = sample(&frozen(1, 2, 3), &unprobed(&clock), &mut nothing).unwrap();
    assert_eq!((found.warm_up.len(), found.samples.len()), (2, 3));
    assert_eq!(clock.now_ns(), 2 * 5 + 1);
}

#[test]
fn the_receipt_has_everything_that_was_found() {
    let clock = fine();
    let found = sampled(&Settings::quick(), &clock, 3e6);
    let (samples, report) = found.clone().into_report();
    assert_eq!(samples, found.samples);
    assert_eq!(samples[0].cpu_ns.map(|ns| ns >= 3_000_000), Some(true));
    assert_eq!((report.ops, report.target_met), (1, Some(true)));
    assert_eq!(report.warm_up, found.warm_up);
    assert_eq!((report.stopped, report.lost), (Stopped::Enough, 0));
    assert_eq!(report.clock.granularity_ns, Some(25));
    assert_eq!((report.allocations, report.work), (None, None));
    assert_eq!(report.reference, None);
}
