//! What leaves the windows in frequency and time is absorbed after every accepted step.

use super::fields::{Field, apply_window};
use super::transform::Transform;
use crate::gnlse::Windows;

/// `Y <- F{ temporal F^-1{ spectral Y } }`.
pub struct Absorber {
    windows: Windows,
    transform: Transform,
}

impl Absorber {
    /// Windows of the length of the transform.
    pub fn new(windows: Windows, transform: Transform) -> Self {
        Absorber { windows, transform }
    }

    /// Applies both windows to a spectrum.
    pub fn apply(&self, state: &mut Field) {
        apply_window(&self.windows.spectral, state);
        self.transform.inverse(state);
        apply_window(&self.windows.temporal, state);
        self.transform.forward(state);
    }
}
