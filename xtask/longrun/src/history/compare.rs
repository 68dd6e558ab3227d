//! How recorded runs compare: one line per run, per suite and width.
//!
//! The change between two runs is the geometric mean, over the configurations that both ran, of
//! the ratio of their medians. A configuration is the same only if its whole identity is equal; a
//! changed default is listed as changed and never averaged in. Unknown equals nothing.

mod changed;
mod claims;

pub use changed::{
    ChangedConfiguration, Difference, FieldChange, between, differing, possible_reasons,
};
pub use claims::Claims;

use std::collections::{BTreeMap, BTreeSet};

use longrun_protocol::{Configuration, Width};
use serde::Serialize;

use super::file::HistoryFile;
use super::rows::{Retraction, Row};
use super::runs::{self, Run};
use super::suspect::Rule;
use crate::failure::{Failure, Outcome};
use crate::repo::Reach;

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
    /// Whether anything at all is recorded, wanted or not.
    pub recorded: bool,
    /// Identities that comparisons looked up; it grows as the rows do and no faster.
    pub rows_compared: usize,
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
    /// Number of those that ran on a busy machine.
    pub busy: usize,
    /// Number of those of which that is not known.
    pub busy_unknown: usize,
    /// Whether a branch, a tag or HEAD leads to the commit; `None` where that is not known.
    pub reachable: Option<bool>,
    /// Change against the first recorded run; `None` for that run itself.
    pub first: Option<Comparison>,
    /// Change against the run before; `None` for the first one.
    pub previous: Option<Comparison>,
    /// Which configurations stand out of the runs before.
    pub claims: Claims,
    /// Configurations that the run before had as well, with another identity.
    pub changed: Vec<ChangedConfiguration>,
    /// Configurations that the run before had and this one lacks.
    pub missing: Vec<Configuration>,
    /// Configurations that this run has and the one before lacked.
    pub added: Vec<Configuration>,
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
    let mut report = HistoryReport {
        slug: file.slug.clone(),
        suites: BTreeMap::new(),
        retracted: runs::retractions(file).cloned().collect(),
        recorded: !file.entries.is_empty(),
        rows_compared: 0,
    };
    let rows = runs::standing(file).filter(|row| query.wants(row));
    let rule = Rule::default();
    for ((suite, width), runs) in runs::grouped(rows) {
        let mut timed = claims::Timings::default();
        let mut lines = Vec::with_capacity(runs.len());
        for (index, run) in runs.iter().enumerate() {
            let earlier = index.checked_sub(1);
            let previous = earlier.and_then(|before| runs.get(before));
            let first = earlier.and_then(|_| runs.first());
            let mut line = line_of(run, first, previous, &mut report.rows_compared);
            line.claims = Claims::of(run, &mut timed, &rule);
            lines.push(line);
        }
        let by_width = report.suites.entry(suite.to_owned()).or_default();
        by_width.insert(width, lines);
    }
    report
}

impl HistoryReport {
    /// Commits of all lines.
    pub fn commits(&self) -> BTreeSet<String> {
        self.lines().map(|line| line.commit.clone()).collect()
    }

    /// Notes which of the commits a branch, a tag or HEAD leads to.
    pub fn mark_reachable(&mut self, reach: &Reach) {
        let lines = self.suites.values_mut().flat_map(BTreeMap::values_mut);
        for line in lines.flatten() {
            line.reachable = reach.leads_to(&line.commit);
        }
    }

    /// Every line.
    pub fn lines(&self) -> impl Iterator<Item = &RunLine> {
        self.suites.values().flat_map(BTreeMap::values).flatten()
    }
}

impl HistoryQuery {
    /// What a reader must know who asks for a width that nothing was recorded at. A history
    /// without rows says nothing: any suite may be recorded next.
    ///
    /// # Errors
    /// Exit 2 where other suites are recorded and not the one that was asked for.
    pub fn note(&self, file: &HistoryFile) -> Outcome<Option<String>> {
        let suites: BTreeSet<&str> = runs::rows(file)
            .map(|row| row.configuration.suite.as_str())
            .collect();
        let unknown = |name: &&String| !suites.is_empty() && !suites.contains(name.as_str());
        if let Some(name) = self.suite.as_ref().filter(unknown) {
            let suites: Vec<&str> = suites.into_iter().collect();
            return Err(Failure::usage(format!(
                "failed to show the suite `{name}`: no run of `{}` has it; recorded are `{}`",
                file.slug,
                suites.join("`, `")
            )));
        }
        let any_width = HistoryQuery {
            width: None,
            ..self.clone()
        };
        let rows = runs::standing(file).filter(|row| any_width.wants(row));
        let widths: BTreeSet<Width> = rows.map(|row| row.configuration.width).collect();
        let Some(width) = self.width.filter(|width| !widths.contains(width)) else {
            return Ok(None);
        };
        let widths: Vec<String> = widths.iter().map(Width::to_string).collect();
        Ok((!widths.is_empty()).then(|| {
            let widths = widths.join(", ");
            format!("no run was recorded at width {width}; there are runs at {widths}")
        }))
    }

    /// Whether a row was asked for.
    pub(super) fn wants(&self, row: &Row) -> bool {
        let Configuration { suite, width, .. } = &row.configuration;
        self.suite.as_ref().is_none_or(|name| name == suite)
            && self.width.is_none_or(|only| only == *width)
    }
}

fn line_of(
    run: &Run<'_>,
    first: Option<&Run<'_>>,
    previous: Option<&Run<'_>>,
    looked_up: &mut usize,
) -> RunLine {
    let mut against = |old: Option<&Run<'_>>| old.map(|old| comparison(old, run, looked_up));
    let (first, previous_change) = (against(first), against(previous));
    let busy = |wanted: Option<bool>| run.rows.values().filter(|row| row.busy == wanted).count();
    let Difference {
        changed,
        missing,
        added,
    } = match previous {
        Some(previous) => changed::between(previous.rows.values(), run.rows.values()),
        None => Difference::default(),
    };
    RunLine {
        run_id: run.head.run_id.clone(),
        date: run.head.date.clone(),
        version: run.head.version.clone(),
        commit: run.head.commit.clone(),
        dirty: dirty(run.rows.values().map(|row| row.dirty)),
        configurations: run.rows.len(),
        busy: busy(Some(true)),
        busy_unknown: busy(None),
        reachable: None,
        first,
        previous: previous_change,
        claims: Claims::default(),
        changed,
        missing,
        added,
    }
}

/// Whether any of several rows measured uncommitted changes.
pub(super) fn dirty(rows: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut unknown = false;
    for row in rows {
        match row {
            Some(true) => return Some(true),
            Some(false) => {}
            None => unknown = true,
        }
    }
    (!unknown).then_some(false)
}

/// The change from `old` to `new` over the configurations that both have. Counts the identities
/// that it looks up.
pub(super) fn comparison(old: &Run<'_>, new: &Run<'_>, looked_up: &mut usize) -> Comparison {
    let (fewer, more) = match old.known.len() < new.known.len() {
        true => (&old.known, &new.known),
        false => (&new.known, &old.known),
    };
    *looked_up += fewer.len();
    let shared = fewer.keys().filter(|identity| more.contains_key(identity));
    let ratios: Vec<(&Row, f64)> = shared
        .filter_map(|identity| {
            let (before, after) = (old.known.get(identity)?, new.known.get(identity)?);
            Some((*after, ratio(before.median_s, after.median_s)?))
        })
        .collect();
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
pub(super) fn ratio(old: f64, new: f64) -> Option<f64> {
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
