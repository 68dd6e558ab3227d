//! How often a comparison with a kept baseline errs, and what it sees: whole samplings by a
//! simulated clock, of an operation of 40 ns, minutes apart.

use std::ops::RangeInclusive;

use longrun_measure::sampling::{Sampled, Settings, diagnose, sample};
use longrun_measure::stored::{Policy, RunFacts, StoredFacts, Verdict, compare};
use longrun_measure::{Probed, VirtualClock};

use crate::draws::{Draws, SEED, each};
use crate::published::{Table, table};

/// Comparisons of each row.
const COMPARISONS: u64 = 1_000;

/// Time of one operation.
const OPERATION_NS: f64 = 40.0;

/// What a machine does to blocks, and between two runs.
#[derive(Clone, Copy)]
struct Machine {
    /// Standard deviation of the logarithm of a block's time.
    sd: f64,
    /// Whether one block in twenty takes 30 % longer on average.
    tail: bool,
    /// By how much the level of a whole run is off, as the standard deviation of its logarithm.
    drift: f64,
}

const QUIET: Machine = Machine {
    sd: 0.01,
    tail: false,
    drift: 0.0,
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

const MACHINES: [Row; 7] = [
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
        called_min: COMPARISONS,
        missed_max: 0,
        passes_min: COMPARISONS,
        alarms: 0..=0,
    },
    Row {
        name: "and 1 % between runs",
        machine: Machine {
            drift: 0.01,
            ..QUIET
        },
        called_min: COMPARISONS,
        missed_max: 0,
        passes_min: 980,
        alarms: 0..=0,
    },
    Row {
        name: "3 %, a tail, and 1 % between runs",
        machine: Machine {
            sd: 0.03,
            tail: true,
            drift: 0.01,
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
    // What differs between runs is a change to whoever sees one run of each, and can hide one that
    // there is.
    Row {
        name: "1 %, and 3 % between runs",
        machine: Machine {
            drift: 0.03,
            ..QUIET
        },
        called_min: 990,
        missed_max: 5,
        passes_min: 600,
        alarms: 150..=300,
    },
];

/// One run: planned, warmed up and sampled by what production uses, at the quick settings.
fn run(machine: Machine, slowdown: f64, draws: &mut Draws) -> Sampled {
    let clock = VirtualClock::new(25.0, 25);
    let level = slowdown * libm::exp(machine.drift * draws.normal());
    let mut operation = |ops: u64| {
        let mut block = level * libm::exp(machine.sd * draws.normal());
        if machine.tail && draws.happens(0.05) {
            block *= 1.0 + 0.3 * draws.exponential();
        }
        clock.pass(ops as f64 * OPERATION_NS * block);
        Ok::<(), String>(())
    };
    sample(&Settings::quick(), &Probed::new(&clock), &mut operation).unwrap()
}

fn facts(sampled: &Sampled) -> RunFacts {
    let facts = sampled.facts();
    RunFacts {
        statistics: facts.statistics,
        warning: diagnose(&facts),
        broken_witness: None,
        fingerprint: Some("simulated".to_owned()),
    }
}

/// What both policies say of one baseline and one run.
fn compared(machine: Machine, slowdown: f64, number: u64) -> [Verdict; 2] {
    let mut draws = Draws::new(SEED ^ (number << 20));
    let baseline = StoredFacts::of(&facts(&run(machine, 1.0, &mut draws)));
    let candidate = facts(&run(machine, slowdown, &mut draws));
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
