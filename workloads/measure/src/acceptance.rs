//! Whether a candidate's samples are acceptable beside a baseline's.
//!
//! [`Facts`] says what two sets of samples and their pairs are, without a threshold. A policy is a
//! function of facts and of its thresholds; [`compare`] is the policy `acceptance`, which asks for
//! nine pairs, little spread on both sides, and medians that are not much slower. All that fails is
//! collected, so that a reader sees every reason at once.

pub mod facts;
pub mod iterations;
pub mod reasons;

pub use facts::{Facts, Precision, SideSamples, sign_probability};
pub use iterations::Iterations;
pub use reasons::Reason;

/// Pairs that the policy always needs, however many rounds were asked for.
pub const PAIRS_MIN: usize = 9;

/// Limits of the policy; comparisons with them are strict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Largest ratio of candidate to baseline, 1 or more.
    pub slowdown: f64,
    /// Largest median absolute deviation over the median of a side, below 1.
    pub relative_mad: f64,
    /// Fewest pairs; fewer than [`PAIRS_MIN`] are taken as that.
    pub pairs_min: usize,
    /// Largest difference in median iterations.
    pub iteration_delta: f64,
    /// What more iterations than that mean.
    pub iteration_policy: IterationPolicy,
}

/// What it means that the sides need another number of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IterationPolicy {
    /// More than `iteration_delta` fails.
    Absolute,
    /// In single precision a quarter of the baseline's is allowed, if an iteration is not slower
    /// and the final objectives agree.
    Relative,
}

impl Thresholds {
    /// On a CPU: 10 % slower, 5 % spread.
    pub fn cpu() -> Self {
        Thresholds {
            slowdown: 1.10,
            relative_mad: 0.05,
            pairs_min: PAIRS_MIN,
            iteration_delta: 1.0,
            iteration_policy: IterationPolicy::Relative,
        }
    }

    /// On a GPU: 15 % slower, 10 % spread.
    pub fn gpu() -> Self {
        Thresholds {
            slowdown: 1.15,
            relative_mad: 0.10,
            ..Thresholds::cpu()
        }
    }

    /// Whether the limits make sense; a policy with others passes nothing.
    pub fn are_valid(&self) -> bool {
        let slowdown = self.slowdown.is_finite() && self.slowdown >= 1.0;
        let spread = (0.0..1.0).contains(&self.relative_mad);
        slowdown && spread && self.iteration_delta.is_finite() && self.iteration_delta >= 0.0
    }
}

/// What the policy says, and the facts that it read.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Whether there is no reason against the candidate.
    pub passed: bool,
    /// Every reason against it.
    pub reasons: Vec<Reason>,
    /// What was compared.
    pub facts: Facts,
    /// What was found about iterations, for a workload that iterates.
    pub iterations: Option<Iterations>,
}

/// The policy `acceptance`: `pairs` are the ratios candidate / baseline of samples taken in one
/// round.
pub fn compare(
    baseline: &SideSamples,
    candidate: &SideSamples,
    pairs: &[f64],
    thresholds: &Thresholds,
) -> Check {
    let facts = Facts::of(baseline, candidate, pairs);
    let iterations = Iterations::of(baseline, candidate, &facts, thresholds);
    let mut reasons = reasons::of_samples(&facts, thresholds);
    reasons.extend(reasons::of_pairs(&facts, thresholds));
    reasons.extend(reasons::of_convergence(baseline, candidate));
    if let Some(iterations) = &iterations {
        reasons.extend(iterations.reasons(thresholds));
    }
    Check {
        passed: reasons.is_empty(),
        reasons,
        facts,
        iterations,
    }
}

#[cfg(test)]
mod tests;
