//! The materials that light passes: how they bend it, and how they answer its third power.
//!
//! [`silica`] and [`gas`] hold published formulas, [`density`] turns the pressure of a gas into
//! molecules. A wavelength, pressure, temperature or density that a formula was not made for is an
//! error that names it. Nothing here knows of guides or grids.

pub mod density;
pub mod gas;
mod sellmeier;
pub mod silica;

use std::fmt;

use crate::constants::{SPEED_OF_LIGHT, VACUUM_PERMITTIVITY, wavelength_m};
use gas::{Formula, Gas};

/// What was asked of a material that its model does not know.
#[derive(Clone, Debug, PartialEq)]
pub enum MediumError {
    /// Light outside the dispersion formula.
    Wavelength {
        /// The material.
        material: &'static str,
        /// Vacuum wavelength, m; what is no wavelength at all included.
        wavelength_m: f64,
        /// Shortest and longest wavelength of the formula, m.
        range_m: [f64; 2],
    },
    /// A gas that has no such formula.
    Formula {
        /// The gas.
        gas: Gas,
        /// The formula.
        formula: Formula,
    },
    /// A pressure that no gas has, or that the equation of state does not reach.
    Pressure {
        /// The gas.
        gas: Gas,
        /// Pressure, Pa.
        pressure_pa: f64,
    },
    /// A temperature outside that of the virial coefficients.
    Temperature {
        /// The gas.
        gas: Gas,
        /// Temperature, K.
        temperature_k: f64,
    },
    /// A density that no gas has, or that the equation of state does not reach.
    Density {
        /// The gas.
        gas: Gas,
        /// Molecules per m³.
        density_per_m3: f64,
    },
}

impl fmt::Display for MediumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MediumError::Wavelength {
                material,
                wavelength_m,
                range_m: [short, long],
            } => write!(
                f,
                "`{material}` at a wavelength of {wavelength_m:.3e} m: its formula holds from \
                 {short:.3e} m to {long:.3e} m; narrow the wavelength limits"
            ),
            MediumError::Formula { gas, formula } => write!(
                f,
                "`{gas}` has no dispersion formula `{formula}`; use `{}`",
                gas.formula()
            ),
            MediumError::Pressure { gas, pressure_pa } => write!(
                f,
                "`{gas}` at {pressure_pa:.3e} Pa: give a pressure from 0 to {:.3e} Pa",
                density::PRESSURE_MAX_PA
            ),
            MediumError::Temperature { gas, temperature_k } => {
                let [low, high] = density::TEMPERATURES_K;
                write!(
                    f,
                    "`{gas}` at {temperature_k} K: give a temperature from {low} K to {high} K"
                )
            }
            MediumError::Density {
                gas,
                density_per_m3,
            } => write!(
                f,
                "`{gas}` with {density_per_m3:.3e} molecules per m³: give a density above 0, at \
                 most that of {:.3e} Pa",
                density::PRESSURE_MAX_PA
            ),
        }
    }
}

impl std::error::Error for MediumError {}

/// Nonlinear index in m²/W of a third-order susceptibility in m²/V², for a material of relative
/// permittivity n²: `n2 = 3 chi3 / (4 eps0 c n²)`.
pub fn nonlinear_index(chi3: f64, permittivity: f64) -> f64 {
    0.75 * chi3 / (VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * permittivity)
}

/// The inverse of [`nonlinear_index`]: third-order susceptibility in m²/V².
pub fn third_susceptibility(n2: f64, permittivity: f64) -> f64 {
    n2 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * permittivity / 0.75
}

/// Refuses light outside `range_m`; a frequency that is not positive is outside every range.
fn check_wavelength(
    material: &'static str,
    omega: f64,
    range_m: [f64; 2],
) -> Result<(), MediumError> {
    let wavelength_m = wavelength_m(omega);
    let [short, long] = range_m;
    if (short..=long).contains(&wavelength_m) {
        return Ok(());
    }
    Err(MediumError::Wavelength {
        material,
        wavelength_m,
        range_m,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::constants::angular_frequency;

    #[test]
    fn the_nonlinear_index_and_the_susceptibility_are_one_quantity() {
        let chi3 = third_susceptibility(2.7e-20, 2.1);
        assert!((nonlinear_index(chi3, 2.1) / 2.7e-20 - 1.0).abs() < 1e-15);
        // The susceptibility of glass is some 1e-22 m²/V².
        assert!((1e-22..3e-22).contains(&chi3), "{chi3:e}");
    }

    #[test]
    fn what_is_no_wavelength_is_outside_every_range() {
        for omega in [0.0, -1e15, f64::NAN, f64::INFINITY] {
            assert!(
                check_wavelength("x", omega, [1e-9, 1.0]).is_err(),
                "{omega}"
            );
        }
        assert_eq!(check_wavelength("x", 2e15, [1e-9, 1.0]), Ok(()));
    }

    #[test]
    fn each_error_names_the_material_the_value_and_what_to_do() {
        let gas = Gas::Argon;
        let dispersion = gas.dispersion(Formula::Ermolov).unwrap();
        let table = [
            (
                dispersion.susceptibility_m3(angular_frequency(90e-9)),
                "`argon` at a wavelength of 9.000e-8 m: its formula holds from 1.080e-7 m to \
                 2.000e-5 m; narrow the wavelength limits",
            ),
            (
                gas.dispersion(Formula::PeckHung).map(|_| 0.0),
                "`argon` has no dispersion formula `peck_hung`; use `ermolov`",
            ),
            (
                gas.density_per_m3(-1e5, 293.15),
                "`argon` at -1.000e5 Pa: give a pressure from 0 to 5.000e6 Pa",
            ),
            (
                gas.density_per_m3(1e5, 20.0),
                "`argon` at 20 K: give a temperature from 260 K to 310 K",
            ),
            (
                gas.pressure_pa(-1.0, 293.15),
                "`argon` with -1.000e0 molecules per m³: give a density above 0, at most that of \
                 5.000e6 Pa",
            ),
        ];
        for (result, expected) in table {
            assert_eq!(result.unwrap_err().to_string(), expected);
        }
    }
}
