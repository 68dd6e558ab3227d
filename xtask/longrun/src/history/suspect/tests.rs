//! Tests of the rule, by hand arithmetic and by simulation.
#![allow(clippy::unwrap_used)]

use std::f64::consts::TAU;

use super::*;
use crate::history::testing::{Generator, full_row};

fn timed(median_s: f64, range: f64) -> Timed {
    Timed {
        y: median_s.ln(),
        range: Some(range),
    }
}

/// Rows with these medians and one range.
fn rows(medians: &[f64], range: f64) -> Vec<Timed> {
    medians.iter().map(|median| timed(*median, range)).collect()
}

/// Eight rows about one second that alternate by one percent, and their judgement of another.
fn judged_after_eight(median_s: f64, range: f64) -> Suspicion {
    let medians = [1.0, 1.01, 1.0, 1.01, 1.0, 1.01, 1.0, 1.01];
    Rule::default().judge(&rows(&medians, range), timed(median_s, range))
}

#[test]
fn fewer_than_eight_rows_are_never_a_claim() {
    let rule = Rule::default();
    for count in 0..ROWS_MIN {
        let before = rows(&vec![1.0; count], 0.01);
        let suspicion = rule.judge(&before, timed(100.0, 0.01));
        assert_eq!(suspicion.standing, Standing::TooFewRows);
        assert_eq!((suspicion.rows, suspicion.judged), (count, None));
    }
    let eight = rule.judge(&rows(&[1.0; 8], 0.01), timed(100.0, 0.01));
    assert_eq!(eight.standing, Standing::Suspect, "and never more");
}

#[test]
fn the_noise_is_the_largest_of_three_and_all_are_told() {
    let near = |found: f64, expected: f64| {
        assert!(
            (found - expected).abs() < 1e-9,
            "{found} and not {expected}"
        );
    };
    let by = judged_after_eight(1.05, 0.001).judged.unwrap();
    let percent = 1.01_f64.ln();
    near(by.floor_within.unwrap(), 0.001 / 1.693 * 0.67);
    near(by.floor_between, percent / 0.6745 / 2.0_f64.sqrt());
    // Half of the rows are on each side of the median, half a percent away.
    near(by.scatter, 1.4826 * 1.129 * percent / 2.0);
    near(by.noise, by.floor_between);
    near(by.step, 1.05 / (percent / 2.0).exp());
    let unit = by.noise * (1.0 + 1.57 / 8.0_f64).sqrt();
    near(by.z, by.step.ln() / unit);
    near(by.smallest_step, (by.threshold * unit).exp() - 1.0);
    assert!((by.threshold - 4.28405513446073).abs() < 1e-6);
    let wide = judged_after_eight(1.05, 0.2).judged.unwrap();
    near(wide.noise, wide.floor_within.unwrap());
}

#[test]
fn a_step_is_suspect_from_the_smallest_that_is_told() {
    let by = judged_after_eight(1.0, 0.001).judged.unwrap();
    let centre = 1.01_f64.sqrt();
    for (factor, expected) in [(0.99, Standing::WithinNoise), (1.01, Standing::Suspect)] {
        for step in [1.0 + by.smallest_step, 1.0 / (1.0 + by.smallest_step)] {
            let median_s = centre * (step.ln() * factor).exp();
            let found = judged_after_eight(median_s, 0.001).standing;
            assert_eq!(found, expected, "{step} {factor}");
        }
    }
}

#[test]
fn a_step_of_two_percent_or_less_is_nothing_however_quiet_the_machine_is() {
    let quiet = rows(&[1.0, 1.0001, 1.0, 1.0001, 1.0, 1.0001, 1.0, 1.0001], 1e-4);
    for (median_s, expected) in [
        (1.0195, Standing::WithinNoise),
        (0.9807, Standing::WithinNoise),
        (1.022, Standing::Suspect),
        (0.978, Standing::Suspect),
    ] {
        let found = Rule::default().judge(&quiet, timed(median_s, 1e-4));
        assert_eq!(found.standing, expected, "{median_s}");
        assert!(found.judged.unwrap().smallest_step >= STEP_MIN);
    }
}

#[test]
fn without_any_noise_nothing_is_claimed() {
    let before = rows(&[1.0; 12], 0.0);
    let found = Rule::default().judge(&before, timed(2.0, 0.0));
    assert_eq!(found.standing, Standing::UnknownNoise);
    assert_eq!(found.judged, None);
}

#[test]
fn three_rows_on_one_side_of_eight_are_confirmed_and_two_are_not() {
    let rule = Rule::default();
    let old = [1.0, 1.01, 0.99, 1.0, 1.02, 0.98, 1.0, 1.01];
    for (new, expected) in [
        (&[1.2][..], Standing::Suspect),
        (&[1.2, 1.2], Standing::Suspect),
        (&[1.2, 1.2, 1.2], Standing::Confirmed),
        (&[0.8, 0.8, 0.8], Standing::Confirmed),
        // On both sides, one of them within, and one before the other eight are there.
        (&[1.2, 0.8, 1.2], Standing::Suspect),
        (&[1.0, 1.2, 1.2], Standing::Suspect),
    ] {
        let all = rows(&[&old, new].concat(), 0.02);
        let (last, before) = all.split_last().unwrap();
        assert_eq!(rule.judge(before, *last).standing, expected, "{new:?}");
    }
    let seven = rows(&[&old[1..], &[1.2, 1.2, 1.2]].concat(), 0.02);
    let (last, before) = seven.split_last().unwrap();
    assert_ne!(rule.judge(before, *last).standing, Standing::Confirmed);
}

#[test]
fn three_rows_beyond_by_less_than_two_percent_confirm_nothing() {
    let old = [1.0, 1.001, 0.999, 1.0, 1.001, 0.999, 1.0, 1.001];
    let all = rows(&[&old[..], &[1.01, 1.01, 1.01]].concat(), 0.001);
    let (last, before) = all.split_last().unwrap();
    let found = Rule::default().judge(before, *last);
    assert_eq!(found.standing, Standing::WithinNoise);
}

#[test]
fn a_row_says_its_range_with_three_to_nine_repeats_and_not_with_many_samples() {
    let mut row = full_row("run", "a", 1.0);
    (row.min_s, row.max_s) = (Some(0.9), Some(1.1));
    let range = (1.1_f64 / 0.9).ln();
    for (repeats, expected) in [
        (Some(3), Some(range)),
        (Some(9), Some(range)),
        (Some(2), None),
        (Some(10), None),
        (Some(1000), None),
        (None, None),
    ] {
        row.repeats = repeats;
        let found = Timed::of(&row).unwrap().range;
        match (found, expected) {
            (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-12),
            (found, expected) => assert_eq!(found, expected),
        }
    }
    (row.repeats, row.min_s) = (Some(3), Some(0.0));
    assert_eq!(Timed::of(&row).unwrap().range, None);
    row.median_s = 0.0;
    assert_eq!(Timed::of(&row), None);
}

/// A standard normal number (Box and Muller).
fn normal(generator: &mut Generator) -> f64 {
    let mut uniform = || {
        let bits = u32::try_from(generator.next() >> 32).unwrap();
        (f64::from(bits) + 0.5) / f64::from(u32::MAX)
    };
    let radius = (-2.0 * uniform().ln()).sqrt();
    radius * (TAU * uniform()).cos()
}

/// A machine: noise within runs and between them, as fractions.
#[derive(Clone, Copy)]
struct Machine {
    within: f64,
    between: f64,
}

/// The shared virtual machine and the quiet host of the study behind the rule.
const SHARED: Machine = Machine {
    within: 0.03,
    between: 0.05,
};
const QUIET: Machine = Machine {
    within: 0.01,
    between: 0.005,
};

impl Machine {
    /// A row of three repeats of code that takes `step` more than one second.
    fn row(self, step: f64, generator: &mut Generator) -> Timed {
        let run = self.between * normal(generator);
        let mut repeats = [0.0; 3].map(|_| run + self.within * normal(generator));
        repeats.sort_by(f64::total_cmp);
        Timed {
            y: repeats[1] + step.ln_1p(),
            range: Some(repeats[2] - repeats[0]),
        }
    }

    /// Percentage of histories of `rows` rows whose last `new` rows, slower by `step`, end with a
    /// row that is judged so.
    fn share(self, rows: usize, new: usize, step: f64, wanted: &[Standing]) -> f64 {
        const TRIALS: u32 = 2000;
        let rule = Rule::default();
        let mut generator = Generator(20_261_130);
        let mut found = 0;
        for _ in 0..TRIALS {
            let mut all: Vec<Timed> = (0..rows).map(|_| self.row(0.0, &mut generator)).collect();
            all.extend((0..new).map(|_| self.row(step, &mut generator)));
            let (last, before) = all.split_last().unwrap();
            found += u32::from(wanted.contains(&rule.judge(before, *last).standing));
        }
        100.0 * f64::from(found) / f64::from(TRIALS)
    }
}

const OUT: [Standing; 2] = [Standing::Suspect, Standing::Confirmed];

#[test]
fn equal_code_is_called_suspect_in_at_most_two_percent_of_rows() {
    for (machine, rows) in [
        (SHARED, 8),
        (SHARED, 12),
        (SHARED, 30),
        (QUIET, 8),
        (QUIET, 30),
    ] {
        let alarms = machine.share(rows, 1, 0.0, &OUT);
        assert!(alarms <= 2.0, "{alarms} % after {rows} rows");
    }
}

#[test]
fn equal_code_is_called_confirmed_in_at_most_two_percent_of_rows() {
    for (machine, rows) in [(SHARED, 8), (SHARED, 16), (QUIET, 8)] {
        let alarms = machine.share(rows, 3, 0.0, &[Standing::Confirmed]);
        assert!(alarms <= 2.0, "{alarms} % after {rows} rows");
    }
}

#[test]
fn a_step_that_the_machine_can_show_is_found() {
    for (machine, rows, new, step, expected) in [
        (QUIET, 8, 1, 0.05, 50.0),
        (QUIET, 8, 1, 0.10, 95.0),
        (QUIET, 16, 1, 0.05, 88.0),
        (QUIET, 8, 3, 0.05, 99.0),
        (SHARED, 16, 1, 0.20, 35.0),
        (SHARED, 8, 3, 0.20, 80.0),
    ] {
        let found = machine.share(rows, new, step, &OUT);
        assert!(found >= expected, "{found} % of +{step} after {rows} rows");
    }
}
