//! A beam that reaches the edge of its cross-section, where light is absorbed.

use crate::case::Case;
use crate::engine::Engine;
use crate::oracle::ratio;

/// Fraction of the launched energy that may be absorbed there without a word.
const UNNOTICED: f64 = 1e-3;

/// Energy that the edge has absorbed over that of the launch; none where the engine has no nodes.
pub fn absorbed(engine: &dyn Engine, case: &Case) -> Result<Option<f64>, String> {
    if engine.nodes() == 0 {
        return Ok(None);
    }
    let energy_j = engine.edge_energy_j().map_err(|error| error.to_string())?;
    Ok(ratio(energy_j, case.energy_j(case.launch())))
}

/// What is said of a fraction that is too large.
pub fn warning(absorbed: f64) -> Option<String> {
    (absorbed > UNNOTICED).then(|| {
        format!(
            "the beam reaches the edge of its cross-section, which absorbed {:.2} % of the \
             launched energy; widen the cross-section or shorten the run",
            100.0 * absorbed
        )
    })
}

/// What is said of a launch that the cross-section cuts.
pub fn cut(case: &Case) -> Option<String> {
    let outside = case.launched_outside();
    (outside > UNNOTICED).then(|| {
        format!(
            "{:.2} % of the launched Gaussian beam are outside of the cross-section, and what is \
             inside was given all of the energy; widen the cross-section or narrow `waist_m`",
            100.0 * outside
        )
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_fraction_is_told_where_it_is_above_a_thousandth() {
        for quiet in [0.0, 9e-4, 1e-3, -1e-9, f64::NAN] {
            assert_eq!(warning(quiet), None, "{quiet}");
        }
        let said = warning(0.012_34).unwrap();
        assert!(said.contains("absorbed 1.23 % of the launched"), "{said}");
    }
}
