//! The time and frequency grid of an envelope.
//!
//! Sample `j` is at `(j - n/2) dt`, so `t = 0` is sample `n/2`. Frequencies stay in FFT order and
//! are absolute: bin `k` is `w0 + 2 pi k / (n dt)`, negative offsets in the upper half. There is no
//! shift anywhere.

use std::f64::consts::TAU;

use super::band::{Band, GridError, HEADROOM, POINTS_MAX, points_for, positive, too_many};

/// An envelope grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    points: usize,
    time_step_s: f64,
    carrier: f64,
    band: Option<Band>,
}

impl Grid {
    /// The grid for a band, with a window of at least `window_s` seconds.
    ///
    /// `dt = 1 / (2 (1.1 f_high - f0))`, and the number of points is the next power of two: no
    /// third harmonic, so no oversampling.
    pub fn from_band(carrier: f64, band: Band, window_s: f64) -> Result<Self, GridError> {
        band.check_carrier(carrier)?;
        let time_step_s = TAU / (2.0 * (HEADROOM * band.high - carrier));
        let points = points_for(window_s, time_step_s)?;
        Grid::checked(points, time_step_s, carrier, Some(band))
    }

    /// A grid of exactly `points` samples over exactly `window_s` seconds.
    pub fn from_points(
        carrier: f64,
        points: usize,
        window_s: f64,
        band: Option<Band>,
    ) -> Result<Self, GridError> {
        let time_step_s = positive("window_s", window_s)? / points as f64;
        Grid::checked(points, time_step_s, carrier, band)
    }

    /// The same grid with every positive frequency valid.
    pub fn without_band(self) -> Self {
        Grid { band: None, ..self }
    }

    fn checked(
        points: usize,
        time_step_s: f64,
        carrier: f64,
        band: Option<Band>,
    ) -> Result<Self, GridError> {
        if points > POINTS_MAX {
            return Err(too_many(points as f64));
        }
        if points < 4 || !points.is_multiple_of(2) {
            return Err(GridError(format!(
                "a grid of {points} points: give an even number of at least 4"
            )));
        }
        Ok(Grid {
            points,
            time_step_s,
            carrier,
            band,
        })
    }

    /// Number of samples.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Time between samples, s.
    pub fn time_step_s(&self) -> f64 {
        self.time_step_s
    }

    /// Length of the periodic window, s.
    pub fn window_s(&self) -> f64 {
        self.points as f64 * self.time_step_s
    }

    /// Spacing of the frequencies, rad/s.
    pub fn frequency_step(&self) -> f64 {
        TAU / self.window_s()
    }

    /// Carrier, rad/s.
    pub fn carrier(&self) -> f64 {
        self.carrier
    }

    /// The band of interest, if the grid was given one.
    pub fn band(&self) -> Option<Band> {
        self.band
    }

    /// Times of the samples in s, ascending.
    pub fn times(&self) -> impl Iterator<Item = f64> + '_ {
        let half = (self.points / 2) as f64;
        (0..self.points).map(move |j| (j as f64 - half) * self.time_step_s)
    }

    /// Offsets from the carrier in rad/s, in FFT order.
    pub fn offsets(&self) -> impl Iterator<Item = f64> + '_ {
        let step = self.frequency_step();
        (0..self.points).map(move |k| {
            let positive = k < self.points / 2;
            let wrapped = k as f64 - if positive { 0.0 } else { self.points as f64 };
            wrapped * step
        })
    }

    /// Absolute angular frequencies in rad/s, in FFT order.
    pub fn frequencies(&self) -> impl Iterator<Item = f64> + '_ {
        self.offsets().map(|offset| self.carrier + offset)
    }

    /// Whether physics is evaluated at an absolute frequency.
    ///
    /// With a band that is everything strictly within its edges; without, every `w > 0`.
    pub fn is_valid(&self, omega: f64) -> bool {
        match self.band {
            Some(band) => band.is_valid(omega),
            None => omega > 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;
    use crate::constants::angular_frequency;

    fn grid(limits_m: [f64; 2], window_s: f64) -> Grid {
        let band = Band::from_wavelengths(limits_m).unwrap();
        Grid::from_band(angular_frequency(835e-9), band, window_s).unwrap()
    }

    #[test]
    fn the_grids_of_the_tracked_cases_have_the_published_sizes() {
        let table = [
            ([400e-9, 2400e-9], 12.5e-12, 16384, 1.0744e-15),
            ([400e-9, 2400e-9], 4e-12, 4096, 1.0744e-15),
            ([450e-9, 8000e-9], 64e-12, 65536, 1.338e-15),
            ([450e-9, 8000e-9], 4e-12, 4096, 1.338e-15),
        ];
        for (limits, window_s, points, time_step_s) in table {
            let grid = grid(limits, window_s);
            assert_eq!(grid.points(), points);
            let step = grid.time_step_s();
            assert!((step - time_step_s).abs() < 5e-19, "{step}");
            assert!(grid.window_s() >= window_s);
        }
    }

    #[test]
    fn the_middle_sample_is_at_time_zero() {
        let grid = grid([400e-9, 2400e-9], 4e-12);
        let times: Vec<f64> = grid.times().collect();
        assert_eq!(times[2048], 0.0);
        assert_eq!(times[0], -2048.0 * grid.time_step_s());
    }

    #[test]
    fn frequencies_are_in_fft_order_around_the_carrier() {
        let grid = Grid::from_points(10.0, 4, TAU, None).unwrap();
        let frequencies: Vec<f64> = grid.frequencies().collect();
        assert_eq!(frequencies, [10.0, 11.0, 8.0, 9.0]);
    }

    #[test]
    fn an_explicit_grid_divides_the_window_by_the_points() {
        let grid = Grid::from_points(1e15, 8192, 12.5e-12, None).unwrap();
        assert_eq!(grid.time_step_s(), 12.5e-12 / 8192.0);
    }

    #[test]
    fn the_valid_set_ends_at_half_the_lowest_and_above_the_highest_frequency() {
        let grid = grid([400e-9, 2400e-9], 4e-12);
        let band = grid.band().unwrap();
        assert!(!grid.is_valid(band.low / 2.0));
        assert!(grid.is_valid(band.low * 0.51));
        assert!(grid.is_valid(band.high * 1.09));
        assert!(!grid.is_valid(band.high * 1.1));
    }

    #[test]
    fn without_a_band_every_positive_frequency_is_valid() {
        let grid = Grid::from_points(10.0, 64, TAU, None).unwrap();
        let valid = grid.frequencies().filter(|&w| grid.is_valid(w)).count();
        assert_eq!(valid, 32 + 9);
    }

    #[test]
    fn grids_that_cannot_be_are_refused_with_the_reason() {
        let band = Band::from_wavelengths([400e-9, 2400e-9]).unwrap();
        let carrier = angular_frequency(835e-9);
        assert!(Band::from_wavelengths([2e-6, 1e-6]).is_err());
        assert!(Grid::from_band(angular_frequency(3e-6), band, 1e-12).is_err());
        for window_s in [0.0, -1.0, f64::NAN, f64::INFINITY, 1.0] {
            assert!(
                Grid::from_band(carrier, band, window_s).is_err(),
                "{window_s}"
            );
        }
        let odd = Grid::from_points(carrier, 5, 1e-12, None).unwrap_err();
        assert!(odd.to_string().contains("even"), "{odd}");
        assert!(Grid::from_points(carrier, POINTS_MAX * 2, 1e-12, None).is_err());
    }
}
