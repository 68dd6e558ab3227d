//! Files that are read as they were written, and those that are refused.

#![allow(clippy::unwrap_used)]

use longrun_protocol::Size;

use super::*;
use crate::cases::made::{cost, oracle, records, study, tube};

fn written(records: Vec<Record>) -> String {
    let mut store = Store::default();
    store.take(records);
    store.render("tracking").unwrap()
}

#[test]
fn a_file_reads_back_and_does_not_depend_on_the_order_of_taking_up() {
    let text = written(records());
    let store = Store::parse("tracking", &text).unwrap();
    assert_eq!(store.render("tracking").unwrap(), text);
    let mut reversed = records();
    reversed.reverse();
    assert_eq!(written(reversed), text);
    assert_eq!(text.lines().count(), HEAD_LINES + records().len() + 2);
    let kinds: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("{\"kind\":\"")?.split('"').next())
        .collect();
    let expected = [
        "cost",
        "cost",
        "breakdown",
        "oracle",
        "oracle",
        "study",
        "study",
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn no_records_are_a_file_too() {
    let text = written(Vec::new());
    assert_eq!(Store::parse("tracking", &text).unwrap(), Store::empty());
}

#[test]
fn what_is_taken_up_replaces_the_same_configuration_whatever_its_revision() {
    let mut store = Store::default();
    store.take(records());
    let mut older = tube(Size::Full, 1);
    older.revision = 1;
    store.take(vec![Record::Cost(cost(older, 3.0))]);
    let medians = |store: &Store| -> Vec<f64> {
        let records = store.at("tube", Size::Full);
        let medians = records.filter_map(|record| match record {
            Record::Cost(cost) => Some(cost.median_s),
            _ => None,
        });
        medians.collect()
    };
    assert_eq!(medians(&store), [3.0, 1.5]);
    let lines = |store: &Store| store.render("tracking").unwrap().lines().count();
    let before = lines(&store);
    // Oracles of a configuration are one group: what is no longer measured goes.
    let only = oracle(tube(Size::Full, 1), "energy", 1.0);
    store.take(vec![Record::Oracle(only)]);
    assert_eq!(lines(&store), before - 1);
    store.take(vec![Record::Study(study("multistep", 1e-6))]);
    assert_eq!(lines(&store), before, "another stepper is another group");
}

#[test]
fn what_this_program_would_not_write_is_refused_with_its_line() {
    let text = written(records());
    let edited = |old: &str, new: &str| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, new, 1)
    };
    let mut swapped: Vec<&str> = text.lines().collect();
    swapped.swap(4, 5);
    let swapped = swapped.join("\n") + "\n";
    let cut: String = text
        .lines()
        .take(6)
        .map(|line| format!("{line}\n"))
        .collect();
    let table = [
        (String::new(), 1, "EOF"),
        (cut, 6, "EOF"),
        (
            edited("\"schema_version\": 1", "\"schema_version\": 2"),
            2,
            "version 2",
        ),
        (edited("\"tracking\"", "\"kernels\""), 3, "suite `kernels`"),
        (edited("\"median_s\":2.0", "\"median_s\":9.0"), 5, "times"),
        (
            edited("\"obtained\":1.05", "\"obtained\":1.5"),
            8,
            "not as expected",
        ),
        (
            edited("\"median_s\":2.0", "\"median_s\":2.00"),
            5,
            "by hand",
        ),
        (
            edited("\"busy\":false", "\"busy\":false,\"host\":\"a\""),
            5,
            "unknown field",
        ),
        (edited("\"error\":2.5e-7", "\"error\":0.0"), 10, "`error`"),
        (swapped, 5, "by hand"),
    ];
    for (text, line, cause) in table {
        let damage = Store::parse("tracking", &text).unwrap_err();
        assert_eq!(damage.line, line, "{}", damage.cause);
        assert!(damage.cause.contains(cause), "{}", damage.cause);
    }
}
