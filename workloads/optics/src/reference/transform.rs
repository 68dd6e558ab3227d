//! The Fourier transform of one length, planned once.

use std::sync::Arc;

use rustfft::{Fft, FftPlanner};

use crate::fourier::Complex64;

/// Forward kernel exp(-i w t), unnormalised; the inverse divides by the length.
#[derive(Clone)]
pub struct Transform {
    forward: Arc<dyn Fft<f64>>,
    inverse: Arc<dyn Fft<f64>>,
}

impl Transform {
    /// Plans both directions.
    pub fn new(points: usize) -> Self {
        let mut planner = FftPlanner::new();
        Transform {
            forward: planner.plan_fft_forward(points),
            inverse: planner.plan_fft_inverse(points),
        }
    }

    /// Its length.
    pub fn points(&self) -> usize {
        self.forward.len()
    }

    /// To frequency, in place.
    pub fn forward(&self, values: &mut [Complex64]) {
        self.forward.process(values);
    }

    /// To time, in place.
    pub fn inverse(&self, values: &mut [Complex64]) {
        self.inverse.process(values);
        let scale = 1.0 / values.len() as f64;
        for value in values {
            *value *= scale;
        }
    }

    /// One line for each direction.
    pub fn describe(&self) -> String {
        let points = self.points();
        format!("rustfft complex forward {points}\nrustfft complex inverse {points}\n")
    }
}
