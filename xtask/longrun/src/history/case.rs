//! The course of one case: one series per configuration that was asked for, one point per run.
//!
//! A change is taken within equal identities only. Where the identity changes, the course is broken
//! and the break is named.

use std::collections::{BTreeMap, BTreeSet};

use longrun_protocol::{Engine, Size, Width};
use serde::Serialize;

use super::compare::{FieldChange, HistoryQuery, differing, possible_reasons, ratio};
use super::file::HistoryFile;
use super::near::near;
use super::rows::{Identity, Retraction, Row};
use super::runs::{self, Run};
use super::suspect::{Rule, Suspicion, Timed};
use crate::failure::{Failure, Outcome};

/// The course of one case on one hardware set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseReport {
    /// Hardware set.
    pub slug: String,
    /// The case, by its name of today.
    pub case: String,
    /// One for each configuration that was asked for, in order.
    pub series: Vec<Series>,
    /// Runs that measured the case and were taken back; they are in no series.
    pub retracted: Vec<Retraction>,
    /// Rows that were looked up; it grows as the rows do and no faster.
    #[serde(skip)]
    pub rows_compared: usize,
}

/// The runs of one configuration, whatever it resolved to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Suite of the runs.
    pub suite: String,
    /// Size of the case.
    pub size: Size,
    /// What computed.
    pub engine: Engine,
    /// Stepper that was requested.
    pub stepper: String,
    /// Other distinctions, as sorted `k=v` text.
    pub variant: String,
    /// Host threads, or the device.
    pub width: Width,
    /// One per run, in the order of runs.
    pub points: Vec<Point>,
    /// Runs after the last point that have other configurations of this suite and width only.
    pub missing_after: Vec<String>,
}

/// One run of a configuration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
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
    /// Revision of the case.
    pub revision: u32,
    /// Median time in seconds.
    pub median_s: f64,
    /// Shortest time in seconds.
    pub min_s: Option<f64>,
    /// Longest time in seconds.
    pub max_s: Option<f64>,
    /// Number of timed repeats, or of samples.
    pub repeats: Option<u32>,
    /// Accepted steps.
    pub accepted: Option<u64>,
    /// Rejected steps.
    pub rejected: Option<u64>,
    /// Source evaluations.
    pub source_evaluations: Option<u64>,
    /// Whether the machine was busy while the worker was set up or in a repeat.
    pub busy: Option<bool>,
    /// Change against the first run with the same identity; `None` for that run itself.
    pub first: Option<Change>,
    /// Change against the point before; `None` where there is none of the same identity.
    pub previous: Option<Change>,
    /// Whether it stands out of the points before it with the same identity; `None` where that is
    /// not known.
    pub suspicion: Option<Suspicion>,
    /// What the identity differs in from the point before: a break of the course.
    pub breaks: Vec<FieldChange>,
    /// What else differs from the point before and may be the reason for a change.
    pub possible_reasons: Vec<FieldChange>,
    /// Runs since the point before that lack this configuration.
    pub missing_before: Vec<String>,
}

/// The change of one configuration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The earlier run.
    pub run_id: String,
    /// New over old median; `None` where there is no such number.
    pub ratio: Option<f64>,
}

/// What tells the series of a case apart within a suite and width.
type Key<'a> = (Size, Engine, &'a str, &'a str);

/// A series that is being made.
#[derive(Default)]
struct Course<'a> {
    points: Vec<Point>,
    last: Option<&'a Row>,
    first: BTreeMap<Identity<'a>, &'a Row>,
    /// Times of the rows so far, by identity.
    timed: BTreeMap<Identity<'a>, Vec<Timed>>,
    missing: Vec<String>,
}

/// The course of a case.
///
/// # Errors
/// Exit 2 where nothing of that name was recorded, with names near it.
pub fn report(file: &HistoryFile, case: &str, query: &HistoryQuery) -> Outcome<CaseReport> {
    let of_case = |row: &&Row| row.configuration.case == case;
    let measured: BTreeSet<&str> = runs::rows(file)
        .filter(of_case)
        .map(|row| row.run_id.as_str())
        .collect();
    if measured.is_empty() {
        return Err(unknown_case(file, case));
    }
    let mut report = CaseReport {
        slug: file.slug.clone(),
        case: case.to_owned(),
        series: Vec::new(),
        retracted: runs::retractions(file)
            .filter(|retraction| measured.contains(retraction.run_id.as_str()))
            .cloned()
            .collect(),
        rows_compared: 0,
    };
    let rows = runs::standing(file).filter(|row| query.wants(row));
    let rule = Rule::default();
    for ((suite, width), runs) in runs::grouped(rows) {
        let mut courses: BTreeMap<Key<'_>, Course<'_>> = BTreeMap::new();
        for run in &runs {
            report.rows_compared += run.rows.len() + courses.len();
            extend(&mut courses, run, case, &rule);
        }
        let series = courses.into_iter().map(|(key, course)| {
            let (size, engine, stepper, variant) = key;
            Series {
                suite: suite.to_owned(),
                size,
                engine,
                stepper: stepper.to_owned(),
                variant: variant.to_owned(),
                width,
                points: course.points,
                missing_after: course.missing,
            }
        });
        report.series.extend(series);
    }
    Ok(report)
}

/// Adds a run to the courses: a point where it has the configuration, a gap where it lacks it.
fn extend<'a>(courses: &mut BTreeMap<Key<'a>, Course<'a>>, run: &Run<'a>, case: &str, rule: &Rule) {
    let mut met = BTreeSet::new();
    for row in run
        .rows
        .values()
        .filter(|row| row.configuration.case == case)
    {
        let configuration = &row.configuration;
        let key = (
            configuration.size,
            configuration.engine,
            configuration.stepper.as_str(),
            configuration.variant.as_str(),
        );
        met.insert(key);
        courses.entry(key).or_default().add(row, rule);
    }
    for (key, course) in courses {
        if !met.contains(key) {
            course.missing.push(run.head.run_id.clone());
        }
    }
}

impl<'a> Course<'a> {
    fn add(&mut self, row: &'a Row, rule: &Rule) {
        let change = |old: &Row| Change {
            run_id: old.run_id.clone(),
            ratio: ratio(old.median_s, row.median_s),
        };
        let identity = row.identity();
        let first = identity.as_ref().and_then(|same| self.first.get(same));
        let first = first.map(|old| change(old));
        let mut suspicion = None;
        if let Some((identity, timed)) = identity.zip(Timed::of(row)) {
            self.first.entry(identity).or_insert(row);
            let before = self.timed.entry(identity).or_default();
            suspicion = Some(rule.judge(before, timed));
            before.push(timed);
        }
        let breaks = self.last.map(|old| differing(old, row)).unwrap_or_default();
        let comparable = self.last.filter(|_| breaks.is_empty());
        let reasons = self.last.map(|old| possible_reasons(old, row));
        self.points.push(Point {
            run_id: row.run_id.clone(),
            date: row.date.clone(),
            version: row.version.clone(),
            commit: row.commit.clone(),
            dirty: row.dirty,
            revision: row.configuration.revision,
            median_s: row.median_s,
            min_s: row.min_s,
            max_s: row.max_s,
            repeats: row.repeats,
            accepted: row.accepted,
            rejected: row.rejected,
            source_evaluations: row.source_evaluations,
            busy: row.busy,
            first,
            previous: comparable.map(change),
            suspicion,
            breaks,
            possible_reasons: reasons.unwrap_or_default(),
            missing_before: std::mem::take(&mut self.missing),
        });
        self.last = Some(row);
    }
}

fn unknown_case(file: &HistoryFile, case: &str) -> Failure {
    let names: BTreeSet<&str> = runs::rows(file)
        .map(|row| row.configuration.case.as_str())
        .collect();
    let meant = near(case, names.iter().copied());
    let next = if names.is_empty() {
        "nothing has been recorded yet".to_owned()
    } else if meant.is_empty() {
        let names: Vec<&str> = names.into_iter().collect();
        format!("recorded are `{}`", names.join("`, `"))
    } else {
        format!("near it are `{}`", meant.join("`, `"))
    };
    Failure::usage(format!(
        "failed to show the case `{case}`: no run of `{}` has it; {next}",
        file.slug
    ))
}

#[cfg(test)]
mod tests;
