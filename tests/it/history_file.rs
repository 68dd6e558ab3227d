//! The history file: it is only ever extended, and what is damaged is refused with its line.

use crate::bench::Bench;
use crate::case::Case;

const RECORD: [&str; 4] = ["track", "--append-history", "--production", "1"];

/// A repository with one recorded run of two configurations.
fn recorded() -> Bench {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b"))
        .commit();
    bench.run(RECORD).exits(0);
    bench
}

/// Asserts that recording is refused before anything is run, for this reason.
#[track_caller]
fn refused(bench: &Bench, reasons: &[&str]) {
    let (commits, bundles) = (bench.commits(), bench.bundles().len());
    let text = bench.has("history").then(|| bench.status());
    let ran = bench.run(RECORD).exits(5).says("history_file: ");
    reasons.iter().fold(ran, |ran, reason| ran.says(reason));
    assert_eq!(bench.commits(), commits);
    assert_eq!(bench.bundles().len(), bundles, "nothing was run");
    assert_eq!(
        bench.has("history").then(|| bench.status()),
        text,
        "nothing was repaired"
    );
}

#[test]
fn an_edited_row_is_refused_with_its_line() {
    let bench = recorded();
    let path = bench.history_path();
    let text = bench.read(&path).replacen("0.001", "0.0009", 1);
    bench.write(&path, &text);
    refused(&bench, &["line 2 is not what was committed", "git restore"]);
}

#[test]
fn a_removed_row_is_refused_with_its_line() {
    let bench = recorded();
    let path = bench.history_path();
    let text = bench.read(&path);
    let without_last: Vec<&str> = text.lines().take(2).collect();
    bench.write(&path, &(without_last.join("\n") + "\n"));
    refused(&bench, &["line 3 of the committed file is missing"]);
}

#[test]
fn a_removed_file_is_refused() {
    let bench = recorded();
    std::fs::remove_file(bench.root().join(bench.history_path())).unwrap();
    refused(&bench, &["the working tree lacks it", "git restore"]);
}

#[test]
fn a_torn_file_is_refused_with_its_line_even_if_it_is_committed() {
    let bench = recorded();
    let path = bench.history_path();
    let text = bench.read(&path);
    bench.write(&path, text.trim_end());
    bench.commit_all("tear it");
    refused(&bench, &["line 3 ", "torn"]);
    let slug = path.trim_start_matches("history/").trim_end_matches(".csv");
    bench
        .run(["history", slug])
        .exits(6)
        .says("line 3 ")
        .says("torn");
}

#[test]
fn a_line_that_lacks_fields_is_refused_with_its_line() {
    let bench = recorded();
    let path = bench.history_path();
    bench.append(&path, "1,half a row\n");
    bench.commit_all("half a row");
    refused(&bench, &["line 4 ", "it has 2 fields"]);
}

#[test]
fn a_row_that_is_there_twice_is_refused_with_its_line() {
    let bench = recorded();
    let path = bench.history_path();
    let first = bench.read(&path).lines().nth(1).unwrap().to_owned();
    bench.append(&path, &format!("{first}\n"));
    bench.commit_all("merge badly");
    refused(&bench, &["line 4 ", "in line 2 already"]);
    let slug = path.trim_start_matches("history/").trim_end_matches(".csv");
    bench
        .run(["history", slug])
        .exits(6)
        .says("line 4 ")
        .says("in line 2 already");
}

#[test]
fn a_byte_order_mark_is_refused() {
    let bench = recorded();
    let path = bench.history_path();
    let text = bench.read(&path);
    bench.write(&path, &format!("\u{feff}{text}"));
    bench.commit_all("save it from a spreadsheet");
    refused(&bench, &["line 1 ", "byte order mark"]);
}

#[test]
fn an_unresolved_merge_is_refused_with_its_line() {
    let bench = recorded();
    let path = bench.history_path();
    bench.append(&path, "<<<<<<< HEAD\n");
    bench.commit_all("forget to merge");
    refused(&bench, &["line 4 ", "unresolved merge"]);
}

#[test]
fn an_older_file_gains_columns_and_keeps_its_rows() {
    let bench = recorded();
    let path = bench.history_path();
    let text = bench.read(&path);
    let mut lines = text.lines().map(|line| line.rsplit_once(',').unwrap().0);
    let header = lines.next().unwrap();
    let (kept, lost) = (header.split(',').count(), text.lines().next().unwrap());
    let lost = lost.split(',').nth(kept).unwrap().to_owned();
    let older: Vec<&str> = [header].into_iter().chain(lines).collect();
    bench.write(&path, &(older.join("\n") + "\n"));
    bench.commit_all("an older version wrote this");
    bench.run(RECORD).exits(0);
    let rows = bench.committed_rows();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0][&lost], "", "what was not known then is empty");
    let grown = bench.read(&path);
    let first: Vec<&str> = grown.lines().nth(1).unwrap().split(',').collect();
    let before: Vec<&str> = older[1].split(',').collect();
    assert_eq!(first[..before.len()], before[..], "no older field changes");
}

#[test]
fn a_file_that_git_checks_out_with_other_line_ends_is_extended() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .file(".gitattributes", "*.csv text eol=crlf\n")
        .commit();
    bench.run(RECORD).exits(0);
    bench.git(["rm", "--quiet", "--cached", &bench.history_path()]);
    bench.git(["reset", "--quiet", "--hard"]);
    assert!(bench.read(&bench.history_path()).contains("\r\n"));
    bench.run(RECORD).exits(0);
    assert_eq!(bench.committed_rows().len(), 2);
    assert_eq!(bench.status(), "");
}

#[test]
fn columns_of_a_newer_version_are_kept() {
    let bench = recorded();
    let path = bench.history_path();
    let text = bench.read(&path);
    let mut lines = text.lines();
    let header = format!("{},colour", lines.next().unwrap());
    let newer: Vec<String> = lines.map(|line| format!("{line},red")).collect();
    bench.write(&path, &format!("{header}\n{}\n", newer.join("\n")));
    bench.commit_all("a newer version wrote this");
    bench.run(RECORD).exits(0);
    let rows = bench.committed_rows();
    let colours: Vec<&str> = rows.iter().map(|row| row["colour"].as_str()).collect();
    assert_eq!(colours, ["red", "red", "", ""]);
}
