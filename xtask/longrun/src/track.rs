//! `track`: builds if needed, runs the plan, checks every run, reports, and records if asked.
//!
//! A row in the history is a promise that a complete, consistent run of committed code produced
//! that number on that hardware. Everything that can be refused is refused before the first run.

pub mod recording;
pub mod refusals;
pub mod report;
pub mod results;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use longrun_protocol::request::{Library, Task};
use serde_json::json;

use crate::cli::TrackArgs;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::list::{self, current_folder};
use crate::machine::busiest::Watch;
use crate::machine::{Machine, MachineOptions, facts};
use crate::native::{self, NativeBuild};
use crate::output;
use crate::progress::Progress;
use crate::project::Project;
use crate::registry::Registry;
use crate::repo::{Repo, RepoState, Scope};
use crate::run::bundle::Bundle;
use crate::run::launch::{Common, launch};
use crate::run::plan::{Plan, Widths};
use crate::workers::{self, Workers};
use recording::Recording;
use refusals::Refusal;
use report::Report;
use results::ConfigurationResult;

/// Everything that is known before anything is built.
pub struct Ground {
    /// The repository's settings.
    pub project: Project,
    /// The repository.
    pub repo: Repo,
    /// Every case.
    pub registry: Registry,
    /// This machine.
    pub machine: Machine,
    /// What is to be run.
    pub plan: Plan,
    /// What must be committed for rows to mean anything.
    pub watched: Scope,
    /// What is checked out.
    pub state: RepoState,
}

/// Runs `track`.
pub fn run(args: &TrackArgs) -> Outcome<Exit> {
    let mut watch = Watch::begin();
    let ground = survey(args)?;
    let refusals = refusals::before_run(&ground, args)?;
    if args.append_history && !refusals.is_empty() {
        return refuse(args, &refusals);
    }
    if args.dry_run {
        list::show(&ground.registry, &ground.plan, args.json)?;
        return Ok(Exit::Success);
    }
    let interrupt = Interrupt::watch()?;
    let began = SystemTime::now();
    let mut bundle = Bundle::create(&runs_folder(&ground, args)?, began, &ground.state.commit)?;
    let build = interrupt.wins_over(build_native(&ground, args, &interrupt))?;
    let specs = ground.plan.items.iter().map(|item| &item.worker);
    let workers = workers::ensure(&ground.project, &ground.repo, specs, &interrupt);
    let workers = interrupt.wins_over(workers)?;
    write_context(&bundle, &ground, build.as_ref(), &workers)?;
    bundle.write("machine.json", &watch.before(&ground.machine))?;
    let execution = Execution {
        ground: &ground,
        args,
        build: build.as_ref(),
        workers: &workers,
        interrupt: &interrupt,
    };
    let results = execution.run(&mut bundle)?;
    bundle.write("machine.json", &watch.after(&ground.machine))?;
    let mut report = Report::new(&bundle, &ground.machine, results, refusals);
    if args.append_history && !interrupt.raised() {
        let recording = Recording {
            ground: &ground,
            args,
            build: build.as_ref(),
            workers: &workers,
            began,
        };
        recording.record(&mut report)?;
    }
    report.interrupted = interrupt.raised();
    report.asked_to_record = args.append_history;
    report.print(args.json)?;
    Ok(report.exit())
}

fn survey(args: &TrackArgs) -> Outcome<Ground> {
    let project = Project::find(&current_folder()?)?;
    let registry = Registry::load(&project.registry())?;
    let machine = Machine::read(MachineOptions {
        production: args.selection.production,
        instance_type: args.instance_type.clone(),
    });
    let widths = Widths {
        production: machine.production,
        cores: machine.physical_cores,
    };
    let default_suite = &project.settings.default_suite;
    let plan = Plan::build(&registry, &args.selection, default_suite, widths)?;
    for note in plan.notes.iter().chain(&machine.notes) {
        output::note(format!("note: {note}"));
    }
    let repo = project.open_repo()?;
    let watched = watched(&project, &plan);
    let state = repo.state(&watched)?;
    Ok(Ground {
        project,
        repo,
        registry,
        machine,
        plan,
        watched,
        state,
    })
}

/// What the settings watch, and what the plan's worker commands run.
fn watched(project: &Project, plan: &Plan) -> Scope {
    let mut scope = project.watched_scope();
    for item in &plan.items {
        scope
            .include
            .extend(workers::command_files(&project.root, &item.worker));
    }
    scope.include.dedup();
    scope
}

/// Says why nothing was run, all reasons together.
fn refuse(args: &TrackArgs, refusals: &[Refusal]) -> Outcome<Exit> {
    if args.json {
        output::print(&format!("{}\n", report::refused_json(refusals)))?;
    }
    Err(Failure::refused(format!(
        "refused to record this run, so nothing was run:{}",
        refusals::listed(refusals)
    )))
}

/// Where the bundle of the run goes: nowhere that is measured, or the run would change it.
fn runs_folder(ground: &Ground, args: &TrackArgs) -> Outcome<PathBuf> {
    let Some(folder) = &args.out else {
        return Ok(ground.project.work().join("runs"));
    };
    let folder = current_folder()?.join(folder);
    let inside = folder.strip_prefix(&ground.project.root).ok();
    let measured = inside.is_some_and(|path| ground.watched.covers(&path.to_string_lossy()));
    match measured {
        false => Ok(folder),
        true => Err(Failure::usage(format!(
            "failed to choose the folder of runs `{}`: it is part of what is measured; give \
             another with --out",
            folder.display()
        ))),
    }
}

fn build_native(
    ground: &Ground,
    args: &TrackArgs,
    interrupt: &Interrupt,
) -> Outcome<Option<NativeBuild>> {
    let mut items = ground.plan.items.iter();
    let needed = items.any(|item| item.configuration.engine.needs_library());
    let backend = args.selection.backend.into();
    needed
        .then(|| native::ensure(&ground.project, &ground.repo, backend, interrupt))
        .transpose()
}

/// Writes what the run is made of into its bundle, before the first configuration.
fn write_context(
    bundle: &Bundle,
    ground: &Ground,
    build: Option<&NativeBuild>,
    workers: &Workers,
) -> Outcome<()> {
    let items: Vec<_> = ground
        .plan
        .items
        .iter()
        .map(|item| json!({"configuration": item.configuration, "estimate_s": item.estimate_s()}))
        .collect();
    let dirty: Vec<_> = ground
        .state
        .dirty
        .iter()
        .map(|dirty| json!({"path": dirty.path, "change": dirty.change.as_str()}))
        .collect();
    bundle.write(
        "plan.json",
        &json!({
            "schema_version": report::SCHEMA_VERSION,
            "run_id": bundle.run_id,
            "commit": ground.state.commit,
            "branch": ground.state.branch,
            "dirty": dirty,
            "configurations": items,
        }),
    )?;
    bundle.write(
        "build.json",
        &json!({
            "schema_version": report::SCHEMA_VERSION,
            "native": build.map(|build| &build.identity),
            "workers": workers.digests(),
        }),
    )
}

/// A plan being carried out.
struct Execution<'a> {
    ground: &'a Ground,
    args: &'a TrackArgs,
    build: Option<&'a NativeBuild>,
    workers: &'a Workers,
    interrupt: &'a Interrupt,
}

impl Execution<'_> {
    /// Runs every configuration in order. What has finished is on disk before the next begins.
    fn run(&self, bundle: &mut Bundle) -> Outcome<Vec<ConfigurationResult>> {
        let run_id = bundle.run_id.clone();
        let cpus = facts::read().usable();
        let common = self.common(&run_id, cpus.as_ref());
        let items = &self.ground.plan.items;
        let mut progress = Progress::begin(items.iter().map(|item| item.estimate_s()).collect());
        let mut results = Vec::new();
        for (index, item) in items.iter().enumerate() {
            if self.interrupt.raised() {
                results.push(ConfigurationResult::skipped(item, "interrupted"));
                continue;
            }
            progress.start(&item.configuration.to_string());
            let width = item.configuration.width.to_string();
            let folder = bundle.configuration_folder(index, &item.configuration.case, &width)?;
            let program = self.workers.program(&item.worker)?;
            let began = Instant::now();
            let launched = launch(&common, item, index, &folder, program, &mut |event| {
                progress.event(event);
            })?;
            let result = ConfigurationResult::of(item, &folder, launched, began.elapsed());
            bundle.append_result(&result)?;
            progress.finish(&result.line());
            results.push(result);
        }
        progress.end();
        Ok(results)
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
            cpus,
            root: &project.root,
            interrupt: self.interrupt,
        }
    }
}

/// Names of the native sources whose content differs between what was built and a commit.
pub fn source_differences(
    built: &BTreeMap<String, String>,
    committed: &BTreeMap<String, String>,
) -> Vec<String> {
    native::key::map_differences("source", built, committed)
}
