//! Ctrl-C: what has finished is kept, and nothing goes on.

use std::os::unix::process::CommandExt;

use rustix::process::Signal;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::wait_until;

#[test]
fn an_interrupt_during_the_native_build_is_an_interrupt() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .commit();
    bench.build_without_end();
    let running = bench.start_with(["track"], |command| {
        // A group of its own, so that the tests are not interrupted with it.
        command.process_group(0);
    });
    bench.wait_for_the_build();
    running.interrupt_group();
    running.finish().exits(130).says("interrupted");
    wait_until("the build is gone", || bench.processes().is_empty());
}

#[test]
fn an_interrupted_run_keeps_what_has_finished_and_ends_its_worker() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b").behaves("grandchild"))
        .case(Case::new("c"))
        .commit();
    let before = bench.commits();
    let running = bench.start(["track", "--append-history", "--json"]);
    wait_until("the second worker runs", || {
        let bundles = bench.bundles();
        bundles
            .iter()
            .any(|bundle| bundle.text("02-b-1/stdout.log").contains("run"))
    });
    running.interrupt();
    let report = running.finish().exits(130).json();
    let results = bench.bundle().results();
    assert_eq!(results[0]["configuration"]["case"], "a");
    assert_eq!(results[0]["status"], "complete");
    assert_eq!(report["results"][2]["status"], "skipped");
    assert_eq!(report["recorded"], false);
    assert!(!bench.bundle().names("").contains(&"03-c-1".to_owned()));
    assert_eq!(bench.processes(), [""; 0]);
    assert_eq!(bench.commits(), before);
    assert_eq!(bench.rows(), []);
}

#[test]
fn an_interrupt_ends_what_left_the_workers_group_too() {
    let bench = Bench::new()
        .case(Case::new("a").behaves("escapes_and_hangs"))
        .commit();
    let running = bench.start(["track"]);
    wait_until("the process that left is there", || {
        let mut processes = bench.processes().into_iter();
        processes.any(|command| command.contains("trap"))
    });
    running.interrupt();
    running
        .finish()
        .exits(130)
        .does_not_say("could not be ended");
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let wait = "while [ ! -e target/gate ]; do sleep 0.05; done; exec \"$@\"";
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b").launched_by(&["sh", "-c", wait, "sh"]))
        .commit();
    let running = bench.start_after("trap '' HUP", ["track"]);
    wait_until("the second worker waits", || {
        let bundles = bench.bundles();
        bundles
            .iter()
            .any(|bundle| !bundle.text("02-b-1/request.json").is_empty())
    });
    running.signal(Signal::HUP);
    bench.open_gate();
    running.finish().exits(0);
    assert_eq!(bench.ran(), ["a", "b"]);
}
