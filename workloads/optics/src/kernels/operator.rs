//! Exponentials of the linear operator over a step, and their moments.

use super::Example;
use super::pack::Pack;
use crate::fourier::Complex64;
use crate::reference::phi::{FACTORIALS, phi};

/// Length of the step, m.
const STEP_M: f64 = 2e-3;

/// Largest rate, 1/m: 8 rad over the step, so that moments come from their series in one half of
/// the spectrum and from the recurrence in the other.
const RATE_MAX: f64 = 4000.0;

/// Rates like those of dispersion: they grow as the square of the distance from the carrier, in the
/// order of a transform, so that equal cases lie side by side.
fn rates(n: usize) -> Vec<f64> {
    let rate = |j: usize| {
        let distance = j.min(n - j) as f64 / (n as f64 / 2.0);
        RATE_MAX * distance * distance
    };
    (0..n).map(rate).collect()
}

fn input(rates: &[f64]) -> Vec<f64> {
    Pack::default().number(STEP_M).real(rates).done()
}

/// `exponentials`.
pub fn exponentials(n: usize) -> Example {
    let rates = rates(n);
    let turns: Vec<Complex64> = rates.iter().map(|r| Complex64::cis(r * STEP_M)).collect();
    Example {
        output: Pack::default().complex(&turns).done(),
        input: input(&rates),
    }
}

/// `moments`: e^x, then psi_0 to psi_p, of which psi_q = q! phi_{q+1}.
pub fn moments(n: usize, p: usize) -> Example {
    let rates = rates(n);
    let mut arrays = vec![Vec::with_capacity(n); p + 2];
    for rate in &rates {
        let phi = phi(Complex64::new(0.0, rate * STEP_M));
        let factors = std::iter::once(1.0).chain(FACTORIALS);
        for ((array, phi), factor) in arrays.iter_mut().zip(phi).zip(factors) {
            array.push(factor * phi);
        }
    }
    Example {
        output: Pack::default().arrays(&arrays).done(),
        input: input(&rates),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    #[test]
    fn rates_rise_to_the_middle_and_fall_again() {
        let rates = rates(8);
        assert_eq!(rates[0], 0.0);
        assert_eq!(rates[4], RATE_MAX);
        assert_eq!(rates[2], RATE_MAX / 4.0);
        assert_eq!((rates[1], rates[3]), (rates[7], rates[5]));
    }

    #[test]
    fn moments_are_the_integrals_that_define_them() {
        let (n, p) = (4, 6);
        let example = moments(n, p);
        let value = |array: usize, j: usize| {
            let at = 2 * (array * n + j);
            Complex64::new(example.output[at], example.output[at + 1])
        };
        for (j, rate) in rates(n).into_iter().enumerate() {
            let x = Complex64::new(0.0, rate * STEP_M);
            assert!((value(0, j) - x.exp()).norm() < 1e-14);
            for q in 0..=p {
                // Simpson's rule for the integral of e^{(1 - s) x} s^q from 0 to 1.
                let intervals = 2000_u32;
                let width = 1.0 / f64::from(intervals);
                let mut sum = Complex64::default();
                for k in 0..=intervals {
                    let s = f64::from(k) * width;
                    let weight = match k {
                        0 => 1.0,
                        k if k == intervals => 1.0,
                        k if k % 2 == 1 => 4.0,
                        _ => 2.0,
                    };
                    // The order is at most 6.
                    sum += weight * s.powi(q as i32) * ((1.0 - s) * x).exp();
                }
                let due = sum * width / 3.0;
                assert!((value(q + 1, j) - due).norm() < 1e-11, "{q} {x}");
            }
        }
    }
}
