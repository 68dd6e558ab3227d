//! What a duet process is asked, and whether it did that. Pure.

use std::path::PathBuf;

use longrun_measure::paired::DuetOrder;
use longrun_protocol::Receipt;
use longrun_protocol::duet::{CheckpointPlan, CheckpointReport, DuetPlan, Side, StretchReport};
use longrun_protocol::registry::Metric;
use longrun_protocol::request::{BlockPlan, Library, Request, Task};

use crate::ab::rounds::session::Wanted;

/// States that a preparation keeps, at equal shares of the run's evaluations.
const CHECKPOINTS: u32 = 16;

/// Stretches that one process visits at most, one from each quarter of the guide.
const VISITED: u32 = 4;

/// Least time of a segment: shorter ones pay 1 % and more for the other side's use of the caches
/// (`docs/statistics.md`).
pub const SEGMENT_NS: u64 = 1_000_000;

/// Time of all segments of a process. Memory is placed once per process, so that more processes see
/// more than longer ones.
pub const PROCESS_NS: u64 = 200_000_000;

/// Least blocks of each side in a process.
const BLOCKS_MIN: u64 = 8;

/// Most blocks of each side in a process.
const BLOCKS_MAX: u64 = 1_000;

/// What a preparation found, and every duet of the configuration goes by.
#[derive(Clone, Debug, PartialEq)]
pub enum Score {
    /// States along the guide.
    States {
        /// File of the states.
        file: PathBuf,
        /// What is in it.
        report: CheckpointReport,
    },
    /// Blocks of sampled work.
    Blocks {
        /// Operations of every block.
        ops: u64,
        /// Blocks of each side.
        blocks: u32,
    },
}

/// What a preparation of states is asked for.
pub fn checkpoint_plan(file: PathBuf) -> CheckpointPlan {
    CheckpointPlan {
        file,
        count: CHECKPOINTS,
        visited: VISITED,
        segment_ns: SEGMENT_NS,
        process_ns: PROCESS_NS,
    }
}

impl Score {
    /// The score of blocks that last `interval_ns` each.
    pub fn of_blocks(ops: u64, interval_ns: u64) -> Score {
        let both = interval_ns.max(1).saturating_mul(2);
        let blocks = (PROCESS_NS / both).clamp(BLOCKS_MIN, BLOCKS_MAX);
        // An even number, so that each side goes first in half of them.
        let blocks = u32::try_from(blocks.next_multiple_of(2)).unwrap_or(u32::MAX - 1);
        Score::Blocks { ops, blocks }
    }

    /// Makes `request`, which has the configuration, a duet of the baseline's library with the
    /// candidate's.
    pub fn request(
        &self,
        request: Request,
        [baseline, candidate]: [Library; 2],
        wanted: &Wanted,
    ) -> Request {
        let DuetOrder {
            created_first,
            first,
        } = wanted.orders.duet(wanted.round);
        let mut plan = DuetPlan {
            candidate,
            created_first,
            first,
            states: None,
            states_sha256: None,
            stretches: Vec::new(),
            blocks: 0,
        };
        let mut block_plan = None;
        match self {
            Score::States { file, report } => {
                let visited = usize::try_from(report.visited).unwrap_or(1);
                let count = report.stretches.len();
                let visits = wanted.orders.visits(wanted.round, count, visited);
                let stretches = visits
                    .iter()
                    .filter_map(|index| report.stretches.get(*index));
                plan.stretches = stretches.cloned().collect();
                plan.states = Some(file.clone());
                plan.states_sha256 = Some(report.sha256.clone());
            }
            Score::Blocks { ops, blocks } => {
                plan.blocks = *blocks;
                block_plan = Some(BlockPlan::Frozen { ops: *ops });
            }
        }
        Request {
            task: Task::Duet,
            library: Some(baseline),
            duet: Some(plan),
            block_plan,
            stop: None,
            ..request
        }
    }
}

/// Why a preparation is of no use, if it is not.
pub fn unusable(report: &CheckpointReport) -> Option<String> {
    if report.stretches.is_empty() {
        return Some("it laid down no stretch: the run is too short for a duet".to_owned());
    }
    if report.visited == 0 {
        return Some("it says that a process visits no stretch".to_owned());
    }
    for (index, stretch) in report.stretches.iter().enumerate() {
        let planes = &stretch.planes_m;
        let number = index + 1;
        if planes.is_empty() || planes.len() % 2 != 0 {
            let count = planes.len();
            return Some(format!(
                "stretch {number} has {count} segments, not an even number"
            ));
        }
        let mut positions = vec![stretch.z_m, stretch.warm_up_m];
        positions.extend(planes);
        let forward = |two: &[f64]| two[0] <= two[1];
        let finite = positions.iter().all(|position| position.is_finite());
        if !finite || !positions.windows(2).all(forward) {
            return Some(format!(
                "the positions of stretch {number} do not go forward"
            ));
        }
    }
    None
}

/// What a duet process measured, if it did what `request` asks and says what the `metric` needs.
pub fn measured(
    request: &Request,
    receipt: &Receipt,
    metric: Metric,
) -> Result<Vec<StretchReport>, String> {
    let (Some(plan), Some(report)) = (&request.duet, &receipt.duet) else {
        return Err("the receipt has no duet".to_owned());
    };
    let ran = report.candidate.as_ref().map(|library| &library.build_key);
    if ran != Some(&plan.candidate.build_key) {
        let ran = ran.map_or("an unknown one".to_owned(), |key| format!("{key:.12}"));
        let asked = &plan.candidate.build_key;
        return Err(format!(
            "the worker ran the candidate's library {ran} and not {asked:.12}"
        ));
    }
    if report.created_first != plan.created_first {
        return Err("the engines were not created in the order that was asked for".to_owned());
    }
    let asked = asked_segments(plan);
    let visited: Vec<(Option<u32>, usize)> = report
        .stretches
        .iter()
        .map(|stretch| (stretch.checkpoint, stretch.segments.len()))
        .collect();
    if visited != asked {
        return Err(format!(
            "the receipt has segments {visited:?} of stretches and not {asked:?}"
        ));
    }
    let mut turn = plan.first;
    let segments = report
        .stretches
        .iter()
        .flat_map(|stretch| &stretch.segments);
    for (index, segment) in segments.enumerate() {
        let number = index + 1;
        if segment.first != turn {
            return Err(format!(
                "the sides did not take turns before segment {number}"
            ));
        }
        turn = turn.other();
        if let Some(distance) = segment.relative_l2.filter(|distance| *distance < 0.0) {
            return Err(format!(
                "the states after segment {number} are {distance} apart, which is no distance"
            ));
        }
        for (side, half) in [
            (Side::Baseline, &segment.baseline),
            (Side::Candidate, &segment.candidate),
        ] {
            let sample = &half.sample;
            if sample.interval_ns == 0 || sample.ops == 0 {
                let side = side.as_str();
                return Err(format!("segment {number} of the {side} has no time"));
            }
            if metric == Metric::Cpu && sample.cpu_ns.is_none() {
                let side = side.as_str();
                return Err(format!("segment {number} of the {side} has no CPU time"));
            }
        }
    }
    Ok(report.stretches.clone())
}

/// Checkpoint and number of segments of each stretch that the plan asks for.
fn asked_segments(plan: &DuetPlan) -> Vec<(Option<u32>, usize)> {
    if plan.blocks > 0 {
        return vec![(None, usize::try_from(plan.blocks).unwrap_or(usize::MAX))];
    }
    let stretches = plan.stretches.iter();
    let asked = stretches.map(|stretch| (Some(stretch.checkpoint), stretch.planes_m.len()));
    asked.collect()
}

/// The side that a worker's message names, where it names one and not the other.
pub fn side_in(message: &str) -> Option<Side> {
    let [baseline, candidate] = Side::BOTH.map(|side| message.contains(side.as_str()));
    match (baseline, candidate) {
        (true, false) => Some(Side::Baseline),
        (false, true) => Some(Side::Candidate),
        _ => None,
    }
}

#[cfg(test)]
#[path = "duet_tests.rs"]
mod tests;
