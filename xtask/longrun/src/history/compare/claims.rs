//! Which configurations of a run stand out of the runs before it.

use std::collections::BTreeMap;

use longrun_protocol::Configuration;
use serde::Serialize;

use crate::history::runs::Run;
use crate::history::suspect::{Rule, Standing, Suspicion, Timed};

/// What can be said of the configurations of a run, one by one.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Claims {
    /// Configurations that were held against the noise of the runs before.
    pub judged: usize,
    /// Configurations with too few comparable runs before.
    pub too_few_rows: usize,
    /// Configurations whose identity or noise is not known.
    pub unknown: usize,
    /// Smallest and largest of the steps from which the judged ones would be suspect, as fractions.
    pub smallest_steps: Option<[f64; 2]>,
    /// Those that stand out, the largest distances in units of noise first.
    pub suspects: Vec<Suspect>,
}

/// A configuration that stands out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suspect {
    /// The configuration.
    pub configuration: Configuration,
    /// By what it was judged.
    pub suspicion: Suspicion,
}

/// Times of the rows so far, by the number of their identity.
pub(super) type Timings = BTreeMap<usize, Vec<Timed>>;

impl Claims {
    /// What can be said of a run after the ones in `timed`, to which it is added.
    pub(super) fn of(run: &Run<'_>, timed: &mut Timings, rule: &Rule) -> Claims {
        let mut claims = Claims::default();
        for (number, row) in &run.known {
            let Some(new) = Timed::of(row) else {
                continue;
            };
            let before = timed.entry(*number).or_default();
            let suspicion = rule.judge(before, new);
            before.push(new);
            claims.count(&suspicion);
            if suspicion.stands_out() {
                claims.suspects.push(Suspect {
                    configuration: row.configuration.clone(),
                    suspicion,
                });
            }
        }
        claims.unknown = run.rows.len() - (claims.judged + claims.too_few_rows);
        let distance = |suspect: &Suspect| suspect.suspicion.judged.map_or(0.0, |by| by.z);
        let suspects = &mut claims.suspects;
        suspects.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
        claims
    }

    fn count(&mut self, suspicion: &Suspicion) {
        if suspicion.standing == Standing::TooFewRows {
            self.too_few_rows += 1;
        }
        let Some(judged) = suspicion.judged else {
            return;
        };
        self.judged += 1;
        let step = judged.smallest_step;
        let [least, most] = self.smallest_steps.unwrap_or([step; 2]);
        self.smallest_steps = Some([least.min(step), most.max(step)]);
    }
}
