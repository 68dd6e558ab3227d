//! The passes of a source evaluation: squared modulus, delayed response, polarisation.

use super::Example;
use super::pack::{Draw, Pack};
use super::transforms::{half_to_real, real_to_half};
use crate::fourier::Complex64;

/// |A|² of `n` values, and 0 from there to `m`.
fn padded_intensity(field: &[Complex64], m: usize) -> Vec<f64> {
    let mut drive: Vec<f64> = field.iter().map(Complex64::norm_sqr).collect();
    drive.resize(m, 0.0);
    drive
}

fn products(a: &[Complex64], b: &[Complex64]) -> Vec<Complex64> {
    a.iter().zip(b).map(|(a, b)| a * b).collect()
}

/// `intensity`.
pub fn intensity(n: usize, m: usize, draw: &mut Draw) -> Example {
    let field = draw.complex(n, 1.0);
    Example {
        output: padded_intensity(&field, m),
        input: Pack::default().complex(&field).done(),
    }
}

/// `raman_convolution`.
pub fn convolution(n: usize, m: usize, draw: &mut Draw) -> Example {
    // What the transforms lack of their normalisation is in the response, as in a propagation.
    let response = draw.half_spectrum(m, 1.0 / m as f64);
    let field = draw.complex(n, 1.0);
    let drive = real_to_half(&padded_intensity(&field, m));
    Example {
        output: half_to_real(&products(&response, &drive), m),
        input: Pack::default().complex(&response).complex(&field).done(),
    }
}

/// `raman_product`.
pub fn product(m: usize, draw: &mut Draw) -> Example {
    let response = draw.half_spectrum(m, 1.0);
    let drive = draw.half_spectrum(m, 1.0);
    let product = products(&response, &drive);
    Example {
        output: Pack::default().complex(&product).done(),
        input: Pack::default().complex(&response).complex(&drive).done(),
    }
}

/// `polarise`.
pub fn polarise(n: usize, draw: &mut Draw) -> Example {
    let kerr = 0.82;
    let field = draw.complex(n, 1.0);
    let response = draw.real(n, 0.0, 0.4);
    let window = draw.real(n, 0.0, 1.0);
    let at = |i: usize| {
        let a = field[i];
        window[i] * a * (kerr * a.norm_sqr() + response[i])
    };
    let polarisation: Vec<Complex64> = (0..n).map(at).collect();
    let input = Pack::default().number(kerr).complex(&field);
    Example {
        output: Pack::default().complex(&polarisation).done(),
        input: input.real(&response).real(&window).done(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    #[test]
    fn the_padding_is_empty() {
        let field = [Complex64::new(3.0, 4.0), Complex64::new(0.0, 2.0)];
        assert_eq!(padded_intensity(&field, 4), [25.0, 4.0, 0.0, 0.0]);
        assert_eq!(padded_intensity(&field, 2), [25.0, 4.0]);
    }

    #[test]
    fn a_convolution_is_the_sum_that_defines_it() {
        let (n, m) = (6, 12);
        let example = convolution(n, m, &mut Draw::from_seed(3));
        let complex = |values: &[f64]| -> Vec<Complex64> {
            let pairs = values.chunks_exact(2);
            pairs.map(|pair| Complex64::new(pair[0], pair[1])).collect()
        };
        let (response, field) = example.input.split_at(m + 2);
        // The response over time, then the sum over what it acts on.
        let response = half_to_real(&complex(response), m);
        let drive = padded_intensity(&complex(field), m);
        for (j, found) in example.output.iter().enumerate() {
            let term = |l: usize| response[(j + m - l) % m] * drive[l];
            let due: f64 = (0..m).map(term).sum();
            assert!((found - due).abs() < 1e-13, "{found} and {due}");
        }
    }

    #[test]
    fn a_polarisation_follows_its_formula() {
        let example = polarise(2, &mut Draw::from_seed(4));
        let [kerr, re, im, ..] = example.input[..] else {
            unreachable!("an input of nine numbers");
        };
        let (response, window) = (example.input[5], example.input[7]);
        let factor = window * (kerr * (re * re + im * im) + response);
        assert!((example.output[0] - factor * re).abs() < 1e-14);
        assert!((example.output[1] - factor * im).abs() < 1e-14);
    }
}
