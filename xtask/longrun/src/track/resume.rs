//! Going on with an earlier run: what of it stands, and whether the rest may be added.
//!
//! A run is one set of measurements of one thing. Its plan, the definitions of its cases, the
//! machine, the native build and the workers must be what they were; the commit may be another
//! one with the same content. What is complete is kept, after its receipt was judged again; all
//! else is run again. Nothing of the earlier run is removed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use longrun_protocol::BuildIdentity;
use serde_json::Value;

use super::context::{self, Options, PlanFile};
use super::execution::Past;
use super::refusals::{self, Refusal};
use super::results::ConfigurationResult;
use super::turns::Turn;
use super::{Ground, Started};
use crate::cli::{SelectionArgs, TrackArgs};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::list::current_folder;
use crate::native::{self, NativeBuild};
use crate::output;
use crate::project::Project;
use crate::registry::Registry;
use crate::run::bundle::{Bundle, Place};
use crate::run::family;
use crate::run::judge::ResultStatus;
use crate::run::launch::{Common, judge_again};
use crate::run::plan::{Plan, PlanItem};
use crate::text;
use crate::workers::{self, Workers};

/// The native build and the digests of the workers.
type Code = (Option<BuildIdentity>, BTreeMap<String, String>);

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
        let runs = runs_folder(project, args)?;
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
            breakdown: then.breakdown,
            timeout: now.timeout.or(then.timeout_s),
            ..now.clone()
        }
    }

    /// Reads everything as for a new run, and says what is not as it was: all that can be known
    /// before anything is built.
    pub fn survey(&self, project: Project, args: &TrackArgs) -> Outcome<(Ground, Vec<String>)> {
        let mut unplanned = None;
        let ground = super::survey_by(
            project,
            &args.selection,
            args.instance_type.clone(),
            |registry, selection, default_suite, widths| {
                let Some(selection) = still_there(registry, selection) else {
                    return Ok(Plan::default());
                };
                match Plan::build(registry, &selection, default_suite, widths) {
                    Err(failure) if failure.exit == Exit::Usage => {
                        unplanned = Some(failure.message);
                        Ok(Plan::default())
                    }
                    made => made,
                }
            },
        )?;
        let mut differences = match unplanned {
            Some(why) => vec![format!("its plan cannot be made any more: {why}")],
            None => {
                let now = context::planned(&ground, &Options::of(args))?;
                context::plan_differences(&self.plan.configurations, &now)
            }
        };
        let machine = serde_json::to_value(&ground.machine)
            .map_err(|e| Failure::failed(format!("failed to describe the machine: {e}")))?;
        // Where it is absent, the run was killed before it had measured anything.
        if let Some(then) = context::read_earlier(&self.bundle, "machine.json")? {
            differences.extend(context::machine_differences(&then, &machine));
        }
        self.add_code_differences(&ground, args, &mut differences)?;
        Ok((ground, differences))
    }

    /// Adds what differs in the code: its digests are known before it is built.
    fn add_code_differences(
        &self,
        ground: &Ground,
        args: &TrackArgs,
        differences: &mut Vec<String>,
    ) -> Outcome<()> {
        let Some(mut then) = context::read_earlier(&self.bundle, "build.json")? else {
            return Ok(());
        };
        let expected = expected_code(ground, args, &then);
        let (native, workers) = match expected {
            Ok(expected) => expected,
            Err(failure) if differences.is_empty() => return Err(failure),
            Err(failure) => {
                let why = failure.message;
                differences.push(format!("whether the code is the same is unknown: {why}"));
                return Ok(());
            }
        };
        let mut now = context::build_json(native.as_ref(), &workers);
        if ground.plan.items.len() != self.plan.configurations.len() {
            // A case that has come or gone takes its worker along; that is no further difference.
            common_workers(&mut then, &mut now);
        }
        differences.extend(context::build_differences(&then, &now));
        Ok(())
    }

    /// Refuses to go on where anything is not as it was, together with what would keep the run
    /// from being recorded.
    pub fn check(&self, differences: &[String], refusals: &[Refusal]) -> Outcome<()> {
        same(&self.bundle, differences, refusals)
    }

    /// Goes on.
    pub fn go_on(self) -> Outcome<Started> {
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
            json_lines: None,
        })
    }
}

/// The folder of runs that the arguments name, absolute.
pub fn runs_folder(project: &Project, args: &TrackArgs) -> Outcome<PathBuf> {
    Ok(match &args.out {
        Some(folder) => current_folder()?.join(folder),
        None => project.work().join("runs"),
    })
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

/// The selection without the cases that the registry no longer has; `None` where none is left.
fn still_there(registry: &Registry, selection: &SelectionArgs) -> Option<SelectionArgs> {
    let mut selection = selection.clone();
    let named = !selection.cases.is_empty();
    selection.cases.retain(|name| registry.case(name).is_some());
    let left = !selection.cases.is_empty() || !selection.sets.is_empty() || selection.all;
    (left || !named).then_some(selection)
}

/// What would be measured now, without building it.
fn expected_code(ground: &Ground, args: &TrackArgs, then: &Value) -> Outcome<Code> {
    let items = &ground.plan.items;
    let by_plan = |item: &PlanItem| item.configuration.engine.needs_library();
    let native = (then["native"].is_object() || items.iter().any(by_plan))
        .then(|| native::expected(&ground.project, &ground.repo, args.selection.backend.into()))
        .transpose()?;
    let of_plan = items.iter().map(|item| &item.worker);
    // Where there is no plan any more, any case may have been in it.
    let of_registry = ground.registry.cases().map(|(_, case)| &case.worker);
    let of_registry = of_registry.filter(|_| items.is_empty());
    let specs = of_plan.chain(of_registry);
    let workers = workers::digests(&ground.project, &ground.repo, specs)?;
    Ok((native, workers))
}

/// Leaves only workers that both values of `build.json` know.
fn common_workers(then: &mut Value, now: &mut Value) {
    if let (Some(then), Some(now)) = (
        then["workers"].as_object_mut(),
        now["workers"].as_object_mut(),
    ) {
        then.retain(|name, _| now.contains_key(name));
        now.retain(|name, _| then.contains_key(name));
    }
}

fn same(bundle: &Bundle, differences: &[String], refusals: &[Refusal]) -> Outcome<()> {
    if differences.is_empty() {
        return Ok(());
    }
    let listed: String = differences
        .iter()
        .map(|what| format!("\n  {what}"))
        .collect();
    let unrecorded = match refusals.is_empty() {
        true => String::new(),
        false => format!("nor could it be recorded:{}\n", refusals::listed(refusals)),
    };
    Err(Failure::refused(format!(
        "refused to resume the run {}: the rest of it would not be measured like what is \
         there:{listed}\n{unrecorded}restore that, or start a new run",
        bundle.run_id
    )))
}

/// Writes what is measured into the bundle or, if it is there already, holds it against that.
pub fn same_code(bundle: &Bundle, build: Option<&NativeBuild>, workers: &Workers) -> Outcome<()> {
    let native = build.map(|build| &build.identity);
    let now = context::build_json(native, workers.digests());
    match context::read_earlier(bundle, "build.json")? {
        Some(then) => same(bundle, &context::build_differences(&then, &now), &[]),
        None => bundle.write("build.json", &now),
    }
}

/// What the results of the run so far mean for each process of the plan.
pub fn past(
    common: &Common<'_>,
    bundle: &Bundle,
    turns: &[Turn<'_>],
    lines: &[ConfigurationResult],
) -> Vec<Past> {
    let line_of = |turn: &Turn<'_>| {
        let mut lines = lines.iter().rev();
        lines.find(|line| line.is_of(&turn.item.configuration, turn.process))
    };
    let mut begun = Begun::default();
    let past = |turn: &Turn<'_>| match line_of(turn) {
        None => begun.of(bundle, turn, lines),
        Some(line) => kept(common, bundle, turn.item, line),
    };
    turns.iter().map(past).collect()
}

/// A process without a result may have begun all the same: then its configuration has a folder more
/// than results. Only one can have been running when the run ended.
#[derive(Default)]
struct Begun {
    found: bool,
}

impl Begun {
    fn of(&mut self, bundle: &Bundle, turn: &Turn<'_>, lines: &[ConfigurationResult]) -> Past {
        let configuration = &turn.item.configuration;
        let results = lines.iter();
        let results =
            results.filter(|line| line.configuration == *configuration && line.folder.is_some());
        let width = configuration.width.to_string();
        let places = bundle.places(turn.index, &configuration.case, &width);
        if self.found || places <= results.count() {
            return Past::None;
        }
        self.found = true;
        Past::Again("run again: the run ended while it was running".to_owned())
    }
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
