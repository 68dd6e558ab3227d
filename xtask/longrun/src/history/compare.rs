//! How recorded runs compare: one line per run, per suite and width.
//!
//! The change between two runs is the geometric mean, over the configurations that both ran, of
//! the ratio of their medians. A configuration is the same only if its whole identity is equal; a
//! changed default is listed as changed and never averaged in. Unknown equals nothing.

mod changed;

pub use changed::ChangedConfiguration;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::SystemTime;

use longrun_protocol::{Configuration, HistoryIdentity, Width};
use serde::Serialize;

use super::file::HistoryFile;
use super::rows::{Entry, Retraction, Row};

/// What a reader of history wants to see; `None` is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryQuery {
    /// Only this width.
    pub width: Option<Width>,
    /// Only this suite.
    pub suite: Option<String>,
}

/// Every recorded run of one hardware set, compared.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryReport {
    /// Hardware set.
    pub slug: String,
    /// Runs in order of date, and of the file where dates are equal, by suite and width.
    pub suites: BTreeMap<String, BTreeMap<Width, Vec<RunLine>>>,
    /// Runs that were taken back and are in no line.
    pub retracted: Vec<Retraction>,
}

/// One recorded run at one width.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunLine {
    /// The run.
    pub run_id: String,
    /// When it began, RFC 3339 in UTC.
    pub date: String,
    /// Version of the measured project.
    pub version: Option<String>,
    /// Full id of the measured commit.
    pub commit: String,
    /// Whether uncommitted changes were measured.
    pub dirty: Option<bool>,
    /// Number of configurations.
    pub configurations: usize,
    /// Number of those that started on a busy machine.
    pub busy: usize,
    /// Number of those of which that is not known.
    pub busy_unknown: usize,
    /// Change against the first recorded run; `None` for that run itself.
    pub first: Option<Comparison>,
    /// Change against the run before; `None` for the first one.
    pub previous: Option<Comparison>,
    /// Configurations that the run before had as well, with another identity.
    pub changed: Vec<ChangedConfiguration>,
}

/// The change of a run against an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The earlier run.
    pub run_id: String,
    /// Geometric mean of new over old median; `None` where nothing is shared.
    pub ratio: Option<f64>,
    /// Number of configurations that it was taken over.
    pub shared: usize,
    /// Configuration with the largest ratio.
    pub worst: Option<Extreme>,
    /// Configuration with the smallest ratio.
    pub best: Option<Extreme>,
}

/// The configuration at one end of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Extreme {
    /// The configuration.
    pub configuration: Configuration,
    /// New over old median.
    pub ratio: f64,
}

/// Compares the runs of a file with the first and the previous one.
pub fn report(file: &HistoryFile, query: &HistoryQuery) -> HistoryReport {
    let mut suites: BTreeMap<String, BTreeMap<Width, Vec<RunLine>>> = BTreeMap::new();
    for ((suite, width), rows) in wanted_rows(file, query) {
        let runs = runs_of(&rows);
        let mut lines = Vec::with_capacity(runs.len());
        for (index, run) in runs.iter().enumerate() {
            let earlier = index.checked_sub(1);
            let previous = earlier.and_then(|before| runs.get(before));
            let first = earlier.and_then(|_| runs.first());
            lines.push(line_of(run, first, previous));
        }
        let by_width = suites.entry(suite.to_owned()).or_default();
        by_width.insert(width, lines);
    }
    HistoryReport {
        slug: file.slug.clone(),
        suites,
        retracted: retractions(file).cloned().collect(),
    }
}

fn retractions(file: &HistoryFile) -> impl Iterator<Item = &Retraction> {
    file.entries.iter().filter_map(|entry| match entry {
        Entry::Retracted(retraction) => Some(retraction),
        Entry::Run(_) => None,
    })
}

/// Rows that were asked for and not taken back, by suite and width, in the order of the file.
fn wanted_rows<'a>(
    file: &'a HistoryFile,
    query: &HistoryQuery,
) -> BTreeMap<(&'a str, Width), Vec<&'a Row>> {
    let retracted: HashSet<&str> = retractions(file)
        .map(|retraction| retraction.run_id.as_str())
        .collect();
    let mut groups: BTreeMap<(&str, Width), Vec<&Row>> = BTreeMap::new();
    for entry in &file.entries {
        let Entry::Run(row) = entry else { continue };
        let Configuration { suite, width, .. } = &row.configuration;
        let wanted = query.suite.as_ref().is_none_or(|name| name == suite)
            && query.width.is_none_or(|only| only == *width)
            && !retracted.contains(row.run_id.as_str());
        if wanted {
            groups.entry((suite, *width)).or_default().push(row);
        }
    }
    groups
}

/// One run at one width.
struct Run<'a> {
    head: &'a Row,
    /// Row of each configuration; a file that has one twice is refused when it is read.
    rows: BTreeMap<&'a Configuration, &'a Row>,
    /// Median of each configuration with a known identity, by the identity.
    medians: BTreeMap<usize, (&'a Row, f64)>,
}

/// The runs of one suite and width, ordered by date. Runs of one date stay in the order of the
/// file, which is the one in which they were recorded; their ids say nothing about it.
fn runs_of<'a>(rows: &[&'a Row]) -> Vec<Run<'a>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut by_run: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let next = by_run.len();
        let place = *places.entry(&row.run_id).or_insert(next);
        match by_run.get_mut(place) {
            Some(of_the_run) => of_the_run.push(row),
            None => by_run.push(vec![row]),
        }
    }
    // Identities by number, so that comparing two runs compares numbers.
    let mut identities: HashMap<HistoryIdentity, usize> = HashMap::new();
    let mut runs: Vec<(Option<SystemTime>, Run<'_>)> = Vec::new();
    for rows in by_run {
        let Some(head) = rows.first().copied() else {
            continue;
        };
        let mut run = Run {
            head,
            rows: BTreeMap::new(),
            medians: BTreeMap::new(),
        };
        for row in rows {
            run.rows.entry(&row.configuration).or_insert(row);
        }
        runs.push((humantime::parse_rfc3339(&head.date).ok(), run));
    }
    // Stable: equal dates keep their order.
    runs.sort_by_key(|(date, _)| *date);
    // Numbered in the order of the runs, so that the sums of one file are taken in one order.
    for (_, run) in &mut runs {
        for row in run.rows.values() {
            if let Some(identity) = row.identity() {
                let next = identities.len();
                let number = *identities.entry(identity).or_insert(next);
                run.medians.insert(number, (row, row.median_s));
            }
        }
    }
    runs.into_iter().map(|(_, run)| run).collect()
}

fn line_of(run: &Run<'_>, first: Option<&Run<'_>>, previous: Option<&Run<'_>>) -> RunLine {
    let busy = |wanted: Option<bool>| run.rows.values().filter(|row| row.busy == wanted).count();
    let dirty = |wanted: Option<bool>| run.rows.values().any(|row| row.dirty == wanted);
    RunLine {
        run_id: run.head.run_id.clone(),
        date: run.head.date.clone(),
        version: run.head.version.clone(),
        commit: run.head.commit.clone(),
        dirty: match (dirty(Some(true)), dirty(None)) {
            (true, _) => Some(true),
            (false, true) => None,
            (false, false) => Some(false),
        },
        configurations: run.rows.len(),
        busy: busy(Some(true)),
        busy_unknown: busy(None),
        first: first.map(|first| comparison(first, run)),
        previous: previous.map(|previous| comparison(previous, run)),
        changed: match previous {
            Some(previous) => changed::between(previous.rows.values(), run.rows.values()),
            None => Vec::new(),
        },
    }
}

/// The change from `old` to `new` over the configurations that both have.
fn comparison(old: &Run<'_>, new: &Run<'_>) -> Comparison {
    let mut ratios: Vec<(&Row, f64)> = Vec::new();
    for (identity, (row, median)) in &new.medians {
        let before = old.medians.get(identity).map(|(_, before)| *before);
        if let Some(ratio) = before.and_then(|before| ratio(before, *median)) {
            ratios.push((row, ratio));
        }
    }
    let extreme = |found: Option<&(&Row, f64)>| {
        found.map(|(row, ratio)| Extreme {
            configuration: row.configuration.clone(),
            ratio: *ratio,
        })
    };
    Comparison {
        run_id: old.head.run_id.clone(),
        ratio: geometric_mean(ratios.iter().map(|(_, ratio)| *ratio)),
        shared: ratios.len(),
        worst: extreme(ratios.iter().max_by(|a, b| a.1.total_cmp(&b.1))),
        best: extreme(ratios.iter().min_by(|a, b| a.1.total_cmp(&b.1))),
    }
}

/// New over old; `None` where either is no positive, finite time.
fn ratio(old: f64, new: f64) -> Option<f64> {
    let positive = |time: f64| time.is_finite() && time > 0.0;
    let ratio = new / old;
    (positive(old) && positive(new) && positive(ratio)).then_some(ratio)
}

/// Geometric mean of positive numbers; `None` where there are none.
fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut count = 0.0_f64;
    let mut logarithms = 0.0_f64;
    for value in values {
        count += 1.0;
        logarithms += value.ln();
    }
    (count > 0.0).then(|| (logarithms / count).exp())
}

#[cfg(test)]
mod tests;
