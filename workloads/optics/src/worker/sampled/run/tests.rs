//! What becomes of an operation that is sampled, on clocks that are told what time it is.

#![allow(clippy::unwrap_used, clippy::float_cmp)]

use std::rc::Rc;

use longrun_measure::ScriptedClock;
use longrun_measure::clock::VirtualClock;
use longrun_protocol::request::BlockPlan;
use longrun_protocol::sampling::{StopRule, Stopped};

use super::*;
use crate::worker::sampled::testing::{Log, Scripted, example, receipt};

/// Three to five samples in blocks of 10 µs, after two blocks of warm-up; 100 µs at most.
const SETTINGS: Settings = Settings {
    block: BlockPlan::Geometric {
        target_ns: 10_000,
        ops_max: 1_000,
    },
    stop: StopRule::Adaptive {
        samples_min: 3,
        samples_max: 5,
        total_ns_min: 0,
        total_ns_max: 100_000,
    },
    warm_up_blocks: 2,
};

/// A clock of 1 ns, and an operation of `op_ns` on it.
fn timed(op_ns: f64) -> (Rc<VirtualClock>, Scripted) {
    let clock = Rc::new(VirtualClock::new(20.0, 1));
    let mut operation = Scripted::new("a", &Log::default());
    operation.time = Some((clock.clone(), op_ns));
    (clock, operation)
}

/// Samples an operation; what came of it is in the receipt.
fn sampled(
    settings: &Settings,
    operation: &mut Scripted,
    clock: &impl Clock,
    count_allocations: bool,
) -> (Receipt, Result<Vec<f64>, String>) {
    let mut receipt = receipt();
    let subject = Subject {
        example: &example(),
        bound: 1e-3,
        settings,
        count_allocations,
    };
    let output = subject.sample(operation, clock, &mut receipt);
    (receipt, output)
}

/// The same of something that fails: why, and nothing of it is in the receipt.
fn refused(operation: &mut Scripted, clock: &impl Clock) -> String {
    let (found, output) = sampled(&SETTINGS, operation, clock, true);
    assert_eq!(found, receipt(), "what has no time leaves nothing behind");
    output.unwrap_err()
}

#[test]
fn samples_are_equal_blocks_and_all_that_was_found_is_told() {
    let (clock, mut operation) = timed(1_000.0);
    let (receipt, output) = sampled(&SETTINGS, &mut operation, clock.as_ref(), false);
    assert_eq!(output, Ok(vec![2.0]));
    let report = receipt.sampled.unwrap();
    assert_eq!((report.ops, report.target_met), (16, Some(true)));
    assert_eq!((report.stopped, report.lost), (Stopped::Enough, 0));
    assert_eq!(receipt.samples.len(), 3);
    assert!(receipt.samples.iter().all(|sample| sample.ops == 16));
    assert_eq!(report.clock.granularity_ns, Some(20));
    let total = |blocks: &[Sample]| blocks.iter().map(|block| block.interval_ns).sum::<u64>();
    assert_eq!(receipt.phases.run_ns, total(&receipt.samples));
    assert_eq!(receipt.phases.warm_up_ns, total(&report.warm_up));
    let work = report.work.unwrap();
    assert_eq!((work.flops, work.bytes), (Some(3.0), Some(8.0)));
    let reference = report.reference.unwrap();
    assert_eq!((reference.relative_l2, reference.bound), (Some(0.0), 1e-3));
    assert_eq!(report.allocations, None, "nobody asked");
    assert_eq!(receipt.load.len(), 1);
}

#[test]
fn the_outputs_after_the_first_and_the_last_sample_are_the_witnesses() {
    let (clock, mut operation) = timed(1_000.0);
    let log = operation.log.clone();
    let (receipt, _) = sampled(&SETTINGS, &mut operation, clock.as_ref(), false);
    let [first, last] = receipt.witnesses.as_slice() else {
        unreachable!("two witnesses");
    };
    assert_eq!(first.digest, Some(witness::digest_real(&[2.0])));
    assert_eq!(first.digest, last.digest);
    assert_eq!(last.relative_l2_to_first, Some(0.0));
    assert_eq!(
        (first.threads_observed, last.threads_observed),
        (Some(1), Some(1))
    );
    assert_eq!((first.sketch.len(), last.sketch.len()), (0, 256));
    assert_eq!(first.fft_plans, None, "it has no transforms");
    // 1, 4, 16 and once more 16 for the plan, two blocks of warm-up, three samples.
    let blocks = ["a run 1", "a run 4"].into_iter().chain(["a run 16"; 5]);
    let due: Vec<&str> = blocks
        .chain(["a look", "a run 16", "a run 16", "a look"])
        .collect();
    assert_eq!(*log.borrow(), due);
}

#[test]
fn an_output_that_changes_within_the_bound_shows_in_the_witnesses() {
    let (clock, mut operation) = timed(1_000.0);
    operation.drift = 1e-5;
    let (receipt, output) = sampled(&SETTINGS, &mut operation, clock.as_ref(), false);
    let last = &receipt.witnesses[1];
    assert_ne!(last.digest, receipt.witnesses[0].digest);
    let apart = last.relative_l2_to_first.unwrap();
    assert!((apart - 1e-5).abs() < 1e-8, "{apart}");
    assert_eq!(last.digest, Some(witness::digest_real(&output.unwrap())));
    let reference = receipt.sampled.unwrap().reference.unwrap();
    let distance = reference.relative_l2.unwrap();
    assert!(distance > 3e-5, "the larger of the two counts: {distance}");
}

#[test]
fn allocations_are_counted_in_a_block_of_their_own_after_the_samples() {
    let (clock, mut operation) = timed(1_000.0);
    operation.allocates = true;
    let log = operation.log.clone();
    let (receipt, _) = sampled(&SETTINGS, &mut operation, clock.as_ref(), true);
    assert_eq!(log.borrow().last().unwrap(), "a run 16");
    let before = log.borrow().len() - 2;
    assert_eq!(log.borrow()[before], "a look", "the last sample is over");
    assert_eq!(receipt.samples.len(), 3);
    let allocations = receipt.sampled.unwrap().allocations.unwrap();
    assert_eq!(allocations.ops, 16);
    // Other tests of this program allocate meanwhile, so these are least numbers.
    let rust = allocations.rust.unwrap();
    assert!(rust.allocations >= 1 && rust.bytes >= 1 << 16, "{rust:?}");
    let counted = cfg!(all(target_os = "linux", target_env = "gnu"));
    assert_eq!(allocations.process.is_some(), counted);
}

#[test]
fn what_puts_out_no_number_or_a_wrong_one_has_no_time() {
    for (output, named) in [
        (f64::NAN, "after the first sample the output is not finite"),
        (f64::INFINITY, "not finite"),
        (2.01, "from the reference"),
    ] {
        let (clock, mut operation) = timed(1_000.0);
        operation.output = output;
        let reason = refused(&mut operation, clock.as_ref());
        assert!(reason.contains(named), "{reason}");
    }
    // Right in the first sample, and wrong in the last.
    let (clock, mut operation) = timed(1_000.0);
    operation.drift = 3e-4;
    let reason = refused(&mut operation, clock.as_ref());
    assert!(reason.contains("after the last sample"), "{reason}");
}

#[test]
fn an_operation_longer_than_the_ceiling_is_one_sample() {
    let (clock, mut operation) = timed(5e9);
    let log = operation.log.clone();
    let (receipt, output) = sampled(&SETTINGS, &mut operation, clock.as_ref(), false);
    assert!(output.is_ok());
    let report = receipt.sampled.unwrap();
    assert_eq!((report.ops, report.stopped), (1, Stopped::TotalMax));
    // Twice for the plan, and no warm-up beside that.
    let due = ["a run 1", "a run 1", "a run 1", "a look", "a look"];
    assert_eq!(*log.borrow(), due);
    assert_eq!(receipt.samples.len(), 1);
    let digests: Vec<_> = receipt
        .witnesses
        .iter()
        .map(|witness| &witness.digest)
        .collect();
    assert_eq!(digests.len(), 2);
    assert_eq!(digests[0], digests[1]);
}

#[test]
fn an_operation_that_fails_has_no_time() {
    for blocks_max in [0, 3, 7] {
        let (clock, mut operation) = timed(1_000.0);
        operation.blocks_max = blocks_max;
        let reason = refused(&mut operation, clock.as_ref());
        assert!(reason.contains("it was told to fail"), "{reason}");
    }
}

#[test]
fn a_clock_that_runs_back_gives_no_sample_and_that_is_a_failure() {
    let (clock, mut operation) = timed(-1_000.0);
    clock.pass(1e12);
    let reason = refused(&mut operation, clock.as_ref());
    assert!(reason.contains("the clock went back in all of"), "{reason}");
}

#[test]
fn a_clock_that_stands_still_gives_samples_without_time() {
    let clock = ScriptedClock::new(&[7], &[]);
    let mut operation = Scripted::new("a", &Log::default());
    let settings = Settings {
        stop: StopRule::Fixed { samples: 3 },
        ..SETTINGS
    };
    let (receipt, output) = sampled(&settings, &mut operation, &clock, false);
    assert!(output.is_ok());
    let intervals: Vec<u64> = receipt.samples.iter().map(|s| s.interval_ns).collect();
    assert_eq!(intervals, [0, 0, 0]);
    let report = receipt.sampled.unwrap();
    assert_eq!((report.ops, report.target_met), (1, Some(false)));
    assert_eq!(report.clock.granularity_ns, None, "the reader is to know");
}
