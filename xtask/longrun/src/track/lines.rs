//! Results as JSON lines (`--jsonl`): one object a line, on disk before the next configuration
//! begins.
//!
//! Appending a run is appending lines. A line is written in one piece and then synced; one that
//! could not be written whole is cut off again. So whatever ends a run, its file has whole lines.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::results::ConfigurationResult;
use crate::failure::{Failure, Outcome};
use crate::held::Held;
use crate::whole_file::unwritten;

/// Version of a line.
const SCHEMA_VERSION: u32 = 1;

/// A file of results, held by this run.
#[derive(Debug)]
pub struct JsonLines {
    path: PathBuf,
    file: Held,
}

/// One line: a result, with the run that it is of.
#[derive(Serialize)]
struct Line<'a> {
    schema_version: u32,
    run_id: &'a str,
    slug: &'a str,
    #[serde(flatten)]
    result: &'a ConfigurationResult,
}

impl JsonLines {
    /// Opens the file, or makes it, and holds it.
    ///
    /// # Errors
    /// Exit 2 where its last line has no end: what is appended would be part of it. Exit 6 where it
    /// cannot be written, or another run holds it.
    pub fn open(path: &Path) -> Outcome<JsonLines> {
        let refuse = |cause: &str| {
            Failure::environment(format!(
                "failed to open `{}` for JSON lines: {cause}; give another file with --jsonl",
                path.display()
            ))
        };
        let failed = |error: io::Error| refuse(&error.to_string());
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .open(path)
            .map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(refuse("it is no ordinary file"));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(refuse("another run is writing it")),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut file = Held::locked(file);
        if let Some(why) = defect(&mut file).map_err(failed)? {
            return Err(Failure::usage(format!(
                "failed to open `{}` for JSON lines: {why}, or give another file with --jsonl",
                path.display()
            )));
        }
        Ok(JsonLines {
            path: path.to_owned(),
            file,
        })
    }

    /// Appends the result of one configuration of a run, and waits until it is on disk.
    ///
    /// # Errors
    /// Exit 6 where it cannot be written; the file then ends as it did before.
    pub fn add(&mut self, run_id: &str, slug: &str, result: &ConfigurationResult) -> Outcome<()> {
        let failed = |error: io::Error| unwritten("append a JSON line to", &self.path, &error);
        let line = Line {
            schema_version: SCHEMA_VERSION,
            run_id,
            slug,
            result,
        };
        let line = serde_json::to_string(&line);
        let mut line = line.map_err(|error| failed(error.into()))?;
        line.push('\n');
        let before = self.file.metadata().map_err(failed)?.len();
        let written = self
            .file
            .write_all(line.as_bytes())
            .and_then(|()| self.file.sync_data());
        written.map_err(|error| {
            // Where even this fails, the next run is told that the last line has no end.
            let _ = self.file.set_len(before);
            failed(error)
        })
    }
}

/// What keeps lines from being added to a file, and what to do; nothing where it is empty.
fn defect(file: &mut File) -> io::Result<Option<&'static str>> {
    if file.metadata()?.len() == 0 {
        return Ok(None);
    }
    let mut byte = [0];
    file.rewind()?;
    file.read_exact(&mut byte)?;
    if byte != *b"{" {
        return Ok(Some(
            "it does not begin with an object, so that it is another kind of file; move it away",
        ));
    }
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut byte)?;
    Ok((byte != *b"\n").then_some(
        "its last line has no end, so that it is torn or no such file; remove that line",
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::track::sampled::made;
    use serde_json::Value;
    use std::fs;

    fn lines(path: &Path) -> Vec<Value> {
        let text = fs::read_to_string(path).unwrap();
        assert!(text.ends_with('\n'));
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn a_line_is_one_object_with_its_spread_and_every_sample() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let result = made::result("fft", &[900, 1_000, 1_100, 1_000, 1_000], 10, |_| ());
        JsonLines::open(&path)
            .unwrap()
            .add("run", "a-1c", &result)
            .unwrap();
        let found = lines(&path);
        assert_eq!(found.len(), 1);
        let line = &found[0];
        assert_eq!(line["schema_version"], 1);
        assert_eq!(line["run_id"], "run");
        assert_eq!(line["slug"], "a-1c");
        assert_eq!(line["configuration"]["case"], "fft");
        assert_eq!(line["sampled"]["ops"], 10);
        assert_eq!(line["sampled"]["statistics"]["median"], 100.0);
        assert_eq!(line["sampled"]["statistics"]["iqr"], 0.0);
        assert_eq!(line["sampled"]["samples"][2]["interval_ns"], 1_100);
        assert_eq!(line["sampled"]["samples"].as_array().unwrap().len(), 5);
        assert_eq!(line["sampled"]["allocations"], Value::Null);
    }

    #[test]
    fn names_with_quotes_newlines_and_three_hundred_characters_stay_in_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let odd = format!("a \"b\"\n\\c\u{1b}{}", "x".repeat(300));
        let result = made::result(&odd, &[100; 5], 1, |_| ());
        let mut file = JsonLines::open(&path).unwrap();
        file.add("run", "a-1c", &result).unwrap();
        file.add("run", "a-1c", &result).unwrap();
        let found = lines(&path);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1]["configuration"]["case"], *odd);
    }

    #[test]
    fn another_run_appends_its_lines_behind_those_that_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        for run in ["one", "two"] {
            let result = made::result("fft", &[100; 5], 1, |_| ());
            let mut file = JsonLines::open(&path).unwrap();
            file.add(run, "a-1c", &result).unwrap();
        }
        let runs: Vec<Value> = lines(&path)
            .iter()
            .map(|line| line["run_id"].clone())
            .collect();
        assert_eq!(runs, ["one", "two"]);
    }

    #[test]
    fn a_file_with_a_torn_end_is_refused_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        fs::write(&path, "{\"schema_version\":1}\n{\"sche").unwrap();
        let failure = JsonLines::open(&path).unwrap_err();
        assert_eq!(failure.exit.code(), 2);
        assert!(failure.message.contains("no end"), "{failure}");
        let left = fs::read_to_string(&path).unwrap();
        assert!(left.ends_with("{\"sche"), "{left}");
    }

    #[test]
    fn a_file_has_one_writer_and_a_folder_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let held = JsonLines::open(&path).unwrap();
        for (path, cause) in [
            (path.as_path(), "another run"),
            (folder.path(), "directory"),
        ] {
            let failure = JsonLines::open(path).unwrap_err();
            assert_eq!(failure.exit.code(), 6);
            assert!(failure.message.contains(cause), "{failure}");
            assert!(failure.message.contains("--jsonl"), "{failure}");
        }
        drop(held);
        assert!(JsonLines::open(&path).is_ok());
    }
}
