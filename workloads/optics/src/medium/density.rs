//! From the pressure of a gas to its molecules, and back.
//!
//! The virial equation up to the second coefficient, `P = rho k T (1 + B rho)`. Both ways have a
//! closed form, so a pressure gradient needs no table. At room temperature it reproduces reference
//! equations of state to 3e-5 up to 10 bar for helium and hydrogen and to 2e-4 for argon; at 40 bar
//! it is off by 0.03 %, 0.07 % and 0.3 %.

use super::MediumError;
use super::gas::Gas;
use crate::constants::{AVOGADRO, BOLTZMANN};

/// Highest pressure, Pa: above it the third coefficient can no longer be left out.
pub const PRESSURE_MAX_PA: f64 = 5e6;

/// Lowest and highest temperature, K: the coefficients are known at two temperatures, and are a
/// line through them and a little beyond.
pub const TEMPERATURES_K: [f64; 2] = [260.0, 310.0];

/// Temperatures at which the second virial coefficients are known, K.
const KNOWN_K: [f64; 2] = [273.15, 293.15];

impl Gas {
    /// Second virial coefficients at the two known temperatures, cm³/mol; they reproduce the
    /// densities of CoolProp.
    fn known_cm3_per_mol(self) -> [f64; 2] {
        match self {
            Gas::Helium => [11.94, 11.86],
            Gas::Argon => [-21.03, -16.4],
            Gas::Hydrogen => [14.02, 14.48],
        }
    }

    /// Second virial coefficient per molecule, m³.
    pub fn virial_m3(self, temperature_k: f64) -> Result<f64, MediumError> {
        let [low, high] = TEMPERATURES_K;
        if !(low..=high).contains(&temperature_k) {
            return Err(MediumError::Temperature {
                gas: self,
                temperature_k,
            });
        }
        let [cold, warm] = self.known_cm3_per_mol();
        let share = (temperature_k - KNOWN_K[0]) / (KNOWN_K[1] - KNOWN_K[0]);
        Ok((cold + share * (warm - cold)) * 1e-6 / AVOGADRO)
    }

    /// Molecules per m³ at a pressure in Pa and a temperature in K; 0 in a vacuum.
    pub fn density_per_m3(self, pressure_pa: f64, temperature_k: f64) -> Result<f64, MediumError> {
        let virial = self.virial_m3(temperature_k)?;
        if !(0.0..=PRESSURE_MAX_PA).contains(&pressure_pa) {
            return Err(MediumError::Pressure {
                gas: self,
                pressure_pa,
            });
        }
        Ok(virial_density_per_m3(pressure_pa, temperature_k, virial))
    }

    /// Pressure in Pa of so many molecules per m³ at a temperature in K: the inverse of
    /// [`Gas::density_per_m3`].
    pub fn pressure_pa(self, density_per_m3: f64, temperature_k: f64) -> Result<f64, MediumError> {
        let virial = self.virial_m3(temperature_k)?;
        let densest = virial_density_per_m3(PRESSURE_MAX_PA, temperature_k, virial);
        if !(0.0..=densest).contains(&density_per_m3) {
            return Err(MediumError::Density {
                gas: self,
                density_per_m3,
            });
        }
        Ok(density_per_m3 * BOLTZMANN * temperature_k * (1.0 + virial * density_per_m3))
    }
}

/// The density in 1/m³ that solves `P = rho k T (1 + B rho)`, for a pressure in Pa, a temperature
/// in K and B in m³.
///
/// The root that becomes the ideal gas for B = 0, written without a difference of equal numbers. It
/// exists for the pressures and temperatures that [`Gas::density_per_m3`] admits.
pub fn virial_density_per_m3(pressure_pa: f64, temperature_k: f64, virial_m3: f64) -> f64 {
    let ideal = pressure_pa / (BOLTZMANN * temperature_k);
    2.0 * ideal / (1.0 + (1.0 + 4.0 * virial_m3 * ideal).sqrt())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;

    const ROOM_K: f64 = 293.15;

    #[test]
    fn densities_over_that_of_an_ideal_gas_are_those_of_the_reference_equations() {
        // Pressures in bar and ratios at 293.15 K from CoolProp, five decimals. What is left out
        // grows with the square of the pressure; the first number is that at 1 bar.
        type Row = (Gas, f64, &'static [(f64, f64)]);
        const TABLE: [Row; 3] = [
            (
                Gas::Helium,
                2e-7,
                &[
                    (0.8, 0.99961),
                    (1.7, 0.99917),
                    (5.0, 0.99757),
                    (10.0, 0.99516),
                    (40.0, 0.98099),
                ],
            ),
            (
                Gas::Argon,
                2e-6,
                &[
                    (0.8, 1.00054),
                    (1.7, 1.00115),
                    (5.0, 1.00337),
                    (10.0, 1.00671),
                    (40.0, 1.02547),
                ],
            ),
            (
                Gas::Hydrogen,
                5e-7,
                &[
                    (0.8, 0.99952),
                    (1.7, 0.99899),
                    (5.0, 0.99704),
                    (10.0, 0.99410),
                    (40.0, 0.97663),
                ],
            ),
        ];
        for (gas, left_out, rows) in TABLE {
            for (bar, expected) in rows {
                let pressure = bar * 1e5;
                let density = gas.density_per_m3(pressure, ROOM_K).unwrap();
                let ratio = density * BOLTZMANN * ROOM_K / pressure;
                let allowed = 1e-5 + left_out * bar * bar;
                assert!((ratio - expected).abs() < allowed, "{gas}, {bar}: {ratio}");
            }
        }
    }

    #[test]
    fn densities_of_the_listed_states_are_the_known_ones() {
        // From CoolProp: 1 bar at 293.15 K, 1 bar and 1 atm at 273.15 K; seven digits.
        for (gas, pressure, temperature, expected) in [
            (Gas::Helium, 1e5, ROOM_K, 2.469_538e25),
            (Gas::Argon, 1e5, ROOM_K, 2.472_404e25),
            (Gas::Hydrogen, 1e5, ROOM_K, 2.469_273e25),
            (Gas::Helium, 1e5, 273.15, 2.650_253e25),
            (Gas::Argon, 1e5, 273.15, 2.654_105e25),
            (Gas::Helium, 101_325.0, 273.15, 2.685_350e25),
            (Gas::Argon, 101_325.0, 273.15, 2.689_305e25),
            (Gas::Hydrogen, 101_325.0, 273.15, 2.685_102e25),
        ] {
            let density = gas.density_per_m3(pressure, temperature).unwrap();
            let error = (density / expected - 1.0).abs();
            assert!(error < 3e-6, "{gas} at {temperature} K: {error:e}");
        }
    }

    #[test]
    fn pressure_and_density_are_inverse_to_each_other() {
        for gas in Gas::ALL {
            for temperature in [265.0, 294.0, 305.0] {
                for pressure in [1e-3, 8e4, 1e6, PRESSURE_MAX_PA] {
                    let density = gas.density_per_m3(pressure, temperature).unwrap();
                    // Just below the end of the range, so that rounding cannot leave it.
                    let density = density * (1.0 - 1e-14);
                    let back = gas.pressure_pa(density, temperature).unwrap();
                    assert!((back / pressure - 1.0).abs() < 1e-13, "{gas}: {back}");
                }
            }
        }
    }

    #[test]
    fn a_vacuum_has_no_molecules_and_no_pressure() {
        for gas in Gas::ALL {
            assert_eq!(gas.density_per_m3(0.0, ROOM_K), Ok(0.0));
            assert_eq!(gas.pressure_pa(0.0, ROOM_K), Ok(0.0));
        }
    }

    #[test]
    fn without_a_coefficient_the_gas_is_ideal() {
        let density = virial_density_per_m3(1e5, ROOM_K, 0.0);
        assert_eq!(density, 1e5 / (BOLTZMANN * ROOM_K));
    }

    #[test]
    fn what_no_gas_has_is_refused_by_name() {
        for gas in Gas::ALL {
            for pressure in [-1.0, 1.001 * PRESSURE_MAX_PA, f64::NAN, f64::INFINITY] {
                let error = gas.density_per_m3(pressure, ROOM_K).unwrap_err();
                assert!(matches!(error, MediumError::Pressure { .. }), "{error}");
            }
            for temperature in [-5.0, 0.0, 259.0, 311.0, f64::NAN] {
                let error = gas.density_per_m3(1e5, temperature).unwrap_err();
                assert!(matches!(error, MediumError::Temperature { .. }), "{error}");
                assert!(gas.pressure_pa(1e25, temperature).is_err());
            }
            for density in [-1.0, 2e27, f64::NAN] {
                let error = gas.pressure_pa(density, ROOM_K).unwrap_err();
                assert!(matches!(error, MediumError::Density { .. }), "{error}");
            }
        }
    }

    #[test]
    fn density_rises_with_pressure_to_the_end_of_the_range() {
        for gas in Gas::ALL {
            for temperature in TEMPERATURES_K {
                let mut last = -1.0;
                for step in 0..=500 {
                    let pressure = f64::from(step) / 500.0 * PRESSURE_MAX_PA;
                    let density = gas.density_per_m3(pressure, temperature).unwrap();
                    assert!(density > last, "{gas} at {temperature} K: {pressure} Pa");
                    last = density;
                }
            }
        }
    }
}
