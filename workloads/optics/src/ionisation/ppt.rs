//! The rate of Perelomov, Popov and Terent'ev: an electron of an atom that leaves by absorbing
//! photons, by tunnelling, or by anything between.
//!
//! A. M. Perelomov, V. S. Popov and M. V. Terent'ev, Sov. Phys. JETP 23, 924 (1966), in the form of
//! F. A. Ilkov, J. E. Decker and S. L. Chin, J. Phys. B 25, 4005 (1992) and of appendix A of
//! L. Bergé, S. Skupin, R. Nuter, J. Kasparian and J.-P. Wolf, Rep. Prog. Phys. 70, 1633 (2007). In
//! atomic units, with the field F, the frequency w, the ionisation energy I, the charge Z of the
//! ion, the orbital quantum numbers l and m,
//!
//! ```text
//! n = Z / sqrt(2I),   C² = 2^2n / (n Gamma(2n)),   F0 = (2I)^(3/2),   g = w sqrt(2I) / F,
//! a = 2 (asinh g - g / sqrt(1 + g²)),   b = 2g / sqrt(1 + g²),   v = (I + F²/4w²) / w,
//! W = 2 (4 sqrt 2 / pi) C² I g²/(1 + g²) exp(-2v [asinh g - g sqrt(1 + g²) / (1 + 2g²)])
//!     sum over m of f_m / |m|! [2 F0 / (F sqrt(1 + g²))]^(2n - |m| - 3/2)
//!                   sum over k >= ceil v of exp(-a (k - v)) phi_m(sqrt(b (k - v)))
//! ```
//!
//! This is the mean over a cycle; the rate at an instant is `sqrt(pi F0 / 3F)` times it. Where v
//! passes a whole number, a channel closes: the rate is continuous there, with an infinite slope on
//! one side, and falls a little before it goes on to rise.

use std::f64::consts::{LN_2, PI, SQRT_2};

use super::dawson::Dawson;
use super::table::RateTable;
use super::{IonisationError, barrier_suppression_v_m, energy_hartree};
use crate::constants::{ATOMIC_FIELD, ATOMIC_TIME, HARTREE, HBAR, angular_frequency};
use crate::medium::gas::Gas;

/// Electrons in the orbital.
const OCCUPATION: f64 = 2.0;

/// Share of the sum over channels that may be left out.
const TOLERANCE: f64 = 1e-9;

/// Most channels that are added. A field of twice the barrier suppression needs some thousands at
/// 800 nm.
const CHANNELS_MAX: u32 = 500_000;

/// The orbital that the electron comes from. Of both, f_m is 2l + 1 for every m.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orbital {
    /// l = 0.
    S,
    /// l = 1.
    P,
}

/// What the formula asks of an atom; atomic units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atom {
    /// Ionisation energy.
    pub ionisation_energy: f64,
    /// Charge of the ion that is left.
    pub charge: f64,
    /// Where the electron comes from.
    pub orbital: Orbital,
    /// Polarisability of the atom.
    pub polarisability: f64,
    /// Polarisability of the ion.
    pub ion_polarisability: f64,
}

impl Atom {
    /// The atom of a gas; hydrogen, which has molecules, is refused. Polarisabilities are of
    /// K. Wang and others, Eur. Phys. J. D 75, 46 (2021).
    pub fn of(gas: Gas) -> Result<Self, IonisationError> {
        let (orbital, polarisability, ion_polarisability) = match gas {
            Gas::Helium => (Orbital::S, 1.3207, 0.2811),
            Gas::Argon => (Orbital::P, 10.762, 6.807),
            Gas::Hydrogen => return Err(IonisationError::NoAtom { gas }),
        };
        Ok(Atom {
            ionisation_energy: energy_hartree(gas),
            charge: 1.0,
            orbital,
            polarisability,
            ion_polarisability,
        })
    }
}

/// Over what a rate is the mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Average {
    /// Nothing: the rate while the field has a value.
    Instant,
    /// One cycle of a field of a given amplitude.
    Cycle,
}

/// The rate of one atom in light of one wavelength.
#[derive(Clone, Debug, PartialEq)]
pub struct Ppt {
    atom: Atom,
    omega: f64,
    average: Average,
    stark_polarisability: f64,
    dipole_polarisability: f64,
    dawson: Dawson,
}

impl Ppt {
    /// The rate with both corrections. The Stark shift adds half the difference of the
    /// polarisabilities, times F², to the ionisation energy. The dipole that the field makes of the
    /// ion lowers the rate by `exp(-2 alpha F)`.
    pub fn new(atom: Atom, wavelength_m: f64, average: Average) -> Self {
        Ppt {
            atom,
            omega: HBAR * angular_frequency(wavelength_m) / HARTREE,
            average,
            stark_polarisability: atom.polarisability - atom.ion_polarisability,
            dipole_polarisability: atom.ion_polarisability,
            dawson: Dawson::new(),
        }
    }

    /// The same without the dipole of the ion.
    pub fn without_dipole_correction(self) -> Self {
        Ppt {
            dipole_polarisability: 0.0,
            ..self
        }
    }

    /// The same without the Stark shift.
    pub fn without_stark_shift(self) -> Self {
        Ppt {
            stark_polarisability: 0.0,
            ..self
        }
    }

    /// Number of photons, not whole, that lift the electron out of the atom and into its quiver in
    /// the field: v of the module's formula.
    pub fn photons(&self, field_v_m: f64) -> f64 {
        let field = field_v_m.abs() / ATOMIC_FIELD;
        self.photons_at(field, self.energy_at(field))
    }

    /// The rate in 1/s in a field in V/m.
    pub fn rate(&self, field_v_m: f64) -> Result<f64, IonisationError> {
        Ok(self.ln_rate(field_v_m)?.exp())
    }

    /// Logarithm of the rate in 1/s in a field in V/m; negative infinity without a field.
    pub fn ln_rate(&self, field_v_m: f64) -> Result<f64, IonisationError> {
        let field = field_v_m.abs() / ATOMIC_FIELD;
        if field == 0.0 {
            return Ok(f64::NEG_INFINITY);
        }
        let energy = self.energy_at(field);
        let momentum = (2.0 * energy).sqrt();
        let gamma = self.omega * momentum / field;
        let root = gamma.hypot(1.0);
        let channels = Channels {
            photons: self.photons_at(field, energy),
            decay: 2.0 * (gamma.asinh() - gamma / root),
            spread: 2.0 * gamma / root,
        };
        let inner = momentum.powi(3);
        let ratio = 2.0 * inner / (field * root);
        let terms = CHANNELS_MAX;
        let unsettled = IonisationError::Unsettled { field_v_m, terms };
        let sum = self.sum(&channels, ratio).ok_or(unsettled)?;
        let number = self.atom.charge / momentum;
        let ln_coefficient = 2.0 * number * LN_2 - (number * libm::tgamma(2.0 * number)).ln();
        let share = (gamma / root).powi(2);
        let front = OCCUPATION * 4.0 * SQRT_2 / PI * self.degeneracy() * energy * share;
        let action = gamma.asinh() - gamma * root / (1.0 + 2.0 * gamma * gamma);
        let ln_average = match self.average {
            Average::Instant => 0.5 * (PI * inner / (3.0 * field)).ln(),
            Average::Cycle => 0.0,
        };
        let ln_front = (front * sum).ln() + (2.0 * number - 1.5) * ratio.ln();
        let loss = 2.0 * (channels.photons * action + self.dipole_polarisability * field);
        Ok(ln_coefficient + ln_front + ln_average - loss - ATOMIC_TIME.ln())
    }

    /// The rate as a table up to twice the field of barrier suppression.
    pub fn table(&self) -> Result<RateTable, IonisationError> {
        let end = 2.0 * barrier_suppression_v_m(self.atom.ionisation_energy, self.atom.charge);
        RateTable::up_to(end, |field| self.ln_rate(field))
    }

    /// Ionisation energy in a field.
    fn energy_at(&self, field: f64) -> f64 {
        self.atom.ionisation_energy + 0.5 * self.stark_polarisability * field * field
    }

    fn photons_at(&self, field: f64, energy: f64) -> f64 {
        let quiver = field / (2.0 * self.omega);
        (energy + quiver * quiver) / self.omega
    }

    fn degeneracy(&self) -> f64 {
        match self.atom.orbital {
            Orbital::S => 1.0,
            Orbital::P => 3.0,
        }
    }

    /// The sum over m, less f_m and the power that m = 0 has; none if it does not settle.
    fn sum(&self, channels: &Channels, ratio: f64) -> Option<f64> {
        let along = channels.sum(|x| self.dawson.along(x))?;
        match self.atom.orbital {
            Orbital::S => Some(along),
            Orbital::P => {
                let across = channels.sum(|x| self.dawson.across(x))?;
                // m = 1 and m = -1.
                Some(along + 2.0 * across / ratio)
            }
        }
    }
}

/// The channels that are open: k photons each, k from the next whole number on.
struct Channels {
    /// v.
    photons: f64,
    /// a.
    decay: f64,
    /// b.
    spread: f64,
}

impl Channels {
    /// The sum of `exp(-a (k - v)) phi(sqrt(b (k - v)))`; none if it does not settle.
    fn sum(&self, phi: impl Fn(f64) -> f64) -> Option<f64> {
        let ratio = (-self.decay).exp();
        // phi falls slowly, so what follows a term is at most a geometric series from it.
        let rest = -1.0 / (-self.decay).exp_m1();
        let first = self.photons.ceil() - self.photons;
        let mut damping = (-self.decay * first).exp();
        let mut sum = 0.0;
        for index in 0..CHANNELS_MAX {
            let excess = first + f64::from(index);
            let term = damping * phi((self.spread * excess).sqrt());
            sum += term;
            // The first term is zero where its channel has just opened or is about to close.
            if index > 0 && term * rest <= TOLERANCE * sum {
                return Some(sum);
            }
            damping *= ratio;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;

    fn ppt(gas: Gas, average: Average) -> Ppt {
        Ppt::new(Atom::of(gas).unwrap(), 800e-9, average)
    }

    fn assert_rates(ppt: &Ppt, expected: &[(f64, f64)], tolerance: f64) {
        for &(field, rate) in expected {
            let found = ppt.rate(field).unwrap();
            let error = (found / rate - 1.0).abs();
            assert!(error < tolerance, "{field:e} V/m: {found:e}, {error:e} off");
        }
    }

    #[test]
    fn helium_has_the_rates_of_the_tests_of_luna() {
        // With the Stark shift and without the dipole of the ion, at an instant.
        let helium = ppt(Gas::Helium, Average::Instant).without_dipole_correction();
        let known = [(1e10, 2.808_642_8e-5), (1.3e10, 0.090_356_4)];
        assert_rates(&helium, &known, 1e-4);
    }

    #[test]
    fn argon_has_the_rates_of_an_independent_prototype() {
        // With both corrections, at an instant; four digits.
        let known = [
            (1.5e10, 7.728e8),
            (2e10, 4.822e10),
            (2.5e10, 9.502e11),
            (3e10, 7.370e12),
            (4e10, 8.882e13),
        ];
        assert_rates(&ppt(Gas::Argon, Average::Instant), &known, 3e-4);
    }

    #[test]
    fn the_mean_over_a_cycle_is_smaller_by_the_known_factor() {
        let [instant, cycle] =
            [Average::Instant, Average::Cycle].map(|a| ppt(Gas::Helium, a).without_stark_shift());
        for field in [1e10, 5e10, 1e11] {
            let ratio = instant.rate(field).unwrap() / cycle.rate(field).unwrap();
            // sqrt(pi F0 / 3F)
            let inner = (2.0 * energy_hartree(Gas::Helium)).powf(1.5) * ATOMIC_FIELD;
            let expected = (PI * inner / (3.0 * field)).sqrt();
            assert!((ratio / expected - 1.0).abs() < 1e-12, "{field:e}");
            assert!(ratio > 1.0);
        }
    }

    #[test]
    fn the_sign_of_the_field_does_not_matter() {
        for gas in [Gas::Helium, Gas::Argon] {
            let ppt = ppt(gas, Average::Instant);
            for field in [3e9, 1.7e10, 6e10] {
                assert_eq!(ppt.rate(-field), ppt.rate(field));
                assert_eq!(ppt.photons(-field), ppt.photons(field));
            }
        }
    }

    #[test]
    fn without_a_field_nothing_is_ionised() {
        let argon = ppt(Gas::Argon, Average::Cycle);
        assert_eq!(argon.rate(0.0), Ok(0.0));
        assert_eq!(argon.ln_rate(-0.0), Ok(f64::NEG_INFINITY));
        // I / w of argon at 800 nm: 15.76 eV in photons of 1.55 eV.
        assert!((argon.photons(0.0) - 10.17).abs() < 0.01);
    }

    #[test]
    fn rates_grow_with_the_field_over_the_decades() {
        for gas in [Gas::Helium, Gas::Argon] {
            let ppt = ppt(gas, Average::Instant);
            // Steps far wider than the dips before channel closings.
            let rates = (0..12).map(|j| ppt.rate(2e9 * 1.4_f64.powi(j)).unwrap());
            let rates: Vec<f64> = rates.collect();
            assert!(rates.is_sorted_by(|a, b| a < b), "{gas}: {rates:?}");
        }
    }

    #[test]
    fn the_rate_is_continuous_where_a_channel_closes() {
        let argon = ppt(Gas::Argon, Average::Instant);
        for whole in 12..30 {
            // The field at which `whole` photons are just enough, by bisection.
            let (mut low, mut high) = (5e9, 8.6e10);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if argon.photons(middle) < f64::from(whole) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let [below, above] = [1.0 - 1e-12, 1.0 + 1e-12].map(|share| high * share);
            assert_ne!(argon.photons(below).ceil(), argon.photons(above).ceil());
            let ratio = argon.rate(above).unwrap() / argon.rate(below).unwrap();
            assert!((ratio - 1.0).abs() < 1e-3, "{whole}: {ratio}");
        }
    }

    #[test]
    fn slow_light_ionises_as_a_static_field_does() {
        // As g goes to 0, the sum over channels becomes an integral, and all that depends on w
        // drops out: W = 2 C² I (2 F0 / F)^(2n - 1) exp(-2 F0 / 3F) of an s electron.
        let atom = Atom::of(Gas::Helium).unwrap();
        let slow = Ppt::new(atom, 8e-6, Average::Instant);
        let slow = slow.without_dipole_correction().without_stark_shift();
        let number = (2.0 * atom.ionisation_energy).sqrt().recip();
        let coefficient = 2_f64.powf(2.0 * number) / (number * libm::tgamma(2.0 * number));
        let inner = (2.0 * atom.ionisation_energy).powf(1.5) * ATOMIC_FIELD;
        for field in [4e10, 6e10] {
            let power = (2.0 * inner / field).powf(2.0 * number - 1.0);
            let tunnel = (-2.0 * inner / (3.0 * field)).exp();
            let expected =
                2.0 * coefficient * atom.ionisation_energy * power * tunnel / ATOMIC_TIME;
            let ratio = slow.rate(field).unwrap() / expected;
            assert!((ratio - 1.0).abs() < 0.05, "{field:e}: {ratio}");
        }
    }

    #[test]
    fn corrections_lower_the_rate() {
        let both = ppt(Gas::Argon, Average::Instant);
        let stark = both.clone().without_dipole_correction();
        let none = stark.clone().without_stark_shift();
        let rate = |ppt: &Ppt| ppt.rate(2.5e10).unwrap();
        assert!(rate(&both) < rate(&stark) && rate(&stark) < rate(&none));
        // exp(-2 alpha F), exactly.
        let factor = (-2.0 * 6.807 * 2.5e10 / ATOMIC_FIELD).exp();
        assert!((rate(&both) / rate(&stark) / factor - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_summed_or_is_no_field_is_an_error_and_no_rate() {
        let argon = ppt(Gas::Argon, Average::Instant).without_stark_shift();
        // In the last the electron quivers with the energy of half a million photons.
        for field in [f64::NAN, f64::INFINITY, 1e13] {
            let error = argon.ln_rate(field).unwrap_err();
            assert!(
                matches!(error, IonisationError::Unsettled { .. }),
                "{error}"
            );
        }
        let error = Atom::of(Gas::Hydrogen).unwrap_err();
        assert_eq!(error, IonisationError::NoAtom { gas: Gas::Hydrogen });
    }
}
