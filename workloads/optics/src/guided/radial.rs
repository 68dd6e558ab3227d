//! Interface `radial`: free space around an axis, as modes of a wide tube without a wall.
//!
//! The field at a node is the sum of the modes there, and modes get back what the rule makes of
//! values at the nodes: but for the unit of the field, one is the inverse of the other. Each mode
//! is a plane wave at an angle to the axis, so diffraction is exact:
//!
//! ```text
//! k_z² = (n w / c)² - (j_m / R)²
//! L = -i (k_z - beta_1 w),   s = -i (w / 4) w / (c k_z)          where k_z is real
//! L = -min(|k_z|, 200 / m) + i beta_1 w,   s = 0                 elsewhere
//! ```
//!
//! with beta_1 of a plane wave at the carrier. Light that nears the tube is absorbed.

use super::Physics;
use super::cross_section::CrossSection;
use super::parameters::{Common, RadialParameters};
use super::problem::{Density, FieldKind, Linear};
use super::response::{self, Medium};
use crate::constants::SPEED_OF_LIGHT;
use crate::fourier::Complex64;
use crate::grid::FieldGrid;
use crate::guide::hankel::HankelModes;
use crate::medium::MediumError;
use crate::medium::gas::Dispersion;
use crate::window::PlanckTaper;

/// Where the absorbing edge begins, as a fraction of the radius.
const EDGE_BEGINS: f64 = 0.9;

/// Most loss of what does not travel, 1/m. (Luna.jl)
const EVANESCENT_MAX_PER_M: f64 = 200.0;

/// Least k_z of a source over n w / c: light at a grazing angle would have one without bound.
const GRAZING: f64 = 0.01;

/// What free space contributes to the problem; an error is the cause alone.
pub(super) fn physics(
    grid: &FieldGrid,
    common: &Common,
    own: &RadialParameters,
) -> Result<Physics, String> {
    let rule = |nodes: usize| {
        let modes = HankelModes::new(own.radius_m, nodes);
        modes.ok_or_else(|| format!("there is no rule of {nodes} nodes"))
    };
    let modes = rule(own.nodes)?;
    let density = own.gas.density_per_m3(own.pressure_pa, own.temperature_k);
    let density = density.map_err(words)?;
    let gas = own.gas.dispersion(own.gas.formula()).map_err(words)?;
    let gas = Refraction::new(grid, &gas, density).map_err(words)?;
    let medium = medium(own);
    let plasma = medium.plasma(grid.carrier())?;
    let section = section(&modes, own.nodes);
    let finer = self::section(&rule(2 * own.nodes)?, own.nodes);
    let shares = shares(&modes, &section, own.waist_m);
    let peak = common.pulse()?.peak_power_w.sqrt();
    let launch: Vec<f64> = shares.iter().map(|share| share * peak).collect();
    let error = response::transverse_error(&section, &finer, &launch, plasma.as_ref())?;
    let over = |of: &dyn Fn(Wave) -> Complex64| gas.over(&modes, of);
    Ok(Physics {
        linear: Linear::Fixed(over(&|wave| wave.rate(gas.group))),
        source: over(&Wave::source),
        shares,
        cross_section: section,
        density: Density::Constant(density),
        kerr: medium.kerr(),
        raman: None,
        plasma,
        transverse_error: Some(error),
        edge: Some(edge(&modes)),
        free_space: Some(modes),
    })
}

fn medium(own: &RadialParameters) -> Medium {
    Medium {
        gas: own.gas,
        temperature_k: own.temperature_k,
        field: FieldKind::Real,
        kerr: own.kerr,
        ionisation: own.ionisation,
    }
}

fn words(error: MediumError) -> String {
    error.to_string()
}

/// The first modes of some on the nodes of some more.
fn section(nodes: &HankelModes, modes: usize) -> CrossSection {
    CrossSection::resolved(modes, &nodes.rule(), |mode, r| nodes.field(mode, r))
}

/// Amplitude of each mode over that of a Gaussian beam, by the rule of the nodes.
fn shares(modes: &HankelModes, section: &CrossSection, waist_m: f64) -> Vec<f64> {
    let beam: Vec<f64> = modes
        .radii_m()
        .map(|r| (-(r / waist_m).powi(2)).exp())
        .collect();
    let shares = section.project(&beam);
    let norm = shares.iter().map(|share| share * share).sum::<f64>().sqrt();
    shares.into_iter().map(|share| share / norm).collect()
}

/// How the gas bends light.
struct Refraction {
    /// Angular frequency of each bin in rad/s and n² - 1; 0 outside the valid set.
    bins: Vec<(f64, f64)>,
    /// `c beta_1 - 1`, of a plane wave at the carrier.
    group: f64,
}

impl Refraction {
    fn new(grid: &FieldGrid, gas: &Dispersion, density_per_m3: f64) -> Result<Self, MediumError> {
        let bin = |omega: f64| match grid.band().is_valid(omega) {
            true => Ok((omega, density_per_m3 * gas.susceptibility_m3(omega)?)),
            false => Ok((0.0, 0.0)),
        };
        let carrier = grid.carrier();
        let index = gas.index(carrier, density_per_m3)?;
        // With n² = 1 + x, n - 1 = x / (n + 1) and dn/dw = x' / 2 n.
        let excess = density_per_m3 * gas.susceptibility_m3(carrier)? / (index + 1.0);
        let slope = density_per_m3 * gas.slope_m3_s(carrier)? / (2.0 * index);
        Ok(Refraction {
            bins: grid.frequencies().map(bin).collect::<Result<_, _>>()?,
            group: excess + carrier * slope,
        })
    }

    /// `of` each plane wave: modes by bins, 0 outside the valid set.
    fn over(&self, modes: &HankelModes, of: &dyn Fn(Wave) -> Complex64) -> Vec<Complex64> {
        let mut values = Vec::with_capacity(modes.count() * self.bins.len());
        for transverse in modes.wavenumbers_per_m() {
            let at = |(omega, square): &(f64, f64)| match *omega > 0.0 {
                true => of(Wave {
                    vacuum: omega / SPEED_OF_LIGHT,
                    square: *square,
                    transverse,
                }),
                false => Complex64::default(),
            };
            values.extend(self.bins.iter().map(at));
        }
        values
    }
}

/// A plane wave at an angle to the axis.
#[derive(Clone, Copy)]
struct Wave {
    /// w / c, rad/m.
    vacuum: f64,
    /// n² - 1.
    square: f64,
    /// Transverse wavenumber, rad/m.
    transverse: f64,
}

impl Wave {
    /// `k_z² - (w / c)²`.
    fn beyond_vacuum(self) -> f64 {
        self.vacuum.powi(2) * self.square - self.transverse.powi(2)
    }

    /// k_z in rad/m; none of a wave that does not travel.
    fn along(self) -> Option<f64> {
        let square = self.vacuum.powi(2) + self.beyond_vacuum();
        (square > 0.0).then(|| square.sqrt())
    }

    /// L in 1/m, for a frame whose `c beta_1` is 1 more than `group`.
    ///
    /// What belongs to vacuum is the same in the phase and in the frame and drops out: of k_z
    /// itself, some 1e7 rad/m, the frame would leave digits that are wrong.
    fn rate(self, group: f64) -> Complex64 {
        let beyond = self.beyond_vacuum();
        match self.along() {
            Some(along) => {
                let phase = beyond / (along + self.vacuum) - group * self.vacuum;
                Complex64::new(0.0, -phase)
            }
            None => {
                let decay = (-(self.vacuum.powi(2) + beyond)).sqrt();
                let frame = (1.0 + group) * self.vacuum;
                Complex64::new(-decay.min(EVANESCENT_MAX_PER_M), frame)
            }
        }
    }

    /// `-i (w / 4) w / (c k_z)`.
    fn source(self) -> Complex64 {
        let index = (1.0 + self.square).sqrt();
        let strength = |along: f64| {
            let along = along.max(GRAZING * index * self.vacuum);
            0.25 * SPEED_OF_LIGHT * self.vacuum.powi(2) / along
        };
        Complex64::new(0.0, -self.along().map_or(0.0, strength))
    }
}

/// Window over the nodes: from 1 to 0 where the tube begins.
fn edge(modes: &HankelModes) -> Vec<f64> {
    let (begins, ends) = (EDGE_BEGINS * modes.radius_m(), modes.radius_m());
    let taper = PlanckTaper {
        zero_left: -ends,
        one_left: -begins,
        one_right: begins,
        zero_right: ends,
    };
    modes.radii_m().map(|r| taper.at(r)).collect()
}
