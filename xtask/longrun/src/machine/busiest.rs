//! The busiest other processes before and during a run: a hint for whoever wonders about a number.
//!
//! Two readings of `/proc` lie as far apart as the work between them takes; nothing waits. A
//! process that ended in between is not seen. Names go into the bundle of the run and nowhere
//! else: no command lines, no users, and never into history.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::Machine;
use super::files::{names, text};
use super::process::TICKS_PER_S;

/// Names that are listed.
const LISTED_MAX: usize = 5;

/// CPUs below which a process is not worth naming.
const CPUS_MIN: f64 = 0.01;

/// Shortest window that says anything: the counters have steps of 10 ms.
const WINDOW_MIN: Duration = Duration::from_millis(50);

/// All processes of one name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Busy {
    /// Name of the program, as the kernel keeps it: the first 15 bytes.
    pub name: String,
    /// CPUs that they kept busy on average.
    pub cpus: f64,
}

/// The busiest processes in a window of time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Busiest {
    /// Length of the window.
    pub window_s: f64,
    /// The busiest first; this run's own processes are left out.
    pub processes: Vec<Busy>,
}

/// CPU time of one process at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    name: String,
    parent: u32,
    /// User and system time, without that of its children.
    ticks: u64,
    /// When it began; a number that is used again belongs to another process.
    start: u64,
}

/// All processes at one time; `None` where the system does not show them.
type Snapshot = Option<BTreeMap<u32, Seen>>;

/// Looks at the processes of this system from time to time.
pub struct Watch {
    seen: Snapshot,
    at: Instant,
    before: Option<Busiest>,
}

/// The machine of a run, with what else it did. Written to `machine.json`.
#[derive(Serialize)]
pub struct Record<'a> {
    #[serde(flatten)]
    machine: &'a Machine,
    /// While the run was prepared; `None` is unknown.
    busiest_before: Option<Busiest>,
    /// While its configurations ran; `None` is unknown, or the run has not ended.
    busiest_after: Option<Busiest>,
}

impl Watch {
    /// Begins to watch.
    pub fn begin() -> Watch {
        Watch {
            seen: snapshot(Path::new("/")),
            at: Instant::now(),
            before: None,
        }
    }

    /// The record at the beginning of the run: the time since the watch began lies before it.
    pub fn before<'a>(&mut self, machine: &'a Machine) -> Record<'a> {
        self.before = self.look();
        Record {
            machine,
            busiest_before: self.before.clone(),
            busiest_after: None,
        }
    }

    /// The record at the end of the run.
    pub fn after<'a>(&mut self, machine: &'a Machine) -> Record<'a> {
        Record {
            machine,
            busiest_before: self.before.clone(),
            busiest_after: self.look(),
        }
    }

    /// The busiest since the last look.
    pub fn look(&mut self) -> Option<Busiest> {
        let (now, at) = (snapshot(Path::new("/")), Instant::now());
        let elapsed = at.saturating_duration_since(self.at);
        let found = between(
            self.seen.as_ref()?,
            now.as_ref()?,
            std::process::id(),
            elapsed,
        );
        (self.seen, self.at) = (now, at);
        found
    }
}

/// The busiest between two readings, without the process `own` and all that descends from it.
fn between(
    before: &BTreeMap<u32, Seen>,
    after: &BTreeMap<u32, Seen>,
    own: u32,
    elapsed: Duration,
) -> Option<Busiest> {
    if elapsed < WINDOW_MIN {
        return None;
    }
    let window_s = elapsed.as_secs_f64();
    let family = family(after, own);
    let mut by_name: BTreeMap<&str, u64> = BTreeMap::new();
    for (id, now) in after.iter().filter(|(id, _)| !family.contains(*id)) {
        // A process that began in between has all its time in the window.
        let earlier = before.get(id).filter(|then| then.start == now.start);
        let ticks = now
            .ticks
            .saturating_sub(earlier.map_or(0, |then| then.ticks));
        let sum = by_name.entry(&now.name).or_default();
        *sum = sum.saturating_add(ticks);
    }
    let mut processes: Vec<Busy> = by_name
        .into_iter()
        .map(|(name, ticks)| Busy {
            name: name.to_owned(),
            // Exact up to 2^53 ticks, which is beyond any machine's life.
            cpus: ticks as f64 / TICKS_PER_S as f64 / window_s,
        })
        .filter(|busy| busy.cpus >= CPUS_MIN)
        .collect();
    processes.sort_by(|a, b| b.cpus.total_cmp(&a.cpus).then_with(|| a.name.cmp(&b.name)));
    processes.truncate(LISTED_MAX);
    Some(Busiest {
        window_s,
        processes,
    })
}

/// A process and all its descendants.
fn family(processes: &BTreeMap<u32, Seen>, own: u32) -> BTreeSet<u32> {
    let mut family = BTreeSet::from([own]);
    // Each round adds at least one process or is the last.
    for _ in 0..processes.len() {
        let known = family.len();
        let children = processes
            .iter()
            .filter(|(_, seen)| family.contains(&seen.parent));
        let children: Vec<u32> = children.map(|(id, _)| *id).collect();
        family.extend(children);
        if family.len() == known {
            break;
        }
    }
    family
}

/// Every process of a Linux system under `root`.
fn snapshot(root: &Path) -> Snapshot {
    let ids = names(root, "proc")?;
    let ids = ids.iter().filter_map(|name| name.parse::<u32>().ok());
    let seen: BTreeMap<u32, Seen> = ids
        .filter_map(|id| Some((id, parse(&text(root, &format!("proc/{id}/stat"))?)?)))
        .collect();
    (!seen.is_empty()).then_some(seen)
}

/// Reads `/proc/<pid>/stat`. A name may hold blanks and brackets: it ends at the last one.
fn parse(stat: &str) -> Option<Seen> {
    let (before, rest) = stat.rsplit_once(')')?;
    let (_, name) = before.split_once('(')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Seen {
        name: name.to_owned(),
        parent: fields.get(1)?.parse().ok()?,
        ticks: number(11)?.checked_add(number(12)?)?,
        start: number(19)?,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::made::MadeMachine;
    use super::*;

    /// Processes as (number, name, parent, ticks, start).
    fn made(processes: &[(u32, &str, u32, u64, u64)]) -> BTreeMap<u32, Seen> {
        let machine = MadeMachine::empty();
        for (id, name, parent, ticks, start) in processes {
            machine.file(
                &format!("proc/{id}/stat"),
                &format!(
                    "{id} ({name}) S {parent} 1 1 0 -1 4194304 9 9 9 9 {ticks} 0 999 999 20 0 1 0 \
                     {start} 1 1\n"
                ),
            );
        }
        snapshot(machine.root()).unwrap()
    }

    const SECOND: Duration = Duration::from_secs(1);

    fn listed(found: Option<Busiest>) -> Vec<(String, f64)> {
        let processes = found.unwrap().processes.into_iter();
        processes.map(|busy| (busy.name, busy.cpus)).collect()
    }

    #[test]
    fn the_busiest_come_first_summed_by_name() {
        let before = made(&[
            (2, "cc1", 1, 100, 5),
            (3, "cc1", 1, 0, 6),
            (4, "a) b", 1, 7, 5),
        ]);
        let after = made(&[
            (2, "cc1", 1, 150, 5),
            (3, "cc1", 1, 50, 6),
            (4, "a) b", 1, 27, 5),
            (5, "new", 1, 30, 99),
            (6, "idle", 1, 0, 7),
        ]);
        let expected = [("cc1", 1.0), ("new", 0.3), ("a) b", 0.2)];
        let expected = expected.map(|(name, cpus)| (name.to_owned(), cpus));
        assert_eq!(listed(between(&before, &after, 77, SECOND)), expected);
    }

    #[test]
    fn what_this_run_started_is_left_out_at_any_depth() {
        let before = made(&[(1, "init", 0, 0, 1)]);
        let after = made(&[
            (10, "xtask", 1, 90, 5),
            (30, "worker", 20, 80, 6),
            (20, "sh", 10, 70, 6),
            (40, "other", 1, 60, 6),
        ]);
        let found = listed(between(&before, &after, 10, SECOND));
        assert_eq!(found, [("other".to_owned(), 0.6)]);
    }

    #[test]
    fn a_number_that_is_used_again_is_another_process() {
        let before = made(&[(2, "old", 1, 5000, 5)]);
        let after = made(&[(2, "young", 1, 50, 900)]);
        let found = listed(between(&before, &after, 77, SECOND));
        assert_eq!(found, [("young".to_owned(), 0.5)]);
    }

    #[test]
    fn a_few_are_listed_and_a_short_window_is_unknown() {
        let names: Vec<String> = (0..20).map(|number| format!("p{number}")).collect();
        let many: Vec<_> = (2..)
            .zip(&names)
            .map(|(id, n)| (id, n.as_str(), 1, 50, 5))
            .collect();
        let (before, after) = (made(&[(1, "init", 0, 0, 1)]), made(&many));
        assert_eq!(
            listed(between(&before, &after, 77, SECOND)).len(),
            LISTED_MAX
        );
        assert_eq!(
            between(&before, &after, 77, Duration::from_millis(49)),
            None
        );
    }

    #[test]
    fn damaged_lines_and_systems_without_processes_are_unknown() {
        assert_eq!(parse("7 (x) S 1 1"), None);
        assert_eq!(parse(""), None);
        assert_eq!(snapshot(MadeMachine::empty().root()), None);
    }
}
