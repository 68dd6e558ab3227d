//! The report as Markdown: `summary.md`, and the summary of a step of a CI run. Names no path.

use std::path::Path;

use super::Report;
use super::text;
use crate::ab::kept::record::Compared;
use crate::ab::report::figures;
use crate::ab::verdicts::ConfigurationVerdict;
use crate::failure::Outcome;
use crate::markdown::{self, escaped};
use crate::whole_file;

/// Name of the file in the bundle of a comparison.
pub const SUMMARY: &str = "summary.md";

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
    markdown::row(&cells)
}

/// Writes `summary.md` into the bundle of a comparison.
pub fn write(folder: &Path, summary: &str) -> Outcome<()> {
    whole_file::write("write", &folder.join(SUMMARY), summary.as_bytes())
}

/// Adds the summary to that of a CI step; the note if that cannot be done.
pub fn append(step_summary: &Path, summary: &str) -> Option<String> {
    let kept = format!("it is in {SUMMARY} of the comparison");
    markdown::add_to_step(step_summary, summary, &kept)
}
