//! Requests and receipts for the tests of comparisons.
#![allow(clippy::unwrap_used)]

use longrun_protocol::receipt::{LibraryReport, Phases, Resolved, Sample, Status};
use longrun_protocol::registry::{SamplingPolicy, WorkerSpec};
use longrun_protocol::request::{Bounds, Request, Task};
use longrun_protocol::{Configuration, Engine, PROTOCOL_VERSION, Receipt, Size, Width, Witness};

use crate::run::plan::PlanItem;

/// A configuration of the case `case`.
pub fn configuration(case: &str) -> Configuration {
    Configuration {
        suite: "tracking".into(),
        case: case.into(),
        size: Size::Full,
        revision: 1,
        engine: Engine::Native,
        stepper: "default".into(),
        variant: String::new(),
        width: Width::Threads(1),
    }
}

/// The same as a plan has it.
pub fn item(case: &str) -> PlanItem {
    PlanItem {
        configuration: configuration(case),
        interface: "gnlse".into(),
        worker: WorkerSpec {
            package: None,
            binary: None,
            command: Some(vec!["worker".into()]),
        },
        parameters: serde_json::Map::new(),
        default_stepper: "rk".into(),
        seed: None,
        noise: "none".into(),
        sampling: SamplingPolicy::Complete { repeats: 1 },
        repeats: 1,
        processes: 1,
        spread_s: 0,
        oracles: Vec::new(),
        bounds: Bounds {
            repeat: 1e-9,
            revision: 1e-6,
        },
        fft_plans: false,
        estimate: None,
    }
}

/// A request to run it once, without a library.
pub fn request(case: &str) -> Request {
    Request {
        protocol_version: PROTOCOL_VERSION,
        request_id: "run/01".into(),
        task: Task::Run,
        configuration: configuration(case),
        interface: "gnlse".into(),
        parameters: serde_json::Map::new(),
        library: None,
        wisdom: None,
        threads: 1,
        repeats: 1,
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

/// A receipt that says that `request` was done, in one sample.
pub fn receipt(request: &Request) -> Receipt {
    Receipt {
        protocol_version: PROTOCOL_VERSION,
        request_id: request.request_id.clone(),
        worker: "made 1".into(),
        configuration: request.configuration.clone(),
        status: Status::Complete,
        failure: None,
        library: request.library.as_ref().map(|library| LibraryReport {
            build_key: library.build_key.clone(),
            abi: Default::default(),
            fft: None,
        }),
        resolved: Some(Resolved {
            integrator: "rk".into(),
            tolerances: Default::default(),
            noise_model: "none".into(),
            seed: None,
            threads: 1,
        }),
        phases: Phases::default(),
        samples: vec![Sample {
            interval_ns: 1_000_000,
            cpu_ns: Some(900_000),
            ops: 1,
            usage: None,
        }],
        witnesses: vec![Witness {
            accepted: Some(100),
            evaluations: Some(600),
            digest: Some("d".repeat(64)),
            sketch: vec![1.0; 256],
            threads_observed: Some(1),
            ..Witness::default()
        }],
        load: Vec::new(),
        oracles: Vec::new(),
        checkpoints: None,
        sampled: None,
        breakdown: None,
        duet: None,
        wisdom: None,
        memory: Default::default(),
        thread_environment: Default::default(),
        context: None,
        artifacts: Vec::new(),
        skips: Vec::new(),
        warnings: Vec::new(),
    }
}
