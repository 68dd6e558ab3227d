//! A field at its samples, and the spectrum that is stored of it.
//!
//! Of an envelope the whole spectrum is stored. Of a real field it is the half at w >= 0; here that
//! half is mirrored, and the transform is that of complex numbers. The samples may be finer than
//! those that the spectrum belongs to: the bins that are missing are then empty.

use super::fields::Field;
use super::transform::Transform;
use crate::fourier::Complex64;
use crate::guided::FieldKind;

/// Samples over one window of time.
#[derive(Clone)]
pub struct Samples {
    field: FieldKind,
    points: usize,
    transform: Transform,
}

impl Samples {
    /// `samples` samples for the spectra of a grid of `points`, which are not more.
    pub fn new(field: FieldKind, points: usize, samples: usize) -> Self {
        Samples {
            field,
            points,
            transform: Transform::new(samples),
        }
    }

    /// Bins of a stored spectrum.
    pub fn bins(&self) -> usize {
        match self.field {
            FieldKind::Real => self.points / 2 + 1,
            FieldKind::Envelope => self.points,
        }
    }

    /// Bins that carry energy: those of a real field that stand for a pair of frequencies.
    pub fn counted(&self) -> std::ops::Range<usize> {
        match self.field {
            FieldKind::Real => 1..self.points / 2,
            FieldKind::Envelope => 0..self.points,
        }
    }

    /// The field at the samples; that of a real field has no imaginary part.
    pub fn field(&self, spectrum: &[Complex64]) -> Field {
        let mut values = self.whole(spectrum);
        self.transform.inverse(&mut values);
        let scale = self.finer();
        for value in &mut values {
            *value *= scale;
            if self.field == FieldKind::Real {
                value.im = 0.0;
            }
        }
        values
    }

    /// The stored spectrum of a field at the samples.
    pub fn spectrum(&self, mut field: Field) -> Field {
        self.transform.forward(&mut field);
        field.truncate(self.bins());
        let scale = self.finer();
        field.iter_mut().for_each(|value| *value /= scale);
        field
    }

    /// A complex field whose squared modulus is the power: an envelope itself, or the analytic
    /// signal of a real field.
    pub fn envelope(&self, spectrum: &[Complex64]) -> Field {
        let mut values = vec![Complex64::default(); self.transform.points()];
        let doubled = match self.field {
            FieldKind::Real => 2.0,
            FieldKind::Envelope => 1.0,
        };
        for k in self.counted() {
            values[k] = doubled * self.finer() * spectrum[k];
        }
        self.transform.inverse(&mut values);
        values
    }

    /// One line for each transform.
    pub fn describe(&self) -> String {
        self.transform.describe()
    }

    /// Samples for one of the grid of the spectra.
    fn finer(&self) -> f64 {
        self.transform.points() as f64 / self.points as f64
    }

    /// The spectrum at all frequencies of the samples.
    fn whole(&self, spectrum: &[Complex64]) -> Field {
        let samples = self.transform.points();
        let mut values = vec![Complex64::default(); samples];
        values[..spectrum.len()].copy_from_slice(spectrum);
        if self.field == FieldKind::Real {
            for (k, value) in spectrum.iter().enumerate().skip(1) {
                // The highest frequency of the samples is its own mirror image.
                if 2 * k < samples {
                    values[samples - k] = value.conj();
                }
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    const POINTS: usize = 16;

    /// A constant, two lines and their harmonics, at sample `j` of `samples`.
    fn wave(j: usize, samples: usize) -> f64 {
        let x = TAU * j as f64 / samples as f64;
        0.3 + (x + 0.4).cos() - 0.5 * (6.0 * x).sin()
    }

    fn real(samples: usize) -> Field {
        (0..samples).map(|j| wave(j, samples).into()).collect()
    }

    fn farthest(a: &[Complex64], b: &[Complex64]) -> f64 {
        assert_eq!(a.len(), b.len());
        let apart = a.iter().zip(b).map(|(a, b)| (a - b).norm());
        apart.fold(0.0, f64::max)
    }

    #[test]
    fn a_real_field_is_the_same_between_its_samples_and_back() {
        let spectrum = Samples::new(FieldKind::Real, POINTS, POINTS).spectrum(real(POINTS));
        assert_eq!(spectrum.len(), POINTS / 2 + 1);
        for samples in [POINTS, 4 * POINTS] {
            let grid = Samples::new(FieldKind::Real, POINTS, samples);
            let field = grid.field(&spectrum);
            assert!(farthest(&field, &real(samples)) < 1e-14, "{samples}");
            assert!(farthest(&grid.spectrum(field), &spectrum) < 1e-13);
        }
    }

    #[test]
    fn an_envelope_keeps_its_whole_spectrum() {
        let turned = |j: usize| Complex64::cis(-TAU * j as f64 / POINTS as f64) + wave(j, POINTS);
        let field: Field = (0..POINTS).map(turned).collect();
        let grid = Samples::new(FieldKind::Envelope, POINTS, POINTS);
        let spectrum = grid.spectrum(field.clone());
        assert_eq!((spectrum.len(), grid.counted()), (POINTS, 0..POINTS));
        assert!(farthest(&grid.field(&spectrum), &field) < 1e-14);
        assert!(farthest(&grid.envelope(&spectrum), &field) < 1e-14);
    }

    #[test]
    fn the_power_of_a_real_field_is_that_of_its_analytic_signal() {
        let grid = Samples::new(FieldKind::Real, POINTS, POINTS);
        let envelope = grid.envelope(&grid.spectrum(real(POINTS)));
        let analytic = |j: usize| {
            let x = TAU * j as f64 / POINTS as f64;
            // The constant has no frequency and no power.
            Complex64::cis(x + 0.4) + 0.5 * Complex64::i() * Complex64::cis(6.0 * x)
        };
        let expected: Field = (0..POINTS).map(analytic).collect();
        assert!(farthest(&envelope, &expected) < 1e-14);
    }
}
