//! The generalised nonlinear Schrödinger equation.
//!
//! ```text
//! N(Y) = s(w) F{ T(t) A [ kerr |A|^2 + raman (h * |A|^2) ] },   A = F^-1{Y}
//! ```
//!
//! Every transform is complex and of the whole length: nothing is saved by knowing that a power
//! is real.

use super::delayed::Response;
use super::equation::Model;
use super::fields::{Field, apply_window, product};
use super::transform::Transform;
use crate::fourier::Complex64;
use crate::gnlse::Problem;

/// The equation of one problem. It is the same everywhere along the guide.
pub struct Gnlse {
    linear: Field,
    source: Field,
    time_window: Option<Vec<f64>>,
    kerr_fraction: f64,
    /// The delayed fraction, and its response.
    raman: Option<(f64, Response)>,
    transform: Transform,
}

impl Gnlse {
    /// The equation of a problem whose arrays have been checked.
    pub fn new(problem: &Problem) -> Self {
        let raman = problem.raman.as_ref();
        let windows = problem.windows.as_ref();
        Gnlse {
            linear: problem.linear.clone(),
            source: problem.source.clone(),
            time_window: windows.map(|windows| windows.temporal.clone()),
            kerr_fraction: problem.kerr_fraction,
            raman: raman.map(|(fraction, table)| (*fraction, Response::new(table))),
            transform: Transform::new(problem.linear.len()),
        }
    }
}

impl Model for Gnlse {
    fn linear(&self) -> &[Complex64] {
        &self.linear
    }

    fn source(&self, _z_m: f64, state: &[Complex64]) -> Result<Field, String> {
        let mut field = state.to_vec();
        self.transform.inverse(&mut field);
        let power: Vec<f64> = field.iter().map(Complex64::norm_sqr).collect();
        let raman = self.raman.as_ref();
        let delayed = raman.map(|(fraction, response)| (*fraction, response.to(&power)));
        for (index, value) in field.iter_mut().enumerate() {
            let delayed = delayed.as_ref().map_or(0.0, |(f, all)| f * all[index]);
            *value *= self.kerr_fraction * power[index] + delayed;
        }
        if let Some(window) = &self.time_window {
            apply_window(window, &mut field);
        }
        self.transform.forward(&mut field);
        Ok(product(&self.source, &field))
    }

    fn transforms(&self) -> String {
        let raman = self.raman.as_ref();
        let raman = raman.map(|(_, response)| response.describe());
        self.transform.describe() + &raman.unwrap_or_default()
    }
}
