//! What a field is at the nodes of its cross-section.

use super::geometry::Seen;
use super::guided::combined;
use super::statistics::Axes;
use crate::fourier::Complex64;
use crate::guided::Problem;

/// The fields of the modes at the nodes.
pub struct CrossSection {
    nodes: usize,
    synthesis: Vec<f64>,
}

impl CrossSection {
    /// That of a problem which has been checked.
    pub fn of(problem: &Problem) -> Self {
        CrossSection {
            nodes: problem.nodes,
            synthesis: problem.synthesis.clone(),
        }
    }

    /// Nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// What the envelope, or the analytic signal, of a state is at each of them.
    pub fn seen(&self, axes: &Axes, state: &[Complex64]) -> Vec<Seen> {
        let bins = axes.samples.bins();
        let fields = combined(&self.synthesis, state, bins);
        let of_node = |spectrum: &[Complex64]| {
            let envelope = axes.samples.envelope(spectrum);
            Seen::of(envelope.iter().map(Complex64::norm_sqr), axes.time_step_s)
        };
        fields.chunks_exact(bins).map(of_node).collect()
    }
}
