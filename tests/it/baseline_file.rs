//! The baseline file: what is in it, what stays in it, and what is refused.

use std::fs;

use crate::bench::Bench;
use crate::kernels::{is, kernels, lasting, operation, with};
use crate::ran::wait_until;
use crate::saved::{BOTH, FILE};

#[test]
fn the_file_has_an_entry_per_configuration_and_says_that_it_is_to_be_committed() {
    let bench = with([operation("sum"), operation("fft")]).commit();
    bench.save_baseline("").exits(0);
    let text = bench.baseline();
    assert!(text.starts_with("# "), "{text}");
    assert!(text.contains("\n# Commit this file"), "{text}");
    assert!(text.contains("\nversion = 1\n"), "{text}");
    assert!(text.contains("suite = \"kernels\"\n"), "{text}");
    let of = |name: &str| text.find(&format!("case = \"{name}\"")).unwrap();
    assert!(
        of("fft") < of("sum"),
        "sorted, whatever the order of the run"
    );
    let entry = bench.entry("fft");
    let lines = [
        "median_ns = 10000.0",
        "min_ns = 9900.0",
        "max_ns = 10100.0",
        "samples = 12",
    ];
    for line in lines {
        assert!(entry.lines().any(|found| found == line), "{line}:\n{entry}");
    }
}

#[test]
fn the_file_names_neither_host_nor_path() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    let text = bench.baseline();
    let temporary = bench.outside("");
    assert!(!text.contains(temporary.to_str().unwrap()), "{text}");
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    assert!(!text.contains(host.trim()), "{text}");
}

#[test]
fn numbers_are_read_back_as_they_were_written() {
    let thirds = operation("fft").parameter("spread = 0.013");
    let bench = with([thirds]).commit();
    bench.save_baseline("").exits(0);
    let once = bench.baseline();
    // Nothing but the file decides what it says of what was not run.
    let other = with([operation("other")]).commit();
    other.write_baseline(&once);
    other.save_baseline("").exits(0);
    assert_eq!(other.entry("fft"), bench.entry("fft"));
}

#[test]
fn what_was_not_run_stays_in_the_file() {
    let mut bench = kernels();
    bench.save_baseline("").exits(0);
    let (fft, sum) = (bench.entry("fft"), bench.entry("sum"));
    bench.redefine(lasting("fft", 200));
    let subset = format!("--case fft {}", bench.saving());
    bench.track(&subset).exits(0);
    assert_ne!(bench.entry("fft"), fft);
    assert!(bench.entry("fft").contains("median_ns = 20000"));
    assert_eq!(bench.entry("sum"), sum);
}

#[test]
fn a_kernel_that_fails_leaves_its_entry_as_it_was() {
    let mut bench = kernels();
    bench.save_baseline("").exits(0);
    let fft = bench.entry("fft");
    bench.redefine(operation("fft").behaves("sampled_far_reference"));
    bench.redefine(lasting("sum", 200));
    bench.save_baseline("").exits(1);
    assert_eq!(bench.entry("fft"), fft);
    assert!(bench.entry("sum").contains("median_ns = 20000"));
}

#[test]
fn a_note_of_any_text_stays_is_shown_in_one_line_and_is_never_compared() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    let samples = "samples = 12\n";
    let long = "x".repeat(300);
    let text = bench.baseline();
    let noted = format!("{samples}note = \"the \\\"new\\\"\\nplans {long}\"\n");
    bench.write_baseline(&text.replacen(samples, &noted, 1));
    for _ in 0..2 {
        let ran = bench.compare_with_baseline("").exits(0);
        let line = ran.stdout.lines().find(|line| line.contains("\"new\""));
        assert!(line.unwrap().contains("the \"new\" plans x"), "{ran}");
        let ran = bench.compare_with_baseline("--json").exits(0);
        let row = ran.finds("fft", "pass", BOTH);
        assert_eq!(row["note"], *format!("the \"new\"\nplans {long}"));
        // The second time it is compared with what was saved over it.
        bench.save_baseline("").exits(0);
    }
}

#[test]
fn what_nobody_counted_has_no_key_and_no_difference_and_zero_is_zero() {
    let uncounted = operation("fft").behaves("sampled_uncounted");
    let mut bench = with([uncounted, operation("sum")]).commit();
    bench.save_baseline("").exits(0);
    let entry = bench.entry("fft");
    assert!(!entry.contains("alloc"), "{entry}");
    let entry = bench.entry("sum");
    for line in ["allocations = 0.0", "allocated_bytes = 0.0"] {
        assert!(entry.lines().any(|found| found == line), "{line}:\n{entry}");
    }
    bench.redefine(operation("fft").parameter("allocates = 2"));
    bench.redefine(operation("sum").parameter("allocates = 3"));
    let ran = bench.compare_with_baseline("--json").exits(0);
    let row = ran.finds("fft", "pass", BOTH);
    assert!(row["alloc_delta"].is_null(), "{row}");
    is(&ran.finds("sum", "pass", BOTH)["alloc_delta"], 3.0);
    let ran = bench.compare_with_baseline("").exits(0);
    ran.says("allocations of one operation: +3");
}

#[test]
fn runs_that_save_at_once_lose_no_entry() {
    let names = ["exp", "fft", "scan", "sum"];
    let waiting = |name: &str| operation(name).parameter("gate_after = 0");
    let bench = with(names.map(waiting)).commit();
    let save = |name: &str| format!("--case {name} {}", bench.saving());
    let running = names.map(|name| bench.start_track(&save(name)));
    wait_until("every worker waits", || bench.ran().len() == names.len());
    // They come to their end together.
    bench.open_gate();
    for running in running {
        running.finish().exits(0);
    }
    for name in names {
        let entry = bench.entry(name);
        assert!(entry.contains("median_ns = 10000.0"), "{entry}");
    }
}

#[test]
fn a_run_can_be_compared_and_then_saved_over_what_it_was_compared_with() {
    let mut bench = kernels();
    bench.save_baseline("").exits(0);
    bench.redefine(lasting("fft", 200));
    let both = format!("{} --json", bench.saving());
    let ran = bench.compare_with_baseline(&both).exits(3);
    ran.finds("fft", "regressed", BOTH);
    let ran = bench.compare_with_baseline("--json").exits(0);
    ran.finds("fft", "pass", BOTH);
}

#[test]
fn a_run_that_was_interrupted_is_compared_and_saved_once_it_is_finished() {
    let bench = with([operation("fft"), operation("sum")]).commit();
    bench.save_baseline("").exits(0);
    let before = bench.baseline();
    let bench = with([lasting("fft", 200), operation("sum").behaves("gated")]).commit();
    bench.write_baseline(&before);
    let both = format!("{} {}", bench.comparing(), bench.saving());
    let running = bench.start_kernels(&both);
    wait_until("the second worker runs", || bench.ran() == ["fft", "sum"]);
    running.interrupt();
    running.finish().exits(130);
    assert_eq!(bench.baseline(), before);
    bench.open_gate();
    let ran = bench.resume(&format!("--json {both}")).exits(3);
    ran.finds("fft", "regressed", BOTH);
    ran.finds("sum", "pass", BOTH);
    assert!(bench.entry("fft").contains("median_ns = 20000"));
}

#[test]
fn a_baseline_that_cannot_be_saved_loses_no_result_and_can_be_saved_elsewhere() {
    let waiting = operation("sum").parameter("gate_after = 1");
    let bench = with([operation("fft"), waiting]).commit();
    let folder = bench.outside("folder");
    fs::create_dir(&folder).unwrap();
    let words = format!("--save-baseline {}", folder.join(FILE).display());
    let running = bench.start_kernels(&words);
    wait_until("the second worker waits", || bench.ran() == ["fft", "sum"]);
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "in the way").unwrap();
    bench.open_gate();
    running.finish().exits(6).says(FILE);
    bench.resume(&bench.saving()).exits(0);
    assert_eq!(bench.ran(), ["fft", "sum"], "nothing was run again");
    for name in ["fft", "sum"] {
        let entry = bench.entry(name);
        assert!(entry.contains("median_ns = 10000.0"), "{entry}");
    }
}

/// What the program says of a baseline file; nothing may be run for it.
#[track_caller]
fn refused(bench: &Bench, text: &str, parts: &[&str]) {
    let before = bench.ran();
    bench.write_baseline(text);
    for words in ["", "--json"] {
        let mut ran = bench.compare_with_baseline(words).exits(2).says(FILE);
        for part in parts {
            ran = ran.says(part);
        }
    }
    bench.save_baseline("").exits(2).says(FILE);
    assert_eq!(
        bench.baseline(),
        text,
        "what cannot be read is not replaced"
    );
    assert_eq!(bench.ran(), before, "nothing was run");
}

/// The number of the line that begins at a place, from 1.
fn line_at(text: &str, at: usize) -> usize {
    text[..at].lines().count() + 1
}

/// Asserts that the file is refused with `new` in place of the first `old`, which begins a line,
/// and that the line is named. The file is then as before.
#[track_caller]
fn refused_with(bench: &Bench, old: &str, new: &str, part: &str) {
    let text = bench.baseline();
    let line = line_at(&text, text.find(old).unwrap());
    let other = text.replacen(old, new, 1);
    refused(bench, &other, &[&format!("{FILE}:{line}:"), part]);
    bench.write_baseline(&text);
}

#[test]
fn a_torn_file_is_refused_with_its_line() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    let text = bench.baseline();
    let last = text.rfind("median_ns").unwrap();
    let line = format!("{FILE}:{}:", line_at(&text, last));
    refused(&bench, &text[..last + "median_ns = 1".len() - 2], &[&line]);
    let end = format!("{FILE}:{}:", text.lines().count());
    refused(&bench, &text[..text.len() - 3], &[&end]);
    refused(&bench, "", &[&format!("{FILE}:1:")]);
}

#[test]
fn a_file_of_a_future_version_is_refused_with_its_version() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    refused_with(&bench, "version = 1", "version = 2", "version 2");
}

#[test]
fn an_entry_that_is_there_twice_is_refused_with_its_line() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    let text = bench.baseline();
    let twice = format!("{text}\n{}\n", bench.entry("fft"));
    let line = format!("{FILE}:{}:", text.lines().count() + 2);
    refused(
        &bench,
        &twice,
        &[&line, "`fft reference @1` is there twice"],
    );
}

#[test]
fn a_value_that_is_no_time_is_refused_with_its_line() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    for (value, part) in [
        ("nan", "NaN is not an amount"),
        ("-1.0", "-1 is not an amount"),
        ("inf", "inf is not an amount"),
        ("\"fast\"", "fast"),
    ] {
        let new = format!("median_ns = {value}");
        refused_with(&bench, "median_ns = 10000.0", &new, part);
    }
    refused_with(&bench, "samples = 12", "samples = 0", "at least 1 sample");
}

#[test]
fn a_name_with_quotes_newlines_or_three_hundred_letters_is_refused_with_its_line() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    let long = "a".repeat(300);
    for (name, part) in [
        ("a\\\"b\\\"", "is not a name"),
        ("a\\nb", "is not a name"),
        ("a\\u001b[2J", "is not a name"),
        (long.as_str(), "300 characters"),
    ] {
        let new = format!("case = \"{name}\"");
        refused_with(&bench, "case = \"fft\"", &new, part);
    }
}

#[test]
fn a_file_of_another_suite_is_refused() {
    let bench = kernels();
    bench.save_baseline("").exits(0);
    let text = bench.baseline();
    let other = text.replacen("suite = \"kernels\"", "suite = \"tracking\"", 1);
    refused(&bench, &other, &["tracking", "kernels"]);
}

#[test]
fn a_file_that_is_not_there_and_a_place_that_holds_no_file_are_usage_errors() {
    let bench = kernels();
    bench.compare_with_baseline("").exits(2).says(FILE);
    let ran = bench.track_kernels("--save-baseline .gitignore/baseline.toml");
    ran.exits(2).says(".gitignore/baseline.toml");
    assert_eq!(bench.ran(), [""; 0]);
}

#[test]
fn a_run_of_several_suites_has_no_baseline() {
    let bench = kernels();
    let all = format!("--set all {}", bench.saving());
    bench.track(&all).exits(2).says("suite");
    assert!(!bench.outside(FILE).exists());
    assert_eq!(bench.ran(), [""; 0]);
}
