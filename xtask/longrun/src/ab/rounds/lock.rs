//! One comparison at a time in one repository: two at once would measure each other.
//!
//! The second waits, says for whom, and gives up after an hour or when the user interrupts. The
//! lock is the system's: it ends with the process.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::failure::{Failure, Outcome};
use crate::held::Held;
use crate::interrupt::Interrupt;
use crate::patience::Patience;

/// Longest wait for another comparison.
const WAIT_MAX: Duration = Duration::from_secs(3600);

/// Name of the file that is locked.
const LOCK: &str = "ab.lock";

/// Name of the file that says who holds it.
const HOLDER: &str = "ab.holder";

/// Longest name of a holder that is shown.
const NAME_LENGTH_MAX: usize = 80;

/// The right to measure in this repository.
#[derive(Debug)]
pub struct Turn {
    _lock: Held,
    holder: PathBuf,
}

impl Turn {
    /// Waits for it. `work` is Longrun's folder in the repository, `run_id` whoever asks.
    ///
    /// # Errors
    /// Exit 130 where the user interrupts; exit 6 after an hour, or where the lock cannot be had.
    pub fn wait(work: &Path, run_id: &str, interrupt: &Interrupt) -> Outcome<Turn> {
        Turn::wait_within(work, run_id, interrupt, WAIT_MAX)
    }

    fn wait_within(
        work: &Path,
        run_id: &str,
        interrupt: &Interrupt,
        limit: Duration,
    ) -> Outcome<Turn> {
        fs::create_dir_all(work).map_err(|e| Failure::file("create", work, e))?;
        let holder = work.join(HOLDER);
        let patience = Patience { limit, interrupt };
        let lock = patience.lock_saying(&work.join(LOCK), || {
            let name = fs::read_to_string(&holder).unwrap_or_default();
            let name: String = name.trim().chars().take(NAME_LENGTH_MAX).collect();
            match name.is_empty() {
                true => "waiting for another comparison in this repository".to_owned(),
                false => format!("waiting for the comparison {name} in this repository"),
            }
        })?;
        fs::write(&holder, run_id).map_err(|e| Failure::file("write", &holder, e))?;
        Ok(Turn {
            _lock: lock,
            holder,
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // A name that stays is written over by the next holder.
        let _ = fs::remove_file(&self.holder);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_second_waits_and_says_for_whom() {
        let folder = tempfile::tempdir().unwrap();
        let held = Turn::wait(folder.path(), "first", &Interrupt::made(false)).unwrap();
        let interrupted = Interrupt::made(true);
        let failure = Turn::wait(folder.path(), "second", &interrupted).unwrap_err();
        assert_eq!(failure.exit.code(), 130);
        assert!(
            failure.message.contains("the comparison first"),
            "{failure}"
        );
        let patient = Interrupt::made(false);
        let late = Turn::wait_within(folder.path(), "second", &patient, Duration::ZERO);
        assert_eq!(late.unwrap_err().exit.code(), 6);
        drop(held);
        assert!(!folder.path().join(HOLDER).exists());
        assert!(Turn::wait(folder.path(), "second", &interrupted).is_ok());
    }

    #[test]
    fn a_killed_holder_blocks_nobody() {
        let folder = tempfile::tempdir().unwrap();
        // What a kill leaves: both files, and no lock.
        fs::write(folder.path().join(LOCK), "").unwrap();
        fs::write(folder.path().join(HOLDER), "killed").unwrap();
        assert!(Turn::wait(folder.path(), "next", &Interrupt::made(true)).is_ok());
    }
}
