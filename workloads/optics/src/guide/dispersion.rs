//! Dispersion of any guide from its propagation constant: derivatives, zero dispersion, phase
//! matching.
//!
//! Every function takes the *excess*, `beta(w) - w / c` in rad/m: what a guide adds to vacuum. It
//! is thousands of times smaller than beta, and the digits that it keeps are those that derivatives
//! need. Angular frequencies are in rad/s.

use crate::constants::{SPEED_OF_LIGHT, angular_frequency};

/// Step of the differences, relative to the frequency. What they leave out is its sixth power, and
/// rounding is less.
const STEP: f64 = 0.01;

/// Central differences over nine samples for the derivatives of order 1 to 4 (B. Fornberg, Math.
/// Comput. 51, 699 (1988)): the weights of the samples at +1 to +4 steps; those at -1 to -4 have
/// the same size. The first number is that of the middle.
const WEIGHTS: [[f64; 5]; 4] = [
    [0.0, 4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0],
    [
        -205.0 / 72.0,
        8.0 / 5.0,
        -1.0 / 5.0,
        8.0 / 315.0,
        -1.0 / 560.0,
    ],
    [0.0, -61.0 / 30.0, 169.0 / 120.0, -3.0 / 10.0, 7.0 / 240.0],
    [
        91.0 / 8.0,
        -122.0 / 15.0,
        169.0 / 60.0,
        -2.0 / 5.0,
        7.0 / 240.0,
    ],
];

/// Halvings of a bracket.
const HALVINGS: usize = 100;

/// Parts that a range is searched in for a change of sign.
const PARTS: u32 = 400;

/// The derivatives of `f` of order 1 to 4 at `x`, from samples within 4 % of it.
fn differences(f: impl Fn(f64) -> f64, x: f64) -> [f64; 4] {
    let h = STEP * x;
    let middle = f(x);
    let sides: [(f64, f64); 4] = std::array::from_fn(|j| {
        let offset = h * (j as f64 + 1.0);
        (f(x + offset), f(x - offset))
    });
    std::array::from_fn(|order| {
        let odd = order % 2 == 0;
        let [centre, weights @ ..] = WEIGHTS[order];
        let pairs = weights.iter().zip(sides);
        let sum: f64 = pairs
            .map(|(weight, (right, left))| weight * if odd { right - left } else { right + left })
            .sum();
        let exponent = [1, 2, 3, 4][order];
        (centre * middle + sum) / h.powi(exponent)
    })
}

/// beta_0 to beta_4 at a frequency, in s^k/m.
pub fn taylor(excess: impl Fn(f64) -> f64, omega: f64) -> [f64; 5] {
    let [first, second, third, fourth] = differences(&excess, omega);
    let vacuum = SPEED_OF_LIGHT.recip();
    [
        omega * vacuum + excess(omega),
        vacuum + first,
        second,
        third,
        fourth,
    ]
}

/// The wavelength in m, within limits in m, at which beta_2 changes its sign; none where it does
/// not.
pub fn zero_dispersion_m(excess: impl Fn(f64) -> f64, limits_m: [f64; 2]) -> Option<f64> {
    let beta2 = |wavelength_m: f64| differences(&excess, angular_frequency(wavelength_m))[1];
    first_root(beta2, limits_m)
}

/// The wavelength in m, within limits in m, at which a wave travels in phase with a pulse at
/// `carrier`: `beta(w) = beta(w0) + beta_1 (w - w0)`. The nonlinear phase of the pulse is left out.
pub fn phase_matched_m(
    excess: impl Fn(f64) -> f64,
    carrier: f64,
    limits_m: [f64; 2],
) -> Option<f64> {
    // The part that is linear in w drops out, and with it what is not in the excess.
    let (at_carrier, slope) = (excess(carrier), differences(&excess, carrier)[0]);
    let mismatch = |wavelength_m: f64| {
        let omega = angular_frequency(wavelength_m);
        excess(omega) - at_carrier - slope * (omega - carrier)
    };
    first_root(mismatch, limits_m)
}

/// The first change of sign from the left.
fn first_root(f: impl Fn(f64) -> f64, [from, to]: [f64; 2]) -> Option<f64> {
    let at = |part: u32| from + (to - from) * f64::from(part) / f64::from(PARTS);
    let changes = |part: &u32| (f(at(*part)) > 0.0) != (f(at(part + 1)) > 0.0);
    let part = (0..PARTS).find(changes)?;
    let (mut left, mut right) = (at(part), at(part + 1));
    let positive = f(left) > 0.0;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (left + right);
        if (f(middle) > 0.0) == positive {
            left = middle;
        } else {
            right = middle;
        }
    }
    Some(0.5 * (left + right))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn differences_are_exact_for_polynomials_of_degree_eight() {
        for degree in 0..=8_i32 {
            let x = 2.0_f64;
            let found = differences(|x| x.powi(degree), x);
            let mut factor = 1.0;
            for (order, found) in (1..=4_i32).zip(found) {
                factor *= f64::from(degree - order + 1);
                let exact = factor * x.powi(degree - order);
                // Rounding grows as the step to the power of the order.
                let bound = 1e-13 * 256.0 / (STEP * x).powi(order);
                assert!(
                    (found - exact).abs() < bound,
                    "{degree} {order}: {found} {exact}"
                );
            }
        }
    }

    #[test]
    fn a_taylor_series_is_read_back() {
        let omega = 2e15;
        let excess = |w: f64| {
            let x = w - omega;
            4e3 + 2e-12 * x + 0.5 * 3e-29 * x * x + 5e-44 / 6.0 * x * x * x
        };
        let [b0, b1, b2, b3, b4] = taylor(excess, omega);
        assert!((b0 - (omega / SPEED_OF_LIGHT + 4e3)).abs() < 1e-8);
        assert!((b1 / (SPEED_OF_LIGHT.recip() + 2e-12) - 1.0).abs() < 1e-13);
        assert!((b2 / 3e-29 - 1.0).abs() < 1e-9, "{b2:e}");
        assert!((b3 / 5e-44 - 1.0).abs() < 1e-7, "{b3:e}");
        assert!(b4.abs() < 1e-62, "{b4:e}");
    }

    #[test]
    fn zero_dispersion_and_phase_matching_of_a_cubic_are_its_own() {
        // With beta_2 and beta_3 alone, dispersion is zero at x = -beta_2/beta_3 and phases match
        // at three times that.
        let (omega, b2, b3) = (2e15, -2e-29, 8e-44);
        let excess = |w: f64| {
            let x = w - omega;
            0.5 * b2 * x * x + b3 / 6.0 * x * x * x
        };
        let wavelength = |x: f64| std::f64::consts::TAU * SPEED_OF_LIGHT / (omega + x);
        let limits = [700e-9, 900e-9];
        let zero = zero_dispersion_m(excess, limits).unwrap();
        assert!((zero / wavelength(-b2 / b3) - 1.0).abs() < 1e-9, "{zero:e}");
        let matched = phase_matched_m(excess, omega, [600e-9, 780e-9]).unwrap();
        assert!(
            (matched / wavelength(-3.0 * b2 / b3) - 1.0).abs() < 1e-9,
            "{matched:e}"
        );
        assert_eq!(zero_dispersion_m(excess, [900e-9, 1e-6]), None);
    }
}
