//! Dispersion as a sum of resonances.
//!
//! `sum of strength λ² / (λ² - square)` is the form of every formula in this room, in some after
//! rearrangement. Written over the frequency its derivative is as short as the sum itself.

use std::f64::consts::TAU;

use crate::constants::SPEED_OF_LIGHT;

/// One resonance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Resonance {
    strength: f64,
    square_um2: f64,
}

impl Resonance {
    /// The term `strength λ² / (λ² - square)`, with `square` in µm².
    pub(super) const fn new(strength: f64, square_um2: f64) -> Self {
        Resonance {
            strength,
            square_um2,
        }
    }

    /// The term `strength / (square - λ⁻²)`, both in µm⁻².
    pub(super) const fn inverse(strength_per_um2: f64, square_per_um2: f64) -> Self {
        Resonance {
            strength: strength_per_um2 / square_per_um2,
            square_um2: 1.0 / square_per_um2,
        }
    }
}

/// The sum at an angular frequency in rad/s; no unit.
pub(super) fn sum(resonances: &[Resonance], omega: f64) -> f64 {
    let x = inverse_square_um(omega);
    let term = |r: &Resonance| r.strength / (1.0 - r.square_um2 * x);
    resonances.iter().map(term).sum()
}

/// Derivative of the sum over the angular frequency, s.
pub(super) fn slope(resonances: &[Resonance], omega: f64) -> f64 {
    let x = inverse_square_um(omega);
    let x_slope = 2.0 * x / omega;
    let term = |r: &Resonance| {
        let below = 1.0 - r.square_um2 * x;
        r.strength * r.square_um2 * x_slope / (below * below)
    };
    resonances.iter().map(term).sum()
}

/// λ⁻² in µm⁻².
fn inverse_square_um(omega: f64) -> f64 {
    let per_um = 1e-6 * omega / (TAU * SPEED_OF_LIGHT);
    per_um * per_um
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::angular_frequency;

    #[test]
    fn the_sum_is_that_of_the_terms_as_they_are_published() {
        let omega = angular_frequency(2e-6);
        let found = sum(&[Resonance::new(3.0, 1.0), Resonance::new(0.5, 2.0)], omega);
        // 3 * 4 / (4 - 1) + 0.5 * 4 / (4 - 2)
        assert!((found - 5.0).abs() < 1e-12, "{found}");
        // 3 / (4 - 1/4)
        let found = sum(&[Resonance::inverse(3.0, 4.0)], omega);
        assert!((found - 0.8).abs() < 1e-12, "{found}");
    }

    #[test]
    fn a_static_field_sees_the_sum_of_the_strengths() {
        let resonances = [Resonance::new(3.0, 1.0), Resonance::new(0.5, -2.0)];
        let found = sum(&resonances, 1.0);
        assert!((found - 3.5).abs() < 1e-15, "{found}");
    }

    #[test]
    fn the_slope_is_the_derivative() {
        let resonances = [Resonance::new(0.7, 0.005), Resonance::new(0.9, 98.0)];
        for wavelength in [0.2e-6, 0.8e-6, 5e-6] {
            let omega = angular_frequency(wavelength);
            let step = 1e-5 * omega;
            let apart = sum(&resonances, omega + step) - sum(&resonances, omega - step);
            let expected = apart / (2.0 * step);
            let error = (slope(&resonances, omega) / expected - 1.0).abs();
            assert!(error < 1e-6, "{wavelength}: {error:e}");
        }
    }
}
