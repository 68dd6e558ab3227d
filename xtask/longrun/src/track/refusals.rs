//! Why a run cannot be recorded (R33). Each condition is one function with one named refusal;
//! all of them are given together.

use std::fmt::Write;

use longrun_protocol::Size;
use serde::Serialize;

use super::Ground;
use super::results::ConfigurationResult;
use crate::cli::{SelectionArgs, TrackArgs};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::history;
use crate::repo::RepoState;
use crate::run::judge::ResultStatus;
use crate::run::plan::Plan;

/// Fewest repeats or samples whose median is recorded (R18).
const REPEATS_MIN: u32 = 3;

/// Paths that a refusal names; more are counted.
const PATHS_MAX: usize = 10;

/// A named reason not to record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Stable word.
    pub code: &'static str,
    /// Sentence with the next step.
    pub message: String,
}

impl Refusal {
    /// A refusal with its stable word.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Refusal {
            code,
            message: message.into(),
        }
    }
}

/// All refusals, one a line.
pub fn listed(refusals: &[Refusal]) -> String {
    let mut text = String::new();
    for Refusal { code, message } in refusals {
        let _ = write!(text, "\n  {code}: {message}");
    }
    text
}

/// Everything that can be refused before the run.
pub fn before_run(ground: &Ground, args: &TrackArgs) -> Outcome<Vec<Refusal>> {
    let selection = &args.selection;
    let history = damaged_history(ground)?;
    let known = [
        not_the_whole_plan(selection),
        not_full_size(selection),
        too_few_repeats(&ground.plan),
        not_committed(&ground.state).filter(|_| !args.allow_dirty),
        ignored_sources(ground)?.filter(|_| !args.allow_dirty),
        history.clone(),
        cannot_commit(ground, args, history.is_some())?,
    ];
    Ok(known.into_iter().flatten().collect())
}

fn not_the_whole_plan(selection: &SelectionArgs) -> Option<Refusal> {
    let several_sets = selection.sets.len() > 1 || selection.sets.iter().any(|set| set == "all");
    let table = [
        ("--case", !selection.cases.is_empty()),
        ("--all", selection.all),
        ("--set with several suites", several_sets),
        ("--engine", selection.engine.is_some()),
        ("--stepper", !selection.steppers.is_empty()),
        ("--variant", !selection.variants.is_empty()),
        ("--threads", !selection.widths.is_empty()),
    ];
    let used: Vec<&str> = table
        .into_iter()
        .filter_map(|(flag, given)| given.then_some(flag))
        .collect();
    (!used.is_empty()).then(|| {
        let message = format!(
            "only the whole plan of one suite is recorded; leave out {}",
            used.join(", ")
        );
        Refusal::new("partial_plan", message)
    })
}

fn not_full_size(selection: &SelectionArgs) -> Option<Refusal> {
    (selection.size != Size::Full).then(|| {
        let message = format!(
            "only full size is recorded, not `{}`; leave out --size",
            selection.size
        );
        Refusal::new("size", message)
    })
}

fn too_few_repeats(plan: &Plan) -> Option<Refusal> {
    let fewest = plan.items.iter().map(|item| item.repeats).min()?;
    (fewest < REPEATS_MIN).then(|| {
        let message = format!(
            "at least {REPEATS_MIN} repeats are recorded, not {fewest}; leave out --repeats"
        );
        Refusal::new("repeats", message)
    })
}

fn not_committed(state: &RepoState) -> Option<Refusal> {
    let dirty: Vec<String> = state
        .dirty
        .iter()
        .map(|dirty| format!("`{}` ({})", dirty.path, dirty.change.as_str()))
        .collect();
    (!dirty.is_empty()).then(|| {
        let message = format!(
            "only committed code is recorded; commit {}, or mark the rows with --allow-dirty",
            counted(&dirty)
        );
        Refusal::new("dirty", message)
    })
}

/// The items joined, up to a bound.
pub fn counted(items: &[String]) -> String {
    let shown = items.iter().take(PATHS_MAX).cloned().collect::<Vec<_>>();
    let more = items.len().saturating_sub(PATHS_MAX);
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Sources that git ignores enter the native build, and nobody can check them out.
fn ignored_sources(ground: &Ground) -> Outcome<Option<Refusal>> {
    let mut items = ground.plan.items.iter();
    if !items.any(|item| item.configuration.engine.needs_library()) {
        return Ok(None);
    }
    let scope = ground.project.native_scope();
    let committed = ground.repo.head_content(&scope)?;
    let working = ground.repo.working_content(&scope)?;
    let dirty = |path: &String| ground.state.dirty.iter().any(|dirty| dirty.path == *path);
    let ignored: Vec<String> = working
        .keys()
        .filter(|path| !committed.contains_key(*path) && !dirty(path))
        .map(|path| format!("`{path}`"))
        .collect();
    Ok((!ignored.is_empty()).then(|| {
        let message = format!(
            "the native build would contain files that git ignores: {}; remove them, or leave \
             their folder out with `native_ignored`",
            counted(&ignored)
        );
        Refusal::new("ignored_sources", message)
    }))
}

/// A history that cannot be extended is found out before an hour is spent on the run.
fn damaged_history(ground: &Ground) -> Outcome<Option<Refusal>> {
    let failure = history::unextendable(&ground.project, &ground.repo, &ground.machine.slug)?;
    Ok(failure.map(|failure| {
        // What is damaged says itself what to do; what cannot be read does not.
        let next = match failure.exit {
            Exit::Environment => "; move away what is in its place, or let it be read",
            _ => "",
        };
        Refusal::new("history_file", format!("{}{next}", failure.message))
    }))
}

/// What is known now to keep the commit from being made is known before an hour is spent.
/// A history file that is refused already is not looked at again.
fn cannot_commit(
    ground: &Ground,
    args: &TrackArgs,
    history_refused: bool,
) -> Outcome<Option<Refusal>> {
    if args.no_commit || !args.append_history {
        return Ok(None);
    }
    let path = ground.project.history_file(&ground.machine.slug);
    let obstacle = match history_refused {
        true => ground.repo.obstacle()?,
        false => ground.repo.recording_obstacle(&path)?,
    };
    Ok(obstacle.map(|reason| {
        let message = format!("the rows could not be committed: {reason}; or give --no-commit");
        Refusal::new("cannot_commit", message)
    }))
}

/// Configurations that keep the whole run out of the history. All or nothing: a run with a hole
/// would be compared over other configurations than its neighbours.
pub fn after_run(results: &[ConfigurationResult]) -> Vec<Refusal> {
    let named = |wanted: fn(ResultStatus) -> bool| -> Vec<String> {
        let those = results.iter().filter(|result| wanted(result.status));
        those
            .map(|result| format!("`{}`", result.configuration))
            .collect()
    };
    let inconsistent = named(|status| status == ResultStatus::Inconsistent);
    let unfinished =
        named(|status| !matches!(status, ResultStatus::Complete | ResultStatus::Inconsistent));
    let mut refusals = Vec::new();
    if !unfinished.is_empty() {
        let message = format!(
            "not every configuration is complete: {}",
            counted(&unfinished)
        );
        refusals.push(Refusal::new("incomplete", message));
    }
    if !inconsistent.is_empty() {
        let message = format!(
            "not every configuration is consistent: {}",
            counted(&inconsistent)
        );
        refusals.push(Refusal::new("inconsistent", message));
    }
    refusals.extend(unresolved(results));
    refusals
}

/// Times that are about the clock and not about the work.
fn unresolved(results: &[ConfigurationResult]) -> Option<Refusal> {
    let unresolved = |result: &&ConfigurationResult| {
        let sampled = result.sampled.as_ref();
        sampled.is_some_and(|sampled| !sampled.resolved)
    };
    let names = results.iter().filter(unresolved);
    let names: Vec<String> = names
        .map(|result| format!("`{}`", result.configuration))
        .collect();
    (!names.is_empty()).then(|| {
        let message = format!(
            "the clock of this machine cannot time the blocks of {}; give their \
             sampling a longer `block_ns`",
            counted(&names)
        );
        Refusal::new("unresolved", message)
    })
}

/// Adds why a run that was interrupted is not recorded, all of it.
pub fn interrupted(results: &[ConfigurationResult], refusals: &mut Vec<Refusal>) {
    let known = |code| {
        refusals
            .iter()
            .any(|refusal: &Refusal| refusal.code == code)
    };
    if !["incomplete", "inconsistent", "unresolved"]
        .into_iter()
        .any(known)
    {
        refusals.extend(after_run(results));
    }
    if refusals.is_empty() {
        let message = "interrupted after the last configuration, before its rows were added";
        refusals.push(Refusal::new("incomplete", message));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::cli::VariantChoice;
    use crate::repo::{Change, DirtyPath};
    use crate::track::sampled::made;
    use longrun_protocol::Engine;
    use longrun_protocol::registry::WidthSpec;

    #[test]
    fn what_may_stand_beside_the_default_plan_is_not_refused() {
        let selection = SelectionArgs {
            sets: vec!["tracking".into()],
            production: Some(8),
            repeats: Some(5),
            ..SelectionArgs::default()
        };
        assert_eq!(not_the_whole_plan(&selection), None);
    }

    #[test]
    fn every_other_selection_flag_is_named() {
        let selection = SelectionArgs {
            cases: vec!["a".into()],
            sets: vec!["all".into()],
            engine: Some(Engine::Reference),
            steppers: vec!["rk".into()],
            variants: vec![VariantChoice {
                axis: "a".into(),
                value: "b".into(),
            }],
            widths: vec![WidthSpec::Production],
            ..SelectionArgs::default()
        };
        let refusal = not_the_whole_plan(&selection).unwrap();
        assert_eq!(refusal.code, "partial_plan");
        let flags = [
            "--case",
            "--set",
            "--engine",
            "--stepper",
            "--variant",
            "--threads",
        ];
        for flag in flags {
            assert!(
                refusal.message.contains(flag),
                "{flag}: {}",
                refusal.message
            );
        }
    }

    #[test]
    fn another_size_is_refused() {
        let selection = SelectionArgs {
            size: Size::Quick,
            ..SelectionArgs::default()
        };
        assert_eq!(not_full_size(&selection).unwrap().code, "size");
        assert_eq!(not_full_size(&SelectionArgs::default()), None);
    }

    #[test]
    fn uncommitted_files_are_named_with_what_happened_to_them() {
        let state = RepoState {
            commit: "0".repeat(40),
            branch: None,
            dirty: vec![DirtyPath {
                path: "native/src/a.cpp".into(),
                change: Change::Modified,
            }],
        };
        let refusal = not_committed(&state).unwrap();
        assert_eq!(refusal.code, "dirty");
        assert!(refusal.message.contains("`native/src/a.cpp` (modified)"));
    }

    #[test]
    fn an_interrupted_run_is_incomplete_whatever_it_has_finished() {
        let mut refusals = Vec::new();
        interrupted(&[], &mut refusals);
        interrupted(&[], &mut refusals);
        let codes: Vec<&str> = refusals.iter().map(|refusal| refusal.code).collect();
        assert_eq!(codes, ["incomplete"]);
    }

    #[test]
    fn a_time_that_is_about_the_clock_is_not_recorded() {
        let fine = made::result("fine", &[1_000; 5], 1, |_| ());
        assert!(after_run(std::slice::from_ref(&fine)).is_empty());
        let below = made::result("below", &[0; 5], 1, |_| ());
        let near = made::result("near", &[2; 5], 1, |_| ());
        let refusals = after_run(&[fine, below, near]);
        assert_eq!(refusals.len(), 1);
        assert_eq!(refusals[0].code, "unresolved");
        let named = &refusals[0].message;
        assert!(named.contains("`below @1`, `near @1`"), "{named}");
        assert!(!named.contains("fine"), "{named}");
    }

    #[test]
    fn samples_count_as_repeats_and_a_noisy_run_is_recorded_all_the_same() {
        let plan = |repeats| Plan {
            items: vec![crate::run::plan::PlanItem {
                repeats,
                ..made::item("fft")
            }],
            notes: Vec::new(),
        };
        assert_eq!(too_few_repeats(&plan(30)), None);
        assert_eq!(too_few_repeats(&plan(2)).unwrap().code, "repeats");
        let noisy = made::result("noisy", &[500, 1_500, 600, 1_400, 1_000], 1, |_| ());
        assert_eq!(after_run(&[noisy]), []);
    }

    #[test]
    fn a_long_list_is_counted() {
        let items: Vec<String> = (0..12).map(|n| n.to_string()).collect();
        assert_eq!(counted(&items), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more");
    }
}
