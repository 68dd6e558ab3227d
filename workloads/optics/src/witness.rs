//! The numbers that show that two repeats, or two sides, did the same work.
//!
//! `docs/worker-protocol.md` defines digest and sketch; a change here is a change of protocol.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::fourier::Complex64;
use crate::random::Generator;

/// Number of projections of a sketch.
pub const SKETCH_LENGTH: usize = 256;

/// Seed of the signs: the ASCII letters of `longrun`, then a zero byte.
pub const SKETCH_SEED: u64 = 0x6c6f_6e67_7275_6e00;

/// SHA-256 in lower-case hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Real and imaginary parts in order: a state as real numbers.
fn parts(state: &[Complex64]) -> impl Iterator<Item = f64> {
    state.iter().flat_map(|value| [value.re, value.im])
}

/// SHA-256 of a state: real and imaginary parts in order, little-endian doubles.
pub fn digest(state: &[Complex64]) -> String {
    digest_of(parts(state))
}

/// SHA-256 of a state of real numbers.
pub fn digest_real(state: &[f64]) -> String {
    digest_of(state.iter().copied())
}

fn digest_of(values: impl Iterator<Item = f64>) -> String {
    let mut hasher = Sha256::new();
    for value in values {
        hasher.update(value.to_le_bytes());
    }
    hex(&hasher.finalize())
}

/// 256 random projections of a state, whose distance estimates the distance of two states.
///
/// Real numbers `x_i`, real and imaginary parts in order, are added to or subtracted from every
/// projection; the signs are four 64-bit words of the generator per `x_i`. The sums are divided by
/// 16, so the expected squared norm of a sketch is the squared norm of the state, and a distance
/// estimated from sketches has a standard error of 6 %.
pub fn sketch(state: &[Complex64]) -> Vec<f64> {
    sketch_of(parts(state))
}

/// The projections of a state of real numbers.
pub fn sketch_real(state: &[f64]) -> Vec<f64> {
    sketch_of(state.iter().copied())
}

fn sketch_of(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut generator = Generator::from_seed(SKETCH_SEED);
    let mut sums = [0.0; SKETCH_LENGTH];
    for x in values {
        for word_sums in sums.chunks_exact_mut(64) {
            let mut word = generator.next_u64();
            for sum in word_sums {
                *sum += if word & 1 == 1 { x } else { -x };
                word >>= 1;
            }
        }
    }
    sums.iter().map(|sum| sum / 16.0).collect()
}

/// `|a - b| / |b|`, both as vectors; none where `b` is zero or the lengths differ.
pub fn relative_l2(a: &[Complex64], b: &[Complex64]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let norm: f64 = b.iter().map(Complex64::norm_sqr).sum();
    let difference: f64 = a.iter().zip(b).map(|(a, b)| (a - b).norm_sqr()).sum();
    (norm > 0.0).then(|| (difference / norm).sqrt())
}

/// The same of real numbers.
pub fn relative_l2_real(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let norm: f64 = b.iter().map(|b| b * b).sum();
    let difference: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    (norm > 0.0).then(|| (difference / norm).sqrt())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;

    fn state(phase: f64) -> Vec<Complex64> {
        (0..500)
            .map(|j| Complex64::from_polar(1.0 + f64::from(j).cos(), f64::from(j) * phase))
            .collect()
    }

    #[test]
    fn sha256_of_abc_is_the_published_digest() {
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_digest_is_that_of_the_little_endian_bits_in_order() {
        let state = [Complex64::new(1.0, -2.0), Complex64::new(0.5, 0.0)];
        let bytes: Vec<u8> = [1.0_f64, -2.0, 0.5, 0.0]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        assert_eq!(digest(&state), sha256_hex(&bytes));
    }

    #[test]
    fn a_state_of_real_numbers_is_its_own_parts() {
        let (complex, other) = (state(0.1), state(0.2));
        let real: Vec<f64> = parts(&complex).collect();
        let other_real: Vec<f64> = parts(&other).collect();
        assert_eq!(digest_real(&real), digest(&complex));
        assert_eq!(sketch_real(&real), sketch(&complex));
        let distances = [
            relative_l2_real(&real, &other_real).unwrap(),
            relative_l2(&complex, &other).unwrap(),
        ];
        assert!((distances[0] / distances[1] - 1.0).abs() < 1e-12);
        assert_eq!(relative_l2_real(&real, &real), Some(0.0));
        assert_eq!(relative_l2_real(&real, &real[1..]), None);
        assert_eq!(relative_l2_real(&[1.0], &[0.0]), None);
    }

    #[test]
    fn a_digest_tells_zero_from_minus_zero() {
        let zero = digest(&[Complex64::new(0.0, 0.0)]);
        assert_ne!(zero, digest(&[Complex64::new(-0.0, 0.0)]));
    }

    #[test]
    fn the_signs_of_the_sketch_are_the_bits_of_the_generator() {
        let mut generator = Generator::from_seed(SKETCH_SEED);
        let words: Vec<u64> = (0..8).map(|_| generator.next_u64()).collect();
        let sketch = sketch(&[Complex64::new(16.0, 160.0)]);
        for (j, value) in sketch.iter().enumerate() {
            let sign = |word: usize| {
                if words[word] >> (j % 64) & 1 == 1 {
                    1.0
                } else {
                    -1.0
                }
            };
            assert_eq!(*value, sign(j / 64) + 10.0 * sign(4 + j / 64), "{j}");
        }
    }

    #[test]
    fn the_distance_of_sketches_estimates_the_distance_of_states() {
        let (a, b) = (state(0.1), state(0.100_01));
        let truth = relative_l2(&a, &b).unwrap();
        let (a, b) = (sketch(&a), sketch(&b));
        let squares = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>();
        let difference = squares(&mut a.iter().zip(&b).map(|(a, b)| a - b));
        let estimate = (difference / squares(&mut b.iter().copied())).sqrt();
        assert!(
            (estimate / truth - 1.0).abs() < 0.25,
            "{estimate} for {truth}"
        );
    }

    #[test]
    fn equal_states_are_at_distance_zero_and_nothing_is_at_a_distance_from_zero() {
        let a = state(0.3);
        assert_eq!(relative_l2(&a, &a), Some(0.0));
        assert_eq!(relative_l2(&a, &vec![Complex64::default(); 500]), None);
        assert_eq!(relative_l2(&a, &a[1..]), None);
    }
}
