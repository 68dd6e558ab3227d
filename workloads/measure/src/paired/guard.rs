//! CPU time decides, wall time guards.
//!
//! A program that sleeps, waits for a lock or pages uses no CPU time for it. Where CPU time
//! decides, wall time is judged beside it, each at half of the level: what is significantly slower
//! on the wall is regressed, whatever CPU time says of it.

use super::looks::Look;
use super::rule::{Judged, Level, Rule, Verdict, ended, look_at, suspiciously_slow};

/// The clock that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// The one that decides.
    Primary,
    /// The one that guards.
    Guard,
}

/// What both clocks say at one look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guarded {
    /// The decision; none: go on.
    pub verdict: Option<Verdict>,
    /// The clock that decided, or will.
    pub decider: Decider,
    /// What the primary clock says, at half of the level.
    pub primary: Judged,
    /// What the guard says, at half of the level; of the look at which it was first called slower,
    /// if it was.
    pub guard: Judged,
}

impl Guarded {
    /// The numbers of the clock that decided.
    pub fn deciding(&self) -> &Judged {
        match self.decider {
            Decider::Primary => &self.primary,
            Decider::Guard => &self.guard,
        }
    }
}

/// Replays every look that both sequences reach, in order; the first decision stands.
///
/// * The primary clock is judged as by [`judge`](super::judge), at half of the level.
/// * The guard is called slower at the first look where its interval is above 0, and stays so.
/// * When the primary clock decides, a guard that was called slower makes it regressed.
/// * While the guard is suspiciously slow (two standard errors), the primary clock is not called
///   unchanged before the last look.
///
/// Equal programs are called changed with less than `alpha`: half of it for the primary clock, and
/// a quarter for the guard, which has one direction only.
pub fn guarded(rule: &Rule, primary: &[f64], guard: &[f64]) -> Option<Guarded> {
    let observations = primary.len().min(guard.len());
    let mut slower: Option<Judged> = None;
    let mut seen = None;
    for look in rule.looks.reached(observations) {
        let first = look_at(rule, Level::Shared, look, primary)?;
        let second = look_at(rule, Level::Shared, look, guard)?;
        slower = slower.or_else(|| is_slower(&second).then_some(second));
        let both = together(
            rule,
            look,
            first,
            slower.unwrap_or(second),
            slower.is_some(),
        );
        if both.verdict.is_some() {
            return Some(both);
        }
        seen = Some(both);
    }
    seen
}

/// A verdict when there is no time for more observations; the counterpart of
/// [`conclude`](super::conclude).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concluded {
    /// The decision, or inconclusive.
    pub verdict: Verdict,
    /// Observations that there are.
    pub total: usize,
    /// What both clocks said; absent where there was no look.
    pub guarded: Option<Guarded>,
}

/// Ends a sequence: what was not decided is regressed where the guard was called slower, and
/// inconclusive otherwise.
pub fn conclude(rule: &Rule, primary: &[f64], guard: &[f64]) -> Concluded {
    let guarded = guarded(rule, primary, guard).map(|both| {
        let verdict = both.verdict.unwrap_or(match both.decider {
            Decider::Primary => Verdict::Inconclusive,
            Decider::Guard => Verdict::Regressed,
        });
        Guarded {
            verdict: Some(verdict),
            primary: ended(both.primary),
            ..both
        }
    });
    Concluded {
        verdict: guarded
            .and_then(|both| both.verdict)
            .unwrap_or(Verdict::Inconclusive),
        total: primary.len().min(guard.len()),
        guarded,
    }
}

fn is_slower(judged: &Judged) -> bool {
    judged.verdict == Some(Verdict::Regressed)
}

fn together(rule: &Rule, look: &Look, primary: Judged, guard: Judged, slower: bool) -> Guarded {
    let is_last = look.n >= rule.looks.observations_max();
    let held = !slower && !is_last && suspiciously_slow(&guard);
    let overruled = slower && primary.verdict != Some(Verdict::Regressed);
    let verdict = match primary.verdict {
        Some(Verdict::Unchanged) if held => None,
        Some(_) if overruled => Some(Verdict::Regressed),
        other => other,
    };
    Guarded {
        verdict,
        decider: if overruled {
            Decider::Guard
        } else {
            Decider::Primary
        },
        primary: Judged {
            verdict: if held && verdict.is_none() {
                None
            } else {
                primary.verdict
            },
            ..primary
        },
        guard,
    }
}

#[cfg(test)]
mod tests;
