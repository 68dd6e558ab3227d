//! What running commands use of what was built, so that `clean` leaves it alone.
//!
//! Whoever runs a library or a worker of this checkout holds one lock of it, shared with all the
//! others; `clean` frees builds only while nobody does. The lock is the system's and ends with the
//! process.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::failure::{Failure, Outcome};
use crate::held::Held;
use crate::interrupt::Interrupt;
use crate::patience::{Patience, is_at};

/// Name of the lock in the folder of everything that is built and run.
pub const LOCK: &str = "in-use.lock";

/// Longest wait for `clean`, which only removes files.
const WAIT_MAX: Duration = Duration::from_secs(600);

/// Held as long as builds of a checkout are used.
#[derive(Clone, Debug, Default)]
pub struct InUse {
    _lock: Option<Arc<Held>>,
}

impl InUse {
    /// Says that what is built in `work` is used from now on.
    ///
    /// # Errors
    /// Exit 6 where the lock cannot be made; exit 130 where the user interrupts the wait for
    /// `clean`.
    pub fn hold(work: &Path, interrupt: &Interrupt) -> Outcome<InUse> {
        fs::create_dir_all(work).map_err(|e| Failure::file("create", work, e))?;
        let patience = Patience {
            limit: WAIT_MAX,
            interrupt,
        };
        let lock = patience.share(&work.join(LOCK), "waiting for the end of `clean`")?;
        Ok(InUse {
            _lock: Some(Arc::new(lock)),
        })
    }
}

/// Says that what `file` belongs to is used now; its age is counted from here. If that fails, it
/// looks older than it is.
pub fn mark(file: &Path) {
    let _ = File::open(file).and_then(|file| file.set_modified(SystemTime::now()));
}

/// The right to remove what `lock` protects; `None` where it is used. A lock that is not there
/// protects nothing.
pub fn unused(lock: &Path) -> Option<Option<Held>> {
    let Ok(file) = File::open(lock) else {
        return Some(None);
    };
    match file.try_lock() {
        // One that was removed meanwhile protects nothing any more; a new one may.
        Ok(()) => {
            let held = Held::locked(file);
            is_at(&held, lock).then_some(Some(held))
        }
        Err(TryLockError::WouldBlock) => None,
        // Where locks do not work, nobody can say what is used.
        Err(TryLockError::Error(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn builds_are_used_until_the_last_of_their_users_ends() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("target/longrun");
        let lock = work.join(LOCK);
        assert!(unused(&lock).is_some(), "nothing was built");
        let never = Interrupt::made(false);
        let first = InUse::hold(&work, &never).unwrap();
        let second = InUse::hold(&work, &never).unwrap();
        let copy = first.clone();
        drop(first);
        assert!(unused(&lock).is_none());
        drop((second, copy));
        let alone = unused(&lock).unwrap();
        let raised = Interrupt::made(true);
        let failure = InUse::hold(&work, &raised).unwrap_err();
        assert_eq!(failure.exit.code(), 130);
        drop(alone);
        assert!(InUse::hold(&work, &never).is_ok());
    }
}
