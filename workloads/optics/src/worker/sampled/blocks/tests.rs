//! The order of a duet of blocks and what it notices.

#![allow(clippy::unwrap_used, clippy::float_cmp)]

use longrun_measure::ScriptedClock;

use super::*;
use crate::worker::sampled::testing::{Log, Scripted, example};

/// A clock that notes when it is read.
struct Noting {
    clock: ScriptedClock,
    log: Log,
}

impl Clock for Noting {
    fn now_ns(&self) -> u64 {
        self.log.borrow_mut().push("clock".to_owned());
        self.clock.now_ns()
    }

    fn process_cpu_ns(&self) -> Option<u64> {
        self.clock.process_cpu_ns()
    }
}

fn boxed(baseline: Scripted, candidate: Scripted) -> Sides<Box<dyn Routine>> {
    Sides {
        baseline: Box::new(baseline),
        candidate: Box::new(candidate),
    }
}

/// Two blocks of each side on a clock that stands still.
fn taken(baseline: Scripted, candidate: Scripted) -> Result<StretchReport, String> {
    let clock = ScriptedClock::new(&[5], &[]);
    let meter = Meter {
        clock: &clock,
        usage: &|| None,
    };
    let mut session = Session::new(boxed(baseline, candidate), Side::Baseline, 4, &meter);
    session.warm_up(&example(), 0.1)?;
    session.blocks(2)
}

#[test]
fn the_sides_take_turns_from_the_warm_up_on_and_only_a_block_is_timed() {
    let log = Log::default();
    let clock = Noting {
        clock: ScriptedClock::new(&[0], &[]),
        log: log.clone(),
    };
    let meter = Meter {
        clock: &clock,
        usage: &|| None,
    };
    let sides = boxed(Scripted::new("a", &log), Scripted::new("b", &log));
    let mut session = Session::new(sides, Side::Candidate, 9, &meter);
    session.warm_up(&example(), 0.1).unwrap();
    session.blocks(2).unwrap();
    let due = [
        "clock", "a run 9", "b run 9", "a look", "b look", "clock", // warm-up
        "clock", "b run 9", "clock", "clock", "a run 9", "clock", "b look", "a look", // first
        "clock", "a run 9", "clock", "clock", "b run 9", "clock", "a look",
        "b look", // second
    ];
    assert_eq!(*log.borrow(), due);
}

#[test]
fn each_side_gets_its_own_times_and_the_operations_of_a_block() {
    let log = Log::default();
    // Two readings around the warm-up, then four for each pair: who goes first takes 10, then 3.
    let readings = [0, 50, 100, 110, 120, 123, 200, 210, 220, 223];
    let clock = ScriptedClock::new(&readings, &[]);
    let meter = Meter {
        clock: &clock,
        usage: &|| None,
    };
    let sides = boxed(Scripted::new("a", &log), Scripted::new("b", &log));
    let mut session = Session::new(sides, Side::Candidate, 7, &meter);
    session.warm_up(&example(), 0.1).unwrap();
    assert_eq!(session.warm_up_ns, 50);
    let report = session.blocks(2).unwrap();
    assert_eq!(report.checkpoint, None);
    let [one, other] = report.segments[..] else {
        unreachable!("two pairs");
    };
    assert_eq!((one.first, other.first), (Side::Candidate, Side::Baseline));
    let times = |pair: Segment| [pair.baseline, pair.candidate].map(|side| side.sample.interval_ns);
    assert_eq!((times(one), times(other)), ([3, 10], [10, 3]));
    for side in [one.baseline, one.candidate, other.baseline, other.candidate] {
        assert_eq!(side.sample.ops, 7);
        assert_eq!((side.accepted, side.evaluations), (None, None));
    }
}

#[test]
fn outputs_are_compared_with_those_of_the_baseline() {
    let log = Log::default();
    let report = taken(Scripted::new("a", &log), Scripted::new("b", &log)).unwrap();
    assert!(
        report
            .segments
            .iter()
            .all(|pair| pair.relative_l2 == Some(0.0))
    );
    let mut candidate = Scripted::new("b", &log);
    candidate.output = 2.125;
    let report = taken(Scripted::new("a", &log), candidate).unwrap();
    assert!(
        report
            .segments
            .iter()
            .all(|pair| pair.relative_l2 == Some(0.0625))
    );
}

#[test]
fn a_side_that_computes_wrongly_or_fails_is_named_and_has_no_time() {
    let log = Log::default();
    for (side, other) in [("baseline", "candidate"), ("candidate", "baseline")] {
        let mut wrong = Scripted::new("bad", &log);
        wrong.output = 3.0;
        let mut infinite = Scripted::new("bad", &log);
        infinite.drift = f64::INFINITY;
        let mut failing = Scripted::new("bad", &log);
        failing.blocks_max = 2;
        for (bad, cause) in [
            (wrong, "in the warm-up: the output is 5.00e-1"),
            (infinite, "in block 1: the output is not finite"),
            (
                failing,
                "in block 2: failed to run the kernel: it was told to fail",
            ),
        ] {
            let good = Scripted::new("good", &log);
            let reason = match side {
                "baseline" => taken(bad, good),
                _ => taken(good, bad),
            };
            let reason = reason.unwrap_err();
            assert!(reason.contains(&format!("side `{side}`")), "{reason}");
            assert!(
                !reason.contains(other) && reason.contains(cause),
                "{reason}"
            );
        }
    }
}

#[test]
fn a_clock_that_goes_back_ends_the_duet() {
    let log = Log::default();
    let clock = ScriptedClock::new(&[1, 2, 9, 4], &[]);
    let meter = Meter {
        clock: &clock,
        usage: &|| None,
    };
    let sides = boxed(Scripted::new("a", &log), Scripted::new("b", &log));
    let mut session = Session::new(sides, Side::Candidate, 1, &meter);
    session.warm_up(&example(), 0.1).unwrap();
    let reason = session.blocks(2).unwrap_err();
    assert!(
        reason.contains("side `candidate`") && reason.contains("back by 5 ns"),
        "{reason}"
    );
}
