//! Statistics of the field at one plane, from its spectrum and its envelope.

use std::f64::consts::TAU;

use super::transform::Transform;
use crate::constants::HBAR;
use crate::engine::PlaneStatistics;
use crate::fourier::Complex64;

/// The grid that a spectrum is on.
#[derive(Clone, Copy, Debug)]
pub struct Axes {
    /// Samples.
    pub points: usize,
    /// Time between samples, s.
    pub time_step_s: f64,
    /// Carrier, rad/s.
    pub carrier_rad_s: f64,
}

impl Axes {
    /// Angular frequency of bin `k`, in FFT order.
    fn omega(&self, k: usize) -> f64 {
        let spacing = TAU / (self.points as f64 * self.time_step_s);
        let offset = if k < self.points / 2 {
            k as f64
        } else {
            k as f64 - self.points as f64
        };
        self.carrier_rad_s + offset * spacing
    }

    /// Time of sample `j`, s.
    fn time(&self, j: usize) -> f64 {
        (j as f64 - (self.points / 2) as f64) * self.time_step_s
    }
}

/// Statistics of `spectrum` at `z_m`.
pub fn statistics(
    axes: Axes,
    transform: &Transform,
    z_m: f64,
    spectrum: &[Complex64],
) -> PlaneStatistics {
    let density: Vec<f64> = spectrum.iter().map(Complex64::norm_sqr).collect();
    let mut field = spectrum.to_vec();
    transform.inverse(&mut field);
    let power: Vec<f64> = field.iter().map(Complex64::norm_sqr).collect();

    let sum: f64 = density.iter().sum();
    let joules = axes.time_step_s / axes.points as f64;
    let photons = |(k, density): (usize, &f64)| {
        let omega = axes.omega(k);
        if omega > 0.0 {
            density / (HBAR * omega)
        } else {
            0.0
        }
    };
    let weighted_omega = density.iter().enumerate().map(|(k, d)| d * axes.omega(k));
    let weighted_time = power.iter().enumerate().map(|(j, p)| p * axes.time(j));
    let total_power: f64 = power.iter().sum();
    let mean_time = weighted_time.sum::<f64>() / total_power;
    let spread = power
        .iter()
        .enumerate()
        .map(|(j, p)| p * (axes.time(j) - mean_time).powi(2));
    let (peak, peak_power_w) = first_largest(&power);
    PlaneStatistics {
        z_m,
        energy_j: joules * sum,
        photon_number: joules * density.iter().enumerate().map(photons).sum::<f64>(),
        peak_power_w,
        peak_time_s: axes.time(peak),
        mean_omega_rad_s: weighted_omega.sum::<f64>() / sum,
        rms_duration_s: (spread.sum::<f64>() / total_power).sqrt(),
    }
}

/// Index and value of the largest value, the first of equal ones.
fn first_largest(values: &[f64]) -> (usize, f64) {
    let mut largest = (0, f64::NEG_INFINITY);
    for (index, value) in values.iter().enumerate() {
        if *value > largest.1 {
            largest = (index, *value);
        }
    }
    largest
}
