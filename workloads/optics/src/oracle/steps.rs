//! What a run must count, whatever it propagates.

use longrun_protocol::receipt::OracleLine;

use super::conserved::energy_in_edges;
use super::evidence::{Evidence, Other, Run};
use super::line::Quantity;
use crate::steppers::{Integration, Stepper};

/// Repeats that a comparison of repeats needs.
const REPEATS_MIN: u32 = 2;

/// Source evaluations of one step of the fourth-order Runge-Kutta method.
const RK4IP_EVALUATIONS: f64 = 4.0;

const STEPS: Quantity = Quantity {
    oracle: "repeat",
    name: "steps and source evaluations that differ between repeats",
    unit: "",
};

const FIELD: Quantity = Quantity {
    oracle: "repeat",
    name: "final field, relative L2 difference between repeats",
    unit: "",
};

/// How far two steppers may end from each other, in relative tolerances of a step: each is within
/// some tens of them of the exact field.
const AGREEMENT: f64 = 100.0;

/// Steppers that control their error, and how the distance to each is called.
const CONTROLLED: [(Stepper, Quantity); 3] = [
    (
        Stepper::Multistep,
        agreement("final field, relative L2 difference from that of `multistep`"),
    ),
    (
        Stepper::MultistepInteraction,
        agreement("final field, relative L2 difference from that of `multistep-interaction`"),
    ),
    (
        Stepper::Rk,
        agreement("final field, relative L2 difference from that of `rk`"),
    ),
];

const fn agreement(name: &'static str) -> Quantity {
    Quantity {
        oracle: "steppers_agree",
        name,
        unit: "",
    }
}

const PER_STEP: Quantity = Quantity {
    oracle: "rk4ip_evaluations",
    name: "source evaluations per step",
    unit: "",
};

/// Every repeat takes the same steps and ends in the same field.
pub fn repeat<C>(evidence: &Evidence<'_, C>) -> Vec<OracleLine> {
    let Some((first, others)) = evidence.runs.split_first() else {
        return vec![STEPS.within(0.0, 0.0, None), FIELD.at_most(0.0, None)];
    };
    let counts = |run: &Run| [run.accepted, run.rejected, run.evaluations];
    let apart = |run: &Run| -> u64 {
        let pairs = counts(run).into_iter().zip(counts(first));
        pairs.map(|(a, b)| a.abs_diff(b)).sum()
    };
    // Counts are exact in f64 up to 2^53.
    let steps = others.iter().map(apart).max().map(|apart| apart as f64);
    let distances: Option<Vec<f64>> = others.iter().map(|run| run.distance).collect();
    let farthest = distances.and_then(|all| all.into_iter().max_by(f64::total_cmp));
    vec![
        STEPS.within(0.0, 0.0, steps),
        FIELD.at_most(evidence.repeat_bound, farthest),
    ]
}

/// Four source evaluations a step, none of them at the start or lost.
pub fn rk4ip_evaluations<C>(evidence: &Evidence<'_, C>) -> Vec<OracleLine> {
    let per_step = evidence.runs.first().and_then(|run| {
        let steps = run.accepted + run.rejected;
        (steps > 0).then(|| run.evaluations as f64 / steps as f64)
    });
    vec![PER_STEP.within(RK4IP_EVALUATIONS, 0.0, per_step)]
}

/// Whether there are enough runs to compare.
pub fn repeats(repeats: u32) -> Result<(), &'static str> {
    match repeats >= REPEATS_MIN {
        true => Ok(()),
        false => Err("it needs two repeats"),
    }
}

/// Whether the run is that of the method with a fixed number of source evaluations a step.
pub fn is_rk4ip(integration: &Integration) -> Result<(), &'static str> {
    match integration.stepper == Stepper::Rk4ip {
        true => Ok(()),
        false => Err("it holds for the stepper `rk4ip`"),
    }
}

/// Whether other steppers can be asked for the same tolerance.
pub fn is_controlled(integration: &Integration) -> Result<(), &'static str> {
    match integration.schedule() {
        None => Ok(()),
        Some(_) => Err("it holds for a stepper that controls its error"),
    }
}

/// The steppers that `stepper` is compared with.
pub fn others(stepper: Stepper) -> impl Iterator<Item = Stepper> {
    let controlled = CONTROLLED.into_iter().map(|(other, _)| other);
    controlled.filter(move |other| *other != stepper)
}

/// Every stepper ends in the same field: they have little more in common than the equation.
///
/// Windows act once a step, so how much they take of what lies in their edges depends on the
/// stepper: the amplitude that the launch has there may be missing.
pub fn agree(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    agree_but_for(evidence, energy_in_edges(evidence.case))
}

/// The same of any case, for the part of the launched energy that lies in the edges of its windows.
pub fn agree_but_for<C>(evidence: &Evidence<'_, C>, edges: f64) -> Vec<OracleLine> {
    // Without a tolerance there is nothing to compare, and no number to be expected.
    let bound = AGREEMENT * evidence.rtol.unwrap_or(0.0) + edges.sqrt();
    let line = |other: &Other| {
        let named = CONTROLLED.iter().find(|(name, _)| *name == other.stepper);
        named.map(|(_, quantity)| quantity.at_most(bound, other.distance))
    };
    evidence.others.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::{evidence, soliton};
    use super::*;

    fn passed(lines: &[OracleLine]) -> Vec<bool> {
        lines.iter().map(OracleLine::passed).collect()
    }

    #[test]
    fn repeats_are_held_to_the_same_steps_and_the_same_field() {
        let case = soliton();
        type Change = fn(&mut Run);
        let table: [(Change, [bool; 2]); 6] = [
            (|_| {}, [true, true]),
            (|run| run.accepted += 1, [false, true]),
            (|run| run.rejected += 1, [false, true]),
            (|run| run.evaluations -= 1, [false, true]),
            (|run| run.distance = Some(2e-9), [true, false]),
            (|run| run.distance = None, [true, false]),
        ];
        for (change, expected) in table {
            let mut evidence = evidence(&case);
            change(evidence.runs.last_mut().unwrap());
            assert_eq!(passed(&repeat(&evidence)), expected);
        }
    }

    #[test]
    fn one_run_says_nothing_about_repeats() {
        let case = soliton();
        let mut evidence = evidence(&case);
        evidence.runs.truncate(1);
        assert_eq!(passed(&repeat(&evidence)), [false, false]);
        evidence.runs.clear();
        assert_eq!(passed(&repeat(&evidence)), [false, false]);
    }

    #[test]
    fn a_step_of_rk4ip_costs_four_evaluations() {
        let case = soliton();
        let mut evidence = evidence(&case);
        evidence.runs[0].rejected = 0;
        evidence.runs[0].evaluations = 4 * evidence.runs[0].accepted;
        assert_eq!(passed(&rk4ip_evaluations(&evidence)), [true]);
        evidence.runs[0].evaluations += 1;
        assert_eq!(passed(&rk4ip_evaluations(&evidence)), [false]);
        evidence.runs[0].accepted = 0;
        assert_eq!(passed(&rk4ip_evaluations(&evidence)), [false]);
    }

    #[test]
    fn steppers_agree_within_a_hundred_tolerances() {
        let case = soliton();
        let mut evidence = evidence(&case);
        let edges = energy_in_edges(&case).sqrt();
        let other = |stepper, distance| Other { stepper, distance };
        evidence.others = vec![
            other(Stepper::Multistep, Some(edges + 0.9e-6)),
            other(Stepper::MultistepInteraction, Some(edges + 1.1e-6)),
        ];
        let lines = agree(&evidence);
        assert_eq!(passed(&lines), [true, false]);
        assert!(lines[0].quantity.contains("`multistep`"), "{lines:?}");
        evidence.others = vec![other(Stepper::Rk, None)];
        assert_eq!(passed(&agree(&evidence)), [false]);
        let found: Vec<Stepper> = others(Stepper::Rk).collect();
        assert_eq!(found, [Stepper::Multistep, Stepper::MultistepInteraction]);
        assert_eq!(others(Stepper::Rk4ip).count(), 3);
    }
}
