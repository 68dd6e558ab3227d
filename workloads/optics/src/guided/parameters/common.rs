//! Parameters that every guided case has: pulse, grid, length, planes and steps.

use serde::Deserialize;

use super::{positive, within};
use crate::pulse::{Pulse, Shape};

/// Names of these parameters; all others belong to an interface.
pub(super) const KEYS: [&str; 10] = [
    "pulse",
    "wavelength_m",
    "wavelength_limits_m",
    "window_s",
    "absorb",
    "length_m",
    "launch_waist_m",
    "planes",
    "rtol",
    "fixed_steps",
];

/// Most planes of a run: their intensities are all kept.
const PLANES_MAX: usize = 10_000;

/// Most steps of a fixed schedule: beyond any case, and within memory.
const FIXED_STEPS_MAX: usize = 10_000_000;

/// What every guided case has. Lengths in metres, times in seconds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Common {
    pulse: PulseNumbers,
    /// Vacuum wavelength of the carrier.
    pub wavelength_m: f64,
    /// Wavelengths of interest, shorter first.
    pub wavelength_limits_m: [f64; 2],
    /// Time window: at least this long.
    pub window_s: f64,
    /// Whether spectral and temporal windows act.
    #[serde(default = "yes")]
    pub absorb: bool,
    /// Length of the guide.
    pub length_m: f64,
    /// Waist of the Gaussian beam that is launched on the axis; without, all is in the first mode.
    #[serde(default)]
    pub launch_waist_m: Option<f64>,
    /// Planes that are observed, both ends included.
    pub planes: usize,
    /// Relative tolerance; without, that of the interface.
    #[serde(default)]
    pub rtol: Option<f64>,
    /// Equal steps of a fixed schedule over the whole guide.
    #[serde(default)]
    pub fixed_steps: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct PulseNumbers {
    shape: Shape,
    #[serde(default)]
    fwhm_s: Option<f64>,
    #[serde(default)]
    tau_s: Option<f64>,
    #[serde(default)]
    energy_j: Option<f64>,
    #[serde(default)]
    peak_power_w: Option<f64>,
}

fn yes() -> bool {
    true
}

impl Common {
    pub(super) fn check(&self) -> Result<(), String> {
        positive("wavelength_m", self.wavelength_m)?;
        positive("window_s", self.window_s)?;
        positive("length_m", self.length_m)?;
        within("planes", self.planes, [2, PLANES_MAX])?;
        if let Some(waist_m) = self.launch_waist_m {
            positive("launch_waist_m", waist_m)?;
        }
        if let Some(steps) = self.fixed_steps {
            within("fixed_steps", steps, [1, FIXED_STEPS_MAX])?;
        }
        if let Some(rtol) = self.rtol {
            positive("rtol", rtol)?;
        }
        self.check_window(&self.pulse()?)
    }

    /// What is longer than the window would be launched as a part of itself, with the energy of
    /// the whole.
    fn check_window(&self, pulse: &Pulse) -> Result<(), String> {
        let (width_s, window_s) = (pulse.fwhm_s(), self.window_s);
        if width_s < window_s {
            return Ok(());
        }
        let key = match self.pulse.fwhm_s {
            Some(_) => "pulse.fwhm_s",
            None => "pulse.tau_s",
        };
        Err(format!(
            "`window_s` is {window_s:.3e}: the pulse is {width_s:.3e} s wide at half its power and \
             does not fit in; lengthen `window_s` or shorten `{key}`"
        ))
    }

    /// The pulse of the beam that is launched, before it is shared among modes.
    pub fn pulse(&self) -> Result<Pulse, String> {
        let numbers = &self.pulse;
        let tau_s = match (numbers.fwhm_s, numbers.tau_s) {
            (Some(fwhm_s), None) => numbers.shape.tau_s(positive("pulse.fwhm_s", fwhm_s)?),
            (None, Some(tau_s)) => positive("pulse.tau_s", tau_s)?,
            _ => return Err("`pulse`: give `fwhm_s` or `tau_s`, and not both".to_owned()),
        };
        let of_one_watt = Pulse {
            shape: numbers.shape,
            tau_s,
            peak_power_w: 1.0,
        };
        let peak_power_w = match (numbers.energy_j, numbers.peak_power_w) {
            (Some(energy_j), None) => {
                positive("pulse.energy_j", energy_j)? / of_one_watt.energy_j()
            }
            (None, Some(power_w)) => positive("pulse.peak_power_w", power_w)?,
            _ => return Err("`pulse`: give `energy_j` or `peak_power_w`, and not both".to_owned()),
        };
        Ok(Pulse {
            peak_power_w,
            ..of_one_watt
        })
    }
}
