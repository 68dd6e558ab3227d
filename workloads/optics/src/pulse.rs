//! Shapes of launched pulses.

use std::f64::consts::{LN_2, SQRT_2};

use serde::Deserialize;

/// Shape of the power over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Power `sech²(t / tau)`.
    Sech,
    /// Power `exp(-t² / tau²)`.
    Gauss,
}

/// `tau` of a sech² pulse from its full width at half maximum, both in seconds.
pub fn sech_tau_s(fwhm_s: f64) -> f64 {
    fwhm_s / (2.0 * (1.0 + SQRT_2).ln())
}

/// `tau` of a Gaussian pulse from its full width at half maximum, both in seconds.
pub fn gauss_tau_s(fwhm_s: f64) -> f64 {
    fwhm_s / (2.0 * LN_2.sqrt())
}

/// A transform-limited pulse centred at t = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pulse {
    /// Shape.
    pub shape: Shape,
    /// Duration parameter of the shape, s.
    pub tau_s: f64,
    /// Power at t = 0, W.
    pub peak_power_w: f64,
}

impl Pulse {
    /// The amplitude at time `t` in √W, real: its square is the power.
    pub fn amplitude(&self, t: f64) -> f64 {
        let x = t / self.tau_s;
        let relative = match self.shape {
            Shape::Sech => 1.0 / x.cosh(),
            Shape::Gauss => (-0.5 * x * x).exp(),
        };
        self.peak_power_w.sqrt() * relative
    }

    /// Full width at half maximum of the power, s.
    pub fn fwhm_s(&self) -> f64 {
        self.tau_s / self.shape.tau_s(1.0)
    }

    /// Energy in joules of the pulse on an infinite time axis.
    pub fn energy_j(&self) -> f64 {
        let relative = match self.shape {
            Shape::Sech => 2.0,
            Shape::Gauss => std::f64::consts::PI.sqrt(),
        };
        relative * self.tau_s * self.peak_power_w
    }
}

impl Shape {
    /// The duration parameter from the full width at half maximum of the power, in seconds.
    pub fn tau_s(self, fwhm_s: f64) -> f64 {
        match self {
            Shape::Sech => sech_tau_s(fwhm_s),
            Shape::Gauss => gauss_tau_s(fwhm_s),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fourier::{Complex64, forward};

    #[test]
    fn the_power_is_half_at_half_the_full_width() {
        for shape in [Shape::Sech, Shape::Gauss] {
            let pulse = Pulse {
                shape,
                tau_s: shape.tau_s(50e-15),
                peak_power_w: 1e4,
            };
            let half = pulse.amplitude(25e-15).powi(2);
            assert!((half / 5e3 - 1.0).abs() < 1e-12, "{shape:?}");
            assert!((pulse.amplitude(0.0).powi(2) / 1e4 - 1.0).abs() < 1e-12);
            assert!((pulse.fwhm_s() / 50e-15 - 1.0).abs() < 1e-12, "{shape:?}");
        }
    }

    #[test]
    fn a_sech_pulse_of_50_fs_has_a_tau_of_28_4_fs() {
        assert!((sech_tau_s(50e-15) - 28.365e-15).abs() < 5e-18);
    }

    #[test]
    fn time_and_frequency_sums_give_the_analytic_energy() {
        let (points, dt) = (4096, 1e-15);
        for shape in [Shape::Sech, Shape::Gauss] {
            let pulse = Pulse {
                shape,
                tau_s: shape.tau_s(50e-15),
                peak_power_w: 1e4,
            };
            let mut field: Vec<Complex64> = (0..points)
                .map(|j| pulse.amplitude((f64::from(j) - 2048.0) * dt).into())
                .collect();
            let time: f64 = dt * field.iter().map(Complex64::norm_sqr).sum::<f64>();
            forward(&mut field);
            let sum: f64 = field.iter().map(Complex64::norm_sqr).sum();
            let frequency = dt / f64::from(points) * sum;
            assert!((time / pulse.energy_j() - 1.0).abs() < 1e-10);
            assert!((frequency / time - 1.0).abs() < 1e-10);
        }
    }
}
