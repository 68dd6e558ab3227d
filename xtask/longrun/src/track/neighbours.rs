//! Runs that measure on this machine at the same time.
//!
//! They disturb each other and none of them waits: a waiting run would hang for hours, or for ever
//! where the two have cores of their own. So each shows that it is there by a locked file in a
//! folder of the machine, and each configuration that had company is marked busy. The lock is the
//! system's: it ends with the process.

use std::env;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::held::Held;

/// Folder of the files, in the user's runtime folder or else in the folder of temporary files:
/// both belong to one machine, which a cache in a shared home does not.
const FOLDER: &str = "longrun-measuring";

/// Files that are looked at; more runs at once say nothing new.
const FILES_MAX: usize = 1000;

/// A run that measures.
#[derive(Debug)]
pub struct Presence {
    own: PathBuf,
    _lock: Held,
}

impl Presence {
    /// Shows that the run is there; `None` where that cannot be shown: then nobody knows.
    pub fn announce(run_id: &str) -> Option<Presence> {
        let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let folder = runtime.filter(|path| path.is_absolute() && path.is_dir());
        Presence::announce_in(&folder.unwrap_or_else(env::temp_dir).join(FOLDER), run_id)
    }

    fn announce_in(folder: &Path, run_id: &str) -> Option<Presence> {
        fs::create_dir_all(folder).ok()?;
        // It is locked before it has its name: whoever finds an unlocked one may remove it.
        let unnamed = folder.join(format!(".{run_id}"));
        let own = folder.join(run_id);
        // Anybody may write to a folder of temporary files: nothing that is there is opened.
        let lock = File::create_new(&unnamed).ok()?;
        lock.try_lock().ok()?;
        fs::rename(&unnamed, &own).ok()?;
        Some(Presence {
            own,
            _lock: Held::locked(lock),
        })
    }

    /// Whether another run is measuring now.
    pub fn has_company(&self) -> bool {
        let folder = self
            .own
            .parent()
            .and_then(|folder| fs::read_dir(folder).ok());
        let entries = folder.into_iter().flatten().flatten().take(FILES_MAX);
        let paths = entries
            .map(|entry| entry.path())
            .filter(|path| *path != self.own);
        let mut named = paths.filter(|path| {
            let name = path.file_name().unwrap_or_default();
            !name.to_string_lossy().starts_with('.')
        });
        named.any(|path| is_held(&path))
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        // What stays is unlocked in a moment, and says nothing then.
        let _ = fs::remove_file(&self.own);
    }
}

fn is_held(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
        Ok(()) => {
            // Its run was killed.
            let _ = fs::remove_file(path);
            false
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn two_runs_see_each_other_and_one_alone_sees_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let first = Presence::announce_in(folder.path(), "one").unwrap();
        assert!(!first.has_company());
        let second = Presence::announce_in(folder.path(), "two").unwrap();
        assert!(first.has_company() && second.has_company());
        drop(second);
        assert!(!first.has_company());
    }

    #[test]
    fn what_a_killed_run_left_is_no_company_and_goes() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join("killed");
        fs::write(&left, "").unwrap();
        let run = Presence::announce_in(folder.path(), "one").unwrap();
        assert!(!run.has_company());
        assert!(!left.exists());
    }

    #[test]
    fn where_nothing_can_be_written_nobody_knows() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(Presence::announce_in(&file, "one").is_none());
    }
}
