//! When two sides are the same physics.

#![allow(clippy::unwrap_used, clippy::float_cmp)]
use super::*;
use crate::ab::testing::{compared, duet, duet_of, pair, resolved};

fn tally(chaotic: bool, outcomes: &[Outcome]) -> (Compared, Tally) {
    let mut compared = compared("a");
    compared.chaotic = chaotic;
    let mut tally = Tally::default();
    for outcome in outcomes {
        tally.add(&compared, outcome);
    }
    (compared, tally)
}

fn reasons(chaotic: bool, outcomes: &[Outcome]) -> String {
    let (compared, tally) = tally(chaotic, outcomes);
    tally.reasons(&compared).join("; ")
}

fn changed_pair(change: impl Fn(&mut PairSide, &mut PairSide, &mut Option<f64>)) -> Outcome {
    let mut outcome = pair(1.0);
    if let Outcome::Pair {
        baseline,
        candidate,
        relative_l2,
    } = &mut outcome
    {
        change(baseline, candidate, relative_l2);
    }
    outcome
}

#[test]
fn rounding_is_the_same_physics_and_is_kept_for_the_report() {
    let outcomes = [
        duet_of(1.0, 1e-15, (3, 3)),
        duet_of(1.0, 9e-7, (3, 3)),
        duet(1.0),
    ];
    let (compared, tally) = tally(false, &outcomes);
    assert!(tally.reasons(&compared).is_empty());
    assert_eq!(tally.difference().relative_l2, Some(9e-7));
    let counts = Counts {
        baseline: 60,
        candidate: 60,
    };
    assert_eq!(tally.difference().accepted, Some(counts));
}

#[test]
fn states_beyond_the_bound_are_other_physics_and_the_farthest_is_named() {
    let outcomes = [
        duet_of(1.0, 2e-6, (3, 3)),
        duet_of(1.0, 3e-4, (3, 3)),
        duet(1.0),
    ];
    let said = reasons(false, &outcomes);
    assert_eq!(
        said,
        "the states differ by 3.0e-4 in relative L2, and up to 1.0e-6 is the same physics"
    );
    assert_eq!(
        reasons(true, &outcomes),
        said,
        "stretches are short: chaos is no excuse"
    );
    assert!(reasons(false, &[duet_of(1.0, f64::NAN, (3, 3))]).contains("differ by NaN"));
}

#[test]
fn steps_beyond_the_tolerance_are_other_physics() {
    // 60 against 80 steps.
    let said = reasons(false, &[duet_of(1.0, 0.0, (3, 4))]);
    let expected = "the baseline takes 60 steps and the candidate 80, and 2 % apart is the same";
    assert!(said.starts_with(expected), "{said}");
    let with = |candidate| changed_pair(move |_, side, _| side.accepted = candidate);
    for (steps, differs) in [(980, false), (1020, false), (979, true), (1021, true)] {
        assert_eq!(
            !reasons(false, &[with(Some(steps))]).is_empty(),
            differs,
            "{steps}"
        );
    }
    assert!(
        reasons(true, &[with(Some(1021))]).contains("1021"),
        "chaotic too"
    );
    assert!(reasons(false, &[with(None)]).contains("only one side says"));
}

#[test]
fn a_duet_may_part_by_one_step_unless_the_schedule_is_fixed() {
    let mut outcome = duet_of(1.0, 0.0, (1, 1));
    if let Outcome::Duet { stretches, .. } = &mut outcome {
        stretches[0].segments[0].candidate.accepted = Some(2);
    }
    assert_eq!(reasons(false, &[outcome.clone()]), "");
    let (mut compared, mut tally) = tally(false, &[]);
    compared.step_tolerance = 0.0;
    tally.add(&compared, &outcome);
    assert!(!tally.reasons(&compared).is_empty());
}

#[test]
fn of_a_whole_chaotic_run_only_steps_count_and_that_it_is_finite() {
    let far = |distance| changed_pair(move |_, _, relative_l2| *relative_l2 = distance);
    assert!(!reasons(false, &[far(Some(0.9))]).is_empty());
    assert_eq!(reasons(true, &[far(Some(0.9))]), "");
    assert!(!reasons(true, &[far(Some(f64::INFINITY))]).is_empty());
    // What a whole run may be apart hides nothing that stretches may not.
    let both = [far(Some(0.9)), duet_of(1.0, 2e-6, (3, 3))];
    assert!(reasons(true, &both).contains("2.0e-6"));
}

#[test]
fn what_was_not_compared_is_counted_and_never_equal() {
    let unknown = changed_pair(|_, _, relative_l2| *relative_l2 = None);
    let same = changed_pair(|baseline, candidate, relative_l2| {
        *relative_l2 = None;
        baseline.digest = Some("d".to_owned());
        candidate.digest = Some("d".to_owned());
    });
    let (_, tally_of) = tally(false, &[unknown, same]);
    assert_eq!(tally_of.difference().not_compared, 1);
    assert_eq!(tally_of.difference().relative_l2, Some(0.0));
    let mut blocks = duet(1.0);
    if let Outcome::Duet { stretches, .. } = &mut blocks {
        for stretch in stretches {
            stretch.checkpoint = None;
            for segment in &mut stretch.segments {
                segment.relative_l2 = None;
            }
        }
    }
    let (_, sampled) = tally(false, &[blocks]);
    assert_eq!(sampled.difference().not_compared, 0, "blocks have no state");
}

#[test]
fn a_side_that_does_not_converge_is_other_physics() {
    let outcome = changed_pair(|baseline, candidate, _| {
        baseline.converged = Some(true);
        candidate.converged = Some(false);
    });
    assert_eq!(
        reasons(false, &[outcome]),
        "the baseline converges, the candidate does not converge"
    );
}

#[test]
fn what_resolved_differently_is_named_part_by_part() {
    let outcome = changed_pair(|_, candidate, _| {
        let mut other = resolved("rk4ip steps=400");
        other.tolerances.insert("rtol".to_owned(), 1e-7);
        other.noise_model = "one_photon".to_owned();
        other.seed = Some(3);
        other.threads = 2;
        candidate.resolved = Some(other);
    });
    let (_, tally_of) = tally(false, &[outcome.clone(), outcome]);
    assert_eq!(
        tally_of.resolved_differences(),
        [
            "integrator: `rk`, now `rk4ip steps=400`",
            "noise model: `none`, now `one_photon`",
            "threads: `1`, now `2`",
            "tolerances: `rtol 1e-6`, now `rtol 1e-7`",
            "seed of the noise: `none`, now `3`",
        ]
    );
    let one_side = changed_pair(|_, candidate, _| candidate.resolved = None);
    let (_, tally_of) = tally(false, &[one_side]);
    assert!(tally_of.resolved_differences()[0].contains("only one side"));
    let (_, equal) = tally(false, &[pair(1.0), duet(1.0)]);
    assert!(equal.resolved_differences().is_empty());
}
