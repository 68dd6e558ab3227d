//! Statistics of the field at one plane, from its spectrum and its power over time.

use super::samples::Samples;
use crate::constants::HBAR;
use crate::engine::PlaneStatistics;
use crate::fourier::Complex64;

/// What the spectra of a state are, mode after mode.
#[derive(Clone)]
pub struct Axes {
    /// The grid of each mode.
    pub samples: Samples,
    /// Modes.
    pub modes: usize,
    /// Time between samples, s.
    pub time_step_s: f64,
    /// Angular frequency of each bin, rad/s.
    pub omega: Vec<f64>,
    /// Energy in joules over the squared modulus of a bin that counts.
    pub energy_scale: f64,
}

impl Axes {
    /// Values of a state.
    pub fn state_len(&self) -> usize {
        self.modes * self.samples.bins()
    }

    /// Energy of each bin in all modes, J; 0 where a bin does not count.
    fn energies(&self, state: &[Complex64]) -> Vec<f64> {
        let mut energies = vec![0.0; self.samples.bins()];
        for mode in state.chunks_exact(energies.len()) {
            for k in self.samples.counted() {
                energies[k] += self.energy_scale * mode[k].norm_sqr();
            }
        }
        energies
    }

    /// Energy in J that a state, which is the one given now, had more before `taken` was taken from
    /// it. The difference of the two energies would be rounding where that is little.
    pub fn lost_j(&self, state: &[Complex64], taken: &[Complex64]) -> f64 {
        let bins = self.samples.bins();
        let modes = state.chunks_exact(bins).zip(taken.chunks_exact(bins));
        let of_mode = |(state, taken): (&[Complex64], &[Complex64])| -> f64 {
            let counted = self.samples.counted();
            let pairs = state[counted.clone()].iter().zip(&taken[counted]);
            let lost = pairs.map(|(a, t)| 2.0 * (a * t.conj()).re + t.norm_sqr());
            lost.sum()
        };
        self.energy_scale * modes.map(of_mode).sum::<f64>()
    }

    /// Power of all modes at each sample, W.
    fn powers(&self, state: &[Complex64]) -> Vec<f64> {
        let mut modes = state.chunks_exact(self.samples.bins());
        let of = |mode: &[Complex64]| -> Vec<f64> {
            let field = self.samples.envelope(mode);
            field.iter().map(Complex64::norm_sqr).collect()
        };
        let mut powers = modes.next().map(of).unwrap_or_default();
        for mode in modes {
            for (sum, power) in powers.iter_mut().zip(of(mode)) {
                *sum += power;
            }
        }
        powers
    }
}

/// Statistics of `state` at `z_m`.
pub fn statistics(axes: &Axes, z_m: f64, state: &[Complex64]) -> PlaneStatistics {
    let energies = axes.energies(state);
    let power = axes.powers(state);
    // Sample j is at (j - n/2) dt.
    let time = |j: usize| (j as f64 - (power.len() / 2) as f64) * axes.time_step_s;

    let energy_j: f64 = energies.iter().sum();
    let bins = || energies.iter().zip(&axes.omega);
    let lit = bins().filter(|(_, omega)| **omega > 0.0);
    let photons = lit.map(|(energy, omega)| energy / (HBAR * omega));
    let weighted_omega = bins().map(|(energy, omega)| energy * omega);
    let weighted_time = power.iter().enumerate().map(|(j, p)| p * time(j));
    let total_power: f64 = power.iter().sum();
    let mean_time = weighted_time.sum::<f64>() / total_power;
    let spread = power.iter().enumerate();
    let spread = spread.map(|(j, p)| p * (time(j) - mean_time).powi(2));
    let (peak, peak_power_w) = first_largest(&power);
    PlaneStatistics {
        z_m,
        energy_j,
        photon_number: photons.sum(),
        peak_power_w,
        peak_time_s: time(peak),
        mean_omega_rad_s: weighted_omega.sum::<f64>() / energy_j,
        rms_duration_s: (spread.sum::<f64>() / total_power).sqrt(),
    }
}

/// Index and value of the largest value, the first of equal ones.
pub fn first_largest(values: &[f64]) -> (usize, f64) {
    let mut largest = (0, f64::NEG_INFINITY);
    for (index, value) in values.iter().enumerate() {
        if *value > largest.1 {
            largest = (index, *value);
        }
    }
    largest
}
