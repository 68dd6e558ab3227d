//! Taking a run back: a row with the reason is added, and nothing is deleted. A row that is in the
//! working file only, because no commit could be made, is committed by the same command.

use std::env;
use std::time::SystemTime;

use serde_json::json;
use sysinfo::System;

use super::file::{HistoryFile, decoded};
use super::find::{Found, find_run};
use super::folder::load_named_or_all;
use super::record::{self, Added, Addition};
use super::rows::{Entry, Retraction};
use super::runs;
use crate::cli::HistoryArgs;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::project::Project;

/// Version of the JSON form.
const SCHEMA_VERSION: u32 = 1;

/// Longest reason, in characters: a sentence or two.
const REASON_MAX: usize = 200;

/// Takes the run `asked` back.
///
/// # Errors
/// Exit 2 where there is no such run, or the reason is no reason; exit 5 where the run was taken
/// back already, or the file or the repository cannot take the row; exit 6 where the history is
/// damaged.
pub fn run(args: &HistoryArgs, asked: &str, reason: &str) -> Outcome<Exit> {
    let project = Project::find(&super::current_folder()?)?;
    let files = load_named_or_all(&project.root.join(&project.settings.history), args.slug())?;
    let found = find_run(&files, asked)?;
    check_reason(found, reason)?;
    let repo = project.open_repo()?;
    let path = project.history_file(&found.file.slug);
    let head = repo.read_head_file(&path)?;
    let committed = head.map(|bytes| HistoryFile::parse(&path, decoded(&path, &bytes)?));
    let (retraction, new) = match pending(found, committed.transpose()?.as_ref(), reason)? {
        Some(pending) => (pending, None),
        None => {
            let retraction = retraction(found, reason)?;
            (retraction.clone(), Some(Entry::Retracted(retraction)))
        }
    };
    if let (false, Some(obstacle)) = (args.no_commit, repo.recording_obstacle(&path)?) {
        return Err(Failure::refused(format!(
            "failed to retract the run {}: the row could not be committed: {obstacle}; or give \
             --no-commit",
            found.run_id
        )));
    }
    let message = message(&found.file.slug, &retraction);
    let added = record::add(&Addition {
        project: &project,
        repo: &repo,
        slug: &found.file.slug,
        entries: new.as_slice(),
        what: "the retraction",
        message: &message,
        commit: !args.no_commit,
    })?;
    show(&found.file.slug, &retraction, &added, args.json)?;
    Ok(match added.not_committed {
        None => Exit::Success,
        Some(_) => Exit::Refused,
    })
}

fn check_reason(found: Found<'_>, reason: &str) -> Outcome<()> {
    let defect = reason_defect(reason, &Secrets::of_this_machine());
    defect.map_or(Ok(()), |defect| {
        Err(Failure::usage(format!(
            "failed to retract the run {}: the reason {defect}",
            found.run_id
        )))
    })
}

/// The row that took the run back and is not committed yet, as a hook or `--no-commit` leaves it;
/// `None` where the run was not taken back.
///
/// # Errors
/// Exit 5 where the row is committed, or gives another reason.
fn pending(
    found: Found<'_>,
    committed: Option<&HistoryFile>,
    reason: &str,
) -> Outcome<Option<Retraction>> {
    let run_id = found.run_id;
    let mut retractions = runs::retractions(found.file);
    let Some(earlier) = retractions.find(|earlier| earlier.run_id == run_id) else {
        return Ok(None);
    };
    let (date, given) = (&earlier.date, &earlier.reason);
    let refused = |why: String| {
        Err(Failure::refused(format!(
            "failed to retract the run {run_id}: it was taken back on {date}: {given}; {why}"
        )))
    };
    let of_run = |taken: &Retraction| taken.run_id == run_id;
    if committed.is_some_and(|file| runs::retractions(file).any(of_run)) {
        return refused("nothing needs to be done".to_owned());
    }
    match given == reason.trim() {
        true => Ok(Some(earlier.clone())),
        false => refused(
            "that row is not committed yet: give the same reason to commit it, or take the line \
             out of the file first"
                .to_owned(),
        ),
    }
}

fn retraction(found: Found<'_>, reason: &str) -> Outcome<Retraction> {
    let run_id = found.run_id;
    let mut rows = runs::rows(found.file);
    let Some(row) = rows.find(|row| row.run_id == run_id) else {
        return Err(Failure::refused(format!(
            "failed to retract the run {run_id}: the history has no row of it"
        )));
    };
    Ok(Retraction {
        run_id: run_id.to_owned(),
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        suite: row.configuration.suite.clone(),
        slug: Some(found.file.slug.clone()),
        reason: reason.trim().to_owned(),
    })
}

/// Message of the commit. It names no host, no user and no path of this machine.
fn message(slug: &str, retraction: &Retraction) -> String {
    let Retraction {
        run_id,
        suite,
        reason,
        ..
    } = retraction;
    format!("Retract a run of {suite} on {slug}\n\nrun {run_id}\n{reason}\n")
}

fn show(slug: &str, retraction: &Retraction, added: &Added, as_json: bool) -> Outcome<()> {
    let sentence = format!("run {}: {}", retraction.run_id, added.sentence);
    if !as_json {
        return output::print(&format!("{sentence}\n"));
    }
    let document = json!({
        "schema_version": SCHEMA_VERSION,
        "slug": slug,
        "run_id": retraction.run_id,
        "suite": retraction.suite,
        "date": retraction.date,
        "reason": retraction.reason,
        "commit": added.commit,
        "not_committed": added.not_committed,
    });
    output::note(sentence);
    output::print(&format!("{document:#}\n"))
}

/// What no history may tell of the machine that it was written on.
struct Secrets {
    host: Option<String>,
    user: Option<String>,
}

/// User names that say nothing about anybody, and are ordinary words.
const COMMON_USERS: [&str; 4] = ["root", "user", "admin", "runner"];

impl Secrets {
    fn of_this_machine() -> Secrets {
        let user = env::var("USER").or_else(|_| env::var("LOGNAME")).ok();
        Secrets {
            host: System::host_name()
                .ok()
                .filter(|host| !host.is_empty() && host != "localhost"),
            user: user.filter(|user| {
                !user.is_empty() && !COMMON_USERS.contains(&user.to_lowercase().as_str())
            }),
        }
    }
}

/// Why a text is no reason that can stand in the history for good, with the next step.
fn reason_defect(reason: &str, secrets: &Secrets) -> Option<String> {
    if reason.trim().is_empty() {
        return Some("is empty; say why the numbers are wrong".to_owned());
    }
    if reason.chars().any(char::is_control) {
        return Some("has a line break or another control character; use one line".to_owned());
    }
    let length = reason.trim().chars().count();
    if length > REASON_MAX {
        return Some(format!(
            "has {length} characters; {REASON_MAX} at most, the rest belongs elsewhere"
        ));
    }
    if let Some(path) = reason.split_whitespace().find(|word| is_path(word)) {
        return Some(format!(
            "names `{path}`, a path of a machine, which no history may hold; leave it out"
        ));
    }
    let names = |name: &Option<String>| {
        let name = name.as_deref()?.to_lowercase();
        let inside = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
        let lower = reason.to_lowercase();
        let mut words = lower.split(|letter| !inside(letter));
        words
            .any(|word| word.trim_matches('.') == name)
            .then_some(name)
    };
    let (kind, name) = match (names(&secrets.host), names(&secrets.user)) {
        (Some(host), _) => ("host", host),
        (None, Some(user)) => ("user", user),
        (None, None) => return None,
    };
    Some(format!(
        "names the {kind} `{name}`, which no history may hold; leave it out"
    ))
}

/// Whether a word is a path that begins at a root: `/a/b`, `~/a`, `C:\a`, `\\host\a`.
fn is_path(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '[', '`', '\'', '"']);
    let drive = {
        let mut letters = word.chars();
        letters
            .next()
            .is_some_and(|letter| letter.is_ascii_alphabetic())
            && letters.next() == Some(':')
            && letters.next().is_some_and(|letter| "\\/".contains(letter))
    };
    let rooted = word
        .strip_prefix('/')
        .is_some_and(|rest| rest.contains('/'));
    rooted || drive || word.starts_with("~/") || word.starts_with("\\\\")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::history::testing::{entries, full_row};

    fn secrets() -> Secrets {
        Secrets {
            host: Some("Build-7.example.org".to_owned()),
            user: Some("ada".to_owned()),
        }
    }

    #[test]
    fn a_reason_is_one_line_of_bounded_length_that_tells_no_secret() {
        let long = "é".repeat(REASON_MAX + 1);
        for (reason, expected) in [
            ("", "is empty"),
            (" \t ", "is empty"),
            ("one\ntwo", "line break"),
            ("one\rtwo", "line break"),
            ("tab\there", "control character"),
            ("a\0b", "control character"),
            (long.as_str(), "201 characters"),
            ("see /home/ada/log", "`/home/ada/log`, a path"),
            ("see (/var/log/syslog)", "a path"),
            ("the log ~/x", "a path"),
            ("in C:\\Users", "a path"),
            ("on \\\\server\\share", "a path"),
            (
                "build-7.example.org had a failed fan",
                "the host `build-7.example.org`",
            ),
            ("ask Ada.", "the user `ada`"),
        ] {
            let defect = reason_defect(reason, &secrets()).unwrap_or_default();
            assert!(defect.contains(expected), "{reason:?}: {defect:?}");
        }
    }

    #[test]
    fn an_ordinary_sentence_is_a_reason() {
        let longest = "é".repeat(REASON_MAX);
        for reason in [
            "the fan had failed",
            "another job ran: 3/4 of the cores were taken and/or throttled",
            "Adapter and canada are other words",
            "median 1.5 s / 2 s, \"quoted\", with a comma",
            longest.as_str(),
        ] {
            assert_eq!(reason_defect(reason, &secrets()), None, "{reason}");
        }
    }

    #[test]
    fn a_run_is_taken_back_once_and_only_where_it_has_rows() {
        let mut all = entries(&[full_row("run1", "a", 1.0)]);
        let file = |entries| HistoryFile {
            entries,
            ..HistoryFile::empty("some-cpu-2c")
        };
        let first = file(all.clone());
        let found = find_run(std::slice::from_ref(&first), "run1").unwrap();
        let taken = retraction(found, " the fan had failed ").unwrap();
        assert_eq!(taken.reason, "the fan had failed");
        assert_eq!(
            (taken.suite.as_str(), taken.run_id.as_str()),
            ("tracking", "run1")
        );
        all.push(Entry::Retracted(taken.clone()));
        let second = file(all);
        let found = find_run(std::slice::from_ref(&second), "run1").unwrap();
        let why = "the fan had failed";
        for uncommitted in [None, Some(&first)] {
            let again = pending(found, uncommitted, why).unwrap();
            assert_eq!(again.as_ref(), Some(&taken));
            let other = pending(found, uncommitted, "again").unwrap_err();
            assert_eq!(other.exit, Exit::Refused);
            assert!(other.message.contains("not committed yet"), "{other}");
        }
        let failure = pending(found, Some(&second), why).unwrap_err();
        assert_eq!(failure.exit, Exit::Refused);
        assert!(
            failure.message.contains("nothing needs to be done"),
            "{failure}"
        );
        let untouched = find_run(std::slice::from_ref(&first), "run1").unwrap();
        assert_eq!(pending(untouched, Some(&first), why).unwrap(), None);
        let orphan = file(vec![Entry::Retracted(taken)]);
        let found = find_run(std::slice::from_ref(&orphan), "run1").unwrap();
        assert_eq!(retraction(found, "why").unwrap_err().exit, Exit::Refused);
    }
}
