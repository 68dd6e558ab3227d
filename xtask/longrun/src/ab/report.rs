//! The report of a comparison: a function of its file, whoever computes it.
//!
//! The run and a replay print the same text and the same JSON, bit for bit. So nothing here names
//! the bundle, and no note comes from anywhere but the file.

pub mod alarms;
pub mod figures;
pub mod gate;
pub mod json;
pub mod markdown;
pub mod replay;
pub mod text;

use std::path::Path;

use crate::ab::kept::file::Record;
use crate::ab::report::gate::{GATE, Gate};
use crate::ab::verdicts::calibration::{Calibration, calibrations};
use crate::ab::verdicts::{Verdicts, Word};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output;

/// What asks for an exit code beyond that of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Results that differ are a warning, and so is a verdict that is inconclusive.
    Lenient,
    /// `--strict`.
    Strict,
}

impl Strictness {
    /// Of the flag.
    pub fn of(strict: bool) -> Self {
        match strict {
            true => Strictness::Strict,
            false => Strictness::Lenient,
        }
    }
}

/// One comparison, as it is reported.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<'a> {
    /// Its file.
    pub record: &'a Record,
    /// Its verdicts; with `--aa` those of the first comparison.
    pub verdicts: Verdicts,
    /// What comparisons of a build with itself said, configuration by configuration.
    pub calibrations: Vec<Calibration>,
    /// The acceptance policy, where it was asked for.
    pub gate: Option<Gate>,
}

impl<'a> Report<'a> {
    /// The report of a comparison with this file.
    pub fn of(record: &'a Record) -> Report<'a> {
        let (header, observations) = (&record.header, &record.observations);
        let verdicts = Verdicts::of(header, observations, record.ending);
        let gate = header.options.gate.then(|| Gate::of(header, &verdicts));
        Report {
            calibrations: calibrations(header, observations, record.ending),
            record,
            verdicts,
            gate,
        }
    }

    /// How the program ends, but for an interrupt.
    pub fn exit(&self, strictness: Strictness) -> Exit {
        let gated = self.gate.is_some();
        let strict = strictness == Strictness::Strict;
        let suite = self.verdicts.suite.as_ref().map(|suite| suite.word);
        let mut exit = match self.gate.as_ref().is_some_and(|gate| !gate.passed()) {
            true => Exit::Regressed,
            false => Exit::Success,
        };
        for word in self.verdicts.words().chain(suite) {
            exit = exit.or(self.exit_of(word, gated, strict));
        }
        if self.calibrations.iter().any(|all| all.failed > 0) {
            exit = exit.or(Exit::Failed);
        }
        exit
    }

    fn exit_of(&self, word: Word, gated: bool, strict: bool) -> Exit {
        // What a build is called beside itself is counted; it is no news about the build.
        let itself = self.record.header.options.aa.is_some() && !gated;
        match word {
            Word::Failed => Exit::Failed,
            Word::ResultsDiffer if gated || strict => Exit::ResultsDiffer,
            Word::Regressed if !itself => Exit::Regressed,
            Word::Inconclusive if strict && !itself => Exit::Inconclusive,
            _ => Exit::Success,
        }
    }

    /// Writes `gate.json`, where the gate was asked for, and `summary.md` into the bundle, and adds
    /// the summary to that of a CI step. What a user must know of the latter is returned: a
    /// comparison is not lost for it.
    pub fn keep(&self, folder: &Path, step_summary: Option<&Path>) -> Outcome<Option<String>> {
        if let Some(gate) = &self.gate {
            gate.write(&folder.join(GATE), &self.record.header, &self.verdicts)?;
        }
        let markdown = markdown::of(self);
        markdown::write(folder, &markdown)?;
        Ok(step_summary.and_then(|path| markdown::append(path, &markdown)))
    }

    /// Prints the report on stdout.
    pub fn print(&self, as_json: bool) -> Outcome<()> {
        match as_json {
            true => output::print(&format!("{}\n", json::of(self))),
            false => output::print(&text::of(self)),
        }
    }
}

#[cfg(test)]
mod tests;
