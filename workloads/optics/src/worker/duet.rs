//! The task `duet`: two libraries in one process, and segments of the same work with both in turn.
//!
//! Whatever is done for one side is done for the other after it, never for both at once: FFTW's
//! planner is one for the process. The sides share the states that they start from and the thread
//! that calls them; each has its own library, engine and arrays.

mod session;

pub use session::Sides;

use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;

use longrun_measure::Clock;
use longrun_protocol::Side;
use longrun_protocol::duet::{DuetPlan, DuetReport, StretchReport};
use longrun_protocol::receipt::{Failure, Receipt, WisdomReport};
use longrun_protocol::request::{Library, Request};

use super::checks::Job;
use super::computes::Asked;
use super::meter::Meter;
use super::progress::Progress;
use super::setup::{self, Means, Stage, Subject};
use super::states::States;
use super::{failure, machine};
use session::Session;

/// Does the job and writes what happened into `receipt`.
pub fn duet(
    job: &Job<'_>,
    plan: &DuetPlan,
    clock: &impl Clock,
    progress: &mut Progress<impl Write>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    receipt.skips = setup::skips(job, &receipt.thread_environment);
    let mut stage = Stage { clock, progress };
    let mut means = load(job.computes, job.request, plan, &mut stage, receipt)?;
    let subject = Subject::of(job, setup::any, &mut stage, receipt)?;
    let (length_m, points) = (subject.integration.length_m, subject.case.launch().len());
    let states = stage.run("construct", &mut receipt.phases.construct_ns, || {
        states(plan, length_m, points)
    })?;
    let engines = build(plan, &mut means, receipt, |means, receipt| {
        means.engine(job, &subject, &mut stage, receipt)
    })?;
    drop(subject);
    progress.phase("run");
    let meter = Meter {
        clock,
        usage: &machine::usage,
    };
    let mut session = Session::new(engines, plan.first, &meter);
    for stretch in &plan.stretches {
        let state = states.get(stretch.checkpoint).unwrap_or_default();
        let report = session
            .stretch(stretch, state)
            .map_err(|message| failure("run", message))?;
        receipt.phases.warm_up_ns = session.warm_up_ns;
        receipt.phases.run_ns = receipt.phases.run_ns.saturating_add(timed_ns(&report));
        if let Some(duet) = &mut receipt.duet {
            duet.stretches.push(report);
        }
    }
    Ok(())
}

/// Loads both libraries, each checked by itself, in the order of the plan.
pub fn load<C: Clock, W: Write>(
    computes: Asked<'_>,
    request: &Request,
    plan: &DuetPlan,
    stage: &mut Stage<'_, C, W>,
    receipt: &mut Receipt,
) -> Result<Sides<Means>, Failure> {
    let Asked::Native(baseline) = computes else {
        let cause = "failed to serve the request: a duet needs two native libraries";
        return Err(failure("request", cause));
    };
    let asked = Sides {
        baseline,
        candidate: &plan.candidate,
    };
    apart(asked).map_err(|message| failure("load", message))?;
    let means = Sides::make(plan.created_first, |side| {
        let warned = receipt.warnings.len();
        let means = Means::load(Asked::Native(asked.of(side)), request, stage, receipt);
        for warning in receipt.warnings.iter_mut().skip(warned) {
            *warning = on(side, warning);
        }
        means.map_err(|cause| failure(&cause.phase, on(side, &cause.message)))
    })?;
    receipt.library = means.baseline.loaded.report();
    receipt.duet = Some(DuetReport {
        candidate: means.candidate.loaded.report(),
        created_first: plan.created_first,
        candidate_wisdom: None,
        stretches: Vec::with_capacity(plan.stretches.len()),
    });
    Ok(means)
}

/// Builds what computes of both sides, one after the other.
pub fn build<T>(
    plan: &DuetPlan,
    means: &mut Sides<Means>,
    receipt: &mut Receipt,
    mut make: impl FnMut(&mut Means, &mut Receipt) -> Result<(T, Option<WisdomReport>), Failure>,
) -> Result<Sides<T>, Failure> {
    let built = Sides::make(plan.created_first, |side| {
        let built = make(means.of_mut(side), receipt);
        built.map_err(|cause| failure(&cause.phase, on(side, &cause.message)))
    })?;
    let ((baseline, wisdom), (candidate, candidate_wisdom)) = (built.baseline, built.candidate);
    receipt.wisdom = wisdom;
    if let Some(duet) = &mut receipt.duet {
        duet.candidate_wisdom = candidate_wisdom;
    }
    Ok(Sides {
        baseline,
        candidate,
    })
}

/// Whether the sides are two files. The system loads one file once, whatever it is called, and a
/// library would be compared with itself.
fn apart(libraries: Sides<&Library>) -> Result<(), String> {
    let place = |library: &Library| {
        let metadata = fs::metadata(&library.path).ok()?;
        Some((metadata.dev(), metadata.ino()))
    };
    let baseline = place(libraries.baseline);
    // A file that is not there is named when it is loaded.
    if baseline.is_none() || baseline != place(libraries.candidate) {
        return Ok(());
    }
    Err(format!(
        "failed to load two libraries: `{}` and `{}` are the same file, which is loaded once; \
         give the candidate a copy",
        libraries.baseline.path.display(),
        libraries.candidate.path.display()
    ))
}

/// The states of the plan, held against what is run from them.
fn states(plan: &DuetPlan, length_m: f64, points: usize) -> Result<States, String> {
    let (Some(path), Some(sha256)) = (&plan.states, &plan.states_sha256) else {
        return Err("failed to read states: the request names no file".to_owned());
    };
    let states = States::read(path, sha256)?;
    let refuse = |cause: String| {
        let path = path.display();
        Err(format!(
            "failed to start from states `{path}`: {cause}; prepare them for this configuration"
        ))
    };
    if states.points() != points {
        let found = states.points();
        return refuse(format!(
            "they have {found} points and the case has {points}"
        ));
    }
    for stretch in &plan.stretches {
        if states.get(stretch.checkpoint).is_none() {
            return refuse(format!("there is no state {}", stretch.checkpoint));
        }
        let beyond = |plane_m: &&f64| **plane_m > length_m;
        if let Some(plane_m) = stretch.planes_m.iter().find(beyond) {
            return refuse(format!(
                "a segment ends at {plane_m} m and the run at {length_m} m"
            ));
        }
    }
    Ok(states)
}

/// The time of all segments of a stretch.
pub fn timed_ns(report: &StretchReport) -> u64 {
    let sides = report.segments.iter().flat_map(|segment| {
        let (baseline, candidate) = (segment.baseline.sample, segment.candidate.sample);
        [baseline.interval_ns, candidate.interval_ns]
    });
    sides.fold(0, u64::saturating_add)
}

/// A sentence that names its side.
pub fn on(side: Side, sentence: &str) -> String {
    format!("side `{}`: {sentence}", side.as_str())
}
