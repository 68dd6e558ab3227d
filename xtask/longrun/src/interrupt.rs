//! Interrupts as a flag: whoever waits looks at it, ends what it started and keeps what finished.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

use crate::exit::Exit;
use crate::failure::{Failure, Outcome};

/// Whether the user has interrupted.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Watches for interrupts from now on. A second one ends the program at once.
    pub fn watch() -> Outcome<Interrupt> {
        let raised = Arc::new(AtomicBool::new(false));
        let code = i32::from(Exit::Interrupted.code());
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        // Whoever says `nohup` wants the run to outlive the terminal.
        let hang_up = (!is_ignored(&status, SIGHUP)).then_some(SIGHUP);
        for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up) {
            flag::register_conditional_shutdown(signal, code, Arc::clone(&raised))
                .and_then(|_| flag::register(signal, Arc::clone(&raised)))
                .map_err(|e| {
                    Failure::environment(format!("failed to watch for interrupts: {e}"))
                })?;
        }
        Ok(Interrupt(raised))
    }

    /// One that was raised, or not, and hears no signal.
    #[cfg(test)]
    pub fn made(raised: bool) -> Interrupt {
        Interrupt(Arc::new(AtomicBool::new(raised)))
    }

    /// Whether the user has interrupted.
    pub fn raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The outcome, unless the user interrupted: then that is why the command ends, whatever else
    /// failed because of it.
    pub fn wins_over<T>(&self, outcome: Outcome<T>) -> Outcome<T> {
        match self.raised() {
            true => Err(Failure::interrupted("interrupted; nothing was run")),
            false => outcome,
        }
    }
}

/// Lets a write beyond the limit on the size of files (`ulimit -f`) fail like any other, where the
/// system would end the program. Children have the system's way again: a handler does not outlive
/// `exec`.
pub fn survive_file_limit() {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    // What is ignored stays so, here and in children. Without a handler only the message is lost.
    if !is_ignored(&status, SIGXFSZ) {
        let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}

/// Whether a process with this `/proc/<pid>/status` ignores the signal. Unknown is no.
fn is_ignored(status: &str, signal: i32) -> bool {
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    let bit = u32::try_from(signal - 1)
        .ok()
        .and_then(|place| 1_u64.checked_shl(place));
    matches!((mask, bit), (Some(mask), Some(bit)) if mask & bit != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_bits_that_begin_at_one() {
        let nohup = "Name:\tx\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert!(is_ignored(nohup, 1) && is_ignored(nohup, 13));
        assert!(!is_ignored(nohup, 2) && !is_ignored(nohup, 15));
        for unknown in ["", "SigIgn:\trubbish\n"] {
            assert!(!is_ignored(unknown, 1));
        }
        assert!(!is_ignored(nohup, 0) && !is_ignored(nohup, 999));
    }
}
