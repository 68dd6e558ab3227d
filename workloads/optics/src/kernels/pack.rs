//! Arrays of an example: drawing them, and laying them one after the other.

use crate::fourier::Complex64;
use crate::random::Generator;

/// Seeded numbers.
pub struct Draw(Generator);

impl Draw {
    /// The numbers of a seed.
    pub fn from_seed(seed: u64) -> Self {
        Draw(Generator::from_seed(seed))
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.next_unit()
    }

    /// Numbers from `low` to `high`.
    pub fn real(&mut self, count: usize, low: f64, high: f64) -> Vec<f64> {
        (0..count).map(|_| self.between(low, high)).collect()
    }

    /// Complex numbers whose parts lie within `amplitude` of 0.
    pub fn complex(&mut self, count: usize, amplitude: f64) -> Vec<Complex64> {
        let mut part = || self.between(-amplitude, amplitude);
        (0..count).map(|_| Complex64::new(part(), part())).collect()
    }

    /// Complex numbers of modulus 1.
    pub fn phases(&mut self, count: usize) -> Vec<Complex64> {
        let turn = std::f64::consts::TAU;
        let mut phase = || Complex64::cis(self.between(0.0, turn));
        (0..count).map(|_| phase()).collect()
    }

    /// The half spectrum of `count` real numbers: its ends are real.
    pub fn half_spectrum(&mut self, count: usize, amplitude: f64) -> Vec<Complex64> {
        let mut spectrum = self.complex(count / 2 + 1, amplitude);
        for end in [0, count / 2] {
            if let Some(value) = spectrum.get_mut(end) {
                value.im = 0.0;
            }
        }
        spectrum
    }
}

/// Real numbers in a row.
#[derive(Default)]
pub struct Pack(Vec<f64>);

impl Pack {
    /// Adds one number.
    pub fn number(mut self, value: f64) -> Self {
        self.0.push(value);
        self
    }

    /// Adds real numbers.
    pub fn real(mut self, values: &[f64]) -> Self {
        self.0.extend_from_slice(values);
        self
    }

    /// Adds complex numbers, real and imaginary parts in turn.
    pub fn complex(mut self, values: &[Complex64]) -> Self {
        self.0
            .extend(values.iter().flat_map(|value| [value.re, value.im]));
        self
    }

    /// Adds several arrays of complex numbers.
    pub fn arrays(self, arrays: &[Vec<Complex64>]) -> Self {
        arrays.iter().fold(self, |pack, array| pack.complex(array))
    }

    /// All of it.
    pub fn done(self) -> Vec<f64> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    #[test]
    fn arrays_lie_one_after_the_other_without_a_gap() {
        let complex = [Complex64::new(4.0, 5.0), Complex64::new(6.0, 7.0)];
        let packed = Pack::default()
            .number(1.0)
            .real(&[2.0, 3.0])
            .arrays(&[complex.to_vec()])
            .done();
        assert_eq!(packed, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    }

    #[test]
    fn what_is_drawn_lies_where_it_is_asked_for() {
        let mut draw = Draw::from_seed(1);
        let real = draw.real(100, 2.0, 3.0);
        assert!(real.iter().all(|value| (2.0..3.0).contains(value)));
        let phases = draw.phases(100);
        assert!(
            phases
                .iter()
                .all(|value| (value.norm() - 1.0).abs() < 1e-15)
        );
        let spectrum = draw.half_spectrum(8, 0.5);
        assert_eq!(spectrum.len(), 5);
        assert_eq!((spectrum[0].im, spectrum[4].im), (0.0, 0.0));
        assert!(spectrum.iter().all(|value| value.re.abs() <= 0.5));
        assert!(spectrum[1..4].iter().all(|value| value.im != 0.0));
    }
}
