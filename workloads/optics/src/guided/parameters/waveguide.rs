//! Parameters of interface `waveguide`: a graded-index fibre of silica.

use serde::Deserialize;

use super::{not_negative, positive, within};
use crate::gnlse::parameters::RamanModel;
use crate::guide::graded_index::GradedIndex;
use crate::quadrature::LAGUERRE_MAX;

/// What only `waveguide` has.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaveguideParameters {
    /// Radius of the core, m.
    pub core_radius_m: f64,
    /// Numerical aperture on the axis.
    pub numerical_aperture: f64,
    /// Nonlinear index, m²/W.
    pub n2_m2_per_w: f64,
    /// Which delayed response acts.
    pub raman: RamanModel,
    /// Fraction of the nonlinearity that is delayed.
    pub raman_fraction: f64,
    /// Radial modes, from the fundamental one.
    pub modes: usize,
    /// Nodes of the transverse rule.
    pub nodes: usize,
}

impl WaveguideParameters {
    pub(super) fn check(&self) -> Result<(), String> {
        positive("core_radius_m", self.core_radius_m)?;
        positive("numerical_aperture", self.numerical_aperture)?;
        not_negative("n2_m2_per_w", self.n2_m2_per_w)?;
        within("raman_fraction", self.raman_fraction, [0.0, 1.0])?;
        within("nodes", self.nodes, [1, LAGUERRE_MAX])?;
        let most = GradedIndex::modes_max(self.nodes);
        if (1..=most).contains(&self.modes) {
            return Ok(());
        }
        Err(format!(
            "`modes` is {}: the transverse rule of {} nodes resolves {most}",
            self.modes, self.nodes
        ))
    }
}
