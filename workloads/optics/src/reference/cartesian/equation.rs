//! `dY/dz = L Y - i (strength / k_z) F{ T kerr E³ }` for every plane wave.

use super::cube::Cube;
use crate::cartesian::Problem;
use crate::fourier::Complex64;
use crate::reference::equation::Model;
use crate::reference::fields::Field;

/// The equation of one problem.
pub struct Cartesian {
    problem: Problem,
    /// L of each value of the state, 1/m.
    linear: Field,
    /// What F{T P} is multiplied by, for each value.
    source: Field,
}

impl Cartesian {
    /// The equation of a problem whose arrays have been checked.
    pub fn new(problem: &Problem) -> Self {
        let mut linear = Field::with_capacity(problem.state_len());
        let mut source = Field::with_capacity(problem.state_len());
        for bin in 0..problem.bins() {
            let (omega, whole) = (problem.omega[bin], problem.wavenumber[bin]);
            let frame = problem.frame_s_per_m * omega;
            for k_y in &problem.k_y {
                for k_x in &problem.k_x {
                    let square = whole * whole - k_x * k_x - k_y * k_y;
                    let size = square.abs().sqrt();
                    if square > 0.0 {
                        linear.push(Complex64::new(0.0, -(size - frame)));
                        let along = size.max(problem.grazing * whole);
                        source.push(Complex64::new(0.0, -problem.strength[bin] / along));
                    } else {
                        let decay = size.min(problem.evanescent_max_per_m);
                        linear.push(Complex64::new(-decay, frame));
                        source.push(Complex64::default());
                    }
                }
            }
        }
        Cartesian {
            problem: problem.clone(),
            linear,
            source,
        }
    }
}

impl Model for Cartesian {
    fn linear(&self) -> &[Complex64] {
        &self.linear
    }

    fn source(&self, _z_m: f64, state: &[Complex64]) -> Result<Field, String> {
        let problem = &self.problem;
        let mut field = Cube::field(problem, problem.fine_points, state);
        let columns = problem.columns();
        for (i, value) in field.values.iter_mut().enumerate() {
            let windows = problem.windows.as_ref();
            let window = windows.map_or(1.0, |windows| windows.fine[i / columns]);
            *value = (window * problem.kerr * value.re.powi(3)).into();
        }
        let polarised = field.state(problem);
        let pairs = self.source.iter().zip(polarised);
        Ok(pairs.map(|(factor, value)| factor * value).collect())
    }

    fn transforms(&self) -> String {
        let problem = &self.problem;
        let (high, wide) = (problem.k_y.len(), problem.k_x.len());
        format!(
            "rustfft complex forward {0} x {high} x {wide}\nrustfft complex inverse {0} x {high} x \
             {wide}\n",
            problem.fine_points
        )
    }
}
