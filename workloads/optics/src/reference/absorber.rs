//! What leaves the windows in frequency and time is absorbed after every accepted step.

use super::fields::apply_window;
use super::samples::Samples;
use crate::fourier::Complex64;

/// `Y <- F{ temporal F^-1{ spectral Y } }`, mode by mode.
pub struct Absorber {
    spectral: Vec<f64>,
    temporal: Vec<f64>,
    length_m: Option<f64>,
    samples: Samples,
}

impl Absorber {
    /// Windows over the bins of a mode and over the samples, which are those of its grid. They act
    /// in full after each step, or over a length, in metres: a step has its part of them.
    pub fn new(
        spectral: &[f64],
        temporal: &[f64],
        length_m: Option<f64>,
        samples: Samples,
    ) -> Self {
        Absorber {
            spectral: spectral.to_vec(),
            temporal: temporal.to_vec(),
            length_m,
            samples,
        }
    }

    /// Applies both windows to every mode of a state, after a step of `step_m`.
    pub fn apply(&self, state: &mut [Complex64], step_m: f64) {
        let part = self.length_m.map_or(1.0, |length_m| step_m / length_m);
        let over = |window: &[f64]| -> Vec<f64> { window.iter().map(|w| w.powf(part)).collect() };
        let (spectral, temporal) = (over(&self.spectral), over(&self.temporal));
        for mode in state.chunks_exact_mut(self.samples.bins()) {
            apply_window(&spectral, mode);
            let mut field = self.samples.field(mode);
            apply_window(&temporal, &mut field);
            mode.copy_from_slice(&self.samples.spectrum(field));
        }
    }
}
