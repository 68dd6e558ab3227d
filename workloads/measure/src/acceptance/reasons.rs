//! What can be said against a candidate.

use std::fmt;

use super::{Facts, PAIRS_MIN, SideSamples, Thresholds};
use longrun_protocol::duet::Side;

/// One reason against a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// The limits of the policy make no sense.
    InvalidThresholds,
    /// A side has no samples, or one that is not a time.
    NotATime {
        /// Which.
        side: Side,
    },
    /// The sides have another number of samples than each other.
    UnequalSamples {
        /// The baseline's.
        baseline: usize,
        /// The candidate's.
        candidate: usize,
    },
    /// There are too few pairs.
    FewPairs {
        /// How many there are.
        pairs: usize,
        /// How many are needed.
        needed: usize,
    },
    /// A ratio of a pair is not a positive number.
    NotARatio,
    /// A side varies too much to be judged.
    Spread {
        /// Which.
        side: Side,
        /// Its relative median absolute deviation.
        relative_mad: f64,
        /// The limit.
        limit: f64,
    },
    /// The candidate's median is too much slower.
    MedianSlowdown {
        /// Candidate over baseline.
        slowdown: f64,
        /// The limit.
        limit: f64,
    },
    /// The median of the pairs is too much slower.
    PairedSlowdown {
        /// Candidate over baseline.
        slowdown: f64,
        /// The limit.
        limit: f64,
    },
    /// A side did not converge.
    NotConverged {
        /// Which.
        side: Side,
    },
    /// The sides need too different numbers of iterations.
    Iterations {
        /// Median of the baseline.
        baseline: f64,
        /// Median of the candidate.
        candidate: f64,
        /// Largest difference that is accepted.
        allowed: f64,
    },
    /// With another number of iterations, one of them is slower, or its time is unknown.
    SlowerPerIteration {
        /// Candidate over baseline.
        slowdown: Option<f64>,
        /// The limit.
        limit: f64,
    },
    /// With another number of iterations, the final objectives differ, or one is unknown.
    Objective {
        /// Their relative difference.
        difference: Option<f64>,
        /// The limit.
        limit: f64,
    },
}

impl Reason {
    /// A stable word for files.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::InvalidThresholds => "invalid_thresholds",
            Reason::NotATime { .. } => "not_a_time",
            Reason::UnequalSamples { .. } => "unequal_samples",
            Reason::FewPairs { .. } => "few_pairs",
            Reason::NotARatio => "not_a_ratio",
            Reason::Spread { .. } => "spread",
            Reason::MedianSlowdown { .. } => "median_slowdown",
            Reason::PairedSlowdown { .. } => "paired_slowdown",
            Reason::NotConverged { .. } => "not_converged",
            Reason::Iterations { .. } => "iterations",
            Reason::SlowerPerIteration { .. } => "slower_per_iteration",
            Reason::Objective { .. } => "objective",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::InvalidThresholds => write!(out, "the limits of the policy make no sense"),
            Reason::NotATime { side } => {
                write!(
                    out,
                    "the {} has no samples, or one that is no time",
                    side.as_str()
                )
            }
            Reason::UnequalSamples {
                baseline,
                candidate,
            } => write!(
                out,
                "{baseline} samples of the baseline and {candidate} of the candidate"
            ),
            Reason::FewPairs { pairs, needed } => few_pairs(out, *pairs, *needed),
            Reason::NotARatio => write!(out, "a ratio of a pair is not a positive number"),
            Reason::Spread {
                side,
                relative_mad,
                limit,
            } => write!(
                out,
                "the {} varies by {:.1} % of its median (at most {:.1} %)",
                side.as_str(),
                100.0 * relative_mad,
                100.0 * limit
            ),
            Reason::MedianSlowdown { slowdown, limit } => {
                write!(
                    out,
                    "the median is {slowdown:.3} times the baseline's (at most {limit:.2})"
                )
            }
            Reason::PairedSlowdown { slowdown, limit } => {
                write!(
                    out,
                    "the median pair is {slowdown:.3} times as slow (at most {limit:.2})"
                )
            }
            Reason::NotConverged { side } => write!(out, "the {} did not converge", side.as_str()),
            Reason::Iterations {
                baseline,
                candidate,
                allowed,
            } => write!(
                out,
                "{candidate} iterations where the baseline has {baseline} (at most {allowed} apart)"
            ),
            Reason::SlowerPerIteration { slowdown, limit } => match slowdown {
                Some(slowdown) => write!(
                    out,
                    "an iteration is {slowdown:.3} times as slow (at most {limit:.2})"
                ),
                None => write!(out, "the time of an iteration is unknown"),
            },
            Reason::Objective { difference, limit } => match difference {
                Some(difference) => write!(
                    out,
                    "final objectives differ by {difference:.1e} (at most {limit:.0e})"
                ),
                None => write!(out, "a final objective is unknown"),
            },
        }
    }
}

fn few_pairs(out: &mut fmt::Formatter<'_>, pairs: usize, needed: usize) -> fmt::Result {
    match pairs {
        0 => write!(out, "no pairs where {needed} are needed"),
        _ => write!(out, "{pairs} pairs where {needed} are needed"),
    }
}

pub(super) fn of_samples(facts: &Facts, thresholds: &Thresholds) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if !thresholds.are_valid() {
        reasons.push(Reason::InvalidThresholds);
    }
    let sides = [
        (Side::Baseline, facts.baseline_relative_mad),
        (Side::Candidate, facts.candidate_relative_mad),
    ];
    for (side, relative_mad) in sides {
        let limit = thresholds.relative_mad;
        match relative_mad {
            None => reasons.push(Reason::NotATime { side }),
            Some(relative_mad) if relative_mad > limit => reasons.push(Reason::Spread {
                side,
                relative_mad,
                limit,
            }),
            Some(_) => {}
        }
    }
    if facts.baseline_samples != facts.candidate_samples {
        reasons.push(Reason::UnequalSamples {
            baseline: facts.baseline_samples,
            candidate: facts.candidate_samples,
        });
    }
    let limit = thresholds.slowdown;
    if let Some(slowdown) = facts.median_slowdown.filter(|slowdown| *slowdown > limit) {
        reasons.push(Reason::MedianSlowdown { slowdown, limit });
    }
    reasons
}

pub(super) fn of_pairs(facts: &Facts, thresholds: &Thresholds) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let samples = facts.baseline_samples.min(facts.candidate_samples);
    let (pairs, needed) = (
        facts.pairs.min(samples),
        thresholds.pairs_min.max(PAIRS_MIN),
    );
    if pairs < needed {
        reasons.push(Reason::FewPairs { pairs, needed });
    }
    let limit = thresholds.slowdown;
    match facts.paired_median_slowdown {
        // Where there are no pairs, that was said.
        None if facts.pairs == 0 => {}
        None => reasons.push(Reason::NotARatio),
        Some(slowdown) if slowdown > limit => {
            reasons.push(Reason::PairedSlowdown { slowdown, limit });
        }
        Some(_) => {}
    }
    reasons
}

pub(super) fn of_convergence(baseline: &SideSamples, candidate: &SideSamples) -> Vec<Reason> {
    [(Side::Baseline, baseline), (Side::Candidate, candidate)]
        .into_iter()
        .filter(|(_, samples)| samples.converged == Some(false))
        .map(|(side, _)| Reason::NotConverged { side })
        .collect()
}
