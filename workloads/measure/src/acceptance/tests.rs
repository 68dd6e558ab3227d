//! What the acceptance policy passes and what it says against the rest.
#![allow(clippy::unwrap_used, clippy::float_cmp)]
use super::*;
use longrun_protocol::duet::Side;

fn side(seconds: &[f64]) -> SideSamples {
    SideSamples {
        seconds: seconds.to_vec(),
        ..SideSamples::default()
    }
}

fn steady(centre: f64, count: usize) -> SideSamples {
    let seconds: Vec<f64> = (0..count)
        .map(|index| centre * (1.0 + 0.001 * (index as f64 - 4.0)))
        .collect();
    side(&seconds)
}

fn ratios(baseline: &SideSamples, candidate: &SideSamples) -> Vec<f64> {
    let pairs = candidate.seconds.iter().zip(&baseline.seconds);
    pairs
        .map(|(candidate, baseline)| candidate / baseline)
        .collect()
}

fn check(baseline: &SideSamples, candidate: &SideSamples) -> Check {
    let pairs = ratios(baseline, candidate);
    compare(baseline, candidate, &pairs, &Thresholds::cpu())
}

fn codes(check: &Check) -> Vec<&'static str> {
    assert_eq!(check.passed, check.reasons.is_empty());
    check.reasons.iter().map(Reason::code).collect()
}

#[test]
fn a_candidate_within_ten_percent_passes_and_one_beyond_it_fails_twice() {
    let baseline = steady(1.0, 9);
    assert_eq!(codes(&check(&baseline, &steady(1.099, 9))), [""; 0]);
    let slow = check(&baseline, &steady(1.101, 9));
    assert_eq!(codes(&slow), ["median_slowdown", "paired_slowdown"]);
    let gpu = Thresholds::gpu();
    let candidate = steady(1.14, 9);
    let pairs = ratios(&baseline, &candidate);
    assert!(compare(&baseline, &candidate, &pairs, &gpu).passed);
}

#[test]
fn eight_pairs_are_too_few_whatever_the_thresholds_say() {
    let (baseline, candidate) = (steady(1.0, 8), steady(1.0, 8));
    let thresholds = Thresholds {
        pairs_min: 3,
        ..Thresholds::cpu()
    };
    let check = compare(
        &baseline,
        &candidate,
        &ratios(&baseline, &candidate),
        &thresholds,
    );
    assert_eq!(codes(&check), ["few_pairs"]);
    assert_eq!(
        check.reasons,
        [Reason::FewPairs {
            pairs: 8,
            needed: 9
        }]
    );
}

#[test]
fn pairs_without_their_samples_do_not_count() {
    let check = compare(
        &steady(1.0, 3),
        &steady(1.0, 3),
        &[1.0; 9],
        &Thresholds::cpu(),
    );
    assert_eq!(codes(&check), ["few_pairs"]);
}

#[test]
fn the_spread_of_either_side_is_named() {
    // Deviations from 1.0 in ascending order: 0, 0.06 × 8; their median over 1.0 is 6 %.
    let wide = side(&[0.94, 0.94, 0.94, 0.94, 1.0, 1.06, 1.06, 1.06, 1.06]);
    let check = compare(&steady(1.0, 9), &wide, &[1.0; 9], &Thresholds::cpu());
    assert_eq!(codes(&check), ["spread"]);
    assert!((check.facts.candidate_relative_mad.unwrap() - 0.06).abs() < 1e-12);
    let named = matches!(
        check.reasons[0],
        Reason::Spread {
            side: Side::Candidate,
            limit: 0.05,
            ..
        }
    );
    assert!(named, "{:?}", check.reasons);
}

#[test]
fn what_is_no_time_fails_and_has_no_numbers() {
    for bad in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        let mut candidate = steady(1.0, 9);
        candidate.seconds[3] = bad;
        let baseline = steady(1.0, 9);
        let check = check(&baseline, &candidate);
        assert_eq!(codes(&check), ["not_a_time", "not_a_ratio"], "{bad}");
        assert_eq!(check.facts.candidate_median_s, None);
        assert_eq!(check.facts.median_slowdown, None);
        assert_eq!(check.facts.max_paired_slowdown, None);
    }
    let nothing = compare(&side(&[]), &side(&[]), &[], &Thresholds::cpu());
    assert_eq!(codes(&nothing), ["not_a_time", "not_a_time", "few_pairs"]);
    let few = nothing.reasons.last().map(ToString::to_string);
    assert_eq!(few.as_deref(), Some("no pairs where 9 are needed"));
}

#[test]
fn unequal_numbers_of_samples_and_thresholds_without_sense_fail() {
    let check = compare(
        &steady(1.0, 10),
        &steady(1.0, 9),
        &[1.0; 9],
        &Thresholds::cpu(),
    );
    assert_eq!(codes(&check), ["unequal_samples"]);
    for (slowdown, relative_mad) in [(0.9, 0.05), (f64::NAN, 0.05), (1.1, 1.0), (1.1, -0.1)] {
        let thresholds = Thresholds {
            slowdown,
            relative_mad,
            ..Thresholds::cpu()
        };
        let check = compare(&steady(1.0, 9), &steady(1.0, 9), &[1.0; 9], &thresholds);
        assert!(codes(&check).contains(&"invalid_thresholds"));
    }
}

#[test]
fn signs_are_counted_and_their_probability_is_exact() {
    let pairs = [0.9, 1.0, 1.1, 1.2, 1.2, 1.3, 1.1, 1.1, 1.1];
    let facts = Facts::of(&steady(1.0, 9), &steady(1.0, 9), &pairs);
    assert_eq!(
        (facts.candidate_faster_pairs, facts.candidate_slower_pairs),
        (1, 7)
    );
    assert_eq!(
        (facts.paired_median_slowdown, facts.max_paired_slowdown),
        (Some(1.1), Some(1.3))
    );
    // Two-sided: 2 (1 + 8) / 2^8, and 2 / 2^9.
    assert!((facts.sign_probability.unwrap() - 18.0 / 256.0).abs() < 1e-12);
    assert!((sign_probability(9, 0).unwrap() - 2.0 / 512.0).abs() < 1e-12);
    assert_eq!(sign_probability(4, 4), Some(1.0));
    assert_eq!(sign_probability(0, 0), None);
}

fn iterating(centre: f64, iterations: u64, precision: Precision) -> SideSamples {
    SideSamples {
        iterations: vec![iterations; 9],
        converged: Some(true),
        objective: Some(2.0),
        precision,
        ..steady(centre, 9)
    }
}

#[test]
fn in_double_precision_two_iterations_more_fail() {
    let baseline = iterating(1.0, 26, Precision::Double);
    assert!(check(&baseline, &iterating(1.0, 27, Precision::Double)).passed);
    let two = check(&baseline, &iterating(0.8, 28, Precision::Double));
    assert_eq!(codes(&two), ["iterations"]);
    assert!(two.iterations.unwrap().changed);
}

#[test]
fn in_single_precision_a_quarter_is_allowed_if_the_result_is_the_same() {
    let baseline = iterating(1.0, 26, Precision::Single);
    let moved = check(&baseline, &iterating(0.8, 33, Precision::Single));
    assert!(moved.passed, "{:?}", moved.reasons);
    assert_eq!(moved.iterations.unwrap().allowed, 7.0);
    let far = check(&baseline, &iterating(0.8, 34, Precision::Single));
    assert_eq!(codes(&far), ["iterations"]);
    let slower = check(&baseline, &iterating(1.0, 20, Precision::Single));
    assert_eq!(codes(&slower), ["slower_per_iteration"]);
    let mut other = iterating(1.0, 28, Precision::Single);
    other.objective = Some(2.001);
    assert_eq!(codes(&check(&baseline, &other)), ["objective"]);
    other.objective = None;
    assert_eq!(codes(&check(&baseline, &other)), ["objective"]);
}

#[test]
fn the_absolute_policy_makes_no_exception_for_single_precision() {
    let baseline = iterating(1.0, 26, Precision::Single);
    let candidate = iterating(0.8, 28, Precision::Single);
    let thresholds = Thresholds {
        iteration_policy: IterationPolicy::Absolute,
        ..Thresholds::cpu()
    };
    let pairs = ratios(&baseline, &candidate);
    let check = compare(&baseline, &candidate, &pairs, &thresholds);
    assert_eq!(codes(&check), ["iterations"]);
}

#[test]
fn a_side_that_did_not_converge_is_named() {
    let mut candidate = iterating(1.0, 26, Precision::Double);
    candidate.converged = Some(false);
    let check = check(&iterating(1.0, 26, Precision::Double), &candidate);
    assert_eq!(
        check.reasons,
        [Reason::NotConverged {
            side: Side::Candidate
        }]
    );
    assert_eq!(
        check.reasons[0].to_string(),
        "the candidate did not converge"
    );
}
