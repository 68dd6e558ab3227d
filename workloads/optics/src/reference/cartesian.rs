//! A field over a plane.
//!
//! Whole transforms in x, y and time on the fine grid, with complex numbers, and L for every value
//! of the state: to be read, and for small grids. What is said in `crate::cartesian` of the arrays
//! is not repeated here.

mod cube;
mod equation;

use super::fields::Field;
use super::geometry::{Geometry, Seen};
use super::statistics::first_largest;
use crate::cartesian::Problem;
use crate::constants::HBAR;
use crate::engine::PlaneStatistics;
use crate::fourier::{Complex64, inverse};
use cube::Cube;
pub use equation::Cartesian;

/// The waves of a field over a plane.
pub struct Plane {
    problem: Problem,
}

impl Plane {
    /// The waves of a problem that has been checked.
    pub fn new(problem: &Problem) -> Self {
        Plane {
            problem: problem.clone(),
        }
    }
}

impl Geometry for Plane {
    fn state_len(&self) -> usize {
        self.problem.state_len()
    }

    /// Windows in frequency, in time and over the plane, in this order.
    fn absorb(&self, state: &mut Field, step_m: f64) -> Option<f64> {
        let windows = self.problem.windows.as_ref()?;
        let part = step_m / windows.length_m;
        let over = |window: &[f64]| -> Vec<f64> { window.iter().map(|w| w.powf(part)).collect() };
        let columns = self.problem.columns();
        let spectral = over(&windows.spectral);
        for (plane, window) in state.chunks_exact_mut(columns).zip(&spectral) {
            plane.iter_mut().for_each(|value| *value *= window);
        }
        let mut field = Cube::field(&self.problem, self.problem.points, state);
        let temporal = over(&windows.temporal);
        let (x, y) = (over(&windows.x), over(&windows.y));
        let (wide, mut edge) = (x.len(), 0.0);
        for (i, value) in field.values.iter_mut().enumerate() {
            let (time, column) = (i / columns, i % columns);
            let within = value.re * temporal[time];
            let kept = within * x[column % wide] * y[column / wide];
            edge += within * within - kept * kept;
            *value = kept.into();
        }
        *state = field.state(&self.problem);
        // All frequencies of both signs have half as much again as those that are stored.
        let samples = (columns * self.problem.points) as f64;
        Some(0.5 * samples * self.problem.energy_scale * edge)
    }

    fn statistics(&self, z_m: f64, state: &[Complex64]) -> PlaneStatistics {
        statistics(&self.problem, z_m, state)
    }

    fn nodes(&self) -> usize {
        self.problem.columns()
    }

    fn seen(&self, state: &[Complex64]) -> Vec<Seen> {
        let analytic = Cube::analytic(&self.problem, state);
        let of_node = |node: usize| {
            let samples = analytic.values.iter().skip(node).step_by(self.nodes());
            Seen::of(samples.map(Complex64::norm_sqr), self.problem.time_step_s)
        };
        (0..self.nodes()).map(of_node).collect()
    }
}

/// Statistics of a state. The power is that of the analytic signal, summed over the plane.
fn statistics(problem: &Problem, z_m: f64, state: &[Complex64]) -> PlaneStatistics {
    let planes = state.chunks_exact(problem.columns());
    let of_bin = |plane: &[Complex64]| -> f64 {
        problem.energy_scale * plane.iter().map(Complex64::norm_sqr).sum::<f64>()
    };
    let energies: Vec<f64> = planes.map(of_bin).collect();
    let bins = || energies.iter().zip(&problem.omega);
    let energy_j: f64 = energies.iter().sum();
    let powers = powers(problem, state);
    let time = |j: usize| (j as f64 - (problem.points / 2) as f64) * problem.time_step_s;
    let total: f64 = powers.iter().sum();
    let moments = powers.iter().enumerate();
    let mean_s = moments.map(|(j, p)| p * time(j)).sum::<f64>() / total;
    let moments = powers.iter().enumerate();
    let square = moments
        .map(|(j, p)| p * (time(j) - mean_s).powi(2))
        .sum::<f64>()
        / total;
    let (peak, peak_power_w) = first_largest(&powers);
    PlaneStatistics {
        z_m,
        energy_j,
        photon_number: bins().map(|(energy, omega)| energy / (HBAR * omega)).sum(),
        peak_power_w,
        peak_time_s: time(peak),
        mean_omega_rad_s: bins().map(|(energy, omega)| energy * omega).sum::<f64>() / energy_j,
        rms_duration_s: square.sqrt(),
    }
}

/// Power at each coarse sample, W: by Parseval's theorem the sum over transverse wavenumbers.
fn powers(problem: &Problem, state: &[Complex64]) -> Vec<f64> {
    let points = problem.points;
    let scale = problem.energy_scale * points as f64 / (4.0 * problem.time_step_s);
    let mut powers = vec![0.0; points];
    for column in 0..problem.columns() {
        let mut signal = vec![Complex64::default(); points];
        let bins = state.iter().skip(column).step_by(problem.columns());
        for (place, value) in signal[problem.first_bin..].iter_mut().zip(bins) {
            *place = 2.0 * value;
        }
        inverse(&mut signal);
        for (power, value) in powers.iter_mut().zip(&signal) {
            *power += scale * value.norm_sqr();
        }
    }
    powers
}
