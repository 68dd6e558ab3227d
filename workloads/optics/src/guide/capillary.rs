//! Hollow capillaries: effective indices of their modes.
//!
//! E. A. J. Marcatili and R. A. Schmeltzer, Bell Syst. Tech. J. 43, 1783 (1964). With k = w/c, core
//! radius a, permittivities of gas and cladding, and u the zero that belongs to the mode,
//!
//! ```text
//! n² = eps_gas - (u / k a)² (1 - i v / k a)²
//! ```
//!
//! where v depends on the cladding and on the family of the mode. Waves are exp(i beta z - i w t),
//! so loss is a positive imaginary part.

use crate::bessel;
use crate::constants::SPEED_OF_LIGHT;
use crate::fourier::Complex64;

/// Families of modes; they differ in what the cladding does to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Hybrid.
    He,
    /// Transverse electric.
    Te,
    /// Transverse magnetic.
    Tm,
}

/// A mode: its family and its zero of a Bessel function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// Family.
    pub family: Family,
    /// The zero: the phase that the field gains from the axis to the wall.
    pub u: f64,
}

impl Mode {
    /// HE of azimuthal order `order` and radial number `number`, both from 1; none where
    /// [`bessel::zero`] has none.
    pub fn he(order: u8, number: u32) -> Option<Self> {
        Mode::of(Family::He, order.checked_sub(1)?, number)
    }

    /// TE_0m.
    pub fn te(number: u32) -> Option<Self> {
        Mode::of(Family::Te, 1, number)
    }

    /// TM_0m.
    pub fn tm(number: u32) -> Option<Self> {
        Mode::of(Family::Tm, 1, number)
    }

    fn of(family: Family, order: u8, number: u32) -> Option<Self> {
        let u = bessel::zero(order, number)?;
        Some(Mode { family, u })
    }

    /// v, and its derivative over the permittivity of the cladding.
    fn wall(&self, cladding: Complex64) -> [Complex64; 2] {
        let root = (cladding - 1.0).sqrt();
        let cubed = root * root * root;
        match self.family {
            Family::He => [
                (cladding + 1.0) / (2.0 * root),
                (cladding - 3.0) / (4.0 * cubed),
            ],
            Family::Te => [root.inv(), -0.5 / cubed],
            Family::Tm => [cladding / root, (cladding - 2.0) / (2.0 * cubed)],
        }
    }
}

/// How much of the formula is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// As it stands.
    Full,
    /// To first order in the gas and in u/ka: `1 + chi/2 - u²/(2 k² a²) + i v u² / (k a)³`.
    Reduced,
}

/// What surrounds the gas, at one frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cladding {
    /// Relative permittivity.
    pub permittivity: Complex64,
    /// Its derivative over the angular frequency, s.
    pub slope: Complex64,
}

/// A capillary of one core radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capillary {
    /// Radius of the core, m.
    pub radius_m: f64,
}

impl Capillary {
    /// `(u / k a)² (1 - i v / k a)²`: what the wall takes from the permittivity of the gas. Angular
    /// frequency in rad/s.
    pub fn waveguide_term(&self, mode: Mode, omega: f64, cladding: Complex64) -> Complex64 {
        let [v, _] = mode.wall(cladding);
        let q = self.diffraction(omega);
        (mode.u * q).powi(2) * wall_factor(v, q).powi(2)
    }

    /// The derivative of the waveguide term over the angular frequency, s.
    pub fn waveguide_slope(&self, mode: Mode, omega: f64, cladding: Cladding) -> Complex64 {
        let [v, over_permittivity] = mode.wall(cladding.permittivity);
        let v_slope = over_permittivity * cladding.slope;
        let q = self.diffraction(omega);
        let q_slope = -q / omega;
        let factor = wall_factor(v, q);
        let turn = Complex64::new(0.0, -1.0) * (v_slope * q + v * q_slope);
        2.0 * mode.u * mode.u * q * factor * (q_slope * factor + q * turn)
    }

    /// Effective index less 1, for a gas of susceptibility `chi`. Without cancellation: the excess
    /// is some 1e-4, and derivatives of it are wanted.
    pub fn index_excess(
        &self,
        model: Model,
        mode: Mode,
        omega: f64,
        (chi, cladding): (f64, Complex64),
    ) -> Complex64 {
        match model {
            Model::Full => excess_of(chi - self.waveguide_term(mode, omega, cladding)),
            Model::Reduced => {
                let [v, _] = mode.wall(cladding);
                let q = self.diffraction(omega);
                let bent = mode.u * mode.u * q * q;
                Complex64::new(0.0, 1.0) * v * (bent * q) + 0.5 * (chi - bent)
            }
        }
    }

    /// 1 / k a.
    fn diffraction(&self, omega: f64) -> f64 {
        SPEED_OF_LIGHT / (omega * self.radius_m)
    }
}

/// `sqrt(1 + x) - 1` without cancellation.
pub fn excess_of(x: Complex64) -> Complex64 {
    x / ((1.0 + x).sqrt() + 1.0)
}

/// 1 - i v q.
fn wall_factor(v: Complex64, q: f64) -> Complex64 {
    1.0 - Complex64::new(0.0, q) * v
}

/// Propagation constant in rad/m of an effective index less 1.
pub fn beta(omega: f64, excess: Complex64) -> f64 {
    omega / SPEED_OF_LIGHT * (1.0 + excess.re)
}

/// Power loss in 1/m of an effective index less 1.
pub fn loss_per_m(omega: f64, excess: Complex64) -> f64 {
    2.0 * omega / SPEED_OF_LIGHT * excess.im
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::constants::angular_frequency;

    /// Permittivity of silica at 800 nm, from its index of 1.453317 (spec of the material).
    fn silica() -> Complex64 {
        (1.453_317_f64 * 1.453_317).into()
    }

    fn he11() -> Mode {
        Mode::he(1, 1).unwrap()
    }

    #[test]
    fn the_loss_length_of_a_wide_capillary_is_the_published_one() {
        // Luna.jl: 7.0593 m and 0.61521 dB/m for a = 125 um at 800 nm, reduced; the gas takes no
        // part in it. The index above has seven digits.
        let capillary = Capillary { radius_m: 125e-6 };
        let omega = angular_frequency(800e-9);
        let excess = capillary.index_excess(Model::Reduced, he11(), omega, (0.0, silica()));
        let loss = loss_per_m(omega, excess);
        assert!((1.0 / loss - 7.0593).abs() < 1e-4, "{}", 1.0 / loss);
        let decibels = 10.0 * loss / std::f64::consts::LN_10;
        assert!((decibels - 0.615_21).abs() < 1e-5, "{decibels}");
    }

    #[test]
    fn bare_capillaries_of_thirteen_micrometres_lose_547_decibels_a_metre() {
        let capillary = Capillary { radius_m: 13e-6 };
        let omega = angular_frequency(800e-9);
        let excess = capillary.index_excess(Model::Full, he11(), omega, (0.0, silica()));
        let decibels = 10.0 * loss_per_m(omega, excess) / std::f64::consts::LN_10;
        assert!((decibels - 547.0).abs() < 1.0, "{decibels}");
    }

    #[test]
    fn the_models_agree_in_wide_guides_and_part_in_narrow_ones() {
        let omega = angular_frequency(800e-9);
        let apart = |radius_m: f64| {
            let of = |model| {
                let at = (5e-4, silica());
                Capillary { radius_m }.index_excess(model, he11(), omega, at)
            };
            (of(Model::Full) - of(Model::Reduced)).norm()
        };
        // What is left out is of second order: chi²/8, and more where u/ka is not small.
        assert!(apart(125e-6) < 5e-8, "{:e}", apart(125e-6));
        assert!(apart(13e-6) > apart(125e-6));
    }

    #[test]
    fn higher_modes_and_magnetic_modes_lose_more() {
        let capillary = Capillary { radius_m: 75e-6 };
        let omega = angular_frequency(800e-9);
        let loss = |mode: Mode| {
            let at = (0.0, silica());
            loss_per_m(omega, capillary.index_excess(Model::Full, mode, omega, at))
        };
        let he: Vec<f64> = (1..5).map(|m| loss(Mode::he(1, m).unwrap())).collect();
        assert!(he.is_sorted() && he[0] > 0.0, "{he:?}");
        // At equal u the electric modes lose least and the magnetic ones most.
        let scaled = |mode: Mode| loss(mode) / (mode.u * mode.u);
        let (te, tm) = (Mode::te(1).unwrap(), Mode::tm(1).unwrap());
        assert!(scaled(te) < scaled(he11()) && scaled(he11()) < scaled(tm));
    }

    #[test]
    fn the_slope_of_the_waveguide_term_is_its_derivative() {
        let capillary = Capillary { radius_m: 20e-6 };
        let omega = angular_frequency(1e-6);
        // A made-up cladding that disperses as strongly as glass in the ultraviolet.
        let permittivity = |w: f64| Complex64::new(2.0 + 0.3 * (w / omega).powi(2), 0.01);
        let cladding = Cladding {
            permittivity: permittivity(omega),
            slope: (0.6 / omega).into(),
        };
        for mode in [he11(), Mode::te(2).unwrap(), Mode::tm(1).unwrap()] {
            let at = |w: f64| capillary.waveguide_term(mode, w, permittivity(w));
            let h = 1e-4 * omega;
            let difference = (at(omega + h) - at(omega - h)) / (2.0 * h);
            let slope = capillary.waveguide_slope(mode, omega, cladding);
            let error = (slope - difference).norm() / slope.norm();
            assert!(error < 1e-6, "{mode:?}: {error:e}");
        }
    }

    #[test]
    fn an_excess_is_exact_where_the_difference_of_indices_is_not() {
        let x = Complex64::new(1e-9, 1e-12);
        // sqrt(1 + x) = 1 + x/2 - x²/8 + ...
        let series = 0.5 * x - x * x / 8.0;
        assert!((excess_of(x) - series).norm() < 1e-24);
    }

    #[test]
    fn modes_are_named_from_one() {
        assert_eq!(Mode::he(0, 1), None);
        assert_eq!(Mode::he(1, 0), None);
        assert!((he11().u - 2.404_825_557_7).abs() < 1e-10);
        // HE21, TE01 and TM01 share a zero.
        assert_eq!(Mode::he(2, 1).map(|m| m.u), Mode::te(1).map(|m| m.u));
    }
}
