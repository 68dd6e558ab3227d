//! Stored baselines: times of an earlier run, in a file that is committed beside the code.
//!
//! `track --save-baseline` writes one, `track --baseline-file` holds a run against one. What can be
//! refused is refused before the run: a file that is torn or of a later version, one of another
//! suite, a place that cannot be written. What is compared is decided by pure functions
//! ([`compare`], [`fold`]) of a file and of what the run has found.

pub mod compare;
mod disk;
mod entry;
mod file;
mod fingerprint;
mod fold;
mod found;
mod frame;
mod names;
pub mod report;
mod tally;
mod verdict;

use std::path::{Path, PathBuf};

use longrun_measure::stored::Policy;
use serde_json::{Value, json};

use crate::cli::{StoredPolicy, TrackArgs};
use crate::colour::Palette;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::file_lock::{self, Purpose};
use crate::interrupt::Interrupt;
use crate::list::current_folder;
use crate::run::writable;
use crate::text;
use crate::track::Ground;
use crate::track::outputs::{SAVE_BASELINE, outside_of_measured};
use crate::track::results::ConfigurationResult;
use compare::{Comparison, Question};
use file::Baseline;
use fingerprint::Fingerprint;
use fold::{Changes, Run};
use found::Found;
use frame::Frame;
use names::Names;

/// Digits of a commit id that a file holds.
const COMMIT_SHOWN: usize = 12;

/// One run at a time adds to a file.
const LOCKED: Purpose = Purpose {
    name: "baseline",
    waiting: "waiting for another run that saves to the same baseline",
};

impl From<StoredPolicy> for Policy {
    fn from(choice: StoredPolicy) -> Policy {
        match choice {
            StoredPolicy::Tracker => Policy::Tracker,
            StoredPolicy::Acceptance => Policy::Acceptance,
        }
    }
}

/// What a run is to do with baselines: found to be possible before it began.
pub struct Baselines {
    suite: String,
    fingerprint: Fingerprint,
    names: Names,
    commit: String,
    policy: Policy,
    compared: Option<Stored>,
    saved: Option<PathBuf>,
    /// Folder of the locks of baseline files.
    locks: PathBuf,
}

/// A baseline that was read, and what its file was called by the user.
struct Stored {
    file: String,
    baseline: Baseline,
}

/// What came of it.
#[derive(Default)]
pub struct Concluded {
    /// The comparison, where one was asked for and made.
    pub comparison: Option<Comparison>,
    /// What was saved, where something was.
    pub saved: Option<Saved>,
    /// Why nothing was saved although it was asked for.
    pub failure: Option<Failure>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// A baseline that was written.
pub struct Saved {
    file: PathBuf,
    entries: usize,
    changes: Changes,
}

impl Baselines {
    /// Reads and checks everything that `args` ask for; `None` where that is nothing.
    ///
    /// # Errors
    /// Exit 2 where a file cannot be compared with, or not be saved to; exit 6 where one cannot be
    /// read or its folder not be written.
    pub fn prepare(ground: &Ground, args: &TrackArgs) -> Outcome<Option<Baselines>> {
        if args.baseline_file.is_none() && args.save_baseline.is_none() {
            return Ok(None);
        }
        let suite = only_suite(ground)?;
        let compared = args.baseline_file.as_deref();
        let compared = compared.map(|file| stored(file, &suite)).transpose()?;
        let fingerprint = Fingerprint::of(&ground.machine, args.selection.threading);
        let saved = args.save_baseline.as_deref();
        let saved = saved.map(|file| outside_of_measured(ground, file, SAVE_BASELINE));
        let saved = saved.transpose()?;
        if let Some(path) = &saved {
            writable::check_file(path, SAVE_BASELINE)?;
            extendable(path, &suite, &fingerprint)?;
        }
        Ok(Some(Baselines {
            suite,
            fingerprint,
            names: Names::of(&ground.registry),
            commit: commit(ground),
            policy: args.policy.into(),
            compared,
            saved,
            locks: file_lock::folder(&ground.project.work()),
        }))
    }

    /// Compares a run that has ended, or that was `interrupted`, then saves it. An interrupt from
    /// now on ends the wait for another run that saves to the same file.
    pub fn conclude(
        &self,
        results: &[ConfigurationResult],
        interrupted: bool,
        interrupt: &Interrupt,
    ) -> Concluded {
        let mut concluded = Concluded::default();
        if interrupted {
            let note = "the run was interrupted: it is compared and saved once it is finished";
            concluded.notes.push(note.to_owned());
            return concluded;
        }
        let found: Vec<Found> = results.iter().map(Found::of).collect();
        concluded.comparison = self.compared.as_ref().map(|stored| {
            Comparison::of(&Question {
                baseline: &stored.baseline,
                file: &stored.file,
                fingerprint: &self.fingerprint,
                found: &found,
                names: &self.names,
                policy: self.policy,
            })
        });
        if let Some(path) = &self.saved {
            match self.save(path, &found, interrupt) {
                Ok(Some(saved)) => {
                    concluded.saved = Some(saved);
                    concluded.notes.extend(doubtful(&found));
                }
                Ok(None) => concluded
                    .notes
                    .push("no baseline was saved: no configuration has a time".to_owned()),
                Err(failure) => concluded.failure = Some(failure),
            }
        }
        concluded
    }

    /// Adds the run to what the file holds now; `None` where there is nothing to add.
    fn save(&self, path: &Path, found: &[Found], interrupt: &Interrupt) -> Outcome<Option<Saved>> {
        if found.iter().all(|found| found.times().is_none()) {
            return Ok(None);
        }
        let _held = LOCKED.hold(&self.locks, path, interrupt)?;
        // An hour may have passed.
        let earlier = extendable(path, &self.suite, &self.fingerprint)?;
        let run = Run {
            suite: &self.suite,
            fingerprint: &self.fingerprint,
            found,
            names: &self.names,
            commit: &self.commit,
        };
        let (baseline, changes) = fold::fold(earlier, &run);
        disk::write(path, &baseline)?;
        Ok(Some(Saved {
            file: path.to_owned(),
            entries: baseline.entries.len(),
            changes,
        }))
    }
}

/// That nothing will be said of some of what was saved, whatever is measured later.
fn doubtful(found: &[Found]) -> Option<String> {
    let times = found.iter().filter_map(Found::times);
    let doubtful = times.filter(|times| times.are_doubtful()).count();
    (doubtful > 0).then(|| {
        format!(
            "{} of this run will be inconclusive beside any later one, for too few samples or a \
             warning; save again with more samples, or on a quieter machine",
            report::entries(doubtful)
        )
    })
}

/// The suite of all configurations: a file has one.
fn only_suite(ground: &Ground) -> Outcome<String> {
    let items = ground.plan.items.iter();
    let mut suites: Vec<&str> = items
        .map(|item| item.configuration.suite.as_str())
        .collect();
    suites.sort_unstable();
    suites.dedup();
    match suites.as_slice() {
        [only] => Ok((*only).to_owned()),
        several => Err(Failure::usage(format!(
            "failed to choose a baseline: the plan has the suites {}, and a baseline is of one; \
             select one with --set",
            several.join(", ")
        ))),
    }
}

/// The baseline in a file that was named to compare with.
fn stored(given: &Path, suite: &str) -> Outcome<Stored> {
    let path = current_folder()?.join(given);
    let Some(baseline) = disk::read(&path)? else {
        let file = given.display();
        return Err(Failure::usage(format!(
            "failed to read the baseline `{file}`: there is no such file; \
             `--save-baseline {file}` makes one"
        )));
    };
    of_suite(&path, &baseline, suite)?;
    Ok(Stored {
        file: given.display().to_string(),
        baseline,
    })
}

fn of_suite(path: &Path, baseline: &Baseline, suite: &str) -> Outcome<()> {
    match baseline.suite == suite {
        true => Ok(()),
        false => Err(Failure::usage(format!(
            "failed to use the baseline `{}`: it is of the suite `{}` and the plan of `{suite}`; \
             give another file, or select its suite with --set",
            path.display(),
            baseline.suite
        ))),
    }
}

/// What a file holds to which a run is to be added; `None` where it is new. Entries that are not
/// run stay, so they must be of this machine.
fn extendable(path: &Path, suite: &str, now: &Fingerprint) -> Outcome<Option<Baseline>> {
    let Some(baseline) = disk::read(path)? else {
        return Ok(None);
    };
    of_suite(path, &baseline, suite)?;
    let differences = fingerprint::differences(&baseline.fingerprint, now);
    if differences.is_empty() {
        return Ok(Some(baseline));
    }
    Err(Failure::usage(format!(
        "failed to save the baseline `{}`: the entries that are there are of another machine:\n  \
         {}\ngive a file of its own to each machine with --save-baseline",
        path.display(),
        differences.join("\n  ")
    )))
}

/// The commit that is measured, as the file has it.
fn commit(ground: &Ground) -> String {
    let commit: String = ground.state.commit.chars().take(COMMIT_SHOWN).collect();
    match ground.state.dirty.is_empty() {
        true => commit,
        false => format!("{commit}, with changes that are not committed"),
    }
}

impl Concluded {
    /// How the program ends for it.
    pub fn exit(&self) -> Exit {
        let compared = self.comparison.as_ref();
        let compared = compared.map_or(Exit::Success, Comparison::exit);
        let failed = self.failure.as_ref().map(|failure| failure.exit);
        failed.map_or(compared, |exit| exit.or(compared))
    }

    /// For people.
    pub fn to_text(&self, palette: Palette) -> String {
        let compared = self.comparison.as_ref();
        let compared = compared.map(|said| report::to_text(said, Frame::of_stdout(), palette));
        let mut text = compared.unwrap_or_default();
        if let Some(saved) = &self.saved {
            text.push_str(&format!("{}\n", saved.sentence()));
        }
        for note in &self.notes {
            text.push_str(&format!("note: {note}\n"));
        }
        text
    }

    /// The comparison for those who read it elsewhere; empty where there is none.
    pub fn to_markdown(&self) -> String {
        let compared = self.comparison.as_ref();
        compared.map_or_else(String::new, |said| {
            format!("\n{}", report::to_markdown(said))
        })
    }

    /// The comparison for programs; null where there is none.
    pub fn comparison_json(&self) -> Value {
        self.comparison
            .as_ref()
            .map_or(Value::Null, report::to_json)
    }

    /// What was saved, for programs; null where nothing was.
    pub fn saved_json(&self) -> Value {
        self.saved.as_ref().map_or(Value::Null, |saved| {
            let Changes {
                added,
                replaced,
                kept,
            } = saved.changes;
            json!({
                "file": saved.file,
                "entries": saved.entries,
                "added": added,
                "replaced": replaced,
                "kept": kept,
            })
        })
    }
}

impl Saved {
    fn sentence(&self) -> String {
        let entries = report::entries(self.entries);
        let Changes {
            added,
            replaced,
            kept,
        } = self.changes;
        format!(
            "baseline {}: {entries} ({added} added, {replaced} replaced, {kept} kept); commit it \
             beside the code",
            text::shell_word(&self.file.to_string_lossy())
        )
    }
}

#[cfg(test)]
mod tests;
