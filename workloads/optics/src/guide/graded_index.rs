//! A graded-index fibre: the radial Laguerre-Gauss modes of an unbounded parabolic profile.
//!
//! `n²(r) = n1² (1 - 2 D r² / a²)`, with `2 D = NA² / n1²` at the carrier. The modes without
//! angular dependence are
//!
//! ```text
//! F_p(r) = sqrt(2/pi) / w L_p(2 r²/w²) exp(-r²/w²),   w² = 2 a / (k n1 sqrt(2 D))
//! beta_p² = (k n1)² - 2 (2 p + 1) k n1 sqrt(2 D) / a
//! ```
//!
//! (A. W. Snyder and J. D. Love, Optical Waveguide Theory, chapter 14). Their shapes are those at
//! the carrier for every frequency.

use std::f64::consts::{FRAC_2_PI, PI};

use crate::constants::SPEED_OF_LIGHT;
use crate::quadrature::{Rule, laguerre, laguerre_polynomial};

/// A fibre at one carrier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradedIndex {
    /// a, m.
    pub core_radius_m: f64,
    /// sqrt(2 D).
    pub gradient: f64,
    /// w, m.
    pub waist_m: f64,
}

impl GradedIndex {
    /// The fibre with this index on its axis at the carrier.
    pub fn new(core_radius_m: f64, numerical_aperture: f64, index: f64, carrier: f64) -> Self {
        let gradient = numerical_aperture / index;
        let k = carrier / SPEED_OF_LIGHT;
        GradedIndex {
            core_radius_m,
            gradient,
            waist_m: (2.0 * core_radius_m / (k * index * gradient)).sqrt(),
        }
    }

    /// beta_p in rad/m at an angular frequency in rad/s at which the axis has this index; none
    /// where the mode is not guided.
    pub fn beta(&self, mode: usize, omega: f64, index: f64) -> Option<f64> {
        let wave = omega / SPEED_OF_LIGHT * index;
        let order = 2.0 * mode as f64 + 1.0;
        let square = wave * wave - 2.0 * order * wave * self.gradient / self.core_radius_m;
        (square > 0.0).then(|| square.sqrt())
    }

    /// The derivative of beta_0 over the angular frequency, s/m, where the index on the axis has
    /// this value and this derivative in s; none where the mode is not guided.
    pub fn beta_slope(&self, omega: f64, index: f64, index_slope: f64) -> Option<f64> {
        let beta = self.beta(0, omega, index)?;
        let wave = omega / SPEED_OF_LIGHT * index;
        let wave_slope = (index + omega * index_slope) / SPEED_OF_LIGHT;
        Some((wave - self.gradient / self.core_radius_m) * wave_slope / beta)
    }

    /// F_p at a radius in m, in 1/m: the integral of F_p F_q over the cross-section is 1 or 0.
    pub fn field(&self, mode: usize, radius_m: f64) -> f64 {
        let x = 2.0 * (radius_m / self.waist_m).powi(2);
        FRAC_2_PI.sqrt() / self.waist_m * laguerre_polynomial(mode, x) * (-0.5 * x).exp()
    }

    /// Radii in m, and weights in m² with which a sum over them integrates the product of four
    /// fields over the cross-section: exactly for modes up to `(nodes - 1) / 2`.
    pub fn rule(&self, nodes: usize) -> Option<Rule> {
        // With y = 4 r²/w², four fields are a polynomial times exp(-y), and dS = pi w²/4 dy.
        let Rule { nodes, weights } = laguerre(nodes)?;
        let area = 0.25 * PI * self.waist_m * self.waist_m;
        let weights = nodes.iter().zip(&weights);
        let weights = weights.map(|(y, weight)| area * weight * y.exp()).collect();
        let radii = nodes.iter().map(|y| 0.5 * self.waist_m * y.sqrt());
        Some(Rule {
            nodes: radii.collect(),
            weights,
        })
    }

    /// Most modes whose fourfold products a rule of so many nodes integrates exactly.
    pub fn modes_max(nodes: usize) -> usize {
        nodes.div_ceil(2)
    }

    /// The amplitude of mode p over that of a Gaussian beam `exp(-r² / waist²)` on the axis; its
    /// square is the part of the power.
    pub fn gauss_coupling(&self, mode: usize, waist_m: f64) -> f64 {
        let (beam, own) = (waist_m * waist_m, self.waist_m * self.waist_m);
        let fundamental = 2.0 * waist_m * self.waist_m / (beam + own);
        let ratio = (own - beam) / (own + beam);
        (0..mode).fold(fundamental, |amplitude, _| amplitude * ratio)
    }

    /// Length in m after which the modes are in phase again, to first order in `D`.
    pub fn self_imaging_m(&self) -> f64 {
        PI * self.core_radius_m / self.gradient
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::constants::angular_frequency;

    /// The fibre of `grin_nonlinear` at 1550 nm: index on the axis 1.45781.
    fn fibre() -> GradedIndex {
        GradedIndex::new(25e-6, 0.2, 1.457_81, angular_frequency(1550e-9))
    }

    #[test]
    fn waist_gradient_and_period_are_those_of_the_case() {
        let fibre = fibre();
        assert!(
            (fibre.waist_m - 7.853e-6).abs() < 1e-9,
            "{:e}",
            fibre.waist_m
        );
        let contrast = fibre.gradient * fibre.gradient / 2.0;
        assert!((contrast - 0.009_411).abs() < 1e-6, "{contrast}");
        let period = fibre.self_imaging_m();
        assert!((period - 0.572e-3).abs() < 1e-6, "{period:e}");
    }

    #[test]
    fn neighbouring_modes_beat_with_the_period_of_self_imaging() {
        let (fibre, omega) = (fibre(), angular_frequency(1550e-9));
        let beta = |mode| fibre.beta(mode, omega, 1.457_81).unwrap();
        let spacing = beta(0) - beta(1);
        assert!((spacing / 10_975.0 - 1.0).abs() < 0.01, "{spacing}");
        let period = 2.0 * PI / spacing;
        assert!((period / fibre.self_imaging_m() - 1.0).abs() < 0.01);
        assert_eq!(fibre.beta(0, 1e9, 1.457_81), None);
    }

    #[test]
    fn the_slope_of_the_propagation_constant_is_its_derivative() {
        let (fibre, omega) = (fibre(), angular_frequency(1550e-9));
        let index = |w: f64| 1.457_81 + 0.02 * (w / omega - 1.0);
        let h = 1e-5 * omega;
        let beta = |w: f64| fibre.beta(0, w, index(w)).unwrap();
        let difference = (beta(omega + h) - beta(omega - h)) / (2.0 * h);
        let slope = fibre.beta_slope(omega, 1.457_81, 0.02 / omega).unwrap();
        assert!((slope / difference - 1.0).abs() < 1e-9, "{slope:e}");
    }

    #[test]
    fn the_modes_are_orthonormal() {
        let fibre = fibre();
        let rule = crate::quadrature::legendre(200, 0.0, 60e-6).unwrap();
        for p in 0..4 {
            for q in 0..4 {
                let both = |r: f64| 2.0 * PI * r * fibre.field(p, r) * fibre.field(q, r);
                let expected = f64::from(u8::from(p == q));
                assert!((rule.integrate(both) - expected).abs() < 1e-10, "{p} {q}");
            }
        }
    }

    #[test]
    fn the_overlaps_of_four_modes_are_the_known_fractions() {
        // Integrals of e^{-y} times Laguerre polynomials of y/2, over pi w²: with unit fields the
        // fundamental mode has 1/(pi w²), as a Gaussian beam must.
        let fibre = fibre();
        let rule = fibre.rule(8).unwrap();
        let unit = PI * fibre.waist_m * fibre.waist_m;
        for ([p, q, r, s], expected) in [
            ([0, 0, 0, 0], 1.0),
            ([0, 0, 0, 1], 0.5),
            ([0, 0, 1, 1], 0.5),
            ([1, 1, 1, 1], 0.5),
            ([2, 2, 2, 2], 0.343_75),
            ([3, 3, 3, 3], 0.265_625),
            ([0, 1, 2, 3], 0.187_5),
            ([0, 0, 2, 2], 0.375),
        ] {
            let four = |x: f64| -> f64 { [p, q, r, s].map(|m| fibre.field(m, x)).iter().product() };
            let found = unit * rule.integrate(four);
            assert!((found - expected).abs() < 1e-12, "{p}{q}{r}{s}: {found}");
        }
    }

    #[test]
    fn seven_nodes_are_enough_for_four_modes_and_six_are_not() {
        let fibre = fibre();
        let overlap = |nodes: usize| {
            let rule = fibre.rule(nodes).unwrap();
            rule.integrate(|r| fibre.field(3, r).powi(4))
        };
        let exact = overlap(16);
        assert!((overlap(7) / exact - 1.0).abs() < 1e-12);
        assert!((overlap(6) / exact - 1.0).abs() > 1e-6);
        assert_eq!([6, 7, 8].map(GradedIndex::modes_max), [3, 4, 4]);
    }

    #[test]
    fn a_gaussian_launch_is_shared_as_the_closed_form_says() {
        let fibre = fibre();
        let parts: Vec<f64> = (0..4)
            .map(|p| fibre.gauss_coupling(p, 12e-6).powi(2))
            .collect();
        for (part, expected) in parts.iter().zip([0.8398, 0.1346, 0.0216, 0.0035]) {
            assert!((part - expected).abs() < 5e-5, "{parts:?}");
        }
        assert!((parts.iter().sum::<f64>() - 0.9993).abs() < 1e-4);
    }

    #[test]
    fn the_closed_form_is_the_overlap_with_its_sign() {
        let fibre = fibre();
        let rule = crate::quadrature::legendre(200, 0.0, 80e-6).unwrap();
        for waist_m in [5e-6_f64, 12e-6] {
            let beam = |r: f64| (2.0 / PI).sqrt() / waist_m * (-(r / waist_m).powi(2)).exp();
            for p in 0..4 {
                let found = rule.integrate(|r| 2.0 * PI * r * fibre.field(p, r) * beam(r));
                let expected = fibre.gauss_coupling(p, waist_m);
                assert!((found - expected).abs() < 1e-10, "{p} {waist_m:e}: {found}");
            }
        }
    }
}
