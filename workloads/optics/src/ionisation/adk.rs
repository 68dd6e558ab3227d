//! The rate of Ammosov, Delone and Krainov: an electron that tunnels through a barrier at rest.
//!
//! M. V. Ammosov, N. B. Delone and V. P. Krainov, Sov. Phys. JETP 64, 1191 (1986), for an s
//! electron and an ion of charge 1. With the ionisation energy I, `w_p = I / hbar`,
//! `w_t = e E / sqrt(2 m_e I)` and `n = sqrt(E_h / 2I)`,
//!
//! ```text
//! W = w_p C² (4 w_p / w_t)^(2n - 1) exp(-4 w_p / 3 w_t),   C² = 2^2n / (n Gamma(n + 1) Gamma(n))
//! ```

use std::f64::consts::LN_2;

use super::table::RateTable;
use super::{IonisationError, barrier_suppression_v_m};
use crate::constants::{ELECTRON_MASS, ELEMENTARY_CHARGE, HARTREE, HBAR};

/// The rate at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adk {
    energy_hartree: f64,
    /// 2n - 1.
    power: f64,
    /// Logarithm of w_p C².
    ln_front: f64,
    /// The field at which `4 w_p / w_t` is 1, V/m.
    unit_v_m: f64,
}

impl Adk {
    /// The rate for an ionisation energy in hartree.
    pub fn new(energy_hartree: f64) -> Self {
        let energy_j = energy_hartree * HARTREE;
        let number = (0.5 / energy_hartree).sqrt();
        let gammas = libm::tgamma(number + 1.0) * libm::tgamma(number);
        let ln_coefficient = 2.0 * number * LN_2 - (number * gammas).ln();
        let momentum = (2.0 * ELECTRON_MASS * energy_j).sqrt();
        Adk {
            energy_hartree,
            power: 2.0 * number - 1.0,
            ln_front: ln_coefficient + (energy_j / HBAR).ln(),
            unit_v_m: 4.0 * energy_j * momentum / (HBAR * ELEMENTARY_CHARGE),
        }
    }

    /// The rate in 1/s in a field in V/m.
    pub fn rate(&self, field_v_m: f64) -> f64 {
        self.ln_rate(field_v_m).exp()
    }

    /// Logarithm of the rate in 1/s in a field in V/m; negative infinity without a field.
    pub fn ln_rate(&self, field_v_m: f64) -> f64 {
        let ratio = self.unit_v_m / field_v_m.abs();
        if ratio.is_infinite() {
            return f64::NEG_INFINITY;
        }
        self.ln_front + self.power * ratio.ln() - ratio / 3.0
    }

    /// The rate as a table up to twice the field of barrier suppression.
    pub fn table(&self) -> Result<RateTable, IonisationError> {
        let end = 2.0 * barrier_suppression_v_m(self.energy_hartree, 1.0);
        RateTable::up_to(end, |field| Ok(self.ln_rate(field)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;
    use crate::ionisation::energy_hartree;
    use crate::medium::gas::Gas;

    fn adk(gas: Gas) -> Adk {
        Adk::new(energy_hartree(gas))
    }

    #[test]
    fn it_has_the_rates_of_the_tests_of_luna() {
        for (gas, field, expected) in [
            (Gas::Helium, 1e10, 1.241_64e-18),
            (Gas::Helium, 2e10, 1.077_24),
            (Gas::Argon, 7e9, 2.442_23e-8),
            (Gas::Argon, 8e9, 4.494_71e-5),
        ] {
            let rate = adk(gas).rate(field);
            let error = (rate / expected - 1.0).abs();
            assert!(
                error < 1e-4,
                "{gas}, {field:e} V/m: {rate:e}, {error:e} off"
            );
        }
    }

    #[test]
    fn rates_grow_with_the_field_and_do_not_know_its_sign() {
        for gas in Gas::ALL {
            let (adk, end) = (
                adk(gas),
                2.0 * barrier_suppression_v_m(energy_hartree(gas), 1.0),
            );
            let mut last = 0.0;
            for step in 1..=2000 {
                let field = f64::from(step) / 2000.0 * end;
                let rate = adk.rate(field);
                // In the weakest fields the rate is less than the smallest number.
                assert!(rate > last || rate == 0.0, "{gas}: {field:e} V/m");
                assert_eq!(adk.rate(-field), rate);
                last = rate;
            }
            assert!(last > 1e13, "{gas}: {last:e}");
        }
    }

    #[test]
    fn without_a_field_nothing_is_ionised() {
        for field in [0.0, -0.0, f64::MIN_POSITIVE / 4.0] {
            assert_eq!(adk(Gas::Hydrogen).rate(field), 0.0);
        }
        assert!(adk(Gas::Hydrogen).rate(f64::NAN).is_nan());
    }
}
