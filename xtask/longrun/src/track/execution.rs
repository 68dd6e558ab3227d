//! A plan being carried out, one worker at a time.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use longrun_protocol::request::{Library, Task};

use super::neighbours::Presence;
use super::results::ConfigurationResult;
use super::resume;
use super::{Ground, Started};
use crate::cli::TrackArgs;
use crate::failure::Outcome;
use crate::interrupt::Interrupt;
use crate::machine::facts;
use crate::native::NativeBuild;
use crate::output;
use crate::progress::Progress;
use crate::run::bundle::Bundle;
use crate::run::launch::{Common, launch};
use crate::run::plan::PlanItem;
use crate::text;
use crate::wisdom::{Preparation, Wisdom};
use crate::workers::Workers;

/// What an earlier part of the run says of a configuration.
#[derive(Clone, Debug)]
pub enum Past {
    /// Nothing: it has not been run.
    None,
    /// It is complete.
    Kept(Box<ConfigurationResult>),
    /// It has to be run again; why.
    Again(String),
}

impl Past {
    /// Whether the configuration need not be run.
    pub fn is_kept(&self) -> bool {
        matches!(self, Past::Kept(_))
    }
}

/// A plan being carried out.
pub struct Execution<'a> {
    /// What was known before.
    pub ground: &'a Ground,
    /// What was asked for.
    pub args: &'a TrackArgs,
    /// The native build that runs.
    pub build: Option<&'a NativeBuild>,
    /// The workers that run.
    pub workers: &'a Workers,
    /// Raised when the user interrupts.
    pub interrupt: &'a Interrupt,
}

impl Execution<'_> {
    /// Runs in order every configuration that is not complete. What has finished is on disk
    /// before the next begins. The results are those of the whole plan.
    pub fn run(&self, started: &mut Started) -> Outcome<Vec<ConfigurationResult>> {
        let run_id = started.bundle.run_id.clone();
        let cpus = facts::read().usable();
        let common = self.common(&run_id, cpus.as_ref());
        let items = &self.ground.plan.items;
        let past = resume::past(&common, &started.bundle, items, &started.lines);
        let left = || {
            items
                .iter()
                .enumerate()
                .zip(&past)
                .filter(|(_, past)| !past.is_kept())
        };
        if !started.lines.is_empty() {
            let kept = past.iter().filter(|past| past.is_kept()).count();
            let of = text::counted(items.len(), "configuration");
            output::note(format!(
                "going on with the run {run_id}: {kept} of {of} complete"
            ));
        }
        let presence = Presence::announce(&run_id);
        let wisdom = Wisdom::of(
            self.build.map(|build| &build.identity),
            &self.ground.machine,
        );
        let preparation = Preparation {
            common: &common,
            bundle: &started.bundle,
            workers: self.workers,
        };
        wisdom.prepare(&preparation, left().map(|(item, _)| item))?;
        let estimates = left().map(|((_, item), _)| item.estimate_s());
        let mut progress = Progress::begin(estimates.collect());
        let mut results = Vec::new();
        for ((index, item), past) in items.iter().enumerate().zip(past) {
            let again = match past {
                Past::Kept(result) => {
                    results.push(*result);
                    continue;
                }
                _ if self.interrupt.raised() => {
                    results.push(ConfigurationResult::skipped(item, "interrupted"));
                    continue;
                }
                Past::None => None,
                Past::Again(why) => Some(why),
            };
            progress.start(&item.configuration.to_string());
            let disturbed = presence.as_ref().is_some_and(Presence::has_company);
            let one = One { index, item, again };
            let mut result = self.run_one(&common, &started.bundle, one, &wisdom, &mut progress)?;
            if disturbed || presence.as_ref().is_some_and(Presence::has_company) {
                result.disturb();
            }
            started.add(&self.ground.machine.slug, &result)?;
            progress.finish(&result.line());
            results.push(result);
        }
        progress.end();
        Ok(results)
    }

    fn run_one(
        &self,
        common: &Common<'_>,
        bundle: &Bundle,
        one: One<'_>,
        wisdom: &Wisdom,
        progress: &mut Progress,
    ) -> Outcome<ConfigurationResult> {
        let One { index, item, again } = one;
        let width = item.configuration.width.to_string();
        let place = bundle.place(index, &item.configuration.case, &width)?;
        let program = self.workers.program(&item.worker)?;
        let began = Instant::now();
        let plans = wisdom.file(item);
        let mut launched = launch(common, item, &place, program, plans, &mut |event| {
            progress.event(event);
        })?;
        launched.notes.extend(again);
        launched.notes.extend(wisdom.note(item, &launched));
        let elapsed = began.elapsed();
        Ok(ConfigurationResult::of(
            item,
            &place.folder,
            launched,
            elapsed,
        ))
    }

    fn common<'a>(&'a self, run_id: &'a str, cpus: Option<&'a BTreeSet<u32>>) -> Common<'a> {
        let project = &self.ground.project;
        let timeout = self.args.timeout.unwrap_or(project.settings.timeout_s);
        Common {
            run_id,
            task: Task::Run,
            library: self.build.map(|build| Library {
                path: build.library.clone(),
                build_key: build.identity.build_key.clone(),
            }),
            policy: self.args.selection.threading,
            places: &self.ground.machine.places,
            timeout: Duration::from_secs(timeout),
            keep_state: self.args.keep_state,
            breakdown: self.args.breakdown,
            cpus,
            root: &project.root,
            interrupt: self.interrupt,
        }
    }
}

/// One configuration that is about to be run.
struct One<'a> {
    index: usize,
    item: &'a PlanItem,
    /// Why it is run again, if it is.
    again: Option<String>,
}
