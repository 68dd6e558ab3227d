//! What a comparison will cost, before it costs anything. Pure.

pub mod quote;

use longrun_measure::paired::observations_needed;
use serde::Serialize;

use crate::ab::kept::record::{Calibration, Standing};
use crate::ab::rounds::duet::PROCESS_NS;
use crate::ab::sides::pairing::{Couple, Facts};
use crate::ab::verdicts::judge;
use crate::cli::ab::Mode;
use longrun_protocol::Configuration;
use longrun_protocol::registry::SamplingPolicy;

/// Sequences of looks that there are; the longest that fits the time is the most powerful
/// (`docs/statistics.md`).
const OBSERVATIONS: [u32; 3] = [80, 40, 21];

/// First look of the rule.
const FIRST_LOOK: usize = 6;

/// Part of a complete run that is run untimed first.
const WARM_UP: f64 = 0.02;

/// Cost of a preparation as a multiple of a complete run: states are kept on the way, and the
/// steps after each of them are taken again.
const PREPARATION: f64 = 1.2;

/// What one configuration is expected to cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The configuration.
    pub configuration: Configuration,
    /// Whether it is compared at all, and if not, why.
    pub standing: Standing,
    /// What one observation is.
    pub mode: Mode,
    /// Seconds of one observation.
    pub observation_s: Option<f64>,
    /// Seconds of the preparation, once.
    pub preparation_s: Option<f64>,
    /// Observations expected, by the spread that A/A comparisons have shown here.
    pub observations_expected: Option<u32>,
    /// Observations at most.
    pub observations_max: u32,
}

/// What a comparison is expected to cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// By configuration.
    pub rows: Vec<Row>,
    /// Comparisons of each configuration.
    pub comparisons: u32,
    /// Number of rounds that are made, where an exact one was asked for.
    pub rounds: Option<u32>,
    /// Seconds of everything before the rounds that is known: complete runs for preparations.
    pub preparation_s: Option<f64>,
    /// Seconds of the rounds, where all spreads are known.
    pub rounds_s: Option<f64>,
    /// The time after which the rounds end whatever is open, s.
    pub max_time_s: f64,
}

/// Seconds of one observation. A known time of this machine wins over the registry's estimate.
pub fn observation_s(couple: &Couple, mode: Mode, length: f64) -> Option<f64> {
    let estimate = couple.item()?.estimate?;
    let run = estimate.run_s * length;
    Some(match (mode, couple.facts.sampling) {
        // Two engines are built in one process.
        (Mode::Duet, _) => 2.0 * estimate.setup_s + seconds(PROCESS_NS),
        (Mode::Pairs, _) => 2.0 * (estimate.setup_s + run * (1.0 + WARM_UP)),
    })
}

/// Seconds of the preparation of duets: a complete run where there are states, little for blocks.
pub fn preparation_s(couple: &Couple, mode: Mode, length: f64) -> Option<f64> {
    if mode == Mode::Pairs {
        return Some(0.0);
    }
    let estimate = couple.item()?.estimate?;
    let Facts { sampling, .. } = couple.facts;
    Some(match sampling {
        SamplingPolicy::Complete { .. } => estimate.setup_s + estimate.run_s * length * PREPARATION,
        SamplingPolicy::Sampled { .. } | SamplingPolicy::Fixed { .. } => estimate.setup_s,
    })
}

/// Most observations where none were asked for: the longest sequence that fits into the time that
/// each of `configurations` has.
pub fn observations_max(observation_s: Option<f64>, max_time_s: f64, configurations: usize) -> u32 {
    let [longest, .., shortest] = OBSERVATIONS;
    let Some(each) = observation_s.filter(|each| *each > 0.0) else {
        return longest;
    };
    let share = max_time_s / f64::from(u32::try_from(configurations.max(1)).unwrap_or(u32::MAX));
    let fits = |count: &u32| f64::from(*count) * each <= share;
    OBSERVATIONS.into_iter().find(fits).unwrap_or(shortest)
}

/// Observations expected before a change of the size of the margin is seen.
pub fn observations_expected(
    known: Option<&Calibration>,
    margin: f64,
    observations_max: u32,
) -> Option<u32> {
    let needed = observations_needed(known?.sd?, margin.ln_1p())?;
    let needed = u32::try_from(needed.max(FIRST_LOOK)).unwrap_or(u32::MAX);
    Some(needed.min(observations_max))
}

/// What was asked for, as far as it decides how much is observed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// Comparisons of each configuration.
    pub comparisons: u32,
    /// The time after which the rounds end, s.
    pub max_time_s: f64,
    /// Exact number of rounds, where one was asked for.
    pub rounds: Option<u32>,
    /// Whether the acceptance policy is applied.
    pub gate: bool,
}

impl Cost {
    /// Adds up. The gate makes its pairs whatever is asked for.
    pub fn of(rows: Vec<Row>, asked: Asked) -> Cost {
        let Asked {
            comparisons,
            max_time_s,
            gate,
            ..
        } = asked;
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let rounds = judge::rounds_made(asked.rounds, gate).map(count);
        let least = count(judge::observations_min(gate));
        let rows = rows.into_iter().map(|row| Row {
            observations_expected: row.observations_expected.map(|all| all.max(least)),
            observations_max: row.observations_max.max(least),
            ..row
        });
        let rows: Vec<Row> = rows.collect();
        let timed = || {
            rows.iter()
                .filter(|row| row.standing == Standing::Comparable)
        };
        let preparation_s = timed().map(|row| row.preparation_s).sum();
        let of_row = |row: &Row| {
            let count = rounds.or(row.observations_expected)?;
            // One more is the warm-up.
            Some(row.observation_s? * f64::from(count.saturating_add(1)))
        };
        let once: Option<f64> = timed().map(of_row).sum();
        Cost {
            preparation_s,
            rounds_s: once.map(|once| (once * f64::from(comparisons)).min(max_time_s)),
            comparisons,
            rounds,
            max_time_s,
            rows,
        }
    }
}

fn seconds(ns: u64) -> f64 {
    // Constants of a fraction of a second: exact.
    ns as f64 * 1e-9
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::ab::made;
    use longrun_protocol::registry::{Estimate, Metric};

    fn couple(run_s: f64, setup_s: f64, sampling: SamplingPolicy) -> Couple {
        let mut item = made::item("a");
        item.estimate = Some(Estimate {
            run_s,
            setup_s,
            memory_bytes: 1,
        });
        Couple {
            baseline: Some(item.clone()),
            candidate: Some(item),
            facts: Facts {
                metric: Metric::Cpu,
                revision_bound: 1e-6,
                step_tolerance: 0.02,
                chaotic: false,
                sampling,
            },
        }
    }

    fn close(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-9)
    }

    #[test]
    fn an_observation_costs_what_its_processes_cost() {
        let whole = couple(10.0, 1.0, SamplingPolicy::default());
        assert!(close(observation_s(&whole, Mode::Duet, 1.0), 2.2));
        assert!(close(observation_s(&whole, Mode::Pairs, 1.0), 22.4));
        assert!(close(observation_s(&whole, Mode::Pairs, 0.5), 12.2));
        assert!(close(preparation_s(&whole, Mode::Duet, 1.0), 13.0));
        assert!(close(preparation_s(&whole, Mode::Pairs, 1.0), 0.0));
        let sampled = SamplingPolicy::Fixed {
            repeats: 9,
            block_ns: 1,
        };
        assert!(close(
            preparation_s(&couple(10.0, 1.0, sampled), Mode::Duet, 1.0),
            1.0
        ));
        let mut unknown = whole;
        unknown.candidate.as_mut().unwrap().estimate = None;
        assert_eq!(observation_s(&unknown, Mode::Duet, 1.0), None);
    }

    #[test]
    fn the_longest_sequence_that_fits_the_time_is_taken() {
        let table = [
            (Some(1.0), 900.0, 2, 80),
            (Some(15.0), 900.0, 1, 40),
            (Some(15.0), 900.0, 2, 21),
            (Some(74.0), 900.0, 1, 21),
            (Some(0.0), 900.0, 1, 80),
            (None, 900.0, 1, 80),
        ];
        for (each, time, configurations, expected) in table {
            let found = observations_max(each, time, configurations);
            assert_eq!(found, expected, "{each:?} {time} {configurations}");
        }
    }

    fn known(sd: f64) -> Calibration {
        Calibration {
            comparisons: 3,
            changed: 0,
            unchanged: 3,
            sd: Some(sd),
            resolvable: None,
        }
    }

    #[test]
    fn a_known_spread_says_how_many_observations_are_needed() {
        // (4.5 × 0.01 / ln 1.01)² = 20.5
        assert_eq!(
            observations_expected(Some(&known(0.01)), 0.01, 80),
            Some(21)
        );
        assert_eq!(
            observations_expected(Some(&known(0.001)), 0.01, 80),
            Some(6)
        );
        assert_eq!(observations_expected(Some(&known(0.1)), 0.01, 80), Some(80));
        assert_eq!(observations_expected(None, 0.01, 80), None);
    }

    fn row(standing: Standing, observation_s: Option<f64>, expected: Option<u32>) -> Row {
        Row {
            configuration: made::configuration("a"),
            standing,
            mode: Mode::Duet,
            observation_s,
            preparation_s: Some(5.0),
            observations_expected: expected,
            observations_max: 80,
        }
    }

    fn asked(comparisons: u32, max_time_s: f64, rounds: Option<u32>) -> Asked {
        Asked {
            comparisons,
            max_time_s,
            rounds,
            gate: false,
        }
    }

    #[test]
    fn the_gate_costs_its_nine_pairs_whatever_is_asked_for() {
        let rows = || {
            let mut row = row(Standing::Comparable, Some(2.0), Some(6));
            row.observations_max = 6;
            vec![row]
        };
        for (rounds, shown, seconds) in [
            (None, None, 20.0),
            (Some(1), Some(9), 20.0),
            (Some(12), Some(12), 26.0),
        ] {
            let gate = Asked {
                gate: true,
                ..asked(1, 900.0, rounds)
            };
            let cost = Cost::of(rows(), gate);
            assert_eq!(cost.rounds, shown, "{rounds:?}");
            assert!(close(cost.rounds_s, seconds), "{rounds:?} {cost:?}");
            let row = &cost.rows[0];
            assert_eq!(
                (row.observations_expected, row.observations_max),
                (Some(9), 9)
            );
        }
    }

    #[test]
    fn costs_add_up_within_the_time() {
        let rows = || {
            vec![
                row(Standing::Comparable, Some(2.0), Some(9)),
                row(Standing::Comparable, Some(1.0), Some(19)),
                row(Standing::New, None, None),
            ]
        };
        let cost = Cost::of(rows(), asked(1, 900.0, None));
        assert!(close(cost.preparation_s, 10.0));
        assert!(close(cost.rounds_s, 40.0));
        assert!(close(
            Cost::of(rows(), asked(3, 900.0, None)).rounds_s,
            120.0
        ));
        assert!(close(Cost::of(rows(), asked(1, 30.0, None)).rounds_s, 30.0));
        assert!(close(
            Cost::of(rows(), asked(1, 900.0, Some(4))).rounds_s,
            15.0
        ));
        let unknown = vec![row(Standing::Comparable, Some(2.0), None)];
        assert_eq!(Cost::of(unknown, asked(1, 900.0, None)).rounds_s, None);
    }
}
