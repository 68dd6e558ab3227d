//! The history of a hardware set for people and for programs.
//!
//! Nothing is decided here. Changes are printed with their sign, their unit and the number of
//! configurations that they were taken over.

use std::collections::BTreeMap;
use std::fmt::Write;

use longrun_protocol::Width;
use serde::Serialize;

use super::compare::{ChangedConfiguration, Comparison, HistoryReport, RunLine};
use crate::failure::{Failure, Outcome};

/// Version of the JSON form.
const SCHEMA_VERSION: u32 = 1;

/// What stands for a value that there is none of.
const NONE: &str = "-";

/// Digits of a commit id that are shown.
const COMMIT_SHOWN: usize = 7;

/// Characters of a date that are shown: to the minute.
const DATE_SHOWN: usize = 16;

/// The JSON form (`docs/manual.md`, `history --json`).
#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
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

/// The report as one JSON document.
///
/// # Errors
/// Exit 1 where it cannot be written as JSON, which would be a fault of this program.
pub fn to_json(report: &HistoryReport) -> Outcome<String> {
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
    let document = Document {
        schema_version: SCHEMA_VERSION,
        slug: &report.slug,
        suites: suites.collect(),
        retracted: retracted.collect(),
    };
    serde_json::to_string_pretty(&document)
        .map_err(|error| Failure::failed(format!("failed to write the history as JSON: {error}")))
}

/// The report as a table for a terminal.
pub fn to_text(report: &HistoryReport) -> String {
    let mut text = format!("history of {}\n", report.slug);
    if report.suites.is_empty() {
        text.push_str("\nno recorded run\n");
    }
    for (suite, by_width) in &report.suites {
        for (width, lines) in by_width {
            let heading = match width {
                Width::Device => "device".to_owned(),
                Width::Threads(1) => "1 thread".to_owned(),
                Width::Threads(threads) => format!("{threads} threads"),
            };
            text.push_str(&format!("\n{suite}, {heading}\n"));
            text.push_str(&table(lines));
        }
    }
    let lines = || report.suites.values().flat_map(BTreeMap::values).flatten();
    if lines().any(|line| line.dirty == Some(true)) {
        text.push_str("\n* uncommitted changes were measured\n");
    }
    if lines().any(|line| line.dirty.is_none()) {
        text.push_str("\n? unknown whether uncommitted changes were measured\n");
    }
    for retraction in &report.retracted {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\nretracted {} ({}): {}\n",
            retraction.run_id, retraction.suite, retraction.reason
        );
    }
    text
}

/// A ratio as a change: `+1.2 %`, `-0.3 %`, `0.0 %`.
pub fn percent(ratio: f64) -> String {
    let shown = format!("{:+.1} %", (ratio - 1.0) * 100.0);
    match shown.as_str() {
        "+0.0 %" | "-0.0 %" => "0.0 %".to_owned(),
        _ => shown,
    }
}

/// One line per run, with what needs a word below it.
fn table(lines: &[RunLine]) -> String {
    let heading = [
        "date (UTC)",
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
        for note in line.map(notes_of).unwrap_or_default() {
            text.push_str(&format!("    {note}\n"));
        }
    }
    text
}

fn cells_of(line: &RunLine) -> [String; 7] {
    let commit: String = line.commit.chars().take(COMMIT_SHOWN).collect();
    let mark = match line.dirty {
        Some(true) => "*",
        Some(false) => "",
        None => "?",
    };
    [
        line.date
            .replace('T', " ")
            .chars()
            .take(DATE_SHOWN)
            .collect(),
        line.version.clone().unwrap_or_else(|| NONE.to_owned()),
        format!("{commit}{mark}"),
        line.configurations.to_string(),
        busy(line),
        line.first.as_ref().map_or(NONE.to_owned(), change),
        line.previous.as_ref().map_or(NONE.to_owned(), change),
    ]
}

fn busy(line: &RunLine) -> String {
    let known = format!("{} of {}", line.busy, line.configurations);
    match line.busy_unknown {
        0 => known,
        unknown => format!("{known}, {unknown} unknown"),
    }
}

fn change(comparison: &Comparison) -> String {
    let shown = comparison.ratio.map_or(NONE.to_owned(), percent);
    format!("{shown} (shared {})", comparison.shared)
}

/// What an average hides: the ends of it, and what is not in it.
fn notes_of(line: &RunLine) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(previous) = &line.previous
        && let (Some(worst), Some(best)) = (&previous.worst, &previous.best)
        && previous.shared > 1
    {
        notes.push(format!(
            "since previous: worst {} {}, best {} {}",
            worst.configuration,
            percent(worst.ratio),
            best.configuration,
            percent(best.ratio)
        ));
    }
    notes.extend(line.changed.iter().map(changed));
    notes
}

fn changed(changed: &ChangedConfiguration) -> String {
    let shown = |value: &Option<String>| match value.as_deref() {
        None => "unknown".to_owned(),
        Some("") => "none".to_owned(),
        Some(value) => value.to_owned(),
    };
    let fields: Vec<String> = changed
        .fields
        .iter()
        .map(|field| {
            let (before, after) = (shown(&field.before), shown(&field.after));
            format!("{} {before} -> {after}", field.field)
        })
        .collect();
    format!("changed: {}: {}", changed.configuration, fields.join(", "))
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
