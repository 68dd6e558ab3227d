//! What a receipt of sampled work must say before its times count. Pure.
//!
//! Output comes before speed: a kernel whose output is not that of the reference has no time. What
//! a receipt says twice must agree, and every block must be one that was asked for.

use longrun_measure::sampling::{SampledFacts, Warning, diagnose};
use longrun_protocol::Receipt;
use longrun_protocol::receipt::Sample;
use longrun_protocol::request::{BlockPlan, Request};
use longrun_protocol::sampling::{ClockReport, SampledReport, StopRule, Stopped, WorkReport};

use crate::text;

/// Witnesses of sampled work: of the output after the first sample, and after the last.
const WITNESSES: usize = 2;

/// Whether the samples are those that were asked for, of operations that compute what they should.
pub(super) fn measured(
    request: &Request,
    plan: BlockPlan,
    receipt: &Receipt,
) -> Result<(), String> {
    let Some(report) = &receipt.sampled else {
        return Err("the worker does not say how its samples came about".to_owned());
    };
    correct(report)?;
    if receipt.samples.is_empty() {
        return Err(match report.lost {
            0 => "the receipt has no sample".to_owned(),
            lost => format!(
                "the receipt has no sample: the clock went back in {}",
                text::counted(usize::try_from(lost).unwrap_or(usize::MAX), "block")
            ),
        });
    }
    as_planned(plan, report, &receipt.samples)?;
    as_stopped(request, report, &receipt.samples)?;
    sound(report)?;
    timed(report, &receipt.samples)?;
    if receipt.witnesses.len() != WITNESSES {
        return Err(format!(
            "the receipt has {} witnesses of its samples and not {WITNESSES}",
            receipt.witnesses.len()
        ));
    }
    super::resolved(receipt)
}

/// Whether the output is that of the reference, where it was held against one.
fn correct(report: &SampledReport) -> Result<(), String> {
    let Some(reference) = &report.reference else {
        return Ok(());
    };
    let bound = reference.bound;
    if !(bound.is_finite() && bound >= 0.0) {
        return Err(format!("the bound of the reference check is {bound}"));
    }
    match reference.relative_l2 {
        None => Err("the output is no finite number".to_owned()),
        Some(distance) if distance.is_nan() || distance < 0.0 => Err(format!(
            "the output is {distance:.2e} (relative L2) from the reference, which is not a \
             distance"
        )),
        Some(distance) if !reference.passed() => Err(format!(
            "the output is {distance:.2e} (relative L2) from the reference; the bound is \
             {bound:.0e}"
        )),
        Some(_) => Ok(()),
    }
}

/// Whether all blocks have equally many operations, and no more than the plan allows.
fn as_planned(plan: BlockPlan, report: &SampledReport, samples: &[Sample]) -> Result<(), String> {
    let ops = report.ops;
    if ops == 0 {
        return Err("a block has no operations".to_owned());
    }
    for (index, sample) in samples.iter().enumerate() {
        if sample.ops != ops {
            return Err(format!(
                "sample {} has {} operations, and every block is said to have {ops}",
                index + 1,
                sample.ops
            ));
        }
    }
    match plan {
        BlockPlan::Frozen { ops: asked } if asked != ops => Err(format!(
            "blocks have {ops} operations, and {asked} were asked for"
        )),
        BlockPlan::Geometric { ops_max, .. } | BlockPlan::Target { ops_max, .. }
            if ops > ops_max =>
        {
            Err(format!(
                "blocks have {ops} operations, and {ops_max} at most were asked for"
            ))
        }
        _ => Ok(()),
    }
}

/// Whether sampling ended where the rule says, for the reason that is given.
fn as_stopped(request: &Request, report: &SampledReport, samples: &[Sample]) -> Result<(), String> {
    let rule = request.stop.unwrap_or(StopRule::Fixed {
        samples: request.repeats,
    });
    let (least, most, total_min, total_max) = match rule {
        StopRule::Fixed { samples } => (samples, samples, 0, u64::MAX),
        StopRule::Adaptive {
            samples_min,
            samples_max,
            total_ns_min,
            total_ns_max,
        } => (samples_min, samples_max, total_ns_min, total_ns_max),
    };
    let count = samples.len();
    let [least, most] = [least, most].map(|many| usize::try_from(many).unwrap_or(usize::MAX));
    if count > most {
        return Err(format!(
            "the receipt has {count} samples, and {most} at most were asked for"
        ));
    }
    let intervals = samples.iter().map(|sample| sample.interval_ns);
    let total = intervals.fold(0, u64::saturating_add);
    let (why, holds) = match report.stopped {
        Stopped::Enough => ("with enough samples", count >= least && total >= total_min),
        Stopped::SamplesMax => ("at the most samples", count == most),
        Stopped::TotalMax => ("at the most measured time", total >= total_max),
        Stopped::AttemptsMax => ("because the clock gave too few intervals", report.lost > 0),
    };
    match holds {
        true => Ok(()),
        false => Err(format!(
            "the receipt contradicts itself: it says that sampling ended {why}, and has {} of {} \
             in all",
            text::counted(count, "sample"),
            text::seconds(seconds(total))
        )),
    }
}

/// Whether what was found beside the times can be true.
fn sound(report: &SampledReport) -> Result<(), String> {
    let ClockReport {
        overhead_ns,
        granularity_ns,
        ..
    } = report.clock;
    let number = |value: &f64| value.is_finite() && *value >= 0.0;
    if let Some(overhead) = overhead_ns.filter(|overhead| !number(overhead)) {
        return Err(format!("reading the clock is said to take {overhead} ns"));
    }
    if granularity_ns == Some(0) {
        return Err("the granularity of the clock is said to be 0 ns".to_owned());
    }
    if report.allocations.is_some_and(|counted| counted.ops == 0) {
        return Err("allocations were counted over no operation".to_owned());
    }
    let WorkReport { flops, bytes } = report.work.unwrap_or(WorkReport {
        flops: None,
        bytes: None,
    });
    for (what, count) in [("floating-point operations", flops), ("bytes", bytes)] {
        if let Some(count) = count.filter(|count| !number(count)) {
            return Err(format!("an operation is said to have {count} {what}"));
        }
    }
    Ok(())
}

/// Whether every sample has a time. Where the clock is too coarse for the blocks, which a warning
/// then says, zero is what it shows.
fn timed(report: &SampledReport, samples: &[Sample]) -> Result<(), String> {
    let Some(index) = samples.iter().position(|sample| sample.interval_ns == 0) else {
        return Ok(());
    };
    let warning = diagnose(&SampledFacts::of(samples, &report.clock));
    match warning.as_ref().is_some_and(is_of_clock) {
        true => Ok(()),
        false => Err(format!(
            "sample {} has no time: the interval is zero, and the clock resolves the others",
            index + 1
        )),
    }
}

/// Whether a warning says that the clock cannot time the blocks: then a time is about the clock.
pub fn is_of_clock(warning: &Warning) -> bool {
    matches!(
        warning,
        Warning::BelowTick | Warning::UnknownGranularity | Warning::NearTick { .. }
    )
}

// Times up to a hundred days are exact to the nanosecond in f64.
fn seconds(ns: u64) -> f64 {
    ns as f64 * 1e-9
}

#[cfg(test)]
mod tests;
