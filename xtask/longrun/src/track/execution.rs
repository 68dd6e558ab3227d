//! A plan being carried out, one worker at a time.

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use longrun_protocol::request::{Library, Task};

use super::gathered::gather;
use super::neighbours::Presence;
use super::results::ConfigurationResult;
use super::resume;
use super::turns::{Pace, Turn, turns};
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

/// How often a pause looks for an interrupt.
const REST: Duration = Duration::from_millis(100);

/// What an earlier part of the run says of a process of a configuration.
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
    /// Whether it need not be run.
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
    /// Runs in order every process that is not complete. What has finished is on disk before the
    /// next begins. The results are those of the configurations of the whole plan.
    pub fn run(&self, started: &mut Started) -> Outcome<Vec<ConfigurationResult>> {
        let run_id = started.bundle.run_id.clone();
        let cpus = facts::read().usable();
        let common = self.common(&run_id, cpus.as_ref());
        let items = &self.ground.plan.items;
        let turns = turns(items);
        let past = resume::past(&common, &started.bundle, &turns, &started.lines);
        let left = || {
            let turns = turns.iter().zip(&past);
            turns
                .filter(|(_, past)| !past.is_kept())
                .map(|(turn, _)| turn)
        };
        if !started.lines.is_empty() {
            going_on(&run_id, &past, items.len());
        }
        let native = self.build.map(|build| &build.identity);
        let means = Means {
            common: &common,
            presence: Presence::announce(&run_id),
            wisdom: Wisdom::of(native, &self.ground.machine),
        };
        let preparation = Preparation {
            common: &common,
            bundle: &started.bundle,
            workers: self.workers,
        };
        self.say_rounds(turns.len(), items.len());
        let to_run = left().map(|turn| (turn.index, turn.item));
        means.wisdom.prepare(&preparation, to_run)?;
        let mut progress =
            Progress::begin(left().map(|turn| turn.item.process_estimate_s()).collect());
        let mut of_items: Vec<Gathering> = vec![Gathering::default(); items.len()];
        let mut pace = Pace::of(items);
        let began = Instant::now();
        for (turn, past) in turns.iter().zip(past) {
            let gathering = &mut of_items[turn.index];
            let again = match past {
                Past::Kept(result) => {
                    gathering.parts.push(*result);
                    self.finish(turn, gathering, started, &progress)?;
                    continue;
                }
                // One process without a time leaves the configuration without one.
                _ if gathering.is_lost() => {
                    progress.skip();
                    continue;
                }
                Past::None => None,
                Past::Again(why) => Some(why),
            };
            let wait = pace.wait(turn, began.elapsed().as_secs_f64());
            self.rest(wait, &mut progress);
            if self.interrupt.raised() {
                gathering.parts.push(interrupted(turn));
                continue;
            }
            pace.begins(turn, began.elapsed().as_secs_f64());
            progress.start(&turn.name());
            let one = One { turn, again };
            let result = self.run_one(&means, &started.bundle, one, &mut progress)?;
            started.add(&result)?;
            progress.pass();
            gathering.parts.push(result);
            gathering.is_new = true;
            self.finish(turn, gathering, started, &progress)?;
        }
        progress.end();
        Ok(whole(items, of_items))
    }

    /// Says why nothing is finished for a while, where processes take turns.
    fn say_rounds(&self, turns: usize, configurations: usize) {
        if turns > configurations {
            let processes = text::counted(turns, "process");
            let of = text::counted(configurations, "configuration");
            output::note(format!(
                "{of} in {processes}, which take turns: results come with the last of them"
            ));
        }
    }

    /// Waits so long, or until the user interrupts.
    fn rest(&self, wait: Duration, progress: &mut Progress) {
        let began = Instant::now();
        if !wait.is_zero() {
            progress.rest();
        }
        while !self.interrupt.raised() && began.elapsed() < wait {
            thread::sleep(REST.min(wait.saturating_sub(began.elapsed())));
        }
    }

    /// Hands out what a configuration came to, if nothing more of it is run and something was now.
    fn finish(
        &self,
        turn: &Turn<'_>,
        gathering: &Gathering,
        started: &mut Started,
        progress: &Progress,
    ) -> Outcome<()> {
        let ends = turn.is_last() || gathering.is_lost();
        if !(ends && gathering.is_new) {
            return Ok(());
        }
        let Some(whole) = gather(gathering.parts.clone(), turn.item.processes) else {
            return Ok(());
        };
        started.publish(&self.ground.machine.slug, &whole)?;
        progress.say(&turn.item.configuration.to_string(), &whole.line());
        Ok(())
    }

    fn run_one(
        &self,
        means: &Means<'_>,
        bundle: &Bundle,
        one: One<'_>,
        progress: &mut Progress,
    ) -> Outcome<ConfigurationResult> {
        let Means { common, wisdom, .. } = means;
        let One { turn, again } = one;
        let Turn { index, item, .. } = *turn;
        let width = item.configuration.width.to_string();
        let place = bundle.place(index, &item.configuration.case, &width)?;
        let disturbed = means.has_company();
        let program = self.workers.program(&item.worker)?;
        let began = Instant::now();
        let plans = wisdom.file(item);
        let mut launched = launch(common, item, &place, program, plans, &mut |event| {
            progress.event(event);
        })?;
        launched.notes.extend(again);
        launched.notes.extend(wisdom.note(item, &launched));
        let elapsed = began.elapsed();
        let mut result = ConfigurationResult::of(item, &place.folder, launched, elapsed);
        result.process = turn.process;
        if disturbed || means.has_company() {
            result.disturb();
        }
        Ok(result)
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

/// Says how much of an earlier run is kept.
fn going_on(run_id: &str, past: &[Past], configurations: usize) {
    let kept = past.iter().filter(|past| past.is_kept()).count();
    let of = match past.len() == configurations {
        true => text::counted(configurations, "configuration"),
        false => text::counted(past.len(), "process"),
    };
    output::note(format!(
        "going on with the run {run_id}: {kept} of {of} complete"
    ));
}

/// A process that the user did not wait for.
fn interrupted(turn: &Turn<'_>) -> ConfigurationResult {
    ConfigurationResult {
        process: turn.process,
        ..ConfigurationResult::skipped(turn.item, "interrupted")
    }
}

/// The results of the configurations, whose processes are gathered.
fn whole(items: &[PlanItem], of_items: Vec<Gathering>) -> Vec<ConfigurationResult> {
    let all = items.iter().zip(of_items);
    all.filter_map(|(item, gathering)| gather(gathering.parts, item.processes))
        .collect()
}

/// What there is of a configuration so far.
#[derive(Clone, Default)]
struct Gathering {
    /// Results of its processes, in their order.
    parts: Vec<ConfigurationResult>,
    /// Whether one of them was run now.
    is_new: bool,
}

impl Gathering {
    /// Whether it will have no time.
    fn is_lost(&self) -> bool {
        self.parts.iter().any(ConfigurationResult::is_lost)
    }
}

/// What every process of a run is run with.
struct Means<'a> {
    common: &'a Common<'a>,
    /// Shows the run to others, and others to it.
    presence: Option<Presence>,
    wisdom: Wisdom,
}

impl Means<'_> {
    /// Whether another run is measuring now.
    fn has_company(&self) -> bool {
        self.presence.as_ref().is_some_and(Presence::has_company)
    }
}

/// One process that is about to be run.
struct One<'a> {
    turn: &'a Turn<'a>,
    /// Why it is run again, if it is.
    again: Option<String>,
}
