//! The course of one case, for a terminal.

use longrun_protocol::{Engine, Size};

use super::{claims, words};
use crate::history::case::{CaseReport, Change, Point, Series};
use crate::history::sparkline::{Letters, MARKS_MAX, Mark, sparkline};
use crate::text::{self, Align};

/// Columns of a series.
const COLUMNS: [(&str, Align); 9] = [
    ("run", Align::Left),
    ("version", Align::Left),
    ("commit", Align::Left),
    ("median", Align::Right),
    ("range", Align::Right),
    ("steps", Align::Right),
    ("busy", Align::Left),
    ("since first", Align::Right),
    ("since previous", Align::Right),
];

/// The report as tables with what needs a word below each line.
pub fn to_text(report: &CaseReport, letters: Letters) -> String {
    let mut text = format!("{} on {}\n", report.case, report.slug);
    if report.series.is_empty() {
        text.push_str("\nno run of it stands in what was asked for\n");
    }
    for series in &report.series {
        text.push_str(&format!("\n{}\n", heading(series)));
        text.push_str(&points(&series.points));
        text.push_str(&course(&series.points, letters));
        text.push_str(
            &series
                .points
                .last()
                .map(claims::of_last)
                .unwrap_or_default(),
        );
        if !series.missing_after.is_empty() {
            text.push_str(&missing("it is missing since, from", &series.missing_after));
        }
    }
    let points = || report.series.iter().flat_map(|series| &series.points);
    if points().any(|point| point.dirty == Some(true)) {
        text.push_str("\n* uncommitted changes were measured\n");
    }
    if points().any(|point| point.dirty.is_none()) {
        text.push_str("\n? unknown whether uncommitted changes were measured\n");
    }
    for retraction in &report.retracted {
        text.push_str(&super::retracted(retraction));
    }
    text
}

/// What tells a series from the others; what is ordinary is left out.
fn heading(series: &Series) -> String {
    let mut words = vec![series.suite.clone(), words::width(series.width)];
    if series.size != Size::Full {
        words.push(series.size.to_string());
    }
    if series.engine != Engine::Native {
        words.push(format!("engine {}", series.engine));
    }
    if series.stepper != "default" {
        words.push(format!("stepper {}", series.stepper));
    }
    if !series.variant.is_empty() {
        words.push(series.variant.clone());
    }
    words.join(", ")
}

fn points(points: &[Point]) -> String {
    let cells: Vec<Vec<String>> = points.iter().map(cells_of).collect();
    let table = text::table(&COLUMNS, &cells);
    let mut text = String::new();
    for (index, line) in table.lines().enumerate() {
        let point = index.checked_sub(1).and_then(|index| points.get(index));
        if let Some(point) = point {
            text.push_str(&before(point));
        }
        text.push_str(&format!("{line}\n"));
        if let Some(point) = point.filter(|point| !point.possible_reasons.is_empty()) {
            let reasons = words::fields(&point.possible_reasons);
            text.push_str(&format!("    differs as well: {reasons}\n"));
        }
        let before = index.checked_sub(1).and_then(|before| points.get(..before));
        let before = before.unwrap_or_default();
        if let Some(found) = point.and_then(|point| claims::of_point(point, before)) {
            text.push_str(&format!("    {found}\n"));
        }
    }
    text
}

/// What happened between the point before and this one.
fn before(point: &Point) -> String {
    let mut text = String::new();
    if !point.missing_before.is_empty() {
        text.push_str(&missing("missing from", &point.missing_before));
    }
    if !point.breaks.is_empty() {
        let breaks = words::fields(&point.breaks);
        text.push_str(&format!("    not the same work from here: {breaks}\n"));
    }
    text
}

fn missing(what: &str, runs: &[String]) -> String {
    let count = text::counted(runs.len(), "run");
    format!("    {what} {count}: {}\n", words::listed(runs))
}

fn cells_of(point: &Point) -> Vec<String> {
    let change = |change: &Option<Change>| {
        let ratio = change.as_ref().and_then(|change| change.ratio);
        words::change(ratio)
    };
    vec![
        point.run_id.clone(),
        words::or_none(point.version.as_ref()),
        words::commit(&point.commit, point.dirty),
        text::seconds(point.median_s),
        words::range(point.min_s, point.max_s),
        words::steps(point.accepted, point.rejected),
        words::flag(point.busy),
        change(&point.first),
        change(&point.previous),
    ]
}

/// The medians as one line of letters, with what they span in words.
fn course(points: &[Point], letters: Letters) -> String {
    let mut marks = Vec::new();
    for point in points {
        if !point.missing_before.is_empty() {
            marks.push(Mark::Gap);
        }
        if !point.breaks.is_empty() {
            marks.push(Mark::Break);
        }
        marks.push(Mark::Time(point.median_s));
    }
    if points.len() < 2 {
        return String::new();
    }
    let line = sparkline(&marks, letters);
    let last = marks.len().min(MARKS_MAX);
    let shown = marks.get(marks.len() - last..).unwrap_or_default();
    let scale = match shown.contains(&Mark::Break) {
        true => "each part has its own scale".to_owned(),
        false => {
            let times = || {
                shown.iter().filter_map(|mark| match mark {
                    Mark::Time(time) => Some(*time),
                    Mark::Gap | Mark::Break => None,
                })
            };
            let fastest = times().fold(f64::INFINITY, f64::min);
            let slowest = times().fold(f64::NEG_INFINITY, f64::max);
            format!("{} to {}", text::seconds(fastest), text::seconds(slowest))
        }
    };
    format!("medians, oldest first: {line} ({scale})\n")
}

#[cfg(test)]
mod tests;
