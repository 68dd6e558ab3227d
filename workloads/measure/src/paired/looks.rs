//! When the rule looks, and how far out it must then be to decide.

use std::ops::RangeInclusive;

use super::critical::critical_values;

/// Two-sided level of the repeated intervals that prove equivalence, and of a confirmation.
pub const EQUIVALENCE_ALPHA: f64 = 0.05;

/// Fewest observations at which anything is decided.
pub const FIRST_LOOK: usize = 6;

/// The looks of the method; each later one has 1.4 times the observations.
const SCHEDULE: [usize; 9] = [FIRST_LOOK, 8, 11, 15, 21, 29, 40, 56, 80];

/// Levels that there are boundaries for; one outside is taken as the nearest inside.
pub const ALPHAS: RangeInclusive<f64> = 1e-4..=0.5;

/// One look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Observations.
    pub n: usize,
    /// Standard errors that a change must be away from none.
    pub change: f64,
    /// The same where the level is shared by two clocks.
    pub shared: f64,
    /// Standard errors of the interval that proves equivalence.
    pub equivalence: f64,
}

/// All looks of a rule, in ascending order; at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Looks {
    looks: Vec<Look>,
}

impl Looks {
    /// Looks at 6, 8, 11, 15, 21, 29, 40, 56, 80, … observations up to `observations_max`, which is
    /// always the last; all of them together call equal programs changed with probability `alpha`.
    ///
    /// Fewer than 6 observations are taken as 6, and `alpha` is held between 0.0001 and 0.5.
    pub fn sequential(observations_max: usize, alpha: f64) -> Looks {
        let last = observations_max.max(FIRST_LOOK);
        let mut n: Vec<usize> = SCHEDULE.into_iter().filter(|&n| n < last).collect();
        let mut next = SCHEDULE[SCHEDULE.len() - 1];
        // A factor of 1.4 gets past any number of observations in less than a hundred steps.
        while next < last {
            next += (2 * next).div_ceil(5);
            n.push(next.min(last));
        }
        if n.last() != Some(&last) {
            n.push(last);
        }
        Looks::at(&n, alpha)
    }

    /// One look, at exactly `n` observations, two at least.
    pub fn fixed(n: usize, alpha: f64) -> Looks {
        Looks::at(&[n.max(2)], alpha)
    }

    fn at(n: &[usize], alpha: f64) -> Looks {
        let (least, most) = (*ALPHAS.start(), *ALPHAS.end());
        let alpha = if alpha.is_nan() { least } else { alpha };
        let alpha = alpha.clamp(least, most);
        let change = critical_values(n, alpha);
        let shared = critical_values(n, 0.5 * alpha);
        let equivalence = critical_values(n, EQUIVALENCE_ALPHA);
        let values = change.into_iter().zip(shared).zip(equivalence);
        let looks = n.iter().zip(values);
        Looks {
            looks: looks
                .map(|(&n, ((change, shared), equivalence))| Look {
                    n,
                    change,
                    shared,
                    equivalence,
                })
                .collect(),
        }
    }

    /// The looks that `observations` reach.
    pub fn reached(&self, observations: usize) -> impl Iterator<Item = &Look> {
        self.looks
            .iter()
            .take_while(move |look| look.n <= observations)
    }

    /// All looks.
    pub fn all(&self) -> &[Look] {
        &self.looks
    }

    /// The last look; the rule asks for no further observation.
    pub fn last(&self) -> Look {
        let none = Look {
            n: 0,
            change: f64::INFINITY,
            shared: f64::INFINITY,
            equivalence: f64::INFINITY,
        };
        self.looks.last().copied().unwrap_or(none)
    }

    /// Observations of the last look.
    pub fn observations_max(&self) -> usize {
        self.last().n
    }
}
