//! Whether two sides computed the same: states, steps, and what a configuration resolved to. Pure.

use longrun_protocol::duet::{Segment, StretchReport};
use longrun_protocol::receipt::Resolved;
use serde::Serialize;

use crate::ab::kept::record::{Compared, Outcome, PairSide};

/// Steps by which the sides of a duet process may part whatever the tolerance is, unless it is
/// zero: a step that ends just before a plane on one side may end just behind it on the other.
const DUET_STEPS_SLACK: f64 = 1.0;

/// How far the sides of a configuration are apart, over all its observations.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Difference {
    /// Largest relative L2 difference of two states; absent where none was compared.
    pub relative_l2: Option<f64>,
    /// Steps of both sides in the observation in which they are farthest apart.
    pub accepted: Option<Counts>,
    /// Iterations of both sides, likewise.
    pub iterations: Option<Counts>,
    /// Observations with states that were not compared.
    pub not_compared: usize,
}

/// A count of each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// The baseline's.
    pub baseline: u64,
    /// The candidate's.
    pub candidate: u64,
}

impl Counts {
    fn apart(self) -> u64 {
        self.baseline.abs_diff(self.candidate)
    }
}

/// What is found as the observations of one configuration are looked at. Duets and pairs have
/// bounds of their own, so that what is farthest apart need not be what is too far apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    difference: Difference,
    resolved: Vec<String>,
    states_too_far: Option<f64>,
    steps_too_far: Option<Counts>,
    steps_of_one_side: bool,
    converged: Option<(Option<bool>, Option<bool>)>,
}

impl Tally {
    /// Looks at one more observation. A failed one says nothing.
    pub fn add(&mut self, compared: &Compared, outcome: &Outcome) {
        match outcome {
            Outcome::Duet { stretches, .. } => self.add_duet(compared, stretches),
            Outcome::Pair {
                baseline,
                candidate,
                relative_l2,
            } => {
                self.add_pair(compared, baseline, candidate, *relative_l2);
                self.add_resolved(baseline.resolved.as_ref(), candidate.resolved.as_ref());
            }
            Outcome::Failed { .. } => {}
        }
    }

    /// How far the sides are apart.
    pub fn difference(&self) -> &Difference {
        &self.difference
    }

    /// What the two sides of pairs resolved to differently, one sentence each. A duet has one
    /// worker and one resolution.
    pub fn resolved_differences(&self) -> &[String] {
        &self.resolved
    }

    fn add_duet(&mut self, compared: &Compared, stretches: &[StretchReport]) {
        let segments = || stretches.iter().flat_map(|stretch| &stretch.segments);
        let states = stretches.iter().any(|stretch| stretch.checkpoint.is_some());
        if states && segments().any(|segment| segment.relative_l2.is_none()) {
            self.difference.not_compared += 1;
        }
        for distance in segments().filter_map(|segment| segment.relative_l2) {
            self.add_distance(compared.revision_bound, distance);
        }
        let sum = |side: fn(&Segment) -> Option<u64>| {
            segments().try_fold(0_u64, |sum, segment| sum.checked_add(side(segment)?))
        };
        let counts = (
            sum(|segment| segment.baseline.accepted),
            sum(|segment| segment.candidate.accepted),
        );
        let slack = match compared.step_tolerance > 0.0 {
            true => DUET_STEPS_SLACK,
            false => 0.0,
        };
        self.add_steps(compared.step_tolerance, slack, counts);
    }

    fn add_pair(
        &mut self,
        compared: &Compared,
        baseline: &PairSide,
        candidate: &PairSide,
        relative_l2: Option<f64>,
    ) {
        let same_digest = baseline.digest.is_some() && baseline.digest == candidate.digest;
        match relative_l2.or(same_digest.then_some(0.0)) {
            // Of a whole chaotic run a distance says nothing, but that both states are finite.
            Some(distance) if compared.chaotic && distance.is_finite() => {}
            Some(distance) => self.add_distance(compared.revision_bound, distance),
            None => self.difference.not_compared += 1,
        }
        let counts = (baseline.accepted, candidate.accepted);
        self.add_steps(compared.step_tolerance, 0.0, counts);
        if let (Some(baseline), Some(candidate)) = (baseline.iterations, candidate.iterations) {
            let counts = Counts {
                baseline,
                candidate,
            };
            keep_farthest(&mut self.difference.iterations, counts);
        }
        if baseline.converged != candidate.converged {
            self.converged = Some((baseline.converged, candidate.converged));
        }
    }

    fn add_resolved(&mut self, baseline: Option<&Resolved>, candidate: Option<&Resolved>) {
        for reason in resolved_apart(baseline, candidate) {
            if !self.resolved.contains(&reason) {
                self.resolved.push(reason);
            }
        }
    }

    /// Holds a distance against its bound. One that is no number is beyond every bound.
    fn add_distance(&mut self, bound: f64, distance: f64) {
        keep_largest(&mut self.difference.relative_l2, distance);
        let within = distance.is_finite() && distance <= bound;
        if !within {
            keep_largest(&mut self.states_too_far, distance);
        }
    }

    /// Holds the steps of an observation against the tolerance, relative to the baseline's.
    fn add_steps(&mut self, tolerance: f64, slack: f64, counts: (Option<u64>, Option<u64>)) {
        let (Some(baseline), Some(candidate)) = counts else {
            self.steps_of_one_side |= counts.0 != counts.1;
            return;
        };
        let counts = Counts {
            baseline,
            candidate,
        };
        keep_farthest(&mut self.difference.accepted, counts);
        // Step counts are far below 2^53.
        let allowed = (tolerance * baseline as f64).max(slack);
        if counts.apart() as f64 > allowed {
            keep_farthest(&mut self.steps_too_far, counts);
        }
    }

    /// Why the sides are not the same physics, one sentence each; none where they are.
    pub fn reasons(&self, compared: &Compared) -> Vec<String> {
        let states = self.states_too_far.map(|distance| {
            format!(
                "the states differ by {distance:.1e} in relative L2, and up to {:.1e} is the same \
                 physics",
                compared.revision_bound
            )
        });
        let steps = self.steps_too_far.map(|counts| {
            format!(
                "the baseline takes {} steps and the candidate {}, and {} % apart is the same \
                 physics",
                counts.baseline,
                counts.candidate,
                compared.step_tolerance * 100.0
            )
        });
        let one_side = "only one side says how many steps it took".to_owned();
        let one_side = self.steps_of_one_side.then_some(one_side);
        let converged = self.converged.map(|(baseline, candidate)| {
            let (baseline, candidate) = (converges(baseline), converges(candidate));
            format!("the baseline {baseline}, the candidate {candidate}")
        });
        let reasons = [states, steps, one_side, converged];
        reasons.into_iter().flatten().collect()
    }
}

/// What two resolutions differ in, one sentence each.
fn resolved_apart(baseline: Option<&Resolved>, candidate: Option<&Resolved>) -> Vec<String> {
    match (baseline, candidate) {
        (None, None) => Vec::new(),
        (Some(baseline), Some(candidate)) => differing(baseline, candidate),
        _ => vec!["only one side says what the configuration resolved to".to_owned()],
    }
}

fn converges(converged: Option<bool>) -> &'static str {
    match converged {
        Some(true) => "converges",
        Some(false) => "does not converge",
        None => "does not say whether it converges",
    }
}

/// Keeps the larger of two distances; one that is no number is larger than any.
fn keep_largest(kept: &mut Option<f64>, distance: f64) {
    let larger = kept.is_none_or(|kept| distance.total_cmp(&kept).is_gt());
    if larger {
        *kept = Some(distance);
    }
}

/// Keeps the counts that are farthest apart.
fn keep_farthest(kept: &mut Option<Counts>, counts: Counts) {
    let farther = kept.is_none_or(|kept| counts.apart() > kept.apart());
    if farther {
        *kept = Some(counts);
    }
}

fn differing(baseline: &Resolved, candidate: &Resolved) -> Vec<String> {
    let tolerances = |resolved: &Resolved| {
        let named = resolved.tolerances.iter();
        let named = named.map(|(name, value)| format!("{name} {value:e}"));
        match resolved.tolerances.is_empty() {
            true => "none".to_owned(),
            false => named.collect::<Vec<_>>().join(", "),
        }
    };
    let seed = |resolved: &Resolved| match resolved.seed {
        Some(seed) => seed.to_string(),
        None => "none".to_owned(),
    };
    let word =
        |named: fn(&Resolved) -> &String| (named(baseline).clone(), named(candidate).clone());
    let threads = (baseline.threads.to_string(), candidate.threads.to_string());
    let parts = [
        ("integrator", word(|resolved| &resolved.integrator)),
        ("noise model", word(|resolved| &resolved.noise_model)),
        ("threads", threads),
        ("tolerances", (tolerances(baseline), tolerances(candidate))),
        ("seed of the noise", (seed(baseline), seed(candidate))),
    ];
    parts
        .into_iter()
        .filter(|(_, (baseline, candidate))| baseline != candidate)
        .map(|(name, (baseline, candidate))| format!("{name}: `{baseline}`, now `{candidate}`"))
        .collect()
}

#[cfg(test)]
mod tests;
