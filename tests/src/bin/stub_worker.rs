//! A worker that computes nothing and behaves as the parameters of its case say.
//!
//! Parameters: `behaviour` (a word of [`behave`], default `sound`), `times_ns` (one per repeat,
//! reused in turn), `integrator`, `plans` (a name: the case uses FFT plans) and `prepares` (how it
//! prepares them). Every run adds the name of its case to `target/ran`. Test equipment: it must
//! stay simple enough to be believed.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::{self, Command, ExitCode};
use std::time::Duration;
use std::{env, fs, io, thread};

use longrun_protocol::receipt::{
    Artifact, Context, Failure, LibraryReport, Memory, OracleLine, Phases, Relation, Resolved,
    Status, WisdomReport,
};
use longrun_protocol::request::Task;
use longrun_protocol::{PROTOCOL_VERSION, Receipt, Request, Sample, Witness};
use rustix::process::{Signal, getpid, kill_process, setsid};
use serde_json::{Map, Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Numbers in a sketch, as `docs/worker-protocol.md` says.
const SKETCH_LENGTH: usize = 256;

/// Lines of a kilobyte that a chatty worker prints: more than is kept of them.
const CHATTER_LINES: usize = 17 << 10;

/// File whose presence lets gated workers through.
const GATE: &str = "target/gate";

/// Argument of the process that leaves its parent's group.
const ESCAPE: &str = "--escape";

fn main() -> Outcome<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments == [ESCAPE] {
        return escape();
    }
    let [request_flag, request, receipt_flag, receipt] = arguments.as_slice() else {
        return Err("expected --request FILE --receipt FILE".into());
    };
    if (request_flag.as_str(), receipt_flag.as_str()) != ("--request", "--receipt") {
        return Err("expected --request FILE --receipt FILE".into());
    }
    let request: Request = serde_json::from_slice(&fs::read(request)?)?;
    println!(r#"{{"event":"phase","name":"run"}}"#);
    let stub = Stub {
        receipt: PathBuf::from(receipt),
        request,
    };
    stub.behave()
}

struct Stub {
    request: Request,
    receipt: PathBuf,
}

impl Stub {
    fn text(&self, parameter: &str, default: &str) -> String {
        let value = self.request.parameters.get(parameter);
        value.and_then(Value::as_str).unwrap_or(default).to_owned()
    }

    /// What each word makes the worker do.
    fn behave(&self) -> Outcome<ExitCode> {
        if self.request.task == Task::PrepareFft {
            return self.prepare();
        }
        self.leave_trace()?;
        let behaviour = self.text("behaviour", "sound");
        let mut receipt = self.sound()?;
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
            // Hangs until somebody has given the word; workers start in the root.
            "gated" if !Path::new(GATE).exists() => hang(),
            "gated" => {}
            "illegal" => illegal_instruction(),
            "exits" => return Ok(ExitCode::from(70)),
            "unterminated" => print!("no end of line"),
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
            "strays" => receipt.artifacts.push(Artifact {
                kind: "final_state".to_owned(),
                file: "../final_state.npy".to_owned(),
                sha256: "a".repeat(64),
                description: "nothing".to_owned(),
            }),
            "one_thread" => {
                for witness in &mut receipt.witnesses {
                    witness.threads_observed = Some(1);
                }
            }
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
            other => return Err(format!("unknown behaviour `{other}`").into()),
        }
        Ok(())
    }

    /// Adds the name of the case to a file that tests read: who was run, and how often.
    fn leave_trace(&self) -> Outcome<()> {
        fs::create_dir_all("target")?;
        let mut trace = OpenOptions::new()
            .create(true)
            .append(true)
            .open("target/ran")?;
        Ok(io::Write::write_all(
            &mut trace,
            format!("{}\n", self.request.configuration.case).as_bytes(),
        )?)
    }

    /// Adds the plan that the case names to the store: a store is a text with a plan a line.
    fn prepare(&self) -> Outcome<ExitCode> {
        let mut receipt = self.sound()?;
        match self.text("prepares", "well").as_str() {
            "fails" => return Ok(ExitCode::from(3)),
            "hangs" => hang(),
            _ => {}
        }
        let store = self.request.wisdom.as_ref().ok_or("there is no store")?;
        let plans = fs::read_to_string(store).unwrap_or_default();
        fs::write(store, format!("{plans}{}\n", self.text("plans", "")))?;
        receipt.samples.clear();
        receipt.witnesses.clear();
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

    /// A receipt with nothing wrong in it.
    fn sound(&self) -> Outcome<Receipt> {
        let request = &self.request;
        let threads: u32 = env::var("OMP_NUM_THREADS")?.parse()?;
        let samples = self.samples()?;
        let witness = Witness {
            accepted: Some(10),
            rejected: Some(2),
            evaluations: Some(73),
            digest: Some("d".repeat(64)),
            relative_l2_to_first: Some(0.0),
            threads_observed: Some(threads),
            ..Witness::default()
        };
        let mut witnesses = vec![witness; samples.len()];
        if let Some(last) = witnesses.last_mut() {
            last.sketch = vec![0.5; SKETCH_LENGTH];
        }
        Ok(Receipt {
            protocol_version: PROTOCOL_VERSION,
            request_id: request.request_id.clone(),
            worker: "stub 1".to_owned(),
            configuration: request.configuration.clone(),
            status: Status::Complete,
            failure: None,
            library: match &request.library {
                Some(library) => Some(library_report(&library.path)?),
                None => None,
            },
            resolved: Some(Resolved {
                integrator: self.text("integrator", "stub"),
                tolerances: BTreeMap::from([("rtol".to_owned(), 1e-6)]),
                noise_model: request.noise.clone(),
                seed: request.seed,
                threads,
            }),
            phases: Phases::default(),
            witnesses,
            samples,
            load: Vec::new(),
            oracles: request
                .oracles
                .iter()
                .map(|name| oracle_line(name))
                .collect(),
            checkpoints: None,
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

    fn samples(&self) -> Outcome<Vec<Sample>> {
        let times = match self.request.parameters.get("times_ns") {
            Some(times) => serde_json::from_value(times.clone())?,
            None => vec![1_000_000_u64],
        };
        let repeats = usize::try_from(self.request.repeats)?;
        let in_turn = times.iter().cycle().take(repeats);
        Ok(in_turn
            .map(|time| Sample {
                interval_ns: *time,
                cpu_ns: Some(*time),
                ops: 1,
                usage: None,
            })
            .collect())
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

fn last(receipt: &mut Receipt) -> Outcome<&mut Witness> {
    receipt
        .witnesses
        .last_mut()
        .ok_or_else(|| "there is no repeat".into())
}

/// Variables of this process that concern threads.
fn thread_environment() -> BTreeMap<String, String> {
    let concern = ["OMP_", "GOMP_", "KMP_", "OPENBLAS_", "MKL_"];
    env::vars()
        .filter(|(name, _)| concern.iter().any(|start| name.starts_with(start)))
        .collect()
}

/// A quantity that is as expected.
fn oracle_line(oracle: &str) -> OracleLine {
    OracleLine {
        oracle: oracle.to_owned(),
        quantity: "energy, end over launch".to_owned(),
        unit: "J".to_owned(),
        relation: Relation::Within,
        expected: 2.0,
        obtained: Some(2.0),
        tolerance: 0.5,
    }
}

fn first_line(receipt: &mut Receipt) -> Outcome<&mut OracleLine> {
    receipt
        .oracles
        .first_mut()
        .ok_or_else(|| "there is no oracle".into())
}

/// The whole environment of this process.
fn what_it_sees() -> Context {
    let variables: Map<String, Value> = env::vars().map(|(k, v)| (k, json!(v))).collect();
    Context {
        kind: "stub".to_owned(),
        facts: Map::from_iter([("environment".to_owned(), Value::Object(variables))]),
    }
}

/// The key that stands behind `longrun-identity` in the bytes of a library.
fn library_report(path: &Path) -> Outcome<LibraryReport> {
    let bytes = fs::read(path)?;
    let magic = b"longrun-identity";
    let at = bytes
        .windows(magic.len())
        .position(|window| window == magic);
    let start = at.ok_or("the library has no identity")? + magic.len();
    let key = bytes
        .iter()
        .skip(start)
        .take(72)
        .take_while(|byte| **byte != 0);
    Ok(LibraryReport {
        build_key: String::from_utf8(key.copied().collect())?,
        abi: BTreeMap::from([("core".to_owned(), 1)]),
        fft: None,
    })
}

fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

/// Dies of SIGSEGV. Rust's own handler only gives up on the second one that is no overflow.
fn segfault() -> ! {
    loop {
        // If the signal cannot be sent, the test that waits for it fails by its time-out.
        let _ = kill_process(getpid(), Signal::SEGV);
    }
}

/// A child that ignores the request to end and holds this process's stdout.
fn stubborn_child() -> io::Result<()> {
    let script = "trap '' TERM; while :; do sleep 1; done";
    Command::new("sh").args(["-c", script]).spawn().map(drop)
}

fn leave_child() -> io::Result<()> {
    Command::new("sleep").arg("600").spawn().map(drop)
}

/// Dies as a program built for another processor does.
fn illegal_instruction() -> ! {
    loop {
        let _ = kill_process(getpid(), Signal::ILL);
    }
}

/// Starts a process that leaves this one's group, session and environment.
fn start_escape() -> Outcome<()> {
    let mut child = Command::new(env::current_exe()?).arg(ESCAPE).spawn()?;
    child.wait()?;
    Ok(())
}

/// Leaves the group, starts a child that ignores the request to end, and makes it an orphan. It
/// still holds the worker's stdout.
fn escape() -> Outcome<ExitCode> {
    setsid()?;
    let path = env::var_os("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", "trap '' TERM; while :; do sleep 1; done"])
        .env_clear()
        .env("PATH", path)
        .spawn()?;
    Ok(ExitCode::SUCCESS)
}

fn chat() -> io::Result<()> {
    let line = "chatter ".repeat(128);
    let mut out = io::stdout().lock();
    for _ in 0..CHATTER_LINES {
        io::Write::write_all(&mut out, line.as_bytes())?;
        io::Write::write_all(&mut out, b"\n")?;
    }
    Ok(())
}
