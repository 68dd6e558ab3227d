//! Parameters of interface `radial`: a beam around an axis in a gas, as a real field.

use serde::Deserialize;

use super::capillary::IonisationModel;
use super::common::Common;
use super::{not_negative, positive, within};
use crate::medium::gas::Gas;

/// Fewest and most nodes: fewer are no disc, and every mode meets every other at every node.
const NODES: [usize; 2] = [4, 512];

/// Fewest distances of nodes in the waist. The spectrum of a Gaussian beam over the transverse
/// wavenumber, `exp(-(k w / 2)²)`, is then at 5e-5 where the modes end.
const NODES_IN_WAIST: f64 = 2.0;

/// Room temperature, K.
const ROOM_K: f64 = 293.15;

/// What only `radial` has. Lengths in metres, pressures in pascals.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RadialParameters {
    /// The gas.
    pub gas: Gas,
    /// Temperature of the gas, K.
    #[serde(default = "room_k")]
    pub temperature_k: f64,
    /// Pressure of the gas, the same everywhere.
    pub pressure_pa: f64,
    /// Radius at which the modes end.
    pub radius_m: f64,
    /// Nodes over the radius, and modes.
    pub nodes: usize,
    /// Radius at which the intensity of the launched Gaussian beam is 1/e² of that on its axis; its
    /// phase is flat.
    pub waist_m: f64,
    /// Whether the gas has an instantaneous nonlinearity.
    #[serde(default = "yes")]
    pub kerr: bool,
    /// Which rate ionises the gas.
    #[serde(default)]
    pub ionisation: IonisationModel,
}

fn yes() -> bool {
    true
}

fn room_k() -> f64 {
    ROOM_K
}

impl RadialParameters {
    pub(super) fn check(&self, common: &Common) -> Result<(), String> {
        positive("temperature_k", self.temperature_k)?;
        not_negative("pressure_pa", self.pressure_pa)?;
        positive("radius_m", self.radius_m)?;
        positive("waist_m", self.waist_m)?;
        within("nodes", self.nodes, NODES)?;
        if common.launch_waist_m.is_some() {
            return Err("`launch_waist_m` is of guides: give `waist_m`".to_owned());
        }
        self.check_beam()
    }

    /// What is as wide as the tube, or as narrow as its nodes, is no Gaussian beam there.
    fn check_beam(&self) -> Result<(), String> {
        let (waist_m, radius_m, nodes) = (self.waist_m, self.radius_m, self.nodes);
        if waist_m >= radius_m {
            return Err(format!(
                "`waist_m` is {waist_m:e}: give less than `radius_m`, which is {radius_m:e}"
            ));
        }
        let narrowest_m = NODES_IN_WAIST * radius_m / nodes as f64;
        if waist_m >= narrowest_m {
            return Ok(());
        }
        Err(format!(
            "`waist_m` is {waist_m:e}: `nodes`, {nodes} over {radius_m:e} m, resolve \
             {narrowest_m:.3e} m and more; give more nodes or a smaller `radius_m`"
        ))
    }
}
