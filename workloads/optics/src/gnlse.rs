//! The generalised nonlinear Schrödinger equation, set up from the parameters of a case.
//!
//! Stored spectra have the sign of the forward FFT, so every physical phase has a minus sign:
//! `L = -i sum beta_k W^k / k! - alpha / 2` and `s = -i gamma w / w0`. `docs/cases.md` has the
//! equation. [`Gnlse::new`] is the physics, [`Gnlse::problem`] its translation into the arrays of
//! the native library.

pub mod parameters;

use crate::constants::angular_frequency;
use crate::fibre::Fibre;
use crate::fourier::{Complex64, forward};
use crate::grid::{Band, Grid, GridError};
use crate::noise::add_one_photon_per_mode;
use crate::pulse::Pulse;
use crate::raman::{BlowWood, RamanTable};
use crate::steppers::{ORDER_OF_ENVELOPES, Stepping};
use crate::window::PlanckTaper;

use parameters::{ParameterError, Parameters, RamanModel};

/// Relative tolerance of the interface; a case may declare its own.
pub const RTOL_DEFAULT: f64 = 1e-8;

/// Absolute floor of the error norm of the interface.
pub const ATOL_DEFAULT: f64 = 1e-10;

/// What the launch carries beside the pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Nothing.
    None,
    /// One photon per mode, from this seed.
    Input {
        /// Seed of the phases.
        seed: u64,
    },
}

/// A case of interface `gnlse`: grid, medium and launch.
#[derive(Clone, Debug)]
pub struct Gnlse {
    /// The grid.
    pub grid: Grid,
    /// The fibre.
    pub fibre: Fibre,
    /// The launched pulse.
    pub pulse: Pulse,
    /// Length of the guide, m.
    pub length_m: f64,
    /// Launched spectrum: stored, FFT order, zero outside the valid set.
    pub launch: Vec<Complex64>,
    parameters: Parameters,
}

/// The arrays and scalars of one problem, in the order of `longrun_gnlse_problem`.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Time between samples, s.
    pub time_step_s: f64,
    /// Carrier, rad/s.
    pub carrier_rad_s: f64,
    /// `L(w)` in 1/m; as long as the grid, 0 outside the valid set.
    pub linear: Vec<Complex64>,
    /// `s(w)` in 1/(W m); as long as the grid, 0 outside the valid set.
    pub source: Vec<Complex64>,
    /// The windows, where the case absorbs.
    pub windows: Option<Windows>,
    /// Fraction of the nonlinearity that acts at once.
    pub kerr_fraction: f64,
    /// Fraction of the nonlinearity that is delayed, and its response.
    pub raman: Option<(f64, RamanTable)>,
}

/// Windows that act in every source evaluation and after every accepted step.
#[derive(Clone, Debug, PartialEq)]
pub struct Windows {
    /// Over frequency, in FFT order.
    pub spectral: Vec<f64>,
    /// Over time.
    pub temporal: Vec<f64>,
}

impl Problem {
    /// Whether every array is as long as the others imply; the cause if not.
    pub fn check_lengths(&self) -> Result<(), String> {
        let points = self.linear.len();
        let windows = self.windows.as_ref();
        let raman = self.raman.as_ref().map(|(_, table)| table);
        let sound = self.source.len() == points
            && windows.is_none_or(|w| w.spectral.len() == points && w.temporal.len() == points)
            && raman.is_none_or(|table| {
                (table.points == points || table.points == 2 * points)
                    && table.values.len() == table.points / 2 + 1
            });
        if sound {
            return Ok(());
        }
        Err(format!(
            "the arrays of the problem are not all for {points} points"
        ))
    }
}

impl Gnlse {
    /// Sets grid, medium and launch up.
    pub fn new(parameters: &Parameters, noise: Noise) -> Result<Self, ParameterError> {
        let pulse = parameters.pulse()?;
        let length_m = parameters.length_m(pulse.tau_s)?;
        let grid = grid(parameters).map_err(|error| ParameterError(error.to_string()))?;
        let launch = launch(&grid, &pulse, noise);
        Ok(Gnlse {
            fibre: parameters.fibre().clone(),
            grid,
            pulse,
            length_m,
            launch,
            parameters: parameters.clone(),
        })
    }

    /// The parameters that the case was set up from.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Number of frequencies at which physics is evaluated.
    pub fn valid_points(&self) -> usize {
        let valid = |omega: &f64| self.grid.is_valid(*omega);
        self.grid.frequencies().filter(valid).count()
    }

    /// The arrays of the native library.
    pub fn problem(&self) -> Problem {
        let windows = self.windows();
        let raman = (self.parameters.raman == RamanModel::BlowWood).then(|| {
            let representation = self.parameters.raman_spectrum;
            let table = RamanTable::new(BlowWood::SILICA, representation, &self.grid);
            (self.parameters.raman_fraction, table)
        });
        Problem {
            time_step_s: self.grid.time_step_s(),
            carrier_rad_s: self.grid.carrier(),
            linear: self.linear(),
            source: self.source(windows.as_ref()),
            windows,
            kerr_fraction: self.parameters.kerr_fraction(),
            raman,
        }
    }

    fn linear(&self) -> Vec<Complex64> {
        let half_loss = self.fibre.loss_per_m / 2.0;
        let at = |(offset, omega): (f64, f64)| {
            if self.grid.is_valid(omega) {
                Complex64::new(-half_loss, -self.fibre.phase_per_m(offset))
            } else {
                Complex64::default()
            }
        };
        self.grid
            .offsets()
            .zip(self.grid.frequencies())
            .map(at)
            .collect()
    }

    fn source(&self, windows: Option<&Windows>) -> Vec<Complex64> {
        let carrier = self.grid.carrier();
        let mut source: Vec<Complex64> = self
            .grid
            .frequencies()
            .map(|omega| {
                let shock = if self.parameters.shock {
                    omega / carrier
                } else {
                    1.0
                };
                // Absolute frequencies below zero exist on wide grids and carry no light.
                let valid = self.grid.is_valid(omega) && omega > 0.0;
                let strength = if valid {
                    self.fibre.gamma_per_w_m * shock
                } else {
                    0.0
                };
                Complex64::new(0.0, -strength)
            })
            .collect();
        if let Some(windows) = windows {
            for (value, window) in source.iter_mut().zip(&windows.spectral) {
                *value *= window;
            }
        }
        source
    }

    fn windows(&self) -> Option<Windows> {
        let band = self.grid.band().filter(|_| self.parameters.absorb)?;
        let spectral = PlanckTaper::spectral(band);
        let temporal = PlanckTaper::temporal(self.grid.window_s(), self.parameters.window_s);
        Some(Windows {
            spectral: self
                .grid
                .frequencies()
                .map(|omega| spectral.at(omega))
                .collect(),
            temporal: self.grid.times().map(|t| temporal.at(t)).collect(),
        })
    }
}

impl Stepping for Gnlse {
    fn length_m(&self) -> f64 {
        self.length_m
    }

    fn fixed_steps(&self) -> Option<usize> {
        self.parameters.fixed_steps
    }

    fn rtol(&self) -> f64 {
        self.parameters.rtol.unwrap_or(RTOL_DEFAULT)
    }

    fn atol(&self) -> f64 {
        ATOL_DEFAULT
    }

    fn multistep_order(&self) -> i32 {
        ORDER_OF_ENVELOPES
    }
}

fn grid(parameters: &Parameters) -> Result<Grid, GridError> {
    let carrier = angular_frequency(parameters.wavelength_m);
    let limits = parameters.wavelength_limits_m;
    let band = limits.map(Band::from_wavelengths).transpose()?;
    // Without absorption there is no band: everything at w > 0 is physics.
    let valid = band.filter(|_| parameters.absorb);
    match (band, parameters.points) {
        (Some(band), None) => {
            let grid = Grid::from_band(carrier, band, parameters.window_s)?;
            Ok(if parameters.absorb {
                grid
            } else {
                grid.without_band()
            })
        }
        // Neither was refused when the parameters were read.
        (_, points) => {
            let points = points.unwrap_or_default();
            Grid::from_points(carrier, points, parameters.window_s, valid)
        }
    }
}

fn launch(grid: &Grid, pulse: &Pulse, noise: Noise) -> Vec<Complex64> {
    let amplitude = |t: f64| Complex64::new(pulse.amplitude(t), 0.0);
    let mut spectrum: Vec<Complex64> = grid.times().map(amplitude).collect();
    forward(&mut spectrum);
    if let Noise::Input { seed } = noise {
        add_one_photon_per_mode(grid, seed, &mut spectrum);
    }
    for (value, omega) in spectrum.iter_mut().zip(grid.frequencies()) {
        if !grid.is_valid(omega) {
            *value = Complex64::default();
        }
    }
    spectrum
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;
    use serde_json::{Value, json};

    fn dudley() -> Value {
        json!({
            "fibre": "dudley", "raman": "blow_wood", "raman_fraction": 0.18, "shock": true,
            "pulse": {"shape": "sech", "fwhm_s": 50e-15, "peak_power_w": 1e4},
            "wavelength_m": 835e-9, "wavelength_limits_m": [400e-9, 2400e-9],
            "window_s": 4e-12, "length_m": 0.15, "planes": 11
        })
    }

    fn set_up(value: &Value, noise: Noise) -> Gnlse {
        let parameters = Parameters::read(value.as_object().unwrap()).unwrap();
        Gnlse::new(&parameters, noise).unwrap()
    }

    #[test]
    fn physical_phases_have_the_sign_of_the_stored_spectrum() {
        let case = set_up(&dudley(), Noise::None);
        let problem = case.problem();
        let offset: f64 = case.grid.frequency_step();
        let expected = 1.1830e-26 * offset * offset / 2.0;
        assert!((problem.linear[1].im / expected - 1.0).abs() < 1e-2);
        assert_eq!(problem.source[0], Complex64::new(0.0, -0.11));
        assert!(
            problem.source[1].im < problem.source[0].im,
            "blue is stronger"
        );
    }

    #[test]
    fn nothing_acts_outside_the_valid_set() {
        let case = set_up(&dudley(), Noise::Input { seed: 1 });
        let problem = case.problem();
        let zero = Complex64::default();
        let mut outside = 0;
        for (k, omega) in case.grid.frequencies().enumerate() {
            if !case.grid.is_valid(omega) {
                outside += 1;
                let values = [problem.linear[k], problem.source[k], case.launch[k]];
                assert_eq!(values, [zero; 3]);
            }
        }
        assert_eq!(outside + case.valid_points(), case.grid.points());
        assert!(outside > 0);
    }

    #[test]
    fn loss_is_half_the_power_loss_on_the_amplitude() {
        let mut value = dudley();
        value["fibre"] =
            json!({"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26], "loss_per_m": 3.0});
        let problem = set_up(&value, Noise::None).problem();
        assert_eq!(problem.linear[0].re, -1.5);
    }

    #[test]
    fn without_absorption_there_are_no_windows_and_every_positive_frequency_is_valid() {
        let mut value = dudley();
        value["absorb"] = json!(false);
        let case = set_up(&value, Noise::None);
        assert_eq!(case.problem().windows, None);
        let positive = case.grid.frequencies().filter(|omega| *omega > 0.0).count();
        assert_eq!(case.valid_points(), positive);
        assert!(
            positive < case.grid.points(),
            "this grid reaches below zero"
        );
    }

    #[test]
    fn the_launched_energy_is_that_of_the_pulse() {
        let case = set_up(&dudley(), Noise::None);
        let sum: f64 = case.launch.iter().map(Complex64::norm_sqr).sum();
        let energy = case.grid.time_step_s() / case.grid.points() as f64 * sum;
        assert!((energy / case.pulse.energy_j() - 1.0).abs() < 1e-10);
    }

    #[test]
    fn raman_is_left_out_where_the_case_has_none() {
        let mut value = dudley();
        assert!(set_up(&value, Noise::None).problem().raman.is_some());
        value["raman"] = json!("none");
        let problem = set_up(&value, Noise::None).problem();
        assert_eq!(problem.raman, None);
        assert!((problem.kerr_fraction - 0.82).abs() < 1e-15);
    }

    #[test]
    fn an_explicit_number_of_points_overrides_the_limits() {
        let mut value = dudley();
        value["points"] = json!(8192);
        value["absorb"] = json!(false);
        let case = set_up(&value, Noise::None);
        assert_eq!(case.grid.points(), 8192);
        assert_eq!(case.grid.time_step_s(), 4e-12 / 8192.0);
    }
}
