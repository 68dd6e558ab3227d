//! The task `duet` on blocks: two libraries in one process, and blocks of one operation with both
//! in turn.

use std::io::Write;

use longrun_measure::Clock;
use longrun_protocol::duet::DuetPlan;
use longrun_protocol::receipt::{Failure, Receipt};

use super::blocks::Session;
use super::{construct, routine};
use crate::kernels::BOUND;
use crate::worker::checks::kernel::Job;
use crate::worker::computes::Asked;
use crate::worker::duet::{build, load, timed_ns};
use crate::worker::meter::Meter;
use crate::worker::setup::Stage;
use crate::worker::{failure, machine};

/// Does the job and writes what happened into `receipt`.
pub fn duet<C: Clock, W: Write>(
    job: &Job<'_>,
    plan: &DuetPlan,
    ops: u64,
    stage: &mut Stage<'_, C, W>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    let asked = Asked::Native(job.library);
    let mut means = load(asked, job.request, plan, stage, receipt)?;
    let example = construct(job, stage, receipt)?;
    let routines = build(plan, &mut means, receipt, |means, receipt| {
        routine(job, &example, means, stage, receipt)
    })?;
    stage.progress.phase("run");
    let meter = Meter {
        clock: stage.clock,
        usage: &machine::usage,
    };
    let mut session = Session::new(routines, plan.first, ops, &meter);
    session
        .warm_up(&example, BOUND)
        .map_err(|message| failure("warm_up", message))?;
    receipt.phases.warm_up_ns = session.warm_up_ns;
    let report = session
        .blocks(plan.blocks)
        .map_err(|message| failure("run", message))?;
    receipt.phases.run_ns = timed_ns(&report);
    if let Some(duet) = &mut receipt.duet {
        duet.stretches.push(report);
    }
    Ok(())
}
