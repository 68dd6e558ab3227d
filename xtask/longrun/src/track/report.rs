//! The result of a run, for people and for programs.

pub mod load;
pub mod markdown;
pub mod sampled;

use std::path::PathBuf;

use serde_json::{Value, json};

use super::breakdown::Explained;
use super::refusals::{self, Refusal};
use super::results::{ConfigurationResult, percent};
use crate::baseline::Concluded;
use crate::colour::Palette;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::machine::Machine;
use crate::output;
use crate::run::bundle::Bundle;
use crate::run::judge::ResultStatus;
use crate::text::{self, Align};

/// Version of the JSON of `track` and of the files of a bundle.
pub const SCHEMA_VERSION: u32 = 1;

/// What is said of a whole run.
const COLUMNS: [(&str, Align); 10] = [
    ("configuration", Align::Left),
    ("status", Align::Left),
    ("median", Align::Right),
    ("min", Align::Right),
    ("max", Align::Right),
    ("spread", Align::Right),
    ("steps", Align::Right),
    ("evaluations", Align::Right),
    ("memory", Align::Right),
    ("busy", Align::Left),
];

/// One run, as it is reported.
pub struct Report {
    run_id: String,
    bundle: PathBuf,
    slug: String,
    /// Every configuration of the plan.
    pub results: Vec<ConfigurationResult>,
    /// Why the run is not recorded.
    pub refusals: Vec<Refusal>,
    /// Whether recording was asked for.
    pub asked_to_record: bool,
    /// Whether the user interrupted.
    pub interrupted: bool,
    /// Where the rows are, once they are somewhere.
    pub recorded: Option<RecordedRows>,
    /// Where the copy of the bundle is, if one was asked for and made.
    pub archive: Option<PathBuf>,
    /// Why there is no copy although one was asked for.
    pub archive_failure: Option<String>,
    /// Where the time of one more repeat went, if that was asked for.
    pub breakdown: Option<Explained>,
    /// What came of baselines, where there is one.
    pub baseline: Option<Concluded>,
    /// Why there is no Markdown although it was asked for.
    pub markdown_failure: Option<String>,
}

/// The rows of a run in the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedRows {
    /// Where they are, as a sentence.
    pub sentence: String,
    /// The commit that holds them, where one was made.
    pub commit: Option<String>,
    /// Why no commit was made although it was asked for.
    pub not_committed: Option<String>,
}

impl Report {
    /// The report of a run that has finished.
    pub fn new(
        bundle: &Bundle,
        machine: &Machine,
        results: Vec<ConfigurationResult>,
        refusals: Vec<Refusal>,
    ) -> Self {
        Report {
            run_id: bundle.run_id.clone(),
            bundle: bundle.folder.clone(),
            slug: machine.slug.clone(),
            results,
            refusals,
            asked_to_record: false,
            interrupted: false,
            recorded: None,
            archive: None,
            archive_failure: None,
            breakdown: None,
            baseline: None,
            markdown_failure: None,
        }
    }

    /// Id of the run.
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// How the program ends.
    pub fn exit(&self) -> Exit {
        let mut exit = Exit::Success;
        if self.interrupted {
            exit = exit.or(Exit::Interrupted);
        }
        if self.archive_failure.is_some() || self.markdown_failure.is_some() {
            exit = exit.or(Exit::Environment);
        }
        if let Some(baseline) = &self.baseline {
            exit = exit.or(baseline.exit());
        }
        if !self.complete() || !self.consistent() {
            exit = exit.or(Exit::Failed);
        }
        let recorded = self.recorded.as_ref();
        if self.asked_to_record && recorded.is_none_or(|rows| rows.not_committed.is_some()) {
            exit = exit.or(Exit::Refused);
        }
        exit
    }

    /// Why resuming the run would run something, if it would.
    pub fn unfinished(&self) -> Option<&'static str> {
        if self.interrupted {
            return Some("interrupted");
        }
        let sound = |result: &ConfigurationResult| result.status == ResultStatus::Complete;
        (!self.results.iter().all(sound)).then_some("not every configuration is complete")
    }

    fn complete(&self) -> bool {
        let finished =
            |status| matches!(status, ResultStatus::Complete | ResultStatus::Inconsistent);
        self.results.iter().all(|result| finished(result.status))
    }

    fn consistent(&self) -> bool {
        let mut results = self.results.iter();
        !results.any(|result| result.status == ResultStatus::Inconsistent)
    }

    /// Prints the report on stdout. What it notes and JSON does not hold goes to stderr.
    pub fn print(&self, as_json: bool) -> Outcome<()> {
        if !as_json {
            return output::print(&self.to_text(Palette::of_stdout()));
        }
        for note in self.baseline.iter().flat_map(|said| &said.notes) {
            output::note(format!("note: {note}"));
        }
        output::print(&format!("{}\n", self.to_json()))
    }

    fn to_json(&self) -> Value {
        json!({
            "schema_version": SCHEMA_VERSION,
            "run_id": self.run_id,
            "bundle": self.bundle,
            "archive": self.archive,
            "slug": self.slug,
            "complete": self.complete(),
            "consistent": self.consistent(),
            "recorded": self.recorded.is_some(),
            "commit": self.recorded.as_ref().and_then(|rows| rows.commit.as_deref()),
            "not_committed": self.recorded.as_ref().and_then(|rows| rows.not_committed.as_deref()),
            "refusals": self.refusals,
            "results": self.results,
            "breakdown": self.breakdown.as_ref().map(Explained::to_json),
            "comparison": self.baseline.as_ref().map(Concluded::comparison_json),
            "saved_baseline": self.baseline.as_ref().map(Concluded::saved_json),
        })
    }

    fn to_text(&self, palette: Palette) -> String {
        let mut text = tables(&self.results, palette);
        let explained = self.breakdown.as_ref().map(Explained::to_text);
        let concluded = self.baseline.as_ref().map(|said| said.to_text(palette));
        text.extend(explained.into_iter().chain(concluded));
        text.push_str(&format!("run {} on {}\n", self.run_id, self.slug));
        text.push_str(&format!("bundle {}\n", self.bundle.display()));
        if let Some(archive) = &self.archive {
            text.push_str(&format!("archive {}\n", archive.display()));
        }
        text.push_str(&self.verdict());
        text
    }

    fn verdict(&self) -> String {
        match (&self.recorded, self.asked_to_record) {
            (Some(recorded), _) => format!("{}\n", recorded.sentence),
            (None, true) => format!("not recorded:{}\n", refusals::listed(&self.refusals)),
            (None, false) if self.refusals.is_empty() => {
                "not recorded: --append-history records it\n".to_owned()
            }
            (None, false) => {
                let codes: Vec<&str> = self.refusals.iter().map(|r| r.code).collect();
                format!("not recorded, and could not be: {}\n", codes.join(", "))
            }
        }
    }
}

/// A table of whole runs, and one for each suite of sampled work.
fn tables(results: &[ConfigurationResult], palette: Palette) -> String {
    let (sampled, whole) = by_kind(results);
    let tables = [whole_runs(&whole), sampled::to_text(&sampled, palette)];
    let tables = tables.into_iter().filter(|table| !table.is_empty());
    tables.collect::<Vec<_>>().join("\n")
}

type References<'a> = Vec<&'a ConfigurationResult>;

/// Sampled work, and whole runs.
fn by_kind(results: &[ConfigurationResult]) -> (References<'_>, References<'_>) {
    let is_sampled = |result: &&ConfigurationResult| result.sampling.is_sampled();
    results.iter().partition(is_sampled)
}

fn whole_runs(results: &[&ConfigurationResult]) -> String {
    if results.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = results.iter().map(|result| row(result)).collect();
    let mut text = text::table(&COLUMNS, &rows);
    for result in results {
        for note in notes(result) {
            text.push_str(&format!("{}: {note}\n", result.configuration));
        }
    }
    text
}

fn row(result: &ConfigurationResult) -> Vec<String> {
    let time = |seconds: Option<f64>| seconds.map_or("-".to_owned(), text::seconds);
    let count = |count: Option<u64>| count.map_or("-".to_owned(), |count| count.to_string());
    let steps = match (result.accepted, result.rejected) {
        (Some(accepted), Some(0)) => accepted.to_string(),
        (Some(accepted), Some(rejected)) => format!("{accepted}+{rejected}"),
        (accepted, _) => count(accepted),
    };
    vec![
        result.configuration.to_string(),
        result.status.as_str().to_owned(),
        time(result.median_s),
        time(result.min_s),
        time(result.max_s),
        result.spread().map_or("-".to_owned(), percent),
        steps,
        count(result.source_evaluations),
        result.peak_rss_bytes.map_or("-".to_owned(), text::bytes),
        match result.busy {
            Some(true) => "yes",
            Some(false) => "no",
            None => "unknown",
        }
        .to_owned(),
    ]
}

/// What stands under the table about one configuration.
fn notes(result: &ConfigurationResult) -> Vec<String> {
    let mut notes: Vec<String> = result.reason.iter().cloned().collect();
    notes.extend(load::spread_note(result));
    notes.extend(load::busy_note(result));
    notes.extend(result.notes.iter().cloned());
    notes
}

/// The JSON of a run that was refused before it began.
pub fn refused_json(refusals: &[Refusal]) -> Value {
    json!({
        "schema_version": SCHEMA_VERSION,
        "run_id": Value::Null,
        "bundle": Value::Null,
        "archive": Value::Null,
        "complete": false,
        "consistent": false,
        "recorded": false,
        "commit": Value::Null,
        "not_committed": Value::Null,
        "refusals": refusals,
        "results": [],
    })
}
