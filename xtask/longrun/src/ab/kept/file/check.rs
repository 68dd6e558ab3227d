//! What the lines of a comparison must say together. Pure.

use std::collections::BTreeMap;

use longrun_measure::paired::looks::ALPHAS;

use crate::ab::kept::record::{Header, Observation, Outcome, Phase, Standing};

/// Most observations of one configuration.
const OBSERVATIONS_MAX: u32 = 10_000;

/// What has been read so far, as far as later lines must agree with it.
#[derive(Default)]
pub struct Check {
    /// The last round of each comparison, configuration and phase.
    rounds: BTreeMap<(u32, usize, Phase), u32>,
}

impl Check {
    /// Refuses a header by which nothing can be judged.
    pub fn header(&self, header: &Header) -> Result<(), String> {
        let options = &header.options;
        if !ALPHAS.contains(&options.alpha) {
            let (low, high) = (ALPHAS.start(), ALPHAS.end());
            return Err(format!(
                "`alpha` is {:?}, and must be from {low} to {high}",
                options.alpha
            ));
        }
        if options
            .rounds
            .is_some_and(|n| n == 0 || n > OBSERVATIONS_MAX)
        {
            return Err(format!("`rounds` must be from 1 to {OBSERVATIONS_MAX}"));
        }
        for compared in &header.configurations {
            let about = |what: &str| Err(format!("{what} of `{}`", compared.configuration));
            if !(compared.margin > 0.0 && compared.margin <= 1.0) {
                return about("the margin must be above 0 and at most 1, and is not that");
            }
            if !(1..=OBSERVATIONS_MAX).contains(&compared.observations_max) {
                return about("the largest number of observations is out of range, that");
            }
            let bounds = [compared.revision_bound, compared.step_tolerance];
            if !bounds
                .iter()
                .all(|bound| bound.is_finite() && *bound >= 0.0)
            {
                return about("a bound on results is negative or no number, one");
            }
        }
        Ok(())
    }

    /// Refuses an observation of nothing that the header names, or out of order.
    pub fn observation(&mut self, header: &Header, one: &Observation) -> Result<(), String> {
        let Some(compared) = header.configurations.get(one.configuration) else {
            return Err(format!(
                "it is of configuration {}, and the header has {}",
                one.configuration,
                header.configurations.len()
            ));
        };
        if compared.standing != Standing::Comparable {
            return Err(format!(
                "it is of `{}`, which the header says cannot be compared",
                compared.configuration
            ));
        }
        let comparisons = header.options.aa.unwrap_or(1);
        if one.comparison >= comparisons {
            return Err(format!(
                "it is of comparison {}, and there are {comparisons}",
                one.comparison
            ));
        }
        if let Outcome::Duet { stretches, .. } = &one.outcome
            && stretches.iter().all(|stretch| stretch.segments.is_empty())
        {
            return Err("it is a duet without a segment".to_owned());
        }
        if let Some(distance) = distances(&one.outcome).find(|distance| *distance < 0.0) {
            return Err(format!(
                "it has a relative L2 difference of {distance:?}, and none is below zero"
            ));
        }
        let key = (one.comparison, one.configuration, one.phase);
        match self.rounds.insert(key, one.round) {
            Some(last) if last >= one.round => Err(format!(
                "its round {} follows round {last} of the same phase",
                one.round
            )),
            _ => Ok(()),
        }
    }
}

/// Every difference of two states that an observation has.
fn distances(outcome: &Outcome) -> impl Iterator<Item = f64> + '_ {
    let (stretches, of_pair) = match outcome {
        Outcome::Duet { stretches, .. } => (stretches.as_slice(), None),
        Outcome::Pair { relative_l2, .. } => (&[][..], *relative_l2),
        Outcome::Failed { .. } => (&[][..], None),
    };
    let segments = stretches.iter().flat_map(|stretch| &stretch.segments);
    let of_segments = segments.filter_map(|segment| segment.relative_l2);
    of_segments.chain(of_pair)
}
