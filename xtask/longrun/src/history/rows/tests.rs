//! Tests of reading and writing one row.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::history::columns::COLUMNS;
use crate::history::testing::full_row;

fn layout() -> Layout {
    let names: Vec<String> = COLUMNS.iter().map(|info| info.name.to_owned()).collect();
    Layout::of(&names).unwrap()
}

fn record(entry: &Entry) -> StringRecord {
    COLUMNS.iter().map(|info| entry.text(info.column)).collect()
}

fn read_with(column: Column, text: &str) -> Result<Entry, String> {
    let entry = Entry::Run(Box::new(full_row("r", "c", 1.0)));
    let fields: StringRecord = COLUMNS
        .iter()
        .map(|info| match info.column == column {
            true => text.to_owned(),
            false => entry.text(info.column),
        })
        .collect();
    Entry::read(&fields, &layout()).map(|(_, entry)| entry)
}

#[test]
fn every_column_of_a_full_row_is_written_and_reads_back() {
    let entry = Entry::Run(Box::new(full_row("r", "c", 1.0)));
    for info in COLUMNS {
        let empty = entry.text(info.column).is_empty();
        assert_eq!(empty, info.column == Column::Reason, "{}", info.name);
    }
    assert_eq!(Entry::read(&record(&entry), &layout()).unwrap().1, entry);
}

#[test]
fn a_retraction_reads_back() {
    let entry = Entry::Retracted(Retraction {
        run_id: "r".into(),
        date: "2026-10-28T12:00:00Z".into(),
        suite: "tracking".into(),
        slug: Some("some-cpu-2c".into()),
        reason: "the fan, had failed".into(),
    });
    assert_eq!(Entry::read(&record(&entry), &layout()).unwrap().1, entry);
}

#[test]
fn what_is_absent_is_empty_and_never_zero() {
    for (column, text) in [
        (Column::Busy, ""),
        (Column::MemoryDomains, ""),
        (Column::DeviceMemoryBytes, ""),
        (Column::Version, ""),
        (Column::CpuMedianS, ""),
        (Column::RawS, ""),
    ] {
        let entry = read_with(column, text).unwrap();
        assert_eq!(entry.text(column), "", "{}", column.name());
    }
}

#[test]
fn times_are_the_shortest_decimals_that_read_back() {
    for (value, text) in [
        (13.0, "13"),
        (0.1, "0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e-7, "0.0000001"),
        (0.0, "0"),
    ] {
        let mut row = full_row("r", "c", 1.0);
        row.max_s = Some(value);
        let entry = Entry::Run(Box::new(row));
        assert_eq!(entry.text(Column::MaxS), text);
    }
}

#[test]
fn a_damaged_value_is_refused_with_its_column() {
    let table = [
        (Column::MedianS, "-1"),
        (Column::MedianS, "NaN"),
        (Column::MedianS, "inf"),
        (Column::MedianS, "1e400"),
        (Column::MedianS, "-0"),
        (Column::MedianS, ""),
        (Column::MedianS, "1,5"),
        (Column::MedianS, "0"),
        (Column::MedianS, "1e-400"),
        (Column::SchemaVersion, "0"),
        (Column::RawS, "1;;2"),
        (Column::RawS, "1;-2"),
        (Column::Width, "0"),
        (Column::Width, ""),
        (Column::Revision, "0"),
        (Column::Repeats, "0"),
        (Column::MemoryDomains, "0"),
        (Column::Accepted, "-1"),
        (Column::Busy, "yes"),
        (Column::Dirty, "1"),
        (Column::Date, "yesterday"),
        (Column::Date, "2026-13-01T00:00:00Z"),
        (Column::Size, "huge"),
        (Column::Engine, "magic"),
        (Column::Kind, "rerun"),
        (Column::Case, ""),
        (Column::RunId, ""),
        (Column::Commit, ""),
        (Column::SchemaVersion, ""),
    ];
    for (column, text) in table {
        let message = read_with(column, text).unwrap_err();
        assert!(
            message.contains(&format!("`{}`", column.name())),
            "{message}"
        );
        let median = message.contains("not seconds, finite and above 0");
        assert_eq!(median, column == Column::MedianS, "{message}");
    }
}

#[test]
fn a_row_of_a_newer_version_is_read_as_far_as_it_is_known() {
    let mut fields = record(&Entry::Run(Box::new(full_row("r", "c", 1.0))));
    fields = ["2"].into_iter().chain(fields.iter().skip(1)).collect();
    let (version, entry) = Entry::read(&fields, &layout()).unwrap();
    assert_eq!((version, entry.run_id()), (2, "r"));
}

#[test]
fn a_row_of_a_newer_version_that_says_something_new_asks_for_a_newer_program() {
    let entry = Entry::Run(Box::new(full_row("r", "c", 1.0)));
    let new_words = COLUMNS.iter().map(|info| match info.column {
        Column::SchemaVersion => "2".to_owned(),
        Column::Kind => "corrected".to_owned(),
        column => entry.text(column),
    });
    let message = Entry::read(&new_words.collect(), &layout()).unwrap_err();
    assert!(message.contains("schema version 2"), "{message}");
    assert!(message.contains("`corrected`"), "{message}");
    assert!(message.contains("newer version of Longrun"), "{message}");
}

#[test]
fn a_row_with_an_unknown_part_has_no_identity() {
    let row = full_row("r", "c", 1.0);
    assert!(row.identity().is_some());
    let unknown: [fn(&mut Row); 4] = [
        |row| row.memory_domains = None,
        |row| row.threading = None,
        |row| row.integrator = None,
        |row| row.noise_model = None,
    ];
    for forget in unknown {
        let mut row = row.clone();
        forget(&mut row);
        assert_eq!(row.identity(), None);
    }
}

#[test]
fn an_operation_of_nanoseconds_is_written_in_seconds_and_reads_back_to_the_last_bit() {
    let mut row = full_row("r", "fft_forward", 0.7e-9);
    (row.min_s, row.max_s) = (Some(0.69e-9), Some(41.25e-9));
    (row.repeats, row.raw_s) = (Some(1000), Vec::new());
    let entry = Entry::Run(Box::new(row));
    assert_eq!(entry.text(Column::MedianS), "0.0000000007");
    assert_eq!(entry.text(Column::RawS), "");
    assert_eq!(Entry::read(&record(&entry), &layout()).unwrap().1, entry);
}
