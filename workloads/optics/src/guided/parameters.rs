//! The parameters of a case of interface `capillary`, `waveguide` or `radial`, as the registry
//! gives them.
//!
//! Reading is strict: a key that is not known, or two keys that say the same thing, is an error
//! that names the key. What the interfaces share is read apart from what each has of its own.
//! Whether a material has the wavelengths is asked when the case is set up.

mod capillary;
mod common;
mod keyed;
mod radial;
mod waveguide;

pub use capillary::{CapillaryParameters, FieldName, IonisationModel, Pressure, Resolved};
pub use common::Common;
pub use radial::RadialParameters;
pub use waveguide::WaveguideParameters;

use std::fmt;

pub(crate) use keyed::from_map;

/// A family of guided cases, as registries name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// A gas-filled capillary.
    Capillary,
    /// A graded-index fibre.
    Waveguide,
    /// Free space around an axis.
    Radial,
}

impl Interface {
    /// The word used in registries.
    pub fn as_str(self) -> &'static str {
        match self {
            Interface::Capillary => "capillary",
            Interface::Waveguide => "waveguide",
            Interface::Radial => "radial",
        }
    }
}

/// What is wrong with the parameters of a case, or with what follows from them.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterError {
    interface: Interface,
    cause: String,
}

impl ParameterError {
    /// An error of a case of this interface.
    pub(crate) fn new(interface: Interface, cause: impl Into<String>) -> Self {
        ParameterError {
            interface,
            cause: cause.into(),
        }
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "failed to set a case of interface `{}` up: {}; correct the case in its registry file",
            self.interface.as_str(),
            self.cause
        )
    }
}

impl std::error::Error for ParameterError {}

/// Every key of `[case.parameters]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// What every interface has.
    pub common: Common,
    /// What only one has.
    pub guide: GuideParameters,
}

/// What only one interface has.
#[derive(Clone, Debug, PartialEq)]
pub enum GuideParameters {
    /// Of `capillary`.
    Capillary(CapillaryParameters),
    /// Of `waveguide`.
    Waveguide(WaveguideParameters),
    /// Of `radial`.
    Radial(RadialParameters),
}

impl Parameters {
    /// Reads and checks the open map of a request.
    pub fn read(
        interface: Interface,
        map: &longrun_protocol::request::Parameters,
    ) -> Result<Self, ParameterError> {
        let refuse = |cause: String| ParameterError::new(interface, cause);
        let shared = |key: &String| common::KEYS.contains(&key.as_str());
        let (common, own): (serde_json::Map<_, _>, serde_json::Map<_, _>) =
            map.clone().into_iter().partition(|(key, _)| shared(key));
        let common: Common = from_map(common).map_err(refuse)?;
        common.check().map_err(refuse)?;
        let guide = match interface {
            Interface::Capillary => {
                let own: CapillaryParameters = from_map(own).map_err(refuse)?;
                own.check(&common).map_err(refuse)?;
                GuideParameters::Capillary(own)
            }
            Interface::Waveguide => {
                let own: WaveguideParameters = from_map(own).map_err(refuse)?;
                own.check().map_err(refuse)?;
                GuideParameters::Waveguide(own)
            }
            Interface::Radial => {
                let own: RadialParameters = from_map(own).map_err(refuse)?;
                own.check(&common).map_err(refuse)?;
                GuideParameters::Radial(own)
            }
        };
        Ok(Parameters { common, guide })
    }

    /// The interface that these are parameters of.
    pub fn interface(&self) -> Interface {
        match self.guide {
            GuideParameters::Capillary(_) => Interface::Capillary,
            GuideParameters::Waveguide(_) => Interface::Waveguide,
            GuideParameters::Radial(_) => Interface::Radial,
        }
    }
}

pub(crate) fn positive(name: &str, value: f64) -> Result<f64, String> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(format!(
            "`{name}` is {value}: it must be positive and finite"
        ))
    }
}

pub(crate) fn not_negative(name: &str, value: f64) -> Result<f64, String> {
    if value >= 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(format!(
            "`{name}` is {value}: it must be 0 or positive, and finite"
        ))
    }
}

pub(crate) fn within<T: PartialOrd + fmt::Display>(
    name: &str,
    value: T,
    [least, most]: [T; 2],
) -> Result<(), String> {
    if least <= value && value <= most {
        return Ok(());
    }
    Err(format!("`{name}` is {value}: give {least} to {most}"))
}

#[cfg(test)]
mod tests;
