//! What samples say.
//!
//! Everything is derived from raw samples and nothing is dropped. [`Summary`] is for a handful:
//! with three samples there is a median and a range; a spread estimate would be the smaller gap in
//! disguise, so there is none. [`Statistics`] is for enough of them, [`noise`] for when there is
//! too much spread.

pub mod noise;
mod spread;

pub use noise::{Excess, Noise, NoiseLimits};
pub(crate) use spread::robust_sigma;
pub use spread::{SPREAD_SAMPLES_MIN, Statistics, standard_error_of_median};

/// Order statistics of a set of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Number of values.
    pub count: usize,
    /// Smallest value.
    pub min: f64,
    /// Median, by linear interpolation between the middle two.
    pub median: f64,
    /// Largest value.
    pub max: f64,
    /// `(max - min) / median`; unknown where the median is zero or less.
    pub range_over_median: Option<f64>,
}

impl Summary {
    /// Summary of `values`, in any order; none if there are no values or one is not finite.
    pub fn of(values: &[f64]) -> Option<Self> {
        Summary::of_ascending(&ascending(values)?)
    }

    /// Of finite values in ascending order.
    fn of_ascending(sorted: &[f64]) -> Option<Self> {
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let median = quantile(sorted, 0.5)?;
        Some(Summary {
            count: sorted.len(),
            min,
            median,
            max,
            range_over_median: (median > 0.0).then(|| (max - min) / median),
        })
    }
}

/// The `q` quantile of ascending values, interpolated linearly at `q (n - 1)`.
///
/// This is type 7 of R. J. Hyndman and Y. Fan, Am. Stat. 50, 361 (1996), the default of NumPy.
/// `q` is clamped to [0, 1]; no values have no quantile, and there is none at what is no number.
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    if q.is_nan() {
        return None;
    }
    let position = q.clamp(0.0, 1.0) * last as f64;
    // `position` lies in [0, last], so its floor is an index.
    let below = position.floor() as usize;
    let low = *sorted.get(below)?;
    let high = *sorted.get(below + 1).unwrap_or(&low);
    Some(low + (high - low) * (position - position.floor()))
}

/// The values in ascending order; none if one is not finite.
pub(crate) fn ascending(values: &[f64]) -> Option<Vec<f64>> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    values
        .iter()
        .all(|value| value.is_finite())
        .then_some(sorted)
}

/// Median of the absolute deviations from the median, not scaled to a standard deviation; none
/// without values, or if one is not finite.
pub fn median_absolute_deviation(values: &[f64]) -> Option<f64> {
    let median = quantile(&ascending(values)?, 0.5)?;
    let deviations: Vec<f64> = values.iter().map(|value| (value - median).abs()).collect();
    quantile(&ascending(&deviations)?, 0.5)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;

    #[test]
    fn quantiles_interpolate_between_neighbours() {
        let sorted = [10.0, 20.0, 30.0, 40.0];
        let quartiles = [0.25, 0.5, 0.75].map(|q| quantile(&sorted, q).unwrap());
        assert_eq!(quartiles, [17.5, 25.0, 32.5]);
        assert_eq!(quantile(&sorted, 0.0), Some(10.0));
        assert_eq!(quantile(&sorted, 1.0), Some(40.0));
    }

    #[test]
    fn a_quantile_beyond_the_ends_is_that_end_and_at_no_number_there_is_none() {
        let sorted = [10.0, 20.0, 30.0, 40.0];
        assert_eq!(quantile(&sorted, -0.5), Some(10.0));
        assert_eq!(quantile(&sorted, 1.5), Some(40.0));
        assert_eq!(quantile(&sorted, f64::NAN), None);
    }

    #[test]
    fn eleven_values_two_apart_have_an_interquartile_range_of_ten() {
        let sorted: Vec<f64> = (0..11).map(|i| 90.0 + 2.0 * f64::from(i)).collect();
        let spread = quantile(&sorted, 0.75).unwrap() - quantile(&sorted, 0.25).unwrap();
        assert_eq!(spread, 10.0);
    }

    #[test]
    fn one_value_is_its_own_quantiles_and_none_have_none() {
        assert_eq!(quantile(&[7.0], 0.25), Some(7.0));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn the_order_of_the_samples_does_not_matter() {
        let summary = Summary::of(&[30.0, 10.0, 20.0]).unwrap();
        assert_eq!(
            summary,
            Summary {
                count: 3,
                min: 10.0,
                median: 20.0,
                max: 30.0,
                range_over_median: Some(1.0),
            }
        );
    }

    #[test]
    fn one_slow_sample_moves_the_median_by_at_most_one() {
        let quiet = [100., 101., 99., 100., 102., 98., 101., 100., 99., 100.];
        let mut disturbed = quiet;
        disturbed[9] = 2000.0;
        let (quiet, disturbed) = (Summary::of(&quiet), Summary::of(&disturbed));
        assert!((disturbed.unwrap().median - quiet.unwrap().median).abs() <= 1.0);
        assert_eq!(disturbed.unwrap().max, 2000.0);
    }

    #[test]
    fn a_zero_median_has_no_relative_range() {
        let summary = Summary::of(&[0.0, 0.0, 5.0]).unwrap();
        assert_eq!(summary.range_over_median, None);
    }

    #[test]
    fn a_value_that_is_not_finite_has_no_summary() {
        assert_eq!(Summary::of(&[1.0, f64::NAN]), None);
        assert_eq!(Summary::of(&[1.0, f64::INFINITY]), None);
    }
}
