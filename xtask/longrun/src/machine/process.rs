//! Processes: how much CPU time they used, and asking short-lived programs within a time limit.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use super::files::{names, text};

/// Ticks a second in `/proc/<pid>/stat`: the kernel's promise to user space on every architecture
/// that Longrun builds for.
pub const TICKS_PER_S: u64 = 100;

/// Most that is kept of what a short-lived program prints.
const OUTPUT_BYTES_MAX: u64 = 1 << 20;

/// Pause between two looks at a program that has closed its output and not yet ended.
const POLL: Duration = Duration::from_millis(2);

/// CPU time of a process, of the children that it waited for and of every living descendant, on a
/// Linux system under `root`. `None` where the process or `/proc` is not there.
pub fn cpu_time(root: &Path, pid: u32) -> Option<Duration> {
    let own = stat(root, pid)?;
    let mut children: BTreeMap<u32, Vec<(u32, u64)>> = BTreeMap::new();
    for name in names(root, "proc")? {
        let Ok(other) = name.parse::<u32>() else {
            continue;
        };
        // A process that has ended since is in its parent's count by now.
        if let Some(other_stat) = stat(root, other) {
            children
                .entry(other_stat.parent)
                .or_default()
                .push((other, other_stat.ticks));
        }
    }
    let mut ticks = own.ticks;
    let mut seen = BTreeSet::from([pid]);
    let mut open = vec![pid];
    // Each process is opened once, so this ends even where the parents form a circle.
    while let Some(parent) = open.pop() {
        for &(child, child_ticks) in children.get(&parent).into_iter().flatten() {
            if seen.insert(child) {
                ticks = ticks.saturating_add(child_ticks);
                open.push(child);
            }
        }
    }
    Some(Duration::from_millis(
        ticks.saturating_mul(1000 / TICKS_PER_S),
    ))
}

/// CPU time of this process and of the children that it waited for, on a Linux system under `root`.
/// Reads one file, where [`cpu_time`] looks at every process.
pub fn own_cpu_time(root: &Path) -> Option<Duration> {
    let own = stat(root, std::process::id())?;
    Some(Duration::from_millis(
        own.ticks.saturating_mul(1000 / TICKS_PER_S),
    ))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    parent: u32,
    /// User and system time, of itself and of the children that it waited for.
    ticks: u64,
}

fn stat(root: &Path, pid: u32) -> Option<Stat> {
    parse_stat(&text(root, &format!("proc/{pid}/stat"))?)
}

/// The name of a program may hold blanks and brackets: fields are counted after the last bracket.
fn parse_stat(text: &str) -> Option<Stat> {
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let parent = fields.get(1)?.parse().ok()?;
    let times = fields.get(11..15)?;
    let mut ticks: u64 = 0;
    for time in times {
        ticks = ticks.checked_add(time.parse().ok()?)?;
    }
    Some(Stat { parent, ticks })
}

/// What a short-lived program left.
#[derive(Clone, Debug)]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// The first MiB of its standard output.
    pub stdout: Vec<u8>,
    /// The first MiB of its standard error.
    pub stderr: Vec<u8>,
}

/// Runs a program without input and waits at most `limit`; then it and its children are ended and
/// the error is [`io::ErrorKind::TimedOut`].
pub fn output_within(mut command: Command, limit: Duration) -> io::Result<Output> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let deadline = Instant::now() + limit;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = wait_within(&mut child, limit)?;
    let left = deadline.saturating_duration_since(Instant::now());
    let collected = |pipe: Receiver<Vec<u8>>| pipe.recv_timeout(left).unwrap_or_default();
    Ok(Output {
        status,
        stdout: collected(stdout),
        stderr: collected(stderr),
    })
}

/// What a program prints, if it succeeds within `limit`.
pub fn text_within(command: Command, limit: Duration) -> Option<String> {
    let output = output_within(command, limit).ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.into_owned())
}

/// Reads a pipe to its end in a thread of its own, so that a full pipe stops nobody.
fn drain(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is still worth showing.
            let _ = pipe.by_ref().take(OUTPUT_BYTES_MAX).read_to_end(&mut bytes);
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
        // Nobody listens any more after a time-out.
        let _ = sender.send(bytes);
    });
    receiver
}

/// Waits for a child at most `limit`; then it, and the group where it leads one, are ended and
/// the error is [`io::ErrorKind::TimedOut`].
pub fn wait_within(child: &mut Child, limit: Duration) -> io::Result<ExitStatus> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if started.elapsed() >= limit {
            end_group(child);
            child.wait()?;
            return Err(io::ErrorKind::TimedOut.into());
        }
        thread::sleep(POLL);
    }
}

/// Ends a child, and its group where it leads one.
fn end_group(child: &mut Child) {
    #[cfg(unix)]
    {
        let group = rustix::process::Pid::from_child(child);
        // A group that is gone, or that the child does not lead, is not there to be ended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::made::MadeMachine;
    use super::*;

    fn process(made: &MadeMachine, pid: u32, parent: u32, times: [u32; 4]) {
        let [user, system, child_user, child_system] = times;
        made.file(
            &format!("proc/{pid}/stat"),
            &format!(
                "{pid} (a ) b) S {parent} 1 1 0 -1 4194304 9 9 9 9 {user} {system} {child_user} \
                 {child_system} 20 0 1 0 5 1 1\n"
            ),
        );
    }

    #[test]
    fn cpu_time_is_that_of_the_whole_tree() {
        let made = MadeMachine::empty();
        process(&made, 10, 1, [100, 50, 7, 3]);
        process(&made, 11, 10, [200, 0, 0, 0]);
        process(&made, 12, 11, [0, 40, 0, 0]);
        process(&made, 13, 1, [9999, 0, 0, 0]);
        made.file("proc/self/stat", "not a number");
        assert_eq!(cpu_time(made.root(), 10), Some(Duration::from_millis(4000)));
        assert_eq!(cpu_time(made.root(), 12), Some(Duration::from_millis(400)));
    }

    #[test]
    fn a_process_that_is_gone_or_damaged_is_unknown() {
        let made = MadeMachine::empty();
        assert_eq!(cpu_time(made.root(), 10), None);
        made.file("proc/10/stat", "10 (x) S 1 1\n");
        assert_eq!(cpu_time(made.root(), 10), None);
    }

    #[test]
    fn a_circle_of_parents_ends() {
        let made = MadeMachine::empty();
        process(&made, 10, 11, [10, 0, 0, 0]);
        process(&made, 11, 10, [10, 0, 0, 0]);
        assert_eq!(cpu_time(made.root(), 10), Some(Duration::from_millis(200)));
    }

    #[cfg(unix)]
    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[cfg(unix)]
    #[test]
    fn output_and_status_of_a_program_are_kept() {
        let run = shell("echo out; echo err >&2; exit 3");
        let output = output_within(run, Duration::from_secs(60)).unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(output.stdout, b"out\n");
        assert_eq!(output.stderr, b"err\n");
    }

    #[cfg(unix)]
    #[test]
    fn more_output_than_a_pipe_holds_stops_nothing_and_is_cut() {
        let run = shell("head -c 3000000 /dev/zero");
        let output = output_within(run, Duration::from_secs(60)).unwrap();
        assert!(output.status.success());
        assert_eq!(output.stdout.len(), 1 << 20);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_hangs_is_ended() {
        let error = output_within(shell("sleep 60"), Duration::from_millis(50));
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[cfg(unix)]
    #[test]
    fn the_children_of_a_program_that_hangs_are_ended_with_it() {
        let mut command = shell("sleep 60 & echo ready; wait");
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut ready = [0; 6];
        stdout.read_exact(&mut ready).unwrap();
        let error = wait_within(&mut child, Duration::ZERO).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        // The sleeper holds the pipe too: it ends only when that is gone.
        let mut rest = Vec::new();
        stdout.read_to_end(&mut rest).unwrap();
        assert_eq!(rest, b"");
    }
}
