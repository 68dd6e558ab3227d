//! Fibres: nonlinear coefficient, dispersion, loss, and the numbers that follow from them.

use std::f64::consts::FRAC_PI_2;

/// A single-mode fibre around one carrier.
#[derive(Clone, Debug, PartialEq)]
pub struct Fibre {
    /// Nonlinear coefficient, 1/(W m).
    pub gamma_per_w_m: f64,
    /// Taylor coefficients of the propagation constant from the second on: beta_2 in s²/m,
    /// beta_3 in s³/m, …
    pub dispersion: Vec<f64>,
    /// Power loss, 1/m.
    pub loss_per_m: f64,
}

impl Fibre {
    /// The photonic crystal fibre of J. M. Dudley, G. Genty and S. Coen, Rev. Mod. Phys. 78, 1135
    /// (2006), expanded at 835 nm; zero dispersion near 780 nm.
    pub fn dudley() -> Self {
        Fibre {
            gamma_per_w_m: 0.11,
            dispersion: vec![
                -1.1830e-26,
                8.1038e-41,
                -9.5205e-56,
                2.0737e-70,
                -5.3943e-85,
                1.3486e-99,
                -2.5495e-114,
                3.0524e-129,
                -1.7140e-144,
            ],
            loss_per_m: 0.0,
        }
    }

    /// `sum over k >= 2 of beta_k offset^k / k!` in rad/m, for an offset from the carrier in
    /// rad/s: the phase per metre in the frame that moves with the pulse.
    pub fn phase_per_m(&self, offset: f64) -> f64 {
        let mut factor = offset;
        let mut order = 1.0;
        let mut phase = 0.0;
        for beta in &self.dispersion {
            order += 1.0;
            factor *= offset / order;
            phase += beta * factor;
        }
        phase
    }

    /// beta_2 in s²/m; none for a fibre without dispersion.
    pub fn beta2(&self) -> Option<f64> {
        self.dispersion.first().copied()
    }
}

/// `tau² / |beta_2|` in metres.
pub fn dispersion_length_m(beta2: f64, tau_s: f64) -> f64 {
    tau_s * tau_s / beta2.abs()
}

/// `(pi / 2) tau² / |beta_2|` in metres: after it, a soliton of integer order is itself again.
pub fn soliton_period_m(beta2: f64, tau_s: f64) -> f64 {
    FRAC_PI_2 * dispersion_length_m(beta2, tau_s)
}

/// Peak power in watts of a sech pulse of order `order`; `gamma` is the coefficient that acts.
pub fn soliton_peak_power_w(order: f64, gamma: f64, beta2: f64, tau_s: f64) -> f64 {
    order * order / (gamma * dispersion_length_m(beta2, tau_s))
}

/// Order of a sech pulse; `gamma` is the coefficient that acts.
pub fn soliton_order(peak_power_w: f64, gamma: f64, beta2: f64, tau_s: f64) -> f64 {
    (gamma * peak_power_w * dispersion_length_m(beta2, tau_s)).sqrt()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::constants::angular_frequency;
    use crate::pulse::sech_tau_s;

    #[test]
    fn the_ideal_soliton_of_order_three_has_its_textbook_power_and_period() {
        let power = soliton_peak_power_w(3.0, 0.82 * 0.1, -1e-26, 280e-15);
        assert!((power - 13.9995).abs() < 5e-5, "{power}");
        let period = soliton_period_m(-1e-26, 280e-15);
        assert!((period - 12.315).abs() < 5e-4, "{period}");
        let order = soliton_order(power, 0.82 * 0.1, -1e-26, 280e-15);
        assert!((order - 3.0).abs() < 1e-14);
    }

    #[test]
    fn the_supercontinuum_pulse_is_a_soliton_of_order_eight_and_a_half() {
        let fibre = Fibre::dudley();
        let (tau, beta2) = (sech_tau_s(50e-15), fibre.beta2().unwrap());
        let order = soliton_order(1e4, fibre.gamma_per_w_m, beta2, tau);
        assert!((order - 8.6).abs() < 0.1, "{order}");
        assert!((dispersion_length_m(beta2, tau) - 0.068).abs() < 5e-4);
    }

    #[test]
    fn the_dudley_fibre_has_zero_dispersion_near_780_nm() {
        let fibre = Fibre::dudley();
        let w0 = angular_frequency(835e-9);
        let curvature = |wavelength: f64| {
            let (offset, step) = (angular_frequency(wavelength) - w0, 1e12);
            let phase = |x: f64| fibre.phase_per_m(x);
            (phase(offset + step) - 2.0 * phase(offset) + phase(offset - step)) / (step * step)
        };
        let mut ends = (760e-9, 800e-9);
        assert!(curvature(ends.0) > 0.0 && curvature(ends.1) < 0.0);
        for _ in 0..40 {
            let middle = 0.5 * (ends.0 + ends.1);
            if curvature(middle) > 0.0 {
                ends.0 = middle;
            } else {
                ends.1 = middle;
            }
        }
        assert!((ends.0 - 780e-9).abs() < 3e-9, "{}", ends.0);
    }

    #[test]
    fn the_phase_is_the_taylor_series_without_its_first_two_terms() {
        let fibre = Fibre {
            gamma_per_w_m: 1.0,
            dispersion: vec![2.0, 6.0, 24.0],
            loss_per_m: 0.0,
        };
        // 2 x²/2 + 6 x³/6 + 24 x⁴/24
        assert!((fibre.phase_per_m(3.0) - (9.0 + 27.0 + 81.0)).abs() < 1e-12);
        assert!((fibre.phase_per_m(-3.0) - (9.0 - 27.0 + 81.0)).abs() < 1e-12);
    }
}
