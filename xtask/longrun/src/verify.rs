//! `verify`: runs cases, untimed, and holds what they come to against what is known of them.
//!
//! The worker measures; the verdict is made here, from the numbers. A case without oracles is said
//! to be without: nothing passes in silence.

pub mod numbers;
pub mod report;
pub mod result;

use std::collections::BTreeSet;
use std::time::{Duration, Instant, SystemTime};

use longrun_protocol::registry::WidthSpec;
use longrun_protocol::request::{Library, Task};

use crate::cli::{SelectionArgs, VerifyArgs};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::list::current_folder;
use crate::native::NativeBuild;
use crate::output;
use crate::progress::Progress;
use crate::project::Project;
use crate::run::bundle::Bundle;
use crate::run::launch::{Common, launch};
use crate::run::plan::{Plan, PlanItem};
use crate::track::context::{Options, PlanFile, build_json};
use crate::track::neighbours::Presence;
use crate::track::{self, Ground};
use crate::workers::{self, Workers};
use report::Report;
use result::Verification;

/// Folder of the bundles, among Longrun's own.
const FOLDER: &str = "verify";

/// Repeats of a configuration: two show that a repeat is the same.
const REPEATS: u32 = 2;

/// Runs `verify`.
pub fn run(args: &VerifyArgs) -> Outcome<Exit> {
    let project = Project::find(&current_folder()?)?;
    let mut ground = track::survey(project, &selection(&args.selection), None)?;
    let notes = leave_out(&mut ground.plan)?;
    for note in &notes {
        output::note(format!("note: {note}"));
    }
    let interrupt = Interrupt::watch()?;
    let mut bundle = begin(&ground, args)?;
    let build = track::build_native(&ground, args.selection.backend, &interrupt);
    let build = interrupt.wins_over(build)?;
    let specs = ground.plan.items.iter().map(|item| &item.worker);
    let workers = workers::ensure(&ground.project, &ground.repo, specs, &interrupt);
    let workers = interrupt.wins_over(workers)?;
    bundle.write(
        "build.json",
        &build_json(
            build.as_ref().map(|build| &build.identity),
            workers.digests(),
        ),
    )?;
    bundle.write("machine.json", &ground.machine)?;
    let execution = Execution {
        ground: &ground,
        args,
        build: build.as_ref(),
        workers: &workers,
        interrupt: &interrupt,
    };
    let results = execution.run(&mut bundle)?;
    let report = Report {
        run_id: bundle.run_id.clone(),
        bundle: bundle.folder.clone(),
        results,
        notes,
        interrupted: interrupt.raised(),
    };
    report.print(args.json)?;
    Ok(report.exit())
}

/// What is selected where the user does not say otherwise: width 1, two repeats.
fn selection(given: &SelectionArgs) -> SelectionArgs {
    let mut selection = given.clone();
    if selection.widths.is_empty() {
        selection.widths.push(WidthSpec::Threads(1));
    }
    selection.repeats.get_or_insert(REPEATS);
    selection
}

/// Leaves the configurations out that have no oracle at their size, and names their cases.
///
/// # Errors
/// Exit 2 where nothing is left: there is nothing to verify.
fn leave_out(plan: &mut Plan) -> Outcome<Vec<String>> {
    let name = |item: &PlanItem| {
        let configuration = &item.configuration;
        format!("`{}` at size `{}`", configuration.case, configuration.size)
    };
    let silent = plan.items.iter().filter(|item| item.oracles.is_empty());
    let silent: BTreeSet<String> = silent.map(name).collect();
    plan.items.retain(|item| !item.oracles.is_empty());
    if plan.items.is_empty() {
        let names: Vec<String> = silent.into_iter().collect();
        return Err(Failure::usage(format!(
            "failed to verify {}: no oracle is registered there; name some as `oracles` of the \
             size in the registry, or select another case or size",
            names.join(", ")
        )));
    }
    let note = |name| format!("{name} has no oracles: it is not verified");
    Ok(silent.into_iter().map(note).collect())
}

/// Makes the bundle, before anything is built.
fn begin(ground: &Ground, args: &VerifyArgs) -> Outcome<Bundle> {
    let folder = match &args.out {
        Some(folder) => ground.outside_of_measured(folder, "--out")?,
        None => ground.project.work().join(FOLDER),
    };
    let began = SystemTime::now();
    let bundle = Bundle::create(&folder, began, &ground.state.commit)?;
    let options = Options {
        task: Task::Verify,
        selection: selection(&args.selection),
        instance_type: None,
        timeout_s: args.timeout,
        keep_state: false,
        breakdown: false,
    };
    let plan = PlanFile::of(&bundle.run_id, began, ground, options)?;
    bundle.write("plan.json", &plan)?;
    Ok(bundle)
}

/// A plan being carried out.
struct Execution<'a> {
    ground: &'a Ground,
    args: &'a VerifyArgs,
    build: Option<&'a NativeBuild>,
    workers: &'a Workers,
    interrupt: &'a Interrupt,
}

impl Execution<'_> {
    /// Runs every configuration in order. What has finished is on disk before the next begins.
    fn run(&self, bundle: &mut Bundle) -> Outcome<Vec<Verification>> {
        let run_id = bundle.run_id.clone();
        let common = self.common(&run_id);
        let items = &self.ground.plan.items;
        // Whoever measures meanwhile is told that it has company.
        let _presence = Presence::announce(&run_id);
        let mut progress =
            Progress::begin(items.iter().map(PlanItem::process_estimate_s).collect());
        let mut results = Vec::new();
        for (index, item) in items.iter().enumerate() {
            if self.interrupt.raised() {
                results.push(Verification::skipped(item, "interrupted"));
                continue;
            }
            progress.start(&item.configuration.to_string());
            let width = item.configuration.width.to_string();
            let place = bundle.place(index, &item.configuration.case, &width)?;
            let program = self.workers.program(&item.worker)?;
            let began = Instant::now();
            // Nothing is timed: it is of no importance where the FFT plans come from.
            let launched = launch(&common, item, &place, program, None, &mut |event| {
                progress.event(event);
            })?;
            let result = Verification::of(item, &place.folder, launched, began.elapsed());
            bundle.append_result(&result)?;
            progress.pass();
            progress.say(&item.configuration.to_string(), &result.line());
            results.push(result);
        }
        progress.end();
        Ok(results)
    }

    fn common<'a>(&'a self, run_id: &'a str) -> Common<'a> {
        let project = &self.ground.project;
        let timeout = self.args.timeout.unwrap_or(project.settings.timeout_s);
        Common {
            run_id,
            task: Task::Verify,
            library: self.build.map(|build| Library {
                path: build.library.clone(),
                build_key: build.identity.build_key.clone(),
            }),
            policy: self.args.selection.threading,
            places: &self.ground.machine.places,
            timeout: Duration::from_secs(timeout),
            keep_state: false,
            breakdown: false,
            // Nothing is timed, so nobody asks whether the machine was busy.
            cpus: None,
            root: &project.root,
            interrupt: self.interrupt,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::verify::result::testing::item;

    fn plan(cases: &[(&str, &[&str])]) -> Plan {
        Plan {
            items: cases
                .iter()
                .map(|(case, oracles)| item(case, oracles))
                .collect(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn the_width_is_one_and_the_repeats_are_two_unless_they_are_given() {
        let implied = selection(&SelectionArgs::default());
        assert_eq!(implied.widths, [WidthSpec::Threads(1)]);
        assert_eq!(implied.repeats, Some(2));
        let given = SelectionArgs {
            widths: vec![WidthSpec::Production],
            repeats: Some(5),
            ..SelectionArgs::default()
        };
        assert_eq!(selection(&given).widths, [WidthSpec::Production]);
        assert_eq!(selection(&given).repeats, Some(5));
    }

    #[test]
    fn a_case_without_oracles_is_left_out_and_named_once() {
        let mut plan = plan(&[("a", &[]), ("a", &[]), ("b", &["span"])]);
        let notes = leave_out(&mut plan).unwrap();
        assert_eq!(
            notes,
            ["`a` at size `full` has no oracles: it is not verified"]
        );
        assert_eq!(plan.items.len(), 1);
        assert_eq!(plan.items[0].configuration.case, "b");
    }

    #[test]
    fn a_plan_without_any_oracle_is_refused() {
        let failure = leave_out(&mut plan(&[("a", &[]), ("b", &[])])).unwrap_err();
        assert_eq!(failure.exit.code(), 2);
        assert!(failure.message.contains("`a`") && failure.message.contains("`b`"));
    }
}
