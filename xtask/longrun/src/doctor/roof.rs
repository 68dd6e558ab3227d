//! `doctor --roof`: what this machine can do at most, measured.
//!
//! A small C++ program ([`SOURCE`]) does the work: this one is built without optimisation. It is
//! compiled like a native build, and run as a child with a deadline under the policy
//! `passive-bound`, with one thread and with one on each physical core.

pub mod kept;
pub mod sets;

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use longrun_measure::statistics::Summary;
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::machine::Machine;
use crate::machine::facts::Cache;
use crate::machine::threading::{self, Policy};
use crate::native::program;
use crate::native::toolchain::Cxx;
use crate::run::environment::worker_environment;
use crate::run::supervise::{Ending, Limits, supervise};
use crate::text::{self, Align};
use sets::{Set, Shape};

/// The program.
const SOURCE: &str = include_str!("roof.cpp");

/// Its name.
const NAME: &str = "roof";

/// Passes of each measurement, of which the median counts.
const PASSES: u32 = 7;

/// Shortest pass: a thousand times what it costs to bring the threads together.
const PASS_S: f64 = 0.02;

/// Longest time that one run of the program may take; it needs a few seconds.
const TIME_MAX: Duration = Duration::from_secs(120);

/// How threads are placed.
const POLICY: Policy = Policy::PassiveBound;

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Roof {
    /// Threading policy.
    pub threading: &'static str,
    /// One for each width.
    pub widths: Vec<Width>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// What some threads can do together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Width {
    /// Threads, one a core.
    pub threads: u32,
    /// Bandwidth of each level, the fastest first.
    pub levels: Vec<Level>,
    /// Multiply-adds, of which each counts as two operations.
    pub multiply_add_flop_per_s: Rate,
}

/// Bandwidth of a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// `L1`, `L2`, `L3`, `memory`.
    pub level: String,
    /// Working set of each thread.
    pub bytes_per_thread: u64,
    /// Reading alone.
    pub read_bytes_per_s: Rate,
    /// Reading two arrays and writing one.
    pub triad_bytes_per_s: Rate,
}

/// A rate over the passes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// Median.
    pub median: f64,
    /// Slowest pass.
    pub min: f64,
    /// Fastest pass.
    pub max: f64,
}

/// What the program prints.
#[derive(Debug, Deserialize)]
struct Printed {
    threads: u32,
    sets: Vec<PrintedSet>,
    multiply_add_flop_per_s: Vec<f64>,
}

#[derive(Debug, Deserialize)]
struct PrintedSet {
    bytes: u64,
    read_bytes_per_s: Vec<f64>,
    triad_bytes_per_s: Vec<f64>,
}

/// What is to be measured on.
pub struct Place<'a> {
    /// Root of the repository: settings of the compiler apply there.
    pub root: &'a Path,
    /// Folder of the program and its logs.
    pub folder: &'a Path,
    /// The hardware set.
    pub machine: &'a Machine,
    /// Caches of one CPU.
    pub caches: &'a [Cache],
    /// Memory that is free; `None` is unknown.
    pub free_bytes: Option<u64>,
    /// Raised when the user interrupts.
    pub interrupt: &'a Interrupt,
}

/// Compiles and measures.
///
/// # Errors
/// Exit 6 where the program cannot be compiled or started, 1 where it does not do what it should,
/// 130 where the user interrupts.
pub fn measure(place: &Place<'_>) -> Outcome<Roof> {
    let cxx = Cxx::find(place.root)?;
    let program = program::ensure(place.folder, NAME, SOURCE, &cxx, place.interrupt)?;
    let machine = place.machine;
    let mut threads = vec![1, machine.production];
    threads.dedup();
    let mut roof = Roof {
        threading: POLICY.name(),
        widths: Vec::new(),
        notes: Vec::new(),
    };
    for threads in threads {
        let chosen = sets::choose(&Shape {
            caches: place.caches,
            cpus_per_core: cpus_per_core(machine),
            threads,
            free_bytes: place.free_bytes,
        });
        let run = Run {
            program: &program,
            threads,
            passes: PASSES,
            pass_s: PASS_S,
        };
        roof.widths.push(run.carry_out(place, &chosen.sets)?);
        let new = chosen
            .notes
            .into_iter()
            .filter(|note| !roof.notes.contains(note));
        let new: Vec<String> = new.collect();
        roof.notes.extend(new);
    }
    Ok(roof)
}

/// At most; a core of the allocation may have fewer.
fn cpus_per_core(machine: &Machine) -> u32 {
    let known = machine.logical_cpus.zip(machine.physical_cores);
    known.map_or(1, |(cpus, cores)| cpus.div_ceil(cores.max(1)))
}

/// One run of the program.
struct Run<'a> {
    program: &'a Path,
    threads: u32,
    passes: u32,
    pass_s: f64,
}

impl Run<'_> {
    fn carry_out(&self, place: &Place<'_>, sets: &[Set]) -> Outcome<Width> {
        let policy = threading::environment(POLICY, self.threads, &place.machine.places);
        let environment = worker_environment(env::vars_os(), &policy, NAME);
        let mut command = Command::new(self.program);
        command
            .args([self.passes.to_string(), self.pass_s.to_string()])
            .args(sets.iter().map(|set| set.bytes.to_string()))
            .env_clear()
            .envs(&environment.set);
        let log = |kind: &str| {
            let name = format!("{NAME}-{}-{kind}", std::process::id());
            place.folder.join(name)
        };
        let (stdout, stderr) = (log("stdout.log"), log("stderr.log"));
        let limits = Limits {
            timeout: TIME_MAX,
            interrupt: place.interrupt,
            run_id: None,
        };
        let mut printed = String::new();
        let aftermath = supervise(command, &stdout, &stderr, &limits, |_, line| {
            printed.push_str(line);
        });
        let said = fs::read_to_string(&stderr).unwrap_or_default();
        for left in [&stdout, &stderr] {
            // Left-over logs harm nothing.
            let _ = fs::remove_file(left);
        }
        let aftermath = aftermath
            .map_err(|e| Failure::environment(format!("failed to start the roof program: {e}")))?;
        let refuse = |cause: String| {
            Failure::failed(format!(
                "failed to measure the roof with {}: {cause}; close what else runs and try again",
                text::counted(
                    usize::try_from(self.threads).unwrap_or(usize::MAX),
                    "thread"
                )
            ))
        };
        match aftermath.ending {
            Ending::Exited(0) => read(&printed, self.threads, sets).map_err(refuse),
            Ending::Interrupted => Err(Failure::interrupted("interrupted; nothing was measured")),
            Ending::TimedOut => Err(refuse(format!("it took more than {TIME_MAX:?}"))),
            Ending::Exited(code) => Err(refuse(format!("exit {code}: {}", said.trim()))),
            Ending::Signalled(signal) => Err(refuse(format!("ended by signal {signal}"))),
        }
    }
}

/// Reads what the program printed; it must answer what was asked. Pure.
fn read(printed: &str, threads: u32, sets: &[Set]) -> Result<Width, String> {
    let printed: Printed =
        serde_json::from_str(printed).map_err(|e| format!("it printed no result: {e}"))?;
    if printed.threads != threads {
        return Err(format!("{} threads ran", printed.threads));
    }
    let asked = sets.iter().map(|set| set.bytes);
    if !asked.eq(printed.sets.iter().map(|set| set.bytes)) {
        return Err("it measured other working sets".to_owned());
    }
    let levels = sets.iter().zip(&printed.sets).map(|(set, found)| {
        Ok(Level {
            level: set.level.clone(),
            bytes_per_thread: set.bytes,
            read_bytes_per_s: rate(&found.read_bytes_per_s)?,
            triad_bytes_per_s: rate(&found.triad_bytes_per_s)?,
        })
    });
    Ok(Width {
        threads,
        levels: levels.collect::<Result<_, String>>()?,
        multiply_add_flop_per_s: rate(&printed.multiply_add_flop_per_s)?,
    })
}

fn rate(passes: &[f64]) -> Result<Rate, String> {
    match Summary::of(passes) {
        Some(summary) if summary.min > 0.0 => Ok(Rate {
            median: summary.median,
            min: summary.min,
            max: summary.max,
        }),
        _ => Err(format!("a rate is no positive number: {passes:?}")),
    }
}

/// The roof as a table.
pub fn to_text(roof: &Roof) -> String {
    let columns = [
        ("threads", Align::Right),
        ("level", Align::Left),
        ("set of a thread", Align::Right),
        ("read", Align::Right),
        ("triad", Align::Right),
    ];
    let rows = roof.widths.iter().flat_map(|width| {
        width.levels.iter().map(|level| {
            vec![
                width.threads.to_string(),
                level.level.clone(),
                text::bytes(level.bytes_per_thread),
                giga(level.read_bytes_per_s, "GB/s"),
                giga(level.triad_bytes_per_s, "GB/s"),
            ]
        })
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let mut text = format!(
        "roof, {PASSES} passes under {}: median (slowest to fastest)\n{}",
        roof.threading,
        text::table(&columns, &rows)
    );
    for width in &roof.widths {
        let threads = usize::try_from(width.threads).unwrap_or(usize::MAX);
        text.push_str(&format!(
            "multiply-add, {}: {}\n",
            text::counted(threads, "thread"),
            giga(width.multiply_add_flop_per_s, "GFLOP/s")
        ));
    }
    for note in &roof.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text
}

fn giga(rate: Rate, unit: &str) -> String {
    let [median, min, max] = [rate.median, rate.min, rate.max].map(|rate| rate / 1e9);
    format!("{median:.1} {unit} ({min:.1} to {max:.1})")
}

#[cfg(test)]
mod tests;
