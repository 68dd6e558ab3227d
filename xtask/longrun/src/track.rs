//! `track`: builds if needed, runs the plan, checks every run, reports, and records if asked.
//!
//! A row in the history is a promise that a complete, consistent run of committed code produced
//! that number on that hardware. Everything that can be refused is refused before the first run.
//! A run that was interrupted or killed is finished by `--resume`.

pub mod archive;
pub mod context;
pub mod execution;
pub mod neighbours;
pub mod recording;
pub mod refusals;
pub mod report;
pub mod results;
pub mod resume;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::cli::{BackendChoice, SelectionArgs, TrackArgs};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::list::{self, current_folder};
use crate::machine::busiest::Watch;
use crate::machine::{Machine, MachineOptions};
use crate::native::{self, NativeBuild};
use crate::output;
use crate::project::Project;
use crate::registry::Registry;
use crate::repo::{Repo, RepoState, Scope};
use crate::run::bundle::Bundle;
use crate::run::judge::ResultStatus;
use crate::run::plan::{Plan, Widths};
use crate::text;
use crate::workers;
use archive::Archive;
use context::{Options, PlanFile};
use execution::Execution;
use recording::Recording;
use refusals::Refusal;
use report::Report;
use results::ConfigurationResult;
use resume::Earlier;

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

/// A run whose bundle is there: a new one, or an earlier one that goes on.
pub struct Started {
    /// Its bundle.
    pub bundle: Bundle,
    /// When it began.
    pub began: SystemTime,
    /// Results that it has so far.
    pub lines: Vec<ConfigurationResult>,
}

/// Runs `track`.
pub fn run(args: &TrackArgs) -> Outcome<Exit> {
    let watch = Watch::begin();
    let project = Project::find(&current_folder()?)?;
    let earlier = match &args.resume {
        Some(wanted) => Some(Earlier::open(&project, args, wanted)?),
        None => None,
    };
    let args = &earlier
        .as_ref()
        .map_or_else(|| args.clone(), |then| then.arguments(args));
    let ground = survey(project, &args.selection, args.instance_type.clone())?;
    let refusals = refusals::before_run(&ground, args)?;
    if args.append_history && !refusals.is_empty() {
        return refuse(args, &refusals);
    }
    if args.dry_run {
        list::show(&ground.registry, &ground.plan, args.json)?;
        return Ok(Exit::Success);
    }
    let interrupt = Interrupt::watch()?;
    let archive = args
        .archive
        .as_ref()
        .map(|folder| Archive::prepare(&ground, folder));
    let archive = archive.transpose()?;
    let mut started = match earlier {
        Some(earlier) => earlier.go_on(&ground, args)?,
        None => begin(&ground, args)?,
    };
    if let Some(archive) = &archive {
        archive.check(&started.bundle)?;
    }
    let ran = carry_out(&ground, args, &interrupt, &mut started, watch, refusals);
    let archived = archive.map(|archive| archive.store(&started.bundle));
    conclude(args, &started, ran, archived)
}

/// Makes the bundle of a new run. What is in it from the beginning is enough to resume it.
fn begin(ground: &Ground, args: &TrackArgs) -> Outcome<Started> {
    let runs = match &args.out {
        Some(folder) => ground.outside_of_measured(folder, "--out")?,
        None => ground.project.work().join("runs"),
    };
    let began = SystemTime::now();
    let bundle = Bundle::create(&runs, began, &ground.state.commit)?;
    let plan = PlanFile::of(&bundle.run_id, began, ground, Options::of(args))?;
    bundle.write("plan.json", &plan)?;
    Ok(Started {
        bundle,
        began,
        lines: Vec::new(),
    })
}

/// Builds, runs what is not complete, and records if asked.
fn carry_out(
    ground: &Ground,
    args: &TrackArgs,
    interrupt: &Interrupt,
    started: &mut Started,
    mut watch: Watch,
    refusals: Vec<Refusal>,
) -> Outcome<Report> {
    let backend = args.selection.backend;
    let build = interrupt.wins_over(build_native(ground, backend, interrupt))?;
    let specs = ground.plan.items.iter().map(|item| &item.worker);
    let workers = workers::ensure(&ground.project, &ground.repo, specs, interrupt);
    let workers = interrupt.wins_over(workers)?;
    resume::same_code(&started.bundle, build.as_ref(), &workers)?;
    let facts = started.bundle.fresh_name("machine")?;
    started
        .bundle
        .write(&facts, &watch.before(&ground.machine))?;
    let execution = Execution {
        ground,
        args,
        build: build.as_ref(),
        workers: &workers,
        interrupt,
    };
    let results = execution.run(started)?;
    started
        .bundle
        .write(&facts, &watch.after(&ground.machine))?;
    let mut report = Report::new(&started.bundle, &ground.machine, results, refusals);
    if args.append_history && !interrupt.raised() {
        let recording = Recording {
            ground,
            args,
            build: build.as_ref(),
            workers: &workers,
            began: started.began,
        };
        recording.record(&mut report)?;
    }
    report.interrupted = interrupt.raised();
    report.asked_to_record = args.append_history;
    Ok(report)
}

/// Says how the run ended, where it was archived, and how to go on.
fn conclude(
    args: &TrackArgs,
    started: &Started,
    ran: Outcome<Report>,
    archived: Option<Outcome<PathBuf>>,
) -> Outcome<Exit> {
    let next = next_command(args, &started.bundle.run_id);
    let mut report = match ran {
        Ok(report) => report,
        Err(failure) => {
            match archived {
                None => {}
                Some(Ok(folder)) => output::note(format!("archive {}", folder.display())),
                Some(Err(second)) => output::note(format!("note: {second}")),
            }
            let mut lines = started.lines.iter();
            let complete = lines.any(|line| line.status == ResultStatus::Complete);
            return Err(if complete {
                with_next(failure, &next)
            } else {
                failure
            });
        }
    };
    match archived {
        None => {}
        Some(Ok(folder)) => report.archive = Some(folder),
        Some(Err(failure)) => report.archive_failure = Some(failure.message),
    }
    report.print(args.json)?;
    if let Some(why) = report.unfinished() {
        output::note(format!(
            "{why}; what is complete is kept; go on with `{next}`"
        ));
    }
    if let Some(failure) = &report.archive_failure {
        output::note(format!("error: {failure}"));
    }
    Ok(report.exit())
}

/// A failure in the middle of a run says how to go on once its cause is gone.
fn with_next(failure: Failure, next: &str) -> Failure {
    match failure.exit {
        Exit::Interrupted | Exit::Environment => Failure {
            message: format!(
                "{}\nwhat is complete is kept; go on with `{next}`",
                failure.message
            ),
            ..failure
        },
        _ => failure,
    }
}

/// The command that finishes the run.
fn next_command(args: &TrackArgs, run_id: &str) -> String {
    let mut command = format!("cargo xtask track --resume {run_id}");
    for (flag, folder) in [("--out", &args.out), ("--archive", &args.archive)] {
        if let Some(folder) = folder {
            let folder = text::shell_word(&folder.to_string_lossy());
            command.push_str(&format!(" {flag} {folder}"));
        }
    }
    for (flag, given) in [
        ("--append-history", args.append_history),
        ("--allow-dirty", args.allow_dirty),
        ("--no-commit", args.no_commit),
        ("--json", args.json),
    ] {
        if given {
            command.push_str(&format!(" {flag}"));
        }
    }
    command
}

/// Reads everything that is to be known before anything is built, and makes the plan.
pub fn survey(
    project: Project,
    selection: &SelectionArgs,
    instance_type: Option<String>,
) -> Outcome<Ground> {
    let registry = Registry::load(&project.registry())?;
    let machine = Machine::read(MachineOptions {
        production: selection.production,
        instance_type,
    });
    let widths = Widths {
        production: machine.production,
        cores: machine.physical_cores,
    };
    let default_suite = &project.settings.default_suite;
    let plan = Plan::build(&registry, selection, default_suite, widths)?;
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

/// The native library, where the plan needs one.
pub fn build_native(
    ground: &Ground,
    backend: BackendChoice,
    interrupt: &Interrupt,
) -> Outcome<Option<NativeBuild>> {
    let mut items = ground.plan.items.iter();
    let needed = items.any(|item| item.configuration.engine.needs_library());
    needed
        .then(|| native::ensure(&ground.project, &ground.repo, backend.into(), interrupt))
        .transpose()
}

/// Names of the native sources whose content differs between what was built and a commit.
pub fn source_differences(
    built: &BTreeMap<String, String>,
    committed: &BTreeMap<String, String>,
) -> Vec<String> {
    native::key::map_differences("source", built, committed)
}
