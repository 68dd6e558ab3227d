//! How each mode of a capillary travels at one density of its gas.
//!
//! The same closed forms serve a constant pressure, where they are evaluated here once, and a
//! gradient, where an engine evaluates them anew in every step.

use crate::constants::SPEED_OF_LIGHT;
use crate::fourier::Complex64;
use crate::grid::TimeGrid;
use crate::guide::capillary::{Capillary, Cladding, Mode, excess_of};
use crate::guided::problem::Gradient;
use crate::medium::gas::Dispersion;
use crate::medium::{MediumError, silica};

/// Largest loss of a mode, 1/m: 130 dB/cm, at which no light is left to propagate. (Luna.jl)
pub const MAX_LOSS_PER_M: f64 = 3000.0;

/// What does not depend on the density: for each bin, and at the carrier.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalDispersion {
    /// Absolute frequencies, rad/s; 0 outside the valid set.
    pub omega: Vec<f64>,
    /// chi over density, m³.
    pub susceptibility: Vec<f64>,
    /// Waveguide terms: `modes` rows.
    pub waveguide: Vec<Complex64>,
    carrier: Carrier,
    loss: bool,
    is_envelope: bool,
}

/// The closed forms at the carrier, for the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Carrier {
    omega: f64,
    susceptibility: f64,
    susceptibility_slope: f64,
    waveguide: Complex64,
    waveguide_slope: Complex64,
}

impl ModalDispersion {
    /// The dispersion of these modes, of which the first gives the frame.
    pub fn new(
        grid: &TimeGrid,
        capillary: Capillary,
        modes: &[Mode],
        gas: &Dispersion,
        loss: bool,
    ) -> Result<Self, MediumError> {
        let valid = |omega: f64| if grid.is_valid(omega) { omega } else { 0.0 };
        let omega: Vec<f64> = grid.frequencies().into_iter().map(valid).collect();
        let chi = |omega: &f64| {
            if *omega == 0.0 {
                return Ok(0.0);
            }
            gas.susceptibility_m3(*omega)
        };
        let susceptibility: Vec<f64> = omega.iter().map(chi).collect::<Result<_, _>>()?;
        let term = |mode: &Mode, omega: f64| {
            if omega == 0.0 {
                return Complex64::default();
            }
            let cladding = silica::cladding_permittivity(omega);
            capillary.waveguide_term(*mode, omega, cladding)
        };
        let row = |mode: &Mode| -> Vec<Complex64> {
            omega.iter().map(|omega| term(mode, *omega)).collect()
        };
        let waveguide = modes.iter().flat_map(row).collect();
        let carrier = Carrier::of(grid.carrier(), capillary, modes.first(), gas)?;
        Ok(ModalDispersion {
            susceptibility,
            waveguide,
            omega,
            carrier,
            loss,
            is_envelope: matches!(grid, TimeGrid::Envelope(_)),
        })
    }

    /// Effective indices less 1 of every mode, at a density in 1/m³; 0 outside the valid set.
    pub fn excess(&self, density_per_m3: f64) -> Vec<Complex64> {
        let bins = self.omega.len();
        let terms = self.waveguide.iter().enumerate();
        terms
            .map(|(index, waveguide)| {
                let bin = index % bins;
                if self.omega[bin] == 0.0 {
                    return Complex64::default();
                }
                bounded(excess_of(
                    density_per_m3 * self.susceptibility[bin] - waveguide,
                ))
            })
            .collect()
    }

    /// The linear operator at a density in 1/m³.
    ///
    /// What belongs to vacuum is the same in the phase and in the frame and drops out: of beta
    /// itself, some 1e7 rad/m, the frame would leave digits that are wrong.
    pub fn linear(&self, density_per_m3: f64) -> Vec<Complex64> {
        let frame = self.carrier.frame(density_per_m3);
        let bins = self.omega.len();
        let excess = self.excess(density_per_m3);
        let at = |(index, excess): (usize, &Complex64)| {
            let omega = self.omega[index % bins];
            if omega == 0.0 {
                return Complex64::default();
            }
            let moving = if self.is_envelope {
                frame.group * (omega - self.carrier.omega) + frame.phase * self.carrier.omega
            } else {
                frame.group * omega
            };
            let phase = (omega * excess.re - moving) / SPEED_OF_LIGHT;
            let loss = if self.loss {
                (2.0 * omega / SPEED_OF_LIGHT * excess.im).clamp(0.0, MAX_LOSS_PER_M)
            } else {
                0.0
            };
            Complex64::new(-0.5 * loss, -phase)
        };
        excess.iter().enumerate().map(at).collect()
    }

    /// The closed forms for an engine, with the law of the density.
    pub fn gradient(&self, law: DensityLaw, over_index: bool) -> Gradient {
        Gradient {
            inlet_pa: law.inlet_pa,
            outlet_pa: law.outlet_pa,
            length_m: law.length_m,
            temperature_k: law.temperature_k,
            virial_m3: law.virial_m3,
            susceptibility: self.susceptibility.clone(),
            waveguide: self.waveguide.clone(),
            carrier_susceptibility: self.carrier.susceptibility,
            carrier_waveguide: self.carrier.waveguide,
            susceptibility_slope: self.carrier.susceptibility_slope,
            waveguide_slope: self.carrier.waveguide_slope,
            loss: self.loss,
            max_loss_per_m: MAX_LOSS_PER_M,
            over_index,
        }
    }
}

/// How the density follows from the position; units in the names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DensityLaw {
    /// At the entrance.
    pub inlet_pa: f64,
    /// At the other end.
    pub outlet_pa: f64,
    /// Between the two.
    pub length_m: f64,
    /// Of the gas.
    pub temperature_k: f64,
    /// Second virial coefficient of a molecule.
    pub virial_m3: f64,
}

impl Carrier {
    fn of(
        omega: f64,
        capillary: Capillary,
        mode: Option<&Mode>,
        gas: &Dispersion,
    ) -> Result<Self, MediumError> {
        let cladding = Cladding {
            permittivity: silica::cladding_permittivity(omega),
            slope: silica::cladding_slope(omega),
        };
        // A case has at least one mode; without one there is no wall.
        let [waveguide, waveguide_slope] = mode.map_or([Complex64::default(); 2], |mode| {
            [
                capillary.waveguide_term(*mode, omega, cladding.permittivity),
                capillary.waveguide_slope(*mode, omega, cladding),
            ]
        });
        Ok(Carrier {
            omega,
            susceptibility: gas.susceptibility_m3(omega)?,
            susceptibility_slope: gas.slope_m3_s(omega)?,
            waveguide,
            waveguide_slope,
        })
    }

    /// The frame at a density in 1/m³. With `n² = 1 + x`, `dn/dw = x' / 2 n`, and the group index
    /// is `Re n + w Re dn/dw`.
    fn frame(&self, density_per_m3: f64) -> Frame {
        let excess = excess_of(density_per_m3 * self.susceptibility - self.waveguide);
        let slope = density_per_m3 * self.susceptibility_slope - self.waveguide_slope;
        let index_slope = slope / (2.0 * (1.0 + excess));
        Frame {
            phase: excess.re,
            group: excess.re + self.omega * index_slope.re,
        }
    }
}

/// The indices that the frame moves with, less 1: those of the first mode at the carrier.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Frame {
    /// `c beta_0 / w0 - 1`.
    phase: f64,
    /// `c beta_1 - 1`.
    group: f64,
}

/// An excess whose index has a real part of at least [`Gradient::INDEX_MIN`].
fn bounded(excess: Complex64) -> Complex64 {
    Complex64::new(excess.re.max(Gradient::INDEX_MIN - 1.0), excess.im)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::constants::angular_frequency;
    use crate::grid::{Band, FieldGrid, Grid};
    use crate::guide::dispersion::taylor;
    use crate::medium::gas::Gas;

    const CAPILLARY: Capillary = Capillary { radius_m: 125e-6 };

    fn modes(count: u32) -> Vec<Mode> {
        (1..=count).map(|m| Mode::he(1, m).unwrap()).collect()
    }

    fn helium() -> Dispersion {
        Gas::Helium.dispersion(Gas::Helium.formula()).unwrap()
    }

    fn set_up(grid: &TimeGrid, loss: bool) -> ModalDispersion {
        ModalDispersion::new(grid, CAPILLARY, &modes(2), &helium(), loss).unwrap()
    }

    fn band() -> Band {
        Band::from_wavelengths([200e-9, 4e-6]).unwrap()
    }

    fn field() -> TimeGrid {
        let grid = FieldGrid::from_band(angular_frequency(800e-9), band(), 100e-15);
        TimeGrid::Field(grid.unwrap())
    }

    fn envelope() -> TimeGrid {
        let grid = Grid::from_band(angular_frequency(800e-9), band(), 100e-15);
        TimeGrid::Envelope(grid.unwrap())
    }

    /// 0.4 bar of an ideal gas at room temperature.
    const DENSITY: f64 = 0.4e5 / (1.380_648_52e-23 * 293.15);

    #[test]
    fn the_closed_form_of_the_frame_is_the_derivative_of_the_propagation_constant() {
        let dispersion = set_up(&field(), true);
        let gas = helium();
        let excess = |omega: f64| {
            let cladding = silica::cladding_permittivity(omega);
            let chi = DENSITY * gas.susceptibility_m3(omega).unwrap();
            let term = CAPILLARY.waveguide_term(modes(1)[0], omega, cladding);
            omega / SPEED_OF_LIGHT * excess_of(chi - term).re
        };
        let omega = angular_frequency(800e-9);
        let [beta0, beta1, ..] = taylor(excess, omega);
        let frame = dispersion.carrier.frame(DENSITY);
        let vacuum = SPEED_OF_LIGHT.recip();
        assert!((omega * vacuum * (1.0 + frame.phase) / beta0 - 1.0).abs() < 1e-14);
        // What the guide adds to vacuum is some 1e-5 of beta_1, which has the digits of the whole.
        let error = (vacuum * frame.group - (beta1 - vacuum)).abs() / (beta1 - vacuum).abs();
        assert!(error < 1e-8, "{frame:?} {beta1:e}");
    }

    #[test]
    fn the_frame_moves_with_the_carrier_of_the_first_mode() {
        for grid in [field(), envelope()] {
            let linear = set_up(&grid, false).linear(DENSITY);
            let frequencies = grid.frequencies();
            let carrier = grid.carrier();
            let distance = |bin: &usize| (frequencies[*bin] - carrier).abs();
            let nearest = (0..grid.bins()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
            let near = nearest.unwrap();
            // The phase has no slope at the carrier: neighbours differ in second order only.
            let spacing = std::f64::consts::TAU / grid.window_s();
            let apart = (linear[near + 1].im - linear[near].im).abs();
            assert!(apart < 3e-29 * spacing * spacing, "{apart:e}");
            if let TimeGrid::Envelope(_) = grid {
                assert!(linear[0].norm() < 1e-8, "{}", linear[0]);
            }
        }
    }

    #[test]
    fn nothing_acts_outside_the_valid_set_and_loss_only_where_it_is_asked_for() {
        let grid = field();
        let lossy = set_up(&grid, true).linear(DENSITY);
        let lossless = set_up(&grid, false).linear(DENSITY);
        let frequencies = grid.frequencies();
        for (index, (with, without)) in lossy.iter().zip(&lossless).enumerate() {
            let valid = grid.is_valid(frequencies[index % grid.bins()]);
            assert_eq!(with.re < 0.0, valid, "{index}");
            assert!(with.re >= -0.5 * MAX_LOSS_PER_M);
            assert!(without.re == 0.0 && (without.im == 0.0 || valid));
            assert!((with.im - without.im).abs() == 0.0);
        }
    }

    #[test]
    fn higher_modes_have_smaller_indices() {
        let grid = field();
        let excess = set_up(&grid, false).excess(DENSITY);
        let (first, second) = excess.split_at(grid.bins());
        for (first, second) in first.iter().zip(second) {
            assert!(second.re <= first.re);
        }
    }
}
