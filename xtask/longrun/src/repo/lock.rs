//! One writer at a time, across processes.
//!
//! The lock is the operating system's: it ends with the process, so a killed run leaves nothing
//! behind that would have to be removed by hand.

use std::fs::{self, OpenOptions, TryLockError};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome};
use crate::held::Held;

/// How often a held lock is tried again.
const POLL: Duration = Duration::from_millis(20);

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: Held,
}

impl Lock {
    /// Waits for the lock of the file at `path`, at most `wait`. The file is created if needed.
    pub(super) fn acquire(path: &Path, wait: Duration) -> Outcome<Lock> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .map_err(|error| Failure::file("create the folder", folder, error))?;
        }
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(|error| Failure::file("open the lock", path, error))?;
        let began = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => {
                    return Ok(Lock {
                        _file: Held::locked(file),
                    });
                }
                Err(TryLockError::WouldBlock) if began.elapsed() < wait => thread::sleep(POLL),
                Err(TryLockError::WouldBlock) => {
                    return Err(Failure::environment(format!(
                        "failed to lock `{}`: another process has recorded for more than {} s; \
                         wait for it to end and record again",
                        path.display(),
                        wait.as_secs()
                    )));
                }
                Err(TryLockError::Error(error)) => {
                    return Err(Failure::file("lock", path, error));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_held_lock_is_refused_after_the_wait_and_given_once_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/record.lock");
        let held = Lock::acquire(&path, Duration::ZERO).unwrap();
        let refused = Lock::acquire(&path, Duration::ZERO).unwrap_err();
        assert!(refused.message.contains("another process"), "{refused}");
        drop(held);
        assert!(Lock::acquire(&path, Duration::ZERO).is_ok());
    }
}
