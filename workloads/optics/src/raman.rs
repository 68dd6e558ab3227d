//! The delayed Raman response of silica.
//!
//! K. J. Blow and D. Wood, IEEE J. Quantum Electron. 25, 2665 (1989):
//! `h(t) = (t1² + t2²) / (t1 t2²) exp(-t / t2) sin(t / t1)` for t > 0, with unit integral.

use crate::fourier::{Complex64, forward};
use crate::grid::Grid;

/// One damped oscillator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlowWood {
    /// Time of the oscillation, s.
    pub tau1_s: f64,
    /// Time of the damping, s.
    pub tau2_s: f64,
}

impl BlowWood {
    /// Fused silica.
    pub const SILICA: BlowWood = BlowWood {
        tau1_s: 12.2e-15,
        tau2_s: 32e-15,
    };

    /// `h(t)` in 1/s; zero for t <= 0.
    pub fn response(&self, t: f64) -> f64 {
        if t <= 0.0 {
            return 0.0;
        }
        let (t1, t2) = (self.tau1_s, self.tau2_s);
        let scale = (t1 * t1 + t2 * t2) / (t1 * t2 * t2);
        scale * (-t / t2).exp() * (t / t1).sin()
    }

    /// The continuous transform `integral h(t) exp(-i w t) dt`; 1 at w = 0.
    pub fn transform(&self, omega: f64) -> Complex64 {
        let (rate1, rate2) = (self.tau1_s.recip(), self.tau2_s.recip());
        let damped = Complex64::new(rate2, omega);
        (rate1 * rate1 + rate2 * rate2) / (damped * damped + rate1 * rate1)
    }
}

/// How the response is brought onto the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Representation {
    /// `h` at the samples, zero-padded to twice the length: a linear, causal convolution. The
    /// samples are scaled to unit sum: the rectangle rule alone misses `dt² h'(0) / 12` of the
    /// integral (7e-4 at a femtosecond), and with it that part of the Raman fraction.
    #[default]
    Sampled,
    /// The exact continuous transform at the frequencies of the grid: a circular convolution of
    /// the same length, for comparison with solvers that do the same.
    Continuous,
}

/// The table that the native library multiplies the transform of the power with.
#[derive(Clone, Debug, PartialEq)]
pub struct RamanTable {
    /// Length of the convolution: once or twice the points of the grid.
    pub points: usize,
    /// `points / 2 + 1` values: dt times the transform of h, or its continuous counterpart.
    pub values: Vec<Complex64>,
}

impl RamanTable {
    /// The table of `model` on `grid`.
    pub fn new(model: BlowWood, representation: Representation, grid: &Grid) -> Self {
        match representation {
            Representation::Sampled => sampled(model, grid),
            Representation::Continuous => continuous(model, grid),
        }
    }
}

fn sampled(model: BlowWood, grid: &Grid) -> RamanTable {
    let points = 2 * grid.points();
    let dt = grid.time_step_s();
    let mut values: Vec<Complex64> = (0..points)
        .map(|j| {
            let within = j < grid.points();
            let h = if within {
                model.response(j as f64 * dt)
            } else {
                0.0
            };
            Complex64::new(dt * h, 0.0)
        })
        .collect();
    let sum: f64 = values.iter().map(|value| value.re).sum();
    values.iter_mut().for_each(|value| *value /= sum);
    forward(&mut values);
    values.truncate(points / 2 + 1);
    RamanTable { points, values }
}

fn continuous(model: BlowWood, grid: &Grid) -> RamanTable {
    let points = grid.points();
    let step = grid.frequency_step();
    let mut values: Vec<Complex64> = (0..=points / 2)
        .map(|k| model.transform(k as f64 * step))
        .collect();
    // A real response has a real Nyquist bin; the two halves of the spectrum meet there.
    if let Some(nyquist) = values.last_mut() {
        nyquist.im = 0.0;
    }
    RamanTable { points, values }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;

    /// Simpson's rule over a time in which the damping reaches e^-60.
    fn integral(f: impl Fn(f64) -> f64) -> f64 {
        let (steps, end) = (60_000_u32, 60.0 * 32e-15);
        let h = end / f64::from(steps);
        let weight = |j: u32| match j {
            0 => 1.0,
            _ if j == steps => 1.0,
            _ if j % 2 == 1 => 4.0,
            _ => 2.0,
        };
        (0..=steps)
            .map(|j| weight(j) * f(f64::from(j) * h))
            .sum::<f64>()
            * h
            / 3.0
    }

    #[test]
    fn the_response_has_unit_integral() {
        let total = integral(|t| BlowWood::SILICA.response(t));
        assert!((total - 1.0).abs() < 1e-8, "{total}");
    }

    #[test]
    fn nothing_happens_before_its_cause() {
        for t in [-1.0, -1e-15, -0.0, 0.0] {
            assert_eq!(BlowWood::SILICA.response(t), 0.0);
        }
        assert!(BlowWood::SILICA.response(1e-15) > 0.0);
    }

    #[test]
    fn the_continuous_transform_is_the_fourier_integral() {
        for omega in [0.0, 5e13, 8.2e13, 3e14] {
            let re = integral(|t| BlowWood::SILICA.response(t) * (omega * t).cos());
            let im = integral(|t| -BlowWood::SILICA.response(t) * (omega * t).sin());
            let difference = BlowWood::SILICA.transform(omega) - Complex64::new(re, im);
            assert!(difference.norm() < 1e-9, "{omega}: {difference}");
        }
    }

    #[test]
    fn the_gain_of_silica_peaks_near_13_thz() {
        let gain = |thz: u32| -BlowWood::SILICA.transform(f64::from(thz) * 6.283e11).im;
        let peak = (1..400)
            .max_by(|&a, &b| gain(a).total_cmp(&gain(b)))
            .unwrap();
        assert!((120..140).contains(&peak), "{peak}");
    }

    #[test]
    fn the_two_tables_have_the_documented_lengths_and_agree_at_low_frequency() {
        let grid = Grid::from_points(2e15, 4096, 4e-12, None).unwrap();
        let sampled = RamanTable::new(BlowWood::SILICA, Representation::Sampled, &grid);
        let continuous = RamanTable::new(BlowWood::SILICA, Representation::Continuous, &grid);
        assert_eq!((sampled.points, sampled.values.len()), (8192, 4097));
        assert_eq!((continuous.points, continuous.values.len()), (4096, 2049));
        assert_eq!(continuous.values[0], Complex64::new(1.0, 0.0));
        assert_eq!(continuous.values[2048].im, 0.0);
        // Scaled to unit sum; what the rectangle rule misses is left at higher frequencies only.
        let difference = (sampled.values[0] - continuous.values[0]).norm();
        assert!(difference < 1e-14, "{difference}");
        let apart = (sampled.values[100] - continuous.values[50]).norm();
        assert!(apart < 1e-3, "{apart}");
    }
}
