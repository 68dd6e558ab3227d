//! The guided family: what its equation says in cases that can be computed by hand.

mod dispersion;
mod edge;
mod gradient;
mod hydrogen;
mod kerr;
mod limits;
mod plasma;
mod runs;

use super::super::guided::Guided;
use super::super::modes::frequencies;
use super::*;
use crate::guided::{Density, FieldKind, Linear, Problem as GuidedProblem};

/// One mode at one node, where neither linear operator nor polarisation acts: N is the transform
/// of P over nothing else.
fn bare(field: FieldKind, points: usize, time_step_s: f64, carrier_rad_s: f64) -> GuidedProblem {
    let spacing = TAU / (points as f64 * time_step_s);
    let (omega, energy_scale): (Vec<f64>, f64) = match field {
        FieldKind::Real => ((0..=points / 2).map(|k| k as f64 * spacing).collect(), 4.0),
        FieldKind::Envelope => (frequencies(points, time_step_s, carrier_rad_s), 1.0),
    };
    let bins = omega.len();
    GuidedProblem {
        field,
        points,
        fine_points: points,
        modes: 1,
        nodes: 1,
        time_step_s,
        carrier_rad_s,
        omega: omega.iter().map(|omega| omega.max(0.0)).collect(),
        synthesis: vec![1.0],
        projection: vec![1.0],
        linear: Linear::Fixed(vec![Complex64::default(); bins]),
        source: vec![Complex64::new(1.0, 0.0); bins],
        density: Density::Constant(1.0),
        kerr: 0.0,
        raman: None,
        plasma: None,
        windows: None,
        carrier_shift: None,
        energy_scale: energy_scale * time_step_s / points as f64,
    }
}

/// The stored spectrum of a real field given at times, on the grid of the problem.
fn launched(problem: &GuidedProblem, field: impl Fn(f64) -> f64) -> Vec<Complex64> {
    let half = (problem.points / 2) as f64;
    let at = |j: usize| Complex64::from(field((j as f64 - half) * problem.time_step_s));
    let mut spectrum: Vec<Complex64> = (0..problem.points).map(at).collect();
    forward(&mut spectrum);
    spectrum.truncate(problem.bins());
    spectrum
}

/// A field whose power is a Gaussian of this full width at half maximum, and 1 at its peak.
fn gaussian(fwhm_s: f64) -> impl Fn(f64) -> f64 {
    move |t: f64| (-2.0 * std::f64::consts::LN_2 * (t / fwhm_s).powi(2)).exp()
}

/// One source evaluation.
fn slope(problem: &GuidedProblem, z_m: f64, state: &[Complex64]) -> Vec<Complex64> {
    let mut equation = Equation::new(Guided::new(problem));
    equation.slope(z_m, state)
}

fn guide(problem: &GuidedProblem, stepper: Stepper, steps: Steps, length_m: f64) -> Reference {
    Reference::guided(problem, &integration(stepper, steps, length_m)).unwrap()
}

/// The engine after a run over `steps`.
fn through(
    problem: &GuidedProblem,
    launch: &[Complex64],
    stepper: Stepper,
    steps: Steps,
    z: f64,
) -> Reference {
    let mut engine = guide(problem, stepper, steps, z);
    engine.set_state(0.0, launch).unwrap();
    engine.advance(z, STEPS_MAX).unwrap();
    engine
}

const CONTROLLED: [Stepper; 3] = [
    Stepper::Rk,
    Stepper::Multistep,
    Stepper::MultistepInteraction,
];
