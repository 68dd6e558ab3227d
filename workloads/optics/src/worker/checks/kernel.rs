//! What a request of interface `kernel` must say.

use longrun_measure::sampling::Settings;
use longrun_protocol::duet::DuetPlan;
use longrun_protocol::receipt::Failure;
use longrun_protocol::request::{BlockPlan, Library, Request, Task};
use longrun_protocol::sampling::StopRule;

use super::{PHASE, check_numbers, check_served, check_version, comparison, computes};
use crate::kernels::Kernel;
use crate::worker::computes::Asked;
use crate::worker::failure;

/// The word for kernels in requests and in the registry.
pub const INTERFACE: &str = "kernel";

/// The one oracle: the output, held against the example's.
pub const REFERENCE: &str = "reference";

/// Most blocks of a duet: each is kept and written to the receipt.
const BLOCKS_MAX: u32 = 100_000;

/// A request that this worker serves, with its parts checked and typed.
#[derive(Debug)]
pub struct Job<'a> {
    /// The request.
    pub request: &'a Request,
    /// The library whose kernel it is.
    pub library: &'a Library,
    /// Which kernel.
    pub kernel: Kernel,
    /// What to do.
    pub work: Work<'a>,
}

/// What a request asks to be done.
#[derive(Debug, PartialEq)]
pub enum Work<'a> {
    /// Blocks, sampled.
    Run(Settings),
    /// FFT plans for the store.
    PrepareFft,
    /// The reference check.
    Verify,
    /// Blocks of so many operations, of two libraries in turn.
    Duet {
        /// Both sides and their turns.
        plan: &'a DuetPlan,
        /// Operations of a block.
        ops: u64,
    },
}

/// The job that a request describes, or why this worker does not serve it.
pub fn check(request: &Request) -> Result<Job<'_>, Failure> {
    job(request).map_err(|message| failure(PHASE, message))
}

fn job(request: &Request) -> Result<Job<'_>, String> {
    check_version(request.protocol_version)?;
    check_served(request)?;
    check_numbers(request)?;
    let Asked::Native(library) = computes(request)? else {
        return refuse("engine `reference` has no kernels: it is what they are held against");
    };
    if request.configuration.stepper != "default" {
        return refuse("a kernel takes no steps, and the request names a stepper");
    }
    if request.noise != "none" {
        return refuse("a kernel has no noise, and the request names some");
    }
    if request.replay_steps.is_some() {
        return refuse("a kernel takes no steps, and the request replays some");
    }
    Ok(Job {
        request,
        library,
        kernel: Kernel::read(&request.parameters)?,
        work: work(request)?,
    })
}

fn work(request: &Request) -> Result<Work<'_>, String> {
    comparison::unused(request)?;
    let asked: Vec<&str> = request.oracles.iter().map(String::as_str).collect();
    match (request.task, asked.as_slice()) {
        (Task::Verify, [REFERENCE]) => return Ok(Work::Verify),
        (Task::Verify, _) => {
            return refuse("the oracle of a kernel is `reference`, and the request must name it");
        }
        (_, []) => {}
        _ => return refuse("oracles are named for another task than `verify`"),
    }
    match request.task {
        Task::Run => Ok(Work::Run(settings(request)?)),
        Task::PrepareFft => Ok(Work::PrepareFft),
        Task::Verify => Ok(Work::Verify),
        Task::Checkpoint => refuse("a kernel has no states; its duets are of blocks"),
        Task::Duet => duet(request),
        Task::Plot => refuse("a kernel goes along no guide: there is nothing to plot"),
    }
}

/// How to sample: without a stop rule as many samples as repeats.
fn settings(request: &Request) -> Result<Settings, String> {
    let Some(block) = request.block_plan else {
        return refuse(
            "a kernel is sampled, and the request has no `block_plan`; give the case a `sampling` \
             of kind `sampled` or `fixed`",
        );
    };
    let samples = request.repeats;
    let settings = Settings {
        block,
        stop: request.stop.unwrap_or(StopRule::Fixed { samples }),
        warm_up_blocks: request.warm_up_blocks.unwrap_or(0),
    };
    match settings.defect() {
        None => Ok(settings),
        Some(defect) => refuse(&format!("it asks for {defect}")),
    }
}

fn duet(request: &Request) -> Result<Work<'_>, String> {
    let Some(plan) = &request.duet else {
        return refuse("task `duet` names no `duet`");
    };
    if !plan.stretches.is_empty() || plan.states.is_some() {
        return refuse("it asks for a duet of stretches, and a kernel has blocks only");
    }
    if plan.blocks == 0 || plan.blocks > BLOCKS_MAX || !plan.blocks.is_multiple_of(2) {
        return refuse(&format!(
            "`duet.blocks` is {}, and it must be even, at least 2 and at most {BLOCKS_MAX}",
            plan.blocks
        ));
    }
    match request.block_plan {
        Some(BlockPlan::Frozen { ops }) if ops > 0 => Ok(Work::Duet { plan, ops }),
        _ => refuse(
            "a duet of blocks needs a `block_plan` of kind `frozen` with at least one operation",
        ),
    }
}

fn refuse<T>(what: &str) -> Result<T, String> {
    Err(format!("failed to serve the request: {what}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::{Value, json};

    use super::*;
    use crate::kernels::Kind;

    fn request() -> Value {
        json!({
            "protocol_version": 1, "request_id": "r", "task": "run",
            "configuration": {
                "suite": "kernels", "case": "fft_forward", "size": "smoke", "revision": 1,
                "engine": "native", "stepper": "default", "variant": "", "width": "1"
            },
            "interface": "kernel",
            "parameters": {"kernel": "fft_forward", "points": 64},
            "library": {"path": "/l.so", "build_key": "k"},
            "threads": 1, "repeats": 10, "warm_up": 0.02, "length": 1.0,
            "block_plan": {"kind": "geometric", "target_ns": 1000, "ops_max": 9},
            "stop": {
                "kind": "adaptive", "samples_min": 3, "samples_max": 5,
                "total_ns_min": 7, "total_ns_max": 8
            },
            "warm_up_blocks": 2,
            "noise": "none", "default_stepper": "none",
            "bounds": {"repeat": 0.0, "revision": 1e-12}, "oracles": []
        })
    }

    fn duet() -> Value {
        let mut request = request();
        request["task"] = json!("duet");
        request["block_plan"] = json!({"kind": "frozen", "ops": 4});
        request["duet"] = json!({
            "candidate": {"path": "/m.so", "build_key": "k"},
            "created_first": "candidate", "first": "baseline", "blocks": 6
        });
        request
    }

    fn changed(mut request: Value, path: &str, value: Value) -> Request {
        let (folder, key) = path.rsplit_once('/').unwrap();
        request.pointer_mut(folder).unwrap()[key] = value;
        serde_json::from_value(request).unwrap()
    }

    #[test]
    fn a_sound_request_is_sampled_as_it_says() {
        let request: Request = serde_json::from_value(request()).unwrap();
        let job = check(&request).unwrap();
        assert_eq!(job.kernel.kind, Kind::FftForward);
        assert_eq!(Some(job.library), request.library.as_ref());
        let settings = Settings {
            block: BlockPlan::Geometric {
                target_ns: 1000,
                ops_max: 9,
            },
            stop: StopRule::Adaptive {
                samples_min: 3,
                samples_max: 5,
                total_ns_min: 7,
                total_ns_max: 8,
            },
            warm_up_blocks: 2,
        };
        assert_eq!(job.work, Work::Run(settings));
    }

    #[test]
    fn without_a_stop_rule_there_are_as_many_samples_as_repeats() {
        let request = changed(request(), "/stop", Value::Null);
        let Work::Run(settings) = check(&request).unwrap().work else {
            unreachable!("a run");
        };
        assert_eq!(settings.stop, StopRule::Fixed { samples: 10 });
    }

    #[test]
    fn each_task_has_its_own_work() {
        let request = changed(request(), "/task", json!("prepare_fft"));
        assert!(check(&request).is_err(), "it names no store");
        let mut asked = serde_json::to_value(&request).unwrap();
        asked["wisdom"] = json!("/store");
        let prepare: Request = serde_json::from_value(asked.clone()).unwrap();
        assert_eq!(check(&prepare).unwrap().work, Work::PrepareFft);
        asked["task"] = json!("verify");
        asked["oracles"] = json!(["reference"]);
        let verify: Request = serde_json::from_value(asked).unwrap();
        assert_eq!(check(&verify).unwrap().work, Work::Verify);
        let duet: Request = serde_json::from_value(duet()).unwrap();
        let plan = duet.duet.as_ref().unwrap();
        assert_eq!(check(&duet).unwrap().work, Work::Duet { plan, ops: 4 });
    }

    #[test]
    fn what_a_kernel_cannot_do_is_refused_with_a_sentence() {
        let adaptive = |least: u32, most: u32| {
            json!({
                "kind": "adaptive", "samples_min": least, "samples_max": most,
                "total_ns_min": 0, "total_ns_max": 1
            })
        };
        for (path, value, named) in [
            ("/parameters/kernel", json!("fft"), "unknown kernel `fft`"),
            ("/parameters/points", json!(63), "`points` is 63"),
            ("/parameters/speed", json!(1), "`speed`"),
            ("/configuration/stepper", json!("rk"), "names a stepper"),
            ("/noise", json!("input"), "no noise"),
            ("/replay_steps", json!([1.0]), "replays some"),
            ("/library", Value::Null, "needs a library"),
            ("/protocol_version", json!(2), "version 2"),
            ("/task", json!("checkpoint"), "no states"),
            ("/task", json!("verify"), "must name it"),
            ("/task", json!("duet"), "names no `duet`"),
            ("/oracles", json!(["reference"]), "another task"),
            ("/block_plan", Value::Null, "no `block_plan`"),
            (
                "/block_plan/ops_max",
                json!(0),
                "a block without operations",
            ),
            (
                "/stop",
                json!({"kind": "fixed", "samples": 0}),
                "no samples",
            ),
            ("/stop", adaptive(5, 4), "above the most"),
            (
                "/stop",
                adaptive(1, 100_001),
                "more samples than a receipt may have",
            ),
            ("/warm_up_blocks", json!(1_001), "blocks of warm-up"),
        ] {
            let request = changed(request(), path, value);
            let failure = check(&request).unwrap_err();
            assert_eq!(failure.phase, PHASE);
            let message = failure.message;
            assert!(message.contains(named), "{path}: {message}");
        }
    }

    #[test]
    fn a_duet_of_anything_but_equal_blocks_is_refused() {
        let stretch = json!({
            "checkpoint": 0, "z_m": 0.0, "warm_up_m": 0.1, "planes_m": [0.2, 0.3]
        });
        for (path, value, named) in [
            ("/duet/blocks", json!(0), "`duet.blocks` is 0"),
            ("/duet/blocks", json!(5), "even"),
            ("/duet/stretches", json!([stretch]), "blocks only"),
            ("/duet/states", json!("/states.npy"), "blocks only"),
            (
                "/block_plan",
                json!({"kind": "frozen", "ops": 0}),
                "`frozen`",
            ),
            ("/block_plan", Value::Null, "`frozen`"),
        ] {
            let request = changed(duet(), path, value);
            let message = check(&request).unwrap_err().message;
            assert!(message.contains(named), "{path}: {message}");
        }
    }

    #[test]
    fn the_reference_has_no_kernels() {
        let mut asked = request();
        asked["configuration"]["engine"] = json!("reference");
        let request = changed(asked, "/library", Value::Null);
        let message = check(&request).unwrap_err().message;
        assert!(message.contains("has no kernels"), "{message}");
    }
}
