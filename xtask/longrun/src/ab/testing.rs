//! Made comparisons for tests.

use std::collections::BTreeMap;

use longrun_protocol::duet::{Segment, SegmentSide, Side, StretchReport};
use longrun_protocol::receipt::{Resolved, Sample};
use longrun_protocol::registry::Metric;
use longrun_protocol::{Configuration, Engine, Size, Width};

use crate::ab::kept::record::{
    ArmRecord, BuildDifference, Compared, Header, MachineRecord, Observation, Options, Outcome,
    PairSide, Phase, SCHEMA, SCHEMA_VERSION, Standing,
};
use crate::cli::ab::{Harness, Mode};

/// Time of a segment of the baseline, ns.
const SEGMENT_NS: f64 = 2e6;

/// A comparison of these cases, in duets.
pub fn header(cases: &[&str]) -> Header {
    Header {
        schema: SCHEMA.to_owned(),
        schema_version: SCHEMA_VERSION,
        run_id: "20260101T000000Z-abcdef0-1234".to_owned(),
        date: "2026-01-01T00:00:00Z".to_owned(),
        baseline: arm("HEAD~1", 'a'),
        candidate: arm("working tree", 'b'),
        build_difference: BuildDifference {
            same: false,
            reasons: vec!["1 native file changed".to_owned()],
        },
        machine: MachineRecord {
            slug: "made-1s-2c".to_owned(),
            cpu_model: Some("Made CPU".to_owned()),
            signature: "f".to_owned(),
            platform: "linux x86_64".to_owned(),
        },
        options: Options {
            mode: Mode::Duet,
            workers: Harness::Candidate,
            alpha: 0.01,
            rounds: None,
            max_time_s: 900.0,
            seed: 7,
            pin: false,
            length: 1.0,
            threading: "passive".to_owned(),
            confirm: None,
            gate: false,
            aa: None,
        },
        configurations: cases.iter().map(|case| compared(case)).collect(),
    }
}

fn arm(revision: &str, digit: char) -> ArmRecord {
    ArmRecord {
        revision: revision.to_owned(),
        commit: digit.to_string().repeat(40),
        dirty: false,
        subject: "Change the loop".to_owned(),
        version: Some("0.1.0".to_owned()),
        build_key: Some(digit.to_string().repeat(12)),
        workers: BTreeMap::from([("optics".to_owned(), "c".repeat(12))]),
        toolchain: BTreeMap::from([("compiler".to_owned(), "gcc 13".to_owned())]),
    }
}

/// A configuration that can be compared, judged by CPU time.
pub fn compared(case: &str) -> Compared {
    Compared {
        configuration: Configuration {
            suite: "tracking".to_owned(),
            case: case.to_owned(),
            size: Size::Full,
            revision: 1,
            engine: Engine::Native,
            stepper: "default".to_owned(),
            variant: String::new(),
            width: Width::Threads(1),
        },
        renamed_from: None,
        standing: Standing::Comparable,
        mode: Mode::Duet,
        metric: Metric::Cpu,
        margin: 0.01,
        observations_max: 80,
        revision_bound: 1e-6,
        step_tolerance: 0.02,
        chaotic: false,
        observation_s: Some(0.2),
        known_sd: None,
        calibration: None,
    }
}

/// An observation of configuration `configuration`.
pub fn observation(
    configuration: usize,
    phase: Phase,
    round: u32,
    outcome: Outcome,
) -> Observation {
    Observation {
        configuration,
        comparison: 0,
        phase,
        round,
        seed: u64::from(round) << 40 | 9,
        first: Side::Baseline,
        at_s: f64::from(round) * 0.25,
        took_s: 0.2,
        busy: Some(false),
        outcome,
    }
}

/// A time of `ns`, by both clocks.
pub fn sample(ns: f64) -> Sample {
    // Times in tests are far below 2^53 ns and above zero.
    let ns = ns.round() as u64;
    Sample {
        interval_ns: ns,
        cpu_ns: Some(ns),
        ops: 1,
        usage: None,
    }
}

/// A duet process in which the candidate takes `ratio` times as long.
pub fn duet(ratio: f64) -> Outcome {
    duet_of(ratio, 1e-15, (3, 3))
}

/// The same, with the difference of the states and the steps of each segment.
pub fn duet_of(ratio: f64, relative_l2: f64, accepted: (u64, u64)) -> Outcome {
    let side = |ns: f64, accepted| SegmentSide {
        sample: sample(ns),
        accepted: Some(accepted),
        evaluations: Some(accepted * 6),
    };
    let segment = |at: u32| Segment {
        first: if at.is_multiple_of(2) {
            Side::Baseline
        } else {
            Side::Candidate
        },
        baseline: side(SEGMENT_NS, accepted.0),
        candidate: side(SEGMENT_NS * ratio, accepted.1),
        relative_l2: Some(relative_l2),
    };
    let stretch = |checkpoint| StretchReport {
        checkpoint: Some(checkpoint),
        segments: (0..10).map(segment).collect(),
    };
    Outcome::Duet {
        first_segment: Side::Baseline,
        stretches: vec![stretch(0), stretch(5)],
        resolved: Some(resolved("rk")),
    }
}

/// What a configuration resolved to.
pub fn resolved(integrator: &str) -> Resolved {
    Resolved {
        integrator: integrator.to_owned(),
        tolerances: BTreeMap::from([("rtol".to_owned(), 1e-6)]),
        noise_model: "none".to_owned(),
        seed: None,
        threads: 1,
    }
}

/// A pair of processes in which the candidate takes `ratio` times as long.
pub fn pair(ratio: f64) -> Outcome {
    Outcome::Pair {
        baseline: Box::new(pair_side(1e9)),
        candidate: Box::new(pair_side(1e9 * ratio)),
        relative_l2: Some(1e-15),
    }
}

/// A process of a pair.
pub fn pair_side(ns: f64) -> PairSide {
    PairSide {
        sample: sample(ns),
        resolved: Some(resolved("rk")),
        accepted: Some(1000),
        evaluations: Some(6000),
        iterations: None,
        converged: None,
        digest: None,
    }
}

/// Observations of one configuration: a process for each ratio, from round `begin` on.
pub fn series(configuration: usize, phase: Phase, begin: u32, ratios: &[f64]) -> Vec<Observation> {
    let numbered = (begin..).zip(ratios);
    numbered
        .map(|(round, ratio)| observation(configuration, phase, round, duet(*ratio)))
        .collect()
}

/// `count` ratios about `ratio`, spread by `spread` to both sides in turn.
pub fn about(ratio: f64, spread: f64, count: u32) -> Vec<f64> {
    let offsets = [0.3, -1.0, 0.9, -0.4, 0.1, -0.7, 1.0, -0.2, 0.6, -0.6];
    let cycled = offsets.iter().cycle().take(count as usize);
    cycled
        .map(|offset| ratio * (1.0 + spread * offset))
        .collect()
}
