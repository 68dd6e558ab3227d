//! Capillaries with a gas in them, held to published figures.

#![allow(clippy::unwrap_used)]

use super::capillary::{Capillary, Mode, Model, beta};
use super::dispersion::{phase_matched_m, taylor, zero_dispersion_m};
use super::field::ModeField;
use crate::constants::{SPEED_OF_LIGHT, angular_frequency};
use crate::fibre::{dispersion_length_m, soliton_order};
use crate::medium::gas::{Formula, Gas};
use crate::medium::{nonlinear_index, silica};
use crate::pulse::sech_tau_s;

/// A capillary, a gas and its state.
#[derive(Clone, Copy)]
struct Filled {
    radius_m: f64,
    model: Model,
    gas: Gas,
    formula: Formula,
    pressure_pa: f64,
    temperature_k: f64,
}

impl Filled {
    /// At room temperature, by the whole formula and that of the gas.
    fn with(gas: Gas, radius_m: f64, pressure_pa: f64) -> Self {
        Filled {
            radius_m,
            model: Model::Full,
            gas,
            formula: gas.formula(),
            pressure_pa,
            temperature_k: 293.15,
        }
    }

    /// The same in the reduced model, with the gas of Börzsönyi and others.
    fn reduced(self) -> Self {
        Filled {
            model: Model::Reduced,
            formula: Formula::Borzsonyi,
            ..self
        }
    }

    fn density(&self) -> f64 {
        let density = self
            .gas
            .density_per_m3(self.pressure_pa, self.temperature_k);
        density.unwrap()
    }

    /// What HE11 has over vacuum, rad/m.
    fn excess(&self, omega: f64) -> f64 {
        let capillary = Capillary {
            radius_m: self.radius_m,
        };
        let gas = self.gas.dispersion(self.formula).unwrap();
        let chi = self.density() * gas.susceptibility_m3(omega).unwrap();
        let at = (chi, silica::cladding_permittivity(omega));
        let mode = Mode::he(1, 1).unwrap();
        let excess = capillary.index_excess(self.model, mode, omega, at);
        omega / SPEED_OF_LIGHT * excess.re
    }

    /// beta_0 to beta_4 at 800 nm.
    fn taylor(&self) -> [f64; 5] {
        taylor(|omega| self.excess(omega), angular_frequency(800e-9))
    }

    /// Nonlinear coefficient at 800 nm, 1/(W m).
    fn gamma(&self) -> f64 {
        let n2 = nonlinear_index(self.density() * self.gas.gamma3(), 1.0);
        let field = ModeField::he1(1, self.radius_m).unwrap();
        let wave = angular_frequency(800e-9) / SPEED_OF_LIGHT;
        n2 * wave / field.effective_area_m2().unwrap()
    }

    fn zero_dispersion_m(&self, limits_m: [f64; 2]) -> f64 {
        zero_dispersion_m(|omega| self.excess(omega), limits_m).unwrap()
    }

    fn phase_matched_m(&self, limits_m: [f64; 2]) -> f64 {
        let carrier = angular_frequency(800e-9);
        phase_matched_m(|omega| self.excess(omega), carrier, limits_m).unwrap()
    }
}

#[test]
fn argon_at_two_bar_has_the_published_dispersion() {
    // A test of Luna.jl: a = 50 um, 2 bar, 294 K, reduced. The density there is of CoolProp. Ours
    // is within some 1e-5 of it, beta_2 and beta_3, differences of gas and guide, within several
    // times that.
    let filled = Filled {
        temperature_k: 294.0,
        ..Filled::with(Gas::Argon, 50e-6, 2e5).reduced()
    };
    let [b0, b1, b2, b3, _] = filled.taylor();
    assert!((b0 / 7_857_866.64 - 1.0).abs() < 1e-6, "{b0}");
    assert!((b1 / 3.337_444e-9 - 1.0).abs() < 1e-6, "{b1:e}");
    assert!((b2 / -1.681_871e-29 - 1.0).abs() < 3e-4, "{b2:e}");
    assert!((b3 / 8.440_25e-44 - 1.0).abs() < 3e-4, "{b3:e}");
}

#[test]
fn zero_dispersion_is_where_it_was_published() {
    // Tests of Luna.jl, helium, to a nanometre.
    let wide = Filled::with(Gas::Helium, 125e-6, 0.4e5).reduced();
    let found = wide.zero_dispersion_m([300e-9, 500e-9]);
    assert!((found - 379e-9).abs() < 1e-9, "{found:e}");
    let narrow = Filled::with(Gas::Helium, 75e-6, 5.9e5).reduced();
    let found = narrow.zero_dispersion_m([400e-9, 800e-9]);
    assert!((found - 562e-9).abs() < 1e-9, "{found:e}");
}

#[test]
fn a_soliton_in_helium_has_the_published_order_and_fission_length() {
    // A test of Luna.jl: 0.4 bar, 300 uJ, sech of 10 fs: N = 2.239, L = 1.768 m, to 1e-3.
    let filled = Filled::with(Gas::Helium, 125e-6, 0.4e5).reduced();
    let tau = sech_tau_s(10e-15);
    let peak_power_w = 300e-6 / (2.0 * tau);
    let beta2 = filled.taylor()[2];
    let order = soliton_order(peak_power_w, filled.gamma(), beta2, tau);
    assert!((order / 2.239 - 1.0).abs() < 1e-3, "{order}");
    let fission = dispersion_length_m(beta2, tau) / order;
    assert!((fission / 1.768 - 1.0).abs() < 1e-3, "{fission}");
}

#[test]
fn dispersive_waves_are_where_phases_match() {
    // 1 bar: a test of Luna.jl, to a nanometre. 0.8 and 0.4 bar: an independent prototype, whole
    // nanometres.
    for (pressure_pa, expected_m, tolerance_m) in [
        (1e5, 188e-9, 1e-9),
        (0.8e5, 168e-9, 2e-9),
        (0.4e5, 122e-9, 2e-9),
    ] {
        let filled = Filled::with(Gas::Helium, 125e-6, pressure_pa);
        let found = filled.phase_matched_m([90e-9, 400e-9]);
        assert!(
            (found - expected_m).abs() <= tolerance_m,
            "{pressure_pa}: {found:e}"
        );
    }
}

#[test]
fn the_guide_of_the_argon_cases_has_its_known_figures() {
    // An independent prototype: a = 13 um, 1.7 bar. It gave 366 nm for the zero of dispersion,
    // which is wrong: the formulas written down a third time have it at 370.0 nm, with the beta_2
    // below and in either model of the wall, and at 370.6 nm with the other formula of argon.
    let filled = Filled::with(Gas::Argon, 13e-6, 1.7e5);
    let [b0, b1, b2, ..] = filled.taylor();
    assert!(
        (filled.gamma() / 4.42e-7 - 1.0).abs() < 5e-3,
        "{:e}",
        filled.gamma()
    );
    assert!((b2 / -7.54e-28 - 1.0).abs() < 2e-3, "{b2:e}");
    let zero = filled.zero_dispersion_m([300e-9, 500e-9]);
    assert!((zero - 370.06e-9).abs() < 0.5e-9, "{zero:e}");
    let other = filled.reduced().zero_dispersion_m([300e-9, 500e-9]);
    assert!((other - 370.6e-9).abs() < 0.5e-9, "{other:e}");
    let turn = (b0 - angular_frequency(800e-9) * b1).abs();
    assert!((turn - 4411.0).abs() < 2.0, "{turn}");
}

#[test]
fn the_guide_of_the_helium_cases_has_its_known_figures() {
    // The same prototype: a = 125 um, 0.8 bar, 7.5 fs, 275 uJ.
    let filled = Filled::with(Gas::Helium, 125e-6, 0.8e5);
    let beta2 = filled.taylor()[2];
    assert!((beta2 / -7.81e-30 - 1.0).abs() < 2e-3, "{beta2:e}");
    let tau = sech_tau_s(7.5e-15);
    let peak_power_w = 0.939_437 * 275e-6 / 7.5e-15;
    let order = soliton_order(peak_power_w, filled.gamma(), beta2, tau);
    assert!((order - 2.77).abs() < 0.01, "{order}");
}

#[test]
fn the_propagation_constant_is_that_of_the_index() {
    let filled = Filled::with(Gas::Helium, 125e-6, 0.4e5);
    let omega = angular_frequency(800e-9);
    let excess = filled.excess(omega);
    let from_index = beta(omega, (excess * SPEED_OF_LIGHT / omega).into());
    assert!((from_index - filled.taylor()[0]).abs() < 1e-8);
}
