//! Gases: how they bend light, and how they answer its third power.
//!
//! Every formula gives the susceptibility at the density that it was measured at. What a guide
//! needs is the susceptibility per molecule: it is divided by that density here, and multiplied by
//! the one at hand there.

use std::fmt;

use serde::Deserialize;

use super::sellmeier::{self, Resonance};
use super::{MediumError, check_wavelength};

/// A gas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gas {
    /// He.
    Helium,
    /// Ar.
    Argon,
    /// H2.
    Hydrogen,
}

/// A published formula for the dispersion of gases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formula {
    /// Three resonances, made for the vacuum ultraviolet: helium of A. Ermolov, K. F. Mak,
    /// M. H. Frosz, J. C. Travers and P. St.J. Russell, Phys. Rev. A 92, 033821 (2015); argon in
    /// the same form with the coefficients of Luna.jl.
    Ermolov,
    /// Two resonances, helium and argon: A. Börzsönyi, Z. Heiner, M. P. Kalashnikov, A. P. Kovács
    /// and K. Osvay, Appl. Opt. 47, 4856 (2008).
    Borzsonyi,
    /// Hydrogen: E. R. Peck and S. Hung, J. Opt. Soc. Am. 67, 1550 (1977).
    PeckHung,
}

/// Density of helium at 1 bar and 273.15 K, 1/m³. This and the three below are of the equations of
/// state in CoolProp.
const HELIUM_AT_BAR: f64 = 2.650_253e25;

/// Density of argon at 1 bar and 273.15 K, 1/m³.
const ARGON_AT_BAR: f64 = 2.654_105e25;

/// Density of helium at 1 atm and 273.15 K, 1/m³.
const HELIUM_AT_ATMOSPHERE: f64 = 2.685_350e25;

/// Density of argon at 1 atm and 273.15 K, 1/m³.
const ARGON_AT_ATMOSPHERE: f64 = 2.689_305e25;

/// Density of hydrogen at 1 atm and 273.15 K, 1/m³.
const HYDROGEN_AT_ATMOSPHERE: f64 = 2.685_102e25;

/// Unit of the nonlinear susceptibilities that are listed for gases at 1 atm and 273.15 K, m²/V²:
/// helium is 1 in H. J. Lehmeier, W. Leupacher and A. Penzkofer, Opt. Commun. 56, 67 (1985), whose
/// convention is a quarter of ours.
const NONLINEAR_UNIT: f64 = 4.0 * 3.43e-28;

/// Longest wavelength, m: the gases are transparent there and beyond. A grid that ends at 4 µm
/// reaches 8 µm.
const LONGEST_M: f64 = 20e-6;

impl Gas {
    /// Every gas.
    pub const ALL: [Gas; 3] = [Gas::Helium, Gas::Argon, Gas::Hydrogen];

    /// The word used in the registry.
    pub fn as_str(self) -> &'static str {
        match self {
            Gas::Helium => "helium",
            Gas::Argon => "argon",
            Gas::Hydrogen => "hydrogen",
        }
    }

    /// The formula that is used where a case names none.
    pub fn formula(self) -> Formula {
        match self {
            Gas::Helium | Gas::Argon => Formula::Ermolov,
            Gas::Hydrogen => Formula::PeckHung,
        }
    }

    /// The dispersion of this gas by a formula, which must be one for it.
    pub fn dispersion(self, formula: Formula) -> Result<Dispersion, MediumError> {
        match (self, formula) {
            (Gas::Helium, Formula::Ermolov) => Ok(HELIUM_ERMOLOV),
            (Gas::Argon, Formula::Ermolov) => Ok(ARGON_ERMOLOV),
            (Gas::Helium, Formula::Borzsonyi) => Ok(HELIUM_BORZSONYI),
            (Gas::Argon, Formula::Borzsonyi) => Ok(ARGON_BORZSONYI),
            (Gas::Hydrogen, Formula::PeckHung) => Ok(HYDROGEN_PECK_HUNG),
            (gas, formula) => Err(MediumError::Formula { gas, formula }),
        }
    }

    /// Third-order susceptibility per density, m⁵/V²: `P = eps0 rho gamma3 E³` of a real field.
    ///
    /// Helium and argon are of H. J. Lehmeier and others, Opt. Commun. 56, 67 (1985), hydrogen is
    /// relative to helium, D. P. Shelton, Phys. Rev. A 42, 2578 (1990).
    pub fn gamma3(self) -> f64 {
        let helium = NONLINEAR_UNIT / HELIUM_AT_ATMOSPHERE;
        match self {
            Gas::Helium => helium,
            Gas::Argon => 23.5 * NONLINEAR_UNIT / ARGON_AT_ATMOSPHERE,
            Gas::Hydrogen => 15.77 * helium,
        }
    }
}

impl fmt::Display for Gas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Formula::Ermolov => "ermolov",
            Formula::Borzsonyi => "borzsonyi",
            Formula::PeckHung => "peck_hung",
        })
    }
}

/// What a sum of resonances is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quantity {
    /// n² - 1.
    Susceptibility,
    /// n - 1.
    Refractivity,
}

/// How one gas bends light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dispersion {
    gas: Gas,
    resonances: &'static [Resonance],
    quantity: Quantity,
    density_per_m3: f64,
    shortest_m: f64,
}

impl Dispersion {
    /// The gas.
    pub fn gas(&self) -> Gas {
        self.gas
    }

    /// Shortest and longest wavelength, m. The shortest is a little above the first resonance.
    pub fn range_m(&self) -> [f64; 2] {
        [self.shortest_m, LONGEST_M]
    }

    /// Susceptibility per density in m³ at an angular frequency in rad/s: `n² = 1 + rho chi`.
    pub fn susceptibility_m3(&self, omega: f64) -> Result<f64, MediumError> {
        check_wavelength(self.gas.as_str(), omega, self.range_m())?;
        let sum = sellmeier::sum(self.resonances, omega);
        let chi = match self.quantity {
            Quantity::Susceptibility => sum,
            Quantity::Refractivity => sum * (2.0 + sum),
        };
        Ok(chi / self.density_per_m3)
    }

    /// Derivative of the susceptibility per density over the angular frequency, m³ s.
    pub fn slope_m3_s(&self, omega: f64) -> Result<f64, MediumError> {
        check_wavelength(self.gas.as_str(), omega, self.range_m())?;
        let sum = sellmeier::sum(self.resonances, omega);
        let slope = sellmeier::slope(self.resonances, omega);
        let chi_slope = match self.quantity {
            Quantity::Susceptibility => slope,
            Quantity::Refractivity => 2.0 * (1.0 + sum) * slope,
        };
        Ok(chi_slope / self.density_per_m3)
    }

    /// Refractive index at a density in 1/m³.
    pub fn index(&self, omega: f64, density_per_m3: f64) -> Result<f64, MediumError> {
        Ok((1.0 + density_per_m3 * self.susceptibility_m3(omega)?).sqrt())
    }
}

/// Resonances at 71.6 nm and 56.4 nm.
const HELIUM_ERMOLOV: Dispersion = Dispersion {
    gas: Gas::Helium,
    resonances: &[
        Resonance::new(2.164_638_42e-5, -6.807_697_81e-4),
        Resonance::new(2.105_611_27e-7, 5.132_512_89e-3),
        Resonance::new(4.750_927_20e-5, 3.186_213_54e-3),
    ],
    quantity: Quantity::Susceptibility,
    density_per_m3: HELIUM_AT_BAR,
    shortest_m: 75e-9,
};

/// Resonances at 105.5 nm, 67.4 nm and 26.1 nm.
const ARGON_ERMOLOV: Dispersion = Dispersion {
    gas: Gas::Argon,
    resonances: &[
        Resonance::new(3.232_311_721_776_709_3e-4, 4.541_650_194_497_791_5e-3),
        Resonance::new(1.155_781_490_482_793_9e-4, 1.112_084_746_115_654_3e-2),
        Resonance::new(1.090_980_816_454_069_7e-4, 6.827_046_691_889_898e-4),
    ],
    quantity: Quantity::Susceptibility,
    density_per_m3: ARGON_AT_BAR,
    shortest_m: 108e-9,
};

/// Resonances at 88.1 nm and 5.3 nm.
const HELIUM_BORZSONYI: Dispersion = Dispersion {
    gas: Gas::Helium,
    resonances: &[
        Resonance::new(4_977.77e-8, 28.54e-6),
        Resonance::new(1_856.94e-8, 7.760e-3),
    ],
    quantity: Quantity::Susceptibility,
    density_per_m3: HELIUM_AT_BAR,
    shortest_m: 90e-9,
};

/// Resonances at 89.8 nm and 14.4 nm.
const ARGON_BORZSONYI: Dispersion = Dispersion {
    gas: Gas::Argon,
    resonances: &[
        Resonance::new(20_332.29e-8, 206.12e-6),
        Resonance::new(34_458.31e-8, 8.066e-3),
    ],
    quantity: Quantity::Susceptibility,
    density_per_m3: ARGON_AT_BAR,
    shortest_m: 92e-9,
};

/// Resonances at 104.3 nm and 74.4 nm. The formula is for n - 1.
const HYDROGEN_PECK_HUNG: Dispersion = Dispersion {
    gas: Gas::Hydrogen,
    resonances: &[
        Resonance::inverse(14_895.6e-6, 180.7),
        Resonance::inverse(4_903.7e-6, 92.0),
    ],
    quantity: Quantity::Refractivity,
    density_per_m3: HYDROGEN_AT_ATMOSPHERE,
    shortest_m: 107e-9,
};

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::constants::angular_frequency;
    use crate::medium::nonlinear_index;

    const ROOM_K: f64 = 293.15;

    fn all() -> Vec<Dispersion> {
        let formulas = [Formula::Ermolov, Formula::Borzsonyi, Formula::PeckHung];
        let of = |gas: Gas| formulas.map(|formula| gas.dispersion(formula));
        Gas::ALL.into_iter().flat_map(of).flatten().collect()
    }

    fn usual(gas: Gas) -> Dispersion {
        gas.dispersion(gas.formula()).unwrap()
    }

    #[test]
    fn refractivities_at_800_nm_and_one_bar_are_the_known_ones() {
        // At 293.15 K, recomputed from the formulas by an independent prototype; five digits.
        for (gas, expected) in [
            (Gas::Helium, 3.2418e-5),
            (Gas::Argon, 2.5725e-4),
            (Gas::Hydrogen, 1.2633e-4),
        ] {
            let density = gas.density_per_m3(1e5, ROOM_K).unwrap();
            let index = usual(gas)
                .index(angular_frequency(800e-9), density)
                .unwrap();
            let error = ((index - 1.0) / expected - 1.0).abs();
            assert!(error < 3e-5, "{gas}: {error:e}");
        }
    }

    #[test]
    fn the_two_formulas_of_a_noble_gas_agree_in_the_infrared() {
        for gas in [Gas::Helium, Gas::Argon] {
            let omega = angular_frequency(800e-9);
            let [a, b] = [Formula::Ermolov, Formula::Borzsonyi]
                .map(|formula| gas.dispersion(formula).unwrap())
                .map(|dispersion| dispersion.susceptibility_m3(omega).unwrap());
            assert!((a / b - 1.0).abs() < 0.02, "{gas}: {a:e} and {b:e}");
        }
    }

    #[test]
    fn every_gas_has_the_formulas_that_were_published_for_it() {
        assert_eq!(all().len(), 5);
        for gas in Gas::ALL {
            assert_eq!(usual(gas).gas(), gas);
        }
        let error = Gas::Hydrogen.dispersion(Formula::Borzsonyi).unwrap_err();
        assert!(error.to_string().contains("use `peck_hung`"), "{error}");
    }

    #[test]
    fn susceptibilities_are_positive_and_grow_towards_the_ultraviolet() {
        for dispersion in all() {
            let [short, long] = dispersion.range_m();
            let mut last = f64::INFINITY;
            for step in 0..=200 {
                let share = f64::from(step) / 200.0;
                // Just inside the range: the way from wavelength to frequency and back rounds.
                let wavelength = (1.000_001 * short) * (0.999_998 * long / short).powf(share);
                let omega = angular_frequency(wavelength);
                let chi = dispersion.susceptibility_m3(omega).unwrap();
                assert!(chi > 0.0 && chi < last, "{dispersion:?}: {wavelength:e} m");
                last = chi;
            }
        }
    }

    #[test]
    fn the_slope_is_the_derivative() {
        for dispersion in all() {
            for wavelength in [120e-9, 200e-9, 800e-9, 2e-6] {
                let omega = angular_frequency(wavelength);
                let at = |omega: f64| dispersion.susceptibility_m3(omega).unwrap();
                let step = 1e-5 * omega;
                let expected = (at(omega + step) - at(omega - step)) / (2.0 * step);
                let slope = dispersion.slope_m3_s(omega).unwrap();
                let error = (slope / expected - 1.0).abs();
                assert!(error < 1e-6, "{dispersion:?}: {wavelength:e} m: {error:e}");
            }
        }
    }

    #[test]
    fn light_near_a_resonance_is_refused() {
        for dispersion in all() {
            let [short, long] = dispersion.range_m();
            for wavelength in [0.999 * short, 0.5 * short, 1.001 * long] {
                let omega = angular_frequency(wavelength);
                let name = dispersion.gas.as_str();
                let named = |error: MediumError| error.to_string().contains(name);
                assert!(dispersion.susceptibility_m3(omega).is_err_and(named));
                assert!(dispersion.slope_m3_s(omega).is_err_and(named));
                assert!(dispersion.index(omega, 1e25).is_err_and(named));
            }
        }
    }

    #[test]
    fn third_order_susceptibilities_per_density_are_the_known_ones() {
        // From the ratios of the two papers, by an independent prototype; four or five digits.
        for (gas, expected) in [
            (Gas::Helium, 5.109e-53),
            (Gas::Argon, 1.1989e-51),
            (Gas::Hydrogen, 8.057e-52),
        ] {
            let error = (gas.gamma3() / expected - 1.0).abs();
            assert!(error < 1e-4, "{gas}: {error:e}");
        }
    }

    #[test]
    fn nonlinear_indices_at_one_bar_are_the_known_ones() {
        // At 293.15 K, by the same prototype; three digits.
        for (gas, expected) in [
            (Gas::Helium, 3.57e-25),
            (Gas::Argon, 8.38e-24),
            (Gas::Hydrogen, 5.62e-24),
        ] {
            let density = gas.density_per_m3(1e5, ROOM_K).unwrap();
            let n2 = nonlinear_index(density * gas.gamma3(), 1.0);
            assert!((n2 / expected - 1.0).abs() < 2e-3, "{gas}: {n2:e}");
        }
    }

    #[test]
    fn gases_and_formulas_are_read_by_the_words_that_they_show() {
        for gas in Gas::ALL {
            let read: Gas = serde_json::from_value(gas.as_str().into()).unwrap();
            assert_eq!(read, gas);
        }
        for formula in [Formula::Ermolov, Formula::Borzsonyi, Formula::PeckHung] {
            let read: Formula = serde_json::from_value(formula.to_string().into()).unwrap();
            assert_eq!(read, formula);
        }
        assert!(serde_json::from_value::<Gas>("neon".into()).is_err());
    }
}
