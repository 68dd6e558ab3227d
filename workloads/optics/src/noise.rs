//! Quantum noise of the launch: one photon per mode, with a random phase.
//!
//! Host code in index order and one generator, so that every backend starts from the same field.

use std::f64::consts::TAU;

use crate::constants::HBAR;
use crate::fourier::Complex64;
use crate::grid::{Grid, TimeGrid};
use crate::random::Generator;

/// Adds one photon per mode to a stored spectrum (FFT order, unnormalised).
///
/// Bin `k` receives `(sqrt(2 pi) / dt) sqrt(hbar w_k / dw) exp(i phi_k)`, whose energy
/// `(dt / n) |.|²` is `hbar w_k`. One phase is drawn for every bin, valid or not, so the noise of
/// a bin depends on the seed and its index alone. Bins outside the valid set receive nothing.
pub fn add_one_photon_per_mode(grid: &Grid, seed: u64, spectrum: &mut [Complex64]) {
    let mut generator = Generator::from_seed(seed);
    let scale = TAU.sqrt() / grid.time_step_s();
    let amplitude = |omega: f64| {
        let valid = grid.is_valid(omega);
        valid.then(|| scale * (HBAR * omega / grid.frequency_step()).sqrt())
    };
    let bins = spectrum.iter_mut().zip(grid.frequencies());
    add(&mut generator, amplitude, bins);
}

/// Adds one photon to every bin of every guided mode: the spectra of the modes one after the other.
///
/// Where there is one mode and an envelope, this is [`add_one_photon_per_mode`]. The phases of a
/// mode follow those of the mode before. Bins outside the valid set receive nothing.
pub fn add_one_photon_per_guided_mode(grid: &TimeGrid, seed: u64, spectra: &mut [Complex64]) {
    let mut generator = Generator::from_seed(seed);
    let frequencies = grid.frequencies();
    // Half of it on a real grid: the other half is in the bins that are not stored.
    let share = match grid {
        TimeGrid::Field(_) => 0.5,
        TimeGrid::Envelope(_) => 1.0,
    };
    let scale = share * TAU.sqrt() / grid.time_step_s();
    let spacing = TAU / grid.window_s();
    let amplitude = |omega: f64| {
        let valid = grid.is_valid(omega);
        valid.then(|| scale * (HBAR * omega / spacing).sqrt())
    };
    for spectrum in spectra.chunks_exact_mut(frequencies.len()) {
        let bins = spectrum.iter_mut().zip(frequencies.iter().copied());
        add(&mut generator, amplitude, bins);
    }
}

/// Adds to each bin the amplitude of its frequency, where there is one, with a random phase.
fn add<'a>(
    generator: &mut Generator,
    amplitude: impl Fn(f64) -> Option<f64>,
    bins: impl Iterator<Item = (&'a mut Complex64, f64)>,
) {
    for (value, omega) in bins {
        let phase = TAU * generator.next_unit();
        if let Some(amplitude) = amplitude(omega) {
            *value += Complex64::from_polar(amplitude, phase);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::constants::angular_frequency;
    use crate::grid::{Band, FieldGrid};

    fn noisy(seed: u64) -> (Grid, Vec<Complex64>) {
        let band = Band::from_wavelengths([400e-9, 2400e-9]).unwrap();
        let grid = Grid::from_band(angular_frequency(835e-9), band, 1e-12).unwrap();
        let mut spectrum = vec![Complex64::default(); grid.points()];
        add_one_photon_per_mode(&grid, seed, &mut spectrum);
        (grid, spectrum)
    }

    #[test]
    fn every_valid_mode_holds_one_photon_and_no_other_mode_any() {
        let (grid, spectrum) = noisy(20_061_004);
        let per_bin = grid.time_step_s() / grid.points() as f64;
        for (value, omega) in spectrum.iter().zip(grid.frequencies()) {
            let photons = per_bin * value.norm_sqr() / (HBAR * omega);
            let expected = f64::from(u8::from(grid.is_valid(omega)));
            assert!((photons - expected).abs() < 1e-12, "{omega}: {photons}");
        }
    }

    #[test]
    fn the_phases_are_the_generators_units_in_index_order() {
        let (grid, spectrum) = noisy(5);
        let mut generator = Generator::from_seed(5);
        for (value, omega) in spectrum.iter().zip(grid.frequencies()) {
            let phase = TAU * generator.next_unit();
            if grid.is_valid(omega) {
                let turned = value * Complex64::cis(-phase);
                assert!(turned.im.abs() < 1e-12 * turned.re);
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bits() {
        assert_eq!(noisy(1).1, noisy(1).1);
        assert_ne!(noisy(1).1, noisy(2).1);
    }

    type Kind = fn(f64, Band) -> TimeGrid;

    fn guided(kind: Kind, modes: usize, seed: u64) -> (TimeGrid, Vec<Complex64>) {
        let band = Band::from_wavelengths([400e-9, 2400e-9]).unwrap();
        let grid = kind(angular_frequency(835e-9), band);
        let mut spectra = vec![Complex64::default(); modes * grid.bins()];
        add_one_photon_per_guided_mode(&grid, seed, &mut spectra);
        (grid, spectra)
    }

    fn envelope(carrier: f64, band: Band) -> TimeGrid {
        TimeGrid::Envelope(Grid::from_band(carrier, band, 1e-12).unwrap())
    }

    fn field(carrier: f64, band: Band) -> TimeGrid {
        TimeGrid::Field(FieldGrid::from_band(carrier, band, 1e-12).unwrap())
    }

    #[test]
    fn every_bin_of_every_guided_mode_holds_one_photon_on_either_grid() {
        let kinds: [Kind; 2] = [envelope, field];
        for kind in kinds {
            let (grid, spectra) = guided(kind, 3, 7);
            let frequencies = grid.frequencies();
            for (index, value) in spectra.iter().enumerate() {
                let omega = frequencies[index % grid.bins()];
                let energy = grid.energy_scale() * value.norm_sqr();
                let expected = if grid.is_valid(omega) {
                    HBAR * omega
                } else {
                    0.0
                };
                assert!((energy - expected).abs() < 1e-11 * HBAR * 1e15, "{index}");
            }
        }
    }

    #[test]
    fn modes_have_noise_of_their_own_and_the_first_that_of_one_mode() {
        let (grid, spectra) = guided(envelope, 2, 5);
        let (first, second) = spectra.split_at(grid.bins());
        assert_eq!(first, noisy(5).1);
        assert_ne!(first, second);
        assert_eq!(guided(envelope, 2, 5).1, spectra);
    }
}
