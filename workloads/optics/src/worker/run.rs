//! The task `run`: set up, warm up, and run the whole guide `repeats` times, timed.
//!
//! The timed region is [`traverse`] and nothing else: the engine advances to each plane and
//! observes it into arrays that exist and have been touched before. What it allocates is counted
//! from just before it to just after it.

use std::io::Write;
use std::path::Path;

use longrun_measure::Clock;
use longrun_protocol::Witness;
use longrun_protocol::receipt::{Failure, LoadSpan, Receipt};

use super::checks::Job;
use super::facts::{OpticsFacts, RepeatFacts};
use super::meter::Meter;
use super::progress::Progress;
use super::setup::{self, Ready, STEPS_MAX, Stage};
use super::{breakdown, edge, failure, files, machine};
use crate::case::Case;
use crate::engine::{Counts, Engine, EngineError, PlaneStatistics};
use crate::fourier::Complex64;
use crate::native::allocations::Allocations;
use crate::steppers::{Integration, Stepping, planes_m};
use crate::{npy, witness};

/// Does the job and writes what happened into `receipt`, as far as it got.
pub fn run(
    job: &Job<'_>,
    folder: &Path,
    clock: &impl Clock,
    progress: &mut Progress<impl Write>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    let mut stage = Stage { clock, progress };
    let ready = Ready::make(job, setup::any, &mut stage, receipt)?;
    let (mut engine, subject) = (ready.engine, ready.subject);
    let (case, integration) = (subject.case, subject.integration);
    drop(subject.problem);
    let mut course = Course::new(&case, &integration);
    stage.run("warm_up", &mut receipt.phases.warm_up_ns, || {
        warm_up(engine.as_mut(), &case, &mut course, job.request.warm_up)
            .map_err(|error| error.to_string())
    })?;
    progress.phase("run");
    let meter = Meter {
        clock,
        usage: &machine::usage,
    };
    let mut repeats = Repeats::new(&case, &integration, engine.as_ref());
    for repeat in 1..=job.request.repeats {
        progress.repeat(repeat, 0.0);
        repeats
            .take(engine.as_mut(), &mut course, &meter, receipt)
            .map_err(|cause| failure("run", format!("failed in repeat {repeat}: {cause}")))?;
        progress.repeat(repeat, 1.0);
    }
    repeats
        .finish(
            engine.as_ref(),
            &course,
            folder,
            job.request.keep_state,
            receipt,
        )
        .map_err(|message| failure("run", message))?;
    if job.request.breakdown {
        breakdown::take(engine.as_mut(), &case, &mut course, &meter, receipt).map_err(|cause| {
            failure(
                "run",
                format!("failed in the repeat of the breakdown: {cause}"),
            )
        })?;
    }
    Ok(())
}

/// The planes of a run and the arrays that they are observed into.
pub struct Course {
    /// In the order of the guide; the last is where the run ends.
    pub planes: Vec<Plane>,
}

/// A plane, and what was seen there.
pub struct Plane {
    /// Position.
    pub z_m: f64,
    statistics: PlaneStatistics,
    /// None of a field over a plane: five of them would be a gigabyte.
    intensity: Option<Vec<f64>>,
}

impl Course {
    /// Every array is written once here, so that no page is touched first inside a timed region.
    pub fn new(case: &Case, integration: &Integration) -> Self {
        let plane = |z_m| Plane {
            z_m,
            statistics: PlaneStatistics::default(),
            intensity: match case {
                Case::Cartesian(_) => None,
                _ => Some(vec![f64::NAN; case.launch().len()]),
            },
        };
        let positions = planes_m(case.length_m(), case.planes(), integration.length_m);
        Course {
            planes: positions.into_iter().map(plane).collect(),
        }
    }
}

/// The timed region: advance to each plane and observe it.
pub fn traverse(engine: &mut dyn Engine, planes: &mut [Plane]) -> Result<(), EngineError> {
    for plane in planes {
        engine.advance(plane.z_m, STEPS_MAX)?;
        plane.statistics = engine.observe(plane.z_m, plane.intensity.as_deref_mut())?;
    }
    Ok(())
}

/// Runs the first `fraction` of the length, at least one step, and observes once.
fn warm_up(
    engine: &mut dyn Engine,
    case: &Case,
    course: &mut Course,
    fraction: f64,
) -> Result<(), EngineError> {
    let length_m = course.planes.last().map_or(0.0, |plane| plane.z_m);
    engine.set_state(0.0, case.launch())?;
    let reached = engine.advance(length_m, 1)?;
    let z_m = if reached < fraction * length_m {
        engine.advance(fraction * length_m, STEPS_MAX)?
    } else {
        reached
    };
    if let Some(plane) = course.planes.first_mut() {
        engine.observe(z_m, plane.intensity.as_deref_mut())?;
    }
    Ok(())
}

/// What is compared between repeats, and collected from them.
struct Repeats<'a> {
    case: &'a Case,
    plans: String,
    first: Vec<Complex64>,
    last: Vec<Complex64>,
    facts: OpticsFacts,
}

impl<'a> Repeats<'a> {
    fn new(case: &'a Case, integration: &Integration, engine: &dyn Engine) -> Self {
        Repeats {
            case,
            plans: witness::sha256_hex(engine.fft_plans().as_bytes()),
            first: Vec::new(),
            last: vec![Complex64::default(); engine.points()],
            facts: OpticsFacts::of(case, integration.length_m, engine.source_bytes()),
        }
    }

    /// One timed repeat, from the launch to the end of the run.
    fn take(
        &mut self,
        engine: &mut dyn Engine,
        course: &mut Course,
        meter: &Meter<'_, impl Clock>,
        receipt: &mut Receipt,
    ) -> Result<(), String> {
        let words = |error: EngineError| error.to_string();
        engine.set_state(0.0, self.case.launch()).map_err(words)?;
        let before = machine::load();
        let counted = Allocations::now();
        let (traversed, sample) = meter.sample(1, || traverse(engine, &mut course.planes));
        let allocated = Allocations::now().since(counted);
        let after = machine::load();
        traversed.map_err(words)?;
        let sample = sample?;
        engine.get_state(&mut self.last).map_err(words)?;
        let finite = |value: &Complex64| value.re.is_finite() && value.im.is_finite();
        if !self.last.iter().all(finite) {
            let advice = "the steps are too long or the parameters make no sense";
            return Err(format!("the final field is not finite; {advice}"));
        }
        if self.first.is_empty() {
            self.first.clone_from(&self.last);
        }
        let counts = engine.counts().map_err(words)?;
        receipt.phases.run_ns = receipt.phases.run_ns.saturating_add(sample.interval_ns);
        receipt.samples.push(sample);
        receipt.load.push(LoadSpan { before, after });
        receipt.witnesses.push(self.witness(counts));
        self.facts.repeats.push(RepeatFacts {
            allocations: allocated.process.map(|process| process.allocations),
            ..counts.into()
        });
        Ok(())
    }

    fn witness(&self, counts: Counts) -> Witness {
        Witness {
            accepted: Some(counts.accepted),
            rejected: Some(counts.rejected),
            evaluations: Some(counts.evaluations),
            digest: Some(witness::digest(&self.last)),
            relative_l2_to_first: witness::relative_l2(&self.last, &self.first),
            threads_observed: u32::try_from(counts.threads_observed).ok(),
            fft_plans: Some(self.plans.clone()),
            ..Witness::default()
        }
    }

    /// What is told of the last repeat only: sketch, facts, artifacts.
    fn finish(
        mut self,
        engine: &dyn Engine,
        course: &Course,
        folder: &Path,
        keep_state: bool,
        receipt: &mut Receipt,
    ) -> Result<(), String> {
        if let Some(last) = receipt.witnesses.last_mut() {
            last.sketch = witness::sketch(&self.last);
        }
        let steps_m = engine.steps_m().map_err(|error| error.to_string())?;
        self.facts.finish(self.case, &self.last, &steps_m);
        self.facts.edge_energy_ratio = edge::absorbed(engine, self.case)?;
        receipt.warnings.extend(edge::cut(self.case));
        receipt
            .warnings
            .extend(self.facts.edge_energy_ratio.and_then(edge::warning));
        self.facts.planes = course
            .planes
            .iter()
            .map(|plane| plane.statistics.into())
            .collect();
        receipt.context = Some(self.facts.context()?);
        if keep_state {
            receipt.artifacts = self.artifacts(&steps_m, folder)?;
        }
        Ok(())
    }

    fn artifacts(
        &self,
        steps_m: &[f64],
        folder: &Path,
    ) -> Result<Vec<longrun_protocol::receipt::Artifact>, String> {
        let state = "final spectrum of the last repeat, complex128, FFT order, unnormalised \
                     forward transform of the field in sqrt(W), mode after mode";
        let steps = "accepted steps of the last repeat, float64, metres, in order";
        Ok(vec![
            files::write_artifact(
                folder,
                "final_state",
                &npy::complex(&self.last),
                state.to_owned(),
            )?,
            files::write_artifact(
                folder,
                "accepted_steps",
                &npy::real(steps_m),
                steps.to_owned(),
            )?,
        ])
    }
}
