//! Tables for the judgement of receipts.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::time::Duration;

use longrun_protocol::receipt::{
    Artifact, Failure, LibraryReport, OracleLine, Phases, Relation, Resolved, Sample,
};
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
        stop: None,
        warm_up_blocks: None,
        count_allocations: false,
        breakdown: false,
        replay_steps: None,
        seed: None,
        noise: "none".into(),
        default_stepper: "rk".into(),
        bounds: Bounds {
            repeat: 1e-9,
            revision: 1e-6,
        },
        keep_state: false,
        oracles: Vec::new(),
        checkpoint: None,
        duet: None,
    }
}

fn witness(distance: Option<f64>) -> Witness {
    Witness {
        accepted: Some(100),
        rejected: Some(3),
        evaluations: Some(619),
        digest: Some("d".repeat(64)),
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
        usage: None,
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
        witnesses: vec![
            witness(None),
            Witness {
                sketch: vec![0.5; 256],
                ..witness(Some(0.0))
            },
        ],
        load: Vec::new(),
        oracles: Vec::new(),
        checkpoints: None,
        sampled: None,
        breakdown: None,
        duet: None,
        wisdom: None,
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
    verdict_of(Engine::Native, change)
}

/// The verdict where both the request and the receipt are of this engine.
fn verdict_of(engine: Engine, change: impl FnOnce(&mut Receipt)) -> (ResultStatus, String) {
    let (mut request, mut receipt) = (request(), receipt());
    request.configuration.engine = engine;
    receipt.configuration.engine = engine;
    if !engine.needs_library() {
        (request.library, receipt.library) = (None, None);
    }
    change(&mut receipt);
    let reading = Reading::Read(Box::new(receipt));
    let judgement = judge(&request, LIMIT, &ended(Ending::Exited(0)), &reading);
    (judgement.status, judgement.reason)
}

#[track_caller]
fn assert_verdict(found: (ResultStatus, String), status: ResultStatus, part: &str) {
    assert_eq!(found.0, status, "{}", found.1);
    assert!(found.1.contains(part), "{}", found.1);
}

use ResultStatus::{Complete, Failed, Inconsistent, TimedOut};

#[test]
fn a_sound_receipt_is_complete() {
    assert_eq!(verdict(|_| ()), (Complete, String::new()));
    let reference = verdict_of(Engine::Reference, |_| ());
    assert_eq!(reference, (Complete, String::new()));
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
    let infinite = verdict(|r| r.witnesses[1].relative_l2_to_first = Some(f64::INFINITY));
    assert_verdict(infinite, Inconsistent, "inf");
}

#[test]
fn what_is_not_a_distance_is_inconsistent_in_every_repeat() {
    for (distance, part) in [
        (f64::NAN, "NaN"),
        (-1.0, "-1.00e0"),
        (-1e-300, "-1.00e-300"),
    ] {
        for index in [0, 1] {
            let found = verdict(|r| r.witnesses[index].relative_l2_to_first = Some(distance));
            let repeat = format!("repeat {} ends {part}", index + 1);
            assert_verdict(found.clone(), Inconsistent, &repeat);
            assert_verdict(found, Inconsistent, "not a distance");
        }
    }
}

#[test]
fn digests_and_distances_that_contradict_each_other_are_inconsistent() {
    let (same, other) = ("d".repeat(64), "e".repeat(64));
    for (digest, distance, part) in [
        (&same, 0.0, None),
        (&other, 1e-10, None),
        (
            &other,
            0.0,
            Some("ends exactly where the first does, with another digest"),
        ),
        (
            &same,
            1e-10,
            Some("has the digest of the first and ends 1.00e-10 from it"),
        ),
    ] {
        let found = verdict(|r| {
            r.witnesses[1].digest = Some(digest.clone());
            r.witnesses[1].relative_l2_to_first = Some(distance);
        });
        match part {
            None => assert_eq!(found, (Complete, String::new())),
            Some(part) => assert_verdict(
                found,
                Inconsistent,
                &format!("repeat 2 contradicts itself: it {part}"),
            ),
        }
    }
    let itself = verdict(|r| r.witnesses[0].relative_l2_to_first = Some(1e-10));
    assert_verdict(itself, Inconsistent, "repeat 1 contradicts itself");
}

#[test]
fn a_digest_that_is_missing_or_malformed_fails_for_every_engine() {
    let malformed = "is not a SHA-256 of 64 lower-case hexadecimal digits";
    let table = [
        (None, "has no digest"),
        (Some(String::new()), malformed),
        (Some("d".repeat(63)), malformed),
        (Some("d".repeat(65)), malformed),
        (Some("D".repeat(64)), malformed),
        (Some("g".repeat(64)), malformed),
        (Some("é".repeat(32)), malformed),
    ];
    for (digest, part) in table {
        for engine in [Engine::Native, Engine::Reference] {
            for index in [0, 1] {
                let found = verdict_of(engine, |r| r.witnesses[index].digest = digest.clone());
                assert_verdict(found.clone(), Failed, part);
                assert_verdict(found, Failed, &format!("repeat {}", index + 1));
            }
        }
    }
    let plans = verdict(|r| r.witnesses[1].fft_plans = Some("plans".into()));
    assert_verdict(plans, Failed, "digest of FFT plans of repeat 2 is not");
}

#[test]
fn a_sketch_that_is_not_256_finite_numbers_fails_for_every_engine() {
    let with = |index: usize, value: f64| {
        let mut sketch = vec![0.5; 256];
        sketch[index] = value;
        sketch
    };
    let table = [
        (Vec::new(), "has 0 numbers and not 256"),
        (vec![0.5; 255], "has 255 numbers and not 256"),
        (vec![0.5; 257], "has 257 numbers and not 256"),
        (with(0, f64::NAN), "number 1 of the sketch"),
        (with(255, f64::INFINITY), "number 256 of the sketch"),
    ];
    for (sketch, part) in table {
        for engine in [Engine::Native, Engine::Reference] {
            let found = verdict_of(engine, |r| r.witnesses[1].sketch = sketch.clone());
            assert_verdict(found, Failed, part);
        }
    }
    let only_first = verdict(|r| {
        r.witnesses[0].sketch = std::mem::take(&mut r.witnesses[1].sketch);
    });
    assert_verdict(only_first, Failed, "has 0 numbers");
}

#[test]
fn an_artifact_must_be_a_plain_file_with_a_digest() {
    let artifact = |file: &str| Artifact {
        kind: "final_state".into(),
        file: file.into(),
        sha256: "a".repeat(64),
        description: String::new(),
    };
    let plain = ["final_state.npy", "..steps", ".hidden", "a b.npy"];
    for file in plain {
        let found = verdict(|r| r.artifacts.push(artifact(file)));
        assert_eq!(found, (Complete, String::new()), "{file}");
    }
    let elsewhere = [
        "", ".", "..", "../a.npy", "/etc/a", "a/b", "a/", "..\\a", "c:a", "a\n", "a\0",
    ];
    for file in elsewhere {
        let found = verdict(|r| r.artifacts.push(artifact(file)));
        assert_verdict(
            found,
            Failed,
            "`final_state` is not named by a plain file name",
        );
    }
    let found = verdict(|r| {
        r.artifacts.push(Artifact {
            sha256: "unknown".into(),
            ..artifact("a.npy")
        });
    });
    assert_verdict(found, Failed, "the digest of the file `a.npy` is not");
}

#[test]
fn fewer_threads_than_given_are_inconsistent() {
    let one = verdict(|r| r.witnesses[0].threads_observed = Some(1));
    assert_verdict(one, Inconsistent, "ran on 1 threads and was given 2");
    let unknown = verdict(|r| r.witnesses[0].threads_observed = None);
    assert_verdict(unknown, Inconsistent, "how many threads");
}

#[test]
fn a_plot_needs_one_picture_beside_the_receipt_and_no_times() {
    let verdict = |change: &dyn Fn(&mut Receipt)| {
        let (mut request, mut receipt) = (request(), receipt());
        request.task = Task::Plot;
        receipt.samples.clear();
        receipt.witnesses.clear();
        receipt.artifacts = vec![Artifact {
            kind: "plot".into(),
            file: "plot.svg".into(),
            sha256: "a".repeat(64),
            description: String::new(),
        }];
        change(&mut receipt);
        let reading = Reading::Read(Box::new(receipt));
        let found = judge(&request, LIMIT, &ended(Ending::Exited(0)), &reading);
        (found.status, found.reason)
    };
    assert_verdict(verdict(&|_| {}), Complete, "");
    type Change = fn(&mut Receipt);
    let table: [(Change, &str); 5] = [
        (|r| r.artifacts.clear(), "names no plot"),
        (
            |r| r.artifacts[0].kind = "final_state".into(),
            "names no plot",
        ),
        (|r| r.artifacts.push(r.artifacts[0].clone()), "more plots"),
        (
            |r| r.artifacts[0].file = "../plot.svg".into(),
            "plain file name",
        ),
        (|r| r.resolved = None, "integrator"),
    ];
    for (change, reason) in table {
        assert_verdict(verdict(&change), Failed, reason);
    }
}

#[test]
fn a_verification_needs_numbers_and_no_times() {
    let line = OracleLine {
        oracle: "energy".into(),
        quantity: "energy".into(),
        unit: String::new(),
        relation: Relation::Within,
        expected: 1.0,
        obtained: Some(5.0),
        tolerance: 0.1,
    };
    let verdict = |change: &dyn Fn(&mut Receipt)| {
        let (mut request, mut receipt) = (request(), receipt());
        request.task = Task::Verify;
        request.oracles = vec!["energy".into()];
        receipt.samples.clear();
        receipt.witnesses.clear();
        receipt.oracles = vec![line.clone()];
        change(&mut receipt);
        let reading = Reading::Read(Box::new(receipt));
        judge(&request, LIMIT, &ended(Ending::Exited(0)), &reading)
    };
    // Whether the number is as expected is not asked here.
    assert_eq!(verdict(&|_| {}).status, ResultStatus::Complete);
    let lacking = verdict(&|receipt| receipt.oracles.clear());
    assert_eq!(lacking.status, ResultStatus::Failed);
    assert!(lacking.reason.contains("`energy`"), "{}", lacking.reason);
    let narrow = verdict(&|receipt| {
        receipt.witnesses = vec![Witness {
            threads_observed: Some(1),
            ..witness(None)
        }];
    });
    assert_eq!(narrow.status, ResultStatus::Failed);
    assert!(narrow.reason.contains("1 threads"), "{}", narrow.reason);
    let failed = verdict(&|receipt| {
        receipt.failure = Some(Failure {
            phase: "run".into(),
            message: "no".into(),
        });
    });
    assert_eq!(failed.reason, "run: no");
}
