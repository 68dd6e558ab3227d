//! Fused silica.
//!
//! I. H. Malitson, J. Opt. Soc. Am. 55, 1205 (1965), measured from 0.21 µm to 3.71 µm. Guides ask
//! beyond: the grid of a pulse that ends at 2.6 µm reaches 5.2 µm. The formula is used for as long
//! as it gives an index well above 1.

use super::sellmeier::{self, Resonance};
use super::{MediumError, check_wavelength};
use crate::fourier::Complex64;

/// Nonlinear index, m²/W: the value that Luna.jl uses. 2.6e-20 is common too.
pub const NONLINEAR_INDEX: f64 = 2.7e-20;

/// Shortest and longest wavelength, m. The resonances are at 0.116 µm and 9.9 µm; towards the
/// second the index falls through 1 at 7.35 µm.
const RANGE_M: [f64; 2] = [0.15e-6, 7e-6];

/// Least permittivity of a cladding. Below its resonance at 0.116 µm, and near the one at 9.9 µm,
/// the formula falls through 1 to negative values; real glass absorbs there and does neither.
const CLADDING_MIN: f64 = 1.5;

const RESONANCES: [Resonance; 3] = [
    Resonance::new(0.696_166_3, 0.068_404_3 * 0.068_404_3),
    Resonance::new(0.407_942_6, 0.116_241_4 * 0.116_241_4),
    Resonance::new(0.897_479_4, 9.896_161 * 9.896_161),
];

/// Relative permittivity at an angular frequency in rad/s.
pub fn permittivity(omega: f64) -> Result<f64, MediumError> {
    check_wavelength("silica", omega, RANGE_M)?;
    Ok(formula(omega))
}

/// Derivative of the relative permittivity over the angular frequency, s.
pub fn permittivity_slope(omega: f64) -> Result<f64, MediumError> {
    check_wavelength("silica", omega, RANGE_M)?;
    Ok(sellmeier::slope(&RESONANCES, omega))
}

/// Refractive index.
pub fn index(omega: f64) -> Result<f64, MediumError> {
    Ok(permittivity(omega)?.sqrt())
}

/// Group index, `n + w dn/dw`.
pub fn group_index(omega: f64) -> Result<f64, MediumError> {
    let index = index(omega)?;
    Ok(index + 0.5 * omega * permittivity_slope(omega)? / index)
}

/// Relative permittivity of a cladding that a gas-filled core is in, at any positive frequency.
///
/// Where the formula is below 1.5, the value is 1.5: the light is in the gas, and the cladding
/// counts for little but loss, for which the bound is an order of magnitude and no more. The
/// number is complex because the formulas of hollow guides take the root of it less 1, and keep the
/// phase of a cladding that absorbs. This one does not: measured n and k of glass in the vacuum
/// ultraviolet are not part of this program.
pub fn cladding_permittivity(omega: f64) -> Complex64 {
    let value = formula(omega);
    let value = if is_bounded(value) {
        CLADDING_MIN
    } else {
        value
    };
    Complex64::new(value, 0.0)
}

/// Derivative of [`cladding_permittivity`] over the angular frequency, s; 0 where that is 1.5.
pub fn cladding_slope(omega: f64) -> Complex64 {
    let slope = if is_bounded(formula(omega)) {
        0.0
    } else {
        sellmeier::slope(&RESONANCES, omega)
    };
    Complex64::new(slope, 0.0)
}

/// Whether the formula's value is replaced; a frequency that hits a resonance has none.
fn is_bounded(permittivity: f64) -> bool {
    !permittivity.is_finite() || permittivity < CLADDING_MIN
}

fn formula(omega: f64) -> f64 {
    1.0 + sellmeier::sum(&RESONANCES, omega)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;
    use crate::constants::{SPEED_OF_LIGHT, angular_frequency};

    #[test]
    fn index_and_group_index_at_800_nm_are_the_known_ones() {
        // Recomputed from the formula by an independent prototype.
        let omega = angular_frequency(800e-9);
        let index = index(omega).unwrap();
        assert!((index - 1.453_317).abs() < 6e-7, "{index}");
        let group = group_index(omega).unwrap();
        assert!((group - 1.467_145).abs() < 6e-7, "{group}");
    }

    #[test]
    fn the_group_velocity_dispersion_is_the_known_one() {
        // In fs²/mm, from the same prototype; four digits.
        for (wavelength_m, expected) in [(800e-9, 36.16), (1030e-9, 18.97), (1550e-9, -27.95)] {
            let (omega, step) = (angular_frequency(wavelength_m), 1e12);
            let beta1 = |omega: f64| group_index(omega).unwrap() / SPEED_OF_LIGHT;
            let beta2 = (beta1(omega + step) - beta1(omega - step)) / (2.0 * step);
            let fs2_per_mm = beta2 * 1e27;
            assert!((fs2_per_mm - expected).abs() < 6e-3, "{fs2_per_mm}");
        }
    }

    #[test]
    fn the_ends_of_the_formula_are_refused_and_all_between_is_glass() {
        for wavelength_m in [0.14e-6, 7.1e-6, 10e-6] {
            let error = permittivity(angular_frequency(wavelength_m)).unwrap_err();
            assert!(error.to_string().contains("`silica`"), "{error}");
            assert!(permittivity_slope(angular_frequency(wavelength_m)).is_err());
        }
        for tenths in 2..70 {
            let omega = angular_frequency(f64::from(tenths) * 1e-7);
            let index = index(omega).unwrap();
            assert!((1.05..1.8).contains(&index), "{tenths}: {index}");
        }
    }

    #[test]
    fn a_cladding_is_the_glass_itself_where_that_is_transparent() {
        for wavelength_m in [0.2e-6, 0.8e-6, 3e-6] {
            let omega = angular_frequency(wavelength_m);
            let cladding = cladding_permittivity(omega);
            let expected = permittivity(omega).unwrap();
            assert_eq!(cladding, Complex64::new(expected, 0.0));
            let expected = permittivity_slope(omega).unwrap();
            assert_eq!(cladding_slope(omega), Complex64::new(expected, 0.0));
        }
    }

    #[test]
    fn a_cladding_is_bounded_from_the_vacuum_ultraviolet_to_the_far_infrared() {
        let mut bounded = 0;
        // Both sides of both resonances, in steps of 1 nm.
        for nanometres in 40..11_000 {
            let omega = angular_frequency(f64::from(nanometres) * 1e-9);
            let cladding = cladding_permittivity(omega);
            let root = (cladding - 1.0).sqrt();
            assert!(cladding.re >= 1.5 && cladding.re.is_finite());
            assert!(root.re > 0.7 && root.im == 0.0, "{nanometres}: {root}");
            if cladding.re == 1.5 {
                bounded += 1;
                assert_eq!(cladding_slope(omega), Complex64::default());
            }
        }
        assert!(bounded > 1000, "{bounded}");
    }
}
