//! Cartesian free space: a beam in glass as a real field over a plane.
//!
//! The field is sampled in x, y and time and held as a spectrum over all three. Diffraction and
//! dispersion are exact, the glass answers at once, and light that nears the edge of the plane is
//! absorbed. [`Cartesian::new`] is the physics; what comes out is a [`Problem`], the arrays that an
//! engine is told. `docs/cases.md` has the equations.

mod launch;
pub mod parameters;
mod plane;
mod problem;
mod size;

pub use plane::PlaneGrid;
pub use problem::{Problem, Windows};
pub use size::Size;

use std::f64::consts::SQRT_2;

use crate::constants::{HBAR, SPEED_OF_LIGHT, VACUUM_PERMITTIVITY, angular_frequency};
use crate::fourier::Complex64;
use crate::gnlse::Noise;
use crate::grid::{Band, FieldGrid};
use crate::medium::{silica, third_susceptibility};
use crate::pulse::Pulse;
use crate::steppers::Stepping;
use crate::window::PlanckTaper;
use parameters::{ParameterError, Parameters};

/// How often the windows act in full over the length, whatever the steps are: once a step of the
/// tracked schedule.
const ABSORPTIONS: f64 = 4.0;

/// Most loss of what does not travel, 1/m. (Luna.jl)
const EVANESCENT_MAX_PER_M: f64 = 200.0;

/// Least k_z of a source over n w / c: light at a grazing angle would have one without bound.
const GRAZING: f64 = 0.01;

/// Tolerances of the interface; a schedule reads none.
const RTOL: f64 = 1e-6;
const ATOL: f64 = 1e-10;

/// A case of interface `free`: grids, glass and launch.
#[derive(Clone, Debug)]
pub struct Cartesian {
    /// The grid in time.
    pub grid: FieldGrid,
    /// The grid of both transverse axes.
    pub plane: PlaneGrid,
    /// The pulse of the launched beam.
    pub pulse: Pulse,
    /// Refractive index at the carrier.
    pub index: f64,
    /// Length, m.
    pub length_m: f64,
    /// The launched state.
    pub launch: Vec<Complex64>,
    problem: Problem,
    parameters: Parameters,
}

impl Cartesian {
    /// Sets grids, glass and launch up.
    pub fn new(parameters: &Parameters, noise: Noise) -> Result<Self, ParameterError> {
        check_noise(noise)?;
        let grid = grid(parameters)?;
        let plane = PlaneGrid::new(parameters.columns, parameters.half_width_m);
        let index = silica::index(grid.carrier()).map_err(ParameterError::new)?;
        let pulse = parameters.pulse()?;
        let problem = problem(parameters, &grid, &plane, index)?;
        let launch = launch::launch(&problem, &grid, &plane, (&pulse, parameters.waist_m))
            .map_err(ParameterError::new)?;
        Ok(Cartesian {
            grid,
            plane,
            pulse,
            index,
            length_m: parameters.length_m,
            launch,
            problem,
            parameters: parameters.clone(),
        })
    }

    /// The parameters that the case was set up from.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The arrays of an engine.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Energy in joules at each frequency of the state.
    pub fn energies_j(&self, state: &[Complex64]) -> Vec<f64> {
        let planes = state.chunks_exact(self.problem.columns());
        let of_bin = |plane: &[Complex64]| -> f64 {
            self.problem.energy_scale * plane.iter().map(Complex64::norm_sqr).sum::<f64>()
        };
        planes.map(of_bin).collect()
    }

    /// Energy of a state, J.
    pub fn energy_j(&self, state: &[Complex64]) -> f64 {
        self.energies_j(state).into_iter().sum()
    }

    /// Number of photons of a state.
    pub fn photon_number(&self, state: &[Complex64]) -> f64 {
        let bins = self.energies_j(state).into_iter().zip(&self.problem.omega);
        bins.map(|(energy_j, omega)| energy_j / (HBAR * omega))
            .sum()
    }

    /// Fraction of the energy of the launched beam that the grid does not hold.
    pub fn launched_outside(&self) -> f64 {
        let widths = SQRT_2 * self.plane.half_width_m() / self.parameters.waist_m;
        1.0 - libm::erf(widths).powi(2)
    }

    /// Rayleigh length of the launched beam in the glass, m.
    pub fn rayleigh_m(&self) -> f64 {
        let wavenumber = self.index * self.grid.carrier() / SPEED_OF_LIGHT;
        0.5 * wavenumber * self.parameters.waist_m.powi(2)
    }
}

impl Stepping for Cartesian {
    fn length_m(&self) -> f64 {
        self.length_m
    }

    fn fixed_steps(&self) -> Option<usize> {
        Some(self.parameters.fixed_steps)
    }

    fn rtol(&self) -> f64 {
        RTOL
    }

    fn atol(&self) -> f64 {
        ATOL
    }

    fn multistep_order(&self) -> i32 {
        crate::steppers::ORDER_OF_FIELDS
    }
}

/// The photon of a mode is noise; how many modes a beam meets in free space is not known.
fn check_noise(noise: Noise) -> Result<(), ParameterError> {
    match noise {
        Noise::None => Ok(()),
        Noise::Input { .. } => Err(ParameterError::new(
            "`noise` is `input`: there is none in free space, give `none`",
        )),
    }
}

fn grid(parameters: &Parameters) -> Result<FieldGrid, ParameterError> {
    let band = Band::from_wavelengths(parameters.wavelength_limits_m);
    let band = band.map_err(ParameterError::new)?;
    let carrier = angular_frequency(parameters.wavelength_m);
    FieldGrid::from_band(carrier, band, parameters.window_s).map_err(ParameterError::new)
}

/// Bins of the half spectrum at which physics is evaluated.
fn valid_bins(grid: &FieldGrid) -> std::ops::Range<usize> {
    let omega: Vec<f64> = grid.frequencies().collect();
    let valid = |omega: &f64| grid.band().is_valid(*omega);
    let first = omega.iter().position(valid).unwrap_or(0);
    let end = omega.iter().rposition(valid).map_or(first, |last| last + 1);
    first..end
}

fn problem(
    parameters: &Parameters,
    grid: &FieldGrid,
    plane: &PlaneGrid,
    index: f64,
) -> Result<Problem, ParameterError> {
    let bins = valid_bins(grid);
    let omega: Vec<f64> = grid
        .frequencies()
        .skip(bins.start)
        .take(bins.len())
        .collect();
    let wavenumber = |omega: &f64| {
        let index = silica::index(*omega).map_err(ParameterError::new)?;
        Ok(index * omega / SPEED_OF_LIGHT)
    };
    let wavenumber: Result<Vec<f64>, ParameterError> = omega.iter().map(wavenumber).collect();
    let group = silica::group_index(grid.carrier()).map_err(ParameterError::new)?;
    let windows = parameters
        .absorb
        .then(|| windows(parameters, grid, plane, &omega));
    let permeability = (VACUUM_PERMITTIVITY * SPEED_OF_LIGHT.powi(2)).recip();
    let window = |bin: usize| windows.as_ref().map_or(1.0, |all| all.spectral[bin]);
    let strength = omega.iter().enumerate();
    let strength = strength.map(|(bin, w)| 0.5 * permeability * w * w * window(bin));
    let chi3 = third_susceptibility(parameters.n2_m2_per_w, index * index);
    let density = 0.5 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * index;
    let cell_m2 = plane.step_m().powi(2) / (plane.columns() as f64).powi(2);
    Ok(Problem {
        points: grid.points(),
        fine_points: grid.fine_points(),
        first_bin: bins.start,
        time_step_s: grid.time_step_s(),
        energy_scale: density * cell_m2 * 4.0 * grid.time_step_s() / grid.points() as f64,
        frame_s_per_m: group / SPEED_OF_LIGHT,
        evanescent_max_per_m: EVANESCENT_MAX_PER_M,
        grazing: GRAZING,
        wavenumber: wavenumber?,
        strength: strength.collect(),
        omega,
        k_x: plane.wavenumbers_per_m(),
        k_y: plane.wavenumbers_per_m(),
        kerr: VACUUM_PERMITTIVITY * chi3,
        windows,
    })
}

fn windows(parameters: &Parameters, grid: &FieldGrid, plane: &PlaneGrid, omega: &[f64]) -> Windows {
    let spectral = PlanckTaper::spectral(grid.band());
    let temporal = PlanckTaper::temporal(grid.window_s(), parameters.window_s);
    Windows {
        spectral: omega.iter().map(|w| spectral.at(*w)).collect(),
        temporal: grid.times().map(|t| temporal.at(t)).collect(),
        x: plane.edge(),
        y: plane.edge(),
        fine: grid.fine_times().map(|t| temporal.at(t)).collect(),
        length_m: parameters.length_m / ABSORPTIONS,
    }
}

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
