//! Tests of recording, against real repositories.
#![allow(clippy::unwrap_used)]

mod obstacles;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::*;
use crate::exit::Exit;
use crate::repo::testing::Checkout;
use crate::repo::{Change, Scope};

const FILE: &str = "history/x.csv";
const MESSAGE: &str = "track: record 1 row\n\nOn some machine.\n";

fn lock_of(checkout: &Checkout) -> PathBuf {
    checkout.folder().join("record.lock")
}

/// Appends a line to whichever version is longest, as a history does.
fn appended(basis: Basis<'_>, line: &str) -> Vec<u8> {
    let old = basis.working.or(basis.head).unwrap_or_default();
    [old, line.as_bytes()].concat()
}

fn record(checkout: &Checkout, line: &str) -> Outcome<Recorded> {
    record_with(checkout, &mut |basis| Ok(appended(basis, line)))
}

fn record_with(
    checkout: &Checkout,
    derive: &mut dyn FnMut(Basis<'_>) -> Outcome<Vec<u8>>,
) -> Outcome<Recorded> {
    let lock = lock_of(checkout);
    let request = CommitRequest {
        path: FILE,
        message: MESSAGE,
        lock: &lock,
        lock_wait: Duration::from_secs(60),
    };
    checkout.open().commit_file(&request, derive)
}

fn committed(outcome: Outcome<Recorded>) -> (String, Option<String>) {
    match outcome.unwrap() {
        Recorded::Committed { commit, note } => (commit, note),
        other => unreachable!("{other:?}"),
    }
}

fn left_because(outcome: Outcome<Recorded>) -> String {
    match outcome.unwrap() {
        Recorded::LeftInWorkingTree { reason, next } => {
            assert!(next.contains("git commit --only"), "{next}");
            reason
        }
        other => unreachable!("{other:?}"),
    }
}

fn started() -> Checkout {
    let checkout = Checkout::new();
    checkout.write(FILE, "h\n");
    checkout.write("code", "1\n");
    checkout.commit_all("one");
    checkout
}

/// Paths that the checked out commit changed.
fn touched(checkout: &Checkout) -> Vec<String> {
    let git = checkout.git();
    let commit = git.head().unwrap().peel_to_commit().unwrap();
    let parent = commit.parent(0).unwrap().tree().unwrap();
    let tree = commit.tree().unwrap();
    let diff = git.diff_tree_to_tree(Some(&parent), Some(&tree), None);
    let path = |delta: git2::DiffDelta<'_>| delta.new_file().path().unwrap().to_owned();
    diff.unwrap()
        .deltas()
        .map(|delta| path(delta).to_str().unwrap().to_owned())
        .collect()
}

fn dirty(checkout: &Checkout) -> Vec<(String, Change)> {
    let state = checkout.open().state(&Scope::everything()).unwrap();
    state
        .dirty
        .into_iter()
        .map(|dirty| (dirty.path, dirty.change))
        .collect()
}

fn head_text(checkout: &Checkout) -> String {
    let bytes = checkout.open().read_head_file(FILE).unwrap().unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn one_file_is_committed_and_the_checkout_is_clean_afterwards() {
    let checkout = started();
    let before = checkout.open().head_commit().unwrap();
    let (commit, note) = committed(record(&checkout, "a\n"));
    assert_eq!(note, None);
    assert_eq!(checkout.open().head_commit().unwrap(), commit);
    assert_eq!(touched(&checkout), [FILE]);
    assert_eq!(head_text(&checkout), "h\na\n");
    assert_eq!(checkout.read(FILE), "h\na\n");
    assert_eq!(dirty(&checkout), []);

    let git = checkout.git();
    let head = git.head().unwrap();
    let made = head.peel_to_commit().unwrap();
    assert_eq!(made.parent_id(0).unwrap().to_string(), before);
    assert_eq!(made.message().unwrap(), MESSAGE);
    assert_eq!(head.name().unwrap(), "refs/heads/main");
    for name in ["HEAD", "refs/heads/main"] {
        let log = git.reflog(name).unwrap();
        let last = log.get(0).unwrap();
        assert_eq!(last.message().unwrap(), Some("commit: track: record 1 row"));
        assert_eq!(last.id_old().to_string(), before, "{name}");
    }
}

#[test]
fn a_first_history_file_is_committed_too() {
    let checkout = Checkout::new();
    checkout.write("code", "1\n");
    checkout.commit_all("one");
    committed(record(&checkout, "a\n"));
    assert_eq!(touched(&checkout), [FILE]);
    assert_eq!(dirty(&checkout), []);
    let left_over: Vec<_> = fs::read_dir(checkout.path("history"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left_over, ["x.csv"]);
}

#[test]
fn a_detached_checkout_moves_and_its_branch_does_not() {
    let checkout = started();
    let git = checkout.git();
    let before = git.refname_to_id("refs/heads/main").unwrap();
    git.set_head_detached(before).unwrap();
    let (commit, _) = committed(record(&checkout, "a\n"));
    assert!(git.head_detached().unwrap());
    assert_eq!(git.refname_to_id("HEAD").unwrap().to_string(), commit);
    assert_eq!(git.refname_to_id("refs/heads/main").unwrap(), before);
}

#[test]
fn what_is_staged_stays_staged_and_out_of_the_commit() {
    let checkout = started();
    checkout.write("code", "staged\n");
    checkout.stage("code");
    checkout.write("code", "edited after staging\n");
    committed(record(&checkout, "a\n"));
    assert_eq!(touched(&checkout), [FILE]);
    assert_eq!(checkout.staged("code").unwrap(), "staged\n");
    assert_eq!(checkout.read("code"), "edited after staging\n");
    assert_eq!(dirty(&checkout), [("code".into(), Change::Modified)]);
}

#[test]
fn staged_rows_that_the_commit_holds_are_no_longer_staged() {
    let checkout = started();
    checkout.write(FILE, "h\nearlier\n");
    checkout.stage(FILE);
    let (_, note) = committed(record(&checkout, "a\n"));
    assert_eq!(note, None);
    assert_eq!(head_text(&checkout), "h\nearlier\na\n");
    assert_eq!(dirty(&checkout), []);
}

#[test]
fn another_staged_version_of_the_file_stays_staged_with_a_note() {
    let checkout = started();
    checkout.write(FILE, "something else\n");
    checkout.stage(FILE);
    checkout.write(FILE, "h\n");
    let (_, note) = committed(record(&checkout, "a\n"));
    assert!(note.unwrap().contains("still staged"));
    assert_eq!(checkout.staged(FILE).unwrap(), "something else\n");
    assert_eq!(head_text(&checkout), "h\na\n");
}

#[test]
fn a_commit_that_comes_between_is_kept_and_the_rows_follow_it() {
    let checkout = started();
    let mut calls = 0;
    let outcome = record_with(&checkout, &mut |basis| {
        calls += 1;
        if calls == 1 {
            checkout.write("code", "2\n");
            checkout.commit_all("between");
        }
        Ok(appended(basis, "a\n"))
    });
    committed(outcome);
    assert_eq!(calls, 2);
    assert_eq!(touched(&checkout), [FILE]);
    assert_eq!(checkout.read("code"), "2\n");
    assert_eq!(head_text(&checkout), "h\na\n");
    assert_eq!(dirty(&checkout), []);
}

#[test]
fn a_branch_that_is_changed_meanwhile_is_not_moved() {
    let checkout = started();
    let git = checkout.git();
    let base = git.head().unwrap().peel_to_commit().unwrap();
    git.branch("other", &base, false).unwrap();
    let mut calls = 0;
    committed(record_with(&checkout, &mut |basis| {
        calls += 1;
        if calls == 1 {
            checkout.git().set_head("refs/heads/other").unwrap();
        }
        Ok(appended(basis, "a\n"))
    }));
    assert_eq!(git.refname_to_id("refs/heads/main").unwrap(), base.id());
    assert_ne!(git.refname_to_id("refs/heads/other").unwrap(), base.id());
}

#[test]
fn what_is_refused_changes_nothing() {
    let checkout = started();
    let before = checkout.git_bytes();
    let refused = record_with(&checkout, &mut |_| Err(Failure::refused("no")));
    assert_eq!(refused.unwrap_err(), Failure::refused("no"));
    assert_eq!(checkout.read(FILE), "h\n");
    assert!(checkout.git_bytes() == before);
}

#[test]
fn content_that_is_committed_already_makes_no_commit() {
    let checkout = started();
    let before = checkout.git_bytes();
    let refused = record_with(&checkout, &mut |_| Ok(b"h\n".to_vec())).unwrap_err();
    assert_eq!(refused.exit, Exit::Refused);
    assert!(checkout.git_bytes() == before);
}

#[test]
fn a_path_outside_the_checkout_is_refused() {
    for path in [
        "",
        "/etc/x",
        "../x",
        "a/../../x",
        ".git/config",
        "a/.GIT/x",
        "a\\b",
        "a/",
    ] {
        assert_eq!(check_path(path).unwrap_err().exit, Exit::Usage, "{path}");
    }
    check_path("history/späte läufe.csv").unwrap();
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_file_is_refused() {
    let checkout = started();
    fs::remove_file(checkout.path(FILE)).unwrap();
    std::os::unix::fs::symlink("../code", checkout.path(FILE)).unwrap();
    let refused = record(&checkout, "a\n").unwrap_err();
    assert!(
        refused.message.contains("not an ordinary file"),
        "{refused}"
    );
    assert_eq!(checkout.read("code"), "1\n");
    let before = checkout.open().recording_obstacle(FILE).unwrap();
    assert_eq!(before.unwrap(), refused.message);
}

#[test]
fn rows_can_extend_the_working_file_without_a_commit() {
    let checkout = started();
    let before = checkout.git_bytes();
    let lock = lock_of(&checkout);
    let request = CommitRequest {
        path: FILE,
        message: MESSAGE,
        lock: &lock,
        lock_wait: Duration::ZERO,
    };
    let repo = checkout.open();
    for line in ["a\n", "b\n"] {
        repo.extend_file(&request, &mut |basis| Ok(appended(basis, line)))
            .unwrap();
    }
    assert_eq!(checkout.read(FILE), "h\na\nb\n");
    assert!(checkout.git_bytes() == before);
}

#[test]
fn writers_at_the_same_time_all_land() {
    let checkout = started();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let checkout = &checkout;
            scope.spawn(move || committed(record(checkout, &format!("row {writer}\n"))));
        }
    });
    let text = head_text(&checkout);
    let mut rows: Vec<_> = text.lines().skip(1).collect();
    rows.sort_unstable();
    let expected: Vec<_> = (0..8).map(|writer| format!("row {writer}")).collect();
    assert_eq!(rows, expected);
    assert_eq!(checkout.read(FILE), text);
    assert_eq!(dirty(&checkout), []);
}

/// Installs a hook that is a shell script.
#[cfg(unix)]
fn hook(checkout: &Checkout, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = format!(".git/hooks/{name}");
    checkout.write(&path, &format!("#!/bin/sh\n{script}\n"));
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(checkout.path(&path), executable).unwrap();
}

#[cfg(unix)]
#[test]
fn hooks_run_and_the_commit_still_holds_one_file() {
    let checkout = started();
    hook(&checkout, "pre-commit", "touch .git/ran-before");
    hook(&checkout, "commit-msg", "cp \"$1\" .git/saw-message");
    checkout.write("code", "staged\n");
    checkout.stage("code");
    let (commit, note) = committed(record(&checkout, "a\n"));
    assert_eq!(note, None);
    assert_eq!(checkout.open().head_commit().unwrap(), commit);
    assert!(checkout.path(".git/ran-before").exists());
    assert_eq!(checkout.read(".git/saw-message"), MESSAGE);
    assert_eq!(touched(&checkout), [FILE]);
    assert_eq!(checkout.staged("code").unwrap(), "staged\n");
    assert_eq!(dirty(&checkout), [("code".into(), Change::Modified)]);
}

#[cfg(unix)]
#[test]
fn a_new_file_is_committed_through_hooks_too() {
    let checkout = Checkout::new();
    checkout.write("code", "1\n");
    checkout.commit_all("one");
    checkout.write("other", "1\n");
    checkout.stage("other");
    hook(&checkout, "pre-commit", "exit 0");
    committed(record(&checkout, "a\n"));
    assert_eq!(touched(&checkout), [FILE]);
    assert_eq!(dirty(&checkout), [("other".into(), Change::Added)]);
}

#[cfg(unix)]
#[test]
fn a_hook_that_refuses_leaves_the_rows_in_the_working_tree_and_the_index_as_it_was() {
    for file_is_new in [false, true] {
        let checkout = started();
        if file_is_new {
            fs::remove_file(checkout.path(FILE)).unwrap();
            checkout.commit_all("without history");
        }
        hook(&checkout, "pre-commit", "echo not on a friday >&2; exit 1");
        let staged = checkout.staged(FILE);
        let before = checkout.open().head_commit().unwrap();
        let reason = left_because(record(&checkout, "a\n"));
        assert!(reason.contains("hooks run on commits here"), "{reason}");
        assert!(reason.contains("not on a friday"), "{reason}");
        assert_eq!(checkout.open().head_commit().unwrap(), before);
        assert_eq!(checkout.staged(FILE), staged);
        assert!(checkout.read(FILE).ends_with("a\n"));
    }
}

#[cfg(unix)]
#[test]
fn a_hook_that_adds_a_file_to_the_commit_is_a_failure() {
    let checkout = started();
    checkout.write("code", "2\n");
    hook(&checkout, "pre-commit", "git add code");
    let failure = record(&checkout, "a\n").unwrap_err();
    assert_eq!(failure.exit, Exit::Failed);
    assert!(failure.message.contains("touch 2 files"), "{failure}");
}

#[cfg(unix)]
#[test]
fn hooks_are_looked_for_where_the_configuration_says() {
    use std::os::unix::fs::PermissionsExt;
    let checkout = started();
    checkout.set("core.hooksPath", "tools/hooks");
    let repo = checkout.open();
    assert_eq!(repo.commit_program().unwrap(), None);
    checkout.write("tools/hooks/commit-msg", "#!/bin/sh\n");
    assert_eq!(repo.commit_program().unwrap(), None, "it is not executable");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(checkout.path("tools/hooks/commit-msg"), executable).unwrap();
    assert!(repo.commit_program().unwrap().is_some());
}

#[test]
fn signing_is_left_to_the_program() {
    let checkout = started();
    checkout.set("commit.gpgsign", "true");
    checkout.set("gpg.program", "/nonexistent/gpg");
    let reason = left_because(record(&checkout, "a\n"));
    assert!(reason.starts_with("commits are signed here"), "{reason}");
    assert!(Path::new(&checkout.path(FILE)).exists());
}
