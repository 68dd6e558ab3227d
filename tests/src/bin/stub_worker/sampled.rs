//! Sampled work of the stub worker: blocks of operations, and what is said beside their times.
//!
//! Block plan, warm-up and stop rule are carried out as `docs/worker-protocol.md` says, on times
//! that nobody spends. Parameters: `flops` and `bytes` of an operation, and how often it
//! `allocates`.

use longrun_protocol::request::BlockPlan;
use longrun_protocol::sampling::{
    AllocationCounts, AllocationReport, ClockReport, ReferenceReport, SampledReport, StopRule,
    Stopped, WorkReport,
};
use longrun_protocol::{Receipt, Request, Sample};
use serde_json::Value;

use crate::Outcome;
use crate::clock::{Clock, Cost};

/// Operations of the pass in which allocations are counted.
const COUNTED_OPS: u64 = 10;

/// Bytes of one allocation.
const ALLOCATION_BYTES: u64 = 64;

/// How far the output is from that of the reference, and how far it may be.
const REFERENCE: ReferenceReport = ReferenceReport {
    relative_l2: Some(1e-15),
    bound: 1e-12,
};

/// Samples blocks until the stop rule is met, and says how.
pub fn sample(
    request: &Request,
    plan: &BlockPlan,
    clock: &mut Clock,
    cost: &Cost,
) -> (Vec<Sample>, SampledReport) {
    let (ops, target_met) = planned(plan, clock.expected_ns());
    let mut warm_up = Vec::new();
    if target_met.is_some() {
        warm_up.push(clock.sample(cost, 1, false));
    }
    for _ in 0..request.warm_up_blocks.unwrap_or(0) {
        warm_up.push(clock.sample(cost, ops, false));
    }
    let repeats = StopRule::Fixed {
        samples: request.repeats,
    };
    let rule = request.stop.unwrap_or(repeats);
    let mut samples = Vec::new();
    let stopped = loop {
        samples.push(clock.sample(cost, ops, false));
        if let Some(why) = end(&rule, &samples) {
            break why;
        }
    };
    let report = SampledReport {
        ops,
        target_met,
        warm_up,
        stopped,
        lost: 0,
        clock: ClockReport {
            overhead_ns: Some(20.0),
            granularity_ns: Some(clock.tick_ns()),
            pairs: 1000,
        },
        allocations: request.count_allocations.then(|| allocations(request)),
        work: work(request),
        reference: Some(REFERENCE),
    };
    (samples, report)
}

/// Operations of a block, and whether so many last as long as is wanted.
fn planned(plan: &BlockPlan, time_ns: f64) -> (u64, Option<bool>) {
    let lasts = |ops: u64, target_ns: u64| ops as f64 * time_ns >= target_ns as f64;
    match *plan {
        BlockPlan::Frozen { ops } => (ops, None),
        BlockPlan::Target { target_ns, ops_max } => {
            let wanted = (target_ns as f64 / time_ns).ceil() as u64;
            let ops = wanted.clamp(1, ops_max.max(1));
            (ops, Some(lasts(ops, target_ns)))
        }
        BlockPlan::Geometric { target_ns, ops_max } => {
            let mut ops: u64 = 1;
            while !lasts(ops, target_ns) && ops < ops_max {
                ops = ops.saturating_mul(4).min(ops_max);
            }
            (ops, Some(lasts(ops, target_ns)))
        }
    }
}

/// Why sampling ends here, if it does.
fn end(rule: &StopRule, samples: &[Sample]) -> Option<Stopped> {
    let count = samples.len();
    let at_least = |wanted: u32| usize::try_from(wanted).is_ok_and(|wanted| count >= wanted);
    match *rule {
        StopRule::Fixed { samples } => at_least(samples).then_some(Stopped::Enough),
        StopRule::Adaptive {
            samples_min,
            samples_max,
            total_ns_min,
            total_ns_max,
        } => {
            let total_ns: u64 = samples.iter().map(|sample| sample.interval_ns).sum();
            if at_least(samples_min) && total_ns >= total_ns_min {
                Some(Stopped::Enough)
            } else if at_least(samples_max) {
                Some(Stopped::SamplesMax)
            } else {
                (total_ns >= total_ns_max).then_some(Stopped::TotalMax)
            }
        }
    }
}

fn parameter(request: &Request, name: &str) -> Option<f64> {
    request.parameters.get(name).and_then(Value::as_f64)
}

fn allocations(request: &Request) -> AllocationReport {
    let each = parameter(request, "allocates").unwrap_or(0.0) as u64;
    let counted = |each: u64| AllocationCounts {
        allocations: each * COUNTED_OPS,
        bytes: each * COUNTED_OPS * ALLOCATION_BYTES,
        live_bytes: 0,
    };
    AllocationReport {
        ops: COUNTED_OPS,
        rust: Some(counted(0)),
        process: Some(counted(each)),
    }
}

fn work(request: &Request) -> Option<WorkReport> {
    let work = WorkReport {
        flops: parameter(request, "flops"),
        bytes: parameter(request, "bytes"),
    };
    (work.flops.is_some() || work.bytes.is_some()).then_some(work)
}

/// Behaviours that are sound sampled work with something else in it.
pub fn falsify(behaviour: &str, receipt: &mut Receipt) -> Outcome<()> {
    if behaviour == "sampled_one_witness" {
        receipt.witnesses.truncate(1);
        return Ok(());
    }
    let report = receipt.sampled.as_mut().ok_or("nothing was sampled")?;
    let last = receipt.samples.last_mut().ok_or("there is no sample")?;
    match behaviour {
        "sampled_absent" => receipt.sampled = None,
        "sampled_unequal_ops" => last.ops += 1,
        "sampled_no_ops" => last.ops = 0,
        "sampled_other_ops" => report.ops += 1,
        "sampled_too_few" => receipt.samples.truncate(1),
        // No number can be written where there is none: `null` is.
        "sampled_nan_reference" => report.reference = Some(reference(Some(f64::NAN))),
        "sampled_no_distance" => report.reference = Some(reference(None)),
        "sampled_far_reference" => report.reference = Some(reference(Some(1e-3))),
        "sampled_no_reference" => report.reference = None,
        "sampled_no_tick" => report.clock.granularity_ns = None,
        "sampled_uncounted" => report.allocations = None,
        "sampled_lost" => {
            report.lost = 1000;
            report.stopped = Stopped::AttemptsMax;
            receipt.samples.clear();
        }
        other => return Err(format!("unknown behaviour `{other}`").into()),
    }
    Ok(())
}

fn reference(relative_l2: Option<f64>) -> ReferenceReport {
    ReferenceReport {
        relative_l2,
        ..REFERENCE
    }
}
