//! The reference engine: the same propagations in plain Rust.
//!
//! A second opinion on the native library, written from the equations of `docs/cases.md` and the
//! published methods, to be read and not to be fast. It shares the set-up of the problem with the
//! native engine (`gnlse`, `guided`, `cartesian`), and nothing after that but the table of
//! ionisation rates. It works on one thread, and it allocates as it goes along.

mod absorber;
mod cartesian;
mod control;
mod cross_section;
mod delayed;
pub(crate) mod dormand_prince;
mod edge;
mod equation;
mod estimate;
mod fields;
mod frame;
mod geometry;
mod gnlse;
mod guided;
mod history;
mod interpolation;
mod modes;
mod multistep;
mod multistep_interaction;
mod pace;
pub(crate) mod phi;
mod rk4ip;
mod samples;
mod schedule;
mod statistics;
mod stepper;
#[cfg(test)]
mod tests;
mod transform;

use longrun_measure::{Clock, SystemClock};

use crate::engine::{Counts, Engine, EngineError, PlaneStatistics, Probe};
use crate::fourier::Complex64;
use crate::gnlse::Problem;
use crate::steppers::{self, Integration};
use crate::{cartesian as over_planes, guided as in_guides};
use cartesian::{Cartesian, Plane};
use control::{REJECTIONS_MAX, Rule};
use dormand_prince::DormandPrince;
use equation::Equation;
use estimate::Estimate;
use fields::{Field, norm};
use geometry::{Geometry, Seen};
use gnlse::Gnlse;
use guided::Guided;
use modes::Modes;
use multistep::{Multistep, ORDER_MAX};
use multistep_interaction::MultistepInteraction;
use pace::Pace;
use rk4ip::Rk4ip;
use stepper::Stepper;

/// Most accepted steps of one run, as in the native library.
const STEPS_MAX: usize = 1_000_000;

/// A propagation in progress.
pub struct Reference {
    equation: Equation,
    stepper: Box<dyn Stepper>,
    pace: Pace,
    geometry: Box<dyn Geometry>,
    length_m: f64,
    clock: SystemClock,
    counts: Counts,
    /// What the edge has absorbed since the last restart, J.
    edge_energy_j: f64,
    steps_m: Vec<f64>,
    /// What attempts at the last accepted step were refused for, if they were.
    shortened_by: Option<String>,
    /// None before a state is set and after a failure.
    place: Option<Place>,
}

/// Where the propagation is, all in metres.
struct Place {
    z_m: f64,
    /// Where the last step began; the position itself if there was none.
    previous_m: f64,
    state: Field,
}

impl Reference {
    /// An engine for a problem of the generalised nonlinear Schrödinger equation. It works on the
    /// thread that calls it.
    pub fn create(problem: &Problem, integration: &Integration) -> Result<Self, EngineError> {
        problem.check_lengths().map_err(unbuilt)?;
        let equation = Equation::new(Gnlse::new(problem));
        let geometry = Box::new(Modes::envelope(problem));
        Reference::of(equation, geometry, (integration, Estimate::Predictor))
    }

    /// An engine for a guided problem. It works on the thread that calls it.
    pub fn guided(
        problem: &in_guides::Problem,
        integration: &Integration,
    ) -> Result<Self, EngineError> {
        problem.check_lengths().map_err(unbuilt)?;
        let equation = Equation::new(Guided::new(problem));
        let geometry = Box::new(Modes::guided(problem));
        Reference::of(equation, geometry, (integration, Estimate::LowerCorrector))
    }

    /// An engine for a field over a plane, on a schedule. It works on the thread that calls it.
    pub fn cartesian(
        problem: &over_planes::Problem,
        integration: &Integration,
    ) -> Result<Self, EngineError> {
        problem.check_lengths().map_err(unbuilt)?;
        if integration.schedule().is_none() {
            let cause = "a field over a plane takes the steps of a schedule only";
            return Err(unbuilt(cause.to_owned()));
        }
        let equation = Equation::new(Cartesian::new(problem));
        let geometry = Box::new(Plane::new(problem));
        Reference::of(equation, geometry, (integration, Estimate::LowerCorrector))
    }

    fn of(
        equation: Equation,
        geometry: Box<dyn Geometry>,
        (integration, estimate): (&Integration, Estimate),
    ) -> Result<Self, EngineError> {
        let (stepper, rule) = stepper(integration, estimate).map_err(unbuilt)?;
        Ok(Reference {
            stepper,
            pace: Pace::new(integration, rule),
            geometry,
            equation,
            length_m: integration.length_m,
            clock: SystemClock::new(),
            counts: Counts::default(),
            edge_energy_j: 0.0,
            steps_m: Vec::new(),
            shortened_by: None,
            place: None,
        })
    }

    /// Takes one accepted step from `place`.
    fn step(&mut self, place: &Place) -> Result<Place, EngineError> {
        let stopped = |z_m: f64, cause: String| {
            EngineError::new(format!("advance the propagation at z = {z_m} m"), cause)
        };
        if self.steps_m.len() >= STEPS_MAX {
            let cause = format!(
                "{STEPS_MAX} steps were taken and no more can be; loosen the tolerance or shorten \
                 the guide"
            );
            return Err(stopped(place.z_m, cause));
        }
        let accepted = self
            .attempt(place)
            .map_err(|cause| stopped(place.z_m, cause))?;
        let place = self.absorb(accepted);
        self.stepper
            .settle(&mut self.equation, place.z_m, &place.state);
        if !norm(&place.state).is_finite() {
            let cause = format!(
                "the state is not finite, after a step of {:.3e} m; shorten the steps or check the \
                 launched field",
                place.z_m - place.previous_m
            );
            return Err(stopped(place.z_m, cause));
        }
        match self.equation.take_refusal() {
            Some(cause) => Err(stopped(place.z_m, cause)),
            None => Ok(place),
        }
    }

    /// Attempts at one step until one is accepted, and moves there.
    ///
    /// A state within a step that is too long may have no source where the state at its start has
    /// one: such a step is tried again, half as long. One that is laid down is not.
    fn attempt(&mut self, place: &Place) -> Result<Place, String> {
        let norm_before = norm(&place.state);
        let mut last_refusal: Option<String> = None;
        loop {
            // Steps that only just stay below the end of a table become shorter and shorter.
            let proposed = self.pace.propose(place.z_m, norm_before);
            let met = || last_refusal.clone().or_else(|| self.shortened_by.clone());
            let proposal = proposed.map_err(|floor| met().unwrap_or(floor))?;
            let (equation, start) = (&mut self.equation, &place.state);
            equation.prepare(place.z_m, proposal.step_m);
            let mut attempt = self
                .stepper
                .attempt(equation, place.z_m, start, proposal.step_m);
            let refusal = equation.take_refusal();
            if refusal.is_some() {
                attempt.error = f64::NAN;
            }
            if self.pace.judge(proposal, &attempt, norm_before) {
                if let Some(cause) = refusal {
                    return Err(cause);
                }
                self.stepper.accept();
                self.shortened_by = last_refusal;
                self.counts.accepted += 1;
                self.steps_m.push(proposal.step_m);
                return Ok(Place {
                    z_m: proposal.end_m,
                    previous_m: place.z_m,
                    state: attempt.state,
                });
            }
            self.counts.rejected += 1;
            last_refusal = refusal.or(last_refusal);
            if self.pace.gave_up() {
                let rejected = || {
                    format!(
                        "more than {REJECTIONS_MAX} attempts in a row were rejected, the last with \
                         a step of {:.3e} m, where the state has the norm {norm_before:.3e}; check \
                         the launched field or loosen the tolerance",
                        proposal.step_m
                    )
                };
                return Err(last_refusal.unwrap_or_else(rejected));
            }
        }
    }

    fn absorb(&mut self, mut place: Place) -> Place {
        let start_ns = self.clock.now_ns();
        let step_m = place.z_m - place.previous_m;
        if let Some(edge_j) = self.geometry.absorb(&mut place.state, step_m) {
            self.edge_energy_j += edge_j;
            self.counts.absorptions += 1;
            self.counts.absorb_ns += self.clock.now_ns().saturating_sub(start_ns);
        }
        place
    }

    /// The spectrum at a plane within the last step; at the position itself it is the state.
    fn spectrum_at(&self, plane_m: f64) -> Result<Field, EngineError> {
        let refuse = |cause: String| EngineError::new("observe the field", cause);
        let place = self.place.as_ref().ok_or_else(|| refuse(no_state()))?;
        let (from_m, to_m) = (place.previous_m, place.z_m);
        if !(from_m..=to_m).contains(&plane_m) {
            return Err(refuse(format!(
                "the plane at {plane_m} m is not within the last step, {from_m} m to {to_m} m; \
                 advance to it first"
            )));
        }
        if plane_m >= to_m {
            return Ok(place.state.clone());
        }
        let theta = (plane_m - from_m) / (to_m - from_m);
        let inside = self.stepper.interpolate(&self.equation, theta);
        inside.ok_or_else(|| refuse("no step has been taken".to_owned()))
    }

    fn check_length(&self, attempt: &str, length: usize) -> Result<(), EngineError> {
        check_length(attempt, length, ("the state", self.geometry.state_len()))
    }
}

fn check_length(
    attempt: &str,
    length: usize,
    (what, has): (&str, usize),
) -> Result<(), EngineError> {
    if length == has {
        return Ok(());
    }
    let cause = format!("{length} values were given, {what} has {has}");
    Err(EngineError::new(attempt, cause))
}

impl Engine for Reference {
    fn points(&self) -> usize {
        self.geometry.state_len()
    }

    fn set_state(&mut self, z_m: f64, state: &[Complex64]) -> Result<(), EngineError> {
        let attempt = "set the state";
        let refuse = |cause: String| EngineError::new(attempt, cause);
        self.place = None;
        self.check_length(attempt, state.len())?;
        let z_m = self.pace.restart(z_m).map_err(refuse)?;
        if !norm(state).is_finite() {
            return Err(refuse(format!(
                "its norm is not finite at z = {z_m} m; check the launched field"
            )));
        }
        self.stepper.restart();
        self.equation.restart();
        self.counts = Counts::default();
        self.edge_energy_j = 0.0;
        self.steps_m.clear();
        self.shortened_by = None;
        self.place = Some(Place {
            z_m,
            previous_m: z_m,
            state: state.to_vec(),
        });
        Ok(())
    }

    fn advance(&mut self, plane_m: f64, steps_max: i64) -> Result<f64, EngineError> {
        let place = self.place.take();
        let mut place =
            place.ok_or_else(|| EngineError::new("advance the propagation", no_state()))?;
        let target_m = plane_m.min(self.length_m);
        let mut taken = 0;
        while taken < steps_max && place.z_m < target_m {
            place = self.step(&place)?;
            taken += 1;
        }
        let z_m = place.z_m;
        self.place = Some(place);
        Ok(z_m)
    }

    fn observe(
        &mut self,
        plane_m: f64,
        intensity: Option<&mut [f64]>,
    ) -> Result<PlaneStatistics, EngineError> {
        if let Some(values) = &intensity {
            self.check_length("observe the field", values.len())?;
        }
        let start_ns = self.clock.now_ns();
        let spectrum = self.spectrum_at(plane_m)?;
        if let Some(values) = intensity {
            for (value, amplitude) in values.iter_mut().zip(&spectrum) {
                *value = amplitude.norm_sqr();
            }
        }
        let observed = self.geometry.statistics(plane_m, &spectrum);
        self.counts.observations += 1;
        self.counts.observe_ns += self.clock.now_ns().saturating_sub(start_ns);
        Ok(observed)
    }

    fn nodes(&self) -> usize {
        self.geometry.nodes()
    }

    fn observe_nodes(
        &mut self,
        plane_m: f64,
        fluence: Option<&mut [f64]>,
        peak: Option<&mut [f64]>,
    ) -> Result<(), EngineError> {
        let attempt = "observe the cross-section";
        if self.geometry.nodes() == 0 {
            return Err(EngineError::new(attempt, "the case has none"));
        }
        let seen = self.geometry.seen(&self.spectrum_at(plane_m)?);
        let fill = |values: Option<&mut [f64]>, of: fn(&Seen) -> f64| {
            let Some(values) = values else {
                return Ok(());
            };
            check_length(attempt, values.len(), ("the cross-section", seen.len()))?;
            for (value, seen) in values.iter_mut().zip(&seen) {
                *value = of(seen);
            }
            Ok(())
        };
        fill(fluence, |seen| seen.fluence)?;
        fill(peak, |seen| seen.peak)
    }

    fn edge_energy_j(&self) -> Result<f64, EngineError> {
        Ok(self.edge_energy_j)
    }

    fn get_state(&self, state: &mut [Complex64]) -> Result<(), EngineError> {
        self.check_length("read the state", state.len())?;
        let place = self.place.as_ref();
        let place = place.ok_or_else(|| EngineError::new("read the state", no_state()))?;
        state.copy_from_slice(&place.state);
        Ok(())
    }

    fn counts(&self) -> Result<Counts, EngineError> {
        Ok(Counts {
            evaluations: self.equation.evaluations(),
            threads_observed: self.equation.threads() as u64,
            ..self.counts
        })
    }

    fn steps_m(&self) -> Result<Vec<f64>, EngineError> {
        Ok(self.steps_m.clone())
    }

    fn fft_plans(&self) -> String {
        self.equation.transforms()
    }

    fn source_bytes(&self) -> Option<u64> {
        None
    }

    fn probe(&mut self) -> Result<&mut dyn Probe, String> {
        Err("engine `reference` does not time its parts".to_owned())
    }
}

/// The stepper of an integration, and the rule that finds its steps.
fn stepper(
    integration: &Integration,
    estimate: Estimate,
) -> Result<(Box<dyn Stepper>, Rule), String> {
    Ok(match integration.stepper {
        steppers::Stepper::Rk => (Box::<DormandPrince>::default(), Rule::OneStep),
        steppers::Stepper::Rk4ip => (Box::<Rk4ip>::default(), Rule::OneStep),
        steppers::Stepper::Multistep => {
            let stepper = Multistep::new(predictor_order(integration)?, estimate);
            (Box::new(stepper), Rule::Multistep)
        }
        steppers::Stepper::MultistepInteraction => {
            let stepper = MultistepInteraction::new(predictor_order(integration)?, estimate);
            (Box::new(stepper), Rule::Multistep)
        }
    })
}

fn predictor_order(integration: &Integration) -> Result<usize, String> {
    let order = integration.order.map(usize::try_from);
    match order {
        Some(Ok(order @ 1..=ORDER_MAX)) => Ok(order),
        _ => Err(format!(
            "the order of the predictor is {:?}; it must be from 1 to {ORDER_MAX}",
            integration.order
        )),
    }
}

fn unbuilt(cause: String) -> EngineError {
    EngineError::new("build the reference engine", cause)
}

fn no_state() -> String {
    "no state is set, or the last step failed; set a state first".to_owned()
}
