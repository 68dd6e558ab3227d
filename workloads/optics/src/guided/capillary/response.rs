//! What the gas of a capillary does to light beside bending it.

use crate::constants::{VACUUM_PERMITTIVITY, wavelength_m};
use crate::grid::TimeGrid;
use crate::guided::parameters::{CapillaryParameters, FieldName, IonisationModel};
use crate::guided::problem::Plasma;
use crate::ionisation::{self, Adk, Atom, Average, IonisationError, Ppt, RateTable};
use crate::molecular_raman::{Drive, MolecularRaman};
use crate::raman::RamanTable;

/// Coefficient of the cube of the field, per density: `eps0 gamma3`. Of the cube of a real field at
/// the carrier, an envelope keeps three quarters.
pub fn kerr(own: &CapillaryParameters) -> f64 {
    let cube = match own.field {
        FieldName::Real => 1.0,
        FieldName::Envelope => 0.75,
    };
    if own.kerr {
        cube * VACUUM_PERMITTIVITY * own.gas.gamma3()
    } else {
        0.0
    }
}

/// Ionisation of the gas, where the case has any.
pub fn plasma(grid: &TimeGrid, own: &CapillaryParameters) -> Result<Option<Plasma>, String> {
    let average = match own.field {
        FieldName::Real => Average::Instant,
        FieldName::Envelope => Average::Cycle,
    };
    let rate: Result<RateTable, IonisationError> = match own.ionisation {
        IonisationModel::None => return Ok(None),
        IonisationModel::Ppt => Atom::of(own.gas)
            .and_then(|atom| Ppt::new(atom, wavelength_m(grid.carrier()), average).table()),
        IonisationModel::Adk => Adk::new(ionisation::energy_hartree(own.gas)).table(),
    };
    Ok(Some(Plasma {
        rate: rate.map_err(|error| error.to_string())?,
        ionisation_energy_j: ionisation::energy_j(own.gas),
    }))
}

/// The delayed response of the molecules, where the case has any, for a gas of this density.
pub fn raman(
    grid: &TimeGrid,
    own: &CapillaryParameters,
    density_per_m3: f64,
) -> Result<Option<RamanTable>, String> {
    let Some(motion) = own.raman else {
        return Ok(None);
    };
    let drive = match own.field {
        FieldName::Real => Drive::Field,
        FieldName::Envelope => Drive::Envelope,
    };
    let molecules = MolecularRaman::hydrogen(density_per_m3, own.temperature_k, motion);
    let molecules = molecules.map_err(|error| error.to_string())?;
    Ok(Some(molecules.table(
        grid.fine_points(),
        grid.fine_step_s(),
        drive,
    )))
}

/// The rate times the field that it is of: what modes get of it differs between rules as much as
/// what they get of the plasma.
pub fn ionising(plasma: &Plasma, field_v_m: f64) -> Result<f64, String> {
    let rate = plasma.rate.rate(field_v_m);
    let rate = rate.map_err(|error| format!("at z = 0 m, {error}"))?;
    Ok(rate * field_v_m)
}
