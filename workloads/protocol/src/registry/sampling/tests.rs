//! Tables for the sampling policies.
#![allow(clippy::unwrap_used)]
use super::*;

/// What the harness does where nobody chooses.
fn sampled() -> SamplingPolicy {
    SamplingPolicy::Sampled {
        block_ns: 1_000_000,
        samples_min: 30,
        samples_max: 1000,
        total_ns_min: 1_000_000_000,
        total_ns_max: 30_000_000_000,
    }
}

fn fixed(repeats: u32) -> SamplingPolicy {
    SamplingPolicy::Fixed {
        repeats,
        block_ns: 1_000_000,
    }
}

#[test]
fn whole_runs_have_neither_blocks_nor_a_stop_rule() {
    let complete = SamplingPolicy::default();
    assert!(!complete.is_sampled());
    assert_eq!((complete.block_plan(), complete.stop()), (None, None));
    assert_eq!((complete.repeats(), complete.samples_min()), (Some(3), 3));
}

#[test]
fn an_adaptive_policy_is_a_growing_block_and_an_adaptive_stop() {
    assert!(sampled().is_sampled());
    assert_eq!((sampled().repeats(), sampled().samples_min()), (None, 30));
    let plan = BlockPlan::Geometric {
        target_ns: 1_000_000,
        ops_max: BLOCK_OPS_MAX,
    };
    assert_eq!(sampled().block_plan(), Some(plan));
    let stop = StopRule::Adaptive {
        samples_min: 30,
        samples_max: 1000,
        total_ns_min: 1_000_000_000,
        total_ns_max: 30_000_000_000,
    };
    assert_eq!(sampled().stop(), Some(stop));
}

#[test]
fn repeats_that_are_asked_for_fix_the_number_of_samples_and_leave_the_blocks() {
    let fixed_by_hand = sampled().with_repeats(7);
    assert_eq!(fixed_by_hand, fixed(7));
    assert_eq!(fixed_by_hand.block_plan(), sampled().block_plan());
    assert_eq!(fixed_by_hand.stop(), Some(StopRule::Fixed { samples: 7 }));
    assert_eq!(fixed(9).with_repeats(7), fixed(7));
    let complete = SamplingPolicy::default().with_repeats(7);
    assert_eq!(complete, SamplingPolicy::Complete { repeats: 7 });
}

#[test]
fn what_the_samples_take_follows_from_the_policy_and_one_operation() {
    let few = SamplingPolicy::Sampled {
        block_ns: 1_000_000,
        samples_min: 2,
        samples_max: 10,
        total_ns_min: 1_000_000_000,
        total_ns_max: 3_000_000_000,
    };
    for (policy, run_s, seconds) in [
        (SamplingPolicy::Complete { repeats: 3 }, 2.0, 6.0),
        // Operations shorter than a block: the least time decides.
        (sampled(), 40e-9, 1.0),
        // Longer ones: the least number of samples.
        (sampled(), 0.1, 3.0),
        (sampled(), 0.5, 15.0),
        // Each ceiling, and a block that is longer than it.
        (sampled(), 2.0, 30.0),
        (sampled(), 50.0, 50.0),
        (few, 1e-3, 0.01),
        (fixed(10), 40e-9, 0.01),
        (fixed(10), 2.0, 20.0),
    ] {
        let found = policy.seconds(run_s);
        assert!(
            (found - seconds).abs() < 1e-9,
            "{policy:?} {run_s}: {found}"
        );
    }
}

#[test]
fn a_policy_that_cannot_be_met_has_a_defect_with_its_key() {
    for policy in [SamplingPolicy::default(), sampled(), fixed(9)] {
        assert_eq!(policy.defect(), None, "{policy:?}");
    }
    let change = |change: fn(&mut [u64; 5])| {
        let mut values = [1, 2, 3, 4, 5];
        change(&mut values);
        SamplingPolicy::Sampled {
            block_ns: values[0],
            samples_min: u32::try_from(values[1]).unwrap(),
            samples_max: u32::try_from(values[2]).unwrap(),
            total_ns_min: values[3],
            total_ns_max: values[4],
        }
    };
    // What the limits just allow: equal numbers, and as many blocks as there is time for.
    let just = change(|values| *values = [2, 2, 2, 4, 4]);
    assert_eq!(just.defect(), None);
    let many = SAMPLES_MAX + 1;
    for (policy, key) in [
        (SamplingPolicy::Complete { repeats: 0 }, "repeats"),
        (SamplingPolicy::Complete { repeats: many }, "repeats"),
        (fixed(0), "repeats"),
        (fixed(many), "repeats"),
        (
            SamplingPolicy::Fixed {
                repeats: 1,
                block_ns: 0,
            },
            "block_ns",
        ),
        (change(|values| values[0] = 0), "block_ns"),
        (change(|values| values[1] = 0), "samples_min"),
        (change(|values| values[2] = 1), "samples_max"),
        (
            change(|values| values[2] = u64::from(SAMPLES_MAX) + 1),
            "samples_max",
        ),
        (change(|values| values[4] = 3), "total_ns_max"),
        (
            change(|values| (values[3], values[4]) = (0, 0)),
            "total_ns_max",
        ),
        // Two blocks of 3 ns are longer than 5 ns, and of as many as there can be, longer still.
        (change(|values| values[0] = 3), "total_ns_max"),
        (change(|values| values[0] = u64::MAX), "total_ns_max"),
    ] {
        let defect = policy.defect().unwrap();
        assert_eq!(defect.key, key, "{policy:?}");
        assert!(defect.reason.contains(&format!("`{key}`")), "{policy:?}");
    }
}

#[test]
fn a_policy_is_written_with_its_kind_and_unknown_keys_are_refused() {
    let written = serde_json::to_value(sampled()).unwrap();
    assert_eq!(written["kind"], "sampled");
    let read: SamplingPolicy = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(read, sampled());
    let mut more = written;
    more["blocks"] = 3.into();
    assert!(serde_json::from_value::<SamplingPolicy>(more).is_err());
}
