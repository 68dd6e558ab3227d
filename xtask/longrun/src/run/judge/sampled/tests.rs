//! Tables for the judgement of sampled receipts.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use longrun_protocol::receipt::LibraryReport;
use longrun_protocol::request::{Library, Task};
use longrun_protocol::sampling::{AllocationReport, ReferenceReport};
use longrun_protocol::{Engine, Size, Width};

use super::*;
use crate::ab::made;
use crate::run::judge::ResultStatus::{Complete, Failed, Inconsistent};
use crate::run::judge::{Reading, ResultStatus, judge};
use crate::run::supervise::{Aftermath, Ending};
use crate::track::sampled::made as sampled;

/// Thirty blocks of a microsecond on two threads are asked for.
fn request() -> Request {
    let mut request = made::request("fft");
    request.configuration = sampled::item("fft").configuration;
    request.configuration.width = Width::Threads(2);
    request.library = Some(Library {
        path: "lib.so".into(),
        build_key: "abc".into(),
    });
    request.threads = 2;
    request.repeats = 30;
    request.block_plan = Some(BlockPlan::Geometric {
        target_ns: 1_000,
        ops_max: 1_000,
    });
    request.stop = Some(StopRule::Adaptive {
        samples_min: 30,
        samples_max: 100,
        total_ns_min: 30_000,
        total_ns_max: 200_000,
    });
    request
}

/// Exactly what is asked for, of 64 operations each.
fn receipt() -> Receipt {
    let mut receipt = sampled::receipt("fft", &[1_000; 30], 64);
    receipt.configuration = request().configuration;
    receipt.library = Some(LibraryReport {
        build_key: "abc".into(),
        abi: Default::default(),
        fft: None,
    });
    for witness in &mut receipt.witnesses {
        witness.threads_observed = Some(2);
    }
    receipt.witnesses[1].relative_l2_to_first = Some(0.0);
    receipt
}

fn verdict_of(request: &Request, receipt: Receipt) -> (ResultStatus, String) {
    let aftermath = Aftermath {
        ending: Ending::Exited(0),
        elapsed: Duration::from_secs(1),
        left_children: false,
        survivors: false,
        output_cut: false,
    };
    let reading = Reading::Read(Box::new(receipt));
    let judgement = judge(request, Duration::from_secs(3), &aftermath, &reading);
    (judgement.status, judgement.reason)
}

fn verdict(change: impl FnOnce(&mut Receipt)) -> (ResultStatus, String) {
    let mut receipt = receipt();
    change(&mut receipt);
    verdict_of(&request(), receipt)
}

fn with_report(change: impl FnOnce(&mut SampledReport)) -> (ResultStatus, String) {
    verdict(|receipt| change(receipt.sampled.as_mut().unwrap()))
}

#[track_caller]
fn assert_verdict(found: (ResultStatus, String), status: ResultStatus, part: &str) {
    assert_eq!(found.0, status, "{}", found.1);
    assert!(found.1.contains(part), "{}", found.1);
}

fn fine() -> (ResultStatus, String) {
    (Complete, String::new())
}

#[test]
fn a_sound_receipt_of_samples_is_complete() {
    assert_eq!(verdict(|_| ()), fine());
}

#[test]
fn samples_without_their_report_are_no_times_and_a_report_is_none_of_whole_runs() {
    assert_verdict(
        verdict(|receipt| receipt.sampled = None),
        Failed,
        "does not say how its samples came about",
    );
    let whole = Request {
        block_plan: None,
        ..request()
    };
    assert_verdict(
        verdict_of(&whole, receipt()),
        Failed,
        "was asked for whole runs",
    );
}

#[test]
fn no_sample_is_a_failure_and_not_a_time_of_zero() {
    let none = verdict(|receipt| receipt.samples.clear());
    assert_verdict(none, Failed, "the receipt has no sample");
    let lost = verdict(|receipt| {
        receipt.samples.clear();
        let report = receipt.sampled.as_mut().unwrap();
        (report.lost, report.stopped) = (200, Stopped::AttemptsMax);
    });
    assert_verdict(lost, Failed, "the clock went back in 200 blocks");
}

#[test]
fn an_output_that_is_not_that_of_the_reference_has_no_time() {
    let with = |relative_l2, bound| {
        with_report(|report| report.reference = Some(ReferenceReport { relative_l2, bound }))
    };
    assert_eq!(with(Some(1e-13), 1e-12), fine());
    assert_eq!(with(Some(0.0), 0.0), fine());
    for (relative_l2, bound, part) in [
        (
            Some(3e-3),
            1e-12,
            "3.00e-3 (relative L2) from the reference",
        ),
        (None, 1e-12, "no finite number"),
        (Some(f64::NAN), 1e-12, "NaN"),
        (Some(-1.0), 1e-12, "not a distance"),
        (Some(0.0), -1.0, "the bound of the reference check is -1"),
        (
            Some(0.0),
            f64::NAN,
            "the bound of the reference check is NaN",
        ),
    ] {
        assert_verdict(with(relative_l2, bound), Failed, part);
    }
}

#[test]
fn a_wrong_output_is_named_before_anything_else_is() {
    let found = verdict(|receipt| {
        receipt.samples.clear();
        receipt.sampled.as_mut().unwrap().reference = Some(ReferenceReport {
            relative_l2: None,
            bound: 1e-12,
        });
    });
    assert_verdict(found, Failed, "no finite number");
}

#[test]
fn every_block_has_the_operations_that_are_said_and_that_the_plan_allows() {
    let unequal = verdict(|receipt| receipt.samples[2].ops = 65);
    assert_verdict(unequal, Failed, "sample 3 has 65 operations");
    let none = verdict(|receipt| receipt.samples[0].ops = 0);
    assert_verdict(none, Failed, "sample 1 has 0 operations");
    let said = with_report(|report| report.ops = 65);
    assert_verdict(said, Failed, "every block is said to have 65");
    let nothing = with_report(|report| report.ops = 0);
    assert_verdict(nothing, Failed, "a block has no operations");
    let planned = |block_plan| {
        let request = Request {
            block_plan: Some(block_plan),
            ..request()
        };
        verdict_of(&request, receipt())
    };
    let growing = |ops_max| BlockPlan::Geometric {
        target_ns: 1,
        ops_max,
    };
    let wanted = |ops_max| BlockPlan::Target {
        target_ns: 1,
        ops_max,
    };
    assert_eq!(planned(growing(64)), fine());
    assert_verdict(planned(growing(63)), Failed, "63 at most were asked for");
    assert_verdict(planned(wanted(63)), Failed, "63 at most were asked for");
    assert_eq!(planned(BlockPlan::Frozen { ops: 64 }), fine());
    let frozen = planned(BlockPlan::Frozen { ops: 100 });
    assert_verdict(frozen, Failed, "64 operations, and 100 were asked for");
}

/// The verdict on `count` blocks of `interval_ns` that ended because of `stopped`.
fn ended(count: usize, interval_ns: u64, stopped: Stopped, lost: u32) -> (ResultStatus, String) {
    verdict(|receipt| {
        receipt.samples = vec![receipt.samples[0]; count];
        for sample in &mut receipt.samples {
            sample.interval_ns = interval_ns;
        }
        let report = receipt.sampled.as_mut().unwrap();
        (report.stopped, report.lost) = (stopped, lost);
    })
}

#[test]
fn sampling_ended_where_the_rule_says_for_the_reason_that_is_given() {
    use Stopped::{AttemptsMax, Enough, SamplesMax, TotalMax};
    for (count, interval_ns, stopped, lost) in [
        (30, 1_000, Enough, 0),
        (100, 500, Enough, 0),
        (100, 100, SamplesMax, 0),
        (4, 50_000, TotalMax, 0),
        (1, 900_000, TotalMax, 0),
        (7, 1_000, AttemptsMax, 200),
    ] {
        let found = ended(count, interval_ns, stopped, lost);
        assert_eq!(found, fine(), "{count} {interval_ns} {stopped:?}");
    }
    for (count, interval_ns, stopped, lost) in [
        (29, 10_000, Enough, 0),
        (30, 999, Enough, 0),
        (99, 100, SamplesMax, 0),
        (4, 49_999, TotalMax, 0),
        (7, 1_000, AttemptsMax, 0),
    ] {
        let found = ended(count, interval_ns, stopped, lost);
        assert_verdict(found, Failed, "the receipt contradicts itself");
    }
    let beyond = ended(101, 1_000, Enough, 0);
    assert_verdict(beyond, Failed, "101 samples, and 100 at most");
}

#[test]
fn without_a_rule_there_are_as_many_samples_as_repeats() {
    let asked = |stop, repeats| {
        let request = Request {
            stop,
            repeats,
            ..request()
        };
        verdict_of(&request, receipt())
    };
    assert_eq!(asked(None, 30), fine());
    assert_eq!(asked(Some(StopRule::Fixed { samples: 30 }), 1), fine());
    assert_verdict(asked(None, 29), Failed, "29 at most");
    let fewer = asked(Some(StopRule::Fixed { samples: 31 }), 30);
    assert_verdict(fewer, Failed, "30 samples");
}

#[test]
fn an_interval_of_zero_is_a_sample_only_where_a_warning_says_why() {
    let mut request = request();
    request.stop = Some(StopRule::Fixed { samples: 30 });
    let fixed = |all: bool, granularity_ns| {
        let mut receipt = receipt();
        let zeros = if all { 30 } else { 1 };
        for sample in receipt.samples.iter_mut().take(zeros) {
            sample.interval_ns = 0;
        }
        receipt.sampled.as_mut().unwrap().clock.granularity_ns = granularity_ns;
        verdict_of(&request, receipt)
    };
    assert_eq!(fixed(true, Some(378_100)), fine());
    assert_eq!(fixed(false, Some(500)), fine());
    assert_eq!(fixed(false, None), fine());
    assert_verdict(fixed(false, Some(25)), Failed, "sample 1 has no time");
}

#[test]
fn what_cannot_be_true_of_clock_counters_and_work_is_named() {
    let clock = with_report(|report| report.clock.granularity_ns = Some(0));
    assert_verdict(clock, Failed, "granularity of the clock is said to be 0 ns");
    for overhead in [-1.0, f64::NAN] {
        let found = with_report(|report| report.clock.overhead_ns = Some(overhead));
        assert_verdict(found, Failed, "reading the clock is said to take");
    }
    let counted = with_report(|report| {
        report.allocations = Some(AllocationReport {
            ops: 0,
            rust: None,
            process: None,
        });
    });
    assert_verdict(counted, Failed, "over no operation");
    let work = |flops, bytes| with_report(|report| report.work = Some(WorkReport { flops, bytes }));
    assert_eq!(work(Some(0.0), None), fine());
    assert_verdict(
        work(Some(-1.0), None),
        Failed,
        "-1 floating-point operations",
    );
    assert_verdict(work(None, Some(f64::INFINITY)), Failed, "inf bytes");
}

#[test]
fn there_are_two_witnesses_and_they_agree() {
    let one = verdict(|receipt| receipt.witnesses.truncate(1));
    assert_verdict(one, Failed, "1 witnesses of its samples and not 2");
    let (same, other) = ("d".repeat(64), "e".repeat(64));
    for (digest, distance, expected) in [
        (&same, Some(0.0), None),
        (&same, None, None),
        (&other, Some(1e-10), None),
        (
            &other,
            None,
            Some("the last sample does not say how far it ends"),
        ),
        (&other, Some(1e-3), Some("the last sample ends 1.00e-3")),
        (
            &other,
            Some(0.0),
            Some("the last sample contradicts itself"),
        ),
        (
            &same,
            Some(1e-10),
            Some("the last sample contradicts itself"),
        ),
    ] {
        let found = verdict(|receipt| {
            let last = &mut receipt.witnesses[1];
            (last.digest, last.relative_l2_to_first) = (Some(digest.clone()), distance);
        });
        match expected {
            None => assert_eq!(found, fine(), "{digest:.1} {distance:?}"),
            Some(part) => assert_verdict(found, Inconsistent, part),
        }
    }
    let undigested = verdict(|receipt| receipt.witnesses[0].digest = None);
    assert_verdict(undigested, Failed, "the first sample has no digest");
    let unsketched = verdict(|receipt| receipt.witnesses[1].sketch.clear());
    assert_verdict(
        unsketched,
        Failed,
        "the sketch of the last sample has 0 numbers",
    );
}

#[test]
fn a_kernel_may_use_fewer_threads_than_its_width_and_none_more() {
    let on = |threads| verdict(|receipt| receipt.witnesses[1].threads_observed = threads);
    for threads in [1, 2] {
        assert_eq!(on(Some(threads)), fine());
    }
    assert_verdict(
        on(Some(3)),
        Inconsistent,
        "ran on 3 threads and was given 2",
    );
    assert_verdict(on(Some(0)), Inconsistent, "ran on 0 threads");
    assert_verdict(on(None), Inconsistent, "how many threads");
}

#[test]
fn a_receipt_that_does_not_say_what_ran_fails() {
    let found = verdict(|receipt| receipt.resolved = None);
    assert_verdict(found, Failed, "the integrator that it ran");
}

#[test]
fn the_reference_engine_is_sampled_like_the_native_one() {
    let mut request = request();
    request.configuration.engine = Engine::Reference;
    request.library = None;
    let mut receipt = receipt();
    receipt.configuration = request.configuration.clone();
    receipt.library = None;
    receipt.witnesses[1].threads_observed = None;
    assert_eq!(verdict_of(&request, receipt), fine());
    assert_eq!(
        (request.task, request.configuration.size),
        (Task::Run, Size::Full)
    );
}
