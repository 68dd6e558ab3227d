//! Light in a guide: modes on one time grid that meet in the nonlinear polarisation.
//!
//! ```text
//! N_m(Y) = s_m(w) sum_j W_mj F{ T(t) P(E_j(t)) },   E_j = sum_n E_jn F^-1{Y_n}
//! P(E)   = rho(z) { E [ kerr |E|^2 + (h * |E|^2) ] + plasma }
//! ```
//!
//! The sums over modes and over nodes are plain products of matrices; in between, one node j of the
//! cross-section comes after the other, with transforms of complex numbers on the fine grid. What
//! is said in `crate::guided` of the arrays is not repeated here. In a gradient, L and the index
//! that divides the source are those of the middle of the step, while the density is that of the
//! place where the source is evaluated.

mod dense;
mod gradient;
mod plasma;

use super::delayed::Response;
use super::equation::Model;
use super::fields::{Field, add, apply_window, product};
use super::samples::Samples;
use crate::fourier::Complex64;
use crate::guided::{Density, FieldKind, Gradient, Linear, Problem};
use crate::ionisation::IonisationError;
pub use dense::combined;
use plasma::Ionised;

/// The equation of one problem.
pub struct Guided {
    problem: Problem,
    /// The fine grid.
    samples: Samples,
    response: Option<Response>,
    /// L and s of the place prepared.
    linear: Field,
    source: Field,
    place_m: Option<f64>,
}

impl Guided {
    /// The equation of a problem whose arrays have been checked.
    pub fn new(problem: &Problem) -> Self {
        let linear = match &problem.linear {
            Linear::Fixed(linear) => linear.clone(),
            // Prepared below.
            Linear::Gradient(_) => Field::new(),
        };
        let mut guided = Guided {
            samples: Samples::new(problem.field, problem.points, problem.fine_points),
            response: problem.raman.as_ref().map(Response::new),
            linear,
            source: problem.source.clone(),
            place_m: None,
            problem: problem.clone(),
        };
        guided.prepare(0.0);
        guided
    }

    /// Density at `z_m`, in the unit of the problem.
    fn density(&self, z_m: f64) -> f64 {
        match (self.problem.density, self.gradient()) {
            (Density::Constant(density), _) => density,
            (Density::Gradient, Some(gradient)) => gradient::density_per_m3(gradient, z_m),
            // Refused by the check of the problem.
            (Density::Gradient, None) => f64::NAN,
        }
    }

    fn gradient(&self) -> Option<&Gradient> {
        match &self.problem.linear {
            Linear::Fixed(_) => None,
            Linear::Gradient(gradient) => Some(gradient.as_ref()),
        }
    }

    /// The spectrum of T P over the density, for the field at a node.
    fn polarisation(&self, field: &[Complex64]) -> Result<Field, IonisationError> {
        let squares: Vec<f64> = field.iter().map(Complex64::norm_sqr).collect();
        let delayed = self.response.as_ref().map(|response| response.to(&squares));
        let bound = |(index, value): (usize, &Complex64)| {
            let delayed = delayed.as_ref().map_or(0.0, |delayed| delayed[index]);
            value * (self.problem.kerr * squares[index] + delayed)
        };
        let mut sum: Field = field.iter().enumerate().map(bound).collect();
        let Some(plasma) = &self.problem.plasma else {
            return Ok(self.windowed(sum));
        };
        let ionised = Ionised::by(plasma, field, self.fine_step_s())?;
        match self.problem.field {
            FieldKind::Real => {
                add(&mut sum, 1.0, &ionised.polarisation(field));
                Ok(self.windowed(sum))
            }
            FieldKind::Envelope => {
                let mut spectrum = self.windowed(sum);
                let free = self.windowed(ionised.acceleration(field));
                let current = self.windowed(ionised.cycle_current(field));
                for (bin, omega) in self.problem.omega.iter().enumerate() {
                    if *omega > 0.0 {
                        // Each 1/(i w) integrates once over time.
                        let integral = Complex64::new(0.0, *omega).inv();
                        spectrum[bin] += integral * (integral * free[bin] + current[bin]);
                    }
                }
                Ok(spectrum)
            }
        }
    }

    /// The stored spectrum of a field on the fine grid, after the window over time.
    fn windowed(&self, mut field: Field) -> Field {
        if let Some(windows) = &self.problem.windows {
            apply_window(&windows.fine, &mut field);
        }
        self.samples.spectrum(field)
    }

    fn fine_step_s(&self) -> f64 {
        let Problem {
            points,
            fine_points,
            time_step_s,
            ..
        } = self.problem;
        time_step_s * points as f64 / fine_points as f64
    }
}

impl Model for Guided {
    fn linear(&self) -> &[Complex64] {
        &self.linear
    }

    fn prepare(&mut self, middle_m: f64) {
        let Some(gradient) = self.gradient() else {
            return;
        };
        let excesses = gradient::excesses(gradient, middle_m);
        let linear = gradient::linear(&self.problem, gradient, &excesses, middle_m);
        let mut source = self.problem.source.clone();
        if gradient.over_index {
            for (value, excess) in source.iter_mut().zip(&excesses) {
                *value /= 1.0 + excess.re;
            }
        }
        self.linear = linear;
        self.source = source;
        self.place_m = Some(middle_m);
    }

    fn place_m(&self) -> Option<f64> {
        self.place_m
    }

    fn shift(&self) -> Option<Field> {
        let shift = self.problem.carrier_shift.as_ref()?;
        let carrier = self.linear[shift.bin];
        let harmonics = shift.harmonic.iter().map(|harmonic| harmonic * carrier);
        let of_a_mode: Field = harmonics.collect();
        Some(of_a_mode.repeat(self.problem.modes))
    }

    fn source(&self, z_m: f64, state: &[Complex64]) -> Result<Field, String> {
        let bins = self.samples.bins();
        let fields = combined(&self.problem.synthesis, state, bins);
        let mut polarisations = Field::with_capacity(fields.len());
        for spectrum in fields.chunks_exact(bins) {
            let polarisation = self.polarisation(&self.samples.field(spectrum));
            let polarisation =
                polarisation.map_err(|error| format!("the source at z = {z_m} m: {error}"))?;
            polarisations.extend(polarisation);
        }
        let mut sum = combined(&self.problem.projection, &polarisations, bins);
        let density = self.density(z_m);
        sum.iter_mut().for_each(|value| *value *= density);
        Ok(product(&self.source, &sum))
    }

    fn transforms(&self) -> String {
        let response = self.response.as_ref();
        let response = response.map(Response::describe);
        self.samples.describe() + &response.unwrap_or_default()
    }
}
