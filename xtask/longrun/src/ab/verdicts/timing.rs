//! The verdict of one configuration from its log-ratios. Pure.
//!
//! What the rule calls changed is looked at again: on fresh observations where several
//! configurations are compared, and by pairs of processes where a second opinion was asked for.
//! What is not confirmed is inconclusive.

use longrun_measure::paired::fraction::fraction;
use longrun_measure::paired::guard::{self, Decider};
use longrun_measure::paired::{Judged, Rule, Verdict, conclude, confirmed, guarded, judge};
use longrun_protocol::registry::Metric;
use serde::Serialize;

use super::ledger::{Ledger, Series};
use super::{Need, Word};
use crate::ab::kept::record::Phase;
use crate::ab::report::figures;
use crate::text::counted;

/// What the rule says of a series, as fractions.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The clock that decided, or will.
    pub metric: Metric,
    /// Candidate over baseline, less 1; absent before the first look.
    pub estimate: Option<f64>,
    /// Where it excludes 0, a change is called.
    pub change_interval: Option<[f64; 2]>,
    /// Where it is inside the margin, equality is shown.
    pub equivalence_interval: Option<[f64; 2]>,
    /// Observations of the look that decided, or of the last one.
    pub rounds: usize,
    /// Observations that there are.
    pub observations: usize,
    /// Smallest change that could be seen: by the observations there are where no other follows,
    /// else by the last look.
    pub resolvable: Option<f64>,
    /// Robust standard deviation of one observation.
    pub spread: Option<f64>,
}

/// What another look at a verdict came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Again {
    /// Whether it came to the same sign at 5 %; absent where it was not finished.
    pub agrees: Option<bool>,
    /// What it measured, by the clock that decided; absent before its first look.
    pub estimate: Option<f64>,
    /// Its observations.
    pub observations: usize,
}

/// What is said of the time of one configuration, or of the suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// The word: a change, unchanged or inconclusive.
    pub word: Word,
    /// The numbers of the clock that decided.
    pub measured: Measured,
    /// What is needed before the word stands.
    pub need: Need,
    /// Fresh observations, where they were asked for.
    pub confirmation: Option<Again>,
    /// Pairs of processes, where they were asked for.
    pub second_opinion: Option<Again>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// What is asked of a verdict besides the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demands {
    /// Whether a change is confirmed on fresh observations.
    pub confirm: bool,
    /// Whether a change is confirmed by pairs of processes.
    pub second_opinion: bool,
    /// Observations that are made whatever is decided.
    pub observations_min: usize,
    /// Whether no further observation will be made.
    pub ended: bool,
}

/// The rules of one configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// For the verdict.
    pub screen: Rule,
    /// For fresh observations.
    pub fresh: Rule,
}

/// What the two clocks say of a series.
struct Screened {
    verdict: Option<Verdict>,
    metric: Metric,
    judged: Option<Judged>,
    notes: Vec<String>,
}

/// Judges one configuration by what is there.
pub fn timed(rules: &Rules, wanted: Metric, ledger: &Ledger, demands: Demands) -> Timed {
    let metric = ledger.metric(wanted);
    let cpu = (metric == Metric::Cpu).then(|| ledger.screen.by(Metric::Cpu));
    let wall = ledger.screen.by(Metric::Wall);
    let mut timed = of_series(&rules.screen, cpu, wall, demands.ended);
    if metric != wanted {
        let note = "the system does not tell CPU time: wall time decides";
        timed.notes.push(note.to_owned());
    }
    again(&mut timed, rules, ledger, demands);
    if timed.need == Need::Decided && !demands.ended && wall.len() < demands.observations_min {
        timed.need = Need::Observe(Phase::Screen);
    }
    timed
}

/// Judges one series: by CPU time with wall time as its guard, or by wall time alone.
pub fn of_series(rule: &Rule, cpu: Option<&[f64]>, wall: &[f64], ended: bool) -> Timed {
    let screened = match cpu {
        Some(cpu) => by_cpu(rule, cpu, wall, ended),
        None => by_wall(rule, wall, ended),
    };
    let measured = measured(screened.metric, screened.judged.as_ref(), wall.len());
    let word = screened.verdict.map_or(Word::Inconclusive, Word::of);
    let mut notes = screened.notes;
    let need = match screened.verdict {
        Some(_) => Need::Decided,
        None => Need::Observe(Phase::Screen),
    };
    if word == Word::Inconclusive {
        notes.push(inconclusive(
            &measured,
            screened.judged.as_ref(),
            rule,
            ended,
        ));
    } else if word.is_change() && measured.estimate.is_some_and(|e| e.abs() < rule.margin) {
        let margin = figures::size(rule.margin);
        notes.push(format!("a change inside the margin of {margin}"));
    }
    Timed {
        word,
        measured,
        need,
        confirmation: None,
        second_opinion: None,
        notes,
    }
}

fn by_wall(rule: &Rule, wall: &[f64], ended: bool) -> Screened {
    let judged = match ended {
        true => conclude(rule, wall).judged,
        false => judge(rule, wall),
    };
    let verdict = judged.and_then(|judged| judged.verdict);
    Screened {
        verdict: verdict.or(ended.then_some(Verdict::Inconclusive)),
        metric: Metric::Wall,
        judged,
        notes: Vec::new(),
    }
}

fn by_cpu(rule: &Rule, cpu: &[f64], wall: &[f64], ended: bool) -> Screened {
    let both = match ended {
        true => guard::conclude(rule, cpu, wall).guarded,
        false => guarded(rule, cpu, wall),
    };
    let verdict = both.and_then(|both| both.verdict);
    let metric = match both.map(|both| both.decider) {
        Some(Decider::Guard) => Metric::Wall,
        _ => Metric::Cpu,
    };
    let overruled = both.filter(|_| metric == Metric::Wall);
    let notes = overruled.map(|both| {
        let cpu = figures::change(fraction(both.primary.estimate));
        format!("slower by wall time, which CPU time ({cpu}) does not show: it waits")
    });
    Screened {
        verdict: verdict.or(ended.then_some(Verdict::Inconclusive)),
        metric,
        judged: both.map(|both| *both.deciding()),
        notes: notes.into_iter().collect(),
    }
}

fn measured(metric: Metric, judged: Option<&Judged>, observations: usize) -> Measured {
    Measured {
        metric,
        estimate: judged.map(|judged| fraction(judged.estimate)),
        change_interval: judged.map(|judged| figures::fractions(judged.change)),
        equivalence_interval: judged.map(|judged| figures::fractions(judged.equivalence)),
        rounds: judged.map_or(0, |judged| judged.n),
        observations,
        resolvable: judged.map(|judged| fraction(judged.resolvable())),
        spread: judged.map(|judged| fraction(judged.sd)),
    }
}

/// Why there is no verdict.
fn inconclusive(measured: &Measured, judged: Option<&Judged>, rule: &Rule, ended: bool) -> String {
    let there = counted(measured.observations, "observation");
    let Some(judged) = judged else {
        let first = rule.looks.all().first().map_or(0, |look| look.n);
        return match ended {
            true => format!("ended after {there}: the first look is at {first}"),
            false => format!("{there} so far: the first look is at {first}"),
        };
    };
    let visible = figures::size(fraction(judged.resolvable()));
    if judged.standard_error <= 0.0 {
        return "all observations are equal: the clock is too coarse to show anything".to_owned();
    }
    if judged.futile {
        return given_up(judged, rule);
    }
    if judged.n < rule.looks.observations_max() {
        return match ended {
            true => format!("ended after {there}: a change of {visible} would have been seen"),
            false => format!("{there} so far: a change of {visible} would be seen by the end"),
        };
    }
    format!("neither a change nor equality was shown; a change of {visible} would have been seen")
}

/// What was out of reach: the change that the last look could call, and the margin.
fn given_up(judged: &Judged, rule: &Rule) -> String {
    format!(
        "given up after {}: neither a change below {} nor equality within {} was in reach by {}",
        counted(judged.n, "observation"),
        figures::size(fraction(judged.projected)),
        figures::size(rule.margin),
        counted(rule.looks.observations_max(), "observation"),
    )
}

/// Looks again at what was called changed.
fn again(timed: &mut Timed, rules: &Rules, ledger: &Ledger, demands: Demands) {
    let changed = match timed.word {
        Word::Regressed => Verdict::Regressed,
        Word::Improved => Verdict::Improved,
        _ => return,
    };
    if timed.need != Need::Decided {
        return;
    }
    let metric = timed.measured.metric;
    let mut steps = Vec::new();
    if demands.confirm {
        steps.push((Phase::Confirm, &ledger.confirm));
    }
    if demands.second_opinion {
        steps.push((Phase::SecondOpinion, &ledger.second));
    }
    for (phase, series) in steps {
        let looked = look_again(rules, changed, series, metric);
        let agrees = looked.agrees;
        let what = match phase {
            Phase::SecondOpinion => "pairs of processes",
            _ => "fresh observations",
        };
        let note = disagreement(timed, what, &looked, demands.ended);
        match phase {
            Phase::SecondOpinion => timed.second_opinion = Some(looked),
            _ => timed.confirmation = Some(looked),
        }
        if agrees == Some(true) {
            continue;
        }
        timed.word = Word::Inconclusive;
        timed.notes.push(note);
        if agrees.is_none() && !demands.ended {
            timed.need = Need::Observe(phase);
        }
        return;
    }
}

fn look_again(rules: &Rules, changed: Verdict, series: &Series, metric: Metric) -> Again {
    let fresh = series.by(metric);
    let seen = conclude(&rules.fresh, fresh).judged;
    Again {
        agrees: confirmed(&rules.fresh, changed, fresh),
        estimate: seen.map(|judged| fraction(judged.estimate)),
        observations: fresh.len(),
    }
}

/// Both numbers, where the second does not bear the first out.
fn disagreement(timed: &Timed, what: &str, again: &Again, ended: bool) -> String {
    let shown = |estimate: Option<f64>| estimate.map_or("no look yet".to_owned(), figures::change);
    let word = timed.word.as_str();
    let (first, second) = (shown(timed.measured.estimate), shown(again.estimate));
    let there = again.observations;
    match (again.agrees, ended) {
        (Some(_), _) => {
            format!("called {word} ({first}), which {what} ({second} in {there}) did not confirm")
        }
        (None, true) => format!(
            "called {word} ({first}); it ended before {what} ({second} in {there}) could confirm it"
        ),
        (None, false) => {
            format!("called {word} ({first}); {what} ({second} in {there}) are to confirm it")
        }
    }
}
