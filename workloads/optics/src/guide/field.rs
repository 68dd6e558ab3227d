//! Fields of the HE_1m modes of a capillary, linearly polarised.

use crate::bessel::{j0, j1, zero};
use crate::constants::{SPEED_OF_LIGHT, VACUUM_PERMITTIVITY};
use crate::quadrature::legendre;

/// Nodes of the integrals over the core that have no closed form. Their integrands have fewer
/// zeros than that for every mode that a case could have.
const NODES: usize = 128;

/// The field of HE_1m over the radius, `e_m(r) = J_0(u r / a) / sqrt(N)`.
///
/// Normalised to power: `eps0 c / 2` times the integral of e² over the core is 1, so a modal
/// amplitude in √W times e is a field in V/m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModeField {
    u: f64,
    radius_m: f64,
    on_axis: f64,
}

impl ModeField {
    /// The field of mode `number`, from 1, in a core of this radius in m; none for number 0.
    pub fn he1(number: u32, radius_m: f64) -> Option<Self> {
        let u = zero(0, number)?;
        let edge = radius_m * j1(u);
        let power = 0.5 * std::f64::consts::PI * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * edge * edge;
        Some(ModeField {
            u,
            radius_m,
            on_axis: power.sqrt().recip(),
        })
    }

    /// e at a radius in m, in V/(m √W).
    pub fn at(&self, radius_m: f64) -> f64 {
        self.on_axis * j0(self.u * radius_m / self.radius_m)
    }

    /// `(integral e² dS)² / integral e⁴ dS`, in m².
    pub fn effective_area_m2(&self) -> Option<f64> {
        let rule = legendre(NODES, 0.0, 1.0)?;
        let fourth = rule.integrate(|x| x * j0(self.u * x).powi(4));
        let second = 0.5 * j1(self.u).powi(2);
        let unit = std::f64::consts::TAU * second * second / fourth;
        Some(unit * self.radius_m * self.radius_m)
    }

    /// The amplitude of this mode over that of a Gaussian beam `exp(-r² / waist²)` which enters the
    /// core on its axis; its square is the part of the power.
    pub fn gauss_coupling(&self, waist_m: f64) -> Option<f64> {
        let rule = legendre(NODES, 0.0, 1.0)?;
        let waist = waist_m / self.radius_m;
        let overlap = rule.integrate(|x| x * (-(x / waist).powi(2)).exp() * j0(self.u * x));
        // The beam has waist²/4 and the mode J_1²/2 of what the overlap is the square root of.
        Some(overlap * 8.0_f64.sqrt() / (waist * j1(self.u).abs()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn modes(count: u32) -> Vec<ModeField> {
        let mode = |number| ModeField::he1(number, 125e-6).unwrap();
        (1..=count).map(mode).collect()
    }

    /// Largest deviation of `eps0 c / 2` times the overlaps from those of orthonormal modes.
    fn defect(nodes: usize) -> f64 {
        let rule = legendre(nodes, 0.0, 125e-6).unwrap();
        let modes = modes(4);
        let mut largest: f64 = 0.0;
        for (m, first) in modes.iter().enumerate() {
            for (n, second) in modes.iter().enumerate() {
                let overlap =
                    rule.integrate(|r| std::f64::consts::TAU * r * first.at(r) * second.at(r));
                let power = 0.5 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * overlap;
                let expected = f64::from(u8::from(m == n));
                largest = largest.max((power - expected).abs());
            }
        }
        largest
    }

    #[test]
    fn four_modes_are_orthonormal_under_the_rules_of_the_cases() {
        for nodes in [16, 24, 32, 48] {
            assert!(defect(nodes) < 1e-10, "{nodes}: {:e}", defect(nodes));
        }
        assert!(defect(4) > 1e-3, "{:e}", defect(4));
    }

    #[test]
    fn the_field_ends_at_the_wall() {
        for mode in modes(4) {
            assert!(mode.at(125e-6).abs() < 1e-12 * mode.at(0.0));
        }
    }

    #[test]
    fn the_effective_area_of_the_fundamental_mode_is_the_published_one() {
        // Luna.jl: 8.42157534886545e-9 m² for a = 75 um, that is 1.497168951 a².
        let mode = ModeField::he1(1, 75e-6).unwrap();
        let area = mode.effective_area_m2().unwrap();
        assert!(
            (area / 8.421_575_348_865_45e-9 - 1.0).abs() < 1e-9,
            "{area:e}"
        );
        let unit = area / (75e-6 * 75e-6);
        assert!((unit - 1.497_168_951).abs() < 1e-9, "{unit}");
    }

    #[test]
    fn on_axis_the_field_of_an_average_is_below_that_of_the_mode() {
        // The mode-averaged field is 1/sqrt(eps0 c A/2) for 1 W: it says less than the axis has.
        let mode = ModeField::he1(1, 125e-6).unwrap();
        let area = mode.effective_area_m2().unwrap();
        let averaged = (0.5 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * area)
            .sqrt()
            .recip();
        let intensity = (mode.at(0.0) / averaged).powi(2);
        assert!((1.7..1.9).contains(&intensity), "{intensity}");
    }

    #[test]
    fn a_gaussian_beam_excites_the_modes_as_published() {
        // Luna.jl, waist 0.64 a: |c1|² = 0.98071 and |c2|² = 0.0061826.
        let part = |mode: &ModeField| mode.gauss_coupling(80e-6).unwrap().powi(2);
        let parts: Vec<f64> = modes(2).iter().map(part).collect();
        assert!((parts[0] - 0.980_71).abs() < 1e-5, "{parts:?}");
        assert!((parts[1] - 0.006_182_6).abs() < 1e-7, "{parts:?}");
    }

    #[test]
    fn modes_get_no_more_than_the_beam_has() {
        for waist_m in [20e-6, 60e-6, 120e-6] {
            let parts = modes(30).into_iter().map(|mode| {
                let part = mode.gauss_coupling(waist_m).unwrap();
                part * part
            });
            let sum: f64 = parts.sum();
            let inside = 1.0 - (-2.0 * (125e-6_f64 / waist_m).powi(2)).exp();
            assert!(
                (sum / inside - 1.0).abs() < 0.02,
                "{waist_m:e}: {sum} of {inside}"
            );
        }
    }
}
