//! What is kept of the observations of one configuration to judge it. Pure.

use longrun_measure::paired::{NoRatio, duet, log_ratio};
use longrun_protocol::Sample;
use longrun_protocol::duet::{Side, StretchReport};
use longrun_protocol::registry::Metric;

use crate::ab::kept::record::{Compared, Observation, Outcome, PairSide, Phase};
use crate::ab::verdicts::numbers::Tally;

/// Observations of one phase, as log-ratios by both clocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    cpu: Vec<f64>,
    wall: Vec<f64>,
    /// Whether an observation has no CPU time that a ratio can be taken of.
    cpu_unknown: bool,
    /// Times of the sides, observation by observation.
    pub times: Vec<Times>,
}

/// Times of both sides in one observation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// The baseline's.
    pub baseline: SideTime,
    /// The candidate's.
    pub candidate: SideTime,
}

/// Time of one side in one observation, and what it did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideTime {
    /// Wall time of an operation, s.
    pub wall_s: f64,
    /// CPU time of an operation, s, where it is known.
    pub cpu_s: Option<f64>,
    /// Iterations of an iterative workload.
    pub iterations: Option<u64>,
    /// Whether it converged.
    pub converged: Option<bool>,
}

impl SideTime {
    /// The time by one clock.
    pub fn by(self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Cpu => self.cpu_s,
            Metric::Wall => Some(self.wall_s),
        }
    }
}

impl Series {
    /// Log-ratios by one clock.
    pub fn by(&self, metric: Metric) -> &[f64] {
        match metric {
            Metric::Cpu => &self.cpu,
            Metric::Wall => &self.wall,
        }
    }

    fn add(&mut self, wanted: Metric, outcome: &Outcome) -> Result<(), NoRatio> {
        let ratio = |metric| match outcome {
            Outcome::Duet { stretches, .. } => duet::observation(stretches, metric).map(Some),
            Outcome::Pair {
                baseline,
                candidate,
                ..
            } => log_ratio(&baseline.sample, &candidate.sample, metric).map(Some),
            Outcome::Failed { .. } => Ok(None),
        };
        let Some(wall) = ratio(Metric::Wall)? else {
            return Ok(());
        };
        match ratio(Metric::Cpu) {
            Ok(cpu) => self.cpu.extend(cpu),
            Err(NoRatio::Unknown(_)) => self.cpu_unknown = true,
            Err(error) if wanted == Metric::Cpu => return Err(error),
            Err(_) => self.cpu_unknown = true,
        }
        self.wall.push(wall);
        self.times.extend(times(outcome));
        Ok(())
    }
}

fn times(outcome: &Outcome) -> Option<Times> {
    match outcome {
        Outcome::Duet { stretches, .. } => {
            let operations = evaluations(stretches);
            let side = |side| side_time(samples(stretches, side), operations);
            Some(Times {
                baseline: side(Side::Baseline),
                candidate: side(Side::Candidate),
            })
        }
        Outcome::Pair {
            baseline,
            candidate,
            ..
        } => Some(Times {
            baseline: process_time(baseline),
            candidate: process_time(candidate),
        }),
        Outcome::Failed { .. } => None,
    }
}

fn process_time(side: &PairSide) -> SideTime {
    SideTime {
        iterations: side.iterations,
        converged: side.converged,
        ..side_time([side.sample].into_iter(), None)
    }
}

/// Source evaluations of the baseline in a duet, where every segment counts them. Processes visit
/// other stretches with other numbers of steps: by evaluation their times are comparable, and
/// counting the baseline's for both sides leaves the ratio what it is.
fn evaluations(stretches: &[StretchReport]) -> Option<u64> {
    let segments = stretches.iter().flat_map(|stretch| &stretch.segments);
    let mut counts = segments.map(|segment| segment.baseline.evaluations);
    let sum = counts.try_fold(0_u64, |sum, count| sum.checked_add(count?))?;
    (sum > 0).then_some(sum)
}

fn samples(stretches: &[StretchReport], side: Side) -> impl Iterator<Item = Sample> + '_ {
    let segments = stretches.iter().flat_map(|stretch| &stretch.segments);
    segments.map(move |segment| match side {
        Side::Baseline => segment.baseline.sample,
        Side::Candidate => segment.candidate.sample,
    })
}

/// Mean time of an operation over samples; `operations` where they are counted otherwise.
fn side_time(samples: impl Iterator<Item = Sample>, operations: Option<u64>) -> SideTime {
    let mut wall_ns = 0_u64;
    let mut cpu_ns = Some(0_u64);
    let mut ops = 0_u64;
    for sample in samples {
        wall_ns = wall_ns.saturating_add(sample.interval_ns);
        cpu_ns = cpu_ns
            .zip(sample.cpu_ns)
            .map(|(sum, ns)| sum.saturating_add(ns));
        ops = ops.saturating_add(sample.ops);
    }
    let ops = operations.unwrap_or(ops).max(1);
    // Nanoseconds of days and operations are below 2^53.
    let mean = |ns: u64| ns as f64 / 1e9 / ops as f64;
    SideTime {
        wall_s: mean(wall_ns),
        cpu_s: cpu_ns.map(mean),
        ..SideTime::default()
    }
}

/// How often the machine was busy, over the observations that are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Observations during which others used the machine.
    pub busy: usize,
    /// Observations of which that is unknown.
    pub unknown: usize,
    /// All of them.
    pub observations: usize,
}

/// Everything that the verdict of one configuration follows from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Whether the sides computed the same.
    pub tally: Tally,
    /// For the verdict.
    pub screen: Series,
    /// Fresh, to confirm it.
    pub confirm: Series,
    /// Pairs, for a second opinion.
    pub second: Series,
    /// Whether others used the machine.
    pub load: Load,
    /// Why there is no verdict but this: the first failure.
    pub failure: Option<String>,
}

impl Ledger {
    /// Adds an observation of the configuration.
    pub fn add(&mut self, compared: &Compared, one: &Observation) {
        self.tally.add(compared, &one.outcome);
        if let Outcome::Failed { side, reason } = &one.outcome {
            let who = match side {
                Some(side) => format!("{}: ", side.as_str()),
                None => String::new(),
            };
            self.fail(format!("{who}{reason}"));
            return;
        }
        if one.phase == Phase::WarmUp {
            return;
        }
        self.load.observations += 1;
        match one.busy {
            Some(true) => self.load.busy += 1,
            Some(false) => {}
            None => self.load.unknown += 1,
        }
        let series = match one.phase {
            Phase::Confirm => &mut self.confirm,
            Phase::SecondOpinion => &mut self.second,
            Phase::Screen | Phase::WarmUp => &mut self.screen,
        };
        if let Err(error) = series.add(compared.metric, &one.outcome) {
            self.fail(format!("round {} cannot be judged: {error}", one.round));
        }
    }

    fn fail(&mut self, reason: String) {
        self.failure.get_or_insert(reason);
    }

    /// The clock that decides: CPU time only where every observation has it.
    pub fn metric(&self, wanted: Metric) -> Metric {
        let all = [&self.screen, &self.confirm, &self.second];
        match all.iter().any(|series| series.cpu_unknown) {
            true => Metric::Wall,
            false => wanted,
        }
    }
}
