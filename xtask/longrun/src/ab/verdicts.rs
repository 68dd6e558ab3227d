//! What is said of a comparison: a pure function of its header and observations.
//!
//! The run asks after every observation what is needed next; the report and a replay ask once. All
//! of them come here, so that the same file gives the same verdicts on any machine.

pub mod calibration;
pub mod judge;
pub mod ledger;
pub mod numbers;
pub mod suite;
pub mod timing;

use serde::Serialize;

use crate::ab::kept::record::{Compared, Ending, Header, Observation, Phase};
use crate::ab::verdicts::numbers::Difference;
use judge::Judge;
use ledger::{Ledger, Load};
use suite::SuiteVerdict;
use timing::{Again, Measured};

/// The word of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// The candidate is slower.
    Regressed,
    /// The candidate is faster.
    Improved,
    /// Equal within the margin, which was shown.
    Unchanged,
    /// Neither could be shown.
    Inconclusive,
    /// The sides do not compute the same.
    ResultsDiffer,
    /// The sides are one build.
    SameBuild,
    /// The sides define different work.
    ChangedConfiguration,
    /// Only the candidate has it.
    New,
    /// Only the baseline has it.
    Missing,
    /// An observation failed.
    Failed,
}

impl Word {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Word::Regressed => "regressed",
            Word::Improved => "improved",
            Word::Unchanged => "unchanged",
            Word::Inconclusive => "inconclusive",
            Word::ResultsDiffer => "results_differ",
            Word::SameBuild => "same_build",
            Word::ChangedConfiguration => "changed_configuration",
            Word::New => "new",
            Word::Missing => "missing",
            Word::Failed => "failed",
        }
    }

    /// The word as people read it.
    pub fn shown(self) -> String {
        self.as_str().replace('_', " ")
    }

    /// Whether a change of time is called.
    pub fn is_change(self) -> bool {
        matches!(self, Word::Regressed | Word::Improved)
    }

    fn of(verdict: longrun_measure::paired::Verdict) -> Word {
        use longrun_measure::paired::Verdict;
        match verdict {
            Verdict::Regressed => Word::Regressed,
            Verdict::Improved => Word::Improved,
            Verdict::Unchanged => Word::Unchanged,
            Verdict::Inconclusive => Word::Inconclusive,
        }
    }
}

/// What a verdict needs before it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Another observation of this phase.
    Observe(Phase),
    /// Nothing.
    Decided,
}

/// The verdict of one configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigurationVerdict {
    /// The word.
    pub word: Word,
    /// What was measured; absent where nothing is timed.
    pub measured: Option<Measured>,
    /// Fresh observations, where a change was called among several configurations.
    pub confirmation: Option<Again>,
    /// Pairs of processes, where a change was called and they were asked for.
    pub second_opinion: Option<Again>,
    /// How far the results of the sides are apart.
    pub difference: Difference,
    /// Whether others used the machine.
    pub load: Load,
    /// Why it is that word, and what a reader should know.
    pub notes: Vec<String>,
    /// What it needs before it stands.
    pub need: Need,
    /// Its observations; what the gate reads.
    pub ledger: Ledger,
}

impl ConfigurationVerdict {
    fn untimed(word: Word, notes: Vec<String>, ledger: &Ledger) -> Self {
        ConfigurationVerdict {
            word,
            measured: None,
            confirmation: None,
            second_opinion: None,
            difference: ledger.tally.difference().clone(),
            load: ledger.load,
            notes,
            need: Need::Decided,
            ledger: ledger.clone(),
        }
    }

    /// Whether its time was judged.
    pub fn is_timed(&self) -> bool {
        self.measured.is_some()
    }
}

/// The verdicts of one comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdicts {
    /// One for each configuration of the header, in its order.
    pub configurations: Vec<ConfigurationVerdict>,
    /// That of all of them together; absent where none is timed.
    pub suite: Option<SuiteVerdict>,
    /// How the comparison ended; absent where it goes on or was stopped.
    pub ending: Option<Ending>,
}

impl Verdicts {
    /// The verdicts of comparison 0, the only one without `--aa`.
    pub fn of(header: &Header, observations: &[Observation], ending: Option<Ending>) -> Verdicts {
        let mut judge = Judge::new(header);
        for one in observations {
            judge.add(one);
        }
        judge.verdicts(0, ending)
    }

    /// What the verdict of configuration `index` needs before it stands.
    pub fn next(&self, index: usize) -> Need {
        let verdict = self.configurations.get(index);
        verdict.map_or(Need::Decided, |verdict| verdict.need)
    }

    /// Whether more rounds of every timed configuration would serve the verdict of the suite.
    pub fn suite_open(&self) -> bool {
        self.suite.as_ref().is_some_and(|suite| suite.open)
    }

    /// Whether configuration `index` takes part in further rounds of the suite.
    pub fn in_suite(&self, index: usize) -> bool {
        let verdict = self.configurations.get(index);
        verdict.is_some_and(ConfigurationVerdict::is_timed)
    }

    /// The words of all configurations.
    pub fn words(&self) -> impl Iterator<Item = Word> + '_ {
        self.configurations.iter().map(|verdict| verdict.word)
    }
}

/// What a reader should know of a configuration whose numbers agree.
fn about_numbers(compared: &Compared, ledger: &Ledger) -> Vec<String> {
    let mut notes = Vec::new();
    if ledger.tally.difference().not_compared > 0 {
        notes.push("the results of some observations were not compared".to_owned());
    }
    if let Some(from) = &compared.renamed_from {
        notes.push(format!("`{from}` in the baseline"));
    }
    notes
}

#[cfg(test)]
mod several_tests;
#[cfg(test)]
mod tests;
