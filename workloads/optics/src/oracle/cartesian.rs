//! What oracles look at in a beam over a plane: how it focuses itself, and what it keeps.

mod beam;
mod symmetry;
#[cfg(test)]
mod testing;

use longrun_protocol::receipt::OracleLine;

use super::catalogue::Oracle;
use super::evidence::Evidence;
use super::steps;
use crate::cartesian::Cartesian;
use crate::steppers::Integration;

/// Whether an oracle holds for a case that is run like this; if not, for what it does.
pub fn holds(
    oracle: Oracle,
    case: &Cartesian,
    integration: &Integration,
    repeats: u32,
) -> Result<(), &'static str> {
    match oracle {
        Oracle::EnergyConserved | Oracle::Symmetry => Ok(()),
        Oracle::OnAxis => beam::is_tracked(case),
        Oracle::Virial => beam::focuses(case),
        Oracle::Repeat => steps::repeats(repeats),
        Oracle::Rk4ipEvaluations => steps::is_rk4ip(integration),
        _ => Err("it holds for guides"),
    }
}

/// Planes in metres that an oracle needs beside those of the case.
pub fn planes_m(oracle: Oracle, case: &Cartesian) -> Vec<f64> {
    match oracle {
        Oracle::OnAxis | Oracle::Virial => vec![0.0, case.length_m],
        _ => Vec::new(),
    }
}

/// What an oracle measures; nothing where it does not hold.
pub fn measure(oracle: Oracle, evidence: &Evidence<'_, Cartesian>) -> Vec<OracleLine> {
    match oracle {
        Oracle::EnergyConserved => beam::energy(evidence),
        Oracle::OnAxis => beam::on_axis(evidence),
        Oracle::Symmetry => symmetry::lines(evidence),
        Oracle::Virial => beam::virial(evidence),
        Oracle::Repeat => steps::repeat(evidence),
        Oracle::Rk4ipEvaluations => steps::rk4ip_evaluations(evidence),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::testing::evidence;
    use super::*;
    use crate::cartesian::testing::small;
    use crate::steppers::Asked;

    #[test]
    fn what_holds_is_measured_under_its_name() {
        let case = small();
        let asked = Asked {
            stepper: "rk4ip",
            length: 1.0,
            replay: None,
        };
        let integration = Integration::resolve(&case, asked).unwrap();
        let mut holding = Vec::new();
        for oracle in Oracle::ALL {
            let lines = measure(oracle, &evidence(&case));
            if holds(oracle, &case, &integration, 2).is_ok() {
                holding.push(oracle.as_str());
                assert!(!lines.is_empty(), "{oracle:?}");
            }
            for line in &lines {
                assert_eq!(line.oracle, oracle.as_str());
            }
            let planes = planes_m(oracle, &case);
            assert!(planes.iter().all(|z| (0.0..=case.length_m).contains(z)));
        }
        let expected = [
            "energy_conserved",
            "repeat",
            "rk4ip_evaluations",
            "symmetry",
            "virial",
        ];
        assert_eq!(holding, expected);
    }
}
