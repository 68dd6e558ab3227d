//! What a worker says that it really did.
//!
//! Everything here is reported by the worker from what ran, never copied from the request.
//! Absent is absent: a worker that cannot read a value leaves it out and never writes zero.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::configuration::Configuration;
use crate::duet::{CheckpointReport, DuetReport};
use crate::sampling::{Breakdown, SampledReport};

/// Whether the worker finished what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Everything that was asked for was done.
    Complete,
    /// It was not; `failure` says why.
    Failed,
}

/// Why a worker did not finish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failure {
    /// Phase in which it happened: `load`, `construct`, `run`, …
    pub phase: String,
    /// Attempt, object, cause and next step.
    pub message: String,
}

/// The native library that really computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LibraryReport {
    /// Build key read from the loaded library.
    pub build_key: String,
    /// Version of each ABI area that the worker used, by area.
    pub abi: BTreeMap<String, i32>,
    /// FFT provider and version, as the library names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fft: Option<String>,
}

/// What the requested configuration resolved to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Resolved {
    /// Integrator that ran, with the parameters that distinguish it: `rk`, `rk4ip steps=400`.
    pub integrator: String,
    /// Tolerances by name (`rtol`, `atol`); empty for a fixed schedule.
    pub tolerances: BTreeMap<String, f64>,
    /// Noise model that was applied.
    pub noise_model: String,
    /// Seed that was used, where there was noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Threads that the engine was built with.
    pub threads: u32,
}

/// Time spent in each untracked phase, and in all timed repeats together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Phases {
    /// Loading the library.
    pub load_ns: u64,
    /// Setting up the problem: grids, materials, launch.
    pub construct_ns: u64,
    /// Turning the problem into the engine's arrays.
    pub translate_ns: u64,
    /// Building the engine: allocation and FFT planning.
    pub build_engine_ns: u64,
    /// The untimed partial run.
    pub warm_up_ns: u64,
    /// Sum of the timed repeats.
    pub run_ns: u64,
}

/// One timed interval of `ops` operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sample {
    /// Wall time of the interval.
    pub interval_ns: u64,
    /// CPU time of the whole process over the same interval, where the system has that clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ns: Option<u64>,
    /// Operations in the interval; 1 for a complete run.
    pub ops: u64,
    /// What else the process used over the interval, where the system counts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// What a process used over an interval, as `getrusage` counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Usage {
    /// CPU time in user mode, ns.
    pub user_ns: u64,
    /// CPU time in the kernel, ns.
    pub system_ns: u64,
    /// Page faults served without the disk.
    pub minor_faults: u64,
    /// Page faults served from the disk.
    pub major_faults: u64,
    /// Times that the process gave its CPU away.
    pub voluntary_switches: u64,
    /// Times that its CPU was taken from it.
    pub involuntary_switches: u64,
}

/// The numbers that show that two repeats, or two sides, did the same work.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Witness {
    /// Steps accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<u64>,
    /// Steps rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<u64>,
    /// Source evaluations, start-up and rejected steps included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<u64>,
    /// Iterations of an iterative workload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// Whether an iterative workload converged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub converged: Option<bool>,
    /// SHA-256 of the final state, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Seeded projections of the final state (`docs/worker-protocol.md`), for the last repeat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sketch: Vec<f64>,
    /// Relative L2 difference of the final state to that of the first repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative_l2_to_first: Option<f64>,
    /// Distinct threads that did work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads_observed: Option<u32>,
    /// Digest of the FFT plans that were used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fft_plans: Option<String>,
}

/// What the CPUs of an allocation have done since the machine started, summed over them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CpuTicks {
    /// Ticks in which they worked, for this system or (stolen time) for another.
    pub busy: u64,
    /// All ticks.
    pub total: u64,
    /// How many CPUs are summed.
    pub cpus: u32,
}

/// Load, pressure and counters of the machine at one moment, as the system reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MachineLoad {
    /// One-minute load average.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_1m: Option<f64>,
    /// Percentage of the last ten seconds in which some task waited for a CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_some_avg10: Option<f64>,
    /// The same for memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_some_avg10: Option<f64>,
    /// When that was, ns, on a clock that never goes back; only differences mean something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ns: Option<u64>,
    /// CPU time of all threads of this process since it began, ns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process_cpu_ns: Option<u64>,
    /// What the CPUs of the allocation (`LONGRUN_CPUS`) have done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<CpuTicks>,
    /// Pages that came back from swap since the machine started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swap_ins: Option<u64>,
}

/// The machine before and after one repeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoadSpan {
    /// Just before the repeat.
    pub before: MachineLoad,
    /// Just after it.
    pub after: MachineLoad,
}

/// What the process and its device held at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Memory {
    /// `VmHWM` of the worker at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_rss_bytes: Option<u64>,
    /// Drop in the device's free memory from before construction to after the warm-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_bytes: Option<u64>,
}

/// A file that the worker left beside its receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Artifact {
    /// What it is: `final_state`, `plot`.
    pub kind: String,
    /// File name, relative to the folder of the receipt.
    pub file: String,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// What the numbers mean: shape, unit, order.
    pub description: String,
}

/// Something that was asked for and not done, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Skip {
    /// What was skipped.
    pub what: String,
    /// Why.
    pub reason: String,
}

/// How an obtained value is held against the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// At most `tolerance` away from `expected`, on either side.
    Within,
    /// Not below `expected - tolerance`.
    AtLeast,
    /// Not above `expected + tolerance`.
    AtMost,
}

/// One quantity of an oracle. The verdict is not the worker's: whoever reads the line judges it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OracleLine {
    /// Name of the oracle in the registry: `photon_number`.
    pub oracle: String,
    /// What was measured, in words: `photon number, end over launch`.
    pub quantity: String,
    /// Unit of all three numbers; empty for a ratio.
    pub unit: String,
    /// How the two are compared.
    pub relation: Relation,
    /// What the physics says.
    pub expected: f64,
    /// What the run gave; absent where it gave no finite number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obtained: Option<f64>,
    /// How far apart they may be, in the same unit.
    pub tolerance: f64,
}

impl OracleLine {
    /// Whether the obtained value is where the expected one says. No value, or an expectation that
    /// is no number, has not passed.
    pub fn passed(&self) -> bool {
        let Some(obtained) = self.obtained else {
            return false;
        };
        let distance = obtained - self.expected;
        match self.relation {
            Relation::Within => distance.abs() <= self.tolerance,
            Relation::AtLeast => distance >= -self.tolerance,
            Relation::AtMost => distance <= self.tolerance,
        }
    }
}

/// Where the FFT plans of an engine came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WisdomReport {
    /// Plans that the engine uses.
    pub plans: u32,
    /// Of these, how many the wisdom that was read did not hold: planned anew in this process.
    pub missing: u32,
    /// How many the store holds more after the task than before it; only `prepare_fft` adds.
    pub added: u32,
}

/// Facts that only workers of one kind have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Context {
    /// Kind of worker: `optics`, …
    pub kind: String,
    /// Its own facts; the kind names their meaning.
    #[serde(flatten)]
    pub facts: serde_json::Map<String, serde_json::Value>,
}

/// What a worker really did. Written to a temporary name, then renamed to `receipt.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Receipt {
    /// Version of the protocol that the worker speaks.
    #[cfg_attr(test, schemars(extend("const" = crate::PROTOCOL_VERSION)))]
    pub protocol_version: u32,
    /// The request that this answers.
    pub request_id: String,
    /// Name and version of the worker.
    pub worker: String,
    /// What the process computed.
    pub configuration: Configuration,
    /// Whether it finished.
    pub status: Status,
    /// Why not, if not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The native library that computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<LibraryReport>,
    /// What the configuration resolved to; absent if that was not reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<Resolved>,
    /// Time by phase.
    #[serde(default)]
    pub phases: Phases,
    /// Every raw sample, in order.
    #[serde(default)]
    pub samples: Vec<Sample>,
    /// One witness per repeat, in order. Of sampled work two: of the output after the first sample
    /// and after the last.
    #[serde(default)]
    pub witnesses: Vec<Witness>,
    /// How the samples came about, of sampled work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<SampledReport>,
    /// Where the time of an extra repeat went, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<Breakdown>,
    /// Machine load around each repeat, in order.
    #[serde(default)]
    pub load: Vec<LoadSpan>,
    /// What the oracles of the case measured (task `verify`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub oracles: Vec<OracleLine>,
    /// What task `checkpoint` prepared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoints: Option<CheckpointReport>,
    /// What task `duet` did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duet: Option<DuetReport>,
    /// Where the FFT plans came from; absent for engines without a planner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wisdom: Option<WisdomReport>,
    /// Peak memory.
    #[serde(default)]
    pub memory: Memory,
    /// Environment variables of the process that concern threads, as it saw them.
    #[serde(default)]
    pub thread_environment: BTreeMap<String, String>,
    /// Facts of this kind of worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Files left beside the receipt.
    #[serde(default)]
    pub artifacts: Vec<Artifact>,
    /// What was not done, with reasons.
    #[serde(default)]
    pub skips: Vec<Skip>,
    /// What a reader should know.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// One line of JSON that a worker may print on stdout while it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ProgressEvent {
    /// The worker entered a phase.
    Phase {
        /// Name of the phase.
        name: String,
    },
    /// How far a repeat is.
    Progress {
        /// Repeat, from 1; 0 is the warm-up.
        repeat: u32,
        /// Part done, from 0 to 1.
        fraction: f64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(relation: Relation, obtained: Option<f64>) -> OracleLine {
        OracleLine {
            oracle: "energy_ratio".into(),
            quantity: "energy, end over launch".into(),
            unit: String::new(),
            relation,
            expected: 2.0,
            obtained,
            tolerance: 0.5,
        }
    }

    #[test]
    fn an_oracle_passes_on_the_side_that_its_relation_names() {
        let table = [
            (Relation::Within, 1.5, true),
            (Relation::Within, 2.5, true),
            (Relation::Within, 1.4, false),
            (Relation::Within, 2.6, false),
            (Relation::AtLeast, 9.0, true),
            (Relation::AtLeast, 1.5, true),
            (Relation::AtLeast, 1.4, false),
            (Relation::AtMost, -9.0, true),
            (Relation::AtMost, 2.5, true),
            (Relation::AtMost, 2.6, false),
        ];
        for (relation, obtained, passed) in table {
            let line = line(relation, Some(obtained));
            assert_eq!(line.passed(), passed, "{relation:?} {obtained}");
        }
    }

    #[test]
    fn what_is_no_number_has_not_passed() {
        for relation in [Relation::Within, Relation::AtLeast, Relation::AtMost] {
            assert!(!line(relation, None).passed());
            assert!(!line(relation, Some(f64::NAN)).passed());
        }
    }
}
