//! Dormand-Prince 5(4) in the interaction picture, first same as last.
//!
//! J. R. Dormand and P. J. Prince, J. Comput. Appl. Math. 6, 19 (1980). Slopes are in the frame of
//! the start of the step, `k_i = e^{-L c_i h} N(e^{L c_i h} Y_i)`. The solution of order 5 is
//! propagated. Its slope is that of the next start, although windows may act in between.

use super::equation::Equation;
use super::fields::{Field, difference, moved, norm, product, quotient};
use super::stepper::{Attempt, Stepper};
use crate::fourier::Complex64;

const STAGES: usize = 7;

const NODES: [f64; STAGES] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

/// Row i leads to stage i. The last is also the solution of order 5.
pub(crate) const ROWS: [[f64; STAGES - 1]; STAGES] = [
    [0.0; 6],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
        0.0,
        0.0,
    ],
    [
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
        0.0,
    ],
    [
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];

/// Weights of order 4.
const EMBEDDED: [f64; STAGES] = [
    5179.0 / 57600.0,
    0.0,
    7571.0 / 16695.0,
    393.0 / 640.0,
    -92097.0 / 339200.0,
    187.0 / 2100.0,
    1.0 / 40.0,
];

/// Of the continuous extension of order 4 of the code DOPRI5: E. Hairer, S. P. Nørsett and
/// G. Wanner, Solving Ordinary Differential Equations I, section II.6.
const DENSE: [f64; STAGES] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// The stepper.
#[derive(Default)]
pub struct DormandPrince {
    /// N at the start of the next attempt, known from the end of the last accepted step or from a
    /// rejected attempt.
    first: Option<Field>,
    attempted: Option<Step>,
    accepted: Option<Step>,
}

/// One step, in the frame of its start.
struct Step {
    h: f64,
    start: Field,
    end: Field,
    slopes: Vec<Field>,
    /// N at the end, in the frame of the end.
    last: Field,
}

impl Stepper for DormandPrince {
    fn restart(&mut self) {
        self.first = None;
        self.accepted = None;
    }

    fn attempt(&mut self, equation: &mut Equation, z: f64, start: &[Complex64], h: f64) -> Attempt {
        let first = match self.first.take() {
            Some(known) => known,
            None => equation.slope(z, start),
        };
        self.first = Some(first.clone());
        let mut step = Step {
            h,
            start: start.to_vec(),
            end: Field::new(),
            slopes: vec![first],
            last: Field::new(),
        };
        let mut state = Field::new();
        let mut turn = Field::new();
        for stage in 1..STAGES {
            // The last two stages are both at the end.
            if stage + 1 < STAGES {
                turn = equation.propagator(NODES[stage] * h);
            }
            step.end = moved(start, h, &ROWS[stage], &step.slopes);
            state = product(&turn, &step.end);
            step.last = equation.slope(z + NODES[stage] * h, &state);
            step.slopes.push(quotient(&step.last, &turn));
        }
        let nothing = vec![Complex64::default(); start.len()];
        let error = moved(&nothing, h, &error_weights(), &step.slopes);
        let error = product(&turn, &error);
        self.attempted = Some(step);
        Attempt {
            state,
            error: norm(&error),
            order: 4,
        }
    }

    fn accept(&mut self) {
        self.accepted = self.attempted.take();
        self.first = self.accepted.as_ref().map(|step| step.last.clone());
    }

    fn interpolate(&self, equation: &Equation, theta: f64) -> Option<Field> {
        let step = self.accepted.as_ref()?;
        let (h, rest) = (step.h, 1.0 - theta);
        let nothing = vec![Complex64::default(); step.start.len()];
        let first = &step.slopes[0];
        let last = &step.slopes[STAGES - 1];
        let rise = difference(&step.end, &step.start);
        let fourth = moved(&nothing, h, &DENSE, &step.slopes);
        let at = |i: usize| {
            let second = h * first[i] - rise[i];
            let third = rise[i] - h * last[i] - second;
            let inner = second + theta * (third + rest * fourth[i]);
            step.start[i] + theta * (rise[i] + rest * inner)
        };
        let inner: Field = (0..step.start.len()).map(at).collect();
        Some(product(&equation.propagator(theta * h), &inner))
    }
}

/// Weights of order 5 minus those of order 4.
pub(crate) fn error_weights() -> [f64; STAGES] {
    let solution = ROWS[STAGES - 1].iter().chain(&[0.0]);
    let mut weights = EMBEDDED.map(|weight| -weight);
    for (weight, solution) in weights.iter_mut().zip(solution) {
        *weight += solution;
    }
    weights
}
