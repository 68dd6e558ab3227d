//! The task `prepare_fft`: add the FFT plans that a configuration needs to the store.
//!
//! The engine is built as for a run, with more effort for the plans that the store does not hold,
//! and thrown away. What the store held before stays in it, byte by byte.

use std::io::Write;

use longrun_measure::Clock;
use longrun_protocol::receipt::{Failure, Receipt};
use longrun_protocol::request::Request;

use super::checks::Job;
use super::computes::Asked;
use super::plans::Plans;
use super::progress::Progress;
use super::setup::{self, Means, Stage, Subject};
use super::{failure, files};

/// Does the job and writes what happened into `receipt`.
pub fn prepare(
    job: &Job<'_>,
    clock: &impl Clock,
    progress: &mut Progress<impl Write>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    receipt.skips = setup::skips(job, &receipt.thread_environment);
    let mut stage = Stage { clock, progress };
    add(
        job.computes,
        job.request,
        &mut stage,
        receipt,
        |means, stage, receipt| {
            let subject = Subject::of(job, setup::any, stage, receipt)?;
            means.engine(job, &subject, stage, receipt).map(drop)
        },
    )
}

/// Adds the plans of whatever `build` builds to the store of the request.
pub fn add<C: Clock, W: Write>(
    asked: Asked<'_>,
    request: &Request,
    stage: &mut Stage<'_, C, W>,
    receipt: &mut Receipt,
    build: impl FnOnce(&mut Means, &mut Stage<'_, C, W>, &mut Receipt) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut means = Means::load(asked, request, stage, receipt)?;
    receipt.library = means.loaded.report();
    let path = request.wisdom.as_deref();
    let (Some(path), Some(_)) = (path, &means.plans.wisdom) else {
        let without = "the library keeps no FFT wisdom; build it from this revision";
        return Err(failure(
            "load",
            format!("failed to prepare FFT plans: {without}"),
        ));
    };
    build(&mut means, stage, receipt)?;
    store(&mut means.plans, path, receipt).map_err(|message| failure("build_engine", message))
}

/// Writes the store where there is more to say than it says.
fn store(plans: &mut Plans, path: &std::path::Path, receipt: &mut Receipt) -> Result<(), String> {
    receipt.wisdom = plans.report().map_err(|error| error.to_string())?;
    let Some(wisdom) = &mut plans.wisdom else {
        return Ok(());
    };
    let bytes = wisdom.export().map_err(|error| error.to_string())?;
    if bytes == plans.read {
        return Ok(());
    }
    files::write_whole(path, &bytes)
}
