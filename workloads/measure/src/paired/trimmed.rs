//! The 20 % trimmed mean and its standard error.
//!
//! K. K. Yuen, Biometrika 61, 165 (1974): a fifth of the values is cut at each end for the mean,
//! and moved to the nearest value that stays for the spread. One process that was disturbed then
//! moves neither.

use crate::statistics::ascending;

/// A trimmed mean and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trimmed {
    /// The mean of what is left.
    pub mean: f64,
    /// Its standard error; zero where what is left is all one value.
    pub standard_error: f64,
}

/// How many of `n` values are cut at each end.
pub fn cut(n: usize) -> usize {
    n / 5
}

/// Degrees of freedom that Tukey and McLaughlin give the mean over its standard error.
pub fn degrees(n: usize) -> usize {
    (n - 2 * cut(n)).saturating_sub(1)
}

impl Trimmed {
    /// Of `values` in any order; none for fewer than two, or if one is not finite.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = values.len();
        let kept = ascending(values)?;
        if n < 2 {
            return None;
        }
        let cut = cut(n);
        let kept = kept.get(cut..n - cut)?;
        let (first, last) = (*kept.first()?, *kept.last()?);
        let mean = sum(kept.iter().copied()) / kept.len() as f64;
        let ends = cut as f64;
        let winsorised = (sum(kept.iter().copied()) + ends * (first + last)) / n as f64;
        let square = |value: f64| (value - winsorised) * (value - winsorised);
        let squares = sum(kept.iter().copied().map(square)) + ends * (square(first) + square(last));
        let deviation = (squares / (n as f64 - 1.0)).sqrt();
        let share = kept.len() as f64 / n as f64;
        let standard_error = deviation / (share * (n as f64).sqrt());
        // Equal values can differ from their mean by rounding.
        let varies = first < last;
        Some(Trimmed {
            mean,
            standard_error: if varies { standard_error } else { 0.0 },
        })
    }
}

/// The trimmed mean alone, of one value or more; none if one is not finite.
pub fn trimmed_mean(values: &[f64]) -> Option<f64> {
    let kept = ascending(values)?;
    let cut = cut(kept.len());
    let kept = kept.get(cut..kept.len() - cut)?;
    (!kept.is_empty()).then(|| sum(kept.iter().copied()) / kept.len() as f64)
}

fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;

    #[test]
    fn a_fifth_is_cut_at_each_end_and_moved_for_the_spread() {
        // One of 6 is cut at each end: 2, 3, 4, 6 are left, and 2, 2, 3, 4, 6, 6 give the spread.
        let trimmed = Trimmed::of(&[6.0, 3.0, -50.0, 4.0, 1000.0, 2.0]).unwrap();
        assert_eq!(trimmed.mean, 3.75);
        let mean = 23.0 / 6.0;
        let squares: f64 = [2.0, 2.0, 3.0, 4.0, 6.0, 6.0_f64]
            .iter()
            .map(|value| (value - mean) * (value - mean))
            .sum();
        let expected = (squares / 5.0).sqrt() / (4.0 / 6.0 * 6.0_f64.sqrt());
        assert!((trimmed.standard_error / expected - 1.0).abs() < 1e-14);
    }

    #[test]
    fn four_values_have_their_mean_and_its_standard_error() {
        let trimmed = Trimmed::of(&[1.0, 2.0, 3.0, 6.0]).unwrap();
        assert_eq!(trimmed.mean, 3.0);
        assert!((trimmed.standard_error - (14.0_f64 / 3.0).sqrt() / 2.0).abs() < 1e-15);
    }

    #[test]
    fn equal_values_have_a_standard_error_of_exactly_zero() {
        let trimmed = Trimmed::of(&[0.1; 7]).unwrap();
        assert_eq!(trimmed.standard_error, 0.0);
        let outliers = Trimmed::of(&[0.1, 0.1, 5.0, 0.1, 0.1, -9.0]).unwrap();
        assert_eq!(outliers.standard_error, 0.0);
    }

    #[test]
    fn the_order_of_the_values_changes_no_bit() {
        let values = [0.3, 0.1, 0.7, 0.2, 0.9, 0.5, 0.11];
        let mut turned = values;
        turned.reverse();
        assert_eq!(Trimmed::of(&values), Trimmed::of(&turned));
    }

    #[test]
    fn one_value_has_no_standard_error_and_what_is_no_number_has_nothing() {
        assert_eq!(Trimmed::of(&[1.0]), None);
        assert_eq!(trimmed_mean(&[1.0]), Some(1.0));
        assert_eq!(trimmed_mean(&[]), None);
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(Trimmed::of(&[1.0, 2.0, bad]), None);
            assert_eq!(trimmed_mean(&[1.0, bad]), None);
        }
    }
}
