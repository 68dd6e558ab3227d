//! Interface `waveguide`: a graded-index fibre of silica, as arrays of a problem.
//!
//! The glass is that of the cladding at every frequency; the core has the numerical aperture on
//! top. In the fields of unit power the source is `-i n2 w / c` times the integral of the cubic
//! response over the cross-section, which the Gauss rule of the modes makes exact.

use super::Physics;
use super::cross_section::CrossSection;
use super::parameters::{Common, WaveguideParameters};
use super::problem::{Density, Linear};
use crate::constants::SPEED_OF_LIGHT;
use crate::fourier::Complex64;
use crate::gnlse::parameters::RamanModel;
use crate::grid::Grid;
use crate::guide::graded_index::GradedIndex;
use crate::medium::{MediumError, silica};
use crate::raman::{BlowWood, RamanTable, Representation};

/// What a waveguide contributes to the problem; an error is the cause alone.
pub(super) fn physics(
    grid: &Grid,
    common: &Common,
    own: &WaveguideParameters,
) -> Result<Physics, String> {
    let words = |error: MediumError| error.to_string();
    let carrier = Axis::at(grid.carrier(), own.numerical_aperture).map_err(words)?;
    let fibre = GradedIndex::new(
        own.core_radius_m,
        own.numerical_aperture,
        carrier.index,
        grid.carrier(),
    );
    let rule = fibre.rule(own.nodes);
    let rule = rule.ok_or_else(|| format!("there is no rule of {} nodes", own.nodes))?;
    let nodes: Vec<(f64, f64)> = rule.nodes.into_iter().zip(rule.weights).collect();
    let field = |mode: usize, r: f64| fibre.field(mode, r);
    let valid = |omega: f64| if grid.is_valid(omega) { omega } else { 0.0 };
    let omega: Vec<f64> = grid.frequencies().map(valid).collect();
    let shares = (0..own.modes).map(|mode| match common.launch_waist_m {
        Some(waist_m) => fibre.gauss_coupling(mode, waist_m),
        None if mode == 0 => 1.0,
        None => 0.0,
    });
    Ok(Physics {
        linear: Linear::Fixed(linear(&fibre, own, carrier, (&omega, grid.carrier()))?),
        source: source(&omega, own),
        shares: shares.collect(),
        cross_section: CrossSection::resolved(own.modes, &nodes, field),
        density: Density::Constant(1.0),
        kerr: 1.0 - own.raman_fraction,
        raman: raman(grid, own),
        plasma: None,
        transverse_error: None,
        edge: None,
        free_space: None,
    })
}

/// The glass on the axis at one frequency.
#[derive(Clone, Copy, Debug)]
struct Axis {
    index: f64,
    /// Derivative over the angular frequency, s.
    index_slope: f64,
}

impl Axis {
    fn at(omega: f64, numerical_aperture: f64) -> Result<Self, MediumError> {
        let permittivity = silica::permittivity(omega)? + numerical_aperture.powi(2);
        let index = permittivity.sqrt();
        Ok(Axis {
            index,
            index_slope: silica::permittivity_slope(omega)? / (2.0 * index),
        })
    }
}

/// `-i (beta_p - beta_1 W - beta_0)` of each mode, in the frame of the fundamental one.
fn linear(
    fibre: &GradedIndex,
    own: &WaveguideParameters,
    carrier: Axis,
    (omega, carrier_rad_s): (&[f64], f64),
) -> Result<Vec<Complex64>, String> {
    let unguided = |mode: usize, omega: f64| {
        let wavelength_m = crate::constants::wavelength_m(omega);
        format!("mode {mode} is not guided at {wavelength_m:.3e} m: narrow the wavelength limits")
    };
    let of = |mode: usize, omega: f64, index: f64| {
        let beta = fibre.beta(mode, omega, index);
        beta.ok_or_else(|| unguided(mode, omega))
    };
    let beta0 = of(0, carrier_rad_s, carrier.index)?;
    let beta1 = fibre
        .beta_slope(carrier_rad_s, carrier.index, carrier.index_slope)
        .ok_or_else(|| unguided(0, carrier_rad_s))?;
    let mut values = Vec::with_capacity(own.modes * omega.len());
    for mode in 0..own.modes {
        for omega in omega.iter().copied() {
            if omega == 0.0 {
                values.push(Complex64::default());
                continue;
            }
            let axis = Axis::at(omega, own.numerical_aperture).map_err(|e| e.to_string())?;
            let beta = of(mode, omega, axis.index)?;
            let phase = beta - beta1 * (omega - carrier_rad_s) - beta0;
            values.push(Complex64::new(0.0, -phase));
        }
    }
    Ok(values)
}

fn source(omega: &[f64], own: &WaveguideParameters) -> Vec<Complex64> {
    let at = |omega: &f64| Complex64::new(0.0, -own.n2_m2_per_w * omega / SPEED_OF_LIGHT);
    let of_mode: Vec<Complex64> = omega.iter().map(at).collect();
    of_mode.repeat(own.modes)
}

fn raman(grid: &Grid, own: &WaveguideParameters) -> Option<RamanTable> {
    if own.raman == RamanModel::None || own.raman_fraction == 0.0 {
        return None;
    }
    let mut table = RamanTable::new(BlowWood::SILICA, Representation::Sampled, grid);
    let fraction = own.raman_fraction;
    table.values.iter_mut().for_each(|value| *value *= fraction);
    Some(table)
}
