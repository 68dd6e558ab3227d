//! Confirmation on fresh observations.
//!
//! Among several configurations one is called changed by chance more often than the level of each
//! says. What was called changed is therefore observed anew, and only the fresh observations say
//! whether it stands: 5 %, two-sided, the same sign. Equal programs pass both with `alpha` × 2.5 %.

use super::rule::{Rule, Verdict, out_of_reach};
use super::trimmed::Trimmed;

/// Whether fresh observations confirm what was called `screened`; none: go on.
///
/// A verdict that is no change has nothing to confirm: `false`. So have observations that are not
/// finite or do not vary.
pub fn confirmed(rule: &Rule, screened: Verdict, fresh: &[f64]) -> Option<bool> {
    let sign = match screened {
        Verdict::Regressed => 1.0,
        Verdict::Improved => -1.0,
        Verdict::Unchanged | Verdict::Inconclusive => return Some(false),
    };
    let last = rule.looks.last();
    for look in rule.looks.reached(fresh.len()) {
        let Some(seen) = fresh.get(..look.n).and_then(Trimmed::of) else {
            return Some(false);
        };
        let (estimate, error) = (sign * seen.mean, seen.standard_error);
        let half = look.equivalence * error;
        if error <= 0.0 || estimate + half < 0.0 {
            return Some(false);
        }
        if estimate - half > 0.0 {
            return Some(true);
        }
        let narrowest = last.equivalence * error * (look.n as f64 / last.n as f64).sqrt();
        if look.n >= last.n || out_of_reach(look.n, estimate, error, narrowest) {
            return Some(false);
        }
    }
    None
}
