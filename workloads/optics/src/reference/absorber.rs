//! What leaves the windows in frequency and time is absorbed after every accepted step.

use super::fields::apply_window;
use super::samples::Samples;
use crate::fourier::Complex64;

/// `Y <- F{ temporal F^-1{ spectral Y } }`, mode by mode.
pub struct Absorber {
    spectral: Vec<f64>,
    temporal: Vec<f64>,
    samples: Samples,
}

impl Absorber {
    /// Windows over the bins of a mode and over the samples, which are those of its grid.
    pub fn new(spectral: &[f64], temporal: &[f64], samples: Samples) -> Self {
        Absorber {
            spectral: spectral.to_vec(),
            temporal: temporal.to_vec(),
            samples,
        }
    }

    /// Applies both windows to every mode of a state.
    pub fn apply(&self, state: &mut [Complex64]) {
        for mode in state.chunks_exact_mut(self.samples.bins()) {
            apply_window(&self.spectral, mode);
            let mut field = self.samples.field(mode);
            apply_window(&self.temporal, &mut field);
            mode.copy_from_slice(&self.samples.spectrum(field));
        }
    }
}
