//! Evidence for the tests of the oracles of beams.

use crate::cartesian::Cartesian;
use crate::oracle::evidence::{Evidence, Nodes, Plane, Run, State};

/// A plane with a Gaussian beam of this waist, m, and of this fluence on its axis.
pub fn gaussian(case: &Cartesian, z_m: f64, (waist_m, fluence): (f64, f64)) -> Plane {
    let positions = case.plane.positions_m();
    let at = |y: f64, x: f64| fluence * (-2.0 * (x * x + y * y) / waist_m.powi(2)).exp();
    let rows = positions.iter();
    let fluence: Vec<f64> = rows
        .flat_map(|y| positions.iter().map(|x| at(*y, *x)))
        .collect();
    Plane {
        z_m,
        energy_j: case.pulse.energy_j(),
        peak_power_w: case.pulse.peak_power_w,
        nodes: Some(Nodes {
            peak: fluence.clone(),
            fluence,
        }),
    }
}

/// The evidence of two equal runs of four steps that end with the launch.
pub fn evidence(case: &Cartesian) -> Evidence<'_, Cartesian> {
    let run = Run {
        accepted: 4,
        rejected: 0,
        evaluations: 16,
        distance: Some(0.0),
    };
    Evidence {
        case,
        planes: Vec::new(),
        middle: State {
            z_m: case.length_m / 2.0,
            spectrum: case.launch.clone(),
        },
        end: case.launch.clone(),
        runs: vec![run; 2],
        others: Vec::new(),
        rtol: None,
        repeat_bound: 1e-9,
    }
}
