//! The frequencies that a grid is made for, and what is wrong with a grid.

use std::fmt;

use crate::constants::angular_frequency;

/// Most samples of a grid: 2^24 complex numbers are 256 MiB a state, beyond any case.
pub const POINTS_MAX: usize = 1 << 24;

/// How far above the highest frequency of interest the grid reaches.
pub(super) const HEADROOM: f64 = 1.1;

/// What is wrong with the description of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct GridError(pub(super) String);

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GridError {}

/// Limits of the physical frequencies, in rad/s: `low` and `high` of interest.
///
/// Physics is evaluated between half of `low` and 1.1 times `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Lowest angular frequency of interest.
    pub low: f64,
    /// Highest angular frequency of interest.
    pub high: f64,
}

impl Band {
    /// The band between two vacuum wavelengths in metres, shorter first.
    pub fn from_wavelengths(limits_m: [f64; 2]) -> Result<Self, GridError> {
        let [short, long] = limits_m;
        if !(short > 0.0 && short < long && long.is_finite()) {
            return Err(GridError(format!(
                "wavelength limits {short} m and {long} m: give two lengths, the shorter first"
            )));
        }
        Ok(Band {
            low: angular_frequency(long),
            high: angular_frequency(short),
        })
    }

    /// Edges within which dispersion and source are evaluated, exclusive.
    pub fn edges(&self) -> (f64, f64) {
        (self.low / 2.0, HEADROOM * self.high)
    }

    /// Whether physics is evaluated at an absolute frequency in rad/s.
    pub fn is_valid(&self, omega: f64) -> bool {
        let (low, high) = self.edges();
        low < omega && omega < high
    }

    /// Refuses a carrier outside the band.
    pub(super) fn check_carrier(&self, carrier: f64) -> Result<(), GridError> {
        if self.low < carrier && carrier < self.high {
            return Ok(());
        }
        Err(GridError(format!(
            "the carrier, {carrier:.4e} rad/s, is outside the wavelength limits"
        )))
    }
}

/// The next power of two of a window of samples; refused where it is not one or too many.
pub(super) fn points_for(window_s: f64, time_step_s: f64) -> Result<usize, GridError> {
    let least = positive("window_s", window_s)? / time_step_s;
    if least > POINTS_MAX as f64 {
        return Err(too_many(least));
    }
    // `least` is finite, positive and at most POINTS_MAX.
    Ok((least.ceil() as usize).next_power_of_two())
}

pub(super) fn positive(name: &str, value: f64) -> Result<f64, GridError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(GridError(format!(
            "`{name}` is {value}: it must be positive and finite"
        )))
    }
}

pub(super) fn too_many(points: f64) -> GridError {
    GridError(format!(
        "{points:.3e} points are more than {POINTS_MAX}: shorten `window_s`"
    ))
}
