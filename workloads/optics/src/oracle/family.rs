//! Which oracles a case has by its family.
//!
//! The catalogue names oracles; what each needs to know differs between families, and is asked of
//! the family alone.

use longrun_protocol::receipt::OracleLine;

use super::catalogue::Oracle;
use super::evidence::Evidence;
use super::{cartesian, guided};
use crate::case::Case;
use crate::steppers::Integration;

/// Whether an oracle holds for a case that is run like this; if not, for what it does.
pub fn holds(
    oracle: Oracle,
    case: &Case,
    integration: &Integration,
    repeats: u32,
) -> Result<(), &'static str> {
    match case {
        Case::Gnlse(case) => oracle.holds(case, integration, repeats),
        Case::Guided(case) => guided::holds(oracle, case, integration, repeats),
        Case::Cartesian(case) => cartesian::holds(oracle, case, integration, repeats),
    }
}

/// Planes in metres that an oracle needs beside those of the case.
pub fn planes_m(oracle: Oracle, case: &Case) -> Vec<f64> {
    match case {
        Case::Gnlse(case) => oracle.planes_m(case),
        Case::Guided(case) => guided::planes_m(oracle, case),
        Case::Cartesian(case) => cartesian::planes_m(oracle, case),
    }
}

/// What the oracles measure, in their order.
pub fn measure(oracles: &[Oracle], evidence: Evidence<'_, Case>) -> Vec<OracleLine> {
    match evidence.case {
        Case::Gnlse(case) => {
            let evidence = evidence.about(&**case);
            let of = |oracle: &Oracle| oracle.measure(&evidence);
            oracles.iter().flat_map(of).collect()
        }
        Case::Guided(case) => {
            let evidence = evidence.about(&**case);
            let of = |oracle: &Oracle| guided::measure(*oracle, &evidence);
            oracles.iter().flat_map(of).collect()
        }
        Case::Cartesian(case) => {
            let evidence = evidence.about(&**case);
            let of = |oracle: &Oracle| cartesian::measure(*oracle, &evidence);
            oracles.iter().flat_map(of).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::{evidence, soliton};
    use super::*;
    use crate::steppers::Asked;

    #[test]
    fn a_case_is_asked_what_its_family_is_asked() {
        let alone = soliton();
        let case = Case::from(alone.clone());
        let asked = Asked {
            stepper: "rk",
            length: 1.0,
            replay: None,
        };
        let integration = Integration::resolve(&case, asked).unwrap();
        let expected = evidence(&alone);
        for oracle in Oracle::ALL {
            let found = holds(oracle, &case, &integration, 2);
            assert_eq!(found, oracle.holds(&alone, &integration, 2));
            assert_eq!(planes_m(oracle, &case), oracle.planes_m(&alone));
            let lines = measure(&[oracle], expected.clone().about(&case));
            assert_eq!(lines, oracle.measure(&expected), "{oracle:?}");
        }
    }
}
