//! Baseline files on disk: read whole or not at all, replaced whole or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::file::{Baseline, Finding};
use crate::failure::{Failure, Outcome};
use crate::project::line_of;

/// Longest file that is read: ten thousand entries.
const BYTES_MAX: u64 = 16 << 20;

/// Reads the baseline at `path`; `None` where there is no file.
///
/// # Errors
/// Exit 2 where it is no baseline that this program reads, with file, line, cause and next step;
/// exit 6 where it cannot be read.
pub fn read(path: &Path) -> Outcome<Option<Baseline>> {
    let Some(text) = text_of(path)? else {
        return Ok(None);
    };
    let baseline = Baseline::parse(&text).map_err(|findings| refusal(path, &findings))?;
    Ok(Some(baseline))
}

fn text_of(path: &Path) -> Outcome<Option<String>> {
    let failed = |error: io::Error| Failure::file("read the baseline", path, error);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > BYTES_MAX {
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

/// Writes the baseline to a temporary name beside `path`, and renames it.
///
/// # Errors
/// Exit 6 where it cannot be written; what was there is there still.
pub fn write(path: &Path, baseline: &Baseline) -> Outcome<()> {
    let failed = |cause: String| Failure::file("save the baseline", path, cause);
    let text = baseline.render().map_err(failed)?;
    let target = target(path);
    let mut temporary = target.clone().into_os_string();
    temporary.push(format!(".{}.partial", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let write = || -> io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, &target)
    };
    write().map_err(|error| {
        // What cannot be removed is in nobody's way.
        let _ = fs::remove_file(&temporary);
        let next = match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "; free some space",
            ErrorKind::FileTooLarge => "; raise the limit on the size of files (`ulimit -f`)",
            _ => "",
        };
        failed(format!("{error}{next}"))
    })
}

/// The file itself where `path` is a link: renaming onto the link would leave the file as it was.
fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
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
    fn a_link_stays_a_link_to_the_new_content() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        write(&real, &baseline(1)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, &baseline(2)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(read(&real).unwrap(), Some(baseline(2)));
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
