//! What the steppers share.
//!
//! A stepper proposes the state at the end of a step and says how wrong it may be. Whether the
//! step counts is not its business; [`super::control`] decides.

use super::equation::Equation;
use super::fields::Field;
use crate::fourier::Complex64;

/// A proposal for the end of a step.
pub struct Attempt {
    /// The state there.
    pub state: Field,
    /// Euclidean norm of the estimated error; 0 where the stepper has none.
    pub error: f64,
    /// The error of a step of length h is taken to go as h to this power plus one.
    pub order: u32,
}

/// One way to take steps of `dY/dz = L Y + N(z, Y)`. Lengths are in metres.
pub trait Stepper {
    /// Forgets every step taken so far.
    fn restart(&mut self);

    /// Proposes the state `h` after `start`, which is the state at `z` that the last accepted step
    /// ended with, windows applied. The equation has been prepared for this step.
    fn attempt(&mut self, equation: &mut Equation, z: f64, start: &[Complex64], h: f64) -> Attempt;

    /// The attempt just made counts.
    fn accept(&mut self);

    /// After an accepted step, and after the windows were applied to its end: `state` at `z` is
    /// what the next step starts from.
    fn settle(&mut self, _equation: &mut Equation, _z: f64, _state: &[Complex64]) {}

    /// The state at the fraction `theta` (0 to 1) of the last accepted step, before anything that
    /// was done to its end; none before the first. The equation is still prepared for that step.
    fn interpolate(&self, equation: &Equation, theta: f64) -> Option<Field>;
}
