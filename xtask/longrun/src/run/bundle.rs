//! The folder that holds all of one run.
//!
//! `target/longrun/runs/<run-id>/` with `plan.json`, `machine.json`, `build.json`,
//! `results.jsonl` (a line per finished configuration, synced as it finishes) and one folder per
//! configuration. A killed run leaves only whole lines.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;

use crate::failure::{Failure, Outcome};

/// Attempts at a fresh run id before giving up: the id holds a random part.
const ID_ATTEMPTS: u32 = 16;

/// One execution of a plan: its id and its folder.
#[derive(Debug)]
pub struct Bundle {
    /// `YYYYMMDDThhmmssZ-<7 of commit>-<4 hex>`.
    pub run_id: String,
    /// Absolute path of the folder.
    pub folder: PathBuf,
    results: File,
}

impl Bundle {
    /// Creates the folder of a new run inside `runs`. Nothing has been built or run before this:
    /// a folder that cannot be written costs nothing.
    pub fn create(runs: &Path, now: SystemTime, commit: &str) -> Outcome<Bundle> {
        let advice = "give a folder that can be written with --out";
        let refuse = |e| {
            let file = Failure::file("create the folder of runs", runs, e);
            Failure::environment(format!("{file}; {advice}"))
        };
        fs::create_dir_all(runs).map_err(refuse)?;
        let runs = fs::canonicalize(runs).map_err(refuse)?;
        for attempt in 0..ID_ATTEMPTS {
            let run_id = run_id(now, commit, entropy(now, attempt));
            let folder = runs.join(&run_id);
            match fs::create_dir(&folder) {
                Ok(()) => {
                    let path = folder.join("results.jsonl");
                    let results = OpenOptions::new()
                        .create_new(true)
                        .append(true)
                        .open(&path)
                        .map_err(|e| Failure::file("create", &path, e))?;
                    return Ok(Bundle {
                        run_id,
                        folder,
                        results,
                    });
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(refuse(error)),
            }
        }
        Err(Failure::environment(format!(
            "failed to name the run: {ID_ATTEMPTS} run ids in a row are taken in `{}`",
            runs.display()
        )))
    }

    /// Creates the folder of configuration number `index` (from 0) and returns it.
    pub fn configuration_folder(&self, index: usize, case: &str, width: &str) -> Outcome<PathBuf> {
        let folder = self.folder.join(format!("{:02}-{case}-{width}", index + 1));
        fs::create_dir(&folder).map_err(|e| Failure::file("create", &folder, e))?;
        Ok(folder)
    }

    /// Writes `value` as JSON to `name` in the bundle.
    pub fn write<T: Serialize>(&self, name: &str, value: &T) -> Outcome<()> {
        write_json(&self.folder.join(name), value)
    }

    /// Appends one line to `results.jsonl` and waits until it is on disk.
    pub fn append_result<T: Serialize>(&mut self, value: &T) -> Outcome<()> {
        let path = self.folder.join("results.jsonl");
        let mut line =
            serde_json::to_string(value).map_err(|e| Failure::file("write", &path, e))?;
        line.push('\n');
        self.results
            .write_all(line.as_bytes())
            .and_then(|()| self.results.sync_data())
            .map_err(|e| Failure::file("write", &path, e))
    }
}

/// Writes `value` as indented JSON to `path`, by way of a temporary name.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Outcome<()> {
    let write = || -> std::io::Result<()> {
        // Other processes may be writing the same file: each has a name of its own.
        let temporary = path.with_extension(format!("json.{}.partial", std::process::id()));
        let mut file = File::create(&temporary)?;
        let mut text = serde_json::to_string_pretty(value)?;
        text.push('\n');
        file.write_all(text.as_bytes())?;
        fs::rename(&temporary, path)
    };
    write().map_err(|e| Failure::file("write", path, e))
}

/// The id of a run. Pure.
fn run_id(now: SystemTime, commit: &str, entropy: u16) -> String {
    let digits: String = humantime::format_rfc3339_seconds(now)
        .to_string()
        .chars()
        .filter(|c| !matches!(c, '-' | ':'))
        .collect();
    let commit: String = commit.chars().take(7).collect();
    format!("{digits}-{commit}-{entropy:04x}")
}

/// Sixteen bits that differ between runs that start in the same second.
fn entropy(now: SystemTime, attempt: u32) -> u16 {
    let nanoseconds = now
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.subsec_nanos());
    let mixed = (nanoseconds ^ std::process::id().rotate_left(16))
        .wrapping_add(attempt)
        .wrapping_mul(0x9E37_79B1);
    u16::try_from(mixed >> 16).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_run_id_is_time_commit_and_chance() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_793_500_000);
        let id = run_id(now, "0123456789abcdef", 0xbeef);
        assert_eq!(id, "20261101T022640Z-0123456-beef");
    }

    #[test]
    fn runs_of_the_same_instant_get_folders_of_their_own() {
        let runs = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let first = Bundle::create(runs.path(), now, "abc").unwrap();
        let second = Bundle::create(runs.path(), now, "abc").unwrap();
        assert_ne!(first.folder, second.folder);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_refused_with_advice() {
        let runs = tempfile::tempdir().unwrap();
        let file = runs.path().join("taken");
        fs::write(&file, "").unwrap();
        let failure = Bundle::create(&file.join("runs"), SystemTime::now(), "abc").unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        assert!(failure.message.contains("--out"), "{failure}");
    }

    #[test]
    fn results_are_whole_lines() {
        let runs = tempfile::tempdir().unwrap();
        let mut bundle = Bundle::create(runs.path(), SystemTime::now(), "abc").unwrap();
        bundle.append_result(&1).unwrap();
        bundle.append_result(&"two").unwrap();
        let text = fs::read_to_string(bundle.folder.join("results.jsonl")).unwrap();
        assert_eq!(text, "1\n\"two\"\n");
    }
}
