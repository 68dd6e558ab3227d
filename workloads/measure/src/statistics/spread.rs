//! Location, spread and outliers of a set of samples.
//!
//! Times have a floor and no ceiling: whatever disturbs a sample makes it longer. So the median and
//! the middle half speak for the work, the gap from the shortest sample to the median for the
//! machine, and the mean for the total time alone. Outliers are counted and never removed.

use serde::{Deserialize, Serialize};

use super::{Summary, ascending, median_absolute_deviation, quantile};

/// Fewest values whose spread says anything. The median absolute deviation of three is the smaller
/// of two gaps, and their interquartile range half of the range.
pub const SPREAD_SAMPLES_MIN: usize = 5;

/// Interquartile range of a normal distribution with a standard deviation of 1.
const IQR_PER_SIGMA: f64 = 1.349;

/// Standard error of the median over that of the mean, for a normal distribution: `sqrt(pi / 2)`.
const MEDIAN_OVER_MEAN: f64 = 1.253_314;

/// How far above the third quartile an outlier is, in interquartile ranges (J. W. Tukey).
const FENCE: f64 = 1.5;

/// What a set of values says. All in the unit of the values, ratios aside; a ratio is absent where
/// what it would be divided by is zero or less, because a zero there would read as no spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Number of values.
    pub count: usize,
    /// Smallest value.
    pub min: f64,
    /// First quartile, by [`quantile`].
    pub q1: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub q3: f64,
    /// Largest value.
    pub max: f64,
    /// Interquartile range, `q3 - q1`.
    pub iqr: f64,
    /// `iqr / 1.349`, the standard deviation if the values are normal.
    pub robust_sigma: f64,
    /// `iqr / median`.
    pub relative_iqr: Option<f64>,
    /// Median of the absolute deviations from the median, not scaled.
    pub mad: f64,
    /// `mad / median`.
    pub relative_mad: Option<f64>,
    /// Arithmetic mean. The time of all samples is `count` times this; for comparing, it moves with
    /// every disturbance.
    pub mean: f64,
    /// Values above `q3 + 1.5 iqr`.
    pub outliers_high: usize,
    /// `median / min`.
    pub median_over_min: Option<f64>,
    /// `(max - min) / median`.
    pub range_over_median: Option<f64>,
    /// Standard error of the median, by [`standard_error_of_median`].
    pub standard_error_of_median: Option<f64>,
}

impl Statistics {
    /// Of `values` in any order; none if there are no values or one is not finite.
    pub fn of(values: &[f64]) -> Option<Self> {
        let sorted = ascending(values)?;
        let Summary {
            count,
            min,
            median,
            max,
            range_over_median,
        } = Summary::of_ascending(&sorted)?;
        let (q1, q3) = (quantile(&sorted, 0.25)?, quantile(&sorted, 0.75)?);
        let iqr = q3 - q1;
        let mad = median_absolute_deviation(&sorted)?;
        let sum = sorted.iter().fold(0.0, |sum, value| sum + value);
        let fence = q3 + FENCE * iqr;
        Some(Statistics {
            count,
            min,
            q1,
            median,
            q3,
            max,
            iqr,
            robust_sigma: robust_sigma(iqr),
            relative_iqr: over(iqr, median),
            mad,
            relative_mad: over(mad, median),
            mean: sum / count as f64,
            outliers_high: sorted.iter().filter(|value| **value > fence).count(),
            median_over_min: over(median, min),
            range_over_median,
            standard_error_of_median: standard_error_of_median(iqr, count),
        })
    }
}

/// `part / whole`; none where `whole` is zero or less.
fn over(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// Standard deviation of normal values with this interquartile range.
pub(crate) fn robust_sigma(iqr: f64) -> f64 {
    iqr / IQR_PER_SIGMA
}

/// Standard error of the median of `count` normal values with this interquartile range:
/// `1.2533 sigma / sqrt(count)`.
///
/// It takes the values as independent. None for fewer than [`SPREAD_SAMPLES_MIN`], and where the
/// middle half is one value: a clock that resolves no spread does not make a median exact.
pub fn standard_error_of_median(iqr: f64, count: usize) -> Option<f64> {
    let known = count >= SPREAD_SAMPLES_MIN && iqr > 0.0;
    known.then(|| MEDIAN_OVER_MEAN * robust_sigma(iqr) / (count as f64).sqrt())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;
    use crate::paired::SplitMix64;

    const QUIET: [f64; 10] = [100., 101., 99., 100., 102., 98., 101., 100., 99., 100.];

    fn of(values: &[f64]) -> Statistics {
        Statistics::of(values).unwrap()
    }

    #[test]
    fn every_quantity_of_four_values_is_what_its_definition_says() {
        let said = of(&[40.0, 10.0, 30.0, 20.0]);
        assert_eq!((said.count, said.min, said.max), (4, 10.0, 40.0));
        assert_eq!((said.q1, said.median, said.q3), (17.5, 25.0, 32.5));
        assert_eq!((said.iqr, said.relative_iqr), (15.0, Some(0.6)));
        // Deviations from 25: 15, 15, 5, 5.
        assert_eq!((said.mad, said.relative_mad), (10.0, Some(0.4)));
        assert_eq!((said.mean, said.outliers_high), (25.0, 0));
        assert_eq!(said.median_over_min, Some(2.5));
        assert_eq!(said.range_over_median, Some(1.2));
        assert_eq!(said.standard_error_of_median, None);
    }

    #[test]
    fn sorting_keeps_every_sample_and_their_order_changes_no_bit() {
        let mut turned = QUIET;
        turned.reverse();
        assert_eq!(Statistics::of(&QUIET), Statistics::of(&turned));
        let doubled = of(&[3.0, 3.0, 1.0, 3.0]);
        assert_eq!((doubled.count, doubled.mean), (4, 2.5));
    }

    #[test]
    fn an_odd_number_of_values_has_its_middle_one_as_median() {
        assert_eq!(of(&[5.0, 1.0, 9.0]).median, 5.0);
        assert_eq!(of(&[5.0, 1.0, 9.0, 7.0, 8.0]).median, 7.0);
    }

    #[test]
    fn one_value_is_all_of_its_quantiles() {
        let said = of(&[7.0]);
        let five = [said.min, said.q1, said.median, said.q3, said.max];
        assert_eq!(five, [7.0; 5]);
        assert_eq!((said.iqr, said.mad, said.mean), (0.0, 0.0, 7.0));
    }

    #[test]
    fn the_robust_sigma_of_an_interquartile_range_of_ten_is_the_published_one() {
        let values: Vec<f64> = (0..11).map(|i| 90.0 + 2.0 * f64::from(i)).collect();
        let said = of(&values);
        assert_eq!(said.iqr, 10.0);
        assert!((said.robust_sigma - 7.412_898_443_291_327).abs() < 1e-14);
    }

    #[test]
    fn the_robust_sigma_is_the_standard_deviation_of_clean_values() {
        // Sums of twelve uniform numbers: normal enough, with a standard deviation of 1.
        let mut coin = SplitMix64::new(1);
        let mut uniform = || coin.next_u64() as f64 / u64::MAX as f64;
        let values: Vec<f64> = (0..10_000)
            .map(|_| 50.0 + (0..12).map(|_| uniform()).sum::<f64>())
            .collect();
        assert!((of(&values).robust_sigma - 1.0).abs() < 0.05);
    }

    #[test]
    fn a_wild_sample_is_counted_and_stays_and_moves_the_mean_alone() {
        let mut disturbed = QUIET;
        disturbed[9] = 2000.0;
        let (quiet, disturbed) = (of(&QUIET), of(&disturbed));
        assert_eq!((disturbed.count, disturbed.outliers_high), (10, 1));
        assert_eq!((disturbed.max, quiet.outliers_high), (2000.0, 0));
        assert!((disturbed.median - quiet.median).abs() <= 1.0);
        assert!((disturbed.iqr - quiet.iqr).abs() < 2.0);
        assert!(disturbed.mean - quiet.mean > 150.0);
    }

    #[test]
    fn a_short_sample_is_no_outlier_and_neither_is_one_on_the_fence() {
        // Quartiles of 1 to 9 are 3 and 7, so the fence is 13.
        let mut values: Vec<f64> = (1..=9).map(f64::from).collect();
        values[8] = 13.0;
        assert_eq!(of(&values).outliers_high, 0);
        values[8] = 13.001;
        assert_eq!(of(&values).outliers_high, 1);
        values[0] = -1e6;
        assert_eq!(of(&values).outliers_high, 1);
    }

    #[test]
    fn the_relative_interquartile_range_says_how_far_to_trust() {
        let tight = [100., 100., 100., 101., 100., 99., 100., 100., 100., 100.];
        let loose = [50., 150., 60., 140., 70., 130., 80., 120., 90., 110.];
        assert!(of(&tight).relative_iqr.unwrap() < 0.05);
        assert!(of(&loose).relative_iqr.unwrap() > 0.3);
    }

    #[test]
    fn the_gap_from_minimum_to_median_shows_interference() {
        let still = [100., 100., 101., 100., 99., 100.];
        let disturbed = [100., 200., 210., 190., 205., 195.];
        assert!(of(&still).median_over_min.unwrap() < 1.1);
        assert!(of(&disturbed).median_over_min.unwrap() > 1.8);
    }

    /// The original gave 0 for all of these, which reads as perfectly quiet.
    #[test]
    fn a_ratio_with_nothing_to_divide_by_is_unknown_and_not_zero() {
        let said = of(&[0.0, 0.0, 0.0, 4.0, 5.0]);
        assert_eq!((said.median, said.iqr), (0.0, 4.0));
        assert_eq!((said.relative_iqr, said.relative_mad), (None, None));
        assert_eq!(said.median_over_min, None);
        assert_eq!(said.range_over_median, None);
    }

    /// The original gave a summary of zeros.
    #[test]
    fn nothing_and_what_is_no_number_have_no_statistics() {
        assert_eq!(Statistics::of(&[]), None);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Statistics::of(&[1.0, bad, 2.0]), None);
        }
    }

    #[test]
    fn the_standard_error_of_a_median_falls_with_the_number_of_values() {
        // 1.2533 x 1 / sqrt(25), and half of that for four times as many.
        let error = standard_error_of_median(1.349, 25).unwrap();
        assert!((error - 0.250_66).abs() < 1e-4);
        assert!((standard_error_of_median(1.349, 100).unwrap() - error / 2.0).abs() < 1e-15);
        assert_eq!(
            of(&QUIET).standard_error_of_median,
            standard_error_of_median(of(&QUIET).iqr, 10)
        );
    }

    #[test]
    fn few_or_equal_values_have_no_standard_error() {
        assert_eq!(standard_error_of_median(1.0, 4), None);
        assert_eq!(of(&[3.0; 9]).standard_error_of_median, None);
    }
}
