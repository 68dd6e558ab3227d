//! What counts as a change, and which verdicts stop a gate.

use super::Verdict;
use crate::acceptance;
use crate::statistics::{NoiseLimits, SPREAD_SAMPLES_MIN};

/// How many standard errors a difference must be away from a change that counts to exclude it.
/// Where samples are many and independent, one in forty changes that are just so large is excluded
/// all the same.
pub const STANDARD_ERRORS_MIN: f64 = 2.0;

/// Where nothing differs, one comparison in a thousand has sides that are apart by chance: seven
/// processes of each are needed for less.
const CHANCE_MAX: f64 = 1e-3;

/// One reading of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Fails on what is slower by both of two thresholds, and on nothing that is merely in doubt: a
    /// gate that cries for noise is soon switched off.
    Tracker,
    /// Fails on everything but what was shown to be fast enough.
    Acceptance,
}

impl Policy {
    /// The word in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Policy::Tracker => "tracker",
            Policy::Acceptance => "acceptance",
        }
    }

    /// Its own thresholds.
    pub fn thresholds(self) -> Thresholds {
        match self {
            Policy::Tracker => Thresholds::tracker(),
            Policy::Acceptance => Thresholds::acceptance(),
        }
    }

    /// Whether a verdict fails its gate. What the baseline does not have is reported only.
    pub fn fails(self, verdict: Verdict) -> bool {
        match self {
            Policy::Tracker => verdict == Verdict::Regressed,
            Policy::Acceptance => {
                !matches!(verdict, Verdict::Pass | Verdict::Improved | Verdict::New)
            }
        }
    }
}

/// What a change is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// A difference of medians that reaches both: so large a part of the baseline's, and so many
    /// times the larger robust sigma of both sides. A pass is [`STANDARD_ERRORS_MIN`] standard
    /// errors away from that part, and all else is inconclusive.
    Both {
        /// Part of the baseline's median, above 0: no difference is no change.
        relative: f64,
        /// Robust standard deviations of single samples.
        sigmas: f64,
    },
    /// A ratio of medians beyond this one, either way.
    Ratio {
        /// Slower over faster, 1 or more.
        slowdown: f64,
    },
}

/// Limits of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// What a change is.
    pub change: Change,
    /// Spread of a side that is too much for any verdict.
    pub noise: NoiseLimits,
    /// Fewest samples of a side; fewer than five are taken as that.
    pub samples_min: usize,
    /// Most likely that processes may be which are alike and are called apart.
    pub chance_max: f64,
}

impl Thresholds {
    /// 5 % and three sigmas.
    pub fn tracker() -> Self {
        Thresholds {
            change: Change::Both {
                relative: 0.05,
                sigmas: 3.0,
            },
            noise: NoiseLimits::cpu(),
            samples_min: SPREAD_SAMPLES_MIN,
            chance_max: CHANCE_MAX,
        }
    }

    /// The ratio of medians and the number of samples of [`acceptance`]; a kept baseline has no
    /// pairs.
    pub fn acceptance() -> Self {
        Thresholds {
            change: Change::Ratio {
                slowdown: acceptance::Thresholds::cpu().slowdown,
            },
            noise: NoiseLimits::cpu(),
            samples_min: acceptance::PAIRS_MIN,
            chance_max: CHANCE_MAX,
        }
    }

    /// Whether the limits make sense; by others nothing is decided.
    pub fn are_valid(&self) -> bool {
        let change = match self.change {
            Change::Both { relative, sigmas } => {
                let relative = relative.is_finite() && relative > 0.0;
                relative && sigmas.is_finite() && sigmas >= 0.0
            }
            Change::Ratio { slowdown } => slowdown.is_finite() && slowdown >= 1.0,
        };
        let chance = self.chance_max > 0.0 && self.chance_max < 1.0;
        change && chance && self.noise.are_valid()
    }

    /// How far a process may be from the median of the other side where nothing changed: twice what
    /// is a change, as a part.
    pub fn astray(&self) -> f64 {
        let change = match self.change {
            Change::Both { relative, .. } => relative,
            Change::Ratio { slowdown } => slowdown - 1.0,
        };
        2.0 * change
    }
}
