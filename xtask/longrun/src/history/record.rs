//! Adding lines to a history file: the one way in which a run is recorded or taken back.

use std::time::Duration;

use super::append::append_bytes;
use super::rows::Entry;
use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::repo::{Basis, CommitRequest, Recorded, Repo};

/// Longest wait for another run that is recording.
const LOCK_WAIT: Duration = Duration::from_secs(60);

/// Lines that are to be added.
#[derive(Clone, Copy)]
pub struct Addition<'a> {
    /// The project whose history it is.
    pub project: &'a Project,
    /// Its repository.
    pub repo: &'a Repo,
    /// Hardware set: which file.
    pub slug: &'a str,
    /// The lines.
    pub entries: &'a [Entry],
    /// What they are, for the sentence: `3 rows`.
    pub what: &'a str,
    /// Message of the commit. It names no host, no user and no path of this machine.
    pub message: &'a str,
    /// Whether to commit, or to leave that to the user.
    pub commit: bool,
}

/// Where the lines are now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// As a sentence.
    pub sentence: String,
    /// The commit that holds them, where one was made.
    pub commit: Option<String>,
    /// Why no commit was made although it was asked for.
    pub not_committed: Option<String>,
}

/// What keeps the file of a hardware set from being extended, if anything. Nothing is written.
///
/// # Errors
/// Exit 6 where the committed version cannot be read.
pub fn unextendable(project: &Project, repo: &Repo, slug: &str) -> Outcome<Option<Failure>> {
    let path = project.history_file(slug);
    let head = repo.read_head_file(&path)?;
    let extended = repo
        .working_file(&path)
        .and_then(|working| append_bytes(&path, head.as_deref(), working.as_deref(), &[]));
    Ok(extended.err())
}

/// Appends the lines and, unless told otherwise, commits that one file.
///
/// # Errors
/// Exit 5 where the file is not to be extended so; exit 6 where it is damaged or cannot be read or
/// written.
pub fn add(addition: &Addition<'_>) -> Outcome<Added> {
    let Addition {
        project,
        repo,
        what,
        ..
    } = *addition;
    let path = project.history_file(addition.slug);
    let lock = project.work().join("history.lock");
    let request = CommitRequest {
        path: &path,
        message: addition.message,
        lock: &lock,
        lock_wait: LOCK_WAIT,
    };
    let mut derive = |basis: Basis<'_>| -> Outcome<Vec<u8>> {
        append_bytes(&path, basis.head, basis.working, addition.entries)
    };
    if !addition.commit {
        repo.extend_file(&request, &mut derive)?;
        return Ok(Added {
            sentence: format!("{what} of this run in `{path}`, not committed as you asked"),
            commit: None,
            not_committed: None,
        });
    }
    Ok(match repo.commit_file(&request, &mut derive)? {
        Recorded::Committed { commit, note } => {
            let note = note.map(|note| format!("\nnote: {note}"));
            let note = note.unwrap_or_default();
            let detached = match repo.branch() {
                Some(_) => "",
                None => "\nnote: HEAD is detached; no branch holds this commit",
            };
            Added {
                sentence: format!(
                    "recorded {what} in `{path}`, commit {commit:.12}{note}{detached}"
                ),
                commit: Some(commit),
                not_committed: None,
            }
        }
        Recorded::LeftInWorkingTree { reason, next } => Added {
            sentence: format!("{what} of this run in `{path}`, not committed: {reason}; {next}"),
            commit: None,
            not_committed: Some(reason),
        },
    })
}
