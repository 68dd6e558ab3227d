//! What a gas does to light beside bending it.

use super::cross_section::CrossSection;
use super::parameters::IonisationModel;
use super::problem::{FieldKind, Plasma};
use crate::constants::{VACUUM_PERMITTIVITY, wavelength_m};
use crate::grid::TimeGrid;
use crate::ionisation::{self, Adk, Atom, Average, IonisationError, Ppt, RateTable};
use crate::medium::gas::Gas;
use crate::molecular_raman::{Drive, MolecularRaman, Motion};
use crate::raman::RamanTable;

/// A gas, and which of its answers act on the field of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    /// The gas.
    pub gas: Gas,
    /// Its temperature, K.
    pub temperature_k: f64,
    /// What the samples of the field are.
    pub field: FieldKind,
    /// Whether there is an instantaneous nonlinearity.
    pub kerr: bool,
    /// Which rate ionises it.
    pub ionisation: IonisationModel,
}

impl Medium {
    /// Coefficient of the cube of the field, per density: `eps0 gamma3`. Of the cube of a real
    /// field at the carrier, an envelope keeps three quarters.
    pub fn kerr(&self) -> f64 {
        let cube = match self.field {
            FieldKind::Real => 1.0,
            FieldKind::Envelope => 0.75,
        };
        if self.kerr {
            cube * VACUUM_PERMITTIVITY * self.gas.gamma3()
        } else {
            0.0
        }
    }

    /// Ionisation of the gas by light of this angular frequency in rad/s, where the case has any.
    pub fn plasma(&self, carrier: f64) -> Result<Option<Plasma>, String> {
        let average = match self.field {
            FieldKind::Real => Average::Instant,
            FieldKind::Envelope => Average::Cycle,
        };
        let rate: Result<RateTable, IonisationError> = match self.ionisation {
            IonisationModel::None => return Ok(None),
            IonisationModel::Ppt => Atom::of(self.gas)
                .and_then(|atom| Ppt::new(atom, wavelength_m(carrier), average).table()),
            IonisationModel::Adk => Adk::new(ionisation::energy_hartree(self.gas)).table(),
        };
        Ok(Some(Plasma {
            rate: rate.map_err(|error| error.to_string())?,
            ionisation_energy_j: ionisation::energy_j(self.gas),
        }))
    }

    /// The delayed response of the molecules by these motions, where there are any, for a gas of
    /// this density in 1/m³.
    pub fn raman(
        &self,
        grid: &TimeGrid,
        motion: Option<Motion>,
        density_per_m3: f64,
    ) -> Result<Option<RamanTable>, String> {
        let Some(motion) = motion else {
            return Ok(None);
        };
        let drive = match self.field {
            FieldKind::Real => Drive::Field,
            FieldKind::Envelope => Drive::Envelope,
        };
        let molecules = MolecularRaman::hydrogen(density_per_m3, self.temperature_k, motion);
        let molecules = molecules.map_err(|error| error.to_string())?;
        Ok(Some(molecules.table(
            grid.fine_points(),
            grid.fine_step_s(),
            drive,
        )))
    }
}

/// The rate times the field that it is of: what modes get of it differs between rules as much as
/// what they get of the plasma.
pub fn ionising(plasma: &Plasma, field_v_m: f64) -> Result<f64, String> {
    let rate = plasma.rate.rate(field_v_m);
    let rate = rate.map_err(|error| format!("at z = 0 m, {error}"))?;
    Ok(rate * field_v_m)
}

/// How much of what the modes get of the Kerr effect, or of the rate, differs between a rule and a
/// finer one, for these amplitudes in √W.
pub fn transverse_error(
    section: &CrossSection,
    finer: &CrossSection,
    amplitudes: &[f64],
    plasma: Option<&Plasma>,
) -> Result<f64, String> {
    let kerr = section.error_against(finer, amplitudes, cube)?;
    let rate = match plasma {
        Some(plasma) => {
            let response = |field: f64| ionising(plasma, field);
            section.error_against(finer, amplitudes, response)?
        }
        None => 0.0,
    };
    Ok(kerr.max(rate))
}

/// The Kerr effect over its coefficient.
pub fn cube(field: f64) -> Result<f64, String> {
    Ok(field * field * field)
}
