//! What past runs recorded: the rows of `history/<slug>.csv`, and how the runs compare.
//!
//! [`run`] is the verb; it has five views, each a function of files that were read. Only `folder`
//! reads them and only `record` adds to them. Runs are compared within one hardware set and suite,
//! and only over configurations whose identities are equal.

mod append;
mod case;
mod columns;
mod compare;
mod file;
mod find;
mod folder;
pub mod near;
#[cfg(test)]
mod odd_tests;
mod one;
mod pair;
mod record;
pub mod renames;
mod render;
mod retract;
mod rows;
mod runs;
#[cfg(test)]
mod scale_tests;
mod sparkline;
mod suspect;
#[cfg(test)]
mod testing;

pub use file::HistoryFile;
pub use record::{Addition, add, unextendable};
pub use rows::{Entry, Row};

use std::collections::BTreeSet;
use std::env;
use std::io::{IsTerminal, stdout};

use serde::Serialize;

use crate::cli::HistoryArgs;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::list::current_folder;
use crate::machine::{Machine, MachineOptions};
use crate::output;
use crate::project::Project;
use crate::registry::Registry;
use crate::repo::Reach;
use compare::HistoryQuery;
use renames::Renames;

/// `history`: the recorded runs of one hardware set, one case, one run, two runs; or taking a run
/// back.
///
/// # Errors
/// Exit 2 where what was named has no history; exit 6 where a file is damaged.
pub fn run(args: &HistoryArgs) -> Outcome<Exit> {
    match (
        &args.retract,
        &args.reason,
        &args.case,
        args.runs.as_slice(),
    ) {
        (Some(run), Some(reason), ..) => return retract::run(args, run, reason),
        (_, _, Some(case), _) => show_case(args, case)?,
        (_, _, _, []) => show_all(args)?,
        (_, _, _, [run]) => show_run(args, run)?,
        (_, _, _, [before, after]) => show_pair(args, before, after)?,
        (_, _, _, more) => {
            return Err(Failure::usage(format!(
                "failed to compare {} runs: two are compared at a time; give --run twice",
                more.len()
            )));
        }
    }
    Ok(Exit::Success)
}

/// One line per run.
fn show_all(args: &HistoryArgs) -> Outcome<()> {
    let project = Project::find(&current_folder()?)?;
    let (mut file, mut notes) = one_file(&project, args)?;
    let renames = renames(&project, &mut notes);
    notes.extend(renamed(&renames, &mut file));
    let query = query(args);
    notes.extend(query.note(&file)?);
    let mut report = compare::report(&file, &query);
    report.mark_reachable(&reach(&project, &report.commits()));
    show(args, notes, &report, render::to_document, render::to_text)
}

/// One line per run of one case.
fn show_case(args: &HistoryArgs, case: &str) -> Outcome<()> {
    let project = Project::find(&current_folder()?)?;
    let (mut file, mut notes) = one_file(&project, args)?;
    let renames = renames(&project, &mut notes);
    notes.extend(renamed(&renames, &mut file));
    let query = query(args);
    notes.extend(query.note(&file)?);
    let report = case::report(&file, renames.today(case), &query)?;
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| {
        let value = env::var(name).ok();
        value.filter(|value| !value.is_empty())
    });
    let letters = sparkline::letters(stdout().is_terminal(), &locale.unwrap_or_default());
    let text = |report: &case::CaseReport| render::case::to_text(report, letters);
    show(args, notes, &report, render::same, text)
}

/// Everything about one run.
fn show_run(args: &HistoryArgs, run: &str) -> Outcome<()> {
    let project = Project::find(&current_folder()?)?;
    let files = folder::load_named_or_all(&history_folder(&project), args.slug())?;
    let found = find::find_run(&files, run)?;
    let mut report = one::report(found);
    let commits = report.rows.iter().map(|row| row.commit.clone()).collect();
    report.mark_reachable(&reach(&project, &commits));
    let notes = found.file.newer_note().into_iter().collect();
    show(args, notes, &report, render::same, render::one::to_text)
}

/// Two runs, the second against the first.
fn show_pair(args: &HistoryArgs, before: &str, after: &str) -> Outcome<()> {
    let project = Project::find(&current_folder()?)?;
    let mut files = folder::load_named_or_all(&history_folder(&project), args.slug())?;
    let mut notes = Vec::new();
    let renames = renames(&project, &mut notes);
    let met: BTreeSet<String> = files
        .iter_mut()
        .flat_map(|file| renamed(&renames, file))
        .collect();
    notes.extend(met);
    let (before, after) = (
        find::find_run(&files, before)?,
        find::find_run(&files, after)?,
    );
    notes.extend(before.file.newer_note());
    let report = pair::report(before, after)?;
    show(args, notes, &report, render::same, render::pair::to_text)
}

/// Prints a report: its document with `--json`, else its text. Notes go to stderr, and into the
/// document.
fn show<'a, R, D: Serialize>(
    args: &HistoryArgs,
    notes: Vec<String>,
    report: &'a R,
    document: impl FnOnce(&'a R) -> D,
    text: impl FnOnce(&R) -> String,
) -> Outcome<()> {
    for note in &notes {
        output::note(format!("note: {note}"));
    }
    match args.json {
        true => output::print(&render::to_json(document(report), notes)?),
        false => output::print(&text(report)),
    }
}

impl HistoryArgs {
    /// The hardware set that was named.
    fn slug(&self) -> Option<&str> {
        self.slug.as_deref()
    }
}

fn query(args: &HistoryArgs) -> HistoryQuery {
    HistoryQuery {
        width: args.width,
        suite: args.suite.clone(),
    }
}

fn history_folder(project: &Project) -> std::path::PathBuf {
    project.root.join(&project.settings.history)
}

/// How many runs the history of a hardware set has; `None` where it has none yet. Every other
/// history is read as well: a run is looked for in all of them.
///
/// # Errors
/// Exit 6 where a file cannot be read or is damaged, with the line.
pub fn recorded_runs(project: &Project, slug: &str) -> Outcome<Option<usize>> {
    let folder = history_folder(project);
    let file = folder::load(&folder, slug)?;
    folder::load_named_or_all(&folder, None)?;
    Ok(file.map(|file| {
        let runs: BTreeSet<&str> = file.entries.iter().map(Entry::run_id).collect();
        runs.len()
    }))
}

/// The history of the hardware set that is named, or else of this machine's, empty if it has none;
/// and what its reader must know.
fn one_file(project: &Project, args: &HistoryArgs) -> Outcome<(HistoryFile, Vec<String>)> {
    let folder = history_folder(project);
    let file = match args.slug() {
        Some(slug) => folder::load_named(&folder, slug)?,
        None => {
            let slug = this_machine();
            let file = folder::load(&folder, &slug)?;
            file.unwrap_or_else(|| HistoryFile::empty(&slug))
        }
    };
    let notes = file.newer_note().into_iter().collect();
    Ok((file, notes))
}

fn this_machine() -> String {
    let machine = Machine::read(MachineOptions {
        production: None,
        instance_type: None,
    });
    machine.slug
}

/// The renames that the registry knows; none where there is no registry. One that cannot be read
/// is no reason to hide what was recorded.
fn renames(project: &Project, notes: &mut Vec<String>) -> Renames {
    if !project.registry().is_dir() {
        return Renames::default();
    }
    match Registry::load(&project.registry()) {
        Ok(registry) => Renames::of(&registry),
        Err(failure) => {
            let what = "cases that were renamed are shown under their earlier names";
            notes.push(format!("{what}: {failure}"));
            Renames::default()
        }
    }
}

/// Gives the rows their names of today; says which were met.
fn renamed(renames: &Renames, file: &mut HistoryFile) -> Vec<String> {
    let met = renames.apply(file).into_iter();
    met.map(|(earlier, name)| format!("`{earlier}` is called `{name}` now"))
        .collect()
}

/// What the repository knows about commits. A history that lies in none is shown all the same, and
/// what leads to its commits is unknown.
fn reach(project: &Project, commits: &BTreeSet<String>) -> Reach {
    let repo = project.open_repo();
    repo.and_then(|repo| repo.reach(commits))
        .unwrap_or_default()
}
