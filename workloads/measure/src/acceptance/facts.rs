//! What two sets of samples and their pairs are, without a threshold.

use crate::statistics::{median_absolute_deviation, quantile};

/// Precision of arithmetic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 64 bits.
    #[default]
    Double,
    /// 32 bits.
    Single,
}

/// Samples of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideSamples {
    /// Seconds of one operation, a sample each.
    pub seconds: Vec<f64>,
    /// Iterations of each sample; empty for a workload that does not iterate.
    pub iterations: Vec<u64>,
    /// Whether every sample converged; absent for a workload that does not iterate.
    pub converged: Option<bool>,
    /// Final objective, where there is one.
    pub objective: Option<f64>,
    /// Precision of its arithmetic.
    pub precision: Precision,
}

/// Numbers that every policy reads. What cannot be computed is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Samples of the baseline.
    pub baseline_samples: usize,
    /// Samples of the candidate.
    pub candidate_samples: usize,
    /// Median seconds of the baseline.
    pub baseline_median_s: Option<f64>,
    /// Median seconds of the candidate.
    pub candidate_median_s: Option<f64>,
    /// Candidate's median over the baseline's.
    pub median_slowdown: Option<f64>,
    /// Median absolute deviation over the median, baseline.
    pub baseline_relative_mad: Option<f64>,
    /// Median absolute deviation over the median, candidate.
    pub candidate_relative_mad: Option<f64>,
    /// Pairs.
    pub pairs: usize,
    /// Median of the ratios of pairs.
    pub paired_median_slowdown: Option<f64>,
    /// Largest ratio of a pair.
    pub max_paired_slowdown: Option<f64>,
    /// Pairs with a ratio below 1.
    pub candidate_faster_pairs: usize,
    /// Pairs with a ratio above 1.
    pub candidate_slower_pairs: usize,
    /// Exact two-sided probability of so uneven signs by fair coins; it informs and never decides.
    pub sign_probability: Option<f64>,
}

impl Facts {
    /// Of samples in any order and `pairs` of them, candidate / baseline.
    pub fn of(baseline: &SideSamples, candidate: &SideSamples, pairs: &[f64]) -> Self {
        let ratios = times(pairs);
        let medians = (median(&baseline.seconds), median(&candidate.seconds));
        let count = |is: fn(&f64) -> bool| {
            let ratios = ratios.as_deref().unwrap_or_default();
            ratios.iter().filter(|ratio| is(ratio)).count()
        };
        let (faster, slower) = (count(|ratio| *ratio < 1.0), count(|ratio| *ratio > 1.0));
        Facts {
            baseline_samples: baseline.seconds.len(),
            candidate_samples: candidate.seconds.len(),
            baseline_median_s: medians.0,
            candidate_median_s: medians.1,
            median_slowdown: medians.0.zip(medians.1).map(|(base, cand)| cand / base),
            baseline_relative_mad: relative_mad(&baseline.seconds),
            candidate_relative_mad: relative_mad(&candidate.seconds),
            pairs: pairs.len(),
            paired_median_slowdown: median(pairs),
            max_paired_slowdown: ratios.as_ref().and_then(|ratios| ratios.last().copied()),
            candidate_faster_pairs: faster,
            candidate_slower_pairs: slower,
            sign_probability: sign_probability(faster, slower),
        }
    }
}

/// The values in ascending order; none without values, or if one is not positive and finite.
fn times(values: &[f64]) -> Option<Vec<f64>> {
    let valid = values.iter().all(|value| value.is_finite() && *value > 0.0);
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    (valid && !sorted.is_empty()).then_some(sorted)
}

fn median(values: &[f64]) -> Option<f64> {
    quantile(&times(values)?, 0.5)
}

/// `median |x - median| / median`, not scaled to a standard deviation.
fn relative_mad(values: &[f64]) -> Option<f64> {
    let median = median(values)?;
    Some(median_absolute_deviation(values)? / median)
}

/// Probability that as many fair coins show sides at least as uneven; none without a coin.
pub fn sign_probability(faster: usize, slower: usize) -> Option<f64> {
    let coins = faster + slower;
    if coins == 0 {
        return None;
    }
    // ln of a binomial coefficient by sums of logarithms: no overflow, however many there are.
    let half = libm::log(0.5) * coins as f64;
    let mut log_coefficient = 0.0;
    let mut sum = 0.0;
    for rare in 0..=faster.min(slower) {
        if rare > 0 {
            let left = (coins + 1 - rare) as f64;
            log_coefficient += libm::log(left / rare as f64);
        }
        sum += libm::exp(log_coefficient + half);
    }
    Some((2.0 * sum).min(1.0))
}
