//! What the values of a state mean, as far as an engine has to know beside the equation.

use super::fields::Field;
use crate::engine::PlaneStatistics;
use crate::fourier::Complex64;

/// Fields of one kind. All states are as long as `state_len`, and lengths are in metres.
pub trait Geometry {
    /// Values of a state.
    fn state_len(&self) -> usize;

    /// Absorbs what leaves the windows over a step; what the edge of the cross-section took of it,
    /// in J. None where there are no windows.
    fn absorb(&self, state: &mut Field, step_m: f64) -> Option<f64>;

    /// Statistics of a state at `z_m`.
    fn statistics(&self, z_m: f64, state: &[Complex64]) -> PlaneStatistics;

    /// Points of the cross-section; 0 where there is none.
    fn nodes(&self) -> usize;

    /// What a state is at each of them.
    fn seen(&self, state: &[Complex64]) -> Vec<Seen>;
}

/// What was seen at one point of the cross-section, of the envelope or the analytic signal E.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Integral of |E|² over time, V² s/m².
    pub fluence: f64,
    /// Largest |E|², V²/m².
    pub peak: f64,
}

impl Seen {
    /// Of the squares |E|² at samples that are `time_step_s` apart.
    pub fn of(squares: impl Iterator<Item = f64> + Clone, time_step_s: f64) -> Self {
        Seen {
            fluence: time_step_s * squares.clone().sum::<f64>(),
            peak: squares.fold(0.0, f64::max),
        }
    }
}
