//! A response that is not over at once: the convolution with a tabulated one.

use super::fields::{Field, product};
use super::transform::Transform;
use crate::fourier::Complex64;
use crate::raman::RamanTable;

/// A response, as its transform on a grid of its own length.
pub struct Response {
    spectrum: Field,
    transform: Transform,
}

impl Response {
    /// The response of a table.
    pub fn new(table: &RamanTable) -> Self {
        Response {
            spectrum: whole_spectrum(&table.values, table.points),
            transform: Transform::new(table.points),
        }
    }

    /// `h * drive`; the drive is padded with zeros to the length of the response.
    pub fn to(&self, drive: &[f64]) -> Vec<f64> {
        let mut values = vec![Complex64::default(); self.spectrum.len()];
        for (value, drive) in values.iter_mut().zip(drive) {
            value.re = *drive;
        }
        self.transform.forward(&mut values);
        let mut values = product(&self.spectrum, &values);
        self.transform.inverse(&mut values);
        let within = values.iter().take(drive.len());
        within.map(|value| value.re).collect()
    }

    /// One line for each transform.
    pub fn describe(&self) -> String {
        self.transform.describe()
    }
}

/// The transform of a real function from its `points / 2 + 1` values at w >= 0.
fn whole_spectrum(half: &[Complex64], points: usize) -> Field {
    let mirrored = |k: usize| {
        if k < half.len() {
            half[k]
        } else {
            half[points - k].conj()
        }
    };
    (0..points).map(mirrored).collect()
}
