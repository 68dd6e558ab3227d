//! What the tasks of a comparison must say: sound plans, and nothing that this worker lacks.

use longrun_protocol::duet::{CheckpointPlan, DuetPlan, Stretch};
use longrun_protocol::request::{Request, Task};

/// Most states of a preparation, and most stretches of a duet.
const STATES_MAX: u32 = 256;

/// The plan of task `checkpoint`.
pub fn preparation(request: &Request) -> Result<&CheckpointPlan, String> {
    let plan = request
        .checkpoint
        .as_ref()
        .ok_or_else(|| refusal("task `checkpoint` names no `checkpoint`"))?;
    native_only(request)?;
    let least = |key: &str, value: u64| match value {
        0 => Err(refusal(&format!(
            "`checkpoint.{key}` is 0, and it must be at least 1"
        ))),
        _ => Ok(()),
    };
    least("count", plan.count.into())?;
    least("visited", plan.visited.into())?;
    least("segment_ns", plan.segment_ns)?;
    least("process_ns", plan.process_ns)?;
    if plan.count > STATES_MAX {
        return Err(refusal(&format!(
            "`checkpoint.count` is {}, and it must be at most {STATES_MAX}",
            plan.count
        )));
    }
    Ok(plan)
}

/// The plan of task `duet`.
pub fn duet(request: &Request) -> Result<&DuetPlan, String> {
    let plan = request
        .duet
        .as_ref()
        .ok_or_else(|| refusal("task `duet` names no `duet`"))?;
    native_only(request)?;
    if plan.blocks > 0 || plan.stretches.is_empty() {
        return Err(refusal(
            "it asks for a duet of blocks; a propagation has states and stretches, which task \
             `checkpoint` prepares",
        ));
    }
    if plan.states.is_none() || plan.states_sha256.is_none() {
        return Err(refusal(
            "a duet of stretches needs `states` and `states_sha256`; task `checkpoint` makes both",
        ));
    }
    if plan.stretches.len() > STATES_MAX as usize {
        return Err(refusal(&format!(
            "it visits {} stretches, and {STATES_MAX} are the most",
            plan.stretches.len()
        )));
    }
    plan.stretches.iter().try_for_each(stretch)?;
    Ok(plan)
}

/// A plan that no task of this request uses.
pub fn unused(request: &Request) -> Result<(), String> {
    let refuse = |key: &str| {
        Err(refusal(&format!(
            "`{key}` is given for another task than `{key}`"
        )))
    };
    if request.checkpoint.is_some() && request.task != Task::Checkpoint {
        return refuse("checkpoint");
    }
    if request.duet.is_some() && request.task != Task::Duet {
        return refuse("duet");
    }
    Ok(())
}

fn native_only(request: &Request) -> Result<(), String> {
    if request.configuration.engine.needs_library() {
        return Ok(());
    }
    Err(refusal(&format!(
        "a duet compares two native libraries, and engine `{}` uses none; compare whole runs in \
         pairs of processes",
        request.configuration.engine
    )))
}

fn stretch(stretch: &Stretch) -> Result<(), String> {
    let planes = &stretch.planes_m;
    if planes.len() < 2 || !planes.len().is_multiple_of(2) {
        return Err(refusal(&format!(
            "the stretch at {} m has {} segments; it must be an even number, at least 2",
            stretch.z_m,
            planes.len()
        )));
    }
    let marks = [&[stretch.z_m, stretch.warm_up_m], planes.as_slice()].concat();
    if marks.iter().all(|mark| mark.is_finite()) && marks.is_sorted_by(|a, b| a < b) {
        return Ok(());
    }
    Err(refusal(&format!(
        "in the stretch at {} m, state, end of the warm-up and planes do not follow one another",
        stretch.z_m
    )))
}

fn refusal(what: &str) -> String {
    format!("failed to serve the request: {what}")
}
