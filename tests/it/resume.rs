//! `track --resume`: what a run had finished is kept, and the rest is run.

use std::fs;

use rustix::process::Signal;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::wait_until;

/// Three cases; the second does not come through before the gate is open.
fn gated() -> Bench {
    Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b").behaves("gated"))
        .case(Case::new("c"))
        .commit()
}

/// A bench whose run was killed while the second of three workers ran.
fn killed() -> Bench {
    let bench = gated();
    let running = bench.start(["track"]);
    wait_until("the second worker runs", || bench.ran() == ["a", "b"]);
    running.kill();
    bench
}

#[test]
fn a_killed_run_is_finished_without_running_again_what_it_had_finished() {
    let bench = killed();
    assert_eq!(bench.processes().len(), 1, "its worker goes on");
    bench.open_gate();
    let ran = bench.resume("--append-history --json").exits(0);
    let ran = ran.says("1 of 3 configurations complete");
    let ran = ran.says("1 process that this run had left behind: ended");
    let why = "run again: the run ended while it was running";
    let ran = ran.says(why);
    assert_eq!(bench.ran(), ["a", "b", "b", "c"]);
    let report = ran.json();
    let cases = [0, 1, 2].map(|index| report["results"][index]["configuration"]["case"].clone());
    assert_eq!(cases, ["a", "b", "c"]);
    assert_eq!(report["complete"], true);
    assert_eq!(report["recorded"], true);
    assert_eq!(report["run_id"], *bench.bundle().id());
    let ids: Vec<String> = bench
        .committed_rows()
        .iter()
        .map(|row| row["run_id"].clone())
        .collect();
    assert_eq!(ids, vec![bench.bundle().id(); 3]);
    assert_eq!(bench.processes(), [""; 0]);
    let folders = bench.bundle().names("");
    let of_b: Vec<&String> = folders
        .iter()
        .filter(|name| name.starts_with("02-"))
        .collect();
    assert_eq!(of_b, ["02-b-1", "02-b-1.2"], "what was there stays there");
}

#[test]
fn every_signal_that_asks_to_end_keeps_what_finished_and_says_how_to_go_on() {
    // Where the tests run under nohup, so does the program, and means it.
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = u64::from_str_radix(ignored.unwrap().trim(), 16).unwrap();
    let hang_up = (ignored & 1 == 0).then_some(Signal::HUP);
    for signal in [Signal::INT, Signal::TERM].into_iter().chain(hang_up) {
        let bench = gated();
        let running = bench.start(["track", "--append-history", "--no-commit"]);
        wait_until("the second worker runs", || bench.ran() == ["a", "b"]);
        running.signal(signal);
        let ran = running.finish().exits(130);
        assert_eq!(bench.processes(), [""; 0]);
        let command = format!(
            "cargo xtask track --resume {} --append-history --no-commit",
            bench.bundle().id()
        );
        ran.says(&command);
        bench.open_gate();
        bench.resume("").exits(0);
        assert_eq!(bench.ran(), ["a", "b", "b", "c"]);
        assert_eq!(
            bench.rows(),
            [],
            "whoever resumes decides whether it is recorded"
        );
    }
}

#[test]
fn a_run_that_was_killed_before_its_first_result_is_run_whole() {
    let bench = Bench::new().case(Case::new("a").behaves("gated")).commit();
    let running = bench.start(["track"]);
    wait_until("the worker runs", || bench.ran() == ["a"]);
    running.kill();
    bench.open_gate();
    // A little earlier, these had not been written either.
    for name in ["machine.json", "build.json"] {
        fs::remove_file(bench.bundle().path().join(name)).unwrap();
    }
    bench.resume("").exits(0);
    assert_eq!(bench.ran(), ["a", "a"]);
    assert!(bench.bundle().json("machine.json")["slug"].is_string());
}

#[test]
fn a_line_that_was_being_written_is_ignored_and_its_configuration_is_run_again() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b"))
        .commit();
    bench.run(["track"]).exits(0);
    let path = bench.bundle().path().join("results.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() - 20]).unwrap();
    bench.resume("").exits(0);
    assert_eq!(bench.ran(), ["a", "b", "b"]);
    assert_eq!(bench.bundle().results().len(), 2);
}

#[test]
fn what_failed_or_took_too_long_is_run_again_and_says_so() {
    let bench = gated();
    bench
        .run(["track", "--timeout", "2"])
        .exits(1)
        .says("go on with `cargo xtask track --resume")
        .says(" --timeout 4`");
    bench.open_gate();
    let ran = bench.resume("").exits(0);
    ran.says("b reference @1: run again: it was timed out before");
    assert_eq!(bench.ran(), ["a", "b", "c", "b"]);
    let results = bench.bundle().results();
    let statuses: Vec<_> = results.iter().map(|line| line["status"].clone()).collect();
    assert_eq!(statuses, ["complete", "timed_out", "complete", "complete"]);
    bench.resume("").exits(0);
    assert_eq!(bench.ran().len(), 4, "now everything is complete");
}

#[test]
fn results_are_read_from_the_receipts_again_and_not_trusted() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b"))
        .commit();
    bench.run(["track"]).exits(0);
    let folder = bench.bundle().path().to_owned();
    let results = folder.join("results.jsonl");
    let text = fs::read_to_string(&results).unwrap();
    fs::write(
        &results,
        text.replace("\"median_s\":0.001", "\"median_s\":9.0"),
    )
    .unwrap();
    let report = bench.resume("--json").exits(0).json();
    let median = report["results"][0]["median_s"].as_f64().unwrap();
    assert!((median - 0.001).abs() < 1e-12, "{median}");
    assert_eq!(bench.ran(), ["a", "b"]);
    let receipt = folder.join("01-a-1/receipt.json");
    let sound = fs::read_to_string(&receipt).unwrap();
    for damaged in [
        "rubbish".to_owned(),
        sound.replace("\"interval_ns\":1000000", "\"interval_ns\":0"),
        sound.replace("/01\"", "/02\""),
    ] {
        fs::write(&receipt, damaged).unwrap();
        let before = bench.ran().len();
        bench.resume("").exits(0).says("run again: its receipt");
        assert_eq!(bench.ran().len(), before + 1);
        // The next round looks at the newest result of the case.
        fs::write(&results, &text).unwrap();
    }
    fs::remove_file(&receipt).unwrap();
    bench.resume("").exits(0).says("its receipt is gone");
}

#[test]
fn a_complete_run_is_reported_again_and_may_be_recorded_once() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b"))
        .commit();
    let mut first = bench.run(["track", "--json"]).exits(0).json();
    let mut again = bench.resume("--json").exits(0).json();
    for result in [&mut first, &mut again] {
        // Decimals that are read and written again may differ in the last place.
        result["results"][0]["elapsed_s"].take();
        result["results"][1]["elapsed_s"].take();
    }
    assert_eq!(again, first);
    let date = bench.bundle().json("plan.json")["began"].clone();
    bench
        .resume("--append-history")
        .exits(0)
        .says("recorded 2 rows");
    assert_eq!(
        bench.committed_rows()[0]["date"],
        date,
        "the run began then"
    );
    let commits = bench.commits();
    let ran = bench.resume("--append-history").exits(0);
    ran.says("has this run already");
    assert_eq!(bench.commits(), commits);
    assert_eq!(bench.rows().len(), 2);
    assert_eq!(bench.ran(), ["a", "b"]);
}

#[test]
fn a_commit_that_changes_nothing_measured_does_not_matter() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .case(Case::new("b").native().behaves("gated"))
        .commit();
    let running = bench.start(["track"]);
    wait_until("the second worker runs", || bench.ran() == ["a", "b"]);
    running.interrupt();
    running.finish().exits(130);
    bench.write("README.md", "text\n");
    bench.commit_all("words");
    bench.open_gate();
    bench.resume("--append-history").exits(0);
    assert_eq!(bench.ran(), ["a", "b", "b"]);
    let commits: Vec<String> = bench
        .committed_rows()
        .iter()
        .map(|row| row["commit"].clone())
        .collect();
    assert_eq!(
        commits,
        vec![bench.commit_id("HEAD~1"); 2],
        "the rows name what they can be got from"
    );
}

#[test]
fn a_run_of_uncommitted_code_is_recorded_once_the_code_is_committed() {
    let mut bench = Bench::new().case(Case::new("a")).commit();
    bench.redefine(Case::new("a").takes_ns([2_000_000; 3]));
    bench.run(["track"]).exits(0).says("dirty");
    bench
        .resume("--append-history")
        .exits(5)
        .says("dirty: only committed code");
    bench.commit_all("the case");
    bench.resume("--append-history").exits(0);
    assert_eq!(bench.ran(), ["a"]);
    assert_eq!(
        bench.committed_rows()[0]["commit"],
        bench.commit_id("HEAD~1")
    );
    assert_eq!(bench.committed_rows()[0]["dirty"], "false");
}

#[test]
fn rows_that_a_killed_recording_left_in_the_working_file_are_committed_once() {
    let bench = Bench::new().case(Case::new("a")).commit();
    bench
        .run(["track", "--append-history", "--no-commit"])
        .exits(0);
    assert_eq!(bench.rows().len(), 1);
    bench
        .resume("--append-history")
        .exits(0)
        .says("recorded 1 row");
    assert_eq!(bench.committed_rows().len(), 1);
    assert_eq!(bench.status(), "");
}

#[test]
fn a_recording_that_is_killed_in_the_middle_of_its_commit_blocks_nothing() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let wait = "touch target/in-hook; while [ ! -e target/gate ]; do sleep 0.05; done";
    bench.hook("pre-commit", wait);
    let running = bench.start(["track", "--append-history"]);
    wait_until("git asks the hook", || bench.has("target/in-hook"));
    running.kill();
    bench.open_gate();
    wait_until("git has ended", || bench.processes().is_empty());
    bench.resume("--append-history").exits(0);
    assert_eq!(bench.committed_rows().len(), 1);
    bench.run(["track", "--append-history"]).exits(0);
    assert_eq!(bench.committed_rows().len(), 2);
    assert_eq!(bench.status(), "");
}

#[test]
fn a_run_in_another_folder_is_found_there() {
    let bench = gated();
    let running = bench.start(["track", "--out", "target/elsewhere"]);
    wait_until("the second worker runs", || bench.ran() == ["a", "b"]);
    running.interrupt();
    let ran = running.finish().exits(130);
    ran.says("--out target/elsewhere");
    bench.open_gate();
    bench
        .run(["track", "--resume", "20"])
        .exits(2)
        .says("there is no run");
    bench
        .run(["track", "--resume", "20", "--out", "target/elsewhere"])
        .exits(0);
    assert_eq!(bench.ran(), ["a", "b", "b", "c"]);
}

#[test]
fn the_rest_of_a_run_has_the_options_of_its_beginning() {
    let bench = Bench::new()
        .case(Case::new("a").line("steppers = [\"rk\"]"))
        .case(Case::new("b").line("steppers = [\"rk\"]").behaves("gated"))
        .commit();
    let words = "track --stepper default,rk --production 2 --threads production --repeats 4 \
                 --threading bound-active --instance-type m8g.xlarge --timeout 600 --keep-state";
    let running = bench.start(words.split_whitespace().collect::<Vec<_>>());
    wait_until("the third worker runs", || bench.ran() == ["a", "a", "b"]);
    running.interrupt();
    running.finish().exits(130);
    bench.open_gate();
    bench.resume("").exits(0);
    assert_eq!(bench.ran(), ["a", "a", "b", "b", "b"]);
    let request = |folder: &str| {
        let mut request = bench.bundle().json(&format!("{folder}/request.json"));
        request["request_id"].take();
        request
    };
    assert_eq!(request("03-b-2.2"), request("03-b-2"));
    assert_eq!(request("04-b-2")["repeats"], 4);
    assert_eq!(request("04-b-2")["keep_state"], true);
    let environment = bench.bundle().json("04-b-2/environment.json");
    assert_eq!(environment["set"]["OMP_PROC_BIND"], "close");
    assert_eq!(environment["set"]["OMP_NUM_THREADS"], "2");
}

#[test]
fn a_run_that_was_killed_during_the_build_is_run_whole() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .commit();
    let lists = bench.build_without_end();
    let running = bench.start(["track"]);
    bench.wait_for_the_build();
    running.kill();
    bench.kill_processes();
    bench.write("native/CMakeLists.txt", &lists);
    bench.resume("--append-history").exits(0);
    assert_eq!(bench.ran(), ["a"]);
    assert_eq!(bench.committed_rows().len(), 1);
}
