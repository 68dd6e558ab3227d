//! Duets: one process that loads two libraries and alternates segments of the same work.
//!
//! A preparation (task `checkpoint`) runs the guide once with the baseline's library, keeps states
//! at equal shares of the run's evaluations, and lays down the segments that follow each of them. A
//! duet process (task `duet`) starts at some of these states and takes the segments with both
//! libraries in turn. Sampled work has no states: its one stretch is a series of equal blocks.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::receipt::{LibraryReport, Sample, WisdomReport};
use crate::request::Library;

/// One of the two sides of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// What is compared with.
    Baseline,
    /// What is judged.
    Candidate,
}

impl Side {
    /// Both, baseline first.
    pub const BOTH: [Side; 2] = [Side::Baseline, Side::Candidate];

    /// The other one.
    pub fn other(self) -> Side {
        match self {
            Side::Baseline => Side::Candidate,
            Side::Candidate => Side::Baseline,
        }
    }

    /// Its place in what holds something of each side, baseline first.
    pub fn index(self) -> usize {
        match self {
            Side::Baseline => 0,
            Side::Candidate => 1,
        }
    }

    /// The word in files and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Side::Baseline => "baseline",
            Side::Candidate => "candidate",
        }
    }
}

/// What task `checkpoint` is to prepare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CheckpointPlan {
    /// File for the states, written whole or not at all.
    pub file: PathBuf,
    /// States to keep, at equal shares of the run's evaluations; fewer where the run is too short.
    pub count: u32,
    /// Stretches that one duet process is to visit at most.
    pub visited: u32,
    /// Least time of a segment of one side, ns; a segment has one accepted step at least.
    pub segment_ns: u64,
    /// Wanted time of all segments of a duet process, both sides together, ns.
    pub process_ns: u64,
}

/// One stretch of the guide: a state, and the segments that follow it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Index of its state in the file.
    pub checkpoint: u32,
    /// Position of the state, m.
    pub z_m: f64,
    /// Where the untimed steps after the restart end, m.
    pub warm_up_m: f64,
    /// Where each segment ends, m: half-way between two steps of the preparation, so that rounding
    /// does not decide how many steps a segment has. An even number, at least 2.
    pub planes_m: Vec<f64>,
}

/// What task `checkpoint` prepared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckpointReport {
    /// SHA-256 of the file of states, in hexadecimal.
    pub sha256: String,
    /// The stretches, in the order of the guide; each stands for an equal share of the run.
    pub stretches: Vec<Stretch>,
    /// Stretches that one duet process is to visit: fewer than were asked for where their warm-ups
    /// would take more of its time than they are worth.
    pub visited: u32,
    /// Median time of one accepted step of the complete run, ns.
    pub step_ns: u64,
    /// Wall time of all steps of the complete run, ns.
    pub run_ns: u64,
    /// Accepted steps of the complete run.
    pub accepted: u64,
    /// Source evaluations of the complete run.
    pub evaluations: u64,
}

/// What task `duet` is to do. The baseline's library is the request's `library`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DuetPlan {
    /// The candidate's library; another file than the baseline's, also where the code is the same.
    pub candidate: Library,
    /// Side whose engine is created first.
    pub created_first: Side,
    /// Side that takes the first segment of the first stretch. Sides then take turns in going first
    /// (A B, B A, A B, …), within a stretch and from one stretch to the next.
    pub first: Side,
    /// File of states of the preparation; absent for sampled work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<PathBuf>,
    /// SHA-256 that the file must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states_sha256: Option<String>,
    /// Stretches to visit, in this order; empty for sampled work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stretches: Vec<Stretch>,
    /// Blocks of each side for sampled work, an even number; 0 otherwise. Operations per block are
    /// those of the request's frozen block plan.
    #[serde(default)]
    pub blocks: u32,
}

/// One side of one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SegmentSide {
    /// Its time; `ops` is 1, or the operations of a block.
    pub sample: Sample,
    /// Steps accepted in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<u64>,
    /// Source evaluations in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<u64>,
}

/// The same segment, taken by both sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Segment {
    /// Side that went first.
    pub first: Side,
    /// The baseline's.
    pub baseline: SegmentSide,
    /// The candidate's.
    pub candidate: SegmentSide,
    /// Relative L2 difference of the two states after it; where the sides have stepped to different
    /// positions, of the spectral amplitudes at its end. Absent where there is no state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative_l2: Option<f64>,
}

/// One visited stretch, or all blocks of sampled work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StretchReport {
    /// Index of its state; absent for sampled work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<u32>,
    /// Its segments, in the order in which they were taken.
    pub segments: Vec<Segment>,
}

/// What a duet process did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DuetReport {
    /// The candidate's library; the baseline's is the receipt's `library`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<LibraryReport>,
    /// Side whose engine was created first.
    pub created_first: Side,
    /// Where the FFT plans of the candidate came from; those of the baseline are the receipt's
    /// `wisdom`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate_wisdom: Option<WisdomReport>,
    /// What was visited, in order.
    pub stretches: Vec<StretchReport>,
}
