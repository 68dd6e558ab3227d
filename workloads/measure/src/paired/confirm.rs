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

#[cfg(test)]
mod tests {
    use super::super::Looks;
    use super::*;

    fn rule() -> Rule {
        Rule {
            looks: Looks::sequential(80, 0.01),
            margin: 0.01,
        }
    }

    /// `n` values around `mean`.
    fn around(mean: f64, spread: f64, n: usize) -> Vec<f64> {
        const PATTERN: [f64; 6] = [-1.0, 0.4, 1.0, -0.4, 0.7, -0.7];
        (0..n)
            .map(|index| mean + spread * PATTERN[index % 6])
            .collect()
    }

    #[test]
    fn the_same_sign_confirms_and_the_other_refutes() {
        let slower = around(0.02, 0.001, 6);
        assert_eq!(confirmed(&rule(), Verdict::Regressed, &slower), Some(true));
        assert_eq!(confirmed(&rule(), Verdict::Improved, &slower), Some(false));
        let faster = around(-0.02, 0.001, 6);
        assert_eq!(confirmed(&rule(), Verdict::Improved, &faster), Some(true));
        assert_eq!(confirmed(&rule(), Verdict::Regressed, &faster), Some(false));
    }

    #[test]
    fn before_a_look_and_without_a_decision_it_goes_on() {
        assert_eq!(confirmed(&rule(), Verdict::Regressed, &[]), None);
        let five = around(0.02, 0.001, 5);
        assert_eq!(confirmed(&rule(), Verdict::Regressed, &five), None);
        let vague = around(0.004, 0.01, 15);
        assert_eq!(confirmed(&rule(), Verdict::Regressed, &vague), None);
    }

    #[test]
    fn nothing_after_all_looks_or_out_of_reach_is_not_confirmed() {
        let nothing = around(0.0, 0.01, 80);
        assert_eq!(
            confirmed(&rule(), Verdict::Regressed, &nothing),
            Some(false)
        );
        let opposite = around(-0.004, 0.01, 21);
        assert_eq!(
            confirmed(&rule(), Verdict::Regressed, &opposite),
            Some(false)
        );
    }

    #[test]
    fn what_is_no_change_no_number_or_does_not_vary_is_not_confirmed() {
        let slower = around(0.02, 0.001, 6);
        for verdict in [Verdict::Unchanged, Verdict::Inconclusive] {
            assert_eq!(confirmed(&rule(), verdict, &slower), Some(false));
        }
        assert_eq!(
            confirmed(&rule(), Verdict::Regressed, &[0.02; 6]),
            Some(false)
        );
        let mut bad = slower;
        bad[2] = f64::NAN;
        assert_eq!(confirmed(&rule(), Verdict::Regressed, &bad), Some(false));
    }
}
