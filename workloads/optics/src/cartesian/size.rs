//! How large the arrays of a case are, before any of them exists.

use super::parameters::{ParameterError, Parameters};
use super::{grid, valid_bins};

/// Bytes of a complex number.
const COMPLEX: u64 = 16;

/// Sizes that follow from the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Bytes of a state.
    pub state_bytes: u64,
    /// Bytes of all samples of the fine grid, as complex numbers.
    pub fine_bytes: u64,
}

impl Size {
    /// The sizes of a case.
    pub fn of(parameters: &Parameters) -> Result<Self, ParameterError> {
        let grid = grid(parameters)?;
        let columns = (parameters.columns as u64).saturating_pow(2);
        let bytes = |samples: usize| {
            let values = columns.saturating_mul(samples as u64);
            values.saturating_mul(COMPLEX)
        };
        Ok(Size {
            state_bytes: bytes(valid_bins(&grid).len()),
            fine_bytes: bytes(grid.fine_points()),
        })
    }
}
