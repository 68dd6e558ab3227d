//! What the thresholds of a policy say of numbers that can be read.
//!
//! [`Change::Both`] has three answers. A change is called where both thresholds are reached. A pass
//! excludes a change that is large enough to count. In between the numbers do not say: a pass there
//! would hide a change of a fifth on a noisy machine.

use super::policy::STANDARD_ERRORS_MIN;
use super::{Change, Difference, Held, Reason, Thresholds, Verdict};

/// The verdict, and everything that decided it.
pub fn decide(difference: &Difference, thresholds: &Thresholds) -> (Verdict, Vec<Reason>) {
    match thresholds.change {
        Change::Both { relative, sigmas } => by_both(difference, relative, sigmas),
        Change::Ratio { slowdown } => by_ratio(difference, slowdown),
    }
}

fn by_both(difference: &Difference, relative_min: f64, sigmas_min: f64) -> (Verdict, Vec<Reason>) {
    let Difference {
        relative,
        standard_error,
        ..
    } = *difference;
    let sigmas = difference.sigmas.unwrap_or(0.0);
    let large = Held {
        found: relative,
        limit: relative_min,
        reached: relative.abs() >= relative_min,
    };
    let clear = Held {
        found: sigmas,
        limit: sigmas_min,
        reached: sigmas >= sigmas_min,
    };
    match (large.reached, clear.reached) {
        (true, true) => {
            let reasons = vec![Reason::Relative(large), Reason::Sigmas(clear)];
            (direction(relative), reasons)
        }
        (true, false) => {
            let reason = Reason::Unclear {
                relative,
                sigmas: clear,
            };
            (Verdict::Inconclusive, vec![reason])
        }
        (false, _) if !is_excluded(relative_min, difference) => {
            let reason = Reason::NotExcluded {
                relative,
                limit: relative_min,
                standard_error,
            };
            (Verdict::Inconclusive, vec![reason])
        }
        (false, true) => (Verdict::Pass, vec![Reason::Relative(large)]),
        (false, false) => {
            let reasons = vec![Reason::Relative(large), Reason::Sigmas(clear)];
            (Verdict::Pass, reasons)
        }
    }
}

/// Whether a change of `relative` either way is too far from what was found. Nothing is excluded
/// where no standard error is known.
fn is_excluded(relative: f64, difference: &Difference) -> bool {
    let found = difference.relative.abs();
    let error = difference.standard_error;
    error.is_some_and(|error| found + STANDARD_ERRORS_MIN * error < relative)
}

fn by_ratio(difference: &Difference, slowdown: f64) -> (Verdict, Vec<Reason>) {
    let found = difference.ratio.max(1.0 / difference.ratio);
    let ratio = Held {
        found,
        limit: slowdown,
        reached: found > slowdown,
    };
    let verdict = match ratio.reached {
        true => direction(difference.relative),
        false => Verdict::Pass,
    };
    (verdict, vec![Reason::Ratio(ratio)])
}

/// Which way a change goes. Thresholds that make sense are not reached by none.
fn direction(relative: f64) -> Verdict {
    match relative > 0.0 {
        true => Verdict::Regressed,
        false => Verdict::Improved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(relative: f64, sigmas: f64, standard_error: Option<f64>) -> Difference {
        Difference {
            ratio: 1.0 + relative,
            relative,
            sigmas: Some(sigmas),
            standard_error,
        }
    }

    /// What the policy `tracker` says: 5 % and three sigmas.
    fn tracked(relative: f64, sigmas: f64, standard_error: Option<f64>) -> (Verdict, Vec<Reason>) {
        let difference = difference(relative, sigmas, standard_error);
        decide(&difference, &Thresholds::tracker())
    }

    #[test]
    fn a_change_is_called_or_excluded_or_neither_and_what_decides_is_named() {
        use Verdict::{Improved, Inconclusive, Pass, Regressed};
        for (relative, sigmas, error, verdict, codes) in [
            (0.05, 3.0, Some(0.01), Regressed, "relative sigmas"),
            (-0.05, 3.0, Some(0.01), Improved, "relative sigmas"),
            // What is called needs no standard error.
            (0.40, 3.0, None, Regressed, "relative sigmas"),
            (0.08, 1.35, Some(0.02), Inconclusive, "sigmas"),
            (0.20, 2.99, Some(0.01), Inconclusive, "sigmas"),
            (-0.20, 2.99, None, Inconclusive, "sigmas"),
            (0.0, 0.1, Some(0.005), Pass, "relative sigmas"),
            (0.02, 10.0, Some(0.0005), Pass, "relative"),
            // 4.9 % and twice 0.04 %; then 2 % and twice 1.6 %.
            (0.049, 10.0, Some(0.0004), Pass, "relative"),
            (0.02, 0.9, Some(0.016), Inconclusive, "standard_error"),
            (-0.04, 5.0, Some(0.006), Inconclusive, "standard_error"),
            (0.0, 0.0, Some(0.025), Inconclusive, "standard_error"),
            (0.01, 4.0, None, Inconclusive, "standard_error"),
        ] {
            let (said, reasons) = tracked(relative, sigmas, error);
            let found: Vec<&str> = reasons.iter().map(Reason::code).collect();
            let case = format!("{relative} {sigmas} {error:?}");
            assert_eq!((said, found.join(" ").as_str()), (verdict, codes), "{case}");
        }
    }

    /// Differences of -40 to 40 %, with little noise and with much.
    fn differences() -> Vec<(f64, f64, Option<f64>)> {
        let mut all = Vec::new();
        for step in -80..=80 {
            let relative = f64::from(step) * 0.005;
            for sigmas in [0.0, 1.0, 2.999, 3.0, 30.0] {
                for error in [Some(0.0001), Some(0.01), Some(0.03), None] {
                    all.push((relative, sigmas, error));
                }
            }
        }
        all
    }

    #[test]
    fn five_percent_never_pass_and_nothing_is_called_without_both_thresholds() {
        for (relative, sigmas, error) in differences() {
            let (verdict, reasons) = tracked(relative, sigmas, error);
            let case = format!("{relative} {sigmas} {error:?}: {verdict:?}");
            let large = relative.abs() >= 0.05;
            let hidden = large && verdict == Verdict::Pass;
            assert!(!hidden, "{case}");
            let slower = large && sigmas >= 3.0 && relative > 0.0;
            let faster = large && sigmas >= 3.0 && relative < 0.0;
            assert_eq!(verdict == Verdict::Regressed, slower, "{case}");
            assert_eq!(verdict == Verdict::Improved, faster, "{case}");
            assert!(!reasons.is_empty(), "{case}");
        }
    }

    #[test]
    fn more_noise_makes_a_verdict_inconclusive_and_nothing_else() {
        for (relative, sigmas, error) in differences() {
            let quiet = tracked(relative, sigmas, error).0;
            let noisier = [
                tracked(relative, 0.5 * sigmas, error).0,
                tracked(relative, sigmas, error.map(|error| 2.0 * error)).0,
                tracked(relative, sigmas, None).0,
            ];
            for verdict in noisier {
                let holds = verdict == quiet || verdict == Verdict::Inconclusive;
                let case = format!("{relative} {sigmas} {error:?}");
                assert!(holds, "{case}: {quiet:?} became {verdict:?}");
            }
        }
    }

    #[test]
    fn what_the_numbers_do_not_say_comes_with_what_would_show_it() {
        let sentence = |relative, sigmas, error| {
            let reasons = tracked(relative, sigmas, error).1;
            reasons[0].to_string()
        };
        assert_eq!(
            sentence(0.2, 2.5, Some(0.02)),
            "+20.00 % may be a change, but 2.50 sigmas are fewer than 3.00; measure on a quieter \
             machine, in longer blocks, or with `ab`"
        );
        assert_eq!(
            sentence(-0.021, 0.9, Some(0.018)),
            "-2.10 % with a standard error of 1.80 % does not exclude 5.00 %; take more samples, \
             measure on a quieter machine, or use `ab`"
        );
        assert_eq!(
            sentence(0.01, 4.0, None),
            "+1.00 % does not exclude 5.00 %: the middle half of a side is alike, so its median \
             has no standard error; let a block have more operations"
        );
    }

    #[test]
    fn a_ratio_is_held_to_its_limit_alone() {
        for (relative, verdict) in [
            (0.0, Verdict::Pass),
            (0.099, Verdict::Pass),
            (0.101, Verdict::Regressed),
            (-0.09, Verdict::Pass),
            (-0.1, Verdict::Improved),
        ] {
            let found = difference(relative, 0.0, None);
            let (said, reasons) = decide(&found, &Thresholds::acceptance());
            assert_eq!((said, reasons[0].code()), (verdict, "ratio"), "{relative}");
            assert_eq!(reasons.len(), 1);
        }
    }
}
