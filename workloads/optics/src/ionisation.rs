//! How fast a strong field takes an electron from an atom or a molecule.
//!
//! [`ppt`] and [`adk`] are the direct formulas, [`table`] is what an engine looks up instead: a
//! direct rate is a sum of hundreds of terms, and a propagation asks for one at every sample.
//! Fields are in V/m, rates in 1/s; inside the formulas atomic units are used. A rate depends on
//! the modulus of the field alone.

pub mod adk;
mod dawson;
pub mod ppt;
pub mod table;

use std::fmt;

use crate::constants::{ATOMIC_FIELD, HARTREE};
use crate::medium::gas::Gas;

pub use adk::Adk;
pub use ppt::{Atom, Average, Ppt};
pub use table::RateTable;

/// Why there is no rate.
#[derive(Clone, Debug, PartialEq)]
pub enum IonisationError {
    /// A field beyond the end of a table, or no number.
    AboveTable {
        /// The field, V/m.
        field_v_m: f64,
        /// The highest field of the table, V/m.
        last_v_m: f64,
    },
    /// A sum over numbers of photons that is not known to be complete.
    Unsettled {
        /// The field, V/m.
        field_v_m: f64,
        /// Terms that were added.
        terms: u32,
    },
    /// A field at which a rate is zero or no number, so that a table cannot hold its logarithm.
    NoRate {
        /// The field, V/m.
        field_v_m: f64,
    },
    /// A table over fields that are not in order, or of no cells.
    Fields {
        /// Lowest and highest field, V/m.
        range_v_m: [f64; 2],
        /// Cells.
        cells: usize,
    },
    /// A gas of molecules, where the formula is for atoms.
    NoAtom {
        /// The gas.
        gas: Gas,
    },
}

impl fmt::Display for IonisationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IonisationError::AboveTable {
                field_v_m,
                last_v_m,
            } => write!(
                f,
                "a field of {field_v_m:.4e} V/m is outside the ionisation table, which ends at \
                 {last_v_m:.4e} V/m; lower the energy of the pulse"
            ),
            IonisationError::Unsettled { field_v_m, terms } => write!(
                f,
                "the ionisation rate at a field of {field_v_m:.4e} V/m is not settled after \
                 {terms} terms; lower the field or shorten the wavelength"
            ),
            IonisationError::NoRate { field_v_m } => write!(
                f,
                "the ionisation rate at a field of {field_v_m:.4e} V/m has no logarithm; begin the \
                 table at a higher field"
            ),
            IonisationError::Fields {
                range_v_m: [first, last],
                cells,
            } => write!(
                f,
                "an ionisation table of {cells} cells from {first:.4e} V/m to {last:.4e} V/m: give \
                 at least one cell, and two positive fields, the lower first"
            ),
            IonisationError::NoAtom { gas } => write!(
                f,
                "`{gas}` is no gas of atoms, which the PPT rate is made for; use the ADK rate"
            ),
        }
    }
}

impl std::error::Error for IonisationError {}

/// Ionisation energy of an atom or molecule, hartree.
pub fn energy_hartree(gas: Gas) -> f64 {
    match gas {
        Gas::Helium => 0.9036,
        Gas::Argon => 0.5792,
        Gas::Hydrogen => 0.5669,
    }
}

/// Ionisation energy of an atom or molecule, J.
pub fn energy_j(gas: Gas) -> f64 {
    energy_hartree(gas) * HARTREE
}

/// The field in V/m at which the barrier sinks to the level of the electron: `I² / 4 Z` in atomic
/// units, for an ion of charge Z. The formulas end near it.
pub fn barrier_suppression_v_m(energy_hartree: f64, charge: f64) -> f64 {
    energy_hartree * energy_hartree / (4.0 * charge) * ATOMIC_FIELD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_are_suppressed_at_the_known_fields() {
        // By an independent prototype from Z³ / 16 n*⁴; five digits.
        for (gas, expected) in [(Gas::Argon, 4.3127e10), (Gas::Helium, 1.0496e11)] {
            let field = barrier_suppression_v_m(energy_hartree(gas), 1.0);
            assert!((field / expected - 1.0).abs() < 1e-4, "{gas}: {field:e}");
        }
    }

    #[test]
    fn ionisation_energies_are_those_of_the_elements() {
        // In eV, to a hundredth: 24.59, 15.76 and 15.43.
        for (gas, expected) in [
            (Gas::Helium, 24.59),
            (Gas::Argon, 15.76),
            (Gas::Hydrogen, 15.43),
        ] {
            let volts = energy_j(gas) / crate::constants::ELEMENTARY_CHARGE;
            assert!((volts - expected).abs() < 0.01, "{gas}: {volts}");
        }
    }

    #[test]
    fn each_error_names_the_field_and_what_to_do() {
        let above = IonisationError::AboveTable {
            field_v_m: 9.1e10,
            last_v_m: 8.625_44e10,
        };
        assert_eq!(
            above.to_string(),
            "a field of 9.1000e10 V/m is outside the ionisation table, which ends at 8.6254e10 \
             V/m; lower the energy of the pulse"
        );
        let field_v_m = 1e9;
        let unsettled = IonisationError::Unsettled {
            field_v_m,
            terms: 7,
        };
        for error in [unsettled, IonisationError::NoRate { field_v_m }] {
            let text = error.to_string();
            assert!(text.contains("a field of 1.0000e9 V/m"), "{text}");
        }
        let atom = IonisationError::NoAtom { gas: Gas::Hydrogen };
        assert!(
            atom.to_string()
                .starts_with("`hydrogen` is no gas of atoms")
        );
    }
}
