//! The two time grids of a real field, and its half spectrum.
//!
//! The state lives on the coarse grid of `n` samples, whose spectrum reaches as far as light goes.
//! What light does to itself is evaluated on the fine grid of `n_o` samples over the same window,
//! with room for the third harmonic. Sample `j` of either is at `(j - n/2) dt`, so both have a
//! sample at t = 0, and bin `k` of either is `2 pi k / (n dt)`. (The grid of Luna.jl.)

use std::f64::consts::TAU;

use super::band::{Band, GridError, points_for};
use crate::fourier::{Complex64, forward, inverse_of};

/// Samples of the fine grid per period of the highest frequency of interest.
const OVERSAMPLING: f64 = 6.0;

/// Fewest samples of the coarse grid.
const POINTS_MIN: usize = 16;

/// A real-field grid.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldGrid {
    points: usize,
    fine_points: usize,
    window_s: f64,
    carrier: f64,
    band: Band,
}

impl FieldGrid {
    /// The grid for a band, with a window of at least `window_s` seconds.
    ///
    /// `dt_o = 1 / (6 f_high)`, and `n_o` is the next power of two. The coarse spectrum has the
    /// next power of two of bins, and one more, that reaches beyond the valid set.
    pub fn from_band(carrier: f64, band: Band, window_s: f64) -> Result<Self, GridError> {
        band.check_carrier(carrier)?;
        let fine_step_s = TAU / (OVERSAMPLING * band.high);
        let fine_points = points_for(window_s, fine_step_s)?;
        let window_s = fine_points as f64 * fine_step_s;
        let (_, edge) = band.edges();
        // Below a third of the fine bins, so it is in range; the bins start at 0.
        let first_beyond = (edge * window_s / TAU).floor() as usize + 1;
        let points = 2 * (first_beyond + 1).next_power_of_two();
        if points < POINTS_MIN || points > fine_points {
            return Err(GridError(format!(
                "a window of {window_s:.3e} s makes a grid of {points} points: lengthen `window_s`"
            )));
        }
        Ok(FieldGrid {
            points,
            fine_points,
            window_s,
            carrier,
            band,
        })
    }

    /// Samples of the coarse grid.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Samples of the fine grid.
    pub fn fine_points(&self) -> usize {
        self.fine_points
    }

    /// Bins of the spectrum: from 0 to the highest of the coarse grid, both included.
    pub fn bins(&self) -> usize {
        self.points / 2 + 1
    }

    /// Length of the periodic window, s.
    pub fn window_s(&self) -> f64 {
        self.window_s
    }

    /// Time between samples of the coarse grid, s.
    pub fn time_step_s(&self) -> f64 {
        self.window_s / self.points as f64
    }

    /// Time between samples of the fine grid, s.
    pub fn fine_step_s(&self) -> f64 {
        self.window_s / self.fine_points as f64
    }

    /// Carrier of the launch, rad/s; it need not be a bin.
    pub fn carrier(&self) -> f64 {
        self.carrier
    }

    /// The band of interest.
    pub fn band(&self) -> Band {
        self.band
    }

    /// Angular frequencies of the bins in rad/s, ascending from 0.
    pub fn frequencies(&self) -> impl Iterator<Item = f64> + '_ {
        let step = TAU / self.window_s;
        (0..self.bins()).map(move |k| k as f64 * step)
    }

    /// Times of the samples of the coarse grid in s, ascending.
    pub fn times(&self) -> impl Iterator<Item = f64> + '_ {
        times(self.points, self.time_step_s())
    }

    /// Times of the samples of the fine grid in s, ascending.
    pub fn fine_times(&self) -> impl Iterator<Item = f64> + '_ {
        times(self.fine_points, self.fine_step_s())
    }

    /// The spectrum of a real field on the coarse grid.
    pub fn spectrum(&self, field: &[f64]) -> Vec<Complex64> {
        half_spectrum(field, self.bins())
    }

    /// The real field of a spectrum, on the fine grid.
    pub fn to_fine(&self, spectrum: &[Complex64]) -> Vec<f64> {
        let scale = self.fine_points as f64 / self.points as f64;
        let mut whole = vec![Complex64::default(); self.fine_points];
        for (k, value) in spectrum.iter().enumerate() {
            // A bin and its mirror image: twice the real part of one of them is the field. The
            // highest bin of the coarse grid is its own image there: half of it is either.
            let both = if k == 0 { 1.0 } else { 2.0 };
            let shared = if 2 * k == self.points { 0.5 } else { 1.0 };
            whole[k] = value * (scale * both * shared);
        }
        inverse_of(&whole).iter().map(|value| value.re).collect()
    }

    /// The spectrum of a real field on the fine grid, as far as the coarse grid reaches.
    pub fn to_coarse(&self, fine: &[f64]) -> Vec<Complex64> {
        let scale = self.points as f64 / self.fine_points as f64;
        let mut spectrum = half_spectrum(fine, self.bins());
        spectrum.iter_mut().for_each(|value| *value *= scale);
        spectrum
    }

    /// The analytic signal of a spectrum on the coarse grid: its squared modulus is the power.
    pub fn analytic(&self, spectrum: &[Complex64]) -> Vec<Complex64> {
        let mut whole = vec![Complex64::default(); self.points];
        let inner = spectrum.iter().enumerate().skip(1);
        for (k, value) in inner.filter(|(k, _)| 2 * k < self.points) {
            whole[k] = 2.0 * value;
        }
        inverse_of(&whole)
    }
}

fn times(points: usize, step_s: f64) -> impl Iterator<Item = f64> {
    let half = (points / 2) as f64;
    (0..points).map(move |j| (j as f64 - half) * step_s)
}

fn half_spectrum(field: &[f64], bins: usize) -> Vec<Complex64> {
    let mut values: Vec<Complex64> = field.iter().map(|value| Complex64::from(*value)).collect();
    forward(&mut values);
    values.truncate(bins);
    values
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;
    use crate::constants::angular_frequency;
    use crate::witness::relative_l2;

    fn grid(limits_m: [f64; 2], window_s: f64) -> FieldGrid {
        let band = Band::from_wavelengths(limits_m).unwrap();
        FieldGrid::from_band(angular_frequency(800e-9), band, window_s).unwrap()
    }

    fn wide() -> FieldGrid {
        grid([200e-9, 4e-6], 250e-15)
    }

    /// A Gaussian pulse of 30 fs at the carrier, of 1 W.
    fn pulse(grid: &FieldGrid, times: impl Iterator<Item = f64>) -> Vec<f64> {
        let tau = crate::pulse::gauss_tau_s(30e-15);
        times
            .map(|t| (-0.5 * (t / tau).powi(2)).exp() * (grid.carrier() * t).cos())
            .collect()
    }

    #[test]
    fn the_grids_of_the_tracked_cases_have_the_published_sizes() {
        let table = [
            ([90e-9, 4e-6], 400e-15, 2049, 8192, 50.03e-18),
            ([100e-9, 4e-6], 100e-15, 513, 2048, 55.6e-18),
            ([200e-9, 4e-6], 500e-15, 2049, 8192, 111.2e-18),
            ([300e-9, 3e-6], 4e-12, 8193, 32768, 166.8e-18),
            ([250e-9, 4e-6], 2e-12, 4097, 16384, 139e-18),
        ];
        for (limits, window_s, bins, fine, step_s) in table {
            let grid = grid(limits, window_s);
            assert_eq!(
                (grid.bins(), grid.fine_points()),
                (bins, fine),
                "{limits:?}"
            );
            assert!((grid.fine_step_s() - step_s).abs() < 1e-19);
            assert!(grid.window_s() >= window_s);
        }
    }

    #[test]
    fn the_grids_share_their_window_and_their_sample_at_time_zero() {
        let grid = wide();
        let ratio = grid.fine_step_s() / grid.time_step_s();
        let expected = grid.points() as f64 / grid.fine_points() as f64;
        assert!((ratio / expected - 1.0).abs() < 1e-13);
        let coarse: Vec<f64> = grid.times().collect();
        let fine: Vec<f64> = grid.fine_times().collect();
        assert_eq!(coarse[grid.points() / 2], 0.0);
        assert_eq!(fine[grid.fine_points() / 2], 0.0);
        assert!((coarse[0] / fine[0] - 1.0).abs() < 1e-13);
    }

    #[test]
    fn a_field_goes_to_the_fine_grid_and_back() {
        let grid = wide();
        let spectrum = grid.spectrum(&pulse(&grid, grid.times()));
        let fine = grid.to_fine(&spectrum);
        let expected = pulse(&grid, grid.fine_times());
        let peak = expected.iter().copied().fold(0.0, f64::max);
        for (found, expected) in fine.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-12 * peak);
        }
        let back = relative_l2(&grid.to_coarse(&fine), &spectrum).unwrap();
        assert!(back < 1e-13, "{back:e}");
    }

    #[test]
    fn time_and_frequency_sums_give_the_same_energy() {
        let grid = wide();
        let spectrum = grid.spectrum(&pulse(&grid, grid.times()));
        let analytic = grid.analytic(&spectrum);
        let time: f64 = analytic.iter().map(Complex64::norm_sqr).sum();
        let inner = &spectrum[1..grid.bins() - 1];
        let frequency: f64 = inner.iter().map(Complex64::norm_sqr).sum();
        let scale = 4.0 * grid.time_step_s() / grid.points() as f64;
        let (time, frequency) = (grid.time_step_s() * time, scale * frequency);
        assert!((time / frequency - 1.0).abs() < 1e-10);
        // And both are that of the envelope.
        let exact = std::f64::consts::PI.sqrt() * crate::pulse::gauss_tau_s(30e-15);
        assert!((time / exact - 1.0).abs() < 1e-10, "{time:e} {exact:e}");
    }

    #[test]
    fn the_power_of_the_analytic_signal_is_that_of_the_envelope() {
        let grid = wide();
        let analytic = grid.analytic(&grid.spectrum(&pulse(&grid, grid.times())));
        let peak = analytic[grid.points() / 2].norm_sqr();
        assert!((peak - 1.0).abs() < 1e-10, "{peak}");
    }

    #[test]
    fn the_coarse_grid_reaches_beyond_the_valid_set() {
        let grid = wide();
        let highest = grid.frequencies().last().unwrap();
        assert!(!grid.band().is_valid(highest));
        assert_eq!(grid.frequencies().count(), grid.bins());
    }

    #[test]
    fn a_window_too_short_for_a_grid_is_refused() {
        let band = Band::from_wavelengths([400e-9, 2e-6]).unwrap();
        let carrier = angular_frequency(800e-9);
        for window_s in [0.0, 1e-15, f64::NAN, 1.0] {
            let found = FieldGrid::from_band(carrier, band, window_s);
            assert!(found.is_err(), "{window_s}");
        }
        assert!(FieldGrid::from_band(angular_frequency(300e-9), band, 1e-13).is_err());
    }
}
