//! Going on with an earlier run: what of it stands, and whether the rest may be added.
//!
//! A run is one set of measurements of one thing. Its plan, the definitions of its cases, the
//! machine, the native build and the workers must be what they were; the commit may be another
//! one with the same content. What is complete is kept, after its receipt was judged again; all
//! else is run again. Nothing of the earlier run is removed.

use std::path::Path;
use std::time::SystemTime;

use serde_json::Value;

use super::context::{self, Options, PlanFile};
use super::execution::Past;
use super::results::ConfigurationResult;
use super::{Ground, Started};
use crate::cli::TrackArgs;
use crate::failure::{Failure, Outcome};
use crate::list::current_folder;
use crate::native::NativeBuild;
use crate::output;
use crate::project::Project;
use crate::run::bundle::{Bundle, Place};
use crate::run::family;
use crate::run::judge::ResultStatus;
use crate::run::launch::{Common, judge_again};
use crate::run::plan::PlanItem;
use crate::text;
use crate::workers::Workers;

/// An earlier run that is to be finished.
pub struct Earlier {
    bundle: Bundle,
    plan: PlanFile,
    began: SystemTime,
    lines: Vec<ConfigurationResult>,
}

impl Earlier {
    /// Finds the run that `wanted` names, and holds it: from now on nobody else can.
    pub fn open(project: &Project, args: &TrackArgs, wanted: &str) -> Outcome<Earlier> {
        let runs = match &args.out {
            Some(folder) => current_folder()?.join(folder),
            None => project.work().join("runs"),
        };
        let mut bundle = Bundle::open(&runs, wanted)?;
        let plan = PlanFile::read(&bundle)?;
        Ok(Earlier {
            began: plan.began()?,
            lines: results(&mut bundle)?,
            plan,
            bundle,
        })
    }

    /// What was chosen then, with what was chosen now.
    pub fn arguments(&self, now: &TrackArgs) -> TrackArgs {
        let then = self.plan.options.clone();
        TrackArgs {
            selection: then.selection,
            instance_type: then.instance_type,
            keep_state: then.keep_state,
            timeout: now.timeout.or(then.timeout_s),
            ..now.clone()
        }
    }

    /// Goes on, if the plan and the machine are what they were.
    pub fn go_on(self, ground: &Ground, args: &TrackArgs) -> Outcome<Started> {
        let now = context::planned(ground, &Options::of(args))?;
        let mut differences = context::plan_differences(&self.plan.configurations, &now);
        let path = self.bundle.folder.join("machine.json");
        let machine = serde_json::to_value(&ground.machine)
            .map_err(|e| Failure::failed(format!("failed to describe the machine: {e}")))?;
        // Where it is absent, the run was killed before it had measured anything.
        if let Some(then) = context::read_json::<Value>(&path)? {
            differences.extend(context::machine_differences(&then, &machine));
        }
        same(&self.bundle, &differences)?;
        let left = family::end_leftovers(&self.bundle.run_id);
        if left > 0 {
            let ended = text::counted(left, "process");
            output::note(format!(
                "note: {ended} that this run had left behind: ended"
            ));
        }
        Ok(Started {
            bundle: self.bundle,
            began: self.began,
            lines: self.lines,
        })
    }
}

/// The results that a bundle holds, in the order in which they were made.
fn results(bundle: &mut Bundle) -> Outcome<Vec<ConfigurationResult>> {
    let lines = bundle.lines()?;
    let parsed = lines.iter().enumerate().map(|(index, line)| {
        serde_json::from_str(line).map_err(|error| {
            Failure::environment(format!(
                "failed to resume the run {}: line {} of its results.jsonl is damaged ({error}); \
                 start a new run",
                bundle.run_id,
                index + 1
            ))
        })
    });
    parsed.collect()
}

fn same(bundle: &Bundle, differences: &[String]) -> Outcome<()> {
    if differences.is_empty() {
        return Ok(());
    }
    let listed: String = differences
        .iter()
        .map(|what| format!("\n  {what}"))
        .collect();
    Err(Failure::refused(format!(
        "refused to resume the run {}: the rest of it would not be measured like what is \
         there:{listed}\nrestore that, or start a new run",
        bundle.run_id
    )))
}

/// Writes what is measured into the bundle or, if it is there already, holds it against that.
pub fn same_code(bundle: &Bundle, build: Option<&NativeBuild>, workers: &Workers) -> Outcome<()> {
    let now = context::build_json(build, workers);
    match context::read_json::<Value>(&bundle.folder.join("build.json"))? {
        Some(then) => same(bundle, &context::build_differences(&then, &now)),
        None => bundle.write("build.json", &now),
    }
}

/// What the results of the run so far mean for each configuration of the plan.
pub fn past(
    common: &Common<'_>,
    bundle: &Bundle,
    items: &[PlanItem],
    lines: &[ConfigurationResult],
) -> Vec<Past> {
    let of_item = |item: &PlanItem| {
        let mut lines = lines.iter().rev();
        lines.find(|line| line.configuration == item.configuration)
    };
    let past = |item| match of_item(item) {
        None => Past::None,
        Some(line) => kept(common, bundle, item, line),
    };
    items.iter().map(past).collect()
}

/// Only a complete configuration stands, and only while its receipt still says so.
fn kept(common: &Common<'_>, bundle: &Bundle, item: &PlanItem, line: &ConfigurationResult) -> Past {
    let again = |why: String| Past::Again(format!("run again: {why}"));
    if line.status != ResultStatus::Complete {
        let reason = line.reason.as_deref().unwrap_or("no reason was given");
        let status = line.status.as_str();
        return again(format!("it was {status} before ({reason})"));
    }
    let Some(place) = place(bundle, line) else {
        return again("its result names no folder of the bundle".to_owned());
    };
    let Some((judgement, receipt)) = judge_again(common, item, &place) else {
        return again("its receipt is gone or cannot be read".to_owned());
    };
    if judgement.status != ResultStatus::Complete {
        return again(format!(
            "its receipt is not what it was ({})",
            judgement.reason
        ));
    }
    Past::Kept(Box::new(line.clone().with_receipt(&receipt)))
}

/// Where a result says that it was made: `NN-<case>-<width>`, directly in the bundle.
fn place(bundle: &Bundle, line: &ConfigurationResult) -> Option<Place> {
    let name = line.folder.as_deref()?;
    let plain = Path::new(name).file_name().is_some_and(|file| file == name);
    let (number, rest) = name.split_once('-')?;
    let again = rest
        .split_once('.')
        .map(|(_, attempt)| format!(".{attempt}"));
    plain.then(|| Place {
        request_id: format!("{}/{number}{}", bundle.run_id, again.unwrap_or_default()),
        folder: bundle.folder.join(name),
    })
}
