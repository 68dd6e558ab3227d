//! `ab` that is interrupted, killed, out of time, or not alone.

use std::fs;

use rustix::process::Signal;

use crate::bench::Bench;
use crate::changes::{WORK, case, changes, noisy, work};
use crate::ran::{Running, wait_until};

/// Slower code, in a repository whose workers wait at the gate once `after` have gone before.
fn gated(after: usize) -> Bench {
    let mut bench = changes();
    bench.redefine(case("a").parameter(&format!("gate_after = {after}")));
    bench.commit_all("a gate");
    bench.write(WORK, &work("cost=1.05", 1));
    bench
}

/// A comparison whose worker number `after` waits at the gate.
#[track_caller]
fn held(bench: &Bench, after: usize) -> Running {
    let running = bench.start(["ab", "--baseline", "HEAD"]);
    wait_until("a worker waits", || bench.ran().len() > after);
    running
}

/// A comparison that is held at the gate, and one that has said that it waits for it.
#[track_caller]
fn queued(bench: &Bench) -> (Running, Running) {
    let first = held(bench, 2);
    let name = bench.comparison().id();
    let second = bench.start(["ab", "--baseline", "HEAD", "--out", "target/second"]);
    wait_until("the second says that it waits", || {
        second.said().contains(&name)
    });
    (first, second)
}

/// Resumes the only comparison and checks that all it had observed is kept.
#[track_caller]
fn finish(bench: &Bench) {
    let before = bench.comparison().text("observations.jsonl");
    let whole = before.rsplit_once('\n').unwrap().0;
    let resume = format!("--resume {} --json", bench.comparison().id());
    let ran = bench.ab(&resume).exits(3);
    ran.judges("a", "regressed");
    let after = bench.comparison().text("observations.jsonl");
    assert!(after.starts_with(whole), "{after}");
    let lines = bench.comparison().phase("screen");
    let rounds: Vec<u64> = lines.iter().map(|l| l["round"].as_u64().unwrap()).collect();
    assert!(
        rounds.iter().copied().eq(0..rounds.len() as u64),
        "{rounds:?}"
    );
}

#[test]
fn an_interrupt_keeps_what_was_observed_and_says_how_to_go_on() {
    let bench = gated(5);
    let running = held(&bench, 5);
    running.interrupt();
    let ran = running.finish().exits(130);
    ran.says(&format!("ab --resume {}", bench.comparison().id()));
    assert_eq!(bench.processes(), [""; 0]);
    let observed = bench.comparison().observed().len();
    assert!(observed >= 4, "header and three observations: {observed}");
    let ran = bench.ab(&format!("--replay {}", file(&bench)));
    ran.exits(0).says("inconclusive");
    bench.open_gate();
    finish(&bench);
}

fn file(bench: &Bench) -> String {
    let file = bench.comparison().path().join("observations.jsonl");
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_killed_comparison_blocks_nothing_and_is_resumed() {
    let bench = gated(5);
    held(&bench, 5).kill();
    bench.kill_processes();
    let status = bench.status();
    bench.open_gate();
    let other = "--baseline HEAD --out target/other --json";
    bench.ab(other).exits(3).judges("a", "regressed");
    assert_eq!(bench.status(), status);
    finish(&bench);
    assert!(!bench.has(".git/index.lock"));
}

#[test]
fn a_comparison_that_is_killed_while_it_builds_blocks_nothing() {
    let bench = changes();
    let lists = bench.build_without_end();
    bench.commit_all("a slow build");
    bench.git(["checkout", "--quiet", "base"]);
    let slow = ["ab", "--baseline", "base", "--candidate", "main"];
    for signal in [Signal::KILL, Signal::INT] {
        let running = bench.start(slow);
        bench.wait_for_the_build();
        running.signal(signal);
        let ended = running.finish();
        assert_eq!(
            ended.exit,
            (signal == Signal::INT).then_some(130),
            "{ended}"
        );
        bench.kill_processes();
    }
    bench.write("native/CMakeLists.txt", &lists);
    assert_eq!(bench.status(), "");
    bench.ab("--baseline base --candidate slower").exits(3);
}

#[test]
fn what_would_be_observed_differently_is_not_added_to_a_comparison() {
    let bench = gated(3);
    held(&bench, 3).kill();
    bench.kill_processes();
    bench.open_gate();
    bench.write(WORK, &work("cost=1.1", 2));
    let before = bench.comparison().text("observations.jsonl");
    let resume = format!("--resume {}", bench.comparison().id());
    bench.ab(&resume).exits(5).says("build");
    assert_eq!(bench.comparison().text("observations.jsonl"), before);
    bench.ab(&format!("{resume} --rounds 3")).exits(2);
    bench.write(WORK, &work("cost=1.05", 1));
    finish(&bench);
    // Nothing is added to a comparison that is decided.
    let file = bench.comparison().text("observations.jsonl");
    bench.ab(&resume).exits(2).says("it has ended");
    assert_eq!(bench.comparison().text("observations.jsonl"), file);
}

#[test]
fn a_kill_in_the_middle_of_a_round_leaves_each_configuration_its_exact_rounds() {
    let mut bench = changes();
    let untracked = case("b").line("tracked = false");
    // Two preparations, then two warm-ups and two whole rounds, then `a`.
    bench.redefine(untracked.parameter("gate_after = 9"));
    bench.commit_all("a gate");
    bench.write(WORK, &work("cost=1.05", 1));
    let running = bench.start(["ab", "--baseline", "HEAD", "--all", "--rounds", "7"]);
    wait_until("`b` waits while `a` is a round ahead", || {
        bench.ran().len() > 9
    });
    running.kill();
    bench.kill_processes();
    let of = |case: u64| {
        let lines = bench.comparison().phase("screen");
        lines
            .iter()
            .filter(|line| line["configuration"] == case)
            .count()
    };
    assert_eq!(of(0), of(1) + 1, "it was killed in the middle of a round");
    bench.open_gate();
    bench.ab(&format!("--resume {}", bench.comparison().id()));
    assert_eq!([of(0), of(1)], [7, 7]);
}

#[test]
fn the_second_of_two_comparisons_waits_and_says_for_which() {
    let bench = gated(2);
    let (first, second) = queued(&bench);
    bench.open_gate();
    first.finish().exits(3);
    second.finish().exits(3).says("wait");
    let bundles = bench.bundles_in("target/second");
    assert!(bundles[0].phase("screen").len() >= 6);
}

#[test]
fn one_that_waits_can_be_interrupted() {
    let bench = gated(2);
    let (first, second) = queued(&bench);
    second.interrupt();
    second.finish().exits(130);
    bench.open_gate();
    first.finish().exits(3);
}

#[test]
fn time_that_is_up_ends_with_a_verdict() {
    let mut bench = changes();
    bench.redefine(noisy("a", 0.3));
    bench.commit_all("a loud case");
    bench.write(WORK, &work("cost=1.001", 1));
    let words = "--baseline HEAD --max-observations 10000 --max-time 1s --json";
    let ran = bench.ab(words).exits(0);
    ran.judges("a", "inconclusive");
    let lines = bench.comparison().observed();
    assert_eq!(lines.last().unwrap()["why"], "out_of_time");
    let words = words.replace("--json", "--out target/short --strict");
    bench.ab(&words).exits(4).says("inconclusive");
}

#[test]
fn a_worker_that_hangs_does_not_outlast_the_time() {
    let bench = gated(4);
    let ran = bench.ab("--baseline HEAD --max-time 2s --json");
    assert!([Some(0), Some(1)].contains(&ran.exit), "{ran}");
    let verdict = ran.case("a")["verdict"].clone();
    assert!(
        verdict == "inconclusive" || verdict == "failed",
        "{verdict}"
    );
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn a_folder_that_cannot_be_written_fails_before_anything_is_built() {
    let bench = changes();
    fs::write(bench.root().join("target/file"), "in the way").unwrap();
    bench.write("native/src/minimal.cpp", "this cannot be built\n");
    let ran = bench.ab("--baseline HEAD --out target/file").exits(6);
    ran.says("target/file").does_not_say("minimal.cpp");
}
