//! One configuration: its files, its worker process, its judgement.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use longrun_protocol::receipt::ProgressEvent;
use longrun_protocol::request::{Library, Request, Task};
use longrun_protocol::{PROTOCOL_VERSION, Receipt, Width};

use super::bundle::write_json;
use super::environment::worker_environment;
use super::judge::{Judgement, Reading, judge};
use super::plan::PlanItem;
use super::supervise::{Aftermath, Limits, supervise};
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::machine::busy::{self, Counters};
use crate::machine::process;
use crate::machine::threading::{self, Policy};

/// Longest receipt that is read.
const RECEIPT_BYTES_MAX: u64 = 256 << 20;

/// Where the system's own files are.
const SYSTEM: &str = "/";

/// Part of the work that is run untimed first (R16).
const WARM_UP: f64 = 0.02;

/// What all workers of a run have in common.
pub struct Common<'a> {
    /// Id of the run; request ids begin with it.
    pub run_id: &'a str,
    /// What the workers are to do.
    pub task: Task,
    /// Native library, where one was built.
    pub library: Option<Library>,
    /// Threading policy.
    pub policy: Policy,
    /// Where bound policies pin threads.
    pub places: &'a str,
    /// Longest time of one worker.
    pub timeout: Duration,
    /// Whether to keep final states.
    pub keep_state: bool,
    /// CPUs of the allocation, for the busy flag; `None` where they are unknown.
    pub cpus: Option<&'a BTreeSet<u32>>,
    /// Root of the repository: the working folder of workers.
    pub root: &'a Path,
    /// Raised when the user interrupts.
    pub interrupt: &'a Interrupt,
}

/// What became of one configuration.
pub struct Launched {
    /// The verdict.
    pub judgement: Judgement,
    /// The receipt, where there is one that answers.
    pub receipt: Option<Receipt>,
    /// Whether other processes used the machine while the configuration was set up; `None` is
    /// unknown.
    pub busy: Option<bool>,
    /// What a reader of the log should know.
    pub notes: Vec<String>,
}

/// Runs one configuration in `folder` with the worker `program` (command and arguments).
pub fn launch(
    common: &Common<'_>,
    item: &PlanItem,
    index: usize,
    folder: &Path,
    program: &[String],
    on_progress: &mut dyn FnMut(&ProgressEvent),
) -> Outcome<Launched> {
    let request = request(common, item, index);
    let policy = threading::environment(common.policy, request.threads, common.places);
    let environment = worker_environment(std::env::vars_os(), &policy);
    write_json(&folder.join("request.json"), &request)?;
    write_json(&folder.join("environment.json"), &environment)?;
    let command = command(common.root, folder, program, &environment.set)?;
    let mut setup = SetupWatch::begin(common.cpus);
    let limits = Limits {
        timeout: common.timeout,
        interrupt: common.interrupt,
    };
    let (stdout, stderr) = (folder.join("stdout.log"), folder.join("stderr.log"));
    let aftermath = supervise(command, &stdout, &stderr, &limits, |pid, line| {
        if let Ok(event) = serde_json::from_str::<ProgressEvent>(line) {
            setup.see(pid, &event);
            on_progress(&event);
        }
    })
    .map_err(|e| cannot_start(program, &e))?;
    let reading = read_receipt(&folder.join("receipt.json"));
    let judgement = judge(&request, common.timeout, &aftermath, &reading);
    Ok(Launched {
        judgement,
        busy: setup.busy,
        notes: notes(&aftermath),
        receipt: match reading {
            Reading::Read(receipt) if receipt.request_id == request.request_id => Some(*receipt),
            _ => None,
        },
    })
}

fn cannot_start(program: &[String], error: &std::io::Error) -> Failure {
    let name = program.first().map_or("", String::as_str);
    Failure::environment(format!(
        "failed to start the worker `{name}`: {error}; check the `worker` of the case in the \
         registry"
    ))
}

fn request(common: &Common<'_>, item: &PlanItem, index: usize) -> Request {
    let native = item.configuration.engine.needs_library();
    Request {
        protocol_version: PROTOCOL_VERSION,
        request_id: format!("{}/{:02}", common.run_id, index + 1),
        task: common.task,
        configuration: item.configuration.clone(),
        interface: item.interface.clone(),
        parameters: item.parameters.clone(),
        library: common.library.clone().filter(|_| native),
        wisdom: None,
        threads: match item.configuration.width {
            Width::Threads(threads) => threads,
            Width::Device => 1,
        },
        repeats: item.repeats,
        warm_up: WARM_UP,
        length: 1.0,
        block_plan: None,
        replay_steps: None,
        seed: item.seed,
        noise: item.noise.clone(),
        default_stepper: item.default_stepper.clone(),
        bounds: item.bounds,
        keep_state: common.keep_state,
        oracles: match common.task {
            Task::Verify => item.oracles.clone(),
            _ => Vec::new(),
        },
    }
}

fn command(
    root: &Path,
    folder: &Path,
    program: &[String],
    environment: &BTreeMap<String, String>,
) -> Outcome<Command> {
    let (first, arguments) = program.split_first().ok_or_else(|| {
        Failure::usage("failed to start a worker: its command in the registry is empty")
    })?;
    let mut command = Command::new(resolve(root, first));
    command
        .args(arguments)
        .arg("--request")
        .arg(folder.join("request.json"))
        .arg("--receipt")
        .arg(folder.join("receipt.json"))
        .current_dir(root)
        .env_clear()
        .envs(environment);
    Ok(command)
}

/// A program named with a slash is relative to the root; a bare name is looked up in PATH.
fn resolve(root: &Path, program: &str) -> PathBuf {
    match program.contains('/') {
        true => root.join(program),
        false => PathBuf::from(program),
    }
}

fn read_receipt(path: &Path) -> Reading {
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Reading::Missing,
        Err(error) => return Reading::Broken(error.to_string()),
        Ok(data) if data.len() > RECEIPT_BYTES_MAX => {
            return Reading::Broken(format!("it has {} bytes", data.len()));
        }
        Ok(_) => {}
    }
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Reading::Broken(error.to_string()),
    };
    match serde_json::from_slice(&bytes) {
        Ok(receipt) => Reading::Read(Box::new(receipt)),
        Err(error) => Reading::Broken(error.to_string()),
    }
}

fn notes(aftermath: &Aftermath) -> Vec<String> {
    let table = [
        (
            aftermath.left_children,
            "processes that the worker left behind were ended",
        ),
        (
            aftermath.survivors,
            "some process of the worker could not be ended",
        ),
        (aftermath.output_cut, "output of the worker was cut"),
    ];
    let said = table.into_iter().filter(|(happened, _)| *happened);
    said.map(|(_, note)| note.to_owned()).collect()
}

/// Watches the machine from the launch of a worker to its first timed repeat.
///
/// That time passes anyway, so judging by it costs nothing (R40).
struct SetupWatch<'a> {
    began: Instant,
    before: Option<Counters>,
    cpus: Option<&'a BTreeSet<u32>>,
    busy: Option<bool>,
}

impl<'a> SetupWatch<'a> {
    fn begin(cpus: Option<&'a BTreeSet<u32>>) -> Self {
        SetupWatch {
            began: Instant::now(),
            before: Some(busy::read(Path::new(SYSTEM), cpus)),
            cpus,
            busy: None,
        }
    }

    /// Judges at the event that begins the timed repeats, once.
    fn see(&mut self, pid: u32, event: &ProgressEvent) {
        let begins = matches!(event, ProgressEvent::Phase { name } if name == "run");
        let Some(before) = self.before.take_if(|_| begins) else {
            return;
        };
        let system = Path::new(SYSTEM);
        let after = busy::read(system, self.cpus);
        let size = after.cpu.map(|ticks| ticks.cpus);
        if let (Some(own), Some(size)) = (process::cpu_time(system, pid), size) {
            self.busy = busy::judge(&before, &after, own, self.began.elapsed(), size);
        }
    }
}
