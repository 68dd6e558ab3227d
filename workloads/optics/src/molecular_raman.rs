//! The delayed Raman response of hydrogen: molecules that rotate and vibrate on after the light.
//!
//! `h(t) = sum of K sin(W t) exp(-t / tau)`, one term for each line. It is the response of one
//! molecule: the polarisation of a gas is `rho E (h * E²)`, with no further factor.
//!
//! Levels and polarisabilities are of J. K. Wahlstrand and others, Phys. Rev. A 92, 063828 (2015),
//! widths of rotation of G. C. Herring, M. J. Dyer and W. K. Bischel, Phys. Rev. A 34, 1944 (1986),
//! of vibration of W. K. Bischel and M. J. Dyer, Phys. Rev. A 33, 3113 (1986), with the numbers
//! that Luna.jl takes from them.

use std::f64::consts::{PI, TAU};

use serde::Deserialize;

use crate::constants::{AMAGAT, ATOMIC_MASS, BOLTZMANN, HBAR, SPEED_OF_LIGHT, VACUUM_PERMITTIVITY};
use crate::fourier::{Complex64, forward};
use crate::medium::MediumError;
use crate::medium::gas::Gas;
use crate::raman::RamanTable;
use crate::window::PlanckTaper;

/// Rotational constant of H2, 1/m.
const ROTATION_PER_M: f64 = 5890.0;

/// Centrifugal distortion of H2, 1/m.
const DISTORTION_PER_M: f64 = 5.0;

/// Anisotropy of the polarisability volume of H2, m³.
const ANISOTROPY_M3: f64 = 3e-31;

/// Widths of the rotational lines, Hz: of diffusion times an amagat, and of collisions per amagat.
const ROTATION_WIDTHS_HZ: [f64; 2] = [6.15e6, 114e6];

/// Frequency of the vibration of H2, Hz.
const VIBRATION_HZ: f64 = 124.5669e12;

/// Derivative of the polarisability volume of H2 over the distance of its nuclei, m².
const STRETCH_M2: f64 = 1.3e-20;

/// Reduced mass of the nuclei of H2, kg.
const REDUCED_MASS_KG: f64 = 0.5 * 1.007_84 * ATOMIC_MASS;

/// Widths of the vibrational line, Hz, as those of the rotational ones.
const VIBRATION_WIDTHS_HZ: [f64; 2] = [309e6, 52.2e6];

/// Rotational levels that are populated: at 310 K fewer than one molecule in 10^13 is above.
const LEVELS: usize = 12;

/// Share of the window over which the response is left as it is; it is tapered to 0 at the end.
const UNTAPERED: f64 = 0.7;

/// Which motions of the molecule take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Motion {
    /// Rotation.
    Rotation,
    /// Vibration.
    Vibration,
    /// Both.
    Both,
}

/// What is convolved with the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// E², of a real field.
    Field,
    /// |E|², of an envelope: the mean of E² over a cycle is half of it, and that half is put into
    /// the table.
    Envelope,
}

/// One damped line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// K, C m⁴/(V³ s).
    pub strength: f64,
    /// W, rad/s.
    pub frequency: f64,
    /// tau, s.
    pub decay_s: f64,
}

/// A response that is a sum of lines.
#[derive(Clone, Debug, PartialEq)]
pub struct MolecularRaman {
    /// The lines.
    pub lines: Vec<Line>,
}

impl MolecularRaman {
    /// Hydrogen of a density in 1/m³, above 0, and a temperature in K. Of a vacuum there are no
    /// widths, so its density is an error.
    pub fn hydrogen(
        density_per_m3: f64,
        temperature_k: f64,
        motion: Motion,
    ) -> Result<Self, MediumError> {
        let gas = Gas::Hydrogen;
        // Checks both against what is known of the gas.
        let pressure_pa = gas.pressure_pa(density_per_m3, temperature_k)?;
        if pressure_pa == 0.0 {
            return Err(MediumError::Density {
                gas,
                density_per_m3,
            });
        }
        let mut lines = Vec::new();
        if matches!(motion, Motion::Rotation | Motion::Both) {
            lines.extend(rotation(density_per_m3, temperature_k));
        }
        if matches!(motion, Motion::Vibration | Motion::Both) {
            lines.push(vibration(density_per_m3));
        }
        Ok(MolecularRaman { lines })
    }

    /// `h(t)` in C m⁴/(V³ s); zero for t <= 0.
    pub fn response(&self, t: f64) -> f64 {
        if t <= 0.0 {
            return 0.0;
        }
        let line = |l: &Line| l.strength * (l.frequency * t).sin() * (-t / l.decay_s).exp();
        self.lines.iter().map(line).sum()
    }

    /// The continuous transform `integral h(t) exp(-i w t) dt` in C m⁴/V³.
    pub fn transform(&self, omega: f64) -> Complex64 {
        let line = |l: &Line| {
            let damped = Complex64::new(l.decay_s.recip(), omega);
            l.strength * l.frequency / (damped * damped + l.frequency * l.frequency)
        };
        self.lines.iter().map(line).sum()
    }

    /// The table on a grid of `points` samples, `time_step_s` apart: zero-padded to twice the
    /// length for a linear, causal convolution.
    ///
    /// The lines outlive every window, so the response is tapered over the last part of it. A
    /// response that begins with a slope is integrated by its samples to second order only; the
    /// Euler-Maclaurin correction for that slope is put into the first sample, which is zero
    /// otherwise, and makes it fourth order.
    pub fn table(&self, points: usize, time_step_s: f64, drive: Drive) -> RamanTable {
        let window_s = points as f64 * time_step_s;
        let taper = PlanckTaper {
            zero_left: 0.0,
            one_left: 0.0,
            one_right: UNTAPERED * window_s,
            zero_right: window_s,
        };
        let scale = match drive {
            Drive::Field => time_step_s,
            Drive::Envelope => 0.5 * time_step_s,
        };
        let sample = |index: usize| {
            let t = index as f64 * time_step_s;
            Complex64::new(scale * taper.at(t) * self.response(t), 0.0)
        };
        let mut values: Vec<Complex64> = (0..points).map(sample).collect();
        if let Some(first) = values.first_mut() {
            let slope: f64 = self.lines.iter().map(|l| l.strength * l.frequency).sum();
            first.re += scale * time_step_s * slope / 12.0;
        }
        values.resize(2 * points, Complex64::default());
        forward(&mut values);
        values.truncate(points + 1);
        RamanTable {
            points: 2 * points,
            values,
        }
    }
}

/// The lines J to J + 2.
fn rotation(density_per_m3: f64, temperature_k: f64) -> Vec<Line> {
    let decay_s = decay_s(ROTATION_WIDTHS_HZ, density_per_m3);
    let populations = populations(temperature_k);
    let anisotropy = 4.0 * PI * VACUUM_PERMITTIVITY * ANISOTROPY_M3;
    let front = 2.0 / 15.0 * anisotropy * anisotropy / HBAR;
    let line = |(level, window): (usize, &[f64])| {
        let j = level as f64;
        // Each level has 2J + 1 states of one orientation.
        let lower = window[0] / (2.0 * j + 1.0);
        let upper = window[2] / (2.0 * j + 5.0);
        let weight = (j + 1.0) * (j + 2.0) / (2.0 * j + 3.0);
        Line {
            strength: front * weight * (lower - upper),
            frequency: (energy_j(level + 2) - energy_j(level)) / HBAR,
            decay_s,
        }
    };
    populations.windows(3).enumerate().map(line).collect()
}

fn vibration(density_per_m3: f64) -> Line {
    let frequency = TAU * VIBRATION_HZ;
    let stretch = 4.0 * PI * VACUUM_PERMITTIVITY * STRETCH_M2;
    Line {
        strength: stretch * stretch / (4.0 * REDUCED_MASS_KG * frequency),
        frequency,
        decay_s: decay_s(VIBRATION_WIDTHS_HZ, density_per_m3),
    }
}

/// Energy of a rotational level, J.
fn energy_j(level: usize) -> f64 {
    let square = (level * (level + 1)) as f64;
    let per_m = ROTATION_PER_M * square - DISTORTION_PER_M * square * square;
    TAU * HBAR * SPEED_OF_LIGHT * per_m
}

/// Share of the molecules in each rotational level. The spins of the nuclei give odd levels three
/// states for each of an even level.
fn populations(temperature_k: f64) -> [f64; LEVELS] {
    let weight = |level: usize| {
        let spins = if level.is_multiple_of(2) { 1.0 } else { 3.0 };
        let orientations = (2 * level + 1) as f64;
        spins * orientations * (-energy_j(level) / (BOLTZMANN * temperature_k)).exp()
    };
    let weights: [f64; LEVELS] = std::array::from_fn(weight);
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// `1 / tau = pi (A / rho + B rho)`, rho in amagat: A of diffusion, B of collisions.
fn decay_s([diffusion_hz, collisions_hz]: [f64; 2], density_per_m3: f64) -> f64 {
    let amagats = density_per_m3 / AMAGAT;
    (PI * (diffusion_hz / amagats + collisions_hz * amagats)).recip()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;

    const ROOM_K: f64 = 293.15;

    /// Hydrogen at 10 bar.
    fn hydrogen(motion: Motion) -> MolecularRaman {
        let density = Gas::Hydrogen.density_per_m3(1e6, ROOM_K).unwrap();
        MolecularRaman::hydrogen(density, ROOM_K, motion).unwrap()
    }

    /// Where the imaginary part of the transform is least, in Hz.
    fn strongest_hz(raman: &MolecularRaman, range_thz: std::ops::Range<u32>) -> f64 {
        let hertz = |step: u32| f64::from(step) * 5e8;
        // 2000 steps of 0.5 GHz, a line's width, are 1 THz.
        let steps = 2000 * range_thz.start..2000 * range_thz.end;
        let gain = |step: &u32| raman.transform(TAU * hertz(*step)).im;
        let least = steps.min_by(|a, b| gain(a).total_cmp(&gain(b)));
        hertz(least.unwrap())
    }

    #[test]
    fn the_strongest_lines_are_where_luna_has_them() {
        // Tests of Luna.jl: 17.45 THz, of which four digits are given, and 124.5669 THz.
        let rotation = strongest_hz(&hydrogen(Motion::Rotation), 5..40);
        assert!((rotation / 17.45e12 - 1.0).abs() < 3e-4, "{rotation:e}");
        let vibration = strongest_hz(&hydrogen(Motion::Vibration), 100..150);
        assert!(
            (vibration / 124.5669e12 - 1.0).abs() < 1e-5,
            "{vibration:e}"
        );
        // Together each is where it was.
        let both = hydrogen(Motion::Both);
        assert_eq!(strongest_hz(&both, 5..40), rotation);
        assert_eq!(strongest_hz(&both, 100..150), vibration);
    }

    #[test]
    fn rotational_lines_are_at_the_differences_of_the_levels() {
        let lines = hydrogen(Motion::Rotation).lines;
        assert_eq!(lines.len(), LEVELS - 2);
        // B (x' - x) - D (x'² - x²) with x = J (J + 1), in 1/m: 6 B - 36 D and 10 B - 140 D.
        for (line, per_m) in lines.iter().zip([35_160.0, 58_200.0]) {
            let expected = TAU * SPEED_OF_LIGHT * per_m;
            assert!((line.frequency / expected - 1.0).abs() < 1e-14);
        }
        assert!(lines.is_sorted_by(|a, b| a.frequency < b.frequency));
        let strongest = lines
            .iter()
            .max_by(|a, b| a.strength.total_cmp(&b.strength));
        assert_eq!(strongest, lines.get(1));
        assert!(lines.iter().all(|line| line.strength > 0.0));
    }

    #[test]
    fn lines_live_for_some_hundred_picoseconds_at_ten_bar() {
        // By an independent prototype, one digit: 0.3 ns of rotation and 0.6 ns of vibration.
        let both = hydrogen(Motion::Both);
        let (rotation, vibration) = (both.lines[0].decay_s, both.lines[LEVELS - 2].decay_s);
        assert!((rotation - 0.3e-9).abs() < 0.05e-9, "{rotation:e}");
        assert!((vibration - 0.6e-9).abs() < 0.05e-9, "{vibration:e}");
    }

    #[test]
    fn warm_hydrogen_is_three_quarters_odd_and_its_levels_are_all_of_it() {
        let populations = populations(ROOM_K);
        let sum: f64 = populations.iter().sum();
        assert!((sum - 1.0).abs() < 1e-15);
        let odd: f64 = populations.iter().skip(1).step_by(2).sum();
        assert!((odd - 0.75).abs() < 0.01, "{odd}");
        assert!(populations[LEVELS - 1] < 1e-12 && populations[1] > 0.5);
        // Cold hydrogen with its spins in equilibrium is at rest.
        assert!(super::populations(20.0)[0] > 0.99);
    }

    #[test]
    fn nothing_happens_before_its_cause() {
        let both = hydrogen(Motion::Both);
        for t in [-1.0, -1e-15, -0.0, 0.0] {
            assert_eq!(both.response(t), 0.0);
        }
        assert!(both.response(1e-15) > 0.0);
    }

    #[test]
    fn motions_add_up() {
        let parts = [Motion::Rotation, Motion::Vibration].map(hydrogen);
        let both = hydrogen(Motion::Both);
        for t in [1e-15, 40e-15, 1e-12] {
            let sum: f64 = parts.iter().map(|part| part.response(t)).sum();
            assert!((both.response(t) / sum - 1.0).abs() < 1e-12);
        }
    }

    /// A line that is over long before the window is, so that the taper does not touch it.
    fn short_lived() -> MolecularRaman {
        MolecularRaman {
            lines: vec![Line {
                strength: 3.0,
                frequency: TAU * 17e12,
                decay_s: 60e-15,
            }],
        }
    }

    #[test]
    fn the_table_is_the_transform_of_the_response() {
        let (raman, points, dt) = (short_lived(), 16_384, 0.25e-15);
        let table = raman.table(points, dt, Drive::Field);
        assert_eq!((table.points, table.values.len()), (2 * points, points + 1));
        let step = TAU / (table.points as f64 * dt);
        let size = raman.transform(0.0).norm();
        // Up to twice the frequency of the line. Without the correction of the first sample the
        // error would be (W dt)² / 12 = 6e-5.
        for bin in (0..280).step_by(7) {
            let expected = raman.transform(bin as f64 * step);
            let error = (table.values[bin] - expected).norm() / size;
            assert!(error < 1e-7, "bin {bin}: {error:e}");
        }
    }

    #[test]
    fn the_table_for_an_envelope_is_half_that_for_a_field() {
        let tables = [Drive::Field, Drive::Envelope].map(|drive| {
            let table = hydrogen(Motion::Both).table(1024, 0.5e-15, drive);
            assert_eq!(table.values.len(), 1025);
            table.values
        });
        let sizes = tables[0].iter().map(|value| value.norm());
        let peak = sizes.fold(0.0, f64::max);
        for (field, envelope) in tables[0].iter().zip(&tables[1]) {
            assert!((field - 2.0 * envelope).norm() < 1e-13 * peak);
        }
    }

    #[test]
    fn the_table_of_hydrogen_has_its_line_in_the_right_bin() {
        let (points, dt) = (4096, 0.5e-15);
        let raman = hydrogen(Motion::Vibration);
        let values = raman.table(points, dt, Drive::Field).values;
        let bins = 0..values.len();
        let strongest = bins.min_by(|&a, &b| values[a].im.total_cmp(&values[b].im));
        let bin_hz = 1.0 / (2.0 * points as f64 * dt);
        let found = strongest.unwrap() as f64 * bin_hz;
        assert!((found - VIBRATION_HZ).abs() < 1.5 * bin_hz, "{found:e}");
    }

    #[test]
    fn a_response_that_fills_the_window_is_tapered_to_nothing() {
        let (raman, points, dt) = (hydrogen(Motion::Both), 2048_usize, 0.5e-15);
        let table = raman.table(points, dt, Drive::Field);
        // Back to time: a real signal of the whole, padded length.
        let mirrored = table.values[1..points].iter().rev();
        let mut padded = table.values.clone();
        padded.extend(mirrored.map(|value| value.conj()));
        crate::fourier::inverse(&mut padded);
        let sizes = padded.iter().map(|value| value.norm());
        let peak = sizes.fold(0.0, f64::max);
        for (index, value) in padded.iter().enumerate().skip(1) {
            let share = index as f64 / points as f64;
            let expected = if share < UNTAPERED {
                dt * raman.response(index as f64 * dt)
            } else if share > 0.99 {
                0.0
            } else {
                continue;
            };
            let error = (value - expected).norm();
            assert!(error < 1e-6 * peak, "{index}: {error:e}");
        }
    }

    #[test]
    fn without_molecules_or_out_of_range_there_is_no_response() {
        for (density, temperature) in [(0.0, ROOM_K), (-1.0, ROOM_K), (f64::NAN, ROOM_K)] {
            let error = MolecularRaman::hydrogen(density, temperature, Motion::Both).unwrap_err();
            assert!(matches!(error, MediumError::Density { .. }), "{error}");
        }
        let error = MolecularRaman::hydrogen(1e25, 20.0, Motion::Both).unwrap_err();
        assert!(matches!(error, MediumError::Temperature { .. }), "{error}");
    }
}
