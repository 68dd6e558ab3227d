//! A field over a plane, on a schedule.
//!
//! Whole transforms in x, y and time on the fine grid, with complex numbers, and L for every value
//! of the state: to be read, and for small grids. What is said in `crate::cartesian` of the arrays
//! is not repeated here.

mod cube;
mod equation;

use longrun_measure::{Clock, SystemClock};

use super::equation::Equation;
use super::fields::{Field, norm};
use super::pace::Pace;
use super::statistics::first_largest;
use super::stepper::Stepper;
use super::{Rule, no_state, unbuilt};
use crate::cartesian::Problem;
use crate::constants::HBAR;
use crate::engine::{Counts, Engine, EngineError, PlaneStatistics};
use crate::fourier::{Complex64, inverse};
use crate::steppers::Integration;
use cube::Cube;
use equation::Cartesian;

/// A propagation in progress.
pub struct CartesianReference {
    problem: Problem,
    equation: Equation,
    stepper: Box<dyn Stepper>,
    pace: Pace,
    length_m: f64,
    clock: SystemClock,
    counts: Counts,
    steps_m: Vec<f64>,
    edge_energy_j: f64,
    /// None before a state is set and after a failure.
    place: Option<Place>,
}

/// Where the propagation is, all in metres.
struct Place {
    z_m: f64,
    previous_m: f64,
    state: Field,
}

impl CartesianReference {
    /// An engine for a problem on a schedule. It works on the thread that calls it.
    pub fn create(problem: &Problem, integration: &Integration) -> Result<Self, EngineError> {
        problem.check_lengths().map_err(unbuilt)?;
        if integration.schedule().is_none() {
            let cause = "a field over a plane takes the steps of a schedule only";
            return Err(unbuilt(cause.to_owned()));
        }
        let estimate = super::Estimate::Predictor;
        let (stepper, _) = super::stepper(integration, estimate).map_err(unbuilt)?;
        Ok(CartesianReference {
            equation: Equation::new(Cartesian::new(problem)),
            problem: problem.clone(),
            stepper,
            pace: Pace::new(integration, Rule::OneStep),
            length_m: integration.length_m,
            clock: SystemClock::new(),
            counts: Counts::default(),
            steps_m: Vec::new(),
            edge_energy_j: 0.0,
            place: None,
        })
    }

    fn step(&mut self, place: &Place) -> Result<Place, String> {
        let before = norm(&place.state);
        let proposal = self.pace.propose(place.z_m, before)?;
        self.equation.prepare(place.z_m, proposal.step_m);
        let (equation, h) = (&mut self.equation, proposal.step_m);
        let attempt = self.stepper.attempt(equation, place.z_m, &place.state, h);
        self.pace.judge(proposal, &attempt, before);
        self.stepper.accept();
        self.counts.accepted += 1;
        self.steps_m.push(h);
        let mut state = attempt.state;
        self.absorb(&mut state, h);
        let (equation, end_m) = (&mut self.equation, proposal.end_m);
        self.stepper.settle(equation, end_m, &state);
        if !norm(&state).is_finite() {
            return Err(format!(
                "the state is not finite, after a step of {h:.3e} m; shorten the steps or check \
                 the launched field"
            ));
        }
        Ok(Place {
            z_m: end_m,
            previous_m: place.z_m,
            state,
        })
    }

    /// What leaves the windows in frequency, in time and over the plane, in this order.
    fn absorb(&mut self, state: &mut Field, step_m: f64) {
        let Some(windows) = &self.problem.windows else {
            return;
        };
        let start_ns = self.clock.now_ns();
        let part = step_m / windows.length_m;
        let over = |window: &[f64]| -> Vec<f64> { window.iter().map(|w| w.powf(part)).collect() };
        let columns = self.problem.columns();
        let spectral = over(&windows.spectral);
        for (plane, window) in state.chunks_exact_mut(columns).zip(&spectral) {
            plane.iter_mut().for_each(|value| *value *= window);
        }
        let mut field = Cube::field(&self.problem, self.problem.points, state);
        let temporal = over(&windows.temporal);
        let (x, y) = (over(&windows.x), over(&windows.y));
        let (wide, mut edge) = (x.len(), 0.0);
        for (i, value) in field.values.iter_mut().enumerate() {
            let (time, column) = (i / columns, i % columns);
            let within = value.re * temporal[time];
            let kept = within * x[column % wide] * y[column / wide];
            edge += within * within - kept * kept;
            *value = kept.into();
        }
        // All frequencies of both signs have half as much again as those that are stored.
        let samples = (columns * self.problem.points) as f64;
        self.edge_energy_j += 0.5 * samples * self.problem.energy_scale * edge;
        *state = field.state(&self.problem);
        self.counts.absorptions += 1;
        self.counts.absorb_ns += self.clock.now_ns().saturating_sub(start_ns);
    }

    /// The state at a plane within the last step.
    fn state_at(&self, plane_m: f64) -> Result<Field, EngineError> {
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
        check_length(attempt, length, self.problem.state_len())
    }
}

fn check_length(attempt: &str, length: usize, expected: usize) -> Result<(), EngineError> {
    if length == expected {
        return Ok(());
    }
    let cause = format!("{length} values were given and {expected} are needed");
    Err(EngineError::new(attempt, cause))
}

impl Engine for CartesianReference {
    fn points(&self) -> usize {
        self.problem.state_len()
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
        self.place = Some(Place {
            z_m,
            previous_m: z_m,
            state: state.to_vec(),
        });
        Ok(())
    }

    fn advance(&mut self, plane_m: f64, steps_max: i64) -> Result<f64, EngineError> {
        let attempt = "advance the propagation";
        let place = self.place.take();
        let mut place = place.ok_or_else(|| EngineError::new(attempt, no_state()))?;
        let target_m = plane_m.min(self.length_m);
        let mut taken = 0;
        while taken < steps_max && place.z_m < target_m {
            place = self.step(&place).map_err(|cause| {
                EngineError::new(format!("{attempt} at z = {} m", place.z_m), cause)
            })?;
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
        let state = self.state_at(plane_m)?;
        for (value, amplitude) in intensity.into_iter().flatten().zip(&state) {
            *value = amplitude.norm_sqr();
        }
        let observed = statistics(&self.problem, plane_m, &state);
        self.counts.observations += 1;
        self.counts.observe_ns += self.clock.now_ns().saturating_sub(start_ns);
        Ok(observed)
    }

    fn nodes(&self) -> usize {
        self.problem.columns()
    }

    fn observe_nodes(
        &mut self,
        plane_m: f64,
        fluence: Option<&mut [f64]>,
        peak: Option<&mut [f64]>,
    ) -> Result<(), EngineError> {
        let nodes = self.nodes();
        for given in [&fluence, &peak].into_iter().flatten() {
            check_length("observe the cross-section", given.len(), nodes)?;
        }
        let state = self.state_at(plane_m)?;
        let analytic = Cube::analytic(&self.problem, &state);
        let squares = |node: usize| {
            let samples = analytic.values.iter().skip(node).step_by(nodes);
            samples.map(Complex64::norm_sqr)
        };
        for (node, value) in fluence.into_iter().flatten().enumerate() {
            *value = self.problem.time_step_s * squares(node).sum::<f64>();
        }
        for (node, value) in peak.into_iter().flatten().enumerate() {
            *value = squares(node).fold(0.0, f64::max);
        }
        Ok(())
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
}

/// Statistics of a state. The power is that of the analytic signal, summed over the plane.
fn statistics(problem: &Problem, z_m: f64, state: &[Complex64]) -> PlaneStatistics {
    let planes = state.chunks_exact(problem.columns());
    let of_bin = |plane: &[Complex64]| -> f64 {
        problem.energy_scale * plane.iter().map(Complex64::norm_sqr).sum::<f64>()
    };
    let energies: Vec<f64> = planes.map(of_bin).collect();
    let bins = || energies.iter().zip(&problem.omega);
    let energy_j: f64 = energies.iter().sum();
    let powers = powers(problem, state);
    let time = |j: usize| (j as f64 - (problem.points / 2) as f64) * problem.time_step_s;
    let total: f64 = powers.iter().sum();
    let moments = powers.iter().enumerate();
    let mean_s = moments.map(|(j, p)| p * time(j)).sum::<f64>() / total;
    let moments = powers.iter().enumerate();
    let square = moments
        .map(|(j, p)| p * (time(j) - mean_s).powi(2))
        .sum::<f64>()
        / total;
    let (peak, peak_power_w) = first_largest(&powers);
    PlaneStatistics {
        z_m,
        energy_j,
        photon_number: bins().map(|(energy, omega)| energy / (HBAR * omega)).sum(),
        peak_power_w,
        peak_time_s: time(peak),
        mean_omega_rad_s: bins().map(|(energy, omega)| energy * omega).sum::<f64>() / energy_j,
        rms_duration_s: square.sqrt(),
    }
}

/// Power at each coarse sample, W: by Parseval's theorem the sum over transverse wavenumbers.
fn powers(problem: &Problem, state: &[Complex64]) -> Vec<f64> {
    let points = problem.points;
    let scale = problem.energy_scale * points as f64 / (4.0 * problem.time_step_s);
    let mut powers = vec![0.0; points];
    for column in 0..problem.columns() {
        let mut signal = vec![Complex64::default(); points];
        let bins = state.iter().skip(column).step_by(problem.columns());
        for (place, value) in signal[problem.first_bin..].iter_mut().zip(bins) {
            *place = 2.0 * value;
        }
        inverse(&mut signal);
        for (power, value) in powers.iter_mut().zip(&signal) {
            *power += scale * value.norm_sqr();
        }
    }
    powers
}
