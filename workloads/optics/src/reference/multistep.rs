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
//! difference, or a multiple of it ([`Estimate`]), is the error, and the corrected state is kept
//! (local extrapolation). N is evaluated once more where the next step starts, which is after the
//! windows were applied: the difference that they make would pass for an error of the next step. So
//! a step takes two evaluations, and a rejected one takes one.
//! M. Hochbruck and A. Ostermann, Acta Numerica 19, 209 (2010), sections 2.4 and 2.5.
//!
//! The source of a real field turns with the carrier, which a polynomial would have to follow.
//! Where the equation names such a rate K(w), all of this is done for `e^{-K x h} Y`: its linear
//! operator is L - K, its slope `e^{-K x h} N`, and its solution the same. K is that of the step,
//! for the slopes behind it too.

use super::equation::Equation;
use super::estimate::Estimate;
use super::fields::{Field, add, difference, norm};
use super::frame::turned;
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
    estimate: Estimate,
    table: Option<Table>,
    attempted: Option<Step>,
    accepted: Option<Step>,
}

/// One step: where it began, the nodes of its corrector and the slopes there in the frame of the
/// table, the end last.
struct Step {
    h: f64,
    start: Field,
    nodes: Vec<f64>,
    slopes: Vec<Field>,
}

impl Multistep {
    /// A stepper whose predictor reaches `order`, from 1 to [`ORDER_MAX`].
    pub fn new(order: usize, estimate: Estimate) -> Self {
        Multistep {
            history: History::new(order),
            estimate,
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

    fn attempt(&mut self, equation: &mut Equation, z: f64, start: &[Complex64], h: f64) -> Attempt {
        if self.history.is_empty() {
            self.history.push(0.0, equation.slope(z, start));
        }
        let known = self.table.take().filter(|table| table.is_of(equation, h));
        let table = known.unwrap_or_else(|| Table::new(equation, h));
        let mut nodes = self.history.nodes(h);
        let behind = nodes.iter().zip(self.history.slopes());
        let mut slopes: Vec<Field> = behind.map(|(x, slope)| table.seen(*x, slope)).collect();
        let predicted = table.flow(start, &through(&nodes, &slopes));
        nodes.push(1.0);
        slopes.push(table.seen(1.0, &equation.slope(z + h, &predicted)));
        let state = table.flow(start, &through(&nodes, &slopes));
        let error = self.estimate.multiple(&nodes) * norm(&difference(&state, &predicted));
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

    fn settle(&mut self, equation: &mut Equation, z: f64, state: &[Complex64]) {
        if let Some(step) = &self.accepted {
            self.history.push(step.h, equation.slope(z, state));
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
        let table = Table::new(equation, theta * step.h);
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

/// The phi functions of `h (L - K)` for every frequency, and K.
struct Table {
    h: f64,
    /// The place that L is of, where it changes along the guide.
    place_m: Option<f64>,
    /// None for K = 0.
    shift: Option<Field>,
    values: Vec<[Complex64; phi::COUNT]>,
}

impl Table {
    fn new(equation: &Equation, h: f64) -> Self {
        let linear = equation.linear();
        let shift = equation.shift();
        let rates = match &shift {
            Some(shift) => difference(linear, shift),
            None => linear.to_vec(),
        };
        Table {
            h,
            place_m: equation.place_m(),
            shift,
            values: rates.iter().map(|rate| phi(rate * h)).collect(),
        }
    }

    /// Whether it is the table of exactly this step.
    fn is_of(&self, equation: &Equation, h: f64) -> bool {
        let place = |place_m: Option<f64>| place_m.map(f64::to_bits);
        self.h.to_bits() == h.to_bits() && place(self.place_m) == place(equation.place_m())
    }

    /// A slope at the fraction `x` of the step, in the frame.
    fn seen(&self, x: f64, slope: &[Complex64]) -> Field {
        match &self.shift {
            Some(shift) => turned(shift, -x * self.h, slope),
            None => slope.to_vec(),
        }
    }

    /// The state after h, with the source that the polynomial gives.
    fn flow(&self, start: &[Complex64], polynomial: &[Field]) -> Field {
        let at = |(i, phi): (usize, &[Complex64; phi::COUNT])| {
            let term =
                |(m, coefficient): (usize, &Field)| FACTORIALS[m] * phi[m + 1] * coefficient[i];
            let source: Complex64 = polynomial.iter().enumerate().map(term).sum();
            phi[0] * start[i] + self.h * source
        };
        let end: Field = self.values.iter().enumerate().map(at).collect();
        match &self.shift {
            Some(shift) => turned(shift, self.h, &end),
            None => end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::equation::Model;
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

    /// Rates alone: no source.
    struct Rates {
        linear: Field,
        shift: Option<Field>,
    }

    impl Model for Rates {
        fn linear(&self) -> &[Complex64] {
            &self.linear
        }

        fn shift(&self) -> Option<Field> {
            self.shift.clone()
        }

        fn source(&self, _z_m: f64, state: &[Complex64]) -> Result<Field, String> {
            Ok(vec![Complex64::default(); state.len()])
        }

        fn transforms(&self) -> String {
            String::new()
        }
    }

    fn linear() -> Field {
        vec![
            Complex64::default(),
            Complex64::new(0.0, 0.7),
            Complex64::new(-0.3, -4.0),
            Complex64::new(-0.1, 3.0),
        ]
    }

    /// Unequal steps before z = 0.9, then one of h = 0.6.
    const PLACES: [f64; 5] = [0.9, 0.5, 0.2, 0.1, 0.0];
    const Z: f64 = 0.9;
    const H: f64 = 0.6;

    #[test]
    fn a_polynomial_source_is_integrated_exactly() {
        let linear = linear();
        let nodes: Vec<f64> = PLACES.iter().map(|place| (place - Z) / H).collect();
        let rates = Rates {
            linear: linear.clone(),
            shift: None,
        };
        let table = Table::new(&Equation::new(rates), H);
        for power in 0..5 {
            let slope = |place: &f64| vec![Complex64::new(place.powi(power), 0.0); linear.len()];
            let slopes: Vec<Field> = PLACES.iter().map(slope).collect();
            let start: Field = linear.iter().map(|l| solution(*l, power, Z)).collect();
            let end = table.flow(&start, &through(&nodes, &slopes));
            for (l, end) in linear.iter().zip(end) {
                let error = (end - solution(*l, power, Z + H)).norm();
                assert!(error < 1e-12, "z^{power}, {l}: {error:e}");
            }
        }
    }

    #[test]
    fn a_polynomial_that_turns_by_the_shift_is_integrated_exactly() {
        let linear = linear();
        let nodes: Vec<f64> = PLACES.iter().map(|place| (place - Z) / H).collect();
        let turn = |k: i32| Complex64::new(-0.05, f64::from(2 * k));
        let shift: Field = (0..4).map(turn).collect();
        let rates = Rates {
            linear: linear.clone(),
            shift: Some(shift.clone()),
        };
        let table = Table::new(&Equation::new(rates), H);
        for power in 0..5 {
            // y = e^{K z} v has the slope e^{K z} z^power where v has z^power.
            let outside = |z: f64, values: &[Complex64]| turned(&shift, z, values);
            let slope = |(x, place): (&f64, &f64)| {
                let plain = vec![Complex64::new(place.powi(power), 0.0); linear.len()];
                table.seen(*x, &outside(*place, &plain))
            };
            let slopes: Vec<Field> = nodes.iter().zip(&PLACES).map(slope).collect();
            let exact = |z: f64| -> Field {
                let rates = difference(&linear, &shift);
                let v: Field = rates.iter().map(|l| solution(*l, power, z)).collect();
                outside(z, &v)
            };
            let end = table.flow(&exact(Z), &through(&nodes, &slopes));
            let error = norm(&difference(&end, &exact(Z + H)));
            assert!(error < 1e-9, "z^{power}: {error:e}");
        }
    }
}
