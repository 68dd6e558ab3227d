//! What a run leaves where the user says: JSON lines as it goes, Markdown at its end.

use std::path::{Path, PathBuf};

use super::Ground;
use super::lines::JsonLines;
use super::report::{self, Report};
use crate::cli::TrackArgs;
use crate::failure::{Failure, Outcome};
use crate::markdown;
use crate::output;
use crate::run::writable;

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
    }
    let Some(given) = &args.jsonl else {
        return Ok(None);
    };
    let path = outside_of_measured(ground, given, "--jsonl")?;
    JsonLines::open(&path).map(Some)
}

/// The file `given` by a flag, in a folder that is not measured.
pub fn outside_of_measured(ground: &Ground, given: &Path, flag: &str) -> Outcome<PathBuf> {
    let folder = given.parent().unwrap_or(Path::new(""));
    let folder = ground.outside_of_measured(folder, flag)?;
    match given.file_name() {
        Some(name) => Ok(folder.join(name)),
        None => Err(Failure::usage(format!(
            "failed to write `{}`: that names no file; give one with {flag}",
            given.display()
        ))),
    }
}

/// Writes the report to `file` as Markdown, and adds it to the summary of a CI step.
pub fn show_as_markdown(report: &mut Report, file: Option<&Path>) {
    let step_summary = markdown::step_summary();
    if file.is_none() && step_summary.is_none() {
        return;
    }
    let text = report::markdown::of(report);
    let failure = file.and_then(|file| markdown::write(file, &text).err());
    report.markdown_failure = failure.map(|failure| failure.message);
    let kept = "--markdown keeps it in a file";
    let note = step_summary.and_then(|path| markdown::add_to_step(&path, &text, kept));
    if let Some(note) = note {
        output::note(format!("note: {note}"));
    }
}
