//! The history of a hardware set for people and for programs.
//!
//! Nothing is decided here. Changes are printed with their sign, their unit and the number of
//! configurations that they were taken over.

pub mod case;
mod claims;
pub mod one;
pub mod pair;
mod words;

use std::collections::BTreeMap;

use serde::Serialize;

use super::compare::{Comparison, HistoryReport, RunLine};
use super::rows::Retraction;
use crate::failure::{Failure, Outcome};

/// Version of the JSON form.
const SCHEMA_VERSION: u32 = 1;

/// The JSON form of every view (`docs/manual.md`, `history`).
#[derive(Serialize)]
struct Document<R> {
    schema_version: u32,
    #[serde(flatten)]
    report: R,
    notes: Vec<String>,
}

/// The JSON form of the list of runs.
#[derive(Serialize)]
pub struct Runs<'a> {
    slug: &'a str,
    suites: BTreeMap<&'a str, BTreeMap<String, &'a [RunLine]>>,
    retracted: Vec<Taken<'a>>,
}

/// A run that was taken back.
#[derive(Serialize)]
struct Taken<'a> {
    run_id: &'a str,
    date: &'a str,
    suite: &'a str,
    reason: &'a str,
}

/// A view as one JSON document. `report` is written as a map.
///
/// # Errors
/// Exit 1 where it cannot be written as JSON, which would be a fault of this program.
pub fn to_json(report: impl Serialize, notes: Vec<String>) -> Outcome<String> {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        report,
        notes,
    };
    match serde_json::to_string_pretty(&document) {
        Ok(text) => Ok(text + "\n"),
        Err(error) => Err(Failure::failed(format!(
            "failed to write the history as JSON: {error}"
        ))),
    }
}

/// A report that is its own document.
pub fn same<R>(report: &R) -> &R {
    report
}

/// The list of runs as it goes into the document.
pub fn to_document(report: &HistoryReport) -> Runs<'_> {
    let suites = report.suites.iter().map(|(suite, by_width)| {
        let lines = by_width
            .iter()
            .map(|(width, lines)| (width.to_string(), lines.as_slice()));
        (suite.as_str(), lines.collect())
    });
    let retracted = report.retracted.iter().map(|retraction| Taken {
        run_id: &retraction.run_id,
        date: &retraction.date,
        suite: &retraction.suite,
        reason: &retraction.reason,
    });
    Runs {
        slug: &report.slug,
        suites: suites.collect(),
        retracted: retracted.collect(),
    }
}

/// A run that was taken back, as a line.
fn retracted(retraction: &Retraction) -> String {
    let Retraction {
        run_id,
        suite,
        reason,
        ..
    } = retraction;
    format!("\nretracted {run_id} ({suite}): {reason}\n")
}

/// The report as a table for a terminal.
pub fn to_text(report: &HistoryReport) -> String {
    let mut text = format!("history of {}\n", report.slug);
    if report.suites.is_empty() {
        text.push_str(match report.recorded {
            true => "\nno recorded run stands in what was asked for\n",
            false => "\nno recorded run\n",
        });
    }
    for (suite, by_width) in &report.suites {
        for (width, lines) in by_width {
            text.push_str(&format!("\n{suite}, {}\n", words::width(*width)));
            text.push_str(&table(lines));
        }
    }
    let lines = || report.lines();
    if lines().any(|line| line.reachable == Some(false)) {
        text.push_str("\n! unreachable: no branch, no tag and not HEAD leads to this commit\n");
    }
    if lines().any(|line| line.dirty == Some(true)) {
        text.push_str("\n* uncommitted changes were measured\n");
    }
    if lines().any(|line| line.dirty.is_none()) {
        text.push_str("\n? unknown whether uncommitted changes were measured\n");
    }
    for retraction in &report.retracted {
        text.push_str(&retracted(retraction));
    }
    text
}

/// One line per run, with what needs a word below it.
fn table(lines: &[RunLine]) -> String {
    let heading = [
        "run",
        "version",
        "commit",
        "configurations",
        "busy",
        "since first",
        "since previous",
    ];
    let mut cells = vec![heading.map(str::to_owned)];
    cells.extend(lines.iter().map(cells_of));
    let rows = aligned(&cells);
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        text.push_str(row);
        text.push('\n');
        let line = index.checked_sub(1).and_then(|index| lines.get(index));
        let before = index.checked_sub(1).and_then(|before| lines.get(..before));
        let claims = line.map(|line| claims::of_run(line, before.unwrap_or_default()));
        let notes = line.map(notes_of).into_iter().chain(claims);
        for note in notes.flatten() {
            text.push_str(&format!("    {note}\n"));
        }
    }
    if let Some(last) = lines.last() {
        text.push_str(&claims::of_table(last));
    }
    text
}

fn cells_of(line: &RunLine) -> [String; 7] {
    let lost = match line.reachable {
        Some(false) => "!",
        Some(true) | None => "",
    };
    [
        line.run_id.clone(),
        words::or_none(line.version.as_ref()),
        format!("{}{lost}", words::commit(&line.commit, line.dirty)),
        line.configurations.to_string(),
        busy(line),
        line.first
            .as_ref()
            .map_or(words::NONE.to_owned(), words::comparison),
        line.previous
            .as_ref()
            .map_or(words::NONE.to_owned(), words::comparison),
    ]
}

fn busy(line: &RunLine) -> String {
    let known = format!("{} of {}", line.busy, line.configurations);
    match line.busy_unknown {
        0 => known,
        unknown => format!("{known}, {unknown} unknown"),
    }
}

/// What an average hides: the ends of it, and what is not in it.
fn notes_of(line: &RunLine) -> Vec<String> {
    let same = |a: &Comparison, b: &Comparison| a.run_id == b.run_id;
    let first = line.first.as_ref().filter(|first| {
        let previous = line.previous.as_ref();
        previous.is_none_or(|previous| !same(first, previous))
    });
    let mut notes = Vec::new();
    for (since, comparison) in [("first", first), ("previous", line.previous.as_ref())] {
        if let Some(extremes) = comparison.and_then(words::extremes) {
            notes.push(format!("since {since}: {extremes}"));
        }
    }
    notes.extend(line.changed.iter().map(|changed| {
        let fields = words::fields(&changed.fields);
        format!("changed: {}: {fields}", changed.configuration)
    }));
    notes.extend(words::about("missing", &line.missing));
    notes.extend(words::about("new", &line.added));
    notes
}

/// Cells in columns, two blanks apart, none at the end of a line.
fn aligned<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |row: &[String; N]| {
        let cells: Vec<String> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests;
