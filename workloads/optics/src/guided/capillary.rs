//! Interface `capillary`: from gas, wall and rates to the arrays of a problem.
//!
//! Averaged over its mode, a field is `A / sqrt(eps0 c A_eff / 2)` everywhere, and the source has
//! the factor `sqrt(2 A_eff / (eps0 c)) / Re n`. Resolved, it is the sum of the modes over the
//! radius, and the source is an integral over it: Gauss-Legendre in r, on nodes that do not change.

mod dispersion;

use std::f64::consts::TAU;

use super::Physics;
use super::cross_section::CrossSection;
use super::parameters::{CapillaryParameters, Common, FieldName, Pressure, Resolved};
use super::problem::{Density, FieldKind, Linear, Plasma};
use super::response::{self, Medium};
use crate::constants::{SPEED_OF_LIGHT, VACUUM_PERMITTIVITY};
use crate::fourier::Complex64;
use crate::grid::TimeGrid;
use crate::guide::capillary::{Capillary, Mode};
use crate::guide::field::ModeField;
use crate::medium::gas::Gas;
use crate::quadrature::legendre;
use dispersion::{DensityLaw, ModalDispersion};

/// Largest relative error of what modes get of the cube of all of them together, all of the same
/// strength: beyond it, the rule has not the nodes for the modes. Twelve for four modes have 1e-3.
const UNRESOLVED: f64 = 1e-2;

/// What a capillary contributes to the problem; an error is the cause alone.
pub(super) fn physics(
    grid: &TimeGrid,
    common: &Common,
    own: &CapillaryParameters,
) -> Result<Physics, String> {
    let capillary = Capillary {
        radius_m: own.core_radius_m,
    };
    let gas = Atmosphere::of(own)?;
    let modes = modes(own.resolved)?;
    let formula = own.gas.dispersion(own.gas.formula());
    let formula = formula.map_err(|error| error.to_string())?;
    let dispersion = ModalDispersion::new(grid, capillary, &modes, &formula, own.loss)
        .map_err(|error| error.to_string())?;
    let fields = Fields::of(modes.len(), own.core_radius_m)?;
    let medium = medium(own);
    let plasma = medium.plasma(grid.carrier())?;
    let (cross_section, strength, transverse_error) = match own.resolved {
        None => {
            let area_m2 = fields.effective_area_m2()?;
            let field = (0.5 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * area_m2)
                .sqrt()
                .recip();
            let strength = (2.0 * area_m2 / (VACUUM_PERMITTIVITY * SPEED_OF_LIGHT)).sqrt();
            if let Some(plasma) = &plasma {
                let peak = common.pulse()?.peak_power_w.sqrt();
                response::ionising(plasma, field * peak)?;
            }
            (CrossSection::averaged(field), strength, None)
        }
        Some(resolved) => {
            let section = fields.section(resolved.nodes)?;
            let error = fields.check(&section, &fields.launch(common)?, plasma.as_ref())?;
            (section, 1.0, Some(error))
        }
    };
    let averaged = own.resolved.is_none();
    let (linear, density, index) = match gas.law {
        None => (
            Linear::Fixed(dispersion.linear(gas.densest_per_m3)),
            Density::Constant(gas.densest_per_m3),
            averaged.then(|| dispersion.excess(gas.densest_per_m3)),
        ),
        Some(law) => {
            let gradient = dispersion.gradient(law, averaged);
            (
                Linear::Gradient(Box::new(gradient)),
                Density::Gradient,
                None,
            )
        }
    };
    Ok(Physics {
        linear,
        source: source(&dispersion.omega, modes.len(), strength, index.as_deref()),
        shares: fields.shares(common)?,
        cross_section,
        density,
        kerr: medium.kerr(),
        raman: medium.raman(grid, own.raman, gas.densest_per_m3)?,
        plasma,
        transverse_error,
        edge: None,
        free_space: None,
    })
}

fn medium(own: &CapillaryParameters) -> Medium {
    Medium {
        gas: own.gas,
        temperature_k: own.temperature_k,
        field: match own.field {
            FieldName::Real => FieldKind::Real,
            FieldName::Envelope => FieldKind::Envelope,
        },
        kerr: own.kerr,
        ionisation: own.ionisation,
    }
}

/// How dense the gas is.
struct Atmosphere {
    /// Where it is densest, 1/m³.
    densest_per_m3: f64,
    /// How it changes along the guide, if it does.
    law: Option<DensityLaw>,
}

impl Atmosphere {
    fn of(own: &CapillaryParameters) -> Result<Self, String> {
        let density = |pressure_pa: f64| {
            let density = own.gas.density_per_m3(pressure_pa, own.temperature_k);
            density.map_err(|error| error.to_string())
        };
        match own.pressure()? {
            Pressure::Constant(pressure_pa) => Ok(Atmosphere {
                densest_per_m3: density(pressure_pa)?,
                law: None,
            }),
            Pressure::Gradient(gradient) => Ok(Atmosphere {
                densest_per_m3: density(gradient.inlet_pa)?.max(density(gradient.outlet_pa)?),
                law: Some(DensityLaw {
                    inlet_pa: gradient.inlet_pa,
                    outlet_pa: gradient.outlet_pa,
                    length_m: gradient.length_m,
                    temperature_k: own.temperature_k,
                    virial_m3: virial_m3(own.gas, own.temperature_k)?,
                }),
            }),
        }
    }
}

fn virial_m3(gas: Gas, temperature_k: f64) -> Result<f64, String> {
    let virial = gas.virial_m3(temperature_k);
    virial.map_err(|error| error.to_string())
}

fn modes(resolved: Option<Resolved>) -> Result<Vec<Mode>, String> {
    let count = resolved.map_or(1, |resolved| resolved.modes);
    let numbers = 1..=u32::try_from(count).unwrap_or(u32::MAX);
    let modes: Option<Vec<Mode>> = numbers.map(|number| Mode::he(1, number)).collect();
    modes.ok_or_else(|| "a mode has no zero of its Bessel function".to_owned())
}

/// `-i (w/4) strength`, over the index of each mode where that is given.
fn source(
    omega: &[f64],
    modes: usize,
    strength: f64,
    excess: Option<&[Complex64]>,
) -> Vec<Complex64> {
    let bins = omega.len();
    let at = |index: usize| {
        let over = excess.map_or(1.0, |excess| 1.0 + excess[index].re);
        Complex64::new(0.0, -0.25 * omega[index % bins] * strength / over)
    };
    (0..modes * bins).map(at).collect()
}

/// The fields of the modes.
struct Fields {
    modes: Vec<ModeField>,
    radius_m: f64,
}

impl Fields {
    fn of(count: usize, radius_m: f64) -> Result<Self, String> {
        let numbers = 1..=u32::try_from(count).unwrap_or(u32::MAX);
        let modes: Option<Vec<ModeField>> = numbers
            .map(|number| ModeField::he1(number, radius_m))
            .collect();
        let modes = modes.ok_or("a mode has no zero of its Bessel function")?;
        Ok(Fields { modes, radius_m })
    }

    fn effective_area_m2(&self) -> Result<f64, String> {
        let first = self.modes.first();
        let area = first.and_then(ModeField::effective_area_m2);
        area.ok_or_else(|| "the effective area has no quadrature".to_owned())
    }

    /// The modes on nodes of a Gauss-Legendre rule in r.
    fn section(&self, nodes: usize) -> Result<CrossSection, String> {
        let rule = legendre(nodes, 0.0, self.radius_m);
        let rule = rule.ok_or_else(|| format!("there is no rule of {nodes} nodes"))?;
        let pairs = rule.nodes.into_iter().zip(rule.weights);
        let rings: Vec<(f64, f64)> = pairs.map(|(r, weight)| (r, TAU * r * weight)).collect();
        let field = |mode: usize, r: f64| self.modes[mode].at(r);
        Ok(CrossSection::resolved(self.modes.len(), &rings, field))
    }

    /// Amplitude of each mode over that of the beam.
    fn shares(&self, common: &Common) -> Result<Vec<f64>, String> {
        let Some(waist_m) = common.launch_waist_m else {
            let first = |index: usize| if index == 0 { 1.0 } else { 0.0 };
            return Ok((0..self.modes.len()).map(first).collect());
        };
        let coupling = |mode: &ModeField| mode.gauss_coupling(waist_m);
        let shares: Option<Vec<f64>> = self.modes.iter().map(coupling).collect();
        shares.ok_or_else(|| "the launch has no quadrature".to_owned())
    }

    /// Amplitudes of the modes at the peak of the launched pulse, √W.
    fn launch(&self, common: &Common) -> Result<Vec<f64>, String> {
        let peak = common.pulse()?.peak_power_w.sqrt();
        let shares = self.shares(common)?;
        Ok(shares.into_iter().map(|share| share * peak).collect())
    }

    /// Holds a rule against one of twice the nodes. Refused where it does not resolve the modes;
    /// otherwise the error at the peak of the launch, of the Kerr effect and of the rate.
    fn check(
        &self,
        section: &CrossSection,
        launch: &[f64],
        plasma: Option<&Plasma>,
    ) -> Result<f64, String> {
        let finer = self.section(2 * section.nodes)?;
        let alike = vec![1.0; section.modes];
        let unresolved = section.error_against(&finer, &alike, response::cube)?;
        if unresolved > UNRESOLVED {
            return Err(format!(
                "`resolved` has {} modes and the transverse rule of {} nodes errs by {:.1} % of \
                 what they do to each other: give more nodes",
                section.modes,
                section.nodes,
                100.0 * unresolved
            ));
        }
        response::transverse_error(section, &finer, launch, plasma)
    }
}
