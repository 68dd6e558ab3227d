//! Tables for the judgement of receipts.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::time::Duration;

use longrun_protocol::receipt::{Failure, LibraryReport, Phases, Resolved, Sample};
use longrun_protocol::request::{Bounds, Library, Task};
use longrun_protocol::{Configuration, Engine, Size, Width};

use super::*;

const LIMIT: Duration = Duration::from_secs(3);

fn request() -> Request {
    Request {
        protocol_version: PROTOCOL_VERSION,
        request_id: "run-01".into(),
        task: Task::Run,
        configuration: Configuration {
            suite: "tracking".into(),
            case: "a".into(),
            size: Size::Full,
            revision: 1,
            engine: Engine::Native,
            stepper: "default".into(),
            variant: String::new(),
            width: Width::Threads(2),
        },
        interface: "gnlse".into(),
        parameters: serde_json::Map::new(),
        library: Some(Library {
            path: "lib.so".into(),
            build_key: "abc".into(),
        }),
        wisdom: None,
        threads: 2,
        repeats: 2,
        warm_up: 0.02,
        length: 1.0,
        block_plan: None,
        replay_steps: None,
        seed: None,
        noise: "none".into(),
        default_stepper: "rk".into(),
        bounds: Bounds {
            repeat: 1e-9,
            revision: 1e-6,
        },
        keep_state: false,
    }
}

fn witness(distance: Option<f64>) -> Witness {
    Witness {
        accepted: Some(100),
        rejected: Some(3),
        evaluations: Some(619),
        digest: Some("d".into()),
        relative_l2_to_first: distance,
        threads_observed: Some(2),
        ..Witness::default()
    }
}

fn receipt() -> Receipt {
    let sample = Sample {
        interval_ns: 1_000_000,
        cpu_ns: None,
        ops: 1,
    };
    Receipt {
        protocol_version: PROTOCOL_VERSION,
        request_id: "run-01".into(),
        worker: "stub 1".into(),
        configuration: request().configuration,
        status: Status::Complete,
        failure: None,
        library: Some(LibraryReport {
            build_key: "abc".into(),
            abi: BTreeMap::new(),
            fft: None,
        }),
        resolved: Some(Resolved {
            integrator: "rk".into(),
            tolerances: BTreeMap::new(),
            noise_model: "none".into(),
            seed: None,
            threads: 2,
        }),
        phases: Phases::default(),
        samples: vec![sample; 2],
        witnesses: vec![witness(None), witness(Some(0.0))],
        load: Vec::new(),
        memory: Default::default(),
        thread_environment: BTreeMap::new(),
        context: None,
        artifacts: Vec::new(),
        skips: Vec::new(),
        warnings: Vec::new(),
    }
}

fn ended(ending: Ending) -> Aftermath {
    Aftermath {
        ending,
        elapsed: Duration::from_secs(5),
        left_children: false,
        survivors: false,
        output_cut: false,
    }
}

fn verdict(change: impl FnOnce(&mut Receipt)) -> (ResultStatus, String) {
    let mut receipt = receipt();
    change(&mut receipt);
    let reading = Reading::Read(Box::new(receipt));
    let judgement = judge(&request(), LIMIT, &ended(Ending::Exited(0)), &reading);
    (judgement.status, judgement.reason)
}

fn assert_verdict(found: (ResultStatus, String), status: ResultStatus, part: &str) {
    assert_eq!(found.0, status, "{}", found.1);
    assert!(found.1.contains(part), "{}", found.1);
}

use ResultStatus::{Complete, Failed, Inconsistent, TimedOut};

#[test]
fn a_sound_receipt_is_complete() {
    assert_eq!(verdict(|_| ()), (Complete, String::new()));
}

#[test]
fn every_way_to_end_badly_has_its_own_reason() {
    let table = [
        (Ending::TimedOut, TimedOut, "longer than 3 s"),
        (Ending::Signalled(11), Failed, "segmentation fault"),
        (Ending::Signalled(4), Failed, "another processor"),
        (Ending::Interrupted, Failed, "interrupted"),
        (Ending::Exited(0), Failed, "left no receipt"),
    ];
    for (ending, status, part) in table {
        let judgement = judge(&request(), LIMIT, &ended(ending), &Reading::Missing);
        assert_verdict((judgement.status, judgement.reason), status, part);
    }
}

#[test]
fn a_broken_receipt_and_a_foreign_one_fail() {
    let broken = Reading::Broken("expected value at line 1".into());
    let judgement = judge(&request(), LIMIT, &ended(Ending::Exited(0)), &broken);
    assert_verdict(
        (judgement.status, judgement.reason),
        Failed,
        "cannot be read",
    );
    let foreign = verdict(|r| r.request_id = "run-02".into());
    assert_verdict(foreign, Failed, "another request");
    let other_case = verdict(|r| r.configuration.case = "b".into());
    assert_verdict(other_case, Failed, "another request");
    assert_verdict(verdict(|r| r.protocol_version = 9), Failed, "version 9");
}

#[test]
fn a_worker_that_fails_and_says_why_is_quoted() {
    let found = verdict(|r| {
        r.status = Status::Failed;
        r.failure = Some(Failure {
            phase: "construct".into(),
            message: "unknown parameter `x`".into(),
        });
    });
    assert_verdict(found, Failed, "construct: unknown parameter `x`");
}

#[test]
fn an_exit_code_that_contradicts_the_receipt_fails() {
    let reading = Reading::Read(Box::new(receipt()));
    let judgement = judge(&request(), LIMIT, &ended(Ending::Exited(1)), &reading);
    assert_verdict(
        (judgement.status, judgement.reason),
        Failed,
        "exited with 1",
    );
}

#[test]
fn another_library_than_the_one_given_fails() {
    let other = verdict(|r| {
        if let Some(library) = &mut r.library {
            library.build_key = "xyz".into();
        }
    });
    assert_verdict(other, Failed, "ran the library xyz");
    assert_verdict(verdict(|r| r.library = None), Failed, "which library");
}

#[test]
fn a_repeat_without_a_time_fails() {
    assert_verdict(
        verdict(|r| r.samples[1].interval_ns = 0),
        Failed,
        "repeat 2",
    );
    assert_verdict(verdict(|r| r.samples[0].ops = 0), Failed, "repeat 1");
    assert_verdict(verdict(|r| r.samples.truncate(1)), Failed, "1 times");
    assert_verdict(verdict(|r| r.resolved = None), Failed, "integrator");
}

#[test]
fn repeats_that_differ_in_any_count_are_inconsistent() {
    let accepted = verdict(|r| r.witnesses[1].accepted = Some(101));
    assert_verdict(
        accepted,
        Inconsistent,
        "101 accepted steps and the first took 100",
    );
    let unknown = verdict(|r| r.witnesses[1].evaluations = None);
    assert_verdict(unknown, Inconsistent, "unknown source evaluations");
    let diverged = verdict(|r| r.witnesses[1].converged = Some(false));
    assert_verdict(diverged, Inconsistent, "did not converge");
}

#[test]
fn a_final_state_at_the_bound_or_unknown_is_inconsistent() {
    let at_bound = verdict(|r| r.witnesses[1].relative_l2_to_first = Some(1e-9));
    assert_verdict(at_bound, Inconsistent, "1.00e-9");
    let unknown = verdict(|r| r.witnesses[1].relative_l2_to_first = None);
    assert_verdict(unknown, Inconsistent, "how far");
    let nan = verdict(|r| r.witnesses[1].relative_l2_to_first = Some(f64::NAN));
    assert_verdict(nan, Inconsistent, "NaN");
}

#[test]
fn fewer_threads_than_given_are_inconsistent() {
    let one = verdict(|r| r.witnesses[0].threads_observed = Some(1));
    assert_verdict(one, Inconsistent, "ran on 1 threads and was given 2");
    let unknown = verdict(|r| r.witnesses[0].threads_observed = None);
    assert_verdict(unknown, Inconsistent, "how many threads");
}
