//! The reference engine by itself, on the normalised equation `i A_z = A_tt / 2 - |A|^2 A`, whose
//! stored spectra have the sign of the forward transform.

#![allow(clippy::unwrap_used, clippy::float_cmp)]

mod counts;
mod guided;
mod orders;
mod physics;
mod refusals;

use std::f64::consts::TAU;

use super::Reference;
use super::equation::Equation;
use super::gnlse::Gnlse;
use super::multistep::Multistep;
use super::multistep_interaction::MultistepInteraction;
use super::stepper::Stepper as Stepping;
use crate::engine::{Counts, Engine};
use crate::fourier::{Complex64, forward};
use crate::gnlse::{Problem, Windows};
use crate::raman::RamanTable;
use crate::steppers::{Integration, Stepper, Steps};
use crate::witness::relative_l2;

/// More steps than any of these runs takes.
const STEPS_MAX: i64 = 1_000_000;

/// A soliton of this equation, `order sech(t)`, on `points` samples over `window`.
fn soliton(points: usize, window: f64, order: f64) -> (Problem, Vec<Complex64>) {
    let time_step_s = window / points as f64;
    let linear = |k: usize| {
        let index = if k < points / 2 {
            k as f64
        } else {
            k as f64 - points as f64
        };
        let offset = TAU * index / window;
        Complex64::new(0.0, offset * offset / 2.0)
    };
    let problem = Problem {
        time_step_s,
        carrier_rad_s: 100.0,
        linear: (0..points).map(linear).collect(),
        source: vec![Complex64::new(0.0, -1.0); points],
        windows: None,
        kerr_fraction: 1.0,
        raman: None,
    };
    let at = |j: usize| (j as f64 - (points / 2) as f64) * time_step_s;
    let launch = (0..points).map(|j| Complex64::new(order / at(j).cosh(), 0.0));
    let mut launch: Vec<Complex64> = launch.collect();
    forward(&mut launch);
    (problem, launch)
}

/// The same with everything on: loss, delayed response, windows and absorption.
fn everything(mut problem: Problem) -> Problem {
    let points = problem.linear.len();
    let window = problem.time_step_s * points as f64;
    for value in &mut problem.linear {
        value.re = -0.05;
    }
    let response = |k: usize| {
        let omega = TAU * k as f64 / (2.0 * window);
        Complex64::new(1.0 - omega * omega / 4.0, 0.5 * omega).inv()
    };
    problem.kerr_fraction = 0.82;
    problem.raman = Some((
        0.18,
        RamanTable {
            points: 2 * points,
            values: (0..=points).map(response).collect(),
        },
    ));
    let taper = |x: f64| 1.0 - 0.5 * x * x;
    let place = |j: usize| 2.0 * j as f64 / points as f64 - 1.0;
    problem.windows = Some(Windows {
        spectral: (0..points)
            .map(|k| taper(place((k + points / 2) % points)))
            .collect(),
        temporal: (0..points).map(|j| taper(place(j))).collect(),
    });
    problem
}

fn integration(stepper: Stepper, steps: Steps, length_m: f64) -> Integration {
    let multistep = matches!(stepper, Stepper::Multistep | Stepper::MultistepInteraction);
    Integration {
        stepper,
        order: multistep.then_some(5),
        steps,
        length_m,
    }
}

fn engine(problem: &Problem, stepper: Stepper, steps: Steps, length_m: f64) -> Reference {
    Reference::create(problem, &integration(stepper, steps, length_m)).unwrap()
}

fn controlled(rtol: f64, initial_m: f64, length_m: f64) -> Steps {
    Steps::Controlled {
        rtol,
        atol: 1e-10,
        initial_m,
        max_m: length_m / 2.0,
    }
}

fn state(engine: &Reference) -> Vec<Complex64> {
    let mut state = vec![Complex64::default(); engine.points()];
    engine.get_state(&mut state).unwrap();
    state
}

/// The state at the end of a run over `steps`.
fn end(
    problem: &Problem,
    launch: &[Complex64],
    stepper: Stepper,
    steps: Steps,
    z: f64,
) -> Vec<Complex64> {
    let mut engine = engine(problem, stepper, steps, z);
    engine.set_state(0.0, launch).unwrap();
    engine.advance(z, STEPS_MAX).unwrap();
    state(&engine)
}

fn distance(a: &[Complex64], b: &[Complex64]) -> f64 {
    relative_l2(a, b).unwrap()
}
