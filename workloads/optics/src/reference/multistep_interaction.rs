//! `multistep-interaction`: Adams with variable steps in the interaction picture.
//!
//! As `multistep`, but what is interpolated is the slope in a frame that moves with the linear
//! flow: `e^{-L x h} N` at the fraction x of the step. The weights are then plain numbers, the
//! integrals of the Lagrange basis. L is that of the step, for the slopes behind it too.
//! J. D. Lawson, SIAM J. Numer. Anal. 4, 372 (1967); E. Hairer, S. P. Nørsett and G. Wanner,
//! Solving Ordinary Differential Equations I, section III.5.

use super::equation::Equation;
use super::estimate::Estimate;
use super::fields::{Field, add, difference, norm, product, quotient};
use super::frame::turned;
use super::history::History;
use super::interpolation::{basis, integral};
use super::stepper::{Attempt, Stepper};
use crate::fourier::Complex64;

/// The stepper.
pub struct MultistepInteraction {
    history: History,
    estimate: Estimate,
    attempted: Option<Step>,
    accepted: Option<Step>,
}

impl MultistepInteraction {
    /// A stepper whose predictor reaches `order`, at least 1.
    pub fn new(order: usize, estimate: Estimate) -> Self {
        MultistepInteraction {
            history: History::new(order),
            estimate,
            attempted: None,
            accepted: None,
        }
    }
}

/// One step, in the frame of its start: the nodes of the corrector and the slopes there.
struct Step {
    h: f64,
    start: Field,
    nodes: Vec<f64>,
    slopes: Vec<Field>,
}

impl Step {
    /// The state at the fraction `theta` of the step, in the frame of its start.
    fn at(&self, theta: f64) -> Field {
        adams(&self.start, self.h, theta, &self.nodes, &self.slopes)
    }
}

impl Stepper for MultistepInteraction {
    fn restart(&mut self) {
        self.history.clear();
        self.accepted = None;
    }

    fn attempt(&mut self, equation: &mut Equation, z: f64, start: &[Complex64], h: f64) -> Attempt {
        if self.history.is_empty() {
            self.history.push(0.0, equation.slope(z, start));
        }
        let nodes = self.history.nodes(h);
        let linear = equation.linear();
        let behind = nodes.iter().zip(self.history.slopes());
        let slopes = behind.map(|(x, slope)| turned(linear, -x * h, slope));
        let slopes = slopes.collect();
        let mut step = Step {
            h,
            start: start.to_vec(),
            nodes,
            slopes,
        };
        let turn = equation.propagator(h);
        let predicted = product(&turn, &step.at(1.0));
        let at_predicted = equation.slope(z + h, &predicted);
        step.nodes.push(1.0);
        step.slopes.push(quotient(&at_predicted, &turn));
        let state = product(&turn, &step.at(1.0));
        let multiple = self.estimate.multiple(&step.nodes);
        let error = multiple * norm(&difference(&state, &predicted));
        self.attempted = Some(step);
        Attempt {
            state,
            error,
            order: self.history.order(),
        }
    }

    fn accept(&mut self) {
        self.accepted = self.attempted.take();
    }

    fn settle(&mut self, equation: &mut Equation, z: f64, state: &[Complex64]) {
        if let Some(step) = &self.accepted {
            self.history.push(step.h, equation.slope(z, state));
        }
    }

    fn interpolate(&self, equation: &Equation, theta: f64) -> Option<Field> {
        let step = self.accepted.as_ref()?;
        Some(product(
            &equation.propagator(theta * step.h),
            &step.at(theta),
        ))
    }
}

/// `start` plus the integral, over the fraction `theta` of a step of `h`, of the polynomial
/// through the slopes at the nodes.
fn adams(start: &[Complex64], h: f64, theta: f64, nodes: &[f64], slopes: &[Field]) -> Field {
    let mut sum = start.to_vec();
    for (polynomial, slope) in basis(nodes).iter().zip(slopes) {
        add(&mut sum, h * integral(polynomial, theta), slope);
    }
    sum
}
