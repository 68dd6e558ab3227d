//! Whether bundles can be created in a folder, found out without creating anything.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use rustix::fs::{Access, access};

use crate::failure::{Failure, Outcome};

/// Refuses a folder in which no bundle could be created, as creating one would.
///
/// # Errors
/// Exit 6 where it, or the nearest folder above it that is there, cannot be written.
pub fn check(runs: &Path) -> Outcome<()> {
    let refuse = |error| unwritable(runs, error);
    let existing = runs.ancestors().find(|up| up.symlink_metadata().is_ok());
    let Some(existing) = existing else {
        return Ok(());
    };
    if !fs::metadata(existing).map_err(refuse)?.is_dir() {
        return Err(refuse(ErrorKind::NotADirectory.into()));
    }
    access(existing, Access::WRITE_OK | Access::EXEC_OK).map_err(|e| refuse(e.into()))
}

/// The failure to create the folder `runs`.
pub fn unwritable(runs: &Path, error: io::Error) -> Failure {
    let file = Failure::file("create the folder of runs", runs, error);
    Failure::environment(format!(
        "{file}; give a folder that can be written with --out"
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_in_the_way_is_refused_and_nothing_is_created() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for given in [file.clone(), file.join("below/it")] {
            let failure = check(&given).unwrap_err();
            assert_eq!(failure.exit.code(), 6);
            assert!(failure.message.contains("--out"), "{failure}");
        }
        let dangling = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path().join("nowhere"), &dangling).unwrap();
        assert_eq!(check(&dangling).unwrap_err().exit.code(), 6);
        let new = folder.path().join("new/below");
        assert!(check(&new).is_ok() && check(folder.path()).is_ok());
        assert!(!folder.path().join("new").exists());
    }
}
