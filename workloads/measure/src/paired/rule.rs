//! The decision: changed, unchanged, or neither.

use super::looks::{Look, Looks};
use super::robust::robust_sd;
use super::trimmed::Trimmed;

/// Fewest observations before the rule may give up.
const FUTILITY_FROM: usize = 21;

/// One-sided 95 % of a normal distribution: how far from the estimate giving up still looks.
const FUTILITY_REACH: f64 = 1.645;

/// An estimate farther from none than this many standard errors is not called unchanged before the
/// last look: a small change may yet be called.
const SUSPICION: f64 = 2.0;

/// When to look, and how small a change counts as none.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The looks.
    pub looks: Looks,
    /// Margin of equivalence as a fraction: 0.01.
    pub margin: f64,
}

impl Rule {
    /// The margin as a log-ratio.
    pub fn delta(&self) -> f64 {
        libm::log1p(self.margin)
    }

    /// Smallest change that the last look calls where one observation has a robust standard
    /// deviation of `sd`: `c_change[n_max] sd / sqrt(n_max)`, as a log-ratio like `sd`.
    ///
    /// It is half of the interval of change there, and does not depend on where a comparison ended.
    pub fn visible(&self, level: Level, sd: f64) -> f64 {
        let last = self.looks.last();
        level.of(&last) * sd / (last.n as f64).sqrt()
    }
}

/// What is said of two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The candidate is slower.
    Regressed,
    /// The candidate is faster.
    Improved,
    /// The two are equal within the margin, which was shown.
    Unchanged,
    /// Neither could be shown.
    Inconclusive,
}

/// An interval of log-ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    fn around(centre: f64, half: f64) -> Self {
        Interval {
            low: centre - half,
            high: centre + half,
        }
    }

    fn within(self, delta: f64) -> bool {
        -delta < self.low && self.high < delta
    }
}

/// What the rule says at one look. Numbers are log-ratios, candidate over baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The decision; none: go on.
    pub verdict: Option<Verdict>,
    /// Observations of this look, from the first.
    pub n: usize,
    /// Observations that there are.
    pub total: usize,
    /// Trimmed mean.
    pub estimate: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Interval at the level of the rule: a change is called where it excludes 0.
    pub change: Interval,
    /// Interval at 95 %: equivalence is shown where it is inside the margin.
    pub equivalence: Interval,
    /// Half of the interval of change that the last look of the rule would have, if the spread
    /// stays what it is here.
    pub projected: f64,
    /// Whether it gave up: neither a change nor equivalence was in reach.
    pub futile: bool,
    /// Robust standard deviation of one observation.
    pub sd: f64,
}

impl Judged {
    /// Smallest change that could be called: half of the interval of change. Of this look where no
    /// other follows, because of what was decided or because it ended; else of the last look, from
    /// the spread seen here.
    pub fn resolvable(&self) -> f64 {
        match self.verdict {
            Some(_) => 0.5 * (self.change.high - self.change.low),
            None => self.projected,
        }
    }
}

/// Whether the level of the rule is for one clock or shared by two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// One clock is judged.
    Whole,
    /// Two are, each at half of the level.
    Shared,
}

impl Level {
    fn of(self, look: &Look) -> f64 {
        match self {
            Level::Whole => look.change,
            Level::Shared => look.shared,
        }
    }
}

/// Replays every look that `observations` reach, in order; the first decision stands.
///
/// None before the first look, and where a value is not finite before a decision. Without a
/// decision the numbers are those of the last look reached.
pub fn judge(rule: &Rule, observations: &[f64]) -> Option<Judged> {
    let mut seen = None;
    for look in rule.looks.reached(observations.len()) {
        let judged = look_at(rule, Level::Whole, look, observations)?;
        if judged.verdict.is_some() {
            return Some(judged);
        }
        seen = Some(judged);
    }
    seen
}

/// A verdict when there is no time for more observations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concluded {
    /// The decision, or inconclusive.
    pub verdict: Verdict,
    /// Observations that there are.
    pub total: usize,
    /// What the rule said at the look that decided, or at the last one reached; absent where there
    /// was none.
    pub judged: Option<Judged>,
}

/// Ends a sequence: what was not decided is inconclusive.
pub fn conclude(rule: &Rule, observations: &[f64]) -> Concluded {
    let judged = judge(rule, observations).map(ended);
    Concluded {
        verdict: judged
            .and_then(|judged| judged.verdict)
            .unwrap_or(Verdict::Inconclusive),
        total: observations.len(),
        judged,
    }
}

/// The same numbers where no further look will come.
pub(super) fn ended(judged: Judged) -> Judged {
    if judged.verdict.is_some() {
        return judged;
    }
    Judged {
        verdict: Some(Verdict::Inconclusive),
        ..judged
    }
}

/// One look at the first `look.n` observations; none if one of them is not finite.
pub(super) fn look_at(
    rule: &Rule,
    level: Level,
    look: &Look,
    observations: &[f64],
) -> Option<Judged> {
    let seen = observations.get(..look.n)?;
    let Trimmed {
        mean,
        standard_error,
    } = Trimmed::of(seen)?;
    let last = rule.looks.last();
    let error_at_last = standard_error * (look.n as f64 / last.n as f64).sqrt();
    let judged = Judged {
        verdict: None,
        n: look.n,
        total: observations.len(),
        estimate: mean,
        standard_error,
        change: Interval::around(mean, level.of(look) * standard_error),
        equivalence: Interval::around(mean, look.equivalence * standard_error),
        projected: level.of(&last) * error_at_last,
        futile: false,
        sd: robust_sd(seen)?,
    };
    Some(decided(rule, judged, last.equivalence * error_at_last))
}

/// The decision at a look. `narrowest`: half of the interval of equivalence at the last look, if
/// the spread stays what it is.
fn decided(rule: &Rule, judged: Judged, narrowest: f64) -> Judged {
    let with = |verdict| Judged {
        verdict: Some(verdict),
        ..judged
    };
    // The clock is too coarse to show any spread: whatever it shows, it is no evidence.
    if judged.standard_error <= 0.0 {
        return with(Verdict::Inconclusive);
    }
    if judged.change.low > 0.0 {
        return with(Verdict::Regressed);
    }
    if judged.change.high < 0.0 {
        return with(Verdict::Improved);
    }
    let is_last = judged.n >= rule.looks.observations_max();
    let equal = judged.equivalence.within(rule.delta());
    if equal && (is_last || judged.estimate.abs() <= SUSPICION * judged.standard_error) {
        return with(Verdict::Unchanged);
    }
    if is_last {
        return with(Verdict::Inconclusive);
    }
    let reach = judged.estimate.abs() + FUTILITY_REACH * judged.standard_error;
    let hopeless = reach < judged.projected && narrowest > rule.delta();
    if judged.n >= FUTILITY_FROM && hopeless {
        return Judged {
            futile: true,
            ..with(Verdict::Inconclusive)
        };
    }
    judged
}

/// Whether the estimate is suspiciously far on the slow side without being called slower.
pub(super) fn suspiciously_slow(judged: &Judged) -> bool {
    judged.standard_error > 0.0 && judged.estimate > SUSPICION * judged.standard_error
}

/// Whether giving up is allowed: the estimate, as far as it may be off, would not reach `wanted`.
pub(super) fn out_of_reach(n: usize, estimate: f64, standard_error: f64, wanted: f64) -> bool {
    n >= FUTILITY_FROM && estimate + FUTILITY_REACH * standard_error < wanted
}

#[cfg(test)]
mod tests;
