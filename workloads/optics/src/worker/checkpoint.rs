//! The task `checkpoint`: run the guide once, untimed, and lay down the stretches of a duet.
//!
//! The states of a duet are to stand at equal shares of the evaluations of the run, which are known
//! when it has ended. One run keeps a thinned set of states on its way, evenly spaced in accepted
//! steps and bounded in memory, and the states are chosen from it afterwards. A second run would
//! give the shares exactly and take twice as long, and a share need not be exact: a stretch begins
//! at most a sixteenth of a share early, or half a share where states are so large that memory
//! bounds how many are kept.
//!
//! Then the engine is restarted at each state, steps until it has its order and its step back, and
//! goes on; the planes between which a duet is timed lie half-way between the steps it takes.

mod course;
mod layout;

use std::io::Write;

use longrun_measure::Clock;
use longrun_protocol::duet::{CheckpointPlan, CheckpointReport, Stretch};
use longrun_protocol::receipt::{Failure, Receipt};

use super::checks::Job;
use super::failure;
use super::progress::Progress;
use super::setup::{self, Ready, Stage};
use super::states::States;
use crate::engine::{Engine, EngineError};
use crate::fourier::Complex64;
use course::{Course, Kept};
use layout::{Layout, WARM_UP_STEPS_MIN};

/// Most steps of a warm-up. A controller that has not found its step by then takes the steps that
/// it takes.
const WARM_UP_STEPS_MAX: u32 = 64;

/// Does the job and writes what happened into `receipt`.
pub fn checkpoint(
    job: &Job<'_>,
    plan: &CheckpointPlan,
    clock: &impl Clock,
    progress: &mut Progress<impl Write>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    let mut stage = Stage { clock, progress };
    let ready = Ready::make(job, setup::any, &mut stage, receipt)?;
    let (mut engine, subject) = (ready.engine, ready.subject);
    let length_m = subject.integration.length_m;
    drop(subject.problem);
    progress.phase("run");
    let prepared = prepare(
        engine.as_mut(),
        plan,
        subject.case.launch(),
        length_m,
        clock,
    )
    .map_err(|message| failure("run", message))?;
    receipt.phases.run_ns = prepared.run_ns;
    receipt.checkpoints = Some(prepared);
    Ok(())
}

/// Runs the guide, writes the states and lays down what follows them.
fn prepare(
    engine: &mut dyn Engine,
    plan: &CheckpointPlan,
    launch: &[Complex64],
    length_m: f64,
    clock: &impl Clock,
) -> Result<CheckpointReport, String> {
    let course = Course::through(engine, launch, length_m, plan.count, clock)?;
    let layout = Layout::of(plan, course.summary())?;
    let starts: Vec<&Kept> = layout
        .starts(course.summary())
        .into_iter()
        .map(|evaluations| course.before(evaluations))
        .collect();
    let mut stretches = Vec::with_capacity(starts.len());
    for (checkpoint, start) in (0..).zip(&starts) {
        let stretch = walk(engine, start, checkpoint, &course, layout)
            .map_err(|cause| format!("failed to step on from z = {} m: {cause}", start.z_m))?;
        stretches.push(stretch);
    }
    let states: Vec<_> = starts.iter().map(|kept| kept.state.as_slice()).collect();
    let summary = course.summary();
    Ok(CheckpointReport {
        sha256: States::write(&plan.file, &states, launch.len())?,
        stretches,
        visited: layout.visited,
        step_ns: summary.step_ns,
        run_ns: course.run_ns,
        accepted: summary.accepted,
        evaluations: summary.evaluations,
    })
}

/// Restarts at a kept state and finds the planes of the segments that follow it.
fn walk(
    engine: &mut dyn Engine,
    start: &Kept,
    checkpoint: u32,
    course: &Course,
    layout: Layout,
) -> Result<Stretch, String> {
    let words = |error: EngineError| error.to_string();
    engine.set_state(start.z_m, &start.state).map_err(words)?;
    let mut feet = Feet {
        engine,
        length_m: course.length_m,
        before_m: start.z_m,
        after_m: start.z_m,
    };
    let mut taken = 0;
    let mut settled = false;
    while taken < WARM_UP_STEPS_MIN || (!settled && taken < WARM_UP_STEPS_MAX) {
        feet.step()?;
        taken += 1;
        settled = feet.after_m - feet.before_m >= course.step_at_m(feet.before_m) / 2.0;
    }
    let warm_up_m = feet.half_way_m();
    let mut planes_m = Vec::new();
    for _ in 0..layout.segments {
        for _ in 0..layout.steps {
            feet.step()?;
        }
        planes_m.push(feet.half_way_m());
    }
    Ok(Stretch {
        checkpoint,
        z_m: start.z_m,
        warm_up_m,
        planes_m,
    })
}

/// An engine that is led step by step.
struct Feet<'a> {
    engine: &'a mut dyn Engine,
    length_m: f64,
    /// Where the last step began and where it ended.
    before_m: f64,
    after_m: f64,
}

impl Feet<'_> {
    /// Takes one step. The step that is cut off by the end of the guide is not like the others.
    fn step(&mut self) -> Result<(), String> {
        let reached_m = self
            .engine
            .advance(self.length_m, 1)
            .map_err(|error| error.to_string())?;
        if reached_m >= self.length_m {
            return Err(
                "the stretch does not end before the guide does; ask for fewer states \
                        or for shorter segments"
                    .to_owned(),
            );
        }
        (self.before_m, self.after_m) = (self.after_m, reached_m);
        Ok(())
    }

    fn half_way_m(&self) -> f64 {
        f64::midpoint(self.before_m, self.after_m)
    }
}
