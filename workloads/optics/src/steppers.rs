//! Which integrator runs, and on which steps.
//!
//! A pure function of the case, the requested stepper and the length of the run; the native
//! library is told the result.

use std::collections::BTreeMap;
use std::fmt;

/// First step that an error-controlled run tries, m; a long guide corrects it within a few steps.
const INITIAL_STEP_M: f64 = 1e-4;

/// The same for multistep methods in guides shorter than a metre: they begin at order 1, which
/// needs shorter steps than it will have.
const INITIAL_MULTISTEP_M: f64 = 1e-6;

/// Order of the predictor of the multistep methods on envelope grids (`docs/native.md`).
pub const ORDER_OF_ENVELOPES: i32 = 5;

/// The same on grids of a real field, whose source turns faster than it changes: higher orders were
/// rejected more often over whole capillaries.
pub const ORDER_OF_FIELDS: i32 = 3;

/// How far, relative to the length, replayed steps may miss the end of the guide.
const REPLAY_TOLERANCE: f64 = 1e-9;

/// An integrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepper {
    /// Dormand-Prince 5(4) in the interaction picture.
    Rk,
    /// Fourth-order Runge-Kutta in the interaction picture, on a schedule.
    Rk4ip,
    /// Exponential Adams predictor-corrector of variable step.
    Multistep,
    /// Adams predictor-corrector of variable step in the interaction picture.
    MultistepInteraction,
}

impl Stepper {
    /// Every integrator of this worker.
    pub const ALL: [Stepper; 4] = [
        Stepper::Multistep,
        Stepper::MultistepInteraction,
        Stepper::Rk,
        Stepper::Rk4ip,
    ];

    /// The word used in registries and flags.
    pub fn as_str(self) -> &'static str {
        match self {
            Stepper::Rk => "rk",
            Stepper::Rk4ip => "rk4ip",
            Stepper::Multistep => "multistep",
            Stepper::MultistepInteraction => "multistep-interaction",
        }
    }

    /// Whether it begins at order 1 and has a choice how far to go.
    fn is_multistep(self) -> bool {
        matches!(self, Stepper::Multistep | Stepper::MultistepInteraction)
    }

    /// First step to try in a guide of this length, m.
    fn initial_step_m(self, whole_m: f64) -> f64 {
        if self.is_multistep() && whole_m < 1.0 {
            INITIAL_MULTISTEP_M
        } else {
            INITIAL_STEP_M
        }
    }

    fn from_name(name: &str) -> Result<Self, StepperError> {
        let found = Stepper::ALL
            .into_iter()
            .find(|stepper| stepper.as_str() == name);
        found.ok_or_else(|| {
            let known: Vec<_> = Stepper::ALL
                .map(|stepper| format!("`{}`", stepper.as_str()))
                .into();
            StepperError(format!(
                "unknown stepper `{name}`: this worker has {}",
                known.join(", ")
            ))
        })
    }
}

/// Why no integration follows from what was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct StepperError(String);

impl fmt::Display for StepperError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StepperError {}

/// How the steps are found.
#[derive(Clone, Debug, PartialEq)]
pub enum Steps {
    /// By controlling the error.
    Controlled {
        /// Relative tolerance of one step.
        rtol: f64,
        /// Absolute floor of the norm.
        atol: f64,
        /// First step to try, m.
        initial_m: f64,
        /// Longest step, m.
        max_m: f64,
    },
    /// Equal steps laid down by the case, m.
    Fixed(Vec<f64>),
    /// The steps of an earlier run, m.
    Replayed(Vec<f64>),
}

/// What the steps of a case depend on, whatever family it is of.
pub trait Stepping {
    /// Length of the guide, m.
    fn length_m(&self) -> f64;

    /// Equal steps of a fixed schedule over the whole guide, where the case lays one down.
    fn fixed_steps(&self) -> Option<usize>;

    /// Relative tolerance of one step: that of the case, or of its interface.
    fn rtol(&self) -> f64;

    /// Absolute floor of the error norm.
    fn atol(&self) -> f64;

    /// Order of the predictor of multistep methods.
    fn multistep_order(&self) -> i32;
}

/// What is asked of a run beside the case.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Name of the stepper, `default` already resolved.
    pub stepper: &'a str,
    /// Fraction of the guide, in (0, 1].
    pub length: f64,
    /// Steps to take instead of controlling the error, m.
    pub replay: Option<&'a [f64]>,
}

/// An integrator, its steps and where they end.
#[derive(Clone, Debug, PartialEq)]
pub struct Integration {
    /// The integrator.
    pub stepper: Stepper,
    /// Order of its predictor; absent where it has only one.
    pub order: Option<i32>,
    /// Its steps.
    pub steps: Steps,
    /// Length of the run, m.
    pub length_m: f64,
}

impl Integration {
    /// What runs when `asked` is asked of `case`.
    ///
    /// A shortened run takes the first steps of the whole one: the limits of the controller and
    /// the length of fixed steps are those of the whole guide.
    pub fn resolve(case: &impl Stepping, asked: Asked<'_>) -> Result<Self, StepperError> {
        let stepper = Stepper::from_name(asked.stepper)?;
        let order = stepper.is_multistep().then(|| case.multistep_order());
        let whole_m = case.length_m();
        let length_m = whole_m * asked.length;
        if let Some(steps) = asked.replay {
            return replayed((stepper, order), steps, length_m);
        }
        if let Some(count) = case.fixed_steps() {
            return Ok(fixed((stepper, order), count, whole_m, asked.length));
        }
        if stepper == Stepper::Rk4ip {
            return Err(StepperError(
                "stepper `rk4ip` has no error control: give the case `fixed_steps`".into(),
            ));
        }
        let max_m = whole_m / 2.0;
        let steps = Steps::Controlled {
            rtol: case.rtol(),
            atol: case.atol(),
            initial_m: stepper.initial_step_m(whole_m).min(max_m),
            max_m,
        };
        Ok(Integration {
            stepper,
            order,
            steps,
            length_m,
        })
    }

    /// The steps laid down, where they are.
    pub fn schedule(&self) -> Option<&[f64]> {
        match &self.steps {
            Steps::Controlled { .. } => None,
            Steps::Fixed(steps) | Steps::Replayed(steps) => Some(steps),
        }
    }

    /// The integrator with the parameters that distinguish it, for the receipt.
    pub fn name(&self) -> String {
        let stepper = match self.order {
            Some(order) => format!("{} order={order}", self.stepper.as_str()),
            None => self.stepper.as_str().to_owned(),
        };
        match &self.steps {
            Steps::Controlled { .. } => stepper,
            Steps::Fixed(steps) => format!("{stepper} steps={}", steps.len()),
            Steps::Replayed(steps) => format!("{stepper} replayed={}", steps.len()),
        }
    }

    /// Tolerances by name; empty on a schedule.
    pub fn tolerances(&self) -> BTreeMap<String, f64> {
        match self.steps {
            Steps::Controlled { rtol, atol, .. } => {
                BTreeMap::from([("rtol".to_owned(), rtol), ("atol".to_owned(), atol)])
            }
            Steps::Fixed(_) | Steps::Replayed(_) => BTreeMap::new(),
        }
    }
}

fn fixed(
    (stepper, order): (Stepper, Option<i32>),
    count: usize,
    whole_m: f64,
    length: f64,
) -> Integration {
    let step = whole_m / count as f64;
    // In (0, count] before rounding, so it is an index.
    let taken = ((count as f64 * length).round() as usize).clamp(1, count);
    let length_m = if taken == count {
        whole_m
    } else {
        step * taken as f64
    };
    Integration {
        stepper,
        order,
        steps: Steps::Fixed(vec![step; taken]),
        length_m,
    }
}

fn replayed(
    (stepper, order): (Stepper, Option<i32>),
    steps: &[f64],
    length_m: f64,
) -> Result<Integration, StepperError> {
    if steps.is_empty() || steps.iter().any(|step| !(*step > 0.0 && step.is_finite())) {
        return Err(StepperError(
            "`replay_steps` must be positive, finite lengths in metres".into(),
        ));
    }
    let sum: f64 = steps.iter().sum();
    if (sum - length_m).abs() > REPLAY_TOLERANCE * length_m {
        return Err(StepperError(format!(
            "the replayed steps sum to {sum} m and the run is {length_m} m long: record them from \
             a run of the same length"
        )));
    }
    Ok(Integration {
        stepper,
        order,
        steps: Steps::Replayed(steps.to_vec()),
        length_m,
    })
}

/// The planes at which a run is observed, in metres, ascending: those of the whole guide that the
/// run reaches, and its end.
pub fn planes_m(whole_m: f64, planes: usize, length_m: f64) -> Vec<f64> {
    let intervals = planes.saturating_sub(1).max(1);
    let at = |index: usize| whole_m * index as f64 / intervals as f64;
    let mut reached: Vec<f64> = (0..intervals).map(at).filter(|z| *z < length_m).collect();
    reached.push(length_m);
    reached
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, clippy::float_cmp)]
    use super::*;
    use crate::gnlse::{Gnlse, Noise, parameters::Parameters};
    use serde_json::{Value, json};

    fn case(extra: &Value) -> Gnlse {
        let mut value = json!({
            "fibre": "dudley", "raman": "none", "raman_fraction": 0.18, "shock": true,
            "pulse": {"shape": "sech", "fwhm_s": 50e-15, "peak_power_w": 1e4},
            "wavelength_m": 835e-9, "wavelength_limits_m": [400e-9, 2400e-9],
            "window_s": 1e-13, "length_m": 2.0, "planes": 5
        });
        let map = value.as_object_mut().unwrap();
        map.extend(extra.as_object().unwrap().clone());
        Gnlse::new(&Parameters::read(map).unwrap(), Noise::None).unwrap()
    }

    fn asked<'a>(stepper: &'a str, length: f64, replay: Option<&'a [f64]>) -> Asked<'a> {
        Asked {
            stepper,
            length,
            replay,
        }
    }

    #[test]
    fn the_interface_has_its_tolerances_and_a_case_may_declare_its_own() {
        let resolved = Integration::resolve(&case(&json!({})), asked("rk", 1.0, None)).unwrap();
        assert_eq!(resolved.name(), "rk");
        assert_eq!(resolved.tolerances()["rtol"], 1e-8);
        assert_eq!(resolved.tolerances()["atol"], 1e-10);
        let case = case(&json!({"rtol": 1e-6}));
        let resolved = Integration::resolve(&case, asked("rk", 1.0, None)).unwrap();
        assert_eq!(resolved.tolerances()["rtol"], 1e-6);
    }

    #[test]
    fn a_shortened_run_keeps_the_limits_of_the_whole_one() {
        let case = case(&json!({}));
        let resolved = Integration::resolve(&case, asked("rk", 0.25, None)).unwrap();
        assert_eq!(resolved.length_m, 0.5);
        let expected = Steps::Controlled {
            rtol: 1e-8,
            atol: 1e-10,
            initial_m: 1e-4,
            max_m: 1.0,
        };
        assert_eq!(resolved.steps, expected);
    }

    #[test]
    fn a_multistep_method_has_an_order_and_begins_with_short_steps_in_short_guides() {
        for name in ["multistep", "multistep-interaction"] {
            for (length_m, first_m) in [(2.0, 1e-4), (0.5, 1e-6), (1e-6, 5e-7)] {
                let case = case(&json!({"length_m": length_m}));
                let resolved = Integration::resolve(&case, asked(name, 1.0, None)).unwrap();
                assert_eq!(resolved.name(), format!("{name} order=5"));
                let Steps::Controlled { initial_m, .. } = resolved.steps else {
                    panic!("{resolved:?}");
                };
                assert_eq!(initial_m, first_m, "{name} over {length_m} m");
            }
        }
        let steps = [1.0, 1.0];
        let replayed = asked("multistep", 1.0, Some(&steps));
        let resolved = Integration::resolve(&case(&json!({})), replayed).unwrap();
        assert_eq!(resolved.name(), "multistep order=5 replayed=2");
    }

    #[test]
    fn fixed_steps_are_equal_and_a_shortened_run_takes_the_first_of_them() {
        let case = case(&json!({"fixed_steps": 8}));
        let whole = Integration::resolve(&case, asked("rk4ip", 1.0, None)).unwrap();
        assert_eq!(whole.schedule(), Some(&[0.25; 8][..]));
        assert_eq!(whole.name(), "rk4ip steps=8");
        assert!(whole.tolerances().is_empty());
        let half = Integration::resolve(&case, asked("rk4ip", 0.5, None)).unwrap();
        assert_eq!(
            (half.schedule(), half.length_m),
            (Some(&[0.25; 4][..]), 1.0)
        );
        let least = Integration::resolve(&case, asked("rk4ip", 1e-9, None)).unwrap();
        assert_eq!(least.schedule(), Some(&[0.25][..]));
    }

    #[test]
    fn replayed_steps_must_reach_the_end() {
        let case = case(&json!({}));
        let steps = [0.5, 1.0, 0.5];
        let resolved = Integration::resolve(&case, asked("rk", 1.0, Some(&steps))).unwrap();
        assert_eq!(resolved.name(), "rk replayed=3");
        for wrong in [&[0.5, 1.0][..], &[], &[3.0, -1.0], &[f64::NAN]] {
            assert!(Integration::resolve(&case, asked("rk", 1.0, Some(wrong))).is_err());
        }
    }

    #[test]
    fn steppers_that_cannot_run_are_refused_by_name() {
        let case = case(&json!({}));
        for (name, named) in [("euler", "`multistep`, "), ("rk4ip", "`fixed_steps`")] {
            let error = Integration::resolve(&case, asked(name, 1.0, None)).unwrap_err();
            assert!(error.to_string().contains(named), "{error}");
        }
    }

    #[test]
    fn planes_keep_their_spacing_and_the_last_is_the_end() {
        assert_eq!(planes_m(2.0, 5, 2.0), [0.0, 0.5, 1.0, 1.5, 2.0]);
        assert_eq!(planes_m(2.0, 5, 1.2), [0.0, 0.5, 1.0, 1.2]);
        assert_eq!(planes_m(2.0, 2, 2.0), [0.0, 2.0]);
        assert_eq!(planes_m(2.0, 5, 0.1), [0.0, 0.1]);
    }
}
