//! What a worker is asked for.
#![allow(clippy::unwrap_used, clippy::panic)]

use longrun_protocol::registry::SamplingPolicy;
use longrun_protocol::request::BlockPlan;
use longrun_protocol::sampling::StopRule;

use super::*;
use crate::ab::made;
use crate::track::sampled::made as sampled;

#[test]
fn whole_runs_are_asked_for_no_blocks() {
    let request = template(&made::item("soliton"), false);
    assert_eq!((request.block_plan, request.stop), (None, None));
    assert_eq!(request.warm_up_blocks, None);
    assert!(!request.count_allocations);
}

#[test]
fn sampled_work_is_asked_for_by_its_policy() {
    let mut item = sampled::item("fft");
    let SamplingPolicy::Sampled { block_ns, .. } = item.sampling else {
        panic!("it is not sampled");
    };
    let full = template(&item, false);
    assert!(matches!(
        full.block_plan,
        Some(BlockPlan::Geometric { target_ns, .. }) if target_ns == block_ns
    ));
    assert_eq!(full.stop, item.sampling.stop());
    for (size, blocks) in [(Size::Full, 3), (Size::Quick, 1), (Size::Smoke, 1)] {
        item.configuration.size = size;
        assert_eq!(
            template(&item, false).warm_up_blocks,
            Some(blocks),
            "{size}"
        );
    }
    item.sampling = item.sampling.with_repeats(7);
    let fixed = template(&item, false);
    assert_eq!(fixed.stop, Some(StopRule::Fixed { samples: 7 }));
    assert_eq!(fixed.block_plan, full.block_plan);
}

#[test]
fn another_sampling_is_another_definition() {
    let name = |item: &PlanItem| definition(item, Policy::Passive, "cores", false).unwrap();
    let item = sampled::item("fft");
    let other = PlanItem {
        sampling: item.sampling.with_repeats(5),
        ..item.clone()
    };
    assert_ne!(name(&item), name(&other));
    assert_eq!(name(&item), name(&item.clone()));
}
