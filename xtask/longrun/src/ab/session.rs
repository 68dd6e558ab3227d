//! The rounds of a comparison: what is observed next, and when there is an end.
//!
//! Every configuration gets one observation a round, in the order of the header, so that whatever
//! the machine does meanwhile falls on all of them. Processes, files, clock and rule are given from
//! outside.

use std::collections::BTreeMap;
use std::time::Duration;

use longrun_measure::paired::Orders;
use longrun_protocol::duet::Side;

use super::record::{self, Observation, Phase};
use crate::failure::{Failure, Outcome};

/// Time without a process after which the next one of each configuration is a warm-up: the first
/// run after an idle gap of 1.5 s takes up to 17 % longer (`spec/ab.md` section 1).
pub const IDLE_MAX: Duration = Duration::from_secs(1);

/// Rounds that one comparison may have: every phase of the longest sequence that can be asked for.
const ROUNDS_MAX: u32 = 40_000;

/// What the rule wants of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Another observation of this phase.
    Observe(Phase),
    /// Nothing: its verdict is there.
    Decided,
}

/// The rule that stops: a function of what was observed.
pub trait Judge {
    /// What `configuration` needs, by its own observations in this comparison.
    fn need(&self, configuration: usize, observations: &[Observation]) -> Outcome<Need>;

    /// Whether all configurations together have no verdict yet.
    fn suite_open(&self, kept: &Kept) -> Outcome<bool>;
}

/// What is to be observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Index of the configuration.
    pub configuration: usize,
    /// Number of the comparison.
    pub comparison: u32,
    /// Why.
    pub phase: Phase,
    /// Number within the phase.
    pub round: u32,
    /// Its coins.
    pub orders: Orders,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// Side whose engine was created first, or whose process ran first.
    pub first: Side,
    /// Whether other processes used the machine.
    pub busy: Option<bool>,
    /// What was measured.
    pub outcome: record::Outcome,
}

/// Whoever makes observations.
pub trait Observer {
    /// Makes one, within `left`; `None` where it was cut off by that or by the user.
    fn observe(&mut self, wanted: &Wanted, left: Duration) -> Outcome<Option<Attempt>>;

    /// Whether the user has interrupted.
    fn interrupted(&self) -> bool;
}

/// Whoever keeps observations.
pub trait Keep {
    /// Keeps one for good.
    fn keep(&mut self, observation: &Observation) -> Outcome<()>;

    /// A configuration has been decided, by this many observations.
    fn decided(&mut self, configuration: usize, comparison: u32, observations: usize);
}

/// How the rounds ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every verdict is there.
    Decided,
    /// The time was up.
    OutOfTime,
    /// The user interrupted.
    Interrupted,
}

/// Everything that was observed, by comparison and configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept(BTreeMap<(u32, usize), Vec<Observation>>);

impl Kept {
    /// What an earlier part of the comparison has left.
    pub fn of(observations: impl IntoIterator<Item = Observation>) -> Kept {
        let mut kept = Kept::default();
        for observation in observations {
            kept.add(observation);
        }
        kept
    }

    /// The observations of a configuration in one comparison, in the order in which they were made.
    pub fn of_one(&self, comparison: u32, configuration: usize) -> &[Observation] {
        let found = self.0.get(&(comparison, configuration));
        found.map(Vec::as_slice).unwrap_or_default()
    }

    /// All of them, configuration by configuration.
    pub fn all(&self) -> impl Iterator<Item = &Observation> {
        self.0.values().flatten()
    }

    /// When the last of them had ended.
    pub fn until(&self) -> Duration {
        let ends = self.all().map(|observation| observation.at_s);
        let last = ends.fold(0.0, f64::max);
        Duration::try_from_secs_f64(last).unwrap_or_default()
    }

    fn add(&mut self, observation: Observation) {
        let key = (observation.comparison, observation.configuration);
        self.0.entry(key).or_default().push(observation);
    }

    /// Whether some attempt at this configuration has failed, in whatever comparison.
    fn has_failed(&self, configuration: usize) -> bool {
        let mut of_it = self.0.iter().filter(|((_, of), _)| *of == configuration);
        of_it.any(|(_, observations)| observations.iter().any(is_failure))
    }

    /// Shortest time that an observation of this configuration took.
    fn shortest(&self, configuration: usize) -> Option<Duration> {
        let of_it = self.0.iter().filter(|((_, of), _)| *of == configuration);
        let times = of_it.flat_map(|(_, observations)| observations.iter().map(|one| one.took_s));
        let shortest = times.fold(f64::INFINITY, f64::min);
        Duration::try_from_secs_f64(shortest).ok()
    }

    fn made(&self, wanted: &Wanted) -> u32 {
        let of_one = self.of_one(wanted.comparison, wanted.configuration);
        let made = of_one
            .iter()
            .filter(|one| one.phase == wanted.phase)
            .count();
        u32::try_from(made).unwrap_or(u32::MAX)
    }
}

fn is_failure(observation: &Observation) -> bool {
    matches!(observation.outcome, record::Outcome::Failed { .. })
}

/// Number of a phase among the coins.
fn phase_number(phase: Phase) -> u32 {
    match phase {
        Phase::Screen => 0,
        Phase::Confirm => 1,
        Phase::SecondOpinion => 2,
        Phase::WarmUp => 3,
    }
}

/// What is compared, and for how long at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Indices of the configurations that can be compared, in the order of a round.
    pub configurations: Vec<usize>,
    /// Comparisons to make: 1, or more of a build with itself.
    pub comparisons: u32,
    /// Longest time of all rounds together, earlier parts included.
    pub max_time: Duration,
    /// Seed of all coins.
    pub seed: u64,
    /// Whether all configurations together get a verdict too.
    pub suite: bool,
}

/// A comparison being made.
pub struct Session<'a> {
    /// What is compared.
    pub scope: Scope,
    /// What has been observed.
    pub kept: Kept,
    /// Who observes.
    pub observer: &'a mut dyn Observer,
    /// What stops.
    pub judge: &'a dyn Judge,
    /// Where observations are kept.
    pub keep: &'a mut dyn Keep,
    /// Time since the beginning of the comparison, earlier parts included.
    pub clock: &'a dyn Fn() -> Duration,
}

/// What the next round is.
enum Round {
    /// These phases of these configurations.
    Of(Vec<(usize, Phase)>),
    /// There is none: the comparison is over.
    None,
}

impl Session<'_> {
    /// Observes until every verdict is there, the time is up, or the user interrupts. What was
    /// observed is in `kept`, and kept for good, however it ends.
    pub fn run(&mut self) -> Outcome<Ended> {
        let mut warmth = Warmth::default();
        for comparison in 0..self.scope.comparisons {
            let mut told = Vec::new();
            for round in 0.. {
                if round == ROUNDS_MAX {
                    return Err(Failure::failed(format!(
                        "failed to come to a verdict: {ROUNDS_MAX} rounds were made"
                    )));
                }
                let Round::Of(wanted) = self.next(comparison, &mut told)? else {
                    break;
                };
                for (configuration, phase) in wanted {
                    let ended = self.observe((comparison, configuration), phase, &mut warmth)?;
                    if let Some(ended) = ended {
                        return Ok(ended);
                    }
                }
            }
        }
        Ok(Ended::Decided)
    }

    /// What the next round of a comparison observes. A decided configuration goes on only while
    /// the verdict over all of them is open.
    fn next(&mut self, comparison: u32, told: &mut Vec<usize>) -> Outcome<Round> {
        let mut wanted = Vec::new();
        let mut decided = Vec::new();
        for configuration in &self.scope.configurations {
            let configuration = *configuration;
            if self.kept.has_failed(configuration) {
                continue;
            }
            let observations = self.kept.of_one(comparison, configuration);
            match self.judge.need(configuration, observations)? {
                Need::Observe(phase) => wanted.push((configuration, phase)),
                Need::Decided => {
                    if !told.contains(&configuration) {
                        told.push(configuration);
                        let counted = |one: &&Observation| one.phase != Phase::WarmUp;
                        let count = observations.iter().filter(counted).count();
                        self.keep.decided(configuration, comparison, count);
                    }
                    decided.push(configuration);
                }
            }
        }
        // It looks at everything, so it is asked only where it matters.
        if self.scope.suite && !decided.is_empty() && self.judge.suite_open(&self.kept)? {
            wanted.extend(decided.into_iter().map(|one| (one, Phase::Screen)));
            wanted.sort_by_key(|(one, _)| self.place(*one));
        }
        Ok(match wanted.is_empty() {
            true => Round::None,
            false => Round::Of(wanted),
        })
    }

    fn place(&self, configuration: usize) -> usize {
        let mut order = self.scope.configurations.iter();
        order
            .position(|one| *one == configuration)
            .unwrap_or_default()
    }

    /// Observes once, after a warm-up where the configuration is cold.
    fn observe(
        &mut self,
        (comparison, configuration): (u32, usize),
        phase: Phase,
        warmth: &mut Warmth,
    ) -> Outcome<Option<Ended>> {
        if warmth.is_cold(configuration, (self.clock)()) {
            let of = (comparison, configuration, Phase::WarmUp);
            if let Some(ended) = self.attempt(of, phase, warmth)? {
                return Ok(Some(ended));
            }
            if self.kept.has_failed(configuration) {
                return Ok(None);
            }
        }
        self.attempt((comparison, configuration, phase), phase, warmth)
    }

    /// Makes one observation and keeps it. One that failed is kept as of the phase `after`, because
    /// it decides, which a warm-up does not.
    fn attempt(
        &mut self,
        (comparison, configuration, phase): (u32, usize, Phase),
        after: Phase,
        warmth: &mut Warmth,
    ) -> Outcome<Option<Ended>> {
        if self.observer.interrupted() {
            return Ok(Some(Ended::Interrupted));
        }
        let began = (self.clock)();
        let left = self.scope.max_time.saturating_sub(began);
        // What is sure to be cut off is not begun.
        let shortest = self.kept.shortest(configuration).unwrap_or_default();
        if left.is_zero() || left < shortest {
            return Ok(Some(Ended::OutOfTime));
        }
        let orders = Orders::of(self.scope.seed, configuration, comparison);
        let mut wanted = Wanted {
            configuration,
            comparison,
            phase,
            round: 0,
            orders: orders.in_phase(phase_number(phase)),
        };
        wanted.round = self.kept.made(&wanted);
        let attempt = self.observer.observe(&wanted, left)?;
        let ended = (self.clock)();
        warmth.note(configuration, ended);
        let Some(attempt) = attempt else {
            return Ok(Some(match self.observer.interrupted() {
                true => Ended::Interrupted,
                false => Ended::OutOfTime,
            }));
        };
        let failed = matches!(attempt.outcome, record::Outcome::Failed { .. });
        let observation = Observation {
            configuration,
            comparison,
            phase: if failed { after } else { phase },
            round: wanted.round,
            seed: self.scope.seed,
            first: attempt.first,
            at_s: ended.as_secs_f64(),
            took_s: ended.saturating_sub(began).as_secs_f64(),
            busy: attempt.busy,
            outcome: attempt.outcome,
        };
        self.keep.keep(&observation)?;
        self.kept.add(observation);
        Ok(None)
    }
}

/// Which configurations have run since the machine was last idle.
#[derive(Default)]
struct Warmth {
    warm: Vec<usize>,
    last: Option<Duration>,
}

impl Warmth {
    fn is_cold(&mut self, configuration: usize, now: Duration) -> bool {
        if self
            .last
            .is_some_and(|last| now.saturating_sub(last) > IDLE_MAX)
        {
            self.warm.clear();
        }
        !self.warm.contains(&configuration)
    }

    fn note(&mut self, configuration: usize, now: Duration) {
        self.last = Some(now);
        if !self.warm.contains(&configuration) {
            self.warm.push(configuration);
        }
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
