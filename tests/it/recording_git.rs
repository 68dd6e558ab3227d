//! What recording does to the rest of a repository: nothing.

use std::fs;

use crate::bench::Bench;
use crate::case::Case;

const RECORD: [&str; 4] = ["track", "--append-history", "--production", "1"];

fn bench() -> Bench {
    Bench::new()
        .case(Case::new("a"))
        .file("staged.txt", "one\n")
        .file("unstaged.txt", "one\n")
        .file("stashed.txt", "one\n")
        .commit()
}

#[test]
fn index_stash_references_and_configuration_stay_as_they_are() {
    let bench = bench();
    bench.git(["tag", "a-tag"]);
    bench.git(["branch", "a-branch"]);
    bench.append("stashed.txt", "two\n");
    bench.git(["stash", "--quiet"]);
    bench.append("staged.txt", "two\n");
    bench.write("new.txt", "new\n");
    bench.git(["add", "staged.txt", "new.txt"]);
    bench.append("staged.txt", "three\n");
    bench.append("unstaged.txt", "two\n");
    let before = (bench.git_state(), bench.status());
    bench.run(RECORD).exits(0);
    assert_eq!((bench.git_state(), bench.status()), before);
    assert_eq!(bench.files_of_last_commit(), [bench.history_path()]);
}

#[test]
fn no_command_but_recording_changes_the_repository() {
    let bench = bench();
    bench.append("staged.txt", "two\n");
    bench.git(["add", "staged.txt"]);
    let state = || {
        let index = fs::read(bench.root().join(".git/index")).unwrap();
        (bench.git_state(), bench.commit_id("HEAD"), index)
    };
    let before = state();
    bench.run(["list"]).exits(0);
    bench.run(["track"]).exits(0);
    bench
        .run(["track", "--append-history", "--case", "a"])
        .exits(5);
    bench.run(["build"]).exits(6);
    bench.run(["history"]);
    assert_eq!(state(), before);
}

#[test]
fn a_detached_checkout_records_on_itself() {
    let bench = bench();
    bench.git(["checkout", "--quiet", "--detach"]);
    let main = bench.commit_id("main");
    bench.run(RECORD).exits(0);
    assert_eq!(bench.commit_id("main"), main);
    assert_eq!(bench.commit_id("HEAD~1"), main);
    assert_eq!(bench.committed_rows().len(), 1);
}

#[test]
fn a_hook_that_agrees_is_run() {
    let bench = bench();
    bench.hook("pre-commit", "touch hook-was-run");
    bench.append("staged.txt", "two\n");
    bench.git(["add", "staged.txt"]);
    let before = bench.git_state();
    bench.run(RECORD).exits(0).says("recorded 1 row");
    assert!(bench.has("hook-was-run"));
    assert_eq!(bench.files_of_last_commit(), [bench.history_path()]);
    assert_eq!(bench.git_state(), before);
}

#[test]
fn a_hook_that_refuses_leaves_the_rows_in_the_working_tree() {
    let bench = bench();
    bench.hook("pre-commit", "echo 'not on a Friday' >&2; exit 1");
    let before = bench.commits();
    bench
        .run(RECORD)
        .exits(5)
        .says("not committed")
        .says("not on a Friday")
        .says("git add");
    assert_eq!(bench.commits(), before);
    assert_eq!(bench.rows().len(), 1);
    fs::remove_file(bench.root().join(".git/hooks/pre-commit")).unwrap();
    bench.run(RECORD).exits(0);
    assert_eq!(bench.committed_rows().len(), 2);
}

#[test]
fn a_signature_that_cannot_be_made_leaves_the_rows_in_the_working_tree() {
    let bench = bench();
    bench.git(["config", "commit.gpgSign", "true"]);
    bench.git(["config", "gpg.program", "/nonexistent/gpg"]);
    let before = bench.commits();
    bench.run(RECORD).exits(5).says("not committed");
    assert_eq!(bench.commits(), before);
    assert_eq!(bench.rows().len(), 1);
}

#[test]
fn without_an_identity_nothing_is_run() {
    let bench = bench();
    bench.git(["config", "--unset", "user.name"]);
    bench.git(["config", "--unset", "user.email"]);
    let before = bench.commits();
    let ran = bench.run_with(RECORD, |command| {
        for name in ["NAME", "EMAIL"] {
            command.env_remove(format!("GIT_AUTHOR_{name}"));
            command.env_remove(format!("GIT_COMMITTER_{name}"));
        }
    });
    ran.exits(5)
        .says("cannot_commit: ")
        .says("git config user.name");
    assert_eq!(bench.commits(), before);
    assert_eq!(bench.bundles().len(), 0, "nothing was run");
}

#[test]
fn during_a_merge_nothing_is_run_and_rows_can_wait_in_the_working_tree() {
    let bench = bench();
    bench.git(["switch", "--quiet", "--create", "topic"]);
    bench.append("staged.txt", "topic\n");
    bench.commit_all("topic");
    bench.git(["switch", "--quiet", "main"]);
    bench.git(["merge", "--quiet", "--no-ff", "--no-commit", "topic"]);
    let before = bench.commits();
    bench
        .run(RECORD)
        .exits(5)
        .says("cannot_commit: ")
        .says("a merge is in progress");
    assert_eq!(bench.bundles().len(), 0, "nothing was run");
    let uncommitted = [&RECORD[..], &["--no-commit"]].concat();
    bench.run(uncommitted).exits(0);
    assert_eq!(bench.commits(), before);
    assert_eq!(bench.rows().len(), 1);
}
