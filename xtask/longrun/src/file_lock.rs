//! One process at a time adds to a file that others add to.
//!
//! Two that read the same content and then replace it would each lose what the other has added. The
//! file itself cannot be the lock, because it is replaced, and nothing may be left beside it,
//! because its folder is committed. So the lock is in a folder of Longrun's, under a name that
//! follows from the place of the file.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::digest;
use crate::failure::{Failure, Outcome};
use crate::held::Held;
use crate::interrupt::Interrupt;
use crate::patience::Patience;
use crate::user_cache;
use crate::whole_file;

/// Name of the folder of locks.
pub const FOLDER: &str = "locks";

/// Longest wait for another process, which reads a few files and writes them.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// Characters of a digest that name a lock.
const NAME_LENGTH: usize = 32;

/// Files that are locked for one purpose.
#[derive(Clone, Copy, Debug)]
pub struct Purpose {
    /// How the names of their locks begin.
    pub name: &'static str,
    /// What is said while another process holds one.
    pub waiting: &'static str,
}

/// The folder of locks: the user's, so that it is the same for all checkouts, or that of this one
/// where the environment names no cache.
pub fn folder(work: &Path) -> PathBuf {
    user_cache::folder()
        .unwrap_or_else(|| work.to_owned())
        .join(FOLDER)
}

impl Purpose {
    /// Waits for the right to read and replace the file at `path`, and holds it until the result
    /// is dropped. `folder` holds the locks.
    ///
    /// # Errors
    /// Exit 130 where the user interrupts; exit 6 after a minute, or where the lock cannot be had.
    pub fn hold(&self, folder: &Path, path: &Path, interrupt: &Interrupt) -> Outcome<Held> {
        fs::create_dir_all(folder).map_err(|e| Failure::file("create", folder, e))?;
        let patience = Patience {
            limit: WAIT_MAX,
            interrupt,
        };
        patience.lock(&self.file(folder, path), self.waiting)
    }

    /// The lock of the file at `path`: one for all paths that lead to it.
    fn file(&self, folder: &Path, path: &Path) -> PathBuf {
        let place = whole_file::destination(path);
        let digest = digest::of_bytes(place.as_os_str().as_encoded_bytes());
        let name: String = digest.chars().take(NAME_LENGTH).collect();
        folder.join(format!("{}-{name}.lock", self.name))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_has_one_lock_whatever_path_leads_to_it_and_nothing_is_left_beside_it() {
        let root = tempfile::tempdir().unwrap();
        let committed = root.path().join("committed");
        fs::create_dir(&committed).unwrap();
        let link = root.path().join("link");
        std::os::unix::fs::symlink(&committed, &link).unwrap();
        let locks = root.path().join("cache/locks");
        let interrupted = Interrupt::made(true);
        let purpose = |name| Purpose {
            name,
            waiting: "waiting for another",
        };
        let hold = |path: &Path| purpose("a").hold(&locks, path, &interrupted);
        let held = hold(&committed.join("b.toml")).unwrap();
        let failure = hold(&link.join("b.toml")).unwrap_err();
        assert_eq!(failure.exit.code(), 130);
        assert!(failure.message.contains("waiting for another"), "{failure}");
        let other = hold(&committed.join("c.toml"));
        assert!(other.is_ok(), "another file has another lock");
        let other = purpose("b").hold(&locks, &committed.join("b.toml"), &interrupted);
        assert!(other.is_ok(), "another purpose has another lock");
        drop(held);
        assert!(hold(&link.join("b.toml")).is_ok());
        assert_eq!(fs::read_dir(&committed).unwrap().count(), 0);
    }
}
