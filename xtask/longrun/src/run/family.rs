//! The processes that one child amounts to: its process group, and whatever left the group.
//!
//! A process that makes a session of its own answers no signal to the group, and one whose parent
//! has ended is nobody's child. On Linux both are found all the same: while a [`Watch`] stands,
//! orphans of our descendants become our children, and a worker's environment carries the id of
//! its run. Elsewhere only the group is ended.

use std::collections::BTreeSet;
use std::fs;
use std::process::{self, Child};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group,
    test_kill_process_group, waitid, waitpid,
};

/// Variable in a worker's environment that holds the id of its run.
pub const MARKER: &str = "LONGRUN_RUN";

/// Time that processes have to end by themselves when they are asked to.
const GRACE: Duration = Duration::from_secs(2);

/// Time that the system has to take killed processes away.
pub const AFTERMATH: Duration = Duration::from_secs(5);

/// How often dying processes are looked at.
const GONE_POLL: Duration = Duration::from_millis(10);

/// Keeps what a worker starts within reach, from before its launch to after its end.
///
/// It takes every new descendant of this process for the worker's: nothing else may be started
/// while it stands.
#[derive(Debug)]
pub struct Watch {
    marker: String,
    before: BTreeSet<i32>,
    /// Whether orphans of our descendants become our children.
    adopts: bool,
}

impl Watch {
    /// Begins for a worker of the run `run_id`.
    pub fn begin(run_id: &str) -> Watch {
        let adopts = adopt_orphans(true);
        Watch {
            marker: format!("{MARKER}={run_id}"),
            before: match is_childless() {
                true => BTreeSet::new(),
                false => descendants(&processes().unwrap_or_default(), own_id()),
            },
            adopts,
        }
    }

    /// Whether nothing of the worker can be left, as far as two calls tell. A look at every process
    /// takes milliseconds, which between the two processes of a pair would be too long.
    fn is_over(&self) -> bool {
        self.adopts && is_childless()
    }

    /// Living processes of the worker, whatever group they are in.
    fn living(&self, all: &[Process]) -> BTreeSet<i32> {
        let ours = descendants(all, own_id());
        let of_worker = |process: &&Process| {
            let new = ours.contains(&process.id) && !self.before.contains(&process.id);
            !process.dead && (new || is_marked(process.id, &self.marker))
        };
        all.iter().filter(of_worker).map(|found| found.id).collect()
    }

    /// Takes the dead away that became our children. The worker itself is among them only when it
    /// was ended by us: nobody asks for its exit status then.
    fn reap(&self) {
        if is_childless() {
            return;
        }
        let own = own_id();
        let all = processes().unwrap_or_default();
        let adopted = |one: &&Process| one.dead && one.parent == own;
        let new = |one: &&Process| !self.before.contains(&one.id);
        for process in all.iter().filter(adopted).filter(new) {
            // One that cannot be reaped stays a dead entry until this process ends.
            let _ = waitpid(Pid::from_raw(process.id), WaitOptions::NOHANG);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.reap();
        adopt_orphans(false);
    }
}

/// Whether orphans of our descendants become our children from now on.
#[cfg(target_os = "linux")]
fn adopt_orphans(adopt: bool) -> bool {
    // Where the system forbids it, the marker still finds what has not cleared its environment.
    let own = Pid::from_raw(own_id()).filter(|_| adopt);
    rustix::process::set_child_subreaper(own).is_ok() && adopt
}

#[cfg(not(target_os = "linux"))]
fn adopt_orphans(_adopt: bool) -> bool {
    false
}

/// Whether this process has no child, dead or alive.
fn is_childless() -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::All, look), Err(Errno::CHILD))
}

fn own_id() -> i32 {
    i32::try_from(process::id()).unwrap_or_default()
}

/// A child that leads a process group, and all that it started.
pub struct Family<'a> {
    leader: Option<Pid>,
    watch: Option<&'a Watch>,
}

impl<'a> Family<'a> {
    /// The family of `child`. Without a watch it is the process group alone.
    pub fn of(child: &Child, watch: Option<&'a Watch>) -> Family<'a> {
        let id = i32::try_from(child.id()).ok();
        Family {
            leader: id.and_then(Pid::from_raw),
            watch,
        }
    }

    /// Whether any process of the family still runs.
    ///
    /// A dead one that nobody has reaped answers signals too: in a container whose first process
    /// does not reap, it does so for ever. So where there is `/proc`, its word counts.
    pub fn exists(&self) -> bool {
        let Some(leader) = self.leader else {
            return false;
        };
        if self.watch.is_some_and(Watch::is_over) {
            // Everything that is left in the group would be a child of ours, or a child's child.
            return false;
        }
        let Some(all) = processes() else {
            return test_kill_process_group(leader).is_ok();
        };
        let group = leader.as_raw_nonzero().get();
        let in_group = all.iter().any(|one| !one.dead && one.group == group);
        in_group
            || self
                .watch
                .is_some_and(|watch| !watch.living(&all).is_empty())
    }

    /// Ends every process of the family: asks, waits, then kills.
    pub fn end(&self) {
        end(|signal| self.signal(signal), || self.exists());
    }

    fn signal(&self, signal: Signal) {
        let Some(leader) = self.leader else {
            return;
        };
        // Any of them may be gone between the look and the signal, which is what is wanted.
        let _ = kill_process_group(leader, signal);
        if let Some(watch) = self.watch {
            send(watch.living(&processes().unwrap_or_default()), signal);
        }
    }
}

/// Ends what a killed run left running; how many processes that were. The caller holds the lock
/// of the run: whoever started them is gone.
pub fn end_leftovers(run_id: &str) -> usize {
    let marker = format!("{MARKER}={run_id}");
    let living = || -> BTreeSet<i32> {
        let all = processes().unwrap_or_default();
        let left = |process: &&Process| !process.dead && is_marked(process.id, &marker);
        all.iter().filter(left).map(|found| found.id).collect()
    };
    let found = living().len();
    if found > 0 {
        end(|signal| send(living(), signal), || !living().is_empty());
    }
    found
}

fn send(ids: BTreeSet<i32>, signal: Signal) {
    for id in ids.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process(id, signal);
    }
}

/// Asks, waits, then kills.
fn end(signal: impl Fn(Signal), exists: impl Fn() -> bool) {
    signal(Signal::TERM);
    if gone_within(GRACE, &exists) {
        return;
    }
    signal(Signal::KILL);
    let began = Instant::now();
    // Again while something is left: a process may have been started between look and signal.
    while !gone_within(GONE_POLL, &exists) && began.elapsed() < AFTERMATH {
        signal(Signal::KILL);
    }
}

fn gone_within(limit: Duration, exists: &impl Fn() -> bool) -> bool {
    let began = Instant::now();
    while exists() {
        if began.elapsed() >= limit {
            return false;
        }
        thread::sleep(GONE_POLL);
    }
    true
}

/// What `/proc/<pid>/stat` says of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    id: i32,
    parent: i32,
    group: i32,
    /// A zombie, or about to vanish.
    dead: bool,
}

/// Every process; `None` without `/proc`.
fn processes() -> Option<Vec<Process>> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let stat = fs::read_to_string(entry.path().join("stat"));
        found.extend(stat.ok().and_then(|stat| parse(&stat)));
    }
    (!found.is_empty()).then_some(found)
}

/// The name stands in parentheses and may hold anything; the fields begin after the last one.
fn parse(stat: &str) -> Option<Process> {
    let (before, fields) = stat.rsplit_once(") ")?;
    let (id, _) = before.split_once(" (")?;
    let mut fields = fields.split(' ');
    Some(Process {
        id: id.parse().ok()?,
        dead: matches!(fields.next()?, "Z" | "X"),
        parent: fields.next()?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
    })
}

/// Children of `root`, their children, and so on.
fn descendants(all: &[Process], root: i32) -> BTreeSet<i32> {
    let mut found = BTreeSet::new();
    let mut open = vec![root];
    // Each process is opened once, so this ends even where the parents form a circle.
    while let Some(parent) = open.pop() {
        for child in all.iter().filter(|one| one.parent == parent) {
            if found.insert(child.id) {
                open.push(child.id);
            }
        }
    }
    found
}

/// Whether the environment that a process was started with holds exactly this variable.
fn is_marked(id: i32, marker: &str) -> bool {
    // Processes of other users cannot be read, and are not ours to end.
    let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    let mut variables = environment.split(|byte| *byte == 0);
    variables.any(|variable| variable == marker.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(id: i32, parent: i32) -> Process {
        Process {
            id,
            parent,
            group: 1,
            dead: false,
        }
    }

    #[test]
    fn odd_names_do_not_confuse() {
        let expected = Process {
            id: 7,
            parent: 1,
            group: 42,
            dead: false,
        };
        assert_eq!(parse("7 (a) b) S 1 42 42 0 -1"), Some(expected));
        assert_eq!(parse("7 (a (b) S 1 42 42 0 -1"), Some(expected));
        assert_eq!(parse("rubbish"), None);
    }

    #[test]
    fn a_zombie_is_dead() {
        assert!(parse("7 (a) Z 1 42 42 0 -1").is_some_and(|found| found.dead));
    }

    #[test]
    fn descendants_are_found_through_every_generation() {
        let all = [process(2, 1), process(3, 2), process(4, 3), process(9, 8)];
        assert_eq!(descendants(&all, 1), BTreeSet::from([2, 3, 4]));
        assert_eq!(descendants(&all, 3), BTreeSet::from([4]));
        assert_eq!(descendants(&all, 9), BTreeSet::new());
    }

    #[test]
    fn parents_in_a_circle_end() {
        let all = [process(2, 3), process(3, 2)];
        assert_eq!(descendants(&all, 2), BTreeSet::from([2, 3]));
    }
}
