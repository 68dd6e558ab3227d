//! What is said of a run beside a kept baseline, and why.
#![allow(clippy::unwrap_used)]
use super::*;
use crate::sampling::Warning;
use crate::statistics::Statistics;

mod processes;

/// Nine samples around a centre, with an interquartile range of `4 step`.
fn around(centre: f64, step: f64) -> RunFacts {
    let samples: Vec<f64> = (0..9)
        .map(|index| centre + step * (f64::from(index) - 4.0))
        .collect();
    RunFacts {
        statistics: Statistics::of(&samples),
        process_medians_ns: Vec::new(),
        warning: None,
        broken_witness: None,
        fingerprint: Some("a machine".to_owned()),
    }
}

/// Relative interquartile range of 2 %: a robust sigma of 1.5.
fn quiet(centre: f64) -> RunFacts {
    around(centre, 0.005 * centre)
}

fn kept(run: &RunFacts) -> StoredFacts {
    StoredFacts::of(run).unwrap()
}

fn tracked(baseline: &RunFacts, run: &RunFacts) -> Comparison {
    compare(Some(&kept(baseline)), run, &Thresholds::tracker())
}

fn codes(comparison: &Comparison) -> Vec<&'static str> {
    comparison.reasons.iter().map(Reason::code).collect()
}

#[test]
fn what_did_not_change_passes_and_names_both_thresholds() {
    let same = tracked(&quiet(100.0), &quiet(100.0));
    assert_eq!(same.verdict, Verdict::Pass);
    assert_eq!(codes(&same), ["relative", "sigmas"]);
    assert_eq!(
        same.reason(),
        "+0.00 % is less than 5.00 %; 0.00 sigmas are fewer than 3.00"
    );
}

/// The original named both thresholds where one had decided.
#[test]
fn two_percent_beyond_doubt_still_pass_by_the_relative_threshold_alone() {
    let sure = tracked(&around(100.0, 0.05), &around(102.0, 0.05));
    assert!(sure.difference.unwrap().sigmas.unwrap() > 3.0);
    assert_eq!(
        (sure.verdict, codes(&sure)),
        (Verdict::Pass, vec!["relative"])
    );
    assert_eq!(sure.reason(), "+2.00 % is less than 5.00 %");
}

/// The original let them pass.
#[test]
fn eight_percent_that_are_lost_in_noise_are_no_regression_and_no_pass() {
    // An interquartile range of 8 on either side: sigma is 5.9, of which 8 are 1.3.
    let lost = tracked(&around(100.0, 2.0), &around(108.0, 2.0));
    assert_eq!(
        (lost.verdict, codes(&lost)),
        (Verdict::Inconclusive, vec!["sigmas"])
    );
    assert_eq!(
        lost.reason(),
        "+8.00 % may be a change, but 1.35 sigmas are fewer than 3.00; measure on a quieter \
         machine, in longer blocks, or with `ab`"
    );
    assert!(!Policy::Tracker.fails(lost.verdict));
}

/// The original let it pass in four of ten comparisons on such a machine.
#[test]
fn a_fifth_that_is_lost_in_noise_is_inconclusive_either_way() {
    // Robust sigmas of 7 % of the median: nothing is too noisy yet.
    for centre in [120.0, 80.0] {
        let lost = tracked(&around(100.0, 2.4), &around(centre, 0.024 * centre));
        assert_eq!(codes(&lost), ["sigmas"], "{centre}");
        assert_eq!(lost.verdict, Verdict::Inconclusive, "{centre}");
    }
}

#[test]
fn what_did_not_change_passes_only_if_five_percent_can_be_excluded() {
    // Interquartile ranges of 8 % of nine samples: a standard error of 3.5 % of the difference.
    let unsure = tracked(&around(100.0, 2.0), &around(100.0, 2.0));
    assert_eq!(
        (unsure.verdict, codes(&unsure)),
        (Verdict::Inconclusive, vec!["standard_error"])
    );
    assert_eq!(
        unsure.reason(),
        "+0.00 % with a standard error of 3.50 % does not exclude 5.00 %; take more samples, \
         measure on a quieter machine, or use `ab`"
    );
    // Half of that: twice 1.75 % are less than 5 %.
    let sure = tracked(&around(100.0, 1.0), &around(100.0, 1.0));
    assert_eq!(sure.verdict, Verdict::Pass);
}

#[test]
fn one_side_without_a_spread_excludes_nothing() {
    let alike = tracked(&quiet(100.0), &around(101.0, 0.0));
    assert_eq!(
        (alike.verdict, codes(&alike)),
        (Verdict::Inconclusive, vec!["standard_error"])
    );
    assert!(alike.reason().contains("no standard error"));
}

#[test]
fn forty_percent_are_a_regression_with_their_reasons() {
    let slower = tracked(&quiet(100.0), &quiet(140.0));
    assert_eq!(slower.verdict, Verdict::Regressed);
    assert_eq!(codes(&slower), ["relative", "sigmas"]);
    // The run has the larger spread: an interquartile range of 2.8.
    assert_eq!(
        slower.reason(),
        "+40.00 % reaches 5.00 %; 19.27 sigmas reach 3.00"
    );
}

#[test]
fn forty_percent_faster_are_called_improved_and_not_passed_over() {
    let faster = tracked(&quiet(100.0), &quiet(60.0));
    assert_eq!(faster.verdict, Verdict::Improved);
    assert!((faster.difference.unwrap().relative + 0.4).abs() < 1e-12);
}

#[test]
fn a_change_exactly_at_both_thresholds_is_one() {
    let thresholds = Thresholds {
        change: Change::Both {
            relative: 0.25,
            sigmas: 25.0 / (2.0 / 1.349),
        },
        ..Thresholds::tracker()
    };
    // Interquartile ranges of 2.
    let run = around(125.0, 0.5);
    let at = compare(Some(&kept(&around(100.0, 0.5))), &run, &thresholds);
    assert_eq!(at.verdict, Verdict::Regressed);
}

#[test]
fn what_the_baseline_does_not_have_is_new_and_fails_nothing() {
    let new = compare(None, &quiet(100.0), &Thresholds::tracker());
    assert_eq!(
        (new.verdict, codes(&new)),
        (Verdict::New, vec!["not_in_baseline"])
    );
    assert_eq!(new.difference, None);
    for policy in [Policy::Tracker, Policy::Acceptance] {
        assert!(!policy.fails(new.verdict));
    }
}

#[test]
fn what_the_run_does_not_have_is_missing_and_says_what_a_new_name_costs() {
    assert_eq!(missing().verdict, Verdict::Missing);
    assert!(missing().reason().contains("renamed"));
}

#[test]
fn times_of_another_machine_are_incomparable_and_have_no_ratio() {
    let mut run = quiet(140.0);
    run.fingerprint = Some("another machine".to_owned());
    run.broken_witness = Some("NaN".to_owned());
    let other = tracked(&quiet(100.0), &run);
    assert_eq!(
        (other.verdict, other.difference),
        (Verdict::Incomparable, None)
    );
    assert_eq!(
        other.reason(),
        "the baseline was measured on `a machine` and this run on `another machine`; save a \
         baseline here"
    );
}

#[test]
fn an_unknown_fingerprint_equals_nothing() {
    let unknown = RunFacts {
        fingerprint: None,
        ..quiet(100.0)
    };
    for (baseline, run) in [
        (&unknown, &unknown),
        (&unknown, &quiet(100.0)),
        (&quiet(100.0), &unknown),
    ] {
        let comparison = tracked(baseline, run);
        assert_eq!(comparison.verdict, Verdict::Incomparable);
        assert!(comparison.reason().contains("something unknown"));
    }
}

#[test]
fn a_run_that_did_other_work_is_invalid_whatever_its_time() {
    let mut run = around(140.0, 60.0);
    run.broken_witness = Some("the output is not finite".to_owned());
    let invalid = tracked(&quiet(100.0), &run);
    assert_eq!(
        (invalid.verdict, invalid.difference),
        (Verdict::Invalid, None)
    );
    assert_eq!(
        invalid.reason(),
        "it has no time that counts: the output is not finite"
    );
}

#[test]
fn a_run_with_a_warning_is_inconclusive_and_fails_no_tracker() {
    let mut run = quiet(140.0);
    run.warning = Some(Warning::BelowTick);
    let warned = tracked(&quiet(100.0), &run);
    assert_eq!(
        (warned.verdict, codes(&warned)),
        (Verdict::Inconclusive, vec!["warned"])
    );
    assert_eq!(warned.reason(), Warning::BelowTick.sentence());
    assert!(!Policy::Tracker.fails(warned.verdict));
    assert!(Policy::Acceptance.fails(warned.verdict));
}

/// The original looked at the warning of the run only, and kept none.
#[test]
fn a_baseline_that_was_kept_with_a_warning_is_inconclusive() {
    let mut baseline = quiet(100.0);
    baseline.warning = Some(Warning::UnknownGranularity);
    let warned = tracked(&baseline, &quiet(140.0));
    assert_eq!(warned.verdict, Verdict::Inconclusive);
    assert_eq!(codes(&warned), ["baseline_warned"]);
    assert!(warned.reason().contains("`unknown_granularity`"));
    let mut edited = kept(&quiet(100.0));
    edited.warning = Some("of the future".to_owned());
    let future = compare(Some(&edited), &quiet(100.0), &Thresholds::tracker());
    assert_eq!(future.verdict, Verdict::Inconclusive);
}

/// The original called everything above 5 % inconclusive, where its documents said 10 %.
#[test]
fn a_spread_of_seven_percent_is_a_note_on_either_side_and_is_compared() {
    let noted = |centre: f64| RunFacts {
        warning: Some(Warning::Spread { relative_iqr: 0.07 }),
        ..around(centre, 0.0175 * centre)
    };
    let slower = tracked(&noted(100.0), &noted(140.0));
    assert_eq!(slower.verdict, Verdict::Regressed);
}

#[test]
fn a_run_that_is_too_noisy_is_inconclusive_and_not_a_pass() {
    let noisy = tracked(&quiet(100.0), &around(100.0, 2.6));
    assert_eq!(
        (noisy.verdict, codes(&noisy)),
        (Verdict::Inconclusive, vec!["noisy"])
    );
    assert_eq!(
        noisy.reason(),
        "this run: the interquartile range is 10.4 % of the median (at most 10.0 %)"
    );
}

/// The original looked at the noise of the run only.
#[test]
fn a_baseline_that_is_too_noisy_is_inconclusive_too() {
    let noisy = tracked(&around(100.0, 2.6), &quiet(140.0));
    assert_eq!(
        (noisy.verdict, codes(&noisy)),
        (Verdict::Inconclusive, vec!["noisy"])
    );
    assert_eq!(noisy.reasons[0].side(), Some(Side::Baseline));
    let both = tracked(&around(100.0, 2.6), &around(140.0, 9.0));
    assert_eq!(codes(&both), ["noisy", "noisy"]);
}

#[test]
fn a_baseline_without_its_median_deviation_is_judged_by_its_quartiles() {
    let mut baseline = kept(&quiet(100.0));
    baseline.mad_ns = None;
    let slower = compare(Some(&baseline), &quiet(140.0), &Thresholds::tracker());
    assert_eq!(slower.verdict, Verdict::Regressed);
    // Where both are known, either can be too much.
    baseline.mad_ns = Some(5.1);
    let odd = compare(Some(&baseline), &quiet(140.0), &Thresholds::tracker());
    assert_eq!(codes(&odd), ["noisy"]);
}

#[test]
fn a_warning_that_the_numbers_show_as_well_is_said_once() {
    let mut run = around(100.0, 2.6);
    let excess = Thresholds::tracker()
        .noise
        .exceeded(&crate::statistics::Noise {
            relative_iqr: Some(0.104),
            relative_mad: None,
        });
    run.warning = excess.map(Warning::Noisy);
    assert_eq!(codes(&tracked(&quiet(100.0), &run)), ["noisy"]);
    assert_eq!(codes(&tracked(&run, &quiet(100.0))), ["noisy"]);
}

#[test]
fn samples_that_are_all_alike_are_inconclusive_because_the_clock_does_not_resolve_them() {
    let alike = tracked(&around(100.0, 0.0), &around(100.0, 0.0));
    assert_eq!(
        (alike.verdict, codes(&alike)),
        (Verdict::Inconclusive, vec!["no_spread"])
    );
    assert_eq!(alike.difference.unwrap().sigmas, None);
    let mut hardly = kept(&around(100.0, 0.0));
    hardly.iqr_ns = f64::MIN_POSITIVE;
    let hardly = compare(Some(&hardly), &around(140.0, 0.0), &Thresholds::tracker());
    assert_eq!(codes(&hardly), ["no_spread"]);
    let one = tracked(&around(100.0, 0.0), &quiet(140.0));
    assert_eq!(one.verdict, Verdict::Regressed);
}

#[test]
fn fewer_than_five_samples_are_never_more_than_inconclusive() {
    let mut run = quiet(140.0);
    run.statistics = Statistics::of(&[139.0, 140.0, 141.0]);
    let few = tracked(&quiet(100.0), &run);
    assert_eq!(
        (few.verdict, codes(&few)),
        (Verdict::Inconclusive, vec!["few_samples"])
    );
    assert_eq!(
        few.reason(),
        "this run has 3 of the 5 samples that are needed"
    );
    let greedy = Thresholds {
        samples_min: 1,
        ..Thresholds::tracker()
    };
    let still = compare(Some(&kept(&quiet(100.0))), &run, &greedy);
    assert_eq!(still.verdict, Verdict::Inconclusive);
}

#[test]
fn a_run_without_samples_is_inconclusive_and_has_no_difference() {
    let run = RunFacts {
        statistics: None,
        warning: Some(Warning::NoSamples),
        ..quiet(100.0)
    };
    let nothing = tracked(&quiet(100.0), &run);
    assert_eq!(
        (nothing.verdict, nothing.difference),
        (Verdict::Inconclusive, None)
    );
    assert_eq!(codes(&nothing), ["few_samples", "warned"]);
    assert_eq!(StoredFacts::of(&run), None);
}

#[test]
fn a_kept_number_that_is_no_time_is_inconclusive_and_never_a_ratio() {
    for bad in [0.0, -1.0, 1e-300, 1e300, f64::NAN, f64::INFINITY] {
        let mut baseline = kept(&quiet(100.0));
        baseline.median_ns = bad;
        let comparison = compare(Some(&baseline), &quiet(100.0), &Thresholds::tracker());
        assert_eq!(codes(&comparison), ["not_a_time"], "{bad}");
        assert_eq!(comparison.difference, None);
    }
    for bad in [-1.0, 1e300, f64::NAN, f64::INFINITY] {
        let mut baseline = kept(&quiet(100.0));
        baseline.iqr_ns = bad;
        let comparison = compare(Some(&baseline), &quiet(100.0), &Thresholds::tracker());
        assert_eq!(codes(&comparison), ["not_a_time"], "{bad}");
    }
    let zero = tracked(&quiet(100.0), &around(0.0, 0.0));
    assert_eq!(
        (zero.verdict, codes(&zero)),
        (Verdict::Inconclusive, vec!["not_a_time"])
    );
}

#[test]
fn a_stricter_threshold_can_be_asked_for() {
    let (baseline, run) = (around(100.0, 0.1), around(102.0, 0.1));
    assert_eq!(tracked(&baseline, &run).verdict, Verdict::Pass);
    let strict = Thresholds {
        change: Change::Both {
            relative: 0.01,
            sigmas: 2.0,
        },
        ..Thresholds::tracker()
    };
    let caught = compare(Some(&kept(&baseline)), &run, &strict);
    assert_eq!(caught.verdict, Verdict::Regressed);
}

#[test]
fn limits_without_sense_decide_nothing() {
    let both = |relative, sigmas| Change::Both { relative, sigmas };
    for change in [
        both(f64::NAN, 3.0),
        both(0.0, 3.0),
        both(0.05, -1.0),
        Change::Ratio { slowdown: 0.9 },
        Change::Ratio {
            slowdown: f64::INFINITY,
        },
    ] {
        let thresholds = Thresholds {
            change,
            ..Thresholds::tracker()
        };
        let said = compare(Some(&kept(&quiet(100.0))), &quiet(140.0), &thresholds);
        assert_eq!(codes(&said), ["invalid_thresholds"], "{change:?}");
    }
}

#[test]
fn acceptance_asks_for_nine_samples_and_a_ratio_of_one_point_one_at_most() {
    let baseline = kept(&quiet(100.0));
    let said = |run: &RunFacts| compare(Some(&baseline), run, &Thresholds::acceptance());
    for (centre, verdict) in [
        (109.9, Verdict::Pass),
        (110.1, Verdict::Regressed),
        (91.0, Verdict::Pass),
        (90.0, Verdict::Improved),
    ] {
        let comparison = said(&quiet(centre));
        assert_eq!(comparison.verdict, verdict, "{centre}");
        assert_eq!(codes(&comparison), ["ratio"]);
    }
    assert_eq!(
        said(&quiet(120.0)).reason(),
        "a ratio of 1.200 is beyond 1.10"
    );
    let mut eight = quiet(100.0);
    eight.statistics = Statistics::of(&[99., 100., 101., 99., 100., 101., 99., 100.]);
    assert_eq!(said(&eight).verdict, Verdict::Inconclusive);
}

#[test]
fn a_tracker_fails_on_a_regression_only_and_acceptance_on_all_that_is_not_shown() {
    let verdicts = [
        (Verdict::New, false, false),
        (Verdict::Missing, false, true),
        (Verdict::Incomparable, false, true),
        (Verdict::Invalid, false, true),
        (Verdict::Inconclusive, false, true),
        (Verdict::Regressed, true, true),
        (Verdict::Improved, false, false),
        (Verdict::Pass, false, false),
    ];
    for (verdict, tracker, acceptance) in verdicts {
        assert_eq!(Policy::Tracker.fails(verdict), tracker, "{verdict:?}");
        assert_eq!(Policy::Acceptance.fails(verdict), acceptance, "{verdict:?}");
    }
    for policy in [Policy::Tracker, Policy::Acceptance] {
        assert!(policy.thresholds().are_valid(), "{}", policy.as_str());
    }
}

/// Why a change of several standard errors may not be called: sigmas are of single samples.
#[test]
fn the_standard_error_stands_beside_the_sigmas() {
    let run = tracked(&around(100.0, 1.0), &around(106.0, 1.0));
    assert_eq!(codes(&run), ["sigmas"]);
    let difference = run.difference.unwrap();
    // Interquartile ranges of 4: 1.2533 x 4 / 1.349 / 3 is the error of either median.
    let one = 1.2533 * 4.0 / 1.349 / 3.0;
    let expected = one * (1.0 + 1.06_f64 * 1.06).sqrt() / 100.0;
    assert!((difference.standard_error.unwrap() / expected - 1.0).abs() < 1e-4);
    assert!(difference.relative > 3.0 * difference.standard_error.unwrap());
}

#[test]
fn every_verdict_and_policy_has_its_own_word() {
    let words = [
        Verdict::New,
        Verdict::Missing,
        Verdict::Incomparable,
        Verdict::Invalid,
        Verdict::Inconclusive,
        Verdict::Regressed,
        Verdict::Improved,
        Verdict::Pass,
    ]
    .map(Verdict::as_str);
    let distinct: std::collections::BTreeSet<&str> = words.into_iter().collect();
    assert_eq!(distinct.len(), words.len());
    assert_ne!(Policy::Tracker.as_str(), Policy::Acceptance.as_str());
}
