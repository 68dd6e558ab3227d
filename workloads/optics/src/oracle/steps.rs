//! What a run must count, whatever it propagates.

use longrun_protocol::receipt::OracleLine;

use super::evidence::{Evidence, Run};
use super::line::Quantity;

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

const PER_STEP: Quantity = Quantity {
    oracle: "rk4ip_evaluations",
    name: "source evaluations per step",
    unit: "",
};

/// Every repeat takes the same steps and ends in the same field.
pub fn repeat(evidence: &Evidence<'_>) -> Vec<OracleLine> {
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
pub fn rk4ip_evaluations(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    let per_step = evidence.runs.first().and_then(|run| {
        let steps = run.accepted + run.rejected;
        (steps > 0).then(|| run.evaluations as f64 / steps as f64)
    });
    vec![PER_STEP.within(RK4IP_EVALUATIONS, 0.0, per_step)]
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
        let table: [(fn(&mut Run), [bool; 2]); 6] = [
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
}
