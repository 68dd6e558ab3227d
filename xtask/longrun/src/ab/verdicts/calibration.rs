//! Comparisons of a build with itself: what this machine can see. Pure.

use longrun_measure::paired::fraction::fraction;
use longrun_measure::paired::robust_sd;
use serde::Serialize;

use super::judge::Judge;
use super::{ConfigurationVerdict, Verdicts, Word};
use crate::ab::record::{Ending, Header, Observation};

/// What comparisons of a build with itself said of one configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Calibration {
    /// Comparisons that were finished.
    pub comparisons: u32,
    /// Of these, called changed: false alarms.
    pub changed: u32,
    /// Proved unchanged.
    pub unchanged: u32,
    /// Without a verdict.
    pub inconclusive: u32,
    /// Failed, or with results that differ.
    pub failed: u32,
    /// Observations in all.
    pub observations: usize,
    /// Robust standard deviation of one observation, over all comparisons.
    pub spread: Option<f64>,
    /// Smallest change that can be seen: the median over the comparisons.
    pub resolvable: Option<f64>,
}

/// What the comparisons of a file with `--aa` said, configuration by configuration; empty without.
/// The last comparison counts once it has ended.
pub fn calibrations(
    header: &Header,
    observations: &[Observation],
    ending: Option<Ending>,
) -> Vec<Calibration> {
    if header.options.aa.is_none() {
        return Vec::new();
    }
    let mut judge = Judge::new(header);
    for one in observations {
        judge.add(one);
    }
    let last = observations.iter().map(|one| one.comparison).max();
    let verdicts: Vec<Verdicts> = (0..=last.unwrap_or(0))
        .map(|number| match Some(number) == last {
            true => judge.verdicts(number, ending),
            false => judge.verdicts(number, Some(Ending::Decided)),
        })
        .collect();
    (0..header.configurations.len())
        .map(|index| {
            let all = verdicts.iter();
            let all = all.filter_map(|verdicts| verdicts.configurations.get(index));
            of_configuration(&all.collect::<Vec<_>>(), ending.is_some())
        })
        .collect()
}

fn of_configuration(verdicts: &[&ConfigurationVerdict], ended: bool) -> Calibration {
    let mut calibration = Calibration::default();
    let mut ratios = Vec::new();
    let mut visible = Vec::new();
    for verdict in verdicts {
        let open = verdict.need != super::Need::Decided && !ended;
        if open {
            continue;
        }
        calibration.comparisons += 1;
        let count = match verdict.word {
            Word::Regressed | Word::Improved => &mut calibration.changed,
            Word::Unchanged => &mut calibration.unchanged,
            Word::Inconclusive => &mut calibration.inconclusive,
            _ => &mut calibration.failed,
        };
        *count += 1;
        if let Some(measured) = &verdict.measured {
            calibration.observations += measured.observations;
            ratios.extend_from_slice(verdict.ledger.screen.by(measured.metric));
            visible.extend(measured.resolvable);
        }
    }
    calibration.spread = robust_sd(&ratios).map(fraction);
    visible.sort_unstable_by(f64::total_cmp);
    calibration.resolvable = longrun_measure::quantile(&visible, 0.5);
    calibration
}
