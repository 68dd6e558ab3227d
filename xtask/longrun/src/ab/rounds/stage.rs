//! Setting the stage: FFT plans, preparations, jobs; then the rounds themselves.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use longrun_protocol::PROTOCOL_VERSION;
use longrun_protocol::duet::Side;
use longrun_protocol::registry::SamplingPolicy;
use longrun_protocol::request::Library;

use crate::ab::kept::file::Recorder;
use crate::ab::kept::record::{Header, Observation};
use crate::ab::rounds::copies::Copies;
use crate::ab::rounds::duet::Score;
use crate::ab::rounds::player::{Job, Player, Stage, Troupe};
use crate::ab::rounds::score::{Preparation, Refusal};
use crate::ab::rounds::session::{Ended, Keep, Needs, Past, Rule, Scope, Session};
use crate::ab::sides::built::{Built, server};
use crate::ab::sides::ground::{Ground, Planned};
use crate::ab::verdicts::Need;
use crate::ab::verdicts::judge::Judge;
use crate::cli::ab::{Harness, Mode};
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::machine::threading::Policy;
use crate::output;
use crate::run::bundle::Bundle;
use crate::run::plan::PlanItem;
use crate::text;
use crate::track::neighbours::Presence;
use crate::wisdom::{self, Wisdom};
use crate::workers::Workers;

/// Folder of preparations that later comparisons use again, below Longrun's own.
const SHELF: &str = "checkpoints";

/// How often the course of the rounds is told.
const TOLD_EVERY: Duration = Duration::from_secs(30);

/// A comparison that is about to be observed.
pub struct Rounds<'a> {
    /// What was known before it was built.
    pub ground: &'a Ground,
    /// What was built.
    pub built: &'a Built,
    /// The workers that run each side.
    pub workers: &'a [Workers; 2],
    /// Its bundle.
    pub bundle: &'a Bundle,
    /// What was decided.
    pub header: &'a Header,
    /// Threading policy.
    pub policy: Policy,
    /// Longest time of one worker.
    pub timeout: Duration,
    /// CPUs of the allocation; `None` where they are unknown.
    pub cpus: Option<&'a BTreeSet<u32>>,
    /// Raised when the user interrupts.
    pub interrupt: &'a Interrupt,
}

impl Rounds<'_> {
    /// Prepares, and observes until every verdict is there, the time is up or the user interrupts.
    /// `earlier` is what an earlier part has observed.
    pub fn run(&self, recorder: &mut Recorder, earlier: &[Observation]) -> Outcome<Ended> {
        let presence = Presence::announce(&self.bundle.run_id);
        let jobs = self.jobs()?;
        let mut player = Player {
            stage: self.stage()?,
            troupes: Side::BOTH.map(|side| Troupe {
                root: self.root(side),
                workers: &self.workers[side.index()],
                image: self.built.images[side.index()].as_ref(),
            }),
            jobs,
            presence,
            processes: 0,
        };
        let mut past = Past::default();
        let mut rule = Verdicts(Judge::new(self.header));
        for one in earlier {
            past.add(one);
            rule.add(one);
        }
        let options = &self.header.options;
        let comparable = |(index, one): (usize, &Planned)| one.is_comparable().then_some(index);
        let planned = self.ground.planned.iter().enumerate();
        let scope = Scope {
            configurations: planned.filter_map(comparable).collect(),
            comparisons: options.aa.unwrap_or(1),
            max_time: Duration::try_from_secs_f64(options.max_time_s).unwrap_or(Duration::MAX),
            seed: options.seed,
        };
        let offset = past.until();
        let began = Instant::now();
        let mut shelf = Shelf {
            recorder,
            header: self.header,
            told: began,
            observed: 0,
            began,
        };
        let clock = || offset + began.elapsed();
        let mut session = Session {
            scope,
            past,
            observer: &mut player,
            rule: &mut rule,
            keep: &mut shelf,
            clock: &clock,
        };
        session.run()
    }

    fn stage(&self) -> Outcome<Stage<'_>> {
        Ok(Stage {
            run_id: &self.bundle.run_id,
            policy: self.policy,
            places: &self.ground.machine.places,
            timeout: self.timeout,
            cpus: self.cpus,
            pin: match self.header.options.pin {
                true => Some(self.core()?),
                false => None,
            },
            length: self.header.options.length,
            interrupt: self.interrupt,
        })
    }

    /// The CPU that `--pin` keeps everything on: the last of the allocation, because interrupts are
    /// served by the first ones.
    fn core(&self) -> Outcome<u32> {
        let last = self.cpus.and_then(BTreeSet::last);
        last.copied().ok_or_else(|| {
            Failure::environment(
                "failed to keep both sides on one core: the CPUs of this process are unknown; \
                 leave --pin out",
            )
        })
    }

    /// Root of the repository whose workers run `side`.
    fn root(&self, side: Side) -> &Path {
        let server = server(&self.ground.planned, side);
        &self.ground.arms.of(server).project.root
    }

    fn library(&self, side: Side) -> Option<Library> {
        let build = self.built.native[side.index()].as_ref()?;
        Some(Library {
            path: build.library.clone(),
            build_key: build.identity.build_key.clone(),
        })
    }

    /// Makes the FFT plans of both sides, then everything else that is to be there before the
    /// first round.
    fn jobs(&self) -> Outcome<Vec<Option<Job>>> {
        let stage = self.stage()?;
        let plans = Side::BOTH.map(|side| {
            let build = self.built.native[side.index()].as_ref();
            Wisdom::of(build.map(|build| &build.identity), &self.ground.machine)
        });
        for side in Side::BOTH {
            let mut common = stage.common(self.root(side), self.timeout);
            common.library = self.library(side);
            let preparation = wisdom::Preparation {
                common: &common,
                bundle: self.bundle,
                workers: &self.workers[side.index()],
            };
            let planned = self.ground.planned.iter().enumerate();
            let items = planned.filter_map(|(index, one)| Some((index, item(one, side)?)));
            plans[side.index()].prepare(&preparation, items)?;
            self.stop_if_interrupted()?;
        }
        let planned = self.ground.planned.iter().enumerate();
        let jobs = planned.map(|(number, one)| self.job(&stage, (number, one), &plans));
        jobs.collect()
    }

    fn stop_if_interrupted(&self) -> Outcome<()> {
        match self.interrupt.raised() {
            true => Err(Failure::interrupted("interrupted before the first round")),
            false => Ok(()),
        }
    }

    fn job(
        &self,
        stage: &Stage<'_>,
        (number, planned): (usize, &Planned),
        plans: &[Wisdom; 2],
    ) -> Outcome<Option<Job>> {
        let couple = &planned.couple;
        let (Some(baseline), Some(candidate)) = (&couple.baseline, &couple.candidate) else {
            return Ok(None);
        };
        if !planned.is_comparable() {
            return Ok(None);
        }
        let configuration = &candidate.configuration;
        let width = configuration.width.to_string();
        let wisdom = [plans[0].file(baseline), plans[1].file(candidate)];
        if planned.method.mode == Mode::Duet && wisdom[0] != wisdom[1] {
            output::note(format!(
                "note: the sides of {configuration} use unlike FFT libraries: each process plans \
                 anew"
            ));
        }
        let score = self.score(stage, (number, planned), candidate, wisdom[0].clone())?;
        let place = self.bundle.place(number, &configuration.case, &width)?;
        Ok(Some(Job {
            items: [baseline.clone(), candidate.clone()],
            mode: planned.method.mode,
            metric: planned.compared.metric,
            served_by: match planned.method.harness {
                Harness::Candidate => [Side::Candidate; 2],
                Harness::Own => Side::BOTH,
            },
            abi_alike: self.abi_alike(),
            score,
            wisdom,
            copies: Copies::within(&place.folder.join("copies"))?,
            place,
            planned_anew: false,
        }))
    }

    fn abi_alike(&self) -> bool {
        let [baseline, candidate] = &self.built.native;
        let (Some(baseline), Some(candidate)) = (baseline, candidate) else {
            return true;
        };
        let (then, now) = (&baseline.identity.abi, &candidate.identity.abi);
        then.iter()
            .all(|(area, version)| now.get(area).is_none_or(|now| now == version))
    }

    /// What duets play, and how large blocks of sampled work are.
    fn score(
        &self,
        stage: &Stage<'_>,
        (number, planned): (usize, &Planned),
        item: &PlanItem,
        wisdom: Option<std::path::PathBuf>,
    ) -> Outcome<Option<Result<Score, String>>> {
        let sampling = planned.couple.facts.sampling;
        let complete = matches!(sampling, SamplingPolicy::Complete { .. });
        let duet = planned.method.mode == Mode::Duet;
        // Where each side has its own workers, the candidate's may load no other library.
        let side = match planned.method.harness {
            Harness::Candidate => Side::Baseline,
            Harness::Own => Side::Candidate,
        };
        let Some(library) = self.library(side).filter(|_| duet || !complete) else {
            return Ok(None);
        };
        let workers = &self.workers[Side::Candidate.index()];
        let common = stage.common(self.root(Side::Candidate), self.timeout);
        let program = workers.program(&item.worker)?;
        let preparation = Preparation {
            common: &common,
            item,
            sampling,
            program,
            worker: workers.digest(&item.worker),
            library,
            wisdom,
            length: self.header.options.length,
            shelf: &self.ground.project.work().join(SHELF),
        };
        let (case, width) = (
            &item.configuration.case,
            item.configuration.width.to_string(),
        );
        let score = preparation.score(|| self.bundle.preparation_place(number, case, &width))?;
        match score {
            Ok(score) => Ok(Some(Ok(score))),
            Err(Refusal::Because(reason)) => Ok(Some(Err(match duet {
                true => format!("{reason}; a comparison with --mode pairs prepares nothing"),
                false => reason,
            }))),
            Err(Refusal::Protocol(version)) => Err(Failure::environment(format!(
                "failed to prepare duets of `{}`: the candidate's worker speaks version {version} \
                 of the protocol, and this program version {PROTOCOL_VERSION}; where the \
                 baseline's speaks that too, give --workers own",
                item.configuration
            ))),
        }
    }
}

/// What `side` runs of a configuration that is compared.
fn item(planned: &Planned, side: Side) -> Option<&PlanItem> {
    let item = match side {
        Side::Baseline => planned.couple.baseline.as_ref(),
        Side::Candidate => planned.couple.candidate.as_ref(),
    };
    item.filter(|_| planned.is_comparable())
}

/// The rule of the verdicts.
struct Verdicts<'a>(Judge<'a>);

impl Rule for Verdicts<'_> {
    fn add(&mut self, observation: &Observation) {
        self.0.add(observation);
    }

    fn needs(&self, comparison: u32) -> Needs {
        let verdicts = self.0.verdicts(comparison, None);
        let all = 0..verdicts.configurations.len();
        let configurations: Vec<Need> = all.map(|one| verdicts.next(one)).collect();
        let suite = match verdicts.suite_open() {
            true => (0..configurations.len())
                .filter(|one| verdicts.in_suite(*one))
                .collect(),
            false => Vec::new(),
        };
        Needs {
            configurations,
            suite,
        }
    }
}

/// Keeps observations in the file of the comparison, and tells how far it is.
struct Shelf<'a> {
    recorder: &'a mut Recorder,
    header: &'a Header,
    told: Instant,
    observed: usize,
    began: Instant,
}

impl Shelf<'_> {
    fn name(&self, configuration: usize) -> String {
        let compared = self.header.configurations.get(configuration);
        compared.map_or_else(String::new, |compared| compared.configuration.to_string())
    }
}

impl Keep for Shelf<'_> {
    fn keep(&mut self, observation: &Observation) -> Outcome<()> {
        self.recorder.append(observation)?;
        self.observed += 1;
        if self.told.elapsed() >= TOLD_EVERY {
            self.told = Instant::now();
            output::note(format!(
                "{} in {}, the last of {}",
                text::counted(self.observed, "observation"),
                text::seconds(self.began.elapsed().as_secs_f64()),
                self.name(observation.configuration)
            ));
        }
        Ok(())
    }

    fn decided(&mut self, configuration: usize, comparison: u32, observations: u32) {
        let count = usize::try_from(observations).unwrap_or(usize::MAX);
        let number = match self.header.options.aa {
            Some(all) => format!(", comparison {} of {all}", comparison.saturating_add(1)),
            None => String::new(),
        };
        output::note(format!(
            "{}: decided by {}{number}",
            self.name(configuration),
            text::counted(count, "observation")
        ));
    }
}
