//! Free space around an axis: the modes of a wide tube, on the nodes of a discrete Hankel
//! transform.
//!
//! M. Guizar-Sicairos and J. C. Gutiérrez-Vega, J. Opt. Soc. Am. A 21, 53 (2004). With j_m the
//! zeros of J_0, S = j_{N+1} and the wall at R,
//!
//! ```text
//! e_m(r) = J_0(j_m r / R) / sqrt(N_m),   r_i = j_i R / S,   area_i = 4 pi R² / (S² J_1(j_i)²)
//! ```
//!
//! for m and i from 1 to N. On these nodes the modes are orthonormal, but for some 1e-11 at 256 of
//! them: a field that vanishes at the wall and has no more detail than its modes goes to the nodes
//! and back as it was.

use std::f64::consts::PI;

use crate::bessel::{j0, j1, zero};
use crate::constants::{SPEED_OF_LIGHT, VACUUM_PERMITTIVITY};

/// N modes around an axis, and N nodes over the radius.
#[derive(Clone, Debug, PartialEq)]
pub struct HankelModes {
    radius_m: f64,
    modes: Vec<Mode>,
    /// S: the zero after those of the modes.
    beyond: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Mode {
    /// j_m.
    zero: f64,
    /// |J_1(j_m)|.
    slope: f64,
}

impl HankelModes {
    /// The first `count` modes within a wall at `radius_m`, in m, which it must have; none where
    /// there are too many to count.
    pub fn new(radius_m: f64, count: usize) -> Option<Self> {
        let last = u32::try_from(count).ok()?;
        let mode = |number: u32| {
            let zero = zero(0, number)?;
            let slope = j1(zero).abs();
            Some(Mode { zero, slope })
        };
        Some(HankelModes {
            radius_m,
            modes: (1..=last).map(mode).collect::<Option<_>>()?,
            beyond: zero(0, last.checked_add(1)?)?,
        })
    }

    /// Where the wall is, m.
    pub fn radius_m(&self) -> f64 {
        self.radius_m
    }

    /// Modes, and nodes.
    pub fn count(&self) -> usize {
        self.modes.len()
    }

    /// Transverse wavenumbers of the modes, rad/m, ascending.
    pub fn wavenumbers_per_m(&self) -> impl Iterator<Item = f64> + '_ {
        self.modes.iter().map(|mode| mode.zero / self.radius_m)
    }

    /// Radii of the nodes, m, ascending.
    pub fn radii_m(&self) -> impl Iterator<Item = f64> + '_ {
        let scale = self.radius_m / self.beyond;
        self.modes.iter().map(move |mode| mode.zero * scale)
    }

    /// Areas that the nodes stand for, m².
    pub fn areas_m2(&self) -> impl Iterator<Item = f64> + '_ {
        let whole = 4.0 * PI * (self.radius_m / self.beyond).powi(2);
        self.modes
            .iter()
            .map(move |mode| whole / mode.slope.powi(2))
    }

    /// Radii of the nodes in m with their areas in m².
    pub fn rule(&self) -> Vec<(f64, f64)> {
        self.radii_m().zip(self.areas_m2()).collect()
    }

    /// The field of a mode, by its index from 0, at a radius in m, in V/(m √W): `eps0 c / 2` times
    /// the integral of its square is 1. Positive on the axis.
    pub fn field(&self, mode: usize, radius_m: f64) -> f64 {
        let Mode { zero, slope } = self.modes[mode];
        let edge = self.radius_m * slope;
        let power = 0.5 * PI * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * edge * edge;
        j0(zero * radius_m / self.radius_m) / power.sqrt()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const RADIUS_M: f64 = 4e-3;

    /// `sqrt(eps0 c / 2 area_i) e_m(r_i)`: `modes` rows of `nodes` values.
    fn transform(modes: &HankelModes) -> Vec<Vec<f64>> {
        let impedance = 0.5 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT;
        let row = |mode: usize| -> Vec<f64> {
            let at = |(r, area): (f64, f64)| (impedance * area).sqrt() * modes.field(mode, r);
            modes.rule().into_iter().map(at).collect()
        };
        (0..modes.count()).map(row).collect()
    }

    fn applied(matrix: &[Vec<f64>], values: &[f64]) -> Vec<f64> {
        let row = |row: &Vec<f64>| row.iter().zip(values).map(|(a, b)| a * b).sum();
        matrix.iter().map(row).collect()
    }

    #[test]
    fn modes_are_orthonormal_on_the_nodes_as_far_as_is_known() {
        // Largest element of T T - 1, by an independent prototype; two digits.
        for (count, expected) in [(64, 1.9e-9), (128, 2.4e-10), (256, 3.1e-11), (512, 3.8e-12)] {
            let modes = HankelModes::new(RADIUS_M, count).unwrap();
            let matrix = transform(&modes);
            let mut largest: f64 = 0.0;
            for (m, first) in matrix.iter().enumerate() {
                for (n, second) in matrix.iter().enumerate().take(m + 1) {
                    let product: f64 = first.iter().zip(second).map(|(a, b)| a * b).sum();
                    largest = largest.max((product - f64::from(u8::from(m == n))).abs());
                }
            }
            let near = (largest / expected - 1.0).abs() < 0.05;
            assert!(near, "{count}: {largest:e} and {expected:e}");
        }
    }

    #[test]
    fn the_transform_is_its_own_transpose() {
        let matrix = transform(&HankelModes::new(RADIUS_M, 48).unwrap());
        for (m, row) in matrix.iter().enumerate() {
            for (n, value) in row.iter().enumerate() {
                assert!((value - matrix[n][m]).abs() < 1e-14, "{m} {n}");
            }
        }
    }

    #[test]
    fn a_gaussian_has_the_transform_of_a_gaussian() {
        let modes = HankelModes::new(RADIUS_M, 128).unwrap();
        let waist = RADIUS_M / 10.0;
        let peak = waist * waist / 2.0;
        for wavenumber in modes.wavenumbers_per_m() {
            // The integral of exp(-r²/w²) J_0(k r) r dr.
            let at = |(r, area): (f64, f64)| {
                area / (2.0 * PI) * (-(r / waist).powi(2)).exp() * j0(wavenumber * r)
            };
            let found: f64 = modes.rule().into_iter().map(at).sum();
            let expected = peak * (-(wavenumber * waist / 2.0).powi(2)).exp();
            let error = (found - expected).abs() / peak;
            assert!(error < 1e-14, "{wavenumber:e}: {error:e}");
        }
    }

    #[test]
    fn a_beam_goes_to_the_modes_and_back_with_its_energy() {
        let modes = HankelModes::new(RADIUS_M, 128).unwrap();
        let matrix = transform(&modes);
        let waist = RADIUS_M / 10.0;
        let beam = |(r, area): (f64, f64)| area.sqrt() * (-(r / waist).powi(2)).exp();
        let beam: Vec<f64> = modes.rule().into_iter().map(beam).collect();
        let there = applied(&matrix, &beam);
        let back = applied(&matrix, &there);
        let energy = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>();
        let apart: f64 = beam.iter().zip(&back).map(|(a, b)| (a - b).powi(2)).sum();
        let round_trip = (apart / energy(&beam)).sqrt();
        assert!(round_trip < 1e-14, "{round_trip:e}");
        let parseval = energy(&there) / energy(&beam) - 1.0;
        assert!(parseval.abs() < 1e-14, "{parseval:e}");
        // And the area of the beam is pi w² / 2.
        let area = energy(&beam) / (0.5 * PI * waist * waist) - 1.0;
        assert!(area.abs() < 1e-14, "{area:e}");
    }

    #[test]
    fn modes_vanish_at_the_wall_and_carry_one_watt() {
        let modes = HankelModes::new(RADIUS_M, 32).unwrap();
        let rule = crate::quadrature::legendre(128, 0.0, RADIUS_M).unwrap();
        for mode in [0, 1, 17, 31] {
            let edge = modes.field(mode, RADIUS_M) / modes.field(mode, 0.0);
            assert!(edge.abs() < 1e-13, "{mode}: {edge:e}");
            let square = rule.integrate(|r| 2.0 * PI * r * modes.field(mode, r).powi(2));
            let power = 0.5 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * square;
            assert!((power - 1.0).abs() < 1e-12, "{mode}: {power}");
        }
    }

    #[test]
    fn nodes_lie_between_axis_and_wall() {
        let modes = HankelModes::new(RADIUS_M, 256).unwrap();
        let radii: Vec<f64> = modes.radii_m().collect();
        assert!(radii.is_sorted() && radii[0] > 0.0 && radii[255] < RADIUS_M);
        let area: f64 = modes.areas_m2().sum();
        // The rule is made for functions that vanish at the wall, which 1 does not.
        assert!(
            (area / (PI * RADIUS_M * RADIUS_M) - 1.0).abs() < 0.01,
            "{area:e}"
        );
    }
}
