//! Guided cases: light in a gas-filled capillary, in a graded-index fibre, or around an axis in
//! free space, whose modes are those of a wide tube.
//!
//! One family and one kernel: modes on one time grid, whose fields act on each other at the nodes
//! of a rule over the cross-section. Averaged over a single mode, there is one node.
//! [`Guided::new`] is the physics: grid, guide, launch and windows. What comes out is a
//! [`Problem`], the arrays that an engine is told. `docs/cases.md` has the equations.

mod capillary;
mod cross_section;
pub mod parameters;
mod problem;
mod radial;
mod response;
mod size;
mod waveguide;

pub use size::Size;

pub use problem::{Density, FieldKind, Gradient, Linear, Plasma, Problem, Shift, Windows};

use crate::constants::angular_frequency;
use crate::fourier::Complex64;
use crate::gnlse::Noise;
use crate::grid::{Band, FieldGrid, Grid, GridError, TimeGrid};
use crate::guide::hankel::HankelModes;
use crate::noise::add_one_photon_per_guided_mode;
use crate::pulse::Pulse;
use crate::raman::RamanTable;
use crate::steppers::{ORDER_OF_ENVELOPES, ORDER_OF_FIELDS, Stepping};
use crate::window::PlanckTaper;

use cross_section::CrossSection;
use parameters::{Common, FieldName, GuideParameters, ParameterError, Parameters};

/// Relative tolerance of the interfaces; a case may declare its own.
pub const RTOL_DEFAULT: f64 = 1e-6;

/// Absolute floor of the error norm of the interfaces.
pub const ATOL_DEFAULT: f64 = 1e-10;

/// How often the windows act in full along a guide, whatever the steps are. What a step has of them
/// goes with its length, or the field would depend on how many steps were taken: by a tenth of it
/// over the whole of `he_rdw_averaged`, at any tolerance.
const ABSORPTIONS: f64 = 1000.0;

/// A case of interface `capillary`, `waveguide` or `radial`: grid, guide and launch.
#[derive(Clone, Debug)]
pub struct Guided {
    /// The grid.
    pub grid: TimeGrid,
    /// The pulse of the launched beam.
    pub pulse: Pulse,
    /// Length of the guide, m.
    pub length_m: f64,
    /// Launched spectra, mode after mode: stored, zero outside the valid set.
    pub launch: Vec<Complex64>,
    /// Relative error of the transverse rule at the peak of the launch, where the field is resolved
    /// by a rule that is not exact.
    pub transverse_error: Option<f64>,
    /// Modes and nodes of a case of interface `radial`.
    pub free_space: Option<HankelModes>,
    problem: Problem,
    parameters: Parameters,
}

/// What a guide contributes to the problem.
struct Physics {
    linear: Linear,
    /// Without windows.
    source: Vec<Complex64>,
    cross_section: CrossSection,
    density: Density,
    kerr: f64,
    raman: Option<RamanTable>,
    plasma: Option<Plasma>,
    /// Amplitude of each mode over that of the launched beam.
    shares: Vec<f64>,
    transverse_error: Option<f64>,
    /// Window over the nodes.
    edge: Option<Vec<f64>>,
    free_space: Option<HankelModes>,
}

impl Guided {
    /// Sets grid, guide and launch up.
    pub fn new(parameters: &Parameters, noise: Noise) -> Result<Self, ParameterError> {
        let refuse = |cause: String| ParameterError::new(parameters.interface(), cause);
        let common = &parameters.common;
        let grid = grid(parameters).map_err(|error| refuse(error.to_string()))?;
        let physics = match (&parameters.guide, &grid) {
            (GuideParameters::Capillary(own), _) => capillary::physics(&grid, common, own),
            (GuideParameters::Waveguide(own), TimeGrid::Envelope(grid)) => {
                waveguide::physics(grid, common, own)
            }
            (GuideParameters::Waveguide(_), TimeGrid::Field(_)) => {
                Err("a waveguide has the grid of an envelope".to_owned())
            }
            (GuideParameters::Radial(own), TimeGrid::Field(grid)) => {
                check_noise(noise).and_then(|()| radial::physics(grid, common, own))
            }
            (GuideParameters::Radial(_), TimeGrid::Envelope(_)) => {
                Err("free space has the grid of a real field".to_owned())
            }
        };
        let mut physics = physics.map_err(refuse)?;
        let pulse = common.pulse().map_err(refuse)?;
        let launch = launch(&grid, &pulse, &physics.shares, noise).map_err(refuse)?;
        Ok(Guided {
            pulse,
            length_m: common.length_m,
            launch,
            transverse_error: physics.transverse_error,
            free_space: physics.free_space.take(),
            problem: problem(&grid, common, physics),
            grid,
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

    /// Frequencies at which physics is evaluated, in one mode.
    pub fn valid_points(&self) -> usize {
        let valid = |omega: &&f64| **omega > 0.0;
        self.problem.omega.iter().filter(valid).count()
    }

    /// Fraction of the energy of a launched beam that the tube does not hold; 0 of a guide, whose
    /// launch is what its modes take of it.
    pub fn launched_outside(&self) -> f64 {
        match &self.parameters.guide {
            GuideParameters::Capillary(_) | GuideParameters::Waveguide(_) => 0.0,
            GuideParameters::Radial(own) => (-2.0 * (own.radius_m / own.waist_m).powi(2)).exp(),
        }
    }

    /// Energy in joules of each mode of a state.
    pub fn energies_j(&self, state: &[Complex64]) -> Vec<f64> {
        self.sums(state, |_| 1.0)
    }

    /// Energy in joules of a state, all modes together.
    pub fn energy_j(&self, state: &[Complex64]) -> f64 {
        self.energies_j(state).into_iter().sum()
    }

    /// Number of photons of a state, all modes together.
    pub fn photon_number(&self, state: &[Complex64]) -> f64 {
        let per_joule = |omega: f64| (crate::constants::HBAR * omega).recip();
        self.sums(state, per_joule).into_iter().sum()
    }

    /// For each mode, the energy of its valid bins weighted by a function of the frequency.
    fn sums(&self, state: &[Complex64], weight: impl Fn(f64) -> f64) -> Vec<f64> {
        let scale = self.grid.energy_scale();
        let omega = &self.problem.omega;
        let of_mode = |spectrum: &[Complex64]| -> f64 {
            let bins = spectrum.iter().zip(omega).filter(|(_, w)| **w > 0.0);
            bins.map(|(value, w)| scale * value.norm_sqr() * weight(*w))
                .sum()
        };
        state.chunks_exact(omega.len()).map(of_mode).collect()
    }
}

impl Stepping for Guided {
    fn length_m(&self) -> f64 {
        self.length_m
    }

    fn fixed_steps(&self) -> Option<usize> {
        self.parameters.common.fixed_steps
    }

    fn rtol(&self) -> f64 {
        self.parameters.common.rtol.unwrap_or(RTOL_DEFAULT)
    }

    fn atol(&self) -> f64 {
        ATOL_DEFAULT
    }

    fn multistep_order(&self) -> i32 {
        match self.grid {
            TimeGrid::Field(_) => ORDER_OF_FIELDS,
            TimeGrid::Envelope(_) => ORDER_OF_ENVELOPES,
        }
    }
}

fn grid(parameters: &Parameters) -> Result<TimeGrid, GridError> {
    let common = &parameters.common;
    let band = Band::from_wavelengths(common.wavelength_limits_m)?;
    let carrier = angular_frequency(common.wavelength_m);
    let is_real = match &parameters.guide {
        GuideParameters::Capillary(own) => own.field == FieldName::Real,
        GuideParameters::Waveguide(_) => false,
        GuideParameters::Radial(_) => true,
    };
    Ok(if is_real {
        TimeGrid::Field(FieldGrid::from_band(carrier, band, common.window_s)?)
    } else {
        TimeGrid::Envelope(Grid::from_band(carrier, band, common.window_s)?)
    })
}

/// A photon in every mode of a guide is noise; how much of it a beam meets is not known of free
/// space, whose modes depend on where the tube is.
fn check_noise(noise: Noise) -> Result<(), String> {
    match noise {
        Noise::None => Ok(()),
        Noise::Input { .. } => {
            Err("`noise` is `input`: there is none in free space, give `none`".to_owned())
        }
    }
}

/// Every mode has the pulse, scaled to its part of the energy, and noise of its own.
fn launch(
    grid: &TimeGrid,
    pulse: &Pulse,
    shares: &[f64],
    noise: Noise,
) -> Result<Vec<Complex64>, String> {
    let amplitudes: Vec<f64> = grid
        .times()
        .into_iter()
        .map(|t| pulse.amplitude(t))
        .collect();
    let mut beam = grid.spectrum_of(&amplitudes);
    for (value, omega) in beam.iter_mut().zip(grid.frequencies()) {
        if !grid.is_valid(omega) {
            *value = Complex64::default();
        }
    }
    let inner = beam[grid.inner()].iter().map(Complex64::norm_sqr);
    let energy_j = grid.energy_scale() * inner.sum::<f64>();
    // What the grid cuts off the pulse is given back: it has the energy that was asked for.
    let scale = (pulse.energy_j() / energy_j).sqrt();
    if !scale.is_finite() {
        return Err("the pulse has no energy within the wavelength limits".to_owned());
    }
    let of_mode = |share: f64| beam.iter().map(move |value| value * (scale * share));
    let mut launch: Vec<Complex64> = shares.iter().copied().flat_map(of_mode).collect();
    if let Noise::Input { seed } = noise {
        add_one_photon_per_guided_mode(grid, seed, &mut launch);
    }
    Ok(launch)
}

fn problem(grid: &TimeGrid, common: &Common, physics: Physics) -> Problem {
    let windows = common.absorb.then(|| windows(grid, common, physics.edge));
    let valid = |omega: f64| if grid.is_valid(omega) { omega } else { 0.0 };
    let mut source = physics.source;
    if let Some(windows) = &windows {
        for spectrum in source.chunks_exact_mut(grid.bins()) {
            for (value, window) in spectrum.iter_mut().zip(&windows.spectral) {
                *value *= window;
            }
        }
    }
    Problem {
        field: match grid {
            TimeGrid::Field(_) => FieldKind::Real,
            TimeGrid::Envelope(_) => FieldKind::Envelope,
        },
        points: grid.points(),
        fine_points: grid.fine_points(),
        modes: physics.cross_section.modes,
        nodes: physics.cross_section.nodes,
        time_step_s: grid.time_step_s(),
        carrier_rad_s: grid.carrier(),
        omega: grid.frequencies().into_iter().map(valid).collect(),
        synthesis: physics.cross_section.synthesis,
        projection: physics.cross_section.projection,
        linear: physics.linear,
        source,
        density: physics.density,
        kerr: physics.kerr,
        raman: physics.raman,
        plasma: physics.plasma,
        windows,
        carrier_shift: carrier_shift(grid),
        energy_scale: grid.energy_scale(),
    }
}

fn windows(grid: &TimeGrid, common: &Common, nodes: Option<Vec<f64>>) -> Windows {
    // The grid was made from the same limits, which were sound.
    let [short, long] = common.wavelength_limits_m;
    let spectral = PlanckTaper::spectral(Band {
        low: angular_frequency(long),
        high: angular_frequency(short),
    });
    let temporal = PlanckTaper::temporal(grid.window_s(), common.window_s);
    let over = |times: Vec<f64>| times.into_iter().map(|t| temporal.at(t)).collect();
    let frequencies = grid.frequencies().into_iter();
    Windows {
        spectral: frequencies.map(|omega| spectral.at(omega)).collect(),
        temporal: over(grid.times()),
        fine: over(grid.fine_times()),
        nodes,
        length_m: common.length_m / ABSORPTIONS,
    }
}

/// A real field turns with its carrier; its third harmonic three times as fast, and so on.
fn carrier_shift(grid: &TimeGrid) -> Option<Shift> {
    let TimeGrid::Field(grid) = grid else {
        return None;
    };
    let carrier = grid.carrier();
    let distance = |omega: f64| (omega - carrier).abs();
    let bins = grid.frequencies().enumerate();
    let nearest = bins.min_by(|(_, a), (_, b)| distance(*a).total_cmp(&distance(*b)));
    let harmonic = |omega: f64| 1.0 + 2.0 * (omega / (2.0 * carrier)).floor();
    Some(Shift {
        bin: nearest.map_or(0, |(bin, _)| bin),
        harmonic: grid.frequencies().map(harmonic).collect(),
    })
}

#[cfg(test)]
mod tests;
