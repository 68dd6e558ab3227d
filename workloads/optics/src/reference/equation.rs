//! The equation itself: `dY/dz = L Y + N(Y)`.
//!
//! ```text
//! N(Y) = s(w) F{ T(t) A [ kerr |A|^2 + raman (h * |A|^2) ] },   A = F^-1{Y}
//! ```
//!
//! Every transform is complex and of the whole length: nothing is saved by knowing that a power
//! is real. Evaluations, and the threads that make them, are counted here and nowhere else.

use std::collections::HashSet;
use std::thread::{self, ThreadId};

use super::fields::{Field, apply_window, product};
use super::transform::Transform;
use crate::fourier::Complex64;
use crate::gnlse::Problem;

/// The right-hand side, with what has been counted since the last restart.
pub struct Equation {
    linear: Field,
    source: Field,
    time_window: Option<Vec<f64>>,
    kerr_fraction: f64,
    raman: Option<Raman>,
    transform: Transform,
    evaluations: u64,
    threads: HashSet<ThreadId>,
}

/// The delayed response: its fraction and its transform on a grid of its own length.
struct Raman {
    fraction: f64,
    response: Field,
    transform: Transform,
}

impl Equation {
    /// The equation of a problem whose arrays have been checked.
    pub fn new(problem: &Problem) -> Self {
        let raman = problem.raman.as_ref().map(|(fraction, table)| Raman {
            fraction: *fraction,
            response: whole_spectrum(&table.values, table.points),
            transform: Transform::new(table.points),
        });
        let windows = problem.windows.as_ref();
        Equation {
            linear: problem.linear.clone(),
            source: problem.source.clone(),
            time_window: windows.map(|windows| windows.temporal.clone()),
            kerr_fraction: problem.kerr_fraction,
            raman,
            transform: Transform::new(problem.linear.len()),
            evaluations: 0,
            threads: HashSet::new(),
        }
    }

    /// L(w), in 1/m.
    pub fn linear(&self) -> &[Complex64] {
        &self.linear
    }

    /// e^{L length}, the exact linear flow over `length` metres.
    pub fn propagator(&self, length: f64) -> Field {
        self.linear.iter().map(|l| (l * length).exp()).collect()
    }

    /// N(Y), in the unit of Y per metre. One source evaluation.
    pub fn slope(&mut self, state: &[Complex64]) -> Field {
        self.evaluations += 1;
        self.threads.insert(thread::current().id());
        let mut field = state.to_vec();
        self.transform.inverse(&mut field);
        let power: Vec<f64> = field.iter().map(Complex64::norm_sqr).collect();
        let delayed = self.raman.as_ref().map(|raman| raman.respond(&power));
        for (index, value) in field.iter_mut().enumerate() {
            let delayed = delayed.as_ref().map_or(0.0, |delayed| delayed[index]);
            *value *= self.kerr_fraction * power[index] + delayed;
        }
        if let Some(window) = &self.time_window {
            apply_window(window, &mut field);
        }
        self.transform.forward(&mut field);
        product(&self.source, &field)
    }

    /// Source evaluations since the last restart.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Distinct threads that made them.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Counts anew.
    pub fn restart(&mut self) {
        self.evaluations = 0;
        self.threads.clear();
    }

    /// The transform between the state and the field.
    pub fn transform(&self) -> &Transform {
        &self.transform
    }

    /// One line for each transform.
    pub fn transforms(&self) -> String {
        let raman = self.raman.as_ref();
        let raman = raman.map(|raman| raman.transform.describe());
        self.transform.describe() + &raman.unwrap_or_default()
    }
}

impl Raman {
    /// `fraction (h * power)`; the power is padded with zeros to the length of the response.
    fn respond(&self, power: &[f64]) -> Vec<f64> {
        let mut values = vec![Complex64::default(); self.response.len()];
        for (value, power) in values.iter_mut().zip(power) {
            value.re = *power;
        }
        self.transform.forward(&mut values);
        let mut values = product(&self.response, &values);
        self.transform.inverse(&mut values);
        let within = values.iter().take(power.len());
        within.map(|value| self.fraction * value.re).collect()
    }
}

/// The transform of a real function from its `points / 2 + 1` values at w >= 0.
fn whole_spectrum(half: &[Complex64], points: usize) -> Field {
    let mirrored = |k: usize| {
        if k < half.len() {
            half[k]
        } else {
            half[points - k].conj()
        }
    };
    (0..points).map(mirrored).collect()
}
