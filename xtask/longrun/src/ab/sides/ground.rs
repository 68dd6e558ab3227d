//! Everything that is known before anything is built: the revisions, what of them is compared, how,
//! and what that will cost.

use longrun_measure::paired::looks::ALPHAS;
use longrun_protocol::duet::Side;
use longrun_protocol::registry::WidthSpec;
use longrun_protocol::{Configuration, Width};

use crate::ab::calibration::{Known, Table};
use crate::ab::cost::{self, Asked, Cost, Row};
use crate::ab::kept::record::{self, Compared, Standing};
use crate::ab::sides::arms::{self, Arm, Provider};
use crate::ab::sides::harness;
use crate::ab::sides::method::{self, Conditions, Method};
use crate::ab::sides::pairing::{Couple, Pairing, Source};
use crate::ab::verdicts::judge::{self, KnownLooks};
use crate::cli::SelectionArgs;
use crate::cli::ab::{AbArgs, Harness, Mode};
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::machine::{Machine, MachineOptions};
use crate::native::key;
use crate::output;
use crate::project::Project;
use crate::repo::{ContentMap, Repo, Revision};
use crate::run::plan::Widths;
use crate::user_cache;

/// A comparison before its builds.
pub struct Ground {
    /// The checkout that the command was given in.
    pub project: Project,
    /// This machine.
    pub machine: Machine,
    /// The two sides.
    pub arms: Arms,
    /// Content that decides the work and who does it, of the baseline and of the candidate.
    pub harness: [ContentMap; 2],
    /// What is compared, in the order of each round.
    pub planned: Vec<Planned>,
    /// What it will cost.
    pub cost: Cost,
}

/// The two sides; one arm where they are one revision, or a build is compared with itself.
pub struct Arms {
    baseline: Arm,
    candidate: Option<Arm>,
}

impl Arms {
    /// The arm of a side.
    pub fn of(&self, side: Side) -> &Arm {
        match (side, &self.candidate) {
            (Side::Candidate, Some(candidate)) => candidate,
            _ => &self.baseline,
        }
    }

    /// Both, baseline first.
    pub fn both(&self) -> [&Arm; 2] {
        Side::BOTH.map(|side| self.of(side))
    }

    /// Whether both sides are one arm.
    pub fn is_one(&self) -> bool {
        self.candidate.is_none()
    }
}

/// One configuration, and how it is observed.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// As the two sides have it.
    pub couple: Couple,
    /// How it is observed.
    pub method: Method,
    /// The same for the record.
    pub compared: Compared,
}

impl Planned {
    /// Whether it is observed.
    pub fn is_comparable(&self) -> bool {
        self.compared.standing == Standing::Comparable
    }
}

impl Ground {
    /// Resolves and prints both revisions, puts their files in place, pairs their configurations
    /// and adds up what observing them will cost.
    pub fn survey(project: Project, args: &AbArgs, interrupt: &Interrupt) -> Outcome<Ground> {
        check(args)?;
        let repo = project.open_repo()?;
        let arms = arms(&project, &repo, args, interrupt)?;
        let machine = Machine::read(MachineOptions {
            production: args.selection.production,
            instance_type: None,
        });
        let [baseline, candidate] = arms.both();
        let widths = Widths {
            production: machine.production,
            cores: machine.physical_cores,
        };
        let selection = selection(&args.selection);
        let pairing = Pairing::of(source(baseline), source(candidate), &selection, widths)?;
        for note in pairing.notes.iter().chain(&machine.notes) {
            output::note(format!("note: {note}"));
        }
        let harness = [baseline.harness()?, candidate.harness()?];
        let conditions = Conditions {
            mode: args.mode,
            harness: args.workers,
            workers_differ: harness::difference(
                [
                    (&harness[0], &baseline.project.settings.registry),
                    (&harness[1], &candidate.project.settings.registry),
                ],
                &pairing.couples,
            ),
            abi: [abi(baseline)?, abi(candidate)?],
        };
        let table = Table::read(user_cache::folder().as_deref(), &machine.slug);
        let planned = plan(pairing.couples, &conditions, &table, args)?;
        check_pin(args, &planned)?;
        Ok(Ground {
            cost: cost(&planned, args),
            project,
            machine,
            arms,
            harness,
            planned,
        })
    }
}

/// Refuses what no comparison can go by.
fn check(args: &AbArgs) -> Outcome<()> {
    let length = args.length;
    if !(length > 0.0 && length <= 1.0) {
        return Err(Failure::usage(format!(
            "failed to run the fraction {length} of each workload: give one above 0 and at most 1"
        )));
    }
    let alpha = args.alpha;
    if !ALPHAS.contains(&alpha) {
        let (least, most) = (ALPHAS.start(), ALPHAS.end());
        // With an exponent where it needs one: 1e-300, not three hundred digits.
        return Err(Failure::usage(format!(
            "failed to use the level {alpha:?}: give one from {least} to {most}"
        )));
    }
    method::margin(args.margin, Mode::Duet)?;
    if args.selection.repeats.is_some() {
        output::note("note: --repeats has no meaning here: the rule finds how often to observe");
    }
    Ok(())
}

fn source(arm: &Arm) -> Source<'_> {
    Source {
        registry: &arm.registry,
        default_suite: &arm.project.settings.default_suite,
    }
}

fn check_pin(args: &AbArgs, planned: &[Planned]) -> Outcome<()> {
    let wide = |one: &&Planned| {
        one.is_comparable() && one.compared.configuration.width != Width::Threads(1)
    };
    match planned.iter().find(wide).filter(|_| args.pin) {
        None => Ok(()),
        Some(one) => Err(Failure::usage(format!(
            "failed to keep `{}` on one core: it has more than one thread; leave --pin out or \
             give --threads 1",
            one.compared.configuration
        ))),
    }
}

fn arms(project: &Project, repo: &Repo, args: &AbArgs, interrupt: &Interrupt) -> Outcome<Arms> {
    let baseline = args.baseline.as_deref().ok_or_else(|| {
        Failure::usage("failed to begin a comparison: give --baseline a revision")
    })?;
    let [then, now] = arms::resolve(repo, baseline, args.candidate.as_deref())?;
    let cache = user_cache::folder();
    let provider = Provider {
        project,
        repo,
        cache: cache.as_deref(),
    };
    let of_itself = args.aa.is_some();
    // The baseline is what the user named, unless a candidate was named too.
    let (baseline, candidate) = match (of_itself, &args.candidate) {
        (true, Some(_)) => (now, None),
        (true, None) => (then, None),
        (false, _) if is_one(&then, &now) => (then, None),
        (false, _) => (then, Some(now)),
    };
    // The working tree is where it is: it keeps nobody waiting, and it is known at once whether it
    // is what is committed.
    let in_place = candidate
        .as_ref()
        .filter(|now| now.text == arms::WORKING_TREE);
    let in_place = in_place.map(|now| provider.provision(Side::Candidate, now, interrupt));
    let in_place = in_place.transpose()?;
    match &candidate {
        Some(candidate) => {
            let dirty = match in_place.as_ref().is_some_and(|arm| arm.dirty) {
                true => ", with uncommitted changes",
                false => "",
            };
            output::note(format!("baseline   {}", line(&baseline)));
            output::note(format!("candidate  {}{dirty}", line(candidate)));
        }
        None if of_itself => output::note(format!("both sides {}", line(&baseline))),
        None => {
            output::note(format!("baseline   {}", line(&baseline)));
            output::note("candidate  the same commit");
        }
    }
    let first = provider.provision(Side::Baseline, &baseline, interrupt)?;
    let second = match (in_place, candidate) {
        (None, Some(now)) => Some(provider.provision(Side::Candidate, &now, interrupt)?),
        (in_place, _) => in_place,
    };
    Ok(Arms {
        baseline: first,
        candidate: second,
    })
}

/// Whether both are one commit, and neither is what lies in the working tree.
fn is_one(then: &Revision, now: &Revision) -> bool {
    let trees = [then, now].map(|revision| revision.text != arms::WORKING_TREE);
    then.commit == now.commit && trees == [true; 2]
}

fn line(revision: &Revision) -> String {
    let Revision {
        text,
        commit,
        subject,
    } = revision;
    match text == arms::WORKING_TREE {
        true => format!("the working tree, on {commit} ({subject})"),
        false => format!("{commit} ({subject})"),
    }
}

/// Versions of the areas of the ABI that the sources of an arm have; none where it has no native
/// project.
fn abi(arm: &Arm) -> Outcome<std::collections::BTreeMap<String, i32>> {
    let include = arm.project.native().join("include");
    match include.is_dir() {
        true => key::abi_versions(&include),
        false => Ok(Default::default()),
    }
}

/// What is selected where the user does not say otherwise: width 1.
fn selection(given: &SelectionArgs) -> SelectionArgs {
    let mut selection = given.clone();
    if selection.widths.is_empty() {
        selection.widths.push(WidthSpec::Threads(1));
    }
    selection.repeats = Some(1);
    selection
}

fn plan(
    couples: Vec<Couple>,
    conditions: &Conditions,
    table: &Table,
    args: &AbArgs,
) -> Outcome<Vec<Planned>> {
    let comparable = |couple: &&Couple| couple.standing() == Standing::Comparable;
    let configurations = couples.iter().filter(comparable).count();
    let rounds = judge::rounds_made(args.rounds, args.gate);
    let mut looks = KnownLooks::default();
    let mut noted = Vec::new();
    let mut planned = Vec::new();
    for couple in couples {
        let Some(configuration) = couple.item().map(|item| item.configuration.clone()) else {
            continue;
        };
        let method = match couple.standing() {
            Standing::Comparable => conditions.method(configuration.engine)?,
            _ => Method {
                mode: args.mode.unwrap_or(Mode::Duet),
                harness: Harness::Candidate,
                note: None,
            },
        };
        if let Some(note) = method.note.clone().filter(|note| !noted.contains(note)) {
            output::note(format!("note: {note}"));
            noted.push(note);
        }
        let known = table.known(&configuration, method.mode);
        let mut compared = compared(&couple, configuration, &method, known, args, configurations)?;
        if let Some(known) = compared.calibration {
            let rule = judge::rule(&mut looks, rounds, args.alpha, &compared);
            let seen = |sd| judge::visible(&rule, compared.metric, sd);
            compared.calibration = Some(record::Calibration {
                resolvable: known.sd.map(seen),
                ..known
            });
        }
        planned.push(Planned {
            couple,
            method,
            compared,
        });
    }
    Ok(planned)
}

fn compared(
    couple: &Couple,
    configuration: Configuration,
    method: &Method,
    known: Option<Known>,
    args: &AbArgs,
    configurations: usize,
) -> Outcome<Compared> {
    let mode = method.mode;
    let facts = couple.facts;
    let estimate = cost::observation_s(couple, mode, args.length);
    let observation_s = known.and_then(|known| known.observation_s).or(estimate);
    let max_time_s = args.max_time.as_secs_f64();
    let usual = cost::observations_max(observation_s, max_time_s, configurations);
    let calibration = known.map(|known| known.calibration);
    Ok(Compared {
        configuration,
        renamed_from: couple.renamed_from(),
        standing: couple.standing(),
        mode,
        metric: facts.metric,
        margin: method::margin(args.margin, mode)?,
        observations_max: args.max_observations.unwrap_or(usual),
        revision_bound: facts.revision_bound,
        step_tolerance: facts.step_tolerance,
        chaotic: facts.chaotic,
        observation_s,
        known_sd: calibration.and_then(|calibration| calibration.sd),
        calibration,
    })
}

fn cost(planned: &[Planned], args: &AbArgs) -> Cost {
    let rows = planned.iter().map(|one| {
        let compared = &one.compared;
        Row {
            configuration: compared.configuration.clone(),
            standing: compared.standing.clone(),
            mode: compared.mode,
            observation_s: compared.observation_s,
            preparation_s: cost::preparation_s(&one.couple, compared.mode, args.length),
            observations_expected: cost::observations_expected(
                compared.calibration.as_ref(),
                compared.margin,
                compared.observations_max,
            ),
            observations_max: compared.observations_max,
        }
    });
    let asked = Asked {
        comparisons: args.aa.unwrap_or(1),
        max_time_s: args.max_time.as_secs_f64(),
        rounds: args.rounds,
        gate: args.gate,
    };
    Cost::of(rows.collect(), asked)
}
