//! `multistep`: exponential Adams, predictor and corrector, with variable steps.
//!
//! The slopes of the last steps are interpolated by a polynomial `p(x) = sum_m a_m x^m` over the
//! fraction x of the step; the linear flow is exact:
//!
//! ```text
//! Y(z + h) = phi_0(h L) Y(z) + h sum_m m! phi_{m+1}(h L) a_m
//! ```
//!
//! The predictor interpolates the slopes known, the corrector also N at the predicted end. Their
//! difference is the error, and the corrected state is kept (local extrapolation). N is evaluated
//! once more where the next step starts, which is after the windows were applied: the difference
//! that they make would pass for an error of the next step. So a step takes two evaluations, and a
//! rejected one takes one.
//! M. Hochbruck and A. Ostermann, Acta Numerica 19, 209 (2010), sections 2.4 and 2.5.

use super::equation::Equation;
use super::fields::{Field, add, difference, norm};
use super::history::History;
use super::interpolation::basis;
use super::phi::{self, FACTORIALS, phi};
use super::stepper::{Attempt, Stepper};
use crate::fourier::Complex64;

/// Highest order of the predictor: the corrector then uses every phi function there is.
pub const ORDER_MAX: usize = phi::COUNT - 2;

/// The stepper.
pub struct Multistep {
    history: History,
    table: Option<Table>,
    attempted: Option<Step>,
    accepted: Option<Step>,
}

/// One step: where it began, the nodes of its corrector and the slopes there, the end last.
struct Step {
    h: f64,
    start: Field,
    nodes: Vec<f64>,
    slopes: Vec<Field>,
}

impl Multistep {
    /// A stepper whose predictor reaches `order`, from 1 to [`ORDER_MAX`].
    pub fn new(order: usize) -> Self {
        Multistep {
            history: History::new(order),
            table: None,
            attempted: None,
            accepted: None,
        }
    }
}

impl Stepper for Multistep {
    fn restart(&mut self) {
        self.history.clear();
        self.accepted = None;
    }

    fn attempt(&mut self, equation: &mut Equation, start: &[Complex64], h: f64) -> Attempt {
        if self.history.is_empty() {
            self.history.push(0.0, equation.slope(start));
        }
        let known = self.table.take().filter(|table| table.is_of(h));
        let table = known.unwrap_or_else(|| Table::new(equation.linear(), h));
        let mut nodes = self.history.nodes(h);
        let mut slopes: Vec<Field> = self.history.slopes().cloned().collect();
        let predicted = table.flow(start, &through(&nodes, &slopes));
        nodes.push(1.0);
        slopes.push(equation.slope(&predicted));
        let state = table.flow(start, &through(&nodes, &slopes));
        let error = norm(&difference(&state, &predicted));
        self.table = Some(table);
        self.attempted = Some(Step {
            h,
            start: start.to_vec(),
            nodes,
            slopes,
        });
        Attempt {
            state,
            error,
            order: self.history.order(),
        }
    }

    fn accept(&mut self) {
        self.accepted = self.attempted.take();
    }

    fn settle(&mut self, equation: &mut Equation, state: &[Complex64]) {
        if let Some(step) = &self.accepted {
            self.history.push(step.h, equation.slope(state));
        }
    }

    /// The flow over the first part of the step, with the polynomial of the corrector.
    fn interpolate(&self, equation: &Equation, theta: f64) -> Option<Field> {
        let step = self.accepted.as_ref()?;
        let shorter = |(power, mut coefficient): (i32, Field)| -> Field {
            let scale = theta.powi(power);
            coefficient.iter_mut().for_each(|value| *value *= scale);
            coefficient
        };
        let polynomial = (0..).zip(through(&step.nodes, &step.slopes));
        let polynomial: Vec<Field> = polynomial.map(shorter).collect();
        let table = Table::new(equation.linear(), theta * step.h);
        Some(table.flow(&step.start, &polynomial))
    }
}

/// Coefficients of the polynomial through the slopes at the nodes, by power.
fn through(nodes: &[f64], slopes: &[Field]) -> Vec<Field> {
    let basis = basis(nodes);
    let coefficient = |power: usize| {
        let mut sum = vec![Complex64::default(); slopes[0].len()];
        for (polynomial, slope) in basis.iter().zip(slopes) {
            add(&mut sum, polynomial[power], slope);
        }
        sum
    };
    (0..nodes.len()).map(coefficient).collect()
}

/// The phi functions of `h L`, for every frequency.
struct Table {
    h: f64,
    values: Vec<[Complex64; phi::COUNT]>,
}

impl Table {
    fn new(linear: &[Complex64], h: f64) -> Self {
        Table {
            h,
            values: linear.iter().map(|l| phi(l * h)).collect(),
        }
    }

    /// Whether it is the table of exactly this step.
    fn is_of(&self, h: f64) -> bool {
        self.h.to_bits() == h.to_bits()
    }

    /// The state after h, with the source that the polynomial gives.
    fn flow(&self, start: &[Complex64], polynomial: &[Field]) -> Field {
        let at = |(i, phi): (usize, &[Complex64; phi::COUNT])| {
            let term =
                |(m, coefficient): (usize, &Field)| FACTORIALS[m] * phi[m + 1] * coefficient[i];
            let source: Complex64 = polynomial.iter().enumerate().map(term).sum();
            phi[0] * start[i] + self.h * source
        };
        self.values.iter().enumerate().map(at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The solution of `y' = l y + z^power`, `y(0) = 1`, at `z`, by the series of its powers.
    fn solution(l: Complex64, power: i32, z: f64) -> Complex64 {
        let mut term = Complex64::new(z.powi(power + 1) / f64::from(power + 1), 0.0);
        let mut sum = (l * z).exp();
        for j in 1..60 {
            sum += term;
            term *= l * z / f64::from(power + 1 + j);
        }
        sum
    }

    #[test]
    fn a_polynomial_source_is_integrated_exactly() {
        let linear = [
            Complex64::default(),
            Complex64::new(0.0, 0.7),
            Complex64::new(-0.3, -4.0),
            Complex64::new(-0.1, 3.0),
        ];
        // Unequal steps before z = 0.9, then one of h = 0.6.
        let (places, z, h) = ([0.9, 0.5, 0.2, 0.1, 0.0], 0.9, 0.6);
        let nodes: Vec<f64> = places.iter().map(|place| (place - z) / h).collect();
        let table = Table::new(&linear, h);
        for power in 0..5 {
            let slope = |place: &f64| vec![Complex64::new(place.powi(power), 0.0); linear.len()];
            let slopes: Vec<Field> = places.iter().map(slope).collect();
            let start: Field = linear.iter().map(|l| solution(*l, power, z)).collect();
            let end = table.flow(&start, &through(&nodes, &slopes));
            for (l, end) in linear.iter().zip(end) {
                let error = (end - solution(*l, power, z + h)).norm();
                assert!(error < 1e-12, "z^{power}, {l}: {error:e}");
            }
        }
    }
}
