//! The report as Markdown: `summary.md`, and the summary of a step of a CI run. Names no path.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use super::Report;
use super::text;
use crate::ab::kept::record::Compared;
use crate::ab::report::figures;
use crate::ab::report::redact::redacted;
use crate::ab::verdicts::ConfigurationVerdict;
use crate::failure::{Failure, Outcome};

/// Name of the file in the bundle of a comparison.
pub const SUMMARY: &str = "summary.md";

/// Variable that names the file of a step's summary.
pub const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The report as Markdown.
pub fn of(report: &Report<'_>) -> String {
    let header = &report.record.header;
    let mut out = format!("## Comparison {}\n\n", escaped(&header.run_id));
    out.push_str(&format!(
        "* baseline: {}\n",
        escaped(&text::arm(&header.baseline))
    ));
    out.push_str(&format!(
        "* candidate: {}\n",
        escaped(&text::arm(&header.candidate))
    ));
    for reason in &header.build_difference.reasons {
        out.push_str(&format!("* build: {}\n", escaped(reason)));
    }
    out.push_str(&format!(
        "\n| configuration | verdict | change | {} interval | rounds | sees | results |\n\
         |---|---|--:|--:|--:|--:|--:|\n",
        figures::probability(1.0 - header.options.alpha)
    ));
    let all = header.configurations.iter();
    let all = all.zip(&report.verdicts.configurations);
    for (compared, verdict) in all.clone() {
        out.push_str(&row(compared, verdict));
    }
    out.push('\n');
    for (compared, verdict) in all {
        for note in &verdict.notes {
            let line = format!("{}: {note}", compared.configuration);
            out.push_str(&format!("* {}\n", escaped(&line)));
        }
    }
    for line in text::closing(report) {
        out.push_str(&format!("* {}\n", escaped(line.trim_start())));
    }
    out
}

fn row(compared: &Compared, verdict: &ConfigurationVerdict) -> String {
    let measured = verdict.measured.as_ref();
    let none = || "–".to_owned();
    let cells = [
        compared.configuration.to_string(),
        verdict.word.shown(),
        measured
            .and_then(|measured| measured.estimate)
            .map_or_else(none, figures::change),
        measured
            .and_then(|measured| measured.change_interval)
            .map_or_else(none, figures::interval),
        measured.map_or_else(none, |measured| measured.rounds.to_string()),
        measured
            .and_then(|measured| measured.resolvable)
            .map_or_else(none, figures::size),
        text::results(&verdict.difference),
    ];
    let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Text that Markdown shows as it is, in one line, without paths of this machine.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in redacted(text).chars() {
        match c {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                shown.push('\\');
                shown.push(c);
            }
            c if c.is_control() => shown.push(' '),
            c => shown.push(c),
        }
    }
    shown
}

/// Writes `summary.md` into the bundle of a comparison.
pub fn write(folder: &Path, markdown: &str) -> Outcome<()> {
    let path = folder.join(SUMMARY);
    std::fs::write(&path, markdown).map_err(|e| Failure::file("write", &path, e))
}

/// Adds the summary to that of a CI step, behind what is there; the note if that cannot be done:
/// a comparison is not lost for it.
pub fn append(step_summary: &Path, markdown: &str) -> Option<String> {
    let opened = OpenOptions::new()
        .create(true)
        .append(true)
        .open(step_summary);
    let written = opened.and_then(|mut file| file.write_all(format!("{markdown}\n").as_bytes()));
    let error = written.err()?;
    Some(format!(
        "failed to add the summary to `{}`, which {STEP_SUMMARY} names: {error}; it is in \
         {SUMMARY} of the comparison",
        step_summary.display()
    ))
}
