//! Markdown that others read: no path of this machine is in it, and no name breaks a table.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process;

use crate::failure::{Failure, Outcome};
use crate::redact::redacted;

/// Variable that names the file of a step's summary in a CI run.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The file of the summary of this step of a CI run, where there is one.
pub fn step_summary() -> Option<PathBuf> {
    let path = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty());
    path.map(PathBuf::from)
}

/// Text that Markdown shows as it is, in one line, without paths of this machine.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in redacted(text).chars() {
        match c {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                shown.push('\\');
                shown.push(c);
            }
            c if c.is_control() => shown.push(' '),
            c => shown.push(c),
        }
    }
    shown
}

/// A row of a table.
pub fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Adds a summary to that of a CI step, behind what is there. If that cannot be done, the note that
/// says so: nothing is lost for it, because it is `kept` elsewhere.
pub fn add_to_step(step_summary: &Path, markdown: &str, kept: &str) -> Option<String> {
    let opened = OpenOptions::new()
        .create(true)
        .append(true)
        .open(step_summary);
    let written = opened.and_then(|mut file| file.write_all(format!("{markdown}\n").as_bytes()));
    let error = written.err()?;
    Some(format!(
        "failed to add the summary to `{}`, which {STEP_SUMMARY} names: {error}; {kept}",
        step_summary.display()
    ))
}

/// Writes Markdown to `path`, whole or not at all: to a temporary name beside it, and renamed.
///
/// # Errors
/// Exit 6 where it cannot be written; what was there is there still.
pub fn write(path: &Path, markdown: &str) -> Outcome<()> {
    // Of a link, what it leads to is replaced and not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut temporary = target.clone().into_os_string();
    temporary.push(format!(".{}.partial", process::id()));
    let temporary = PathBuf::from(temporary);
    let written = fs::write(&temporary, markdown).and_then(|()| fs::rename(&temporary, &target));
    written.map_err(|error| {
        // On a full disk every byte counts; what cannot be removed is in nobody's way.
        let _ = fs::remove_file(&temporary);
        Failure::file("write the Markdown", path, error)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_name_with_pipes_quotes_and_newlines_is_one_cell() {
        let name = "a|b\n\"c\" <d> `e` /home/someone/f";
        let row = row(&[name.to_owned(), "1".to_owned()]);
        assert_eq!(row, "| a\\|b \"c\" &lt;d&gt; \\`e\\` &lt;path&gt; | 1 |\n");
    }

    #[test]
    fn markdown_is_written_whole_and_replaces_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.md");
        for text in ["a longer text\n", "short\n"] {
            write(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let link = folder.path().join("link.md");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, "by the link\n").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "by the link\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn markdown_that_cannot_be_written_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("report.md");
        fs::create_dir_all(taken.join("in the way")).unwrap();
        assert_eq!(write(&taken, "text").unwrap_err().exit.code(), 6);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
