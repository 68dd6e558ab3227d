//! The rounds, with scripted processes, clock and rule.
#![allow(clippy::unwrap_used)]

use std::cell::Cell;

use super::*;

/// Observations that one script line allows.
type Script = Box<dyn Fn(&Wanted) -> Made>;

/// What a scripted process does.
#[derive(Clone, Copy, PartialEq)]
enum Made {
    /// It takes so many milliseconds.
    Takes(u64),
    /// It fails at once.
    Fails,
    /// The user interrupts it.
    Interrupted,
}

/// A machine on which a script runs.
struct Machine {
    now_ms: Cell<u64>,
    interrupted: Cell<bool>,
}

struct Scripted<'a> {
    machine: &'a Machine,
    script: Script,
    seen: Vec<Wanted>,
}

impl Observer for Scripted<'_> {
    fn observe(&mut self, wanted: &Wanted, left: Duration) -> Outcome<Option<Attempt>> {
        self.seen.push(*wanted);
        let now = self.machine.now_ms.get();
        let outcome = match (self.script)(wanted) {
            Made::Takes(ms) if u128::from(ms) > left.as_millis() => {
                self.machine
                    .now_ms
                    .set(now + u64::try_from(left.as_millis()).unwrap());
                return Ok(None);
            }
            Made::Takes(ms) => {
                self.machine.now_ms.set(now + ms);
                record::Outcome::Duet {
                    first_segment: Side::Baseline,
                    stretches: Vec::new(),
                    resolved: None,
                }
            }
            Made::Interrupted => {
                self.machine.interrupted.set(true);
                return Ok(None);
            }
            Made::Fails => record::Outcome::Failed {
                side: Some(Side::Candidate),
                reason: "it broke".to_owned(),
            },
        };
        Ok(Some(Attempt {
            first: wanted.orders.duet(wanted.round).created_first,
            busy: Some(false),
            outcome,
        }))
    }

    fn interrupted(&self) -> bool {
        self.machine.interrupted.get()
    }
}

/// Each configuration is decided after so many screened observations, the suite after so many of
/// each.
struct Counting {
    enough: Vec<usize>,
    suite: usize,
    seen: Vec<(u32, usize)>,
}

impl Counting {
    fn screened(&self, comparison: u32, configuration: usize) -> usize {
        let of_it = |one: &&(u32, usize)| **one == (comparison, configuration);
        self.seen.iter().filter(of_it).count()
    }
}

impl Rule for Counting {
    fn add(&mut self, one: &Observation) {
        if one.phase == Phase::Screen {
            self.seen.push((one.comparison, one.configuration));
        }
    }

    fn needs(&self, comparison: u32) -> Needs {
        let all = 0..self.enough.len();
        let counts: Vec<usize> = all.map(|one| self.screened(comparison, one)).collect();
        let need = |(count, enough): (&usize, &usize)| match count >= enough {
            true => Need::Decided,
            false => Need::Observe(Phase::Screen),
        };
        Needs {
            configurations: counts.iter().zip(&self.enough).map(need).collect(),
            suite: match counts.iter().any(|count| *count < self.suite) {
                true => (0..counts.len()).collect(),
                false => Vec::new(),
            },
        }
    }
}

#[derive(Default)]
struct Shelf {
    kept: Vec<Observation>,
    decided: Vec<(usize, u32)>,
}

impl Keep for Shelf {
    fn keep(&mut self, observation: &Observation) -> Outcome<()> {
        self.kept.push(observation.clone());
        Ok(())
    }

    fn decided(&mut self, configuration: usize, _: u32, observations: u32) {
        self.decided.push((configuration, observations));
    }
}

/// How a session went.
struct Went {
    ended: Ended,
    shelf: Shelf,
    seen: Vec<Wanted>,
}

impl Went {
    /// Configuration and phase of everything that was kept, in short.
    fn course(&self) -> String {
        let letter = |one: &Observation| {
            let name = char::from(b'a' + u8::try_from(one.configuration).unwrap());
            match one.phase {
                Phase::WarmUp => format!("({name})"),
                _ => name.to_string(),
            }
        };
        self.shelf.kept.iter().map(letter).collect()
    }
}

struct Setting {
    enough: Vec<usize>,
    suite: usize,
    comparisons: u32,
    max_ms: u64,
    earlier: Vec<Observation>,
    began_ms: u64,
}

impl Setting {
    fn of(enough: &[usize]) -> Setting {
        Setting {
            enough: enough.to_vec(),
            suite: 0,
            comparisons: 1,
            max_ms: 1_000_000,
            earlier: Vec::new(),
            began_ms: 0,
        }
    }

    fn run(self, script: impl Fn(&Wanted) -> Made + 'static) -> Went {
        let machine = Machine {
            now_ms: Cell::new(self.began_ms),
            interrupted: Cell::new(false),
        };
        let mut observer = Scripted {
            machine: &machine,
            script: Box::new(script),
            seen: Vec::new(),
        };
        let mut shelf = Shelf::default();
        let mut rule = Counting {
            enough: self.enough.clone(),
            suite: self.suite,
            seen: Vec::new(),
        };
        let mut past = Past::default();
        for one in &self.earlier {
            rule.add(one);
            past.add(one);
        }
        let mut session = Session {
            scope: Scope {
                configurations: (0..self.enough.len()).collect(),
                comparisons: self.comparisons,
                max_time: Duration::from_millis(self.max_ms),
                seed: 7,
            },
            past,
            observer: &mut observer,
            rule: &mut rule,
            keep: &mut shelf,
            clock: &|| Duration::from_millis(machine.now_ms.get()),
        };
        let ended = session.run().unwrap();
        Went {
            ended,
            shelf,
            seen: observer.seen,
        }
    }
}

#[test]
fn configurations_take_turns_after_one_warm_up_each() {
    let went = Setting::of(&[3, 3]).run(|_| Made::Takes(10));
    assert_eq!(went.ended, Ended::Decided);
    assert_eq!(went.course(), "(a)a(b)babab");
    assert_eq!(went.shelf.decided, [(0, 3), (1, 3)]);
}

#[test]
fn a_decided_configuration_rests_while_another_goes_on() {
    let went = Setting::of(&[1, 3]).run(|_| Made::Takes(10));
    assert_eq!(went.course(), "(a)a(b)bbb");
}

#[test]
fn a_decided_configuration_goes_on_while_the_suite_is_open() {
    let setting = Setting {
        suite: 2,
        ..Setting::of(&[1, 3])
    };
    assert_eq!(setting.run(|_| Made::Takes(10)).course(), "(a)a(b)babb");
}

#[test]
fn a_configuration_that_fails_stops_and_the_others_do_not() {
    let went = Setting::of(&[3, 2]).run(|wanted| match (wanted.configuration, wanted.phase) {
        (0, Phase::Screen) => Made::Fails,
        _ => Made::Takes(10),
    });
    assert_eq!(went.course(), "(a)a(b)bb");
    assert_eq!(went.ended, Ended::Decided);
    let reason = &went.shelf.kept[1].outcome;
    assert!(matches!(
        reason,
        record::Outcome::Failed {
            side: Some(Side::Candidate),
            ..
        }
    ));
}

#[test]
fn a_failed_warm_up_is_kept_as_a_failure_that_decides() {
    let went = Setting::of(&[3]).run(|_| Made::Fails);
    assert_eq!(went.shelf.kept.len(), 1);
    assert_eq!(went.shelf.kept[0].phase, Phase::Screen);
}

#[test]
fn the_time_ends_the_rounds_and_cuts_an_observation_off() {
    let setting = Setting {
        max_ms: 45,
        ..Setting::of(&[9])
    };
    let went = setting.run(|wanted| match wanted.phase {
        Phase::WarmUp => Made::Takes(5),
        _ => Made::Takes(30),
    });
    assert_eq!(went.ended, Ended::OutOfTime);
    // 5 + 30, and then 10 ms are left, in which the third is begun and not finished.
    assert_eq!((went.course().as_str(), went.seen.len()), ("(a)a", 3));
}

#[test]
fn what_is_sure_to_be_cut_off_is_not_begun() {
    let setting = Setting {
        max_ms: 100,
        ..Setting::of(&[9])
    };
    let went = setting.run(|_| Made::Takes(30));
    assert_eq!(went.ended, Ended::OutOfTime);
    assert_eq!((went.course().as_str(), went.seen.len()), ("(a)aa", 3));
}

#[test]
fn no_time_at_all_ends_at_once() {
    let setting = Setting {
        max_ms: 0,
        ..Setting::of(&[9])
    };
    let went = setting.run(|_| Made::Takes(1));
    assert_eq!((went.ended, went.seen.len()), (Ended::OutOfTime, 0));
}

#[test]
fn an_interrupt_keeps_what_was_made_and_begins_nothing() {
    let went = Setting::of(&[9, 9]).run(|wanted| match wanted.round {
        2 => Made::Interrupted,
        _ => Made::Takes(10),
    });
    assert_eq!(went.ended, Ended::Interrupted);
    assert_eq!(went.course(), "(a)a(b)bab");
    assert_eq!(went.seen.len(), 7);
}

#[test]
fn a_gap_without_work_makes_everything_cold_again() {
    let mut warmth = Warmth::default();
    let at = Duration::from_millis;
    assert!(warmth.is_cold(0, at(0)));
    warmth.note(0, at(10));
    warmth.note(1, at(20));
    assert!(!warmth.is_cold(0, at(1020)) && !warmth.is_cold(1, at(1020)));
    assert!(warmth.is_cold(0, at(1021)) && warmth.is_cold(1, at(1021)));
}

#[test]
fn a_resumed_session_goes_on_where_the_other_stopped() {
    let whole = Setting::of(&[4, 4]).run(|_| Made::Takes(10));
    let part = Setting::of(&[4, 4]).run(|wanted| match wanted.round {
        2 => Made::Interrupted,
        _ => Made::Takes(10),
    });
    let earlier = part.shelf.kept.clone();
    let mut past = Past::default();
    earlier.iter().for_each(|one| past.add(one));
    let began_ms = u64::try_from(past.until().as_millis()).unwrap();
    let rest = Setting {
        earlier,
        began_ms,
        ..Setting::of(&[4, 4])
    };
    let rest = rest.run(|_| Made::Takes(10));
    assert_eq!(rest.ended, Ended::Decided);
    let screens = |went: &Went| -> Vec<(usize, u32, Side)> {
        let kept = went.shelf.kept.iter();
        let screens = kept.filter(|one| one.phase == Phase::Screen);
        screens
            .map(|one| (one.configuration, one.round, one.first))
            .collect()
    };
    // Rounds and coins are those that the whole session has; only a warm-up is added.
    assert_eq!([screens(&part), screens(&rest)].concat(), screens(&whole));
    assert_eq!(rest.course(), "(a)a(b)bab");
    assert!(
        rest.shelf
            .kept
            .iter()
            .all(|one| one.at_s > part.shelf.kept[0].at_s)
    );
}

#[test]
fn a_round_that_was_cut_short_is_completed_and_nothing_is_observed_too_often() {
    let rounds = |earlier, began_ms| Setting {
        suite: 4,
        earlier,
        began_ms,
        ..Setting::of(&[4, 4])
    };
    let part = rounds(Vec::new(), 0).run(|wanted| match (wanted.configuration, wanted.round) {
        (1, 2) => Made::Interrupted,
        _ => Made::Takes(10),
    });
    assert_eq!(part.course(), "(a)a(b)baba");
    let rest = rounds(part.shelf.kept.clone(), 200).run(|_| Made::Takes(10));
    assert_eq!(rest.course(), "(a)a(b)bb");
    assert_eq!(rest.shelf.decided, [(0, 4), (1, 4)]);
}

#[test]
fn comparisons_of_a_build_with_itself_follow_each_other_with_coins_of_their_own() {
    let setting = Setting {
        comparisons: 3,
        ..Setting::of(&[40])
    };
    let went = setting.run(|_| Made::Takes(10));
    let of = |comparison: u32| -> Vec<Side> {
        let kept = went.shelf.kept.iter();
        let of_it = kept.filter(|one| one.comparison == comparison && one.phase == Phase::Screen);
        of_it.map(|one| one.first).collect()
    };
    assert_eq!([of(0).len(), of(1).len(), of(2).len()], [40; 3]);
    assert_ne!(of(0), of(1));
    assert_ne!(of(1), of(2));
}

#[test]
fn warm_ups_and_phases_have_coins_of_their_own() {
    let numbers = [
        Phase::Screen,
        Phase::Confirm,
        Phase::SecondOpinion,
        Phase::WarmUp,
    ];
    let orders = Orders::of(1, 0, 0);
    let mut coins: Vec<u64> = numbers
        .map(|phase| orders.in_phase(phase_number(phase)).request_seed(0))
        .to_vec();
    coins.sort_unstable();
    coins.dedup();
    assert_eq!(coins.len(), 4);
}
