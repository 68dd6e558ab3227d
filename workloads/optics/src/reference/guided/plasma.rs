//! Ionisation, and what free electrons and their release do to the field.
//!
//! M. Geissler et al., Phys. Rev. Lett. 83, 2930 (1999). With W the rate, per unit of density,
//!
//! ```text
//! f = 1 - exp(-int W dt)
//! J = int f e^2/m_e E dt + I W (1 - f) / E,   P = int J dt
//! ```
//!
//! The current beside the integral takes the energy I from the field for every electron. Integrals
//! over time are cumulative trapezoids from the first sample. Of an envelope with a rate that is
//! averaged over the cycle, that current is `2 I W (1 - f) E / |E|^2`: the power that it takes is
//! `Re(J* E) / 2`.

use crate::constants::{ELECTRON_MASS, ELEMENTARY_CHARGE};
use crate::fourier::Complex64;
use crate::guided::Plasma;
use crate::ionisation::IonisationError;

use super::super::fields::Field;

/// Ionisation along the time axis of one field.
pub struct Ionised<'a> {
    plasma: &'a Plasma,
    time_step_s: f64,
    /// W, 1/s.
    rate: Vec<f64>,
    /// f.
    fraction: Vec<f64>,
}

impl<'a> Ionised<'a> {
    /// Ionisation by a field in V/m, with samples `time_step_s` apart; the field must be within the
    /// table of rates.
    pub fn by(
        plasma: &'a Plasma,
        field: &[Complex64],
        time_step_s: f64,
    ) -> Result<Self, IonisationError> {
        let moduli: Vec<f64> = field.iter().map(|value| value.norm()).collect();
        // The largest is the one to be named, if it is beyond the table.
        plasma
            .rate
            .rate(moduli.iter().copied().fold(0.0, f64::max))?;
        // No number is in no table, and makes none of the whole source.
        let rate = |modulus: &f64| match modulus.is_nan() {
            true => Ok(f64::NAN),
            false => plasma.rate.rate(*modulus),
        };
        let rate: Vec<f64> = moduli.iter().map(rate).collect::<Result<_, _>>()?;
        let exponent = integral(&rate, time_step_s);
        let fraction = exponent.iter().map(|exponent| -(-exponent).exp_m1());
        Ok(Ionised {
            plasma,
            time_step_s,
            fraction: fraction.collect(),
            rate,
        })
    }

    /// P over the density, of a real field.
    pub fn polarisation(&self, field: &[Complex64]) -> Field {
        let drift: Vec<f64> = self.acceleration(field).iter().map(|a| a.re).collect();
        let mut current = integral(&drift, self.time_step_s);
        for (index, value) in field.iter().enumerate() {
            if value.re != 0.0 {
                current[index] += self.release_power(index) / value.re;
            }
        }
        let polarisation = integral(&current, self.time_step_s);
        polarisation.into_iter().map(Complex64::from).collect()
    }

    /// `f e²/m_e E`: the rate at which the current of the free electrons grows.
    pub fn acceleration(&self, field: &[Complex64]) -> Field {
        let per_field = ELEMENTARY_CHARGE * ELEMENTARY_CHARGE / ELECTRON_MASS;
        let at = |(fraction, value): (&f64, &Complex64)| fraction * per_field * value;
        self.fraction.iter().zip(field).map(at).collect()
    }

    /// `2 I W (1 - f) E / |E|²`: the current of an envelope that sets electrons free.
    pub fn cycle_current(&self, field: &[Complex64]) -> Field {
        let at = |(index, value): (usize, &Complex64)| {
            let square = value.norm_sqr();
            if square == 0.0 {
                return Complex64::default();
            }
            2.0 * self.release_power(index) / square * value
        };
        field.iter().enumerate().map(at).collect()
    }

    /// `I W (1 - f)`: the power per atom that sets electrons free, W.
    fn release_power(&self, index: usize) -> f64 {
        self.plasma.ionisation_energy_j * self.rate[index] * (1.0 - self.fraction[index])
    }
}

/// The integral from the first sample to each, by trapezoids.
fn integral(values: &[f64], step: f64) -> Vec<f64> {
    let mut sum = 0.0;
    let mut sums = vec![0.0; values.len()];
    for (index, pair) in values.windows(2).enumerate() {
        sum += step * (pair[0] + pair[1]) / 2.0;
        sums[index + 1] = sum;
    }
    sums
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::ionisation::RateTable;

    const STEP_S: f64 = 1e-18;
    /// 1/s: a third of the atoms within 4 fs.
    const RATE: f64 = 1e14;
    const ENERGY_J: f64 = 2.5e-18;

    /// A rate that is the same for all fields from 1 V/m to 1 GV/m.
    fn constant() -> Plasma {
        Plasma {
            rate: RateTable {
                first_field: 1.0,
                step: 1e9 - 1.0,
                cells: vec![[RATE.ln(), 0.0, 0.0, 0.0]],
            },
            ionisation_energy_j: ENERGY_J,
        }
    }

    /// 4 fs of a field of 1 MV/m that changes its sign every femtosecond, nothing before and after.
    /// Between two signs there is one sample without a field.
    fn rectangular() -> Vec<Complex64> {
        let at = |j: i32| match j {
            500..=4500 if (j - 500) % 1000 == 0 => 0.0,
            500..=4500 if (j - 500) / 1000 % 2 == 0 => 1e6,
            500..=4500 => -1e6,
            _ => 0.0,
        };
        (0..5000).map(|j| Complex64::from(at(j))).collect()
    }

    #[test]
    fn a_constant_rate_leaves_an_exponentially_smaller_part_bound() {
        let plasma = constant();
        // Without the samples between the signs the trapezoids are exact.
        let field: Vec<Complex64> = (0..4000).map(|_| Complex64::new(0.0, 1e6)).collect();
        let ionised = Ionised::by(&plasma, &field, STEP_S).unwrap();
        for index in [0_i32, 10, 3999] {
            let exact = 1.0 - (-RATE * STEP_S * f64::from(index)).exp();
            let found = ionised.fraction[index as usize];
            assert!((found - exact).abs() < 1e-13, "{index}: {found} {exact}");
        }
    }

    #[test]
    fn every_electron_costs_its_energy_and_is_then_accelerated() {
        let (plasma, field) = (constant(), rectangular());
        let ionised = Ionised::by(&plasma, &field, STEP_S).unwrap();
        let free = *ionised.fraction.last().unwrap();
        assert!((free - (1.0 - (-0.4_f64).exp())).abs() < 1e-3, "{free}");
        // The work of the current J on the field, from the polarisation alone: dP = J dt.
        let polarisation = ionised.polarisation(&field);
        let steps = polarisation.windows(2).zip(field.windows(2));
        let work: f64 = steps
            .map(|(p, e)| (p[1] - p[0]).re * (e[1] + e[0]).re / 2.0)
            .sum();
        // In a weak field all of it is the energy of ionisation.
        let expected = ENERGY_J * free;
        assert!(
            (work / expected - 1.0).abs() < 1e-3,
            "{work:e} {expected:e}"
        );
    }

    #[test]
    fn free_electrons_answer_with_their_inertia() {
        let mut plasma = constant();
        plasma.ionisation_energy_j = 0.0;
        // All are free at once, and the field grows evenly: P is a cubic of time.
        plasma.rate.cells = vec![[1e22_f64.ln(), 0.0, 0.0, 0.0]];
        let growing = |j: u32| Complex64::from(f64::from(j) * 1e3);
        let field: Vec<Complex64> = (0..2001).map(growing).collect();
        let ionised = Ionised::by(&plasma, &field, STEP_S).unwrap();
        let end = ionised.polarisation(&field)[2000].re;
        let time = 2000.0 * STEP_S;
        let per_field = ELEMENTARY_CHARGE * ELEMENTARY_CHARGE / ELECTRON_MASS;
        let expected = per_field * 2e6 * time * time / 6.0;
        assert!((end / expected - 1.0).abs() < 1e-5, "{end:e} {expected:e}");
    }

    #[test]
    fn an_envelope_pays_the_same_over_the_cycle() {
        let plasma = constant();
        let field: Vec<Complex64> = (0..5000)
            .map(|j| match j {
                500..4500 => Complex64::from_polar(1e6, f64::from(j) / 300.0),
                _ => Complex64::default(),
            })
            .collect();
        let ionised = Ionised::by(&plasma, &field, STEP_S).unwrap();
        let current = ionised.cycle_current(&field);
        let power = current.iter().zip(&field);
        let power = power.map(|(j, e)| 0.5 * (j.conj() * e).re);
        let work = STEP_S * power.sum::<f64>();
        let expected = ENERGY_J * ionised.fraction.last().unwrap();
        assert!(
            (work / expected - 1.0).abs() < 1e-3,
            "{work:e} {expected:e}"
        );
    }

    #[test]
    fn a_field_beyond_the_table_is_refused_and_no_number_stays_none() {
        let plasma = constant();
        let strong = [Complex64::new(0.0, 2e9)];
        let error = Ionised::by(&plasma, &strong, STEP_S).err().unwrap();
        assert!(error.to_string().contains("2.0000e9 V/m"), "{error}");
        let none = [Complex64::new(f64::NAN, 0.0); 2];
        let ionised = Ionised::by(&plasma, &none, STEP_S).unwrap();
        assert!(ionised.fraction[1].is_nan());
    }
}
