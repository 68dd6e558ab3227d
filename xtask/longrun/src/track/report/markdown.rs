//! The report as Markdown: for `--markdown`, and for the summary of a step of a CI run. Names no
//! path of this machine. Pure.

use super::{COLUMNS, Report, by_kind, notes, row, sampled};
use crate::markdown::{escaped, list, table};
use crate::text::Align;
use crate::track::results::ConfigurationResult;

/// How every report begins.
pub const BEGINNING: &str = "## Run ";

/// The report as Markdown.
pub fn of(report: &Report) -> String {
    let (sampled, whole) = by_kind(&report.results);
    let mut out = format!("{BEGINNING}{}\n\n", escaped(&report.run_id));
    out.push_str(&format!("* hardware set: {}\n", escaped(&report.slug)));
    for line in report.verdict().lines() {
        out.push_str(&format!("* {}\n", escaped(line.trim_start())));
    }
    if !whole.is_empty() {
        let rows = whole.iter().map(|result| row(result));
        out.push_str(&format!("\n{}", table(&COLUMNS, rows)));
        out.push_str(&below(&whole, notes));
    }
    for (suite, results) in sampled::by_suite(&sampled) {
        out.push_str(&format!("\n### {}\n\n", escaped(suite)));
        out.push_str(&sampled_table(&results));
        out.push_str(&below(&results, sampled::remarks));
    }
    if let Some(explained) = &report.breakdown {
        out.push_str(&explained.to_markdown());
    }
    if let Some(baseline) = &report.baseline {
        out.push_str(&baseline.to_markdown());
    }
    out
}

fn sampled_table(results: &[&ConfigurationResult]) -> String {
    let shown = sampled::columns(results);
    let mut columns = vec![("configuration", Align::Left)];
    columns.extend(shown.iter().map(|column| (column.heading, Align::Right)));
    let rows = results.iter().map(|result| {
        let mut cells = vec![result.configuration.to_string()];
        cells.extend(sampled::values(result, &shown));
        cells
    });
    table(&columns, rows)
}

/// What must be known of the rows of a table, as a list below it.
fn below(
    results: &[&ConfigurationResult],
    notes: fn(&ConfigurationResult) -> Vec<String>,
) -> String {
    let of_result = |result: &&ConfigurationResult| -> Vec<String> {
        let notes = notes(result).into_iter();
        notes
            .map(|note| format!("{}: {note}", result.configuration))
            .collect()
    };
    let lines: Vec<String> = results.iter().flat_map(of_result).collect();
    list(&lines)
}

#[cfg(test)]
mod tests;
