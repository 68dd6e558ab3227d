//! The task `verify`: run the whole guide `repeats` times, untimed, and measure the oracles.
//!
//! The case is set up exactly as for a timed run. What differs is what is looked at on the way:
//! more planes, which change no step, and the field in the middle. Where an oracle compares
//! steppers, the others run once each.

use std::io::Write;

use longrun_measure::Clock;
use longrun_protocol::Witness;
use longrun_protocol::receipt::{Failure, Receipt};

use super::checks::Job;
use super::computes::Loaded;
use super::failure;
use super::progress::Progress;
use super::setup::{self, Ready, STEPS_MAX, Stage, state};
use crate::case::{Case, Problem};
use crate::engine::{Counts, Engine, EngineError};
use crate::fourier::Complex64;
use crate::oracle::catalogue::Oracle;
use crate::oracle::evidence::{Evidence, Nodes, Other, Plane, Run, State};
use crate::oracle::family;
use crate::steppers::{Asked, Integration, Stepper, Stepping, planes_m};
use crate::witness;

/// Does the job and writes what was measured into `receipt`.
pub fn verify(
    job: &Job<'_>,
    oracles: &[Oracle],
    clock: &impl Clock,
    progress: &mut Progress<impl Write>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    let mut stage = Stage { clock, progress };
    let ready = Ready::make(
        job,
        |case, integration| check(job, oracles, case, integration),
        &mut stage,
        receipt,
    )?;
    let (loaded, mut engine) = (ready.loaded, ready.engine);
    let setup::Subject {
        case,
        integration,
        problem,
    } = ready.subject;
    let subject = Subject {
        job,
        case: &case,
        integration: &integration,
        planes_m: all_planes_m(oracles, &case, &integration),
        look: match oracles.iter().any(|oracle| oracle.sees_nodes()) {
            true => Look::AtNodes,
            false => Look::AtPowers,
        },
    };
    progress.phase("run");
    let mut evidence = subject.repeats(engine.as_mut(), progress, receipt)?;
    drop(engine);
    let mut steppers: Vec<Stepper> = Vec::new();
    for oracle in oracles {
        steppers.extend(oracle.other_steppers(integration.stepper));
    }
    for stepper in steppers {
        let distance = subject
            .end_with(stepper, &loaded, &problem)
            .map(|end| witness::relative_l2(&end, &evidence.end))
            .map_err(|cause| {
                let name = stepper.as_str();
                failure("run", format!("failed with stepper `{name}`: {cause}"))
            })?;
        evidence.others.push(Other { stepper, distance });
    }
    receipt.oracles = family::measure(oracles, evidence);
    Ok(())
}

/// What is verified.
struct Subject<'a> {
    job: &'a Job<'a>,
    case: &'a Case,
    integration: &'a Integration,
    /// Planes that are observed, m.
    planes_m: Vec<f64>,
    look: Look,
}

/// What is looked at in a plane.
#[derive(Clone, Copy)]
enum Look {
    /// Powers over time.
    AtPowers,
    /// The points of the cross-section, too.
    AtNodes,
}

impl<'a> Subject<'a> {
    /// Runs as often as the request says.
    fn repeats(
        &self,
        engine: &mut dyn Engine,
        progress: &mut Progress<impl Write>,
        receipt: &mut Receipt,
    ) -> Result<Evidence<'a, Case>, Failure> {
        let mut pass = |repeat: u32| {
            progress.repeat(repeat, 0.0);
            let passage = Passage::through(engine, self.case, (&self.planes_m, self.look))
                .map_err(|cause| failure("run", format!("failed in repeat {repeat}: {cause}")))?;
            progress.repeat(repeat, 1.0);
            Ok(passage)
        };
        let first = pass(1)?;
        let mut evidence = self.evidence(&first);
        let mut first = Some(first);
        for repeat in 1..=self.job.request.repeats {
            // The one before is gone by now: states may be large.
            let passage = match first.take() {
                Some(first) => first,
                None => pass(repeat)?,
            };
            let run = passage.run(&evidence.end);
            evidence.runs.push(run);
            receipt.witnesses.push(passage.witness(run));
        }
        Ok(evidence)
    }

    /// What the first passage contributes; no run is counted yet.
    fn evidence(&self, first: &Passage) -> Evidence<'a, Case> {
        Evidence {
            case: self.case,
            planes: first.planes.clone(),
            middle: first.middle.clone(),
            end: first.end.clone(),
            runs: Vec::new(),
            others: Vec::new(),
            rtol: self.integration.tolerances().get("rtol").copied(),
            repeat_bound: self.job.request.bounds.repeat,
        }
    }

    /// The final state with another stepper, at the tolerance of the case.
    fn end_with(
        &self,
        stepper: Stepper,
        loaded: &Loaded,
        problem: &Problem,
    ) -> Result<Vec<Complex64>, String> {
        let asked = Asked {
            stepper: stepper.as_str(),
            length: 1.0,
            replay: None,
        };
        let integration =
            Integration::resolve(self.case, asked).map_err(|error| error.to_string())?;
        let words = |error: EngineError| error.to_string();
        let threads = self.job.request.threads;
        let mut engine = loaded
            .engine(problem, &integration, threads, None)
            .map_err(words)?;
        engine.set_state(0.0, self.case.launch()).map_err(words)?;
        engine
            .advance(integration.length_m, STEPS_MAX)
            .map_err(words)?;
        state(engine.as_ref())
    }
}

/// Whether every oracle holds for the case as it is run.
fn check(
    job: &Job<'_>,
    oracles: &[Oracle],
    case: &Case,
    integration: &Integration,
) -> Result<(), String> {
    for oracle in oracles {
        let held = family::holds(*oracle, case, integration, job.request.repeats);
        held.map_err(|holds_for| {
            format!(
                "failed to verify oracle `{}`: {holds_for}; take it from the case in its registry \
                 file",
                oracle.as_str()
            )
        })?;
    }
    Ok(())
}

/// The planes of the case, its middle, and those that the oracles ask for: ascending, each once.
fn all_planes_m(oracles: &[Oracle], case: &Case, integration: &Integration) -> Vec<f64> {
    let length_m = integration.length_m;
    let mut planes = planes_m(case.length_m(), case.planes(), length_m);
    planes.push(case.length_m() / 2.0);
    planes.extend(
        oracles
            .iter()
            .flat_map(|oracle| family::planes_m(*oracle, case)),
    );
    planes.retain(|z_m| *z_m <= length_m);
    planes.sort_by(f64::total_cmp);
    planes.dedup();
    planes
}

/// What is at the points of the cross-section at a plane.
fn nodes(engine: &mut dyn Engine, z_m: f64) -> Result<Nodes, EngineError> {
    let mut nodes = Nodes {
        fluence: vec![f64::NAN; engine.nodes()],
        peak: vec![f64::NAN; engine.nodes()],
    };
    engine.observe_nodes(z_m, Some(&mut nodes.fluence), Some(&mut nodes.peak))?;
    Ok(nodes)
}

/// One passage through the guide.
struct Passage {
    planes: Vec<Plane>,
    middle: State,
    end: Vec<Complex64>,
    counts: Counts,
}

impl Passage {
    fn through(
        engine: &mut dyn Engine,
        case: &Case,
        (planes_m, look): (&[f64], Look),
    ) -> Result<Self, String> {
        let words = |error: EngineError| error.to_string();
        engine.set_state(0.0, case.launch()).map_err(words)?;
        let mut planes = Vec::with_capacity(planes_m.len());
        let mut middle = None;
        for z_m in planes_m {
            let reached_m = engine.advance(*z_m, STEPS_MAX).map_err(words)?;
            let statistics = engine.observe(*z_m, None).map_err(words)?;
            planes.push(Plane {
                z_m: *z_m,
                energy_j: statistics.energy_j,
                peak_power_w: statistics.peak_power_w,
                nodes: match look {
                    Look::AtPowers => None,
                    Look::AtNodes => Some(nodes(engine, *z_m).map_err(words)?),
                },
            });
            if middle.is_none() && *z_m >= case.length_m() / 2.0 {
                middle = Some(State {
                    z_m: reached_m,
                    spectrum: state(engine)?,
                });
            }
        }
        let middle = middle.ok_or("the run ends before the middle of the guide")?;
        Ok(Passage {
            planes,
            middle,
            end: state(engine)?,
            counts: engine.counts().map_err(words)?,
        })
    }

    fn run(&self, first_end: &[Complex64]) -> Run {
        Run {
            accepted: self.counts.accepted,
            rejected: self.counts.rejected,
            evaluations: self.counts.evaluations,
            distance: witness::relative_l2(&self.end, first_end),
        }
    }

    fn witness(&self, run: Run) -> Witness {
        Witness {
            accepted: Some(run.accepted),
            rejected: Some(run.rejected),
            evaluations: Some(run.evaluations),
            digest: Some(witness::digest(&self.end)),
            relative_l2_to_first: run.distance,
            threads_observed: u32::try_from(self.counts.threads_observed).ok(),
            ..Witness::default()
        }
    }
}
