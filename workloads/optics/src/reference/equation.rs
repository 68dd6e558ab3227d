//! The right-hand side that a stepper sees: `dY/dz = L Y + N(z, Y)`.
//!
//! Which equation it is, [`Model`] says. L is that of the middle of the step being attempted, where
//! it changes along the guide at all. Evaluations, and the threads that make them, are counted here
//! and nowhere else.

use std::collections::HashSet;
use std::thread::{self, ThreadId};

use super::fields::Field;
use crate::fourier::Complex64;

/// One equation. All fields are as long as the state, and lengths are in metres.
pub trait Model {
    /// L, in 1/m.
    fn linear(&self) -> &[Complex64];

    /// Makes L that of `middle_m`.
    fn prepare(&mut self, _middle_m: f64) {}

    /// The place that L is of; none where it is the same everywhere.
    fn place_m(&self) -> Option<f64> {
        None
    }

    /// K(w) in 1/m, by which the source mostly turns; none where it is slow as it stands.
    fn shift(&self) -> Option<Field> {
        None
    }

    /// N, in the unit of the state per metre, or what it cannot be computed for.
    fn source(&self, z_m: f64, state: &[Complex64]) -> Result<Field, String>;

    /// One line for each transform.
    fn transforms(&self) -> String;
}

/// The right-hand side, with what has been counted since the last restart.
pub struct Equation {
    model: Box<dyn Model>,
    evaluations: u64,
    threads: HashSet<ThreadId>,
    refusal: Option<String>,
}

impl Equation {
    /// The right-hand side of a model.
    pub fn new(model: impl Model + 'static) -> Self {
        Equation {
            model: Box::new(model),
            evaluations: 0,
            threads: HashSet::new(),
            refusal: None,
        }
    }

    /// Gets ready for an attempt at the step from `z_m` to `h` metres further.
    pub fn prepare(&mut self, z_m: f64, h: f64) {
        self.model.prepare(z_m + h / 2.0);
    }

    /// L, in 1/m.
    pub fn linear(&self) -> &[Complex64] {
        self.model.linear()
    }

    /// The place that L is of; none where it is the same everywhere.
    pub fn place_m(&self) -> Option<f64> {
        self.model.place_m()
    }

    /// K, by which the source mostly turns, in 1/m; none where it is slow as it stands.
    pub fn shift(&self) -> Option<Field> {
        self.model.shift()
    }

    /// e^{L length}, the linear flow over `length` metres.
    pub fn propagator(&self, length: f64) -> Field {
        self.linear().iter().map(|l| (l * length).exp()).collect()
    }

    /// N of a state at `z_m`: one source evaluation. No number for a state that has none, and
    /// [`Self::take_refusal`] tells why.
    pub fn slope(&mut self, z_m: f64, state: &[Complex64]) -> Field {
        self.evaluations += 1;
        self.threads.insert(thread::current().id());
        match self.model.source(z_m, state) {
            Ok(slope) => slope,
            Err(cause) => {
                self.refusal.get_or_insert(cause);
                vec![Complex64::new(f64::NAN, f64::NAN); state.len()]
            }
        }
    }

    /// Why the first state that had no source had none, since this was last asked.
    pub fn take_refusal(&mut self) -> Option<String> {
        self.refusal.take()
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
        self.refusal = None;
    }

    /// One line for each transform.
    pub fn transforms(&self) -> String {
        self.model.transforms()
    }
}
