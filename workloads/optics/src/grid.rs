//! Grids in time and frequency.
//!
//! [`Grid`] is that of an envelope, [`FieldGrid`] that of a real field; a guided case has either,
//! behind [`TimeGrid`]. A grid has a window of time, and a band outside which nothing is evaluated.

mod band;
mod envelope;
mod field;

pub use band::{Band, GridError, POINTS_MAX};
pub use envelope::Grid;
pub use field::FieldGrid;

use crate::fourier::{Complex64, forward, inverse_of};

/// The grid of a guided case.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeGrid {
    /// Of the real field.
    Field(FieldGrid),
    /// Of its envelope around the carrier.
    Envelope(Grid),
}

impl TimeGrid {
    /// Samples of the grid that the state is on.
    pub fn points(&self) -> usize {
        match self {
            TimeGrid::Field(grid) => grid.points(),
            TimeGrid::Envelope(grid) => grid.points(),
        }
    }

    /// Samples of the grid that the source is evaluated on.
    pub fn fine_points(&self) -> usize {
        match self {
            TimeGrid::Field(grid) => grid.fine_points(),
            TimeGrid::Envelope(grid) => grid.points(),
        }
    }

    /// Bins of a spectrum.
    pub fn bins(&self) -> usize {
        match self {
            TimeGrid::Field(grid) => grid.bins(),
            TimeGrid::Envelope(grid) => grid.points(),
        }
    }

    /// Time between samples of the coarse grid, s.
    pub fn time_step_s(&self) -> f64 {
        match self {
            TimeGrid::Field(grid) => grid.time_step_s(),
            TimeGrid::Envelope(grid) => grid.time_step_s(),
        }
    }

    /// Time between samples of the fine grid, s.
    pub fn fine_step_s(&self) -> f64 {
        match self {
            TimeGrid::Field(grid) => grid.fine_step_s(),
            TimeGrid::Envelope(grid) => grid.time_step_s(),
        }
    }

    /// Length of the periodic window, s.
    pub fn window_s(&self) -> f64 {
        match self {
            TimeGrid::Field(grid) => grid.window_s(),
            TimeGrid::Envelope(grid) => grid.window_s(),
        }
    }

    /// Carrier, rad/s.
    pub fn carrier(&self) -> f64 {
        match self {
            TimeGrid::Field(grid) => grid.carrier(),
            TimeGrid::Envelope(grid) => grid.carrier(),
        }
    }

    /// Absolute angular frequency of each bin, rad/s.
    pub fn frequencies(&self) -> Vec<f64> {
        match self {
            TimeGrid::Field(grid) => grid.frequencies().collect(),
            TimeGrid::Envelope(grid) => grid.frequencies().collect(),
        }
    }

    /// Times of the coarse samples, s.
    pub fn times(&self) -> Vec<f64> {
        match self {
            TimeGrid::Field(grid) => grid.times().collect(),
            TimeGrid::Envelope(grid) => grid.times().collect(),
        }
    }

    /// Times of the fine samples, s.
    pub fn fine_times(&self) -> Vec<f64> {
        match self {
            TimeGrid::Field(grid) => grid.fine_times().collect(),
            TimeGrid::Envelope(grid) => grid.times().collect(),
        }
    }

    /// Whether physics is evaluated at an absolute frequency in rad/s.
    pub fn is_valid(&self, omega: f64) -> bool {
        match self {
            TimeGrid::Field(grid) => grid.band().is_valid(omega),
            TimeGrid::Envelope(grid) => grid.is_valid(omega),
        }
    }

    /// Joules of `|A|²` of one bin that [`TimeGrid::inner`] has.
    pub fn energy_scale(&self) -> f64 {
        let sides = match self {
            TimeGrid::Field(_) => 4.0,
            TimeGrid::Envelope(_) => 1.0,
        };
        sides * self.time_step_s() / self.points() as f64
    }

    /// Bins that count for energy: of a real field all but the first and the last, which are no
    /// light.
    pub fn inner(&self) -> std::ops::Range<usize> {
        match self {
            TimeGrid::Field(grid) => 1..grid.bins() - 1,
            TimeGrid::Envelope(grid) => 0..grid.points(),
        }
    }

    /// The stored spectrum of a pulse with these amplitudes, √W, at [`TimeGrid::times`].
    pub fn spectrum_of(&self, amplitudes: &[f64]) -> Vec<Complex64> {
        match self {
            TimeGrid::Field(grid) => {
                let turn = |(a, t): (&f64, f64)| a * (grid.carrier() * t).cos();
                let field: Vec<f64> = amplitudes.iter().zip(grid.times()).map(turn).collect();
                grid.spectrum(&field)
            }
            TimeGrid::Envelope(_) => {
                let mut values: Vec<Complex64> =
                    amplitudes.iter().map(|a| Complex64::from(*a)).collect();
                forward(&mut values);
                values
            }
        }
    }

    /// The complex amplitude in √W at [`TimeGrid::times`]: the envelope, or the analytic signal of
    /// a real field. Its squared modulus is the power.
    pub fn amplitude(&self, spectrum: &[Complex64]) -> Vec<Complex64> {
        match self {
            TimeGrid::Field(grid) => grid.analytic(spectrum),
            TimeGrid::Envelope(_) => inverse_of(spectrum),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::constants::angular_frequency;

    #[test]
    fn a_pulse_has_its_energy_and_its_power_on_either_grid() {
        let band = Band::from_wavelengths([200e-9, 4e-6]).unwrap();
        let carrier = angular_frequency(800e-9);
        let tau = crate::pulse::gauss_tau_s(30e-15);
        for grid in [
            TimeGrid::Field(FieldGrid::from_band(carrier, band, 250e-15).unwrap()),
            TimeGrid::Envelope(Grid::from_band(carrier, band, 250e-15).unwrap()),
        ] {
            let amplitudes: Vec<f64> = grid
                .times()
                .iter()
                .map(|t| 3.0 * (-0.5 * (t / tau).powi(2)).exp())
                .collect();
            let spectrum = grid.spectrum_of(&amplitudes);
            assert_eq!(spectrum.len(), grid.bins());
            let inner = &spectrum[grid.inner()];
            let sum: f64 = inner.iter().map(Complex64::norm_sqr).sum();
            let exact = 9.0 * std::f64::consts::PI.sqrt() * tau;
            let energy = grid.energy_scale() * sum;
            assert!((energy / exact - 1.0).abs() < 1e-10, "{energy:e} {exact:e}");
            let peak = grid.amplitude(&spectrum)[grid.points() / 2].norm_sqr();
            assert!((peak / 9.0 - 1.0).abs() < 1e-10, "{peak}");
        }
    }
}
