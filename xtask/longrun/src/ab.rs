//! `ab`: two builds, observed in pairs, and a verdict that states its own false-alarm rate.
//!
//! Everything that can be known before something is built is said first, with what it will cost.
//! Then both sides are built and their builds compared; what is one build is not timed. Every
//! observation is on disk before the next is made, and verdicts are functions of that file.

pub mod calibration;
pub mod comparison;
pub mod cost;
pub mod kept;
pub mod report;
pub mod rounds;
pub mod sides;
pub mod verdicts;

#[cfg(test)]
pub mod made;

#[cfg(test)]
pub mod testing;

use crate::cli::ab::AbArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::interrupt::Interrupt;
use crate::list::current_folder;
use crate::output;
use crate::project::Project;
use crate::run::writable;
use comparison::Comparison;
use kept::stored::Earlier;
use report::{Strictness, replay};
use sides::ground::Ground;

/// Runs `ab`.
pub fn run(args: &AbArgs) -> Outcome<Exit> {
    if let Some(path) = &args.replay {
        return replay::run(path, Strictness::of(args.strict), args.json);
    }
    let interrupt = Interrupt::watch()?;
    let project = Project::find(&current_folder()?)?;
    let earlier = match &args.resume {
        Some(wanted) => Some(Earlier::open(&project, args, wanted)?),
        None => None,
    };
    let args = &earlier
        .as_ref()
        .map_or_else(|| args.clone(), |(_, then)| then.arguments(args));
    // Before anything is checked out: a folder that cannot be written costs nothing.
    writable::check(&kept::stored::folder(&project, args)?)?;
    let ground = interrupt.wins_over(Ground::survey(project, args, &interrupt))?;
    if args.dry_run {
        show_cost(&ground, args)?;
        return Ok(Exit::Success);
    }
    output::note(ground.cost.to_text().trim_end());
    let comparison = match earlier {
        Some(earlier) => Comparison::of_earlier(earlier),
        None => Comparison::begin(&ground, args)?,
    };
    comparison.make(&ground, args, &interrupt)
}

/// Prints what a comparison would cost.
fn show_cost(ground: &Ground, args: &AbArgs) -> Outcome<()> {
    match args.json {
        true => output::print(&format!("{}\n", ground.cost.to_json(&ground.arms))),
        false => output::print(&ground.cost.to_text()),
    }
}
