//! The sums between modes and nodes: real matrices times spectra.

use super::super::fields::{Field, add};
use crate::fourier::Complex64;

/// Bins that are summed at a time. So many of every spectrum stay in a cache, of hundreds of them
/// too, where each is read for every row.
const BINS: usize = 32;

/// Row j is the sum over k of `matrix[j][k]` times spectrum k, in the order of k. There is at least
/// one spectrum, of `bins` values each, and rows are as long as there are spectra.
pub fn combined(matrix: &[f64], spectra: &[Complex64], bins: usize) -> Field {
    let count = spectra.len() / bins;
    let mut sums = vec![Complex64::default(); matrix.len() / count * bins];
    for first in (0..bins).step_by(BINS) {
        let part = first..bins.min(first + BINS);
        for (row, sum) in matrix.chunks_exact(count).zip(sums.chunks_exact_mut(bins)) {
            for (factor, spectrum) in row.iter().zip(spectra.chunks_exact(bins)) {
                add(&mut sum[part.clone()], *factor, &spectrum[part.clone()]);
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    #[test]
    fn rows_are_sums_of_spectra_whatever_their_length() {
        for bins in [1, BINS, 2 * BINS + 3] {
            let spectrum = |scale: f64| (0..bins).map(move |k| Complex64::new(scale, k as f64));
            let spectra: Vec<Complex64> = [1.0, 10.0].into_iter().flat_map(spectrum).collect();
            let sums = combined(&[1.0, 2.0, -1.0, 0.5, 0.0, 3.0], &spectra, bins);
            assert_eq!(sums.len(), 3 * bins);
            for (row, (re, im)) in [(21.0, 3.0), (4.0, -0.5), (30.0, 3.0)].iter().enumerate() {
                for k in 0..bins {
                    let expected = Complex64::new(*re, im * k as f64);
                    assert_eq!(sums[row * bins + k], expected, "{bins} {row} {k}");
                }
            }
        }
    }
}
