//! Interrupts as a flag: whoever waits looks at it, ends what it started and keeps what finished.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
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
        for signal in [SIGINT, SIGTERM, SIGHUP] {
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
