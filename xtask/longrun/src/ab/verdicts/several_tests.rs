//! What is said where several configurations are compared: confirmation, suite, order.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::ab::testing::{about, duet, duet_of, header, observation, series};
use longrun_measure::paired::SplitMix64;

/// Two configurations: the first slower by `ratio`, the second equal; and observations to confirm.
fn two(ratio: f64, fresh: &[f64], ending: Option<Ending>) -> Verdicts {
    let mut observations = series(0, Phase::Screen, 0, &about(ratio, 0.004, 40));
    observations.extend(series(1, Phase::Screen, 0, &about(1.0, 0.004, 40)));
    observations.extend(series(0, Phase::Confirm, 0, fresh));
    Verdicts::of(&header(&["a", "b"]), &observations, ending)
}

#[test]
fn among_several_a_change_is_confirmed_on_fresh_observations() {
    let asked = two(1.05, &[], None);
    assert_eq!(asked.next(0), Need::Observe(Phase::Confirm));
    assert_eq!(asked.next(1), Need::Decided);
    assert_eq!(asked.configurations[0].word, Word::Inconclusive);

    let confirmed = two(1.05, &about(1.05, 0.004, 8), None);
    assert_eq!(confirmed.configurations[0].word, Word::Regressed);
    assert_eq!(confirmed.next(0), Need::Decided);
    let again = confirmed.configurations[0].confirmation.clone().unwrap();
    assert_eq!(again.agrees, Some(true));

    let refuted = two(1.05, &about(0.95, 0.004, 8), None);
    assert_eq!(refuted.configurations[0].word, Word::Inconclusive);
    assert_eq!(refuted.next(0), Need::Decided);
    let note = &refuted.configurations[0].notes[0];
    assert!(note.starts_with("called regressed (+5"), "{note}");
    assert!(
        note.contains("(-5") && note.ends_with("did not confirm"),
        "{note}"
    );

    let late = two(1.05, &about(1.05, 0.004, 2), Some(Ending::OutOfTime));
    assert_eq!(late.configurations[0].word, Word::Inconclusive);
    assert_eq!(
        late.configurations[0].confirmation.as_ref().unwrap().agrees,
        None
    );
    assert!(late.configurations[0].notes[0].contains("it ended before"));
}

#[test]
fn a_single_configuration_and_exact_rounds_need_no_confirmation() {
    let alone = series(0, Phase::Screen, 0, &about(1.05, 0.004, 8));
    let alone = Verdicts::of(&header(&["a"]), &alone, None);
    assert_eq!(alone.configurations[0].word, Word::Regressed);
    assert!(alone.configurations[0].confirmation.is_none());
    let mut made = header(&["a", "b"]);
    made.options.rounds = Some(5);
    let mut observations = series(0, Phase::Screen, 0, &about(1.05, 0.004, 5));
    observations.extend(series(1, Phase::Screen, 0, &about(1.0, 0.004, 4)));
    let verdicts = Verdicts::of(&made, &observations, None);
    assert_eq!(verdicts.configurations[0].word, Word::Regressed);
    assert_eq!(verdicts.next(0), Need::Decided);
    assert_eq!(verdicts.next(1), Need::Observe(Phase::Screen));
    assert_eq!(
        verdicts.configurations[0].measured.as_ref().unwrap().rounds,
        5
    );
}

#[test]
fn the_suite_is_judged_by_the_mean_of_each_round() {
    let mut observations = series(0, Phase::Screen, 0, &about(1.03, 0.004, 10));
    observations.extend(series(1, Phase::Screen, 0, &about(1.01, 0.003, 10)));
    let suite = Verdicts::of(&header(&["a", "b"]), &observations, None)
        .suite
        .unwrap();
    assert_eq!((suite.word, suite.configurations), (Word::Regressed, 2));
    assert!(!suite.open);
    let estimate = suite.measured.estimate.unwrap();
    assert!((estimate - 0.02).abs() < 0.002, "{estimate}");
}

#[test]
fn a_suite_without_a_verdict_asks_for_more_rounds_of_all() {
    let mut observations = series(0, Phase::Screen, 0, &about(1.0, 0.004, 30));
    observations.extend(series(1, Phase::Screen, 0, &about(1.0, 0.004, 3)));
    let verdicts = Verdicts::of(&header(&["a", "b"]), &observations, None);
    assert_eq!(verdicts.next(0), Need::Decided);
    assert!(verdicts.suite_open());
    assert!(verdicts.in_suite(0));
    let ended = Verdicts::of(&header(&["a", "b"]), &observations, Some(Ending::OutOfTime));
    assert!(!ended.suite_open());
    assert_eq!(ended.suite.unwrap().word, Word::Inconclusive);
}

#[test]
fn what_has_no_time_is_not_in_the_suite() {
    let mut observations = series(0, Phase::Screen, 0, &about(1.0, 0.004, 30));
    observations.push(observation(1, Phase::Screen, 0, duet_of(1.0, 1.0, (3, 3))));
    let verdicts = Verdicts::of(&header(&["a", "b"]), &observations, None);
    let suite = verdicts.suite.clone().unwrap();
    assert_eq!((suite.word, suite.configurations), (Word::Unchanged, 1));
    assert!(!verdicts.suite_open());
}

/// Three configurations with noise of their own.
fn noisy() -> (Header, Vec<Observation>) {
    let mut made = header(&["a", "b", "c"]);
    made.configurations[1].margin = 0.02;
    let mut random = SplitMix64::new(11);
    let mut observations = Vec::new();
    for round in 0..20 {
        for (configuration, centre) in [(0, 1.03), (1, 1.0), (2, 0.98)] {
            // 53 bits are a float exactly.
            let noise = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
            let outcome = duet(centre * (1.0 + 0.02 * noise));
            observations.push(observation(configuration, Phase::Screen, round, outcome));
        }
    }
    (made, observations)
}

fn numbers(verdict: &ConfigurationVerdict) -> (Word, Option<u64>, usize, Vec<String>) {
    let measured = verdict.measured.as_ref();
    let bits = measured
        .and_then(|measured| measured.estimate)
        .map(f64::to_bits);
    let rounds = measured.map_or(0, |measured| measured.rounds);
    (verdict.word, bits, rounds, verdict.notes.clone())
}

#[test]
fn the_order_of_configurations_changes_no_bit() {
    let (made, observations) = noisy();
    let expected = Verdicts::of(&made, &observations, None);
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut other = made.clone();
        other.configurations = order
            .iter()
            .map(|index: &usize| made.configurations[*index].clone())
            .collect();
        let mut moved: Vec<Observation> = observations.clone();
        for one in &mut moved {
            one.configuration = order
                .iter()
                .position(|at| *at == one.configuration)
                .unwrap();
        }
        // In each round they come in the order of the header.
        moved.sort_by_key(|one| (one.round, one.configuration));
        let verdicts = Verdicts::of(&other, &moved, None);
        for (at, index) in order.iter().enumerate() {
            let (now, then) = (
                &verdicts.configurations[at],
                &expected.configurations[*index],
            );
            assert_eq!(numbers(now), numbers(then), "{order:?}");
        }
        assert_eq!(verdicts.suite, expected.suite, "{order:?}");
    }
}

#[test]
fn a_judge_that_sees_one_after_the_other_says_the_same() {
    let (made, observations) = noisy();
    let mut judge = Judge::new(&made);
    for (seen, one) in (1..).zip(&observations) {
        judge.add(one);
        if seen % 7 == 0 || seen == observations.len() {
            let whole = Verdicts::of(&made, &observations[..seen], None);
            assert_eq!(judge.verdicts(0, None), whole);
        }
    }
}

#[test]
fn comparisons_of_a_build_with_itself_are_judged_apart_and_counted() {
    let mut made = header(&["a"]);
    made.options.aa = Some(4);
    let mut observations = Vec::new();
    for (comparison, ratio, spread, count) in [
        (0, 1.0, 0.004, 40),
        (1, 1.05, 0.004, 8),
        (2, 1.0, 0.08, 80),
        (3, 1.0, 0.004, 3),
    ] {
        let mut more = series(0, Phase::Screen, 0, &about(ratio, spread, count));
        for one in &mut more {
            one.comparison = comparison;
        }
        observations.extend(more);
    }
    let open = calibration::calibrations(&made, &observations, None);
    let counts = |one: &calibration::Calibration| {
        (
            one.comparisons,
            one.changed,
            one.unchanged,
            one.inconclusive,
            one.failed,
        )
    };
    assert_eq!(counts(&open[0]), (3, 1, 1, 1, 0), "the last goes on");
    assert!(open[0].spread.unwrap() > 0.0);
    let ended = calibration::calibrations(&made, &observations, Some(Ending::OutOfTime));
    assert_eq!(counts(&ended[0]), (4, 1, 1, 2, 0));
    // By the spread of all and the last look of the plan, wherever each of them ended.
    let last = longrun_measure::paired::Looks::sequential(80, 0.01).last();
    for one in [&open[0], &ended[0]] {
        let sd = one.spread.unwrap().ln_1p();
        let visible = (last.shared * sd / 80.0_f64.sqrt()).exp_m1();
        assert!((one.resolvable.unwrap() - visible).abs() < 1e-12, "{one:?}");
    }
    made.options.aa = None;
    assert!(calibration::calibrations(&made, &observations, None).is_empty());
}
