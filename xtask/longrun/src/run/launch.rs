//! One configuration: its files, its worker process, its judgement.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use longrun_protocol::receipt::ProgressEvent;
use longrun_protocol::request::{Library, Request, Task};
use longrun_protocol::{PROTOCOL_VERSION, Receipt, Size, Width};

use super::bundle::Place;
use super::environment::worker_environment;
use super::judge::{Judgement, Reading, judge};
use super::plan::PlanItem;
use super::supervise::{Aftermath, Ending, Limits, supervise_on};
use crate::digest;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::machine::busy::{self, Counters};
use crate::machine::process;
use crate::machine::threading::{self, Policy};
use crate::whole_file::hand_over;

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
    /// Whether to ask for a repeat more that says where its time went.
    pub breakdown: bool,
    /// CPUs of the allocation, for busy flags; `None` where they are unknown.
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
    /// Whether other processes used the machine while the worker was set up; `None` is
    /// unknown.
    pub busy: Option<bool>,
    /// What a reader of the log should know.
    pub notes: Vec<String>,
}

/// What came back from one worker process.
pub struct Asked {
    /// How it ended.
    pub aftermath: Aftermath,
    /// The receipt that it left.
    pub reading: Reading,
    /// As in [`Launched`].
    pub busy: Option<bool>,
}

/// Runs one configuration at `place` with the worker `program` (command and arguments), and lets
/// it read the FFT plans in `wisdom`.
pub fn launch(
    common: &Common<'_>,
    item: &PlanItem,
    place: &Place,
    program: &[String],
    wisdom: Option<PathBuf>,
    on_progress: &mut dyn FnMut(&ProgressEvent),
) -> Outcome<Launched> {
    let request = Request {
        wisdom,
        // After everything that is timed: it is no part of what decides the times.
        breakdown: common.breakdown,
        // In a pass of its own: it is no part of what decides the times.
        count_allocations: item.sampling.is_sampled() && common.task == Task::Run,
        ..request(common, item, &place.request_id)
    };
    let asked = ask(common, &request, &place.folder, program, on_progress)?;
    let judgement = judge(&request, common.timeout, &asked.aftermath, &asked.reading);
    Ok(Launched {
        judgement,
        busy: asked.busy,
        notes: notes(&asked.aftermath),
        receipt: match asked.reading {
            Reading::Read(receipt) if receipt.request_id == request.request_id => Some(*receipt),
            _ => None,
        },
    })
}

/// Runs one worker process: writes what it is asked into `folder`, and reads what it answers.
pub fn ask(
    common: &Common<'_>,
    request: &Request,
    folder: &Path,
    program: &[String],
    on_progress: &mut dyn FnMut(&ProgressEvent),
) -> Outcome<Asked> {
    let ready = Ready::write(common, request, folder, program)?;
    let mut setup = SetupWatch::begin(common.cpus);
    let aftermath = ready.run(common, None, |pid, line| {
        if let Ok(event) = serde_json::from_str::<ProgressEvent>(line) {
            setup.see(pid, &event);
            on_progress(&event);
        }
    })?;
    Ok(Asked {
        aftermath,
        reading: receipt_in(folder),
        busy: setup.busy,
    })
}

/// A worker process whose files are written: nothing is left to do but to start it.
pub struct Ready {
    command: Command,
    program: String,
    folder: PathBuf,
}

impl Ready {
    /// Writes what the worker is asked into `folder`. A receipt that is there answers something
    /// else, and is removed.
    pub fn write(
        common: &Common<'_>,
        request: &Request,
        folder: &Path,
        program: &[String],
    ) -> Outcome<Ready> {
        let policy = threading::environment(common.policy, request.threads, common.places);
        let environment =
            worker_environment(std::env::vars_os(), &policy, common.run_id).with_cpus(common.cpus);
        hand_over(&folder.join("request.json"), request)?;
        hand_over(&folder.join("environment.json"), &environment)?;
        let receipt = folder.join("receipt.json");
        match fs::remove_file(&receipt) {
            Err(e) if e.kind() != ErrorKind::NotFound => {
                return Err(Failure::file("remove", &receipt, e));
            }
            _ => {}
        }
        Ok(Ready {
            command: command(common.root, folder, program, &environment.set)?,
            program: program.first().cloned().unwrap_or_default(),
            folder: folder.to_owned(),
        })
    }

    /// Runs it to its end, on one CPU where `cpu` names it. `on_line` gets the process id and each
    /// line of its stdout. The receipt is read by [`receipt_in`]: later, where the next process
    /// must not wait for that.
    pub fn run(
        self,
        common: &Common<'_>,
        cpu: Option<u32>,
        on_line: impl FnMut(u32, &str),
    ) -> Outcome<Aftermath> {
        let limits = Limits {
            timeout: common.timeout,
            interrupt: common.interrupt,
            run_id: Some(common.run_id),
        };
        let logs = ["stdout.log", "stderr.log"].map(|name| self.folder.join(name));
        let [stdout, stderr] = &logs;
        supervise_on(cpu, self.command, [stdout, stderr], &limits, on_line)
            .map_err(|e| cannot_start(&self.program, &e))
    }
}

fn cannot_start(name: &str, error: &std::io::Error) -> Failure {
    let next = match error.kind() {
        ErrorKind::NotFound | ErrorKind::PermissionDenied => {
            "; check the `worker` of the case in the registry"
        }
        _ => "",
    };
    Failure::environment(format!(
        "failed to start the worker `{name}`: {error}{next}"
    ))
}

/// What a worker is asked for `item` in this run.
pub fn request(common: &Common<'_>, item: &PlanItem, request_id: &str) -> Request {
    let native = item.configuration.engine.needs_library();
    Request {
        request_id: request_id.to_owned(),
        task: common.task,
        library: common.library.clone().filter(|_| native),
        oracles: match common.task {
            Task::Verify => item.oracles.clone(),
            _ => Vec::new(),
        },
        ..template(item, common.keep_state)
    }
}

/// What a worker is asked for `item` in any run: without id, library and wisdom.
fn template(item: &PlanItem, keep_state: bool) -> Request {
    Request {
        protocol_version: PROTOCOL_VERSION,
        request_id: String::new(),
        task: Task::Run,
        configuration: item.configuration.clone(),
        interface: item.interface.clone(),
        parameters: item.parameters.clone(),
        library: None,
        wisdom: None,
        threads: match item.configuration.width {
            Width::Threads(threads) => threads,
            Width::Device => 1,
        },
        repeats: item.repeats,
        warm_up: WARM_UP,
        length: 1.0,
        block_plan: item.sampling.block_plan(),
        stop: item.sampling.stop(),
        warm_up_blocks: warm_up_blocks(item),
        count_allocations: false,
        breakdown: false,
        replay_steps: None,
        seed: item.seed,
        noise: item.noise.clone(),
        default_stepper: item.default_stepper.clone(),
        bounds: item.bounds,
        keep_state,
        oracles: Vec::new(),
        checkpoint: None,
        duet: None,
    }
}

/// Blocks that are run and not sampled first, of sampled work. The first ones meet cold caches, and
/// pages that nobody has touched.
fn warm_up_blocks(item: &PlanItem) -> Option<u32> {
    let blocks = match item.configuration.size {
        Size::Full => 3,
        Size::Quick | Size::Smoke => 1,
    };
    item.sampling.is_sampled().then_some(blocks)
}

/// Digest of everything that decides what `item` measures, but for the code that does it: two
/// results with equal definitions answer the same question.
pub fn definition(
    item: &PlanItem,
    policy: Policy,
    places: &str,
    keep_state: bool,
) -> Outcome<String> {
    let request = template(item, keep_state);
    let environment = threading::environment(policy, request.threads, places);
    let text = serde_json::to_string(&(request, environment, &item.worker))
        .map_err(|e| Failure::failed(format!("failed to name a configuration: {e}")))?;
    Ok(digest::of_bytes(text.as_bytes()))
}

/// What the files of an earlier run of `item` at `place` come to now; `None` where its receipt is
/// gone. The worker had ended by itself.
pub fn judge_again(
    common: &Common<'_>,
    item: &PlanItem,
    place: &Place,
) -> Option<(Judgement, Receipt)> {
    let request = request(common, item, &place.request_id);
    let reading = receipt_in(&place.folder);
    let aftermath = Aftermath {
        ending: Ending::Exited(0),
        elapsed: Duration::ZERO,
        left_children: false,
        survivors: false,
        output_cut: false,
    };
    let judgement = judge(&request, common.timeout, &aftermath, &reading);
    match reading {
        Reading::Read(receipt) => Some((judgement, *receipt)),
        Reading::Missing | Reading::Broken(_) => None,
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

/// What the worker that was run in `folder` has left.
pub fn receipt_in(folder: &Path) -> Reading {
    let path = &folder.join("receipt.json");
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Reading::Missing,
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

/// Watches the machine from the launch of a worker on, until there is enough to judge by.
///
/// That time passes anyway, so judging by it costs nothing (R40). Setting up can be over within
/// milliseconds, where the counters say little: the window then reaches into the repeats.
struct SetupWatch<'a> {
    began: Instant,
    before: Counters,
    cpus: Option<&'a BTreeSet<u32>>,
    timing: bool,
    enough: bool,
    busy: Option<bool>,
}

impl<'a> SetupWatch<'a> {
    fn begin(cpus: Option<&'a BTreeSet<u32>>) -> Self {
        SetupWatch {
            began: Instant::now(),
            before: busy::read(Path::new(SYSTEM), cpus),
            cpus,
            timing: false,
            enough: false,
            busy: None,
        }
    }

    /// Judges at the event that begins the timed repeats, and again at later ones while the window
    /// is short: the longest window counts.
    fn see(&mut self, pid: u32, event: &ProgressEvent) {
        self.timing |= matches!(event, ProgressEvent::Phase { name } if name == "run");
        if !self.timing || self.enough {
            return;
        }
        let system = Path::new(SYSTEM);
        let after = busy::read(system, self.cpus);
        let elapsed = self.began.elapsed();
        self.enough = elapsed >= busy::WINDOW_ENOUGH;
        let size = after.cpu.map(|ticks| ticks.cpus);
        if let (Some(own), Some(size)) = (process::cpu_time(system, pid), size) {
            let judged = busy::judge(&self.before, &after, own, elapsed, size);
            self.busy = judged.or(self.busy);
        }
    }
}

#[cfg(test)]
#[path = "launch_tests.rs"]
mod tests;
