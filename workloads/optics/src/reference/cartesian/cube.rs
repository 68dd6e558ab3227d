//! A field at all samples of a plane and of time.

use rustfft::FftPlanner;

use crate::cartesian::Problem;
use crate::fourier::Complex64;

/// Values in the order of the state: time slowest, then y, then x.
pub struct Cube {
    pub values: Vec<Complex64>,
    /// Samples in time, along y and along x.
    sizes: [usize; 3],
}

impl Cube {
    /// The real field of a state at so many samples in time, which are not fewer than its own.
    pub fn field(problem: &Problem, samples: usize, state: &[Complex64]) -> Self {
        let mut cube = Cube::analytic_on(problem, samples, state);
        // Twice the real part of one sign of the frequency is the field; the analytic signal has
        // the factor 2 already.
        for value in &mut cube.values {
            value.im = 0.0;
        }
        cube
    }

    /// The analytic signal of a state at its own samples.
    pub fn analytic(problem: &Problem, state: &[Complex64]) -> Self {
        Cube::analytic_on(problem, problem.points, state)
    }

    fn analytic_on(problem: &Problem, samples: usize, state: &[Complex64]) -> Self {
        let columns = problem.columns();
        let mut values = vec![Complex64::default(); samples * columns];
        let first = problem.first_bin * columns;
        // The inverse divides by the samples of the grid that the state is of.
        let scale = 2.0 / (problem.points * columns) as f64;
        for (place, value) in values[first..].iter_mut().zip(state) {
            *place = scale * value;
        }
        let mut cube = Cube {
            values,
            sizes: [samples, problem.k_y.len(), problem.k_x.len()],
        };
        cube.transform(rustfft::FftDirection::Inverse);
        cube
    }

    /// The state of what is at these samples.
    pub fn state(mut self, problem: &Problem) -> Vec<Complex64> {
        self.transform(rustfft::FftDirection::Forward);
        let columns = problem.columns();
        let first = problem.first_bin * columns;
        let scale = problem.points as f64 / self.sizes[0] as f64;
        let kept = &self.values[first..first + problem.state_len()];
        kept.iter().map(|value| scale * value).collect()
    }

    /// Unnormalised, along each axis in turn.
    fn transform(&mut self, direction: rustfft::FftDirection) {
        let [times, high, wide] = self.sizes;
        let strides = [high * wide, wide, 1];
        for (axis, (length, stride)) in [times, high, wide].into_iter().zip(strides).enumerate() {
            let plan = FftPlanner::new().plan_fft(length, direction);
            let mut line = vec![Complex64::default(); length];
            let lines = self.values.len() / length;
            for number in 0..lines {
                let begin = match axis {
                    0 => number,
                    1 => number / wide * (high * wide) + number % wide,
                    _ => number * wide,
                };
                for (k, value) in line.iter_mut().enumerate() {
                    *value = self.values[begin + k * stride];
                }
                plan.process(&mut line);
                for (k, value) in line.iter().enumerate() {
                    self.values[begin + k * stride] = *value;
                }
            }
        }
    }
}
