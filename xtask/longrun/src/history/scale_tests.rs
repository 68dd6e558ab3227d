//! Long histories: every view of a hundred thousand rows, and that its work grows as they do.
#![allow(clippy::unwrap_used)]

use std::fs;

use super::compare::{self, HistoryQuery};
use super::testing::{entries, full_row};
use super::{HistoryFile, append, case, find, folder, one, pair};

const CASES: usize = 100;
const SLUG: &str = "some-cpu-2c";

/// The history of that many runs of a hundred cases, through a file. Each run takes a hundredth of
/// the first more than the one before.
fn history(runs: usize) -> HistoryFile {
    let mut model = full_row("RUN", "CASE", 123.456);
    model.date = "1999-12-31T23:59:59Z".to_owned();
    let model = append::append(SLUG, None, None, &entries(&[model])).unwrap();
    let (header, line) = model.split_once('\n').unwrap();
    let mut text = format!("{header}\n");
    for run in 0..runs {
        let date = format!("20{:02}-01-01T00:00:{:02}Z", run / 60, run % 60);
        let median_s = 1.0 + run as f64 / 100.0;
        let of_run = line
            .replace("RUN", &format!("run{run:05}"))
            .replace("1999-12-31T23:59:59Z", &date)
            .replace("123.456", &median_s.to_string());
        for number in 0..CASES {
            text.push_str(&of_run.replace("CASE", &format!("case{number:03}")));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(format!("{SLUG}.csv")), text).unwrap();
    folder::load_named(folder.path(), SLUG).unwrap()
}

fn about(ratio: Option<f64>, expected: f64) {
    let ratio = ratio.unwrap();
    assert!(
        (ratio / expected - 1.0).abs() < 1e-12,
        "{ratio} and not {expected}"
    );
}

#[test]
fn a_hundred_thousand_rows_are_read_and_shown_by_every_view() {
    let files = [history(1000)];
    let file = &files[0];
    assert_eq!(file.entries.len(), 100_000);

    let all = compare::report(file, &HistoryQuery::default());
    let lines: Vec<_> = all.lines().collect();
    assert_eq!(lines.len(), 1000);
    let last = lines[999];
    assert_eq!(
        (last.run_id.as_str(), last.configurations),
        ("run00999", CASES)
    );
    let (first, previous) = (
        last.first.as_ref().unwrap(),
        last.previous.as_ref().unwrap(),
    );
    assert_eq!((first.run_id.as_str(), first.shared), ("run00000", CASES));
    assert_eq!(
        (previous.run_id.as_str(), previous.shared),
        ("run00998", CASES)
    );
    about(first.ratio, 10.99);
    about(previous.ratio, 10.99 / 10.98);

    let course = case::report(file, "case042", &HistoryQuery::default()).unwrap();
    let points = &course.series[0].points;
    assert_eq!((course.series.len(), points.len()), (1, 1000));
    about(points[999].first.as_ref().unwrap().ratio, 10.99);

    let run = find::find_run(&files, "run00500").unwrap();
    assert_eq!(one::report(run).rows.len(), CASES);
    let pair = pair::report(find::find_run(&files, "run00000").unwrap(), run).unwrap();
    assert_eq!(pair.shared.len(), CASES);
    about(pair.widths["1"].ratio, 6.0);
}

#[test]
fn twice_the_runs_are_twice_the_work() {
    for runs in [50, 100, 200] {
        let file = history(runs);
        let all = compare::report(&file, &HistoryQuery::default());
        // Every run but the first, with the first and with the one before.
        assert_eq!(all.rows_compared, 2 * (runs - 1) * CASES);
        let course = case::report(&file, "case042", &HistoryQuery::default()).unwrap();
        // Every row once, and the one course in every run but the first.
        assert_eq!(course.rows_compared, runs * CASES + runs - 1);
    }
}
