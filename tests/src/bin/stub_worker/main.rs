//! A worker that computes nothing and behaves as the parameters of its case say.
//!
//! Parameters: `behaviour` (a word of [`Stub::behave`], default `sound`), `times_ns` or `time_ns`
//! with `noise` and `second` (`clock`), those of operations (`sampled`), those of one launch among
//! several (`launches`), the machine (`load`), `integrator`, `plans` (a name: the case uses FFT
//! plans), `prepares` (how it prepares them) and `gate_after` (how many workers go before the first
//! that waits at the gate). A made library adds words of its own (`library`). `--speaks N` and
//! `--abi N` make it a worker of another protocol or ABI, and `--cost F` a slower one. Every worker
//! adds a line to `target/ran`. Test equipment: it must stay simple enough to be believed.

mod breakdown;
mod clock;
mod duet;
mod facts;
mod launches;
mod library;
mod load;
mod plot;
mod processes;
mod sampled;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::time::Duration;
use std::{env, fs, io, thread};

use longrun_protocol::duet::Side;
use longrun_protocol::receipt::{
    Artifact, Failure, Memory, OracleLine, Phases, Resolved, Status, WisdomReport,
};
use longrun_protocol::request::{Library, Task};
use longrun_protocol::{PROTOCOL_VERSION, Receipt, Request, Witness};
use serde_json::Value;

use crate::clock::Clock;
use crate::facts::{oracle_line, thread_environment, threads, what_it_sees};
use crate::library::Made;
use crate::processes::{
    ESCAPE, chat, die_in_line, escape, hang, illegal_instruction, leave_child, segfault,
    start_escape, stubborn_child,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Numbers in a sketch, as `docs/worker-protocol.md` says.
const SKETCH_LENGTH: usize = 256;

/// Source evaluations of a run.
const EVALUATIONS: u64 = 73;

/// File whose presence lets gated workers through, below [`Stub::target`].
const GATE: &str = "gate";

/// How often the gate is looked at.
const POLL: Duration = Duration::from_millis(5);

fn main() -> Outcome<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments == [ESCAPE] {
        return escape();
    }
    let value = |flag: &str| {
        let at = arguments.iter().position(|word| word == flag)?;
        arguments.get(at + 1)
    };
    let (Some(request), Some(receipt)) = (value("--request"), value("--receipt")) else {
        return Err("expected --request FILE --receipt FILE".into());
    };
    println!(r#"{{"event":"phase","name":"run"}}"#);
    let stub = Stub {
        receipt: PathBuf::from(receipt),
        request: serde_json::from_slice(&fs::read(request)?)?,
        speaks: value("--speaks").map_or(Ok(PROTOCOL_VERSION), |text| text.parse())?,
        abi: value("--abi").map_or(Ok(1), |text| text.parse())?,
        cost: value("--cost").map_or(Ok(1.0), |text| text.parse())?,
    };
    stub.behave()
}

struct Stub {
    request: Request,
    receipt: PathBuf,
    /// Version of the protocol.
    speaks: u32,
    /// Version of the area `core`.
    abi: i32,
    /// What the worker itself costs, beside the library.
    cost: f64,
}

/// The libraries of one process.
#[derive(Default)]
struct Loaded {
    baseline: Option<Made>,
    candidate: Option<Made>,
}

impl Stub {
    fn text(&self, parameter: &str, default: &str) -> String {
        let value = self.request.parameters.get(parameter);
        value.and_then(Value::as_str).unwrap_or(default).to_owned()
    }

    /// What each word makes the worker do.
    fn behave(&self) -> Outcome<ExitCode> {
        if self.request.protocol_version != self.speaks {
            let asked = self.request.protocol_version;
            let message = format!(
                "protocol version {asked}; this worker speaks {}",
                self.speaks
            );
            return self.refuse("request", &message);
        }
        let loaded = match self.load() {
            Ok(loaded) => loaded,
            Err(message) => return self.refuse("load", &message),
        };
        if self.request.task == Task::PrepareFft {
            return self.prepare(&loaded);
        }
        let process = self.leave_trace()?;
        self.wait_at_gate(process);
        let behaviour = self.behaviour(&loaded)?;
        let mut receipt = self.sound(&loaded)?;
        self.work(process, &loaded, &mut receipt)?;
        match behaviour.as_str() {
            "sound" => {}
            "crash" => process::abort(),
            "segfault" => segfault(),
            "hang" => hang(),
            "silent" => return Ok(ExitCode::SUCCESS),
            "rubbish" => return self.write("no receipt at all"),
            "half" => return self.write(serde_json::to_string(&receipt)?.split_at(100).0),
            "grandchild" => {
                stubborn_child()?;
                hang()
            }
            "leaves_child" => leave_child()?,
            "escapes" => start_escape()?,
            "escapes_and_hangs" => {
                start_escape()?;
                hang()
            }
            // Hangs until somebody has given the word.
            "gated" if !self.target().join(GATE).exists() => hang(),
            "gated" => {}
            "illegal" => illegal_instruction(),
            "exits" => return Ok(ExitCode::from(70)),
            "unterminated" => print!("no end of line"),
            "cut_line" => print!("{{\"event\":\"progress\",\"repe"),
            "killed_in_line" => die_in_line()?,
            "panics" => panic_as_told(),
            "infinite" => return self.write_with_interval(&receipt, "1e400"),
            "no_number" => return self.write_with_interval(&receipt, "\"\""),
            "chatty" => chat()?,
            // Workers start in the root of the repository.
            "meddles" => fs::write("workloads/meddled.txt", "in the tree")?,
            "nan" => return self.write_with_interval(&receipt, "NaN"),
            "nan_oracle" => {
                let text = serde_json::to_string(&receipt)?;
                return self.write(&text.replace("\"obtained\":2.0", "\"obtained\":NaN"));
            }
            "negative" => return self.write_with_interval(&receipt, "-1"),
            "contradicts" => {
                self.write(&serde_json::to_string(&receipt)?)?;
                return Ok(ExitCode::from(3));
            }
            _ => self.falsify(&behaviour, &mut receipt)?,
        }
        self.write(&serde_json::to_string(&receipt)?)
    }

    /// The word for what this launch does.
    fn behaviour(&self, loaded: &Loaded) -> Outcome<String> {
        if !launches::is_meant(&self.request)? {
            return Ok("sound".to_owned());
        }
        let word = loaded.word("behaviour");
        Ok(word.map_or_else(|| self.text("behaviour", "sound"), str::to_owned))
    }

    /// What the task asks for.
    fn work(&self, process: u64, loaded: &Loaded, receipt: &mut Receipt) -> Outcome<()> {
        let clock = Clock::new(&self.request, process, self.cost)?;
        match self.request.task {
            Task::Checkpoint => receipt.checkpoints = Some(duet::prepare(&self.request)?),
            Task::Duet => receipt.duet = Some(duet::play(&self.request, loaded, clock)?),
            Task::Run | Task::Verify | Task::PrepareFft => self.run(clock, loaded, receipt)?,
            Task::Plot => plot::leave(&self.receipt, self.witness(Some(10), 0.0)?, receipt)?,
        }
        Ok(())
    }

    /// Behaviours that are a sound receipt with something else in it.
    fn falsify(&self, behaviour: &str, receipt: &mut Receipt) -> Outcome<()> {
        match behaviour {
            "fail" => {
                receipt.status = Status::Failed;
                receipt.failure = Some(Failure {
                    phase: "construct".to_owned(),
                    message: "failed to set up the problem: it was told to".to_owned(),
                });
            }
            "foreign" => receipt.request_id = "of/another".to_owned(),
            "other_protocol" => receipt.protocol_version = PROTOCOL_VERSION + 1,
            "zero" => {
                receipt
                    .samples
                    .first_mut()
                    .ok_or("there is no sample")?
                    .interval_ns = 0
            }
            "no_samples" => receipt.samples.clear(),
            "inconsistent_steps" => last(receipt)?.accepted = Some(11),
            "far_field" => last(receipt)?.relative_l2_to_first = Some(1e-3),
            "negative_distance" => last(receipt)?.relative_l2_to_first = Some(-1.0),
            "other_digest" => last(receipt)?.digest = Some("e".repeat(64)),
            "no_digest" => last(receipt)?.digest = None,
            "short_digest" => last(receipt)?.digest = Some("d".repeat(63)),
            "no_sketch" => last(receipt)?.sketch.clear(),
            "unmeasured_memory" => receipt.memory = Memory::default(),
            "strays" => receipt.artifacts.push(Artifact {
                kind: "final_state".to_owned(),
                file: "../final_state.npy".to_owned(),
                sha256: "a".repeat(64),
                description: "nothing".to_owned(),
            }),
            "one_thread" => observe_threads(receipt, 1),
            "many_threads" => observe_threads(receipt, 64),
            "wrong_key" => {
                let library = receipt.library.as_mut().ok_or("there is no library")?;
                library.build_key = "0".repeat(64);
            }
            "far_oracle" => first_line(receipt)?.obtained = Some(3.0),
            "unknown_oracle_value" => first_line(receipt)?.obtained = None,
            "lacks_oracle" => receipt.oracles.clear(),
            "strange_oracle" => receipt.oracles.push(oracle_line("weather")),
            "double_oracle" => {
                let line = first_line(receipt)?.clone();
                receipt.oracles.push(line);
            }
            "reveals" => receipt.context = Some(what_it_sees()),
            other if other.starts_with("sampled_") => return sampled::falsify(other, receipt),
            other if other.ends_with("_plot") => {
                return plot::falsify(other, &self.receipt, receipt);
            }
            other if other.starts_with("breakdown_") => return breakdown::falsify(other, receipt),
            other => return duet::falsify(other, receipt),
        }
        Ok(())
    }

    /// The folder `target` that the receipt is in; else that of the root, where workers start.
    fn target(&self) -> &Path {
        let mut folders = self.receipt.ancestors();
        let target = folders.find(|folder| folder.ends_with("target"));
        target.unwrap_or(Path::new("target"))
    }

    /// Adds a line to a file that tests read: who was run, in what order and how often. Returns how
    /// many were before.
    fn leave_trace(&self) -> Outcome<u64> {
        let case = &self.request.configuration.case;
        let line = match self.request.task {
            Task::Checkpoint => format!("checkpoint {case}\n"),
            Task::Duet => format!("duet {case}\n"),
            Task::Plot => format!("plot {case}\n"),
            Task::Run | Task::Verify | Task::PrepareFft => format!("{case}\n"),
        };
        let path = self.target().join("ran");
        fs::create_dir_all(self.target())?;
        let before = fs::read_to_string(&path).unwrap_or_default();
        let mut trace = OpenOptions::new().create(true).append(true).open(path)?;
        io::Write::write_all(&mut trace, line.as_bytes())?;
        Ok(u64::try_from(before.lines().count())?)
    }

    /// Waits, if this is a worker behind the gate, until somebody has opened it.
    fn wait_at_gate(&self, process: u64) {
        let after = self.request.parameters.get("gate_after");
        let behind = after
            .and_then(Value::as_u64)
            .is_some_and(|after| process >= after);
        while behind && !self.target().join(GATE).exists() {
            thread::sleep(POLL);
        }
    }

    /// Reads the libraries, and refuses those of another ABI; the side is named.
    fn load(&self) -> Result<Loaded, String> {
        let case = &self.request.configuration.case;
        let read = |library: &Library, side: Side| {
            let failed = |why| format!("failed to load the {}'s library: {why}", side.as_str());
            let made = Made::read(library, case).map_err(|error| failed(error.to_string()))?;
            let (has, abi) = (made.core_abi(), self.abi);
            match has == abi {
                true => Ok(made),
                false => Err(failed(format!(
                    "area core has ABI version {has}, and this worker {abi}"
                ))),
            }
        };
        let baseline = self.request.library.as_ref();
        let candidate = self.request.duet.as_ref().map(|plan| &plan.candidate);
        Ok(Loaded {
            baseline: baseline.map(|l| read(l, Side::Baseline)).transpose()?,
            candidate: candidate.map(|l| read(l, Side::Candidate)).transpose()?,
        })
    }

    /// Answers that the request cannot be carried out.
    fn refuse(&self, phase: &str, message: &str) -> Outcome<ExitCode> {
        let mut receipt = self.sound(&Loaded::default())?;
        receipt.protocol_version = self.speaks;
        receipt.status = Status::Failed;
        receipt.failure = Some(Failure {
            phase: phase.to_owned(),
            message: message.to_owned(),
        });
        self.write(&serde_json::to_string(&receipt)?)
    }

    /// Complete runs, or sampled work where the request has a plan of blocks.
    fn run(&self, mut clock: Clock, loaded: &Loaded, receipt: &mut Receipt) -> Outcome<()> {
        let library = loaded.baseline.as_ref();
        let number = |word, default| library.map_or(Ok(default), |made| made.number(word, default));
        let cost = clock.cost(library)?;
        let result = number("result", 0.0)?;
        match &self.request.block_plan {
            Some(plan) => {
                let (samples, report) = sampled::sample(&self.request, plan, &mut clock, &cost);
                receipt.samples = samples;
                receipt.sampled = Some(report);
                receipt.witnesses = vec![self.witness(None, result)?; 2];
            }
            None => {
                let repeats = 0..self.request.repeats;
                receipt.samples = repeats.map(|_| clock.sample(&cost, 1, false)).collect();
                let steps = number("steps", 10.0)? as u64;
                receipt.witnesses = vec![self.witness(Some(steps), result)?; receipt.samples.len()];
            }
        }
        receipt.load = load::around(&self.request, receipt)?;
        if let Some(last) = receipt.witnesses.last_mut() {
            last.sketch = vec![0.5 * (1.0 + result); SKETCH_LENGTH];
        }
        if self.request.breakdown {
            breakdown::add(clock.expected_ns(), EVALUATIONS, receipt);
        }
        Ok(())
    }

    /// What a run of so many steps came to; operations have none.
    fn witness(&self, steps: Option<u64>, result: f64) -> Outcome<Witness> {
        Ok(Witness {
            accepted: steps,
            rejected: steps.map(|_| 2),
            evaluations: steps.map(|_| EVALUATIONS),
            digest: Some(format!("{:016x}", result.to_bits()).repeat(4)),
            relative_l2_to_first: Some(0.0),
            threads_observed: Some(threads()?),
            ..Witness::default()
        })
    }

    /// Adds the plan that the case names to the store: a store is a text with a plan a line.
    fn prepare(&self, loaded: &Loaded) -> Outcome<ExitCode> {
        let mut receipt = self.sound(loaded)?;
        match self.text("prepares", "well").as_str() {
            "fails" => return Ok(ExitCode::from(3)),
            "hangs" => hang(),
            _ => {}
        }
        let store = self.request.wisdom.as_ref().ok_or("there is no store")?;
        let plans = fs::read_to_string(store).unwrap_or_default();
        fs::write(store, format!("{plans}{}\n", self.text("plans", "")))?;
        receipt.wisdom = Some(WisdomReport {
            plans: 1,
            missing: 0,
            added: 1,
        });
        self.write(&serde_json::to_string(&receipt)?)
    }

    /// Where the one plan of a case that names one came from.
    fn wisdom_report(&self) -> Option<WisdomReport> {
        let plan = self.text("plans", "");
        let store = self.request.wisdom.as_ref();
        let held = store.and_then(|store| fs::read_to_string(store).ok());
        let held = held.is_some_and(|held| held.lines().any(|line| line == plan));
        (!plan.is_empty()).then_some(WisdomReport {
            plans: 1,
            missing: u32::from(!held),
            added: 0,
        })
    }

    /// A receipt with nothing wrong in it, and nothing done.
    fn sound(&self, loaded: &Loaded) -> Outcome<Receipt> {
        let request = &self.request;
        let integrator = loaded.word("integrator");
        Ok(Receipt {
            protocol_version: PROTOCOL_VERSION,
            request_id: request.request_id.clone(),
            worker: "stub 1".to_owned(),
            configuration: request.configuration.clone(),
            status: Status::Complete,
            failure: None,
            library: loaded.baseline.as_ref().map(|made| made.report.clone()),
            resolved: Some(Resolved {
                integrator: integrator
                    .map_or_else(|| self.text("integrator", "stub"), str::to_owned),
                tolerances: BTreeMap::from([("rtol".to_owned(), 1e-6)]),
                noise_model: request.noise.clone(),
                seed: request.seed,
                threads: threads()?,
            }),
            phases: Phases::default(),
            witnesses: Vec::new(),
            samples: Vec::new(),
            load: Vec::new(),
            oracles: request
                .oracles
                .iter()
                .map(|name| oracle_line(name))
                .collect(),
            checkpoints: None,
            sampled: None,
            breakdown: None,
            duet: None,
            wisdom: self.wisdom_report(),
            memory: Memory {
                peak_rss_bytes: Some(8 << 20),
                device_bytes: None,
            },
            thread_environment: thread_environment(),
            context: None,
            artifacts: Vec::new(),
            skips: Vec::new(),
            warnings: Vec::new(),
        })
    }

    /// Writes the receipt under a temporary name first, as workers must.
    fn write(&self, text: &str) -> Outcome<ExitCode> {
        let temporary = self.receipt.with_extension("partial");
        fs::write(&temporary, text)?;
        fs::rename(&temporary, &self.receipt)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Writes `receipt` with `token` where the first interval stands.
    fn write_with_interval(&self, receipt: &Receipt, token: &str) -> Outcome<ExitCode> {
        let text = serde_json::to_string(receipt)?;
        let Some((before, rest)) = text.split_once("\"interval_ns\":") else {
            return Err("there is no interval".into());
        };
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        self.write(&format!("{before}\"interval_ns\":{token}{after}"))
    }
}

impl Loaded {
    /// A word of either library, the candidate's before the baseline's.
    fn word(&self, name: &str) -> Option<&str> {
        let both = [&self.candidate, &self.baseline];
        both.into_iter().flatten().find_map(|made| made.word(name))
    }
}

/// What a defect of a worker does.
#[expect(clippy::panic, reason = "it is what the test asks for")]
fn panic_as_told() -> ! {
    panic!("the operation was told to")
}

fn observe_threads(receipt: &mut Receipt, threads: u32) {
    for witness in &mut receipt.witnesses {
        witness.threads_observed = Some(threads);
    }
}

fn last(receipt: &mut Receipt) -> Outcome<&mut Witness> {
    receipt
        .witnesses
        .last_mut()
        .ok_or_else(|| "there is no repeat".into())
}

fn first_line(receipt: &mut Receipt) -> Outcome<&mut OracleLine> {
    receipt
        .oracles
        .first_mut()
        .ok_or_else(|| "there is no oracle".into())
}
