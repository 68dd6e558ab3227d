//! Spread that one disturbed observation does not move, and what it lets one plan.

use crate::statistics::median_absolute_deviation;

/// Standard deviation of a normal distribution with a median absolute deviation of 1.
const PER_MAD: f64 = 1.482_602_218_505_602;

/// Robust standard deviation: the median absolute deviation, scaled to that of a normal
/// distribution. None without values, or if one is not finite.
pub fn robust_sd(values: &[f64]) -> Option<f64> {
    Some(PER_MAD * median_absolute_deviation(values)?)
}

/// Observations that it takes to call a change of `effect` (a log-ratio) where one observation has
/// a robust standard deviation of `sd`: `(4.5 sd / effect)^2`, rounded up, and 6 at least. None
/// where either is not a positive number.
pub fn observations_needed(sd: f64, effect: f64) -> Option<usize> {
    let effect = effect.abs();
    let known = sd.is_finite() && sd >= 0.0 && effect.is_finite() && effect > 0.0;
    let needed = (4.5 * sd / effect) * (4.5 * sd / effect);
    // Rounding must not add one to a whole number.
    let needed = needed * (1.0 - 1e-12);
    // Saturates: a change that cannot be seen needs more observations than there will ever be.
    known.then(|| (needed.ceil() as usize).max(super::looks::FIRST_LOOK))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;

    #[test]
    fn one_wild_value_does_not_move_the_spread() {
        // Deviations from 5: 4, 3, 2, 1, 0, 1, 2, 3, 4; their median is 2.
        let mut values: Vec<f64> = (1..=9).map(f64::from).collect();
        assert!((robust_sd(&values).unwrap() / (2.0 * PER_MAD) - 1.0).abs() < 1e-15);
        values[8] = 1e9;
        assert!((robust_sd(&values).unwrap() / (2.0 * PER_MAD) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn there_is_no_spread_of_nothing_or_of_what_is_no_number() {
        assert_eq!(robust_sd(&[]), None);
        assert_eq!(robust_sd(&[1.0, f64::NAN]), None);
        assert_eq!(robust_sd(&[3.0]), Some(0.0));
    }

    #[test]
    fn the_published_numbers_of_observations_for_two_percent_are_found() {
        for (sd, n) in [(0.01, 6), (0.02, 21), (0.03, 46), (0.05, 127), (0.08, 324)] {
            assert_eq!(observations_needed(sd, 0.02), Some(n));
            assert_eq!(observations_needed(sd, -0.02), Some(n));
        }
        assert_eq!(observations_needed(0.0, 0.02), Some(6));
        for (sd, effect) in [
            (0.01, 0.0),
            (f64::NAN, 0.02),
            (-1.0, 0.02),
            (0.01, f64::NAN),
        ] {
            assert_eq!(observations_needed(sd, effect), None);
        }
    }
}
