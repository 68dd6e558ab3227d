//! Tests of reading history files.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::exit::Exit;
use crate::history::append::append;
use crate::history::testing::{entries, full_row};

const NAME: &str = "history/some-cpu-2c.csv";

fn two_rows() -> String {
    let rows = entries(&[full_row("r1", "a", 1.0), full_row("r1", "b", 2.0)]);
    append(NAME, None, None, &rows).unwrap()
}

fn refused(text: &str) -> String {
    let failure = HistoryFile::parse(NAME, text).unwrap_err();
    assert_eq!(failure.exit, Exit::Environment);
    assert!(failure.message.contains("`history/some-cpu-2c.csv`"));
    assert!(failure.message.contains("git restore"));
    failure.message
}

#[test]
fn a_file_reads_as_what_was_written() {
    let file = HistoryFile::parse(NAME, &two_rows()).unwrap();
    assert_eq!(file.slug, "some-cpu-2c");
    let expected = entries(&[full_row("r1", "a", 1.0), full_row("r1", "b", 2.0)]);
    assert_eq!(file.entries, expected);
}

#[test]
fn windows_line_ends_read_as_well() {
    let text = two_rows().replace('\n', "\r\n");
    let file = HistoryFile::parse(NAME, &text).unwrap();
    assert_eq!(file, HistoryFile::parse(NAME, &two_rows()).unwrap());
}

#[test]
fn a_file_cut_anywhere_is_refused_unless_a_whole_line_is_gone() {
    let text = two_rows();
    for length in 0..text.len() {
        let Some(cut) = text.get(..length) else {
            continue;
        };
        if cut.ends_with('\n') {
            HistoryFile::parse(NAME, cut).unwrap();
        } else {
            refused(cut);
        }
    }
}

#[test]
fn damage_is_reported_with_its_line() {
    let text = two_rows();
    let lines: Vec<&str> = text.lines().collect();
    let (header, first) = (lines[0], lines[1]);
    let torn = &first[..20];
    let table = [
        (
            text.trim_end().to_owned(),
            "line 3 ",
            "does not end with a newline",
        ),
        (format!("{text}{torn}"), "line 4 ", "torn"),
        (
            format!("{text}{torn}\n{first}\n"),
            "line 4 ",
            "fields and the header has",
        ),
        (
            format!("{header}\n{first},more\n"),
            "line 2 ",
            "fields and the header has",
        ),
        (format!("{header}\nab\0c\n"), "line 2 ", "NUL"),
        (
            format!("{header}\n{}\n", first.replace(",3,", ",x,")),
            "line 2 ",
            "`repeats` is `x`",
        ),
        (format!("{text}{header}\n"), "line 4 ", "second header"),
        (
            format!("{header}\n<<<<<<< ours\n{first}\n"),
            "line 2 ",
            "unresolved merge",
        ),
        (String::new(), "line 1 ", "it is empty"),
        ("date,case\n".to_owned(), "line 1 ", "`schema_version`"),
        (text.replacen("case", "size", 1), "line 1 ", "there twice"),
    ];
    for (text, line, what) in table {
        let message = refused(&text);
        assert!(
            message.contains(line) && message.contains(what),
            "{message}"
        );
    }
}

#[test]
fn an_older_file_without_optional_columns_reads_them_as_absent() {
    let text = "schema_version,run_id,date,commit,suite,case,size,revision,engine,stepper,variant,\
                width,tolerances,median_s\n\
                1,r,2025-01-01T00:00:00Z,abc,tracking,a,full,1,native,default,,16,,2.5\n";
    let file = HistoryFile::parse(NAME, text).unwrap();
    let [Entry::Run(row)] = file.entries.as_slice() else {
        unreachable!("one row was written");
    };
    assert_eq!(
        (row.busy, row.min_s, row.memory_domains),
        (None, None, None)
    );
    assert_eq!(row.raw_s, [0.0; 0]);
    assert_eq!(row.identity(), None);
}
