//! What a run leaves where the user says: JSON lines as it goes, Markdown at its end.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::Ground;
use super::lines::JsonLines;
use super::report::{self, Report};
use crate::cli::TrackArgs;
use crate::failure::{Failure, Outcome};
use crate::list::current_folder;
use crate::markdown;
use crate::output;
use crate::run::writable;
use crate::whole_file;

/// The flag that names a baseline file to save to.
pub const SAVE_BASELINE: &str = "--save-baseline";

/// Refuses a file that two flags name: what is written for one would destroy what the other one
/// holds. Only a baseline may be both compared with and saved to.
///
/// # Errors
/// Exit 2 where there is one.
pub fn named_once(args: &TrackArgs) -> Outcome<()> {
    let folder = current_folder()?;
    let flags = [
        ("--baseline-file", &args.baseline_file),
        (SAVE_BASELINE, &args.save_baseline),
        ("--jsonl", &args.jsonl),
        ("--markdown", &args.markdown),
    ];
    let mut taken: Vec<(&str, PathBuf)> = Vec::new();
    for (flag, given) in flags {
        let Some(given) = given else {
            continue;
        };
        let place = whole_file::destination(&folder.join(given));
        let other = taken.iter().find(|(_, path)| *path == place);
        if let Some((other, _)) = other.filter(|_| flag != SAVE_BASELINE) {
            return Err(Failure::usage(format!(
                "failed to write `{}`: {other} names the same file; give another with {flag}",
                given.display()
            )));
        }
        taken.push((flag, place));
    }
    Ok(())
}

/// Makes sure, before anything is built, that the files can be written. That of the JSON lines is
/// held from now on.
///
/// # Errors
/// Exit 2 where a file is part of what is measured, or is no file; exit 6 where it cannot be
/// written.
pub fn prepare(ground: &Ground, args: &TrackArgs) -> Outcome<Option<JsonLines>> {
    if let Some(given) = &args.markdown {
        let path = outside_of_measured(ground, given, "--markdown")?;
        writable::check_file(&path, "--markdown")?;
        let beginning = report::markdown::BEGINNING;
        check_begins(&path, beginning, "no report of a run", "--markdown")?;
    }
    let Some(given) = &args.jsonl else {
        return Ok(None);
    };
    let path = outside_of_measured(ground, given, "--jsonl")?;
    JsonLines::open(&path).map(Some)
}

/// Refuses to replace a file that does not begin like what is written there, and therefore `is_no`
/// such thing: whoever mistypes a name would lose it. An empty file is nobody's.
pub fn check_begins(path: &Path, beginning: &str, is_no: &str, flag: &str) -> Outcome<()> {
    let mut found = Vec::new();
    let Ok(file) = File::open(path) else {
        return Ok(());
    };
    let length = u64::try_from(beginning.len()).unwrap_or(u64::MAX);
    file.take(length)
        .read_to_end(&mut found)
        .map_err(|error| Failure::file("read", path, error))?;
    if found.is_empty() || found == beginning.as_bytes() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "failed to write `{}`: there is a file that is {is_no}; move it away, or give another with \
         {flag}",
        path.display()
    )))
}

/// The file `given` by a flag, which is not part of what is measured, of git or of Longrun.
pub fn outside_of_measured(ground: &Ground, given: &Path, flag: &str) -> Outcome<PathBuf> {
    let folder = given.parent().unwrap_or(Path::new(""));
    let folder = ground.outside_of_measured(folder, flag)?;
    let refuse = |why: &str| {
        Err(Failure::usage(format!(
            "failed to write `{}`: {why}; give another file with {flag}",
            given.display()
        )))
    };
    let Some(name) = given.file_name() else {
        return refuse("that names no file");
    };
    let path = folder.join(name);
    match ground.claimed(&path) {
        Some(why) => refuse(why),
        None => Ok(path),
    }
}

/// Writes the report to `file` as Markdown, and adds it to the summary of a CI step.
pub fn show_as_markdown(report: &mut Report, file: Option<&Path>) {
    let step_summary = markdown::step_summary();
    if file.is_none() && step_summary.is_none() {
        return;
    }
    let text = report::markdown::of(report);
    let write = |file: &Path| whole_file::write("write the Markdown", file, text.as_bytes());
    let failure = file.and_then(|file| write(file).err());
    report.markdown_failure = failure.map(|failure| failure.message);
    let kept = "--markdown keeps it in a file";
    let note = step_summary.and_then(|path| markdown::add_to_step(&path, &text, kept));
    if let Some(note) = note {
        output::note(format!("note: {note}"));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Command};

    /// What `track` is asked with these words.
    fn track(words: &[&str]) -> TrackArgs {
        let cli = Cli::try_parse_from([&["xtask", "track"], words].concat()).unwrap();
        let args = match cli.command {
            Command::Track(args) => Some(args),
            _ => None,
        };
        args.unwrap()
    }

    #[test]
    fn a_file_has_one_purpose() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a"), folder.path().join("link"));
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let [file, link] = [&file, &link].map(|path| path.to_str().unwrap());
        for (one, other) in [
            ("--baseline-file", "--markdown"),
            ("--save-baseline", "--markdown"),
            ("--baseline-file", "--jsonl"),
            ("--jsonl", "--markdown"),
        ] {
            let failure = named_once(&track(&[one, file, other, link])).unwrap_err();
            assert_eq!(failure.exit.code(), 2);
            let said = format!("`{link}`: {one} names the same file");
            assert!(failure.message.contains(&said), "{failure}");
            assert!(failure.message.contains(other), "{failure}");
        }
    }

    #[test]
    fn a_baseline_is_compared_with_and_saved_to_and_other_files_are_apart() {
        let both = ["--baseline-file", "a", "--save-baseline", "a"];
        let apart = [&both[..], &["--jsonl", "b", "--markdown", "c"]].concat();
        assert!(named_once(&track(&apart)).is_ok());
        assert!(named_once(&track(&[])).is_ok());
    }
}
