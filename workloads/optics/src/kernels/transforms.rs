//! Transforms, complex and real, with the transforms of [`crate::fourier`].

use super::Example;
use super::pack::{Draw, Pack};
use crate::fourier::{self, Complex64};

/// The inverse transform without its division by the length.
pub fn to_time(spectrum: &[Complex64]) -> Vec<Complex64> {
    let mut values = fourier::inverse_of(spectrum);
    let length = values.len() as f64;
    for value in &mut values {
        *value *= length;
    }
    values
}

/// The forward transform, as a new array.
pub fn to_frequency(values: &[Complex64]) -> Vec<Complex64> {
    let mut spectrum = values.to_vec();
    fourier::forward(&mut spectrum);
    spectrum
}

/// The first n/2 + 1 values of the forward transform of n real numbers.
pub fn real_to_half(values: &[f64]) -> Vec<Complex64> {
    let complex: Vec<Complex64> = values.iter().map(|x| Complex64::new(*x, 0.0)).collect();
    let mut spectrum = to_frequency(&complex);
    spectrum.truncate(values.len() / 2 + 1);
    spectrum
}

/// The inverse transform of n/2 + 1 values, continued by X_{n-j} = conj X_j, without its division.
pub fn half_to_real(half: &[Complex64], n: usize) -> Vec<f64> {
    let above = half.iter().take(n - n / 2).skip(1).rev();
    let whole: Vec<Complex64> = half
        .iter()
        .copied()
        .chain(above.map(Complex64::conj))
        .collect();
    to_time(&whole).iter().map(|value| value.re).collect()
}

/// `fft_forward`.
pub fn forward(n: usize, draw: &mut Draw) -> Example {
    let x = draw.complex(n, 1.0);
    Example {
        output: Pack::default().complex(&to_frequency(&x)).done(),
        input: Pack::default().complex(&x).done(),
    }
}

/// `fft_inverse`.
pub fn inverse(n: usize, draw: &mut Draw) -> Example {
    let x = draw.complex(n, 1.0);
    Example {
        output: Pack::default().complex(&to_time(&x)).done(),
        input: Pack::default().complex(&x).done(),
    }
}

/// `rfft_forward`.
pub fn real_forward(n: usize, draw: &mut Draw) -> Example {
    let x = draw.real(n, -1.0, 1.0);
    Example {
        output: Pack::default().complex(&real_to_half(&x)).done(),
        input: x,
    }
}

/// `rfft_inverse`.
pub fn real_inverse(n: usize, draw: &mut Draw) -> Example {
    let x = draw.half_spectrum(n, 1.0);
    Example {
        output: half_to_real(&x, n),
        input: Pack::default().complex(&x).done(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum that defines the transform, with the sign of its exponent.
    fn defined(values: &[Complex64], sign: f64) -> Vec<Complex64> {
        let n = values.len();
        let term = |j: usize, l: usize| {
            let turns = (j * l % n) as f64 / n as f64;
            values[l] * Complex64::cis(sign * std::f64::consts::TAU * turns)
        };
        (0..n)
            .map(|j| (0..n).map(|l| term(j, l)).sum::<Complex64>())
            .collect()
    }

    fn close(a: &[Complex64], b: &[Complex64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).norm() < 1e-13)
    }

    #[test]
    fn the_transforms_are_the_sums_that_define_them() {
        let x = Draw::from_seed(1).complex(12, 1.0);
        assert!(close(&to_frequency(&x), &defined(&x, -1.0)));
        assert!(close(&to_time(&x), &defined(&x, 1.0)));
    }

    #[test]
    fn a_half_spectrum_stands_for_the_whole_one() {
        let mut draw = Draw::from_seed(2);
        for n in [4, 12] {
            let x = draw.real(n, -1.0, 1.0);
            let half = real_to_half(&x);
            assert_eq!(half.len(), n / 2 + 1);
            let back = half_to_real(&half, n);
            assert_eq!(back.len(), n);
            for (x, back) in x.iter().zip(back) {
                assert!((back / n as f64 - x).abs() < 1e-14);
            }
        }
    }
}
