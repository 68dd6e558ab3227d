//! How much spread makes a time useless.
//!
//! One limit for everything that is sampled. For a symmetric distribution the interquartile range
//! is twice the median absolute deviation, so 10 % of the one is 5 % of the other; where the shape
//! is odd, the larger counts.

use std::fmt;

use super::{SPREAD_SAMPLES_MIN, Statistics};

/// Relative interquartile range above which a reader is told of the spread.
pub const NOTED_RELATIVE_IQR: f64 = 0.05;

/// Spread of one set of samples relative to its median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Interquartile range over the median, where there is one.
    pub relative_iqr: Option<f64>,
    /// Median absolute deviation over the median, where there is one.
    pub relative_mad: Option<f64>,
}

impl Noise {
    /// Of enough samples; none of fewer than [`SPREAD_SAMPLES_MIN`], whatever they look like.
    pub fn of(statistics: &Statistics) -> Option<Self> {
        (statistics.count >= SPREAD_SAMPLES_MIN).then_some(Noise {
            relative_iqr: statistics.relative_iqr,
            relative_mad: statistics.relative_mad,
        })
    }
}

/// Limits of the spread; comparisons with them are strict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseLimits {
    /// Largest interquartile range over the median.
    pub relative_iqr: f64,
    /// Largest median absolute deviation over the median.
    pub relative_mad: f64,
}

impl NoiseLimits {
    /// On a CPU: 10 % and 5 %.
    pub fn cpu() -> Self {
        NoiseLimits {
            relative_iqr: 0.10,
            relative_mad: 0.05,
        }
    }

    /// On a GPU: twice as much.
    pub fn gpu() -> Self {
        NoiseLimits {
            relative_iqr: 0.20,
            relative_mad: 0.10,
        }
    }

    /// Whether both are numbers that a spread can be held to.
    pub fn are_valid(&self) -> bool {
        let valid = |limit: f64| limit.is_finite() && limit >= 0.0;
        valid(self.relative_iqr) && valid(self.relative_mad)
    }

    /// The first limit that is exceeded, if one is.
    pub fn exceeded(&self, noise: &Noise) -> Option<Excess> {
        let over = |measure, found: Option<f64>, limit: f64| {
            let found = found.filter(|found| *found > limit)?;
            Some(Excess {
                measure,
                found,
                limit,
            })
        };
        over(
            Measure::InterquartileRange,
            noise.relative_iqr,
            self.relative_iqr,
        )
        .or_else(|| {
            over(
                Measure::MedianDeviation,
                noise.relative_mad,
                self.relative_mad,
            )
        })
    }
}

/// A measure of spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The interquartile range.
    InterquartileRange,
    /// The median absolute deviation.
    MedianDeviation,
}

/// More spread than a limit allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// What exceeds it.
    pub measure: Measure,
    /// How much there is, over the median.
    pub found: f64,
    /// How much there may be.
    pub limit: f64,
}

impl fmt::Display for Excess {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let measure = match self.measure {
            Measure::InterquartileRange => "the interquartile range",
            Measure::MedianDeviation => "the median absolute deviation",
        };
        write!(
            out,
            "{measure} is {:.1} % of the median (at most {:.1} %)",
            100.0 * self.found,
            100.0 * self.limit
        )
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn noise(relative_iqr: f64, relative_mad: f64) -> Noise {
        Noise {
            relative_iqr: Some(relative_iqr),
            relative_mad: Some(relative_mad),
        }
    }

    #[test]
    fn either_measure_of_spread_can_be_too_much_and_is_named() {
        let cpu = NoiseLimits::cpu();
        assert_eq!(cpu.exceeded(&noise(0.10, 0.05)), None);
        let wide = cpu.exceeded(&noise(0.101, 0.01)).unwrap();
        assert_eq!(
            wide.to_string(),
            "the interquartile range is 10.1 % of the median (at most 10.0 %)"
        );
        let odd = cpu.exceeded(&noise(0.09, 0.051)).unwrap();
        assert_eq!(
            odd.to_string(),
            "the median absolute deviation is 5.1 % of the median (at most 5.0 %)"
        );
        assert_eq!(NoiseLimits::gpu().exceeded(&noise(0.19, 0.09)), None);
    }

    #[test]
    fn four_samples_are_neither_quiet_nor_noisy() {
        let wild = [1.0, 100.0, 5.0, 40.0];
        assert_eq!(Noise::of(&Statistics::of(&wild).unwrap()), None);
        let five = Statistics::of(&[1.0, 100.0, 5.0, 40.0, 7.0]).unwrap();
        let noise = Noise::of(&five).unwrap();
        assert!(NoiseLimits::gpu().exceeded(&noise).is_some());
    }

    #[test]
    fn a_limit_that_is_no_number_is_no_limit() {
        assert!(NoiseLimits::cpu().are_valid() && NoiseLimits::gpu().are_valid());
        for bad in [f64::NAN, f64::INFINITY, -0.1] {
            let limits = NoiseLimits {
                relative_mad: bad,
                ..NoiseLimits::cpu()
            };
            assert!(!limits.are_valid());
        }
    }
}
