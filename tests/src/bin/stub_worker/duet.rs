//! The tasks `checkpoint` and `duet` of the stub worker.
//!
//! Steps are laid down: a stretch has eight segments of ten steps. What the sides' states come to
//! are the words `result` of their libraries. It also holds the program to what a duet may count
//! on: fresh copies under paths of one length, and the states that were prepared.

use std::fs;
use std::path::Path;

use longrun_protocol::duet::{
    CheckpointReport, DuetPlan, DuetReport, Segment, SegmentSide, Side, Stretch, StretchReport,
};
use longrun_protocol::request::BlockPlan;
use longrun_protocol::{Receipt, Request};

use crate::clock::{Clock, Cost};
use crate::library::Made;
use crate::{Loaded, Outcome};

/// What is kept of states.
const STATES: &str = "states of the stub worker\n";

/// SHA-256 of [`STATES`].
const STATES_SHA256: &str = "c33a48262cb2147a72c9ea5fdb69accdfc1791fa886dfa781ac1257d89f5d5e3";

/// Length of the guide, m.
const GUIDE_M: f64 = 1.0;

/// Segments of a stretch.
const SEGMENTS: u32 = 8;

/// Steps that a side takes in a segment, where its library says nothing else.
const STEPS: f64 = 10.0;

/// Keeps states at equal shares of the guide.
pub fn prepare(request: &Request) -> Outcome<CheckpointReport> {
    let plan = request.checkpoint.as_ref().ok_or("there is no plan")?;
    let temporary = plan.file.with_extension("partial");
    fs::write(&temporary, STATES)?;
    fs::rename(&temporary, &plan.file)?;
    let share_m = GUIDE_M / f64::from(plan.count);
    let stretch = |checkpoint| {
        let z_m = f64::from(checkpoint) * share_m;
        // The first tenth of a share is the warm-up; the segments share the rest.
        let plane = |index| z_m + share_m * (0.1 + 0.9 * f64::from(index) / f64::from(SEGMENTS));
        Stretch {
            checkpoint,
            z_m,
            warm_up_m: plane(0),
            planes_m: (1..=SEGMENTS).map(plane).collect(),
        }
    };
    Ok(CheckpointReport {
        sha256: STATES_SHA256.to_owned(),
        stretches: (0..plan.count).map(stretch).collect(),
        visited: plan.visited,
        step_ns: plan.segment_ns / 10,
        run_ns: plan.process_ns,
        accepted: 1000,
        evaluations: 7000,
    })
}

/// One side as it plays.
struct Player {
    cost: Cost,
    steps: u64,
    result: f64,
}

/// Takes the segments of both sides in turn.
pub fn play(request: &Request, loaded: &Loaded, mut clock: Clock) -> Outcome<DuetReport> {
    let plan = request.duet.as_ref().ok_or("there is no plan")?;
    check(request, plan)?;
    let (Some(baseline), Some(candidate)) = (&loaded.baseline, &loaded.candidate) else {
        return Err("a duet has two libraries".into());
    };
    let mut player = |made: &Made| -> Outcome<Player> {
        Ok(Player {
            cost: clock.cost(Some(made))?,
            steps: made.number("steps", STEPS)? as u64,
            result: made.number("result", 0.0)?,
        })
    };
    let players = [player(baseline)?, player(candidate)?];
    let mut first = plan.first;
    let mut segment = |ops: u64, stepped: bool| {
        let mut taken = |side: Side, second: bool| {
            let player = match side {
                Side::Baseline => &players[0],
                Side::Candidate => &players[1],
            };
            SegmentSide {
                sample: clock.sample(&player.cost, ops, second),
                accepted: stepped.then_some(player.steps),
                evaluations: stepped.then_some(7 * player.steps),
            }
        };
        let one = taken(first, false);
        let other = taken(first.other(), true);
        let (baseline, candidate) = match first {
            Side::Baseline => (one, other),
            Side::Candidate => (other, one),
        };
        let played = Segment {
            first,
            baseline,
            candidate,
            relative_l2: stepped.then_some((players[1].result - players[0].result).abs()),
        };
        first = first.other();
        played
    };
    let mut stretches: Vec<StretchReport> = Vec::new();
    for stretch in &plan.stretches {
        stretches.push(StretchReport {
            checkpoint: Some(stretch.checkpoint),
            segments: stretch.planes_m.iter().map(|_| segment(1, true)).collect(),
        });
    }
    if let Some(ops) = blocks(request, plan)? {
        stretches.push(StretchReport {
            checkpoint: None,
            segments: (0..plan.blocks).map(|_| segment(ops, false)).collect(),
        });
    }
    Ok(DuetReport {
        candidate: Some(candidate.report.clone()),
        candidate_wisdom: None,
        created_first: plan.created_first,
        stretches,
    })
}

/// Behaviours that are a sound duet with something else in it. A preparation is sound.
pub fn falsify(behaviour: &str, receipt: &mut Receipt) -> Outcome<()> {
    let Some(duet) = &mut receipt.duet else {
        return match behaviour.starts_with("duet_") {
            true => Ok(()),
            false => Err(format!("unknown behaviour `{behaviour}`").into()),
        };
    };
    let stretch = duet.stretches.last_mut().ok_or("there is no stretch")?;
    let segment = stretch.segments.last_mut().ok_or("there is no segment")?;
    match behaviour {
        "duet_created" => duet.created_first = duet.created_first.other(),
        "duet_turns" => segment.first = segment.first.other(),
        "duet_zero" => segment.candidate.sample.interval_ns = 0,
        "duet_no_cpu" => segment.candidate.sample.cpu_ns = None,
        "duet_negative" => segment.relative_l2 = Some(-1.0),
        "duet_short" => stretch.segments.truncate(2),
        "duet_elsewhere" => stretch.checkpoint = Some(99),
        "duet_alone" => duet.candidate = None,
        other => return Err(format!("unknown behaviour `{other}`").into()),
    }
    Ok(())
}

/// Operations of a block, for sampled work.
fn blocks(request: &Request, plan: &DuetPlan) -> Outcome<Option<u64>> {
    match (plan.blocks, request.block_plan) {
        (0, _) => Ok(None),
        (_, Some(BlockPlan::Frozen { ops })) => Ok(Some(ops)),
        _ => Err("blocks in a duet have a frozen size".into()),
    }
}

/// What the program owes to a duet.
fn check(request: &Request, plan: &DuetPlan) -> Outcome<()> {
    let baseline = request.library.as_ref().ok_or("there is no baseline")?;
    let (one, other) = (&baseline.path, &plan.candidate.path);
    let length = |path: &Path| path.as_os_str().len();
    if one == other || length(one) != length(other) {
        return Err("the libraries are not two files under paths of one length".into());
    }
    let cached = |path: &Path| path.components().any(|part| part.as_os_str() == "native");
    if cached(one) || cached(other) {
        return Err("the libraries are not fresh copies".into());
    }
    if plan.stretches.is_empty() == (plan.blocks == 0) {
        return Err("a duet has stretches or blocks".into());
    }
    if let Some(states) = &plan.states
        && (fs::read_to_string(states)? != STATES
            || plan.states_sha256.as_deref() != Some(STATES_SHA256))
    {
        return Err("the states are not those that were prepared".into());
    }
    if plan.states.is_none() && !plan.stretches.is_empty() {
        return Err("stretches begin at states".into());
    }
    Ok(())
}
