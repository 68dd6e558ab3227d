//! Interface `kernel`: single operations of a library, timed in blocks.
//!
//! Every task but `checkpoint` is served: an operation has no states to come back to. Whatever is
//! timed has to put out what the example says, or it has no time: a fast wrong answer is a failure.

mod blocks;
mod check;
mod duet;
mod run;
#[cfg(test)]
pub mod testing;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use longrun_measure::Clock;
use longrun_protocol::receipt::{
    Context, Failure, OracleLine, Receipt, Relation, Resolved, Skip, WisdomReport,
};

use super::checks::kernel::{Job, REFERENCE, Work};
use super::computes::Asked;
use super::progress::Progress;
use super::setup::{self, Means, Stage};
use super::{failure, prepare};
use crate::kernels::{BOUND, Example, Routine};

/// Does the job and writes what happened into `receipt`.
pub fn serve(
    job: &Job<'_>,
    folder: &Path,
    clock: &impl Clock,
    progress: &mut Progress<impl Write>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    receipt.skips = skips(job);
    let mut stage = Stage { clock, progress };
    match &job.work {
        Work::Run(settings) => run::run(job, settings, folder, &mut stage, receipt),
        Work::PrepareFft => prepare_fft(job, &mut stage, receipt),
        Work::Verify => verify(job, &mut stage, receipt),
        Work::Duet { plan, ops } => duet::duet(job, plan, *ops, &mut stage, receipt),
    }
}

/// Loads the library and builds the operation with its input.
fn ready<C: Clock, W: Write>(
    job: &Job<'_>,
    stage: &mut Stage<'_, C, W>,
    receipt: &mut Receipt,
) -> Result<(Example, Box<dyn Routine>), Failure> {
    let asked = Asked::Native(job.library);
    let mut means = Means::load(asked, job.request, stage, receipt)?;
    receipt.library = means.loaded.report();
    let example = construct(job, stage, receipt)?;
    let (routine, wisdom) = routine(job, &example, &mut means, stage, receipt)?;
    receipt.wisdom = wisdom;
    Ok((example, routine))
}

/// What goes in and what must come out; the receipt learns what is computed.
fn construct<C: Clock, W: Write>(
    job: &Job<'_>,
    stage: &mut Stage<'_, C, W>,
    receipt: &mut Receipt,
) -> Result<Example, Failure> {
    let example = stage.run("construct", &mut receipt.phases.construct_ns, || {
        Ok(job.kernel.example())
    })?;
    receipt.resolved = Some(Resolved {
        integrator: "none".to_owned(),
        tolerances: BTreeMap::new(),
        noise_model: "none".to_owned(),
        seed: None,
        threads: job.request.threads,
    });
    receipt.context = Some(context(job));
    Ok(example)
}

fn routine<C: Clock, W: Write>(
    job: &Job<'_>,
    example: &Example,
    means: &mut Means,
    stage: &mut Stage<'_, C, W>,
    receipt: &mut Receipt,
) -> Result<(Box<dyn Routine>, Option<WisdomReport>), Failure> {
    means.routine((&job.kernel, example), job.request.threads, stage, receipt)
}

/// Facts of a kernel; a part that it does not have is absent.
fn context(job: &Job<'_>) -> Context {
    let kernel = job.kernel;
    let mut facts = serde_json::Map::new();
    facts.insert("kernel".to_owned(), kernel.kind.as_str().into());
    facts.insert("points".to_owned(), kernel.points.into());
    if let Some(points) = kernel.raman_points {
        facts.insert("raman_points".to_owned(), points.into());
    }
    if let Some(order) = kernel.order {
        facts.insert("order".to_owned(), order.into());
    }
    Context {
        kind: "kernel".to_owned(),
        facts,
    }
}

/// What is asked for and has no meaning for an operation.
fn skips(job: &Job<'_>) -> Vec<Skip> {
    let request = job.request;
    let mut skips = Vec::new();
    if request.length < 1.0 {
        skips.push(setup::skip("length", "an operation is done whole"));
    }
    if request.breakdown {
        skips.push(setup::skip("breakdown", "an operation has no parts"));
    }
    skips
}

fn prepare_fft<C: Clock, W: Write>(
    job: &Job<'_>,
    stage: &mut Stage<'_, C, W>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    let asked = Asked::Native(job.library);
    prepare::add(
        asked,
        job.request,
        stage,
        receipt,
        |means, stage, receipt| {
            let example = construct(job, stage, receipt)?;
            routine(job, &example, means, stage, receipt).map(drop)
        },
    )
}

/// One operation, and how far its output is from the example's. The reader judges.
fn verify<C: Clock, W: Write>(
    job: &Job<'_>,
    stage: &mut Stage<'_, C, W>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    let (example, mut routine) = ready(job, stage, receipt)?;
    stage.progress.phase("run");
    let mut output = vec![f64::NAN; example.output.len()];
    routine
        .run(1)
        .and_then(|()| routine.output(&mut output))
        .map_err(|error| failure("run", error))?;
    receipt.oracles = vec![OracleLine {
        oracle: REFERENCE.to_owned(),
        quantity: "output, relative L2 distance from the reference".to_owned(),
        unit: String::new(),
        relation: Relation::AtMost,
        expected: 0.0,
        obtained: check::distance(&output, &example),
        tolerance: BOUND,
    }];
    Ok(())
}
