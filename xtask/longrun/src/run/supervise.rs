//! One child process and everything that it starts, from launch to its certain end.
//!
//! The child leads a process group of its own. Its output goes to files, with a bound; when it
//! ends, takes too long or is interrupted, its whole family is ended: asked first, then killed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::family::{AFTERMATH, Family, Watch};
use super::pin;
use crate::interrupt::Interrupt;

/// How often the interrupt flag is looked at. Long, to leave the machine alone.
const INTERRUPT_POLL: Duration = Duration::from_millis(200);

/// Bytes of each output stream that are kept.
const LOG_BYTES_MAX: u64 = 16 << 20;

/// Longest line that is offered as an event.
const LINE_BYTES_MAX: usize = 64 << 10;

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal that we did not send.
    Signalled(i32),
    /// We ended it: it took too long.
    TimedOut,
    /// We ended it: the user interrupted.
    Interrupted,
}

/// What became of one child.
#[derive(Clone, Debug, PartialEq)]
pub struct Aftermath {
    /// How it ended.
    pub ending: Ending,
    /// Time from launch to its end.
    pub elapsed: Duration,
    /// Whether processes that it had started were still there, and were ended.
    pub left_children: bool,
    /// Whether something of its family survived even being killed.
    pub survivors: bool,
    /// Whether output was lost: it was longer than the bound, or could not be written.
    pub output_cut: bool,
}

/// Bounds of one child.
pub struct Limits<'a> {
    /// Longest time that it may take.
    pub timeout: Duration,
    /// Raised when the user interrupts.
    pub interrupt: &'a Interrupt,
    /// Id of the run whose worker this is: then what left its process group is ended with it.
    /// `None` for programs that may leave a server behind, such as a compiler's cache.
    pub run_id: Option<&'a str>,
}

enum News {
    Line(String),
    Ended(io::Result<ExitStatus>),
}

/// Runs `command` to its end. `on_line` gets the process id and each line of its stdout.
pub fn supervise(
    command: Command,
    stdout_log: &Path,
    stderr_log: &Path,
    limits: &Limits<'_>,
    on_line: impl FnMut(u32, &str),
) -> io::Result<Aftermath> {
    supervise_on(None, command, [stdout_log, stderr_log], limits, on_line)
}

/// The same, and the child runs on one CPU only where `cpu` names it.
pub fn supervise_on(
    cpu: Option<u32>,
    mut command: Command,
    [stdout_log, stderr_log]: [&Path; 2],
    limits: &Limits<'_>,
    mut on_line: impl FnMut(u32, &str),
) -> io::Result<Aftermath> {
    let stdout_file = File::create(stdout_log)?;
    let stderr_file = File::create(stderr_log)?;
    command
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let watch = limits.run_id.map(Watch::begin);
    let pinned = cpu.map(pin::move_to).transpose()?;
    let started = Instant::now();
    let mut child = command.spawn()?;
    drop(pinned);
    let id = child.id();
    let family = Family::of(&child, watch.as_ref());
    let (news, mailbox) = mpsc::channel();
    let outputs = [
        child
            .stdout
            .take()
            .map(|pipe| copy_lines(pipe, stdout_file, Some(news.clone()))),
        child
            .stderr
            .take()
            .map(|pipe| copy_lines(pipe, stderr_file, None)),
    ];
    wait_for_end(child, news);
    let mut on_line = |line: &str| on_line(id, line);
    let waited = wait(&mailbox, started, limits, &mut on_line);
    let ending = match waited {
        Waited::Ended(status) => ending_of(status?),
        Waited::Expired(ending) => {
            family.end();
            ending
        }
    };
    let elapsed = started.elapsed();
    let by_itself = matches!(ending, Ending::Exited(_) | Ending::Signalled(_));
    let left_children = by_itself && family.exists();
    if left_children {
        family.end();
    }
    let mut output_cut = false;
    for output in outputs.into_iter().flatten() {
        output_cut |= output.cut();
    }
    // The end of a child may overtake its last lines.
    for news in mailbox.try_iter() {
        if let News::Line(line) = news {
            on_line(&line);
        }
    }
    Ok(Aftermath {
        ending,
        elapsed,
        left_children,
        survivors: family.exists(),
        output_cut,
    })
}

enum Waited {
    Ended(io::Result<ExitStatus>),
    Expired(Ending),
}

/// Waits for the end of the child, its deadline or an interrupt, passing its lines on.
fn wait(
    mailbox: &Receiver<News>,
    started: Instant,
    limits: &Limits<'_>,
    on_line: &mut impl FnMut(&str),
) -> Waited {
    loop {
        let left = limits.timeout.saturating_sub(started.elapsed());
        if left.is_zero() {
            return Waited::Expired(Ending::TimedOut);
        }
        if limits.interrupt.raised() {
            return Waited::Expired(Ending::Interrupted);
        }
        match mailbox.recv_timeout(left.min(INTERRUPT_POLL)) {
            Ok(News::Line(line)) => on_line(&line),
            Ok(News::Ended(status)) => return Waited::Ended(status),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let lost = io::Error::other("the thread that waits for the worker is gone");
                return Waited::Ended(Err(lost));
            }
        }
    }
}

fn wait_for_end(mut child: Child, news: Sender<News>) {
    thread::spawn(move || {
        let status = child.wait();
        // Nobody listens any more when the child was ended by us; it is reaped all the same.
        let _ = news.send(News::Ended(status));
    });
}

fn ending_of(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, signal) => Ending::Signalled(signal.unwrap_or_default()),
    }
}

/// A stream that is being copied to its file.
struct Output(Receiver<bool>);

impl Output {
    /// Whether output was lost. Waits for the end of the stream, but not for ever: a process that
    /// left the group may still hold it.
    fn cut(self) -> bool {
        self.0.recv_timeout(AFTERMATH).unwrap_or(true)
    }
}

fn copy_lines(
    pipe: impl Read + Send + 'static,
    mut file: File,
    lines: Option<Sender<News>>,
) -> Output {
    let (done, receiver) = mpsc::channel();
    thread::spawn(move || {
        let cut = copy(pipe, &mut file, lines.as_ref()).unwrap_or(true);
        // The supervisor may have given up waiting.
        let _ = done.send(cut);
    });
    Output(receiver)
}

/// Copies the stream to its end, keeping at most the bound; whether anything was dropped.
///
/// A file that cannot be written, on a full disk for example, drops what it should have kept: the
/// child must not be stopped by its log.
fn copy(pipe: impl Read, file: &mut impl Write, lines: Option<&Sender<News>>) -> io::Result<bool> {
    let mut reader = BufReader::new(pipe);
    let mut kept = 0_u64;
    let mut cut = false;
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = LINE_BYTES_MAX as u64;
        if reader.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            return Ok(cut);
        }
        let length = line.len() as u64;
        let fits = kept + length <= LOG_BYTES_MAX;
        match fits && file.write_all(&line).is_ok() {
            true => kept += length,
            false => cut = true,
        }
        if let Some(news) = lines {
            // The supervisor stops listening when the child has ended.
            let _ = news.send(News::Line(
                String::from_utf8_lossy(&line).trim_end().to_owned(),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    struct Ran {
        aftermath: Aftermath,
        lines: Vec<String>,
        stderr: String,
    }

    fn shell(script: &str, timeout: Duration, interrupted: bool) -> Ran {
        let folder = tempfile::tempdir().unwrap();
        let (out, err) = (folder.path().join("out"), folder.path().join("err"));
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let limits = Limits {
            timeout,
            interrupt: &Interrupt::made(interrupted),
            run_id: None,
        };
        let mut lines = Vec::new();
        let aftermath = supervise(command, &out, &err, &limits, |_, line| {
            lines.push(line.to_owned());
        });
        Ran {
            aftermath: aftermath.unwrap(),
            lines,
            stderr: std::fs::read_to_string(err).unwrap(),
        }
    }

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(300);

    #[test]
    fn a_child_that_ends_by_itself_reports_its_code_and_lines() {
        let ran = shell("echo one; echo two; echo oops >&2; exit 3", LONG, false);
        assert_eq!(ran.aftermath.ending, Ending::Exited(3));
        assert_eq!(ran.lines, ["one", "two"]);
        assert_eq!(ran.stderr, "oops\n");
        assert!(!ran.aftermath.left_children && !ran.aftermath.survivors);
    }

    #[test]
    fn a_child_killed_by_a_signal_is_told_from_one_that_exits() {
        let ran = shell("kill -SEGV $$", LONG, false);
        assert_eq!(ran.aftermath.ending, Ending::Signalled(11));
    }

    #[test]
    fn a_child_that_takes_too_long_is_ended() {
        let ran = shell("sleep 100", SHORT, false);
        assert_eq!(ran.aftermath.ending, Ending::TimedOut);
        assert!(!ran.aftermath.survivors);
    }

    #[test]
    fn a_grandchild_that_ignores_the_request_and_holds_stdout_is_killed() {
        let script = "sh -c 'trap \"\" TERM; while :; do sleep 1; done' & echo started; wait";
        let ran = shell(script, SHORT, false);
        assert_eq!(ran.aftermath.ending, Ending::TimedOut);
        assert_eq!(ran.lines, ["started"]);
        assert!(!ran.aftermath.survivors);
    }

    #[test]
    fn children_left_behind_are_ended_and_reported() {
        let ran = shell("sleep 100 & exit 0", LONG, false);
        assert_eq!(ran.aftermath.ending, Ending::Exited(0));
        assert!(ran.aftermath.left_children);
        assert!(!ran.aftermath.survivors);
    }

    #[test]
    fn an_interrupt_ends_the_child() {
        let ran = shell("sleep 100", LONG, true);
        assert_eq!(ran.aftermath.ending, Ending::Interrupted);
        assert!(!ran.aftermath.survivors);
    }

    #[test]
    fn output_beyond_the_bound_is_dropped_and_said_so() {
        let ran = shell("head -c 17000000 /dev/zero >&2", LONG, false);
        assert!(ran.aftermath.output_cut);
        assert!(ran.stderr.len() as u64 <= LOG_BYTES_MAX);
    }
    /// A disk that is full after so many bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let length = bytes.len().min(self.0);
            self.0 -= length;
            match length {
                0 => Err(io::ErrorKind::StorageFull.into()),
                length => Ok(length),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_log_on_a_full_disk_loses_lines_and_not_the_child() {
        let (news, mailbox) = mpsc::channel();
        let pipe = "one\ntwo\nthree\n".as_bytes();
        assert!(copy(pipe, &mut Full(6), Some(&news)).unwrap());
        drop(news);
        let lines: Vec<String> = mailbox
            .into_iter()
            .filter_map(|news| match news {
                News::Line(line) => Some(line),
                News::Ended(_) => None,
            })
            .collect();
        assert_eq!(lines, ["one", "two", "three"]);
        assert!(!copy("one\n".as_bytes(), &mut Full(6), None).unwrap());
    }
}
