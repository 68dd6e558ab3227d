//! Baseline files on disk: read whole or not at all, replaced whole or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::file::{Baseline, Finding};
use crate::failure::{Failure, Outcome};
use crate::project::line_of;
use crate::whole_file;

/// Longest file that is read: ten thousand entries.
const BYTES_MAX: u64 = 16 << 20;

/// What is attempted where a baseline is written.
const SAVE: &str = "save the baseline";

/// Reads the baseline at `path`; `None` where there is no file.
///
/// # Errors
/// Exit 2 where it is a folder, or no baseline that this program reads, with file, line, cause and
/// next step; exit 6 where it cannot be read.
pub fn read(path: &Path) -> Outcome<Option<Baseline>> {
    let Some(text) = text_of(path)? else {
        return Ok(None);
    };
    let baseline = Baseline::parse(&text).map_err(|findings| refusal(path, &findings))?;
    Ok(Some(baseline))
}

fn text_of(path: &Path) -> Outcome<Option<String>> {
    let failed = |error: io::Error| unreadable(path, &error);
    // Before it is opened: the end of a pipe that nobody writes to would wait for ever.
    let other = fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir());
    if other {
        return Err(Failure::usage(format!(
            "failed to read the baseline `{}`: it is no ordinary file; give one",
            path.display()
        )));
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if is_absence(error.kind()) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mut bytes = Vec::new();
    // One byte more tells that there are too many.
    file.take(BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if is_too_long(&bytes) {
        let cause = format!("it has more than {BYTES_MAX} bytes");
        return Err(refusal(path, &[Finding { line: 1, cause }]));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            let sound = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let line = line_of(&before, sound);
            let cause = "it is not text in UTF-8".to_owned();
            Err(refusal(path, &[Finding { line, cause }]))
        }
    }
}

/// Whether there is no such file, nor a folder in which it could be.
fn is_absence(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let shown = path.display();
    match error.kind() {
        ErrorKind::IsADirectory => Failure::usage(format!(
            "failed to read the baseline `{shown}`: it is a folder; give a file"
        )),
        _ => Failure::file(
            "read the baseline",
            path,
            format!("{error}; let it be read, or give another file"),
        ),
    }
}

fn is_too_long(bytes: &[u8]) -> bool {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX) > BYTES_MAX
}

fn refusal(path: &Path, findings: &[Finding]) -> Failure {
    let shown = path.display();
    let listed: String = findings
        .iter()
        .map(|Finding { line, cause }| format!("\n  {shown}:{line}: {cause}"))
        .collect();
    Failure::usage(format!(
        "failed to read the baseline `{shown}`:{listed}\n\
         take the last whole version from your repository, or move it away and save a new one with \
         --save-baseline"
    ))
}

/// Replaces the file that `path` leads to, whole or not at all.
///
/// # Errors
/// Exit 6 where it cannot be written, or could not be read again; what was there is there still.
pub fn write(path: &Path, baseline: &Baseline) -> Outcome<()> {
    let failed = |cause: String| Failure::file(SAVE, path, cause);
    let text = baseline.render().map_err(failed)?;
    if is_too_long(text.as_bytes()) {
        let cause = format!("it would have more than {BYTES_MAX} bytes; save to another file");
        return Err(failed(cause));
    }
    whole_file::write(SAVE, path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::fs;

    use super::super::file::made::baseline;
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.toml");
        assert_eq!(read(&path).unwrap(), None);
        for entries in [3, 1] {
            let baseline = baseline(entries);
            write(&path, &baseline).unwrap();
            assert_eq!(read(&path).unwrap(), Some(baseline));
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_file_that_cannot_be_replaced_stays_and_leaves_no_temporary_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.toml");
        fs::create_dir_all(path.join("in the way")).unwrap();
        let failure = write(&path, &baseline(1)).unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        assert!(
            failure.message.contains("failed to save the baseline"),
            "{failure}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_would_be_too_long_to_be_read_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.toml");
        write(&path, &baseline(1)).unwrap();
        let long = "x".repeat(usize::try_from(BYTES_MAX).unwrap() + 1);
        let mut noted = baseline(1);
        noted.entries[0].note = Some(long.clone());
        let failure = write(&path, &noted).unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        assert!(failure.message.contains("another file"), "{failure}");
        assert_eq!(read(&path).unwrap(), Some(baseline(1)));
        fs::write(&path, long).unwrap();
        let failure = read(&path).unwrap_err();
        assert_eq!(failure.exit.code(), 2);
        assert!(failure.message.contains("more than"), "{failure}");
    }

    #[test]
    fn a_folder_is_no_baseline_and_below_a_file_there_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let failure = read(folder.path()).unwrap_err();
        assert_eq!(failure.exit.code(), 2);
        assert!(failure.message.contains("it is a folder"), "{failure}");
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(read(&file.join("b.toml")).unwrap(), None);
    }

    #[test]
    fn a_damaged_file_is_refused_with_file_line_cause_and_next_step() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.toml");
        let text = baseline(2).render().unwrap();
        let line = 1 + text
            .lines()
            .position(|line| line == "samples = 30")
            .unwrap();
        fs::write(&path, text.replacen("samples = 30", "samples = 0", 1)).unwrap();
        let failure = read(&path).unwrap_err();
        assert_eq!(failure.exit.code(), 2);
        let place = format!("{}:{line}: `samples` of ", path.display());
        for part in [place.as_str(), "at least 1 sample", "--save-baseline"] {
            assert!(failure.message.contains(part), "{part}: {failure}");
        }
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.toml");
        fs::write(&path, b"version = 1\nsuite = \"\xff\"\n").unwrap();
        let failure = read(&path).unwrap_err();
        assert_eq!(failure.exit.code(), 2);
        assert!(failure.message.contains("b.toml:2: "), "{failure}");
    }
}
