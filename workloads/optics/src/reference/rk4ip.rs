//! Fourth-order Runge-Kutta in the interaction picture, on a schedule.
//!
//! J. Hult, J. Lightwave Technol. 25, 3770 (2007). Slopes are in the frame of the middle of the
//! step, except the last, which is at the end and needs no turning.

use super::equation::Equation;
use super::fields::{Field, add, moved, product, quotient};
use super::stepper::{Attempt, Stepper};
use crate::fourier::Complex64;

/// The stepper; it has no error estimate.
#[derive(Default)]
pub struct Rk4ip {
    attempted: Option<Step>,
    accepted: Option<Step>,
}

/// One step: everything in the frame of its middle.
struct Step {
    h: f64,
    start: Field,
    slopes: [Field; 4],
}

impl Stepper for Rk4ip {
    fn restart(&mut self) {
        self.accepted = None;
    }

    fn attempt(&mut self, equation: &mut Equation, z: f64, start: &[Complex64], h: f64) -> Attempt {
        let half = equation.propagator(h / 2.0);
        let middle = product(&half, start);
        let k1 = product(&half, &equation.slope(z, start));
        let after = |weight: f64, slope: &Field| {
            let mut sum = middle.clone();
            add(&mut sum, h * weight, slope);
            sum
        };
        let k2 = equation.slope(z + h / 2.0, &after(0.5, &k1));
        let k3 = equation.slope(z + h / 2.0, &after(0.5, &k2));
        let k4 = equation.slope(z + h, &product(&half, &after(1.0, &k3)));
        let mut end = middle.clone();
        add(&mut end, h / 6.0, &k1);
        add(&mut end, h / 3.0, &k2);
        add(&mut end, h / 3.0, &k3);
        let mut state = product(&half, &end);
        add(&mut state, h / 6.0, &k4);
        self.attempted = Some(Step {
            h,
            start: middle,
            slopes: [k1, k2, k3, quotient(&k4, &half)],
        });
        Attempt {
            state,
            error: 0.0,
            order: 4,
        }
    }

    fn accept(&mut self) {
        self.accepted = self.attempted.take();
    }

    /// The continuous extension of order 3 of the classical method: E. Hairer, S. P. Nørsett and
    /// G. Wanner, Solving Ordinary Differential Equations I, section II.6.
    fn interpolate(&self, equation: &Equation, theta: f64) -> Option<Field> {
        let Step { h, start, slopes } = self.accepted.as_ref()?;
        let (square, cube) = (theta.powi(2), theta.powi(3));
        let weights = [
            theta - 3.0 / 2.0 * square + 2.0 / 3.0 * cube,
            square - 2.0 / 3.0 * cube,
            square - 2.0 / 3.0 * cube,
            -square / 2.0 + 2.0 / 3.0 * cube,
        ];
        let turn = equation.propagator((theta - 0.5) * h);
        Some(product(&turn, &moved(start, *h, &weights, slopes)))
    }
}
