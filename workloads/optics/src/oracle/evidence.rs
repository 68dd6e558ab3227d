//! What the runs of one verification came to: all that an oracle may look at.

use crate::fourier::Complex64;
use crate::gnlse::Gnlse;
use crate::steppers::Stepper;

/// The field at one plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// Position, m.
    pub z_m: f64,
    /// Energy, J.
    pub energy_j: f64,
    /// Largest power, W.
    pub peak_power_w: f64,
    /// The points of the cross-section, where an oracle asks for them.
    pub nodes: Option<Nodes>,
}

/// What was seen at the points of a cross-section, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Nodes {
    /// Integral of |E|² over time, V² s/m².
    pub fluence: Vec<f64>,
    /// Largest |E|², V²/m².
    pub peak: Vec<f64>,
}

/// A whole field.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Position, m.
    pub z_m: f64,
    /// Stored spectrum.
    pub spectrum: Vec<Complex64>,
}

/// What one run counted, and where it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Steps accepted.
    pub accepted: u64,
    /// Steps rejected.
    pub rejected: u64,
    /// Source evaluations.
    pub evaluations: u64,
    /// Relative L2 distance of the final state to that of the first run; absent where there is
    /// none.
    pub distance: Option<f64>,
}

/// Where another stepper ends, at the same tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Other {
    /// Which.
    pub stepper: Stepper,
    /// Relative L2 distance of its final state to that of the first run; absent where there is
    /// none.
    pub distance: Option<f64>,
}

/// The runs of one verification of a case of type `C`: planes, middle and end of the first, counts
/// of all.
#[derive(Clone, Debug)]
pub struct Evidence<'a, C = Gnlse> {
    /// The case that was run.
    pub case: &'a C,
    /// Planes, ascending; those that the oracles asked for are among them.
    pub planes: Vec<Plane>,
    /// The state at the first accepted step at or behind the middle.
    pub middle: State,
    /// The final spectrum.
    pub end: Vec<Complex64>,
    /// Every run, in order.
    pub runs: Vec<Run>,
    /// One run with each other stepper that controls its error, where an oracle asks for them.
    pub others: Vec<Other>,
    /// Relative tolerance of the steps; none on a schedule.
    pub rtol: Option<f64>,
    /// Largest relative L2 distance between repeats.
    pub repeat_bound: f64,
}

impl<C> Evidence<'_, C> {
    /// The same of the case by another type.
    pub fn about<D>(self, case: &D) -> Evidence<'_, D> {
        Evidence {
            case,
            planes: self.planes,
            middle: self.middle,
            end: self.end,
            runs: self.runs,
            others: self.others,
            rtol: self.rtol,
            repeat_bound: self.repeat_bound,
        }
    }

    /// The plane nearest to `z_m`; none without planes.
    pub fn plane_at(&self, z_m: f64) -> Option<&Plane> {
        let distance = |plane: &Plane| (plane.z_m - z_m).abs();
        let nearest = |a: &&Plane, b: &&Plane| distance(a).total_cmp(&distance(b));
        self.planes.iter().min_by(nearest)
    }

    /// The plane of the largest power up to `z_max_m`, included.
    pub fn brightest(&self, z_max_m: f64) -> Option<&Plane> {
        let within = self.planes.iter().filter(|plane| plane.z_m <= z_max_m);
        within.max_by(|a, b| a.peak_power_w.total_cmp(&b.peak_power_w))
    }
}
