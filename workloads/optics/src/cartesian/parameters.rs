//! The parameters of a case of interface `free`, as the registry gives them.
//!
//! Reading is strict: a key that is not known is an error that names it, as is a value that makes
//! no grid.

use std::fmt;

use serde::Deserialize;

use crate::guided::parameters::{from_map, not_negative, positive, within};
use crate::pulse::{Pulse, Shape};

/// Fewest and most columns of an axis: fewer are no beam, and the plane of one frequency would have
/// more than four million points.
const COLUMNS: [usize; 2] = [16, 2048];

/// Most planes of a run.
const PLANES_MAX: usize = 10_000;

/// Most steps of the schedule.
const FIXED_STEPS_MAX: usize = 1_000_000;

/// Fewest columns in the waist. The spectrum of a Gaussian beam over the transverse wavenumber,
/// `exp(-(k w / 2)²)`, is then at 5e-5 where the grid ends.
const COLUMNS_IN_WAIST: f64 = 2.0;

/// What the beam is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Material {
    /// Fused silica.
    Silica,
}

/// Every key of `[case.parameters]`. Lengths in metres, times in seconds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// What the beam is in.
    pub material: Material,
    /// Its nonlinear index, m²/W.
    pub n2_m2_per_w: f64,
    /// Radius at which the intensity of the launched Gaussian beam is 1/e² of that on its axis; its
    /// phase is flat.
    pub waist_m: f64,
    /// Half-width of the plane; the grid has a tenth more, where light is absorbed.
    pub half_width_m: f64,
    /// Columns along x, and as many along y.
    pub columns: usize,
    pulse: PulseNumbers,
    /// Vacuum wavelength of the carrier.
    pub wavelength_m: f64,
    /// Wavelengths of interest, shorter first.
    pub wavelength_limits_m: [f64; 2],
    /// Time window: at least this long.
    pub window_s: f64,
    /// Whether the windows act.
    #[serde(default = "yes")]
    pub absorb: bool,
    /// Length of the glass.
    pub length_m: f64,
    /// Equal steps over all of it.
    pub fixed_steps: usize,
    /// Planes that are observed, both ends included.
    pub planes: usize,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct PulseNumbers {
    shape: Shape,
    fwhm_s: f64,
    energy_j: f64,
}

fn yes() -> bool {
    true
}

/// What is wrong with the parameters of a case, or with what follows from them.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterError {
    cause: String,
}

impl ParameterError {
    pub(super) fn new(cause: impl fmt::Display) -> Self {
        ParameterError {
            cause: cause.to_string(),
        }
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "failed to set a case of interface `free` up: {}; correct the case in its registry \
             file",
            self.cause
        )
    }
}

impl std::error::Error for ParameterError {}

impl Parameters {
    /// Reads and checks the open map of a request.
    pub fn read(map: &longrun_protocol::request::Parameters) -> Result<Self, ParameterError> {
        let parameters: Self = from_map(map.clone()).map_err(ParameterError::new)?;
        parameters.check().map_err(ParameterError::new)?;
        Ok(parameters)
    }

    /// The launched pulse.
    pub fn pulse(&self) -> Result<Pulse, ParameterError> {
        self.checked_pulse().map_err(ParameterError::new)
    }

    fn check(&self) -> Result<(), String> {
        not_negative("n2_m2_per_w", self.n2_m2_per_w)?;
        positive("waist_m", self.waist_m)?;
        positive("half_width_m", self.half_width_m)?;
        positive("wavelength_m", self.wavelength_m)?;
        positive("window_s", self.window_s)?;
        positive("length_m", self.length_m)?;
        within("planes", self.planes, [2, PLANES_MAX])?;
        within("fixed_steps", self.fixed_steps, [1, FIXED_STEPS_MAX])?;
        self.check_columns()?;
        self.check_beam()?;
        let width_s = self.checked_pulse()?.fwhm_s();
        if width_s < self.window_s {
            return Ok(());
        }
        Err(format!(
            "`window_s` is {:.3e}: the pulse is {width_s:.3e} s wide at half its power and does \
             not fit in; lengthen `window_s` or shorten `pulse.fwhm_s`",
            self.window_s
        ))
    }

    fn check_columns(&self) -> Result<(), String> {
        let [least, most] = COLUMNS;
        if self.columns.is_multiple_of(2) && (least..=most).contains(&self.columns) {
            return Ok(());
        }
        Err(format!(
            "`columns` is {}: give an even number from {least} to {most}",
            self.columns
        ))
    }

    /// What is as wide as the plane, or as narrow as its columns, is no Gaussian beam there.
    fn check_beam(&self) -> Result<(), String> {
        let (waist_m, half_width_m) = (self.waist_m, self.half_width_m);
        if waist_m >= half_width_m {
            return Err(format!(
                "`waist_m` is {waist_m:e}: give less than `half_width_m`, which is {half_width_m:e}"
            ));
        }
        let step_m = super::PlaneGrid::new(self.columns, half_width_m).step_m();
        let narrowest_m = COLUMNS_IN_WAIST * step_m;
        if waist_m >= narrowest_m {
            return Ok(());
        }
        Err(format!(
            "`waist_m` is {waist_m:e}: `columns`, {} over {half_width_m:e} m to both sides, \
             resolve {narrowest_m:.3e} m and more; give more columns or a smaller `half_width_m`",
            self.columns
        ))
    }

    fn checked_pulse(&self) -> Result<Pulse, String> {
        let fwhm_s = positive("pulse.fwhm_s", self.pulse.fwhm_s)?;
        let energy_j = positive("pulse.energy_j", self.pulse.energy_j)?;
        let of_one_watt = Pulse {
            shape: self.pulse.shape,
            tau_s: self.pulse.shape.tau_s(fwhm_s),
            peak_power_w: 1.0,
        };
        Ok(Pulse {
            peak_power_w: energy_j / of_one_watt.energy_j(),
            ..of_one_watt
        })
    }
}
