//! Tests of reading history files.
#![allow(clippy::unwrap_used)]

use std::slice::from_ref;

use longrun_protocol::{Engine, Size, Width};

use super::*;
use crate::exit::Exit;
use crate::history::Row;
use crate::history::append::append;
use crate::history::rows::Retraction;
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
        (
            format!("{text}{first}\n"),
            "line 4 ",
            "the run r1 has `a dtype=f64 @1` in line 2 already",
        ),
        (
            format!("{text}{}\n", first.replace(",3,", ",4,")),
            "line 4 ",
            "in line 2 already",
        ),
        (format!("{text}1\n"), "line 4 ", "it has 1 field and"),
        (format!("\u{feff}{text}"), "line 1 ", "byte order mark"),
        (
            format!("{header}\n{}\n", first.replace("some-cpu-2c", "other-8c")),
            "line 2 ",
            "its hardware set is `other-8c`, and the file is that of `some-cpu-2c`",
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
fn rows_that_differ_in_one_part_of_the_configuration_are_not_the_same() {
    let changes: [fn(&mut Row); 9] = [
        |row| row.run_id = "r2".into(),
        |row| row.configuration.suite = "kernels".into(),
        |row| row.configuration.case = "b".into(),
        |row| row.configuration.size = Size::Quick,
        |row| row.configuration.revision = 2,
        |row| row.configuration.engine = Engine::Reference,
        |row| row.configuration.stepper = "rk".into(),
        |row| row.configuration.variant = "dtype=f32".into(),
        |row| row.configuration.width = Width::Device,
    ];
    let mut rows = vec![full_row("r1", "a", 1.0)];
    for change in changes {
        let mut row = full_row("r1", "a", 1.0);
        change(&mut row);
        rows.push(row);
    }
    let text = append(NAME, None, None, &entries(&rows)).unwrap();
    let file = HistoryFile::parse(NAME, &text).unwrap();
    assert_eq!(file.entries.len(), 10);
}

#[test]
fn a_run_may_be_retracted_twice() {
    let retraction = Entry::Retracted(Retraction {
        run_id: "r1".into(),
        date: "2026-10-28T12:00:00Z".into(),
        suite: "tracking".into(),
        slug: None,
        reason: "the fan had failed".into(),
    });
    let text = append(NAME, None, None, from_ref(&retraction)).unwrap();
    let line = text.lines().nth(1).unwrap();
    let file = HistoryFile::parse(NAME, &format!("{text}{line}\n")).unwrap();
    assert_eq!(file.entries, [retraction.clone(), retraction]);
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
