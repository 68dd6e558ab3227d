//! Tests of extending history files.
#![allow(clippy::unwrap_used)]

use std::slice::from_ref;

use super::*;
use crate::exit::Exit;
use crate::history::Row;
use crate::history::columns::Column;
use crate::history::rows::Retraction;
use crate::history::testing::{Generator, entries, full_row};

const NAME: &str = "history/some-cpu-2c.csv";

fn one(run: &str) -> Vec<Entry> {
    entries(&[full_row(run, "a", 1.0)])
}

fn refused(head: Option<&str>, working: Option<&str>) -> String {
    let failure = append(NAME, head, working, &one("new")).unwrap_err();
    assert_eq!(failure.exit, Exit::Refused, "{failure}");
    failure.message
}

#[test]
fn appending_keeps_every_earlier_byte() {
    let first = append(NAME, None, None, &one("r1")).unwrap();
    let second = append(NAME, Some(&first), Some(&first), &one("r2")).unwrap();
    assert!(second.starts_with(&first));
    assert_eq!(second.lines().count(), 3);
    let file = HistoryFile::parse(NAME, &second).unwrap();
    assert_eq!(file.entries, [one("r1"), one("r2")].concat());
}

#[test]
fn rows_that_wait_in_the_working_file_are_kept() {
    let head = append(NAME, None, None, &one("r1")).unwrap();
    let working = append(NAME, Some(&head), Some(&head), &one("r2")).unwrap();
    let third = append(NAME, Some(&head), Some(&working), &one("r3")).unwrap();
    assert!(third.starts_with(&working));
    let uncommitted = append(NAME, None, Some(&working), &one("r3")).unwrap();
    assert_eq!(uncommitted, third);
}

#[test]
fn a_working_file_that_does_anything_but_extend_is_refused_with_the_line() {
    let head = append(NAME, None, None, &[one("r1"), one("r2")].concat()).unwrap();
    let lines: Vec<&str> = head.lines().collect();
    let swapped = format!("{}\n{}\n{}\n", lines[0], lines[2], lines[1]);
    let shorter = format!("{}\n{}\n", lines[0], lines[1]);
    let edited = head.replacen(",1.5,", ",1.6,", 1);
    let renamed = head.replacen("gpu_model", "card", 1);
    for (working, expected) in [
        (swapped, "line 2 is not what was committed"),
        (shorter, "line 3 of the committed file is missing"),
        (edited, "line 2 is not what was committed"),
        (renamed, "line 1 is another header"),
    ] {
        let message = refused(Some(&head), Some(&working));
        assert!(message.contains(expected), "{message}");
    }
    assert!(refused(Some(&head), None).contains("lacks it"));
}

#[test]
fn a_damaged_file_is_never_appended_to() {
    let text = append(NAME, None, None, &one("r1")).unwrap();
    let damaged = text.replace(",3,", ",-3,");
    let torn = text.trim_end();
    for working in [damaged.as_str(), torn] {
        let failure = append(NAME, None, Some(working), &one("r2")).unwrap_err();
        assert!(failure.message.contains("line 2"), "{failure}");
    }
}

#[test]
fn a_file_with_a_row_twice_or_a_byte_order_mark_is_never_appended_to() {
    let text = append(NAME, None, None, &one("r1")).unwrap();
    let twice = format!("{text}{}\n", text.lines().nth(1).unwrap());
    let marked = format!("\u{feff}{text}");
    for (working, line) in [(twice, "line 3 "), (marked, "line 1 ")] {
        for head in [None, Some(working.as_str())] {
            let failure = append(NAME, head, Some(&working), &one("r2")).unwrap_err();
            assert_eq!(failure.exit, Exit::Environment, "{failure}");
            assert!(failure.message.contains(line), "{failure}");
        }
    }
    let rows = [one("r1"), one("r1")].concat();
    let failure = append(NAME, None, None, &rows).unwrap_err();
    assert_eq!(failure.exit, Exit::Failed, "{failure}");
    assert!(failure.message.contains("there twice"), "{failure}");
}

#[test]
fn a_run_is_recorded_once() {
    let text = append(NAME, None, None, &one("new")).unwrap();
    assert!(refused(Some(&text), Some(&text)).contains("the run new is in it already"));
}

#[test]
fn an_older_file_gains_columns_and_keeps_those_of_a_newer_writer() {
    let old = "schema_version,humidity,run_id,date,commit,suite,case,size,revision,engine,stepper,\
               variant,width,tolerances,median_s\n\
               1,\"40, \"\"dry\"\"\",r0,2025-01-01T00:00:00Z,abc,tracking,a,full,1,native,default,\
               ,16,,2.5\n";
    let text = append(NAME, Some(old), Some(old), &one("r1")).unwrap();
    let header = text.lines().next().unwrap();
    assert!(header.starts_with(old.lines().next().unwrap()));
    let older = text.lines().nth(1).unwrap();
    assert!(older.starts_with(old.lines().nth(1).unwrap()));
    assert!(older.ends_with(",,"), "{older}");
    let file = HistoryFile::parse(NAME, &text).unwrap();
    assert_eq!(file.entries[1..], one("r1"));
    assert_eq!(
        file.entries[..1],
        HistoryFile::parse(NAME, old).unwrap().entries
    );
    // The file has gained its columns now: from here on no byte changes.
    let again = append(NAME, Some(old), Some(&text), &one("r2")).unwrap();
    assert!(again.starts_with(&text));
}

#[test]
fn windows_line_ends_become_line_feeds() {
    let text = append(NAME, None, None, &one("r1")).unwrap();
    let windows = text.replace('\n', "\r\n");
    let result = append(NAME, Some(&text), Some(&windows), &one("r2")).unwrap();
    assert_eq!(
        result,
        append(NAME, Some(&text), Some(&text), &one("r2")).unwrap()
    );
}

#[test]
fn a_row_that_does_not_read_back_is_not_written() {
    let bad: [fn(&mut Row); 6] = [
        |row| row.median_s = f64::NAN,
        |row| row.median_s = -1.0,
        |row| row.raw_s = vec![f64::INFINITY],
        |row| row.os = Some(String::new()),
        |row| row.os = Some("a\0b".into()),
        |row| row.date = "today".into(),
    ];
    for damage in bad {
        let mut row = full_row("r1", "a", 1.0);
        damage(&mut row);
        let failure = append(NAME, None, None, &entries(&[row])).unwrap_err();
        assert_eq!(failure.exit, Exit::Failed, "{failure}");
    }
}

/// A row out of awkward values.
fn awkward(generator: &mut Generator, run: u64) -> Entry {
    if generator.below(10) == 0 {
        return Entry::Retracted(Retraction {
            run_id: format!("run {run}"),
            date: "2026-10-27T12:00:00Z".into(),
            suite: "tracking".into(),
            slug: None,
            reason: format!("because {}", generator.text()),
        });
    }
    let mut row = full_row(&format!("run {run}"), "a", generator.seconds());
    let maybe = |generator: &mut Generator| {
        let text = generator.text();
        (!text.is_empty()).then_some(text)
    };
    row.cpu_model = maybe(generator);
    row.os = maybe(generator);
    row.native_compiler = maybe(generator);
    row.configuration.case = format!("case {}", generator.text());
    row.configuration.variant = generator.text();
    row.tolerances = generator.text();
    row.raw_s = (0..generator.below(5))
        .map(|_| generator.seconds())
        .collect();
    row.max_s = (generator.below(2) == 0).then(|| generator.seconds());
    row.peak_rss_bytes = (generator.below(2) == 0).then(|| generator.next());
    row.busy = [None, Some(true), Some(false)][usize::try_from(generator.below(3)).unwrap()];
    Entry::Run(Box::new(row))
}

#[test]
fn whatever_is_written_reads_back() {
    for seed in 0..50 {
        let mut generator = Generator(seed);
        let mut text: Option<String> = None;
        let mut all = Vec::new();
        for run in 0..generator.below(8) {
            let entry = awkward(&mut generator, run);
            let next = append(NAME, text.as_deref(), text.as_deref(), from_ref(&entry)).unwrap();
            assert!(next.starts_with(text.as_deref().unwrap_or_default()) || next.contains('\r'));
            text = Some(next);
            all.push(entry);
        }
        if let Some(text) = text {
            assert_eq!(
                HistoryFile::parse(NAME, &text).unwrap().entries,
                all,
                "{seed}"
            );
        }
    }
}

#[test]
fn a_field_that_looks_like_a_formula_survives() {
    let mut row = full_row("r1", "a", 1.0);
    row.os = Some("=cmd|' /C calc'!A0".into());
    let text = append(NAME, None, None, &entries(&[row.clone()])).unwrap();
    let file = HistoryFile::parse(NAME, &text).unwrap();
    assert_eq!(file.entries[0].text(Column::Os), "=cmd|' /C calc'!A0");
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_line() {
    let text = append_bytes(NAME, None, None, &one("r1")).unwrap();
    assert_eq!(
        text,
        append(NAME, None, None, &one("r1")).unwrap().into_bytes()
    );
    let broken = [text.as_slice(), b"1,\xff\n"].concat();
    let failure = append_bytes(NAME, Some(&text), Some(&broken), &one("r2")).unwrap_err();
    assert!(failure.message.contains("line 3"), "{failure}");
    assert!(failure.message.contains("not UTF-8"), "{failure}");
}
