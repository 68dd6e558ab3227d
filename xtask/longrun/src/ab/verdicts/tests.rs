//! The words of single configurations.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::ab::kept::record::{BuildDifference, Outcome, Standing};
use crate::ab::testing::{
    about, duet, duet_of, header, observation, pair, pair_side, resolved, series,
};
use crate::cli::ab::Opinion;
use longrun_protocol::registry::Metric;

/// The verdict of the only configuration by these observations.
fn of_one(observations: &[Observation], ending: Option<Ending>) -> ConfigurationVerdict {
    let verdicts = Verdicts::of(&header(&["a"]), observations, ending);
    verdicts.configurations.into_iter().next().unwrap()
}

/// Whether no verdict needs another observation.
fn decided(verdicts: &Verdicts) -> bool {
    let mut needs = verdicts.configurations.iter().map(|verdict| verdict.need);
    needs.all(|need| need == Need::Decided) && !verdicts.suite_open()
}

fn screened(ratio: f64, spread: f64, count: u32) -> ConfigurationVerdict {
    of_one(
        &series(0, Phase::Screen, 0, &about(ratio, spread, count)),
        None,
    )
}

#[test]
fn every_word_of_time_follows_from_the_log_ratios() {
    for (ratio, spread, count, word) in [
        (1.05, 0.004, 8, Word::Regressed),
        (1.005, 0.001, 15, Word::Regressed),
        (0.95, 0.004, 8, Word::Improved),
        (1.0, 0.004, 40, Word::Unchanged),
        (1.0, 0.08, 80, Word::Inconclusive),
    ] {
        let verdict = screened(ratio, spread, count);
        assert_eq!(verdict.word, word, "{ratio} {spread}: {:?}", verdict.notes);
        assert_eq!(verdict.need, Need::Decided, "{ratio} {spread}");
        let measured = verdict.measured.unwrap();
        assert_eq!(measured.metric, Metric::Cpu);
        let estimate = measured.estimate.unwrap();
        assert!((estimate - (ratio - 1.0)).abs() < spread, "{estimate}");
        let [low, high] = measured.change_interval.unwrap();
        assert!(low <= estimate && estimate <= high);
        assert!(measured.resolvable.unwrap() > 0.0);
    }
}

#[test]
fn a_change_inside_the_margin_is_called_and_said_to_be_small() {
    let small = screened(1.005, 0.001, 15);
    assert_eq!(small.notes, ["a change inside the margin of 1.00 %"]);
    assert_eq!(screened(1.05, 0.004, 8).notes, [""; 0]);
}

#[test]
fn what_is_not_decided_needs_more_and_is_inconclusive_so_far() {
    let early = screened(1.0, 0.02, 3);
    assert_eq!(early.word, Word::Inconclusive);
    assert_eq!(early.need, Need::Observe(Phase::Screen));
    assert_eq!(early.measured.as_ref().unwrap().estimate, None);
    assert_eq!(
        early.notes,
        ["3 observations so far: the first look is at 6"]
    );
    let later = screened(1.0, 0.02, 8);
    assert_eq!(later.need, Need::Observe(Phase::Screen));
    assert!(
        later.notes[0].starts_with("8 observations so far"),
        "{:?}",
        later.notes
    );
    let nothing = of_one(&[], None);
    assert_eq!(nothing.need, Need::Observe(Phase::Screen));
}

#[test]
fn when_the_time_is_up_there_is_a_verdict() {
    for count in [0, 1, 5, 6, 10] {
        let observations = series(0, Phase::Screen, 0, &about(1.0, 0.02, count));
        let verdict = of_one(&observations, Some(Ending::OutOfTime));
        assert_eq!(verdict.word, Word::Inconclusive);
        assert_eq!(verdict.need, Need::Decided);
        assert!(
            verdict.notes[0].starts_with("ended after"),
            "{:?}",
            verdict.notes
        );
        let looked = count >= 6;
        assert_eq!(verdict.measured.unwrap().resolvable.is_some(), looked);
    }
}

#[test]
fn giving_up_names_what_was_out_of_reach_and_sees_what_was_observed() {
    let verdict = screened(1.0, 0.4, 80);
    assert_eq!(verdict.word, Word::Inconclusive);
    let measured = verdict.measured.unwrap();
    assert!((21..80).contains(&measured.rounds), "{measured:?}");
    let [low, high] = measured.change_interval.unwrap().map(f64::ln_1p);
    let half = 0.5 * (high - low);
    let resolvable = measured.resolvable.unwrap();
    assert!(
        (resolvable.ln_1p() - half).abs() < 1e-12,
        "{resolvable} {half}"
    );
    // The last look would have another critical value, and errors smaller by the root of 80 / n.
    let looks = longrun_measure::paired::Looks::sequential(80, 0.01);
    let now = looks.all().iter().find(|look| look.n == measured.rounds);
    let critical = looks.last().shared / now.unwrap().shared;
    let by_last = half * critical * (measured.rounds as f64 / 80.0).sqrt();
    let expected = format!(
        "given up after {} observations: neither a change below {} nor equality within 1.00 % was \
         in reach by 80 observations",
        measured.rounds,
        crate::ab::report::figures::size(by_last.exp_m1())
    );
    assert_eq!(verdict.notes, [expected]);
}

#[test]
fn the_first_decision_stands_whatever_follows() {
    let mut ratios = about(1.05, 0.004, 8);
    let decided = of_one(&series(0, Phase::Screen, 0, &ratios), None);
    ratios.extend(about(0.9, 0.004, 60));
    let later = of_one(&series(0, Phase::Screen, 0, &ratios), None);
    assert_eq!(later.word, Word::Regressed);
    let numbers = |verdict: &ConfigurationVerdict| {
        let measured = verdict.measured.clone().unwrap();
        (measured.estimate, measured.change_interval, measured.rounds)
    };
    assert_eq!(numbers(&later), numbers(&decided));
    assert_eq!(later.measured.unwrap().observations, 68);
}

#[test]
fn warm_ups_are_not_judged_but_their_results_are_compared() {
    let mut observations = series(0, Phase::WarmUp, 0, &[3.0, 3.0]);
    observations.extend(series(0, Phase::Screen, 0, &about(1.05, 0.004, 8)));
    let with = of_one(&observations, None);
    assert_eq!(with.measured, screened(1.05, 0.004, 8).measured);
    let spoilt = observation(0, Phase::WarmUp, 2, duet_of(1.0, 1e-3, (3, 3)));
    observations.insert(0, spoilt);
    assert_eq!(of_one(&observations, None).word, Word::ResultsDiffer);
}

#[test]
fn numbers_come_before_speed() {
    let mut observations = series(0, Phase::Screen, 0, &about(0.5, 0.004, 8));
    let spoilt = observation(0, Phase::Screen, 8, duet_of(0.5, 1e-3, (3, 3)));
    observations.push(spoilt);
    let verdict = of_one(&observations, None);
    assert_eq!(verdict.word, Word::ResultsDiffer);
    assert!(
        verdict.measured.is_none(),
        "no time is printed beside wrong numbers"
    );
    assert!(verdict.notes[0].contains("1.0e-3"), "{:?}", verdict.notes);
    assert_eq!(verdict.difference.relative_l2, Some(1e-3));
    assert_eq!(verdict.need, Need::Decided);
}

#[test]
fn a_difference_within_the_bound_is_printed_beside_the_verdict() {
    let outcomes = about(1.05, 0.004, 8);
    let observations: Vec<Observation> = (0..)
        .zip(outcomes)
        .map(|(round, ratio)| {
            let outcome = duet_of(ratio, 3e-12 * f64::from(round), (3, 3));
            observation(0, Phase::Screen, round, outcome)
        })
        .collect();
    let verdict = of_one(&observations, None);
    assert_eq!(verdict.word, Word::Regressed);
    assert!((verdict.difference.relative_l2.unwrap() - 2.1e-11).abs() < 1e-20);
}

#[test]
fn one_failed_observation_is_the_verdict() {
    let mut observations = series(0, Phase::Screen, 0, &about(1.05, 0.004, 8));
    observations.push(observation(
        0,
        Phase::Screen,
        8,
        Outcome::Failed {
            side: Some(longrun_protocol::duet::Side::Candidate),
            reason: "it was killed by signal 11".to_owned(),
        },
    ));
    let verdict = of_one(&observations, None);
    assert_eq!(verdict.word, Word::Failed);
    assert_eq!(verdict.notes, ["candidate: it was killed by signal 11"]);
    assert_eq!(verdict.need, Need::Decided);
}

#[test]
fn a_time_of_zero_is_a_failure_and_no_ratio() {
    let mut outcome = duet(1.0);
    if let Outcome::Duet { stretches, .. } = &mut outcome {
        stretches[0].segments[3].candidate.sample.interval_ns = 0;
    }
    let verdict = of_one(&[observation(0, Phase::Screen, 0, outcome)], None);
    assert_eq!(verdict.word, Word::Failed);
    assert_eq!(verdict.notes, ["round 0 cannot be judged: a time is zero"]);
}

/// A duet whose CPU time is unknown, or slower by wall time only.
fn by_clock(ratio: f64, wall: f64, cpu_known: bool) -> Outcome {
    let mut outcome = duet(ratio);
    if let Outcome::Duet { stretches, .. } = &mut outcome {
        let segments = stretches
            .iter_mut()
            .flat_map(|stretch| &mut stretch.segments);
        for segment in segments {
            let sample = &mut segment.candidate.sample;
            sample.interval_ns = (sample.interval_ns as f64 * wall) as u64;
            if !cpu_known {
                sample.cpu_ns = None;
            }
        }
    }
    outcome
}

fn by_clocks(wall: f64, cpu_known: bool) -> ConfigurationVerdict {
    let ratios = about(1.0, 0.004, 40);
    let observations: Vec<Observation> = (0..)
        .zip(ratios)
        .map(|(round, ratio)| {
            observation(0, Phase::Screen, round, by_clock(ratio, wall, cpu_known))
        })
        .collect();
    of_one(&observations, None)
}

#[test]
fn what_is_slower_by_wall_time_alone_is_regressed_by_wall_time() {
    let verdict = by_clocks(1.05, true);
    assert_eq!(verdict.word, Word::Regressed);
    assert_eq!(verdict.measured.as_ref().unwrap().metric, Metric::Wall);
    assert!(
        verdict.notes[0].contains("slower by wall time"),
        "{:?}",
        verdict.notes
    );
    assert_eq!(by_clocks(1.0, true).word, Word::Unchanged);
    assert_eq!(
        by_clocks(1.0, true).measured.as_ref().unwrap().metric,
        Metric::Cpu
    );
}

#[test]
fn where_cpu_time_is_unknown_wall_time_decides_and_is_named() {
    let verdict = by_clocks(1.05, false);
    assert_eq!(verdict.word, Word::Regressed);
    assert_eq!(verdict.measured.as_ref().unwrap().metric, Metric::Wall);
    let note = "the system does not tell CPU time: wall time decides";
    assert!(
        verdict.notes.iter().any(|known| known == note),
        "{:?}",
        verdict.notes
    );
}

#[test]
fn observations_without_any_spread_show_nothing() {
    let verdict = of_one(&series(0, Phase::Screen, 0, &[1.05; 8]), None);
    assert_eq!(verdict.word, Word::Inconclusive);
    assert!(
        verdict.notes[0].contains("too coarse"),
        "{:?}",
        verdict.notes
    );
}

#[test]
fn a_pair_is_judged_by_its_two_processes() {
    let mut made = header(&["a"]);
    made.configurations[0].margin = 0.02;
    let observations: Vec<Observation> = (0..)
        .zip(about(1.10, 0.01, 12))
        .map(|(round, ratio)| observation(0, Phase::Screen, round, pair(ratio)))
        .collect();
    let verdicts = Verdicts::of(&made, &observations, None);
    assert_eq!(verdicts.configurations[0].word, Word::Regressed);
    let mut outcome = pair(1.0);
    if let Outcome::Pair { candidate, .. } = &mut outcome {
        let mut side = pair_side(1e9);
        side.resolved = Some(resolved("rk4ip steps=400"));
        **candidate = side;
    }
    let changed = [observation(0, Phase::Screen, 0, outcome)];
    let verdicts = Verdicts::of(&made, &changed, None);
    assert_eq!(verdicts.configurations[0].word, Word::ChangedConfiguration);
    assert!(verdicts.configurations[0].notes[0].starts_with("integrator"));
}

#[test]
fn what_cannot_be_compared_has_its_word_and_no_time() {
    let changed = Standing::Changed {
        reasons: vec!["`rtol` was 1e-6".to_owned()],
    };
    for (standing, word) in [
        (Standing::New, Word::New),
        (Standing::Missing, Word::Missing),
        (changed, Word::ChangedConfiguration),
    ] {
        let mut made = header(&["a", "b"]);
        made.configurations[1].standing = standing;
        let observations = series(0, Phase::Screen, 0, &about(1.05, 0.004, 8));
        let verdicts = Verdicts::of(&made, &observations, None);
        assert_eq!(verdicts.configurations[1].word, word);
        assert_eq!(verdicts.next(1), Need::Decided);
        assert!(!verdicts.in_suite(1));
        assert!(!verdicts.configurations[1].notes.is_empty());
        // The other one is alone: there is nothing to confirm.
        assert_eq!(verdicts.configurations[0].word, Word::Regressed);
        assert_eq!(verdicts.next(0), Need::Decided);
        assert!(decided(&verdicts));
        assert_eq!(verdicts.suite.unwrap().word, Word::Regressed);
    }
}

#[test]
fn the_same_build_is_not_timed_unless_it_is_compared_with_itself() {
    let mut made = header(&["a", "b"]);
    made.build_difference = BuildDifference {
        same: true,
        reasons: vec!["only comments changed".to_owned()],
    };
    let verdicts = Verdicts::of(&made, &[], Some(Ending::NothingToTime));
    let words: Vec<Word> = verdicts.words().collect();
    assert_eq!(words, [Word::SameBuild, Word::SameBuild]);
    assert!(decided(&verdicts) && verdicts.suite.is_none());
    made.options.aa = Some(1);
    let verdicts = Verdicts::of(&made, &[], None);
    assert_eq!(verdicts.next(0), Need::Observe(Phase::Screen));
}

#[test]
fn the_gate_has_its_nine_pairs_whatever_the_rounds_are() {
    for (rounds, count, need) in [
        (None, 8, Need::Observe(Phase::Screen)),
        (None, 9, Need::Decided),
        (Some(3), 8, Need::Observe(Phase::Screen)),
        (Some(3), 9, Need::Decided),
        (Some(12), 9, Need::Observe(Phase::Screen)),
        (Some(12), 12, Need::Decided),
    ] {
        let mut made = header(&["a"]);
        made.options.gate = true;
        made.options.rounds = rounds;
        let observations = series(0, Phase::Screen, 0, &about(1.05, 0.004, count));
        let verdicts = Verdicts::of(&made, &observations, None);
        assert_eq!(verdicts.next(0), need, "{rounds:?} {count}");
    }
}

fn second_opinion(pairs: &[f64], ending: Option<Ending>) -> ConfigurationVerdict {
    let mut made = header(&["a"]);
    made.options.confirm = Some(Opinion::Pairs);
    let mut observations = series(0, Phase::Screen, 0, &about(1.05, 0.004, 8));
    let numbered = (0..).zip(pairs);
    observations.extend(
        numbered.map(|(round, ratio)| observation(0, Phase::SecondOpinion, round, pair(*ratio))),
    );
    let verdicts = Verdicts::of(&made, &observations, ending);
    verdicts.configurations.into_iter().next().unwrap()
}

#[test]
fn a_second_opinion_must_have_the_same_sign() {
    let asked = second_opinion(&[], None);
    assert_eq!(asked.need, Need::Observe(Phase::SecondOpinion));
    let agrees = second_opinion(&about(1.04, 0.01, 15), None);
    assert_eq!((agrees.word, agrees.need), (Word::Regressed, Need::Decided));
    let other = second_opinion(&about(0.96, 0.01, 15), None);
    assert_eq!(
        (other.word, other.need),
        (Word::Inconclusive, Need::Decided)
    );
    let note = &other.notes[0];
    assert!(note.contains("pairs of processes"), "{note}");
    assert!(
        note.contains("(+5") && note.contains("(-4"),
        "both numbers: {note}"
    );
}

#[test]
fn a_renamed_case_is_compared_and_its_old_name_is_given() {
    let mut made = header(&["a"]);
    made.configurations[0].renamed_from = Some("old".to_owned());
    let observations = series(0, Phase::Screen, 0, &about(1.05, 0.004, 8));
    let verdicts = Verdicts::of(&made, &observations, None);
    assert_eq!(verdicts.configurations[0].word, Word::Regressed);
    assert_eq!(verdicts.configurations[0].notes, ["`old` in the baseline"]);
}
