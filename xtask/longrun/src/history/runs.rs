//! The rows of a file as runs, in order, with their identities numbered.
//!
//! Runs are ordered by date. Runs of one date stay in the order of the file, which is the one in
//! which they were recorded; their ids say nothing about it. A run that a clock dated before its
//! predecessor is shown at its date.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::SystemTime;

use longrun_protocol::{Configuration, Width};

use super::file::HistoryFile;
use super::rows::{Entry, Identity, Retraction, Row};

/// One run at one width.
pub(super) struct Run<'a> {
    /// One of its rows, for what all of them share.
    pub head: &'a Row,
    /// Row of each configuration; a file that has one twice is refused when it is read.
    pub rows: BTreeMap<&'a Configuration, &'a Row>,
    /// Row of each identity that is known, by its number.
    pub known: BTreeMap<usize, &'a Row>,
}

/// Runs by suite and width.
pub(super) type Groups<'a> = BTreeMap<(&'a str, Width), Vec<Run<'a>>>;

/// Every row of a file, in order.
pub(super) fn rows(file: &HistoryFile) -> impl Iterator<Item = &Row> {
    file.entries.iter().filter_map(|entry| match entry {
        Entry::Run(row) => Some(row.as_ref()),
        Entry::Retracted(_) => None,
    })
}

/// Every row of a file that takes a run back, in order.
pub(super) fn retractions(file: &HistoryFile) -> impl Iterator<Item = &Retraction> {
    file.entries.iter().filter_map(|entry| match entry {
        Entry::Retracted(retraction) => Some(retraction),
        Entry::Run(_) => None,
    })
}

/// Every row of a run that was not taken back, in order.
pub(super) fn standing(file: &HistoryFile) -> impl Iterator<Item = &Row> {
    let retracted: HashSet<&str> = retractions(file)
        .map(|retraction| retraction.run_id.as_str())
        .collect();
    rows(file).filter(move |row| !retracted.contains(row.run_id.as_str()))
}

/// Rows as runs, by suite and width.
pub(super) fn grouped<'a>(rows: impl Iterator<Item = &'a Row>) -> Groups<'a> {
    let mut groups: BTreeMap<(&str, Width), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        let Configuration { suite, width, .. } = &row.configuration;
        groups.entry((suite, *width)).or_default().push(row);
    }
    let runs = groups.into_iter().map(|(key, rows)| (key, runs_of(&rows)));
    runs.collect()
}

fn runs_of<'a>(rows: &[&'a Row]) -> Vec<Run<'a>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut runs: Vec<(Option<SystemTime>, Run<'_>)> = Vec::new();
    for row in rows {
        let next = runs.len();
        let place = *places.entry(&row.run_id).or_insert(next);
        if place == next {
            let run = Run {
                head: row,
                rows: BTreeMap::new(),
                known: BTreeMap::new(),
            };
            runs.push((humantime::parse_rfc3339(&row.date).ok(), run));
        }
        if let Some((_, run)) = runs.get_mut(place) {
            run.rows.entry(&row.configuration).or_insert(row);
        }
    }
    // Stable: equal dates keep their order.
    runs.sort_by_key(|(date, _)| *date);
    let mut runs: Vec<Run<'_>> = runs.into_iter().map(|(_, run)| run).collect();
    number_identities(&mut runs);
    runs
}

/// Identities by number, so that comparing two runs compares numbers. They are numbered in the
/// order of the runs, so that the sums of one file are taken in one order.
fn number_identities(runs: &mut [Run<'_>]) {
    let mut numbers: BTreeMap<Identity<'_>, usize> = BTreeMap::new();
    for run in runs {
        for row in run.rows.values() {
            if let Some(identity) = row.identity() {
                let next = numbers.len();
                let number = *numbers.entry(identity).or_insert(next);
                run.known.insert(number, row);
            }
        }
    }
}
