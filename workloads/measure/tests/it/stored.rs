//! How often a comparison with a kept baseline errs, and what it sees: whole samplings by a
//! simulated clock, of an operation of 40 ns, in eight processes a side, minutes apart.

use std::ops::RangeInclusive;

use longrun_measure::sampling::{Sampled, SampledFacts, Settings, diagnose, sample};
use longrun_measure::stored::{Policy, RunFacts, StoredFacts, Verdict, compare};
use longrun_measure::{Probed, VirtualClock};
use longrun_protocol::receipt::Sample;
use longrun_protocol::sampling::StopRule;

use crate::draws::{Draws, SEED, each};
use crate::published::{Table, table};

/// Comparisons of each row.
const COMPARISONS: u64 = 1_000;

/// Time of one operation.
const OPERATION_NS: f64 = 40.0;

/// What a machine does to blocks, to processes and between two runs. Deviations are those of
/// logarithms of times.
#[derive(Clone, Copy)]
struct Machine {
    /// Standard deviation of blocks.
    sd: f64,
    /// Whether one block in twenty takes 30 % longer on average.
    tail: bool,
    /// Standard deviation of the level that all blocks of a process share.
    between_processes: f64,
    /// Whether every other process, by chance, takes 40 % longer.
    two_speeds: bool,
    /// Standard deviation of the level that all processes of a run share.
    between_runs: f64,
    /// Processes of a run.
    processes: usize,
}

const QUIET: Machine = Machine {
    sd: 0.01,
    tail: false,
    between_processes: 0.0,
    two_speeds: false,
    between_runs: 0.0,
    processes: 8,
};

/// A machine, and what 1,000 comparisons on it are held to.
struct Row {
    name: &'static str,
    machine: Machine,
    /// Fewest changes of 20 % that are called.
    called_min: u64,
    /// Most changes of 20 % that pass.
    missed_max: u64,
    /// Fewest passes where nothing changed.
    passes_min: u64,
    /// How many alarms there are where nothing changed.
    alarms: RangeInclusive<u64>,
}

const MACHINES: [Row; 11] = [
    Row {
        name: "1 % from block to block",
        machine: QUIET,
        called_min: COMPARISONS,
        missed_max: 0,
        passes_min: COMPARISONS,
        alarms: 0..=0,
    },
    Row {
        name: "and a long tail",
        machine: Machine {
            tail: true,
            ..QUIET
        },
        called_min: 995,
        missed_max: 0,
        passes_min: 990,
        alarms: 0..=0,
    },
    Row {
        name: "and 1 % between runs",
        machine: Machine {
            between_runs: 0.01,
            ..QUIET
        },
        called_min: COMPARISONS,
        missed_max: 0,
        passes_min: 995,
        alarms: 0..=0,
    },
    Row {
        name: "3 %, a tail, and 1 % between runs",
        machine: Machine {
            sd: 0.03,
            tail: true,
            between_runs: 0.01,
            ..QUIET
        },
        called_min: 990,
        missed_max: 0,
        passes_min: 880,
        alarms: 0..=0,
    },
    Row {
        name: "6 % from block to block",
        machine: Machine { sd: 0.06, ..QUIET },
        called_min: 0,
        missed_max: 0,
        passes_min: 400,
        alarms: 0..=0,
    },
    Row {
        name: "10 % from block to block",
        machine: Machine { sd: 0.10, ..QUIET },
        called_min: 0,
        missed_max: 0,
        passes_min: 0,
        alarms: 0..=0,
    },
    Row {
        name: "1 %, and 3 % between processes",
        machine: Machine {
            between_processes: 0.03,
            ..QUIET
        },
        called_min: 950,
        missed_max: 0,
        passes_min: 800,
        alarms: 0..=1,
    },
    Row {
        name: "1 %, and 10 % between processes",
        machine: Machine {
            between_processes: 0.10,
            ..QUIET
        },
        called_min: 0,
        missed_max: 0,
        passes_min: 0,
        alarms: 0..=1,
    },
    Row {
        name: "1 %, and processes of two speeds",
        machine: Machine {
            two_speeds: true,
            ..QUIET
        },
        called_min: 0,
        missed_max: 0,
        passes_min: 0,
        alarms: 0..=1,
    },
    // To whoever sees one process of each side, what differs between processes is a change, and can
    // hide one that there is.
    Row {
        name: "1 %, and 3 % between processes, one process a side",
        machine: Machine {
            between_processes: 0.03,
            processes: 1,
            ..QUIET
        },
        called_min: 990,
        missed_max: 5,
        passes_min: 600,
        alarms: 150..=300,
    },
    // So is what all processes of a run share.
    Row {
        name: "1 %, and 3 % between runs",
        machine: Machine {
            between_runs: 0.03,
            ..QUIET
        },
        called_min: 990,
        missed_max: 5,
        passes_min: 600,
        alarms: 150..=300,
    },
];

/// What a process does: by eight of them there is a tenth of a second of evidence.
fn settings() -> Settings {
    Settings {
        stop: StopRule::Adaptive {
            samples_min: 5,
            samples_max: 1_000,
            total_ns_min: 15_000_000,
            total_ns_max: 3_000_000_000,
        },
        ..Settings::quick()
    }
}

/// One process: planned, warmed up and sampled by what production uses.
fn process(machine: Machine, level: f64, draws: &mut Draws) -> Sampled {
    let clock = VirtualClock::new(25.0, 25);
    let mut level = level * libm::exp(machine.between_processes * draws.normal());
    if machine.two_speeds && draws.happens(0.5) {
        level *= 1.4;
    }
    let mut operation = |ops: u64| {
        let mut block = level * libm::exp(machine.sd * draws.normal());
        if machine.tail && draws.happens(0.05) {
            block *= 1.0 + 0.3 * draws.exponential();
        }
        clock.pass(ops as f64 * OPERATION_NS * block);
        Ok::<(), String>(())
    };
    sample(&settings(), &Probed::new(&clock), &mut operation).unwrap()
}

/// One run: the samples of all its processes, and what each process says.
fn run(machine: Machine, slowdown: f64, draws: &mut Draws) -> RunFacts {
    let level = slowdown * libm::exp(machine.between_runs * draws.normal());
    let processes: Vec<Sampled> = (0..machine.processes)
        .map(|_| process(machine, level, draws))
        .collect();
    let samples: Vec<Sample> = processes
        .iter()
        .flat_map(|process| process.samples.iter().copied())
        .collect();
    let facts = SampledFacts::of(&samples, &processes[0].clock);
    let median = |process: &Sampled| process.facts().statistics.unwrap().median;
    let several = processes.iter().filter(|_| machine.processes > 1);
    RunFacts {
        statistics: facts.statistics,
        process_medians_ns: several.map(median).collect(),
        warning: diagnose(&facts),
        broken_witness: None,
        fingerprint: Some("simulated".to_owned()),
    }
}

/// What both policies say of one baseline and one run.
fn compared(machine: Machine, slowdown: f64, number: u64) -> [Verdict; 2] {
    let mut draws = Draws::new(SEED ^ (number << 20));
    let baseline = StoredFacts::of(&run(machine, 1.0, &mut draws));
    let candidate = run(machine, slowdown, &mut draws);
    [Policy::Tracker, Policy::Acceptance]
        .map(|policy| compare(baseline.as_ref(), &candidate, &policy.thresholds()).verdict)
}

/// How often each verdict was reached.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    regressed: u64,
    improved: u64,
    pass: u64,
    inconclusive: u64,
    /// By the policy `acceptance`.
    accepted_regressed: u64,
}

fn tally(machine: Machine, slowdown: f64, count: u64) -> Tally {
    let mut tally = Tally::default();
    for [tracker, acceptance] in each(count, |number| compared(machine, slowdown, number)) {
        match tracker {
            Verdict::Regressed => tally.regressed += 1,
            Verdict::Improved => tally.improved += 1,
            Verdict::Pass => tally.pass += 1,
            _ => tally.inconclusive += 1,
        }
        tally.accepted_regressed += u64::from(acceptance == Verdict::Regressed);
    }
    tally
}

#[test]
fn nothing_unchanged_is_called_and_no_twenty_percent_pass_unless_runs_drift_far_apart() {
    let mut rows = Vec::new();
    for row in MACHINES {
        for (slowdown, change) in [(1.0, "none"), (1.1, "+10 %"), (1.2, "+20 %")] {
            let tally = tally(row.machine, slowdown, COMPARISONS);
            let case = format!("{}, {change}: {tally:?}", row.name);
            if change == "none" {
                let alarms = tally.regressed + tally.improved;
                assert!(row.alarms.contains(&alarms), "{case}");
                assert!(tally.pass >= row.passes_min, "{case}");
            }
            if change == "+20 %" {
                assert!(tally.regressed >= row.called_min, "{case}");
                assert!(tally.pass <= row.missed_max, "{case}");
                assert_eq!(tally.improved, 0, "{case}");
            }
            rows.push(vec![
                row.name.to_owned(),
                change.to_owned(),
                tally.regressed.to_string(),
                tally.improved.to_string(),
                tally.pass.to_string(),
                tally.inconclusive.to_string(),
                tally.accepted_regressed.to_string(),
            ]);
        }
    }
    table(Table {
        name: "stored comparisons",
        head: &[
            "noise",
            "true change",
            "regressed of 1,000",
            "improved",
            "pass",
            "inconclusive",
            "regressed by `acceptance`",
        ],
        rows,
    });
}

/// Machines on which a change of 20 % is clear.
fn quiet_machines() -> impl Iterator<Item = Row> {
    MACHINES
        .into_iter()
        .filter(|row| row.called_min > 0 && *row.alarms.end() == 0)
}

#[test]
fn an_operation_slowed_by_twenty_percent_is_regressed_in_twenty_of_twenty() {
    for row in quiet_machines() {
        let tally = tally(row.machine, 1.2, 20);
        assert_eq!(tally.regressed, 20, "{}: {tally:?}", row.name);
    }
}

#[test]
fn what_became_faster_is_improved_and_never_regressed() {
    for row in quiet_machines() {
        let tally = tally(row.machine, 0.8, COMPARISONS);
        assert!(tally.improved >= row.called_min, "{}: {tally:?}", row.name);
        assert_eq!(tally.regressed, 0, "{}: {tally:?}", row.name);
    }
}

#[test]
fn a_machine_that_is_too_noisy_is_inconclusive_and_not_quiet() {
    let noisy = Machine { sd: 0.2, ..QUIET };
    for slowdown in [1.0, 1.2] {
        let tally = tally(noisy, slowdown, COMPARISONS);
        assert!(tally.inconclusive > 990, "{tally:?}");
        assert_eq!(tally.regressed + tally.improved, 0, "{tally:?}");
    }
}
