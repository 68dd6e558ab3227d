//! Grades whether earlier runs can be read, and whether a run could be recorded. Pure.

use super::finding::{Finding, Grade};
use crate::text;

/// The history file of this hardware set.
#[derive(Clone, Debug)]
pub struct History {
    /// Its path, relative to the root.
    pub file: String,
    /// How many runs it has, `None` where it is absent; otherwise why `history` cannot read it, or
    /// the file of another set.
    pub runs: Result<Option<usize>, String>,
    /// What keeps a run from being recorded in it, if anything.
    pub obstacle: Option<Obstacle>,
}

/// What keeps a run from being recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The history file cannot be extended, as a whole sentence.
    File(String),
    /// No commit could be made, and why.
    Commit(String),
}

/// Grades both, in the order of the report.
pub fn grade(history: &History) -> [Finding; 2] {
    [readable(history), recordable(history.obstacle.as_ref())]
}

fn readable(History { file, runs, .. }: &History) -> Finding {
    let topic = "history";
    let first = "the first recorded run makes it: `cargo xtask track --append-history`";
    match runs {
        Err(why) => {
            let (cause, step) = parts(why);
            let step = step.unwrap_or("put it right");
            Finding::new(topic, Grade::Blocked, cause).next(step)
        }
        Ok(Some(runs)) => {
            let runs = text::counted(*runs, "earlier run");
            Finding::new(topic, Grade::Ok, format!("{file} has {runs}"))
        }
        Ok(None) => Finding::new(topic, Grade::Note, format!("there is no {file} yet")).next(first),
    }
}

fn recordable(obstacle: Option<&Obstacle>) -> Finding {
    let topic = "recording";
    let (what, why, otherwise) = match obstacle {
        None => return Finding::new(topic, Grade::Ok, "rows could be added and committed"),
        Some(Obstacle::File(why)) => ("it would be refused", why, "put it right"),
        Some(Obstacle::Commit(why)) => (
            "rows could not be committed",
            why,
            "finish that first, or record with --no-commit",
        ),
    };
    let (cause, step) = parts(why);
    Finding::new(topic, Grade::Warn, format!("{what}: {cause}")).next(step.unwrap_or(otherwise))
}

/// A sentence as its cause and its next step: `cause; next step`.
fn parts(sentence: &str) -> (&str, Option<&str>) {
    match sentence.split_once("; ") {
        Some((cause, step)) => (cause, Some(step)),
        None => (sentence, None),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::check;
    use super::*;

    fn history(runs: Result<Option<usize>, &str>, obstacle: Option<Obstacle>) -> [Finding; 2] {
        grade(&History {
            file: "history/x-4c.csv".to_owned(),
            runs: runs.map_err(str::to_owned),
            obstacle,
        })
    }

    #[test]
    fn a_history_of_this_hardware_is_there_or_not_yet_or_cannot_be_read() {
        let torn = "failed to read line 3 of `x.csv`: it is torn; repair that line";
        for (runs, grade, found, step) in [
            (Ok(Some(2)), Grade::Ok, "x-4c.csv has 2 earlier runs", None),
            (Ok(None), Grade::Note, "no history/x-4c.csv", Some("track")),
            (Err(torn), Grade::Blocked, "torn", Some("repair that line")),
            (Err("it is locked"), Grade::Blocked, "locked", Some("right")),
        ] {
            let [finding, _] = history(runs, None);
            check(&finding, grade, Some(found), step.is_some());
            let next = finding.next_step.unwrap_or_default();
            assert!(next.contains(step.unwrap_or_default()), "{next}");
        }
    }

    #[test]
    fn what_would_keep_a_run_from_being_recorded_is_warned_of() {
        let file = |why: &str| Some(Obstacle::File(why.to_owned()));
        let commit = |why: &str| Some(Obstacle::Commit(why.to_owned()));
        for (obstacle, grade, found, step) in [
            (None, Grade::Ok, "added and committed", ""),
            (
                file("it is edited; restore it"),
                Grade::Warn,
                "refused: it is edited",
                "restore it",
            ),
            (
                commit("a merge is in progress"),
                Grade::Warn,
                "committed: a merge",
                "--no-commit",
            ),
            (
                commit("no identity; set it"),
                Grade::Warn,
                "no identity",
                "set it",
            ),
        ] {
            let [_, finding] = history(Ok(None), obstacle);
            check(&finding, grade, Some(found), !step.is_empty());
            let next = finding.next_step.unwrap_or_default();
            assert!(next.contains(step), "{next}");
        }
    }
}
