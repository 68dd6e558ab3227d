//! What two clocks say together, case by case.
#![allow(clippy::unwrap_used)]
use super::super::Looks;
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

fn equal(n: usize) -> Vec<f64> {
    around(0.000_1, 0.000_5, n)
}

#[test]
fn equal_on_both_clocks_is_unchanged() {
    let both = guarded(&rule(), &equal(6), &around(0.0, 0.03, 6)).unwrap();
    assert_eq!(both.verdict, Some(Verdict::Unchanged));
    assert_eq!((both.decider, both.deciding().n), (Decider::Primary, 6));
}

#[test]
fn a_change_of_the_primary_clock_is_named_for_it() {
    let slower = around(0.05, 0.001, 6);
    let both = guarded(&rule(), &slower, &slower).unwrap();
    assert_eq!(
        (both.verdict, both.decider),
        (Some(Verdict::Regressed), Decider::Primary)
    );
    let faster = around(-0.05, 0.001, 6);
    let both = guarded(&rule(), &faster, &faster).unwrap();
    assert_eq!(
        (both.verdict, both.decider),
        (Some(Verdict::Improved), Decider::Primary)
    );
}

#[test]
fn equal_cpu_time_and_slower_wall_time_is_regressed_on_the_wall() {
    let both = guarded(&rule(), &equal(6), &around(0.05, 0.001, 6)).unwrap();
    assert_eq!(
        (both.verdict, both.decider),
        (Some(Verdict::Regressed), Decider::Guard)
    );
    assert!((both.deciding().estimate - 0.05).abs() < 1e-3);
    assert_eq!(both.primary.verdict, Some(Verdict::Unchanged));
}

#[test]
fn less_cpu_time_does_not_excuse_a_slower_wall() {
    let both = guarded(&rule(), &around(-0.05, 0.001, 6), &around(0.05, 0.001, 6)).unwrap();
    assert_eq!(
        (both.verdict, both.decider),
        (Some(Verdict::Regressed), Decider::Guard)
    );
}

#[test]
fn a_faster_wall_alone_changes_nothing() {
    let both = guarded(&rule(), &equal(6), &around(-0.05, 0.001, 6)).unwrap();
    assert_eq!(
        (both.verdict, both.decider),
        (Some(Verdict::Unchanged), Decider::Primary)
    );
}

#[test]
fn a_suspiciously_slow_wall_is_watched_until_it_is_slower() {
    // Three standard errors from none: not yet called slower at six observations.
    let wall = around(0.02, 0.018, 80);
    let both = guarded(&rule(), &equal(6), &wall[..6]).unwrap();
    assert_eq!((both.verdict, both.primary.verdict), (None, None));
    let both = guarded(&rule(), &equal(80), &wall).unwrap();
    assert_eq!(
        (both.verdict, both.decider),
        (Some(Verdict::Regressed), Decider::Guard)
    );
    assert!(both.guard.n > 6 && both.guard.n < 80, "{}", both.guard.n);
}

#[test]
fn each_clock_is_judged_at_half_of_the_level() {
    let look = rule().looks.all()[0];
    let both = guarded(&rule(), &equal(6), &equal(6)).unwrap();
    let half = 0.5 * (both.primary.change.high - both.primary.change.low);
    assert!((half / both.primary.standard_error / look.shared - 1.0).abs() < 1e-12);
    assert!(look.shared > look.change);
}

#[test]
fn the_shorter_sequence_counts() {
    assert_eq!(guarded(&rule(), &equal(9), &equal(5)), None);
    let concluded = conclude(&rule(), &equal(9), &equal(5));
    assert_eq!(
        (concluded.verdict, concluded.total),
        (Verdict::Inconclusive, 5)
    );
    assert_eq!(concluded.guarded, None);
}

#[test]
fn when_the_time_is_up_a_wall_that_was_called_slower_decides() {
    let undecided = around(0.004, 0.04, 8);
    let concluded = conclude(&rule(), &undecided, &around(0.3, 0.01, 8));
    assert_eq!(concluded.verdict, Verdict::Regressed);
    assert_eq!(concluded.guarded.unwrap().decider, Decider::Guard);
    let concluded = conclude(&rule(), &undecided, &undecided);
    assert_eq!(concluded.verdict, Verdict::Inconclusive);
    let both = concluded.guarded.unwrap();
    assert_eq!(both.verdict, Some(Verdict::Inconclusive));
    assert_eq!(both.primary.verdict, Some(Verdict::Inconclusive));
}

#[test]
fn what_is_no_number_on_either_clock_gives_no_numbers() {
    let mut bad = equal(6);
    bad[3] = f64::NAN;
    assert_eq!(guarded(&rule(), &bad, &equal(6)), None);
    assert_eq!(guarded(&rule(), &equal(6), &bad), None);
}
