//! How large the arrays of a guided case are, before any of them exists.

use super::grid;
use super::parameters::{GuideParameters, ParameterError, Parameters};

/// Bytes of a complex number.
const COMPLEX: u64 = 16;

/// Sizes that follow from the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Bytes of a state: the spectra of all modes.
    pub state_bytes: u64,
    /// Bytes of spectra on the fine grid at all nodes.
    pub nodes_bytes: u64,
}

impl Size {
    /// The sizes of a case.
    pub fn of(parameters: &Parameters) -> Result<Self, ParameterError> {
        let refuse = |cause: String| ParameterError::new(parameters.interface(), cause);
        let grid = grid(parameters).map_err(|error| refuse(error.to_string()))?;
        let (modes, nodes) = match &parameters.guide {
            GuideParameters::Capillary(own) => {
                let resolved = own
                    .resolved
                    .map(|resolved| (resolved.modes, resolved.nodes));
                resolved.unwrap_or((1, 1))
            }
            GuideParameters::Waveguide(own) => (own.modes, own.nodes),
            GuideParameters::Radial(own) => (own.nodes, own.nodes),
        };
        let bytes = |spectra: usize, values: usize| {
            let values = (spectra as u64).saturating_mul(values as u64);
            values.saturating_mul(COMPLEX)
        };
        Ok(Size {
            state_bytes: bytes(modes, grid.bins()),
            nodes_bytes: bytes(nodes, grid.fine_points() / 2 + 1),
        })
    }
}
