//! Finding one run by its id or the beginning of it. Pure.

use std::collections::BTreeSet;

use super::file::HistoryFile;
use super::near::near;
use crate::failure::{Failure, Outcome};

/// Most candidates that a message lists.
const LISTED_MAX: usize = 10;

/// A run and the file that has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<'a> {
    /// The history of the hardware set.
    pub file: &'a HistoryFile,
    /// Full id of the run.
    pub run_id: &'a str,
}

/// The run that `asked` is the id of, or the beginning of whose id it alone is.
///
/// # Errors
/// Exit 2 where there is no such run, with those that may have been meant, or more than one, with
/// all that it could be.
pub fn find_run<'a>(files: &'a [HistoryFile], asked: &str) -> Outcome<Found<'a>> {
    let all = || {
        files.iter().flat_map(|file| {
            let ids: BTreeSet<&str> = file.entries.iter().map(|entry| entry.run_id()).collect();
            ids.into_iter().map(move |run_id| Found { file, run_id })
        })
    };
    let exact: Vec<Found<'_>> = all().filter(|found| found.run_id == asked).collect();
    let candidates = match exact.is_empty() || asked.is_empty() {
        true => all()
            .filter(|found| !asked.is_empty() && found.run_id.starts_with(asked))
            .collect(),
        false => exact,
    };
    match candidates.as_slice() {
        [found] => Ok(*found),
        [] => Err(unknown(asked, all().map(|found| found.run_id).collect())),
        several => Err(ambiguous(asked, several)),
    }
}

fn unknown(asked: &str, mut ids: Vec<&str>) -> Failure {
    let meant = near(asked, ids.iter().copied());
    let next = if ids.is_empty() {
        "nothing has been recorded yet".to_owned()
    } else if meant.is_empty() {
        ids.sort_unstable();
        let last = ids.last().copied().unwrap_or_default();
        format!("the last one is `{last}`; `history` without `--run` and with `--json` has all")
    } else {
        format!("near it are `{}`", meant.join("`, `"))
    };
    Failure::usage(format!(
        "failed to find the run `{asked}`: no recorded run has this id or begins so; {next}"
    ))
}

fn ambiguous(asked: &str, candidates: &[Found<'_>]) -> Failure {
    let listed = candidates.iter().take(LISTED_MAX);
    let listed: Vec<String> = listed
        .map(|found| format!("`{}` ({})", found.run_id, found.file.slug))
        .collect();
    let more = match candidates.len().saturating_sub(LISTED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Failure::usage(format!(
        "failed to find the run `{asked}`: it could be {}{more}; give more of the id, or the \
         hardware set",
        listed.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::exit::Exit;
    use crate::history::testing::{entries, full_row};

    fn file(slug: &str, runs: &[&str]) -> HistoryFile {
        let rows: Vec<_> = runs.iter().map(|run| full_row(run, "a", 1.0)).collect();
        HistoryFile {
            entries: entries(&rows),
            ..HistoryFile::empty(slug)
        }
    }

    fn refused(files: &[HistoryFile], asked: &str) -> String {
        let failure = find_run(files, asked).unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
        failure.message
    }

    #[test]
    fn an_id_or_its_beginning_names_a_run() {
        let files = [file("x-1c", &["run1", "run10"]), file("y-1c", &["other"])];
        for (asked, expected, slug) in [
            ("run1", "run1", "x-1c"),
            ("run10", "run10", "x-1c"),
            ("o", "other", "y-1c"),
        ] {
            let found = find_run(&files, asked).unwrap();
            assert_eq!((found.run_id, found.file.slug.as_str()), (expected, slug));
        }
    }

    #[test]
    fn a_beginning_of_several_is_refused_with_all_of_them() {
        let files = [file("x-1c", &["run1", "run2"]), file("y-1c", &["run3"])];
        let message = refused(&files, "run");
        for expected in ["`run1` (x-1c)", "`run2` (x-1c)", "`run3` (y-1c)"] {
            assert!(message.contains(expected), "{message}");
        }
        let many: Vec<String> = (0..12).map(|run| format!("run{run:02}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let message = refused(&[file("x-1c", &many)], "run");
        assert!(message.contains("and 2 more"), "{message}");
    }

    #[test]
    fn one_id_in_two_files_needs_the_hardware_set() {
        let files = [file("x-1c", &["run1"]), file("y-1c", &["run1"])];
        assert!(refused(&files, "run1").contains("or the hardware set"));
    }

    #[test]
    fn an_unknown_run_is_refused_with_those_near_it() {
        let files = [file("x-1c", &["20261027T120000Z-abc1234-00ff", "zzz"])];
        let message = refused(&files, "20261027T120001Z-abc1234-00ff");
        assert!(message.contains("near it are `20261027T120000Z-abc1234-00ff`"));
        assert!(refused(&files, "q").contains("the last one is `zzz`"));
        assert!(refused(&files, "").contains("no recorded run"));
        assert!(refused(&[], "run1").contains("nothing has been recorded yet"));
    }
}
