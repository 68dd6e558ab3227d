//! What `track` says of operations: table, JSON lines and Markdown.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::case::Case;
use crate::kernels::{is, kernels, operation, with};
use crate::ran::wait_until;

/// The lines of a file of JSON lines. Each must be whole.
#[track_caller]
pub fn lines(bench: &Bench, path: &str) -> Vec<Value> {
    let text = fs::read_to_string(bench.outside(path)).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "{text}");
    let line = |line: &str| serde_json::from_str(line).unwrap();
    text.lines().map(line).collect()
}

/// `--jsonl` with a file outside the repository.
pub fn into(bench: &Bench, path: &str) -> String {
    format!("--jsonl {}", bench.outside(path).display())
}

#[test]
fn the_table_shows_median_spread_shortest_and_number_of_samples() {
    let bench = kernels();
    let ran = bench.track_kernels("").exits(0);
    let mut table = ran.stdout.lines();
    assert_eq!(table.next(), Some("kernels"), "{ran}");
    let words = |line: Option<&str>| -> Vec<String> {
        let words = line.unwrap().split_whitespace();
        words.map(str::to_owned).collect()
    };
    assert_eq!(
        words(table.next())[..5],
        ["configuration", "median", "IQR", "min", "n"]
    );
    let expected = [
        "fft",
        "reference",
        "@1",
        "10.0",
        "µs",
        "200",
        "ns",
        "9.90",
        "µs",
        "12",
    ];
    assert_eq!(words(table.next())[..10], expected, "{ran}");
    assert!(
        !ran.stdout.contains('\u{1b}'),
        "no colour where nobody sees it"
    );
}

#[test]
fn json_lines_have_one_whole_result_each_with_its_raw_samples() {
    let bench = kernels();
    bench.track_kernels(&into(&bench, "lines")).exits(0);
    let lines = lines(&bench, "lines");
    let cases: Vec<&Value> = lines.iter().map(|l| &l["configuration"]["case"]).collect();
    assert_eq!(cases, ["fft", "sum"]);
    for line in &lines {
        assert_eq!(line["schema_version"], 1);
        let samples = line["sampled"]["samples"].as_array().unwrap();
        assert_eq!(samples.len(), 12);
        let first = &samples[0];
        assert!(
            first["interval_ns"].is_u64() && first["ops"].is_u64(),
            "{first}"
        );
        let time = |of: &Value| of["interval_ns"].as_f64().unwrap() / of["ops"].as_f64().unwrap();
        let mut times: Vec<f64> = samples.iter().map(time).collect();
        times.sort_by(f64::total_cmp);
        let statistics = &line["sampled"]["statistics"];
        is(&statistics["median"], 0.5 * (times[5] + times[6]));
        is(&statistics["max"], times[11]);
    }
}

#[test]
fn what_nobody_measured_is_null_in_a_line_and_never_0() {
    let bench = with([
        operation("fft").behaves("sampled_uncounted"),
        operation("sum").behaves("unmeasured_memory"),
    ])
    .commit();
    bench.track_kernels(&into(&bench, "lines")).exits(0);
    let lines = lines(&bench, "lines");
    let [fft, sum] = [0, 1].map(|index: usize| &lines[index]);
    assert_eq!(fft["sampled"].get("allocations"), Some(&Value::Null));
    assert_eq!(fft["peak_rss_bytes"], 8 << 20);
    assert_eq!(sum["sampled"]["allocations"]["process"]["allocations"], 0);
    assert_eq!(sum.get("peak_rss_bytes"), Some(&Value::Null));
    for line in [fft, sum] {
        assert_eq!(line.get("device_memory_bytes"), Some(&Value::Null));
    }
}

#[test]
fn a_worker_that_is_killed_in_the_middle_of_a_line_leaves_only_whole_lines() {
    let killed = operation("sum").behaves("killed_in_line");
    let bench = with([operation("fft"), killed, operation("scan")]).commit();
    bench.track_kernels(&into(&bench, "lines")).exits(1);
    let log = bench.bundle().text("02-sum-1/stdout.log");
    assert!(log.ends_with("\"repe"), "{log}");
    let lines = lines(&bench, "lines");
    let statuses: Vec<&Value> = lines.iter().map(|line| &line["status"]).collect();
    assert_eq!(statuses, ["complete", "failed", "complete"]);
    let reason = lines[1]["reason"].as_str().unwrap();
    assert!(reason.contains("died of signal 9"), "{reason}");
    assert!(lines[1]["median_s"].is_null(), "{}", lines[1]);
    assert_eq!(lines[1]["raw_s"], json!([]));
}

#[test]
fn a_file_of_json_lines_has_one_writer_at_a_time() {
    let bench = with([operation("fft"), operation("sum").behaves("gated")]).commit();
    let words = into(&bench, "lines");
    let running = bench.start_kernels(&words);
    wait_until("the second worker runs", || bench.ran() == ["fft", "sum"]);
    let ran = bench.track_kernels(&words).exits(6);
    ran.says("another run is writing it").says("--jsonl");
    assert_eq!(bench.ran(), ["fft", "sum"], "nothing was run for it");
    running.interrupt();
    running.finish().exits(130);
    assert_eq!(lines(&bench, "lines")[0]["configuration"]["case"], "fft");
}

#[test]
fn a_run_that_is_killed_leaves_only_whole_lines_and_can_be_finished() {
    let bench = with([operation("fft"), operation("sum").behaves("gated")]).commit();
    let words = into(&bench, "lines");
    let running = bench.start_kernels(&words);
    wait_until("the second worker runs", || bench.ran() == ["fft", "sum"]);
    running.kill();
    let kept = lines(&bench, "lines");
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(kept[0]["configuration"]["case"], "fft");
    bench.kill_processes();
    bench.open_gate();
    let ran = bench.resume(&format!("--json {words}")).exits(0);
    assert_eq!(bench.ran(), ["fft", "sum", "sum"]);
    assert_eq!(ran.result("fft")["repeats"], 12);
    assert_eq!(ran.result("fft")["sampled"]["statistics"]["count"], 12);
    let added = lines(&bench, "lines");
    assert_eq!(added[..1], kept);
    assert_eq!(added[1]["configuration"]["case"], "sum");
}

#[test]
fn a_file_of_json_lines_that_cannot_be_written_is_said_before_anything_runs() {
    let bench = kernels();
    let ran = bench.track_kernels("--jsonl .gitignore/lines").exits(6);
    ran.says(".gitignore/lines");
    assert_eq!(bench.ran(), [""; 0]);
}

#[test]
fn markdown_goes_to_the_file_and_to_the_summary_of_the_step() {
    let bench = kernels();
    let file = bench.outside("report.md");
    let summary = bench.outside("summary.md");
    let words = ["track", "--set", "kernels", "--markdown"];
    let ran = bench.run_with(
        [&words[..], &[file.to_str().unwrap()]].concat(),
        |command| {
            command.env("GITHUB_STEP_SUMMARY", &summary);
        },
    );
    ran.exits(0);
    let page = fs::read_to_string(&file).unwrap();
    for part in ["| fft reference @1 |", "| sum reference @1 |", "10.0 µs"] {
        assert!(page.contains(part), "{part}:\n{page}");
    }
    let said = fs::read_to_string(&summary).unwrap();
    assert!(said.contains("fft"), "{said}");
}

#[test]
fn a_suite_of_complete_runs_has_its_json_lines_and_markdown_too() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let file = bench.outside("report.md");
    let words = format!("{} --markdown {}", into(&bench, "lines"), file.display());
    bench.track(&words).exits(0);
    let lines = lines(&bench, "lines");
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["raw_s"].as_array().unwrap().len(), 3);
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .contains("a reference @1")
    );
}
