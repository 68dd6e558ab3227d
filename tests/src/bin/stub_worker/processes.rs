//! Processes that misbehave: what the stub worker does to itself and starts.

use std::process::{Command, ExitCode};
use std::time::Duration;
use std::{env, io, thread};

use rustix::process::{Signal, getpid, kill_process, setsid};

use crate::Outcome;

/// Lines of a kilobyte that a chatty worker prints: more than is kept of them.
const CHATTER_LINES: usize = 17 << 10;

/// Argument of the process that leaves its parent's group.
pub const ESCAPE: &str = "--escape";

/// Never ends by itself.
pub fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

/// Dies of SIGSEGV. Rust's own handler only gives up on the second one that is no overflow.
pub fn segfault() -> ! {
    loop {
        // If the signal cannot be sent, the test that waits for it fails by its time-out.
        let _ = kill_process(getpid(), Signal::SEGV);
    }
}

/// A child that ignores the request to end and holds this process's stdout.
pub fn stubborn_child() -> io::Result<()> {
    let script = "trap '' TERM; while :; do sleep 1; done";
    Command::new("sh").args(["-c", script]).spawn().map(drop)
}

/// A child that goes on when this process has ended.
pub fn leave_child() -> io::Result<()> {
    Command::new("sleep").arg("600").spawn().map(drop)
}

/// Dies as a program built for another processor does.
pub fn illegal_instruction() -> ! {
    loop {
        let _ = kill_process(getpid(), Signal::ILL);
    }
}

/// Starts a process that leaves this one's group, session and environment.
pub fn start_escape() -> Outcome<()> {
    let mut child = Command::new(env::current_exe()?).arg(ESCAPE).spawn()?;
    child.wait()?;
    Ok(())
}

/// Leaves the group, starts a child that ignores the request to end, and makes it an orphan. It
/// still holds the worker's stdout.
pub fn escape() -> Outcome<ExitCode> {
    setsid()?;
    let path = env::var_os("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", "trap '' TERM; while :; do sleep 1; done"])
        .env_clear()
        .env("PATH", path)
        .spawn()?;
    Ok(ExitCode::SUCCESS)
}

/// Prints more than anybody keeps.
pub fn chat() -> io::Result<()> {
    let line = "chatter ".repeat(128);
    let mut out = io::stdout().lock();
    for _ in 0..CHATTER_LINES {
        io::Write::write_all(&mut out, line.as_bytes())?;
        io::Write::write_all(&mut out, b"\n")?;
    }
    Ok(())
}

/// Is killed in the middle of a line that it prints.
pub fn die_in_line() -> io::Result<()> {
    let mut out = io::stdout().lock();
    io::Write::write_all(&mut out, b"{\"event\":\"progress\",\"repe")?;
    io::Write::flush(&mut out)?;
    loop {
        let _ = kill_process(getpid(), Signal::KILL);
    }
}
