//! What nears the edge of the cross-section is absorbed after every accepted step, at the nodes
//! there.
//!
//! ```text
//! A_m <- A_m - sum_j W_mj (1 - w_j^(h/l)) E_j / s,   E_j = sum_n E_jn A_n
//! ```
//!
//! Only nodes at which the window w is below 1 take part. This is the window over all nodes where
//! the product of projection and synthesis, W E, is s times 1; s is that of the first mode.

use super::fields::Field;
use super::guided::combined;
use crate::fourier::Complex64;
use crate::guided::Problem;

/// The nodes near the edge, with the window there.
pub struct Edge {
    window: Vec<f64>,
    length_m: f64,
    /// Rows of these nodes.
    synthesis: Vec<f64>,
    /// Columns of these nodes, over s.
    projection: Vec<f64>,
    bins: usize,
}

impl Edge {
    /// The edge of a problem that has been checked; none without one.
    pub fn of(problem: &Problem) -> Option<Self> {
        let windows = problem.windows.as_ref()?;
        let window = windows.nodes.as_ref()?;
        let near: Vec<usize> = (0..problem.nodes).filter(|j| window[*j] < 1.0).collect();
        if near.is_empty() {
            return None;
        }
        let row = |node: &usize| {
            let first = node * problem.modes;
            &problem.synthesis[first..first + problem.modes]
        };
        let first_mode = problem.synthesis.iter().step_by(problem.modes);
        let overlap: f64 = first_mode
            .zip(&problem.projection)
            .map(|(e, w)| e * w)
            .sum();
        let near_of = |mode: &[f64]| {
            let values = near.iter().map(|node| mode[*node] / overlap);
            values.collect::<Vec<_>>()
        };
        let modes = problem.projection.chunks_exact(problem.nodes);
        Some(Edge {
            window: near.iter().map(|node| window[*node]).collect(),
            length_m: windows.length_m,
            synthesis: near.iter().flat_map(row).copied().collect(),
            projection: modes.flat_map(near_of).collect(),
            bins: problem.bins(),
        })
    }

    /// What a state loses there in a step of `step_m`.
    pub fn taken(&self, state: &[Complex64], step_m: f64) -> Field {
        let part = step_m / self.length_m;
        let mut fields = combined(&self.synthesis, state, self.bins);
        for (field, window) in fields.chunks_exact_mut(self.bins).zip(&self.window) {
            let lost = 1.0 - window.powf(part);
            field.iter_mut().for_each(|value| *value *= lost);
        }
        combined(&self.projection, &fields, self.bins)
    }
}
