//! In which order the processes of a plan run. Pure.
//!
//! Where configurations have several, each runs one of its own and then waits for all the others:
//! what a machine does for some seconds falls on one process of many configurations, and not on all
//! processes of one. Where a plan is so short that its rounds follow one another too closely for
//! that, they wait.

use std::time::Duration;

use crate::run::plan::PlanItem;

/// One process of a configuration.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Number of the configuration, from 0.
    pub index: usize,
    /// The configuration.
    pub item: &'a PlanItem,
    /// Number of the process, from 1; none where the configuration has only one.
    pub process: Option<u32>,
}

impl Turn<'_> {
    /// Whether the configuration is through after it.
    pub fn is_last(&self) -> bool {
        self.process
            .is_none_or(|process| process >= self.item.processes)
    }

    /// Its name in progress.
    pub fn name(&self) -> String {
        let configuration = &self.item.configuration;
        match self.process {
            None => configuration.to_string(),
            Some(process) => format!("{configuration}, process {process}"),
        }
    }
}

/// When rounds of a plan may begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// Seconds between the beginnings of two rounds.
    least_s: f64,
    /// The last round of which something was run, and when it began, s.
    last: Option<(u32, f64)>,
}

impl Pace {
    /// That of a plan.
    pub fn of(items: &[PlanItem]) -> Pace {
        let least_s = items.iter().map(PlanItem::pace_s).fold(0.0, f64::max);
        Pace {
            least_s,
            last: None,
        }
    }

    /// How long a process that could begin at `now_s` has to wait: not at all in a round that has
    /// begun, and where nothing was run before.
    pub fn wait(&self, turn: &Turn<'_>, now_s: f64) -> Duration {
        match (self.last, turn.process) {
            (Some((round, began_s)), Some(process)) if process > round => {
                let left_s = began_s + self.least_s - now_s;
                Duration::from_secs_f64(left_s.clamp(0.0, self.least_s))
            }
            _ => Duration::ZERO,
        }
    }

    /// A process begins at `now_s`.
    pub fn begins(&mut self, turn: &Turn<'_>, now_s: f64) {
        let process = turn.process.unwrap_or(1);
        if self.last.is_none_or(|(round, _)| process > round) {
            self.last = Some((process, now_s));
        }
    }
}

/// All processes of a plan in their order.
pub fn turns(items: &[PlanItem]) -> Vec<Turn<'_>> {
    let rounds = items.iter().map(|item| item.processes).max();
    let of_round = |round: u32| {
        let taking_part = items.iter().enumerate();
        let taking_part = taking_part.filter(move |(_, item)| round <= item.processes.max(1));
        taking_part.map(move |(index, item)| Turn {
            index,
            item,
            process: (item.processes > 1).then_some(round),
        })
    };
    (1..=rounds.unwrap_or(0).max(1))
        .flat_map(of_round)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::sampled::made::item;

    fn of(case: &str, processes: u32) -> PlanItem {
        PlanItem {
            processes,
            ..item(case)
        }
    }

    #[test]
    fn processes_take_turns_and_each_configuration_ends_with_its_last() {
        let items = [of("a", 2), of("b", 1), of("c", 3)];
        let turns = turns(&items);
        let names: Vec<String> = turns.iter().map(Turn::name).collect();
        let expected = [
            "a @1, process 1",
            "b @1",
            "c @1, process 1",
            "a @1, process 2",
            "c @1, process 2",
            "c @1, process 3",
        ];
        assert_eq!(names, expected);
        let last = turns.iter().filter(|turn| turn.is_last());
        let last: Vec<usize> = last.map(|turn| turn.index).collect();
        assert_eq!(last, [1, 0, 2]);
    }

    #[test]
    fn rounds_begin_no_closer_than_the_case_that_is_spread_most_asks_for() {
        let spread = |case: &str, spread_s| PlanItem {
            spread_s,
            ..of(case, 4)
        };
        let items = [spread("a", 30), spread("b", 12), of("c", 1)];
        let turns = turns(&items);
        let mut pace = Pace::of(&items);
        let mut waits = Vec::new();
        let mut now_s = 100.0;
        for turn in &turns {
            let wait = pace.wait(turn, now_s).as_secs_f64();
            waits.push(wait);
            now_s += wait;
            pace.begins(turn, now_s);
            // A process of `b` takes long enough for a round in the third one.
            now_s += match turn.name().as_str() {
                "b @1, process 3" => 20.0,
                _ => 1.0,
            };
        }
        // Rounds of two or three processes, 10 s apart.
        assert_eq!(waits, [0.0, 0.0, 0.0, 7.0, 0.0, 8.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn nothing_waits_for_rounds_that_an_earlier_run_had_finished() {
        let items = [PlanItem {
            spread_s: 70,
            ..of("a", 8)
        }];
        let turns = turns(&items);
        let mut pace = Pace::of(&items);
        assert_eq!(pace.wait(&turns[6], 5.0), Duration::ZERO);
        pace.begins(&turns[6], 5.0);
        assert_eq!(pace.wait(&turns[7], 5.5), Duration::from_secs_f64(9.5));
    }

    #[test]
    fn a_plan_of_single_processes_runs_in_its_order() {
        let items = [of("a", 1), of("b", 1)];
        let turns = turns(&items);
        let order: Vec<usize> = turns.iter().map(|turn| turn.index).collect();
        assert_eq!(order, [0, 1]);
        assert!(turns.iter().all(|turn| turn.is_last()));
        assert!(super::turns(&[]).is_empty());
    }
}
