//! Everything about one run, for a terminal.

use super::words;
use crate::history::compare::dirty;
use crate::history::one::RunReport;
use crate::history::rows::Row;
use crate::text::{self, Align};

/// What was measured.
const MEASURED: [(&str, Align); 9] = [
    ("configuration", Align::Left),
    ("median", Align::Right),
    ("range", Align::Right),
    ("repeats", Align::Right),
    ("CPU time", Align::Right),
    ("steps", Align::Right),
    ("evaluations", Align::Right),
    ("memory", Align::Right),
    ("busy", Align::Left),
];

/// What it was.
const IDENTITY: [(&str, Align); 8] = [
    ("configuration", Align::Left),
    ("revision", Align::Right),
    ("integrator", Align::Left),
    ("tolerances", Align::Left),
    ("noise", Align::Left),
    ("threading", Align::Left),
    ("domains", Align::Right),
    ("FFT plans", Align::Left),
];

/// Name of a fact and what a row says about it.
type Fact = (&'static str, fn(&Row) -> Option<String>);

/// What all rows of a run usually agree on.
const FACTS: [Fact; 14] = [
    ("suite", |row| Some(row.configuration.suite.clone())),
    ("began", |row| Some(row.date.clone())),
    ("version", |row| row.version.clone()),
    ("commit", |row| Some(row.commit.clone())),
    ("CPU", |row| row.cpu_model.clone()),
    ("CPU signature", |row| row.cpu_signature.clone()),
    ("GPU", |row| row.gpu_model.clone()),
    ("instance type", |row| row.instance_type.clone()),
    ("system", |row| row.os.clone()),
    ("native version", |row| row.native_version.clone()),
    ("native profile", |row| row.native_profile.clone()),
    ("native compiler", |row| row.native_compiler.clone()),
    ("build key", |row| row.build_key.clone()),
    ("worker digest", |row| row.worker_digest.clone()),
];

/// The report as facts, and tables of what was measured and what it was.
pub fn to_text(report: &RunReport) -> String {
    let mut text = format!("run {}\n", report.run_id);
    let mut say = |name: &str, value: String| {
        text.push_str(&format!("  {name:<16}{value}\n"));
    };
    for retraction in &report.retracted {
        say(
            "retracted",
            format!("{}: {}", retraction.date, retraction.reason),
        );
    }
    say("hardware set", report.slug.clone());
    for (name, fact) in FACTS {
        say(name, agreed(&report.rows, fact));
        if name == "commit" {
            say("reachable", reachable(report.reachable));
            say("uncommitted", uncommitted(&report.rows));
        }
    }
    let measured: Vec<Vec<String>> = report.rows.iter().map(measured).collect();
    let identity: Vec<Vec<String>> = report.rows.iter().map(identity).collect();
    format!(
        "{text}\n{}\n{}",
        text::table(&MEASURED, &measured),
        text::table(&IDENTITY, &identity)
    )
}

/// What the rows say: once if they agree, else each value with the number of rows that have it.
fn agreed(rows: &[Row], fact: fn(&Row) -> Option<String>) -> String {
    let mut values: Vec<(Option<String>, usize)> = Vec::new();
    for row in rows {
        let value = fact(row);
        match values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => values.push((value, 1)),
        }
    }
    let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
    match values.as_slice() {
        [] => "unknown".to_owned(),
        [(value, _)] => shown(value),
        several => {
            let each = several.iter().map(|(value, count)| {
                format!("{} ({})", shown(value), text::counted(*count, "row"))
            });
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

fn reachable(reachable: Option<bool>) -> String {
    let sentence = match reachable {
        Some(true) => "yes",
        Some(false) => {
            "unreachable: no branch, no tag and not HEAD leads to this commit; the build key and \
             the worker digest still name the code"
        }
        None => "unknown",
    };
    sentence.to_owned()
}

fn uncommitted(rows: &[Row]) -> String {
    let sentence = match dirty(rows.iter().map(|row| row.dirty)) {
        Some(true) => "changes were measured",
        Some(false) => "nothing was measured",
        None => "unknown",
    };
    sentence.to_owned()
}

fn measured(row: &Row) -> Vec<String> {
    let memory = match (row.peak_rss_bytes, row.device_memory_bytes) {
        (host, None) => words::or_none(host.map(text::bytes)),
        (host, Some(device)) => format!(
            "{} + {} device",
            words::or_none(host.map(text::bytes)),
            text::bytes(device)
        ),
    };
    vec![
        row.configuration.to_string(),
        text::seconds(row.median_s),
        words::range(row.min_s, row.max_s),
        words::or_none(row.repeats),
        words::or_none(row.cpu_median_s.map(text::seconds)),
        words::steps(row.accepted, row.rejected),
        words::or_none(row.source_evaluations),
        memory,
        words::flag(row.busy),
    ]
}

fn identity(row: &Row) -> Vec<String> {
    let text = |field: &str, value: &Option<String>| words::value_of(field, value.as_deref());
    vec![
        row.configuration.to_string(),
        row.configuration.revision.to_string(),
        text("integrator", &row.integrator),
        words::value_of("tolerances", Some(&row.tolerances)),
        text("noise_model", &row.noise_model),
        text("threading", &row.threading),
        row.memory_domains
            .map_or("unknown".to_owned(), |domains| domains.to_string()),
        text("fft_plans", &row.fft_plans),
    ]
}

#[cfg(test)]
mod tests;
