//! Parameters of interface `capillary`.

use serde::Deserialize;

use super::common::Common;
use super::{not_negative, positive, within};
use crate::guide::pressure::PressureGradient;
use crate::medium::gas::Gas;
use crate::molecular_raman::Motion;

/// Most modes of a case: the set-up compares all of them with each other.
const MODES_MAX: usize = 32;

/// Most nodes of the transverse rule.
const NODES_MAX: usize = 512;

/// Room temperature, K.
const ROOM_K: f64 = 293.15;

/// What is propagated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldName {
    /// The real field.
    Real,
    /// Its envelope.
    Envelope,
}

/// Which rate ionises the gas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IonisationModel {
    /// None.
    #[default]
    None,
    /// That of Perelomov, Popov and Terent'ev.
    Ppt,
    /// That of Ammosov, Delone and Krainov.
    Adk,
}

/// A field that is resolved over the cross-section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolved {
    /// Modes HE_11 to HE_1m.
    pub modes: usize,
    /// Nodes of the transverse rule.
    pub nodes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct GradientNumbers {
    inlet_pa: f64,
    outlet_pa: f64,
    length_m: f64,
}

/// What the pressure is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pressure {
    /// The same everywhere, Pa.
    Constant(f64),
    /// A gradient.
    Gradient(PressureGradient),
}

/// What only `capillary` has. Lengths in metres, pressures in pascals.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapillaryParameters {
    /// What is propagated.
    pub field: FieldName,
    /// The gas.
    pub gas: Gas,
    /// Temperature of the gas, K.
    #[serde(default = "room_k")]
    pub temperature_k: f64,
    #[serde(default)]
    pressure_pa: Option<f64>,
    #[serde(default)]
    gradient: Option<GradientNumbers>,
    /// Radius of the core.
    pub core_radius_m: f64,
    /// Whether the wall loses light, as a bare capillary does; a structured wall does not.
    pub loss: bool,
    /// Modes and nodes of a resolved field; without, the field is averaged over one mode.
    #[serde(default)]
    pub resolved: Option<Resolved>,
    /// Whether the gas has an instantaneous nonlinearity.
    #[serde(default = "yes")]
    pub kerr: bool,
    /// Which rate ionises the gas.
    #[serde(default)]
    pub ionisation: IonisationModel,
    /// Which motions of its molecules answer with delay.
    #[serde(default)]
    pub raman: Option<Motion>,
}

fn yes() -> bool {
    true
}

fn room_k() -> f64 {
    ROOM_K
}

impl CapillaryParameters {
    pub(super) fn check(&self, common: &Common) -> Result<(), String> {
        positive("temperature_k", self.temperature_k)?;
        positive("core_radius_m", self.core_radius_m)?;
        let pressure = self.pressure()?;
        if let Pressure::Gradient(gradient) = pressure
            && common.length_m > gradient.length_m
        {
            return Err(format!(
                "`length_m` is {}: the gradient ends after {} m",
                common.length_m, gradient.length_m
            ));
        }
        if let Some(resolved) = self.resolved {
            within("resolved.modes", resolved.modes, [1, MODES_MAX])?;
            within("resolved.nodes", resolved.nodes, [1, NODES_MAX])?;
        } else if common.launch_waist_m.is_some() {
            return Err("`launch_waist_m` needs `resolved`: an average is of one mode".to_owned());
        }
        self.check_response(pressure)
    }

    /// What the gas does must be known of it.
    fn check_response(&self, pressure: Pressure) -> Result<(), String> {
        if self.ionisation == IonisationModel::Adk && self.field == FieldName::Envelope {
            return Err("`ionisation` is `adk` and `field` an envelope: use `ppt`".to_owned());
        }
        if self.raman.is_none() {
            return Ok(());
        }
        if self.gas != Gas::Hydrogen {
            return Err("`raman`: only hydrogen has molecules that are known here".to_owned());
        }
        match pressure {
            Pressure::Constant(pressure_pa) if pressure_pa > 0.0 => Ok(()),
            Pressure::Constant(_) => Err("`raman` needs gas: raise `pressure_pa`".to_owned()),
            Pressure::Gradient(_) => Err(
                "`raman` needs a constant pressure: its lines are as wide as the gas is dense"
                    .to_owned(),
            ),
        }
    }

    /// The pressure along the guide.
    pub fn pressure(&self) -> Result<Pressure, String> {
        match (self.pressure_pa, self.gradient) {
            (Some(pressure_pa), None) => Ok(Pressure::Constant(not_negative(
                "pressure_pa",
                pressure_pa,
            )?)),
            (None, Some(numbers)) => Ok(Pressure::Gradient(PressureGradient {
                inlet_pa: not_negative("gradient.inlet_pa", numbers.inlet_pa)?,
                outlet_pa: not_negative("gradient.outlet_pa", numbers.outlet_pa)?,
                length_m: positive("gradient.length_m", numbers.length_m)?,
            })),
            _ => Err("give `pressure_pa` or `gradient`, and not both".to_owned()),
        }
    }
}
