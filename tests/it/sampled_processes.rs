//! Operations that several processes sample: which are launched when, what they come to together,
//! and what is left where one of them fails or the run is stopped between them.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::kernels::{is, kernels, operation, with};
use crate::ran::{Ran, Running, wait_until};
use crate::sampled_output::{into, lines};

/// The operations `fft` and `sum`, sampled by three processes each.
fn three() -> Bench {
    with(["fft", "sum"].map(|name| operation(name).processes(3))).commit()
}

/// The same; from the third launch on, each waits at the gate.
fn gated() -> Bench {
    let case = |name: &str| operation(name).processes(3).parameter("gate_after = 2");
    with(["fft", "sum"].map(case)).commit()
}

/// A run of those that waits in its third launch: each operation has one process behind it.
fn waiting(bench: &Bench, words: &str) -> Running {
    let running = bench.start_kernels(words);
    wait_until("the third process waits", || {
        bench.ran() == ["fft", "sum", "fft"]
    });
    running
}

/// Asserts that an operation has the samples and the medians of three processes of 10 µs.
#[track_caller]
fn is_whole(result: &Value) {
    assert_eq!(result["status"], "complete", "{result}");
    assert_eq!(result["repeats"], 36, "{result}");
    let sampled = &result["sampled"];
    assert_eq!(sampled["statistics"]["count"], 36, "{result}");
    let medians_ns = [10_000.0; 3];
    assert_eq!(sampled["process_medians_ns"], json!(medians_ns));
}

/// Case and status of each JSON line in the file `lines`.
fn outcomes(bench: &Bench) -> Vec<String> {
    let lines = lines(bench, "lines");
    let words = |line: &Value| {
        let case = line["configuration"]["case"].as_str().unwrap();
        let status = line["status"].as_str().unwrap();
        format!("{case} {status}")
    };
    lines.iter().map(words).collect()
}

/// How many notes of an operation say that something was run again.
#[track_caller]
fn notes_of_another_try(ran: &Ran, name: &str) -> usize {
    let result = ran.result(name);
    let notes = result["notes"].as_array().unwrap().iter();
    let notes = notes.map(|note| note.as_str().unwrap());
    notes.filter(|note| note.contains("run again: ")).count()
}

#[test]
fn processes_take_turns_through_the_plan_and_each_is_a_launch_with_a_folder_of_its_own() {
    let bench = three();
    bench.track_kernels("").exits(0);
    assert_eq!(bench.ran(), ["fft", "sum", "fft", "sum", "fft", "sum"]);
    let bundle = bench.bundle();
    let mut folders = bundle.names("");
    folders.retain(|name| name.starts_with('0'));
    let expected = [
        "01-fft-1",
        "01-fft-1.2",
        "01-fft-1.3",
        "02-sum-1",
        "02-sum-1.2",
        "02-sum-1.3",
    ];
    assert_eq!(folders, expected);
    for (folder, end) in [
        ("01-fft-1", "/01"),
        ("01-fft-1.2", "/01.2"),
        ("02-sum-1.3", "/02.3"),
    ] {
        let request = bundle.json(&format!("{folder}/request.json"));
        assert_eq!(request["stop"]["samples_min"], 12, "{folder}");
        let id = request["request_id"].as_str().unwrap();
        assert!(id.ends_with(end), "{folder}: {id}");
    }
}

#[test]
fn an_operation_with_fewer_processes_is_through_before_the_others() {
    let bench = with([operation("fft"), operation("sum").processes(3)]).commit();
    let ran = bench.track_kernels("--json").exits(0);
    assert_eq!(bench.ran(), ["fft", "sum", "sum", "sum"]);
    assert_eq!(ran.result("fft")["repeats"], 12);
    is_whole(&ran.result("sum"));
}

#[test]
fn the_samples_of_all_processes_are_one_result_beside_the_median_of_each() {
    let fft = operation("fft").processes_take(&[100, 104, 102]);
    let bench = with([fft, operation("sum")]).commit();
    let ran = bench.track_kernels("--json").exits(0);
    assert_eq!(ran.json()["complete"], true);
    assert_eq!(ran.json()["results"].as_array().unwrap().len(), 2);
    let fft = ran.result("fft");
    assert!(fft.get("process").is_none(), "{fft}");
    assert_eq!(fft["repeats"], 36);
    assert_eq!(fft["raw_s"].as_array().unwrap().len(), 36);
    let sampled = &fft["sampled"];
    assert_eq!(sampled["samples"].as_array().unwrap().len(), 36);
    assert_eq!(sampled["statistics"]["count"], 36);
    let medians_ns = json!([10_000.0, 10_400.0, 10_200.0]);
    assert_eq!(sampled["process_medians_ns"], medians_ns);
    for (name, expected) in [
        ("median_s", 1.02e-5),
        ("min_s", 9.9e-6),
        ("max_s", 1.0504e-5),
    ] {
        is(&fft[name], expected);
    }
    let one = &ran.result("sum")["sampled"];
    assert!(one.get("process_medians_ns").is_none(), "{one}");
}

#[test]
fn an_operation_has_one_row_and_one_json_line_however_many_processes_sampled_it() {
    let bench = three();
    let ran = bench.track_kernels(&into(&bench, "lines")).exits(0);
    for name in ["fft", "sum"] {
        let rows = ran.stdout.lines().filter(|line| line.starts_with(name));
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(rows.len(), 1, "{ran}");
        // Name, width, three times with their units, and then the number of samples.
        assert_eq!(rows[0][9], "36", "{ran}");
    }
    let lines = lines(&bench, "lines");
    let cases: Vec<&Value> = lines.iter().map(|l| &l["configuration"]["case"]).collect();
    assert_eq!(cases, ["fft", "sum"]);
    for line in &lines {
        assert!(line.get("process").is_none(), "{line}");
        let samples = line["sampled"]["samples"].as_array().unwrap();
        assert_eq!(samples.len(), 36);
        is_whole(line);
    }
}

#[test]
fn the_bundle_has_a_result_of_each_process_with_its_number_in_the_order_of_the_run() {
    let bench = three();
    bench.track_kernels("").exits(0);
    let results = bench.bundle().results();
    let of = |line: &Value| {
        let case = line["configuration"]["case"].as_str().unwrap();
        format!("{case} {}", line["process"])
    };
    let found: Vec<String> = results.iter().map(of).collect();
    let expected = ["fft 1", "sum 1", "fft 2", "sum 2", "fft 3", "sum 3"];
    assert_eq!(found, expected);
    for line in &results {
        assert_eq!(line["sampled"]["statistics"]["count"], 12, "{line}");
    }
    let alone = kernels();
    alone.track_kernels("").exits(0);
    for line in alone.bundle().results() {
        assert!(line.get("process").is_none(), "{line}");
    }
}

#[test]
fn medians_of_processes_that_lie_far_apart_are_remarked_below_the_row() {
    // 8 % of 10 µs, over the median of all; then 4 %.
    for (percents, said) in [([100, 108], Some("7.7 %")), ([100, 104], None)] {
        let fft = operation("fft").processes_take(&percents);
        let bench = with([fft]).commit();
        let ran = bench.track_kernels("").exits(0);
        match said {
            Some(part) => ran.says(&format!(
                "the medians of 2 processes lie {part} of the median apart"
            )),
            None => ran.does_not_say("the medians of 2 processes"),
        };
    }
}

#[test]
fn a_size_can_have_another_number_of_processes_than_the_case() {
    let fft = operation("fft").processes(3).also("quick");
    let bench = with([fft.size_line("processes = 2")]).commit();
    let ran = bench.track_kernels("--json").exits(0);
    is_whole(&ran.result("fft"));
    let ran = bench.track_kernels("--size quick --json").exits(0);
    assert_eq!(bench.ran().len(), 3 + 2);
    let fft = ran.result("fft");
    assert_eq!(fft["repeats"], 24);
    let medians_ns = json!([10_000.0, 10_000.0]);
    assert_eq!(fft["sampled"]["process_medians_ns"], medians_ns);
}

#[test]
fn repeats_are_samples_of_each_process() {
    let bench = three();
    let ran = bench.track_kernels("--repeats 6 --json").exits(0);
    assert_eq!(ran.result("fft")["repeats"], 18);
    let receipt = bench.bundle().json("01-fft-1.2/receipt.json");
    assert_eq!(receipt["samples"].as_array().unwrap().len(), 6);
}

#[test]
fn list_says_how_many_processes_there_are_and_estimates_the_time_of_all() {
    let estimate = "estimates = { 1 = { run_s = 0.5, setup_s = 1.0, memory_bytes = 1024 } }";
    let one = operation("one").size_line(estimate);
    let eight = operation("eight").processes(8).size_line(estimate);
    let bench = with([one, eight]).written();
    let words = ["list", "--set", "kernels"];
    let ran = bench.run(words).exits(0);
    for (name, repeats) in [("one", " 12 to 60 "), ("eight", " 8 x 12 to 60 ")] {
        let name = format!("{name} reference @1");
        let row = ran.stdout.lines().find(|line| line.contains(&name));
        let row = row.unwrap();
        assert!(row.contains(repeats), "{row}");
        assert_eq!(row.contains(" x "), repeats.contains(" x "), "{row}");
    }
    let plan = bench.run([&words[..], &["--json"]].concat());
    let plan = plan.exits(0).json();
    let [one, eight] = [0, 1].map(|index: usize| &plan["configurations"][index]);
    assert_eq!(one["processes"], 1);
    assert_eq!(eight["processes"], 8);
    let each_s = one["estimate_s"].as_f64().unwrap();
    assert!(each_s > 1.0, "{one}");
    is(&eight["estimate_s"], 8.0 * each_s);
    is(&plan["estimate_s"], 9.0 * each_s);
}

#[test]
fn a_plan_takes_at_least_as_long_as_its_processes_are_spread_over() {
    let estimate = "estimates = { 1 = { run_s = 0.5, setup_s = 1.0, memory_bytes = 1024 } }";
    let spread = operation("fft").processes(2).line("spread_s = 60");
    let one = operation("sum").line("spread_s = 600");
    let both = [spread, one].map(|case| case.size_line(estimate));
    let bench = with(both).written();
    let plan = bench.run(["list", "--set", "kernels", "--json"]);
    let plan = plan.exits(0).json();
    is(&plan["configurations"][0]["estimate_s"], 4.0);
    is(&plan["estimate_s"], 60.0);
}

#[test]
fn a_process_that_fails_is_named_leaves_its_operation_without_a_time_and_is_its_last() {
    let fft = operation("fft").processes(3).behaves_in_launch(2, "exits");
    let bench = with([fft, operation("sum").processes(3)]).commit();
    let ran = bench.track_kernels("--json").exits(1);
    let reason = "process 2 of 3: the worker exited with 70 and left no receipt";
    ran.has_no_time("fft", "failed", reason);
    is_whole(&ran.result("sum"));
    assert_eq!(ran.json()["complete"], false);
    assert_eq!(bench.ran(), ["fft", "sum", "fft", "sum", "sum"]);
    bench.track_kernels("").exits(1).says(reason);
}

#[test]
fn a_process_with_a_wrong_output_leaves_its_operation_without_a_time() {
    let fft = operation("fft").processes(3);
    let fft = fft.behaves_in_launch(3, "sampled_far_reference");
    let bench = with([fft]).commit();
    let ran = bench.track_kernels("--json").exits(1);
    let reason = "1.00e-3 (relative L2) from the reference";
    ran.has_no_time("fft", "failed", reason);
    ran.has_no_time("fft", "failed", "process 3 of 3: ");
}

#[test]
fn after_a_failure_the_processes_without_a_time_are_run_and_their_medians_stand_in_order() {
    let fft = operation("fft").processes(3).behaves_in_launch(2, "exits");
    // The second process comes through as the third launch, the third as the fourth.
    let fft = fft.parameter("launch_percents = [100, 100, 101, 102]");
    let bench = with([fft, operation("sum").processes(3)]).commit();
    let words = into(&bench, "lines");
    bench.track_kernels(&words).exits(1);
    let ran = bench.resume(&format!("--json {words}")).exits(0);
    let ran = ran.says("4 of 6 processes complete");
    assert_eq!(bench.ran()[5..], ["fft", "fft"]);
    let fft = ran.result("fft");
    assert_eq!(fft["repeats"], 36);
    let medians_ns = json!([10_000.0, 10_100.0, 10_200.0]);
    assert_eq!(fft["sampled"]["process_medians_ns"], medians_ns);
    assert_eq!(notes_of_another_try(&ran, "fft"), 1);
    assert_eq!(notes_of_another_try(&ran, "sum"), 0);
    is_whole(&ran.result("sum"));
    let expected = ["fft failed", "sum complete", "fft complete"];
    assert_eq!(outcomes(&bench), expected);
}

#[test]
fn a_process_whose_receipt_is_gone_is_run_again_and_its_operation_has_another_json_line() {
    let bench = three();
    let words = into(&bench, "lines");
    bench.track_kernels(&words).exits(0);
    let receipt = bench.bundle().path().join("01-fft-1/receipt.json");
    fs::remove_file(receipt).unwrap();
    let ran = bench.resume(&format!("--json {words}")).exits(0);
    let ran = ran.says("5 of 6 processes complete");
    assert_eq!(bench.ran()[6..], ["fft"]);
    is_whole(&ran.result("fft"));
    assert_eq!(notes_of_another_try(&ran, "fft"), 1);
    let expected = ["fft complete", "sum complete", "fft complete"];
    assert_eq!(outcomes(&bench), expected);
}

#[test]
fn a_run_that_was_interrupted_after_two_processes_goes_on_with_those_that_are_missing() {
    let bench = gated();
    let words = into(&bench, "lines");
    let running = waiting(&bench, &format!("--json {words}"));
    running.interrupt();
    let ran = running.finish().exits(130);
    ran.has_no_time("fft", "failed", "process 2 of 3: interrupted");
    ran.has_no_time("sum", "skipped", "interrupted");
    bench.open_gate();
    let ran = bench.resume(&format!("--json {words}")).exits(0);
    let ran = ran.says("2 of 6 processes complete");
    assert_eq!(bench.ran()[3..], ["fft", "sum", "fft", "sum"]);
    assert_eq!(ran.json()["complete"], true);
    for name in ["fft", "sum"] {
        is_whole(&ran.result(name));
    }
    let expected = ["fft failed", "fft complete", "sum complete"];
    assert_eq!(outcomes(&bench), expected);
    for line in &lines(&bench, "lines")[1..] {
        is_whole(line);
    }
}

#[test]
fn a_pause_between_processes_ends_with_an_interrupt_and_the_rest_of_a_run_begins_without_one() {
    let fft = operation("fft").processes(2).line("spread_s = 3600");
    let bench = with([fft]).commit();
    let running = bench.start_kernels("--json");
    wait_until("the first process has a result", || {
        let mut bundles = bench.bundles().into_iter();
        bundles.any(|bundle| bundle.text("results.jsonl").ends_with('\n'))
    });
    running.interrupt();
    let ran = running.finish().exits(130);
    ran.has_no_time("fft", "skipped", "interrupted");
    assert_eq!(bench.ran(), ["fft"]);
    let ran = bench.resume("--json").exits(0);
    let ran = ran.says("1 of 2 processes complete");
    assert_eq!(bench.ran(), ["fft", "fft"]);
    assert_eq!(ran.result("fft")["repeats"], 24);
}

#[test]
fn a_run_that_was_killed_says_which_operation_it_was_at_and_runs_no_finished_process_again() {
    let bench = gated();
    waiting(&bench, "").kill();
    bench.kill_processes();
    bench.open_gate();
    let ran = bench.resume("--json").exits(0);
    let ran = ran.says("2 of 6 processes complete");
    assert_eq!(bench.ran()[3..], ["fft", "sum", "fft", "sum"]);
    for (name, tries) in [("fft", 1), ("sum", 0)] {
        is_whole(&ran.result(name));
        assert_eq!(notes_of_another_try(&ran, name), tries, "{name}");
    }
    let mut folders = bench.bundle().names("");
    folders.retain(|name| name.starts_with("01-"));
    let expected = ["01-fft-1", "01-fft-1.2", "01-fft-1.3", "01-fft-1.4"];
    assert_eq!(folders, expected, "what was there stays there");
}

#[test]
fn a_complete_run_is_reported_again_without_a_launch() {
    let bench = three();
    bench.track_kernels("").exits(0);
    let ran = bench.resume("--json").exits(0);
    assert_eq!(bench.ran().len(), 6);
    for name in ["fft", "sum"] {
        is_whole(&ran.result(name));
    }
}

#[test]
fn a_run_is_not_resumed_with_another_number_of_processes() {
    let mut bench = gated();
    let running = waiting(&bench, "");
    running.interrupt();
    running.finish().exits(130);
    let fft = || operation("fft").parameter("gate_after = 2");
    for (other, said) in [(fft().processes(2), "2 processes"), (fft(), "1 process")] {
        bench.redefine(other);
        let ran = bench.resume("").exits(5);
        ran.says(&format!(
            "`fft reference @1` was sampled in 3 processes and is in {said}"
        ));
    }
    assert_eq!(bench.ran().len(), 3, "nothing was run");
    bench.redefine(fft().processes(3));
    bench.open_gate();
    bench.resume("").exits(0);
    assert_eq!(bench.ran().len(), 3 + 4);
}

#[test]
fn a_row_of_the_history_has_the_median_of_the_samples_of_all_processes() {
    let fft = operation("fft").processes_take(&[100, 108]);
    let bench = with([fft]).commit();
    let words = "--append-history --production 2";
    bench.track_kernels(words).exits(0).says("recorded 1 row");
    let rows = bench.committed_rows();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["repeats"], "24");
    // Between the longest of the first process and the shortest of the second: 10.1 and 10.692 µs.
    for (column, time_s) in [
        ("median_s", 1.0396e-5),
        ("min_s", 9.9e-6),
        ("max_s", 1.0908e-5),
    ] {
        let found: f64 = rows[0][column].parse().unwrap();
        assert!((found - time_s).abs() < 1e-15, "{column}: {found}");
    }
}

#[test]
fn a_process_that_fails_keeps_the_run_out_of_the_history() {
    let fft = operation("fft").processes(3).behaves_in_launch(2, "exits");
    let bench = with([fft, operation("sum")]).commit();
    let before = bench.commits();
    let words = "--append-history --production 2";
    let ran = bench.track_kernels(words).exits(1);
    ran.says("process 2 of 3: ").says("not recorded");
    assert_eq!(bench.commits(), before);
    assert_eq!(bench.rows(), []);
}
