//! What others read about a run.
#![allow(clippy::unwrap_used)]

use longrun_protocol::sampling::WorkReport;

use super::*;
use crate::ab::made as whole;
use crate::run::judge::ResultStatus;
use crate::track::breakdown::Explained;
use crate::track::refusals::Refusal;
use crate::track::sampled::made;

fn report(results: Vec<ConfigurationResult>) -> Report {
    Report {
        run_id: "20260102T030405Z-0123456-beef".into(),
        bundle: "/home/someone/runs/r".into(),
        slug: "some-cpu-2c".into(),
        results,
        refusals: Vec::new(),
        asked_to_record: false,
        interrupted: false,
        recorded: None,
        archive: None,
        archive_failure: None,
        markdown_failure: None,
        breakdown: None,
        baseline: None,
    }
}

fn whole_run(case: &str) -> ConfigurationResult {
    let item = whole::item(case);
    let complete = ConfigurationResult {
        status: ResultStatus::Complete,
        ..ConfigurationResult::skipped(&item, "")
    };
    complete.with_receipt(&whole::receipt(&whole::request(case)))
}

#[test]
fn whole_runs_and_sampled_work_have_a_table_each() {
    let sampled = made::result("fft", &[1_000, 1_000, 1_000, 1_000, 90_000], 10, |report| {
        report.work = Some(WorkReport {
            flops: Some(500.0),
            bytes: Some(100.0),
        });
    });
    let expected = "\
## Run 20260102T030405Z-0123456-beef

* hardware set: some-cpu-2c
* not recorded: --append-history records it

| configuration | status | median | min | max | spread | steps | evaluations | memory | busy |
|---|---|--:|--:|--:|--:|--:|--:|--:|---|
| soliton @1 | complete | 1.00 ms | 1.00 ms | 1.00 ms | 0.0 % | 100 | 600 | - | unknown |

### kernels

| configuration | median | IQR | min | n | GFLOP/s | GB/s |
|---|--:|--:|--:|--:|--:|--:|
| fft @1 | 100 ns | 0 s | 100 ns | 5 | 5.00 | 1.00 |

* fft @1: 1 of 5 samples lie far above the others; the longest took 9.00 µs
";
    assert_eq!(of(&report(vec![whole_run("soliton"), sampled])), expected);
}

#[test]
fn where_the_time_went_follows_the_tables_of_times() {
    let results = vec![whole_run("soliton")];
    let explained = Explained::of(&results, None);
    let mut made = report(results);
    assert!(!of(&made).contains("breakdown"));
    made.breakdown = Some(explained);
    let expected = "
### breakdown of one more repeat each, which is in no statistic

* \\`soliton @1\\` has no breakdown: the worker made none
";
    assert!(of(&made).ends_with(expected), "{}", of(&made));
}

#[test]
fn neither_names_nor_reasons_break_a_table_or_name_a_path() {
    let odd = "a|b\n# <script> \"x\" [z](/etc)";
    let mut failed = made::result(odd, &[1_000; 5], 10, |_| ());
    failed.notes = vec!["see `/home/someone/log`\n| x |".to_owned()];
    let mut made = report(vec![failed, whole_run(odd)]);
    made.asked_to_record = true;
    made.refusals = vec![Refusal::new("dirty", "`/home/someone/a` | is dirty")];
    let markdown = of(&made);
    assert!(!markdown.contains("someone"), "{markdown}");
    assert!(!markdown.contains("<script>"), "{markdown}");
    assert!(markdown.contains("dirty: "), "{markdown}");
    let headings = markdown.lines().filter(|line| line.starts_with('#'));
    assert_eq!(headings.count(), 2, "{markdown}");
    for (columns, rows) in [(11, 3), (5 + 1, 3)] {
        let bars = |line: &str| line.matches('|').count() - line.matches("\\|").count();
        let of_table = markdown
            .lines()
            .filter(|line| line.starts_with('|') && bars(line) == columns);
        assert_eq!(of_table.count(), rows, "{markdown}");
    }
}
