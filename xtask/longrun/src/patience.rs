//! Waiting for a lock that another process holds: not for ever, and not past an interrupt.
//!
//! The locks are the system's: they end with the process that holds them, so that a kill leaves
//! nothing to remove by hand.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process;
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome};
use crate::held::Held;
use crate::interrupt::Interrupt;
use crate::output;

/// How often a held lock is tried again.
const POLL: Duration = Duration::from_millis(50);

/// How long somebody waits for a lock.
pub struct Patience<'a> {
    /// Longest wait.
    pub limit: Duration,
    /// Raised when the user interrupts.
    pub interrupt: &'a Interrupt,
}

impl Patience<'_> {
    /// Waits for the lock of the file at `path`, which is created, and holds it until the result
    /// is dropped. `waiting` is said once if somebody else holds it, with the process that does.
    ///
    /// # Errors
    /// Exit 130 where the user interrupts, exit 6 where the wait is too long or the file cannot be
    /// locked.
    pub fn lock(&self, path: &Path, waiting: &str) -> Outcome<Held> {
        self.lock_saying(path, || waiting.to_owned())
    }

    /// The same with words that are found when they are needed: who holds it, for example.
    pub fn lock_saying(&self, path: &Path, waiting: impl Fn() -> String) -> Outcome<Held> {
        self.wait(path, waiting, File::try_lock)
    }

    /// The same for a lock that others may hold beside this process, as long as none of them asked
    /// for it alone.
    pub fn share(&self, path: &Path, waiting: &str) -> Outcome<Held> {
        self.wait(path, || waiting.to_owned(), File::try_lock_shared)
    }

    fn wait(
        &self,
        path: &Path,
        waiting: impl Fn() -> String,
        attempt: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Outcome<Held> {
        let mut lock = open(path)?;
        let began = Instant::now();
        let mut said = false;
        loop {
            match attempt(&lock) {
                Ok(()) if is_at(&lock, path) => {
                    sign(&mut lock);
                    return Ok(Held::locked(lock));
                }
                // `clean` has removed it meanwhile: whoever comes next locks another file.
                Ok(()) => {
                    lock = open(path)?;
                }
                Err(TryLockError::Error(e)) => return Err(Failure::file("lock", path, e)),
                Err(TryLockError::WouldBlock) => {}
            }
            if self.interrupt.raised() {
                return Err(Failure::interrupted(format!(
                    "interrupted while {}",
                    waiting()
                )));
            }
            if began.elapsed() >= self.limit {
                return Err(Failure::environment(format!(
                    "failed to lock `{}`: another process{} has held it for more than {} s; wait \
                     for its end, or end it",
                    path.display(),
                    holder(&lock),
                    self.limit.as_secs()
                )));
            }
            if !said {
                output::note(format!("{}{}", waiting(), holder(&lock)));
                said = true;
            }
            thread::sleep(POLL);
        }
    }
}

/// Whether the file is the one that everybody finds at `path`, and was not removed or replaced.
pub fn is_at(file: &File, path: &Path) -> bool {
    let place = |data: fs::Metadata| (data.dev(), data.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(held), Ok(found)) => place(held) == place(found),
        _ => false,
    }
}

/// The file of a lock, which keeps what its holder wrote into it.
fn open(path: &Path) -> Outcome<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    options
        .open(path)
        .map_err(|e| Failure::file("create", path, e))
}

/// Writes down who holds a lock. It is for messages only, so it may fail.
fn sign(lock: &mut File) {
    let _ = lock
        .rewind()
        .and_then(|()| lock.set_len(0))
        .and_then(|()| write!(lock, "{}", process::id()));
}

/// Who holds a lock, as far as that was written down.
fn holder(mut lock: &File) -> String {
    let mut text = String::new();
    let read = lock
        .rewind()
        .and_then(|()| lock.take(20).read_to_string(&mut text));
    match (read, text.parse::<u32>()) {
        (Ok(_), Ok(process)) => format!(" (process {process})"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    fn wait(path: &Path, limit: Duration, interrupted: bool) -> Outcome<Held> {
        let interrupt = &Interrupt::made(interrupted);
        Patience { limit, interrupt }.lock(path, "waiting for the other")
    }

    #[test]
    fn a_held_lock_is_given_up_at_the_limit_and_at_an_interrupt() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = wait(&path, LONG, false).unwrap();
        assert_eq!(
            wait(&path, Duration::ZERO, false).unwrap_err().exit.code(),
            6
        );
        let interrupted = wait(&path, LONG, true).unwrap_err();
        assert_eq!(interrupted.exit.code(), 130);
        assert!(interrupted.message.contains("while waiting for the other"));
        drop(held);
        assert!(
            wait(&path, Duration::ZERO, true).is_ok(),
            "a free one needs no wait"
        );
    }

    #[test]
    fn a_lock_is_given_when_its_holder_lets_go() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = wait(&path, LONG, false).unwrap();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| wait(&path, LONG, false).is_ok());
            drop(held);
            assert!(waiting.join().unwrap());
        });
    }

    #[test]
    fn a_lock_is_shared_by_those_who_share_it_and_by_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let interrupt = &Interrupt::made(false);
        let limit = Duration::ZERO;
        let patience = Patience { limit, interrupt };
        let first = patience.share(&path, "waiting").unwrap();
        let second = patience.share(&path, "waiting").unwrap();
        assert!(patience.lock(&path, "waiting").is_err());
        drop((first, second));
        let alone = patience.lock(&path, "waiting").unwrap();
        let refused = patience.share(&path, "waiting").unwrap_err();
        let holder = format!("(process {})", process::id());
        assert!(refused.message.contains(&holder), "{refused}");
        drop(alone);
    }

    #[test]
    fn a_lock_that_was_removed_while_it_was_waited_for_is_taken_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = wait(&path, LONG, false).unwrap();
        let attempts = std::cell::Cell::new(0);
        let interrupt = &Interrupt::made(false);
        let limit = LONG;
        let got = Patience { limit, interrupt }.wait(&path, String::new, |file| {
            // Its holder removes it between the opening and the locking.
            if attempts.replace(attempts.get() + 1) == 0 {
                fs::remove_file(&path).unwrap();
                held.unlock().unwrap();
            }
            file.try_lock()
        });
        let got = got.unwrap();
        assert!(is_at(&got, &path));
        assert_eq!(attempts.get(), 2);
        let second = wait(&path, Duration::ZERO, false);
        assert!(second.is_err(), "two processes hold one lock");
    }

    #[test]
    fn a_file_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let failure = wait(folder.path(), LONG, false).unwrap_err();
        assert!(failure.message.starts_with("failed to create"), "{failure}");
    }
}
