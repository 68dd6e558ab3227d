//! What several processes of a side make of a verdict.
use super::*;

/// A quiet side around `centre`, of processes with these medians in percent of it.
fn sampled(centre: f64, percent: &[f64]) -> RunFacts {
    RunFacts {
        process_medians_ns: percent.iter().map(|part| centre * part / 100.0).collect(),
        ..quiet(centre)
    }
}

const ALIKE: [f64; 8] = [100.0; 8];

/// Spread over 2 %.
const CLOSE: [f64; 8] = [99.0, 99.3, 99.6, 99.9, 100.1, 100.4, 100.7, 101.0];

#[test]
fn processes_that_bear_a_verdict_out_leave_it_as_it_is() {
    let baseline = sampled(100.0, &CLOSE);
    for (centre, verdict) in [
        (120.0, Verdict::Regressed),
        (80.0, Verdict::Improved),
        (101.0, Verdict::Pass),
    ] {
        let several = tracked(&baseline, &sampled(centre, &CLOSE));
        let single = tracked(&quiet(100.0), &quiet(centre));
        assert_eq!((several.verdict, single.verdict), (verdict, verdict));
        assert_eq!(several.reasons, single.reasons);
    }
}

#[test]
fn one_process_within_the_other_side_keeps_a_change_from_being_called() {
    let baseline = sampled(100.0, &CLOSE);
    let mut percent = CLOSE;
    percent[3] = 84.0;
    for (centre, relative) in [(120.0, "+20.00 %"), (80.0, "-20.00 %")] {
        if centre < 100.0 {
            percent[3] = 126.0;
        }
        let mixed = tracked(&baseline, &sampled(centre, &percent));
        assert_eq!(
            (mixed.verdict, codes(&mixed)),
            (Verdict::Inconclusive, vec!["mixed_processes"])
        );
        assert_eq!(
            mixed.reason(),
            format!(
                "{relative} may be a change, but processes of one side are within the other; \
                 measure on a quieter machine, or use `ab`"
            )
        );
        assert!(!Policy::Tracker.fails(mixed.verdict));
    }
}

/// Eight processes of two speeds can have the medians of equal sides.
#[test]
fn one_process_far_from_the_other_side_keeps_a_run_from_passing() {
    let mut percent = CLOSE;
    percent[7] = 111.0;
    let sides = [sampled(100.0, &ALIKE), sampled(100.0, &percent)];
    for (baseline, run) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
        let astray = tracked(baseline, run);
        assert_eq!(
            (astray.verdict, codes(&astray)),
            (Verdict::Inconclusive, vec!["astray_process"])
        );
        assert!(
            astray.reason().starts_with(
                "a process of one side is 11.00 % from the median of the other, which is more \
                 than 10.00 %"
            ),
            "{}",
            astray.reason()
        );
    }
}

#[test]
fn a_side_with_too_few_processes_is_named() {
    let eight = sampled(100.0, &CLOSE);
    let six = sampled(140.0, &CLOSE[..6]);
    let few = tracked(&eight, &six);
    // 8 and 6 have 3003 orders, of which 2 are one in 1501.
    assert_eq!(few.verdict, Verdict::Regressed);
    let five = sampled(140.0, &CLOSE[..5]);
    let few = tracked(&eight, &five);
    assert_eq!(
        (few.verdict, codes(&few)),
        (Verdict::Inconclusive, vec!["few_processes"])
    );
    assert_eq!(
        few.reason(),
        "this run was sampled in 5 of the 7 processes that are needed to tell a change from what \
         differs between them"
    );
    let one = tracked(&quiet(100.0), &eight);
    assert_eq!(codes(&one), ["few_processes"]);
    assert!(one.reason().starts_with("the baseline was sampled in 1 of"));
}

#[test]
fn a_median_of_a_process_that_is_no_time_makes_its_side_none() {
    for broken in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut run = sampled(100.0, &CLOSE);
        run.process_medians_ns[2] = broken;
        let nothing = tracked(&sampled(100.0, &CLOSE), &run);
        assert_eq!(nothing.verdict, Verdict::Inconclusive);
        assert!(codes(&nothing).contains(&"not_a_time"), "{broken}");
    }
}

#[test]
fn a_ratio_is_borne_out_in_the_same_way() {
    let judged = |percent: &[f64], centre: f64| {
        let baseline = kept(&sampled(100.0, &CLOSE));
        let run = sampled(centre, percent);
        compare(Some(&baseline), &run, &Thresholds::acceptance())
    };
    assert_eq!(judged(&CLOSE, 120.0).verdict, Verdict::Regressed);
    let mut percent = CLOSE;
    percent[0] = 70.0;
    assert_eq!(codes(&judged(&percent, 120.0)), ["mixed_processes"]);
    // Twice the 10 % that are a change by this policy.
    assert_eq!(codes(&judged(&percent, 100.0)), ["astray_process"]);
    percent[0] = 81.0;
    assert_eq!(judged(&percent, 100.0).verdict, Verdict::Pass);
}
