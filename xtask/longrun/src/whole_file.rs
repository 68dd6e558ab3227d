//! Files that are written whole or not at all: under a temporary name beside them, synced, renamed.
//!
//! A reader, a kill and a power cut meet what was there before or all of what was written.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use crate::failure::{Failure, Outcome};

/// Temporary names that are tried: a process that was killed may have left some.
const ATTEMPTS_MAX: u32 = 1000;

/// Files that this process has begun: threads that write the same one have names of their own.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// Replaces the file that `path` leads to. `verb` names what is attempted: `write`.
///
/// # Errors
/// Exit 6 where it cannot be written; what was there is there still.
pub fn write(verb: &str, path: &Path, content: &[u8]) -> Outcome<()> {
    replace(&destination(path), content).map_err(|error| unwritten(verb, path, &error))
}

/// The same with `value` as indented JSON.
///
/// # Errors
/// As above, and exit 6 where JSON cannot hold the value.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Outcome<()> {
    write("write", path, indented(path, value)?.as_bytes())
}

/// Writes `value` as indented JSON for a process that is about to be started. It is written whole,
/// but nothing waits for the disk: the process would not survive what the file might not.
///
/// # Errors
/// As of [`write_json`].
pub fn hand_over<T: Serialize>(path: &Path, value: &T) -> Outcome<()> {
    let text = indented(path, value)?;
    let replaced = replace_by(&destination(path), |file| file.write_all(text.as_bytes()));
    replaced.map_err(|error| unwritten("write", path, &error))
}

fn indented<T: Serialize>(path: &Path, value: &T) -> Outcome<String> {
    let text = serde_json::to_string_pretty(value);
    let mut text = text.map_err(|error| Failure::file("write", path, error))?;
    text.push('\n');
    Ok(text)
}

/// The file that `path` leads to: replacing a link would leave the file behind it as it was. Two
/// paths of one file have one destination, also before the file is there.
pub fn destination(path: &Path) -> PathBuf {
    if let Ok(found) = fs::canonicalize(path) {
        return found;
    }
    let folder = path.parent().and_then(|up| fs::canonicalize(up).ok());
    match folder.zip(path.file_name()) {
        Some((folder, name)) => folder.join(name),
        None => path.to_owned(),
    }
}

/// Replaces what has the name `path`, be it a link. Its folder must be there.
///
/// # Errors
/// What the system says; what was there is there still, and nothing else.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_by(path, |file| {
        file.write_all(content).and_then(|()| file.sync_all())
    })
}

fn replace_by(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let (temporary, mut file) = begin(path.parent().unwrap_or(Path::new("")))?;
    let written = write(&mut file);
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        // On a full disk every byte counts; what cannot be removed is in nobody's way.
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

/// An empty file that nobody else has opened. Its name is short whatever the name of the file, and
/// another process of the same number, in another container, finds it taken.
fn begin(folder: &Path) -> io::Result<(PathBuf, File)> {
    for _ in 0..ATTEMPTS_MAX {
        let number = BEGUN.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".longrun-{}-{number}.partial", process::id()));
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// The failure to write a file, with what to do about it where that is known.
pub fn unwritten(verb: &str, path: &Path, cause: &io::Error) -> Failure {
    let next = match cause.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "; free some space",
        ErrorKind::FileTooLarge => "; raise the limit on the size of files (`ulimit -f`)",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "; let its folder be written to"
        }
        ErrorKind::IsADirectory => "; move away the folder that has its name",
        ErrorKind::NotFound => "; make its folder",
        _ => "",
    };
    Failure::file(verb, path, format!("{cause}{next}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::symlink;
    use std::thread;

    /// What is in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.md");
        for text in ["a longer text\n", "short\n"] {
            write("write", &path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(names(folder.path()), ["report.md"]);
        }
    }

    #[test]
    fn a_link_stays_a_link_to_the_new_content() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "before").unwrap();
        symlink(&file, &link).unwrap();
        write("write", &link, b"after").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "after");
    }

    #[test]
    fn what_replaces_a_name_replaces_a_link_and_leaves_the_file_behind_it() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "before").unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, b"after").unwrap();
        assert!(!link.is_symlink());
        assert_eq!(fs::read_to_string(&link).unwrap(), "after");
        assert_eq!(fs::read_to_string(&file).unwrap(), "before");
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_what_was_there_and_no_temporary_one() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("plan.json");
        fs::create_dir_all(taken.join("in the way")).unwrap();
        let failure = write_json(&taken, &1).unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        let begin = format!("failed to write `{}`: ", taken.display());
        assert!(failure.message.starts_with(&begin), "{failure}");
        assert!(failure.message.contains("; move away"), "{failure}");
        assert_eq!(names(folder.path()), ["plan.json"]);
        assert_eq!(names(&taken), ["in the way"]);
    }

    #[test]
    fn what_a_killed_process_left_is_in_nobodys_way() {
        let folder = tempfile::tempdir().unwrap();
        let next = BEGUN.load(Ordering::Relaxed);
        for number in next..next + 100 {
            let name = format!(".longrun-{}-{number}.partial", process::id());
            fs::write(folder.path().join(name), "half").unwrap();
        }
        let path = folder.path().join("file");
        write("write", &path, b"whole").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(names(folder.path()).len(), 101, "they are somebody else's");
    }

    #[test]
    fn a_name_as_long_as_names_may_be_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x".repeat(255));
        write("write", &path, b"whole").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
    }

    #[test]
    fn threads_that_write_one_file_leave_one_of_their_contents_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let contents = [b'a', b'b', b'c', b'd'].map(|byte| vec![byte; 1 << 16]);
        thread::scope(|scope| {
            let path = &path;
            for content in &contents {
                scope.spawn(move || write("write", path, content).unwrap());
            }
        });
        assert!(contents.contains(&fs::read(&path).unwrap()));
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn two_paths_of_one_file_have_one_destination_before_and_after_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        symlink(folder.path(), &other).unwrap();
        let (own, by_link) = (folder.path().join("file"), other.join("file"));
        assert_eq!(destination(&own), destination(&by_link));
        fs::write(&own, "").unwrap();
        assert_eq!(destination(&own), destination(&by_link));
        assert_ne!(destination(&own), destination(&folder.path().join("file2")));
        let nowhere = folder.path().join("no/such/file");
        assert_eq!(destination(&nowhere), nowhere);
    }

    #[test]
    fn a_file_for_which_there_is_no_room_says_what_to_do() {
        for (kind, next) in [
            (ErrorKind::StorageFull, "free some space"),
            (ErrorKind::QuotaExceeded, "free some space"),
            (ErrorKind::FileTooLarge, "ulimit -f"),
            (ErrorKind::PermissionDenied, "let its folder be written to"),
            (ErrorKind::NotFound, "make its folder"),
        ] {
            let failure = unwritten("save", Path::new("f"), &kind.into());
            let message = &failure.message;
            assert!(message.starts_with("failed to save `f`: "), "{failure}");
            assert!(message.contains(next), "{failure}");
            assert_eq!(failure.exit.code(), 6);
        }
    }
}
