//! The rounds of a comparison: what is observed next, and when there is an end.
//!
//! Every configuration gets one observation a round, in the order of the header, so that whatever
//! the machine does meanwhile falls on all of them. Processes, files, clock and rule are given from
//! outside.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use longrun_measure::paired::Orders;
use longrun_protocol::duet::Side;

use crate::ab::kept::record::{self, Observation, Phase};
use crate::ab::verdicts::Need;
use crate::failure::{Failure, Outcome};

/// Time without a process after which the next one of each configuration is a warm-up: the first
/// run after an idle gap of 1.5 s takes up to 17 % longer (`docs/statistics.md`).
pub const IDLE_MAX: Duration = Duration::from_secs(1);

/// Rounds that one comparison may have: every phase of the longest sequence that can be asked for.
const ROUNDS_MAX: u32 = 40_000;

/// The rule that stops: a function of what it was shown.
pub trait Rule {
    /// Shows it one more observation.
    fn add(&mut self, observation: &Observation);

    /// What the configurations need in one comparison.
    fn needs(&self, comparison: u32) -> Needs;
}

/// What is needed before every verdict stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// By configuration of the header.
    pub configurations: Vec<Need>,
    /// Configurations whose further rounds serve the verdict over all of them; none where it
    /// stands.
    pub suite: Vec<usize>,
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
    fn decided(&mut self, configuration: usize, comparison: u32, observations: u32);
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

/// What was observed, as far as the rounds go by it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    made: BTreeMap<(u32, usize, Phase), u32>,
    failed: BTreeSet<usize>,
    shortest_s: BTreeMap<usize, f64>,
    until_s: f64,
}

impl Past {
    /// Adds an observation.
    pub fn add(&mut self, one: &Observation) {
        let made = (one.comparison, one.configuration, one.phase);
        *self.made.entry(made).or_default() += 1;
        if is_failure(one) {
            self.failed.insert(one.configuration);
        }
        let shortest = self.shortest_s.entry(one.configuration);
        let shortest = shortest.or_insert(f64::INFINITY);
        *shortest = shortest.min(one.took_s);
        self.until_s = self.until_s.max(one.at_s);
    }

    /// When the last observation had ended.
    pub fn until(&self) -> Duration {
        Duration::try_from_secs_f64(self.until_s).unwrap_or_default()
    }

    /// Observations that count, of a configuration in one comparison.
    fn counted(&self, comparison: u32, configuration: usize) -> u32 {
        let made = self.made.iter();
        let of_it = made.filter(|((of, one, phase), _)| {
            *of == comparison && *one == configuration && *phase != Phase::WarmUp
        });
        of_it.map(|(_, count)| count).sum()
    }

    /// Observations of one phase, of a configuration in one comparison.
    fn made(&self, comparison: u32, configuration: usize, phase: Phase) -> u32 {
        let made = self.made.get(&(comparison, configuration, phase));
        made.copied().unwrap_or_default()
    }

    fn shortest(&self, configuration: usize) -> Duration {
        let shortest = self.shortest_s.get(&configuration);
        let shortest = shortest.map(|time| Duration::try_from_secs_f64(*time));
        shortest.and_then(Result::ok).unwrap_or_default()
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
}

/// A comparison being made.
pub struct Session<'a> {
    /// What is compared.
    pub scope: Scope,
    /// What has been observed.
    pub past: Past,
    /// Who observes.
    pub observer: &'a mut dyn Observer,
    /// What stops.
    pub rule: &'a mut dyn Rule,
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
    /// Observes until every verdict is there, the time is up, or the user interrupts. Every
    /// observation is kept before the next is made.
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
                let Round::Of(wanted) = self.next(comparison, &mut told) else {
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
    /// the verdict over all of them is open, and waits for those that have fewer observations: that
    /// verdict rests on rounds that all of them have. A round that was cut short leaves some ahead.
    fn next(&mut self, comparison: u32, told: &mut Vec<usize>) -> Round {
        let needs = self.rule.needs(comparison);
        let screened = |of: &usize| self.past.made(comparison, *of, Phase::Screen);
        let complete = needs.suite.iter().map(screened).min().unwrap_or_default();
        let behind = needs.suite.iter().copied();
        let behind: Vec<usize> = behind.filter(|one| screened(one) == complete).collect();
        let mut wanted = Vec::new();
        for configuration in &self.scope.configurations {
            let configuration = *configuration;
            if self.past.failed.contains(&configuration) {
                continue;
            }
            match needs.configurations.get(configuration) {
                Some(Need::Observe(phase)) => wanted.push((configuration, *phase)),
                _ => {
                    if !told.contains(&configuration) {
                        told.push(configuration);
                        let count = self.past.counted(comparison, configuration);
                        self.keep.decided(configuration, comparison, count);
                    }
                    if behind.contains(&configuration) {
                        wanted.push((configuration, Phase::Screen));
                    }
                }
            }
        }
        match wanted.is_empty() {
            true => Round::None,
            false => Round::Of(wanted),
        }
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
            if self.past.failed.contains(&configuration) {
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
        if left.is_zero() || left < self.past.shortest(configuration) {
            return Ok(Some(Ended::OutOfTime));
        }
        let orders = Orders::of(self.scope.seed, configuration, comparison);
        let wanted = Wanted {
            configuration,
            comparison,
            phase,
            round: self.past.made(comparison, configuration, phase),
            orders: orders.in_phase(phase_number(phase)),
        };
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
        self.rule.add(&observation);
        self.past.add(&observation);
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
