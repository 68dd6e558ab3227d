//! `track`: builds if needed, runs the plan, checks every run, reports, and records if asked.
//!
//! A row in the history is a promise that a complete, consistent run of committed code produced
//! that number on that hardware. Everything that can be refused is refused before the first run.
//! A run that was interrupted or killed is finished by `--resume`.

pub mod archive;
pub mod breakdown;
pub mod context;
pub mod execution;
pub mod gathered;
pub mod lines;
pub mod load;
pub mod neighbours;
pub mod outputs;
pub mod recording;
pub mod refusals;
pub mod report;
pub mod results;
pub mod resume;
pub mod sampled;
pub mod turns;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use longrun_protocol::Width;

use crate::baseline::Baselines;
use crate::cli::{BackendChoice, SelectionArgs, StoredPolicy, TrackArgs};
use crate::doctor::roof::kept::Kept;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::list::{self, current_folder};
use crate::machine::busiest::Watch;
use crate::machine::{Machine, MachineOptions};
use crate::native::{self, NativeBuild};
use crate::output;
use crate::project::{Project, TIMEOUTS_S};
use crate::registry::Registry;
use crate::repo::{Repo, RepoState, Scope};
use crate::run::bundle::Bundle;
use crate::run::judge::ResultStatus;
use crate::run::plan::{Plan, Widths};
use crate::run::writable;
use crate::text;
use crate::user_cache;
use crate::workers;
use archive::Archive;
use breakdown::Explained;
use context::{Options, PlanFile};
use execution::Execution;
use lines::JsonLines;
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
    /// Where each result goes beside the bundle, if anywhere.
    pub json_lines: Option<JsonLines>,
}

impl Started {
    /// Adds what a process came to. It is on disk when this returns.
    fn add(&mut self, result: &ConfigurationResult) -> Outcome<()> {
        self.bundle.append_result(result)?;
        self.lines.push(result.clone());
        Ok(())
    }

    /// Hands out what a configuration came to, once all its processes have ended.
    fn publish(&mut self, slug: &str, result: &ConfigurationResult) -> Outcome<()> {
        match &mut self.json_lines {
            Some(lines) => lines.add(&self.bundle.run_id, slug, result),
            None => Ok(()),
        }
    }
}

/// Runs `track`.
pub fn run(args: &TrackArgs) -> Outcome<Exit> {
    let watch = Watch::begin();
    outputs::named_once(args)?;
    let project = Project::find(&current_folder()?)?;
    let earlier = match &args.resume {
        Some(wanted) => Some(Earlier::open(&project, args, wanted)?),
        None => None,
    };
    let args = &earlier
        .as_ref()
        .map_or_else(|| args.clone(), |then| then.arguments(args));
    let (ground, differences) = match &earlier {
        Some(then) => then.survey(project, args)?,
        None => {
            let instance_type = args.instance_type.clone();
            (survey(project, &args.selection, instance_type)?, Vec::new())
        }
    };
    let refusals = refusals::before_run(&ground, args)?;
    let of_record: &[Refusal] = if args.append_history { &refusals } else { &[] };
    if let Some(then) = &earlier {
        then.check(&differences, of_record)?;
    }
    if !of_record.is_empty() {
        return refuse(args, of_record);
    }
    let baselines = Baselines::prepare(&ground, args)?;
    if args.dry_run {
        writable::check(&runs_folder(&ground, args)?)?;
        list::show(&ground.registry, &ground.plan, args.json)?;
        return Ok(Exit::Success);
    }
    let interrupt = Interrupt::watch()?;
    let runs = resume::runs_folder(&ground.project, args)?;
    let archive = args
        .archive
        .as_ref()
        .map(|folder| Archive::prepare(&ground, &runs, folder));
    let archive = archive.transpose()?;
    let json_lines = outputs::prepare(&ground, args)?;
    let mut started = match earlier {
        Some(earlier) => earlier.go_on()?,
        None => begin(&ground, args)?,
    };
    started.json_lines = json_lines;
    if let Some(archive) = &archive {
        archive.check(&started.bundle)?;
    }
    let ran = carry_out(&ground, args, &interrupt, &mut started, watch, refusals);
    let ran = ran.map(|report| {
        let report = explain(&ground, args, report);
        conclude_baselines(baselines.as_ref(), &interrupt, report)
    });
    let archived = archive.map(|archive| archive.store(&started.bundle));
    let limit = args.timeout.unwrap_or(ground.project.settings.timeout_s);
    conclude(args, limit, &started, ran, archived)
}

/// The folder of a new run's bundle, absolute.
fn runs_folder(ground: &Ground, args: &TrackArgs) -> Outcome<PathBuf> {
    match &args.out {
        Some(folder) => ground.outside_of_measured(folder, "--out"),
        None => Ok(ground.project.work().join("runs")),
    }
}

/// Makes the bundle of a new run. What is in it from the beginning is enough to resume it.
fn begin(ground: &Ground, args: &TrackArgs) -> Outcome<Started> {
    let runs = runs_folder(ground, args)?;
    let began = SystemTime::now();
    let bundle = Bundle::create(&runs, began, &ground.state.commit)?;
    let plan = PlanFile::of(&bundle.run_id, began, ground, Options::of(args))?;
    bundle.write("plan.json", &plan)?;
    Ok(Started {
        bundle,
        began,
        lines: Vec::new(),
        json_lines: None,
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
    if report.interrupted && args.append_history && report.recorded.is_none() {
        refusals::interrupted(&report.results, &mut report.refusals);
    }
    Ok(report)
}

/// Adds what is said beside times and rows: how far from the roof they are, and where the time
/// went.
fn explain(ground: &Ground, args: &TrackArgs, mut report: Report) -> Report {
    let roof = Kept::read(user_cache::folder().as_deref(), &ground.machine);
    if let Some(roof) = &roof {
        beside_roof(&mut report.results, roof);
    }
    let explained = || Explained::of(&report.results, roof.as_ref());
    report.breakdown = args.breakdown.then(explained);
    report
}

/// Adds what baselines say, and saves the times to one, where that was asked for.
fn conclude_baselines(
    baselines: Option<&Baselines>,
    interrupt: &Interrupt,
    mut report: Report,
) -> Report {
    let conclude =
        |baselines: &Baselines| baselines.conclude(&report.results, report.interrupted, interrupt);
    report.baseline = baselines.map(conclude);
    report
}

/// Holds the rates of sampled work against what this machine can do.
fn beside_roof(results: &mut [ConfigurationResult], roof: &Kept) {
    for result in results {
        if let (Some(sampled), Width::Threads(threads)) =
            (&mut result.sampled, result.configuration.width)
        {
            sampled.hold_against(roof, threads);
        }
    }
}

/// Says how the run ended, where it was archived, and how to go on. `limit` is the longest time in
/// seconds that one worker had.
fn conclude(
    args: &TrackArgs,
    limit: u64,
    started: &Started,
    ran: Outcome<Report>,
    archived: Option<Outcome<PathBuf>>,
) -> Outcome<Exit> {
    let run_id = &started.bundle.run_id;
    let archived =
        archived.map(|stored| stored.map_err(|why| archive_elsewhere(why, args, run_id)));
    let next = next_command(args, run_id, longer(limit, &started.lines));
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
            return Err(with_next(failure, complete, &next));
        }
    };
    match archived {
        None => {}
        Some(Ok(folder)) => report.archive = Some(folder),
        Some(Err(failure)) => report.archive_failure = Some(failure.message),
    }
    outputs::show_as_markdown(&mut report, args.markdown.as_deref());
    report.print(args.json)?;
    if let Some(why) = report.unfinished() {
        output::note(format!(
            "{why}; what is complete is kept; go on with `{next}`"
        ));
    }
    let failures = report.archive_failure.iter();
    for failure in failures.chain(&report.markdown_failure) {
        output::note(format!("error: {failure}"));
    }
    if let Some(failure) = report
        .baseline
        .as_ref()
        .and_then(|said| said.failure.as_ref())
    {
        output::note(format!(
            "error: {failure}\nwhat was measured is kept; once that is settled, `{next}` saves it"
        ));
    }
    Ok(report.exit())
}

/// A failure in the middle of a run says how to go on once its cause is gone.
fn with_next(failure: Failure, complete: bool, next: &str) -> Failure {
    let next = match (failure.exit, complete) {
        (Exit::Interrupted | Exit::Environment, true) => {
            format!("what is complete is kept; go on with `{next}`")
        }
        (Exit::Environment, false) => format!("once that is settled, go on with `{next}`"),
        _ => return failure,
    };
    Failure {
        message: format!("{}\n{next}", failure.message),
        ..failure
    }
}

/// A copy that could not be made says how to make it in another place.
fn archive_elsewhere(failure: Failure, args: &TrackArgs, run_id: &str) -> Failure {
    let other = TrackArgs {
        archive: Some(PathBuf::from("OTHER")),
        ..args.clone()
    };
    let next = next_command(&other, run_id, None);
    Failure {
        message: format!(
            "{}; free some space there or copy it to another folder with `{next}`",
            failure.message
        ),
        ..failure
    }
}

/// The limit to try next where a configuration last took longer than `limit` seconds.
fn longer(limit: u64, lines: &[ConfigurationResult]) -> Option<u64> {
    let is_last = |(index, line): &(usize, &ConfigurationResult)| {
        let mut later = lines.iter().skip(index + 1);
        !later.any(|other| other.is_of(&line.configuration, line.process))
    };
    let mut timed_out = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.status == ResultStatus::TimedOut);
    let timed_out = timed_out.any(|line| is_last(&line));
    let more = limit.saturating_mul(2).min(*TIMEOUTS_S.end());
    (timed_out && more > limit).then_some(more)
}

/// The command that finishes the run, with another limit for its workers where one is given.
fn next_command(args: &TrackArgs, run_id: &str, timeout: Option<u64>) -> String {
    let mut command = format!("cargo xtask track --resume {run_id}");
    for (flag, path) in [
        ("--out", &args.out),
        ("--archive", &args.archive),
        ("--baseline-file", &args.baseline_file),
        ("--save-baseline", &args.save_baseline),
        ("--jsonl", &args.jsonl),
        ("--markdown", &args.markdown),
    ] {
        if let Some(path) = path {
            let path = text::shell_word(&path.to_string_lossy());
            command.push_str(&format!(" {flag} {path}"));
        }
    }
    if args.policy == StoredPolicy::Acceptance {
        command.push_str(" --policy acceptance");
    }
    // What an earlier `--resume` was given is not in the plan of the run.
    let given = args.timeout.filter(|_| args.resume.is_some());
    if let Some(seconds) = timeout.or(given) {
        command.push_str(&format!(" --timeout {seconds}"));
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
    survey_by(project, selection, instance_type, Plan::build)
}

/// The same with another way of making the plan.
fn survey_by(
    project: Project,
    selection: &SelectionArgs,
    instance_type: Option<String>,
    make: impl FnOnce(&Registry, &SelectionArgs, &str, Widths) -> Outcome<Plan>,
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
    let plan = make(&registry, selection, default_suite, widths)?;
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
