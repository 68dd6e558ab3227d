//! Bessel functions of the first kind and their zeros.
//!
//! Values are those of `libm`. Zeros begin at McMahon's expansion (M. Abramowitz and I. A. Stegun,
//! Handbook of Mathematical Functions, 9.5.12) and are polished by Newton's method.

use std::f64::consts::PI;

/// Highest order whose first zero McMahon's expansion is close enough to.
pub const ORDER_MAX: u8 = 4;

/// Newton steps; four are enough from McMahon's expansion.
const NEWTON_STEPS: usize = 8;

/// J_0(x).
pub fn j0(x: f64) -> f64 {
    libm::j0(x)
}

/// J_1(x).
pub fn j1(x: f64) -> f64 {
    libm::j1(x)
}

/// The positive zero number `number`, from 1, of J_`order`; none for number 0 and for orders above
/// [`ORDER_MAX`].
pub fn zero(order: u8, number: u32) -> Option<f64> {
    if number == 0 || order > ORDER_MAX {
        return None;
    }
    let mut x = mcmahon(f64::from(order), f64::from(number));
    for _ in 0..NEWTON_STEPS {
        x -= libm::jn(order.into(), x) / slope(order, x);
    }
    Some(x)
}

/// J_n'(x) = J_{n-1}(x) - (n / x) J_n(x).
fn slope(order: u8, x: f64) -> f64 {
    let n = i32::from(order);
    libm::jn(n - 1, x) - f64::from(n) / x * libm::jn(n, x)
}

fn mcmahon(order: f64, number: f64) -> f64 {
    let mu = 4.0 * order * order;
    let at = (number + order / 2.0 - 0.25) * PI;
    let eighth = 1.0 / (8.0 * at);
    let cubic = 4.0 * (mu - 1.0) * (7.0 * mu - 31.0) / 3.0;
    at - (mu - 1.0) * eighth - cubic * eighth.powi(3)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_zeros_are_those_of_the_tables() {
        // Abramowitz and Stegun, table 9.5: ten decimals of order 0, five of the others.
        let table = [
            (0, 1, 2.404_825_557_7, 1e-10),
            (0, 2, 5.520_078_110_3, 1e-10),
            (0, 3, 8.653_727_912_9, 1e-10),
            (0, 4, 11.791_534_439_1, 1e-10),
            (1, 1, 3.831_71, 1e-5),
            (1, 2, 7.015_59, 1e-5),
            (2, 1, 5.135_62, 1e-5),
            (3, 1, 6.380_16, 1e-5),
            (4, 1, 7.588_34, 1e-5),
        ];
        for (order, number, expected, tolerance) in table {
            let found = zero(order, number).unwrap();
            assert!(
                (found - expected).abs() < tolerance,
                "{order} {number}: {found}"
            );
        }
    }

    #[test]
    fn the_functions_vanish_at_their_zeros_and_zeros_interlace() {
        for order in 0..=ORDER_MAX {
            let mut last = 0.0;
            for number in 1..=20 {
                let x = zero(order, number).unwrap();
                let value = libm::jn(order.into(), x);
                assert!(value.abs() < 1e-14, "{order} {number}: {value:e}");
                assert!(x > last, "{order} {number}: {x} after {last}");
                if order > 0 {
                    let below = zero(order - 1, number).unwrap();
                    let above = zero(order - 1, number + 1).unwrap();
                    assert!(below < x && x < above, "{order} {number}: {x}");
                }
                last = x;
            }
        }
    }

    #[test]
    fn far_zeros_are_as_far_apart_as_waves_and_right_to_rounding() {
        let zeros: Vec<f64> = (1..=1025).map(|number| zero(0, number).unwrap()).collect();
        for pair in zeros.windows(2).skip(100) {
            assert!((pair[1] - pair[0] - PI).abs() < 1e-5, "{pair:?}");
        }
        // With rounding of the zero alone, which J_1 turns into a value.
        for x in &zeros {
            let bound = 2.0 * f64::EPSILON * x * j1(*x).abs();
            assert!(j0(*x).abs() < bound, "{x}: {:e}", j0(*x));
        }
    }

    #[test]
    fn what_has_no_zero_here_has_none() {
        assert_eq!(zero(0, 0), None);
        assert_eq!(zero(ORDER_MAX + 1, 1), None);
    }

    #[test]
    fn orders_zero_and_one_are_their_own_derivatives() {
        let h = 1e-4;
        for x in [0.3, 1.7, 4.0, 9.5] {
            let slope = (j0(x + h) - j0(x - h)) / (2.0 * h);
            assert!((slope + j1(x)).abs() < 1e-8, "{x}");
        }
    }
}
