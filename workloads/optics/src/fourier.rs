//! Transforms outside the timed region: set-up and oracles.
//!
//! Forward kernel exp(-i w t), unnormalised; the inverse divides by the length. Native code has
//! its own transforms; nothing here is on a timed path.

use rustfft::FftPlanner;
pub use rustfft::num_complex::Complex64;

/// Unnormalised forward transform, in place.
pub fn forward(values: &mut [Complex64]) {
    FftPlanner::new()
        .plan_fft_forward(values.len())
        .process(values);
}

/// Inverse transform, in place; divides by the length.
pub fn inverse(values: &mut [Complex64]) {
    FftPlanner::new()
        .plan_fft_inverse(values.len())
        .process(values);
    let scale = 1.0 / values.len() as f64;
    for value in values {
        *value *= scale;
    }
}

/// The inverse transform of a spectrum, as a new vector.
pub fn inverse_of(spectrum: &[Complex64]) -> Vec<Complex64> {
    let mut values = spectrum.to_vec();
    inverse(&mut values);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delayed_impulse_has_the_phase_of_the_forward_kernel() {
        let mut values = vec![Complex64::new(0.0, 0.0); 8];
        values[1] = Complex64::new(1.0, 0.0);
        forward(&mut values);
        let expected = Complex64::cis(-std::f64::consts::FRAC_PI_4);
        assert!((values[1] - expected).norm() < 1e-15);
    }

    #[test]
    fn the_inverse_undoes_the_forward_transform() {
        let original: Vec<Complex64> = (0..48)
            .map(|j| Complex64::new(f64::from(j).sin(), f64::from(j * j).cos()))
            .collect();
        let mut values = original.clone();
        forward(&mut values);
        for (a, b) in inverse_of(&values).iter().zip(&original) {
            assert!((a - b).norm() < 1e-13);
        }
    }
}
