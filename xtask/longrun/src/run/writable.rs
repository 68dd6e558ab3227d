//! Whether bundles and other files can be written, found out without writing anything.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use rustix::fs::{Access, access};

use crate::failure::{Failure, Outcome};
use crate::whole_file;

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

/// Refuses a file that could not be replaced, without writing it. `flag` names it.
///
/// # Errors
/// Exit 2 where it is no file, such as a folder or a device, or is in no folder that is there; exit
/// 6 where it cannot be written.
pub fn check_file(path: &Path, flag: &str) -> Outcome<()> {
    let refused = |cause: &str| {
        format!(
            "failed to write `{}`: {cause}; give another file with {flag}",
            path.display()
        )
    };
    if path.is_dir() {
        return Err(Failure::usage(refused("it is a folder")));
    }
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return Err(Failure::usage(refused("it is no ordinary file")));
    }
    let place = whole_file::destination(path);
    let Some(folder) = place.parent().filter(|folder| folder.is_dir()) else {
        return Err(Failure::usage(refused("there is no such folder")));
    };
    access(folder, Access::WRITE_OK | Access::EXEC_OK).map_err(|error| {
        let cause = io::Error::from(error);
        Failure::environment(refused(&format!("its folder cannot be written ({cause})")))
    })
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
    use std::path::PathBuf;

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

    #[test]
    fn a_file_in_no_folder_is_refused_and_nothing_is_created() {
        let folder = tempfile::tempdir().unwrap();
        for (given, cause) in [
            (folder.path().to_owned(), "it is a folder"),
            (folder.path().join("no/a.md"), "there is no such folder"),
            (PathBuf::from("/dev/null"), "it is no ordinary file"),
        ] {
            let failure = check_file(&given, "--markdown").unwrap_err();
            assert_eq!(failure.exit.code(), 2);
            assert!(failure.message.contains(cause), "{failure}");
            assert!(failure.message.contains("with --markdown"), "{failure}");
        }
        check_file(&folder.path().join("a.md"), "--markdown").unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
