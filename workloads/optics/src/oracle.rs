//! What a case must come to: numbers measured in fields, and what they are compared with.
//!
//! The functions of this file measure spectra: stored ones, that is, unnormalised forward
//! transforms in FFT order. The parts below hold such numbers against what is known of a case;
//! [`catalogue`] has them by name. Nothing here decides whether a case passes: whoever reads the
//! lines does.

mod cartesian;
pub mod catalogue;
mod conserved;
pub mod evidence;
pub mod family;
mod guided;
mod ideal;
mod line;
mod shift;
mod spectrum;
mod steps;
mod supercontinuum;
#[cfg(test)]
mod testing;

use std::f64::consts::FRAC_PI_4;

use crate::constants::{HBAR, SPEED_OF_LIGHT};
use crate::fourier::{Complex64, inverse_of};
use crate::grid::Grid;
use crate::witness::relative_l2;

/// Energy of a spectrum in joules: `dt / n sum |Y|²`.
pub fn energy_j(grid: &Grid, spectrum: &[Complex64]) -> f64 {
    let sum: f64 = spectrum.iter().map(Complex64::norm_sqr).sum();
    grid.time_step_s() / grid.points() as f64 * sum
}

/// Number of photons at positive frequencies; conserved without loss and without windows.
pub fn photon_number(grid: &Grid, spectrum: &[Complex64]) -> f64 {
    let modes = spectrum.iter().zip(grid.frequencies());
    let sum: f64 = modes
        .filter(|(_, omega)| *omega > 0.0)
        .map(|(value, omega)| value.norm_sqr() / (HBAR * omega))
        .sum();
    grid.time_step_s() / grid.points() as f64 * sum
}

/// `after / before`; none where there was nothing before.
pub fn ratio(after: f64, before: f64) -> Option<f64> {
    (before > 0.0)
        .then(|| after / before)
        .filter(|ratio| ratio.is_finite())
}

/// Shortest and longest wavelength in metres at which the energy per wavelength, as spectrometers
/// show it, is within `below_peak_db` of its peak; none for an empty spectrum.
pub fn span_m(grid: &Grid, spectrum: &[Complex64], below_peak_db: f64) -> Option<[f64; 2]> {
    let modes = || {
        let modes = spectrum.iter().zip(grid.frequencies());
        let positive = modes.filter(|(_, omega)| *omega > 0.0);
        positive.map(|(value, omega)| (value.norm_sqr() * omega * omega, omega))
    };
    let peak = modes().map(|(density, _)| density).max_by(f64::total_cmp)?;
    let floor = peak * 10_f64.powf(-below_peak_db / 10.0);
    if !(floor > 0.0 && floor.is_finite()) {
        return None;
    }
    let within = || modes().filter(|(density, _)| *density >= floor);
    let highest = within().map(|(_, omega)| omega).max_by(f64::total_cmp)?;
    let lowest = within().map(|(_, omega)| omega).min_by(f64::total_cmp)?;
    let wavelength = |omega: f64| std::f64::consts::TAU * SPEED_OF_LIGHT / omega;
    Some([wavelength(highest), wavelength(lowest)])
}

/// Angular frequency in rad/s of the strongest mode below `omega_max`; none for an empty range.
pub fn strongest_below(grid: &Grid, spectrum: &[Complex64], omega_max: f64) -> Option<f64> {
    let modes = spectrum.iter().zip(grid.frequencies());
    let below =
        modes.filter(|(value, omega)| *omega > 0.0 && *omega < omega_max && value.norm_sqr() > 0.0);
    below
        .max_by(|(a, _), (b, _)| a.norm_sqr().total_cmp(&b.norm_sqr()))
        .map(|(_, omega)| omega)
}

/// How far a soliton of integer order is from its launch after one period: relative L2 errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolitonRecovery {
    /// Of the power over time.
    pub power: f64,
    /// Of the energy over frequency.
    pub spectrum: f64,
    /// Of the complex field; it includes the phase pi/4 that the period adds, and is the error
    /// to ask for: the modulus alone looks up to ten times better.
    pub field: f64,
}

/// Compares the state after one soliton period with its launch.
///
/// In units of its dispersion length the period is pi/2 long, and every eigenvalue of an integer
/// order gains `(2 k - 1)² pi / 4`, which is pi/4 for all of them. Stored spectra have the
/// opposite sign.
pub fn soliton_recovery(launch: &[Complex64], end: &[Complex64]) -> Option<SolitonRecovery> {
    let turned: Vec<Complex64> = launch
        .iter()
        .map(|value| value * Complex64::cis(-FRAC_PI_4))
        .collect();
    let squares = |values: &[Complex64]| -> Vec<Complex64> {
        values.iter().map(|value| value.norm_sqr().into()).collect()
    };
    let (launch_time, end_time) = (inverse_of(launch), inverse_of(end));
    Some(SolitonRecovery {
        power: relative_l2(&squares(&end_time), &squares(&launch_time))?,
        spectrum: relative_l2(&squares(end), &squares(launch))?,
        field: relative_l2(end, &turned)?,
    })
}

/// Times in seconds of the local maxima of the power that reach `fraction` of the largest.
pub fn power_peaks_s(grid: &Grid, spectrum: &[Complex64], fraction: f64) -> Vec<f64> {
    let power: Vec<f64> = inverse_of(spectrum)
        .iter()
        .map(Complex64::norm_sqr)
        .collect();
    let floor = fraction * power.iter().copied().max_by(f64::total_cmp).unwrap_or(0.0);
    let neighbours = power.windows(3).zip(grid.times().skip(1));
    neighbours
        .filter_map(|(window, time)| match window {
            [left, middle, right] => {
                let is_peak = middle > left && middle >= right && *middle >= floor;
                is_peak.then_some(time)
            }
            _ => None,
        })
        .collect()
}

/// Time in seconds of the sample with the largest power; none for an empty field.
pub fn strongest_time_s(grid: &Grid, spectrum: &[Complex64]) -> Option<f64> {
    let field = inverse_of(spectrum);
    let powers = field.iter().map(Complex64::norm_sqr).zip(grid.times());
    let lit = powers.filter(|(power, _)| *power > 0.0);
    lit.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, time)| time)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::constants::angular_frequency;
    use crate::fourier::forward;

    fn grid() -> Grid {
        Grid::from_points(angular_frequency(1e-6), 256, 1e-12, None).unwrap()
    }

    fn modes(list: &[(usize, f64)]) -> Vec<Complex64> {
        let mut spectrum = vec![Complex64::default(); 256];
        for (index, value) in list {
            spectrum[*index] = (*value).into();
        }
        spectrum
    }

    fn pulses(times_s: &[f64]) -> Vec<Complex64> {
        let mut field: Vec<Complex64> = grid()
            .times()
            .map(|t| {
                times_s
                    .iter()
                    .map(|t0| 1.0 / ((t - t0) / 2e-14).cosh())
                    .sum::<f64>()
                    .into()
            })
            .collect();
        forward(&mut field);
        field
    }

    #[test]
    fn one_photon_has_the_energy_of_its_frequency() {
        let (grid, spectrum) = (grid(), modes(&[(5, 3.0)]));
        let omega = grid.frequencies().nth(5).unwrap();
        let per_photon = energy_j(&grid, &spectrum) / photon_number(&grid, &spectrum);
        assert!((per_photon / (HBAR * omega) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_ratio_to_nothing_is_unknown() {
        assert_eq!(ratio(1.0, 2.0), Some(0.5));
        assert_eq!(ratio(1.0, 0.0), None);
    }

    #[test]
    fn the_span_ends_at_the_outermost_modes_above_the_level() {
        let (grid, spectrum) = (grid(), modes(&[(0, 1.0), (4, 0.2), (9, 0.05), (252, 0.2)]));
        let wavelength =
            |k: usize| std::f64::consts::TAU * SPEED_OF_LIGHT / grid.frequencies().nth(k).unwrap();
        let span = span_m(&grid, &spectrum, 20.0).unwrap();
        assert!((span[0] - wavelength(4)).abs() < 1e-18);
        assert!((span[1] - wavelength(252)).abs() < 1e-18);
        let wider = span_m(&grid, &spectrum, 40.0).unwrap();
        assert!((wider[0] - wavelength(9)).abs() < 1e-18);
        assert_eq!(span_m(&grid, &modes(&[]), 20.0), None);
    }

    #[test]
    fn the_strongest_mode_is_searched_below_the_limit_only() {
        let (grid, spectrum) = (grid(), modes(&[(9, 1.0), (250, 0.2), (240, 0.1)]));
        let found = strongest_below(&grid, &spectrum, grid.carrier());
        assert_eq!(found, grid.frequencies().nth(250));
        assert_eq!(strongest_below(&grid, &spectrum, 1.0), None);
    }

    #[test]
    fn a_soliton_that_gained_its_phase_is_recovered_and_one_that_did_not_is_not() {
        let launch = pulses(&[0.0]);
        let turned: Vec<Complex64> = launch
            .iter()
            .map(|value| value * Complex64::cis(-FRAC_PI_4))
            .collect();
        let recovered = soliton_recovery(&launch, &turned).unwrap();
        assert!(recovered.power < 1e-14 && recovered.spectrum < 1e-14);
        assert!(recovered.field < 1e-14);
        let unturned = soliton_recovery(&launch, &launch).unwrap();
        assert!(unturned.power < 1e-14 && unturned.field > 0.7);
    }

    #[test]
    fn the_strongest_time_is_that_of_the_larger_pulse() {
        let mut both = pulses(&[1.5e-13]);
        for (value, other) in both.iter_mut().zip(pulses(&[-1.2e-13])) {
            *value += 0.9 * other;
        }
        let time = strongest_time_s(&grid(), &both).unwrap();
        assert!((time - 1.5e-13).abs() <= grid().time_step_s(), "{time:e}");
        assert_eq!(strongest_time_s(&grid(), &modes(&[])), None);
    }

    #[test]
    fn two_pulses_have_two_peaks() {
        let spectrum = pulses(&[-1.2e-13, 1.5e-13]);
        let peaks = power_peaks_s(&grid(), &spectrum, 0.5);
        assert_eq!(peaks.len(), 2, "{peaks:?}");
        let step = grid().time_step_s();
        assert!((peaks[0] + 1.2e-13).abs() <= step && (peaks[1] - 1.5e-13).abs() <= step);
    }
}
