//! The exact solution for a soliton of integer order: what `N sech t` becomes.
//!
//! In soliton units, `i u_z + u_tt / 2 + |u|² u = 0`: time in `tau`, length in `tau² / |beta_2|`.
//! The launch is N solitons at rest, one on top of the other, of amplitudes 1, 3, …, 2 N - 1
//! (J. Satsuma and N. Yajima, Prog. Theor. Phys. Suppl. 55, 284, 1974). They are superposed by a
//! linear system of N equations (J. P. Gordon, Opt. Lett. 8, 596, 1983).

use crate::fourier::Complex64;

/// Highest order that is evaluated: the system grows badly conditioned beyond.
pub const ORDER_MAX: u32 = 8;

/// Beyond this exponent the tail is below 1e-130 of the peak, and the exponentials would overflow.
const EXPONENT_MAX: f64 = 300.0;

/// The field `u(t, z)` in soliton units; none for order 0 or one above [`ORDER_MAX`].
pub fn field(order: u32, t: f64, z: f64) -> Option<Complex64> {
    if !(1..=ORDER_MAX).contains(&order) {
        return None;
    }
    let amplitudes: Vec<f64> = (0..order).map(|j| f64::from(2 * j + 1)).collect();
    let fastest = f64::from(2 * order - 1);
    if fastest * t.abs() > EXPONENT_MAX {
        return Some(Complex64::default());
    }
    // Signs alternate: at z = 0 the solitons interfere to a sech.
    let gamma = |(j, a): (usize, &f64)| {
        let sign = if j % 2 == 0 { 1.0 } else { -1.0 };
        sign * Complex64::new(a * t, 0.5 * a * a * z).exp()
    };
    let gammas: Vec<Complex64> = amplitudes.iter().enumerate().map(gamma).collect();
    let row = |j: usize| -> Vec<Complex64> {
        let element =
            |k: usize| (gammas[j].inv() + gammas[k].conj()) / (amplitudes[j] + amplitudes[k]);
        (0..gammas.len()).map(element).collect()
    };
    let matrix = (0..gammas.len()).map(row).collect();
    Some(sum_of_solution(matrix))
}

/// Sum of the unknowns of `matrix x = (1, …, 1)`, by elimination with pivots.
fn sum_of_solution(mut matrix: Vec<Vec<Complex64>>) -> Complex64 {
    let order = matrix.len();
    for row in &mut matrix {
        row.push(1.0.into());
    }
    for column in 0..order {
        let size = |row: &usize| matrix[*row][column].norm_sqr();
        let largest = (column..order).max_by(|a, b| size(a).total_cmp(&size(b)));
        matrix.swap(column, largest.unwrap_or(column));
        let pivot = matrix[column].clone();
        for row in matrix.iter_mut().skip(column + 1) {
            let factor = row[column] / pivot[column];
            for (value, above) in row.iter_mut().zip(&pivot).skip(column) {
                *value -= factor * above;
            }
        }
    }
    let mut unknowns = vec![Complex64::default(); order];
    for column in (0..order).rev() {
        let row = &matrix[column];
        let known = row.iter().zip(&unknowns).skip(column + 1);
        let sum: Complex64 = known.map(|(value, unknown)| value * unknown).sum();
        unknowns[column] = (row[order] - sum) / row[column];
    }
    unknowns.into_iter().sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    const TIMES: [f64; 6] = [-4.0, -1.0, 0.0, 0.3, 2.5, 7.0];

    #[test]
    fn at_the_launch_it_is_a_sech_of_the_order() {
        for order in 1..=5 {
            for t in TIMES {
                let expected = f64::from(order) / t.cosh();
                let found = field(order, t, 0.0).unwrap().norm();
                let error = (found / expected - 1.0).abs();
                assert!(error < 1e-9, "order {order}, t {t}: {error:e}");
            }
        }
    }

    #[test]
    fn order_two_is_the_published_closed_form() {
        for t in TIMES {
            for z in [0.0_f64, 0.2, 0.7, 1.3] {
                let turn = Complex64::cis(4.0 * z);
                let above = 4.0 * ((3.0 * t).cosh() + 3.0 * turn * t.cosh());
                let below = (4.0 * t).cosh() + 4.0 * (2.0 * t).cosh() + 3.0 * (4.0 * z).cos();
                let expected = (above / below).norm();
                let found = field(2, t, z).unwrap().norm();
                assert!((found - expected).abs() < 1e-9 * expected, "t {t}, z {z}");
            }
        }
    }

    #[test]
    fn after_a_period_it_has_gained_a_phase_of_an_eighth_turn() {
        for order in [1, 2, 3] {
            for t in TIMES {
                let launch = field(order, t, 0.0).unwrap();
                // A fundamental soliton only turns; it has no period to wait for.
                let end = field(order, t, FRAC_PI_2).unwrap();
                let error = (end - launch * Complex64::cis(FRAC_PI_4)).norm();
                assert!(error < 1e-9 * launch.norm(), "order {order}, t {t}");
            }
        }
    }

    #[test]
    fn order_three_splits_in_the_middle_of_its_period() {
        let power = |t: f64| field(3, t, FRAC_PI_4).unwrap().norm_sqr() / 9.0;
        assert!((power(0.0) - 1.0 / 9.0).abs() < 1e-9);
        assert!((power(0.558) - 2.322).abs() < 1e-3);
        assert!((power(0.558) - power(-0.558)).abs() < 1e-9);
    }

    #[test]
    fn far_from_the_pulse_there_is_nothing_and_no_overflow() {
        assert_eq!(field(3, 1e6, 1.0), Some(Complex64::default()));
        let tail = field(3, 50.0, 1.0).unwrap().norm();
        assert!(tail > 0.0 && tail < 1e-19, "{tail:e}");
        assert_eq!(field(0, 0.0, 0.0), None);
        assert_eq!(field(ORDER_MAX + 1, 0.0, 0.0), None);
    }
}
