//! Comparisons of a build with itself: what this machine can see. Pure.

use longrun_measure::paired::fraction::fraction;
use longrun_measure::paired::robust_sd;
use longrun_protocol::registry::Metric;
use serde::Serialize;

use super::judge::{Judge, visible};
use super::{ConfigurationVerdict, Verdicts, Word};
use crate::ab::kept::record::{Ending, Header, Observation};

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
    /// Smallest change that the last look of this comparison's rule calls with that spread. It goes
    /// by no single comparison, each of which ends where it is decided.
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
    let compared = header.configurations.iter().enumerate();
    compared
        .map(|(index, compared)| {
            let all = verdicts.iter();
            let all = all.filter_map(|verdicts| verdicts.configurations.get(index));
            let all: Vec<_> = all.collect();
            let visible = |sd| {
                let mut clocks = all
                    .iter()
                    .map(|verdict| verdict.ledger.metric(compared.metric));
                // One comparison without CPU time is judged by wall time: the others share a level.
                let metric = match clocks.any(|metric| metric == Metric::Cpu) {
                    true => Metric::Cpu,
                    false => Metric::Wall,
                };
                Some(fraction(visible(judge.rule(index)?, metric, sd)))
            };
            of_configuration(&all, ending.is_some(), visible)
        })
        .collect()
}

fn of_configuration(
    verdicts: &[&ConfigurationVerdict],
    ended: bool,
    visible: impl Fn(f64) -> Option<f64>,
) -> Calibration {
    let mut calibration = Calibration::default();
    let mut ratios = Vec::new();
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
        }
    }
    let sd = robust_sd(&ratios);
    calibration.spread = sd.map(fraction);
    calibration.resolvable = sd.and_then(visible);
    calibration
}
