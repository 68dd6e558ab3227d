//! Two runs of one hardware set and suite, configuration by configuration.

use std::collections::{BTreeMap, BTreeSet};

use longrun_protocol::{Configuration, Width};
use serde::Serialize;

use super::compare::{
    ChangedConfiguration, Comparison, FieldChange, between, comparison, dirty, possible_reasons,
    ratio,
};
use super::file::HistoryFile;
use super::find::Found;
use super::rows::Row;
use super::runs;
use crate::failure::{Failure, Outcome};

/// What became of each configuration of a run in another run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairReport {
    /// Hardware set.
    pub slug: String,
    /// Suite of both runs.
    pub suite: String,
    /// The run that was named first.
    pub before: RunHead,
    /// The run that was named second.
    pub after: RunHead,
    /// Geometric mean over the shared configurations of each width that both ran, as a word.
    pub widths: BTreeMap<String, Comparison>,
    /// Configurations that both have with equal identities.
    pub shared: Vec<SharedConfiguration>,
    /// Configurations that both have with different identities.
    pub changed: Vec<ChangedConfiguration>,
    /// Configurations of the first run only.
    pub only_before: Vec<Configuration>,
    /// Configurations of the second run only.
    pub only_after: Vec<Configuration>,
}

/// What a run is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunHead {
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
}

/// One configuration in both runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SharedConfiguration {
    /// The configuration.
    pub configuration: Configuration,
    /// Median of the second over that of the first run.
    pub ratio: Option<f64>,
    /// Shortest time of the second over the longest of the first.
    pub ratio_min: Option<f64>,
    /// Longest time of the second over the shortest of the first.
    pub ratio_max: Option<f64>,
    /// In the first run.
    pub before: Side,
    /// In the second run.
    pub after: Side,
    /// What differs beside the identity.
    pub possible_reasons: Vec<FieldChange>,
}

/// What one run says of a configuration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// Median time in seconds.
    pub median_s: f64,
    /// Shortest time in seconds.
    pub min_s: Option<f64>,
    /// Longest time in seconds.
    pub max_s: Option<f64>,
    /// Accepted steps.
    pub accepted: Option<u64>,
    /// Rejected steps.
    pub rejected: Option<u64>,
    /// Source evaluations.
    pub source_evaluations: Option<u64>,
    /// Whether the machine was busy while the worker was set up or in a repeat.
    pub busy: Option<bool>,
}

/// Compares the second run with the first.
///
/// # Errors
/// Exit 2 where they are one run, of two hardware sets or of two suites, or one was taken back.
pub fn report(before: Found<'_>, after: Found<'_>) -> Outcome<PairReport> {
    let refused = |why: String| {
        Failure::usage(format!(
            "failed to compare the run {} with {}: {why}",
            after.run_id, before.run_id
        ))
    };
    if before.file.slug != after.file.slug {
        return Err(refused(format!(
            "they ran on two kinds of machine, `{}` and `{}`, and the difference between those \
             would look like a change of the code; compare runs of one",
            before.file.slug, after.file.slug
        )));
    }
    if before.run_id == after.run_id {
        return Err(refused("it is one run; name another".to_owned()));
    }
    for found in [before, after] {
        let mut retractions = runs::retractions(found.file);
        if let Some(taken) = retractions.find(|taken| taken.run_id == found.run_id) {
            return Err(refused(format!(
                "{} was taken back: {}; `history --run {}` shows it",
                found.run_id, taken.reason, found.run_id
            )));
        }
    }
    let (old, new) = (
        rows_of(before.file, before.run_id),
        rows_of(after.file, after.run_id),
    );
    let suites = |rows: &[&Row]| -> BTreeSet<String> {
        rows.iter()
            .map(|row| row.configuration.suite.clone())
            .collect()
    };
    let (suite, other) = (suites(&old), suites(&new));
    if suite != other {
        let joined = |names: BTreeSet<String>| names.into_iter().collect::<Vec<_>>().join(", ");
        return Err(refused(format!(
            "they are of two suites, `{}` and `{}`, which share no configuration; compare runs of \
             one",
            joined(suite),
            joined(other)
        )));
    }
    let (Some(head), Some(other)) = (head_of(&old), head_of(&new)) else {
        return Err(refused("one of them has no rows".to_owned()));
    };
    let difference = between(old.iter(), new.iter());
    Ok(PairReport {
        slug: before.file.slug.clone(),
        suite: suite.into_iter().collect::<Vec<_>>().join(", "),
        before: head,
        after: other,
        widths: widths(before, after),
        shared: shared(&old, &new),
        changed: difference.changed,
        only_before: difference.missing,
        only_after: difference.added,
    })
}

/// Rows of a run in the order of their configurations.
fn rows_of<'a>(file: &'a HistoryFile, run_id: &str) -> Vec<&'a Row> {
    let mut rows: Vec<&Row> = runs::rows(file)
        .filter(|row| row.run_id == run_id)
        .collect();
    rows.sort_by(|a, b| a.configuration.cmp(&b.configuration));
    rows
}

fn head_of(rows: &[&Row]) -> Option<RunHead> {
    let head = rows.first()?;
    Some(RunHead {
        run_id: head.run_id.clone(),
        date: head.date.clone(),
        version: head.version.clone(),
        commit: head.commit.clone(),
        dirty: dirty(rows.iter().map(|row| row.dirty)),
    })
}

/// The change at each width, by the rule of every other view.
fn widths(before: Found<'_>, after: Found<'_>) -> BTreeMap<String, Comparison> {
    let both = [before.run_id, after.run_id];
    let rows = runs::rows(before.file).filter(|row| both.contains(&row.run_id.as_str()));
    let mut widths: BTreeMap<(Width, String), Comparison> = BTreeMap::new();
    for ((_, width), runs) in runs::grouped(rows) {
        let of = |run_id: &str| runs.iter().find(|run| run.head.run_id == run_id);
        if let (Some(old), Some(new)) = (of(before.run_id), of(after.run_id)) {
            widths.insert((width, width.to_string()), comparison(old, new, &mut 0));
        }
    }
    widths
        .into_iter()
        .map(|((_, word), change)| (word, change))
        .collect()
}

fn shared(old: &[&Row], new: &[&Row]) -> Vec<SharedConfiguration> {
    let old: BTreeMap<&Configuration, &Row> =
        old.iter().map(|row| (&row.configuration, *row)).collect();
    let pairs = new.iter().filter_map(|row| {
        let before = *old.get(&row.configuration)?;
        let comparable = before.identity()? == row.identity()?;
        comparable.then_some((before, *row))
    });
    pairs
        .map(|(old, new)| shared_configuration(old, new))
        .collect()
}

fn shared_configuration(old: &Row, new: &Row) -> SharedConfiguration {
    let bound = |old: Option<f64>, new: Option<f64>| ratio(old?, new?);
    SharedConfiguration {
        configuration: new.configuration.clone(),
        ratio: ratio(old.median_s, new.median_s),
        ratio_min: bound(old.max_s, new.min_s),
        ratio_max: bound(old.min_s, new.max_s),
        before: side(old),
        after: side(new),
        possible_reasons: possible_reasons(old, new),
    }
}

fn side(row: &Row) -> Side {
    Side {
        median_s: row.median_s,
        min_s: row.min_s,
        max_s: row.max_s,
        accepted: row.accepted,
        rejected: row.rejected,
        source_evaluations: row.source_evaluations,
        busy: row.busy,
    }
}

#[cfg(test)]
mod tests;
