//! Arithmetic on whole states.

use crate::fourier::Complex64;

/// A complex value for every frequency or every time of the grid.
pub type Field = Vec<Complex64>;

/// Euclidean norm.
pub fn norm(values: &[Complex64]) -> f64 {
    values.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt()
}

/// `a b`, element by element.
pub fn product(a: &[Complex64], b: &[Complex64]) -> Field {
    a.iter().zip(b).map(|(a, b)| a * b).collect()
}

/// `a / b`, element by element.
pub fn quotient(a: &[Complex64], b: &[Complex64]) -> Field {
    a.iter().zip(b).map(|(a, b)| a / b).collect()
}

/// `a - b`.
pub fn difference(a: &[Complex64], b: &[Complex64]) -> Field {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Adds `factor` times `term` to `sum`.
pub fn add(sum: &mut [Complex64], factor: f64, term: &[Complex64]) {
    for (sum, term) in sum.iter_mut().zip(term) {
        *sum += factor * term;
    }
}

/// `start + h` times the weighted sum of the slopes; weights beyond the slopes are not read.
pub fn moved(start: &[Complex64], h: f64, weights: &[f64], slopes: &[Field]) -> Field {
    let mut sum = start.to_vec();
    for (weight, slope) in weights.iter().zip(slopes) {
        if *weight != 0.0 {
            add(&mut sum, h * weight, slope);
        }
    }
    sum
}

/// Multiplies by a real window, element by element.
pub fn apply_window(window: &[f64], values: &mut [Complex64]) {
    for (value, window) in values.iter_mut().zip(window) {
        *value *= window;
    }
}
