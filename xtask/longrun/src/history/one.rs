//! Everything that is recorded about one run.

use longrun_protocol::Configuration;
use serde::Serialize;

use super::find::Found;
use super::rows::{Retraction, Row};
use super::runs;
use crate::repo::Reach;

/// One run, as it was recorded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunReport {
    /// Hardware set.
    pub slug: String,
    /// The run.
    pub run_id: String,
    /// Whether a branch, a tag or HEAD leads to its commit; `None` where that is not known.
    pub reachable: Option<bool>,
    /// The rows that take it back; usually none.
    pub retracted: Vec<Retraction>,
    /// Every row, in the order of their configurations. Members are named after columns.
    pub rows: Vec<Row>,
}

/// Everything about a run, but for what only the repository knows.
pub fn report(found: Found<'_>) -> RunReport {
    let of_run = |row: &&Row| row.run_id == found.run_id;
    let mut rows: Vec<Row> = runs::rows(found.file).filter(of_run).cloned().collect();
    rows.sort_by(|a, b| key(a).cmp(key(b)));
    RunReport {
        slug: found.file.slug.clone(),
        run_id: found.run_id.to_owned(),
        reachable: None,
        retracted: runs::retractions(found.file)
            .filter(|retraction| retraction.run_id == found.run_id)
            .cloned()
            .collect(),
        rows,
    }
}

fn key(row: &Row) -> &Configuration {
    &row.configuration
}

impl RunReport {
    /// Notes whether anything leads to the commit.
    pub fn mark_reachable(&mut self, reach: &Reach) {
        self.reachable = self
            .rows
            .first()
            .and_then(|row| reach.leads_to(&row.commit));
    }
}
