//! How long the next step is, and whether the last attempt counts. Pure.
//!
//! Errors are relative to the tolerance: up to 1 is accepted.

use std::ops::RangeInclusive;

/// Attempts in a row that may be rejected.
pub const REJECTIONS_MAX: u32 = 10;

/// A remainder of the guide that exceeds the step by less than this is taken whole.
const SLIVER: f64 = 1.0001;

/// What the control works to; lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// Relative tolerance of one step.
    pub rtol: f64,
    /// Absolute floor of the norm.
    pub atol: f64,
    /// First step to try.
    pub initial_m: f64,
    /// Longest step.
    pub max_m: f64,
}

/// How a family of steppers finds its next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Proportional and integral, for Runge-Kutta pairs.
    OneStep,
    /// Damped and with hysteresis, for multistep methods: growth that is too quick or too frequent
    /// upsets them, and an unchanged step keeps its tables.
    Multistep,
}

/// The control of one run.
#[derive(Clone, Debug)]
pub struct Control {
    tolerances: Tolerances,
    rule: Rule,
    step_m: f64,
    previous_error: f64,
    rejections: u32,
}

impl Control {
    /// A control that has seen nothing.
    pub fn new(tolerances: Tolerances, rule: Rule) -> Self {
        Control {
            tolerances,
            rule,
            step_m: tolerances.initial_m.min(tolerances.max_m),
            previous_error: ERROR_AIM,
            rejections: 0,
        }
    }

    /// The step to try with `rest_m` of the guide left; the rest itself if nothing worth a step
    /// of its own would be left over.
    pub fn propose(&self, rest_m: f64) -> f64 {
        if rest_m <= SLIVER * self.step_m {
            rest_m
        } else {
            self.step_m
        }
    }

    /// The error relative to the tolerance, from Euclidean norms of the estimate and of the states
    /// before and after; no number where one of them is none.
    pub fn relative_error(&self, estimate: f64, before: f64, after: f64) -> f64 {
        if !before.is_finite() || !after.is_finite() {
            return f64::NAN;
        }
        let size = before.max(after).max(self.tolerances.atol);
        estimate / (self.tolerances.rtol * size)
    }

    /// Judges an attempt of `step_m` and finds the next step; whether the attempt is accepted.
    /// `order` is that of the error estimate.
    pub fn judge(&mut self, step_m: f64, error: f64, order: u32) -> bool {
        let accepted = error <= 1.0;
        let factor = match (error.is_finite(), self.rule) {
            (false, _) => 0.5,
            (true, Rule::OneStep) => one_step_factor(error, self.previous_error, order),
            (true, Rule::Multistep) => multistep_factor(error, order, self.rejections > 0),
        };
        self.step_m = (step_m * factor).min(self.tolerances.max_m);
        // An error of 0 says nothing about the next step.
        if accepted && error > 0.0 {
            self.previous_error = error;
        }
        self.rejections = if accepted { 0 } else { self.rejections + 1 };
        accepted
    }

    /// Whether too many attempts in a row were rejected.
    pub fn gave_up(&self) -> bool {
        self.rejections > REJECTIONS_MAX
    }
}

/// The error that the proportional and integral control aims at.
const ERROR_AIM: f64 = 0.8;

/// Constants of Luna.jl, with a cap on growth. `order` is 4 for Dormand-Prince 5(4).
fn one_step_factor(error: f64, previous: f64, order: u32) -> f64 {
    let power = f64::from(order + 1);
    if error > 1.0 {
        return (0.9 * error.powf(-1.0 / power)).max(0.1);
    }
    if error <= 0.0 {
        return 1.5;
    }
    let proportional = (ERROR_AIM / error).powf(0.6 / power);
    let integral = (ERROR_AIM / previous).powf(-0.2 / power);
    (0.9 * proportional * integral).min(5.0)
}

/// Factors that are not worth new tables.
const KEPT: RangeInclusive<f64> = 0.95..=1.15;

/// `order` is that of the predictor.
fn multistep_factor(error: f64, order: u32, after_rejection: bool) -> f64 {
    let wanted = error.powf(-1.0 / f64::from(order + 1));
    if error > 1.0 {
        return (0.85 * wanted).max(0.2);
    }
    let growth_max = if after_rejection { 1.0 } else { 2.0 };
    let factor = (0.9 * wanted).clamp(0.2, growth_max);
    if KEPT.contains(&factor) { 1.0 } else { factor }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    const TOLERANCES: Tolerances = Tolerances {
        rtol: 1e-6,
        atol: 1e-10,
        initial_m: 1e-3,
        max_m: 0.5,
    };

    fn after(rule: Rule, order: u32, errors: &[f64]) -> (Control, bool) {
        let mut control = Control::new(TOLERANCES, rule);
        let mut accepted = false;
        for error in errors {
            accepted = control.judge(0.1, *error, order);
        }
        (control, accepted)
    }

    #[test]
    fn a_step_is_accepted_up_to_an_error_of_one() {
        for rule in [Rule::OneStep, Rule::Multistep] {
            for (error, expected) in [
                (0.0, true),
                (1.0, true),
                (1.000_001, false),
                (f64::NAN, false),
                (f64::INFINITY, false),
            ] {
                assert_eq!(after(rule, 4, &[error]).1, expected, "{rule:?} {error}");
            }
        }
    }

    #[test]
    fn the_next_step_follows_from_the_errors() {
        // Computed by hand from the rules; every attempt has a length of 0.1.
        let one_step: [(&[f64], f64); 7] = [
            (&[0.0], 0.15),
            (&[0.8], 0.09),
            (&[1e-9], 0.5),
            (&[32.0], 0.045),
            (&[1e10], 0.01),
            (&[f64::NAN], 0.05),
            // 0.9 (0.8 / 0.8)^0.12 (0.8 / 0.08)^-0.04
            (&[0.08, 0.8], 0.1 * 0.9 * 10.0_f64.powf(-0.04)),
        ];
        let multistep: [(&[f64], f64); 10] = [
            (&[0.0], 0.2),
            // 0.9 x 1024^(1/5) is above the cap.
            (&[1.0 / 1024.0], 0.2),
            // 0.9 x 2
            (&[1.0 / 32.0], 0.18),
            // 0.9 x 1.25
            (&[0.327_68], 0.1),
            // 0.9 x 4/3
            (&[0.237_304_687_5], 0.12),
            (&[1.0], 0.09),
            (&[32.0], 0.0425),
            (&[1e10], 0.02),
            (&[f64::NAN], 0.05),
            // No growth right after a rejection.
            (&[32.0, 1e-9], 0.1),
        ];
        let all = one_step.iter().map(|line| (Rule::OneStep, line));
        let all = all.chain(multistep.iter().map(|line| (Rule::Multistep, line)));
        for (rule, (errors, expected)) in all {
            let step_m = after(rule, 4, errors).0.propose(10.0);
            let error = (step_m / expected - 1.0).abs();
            assert!(error < 1e-12, "{rule:?} {errors:?}: {step_m}, {expected}");
        }
    }

    #[test]
    fn growth_is_possible_again_after_a_step_without_rejection() {
        let (control, _) = after(Rule::Multistep, 4, &[32.0, 1e-9, 1e-9]);
        assert!((control.propose(10.0) - 0.2).abs() < 1e-15);
    }

    #[test]
    fn steps_keep_to_the_longest_and_leave_no_sliver() {
        let mut control = Control::new(TOLERANCES, Rule::OneStep);
        assert_eq!(control.propose(10.0), 1e-3);
        assert_eq!(control.propose(1e-4), 1e-4);
        assert_eq!(control.propose(1.000_05e-3), 1.000_05e-3);
        assert_eq!(control.propose(1.001e-3), 1e-3);
        control.judge(0.4, 1e-9, 4);
        assert_eq!(control.propose(10.0), 0.5);
    }

    #[test]
    fn the_error_is_relative_to_the_larger_norm_and_has_a_floor() {
        let control = Control::new(TOLERANCES, Rule::OneStep);
        assert_eq!(control.relative_error(2e-6, 1.0, 2.0), 1.0);
        assert_eq!(control.relative_error(2e-6, 2.0, 1.0), 1.0);
        assert!((control.relative_error(1e-16, 0.0, 0.0) - 1.0).abs() < 1e-12);
        assert!(control.relative_error(1e-6, f64::NAN, 1.0).is_nan());
        assert!(control.relative_error(1e-6, 1.0, f64::INFINITY).is_nan());
    }

    #[test]
    fn eleven_rejections_in_a_row_are_too_many() {
        assert!(!after(Rule::OneStep, 4, &[2.0; 10]).0.gave_up());
        assert!(after(Rule::OneStep, 4, &[2.0; 11]).0.gave_up());
        let mut control = after(Rule::OneStep, 4, &[2.0; 11]).0;
        control.judge(0.1, 0.5, 4);
        assert!(!control.gave_up());
    }
}
