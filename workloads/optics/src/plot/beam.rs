//! How a beam is looked at: as fluence over the radius, or over x in the plane of its axis.

use crate::case::Case;
use crate::constants::{SPEED_OF_LIGHT, VACUUM_PERMITTIVITY};

/// What of the cross-section of a case is drawn, and where it is.
#[derive(Clone, Debug)]
pub struct Beam {
    /// What the places are.
    pub name: &'static str,
    /// In metres, ascending.
    pub places_m: Vec<f64>,
    /// The nodes that are there, by their index.
    nodes: Vec<usize>,
    /// J/m² in V² s/m².
    per_square: f64,
}

impl Beam {
    /// The beam of a case; none in a guide, where modes say how light lies across it.
    pub fn of(case: &Case) -> Option<Self> {
        let vacuum = 0.5 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT;
        match case {
            Case::Gnlse(_) => None,
            Case::Guided(case) => {
                let space = case.free_space.as_ref()?;
                Some(Beam {
                    name: "radius",
                    places_m: space.radii_m().collect(),
                    nodes: (0..space.count()).collect(),
                    per_square: vacuum,
                })
            }
            Case::Cartesian(case) => {
                let columns = case.plane.columns();
                let middle = columns / 2 * columns;
                Some(Beam {
                    name: "x",
                    places_m: case.plane.positions_m(),
                    nodes: (middle..middle + columns).collect(),
                    per_square: vacuum * case.index,
                })
            }
        }
    }

    /// Fluence in J/m² at the places, of that in V² s/m² at all nodes.
    pub fn fluence(&self, nodes: &[f64]) -> Vec<f64> {
        let at = |node: &usize| nodes.get(*node).copied().unwrap_or(f64::NAN);
        self.nodes
            .iter()
            .map(|node| self.per_square * at(node))
            .collect()
    }
}
