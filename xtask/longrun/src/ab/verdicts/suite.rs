//! The verdict of all configurations together: the geometric mean of each round. Pure.

use longrun_measure::paired::{Rule, suite};
use longrun_protocol::registry::Metric;

use super::timing::{Measured, of_series};
use super::{ConfigurationVerdict, Need, Word};
use crate::ab::kept::record::Compared;

/// A timed configuration.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// What is compared.
    pub compared: &'a Compared,
    /// Its own verdict.
    pub verdict: &'a ConfigurationVerdict,
}

impl Member<'_> {
    fn metric(&self) -> Metric {
        self.verdict.ledger.metric(self.compared.metric)
    }

    fn series(&self, metric: Metric) -> Vec<f64> {
        self.verdict.ledger.screen.by(metric).to_vec()
    }
}

/// The verdict of the suite.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteVerdict {
    /// The word.
    pub word: Word,
    /// What was measured.
    pub measured: Measured,
    /// Configurations that it is taken over.
    pub configurations: usize,
    /// Whether more rounds may decide it.
    pub open: bool,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// Judges the suite; none where nothing is timed.
pub fn verdict(rule: &Rule, members: &[Member<'_>], ended: bool) -> Option<SuiteVerdict> {
    match members {
        [] => None,
        [only] => of_one(only),
        several => Some(of_several(rule, several, ended)),
    }
}

/// One configuration is the suite: its verdict is that of the suite, whatever confirmed it.
fn of_one(only: &Member<'_>) -> Option<SuiteVerdict> {
    let measured = only.verdict.measured.clone()?;
    Some(SuiteVerdict {
        word: only.verdict.word,
        measured,
        configurations: 1,
        open: false,
        notes: Vec::new(),
    })
}

/// Where a configuration is judged by CPU time, the suite has wall time as its guard as well.
///
/// Sums run in the order of the configurations themselves, not of the header: two files with the
/// same observations have the same bits.
fn of_several(rule: &Rule, members: &[Member<'_>], ended: bool) -> SuiteVerdict {
    let mut members = members.to_vec();
    members.sort_by_key(|member| &member.compared.configuration);
    let primary: Vec<Vec<f64>> = members
        .iter()
        .map(|member| member.series(member.metric()))
        .collect();
    let wall: Vec<Vec<f64>> = members
        .iter()
        .map(|member| member.series(Metric::Wall))
        .collect();
    let by_cpu = members.iter().any(|member| member.metric() == Metric::Cpu);
    let mixed = by_cpu && members.iter().any(|member| member.metric() == Metric::Wall);
    let primary = suite::rounds(&primary);
    let wall = suite::rounds(&wall);
    let timed = of_series(rule, by_cpu.then_some(&primary), &wall, ended);
    let mut notes = timed.notes;
    if mixed {
        notes.push("each configuration by its own clock".to_owned());
    }
    SuiteVerdict {
        word: timed.word,
        measured: timed.measured,
        configurations: members.len(),
        open: timed.need != Need::Decided,
        notes,
    }
}
