//! A comparison as text, JSON and Markdown. Pure.

use longrun_measure::stored::Change;
use serde_json::{Value, json};

use super::compare::{Comparison, Missing, OTHER_FINGERPRINT, Row};
use super::frame::Frame;
use super::tally::Tally;
use super::verdict::{marker, tone};
use crate::ab::report::figures::{change, size};
use crate::colour::Palette;
use crate::markdown::{self, escaped};
use crate::text::{self, Align, plain, shortened};

/// Least width of the column of names.
const NAME_WIDTH: usize = 28;

/// Characters of a name that are shown; JSON has all of them.
const NAME_SHOWN: usize = 60;

/// Characters of a note that are shown; JSON has all of them.
const NOTE_SHOWN: usize = 200;

/// Width of a column of times.
const TIME_WIDTH: usize = 12;

/// Width of the column of verdicts.
const VERDICT_WIDTH: usize = 13;

/// What stands for a time that there is none of.
const NONE: &str = "-";

/// What stands for a number that could not be computed.
const UNKNOWN: &str = "unknown";

/// Codes of reasons that have the change in their words, its sigmas, and its standard error.
const SAY_CHANGE: [&str; 4] = ["relative", "sigmas", "standard_error", "mixed_processes"];
const SAY_SIGMAS: [&str; 1] = ["sigmas"];
const SAY_STANDARD_ERROR: [&str; 1] = ["standard_error"];

/// What a row says where all of them say the same: how the conditions differ is said once.
const ELSEWHERE: &str = "measured under other conditions; save a baseline under these";

/// Columns of the table in Markdown.
const COLUMNS: [(&str, Align); 6] = [
    ("", Align::Left),
    ("configuration", Align::Left),
    ("baseline", Align::Right),
    ("now", Align::Right),
    ("verdict", Align::Left),
    ("reason", Align::Left),
];

/// The comparison for people.
pub fn to_text(comparison: &Comparison, frame: Frame, palette: Palette) -> String {
    let mut text = format!("\n{}\n", plain(&heading(comparison)));
    for difference in &comparison.differences {
        text.push_str(&format!("  {}\n", plain(difference)));
    }
    let names = comparison.rows.iter().map(|row| name(row).chars().count());
    let width = names.max().unwrap_or_default().max(NAME_WIDTH);
    if !comparison.rows.is_empty() {
        text.push_str(&format!(
            "   {:<width$} {:>TIME_WIDTH$}    {:>TIME_WIDTH$}  {:<VERDICT_WIDTH$} reason\n",
            "configuration", "baseline", "now", "verdict"
        ));
    }
    for row in &comparison.rows {
        text.push_str(&row_text(row, width, palette));
        for note in notes(row) {
            text.push_str(&format!("    {}\n", plain(&note)));
        }
    }
    for missing in &comparison.missing {
        text.push_str(&format!("-- {}\n", plain(&missing_line(missing))));
    }
    if let Some(note) = others(comparison) {
        text.push_str(&format!("note: {note}\n"));
    }
    text.push_str(&Tally::of(&comparison.rows).panel(frame, palette));
    text
}

fn heading(comparison: &Comparison) -> String {
    format!(
        "compared with the baseline {}, policy {}: {}",
        comparison.file,
        comparison.policy.as_str(),
        threshold(&comparison.policy.thresholds().change)
    )
}

/// What counts as a change.
fn threshold(change: &Change) -> String {
    match change {
        Change::Both { relative, sigmas } => format!(
            "a change is {:.0} % or more, and {sigmas} sigmas or more",
            100.0 * relative
        ),
        Change::Ratio { slowdown } => format!("a change is a ratio beyond {slowdown:.2}"),
    }
}

/// Marker, name, both medians, verdict and reason. What has a width is painted last.
fn row_text(row: &Row, width: usize, palette: Palette) -> String {
    let tone = tone(row.verdict);
    let verdict = format!("{:<VERDICT_WIDTH$}", row.verdict.as_str());
    format!(
        "{} {:<width$} {:>TIME_WIDTH$} -> {:>TIME_WIDTH$}  {} {}\n",
        palette.paint(tone, marker(row.verdict)),
        name(row),
        time(row.base_median_ns),
        time(row.median_ns),
        palette.paint(tone, &verdict),
        plain(&reason(row)),
    )
}

fn name(row: &Row) -> String {
    shortened(&row.configuration.to_string(), NAME_SHOWN)
}

fn time(ns: Option<f64>) -> String {
    ns.map_or(NONE.to_owned(), |ns| text::seconds(ns * 1e-9))
}

/// The reason, and the numbers that it does not say itself. Sigmas are of single samples, the
/// standard error is that of the medians: so a reader sees why a change that is well known can be
/// below three sigmas.
fn reason(row: &Row) -> String {
    if row.decided_by.contains(&OTHER_FINGERPRINT) {
        return ELSEWHERE.to_owned();
    }
    let Some(relative) = row.relative else {
        return row.reason.clone();
    };
    let is_said = |by: &[&str]| row.decided_by.iter().any(|code| by.contains(code));
    let mut said = vec![row.reason.clone()];
    if !is_said(&SAY_CHANGE) {
        said.push(change(relative));
    }
    if !is_said(&SAY_SIGMAS) {
        let sigmas = row.sigmas.map(|sigmas| format!("{sigmas:.2}"));
        said.push(format!("{} sigmas", text::or_unknown(sigmas)));
    }
    if !is_said(&SAY_STANDARD_ERROR) {
        let error = row.standard_error.map(size);
        said.push(format!("standard error {}", text::or_unknown(error)));
    }
    said.join("; ")
}

/// What stands below a row, where it says something.
fn notes(row: &Row) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(earlier) = &row.earlier {
        notes.push(format!("called `{earlier}` in the baseline"));
    }
    notes.extend(allocations(row));
    if let Some(note) = &row.note {
        let of = row.commit.as_deref().unwrap_or(UNKNOWN);
        let note = shortened(note, NOTE_SHOWN);
        notes.push(format!("note of the baseline, taken at {of}: {note}"));
    }
    notes
}

/// How the allocations of an operation differ, where they do: in number, and in bytes.
fn allocations(row: &Row) -> Option<String> {
    let number = row.allocation_delta.filter(|delta| delta.abs() > 0.0);
    let number = number.map(|delta| signed(delta, text::count));
    let bytes = row.allocated_bytes_delta;
    let bytes = bytes.filter(|delta| delta.abs() >= 0.5);
    let bytes = bytes.map(|delta| signed(delta, text::mean_bytes));
    let both: Vec<String> = number.into_iter().chain(bytes).collect();
    (!both.is_empty()).then(|| {
        let both = both.join(", ");
        format!("allocations of one operation: {both} since the baseline (not judged)")
    })
}

/// An amount with its sign; `shown` is how one that is not below zero looks.
fn signed(delta: f64, shown: fn(f64) -> String) -> String {
    let sign = match delta > 0.0 {
        true => '+',
        false => '-',
    };
    format!("{sign}{}", shown(delta.abs()))
}

fn missing_line(missing: &Missing) -> String {
    let name = shortened(&missing.configuration.to_string(), NAME_SHOWN);
    format!("{name}: {}", missing.reason)
}

/// That the file holds what this run could not have.
fn others(comparison: &Comparison) -> Option<String> {
    let others = comparison.other_sizes;
    (others > 0).then(|| {
        let entries = entries(others);
        format!("{entries} of the baseline at other sizes: not part of this comparison")
    })
}

/// A number of entries: `1 entry`, `4 entries`.
pub fn entries(count: usize) -> String {
    match count {
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    }
}

/// The comparison for programs.
pub fn to_json(comparison: &Comparison) -> Value {
    let tally = Tally::of(&comparison.rows);
    let mut counts = serde_json::Map::new();
    counts.insert("total".to_owned(), json!(tally.total));
    for (verdict, count) in tally.counts() {
        counts.insert(verdict.as_str().to_owned(), json!(count));
    }
    json!({
        "file": comparison.file,
        "policy": comparison.policy.as_str(),
        "passed": comparison.passed(),
        "differences": comparison.differences,
        "rows": comparison.rows.iter().map(row_json).collect::<Vec<_>>(),
        "missing": comparison.missing.iter().map(missing_json).collect::<Vec<_>>(),
        "other_sizes": comparison.other_sizes,
        "tally": counts,
        "summary": tally.line(),
    })
}

fn row_json(row: &Row) -> Value {
    json!({
        "configuration": row.configuration,
        "name": row.configuration.to_string(),
        "renamed_from": row.earlier,
        "verdict": row.verdict.as_str(),
        "base_median_ns": row.base_median_ns,
        "new_median_ns": row.median_ns,
        "relative": row.relative,
        "sigmas": row.sigmas,
        "standard_error": row.standard_error,
        "decided_by": row.decided_by,
        "alloc_delta": row.allocation_delta,
        "alloc_bytes_delta": row.allocated_bytes_delta,
        "reason": row.reason,
        "note": row.note,
        "base_commit": row.commit,
    })
}

fn missing_json(missing: &Missing) -> Value {
    json!({
        "configuration": missing.configuration,
        "name": missing.configuration.to_string(),
        "reason": missing.reason,
    })
}

/// The comparison for those who read it elsewhere: no path is in it.
pub fn to_markdown(comparison: &Comparison) -> String {
    let mut text = format!("### {}\n\n", escaped(&heading(comparison)));
    let tally = Tally::of(&comparison.rows);
    text.push_str(&format!("{}\n", escaped(&tally.line())));
    if !comparison.rows.is_empty() {
        let cells = comparison.rows.iter().map(cells);
        text.push_str(&format!("\n{}", markdown::table(&COLUMNS, cells)));
    }
    let rows = comparison.rows.iter();
    let noted = rows.flat_map(|row| notes(row).into_iter().map(|note| (name(row), note)));
    let mut lines: Vec<String> = comparison.differences.clone();
    lines.extend(noted.map(|(name, note)| format!("{name}: {note}")));
    let missing = comparison.missing.iter();
    lines.extend(missing.map(|missing| format!("missing: {}", missing_line(missing))));
    lines.extend(others(comparison));
    text.push_str(&markdown::list(&lines));
    text
}

/// A row of the table in Markdown.
fn cells(row: &Row) -> Vec<String> {
    vec![
        marker(row.verdict).trim().to_owned(),
        name(row),
        time(row.base_median_ns),
        time(row.median_ns),
        row.verdict.as_str().to_owned(),
        reason(row),
    ]
}

#[cfg(test)]
mod tests;
