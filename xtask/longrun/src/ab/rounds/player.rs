//! Whoever makes observations: the processes of duets and pairs.
//!
//! Between two processes nothing is done that can be done before or after: requests, logs and
//! copies are in place before the first of a pair starts, its receipt is read after the second.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use longrun_protocol::duet::Side;
use longrun_protocol::registry::Metric;
use longrun_protocol::request::{BlockPlan, Library, Request, Task};
use longrun_protocol::{PROTOCOL_VERSION, Receipt};

use crate::ab::kept::record::{self, Phase};
use crate::ab::rounds::copies::{Copies, Image};
use crate::ab::rounds::duet::{self, Score};
use crate::ab::rounds::meter::Meter;
use crate::ab::rounds::pair;
use crate::ab::rounds::score::other_protocol;
use crate::ab::rounds::session::{Attempt, Observer, Wanted};
use crate::cli::ab::Mode;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::machine::threading::Policy;
use crate::output;
use crate::run::bundle::Place;
use crate::run::judge::{Reading, ResultStatus, answered, judge};
use crate::run::launch::{Common, Ready, receipt_in, request};
use crate::run::plan::PlanItem;
use crate::run::supervise::{Aftermath, Ending};
use crate::track::neighbours::Presence;
use crate::workers::Workers;

/// What all processes of a comparison have in common.
pub struct Stage<'a> {
    /// Id of the comparison.
    pub run_id: &'a str,
    /// Threading policy.
    pub policy: Policy,
    /// Where bound policies pin threads.
    pub places: &'a str,
    /// Longest time of one worker.
    pub timeout: Duration,
    /// CPUs of the allocation; `None` where they are unknown.
    pub cpus: Option<&'a BTreeSet<u32>>,
    /// CPU that everything runs on, where one was asked for.
    pub pin: Option<u32>,
    /// Fraction of each workload that is run.
    pub length: f64,
    /// Raised when the user interrupts.
    pub interrupt: &'a Interrupt,
}

impl Stage<'_> {
    /// The same for one worker of the repository at `root`, for at most `timeout`.
    pub fn common<'a>(&'a self, root: &'a Path, timeout: Duration) -> Common<'a> {
        Common {
            run_id: self.run_id,
            task: Task::Run,
            library: None,
            policy: self.policy,
            places: self.places,
            timeout,
            keep_state: false,
            breakdown: false,
            cpus: self.cpus,
            root,
            interrupt: self.interrupt,
        }
    }
}

/// One side, as far as its processes go by it.
pub struct Troupe<'a> {
    /// Root of its repository.
    pub root: &'a Path,
    /// Its workers.
    pub workers: &'a Workers,
    /// Its library, where something needs one.
    pub image: Option<&'a Image>,
}

/// One configuration to observe.
pub struct Job {
    /// As the baseline and the candidate have it.
    pub items: [PlanItem; 2],
    /// What one observation is.
    pub mode: Mode,
    /// Clock that decides.
    pub metric: Metric,
    /// Whose workers run the baseline and the candidate.
    pub served_by: [Side; 2],
    /// Whether each side's workers can load the other's library.
    pub abi_alike: bool,
    /// What its duets play, or why they cannot; absent where it has none and is not sampled.
    pub score: Option<Result<Score, String>>,
    /// FFT plans that the sides read.
    pub wisdom: [Option<PathBuf>; 2],
    /// Where its processes run. What is there is that of the last observation, or of the one that
    /// failed.
    pub place: Place,
    /// Copies of its libraries.
    pub copies: Copies,
    /// Whether it was said that its processes make FFT plans anew.
    pub planned_anew: bool,
}

/// Makes observations.
pub struct Player<'a> {
    /// What all processes have in common.
    pub stage: Stage<'a>,
    /// Baseline and candidate.
    pub troupes: [Troupe<'a>; 2],
    /// By configuration of the header; `None` for what is not observed.
    pub jobs: Vec<Option<Job>>,
    /// Shows that this run measures, and sees others that do.
    pub presence: Option<Presence>,
    /// Processes so far: no two have one request id.
    pub processes: u64,
}

impl Observer for Player<'_> {
    fn observe(&mut self, wanted: &Wanted, left: Duration) -> Outcome<Option<Attempt>> {
        let disturbed = self.has_company();
        let meter = Meter::begin(self.stage.cpus);
        let pairs = wanted.phase == Phase::SecondOpinion
            || self.job(wanted.configuration)?.mode == Mode::Pairs;
        let made = match pairs {
            true => self.pair(wanted, left)?,
            false => self.duet(wanted, left)?,
        };
        let Some((first, outcome)) = made else {
            return Ok(None);
        };
        let company = disturbed || self.has_company();
        Ok(Some(Attempt {
            first,
            busy: meter
                .busy()
                .map(|busy| busy || company)
                .or(company.then_some(true)),
            outcome,
        }))
    }

    fn interrupted(&self) -> bool {
        self.stage.interrupt.raised()
    }
}

/// Which side came first, and what was observed; `None` where it was cut off.
type Made = Option<(Side, record::Outcome)>;

impl<'a> Player<'a> {
    fn has_company(&self) -> bool {
        self.presence.as_ref().is_some_and(Presence::has_company)
    }

    fn job(&mut self, configuration: usize) -> Outcome<&mut Job> {
        let job = self.jobs.get_mut(configuration).and_then(Option::as_mut);
        job.ok_or_else(|| {
            Failure::failed(format!(
                "failed to observe configuration {configuration}: not prepared"
            ))
        })
    }

    /// An id that no other request of the comparison has.
    fn request_id(&mut self, configuration: usize) -> Outcome<String> {
        self.processes += 1;
        let number = self.processes;
        let job = self.job(configuration)?;
        Ok(format!("{}/{number}", job.place.request_id))
    }

    fn images(&self) -> Outcome<[&'a Image; 2]> {
        let [baseline, candidate] = &self.troupes;
        match (baseline.image, candidate.image) {
            (Some(baseline), Some(candidate)) => Ok([baseline, candidate]),
            _ => Err(Failure::failed(
                "failed to copy the libraries: a side has none",
            )),
        }
    }

    fn duet(&mut self, wanted: &Wanted, left: Duration) -> Outcome<Made> {
        let id = self.request_id(wanted.configuration)?;
        let images = self.images()?;
        let order = wanted.orders.duet(wanted.round);
        let timeout = self.stage.timeout.min(left);
        let job = self.job(wanted.configuration)?;
        let score = match job.score.clone() {
            Some(Ok(score)) => score,
            Some(Err(reason)) => return Ok(failed(order.created_first, None, reason)),
            None => {
                let reason = "there is no preparation for duets".to_owned();
                return Ok(failed(order.created_first, None, reason));
            }
        };
        let libraries = job.copies.renew(images, order.created_first)?;
        let [_, server] = job.served_by;
        let metric = job.metric;
        let item = job.items[server.index()].clone();
        let wisdom = job.wisdom[0]
            .clone()
            .filter(|plans| job.wisdom[1].as_ref() == Some(plans));
        let folder = job.place.folder.clone();
        let troupe = &self.troupes[server.index()];
        let common = self.stage.common(troupe.root, timeout);
        let base = Request {
            repeats: 1,
            length: self.stage.length,
            wisdom,
            ..request(&common, &item, &id)
        };
        let request = score.request(base, libraries, wanted);
        let program = troupe.workers.program(&item.worker)?;
        let ready = Ready::write(&common, &request, &folder, program)?;
        let aftermath = ready.run(&common, self.stage.pin, |_, _| ())?;
        if self.is_cut_off(&aftermath, timeout) {
            return Ok(None);
        }
        say_leftovers(&aftermath, &item);
        let reading = receipt_in(&folder);
        if let Reading::Read(receipt) = &reading {
            self.say_plans(wanted.configuration, receipt)?;
        }
        let outcome = match answered(&request, timeout, &aftermath, &reading) {
            Err(judgement) => record::Outcome::Failed {
                side: duet::side_in(&judgement.reason),
                reason: judgement.reason,
            },
            Ok(receipt) => match duet::measured(&request, receipt, metric) {
                Err(reason) => record::Outcome::Failed {
                    side: duet::side_in(&reason),
                    reason,
                },
                Ok(stretches) => record::Outcome::Duet {
                    first_segment: order.first,
                    stretches,
                    resolved: receipt.resolved.clone(),
                },
            },
        };
        Ok(Some((order.created_first, outcome)))
    }

    /// Says once that plans were made in a process: then they differ from process to process, and
    /// the times with them.
    fn say_plans(&mut self, configuration: usize, receipt: &Receipt) -> Outcome<()> {
        let job = self.job(configuration)?;
        let candidate = receipt.duet.as_ref().and_then(|duet| duet.candidate_wisdom);
        let reports = [receipt.wisdom, candidate].into_iter().flatten();
        let missing: u32 = reports.map(|report| report.missing).sum();
        if missing > 0 && !job.planned_anew {
            job.planned_anew = true;
            output::note(format!(
                "note: {missing} FFT plans of {} were made in the process and not read: its times \
                 spread more",
                job.items[1].configuration
            ));
        }
        Ok(())
    }

    fn pair(&mut self, wanted: &Wanted, left: Duration) -> Outcome<Made> {
        let first = wanted.orders.pair(wanted.round);
        // A side whose workers speak another protocol is served by the other's, from then on.
        for _ in Side::BOTH {
            match self.two_processes(wanted, first, left)? {
                Played::CutOff => return Ok(None),
                Played::Outcome(outcome) => return Ok(Some((first, outcome))),
                Played::Foreign(side, version) => {
                    self.hand_over(wanted.configuration, side, version)?;
                }
            }
        }
        let reason = "the workers of neither side speak the protocol".to_owned();
        Ok(failed(first, None, reason))
    }

    fn two_processes(&mut self, wanted: &Wanted, first: Side, left: Duration) -> Outcome<Played> {
        let mut programmes = Vec::new();
        let libraries = self.libraries(wanted.configuration, first)?;
        for side in [first, first.other()] {
            programmes.push(self.programme(wanted.configuration, side, &libraries, left)?);
        }
        let mut ends = Vec::new();
        let limit = self.stage.timeout;
        let pin = self.stage.pin;
        for (programme, ready) in &mut programmes {
            let Some(ready) = ready.take() else { continue };
            let common = self.stage.common(&programme.root, programme.timeout);
            let aftermath = ready.run(&common, pin, |_, _| ())?;
            let went_well = aftermath.ending == Ending::Exited(0);
            ends.push(aftermath);
            if !went_well {
                break;
            }
        }
        let mut receipts = [None, None];
        for ((programme, _), aftermath) in programmes.iter().zip(&ends) {
            if self.is_cut_off(aftermath, programme.timeout) {
                return Ok(Played::CutOff);
            }
            say_leftovers(aftermath, &programme.item);
            let reading = receipt_in(&programme.folder);
            if let Some(version) = other_protocol(&reading, &programme.folder) {
                return Ok(Played::Foreign(programme.side, version));
            }
            let judgement = judge(&programme.request, limit, aftermath, &reading);
            match (judgement.status, reading) {
                (ResultStatus::Complete, Reading::Read(receipt)) => {
                    receipts[programme.side.index()] = Some(receipt);
                }
                _ => {
                    return Ok(Played::Outcome(record::Outcome::Failed {
                        side: Some(programme.side),
                        reason: judgement.reason,
                    }));
                }
            }
        }
        let metric = self.job(wanted.configuration)?.metric;
        Ok(Played::Outcome(match &receipts {
            [Some(baseline), Some(candidate)] => pair::outcome(baseline, candidate, metric),
            _ => record::Outcome::Failed {
                side: Some(first.other()),
                reason: "it was not run".to_owned(),
            },
        }))
    }

    /// Fresh copies for both processes, where the configuration needs a library.
    fn libraries(&mut self, configuration: usize, first: Side) -> Outcome<Option<[Library; 2]>> {
        let needed = self.job(configuration)?.items[0]
            .configuration
            .engine
            .needs_library();
        if !needed {
            return Ok(None);
        }
        let images = self.images()?;
        let copies = &mut self.job(configuration)?.copies;
        copies.renew(images, first).map(Some)
    }

    /// Writes down what one process of a pair is asked.
    fn programme(
        &mut self,
        configuration: usize,
        side: Side,
        libraries: &Option<[Library; 2]>,
        left: Duration,
    ) -> Outcome<(Programme, Option<Ready>)> {
        let id = self.request_id(configuration)?;
        let timeout = self.stage.timeout.min(left);
        let job = self.job(configuration)?;
        let server = job.served_by[side.index()];
        let item = job.items[server.index()].clone();
        let folder = job.place.folder.join(["a", "b"][side.index()]);
        let wisdom = job.wisdom[side.index()].clone();
        let frozen = match &job.score {
            Some(Ok(Score::Blocks { ops, .. })) => Some(BlockPlan::Frozen { ops: *ops }),
            _ => None,
        };
        std::fs::create_dir_all(&folder).map_err(|e| Failure::file("create", &folder, e))?;
        let troupe = &self.troupes[server.index()];
        let common = self.stage.common(troupe.root, timeout);
        let base = request(&common, &item, &id);
        let request = Request {
            repeats: 1,
            length: self.stage.length,
            wisdom,
            block_plan: frozen.or(base.block_plan),
            library: libraries
                .as_ref()
                .map(|libraries| libraries[side.index()].clone()),
            ..base
        };
        let program = troupe.workers.program(&item.worker)?;
        let ready = Ready::write(&common, &request, &folder, program)?;
        let programme = Programme {
            side,
            item,
            root: troupe.root.to_owned(),
            folder,
            request,
            timeout,
        };
        Ok((programme, Some(ready)))
    }

    /// Lets the other side's workers run `side`, whose own speak another version of the protocol.
    fn hand_over(&mut self, configuration: usize, side: Side, version: u32) -> Outcome<()> {
        let job = self.job(configuration)?;
        let served_by = job.served_by;
        let server = served_by[side.index()];
        let other = server.other();
        let case = job.items[1].configuration.to_string();
        if !job.abi_alike || server != side {
            return Err(Failure::environment(format!(
                "failed to run the {} of `{case}`: the workers of the {} speak version {version} \
                 of the protocol and this program version {PROTOCOL_VERSION}, and the other \
                 side's cannot load its library; compare with a revision that is nearer",
                side.as_str(),
                server.as_str()
            )));
        }
        output::note(format!(
            "note: the {}'s workers speak version {version} of the protocol and this program \
             version {PROTOCOL_VERSION}: the {}'s run both sides of `{case}`",
            side.as_str(),
            other.as_str()
        ));
        job.served_by = [other; 2];
        Ok(())
    }

    /// Whether a process was ended by us for the sake of the whole comparison, and not because it
    /// took too long by itself.
    fn is_cut_off(&self, aftermath: &Aftermath, timeout: Duration) -> bool {
        match aftermath.ending {
            Ending::Interrupted => true,
            Ending::TimedOut => timeout < self.stage.timeout,
            Ending::Exited(_) | Ending::Signalled(_) => false,
        }
    }
}

/// One process of a pair, before it starts.
struct Programme {
    side: Side,
    item: PlanItem,
    root: PathBuf,
    folder: PathBuf,
    request: Request,
    timeout: Duration,
}

/// What two processes came to.
enum Played {
    /// They were cut off.
    CutOff,
    /// An observation.
    Outcome(record::Outcome),
    /// The workers that ran this side speak this version of the protocol.
    Foreign(Side, u32),
}

fn failed(first: Side, side: Option<Side>, reason: String) -> Made {
    Some((first, record::Outcome::Failed { side, reason }))
}

fn say_leftovers(aftermath: &Aftermath, item: &PlanItem) {
    if aftermath.left_children {
        let name = &item.configuration;
        output::note(format!(
            "note: processes that a worker of {name} left behind were ended"
        ));
    }
}
