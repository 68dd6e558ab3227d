//! What a multistep method takes for the error of a step.

use super::interpolation::{basis, integral};

/// What the corrected state is held against. All of them are a multiple of what the corrector adds
/// to the predictor, because polynomials of degree k - 1 are the same to all of them and only the
/// surplus of the slope at the end tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// The predicted state.
    Predictor,
    /// What a corrector without the oldest slope would come to, with weights that know no L.
    /// L. F. Shampine and M. K. Gordon, Computer Solution of Ordinary Differential Equations
    /// (1975).
    LowerCorrector,
}

impl Estimate {
    /// The multiple, for a corrector with slopes at `nodes`, newest first and the end of the step
    /// last.
    pub fn multiple(self, nodes: &[f64]) -> f64 {
        match self {
            Estimate::Predictor => 1.0,
            Estimate::LowerCorrector => {
                let oldest = nodes.len() - 2;
                let mut fewer = nodes.to_vec();
                fewer.remove(oldest);
                (1.0 - weight_of_end(&fewer) / weight_of_end(nodes)).abs()
            }
        }
    }
}

/// Weight of the slope at the end of the step, which is the last node.
fn weight_of_end(nodes: &[f64]) -> f64 {
    basis(nodes)
        .last()
        .map_or(0.0, |polynomial| integral(polynomial, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_have_the_ratio_of_the_constants_of_adams() {
        // Those of Moulton over those of Bashforth, of the highest difference.
        let ratios = [1.0, 1.0 / 5.0, 1.0 / 9.0, 19.0 / 251.0, 27.0 / 475.0];
        for (behind, ratio) in ratios.iter().enumerate() {
            let mut nodes: Vec<f64> = (0..=behind).map(|j| -(j as f64)).collect();
            nodes.push(1.0);
            let found = Estimate::LowerCorrector.multiple(&nodes);
            assert!((found - ratio).abs() < 1e-12, "{behind}: {found}");
            assert!((Estimate::Predictor.multiple(&nodes) - 1.0).abs() < 1e-15);
        }
    }
}
