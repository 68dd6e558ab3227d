//! Dawson's integral, and its relative for electrons that leave across the field.
//!
//! `phi_m(x) = exp(-x²) integral from 0 to x of (x² - y²)^m exp(y²) dy`, for m = 0 and 1. Of m = 0
//! it is Dawson's integral.

use std::f64::consts::FRAC_2_SQRT_PI;

/// Spacing of the samples in Rybicki's sum (Comput. Phys. 3, 85 (1989)). The error is of the order
/// of `exp(-(pi / 2 h)²)`, 7e-18.
const SPACING: f64 = 0.25;

/// Samples on each side: the next has a weight of `exp(-45)`.
const SAMPLES: usize = 13;

/// From here on the asymptotic series is exact to rounding.
const FAR: f64 = 8.0;

/// Terms of the asymptotic series; at [`FAR`] the last is 2e-16.
const TERMS: u32 = 15;

/// Both functions, with the weights of their samples.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dawson {
    weights: [f64; SAMPLES],
}

impl Dawson {
    /// Prepares the weights.
    pub(super) fn new() -> Self {
        let weight = |index: usize| {
            // At most 2 * SAMPLES - 1: exact.
            let distance = (2 * index + 1) as f64 * SPACING;
            (-distance * distance).exp()
        };
        Dawson {
            weights: std::array::from_fn(weight),
        }
    }

    /// phi_0 at `x >= 0`.
    pub(super) fn along(&self, x: f64) -> f64 {
        if x < FAR {
            self.near(x)
        } else {
            far(x, |_| 1.0)
        }
    }

    /// phi_1 at `x >= 0`.
    pub(super) fn across(&self, x: f64) -> f64 {
        if x < FAR {
            // Two numbers that all but cancel: 14 digits are left at FAR.
            self.near(x) * (x * x + 0.5) - 0.5 * x
        } else {
            far(x, |index| f64::from(index + 1))
        }
    }

    fn near(&self, x: f64) -> f64 {
        // The samples are at odd multiples of the spacing. Counted from the even multiple nearest
        // to x they are odd again.
        let nearest = 2.0 * (0.5 * x / SPACING).round();
        let rest = x - nearest * SPACING;
        let ratio = (2.0 * rest * SPACING).exp();
        let square = ratio * ratio;
        let (mut above, mut number, mut sum) = (ratio, 1.0, 0.0);
        for weight in &self.weights {
            let below = above * (nearest - number);
            sum += weight * (above / (nearest + number) + 1.0 / below);
            above *= square;
            number += 2.0;
        }
        0.5 * FRAC_2_SQRT_PI * (-rest * rest).exp() * sum
    }
}

/// `(1 / 2x) sum of weight(k) (2k - 1)!! / (2x²)^k`, k from 0.
fn far(x: f64, weight: impl Fn(u32) -> f64) -> f64 {
    let step = 0.5 / (x * x);
    let (mut term, mut sum) = (1.0, weight(0));
    for index in 1..=TERMS {
        term *= f64::from(2 * index - 1) * step;
        sum += weight(index) * term;
    }
    0.5 * sum / x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, by Simpson's rule.
    fn integral(m: i32, x: f64) -> f64 {
        let steps = 40_000_u32;
        let h = x / f64::from(steps);
        let value = |j: u32| {
            let y = h * f64::from(j);
            let weight = match j {
                0 => 1.0,
                _ if j == steps => 1.0,
                _ if j % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * (x * x - y * y).powi(m) * (y * y - x * x).exp()
        };
        (0..=steps).map(value).sum::<f64>() * h / 3.0
    }

    #[test]
    fn it_has_the_tabulated_values() {
        // M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, table 7.5; the
        // second is the maximum.
        let dawson = Dawson::new();
        for (x, expected) in [(1.0, 0.538_079_506_9), (0.924_138_873_0, 0.541_044_224_6)] {
            let found = dawson.along(x);
            assert!((found - expected).abs() < 1e-10, "{x}: {found}");
        }
    }

    #[test]
    fn both_functions_are_their_integrals_on_either_side_of_the_border() {
        let dawson = Dawson::new();
        for x in [1e-3, 0.1, 0.124, 0.5, 1.0, 2.3, 5.0, 7.9, 8.1, 12.0, 20.0] {
            for (m, found) in [(0, dawson.along(x)), (1, dawson.across(x))] {
                let expected = integral(m, x);
                let error = (found - expected).abs();
                let allowed = 1e-8 * expected + 1e-15;
                assert!(error < allowed, "m = {m}, x = {x}: {error:e}");
            }
        }
    }

    #[test]
    fn dawsons_equation_holds() {
        // D' = 1 - 2 x D.
        let dawson = Dawson::new();
        for step in 1..400 {
            let (x, h) = (f64::from(step) * 0.05, 1e-4);
            let slope = (dawson.along(x + h) - dawson.along(x - h)) / (2.0 * h);
            let error = (slope - 1.0 + 2.0 * x * dawson.along(x)).abs();
            assert!(error < 1e-7, "{x}: {error:e}");
        }
    }

    #[test]
    fn the_border_of_the_series_is_seamless() {
        let dawson = Dawson::new();
        let step = FAR * f64::EPSILON;
        for value in [Dawson::along, Dawson::across] {
            let (near, beyond) = (value(&dawson, FAR - step), value(&dawson, FAR));
            assert!((near / beyond - 1.0).abs() < 1e-12, "{near} and {beyond}");
        }
    }

    #[test]
    fn both_vanish_at_zero() {
        let dawson = Dawson::new();
        assert!(dawson.along(0.0).abs() < 1e-16);
        assert!(dawson.across(0.0).abs() < 1e-16);
    }
}
