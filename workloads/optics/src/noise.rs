//! Quantum noise of the launch: one photon per mode, with a random phase.
//!
//! Host code in index order and one generator, so that every backend starts from the same field.

use std::f64::consts::TAU;

use crate::constants::HBAR;
use crate::fourier::Complex64;
use crate::grid::Grid;
use crate::random::Generator;

/// Adds one photon per mode to a stored spectrum (FFT order, unnormalised).
///
/// Bin `k` receives `(sqrt(2 pi) / dt) sqrt(hbar w_k / dw) exp(i phi_k)`, whose energy
/// `(dt / n) |.|²` is `hbar w_k`. One phase is drawn for every bin, valid or not, so the noise of
/// a bin depends on the seed and its index alone. Bins outside the valid set receive nothing.
pub fn add_one_photon_per_mode(grid: &Grid, seed: u64, spectrum: &mut [Complex64]) {
    let mut generator = Generator::from_seed(seed);
    let scale = TAU.sqrt() / grid.time_step_s();
    for (value, omega) in spectrum.iter_mut().zip(grid.frequencies()) {
        let phase = TAU * generator.next_unit();
        if grid.is_valid(omega) {
            let amplitude = scale * (HBAR * omega / grid.frequency_step()).sqrt();
            *value += Complex64::from_polar(amplitude, phase);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::constants::angular_frequency;
    use crate::grid::Band;

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
}
