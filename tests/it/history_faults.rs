//! Faults of history files that users of such tools really hit: torn lines, odd numbers, other
//! units, other versions.

use std::fs;
use std::path::Path;

use crate::bench::Bench;
use crate::case::Case;
use crate::made_history::{SLUG, bench, path, row, text};

const RECORD: [&str; 4] = ["track", "--append-history", "--production", "1"];

/// Arguments of every view of the made history.
const VIEWS: [&[&str]; 4] = [
    &["history", SLUG],
    &["history", SLUG, "--case", "a"],
    &["history", SLUG, "--run", "run1"],
    &["history", SLUG, "--run", "run1", "--run", "run2"],
];

/// Asserts that every view refuses the file with these words and prints no result.
#[track_caller]
fn refused_by_every_view(bench: &Bench, words: &[&str]) {
    for view in VIEWS {
        let ran = bench.run(view).exits(6);
        assert_eq!(ran.stdout, "", "{view:?}");
        words.iter().fold(ran, |ran, word| ran.says(word));
    }
}

#[test]
fn a_median_that_is_no_time_is_refused_with_its_line_and_never_a_ratio() {
    for median in [
        "0", "NaN", "nan", "inf", "-1", "-0", "", "1e400", "1e-400", "fast", "0x1",
    ] {
        let rows = [
            row("run1", 1, "a", 1.0),
            row("run2", 2, "a", 1.0).with("median_s", median),
        ];
        let bench = bench(&rows);
        refused_by_every_view(&bench, &["line 3 ", "`median_s`"]);
    }
}

#[test]
fn any_other_number_that_is_none_is_refused_with_its_line() {
    for (column, value) in [
        ("min_s", "NaN"),
        ("max_s", "-inf"),
        ("raw_s", "1;NaN"),
        ("cpu_median_s", "inf"),
        ("accepted", "1.5"),
        ("source_evaluations", "-3"),
        ("peak_rss_bytes", "many"),
        ("repeats", "0"),
    ] {
        let rows = [
            row("run1", 1, "a", 1.0),
            row("run2", 2, "a", 1.0).with(column, value),
        ];
        refused_by_every_view(&bench(&rows), &["line 3 ", &format!("`{column}`")]);
    }
}

#[test]
fn a_row_of_another_hardware_set_is_refused_with_its_line() {
    let rows = [
        row("run1", 1, "a", 1.0),
        row("run2", 2, "a", 1.0).with("slug", "other-8c"),
    ];
    refused_by_every_view(&bench(&rows), &["line 3 ", "`other-8c`"]);
}

#[test]
fn a_folder_in_place_of_the_file_is_refused_with_the_next_step() {
    let bench = bench(&[]);
    fs::remove_file(bench.root().join(path(SLUG))).unwrap();
    fs::create_dir(bench.root().join(path(SLUG))).unwrap();
    refused_by_every_view(&bench, &["not an ordinary file", "move it away"]);
}

#[test]
fn torn_and_joined_lines_are_refused_with_their_line() {
    let whole = text(&[row("run1", 1, "a", 1.0), row("run2", 2, "a", 1.0)]);
    let half = &whole[..whole.len() - 9];
    let first_break = whole.find('\n').unwrap() + 1;
    let second_break = first_break + whole[first_break..].find('\n').unwrap();
    let joined = [&whole[..second_break], &whole[second_break + 1..]].concat();
    let nul = whole.replacen("run2", "ru\0n2", 1);
    let twice = [whole.as_str(), &whole].concat();
    for (damaged, words) in [
        (half, ["line 3 ", "torn"]),
        (joined.as_str(), ["line 2 ", "fields"]),
        (nul.as_str(), ["line 3 ", "NUL"]),
        (twice.as_str(), ["line 4 ", "second header"]),
    ] {
        let bench = bench(&[]);
        bench.write(&path(SLUG), damaged);
        refused_by_every_view(&bench, &words);
    }
}

#[test]
fn times_of_another_unit_are_refused_and_never_a_number() {
    let whole = text(&[row("run1", 1, "a", 1.0), row("run2", 2, "a", 1000.0)]);
    for (column, other) in [
        ("median_s", "median_ms"),
        ("min_s", "min_ms"),
        ("peak_rss_bytes", "peak_rss_kib"),
    ] {
        let bench = bench(&[]);
        bench.write(&path(SLUG), &whole.replacen(column, other, 1));
        let words = ["line 1 ", other, "another unit", column];
        refused_by_every_view(&bench, &words);
    }
}

/// A file of `tests/golden/history`.
fn golden(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/history");
    fs::read_to_string(folder.join(name)).unwrap()
}

/// What `history` says about a golden file, and whether something may be appended to it.
fn said_of(name: &str) -> (Bench, serde_json::Value) {
    let bench = bench(&[]);
    bench.write(&path(SLUG), &golden(name));
    bench.commit_all("a golden file");
    let history = bench.run(["history", SLUG, "--json"]).exits(0).json();
    (bench, history)
}

const RETRACT: [&str; 5] = ["history", "--retract", "run1", "--reason", "why"];

#[test]
fn the_file_of_version_1_reads_as_it_always_did() {
    let (bench, history) = said_of("version-1.csv");
    let expected: serde_json::Value = serde_json::from_str(&golden("version-1.json")).unwrap();
    assert_eq!(history, expected);
    bench.run(RETRACT).exits(0);
    assert!(
        bench
            .read(&path(SLUG))
            .starts_with(&golden("version-1.csv"))
    );
}

#[test]
fn an_older_file_with_fewer_columns_reads_and_gains_them() {
    let (bench, history) = said_of("version-1-early.csv");
    let line = &history["suites"]["tracking"]["1"][1];
    assert_eq!(line["busy_unknown"], 1);
    assert_eq!(line["previous"]["shared"], 0, "unknown equals nothing");
    assert_eq!(history["notes"], serde_json::json!([]));
    bench
        .run(["history", "--run", "run1"])
        .exits(0)
        .says("CPU             unknown");
    bench.run(RETRACT).exits(0);
    let rows = bench.committed_rows();
    assert_eq!(rows.len(), 3);
    assert_eq!(
        (rows[0]["busy"].as_str(), rows[0]["median_s"].as_str()),
        ("", "1.5")
    );
    assert_eq!(rows[2]["kind"], "retracted");
}

#[test]
fn a_newer_file_reads_with_a_note_and_is_not_appended_to() {
    let (bench, history) = said_of("version-2-made.csv");
    let line = &history["suites"]["tracking"]["1"][1];
    assert_eq!(line["previous"]["ratio"], 2.0);
    let note = history["notes"][0].as_str().unwrap();
    assert!(
        note.contains("line 3") && note.contains("schema version 2"),
        "{note}"
    );
    for view in VIEWS {
        bench
            .run(view)
            .exits(0)
            .says("were written by schema version 2");
    }
    let text = bench.read(&path(SLUG));
    bench
        .run(RETRACT)
        .exits(5)
        .says("line 3 has schema version 2")
        .says("record with the version of Longrun that wrote it");
    assert_eq!(bench.read(&path(SLUG)), text);
}

#[test]
fn recording_into_a_newer_file_is_refused_before_anything_is_run() {
    let bench = Bench::new().case(Case::new("a")).commit();
    bench.run(RECORD).exits(0);
    let name = bench.history_path();
    let newer = bench.read(&name).replacen("\n1,", "\n2,", 1);
    bench.write(&name, &newer);
    bench.commit_all("a newer version wrote this");
    let bundles = bench.bundles().len();
    bench
        .run(RECORD)
        .exits(5)
        .says("history_file: ")
        .says("schema version 2");
    assert_eq!(bench.bundles().len(), bundles, "nothing was run");
    assert_eq!(bench.read(&name), newer);
}
