//! `verify`: runs cases, untimed, and holds what they come to against what is known of them.
//!
//! The worker measures; the verdict is made here, from the numbers. A case without oracles is said
//! to be without: nothing passes in silence.

pub mod numbers;
pub mod report;
pub mod result;

use std::collections::BTreeSet;
use std::time::Instant;

use longrun_protocol::registry::WidthSpec;
use longrun_protocol::request::Task;

use crate::cli::{SelectionArgs, VerifyArgs};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::list::current_folder;
use crate::output;
use crate::progress::Progress;
use crate::project::Project;
use crate::run::bundle::Bundle;
use crate::run::plan::{Plan, PlanItem};
use crate::track;
use crate::track::neighbours::Presence;
use crate::untimed::{Asked, Untimed};
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
    let folder = match &args.out {
        Some(folder) => ground.outside_of_measured(folder, "--out")?,
        None => ground.project.work().join(FOLDER),
    };
    let asked = Asked {
        task: Task::Verify,
        selection: selection(&args.selection),
        timeout_s: args.timeout,
    };
    let (untimed, mut bundle) = Untimed::prepare(&ground, asked, &folder, &interrupt)?;
    let results = execute(&untimed, &ground.plan.items, &mut bundle, &interrupt)?;
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

/// Runs every configuration in order. What has finished is on disk before the next begins.
fn execute(
    untimed: &Untimed<'_>,
    items: &[PlanItem],
    bundle: &mut Bundle,
    interrupt: &Interrupt,
) -> Outcome<Vec<Verification>> {
    let run_id = bundle.run_id.clone();
    // Whoever measures meanwhile is told that it has company.
    let _presence = Presence::announce(&run_id);
    let mut progress = Progress::begin(items.iter().map(PlanItem::process_estimate_s).collect());
    let mut results = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if interrupt.raised() {
            results.push(Verification::skipped(item, "interrupted"));
            continue;
        }
        let width = item.configuration.width.to_string();
        let place = bundle.place(index, &item.configuration.case, &width)?;
        let began = Instant::now();
        let launched = untimed.launch(item, &run_id, &place, &mut progress)?;
        let result = Verification::of(item, &place.folder, launched, began.elapsed());
        bundle.append_result(&result)?;
        progress.say(&item.configuration.to_string(), &result.line());
        results.push(result);
    }
    progress.end();
    Ok(results)
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
