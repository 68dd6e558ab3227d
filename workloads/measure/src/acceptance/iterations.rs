//! When another number of iterations is still the same work.
//!
//! Rounding in single precision moves the number of iterations by a few in either direction while
//! the result stays what it was: three of a dozen cases of the original policy failed on that
//! alone.

use super::facts::{Facts, Precision, SideSamples};
use super::{IterationPolicy, Reason, Thresholds};

/// Share of the baseline's iterations that may be gained or lost in single precision.
const SHARE: f64 = 0.25;

/// Largest relative difference of final objectives that is the same result.
const OBJECTIVE: f64 = 1e-4;

/// What was found about iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iterations {
    /// Median of the baseline.
    pub baseline: f64,
    /// Median of the candidate.
    pub candidate: f64,
    /// Largest difference that is accepted.
    pub allowed: f64,
    /// Whether they differ by more than the policy's own delta.
    pub changed: bool,
    /// Ratio of the times of one iteration, where both sides have one.
    pub slowdown_per_iteration: Option<f64>,
    /// Relative difference of the final objectives, where both sides have one.
    pub objective_difference: Option<f64>,
    /// Whether a changed number is accepted only with equal objectives and no slower iterations.
    relative: bool,
}

impl Iterations {
    /// None for a workload that does not iterate.
    pub(super) fn of(
        baseline: &SideSamples,
        candidate: &SideSamples,
        facts: &Facts,
        thresholds: &Thresholds,
    ) -> Option<Self> {
        let (base, cand) = (
            median(&baseline.iterations)?,
            median(&candidate.iterations)?,
        );
        let changed = (cand - base).abs() > thresholds.iteration_delta;
        let single =
            baseline.precision == Precision::Single && candidate.precision == Precision::Single;
        let relative =
            changed && single && thresholds.iteration_policy == IterationPolicy::Relative;
        let allowed = if relative {
            (SHARE * base).ceil().max(thresholds.iteration_delta)
        } else {
            thresholds.iteration_delta
        };
        let per_iteration = |slowdown: f64| (cand > 0.0).then(|| slowdown * base / cand);
        Some(Iterations {
            baseline: base,
            candidate: cand,
            allowed,
            changed,
            slowdown_per_iteration: facts.median_slowdown.and_then(per_iteration),
            objective_difference: difference(baseline.objective, candidate.objective),
            relative,
        })
    }

    pub(super) fn reasons(&self, thresholds: &Thresholds) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if (self.candidate - self.baseline).abs() > self.allowed {
            reasons.push(Reason::Iterations {
                baseline: self.baseline,
                candidate: self.candidate,
                allowed: self.allowed,
            });
        }
        if !self.relative {
            return reasons;
        }
        if self
            .slowdown_per_iteration
            .is_none_or(|ratio| ratio > thresholds.slowdown)
        {
            reasons.push(Reason::SlowerPerIteration {
                slowdown: self.slowdown_per_iteration,
                limit: thresholds.slowdown,
            });
        }
        if self
            .objective_difference
            .is_none_or(|difference| difference > OBJECTIVE)
        {
            reasons.push(Reason::Objective {
                difference: self.objective_difference,
                limit: OBJECTIVE,
            });
        }
        reasons
    }
}

fn median(counts: &[u64]) -> Option<f64> {
    let mut sorted: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    crate::statistics::quantile(&sorted, 0.5)
}

/// `|candidate - baseline| / |baseline|`; 0 for two zeros, and none where that is no number.
fn difference(baseline: Option<f64>, candidate: Option<f64>) -> Option<f64> {
    let (baseline, candidate) = (baseline?, candidate?);
    let apart = (candidate - baseline).abs();
    if apart <= 0.0 {
        return Some(0.0);
    }
    Some(apart / baseline.abs()).filter(|difference| difference.is_finite())
}
