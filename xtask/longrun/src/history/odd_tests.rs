//! Numbers that are none, everywhere: no view panics, and no view makes a number of them.
//!
//! Reading refuses such values; the views are held to it as well, because rows also come from
//! elsewhere.
#![allow(clippy::unwrap_used)]

use super::compare::{self, HistoryQuery};
use super::sparkline::Letters;
use super::testing::{Generator, entries, full_row};
use super::{HistoryFile, Row, case, find, one, pair, render};

const ODD: [f64; 8] = [
    0.0,
    -0.0,
    -1.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MIN_POSITIVE,
    f64::MAX,
];

fn number(generator: &mut Generator) -> f64 {
    let choice = usize::try_from(generator.below(12)).unwrap();
    ODD.get(choice).copied().unwrap_or(1.5)
}

/// A row of a run and a case whose numbers are odd.
fn odd_row(generator: &mut Generator, run: u64, case: u64) -> Row {
    let mut row = full_row(
        &format!("run{run}"),
        &format!("case{case}"),
        number(generator),
    );
    row.date = format!("2026-10-{:02}T12:00:00Z", run + 1);
    row.min_s = Some(number(generator));
    row.max_s = (generator.below(2) == 0).then(|| number(generator));
    row.cpu_median_s = Some(number(generator));
    row.raw_s = vec![number(generator)];
    row.accepted = Some(u64::MAX);
    row
}

/// Every number in a JSON document is finite, or it would not be there; every ratio is positive.
fn ratios_are_numbers(document: &serde_json::Value) {
    match document {
        serde_json::Value::Array(items) => items.iter().for_each(ratios_are_numbers),
        serde_json::Value::Object(members) => {
            for (name, value) in members {
                if name.starts_with("ratio") && !value.is_null() {
                    assert!(value.as_f64().unwrap() > 0.0, "{name} is {value}");
                }
                ratios_are_numbers(value);
            }
        }
        _ => {}
    }
}

#[test]
fn odd_numbers_make_no_ratio_and_no_panic_in_any_view() {
    for seed in 0..200 {
        let mut generator = Generator(seed);
        let mut rows = Vec::new();
        for run in 0..5 {
            for case in 0..3 {
                rows.push(odd_row(&mut generator, run, case));
            }
        }
        let files = [HistoryFile {
            entries: entries(&rows),
            ..HistoryFile::empty("some-cpu-2c")
        }];
        let query = HistoryQuery::default();
        let all = compare::report(&files[0], &query);
        let course = case::report(&files[0], "case1", &query).unwrap();
        let find = |run| find::find_run(&files, run).unwrap();
        let pair = pair::report(find("run1"), find("run3")).unwrap();
        let run = one::report(find("run2"));
        let documents = [
            render::to_json(render::to_document(&all), vec![]).unwrap(),
            render::to_json(&course, vec![]).unwrap(),
            render::to_json(&pair, vec![]).unwrap(),
            render::to_json(&run, vec![]).unwrap(),
        ];
        for document in documents {
            ratios_are_numbers(&serde_json::from_str(&document).unwrap());
        }
        let texts = [
            render::to_text(&all),
            render::case::to_text(&course, Letters::Digits),
            render::pair::to_text(&pair),
            render::one::to_text(&run),
        ];
        for text in texts {
            assert!(
                !text.contains("NaN") && !text.contains("inf"),
                "{seed}: {text}"
            );
        }
    }
}
