//! What a reader must be told of a time, and when it is no measurement at all.

use std::fmt;

use longrun_protocol::Sample;
use longrun_protocol::sampling::ClockReport;

use crate::statistics::noise::NOTED_RELATIVE_IQR;
use crate::statistics::{Excess, Noise, NoiseLimits, SPREAD_SAMPLES_MIN, Statistics};
use crate::timing::ns_per_op;

/// Ticks that an interval must be longer than.
const TICKS_MIN: u64 = 2;

/// What is to be said of some samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Warning {
    /// There are none, or one is no time.
    NoSamples,
    /// Most intervals are shorter than a tick of the clock.
    BelowTick,
    /// The clock was never seen to tick while it was probed.
    UnknownGranularity,
    /// Intervals last two ticks of the clock or less.
    NearTick {
        /// Median interval, ns.
        interval_ns: f64,
        /// Tick of the clock, ns.
        granularity_ns: u64,
    },
    /// There are too few to know their spread.
    FewSamples {
        /// How many there are.
        samples: usize,
    },
    /// They vary too much to be compared with anything.
    Noisy(Excess),
    /// They vary, and can still be compared.
    Spread {
        /// Interquartile range over the median.
        relative_iqr: f64,
    },
}

impl Warning {
    /// A stable word for files.
    pub fn code(&self) -> &'static str {
        match self {
            Warning::NoSamples => "no_samples",
            Warning::BelowTick => "below_tick",
            Warning::UnknownGranularity => "unknown_granularity",
            Warning::NearTick { .. } => "near_tick",
            Warning::FewSamples { .. } => "few_samples",
            Warning::Noisy(_) => "noisy",
            Warning::Spread { .. } => SPREAD,
        }
    }

    /// What it means, and what to do.
    pub fn sentence(&self) -> String {
        self.to_string()
    }

    /// Whether the time is a measurement all the same.
    pub fn is_a_note(&self) -> bool {
        is_a_note(self.code())
    }
}

const SPREAD: &str = "spread";

/// Whether a warning of this code leaves a time that can be compared. An unknown one does not.
pub fn is_a_note(code: &str) -> bool {
    code == SPREAD
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::NoSamples => write!(out, "there is no sample, so there is no time"),
            Warning::BelowTick => write!(
                out,
                "most intervals are below one tick of the clock; let a block have more operations"
            ),
            Warning::UnknownGranularity => write!(
                out,
                "the clock was not seen to tick; the time is at most as good as an upper bound"
            ),
            Warning::NearTick {
                interval_ns,
                granularity_ns,
            } => write!(
                out,
                "an interval of {interval_ns:.0} ns is not above {TICKS_MIN} ticks of the clock \
                 ({granularity_ns} ns each); let a block have more operations"
            ),
            Warning::FewSamples { samples } => write!(
                out,
                "the spread is unknown: {samples} of the {SPREAD_SAMPLES_MIN} samples that it takes"
            ),
            Warning::Noisy(excess) => write!(
                out,
                "{excess}: too noisy to be compared; use a quieter machine, or longer blocks"
            ),
            Warning::Spread { relative_iqr } => write!(
                out,
                "the interquartile range is {:.1} % of the median: small changes are not seen",
                100.0 * relative_iqr
            ),
        }
    }
}

/// What a diagnosis reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampledFacts {
    /// Of the ns of one operation; none without samples, or if one is no time.
    pub statistics: Option<Statistics>,
    /// Fewest operations of a block.
    pub ops: u64,
    /// Tick of the clock, ns; none if it was not seen.
    pub granularity_ns: Option<u64>,
    /// Spread that is too much.
    pub noise: NoiseLimits,
}

impl SampledFacts {
    /// Of samples on a CPU.
    pub fn of(samples: &[Sample], clock: &ClockReport) -> Self {
        let times: Vec<f64> = samples.iter().map(ns_per_op).collect();
        SampledFacts {
            statistics: Statistics::of(&times),
            ops: samples.iter().map(|sample| sample.ops).min().unwrap_or(0),
            granularity_ns: clock.granularity_ns,
            noise: NoiseLimits::cpu(),
        }
    }
}

/// The first thing that is to be said, if there is one.
///
/// A median of zero comes before an unknown tick: a clock that is too coarse for the work may
/// defeat its probe as well. What is held against the tick is the interval, because the clock is
/// read once a block and not once an operation.
pub fn diagnose(facts: &SampledFacts) -> Option<Warning> {
    let Some(statistics) = &facts.statistics else {
        return Some(Warning::NoSamples);
    };
    if statistics.median <= 0.0 {
        return Some(Warning::BelowTick);
    }
    let Some(granularity_ns) = facts.granularity_ns else {
        return Some(Warning::UnknownGranularity);
    };
    let interval_ns = statistics.median * facts.ops as f64;
    if interval_ns <= TICKS_MIN as f64 * granularity_ns as f64 {
        return Some(Warning::NearTick {
            interval_ns,
            granularity_ns,
        });
    }
    let Some(noise) = Noise::of(statistics) else {
        return Some(Warning::FewSamples {
            samples: statistics.count,
        });
    };
    if let Some(excess) = facts.noise.exceeded(&noise) {
        return Some(Warning::Noisy(excess));
    }
    let relative_iqr = noise.relative_iqr.filter(|iqr| *iqr > NOTED_RELATIVE_IQR)?;
    Some(Warning::Spread { relative_iqr })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn clock(granularity_ns: Option<u64>) -> ClockReport {
        ClockReport {
            overhead_ns: Some(25.0),
            granularity_ns,
            pairs: 64,
        }
    }

    fn samples(ops: u64, intervals: &[u64]) -> Vec<Sample> {
        let sample = |interval_ns: &u64| Sample {
            interval_ns: *interval_ns,
            cpu_ns: None,
            ops,
            usage: None,
        };
        intervals.iter().map(sample).collect()
    }

    fn code(ops: u64, intervals: &[u64], granularity_ns: Option<u64>) -> Option<&'static str> {
        let facts = SampledFacts::of(&samples(ops, intervals), &clock(granularity_ns));
        diagnose(&facts).map(|warning| warning.code())
    }

    #[test]
    fn no_samples_are_a_warning_and_not_a_time_of_zero() {
        assert_eq!(code(1, &[], Some(25)), Some("no_samples"));
        let facts = SampledFacts::of(&[], &clock(Some(25)));
        assert_eq!((facts.statistics, facts.ops), (None, 0));
        // Blocks of no operation have no time of one.
        assert_eq!(code(0, &[100; 9], Some(25)), Some("no_samples"));
    }

    #[test]
    fn a_median_of_zero_is_below_the_tick_even_where_the_probe_saw_none() {
        for granularity in [None, Some(378_100)] {
            let found = code(1, &[0, 0, 0, 0, 378_100], granularity);
            assert_eq!(found, Some("below_tick"));
        }
    }

    #[test]
    fn a_clock_that_was_not_seen_to_tick_is_named() {
        assert_eq!(code(1, &[900; 9], None), Some("unknown_granularity"));
    }

    #[test]
    fn an_interval_of_two_ticks_is_not_reportable_and_one_well_above_is() {
        assert_eq!(code(1, &[50; 9], Some(25)), Some("near_tick"));
        assert_eq!(code(1, &[51; 9], Some(25)), None);
        assert_eq!(code(1, &[1_000_000; 9], Some(25)), None);
    }

    /// The original held the time of one operation against the tick.
    #[test]
    fn the_interval_is_held_against_the_tick_and_not_the_operation() {
        // 25,000 operations of 40 ns.
        assert_eq!(code(25_000, &[1_000_000; 9], Some(25)), None);
        let one = SampledFacts::of(&samples(1, &[40; 9]), &clock(Some(25)));
        assert_eq!(
            diagnose(&one).unwrap().sentence(),
            "an interval of 40 ns is not above 2 ticks of the clock (25 ns each); let a block \
             have more operations"
        );
    }

    #[test]
    fn a_wide_spread_warns_whatever_the_clock() {
        let wide = [50, 150, 60, 140, 70, 130, 80, 120, 90, 110].map(|ns: u64| 1_000 * ns);
        for granularity in [1, 25, 20_000] {
            assert_eq!(code(1, &wide, Some(granularity)), Some("noisy"));
        }
    }

    /// The original warned above 5 %, and a warning made every comparison inconclusive, while its
    /// documents said 10 %.
    #[test]
    fn between_five_and_ten_percent_there_is_a_note_and_a_measurement() {
        // Quartiles at 97 and 104 of 100: 7 %.
        let some = [96, 97, 97, 99, 100, 101, 104, 104, 105].map(|ns: u64| 1_000 * ns);
        let facts = SampledFacts::of(&samples(1, &some), &clock(Some(25)));
        let warning = diagnose(&facts).unwrap();
        assert_eq!((warning.code(), warning.is_a_note()), ("spread", true));
        assert_eq!(
            warning.sentence(),
            "the interquartile range is 7.0 % of the median: small changes are not seen"
        );
        let more = [90, 94, 94, 99, 100, 101, 105, 105, 110].map(|ns: u64| 1_000 * ns);
        let noisy = diagnose(&SampledFacts::of(&samples(1, &more), &clock(Some(25)))).unwrap();
        assert_eq!((noisy.code(), noisy.is_a_note()), ("noisy", false));
    }

    #[test]
    fn too_few_samples_have_no_spread_to_judge() {
        assert_eq!(
            code(1, &[1_000, 9_000, 1_000], Some(25)),
            Some("few_samples")
        );
        assert_eq!(code(1, &[1_000; 5], Some(25)), None);
    }

    #[test]
    fn only_a_note_leaves_something_to_compare() {
        let excess = NoiseLimits::cpu().exceeded(&Noise {
            relative_iqr: Some(0.2),
            relative_mad: None,
        });
        let near = Warning::NearTick {
            interval_ns: 1.0,
            granularity_ns: 1,
        };
        for warning in [
            Warning::NoSamples,
            Warning::BelowTick,
            Warning::UnknownGranularity,
            near,
            Warning::FewSamples { samples: 3 },
            Warning::Noisy(excess.unwrap()),
        ] {
            assert!(!warning.is_a_note(), "{warning}");
        }
        assert!(Warning::Spread { relative_iqr: 0.06 }.is_a_note());
        assert!(!is_a_note("a code of the future"));
    }
}
