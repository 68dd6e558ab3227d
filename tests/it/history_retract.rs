//! Taking a run back: a row and a commit, and no comparison with it any more.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::made_history::{SLUG, bench, path, row};
use crate::ran::Ran;

/// Three runs of one case: 1 s, 9 s, 2 s.
fn made() -> Bench {
    bench(&[
        row("run1", 1, "a", 1.0),
        row("run2", 2, "a", 9.0),
        row("run3", 3, "a", 2.0),
    ])
}

const REASON: &str = "the fan, had failed";

fn retract(bench: &Bench, run: &str, more: &[&str]) -> Ran {
    let arguments = ["history", SLUG, "--retract", run, "--reason", REASON];
    bench.run([&arguments[..], more].concat())
}

fn lines(bench: &Bench) -> Value {
    let history = bench.run(["history", SLUG, "--json"]).exits(0).json();
    history["suites"]["tracking"]["1"].clone()
}

#[test]
fn a_retracted_run_is_kept_named_and_compared_with_nothing() {
    let bench = made();
    let before = bench.read(&path(SLUG));
    retract(&bench, "run2", &[])
        .exits(0)
        .says("run run2: recorded the retraction in `history/");
    let after = bench.read(&path(SLUG));
    assert!(after.starts_with(&before), "no line was changed");
    let row = bench.committed_rows().pop().unwrap();
    assert_eq!(
        (row["kind"].as_str(), row["run_id"].as_str()),
        ("retracted", "run2")
    );
    assert_eq!(
        (row["reason"].as_str(), row["suite"].as_str()),
        (REASON, "tracking")
    );
    let lines = lines(&bench);
    assert_eq!(lines.as_array().unwrap().len(), 2);
    assert_eq!(lines[1]["previous"]["run_id"], "run1");
    assert_eq!(lines[1]["previous"]["ratio"], 2.0);
    bench
        .run(["history", SLUG])
        .exits(0)
        .says("retracted run2 (tracking): the fan, had failed");
    bench
        .run(["history", "--run", "run2"])
        .exits(0)
        .says(REASON)
        .says("9.00 s");
    bench
        .run(["history", SLUG, "--case", "a"])
        .exits(0)
        .says("retracted run2");
    bench
        .run(["history", "--run", "run1", "--run", "run2"])
        .exits(2)
        .says("run2 was taken back: the fan, had failed");
}

#[test]
fn the_commit_changes_one_file_and_nothing_else() {
    let bench = made();
    bench.write("staged.txt", "staged\n");
    bench.git(["add", "staged.txt"]);
    bench.append("Cargo.toml", "# mine\n");
    let (state, commits) = (bench.git_state(), bench.commits());
    let done = retract(&bench, "run2", &["--json"]).exits(0).json();
    assert_eq!(done["commit"], bench.commit_id("HEAD"));
    assert_eq!(
        (&done["run_id"], &done["reason"]),
        (&json!("run2"), &json!(REASON))
    );
    assert_eq!(done["not_committed"], Value::Null);
    assert_eq!(bench.commits(), commits + 1);
    assert_eq!(bench.files_of_last_commit(), [path(SLUG)]);
    assert_eq!(bench.git_state(), state);
    let message = bench.git(["show", "--no-patch", "--format=%B", "HEAD"]);
    assert!(
        message.starts_with("Retract a run of tracking on made-cpu-2c"),
        "{message}"
    );
    assert!(
        message.contains("run run2") && message.contains(REASON),
        "{message}"
    );
}

#[test]
fn without_a_commit_the_row_is_in_the_working_file() {
    let bench = made();
    let commits = bench.commits();
    retract(&bench, "run2", &["--no-commit"])
        .exits(0)
        .says("not committed as you asked");
    assert_eq!(bench.commits(), commits);
    assert_eq!(bench.rows().len(), 4);
    assert_eq!(lines(&bench).as_array().unwrap().len(), 2);
}

#[test]
fn a_run_is_taken_back_once_and_must_exist() {
    let bench = made();
    retract(&bench, "run2", &[]).exits(0);
    let text = bench.read(&path(SLUG));
    retract(&bench, "run2", &[])
        .exits(5)
        .says("it was taken back on")
        .says(REASON);
    retract(&bench, "run", &[])
        .exits(2)
        .says("it could be `run1`");
    retract(&bench, "rum3", &[])
        .exits(2)
        .says("near it are `run3`");
    assert_eq!(bench.read(&path(SLUG)), text);
}

#[test]
fn a_reason_is_required_and_must_be_one_line_without_secrets() {
    let bench = made();
    let text = bench.read(&path(SLUG));
    bench
        .run(["history", "--retract", "run2"])
        .exits(2)
        .says("--reason");
    bench
        .run(["history", "--reason", "why"])
        .exits(2)
        .says("--retract");
    let long = "x".repeat(201);
    let user = "named-like-nobody";
    for (reason, expected) in [
        ("", "is empty"),
        ("one\ntwo", "line break"),
        (long.as_str(), "201 characters"),
        ("see /home/ada/log.txt", "a path of a machine"),
        ("named-like-nobody broke it", "names the user"),
    ] {
        let ran = bench.run_with(
            ["history", "--retract", "run2", "--reason", reason],
            |command| {
                command.env("USER", user);
            },
        );
        ran.exits(2).says(expected);
    }
    assert_eq!(bench.read(&path(SLUG)), text);
}

#[test]
fn a_hook_that_refuses_leaves_the_row_in_the_working_tree() {
    let bench = made();
    bench.hook("pre-commit", "echo 'not on a Friday' >&2; exit 1");
    let commits = bench.commits();
    retract(&bench, "run2", &[])
        .exits(5)
        .says("not committed")
        .says("not on a Friday");
    assert_eq!(bench.commits(), commits);
    assert_eq!(bench.rows().len(), 4);
}

#[test]
fn a_retraction_that_is_not_committed_is_finished_by_the_same_command() {
    let refusing = made();
    refusing.hook("pre-commit", "exit 1");
    retract(&refusing, "run2", &[]).exits(5);
    fs::remove_file(refusing.root().join(".git/hooks/pre-commit")).unwrap();
    let asked = made();
    retract(&asked, "run2", &["--no-commit"]).exits(0);
    for bench in [refusing, asked] {
        let (text, commits) = (bench.read(&path(SLUG)), bench.commits());
        retract(&bench, "run2", &["--no-commit"]).exits(0);
        bench
            .run(["history", "--retract", "run2", "--reason", "another one"])
            .exits(5)
            .says("not committed yet");
        assert_eq!(bench.commits(), commits);
        retract(&bench, "run2", &[])
            .exits(0)
            .says("recorded the retraction");
        assert_eq!(bench.commits(), commits + 1);
        assert_eq!(bench.files_of_last_commit(), [path(SLUG)]);
        assert_eq!(bench.read(&path(SLUG)), text, "no second row");
        assert_eq!(
            (bench.committed_rows().len(), bench.status()),
            (4, String::new())
        );
        retract(&bench, "run2", &[])
            .exits(5)
            .says("nothing needs to be done");
    }
}

#[test]
fn during_a_merge_nothing_is_written() {
    let bench = made();
    bench.begin_merge();
    let text = bench.read(&path(SLUG));
    retract(&bench, "run2", &[])
        .exits(5)
        .says("a merge is in progress")
        .says("--no-commit");
    assert_eq!(bench.read(&path(SLUG)), text);
}

#[test]
fn a_working_file_that_does_not_extend_the_committed_one_is_refused() {
    let bench = made();
    let text = bench.read(&path(SLUG)).replacen(",9,", ",8,", 1);
    bench.write(&path(SLUG), &text);
    retract(&bench, "run2", &[])
        .exits(5)
        .says("is not what was committed");
    assert_eq!(bench.read(&path(SLUG)), text);
    fs::remove_file(bench.root().join(path(SLUG))).unwrap();
    retract(&bench, "run2", &[]).exits(2);
}

#[test]
fn retractions_of_two_branches_read_as_one_run_taken_back() {
    let bench = made();
    retract(&bench, "run2", &["--no-commit"]).exits(0);
    let text = bench.read(&path(SLUG));
    let again = text
        .lines()
        .last()
        .unwrap()
        .replace("the fan", "really the fan");
    bench.append(&path(SLUG), &format!("{again}\n"));
    bench.commit_all("merge two retractions");
    assert_eq!(lines(&bench).as_array().unwrap().len(), 2);
    let run = bench
        .run(["history", "--run", "run2", "--json"])
        .exits(0)
        .json();
    assert_eq!(run["retracted"].as_array().unwrap().len(), 2);
}
