//! Every decision of the rule, case by case.
#![allow(clippy::unwrap_used, clippy::float_cmp)]
use super::super::SplitMix64;
use super::*;

fn rule() -> Rule {
    Rule {
        looks: Looks::sequential(80, 0.01),
        margin: 0.01,
    }
}

/// `n` values around `mean`.
fn around(mean: f64, spread: f64, n: usize) -> Vec<f64> {
    const PATTERN: [f64; 6] = [-1.0, 0.4, 1.0, -0.4, 0.7, -0.7];
    (0..n)
        .map(|index| mean + spread * PATTERN[index % 6])
        .collect()
}

/// Half of the interval of change.
fn half(judged: &Judged) -> f64 {
    0.5 * (judged.change.high - judged.change.low)
}

/// Verdict and observations of the look that reached it.
fn verdict(observations: &[f64]) -> (Option<Verdict>, usize) {
    let judged = judge(&rule(), observations).unwrap();
    (judged.verdict, judged.n)
}

#[test]
fn a_large_change_is_called_at_the_first_look_in_its_direction() {
    assert_eq!(
        verdict(&around(0.05, 0.001, 6)),
        (Some(Verdict::Regressed), 6)
    );
    assert_eq!(
        verdict(&around(-0.05, 0.001, 6)),
        (Some(Verdict::Improved), 6)
    );
}

#[test]
fn equality_within_the_margin_is_called_unchanged_at_the_first_look() {
    assert_eq!(
        verdict(&around(0.0001, 0.0005, 6)),
        (Some(Verdict::Unchanged), 6)
    );
}

#[test]
fn a_change_inside_the_margin_that_is_significant_is_a_change() {
    let judged = judge(&rule(), &around(0.003, 0.0001, 6)).unwrap();
    assert_eq!(judged.verdict, Some(Verdict::Regressed));
    assert!(judged.equivalence.high < rule().delta());
}

#[test]
fn a_suspicious_estimate_inside_the_margin_goes_on_and_is_unchanged_at_the_end() {
    // Between two and three standard errors from none: within the margin, and no change yet.
    let suspicious = around(0.001_1, 0.001, 6);
    let judged = judge(&rule(), &suspicious).unwrap();
    assert!(judged.equivalence.within(rule().delta()));
    assert!(judged.estimate > 2.0 * judged.standard_error && judged.change.low < 0.0);
    assert_eq!(judged.verdict, None);
    let last = Rule {
        looks: Looks::fixed(6, 0.01),
        ..rule()
    };
    let judged = judge(&last, &around(0.001, 0.001, 6)).unwrap();
    assert!(judged.estimate > 2.0 * judged.standard_error && judged.change.low < 0.0);
    assert_eq!(judged.verdict, Some(Verdict::Unchanged));
}

#[test]
fn wide_values_go_on_and_are_inconclusive_after_the_last_look() {
    let wide = around(0.004, 0.04, 80);
    assert_eq!(verdict(&wide[..15]), (None, 15));
    assert_eq!(verdict(&wide[..20]), (None, 15));
    let last = Rule {
        looks: Looks::fixed(15, 0.01),
        ..rule()
    };
    assert_eq!(
        judge(&last, &wide).unwrap().verdict,
        Some(Verdict::Inconclusive)
    );
}

#[test]
fn what_is_out_of_reach_is_given_up_from_the_twenty_first_observation_on() {
    let hopeless = around(0.0, 0.5, 80);
    let judged = judge(&rule(), &hopeless).unwrap();
    assert_eq!(judged.verdict, Some(Verdict::Inconclusive));
    assert!(
        judged.futile && judged.n > 21 && judged.n < 80,
        "{judged:?}"
    );
    // What could be called is that of the look that gave up, and not of one that never came.
    assert_eq!(judged.resolvable(), half(&judged));
    let last = rule().looks.last();
    let error_at_last = judged.standard_error * (judged.n as f64 / 80.0).sqrt();
    assert_eq!(judged.projected, last.change * error_at_last);
    assert!(judged.projected < judged.resolvable());
    // Where a change may still be called, it goes on.
    let promising = around(0.2, 0.5, 40);
    assert!(!judge(&rule(), &promising).unwrap().futile);
}

#[test]
fn values_that_do_not_vary_are_inconclusive_whatever_they_are() {
    for value in [0.0, 0.5, -0.5] {
        let judged = judge(&rule(), &[value; 6]).unwrap();
        assert_eq!(judged.verdict, Some(Verdict::Inconclusive));
        assert_eq!((judged.standard_error, judged.estimate), (0.0, value));
    }
}

#[test]
fn fewer_than_six_are_not_judged_and_conclude_without_numbers() {
    let five = around(0.05, 0.001, 5);
    assert_eq!(judge(&rule(), &five), None);
    let concluded = conclude(&rule(), &five);
    assert_eq!(concluded.verdict, Verdict::Inconclusive);
    assert_eq!((concluded.total, concluded.judged), (5, None));
}

#[test]
fn what_is_no_number_gives_no_numbers_and_never_a_verdict() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut values = around(0.05, 0.001, 8);
        values[2] = bad;
        assert_eq!(judge(&rule(), &values), None);
        assert_eq!(conclude(&rule(), &values).verdict, Verdict::Inconclusive);
        // A decision that stood before it still stands.
        let mut later = around(0.05, 0.001, 8);
        later[7] = bad;
        assert_eq!(verdict(&later), (Some(Verdict::Regressed), 6));
    }
}

#[test]
fn when_the_time_is_up_the_last_look_tells_what_could_be_seen() {
    let values = around(0.004, 0.04, 13);
    let concluded = conclude(&rule(), &values);
    assert_eq!(concluded.verdict, Verdict::Inconclusive);
    let judged = concluded.judged.unwrap();
    assert_eq!((judged.n, judged.total), (11, 13));
    assert_eq!(judged.resolvable(), half(&judged));
    let going_on = judge(&rule(), &values).unwrap();
    assert_eq!(going_on.resolvable(), going_on.projected);
    assert!(going_on.projected < half(&judged));
    let decided = around(0.05, 0.001, 7);
    let concluded = conclude(&rule(), &decided);
    assert_eq!(concluded.verdict, Verdict::Regressed);
    assert_eq!(concluded.judged, judge(&rule(), &decided));
}

#[test]
fn the_first_decision_stands_whatever_follows() {
    let rule = rule();
    let mut coin = SplitMix64::new(11);
    for _ in 0..200 {
        let mut uniform = || (coin.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
        let centre = 0.02 * uniform();
        let values: Vec<f64> = (0..80).map(|_| centre + 0.04 * uniform()).collect();
        let whole = judge(&rule, &values).unwrap();
        let step_by_step = (0..=80)
            .filter_map(|n| judge(&rule, &values[..n]))
            .find(|judged| judged.verdict.is_some())
            .unwrap();
        // Bit for bit, but for how many there are by now.
        assert_eq!(
            Judged {
                total: 80,
                ..step_by_step
            },
            whole
        );
        assert_eq!(step_by_step.total, step_by_step.n);
    }
}

#[test]
fn sides_that_change_places_change_the_direction_only() {
    let rule = rule();
    for (mean, spread) in [(0.05, 0.001), (0.004, 0.03), (0.002, 0.001)] {
        let values = around(mean, spread, 80);
        let turned: Vec<f64> = values.iter().map(|value| -value).collect();
        let (one, other) = (
            judge(&rule, &values).unwrap(),
            judge(&rule, &turned).unwrap(),
        );
        let opposite = match one.verdict.unwrap() {
            Verdict::Regressed => Verdict::Improved,
            Verdict::Improved => Verdict::Regressed,
            same => same,
        };
        assert_eq!((other.verdict, other.n), (Some(opposite), one.n));
        assert!((one.estimate + other.estimate).abs() < 1e-15);
    }
}

#[test]
fn what_a_spread_lets_one_see_is_what_a_comparison_with_that_spread_projects() {
    let rule = rule();
    // Values of a robust spread of 0.02, more than half of them within one deviation.
    let mut coin = SplitMix64::new(5);
    let mut normal = || {
        let uniform = |coin: &mut SplitMix64| (coin.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        (0..12).map(|_| uniform(&mut coin)).sum::<f64>() - 6.0
    };
    let values: Vec<f64> = (0..79).map(|_| 0.02 * normal()).collect();
    let judged = look_at(&rule, Level::Shared, &rule.looks.all()[7], &values).unwrap();
    let visible = rule.visible(Level::Shared, judged.sd);
    assert!(
        (visible / judged.projected - 1.0).abs() < 0.25,
        "{visible} {judged:?}"
    );
    assert!(visible > rule.visible(Level::Whole, judged.sd));
    assert_eq!(
        rule.visible(Level::Whole, 0.02),
        rule.looks.last().change * 0.02 / 80.0_f64.sqrt()
    );
}
