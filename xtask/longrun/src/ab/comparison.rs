//! One comparison, from its bundle to its report.

use std::env;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime};

use longrun_protocol::duet::Side;

use crate::ab::calibration::{Addition, Table};
use crate::ab::kept::file::{self, OBSERVATIONS, Record, Recorder};
use crate::ab::kept::record::{
    Compared, Ending, Header, MachineRecord, Observation, Options, Phase, SCHEMA, SCHEMA_VERSION,
    Standing,
};
use crate::ab::kept::stored::{self, Earlier, Plan};
use crate::ab::report::{Report, Strictness};
use crate::ab::rounds::lock::Turn;
use crate::ab::rounds::session::Ended;
use crate::ab::rounds::stage::Rounds;
use crate::ab::sides::built::{self, Built};
use crate::ab::sides::ground::Ground;
use crate::cli::ab::{AbArgs, Harness, Mode};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::machine::{Machine, facts};
use crate::markdown;
use crate::output;
use crate::run::bundle::{Bundle, LOCK};
use crate::text;
use crate::user_cache;

/// A comparison whose bundle is there: a new one, or an earlier one that goes on.
pub struct Comparison {
    bundle: Bundle,
    past: Past,
}

/// What there is of a comparison.
enum Past {
    /// Nothing but its bundle.
    New {
        /// When it began.
        began: SystemTime,
        /// Seed of its coins.
        seed: u64,
    },
    /// What an earlier part has left.
    Earlier(Box<Earlier>),
}

/// A comparison whose file is open.
struct Open {
    header: Header,
    recorder: Recorder,
    observations: Vec<Observation>,
}

impl Comparison {
    /// Makes the bundle of a new comparison. Nothing has been built before this: a folder that
    /// cannot be written costs nothing.
    pub fn begin(ground: &Ground, args: &AbArgs) -> Outcome<Comparison> {
        let began = SystemTime::now();
        let commit = &ground.arms.of(Side::Candidate).commit;
        let folder = stored::folder(&ground.project, args)?;
        let bundle = Bundle::create_holding(LOCK, &folder, began, commit)?;
        let seed = args.seed.unwrap_or_else(drawn_seed);
        Plan::of(&bundle.run_id, ground, args, seed)?.write(&bundle)?;
        let past = Past::New { began, seed };
        Ok(Comparison { bundle, past })
    }

    /// One that goes on.
    pub fn of_earlier((bundle, earlier): (Bundle, Earlier)) -> Comparison {
        let past = Past::Earlier(Box::new(earlier));
        Comparison { bundle, past }
    }

    /// Builds both sides, says how they differ, observes them, and reports.
    pub fn make(self, ground: &Ground, args: &AbArgs, interrupt: &Interrupt) -> Outcome<Exit> {
        let Comparison { bundle, past } = self;
        let _turn = Turn::wait(&ground.project.work(), &bundle.run_id, interrupt)?;
        let (built, open) = match prepare(&bundle, past, ground, args, interrupt) {
            Ok(prepared) => prepared,
            Err(failure) => {
                leave_nothing(&bundle);
                return Err(failure);
            }
        };
        let Open {
            header,
            mut recorder,
            observations,
        } = open;
        let ending = match nothing_to_time(&header) {
            true => Some(Ending::NothingToTime),
            false => {
                let comparison = (&bundle, &header, &built);
                let observed = observe(
                    comparison,
                    ground,
                    args,
                    interrupt,
                    (&mut recorder, &observations),
                );
                match observed.map_err(|failure| with_next(failure, args, &bundle.run_id))? {
                    Ended::Decided => Some(Ending::Decided),
                    Ended::OutOfTime => Some(Ending::OutOfTime),
                    Ended::Interrupted => None,
                }
            }
        };
        match ending {
            Some(ending) => recorder.end(ending)?,
            None => drop(recorder),
        }
        conclude(&bundle, args, &ground.machine, interrupt)
    }
}

/// Builds both sides and opens the file of observations.
fn prepare(
    bundle: &Bundle,
    past: Past,
    ground: &Ground,
    args: &AbArgs,
    interrupt: &Interrupt,
) -> Outcome<(Built, Open)> {
    let built = Built::of(ground, args.selection.backend, interrupt);
    let built = interrupt.wins_over(built)?;
    unchanged(ground)?;
    output::note(built.difference.to_text().trim_end());
    let path = bundle.folder.join(OBSERVATIONS);
    let open = match past {
        Past::New { began, seed } => {
            bundle.write("machine.json", &ground.machine)?;
            bundle.write("difference.json", &built.difference)?;
            let header = header(&bundle.run_id, began, seed, (ground, args, &built));
            Open {
                recorder: Recorder::create(&path, &header)?,
                header,
                observations: Vec::new(),
            }
        }
        Past::Earlier(earlier) => {
            let now = SystemTime::now();
            let header = header(&bundle.run_id, now, earlier.seed(), (ground, args, &built));
            earlier.check(ground, args, &header)?;
            let Earlier {
                mut recorder,
                record,
                ..
            } = *earlier;
            recorder.resumed(&humantime::format_rfc3339_seconds(now).to_string())?;
            output::note(format!(
                "going on with the comparison {} after {}",
                bundle.run_id,
                there_are(&record.observations)
            ));
            Open {
                header: record.header,
                recorder,
                observations: record.observations,
            }
        }
    };
    Ok((built, open))
}

/// Refuses to compare what was edited after it was looked at, while another comparison was waited
/// for or the libraries were built.
fn unchanged(ground: &Ground) -> Outcome<()> {
    for side in Side::BOTH {
        if ground.arms.of(side).harness()? != ground.harness[side.index()] {
            return Err(Failure::failed(format!(
                "failed to compare the {}: its workloads or `Cargo.lock` changed meanwhile; run \
                 the command again",
                side.as_str()
            )));
        }
    }
    Ok(())
}

/// Removes the bundle of a comparison that has not begun.
fn leave_nothing(bundle: &Bundle) {
    if !bundle.folder.join(OBSERVATIONS).exists() {
        // What cannot be removed is shown and freed by `clean`.
        let _ = fs::remove_dir_all(&bundle.folder);
    }
}

fn observe(
    (bundle, header, built): (&Bundle, &Header, &Built),
    ground: &Ground,
    args: &AbArgs,
    interrupt: &Interrupt,
    (recorder, observations): (&mut Recorder, &[Observation]),
) -> Outcome<Ended> {
    let workers = built.workers(ground, interrupt)?;
    let limit = args.timeout.unwrap_or(ground.project.settings.timeout_s);
    let cpus = facts::read().usable();
    let rounds = Rounds {
        ground,
        built,
        workers: &workers,
        bundle,
        header,
        policy: args.selection.threading,
        timeout: Duration::from_secs(limit),
        cpus: cpus.as_ref(),
        interrupt,
    };
    rounds.run(recorder, observations)
}

/// Reports what the file says, as a replay of it would.
fn conclude(
    bundle: &Bundle,
    args: &AbArgs,
    machine: &Machine,
    interrupt: &Interrupt,
) -> Outcome<Exit> {
    let record = file::read(&bundle.folder.join(OBSERVATIONS))?;
    let report = Report::of(&record);
    report.print(args.json)?;
    if record.ending.is_none() {
        output::note(format!(
            "interrupted; {} are kept; go on with `{}`",
            there_are(&record.observations),
            next_command(args, &bundle.run_id)
        ));
        return Ok(Exit::Interrupted);
    }
    let step_summary = markdown::step_summary();
    if let Some(note) = report.keep(&bundle.folder, step_summary.as_deref())? {
        output::note(format!("note: {note}"));
    }
    if record.header.options.aa.is_some() {
        keep_calibration(&report, machine, interrupt);
    }
    output::note(format!("bundle {}", bundle.folder.display()));
    Ok(report.exit(Strictness::of(args.strict)))
}

/// How many observations there are. Warm-ups are named: no other number counts them.
fn there_are(observations: &[Observation]) -> String {
    let is_warm_up = |one: &&Observation| one.phase == Phase::WarmUp;
    let warm_ups = observations.iter().filter(is_warm_up).count();
    let counted = text::counted(observations.len() - warm_ups, "observation");
    match warm_ups {
        0 => counted,
        _ => format!("{counted} and {}", text::counted(warm_ups, "warm-up")),
    }
}

/// Adds what a build has shown beside itself to what is known of this machine. A comparison is not
/// lost where that cannot be written.
fn keep_calibration(report: &Report<'_>, machine: &Machine, interrupt: &Interrupt) {
    let Some(cache) = user_cache::folder() else {
        output::note("note: these figures are not kept: the environment names no cache folder");
        return;
    };
    let Record {
        header,
        observations,
        ..
    } = report.record;
    let configurations = header.configurations.iter().enumerate();
    let additions = configurations
        .zip(&report.calibrations)
        .map(|((index, one), figures)| {
            let counts = |observation: &&Observation| {
                observation.configuration == index && observation.phase == Phase::Screen
            };
            Addition {
                configuration: one.configuration.clone(),
                mode: one.mode,
                calibration: figures.clone(),
                took_s: observations
                    .iter()
                    .filter(counts)
                    .map(|one| one.took_s)
                    .collect(),
            }
        });
    let slug = &machine.slug;
    match Table::add(&cache, slug, &header.run_id, additions.collect(), interrupt) {
        Ok(path) => output::note(format!("kept for later verdicts in `{}`", path.display())),
        Err(failure) => output::note(format!("note: these figures are not kept: {failure}")),
    }
}

/// A failure in the middle says how to go on once its cause is gone.
fn with_next(failure: Failure, args: &AbArgs, run_id: &str) -> Failure {
    let next = next_command(args, run_id);
    let message = match failure.exit {
        Exit::Interrupted => format!("{}; go on with `{next}`", failure.message),
        Exit::Environment => {
            format!(
                "{}\nonce that is settled, go on with `{next}`",
                failure.message
            )
        }
        _ => return failure,
    };
    Failure { message, ..failure }
}

/// The command that finishes the comparison.
fn next_command(args: &AbArgs, run_id: &str) -> String {
    let mut command = format!("cargo xtask ab --resume {run_id}");
    if let Some(folder) = &args.out {
        let folder = text::shell_word(&folder.to_string_lossy());
        command.push_str(&format!(" --out {folder}"));
    }
    if let Some(seconds) = args.timeout {
        command.push_str(&format!(" --timeout {seconds}"));
    }
    for (flag, given) in [("--strict", args.strict), ("--json", args.json)] {
        if given {
            command.push_str(&format!(" {flag}"));
        }
    }
    command
}

/// Whether there is nothing to observe: the sides are one build, or have nothing in common.
fn nothing_to_time(header: &Header) -> bool {
    let same = header.build_difference.same && header.options.aa.is_none();
    let comparable = |one: &Compared| one.standing == Standing::Comparable;
    same || !header.configurations.iter().any(comparable)
}

fn header(
    run_id: &str,
    date: SystemTime,
    seed: u64,
    (ground, args, built): (&Ground, &AbArgs, &Built),
) -> Header {
    let Ground {
        machine, planned, ..
    } = ground;
    Header {
        schema: SCHEMA.to_owned(),
        schema_version: SCHEMA_VERSION,
        run_id: run_id.to_owned(),
        date: humantime::format_rfc3339_seconds(date).to_string(),
        baseline: built.arm_record(ground, Side::Baseline),
        candidate: built.arm_record(ground, Side::Candidate),
        build_difference: built.difference.to_record(),
        machine: MachineRecord {
            slug: machine.slug.clone(),
            cpu_model: machine.cpu_model.clone(),
            signature: machine.signature.to_string(),
            platform: format!("{} {}", env::consts::OS, env::consts::ARCH),
        },
        options: Options {
            mode: args.mode.unwrap_or(Mode::Duet),
            workers: match built::server(planned, Side::Baseline) {
                Side::Baseline => Harness::Own,
                Side::Candidate => Harness::Candidate,
            },
            alpha: args.alpha,
            rounds: args.rounds,
            max_time_s: args.max_time.as_secs_f64(),
            seed,
            pin: args.pin,
            length: args.length,
            threading: args.selection.threading.name().to_owned(),
            confirm: args.confirm,
            gate: args.gate,
            aa: args.aa,
        },
        configurations: planned.iter().map(|one| one.compared.clone()).collect(),
    }
}

/// A seed that nobody chose. It is kept with the observations.
fn drawn_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ab::testing;

    #[test]
    fn one_build_and_no_common_configuration_need_no_timing() {
        let timed = testing::header(&["a", "b"]);
        assert!(!nothing_to_time(&timed));
        let mut same = timed.clone();
        same.build_difference.same = true;
        assert!(nothing_to_time(&same));
        same.options.aa = Some(2);
        assert!(!nothing_to_time(&same), "a build beside itself is timed");
        let mut apart = timed.clone();
        apart.configurations[0].standing = Standing::New;
        assert!(!nothing_to_time(&apart));
        apart.configurations[1].standing = Standing::Missing;
        assert!(nothing_to_time(&apart));
    }

    #[test]
    fn warm_ups_are_counted_apart() {
        use crate::ab::testing::series;
        let mut all = series(0, Phase::Screen, 0, &[1.0; 15]);
        assert_eq!(there_are(&all), "15 observations");
        all.extend(series(0, Phase::WarmUp, 0, &[1.0; 4]));
        assert_eq!(there_are(&all), "15 observations and 4 warm-ups");
    }

    #[test]
    fn seeds_that_nobody_chose_differ() {
        assert_ne!(drawn_seed(), drawn_seed());
    }
}
