//! How long the steps are: laid down in advance, or found by controlling the error.

use super::control::{Control, Rule, Tolerances};
use super::fields::norm;
use super::schedule::Schedule;
use super::stepper::Attempt;
use crate::steppers::{Integration, Steps};

/// Where the lengths of the steps of one run come from.
pub struct Pace {
    length_m: f64,
    source: Source,
}

enum Source {
    Controlled {
        tolerances: Tolerances,
        rule: Rule,
        control: Control,
    },
    /// `next` is the number of the next step.
    Laid { schedule: Schedule, next: usize },
}

/// The next attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proposal {
    /// Its length, m.
    pub step_m: f64,
    /// Where it ends, m: exactly at the end of the guide if it is the last.
    pub end_m: f64,
}

impl Pace {
    /// The pace of an integration; `rule` is that of its stepper.
    pub fn new(integration: &Integration, rule: Rule) -> Self {
        let length_m = integration.length_m;
        let source = match &integration.steps {
            Steps::Controlled {
                rtol,
                atol,
                initial_m,
                max_m,
            } => {
                let tolerances = Tolerances {
                    rtol: *rtol,
                    atol: *atol,
                    initial_m: *initial_m,
                    max_m: *max_m,
                };
                Source::Controlled {
                    tolerances,
                    rule,
                    control: Control::new(tolerances, rule),
                }
            }
            Steps::Fixed(steps) | Steps::Replayed(steps) => Source::Laid {
                schedule: Schedule::new(steps, length_m),
                next: 0,
            },
        };
        Pace { length_m, source }
    }

    /// Forgets the past and begins at `z_m`; the position where it really begins, or why it
    /// cannot.
    pub fn restart(&mut self, z_m: f64) -> Result<f64, String> {
        if !(0.0..=self.length_m).contains(&z_m) {
            let length_m = self.length_m;
            return Err(format!(
                "z = {z_m} m is not within the guide of {length_m} m"
            ));
        }
        match &mut self.source {
            Source::Controlled {
                tolerances,
                rule,
                control,
            } => {
                *control = Control::new(*tolerances, *rule);
                Ok(z_m)
            }
            Source::Laid { schedule, next } => {
                let found = schedule.find(z_m);
                let (index, boundary_m) = found.ok_or_else(|| {
                    format!(
                        "z = {z_m} m is not a boundary of the schedule; restart where a step ends"
                    )
                })?;
                *next = index;
                Ok(boundary_m)
            }
        }
    }

    /// The next attempt from `z_m`, where the state has this norm; or why there is none.
    pub fn propose(&self, z_m: f64, norm: f64) -> Result<Proposal, String> {
        match &self.source {
            Source::Controlled { control, .. } => {
                let rest_m = self.length_m - z_m;
                let step_m = control.propose(rest_m);
                let end_m = if step_m < rest_m {
                    z_m + step_m
                } else {
                    self.length_m
                };
                if end_m > z_m {
                    return Ok(Proposal { step_m, end_m });
                }
                Err(format!(
                    "a step of {step_m:.3e} m no longer moves the position, where the state has \
                     the norm {norm:.3e}; loosen the tolerance"
                ))
            }
            Source::Laid { schedule, next } => {
                let step = schedule.step(*next);
                step.ok_or_else(|| "the schedule has no further step".to_owned())
            }
        }
    }

    /// Whether the attempt counts; the norm is that of the state before it.
    pub fn judge(&mut self, proposal: Proposal, attempt: &Attempt, norm_before: f64) -> bool {
        match &mut self.source {
            Source::Controlled { control, .. } => {
                let norm_after = norm(&attempt.state);
                let error = control.relative_error(attempt.error, norm_before, norm_after);
                control.judge(proposal.step_m, error, attempt.order)
            }
            Source::Laid { next, .. } => {
                *next += 1;
                true
            }
        }
    }

    /// Whether too many attempts in a row were rejected.
    pub fn gave_up(&self) -> bool {
        match &self.source {
            Source::Controlled { control, .. } => control.gave_up(),
            Source::Laid { .. } => false,
        }
    }
}
