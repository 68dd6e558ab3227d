//! The folder that holds all of one run.
//!
//! `target/longrun/runs/<run-id>/` with `plan.json`, `machine.json`, `build.json`,
//! `results.jsonl` (a line per finished configuration, synced as it finishes) and one folder per
//! configuration. A killed run leaves only whole lines.

use std::fs::{self, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;

use super::writable::unwritable;
use crate::failure::{Failure, Outcome};
use crate::held::Held;
use crate::whole_file::{unwritten, write_json};

/// Attempts at a fresh run id before giving up: the id holds a random part.
const ID_ATTEMPTS: u32 = 16;

/// Name of the file of results.
pub const RESULTS: &str = "results.jsonl";

/// Name of the file by which a process holds the bundle of a comparison: its results come only when
/// both sides are built.
pub const LOCK: &str = "lock";

/// Longest file of results that is read: ten thousand configurations of thousands of repeats.
const RESULTS_BYTES_MAX: u64 = 256 << 20;

/// Times that one configuration of a run may be run again.
const ATTEMPTS_MAX: u32 = 1000;

/// Runs that a message names.
const NAMED_MAX: usize = 8;

/// One execution of a plan: its id and its folder.
///
/// Whoever holds a bundle is the only one who runs it: the file of results is locked, by a lock
/// that ends with the process.
#[derive(Debug)]
pub struct Bundle {
    /// `YYYYMMDDThhmmssZ-<7 of commit>-<4 hex>`.
    pub run_id: String,
    /// Absolute path of the folder.
    pub folder: PathBuf,
    results: Held,
}

/// Where one configuration is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Id of the request: no two requests of a run have the same, so that a receipt that comes
    /// late answers nothing.
    pub request_id: String,
    /// Folder of its files.
    pub folder: PathBuf,
}

impl Bundle {
    /// Creates the folder of a new run inside `runs`. Nothing has been built or run before this:
    /// a folder that cannot be written costs nothing.
    pub fn create(runs: &Path, now: SystemTime, commit: &str) -> Outcome<Bundle> {
        Bundle::create_holding(RESULTS, runs, now, commit)
    }

    /// The same where the results are in another file, and one called `file` is locked.
    pub fn create_holding(
        file: &str,
        runs: &Path,
        now: SystemTime,
        commit: &str,
    ) -> Outcome<Bundle> {
        let refuse = |e| unwritable(runs, e);
        fs::create_dir_all(runs).map_err(refuse)?;
        let runs = fs::canonicalize(runs).map_err(refuse)?;
        for attempt in 0..ID_ATTEMPTS {
            let run_id = run_id(now, commit, entropy(now, attempt));
            let folder = runs.join(&run_id);
            match fs::create_dir(&folder) {
                Ok(()) => return Bundle::hold(file, run_id, folder),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(refuse(error)),
            }
        }
        Err(Failure::environment(format!(
            "failed to name the run: {ID_ATTEMPTS} run ids in a row are taken in `{}`",
            runs.display()
        )))
    }

    /// Opens the bundle of an earlier run in `runs`, named by its id or a beginning of it that no
    /// other run shares.
    ///
    /// # Errors
    /// Exit 2 where no run or several are meant; exit 6 where another process runs it right now.
    pub fn open(runs: &Path, wanted: &str) -> Outcome<Bundle> {
        Bundle::open_holding(RESULTS, runs, wanted)
    }

    /// The same for one of [`Bundle::create_holding`].
    pub fn open_holding(file: &str, runs: &Path, wanted: &str) -> Outcome<Bundle> {
        let names = folders_in(runs)?;
        let run_id = chosen(&names, wanted).map_err(|why| {
            Failure::usage(format!(
                "failed to find the run `{wanted}` in `{}`: {why}",
                runs.display()
            ))
        })?;
        let folder = runs.join(&run_id);
        let folder = fs::canonicalize(&folder).map_err(|e| Failure::file("open", &folder, e))?;
        Bundle::hold(file, run_id, folder)
    }

    fn hold(file: &str, run_id: String, folder: PathBuf) -> Outcome<Bundle> {
        let path = folder.join(file);
        let results = OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .open(&path)
            .map_err(|e| Failure::file("open", &path, e))?;
        match results.try_lock() {
            Ok(()) => Ok(Bundle {
                run_id,
                folder,
                results: Held::locked(results),
            }),
            Err(TryLockError::WouldBlock) => Err(Failure::environment(format!(
                "failed to resume the run {run_id}: another process is running it; wait for its \
                 end"
            ))),
            Err(TryLockError::Error(e)) => Err(Failure::file("lock", &path, e)),
        }
    }

    /// Creates a folder for configuration number `index` (from 0): `NN-<case>-<width>`, and with
    /// `.2`, `.3`, … at its end where the run has tried that configuration before.
    pub fn place(&self, index: usize, case: &str, width: &str) -> Outcome<Place> {
        self.claim(&format!("{:02}", index + 1), case, width)
    }

    /// Creates a folder for preparing the FFT plans of configuration number `index` (from 0).
    pub fn plans_place(&self, index: usize, case: &str, width: &str) -> Outcome<Place> {
        self.claim(&format!("plans-{:02}", index + 1), case, width)
    }

    /// Creates a folder for preparing the duets of configuration number `index` (from 0).
    pub fn preparation_place(&self, index: usize, case: &str, width: &str) -> Outcome<Place> {
        self.claim(&format!("preparation-{:02}", index + 1), case, width)
    }

    /// How many folders the run has of configuration number `index` (from 0): how often it has
    /// begun.
    pub fn places(&self, index: usize, case: &str, width: &str) -> usize {
        let name = format!("{:02}-{case}-{width}", index + 1);
        let folder = |attempt| self.folder.join(format!("{name}{}", again(attempt)));
        (1..=ATTEMPTS_MAX)
            .take_while(|attempt| folder(*attempt).is_dir())
            .count()
    }

    fn claim(&self, number: &str, case: &str, width: &str) -> Outcome<Place> {
        for attempt in 1..=ATTEMPTS_MAX {
            let again = again(attempt);
            let folder = self.folder.join(format!("{number}-{case}-{width}{again}"));
            match fs::create_dir(&folder) {
                Ok(()) => {
                    return Ok(Place {
                        request_id: format!("{}/{number}{again}", self.run_id),
                        folder,
                    });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Failure::file("create", &folder, error)),
            }
        }
        Err(Failure::environment(format!(
            "failed to run configuration {number} again: the run {} has tried it {ATTEMPTS_MAX} \
             times",
            self.run_id
        )))
    }

    /// The lines of `results.jsonl`. A last line without an end was being written when its run was
    /// killed: it is cut off.
    pub fn lines(&mut self) -> Outcome<Vec<String>> {
        let path = self.folder.join(RESULTS);
        let mut text = String::new();
        let mut read = || -> std::io::Result<u64> {
            let length = self
                .results
                .seek(SeekFrom::Start(0))
                .and_then(|_| self.results.metadata())?
                .len();
            if length > RESULTS_BYTES_MAX {
                return Err(std::io::Error::other(format!("it has {length} bytes")));
            }
            let mut bytes = Vec::new();
            (&*self.results)
                .take(RESULTS_BYTES_MAX)
                .read_to_end(&mut bytes)?;
            // What is cut off may end inside a character; what is kept may not.
            let whole = bytes
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1);
            bytes.truncate(whole);
            text = String::from_utf8(bytes).map_err(std::io::Error::other)?;
            let kept = u64::try_from(whole).unwrap_or(u64::MAX);
            if kept < length {
                self.results.set_len(kept)?;
            }
            Ok(kept)
        };
        read().map_err(|e| Failure::file("read", &path, e))?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Writes `value` as JSON to `name` in the bundle.
    pub fn write<T: Serialize>(&self, name: &str, value: &T) -> Outcome<()> {
        write_json(&self.folder.join(name), value)
    }

    /// A name for a file that no earlier part of the run has: `<stem>.json`, `<stem>.2.json`, ….
    pub fn fresh_name(&self, stem: &str) -> Outcome<String> {
        let names = (1..=ATTEMPTS_MAX).map(|part| match part {
            1 => format!("{stem}.json"),
            part => format!("{stem}.{part}.json"),
        });
        let fresh = |name: &String| !self.folder.join(name).exists();
        names.into_iter().find(fresh).ok_or_else(|| {
            Failure::environment(format!(
                "failed to go on with the run {}: it was resumed {ATTEMPTS_MAX} times",
                self.run_id
            ))
        })
    }

    /// Appends one line to `results.jsonl` and waits until it is on disk.
    pub fn append_result<T: Serialize>(&mut self, value: &T) -> Outcome<()> {
        let path = self.folder.join(RESULTS);
        let mut line =
            serde_json::to_string(value).map_err(|e| Failure::file("write", &path, e))?;
        line.push('\n');
        self.results
            .write_all(line.as_bytes())
            .and_then(|()| self.results.sync_data())
            .map_err(|e| unwritten("write", &path, &e))
    }
}

/// The end of a folder's name that is not the first of its configuration.
fn again(attempt: u32) -> String {
    match attempt {
        1 => String::new(),
        attempt => format!(".{attempt}"),
    }
}

/// Names of the folders in `runs`; none where there is no such folder.
fn folders_in(runs: &Path) -> Outcome<Vec<String>> {
    let entries = match fs::read_dir(runs) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::file("list", runs, error)),
    };
    let folders = entries.flatten().filter(|entry| entry.path().is_dir());
    let names = folders.map(|folder| folder.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

/// The run that `wanted` means among `names`, or why it means none. Pure.
fn chosen(names: &[String], wanted: &str) -> Result<String, String> {
    if let Some(exact) = names.iter().find(|name| *name == wanted) {
        return Ok(exact.clone());
    }
    let begins = |name: &&String| !wanted.is_empty() && name.starts_with(wanted);
    let meant: Vec<&String> = names.iter().filter(begins).collect();
    match meant.as_slice() {
        [only] => Ok((*only).clone()),
        [] => {
            let latest = names.iter().rev().take(NAMED_MAX).cloned();
            let latest = latest.collect::<Vec<_>>().join(", ");
            Err(match names.is_empty() {
                true => "there is no run; --out names another folder".to_owned(),
                false => format!("there is no such run; the latest are {latest}"),
            })
        }
        several => {
            let more = several.len().saturating_sub(NAMED_MAX);
            let shown = several.iter().skip(more).map(|name| name.as_str());
            let shown = shown.collect::<Vec<_>>().join(", ");
            let shown = match more {
                0 => shown,
                more => format!("{shown}, which are the latest, and {more} earlier ones"),
            };
            Err(format!(
                "{} runs begin so: {shown}; give more of its id",
                several.len()
            ))
        }
    }
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
    fn a_run_is_found_by_a_beginning_that_no_other_shares() {
        let names = ["20260101T-a", "20260101T-b", "20260201T-a"].map(str::to_owned);
        assert_eq!(chosen(&names, "202602").unwrap(), "20260201T-a");
        assert_eq!(chosen(&names, "20260101T-a").unwrap(), "20260101T-a");
        let several = chosen(&names, "202601").unwrap_err();
        assert!(several.contains("20260101T-a, 20260101T-b"), "{several}");
        let many: Vec<String> = (10..20).map(|day| format!("202601{day}T-a")).collect();
        let several = chosen(&many, "2026").unwrap_err();
        assert!(
            several.contains("10 runs begin so: 20260112T-a, "),
            "{several}"
        );
        assert!(several.contains("20260119T-a, which are the latest, and 2 earlier ones"));
        for none in ["", "2027", "../20260201T-a"] {
            let why = chosen(&names, none).unwrap_err();
            assert!(why.contains("the latest are 20260201T-a"), "{why}");
        }
        assert!(chosen(&[], "2026").unwrap_err().contains("there is no run"));
    }

    #[test]
    fn a_bundle_has_one_holder() {
        let runs = tempfile::tempdir().unwrap();
        let bundle = Bundle::create(runs.path(), SystemTime::now(), "abc").unwrap();
        let failure = Bundle::open(runs.path(), &bundle.run_id).unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        assert!(failure.message.contains("is running it"), "{failure}");
        let run_id = bundle.run_id.clone();
        drop(bundle);
        assert_eq!(Bundle::open(runs.path(), &run_id).unwrap().run_id, run_id);
    }

    #[test]
    fn a_configuration_that_is_run_again_has_a_folder_and_a_request_of_its_own() {
        let runs = tempfile::tempdir().unwrap();
        let bundle = Bundle::create(runs.path(), SystemTime::now(), "abc").unwrap();
        let places = [0, 0, 1].map(|index| bundle.place(index, "a", "1").unwrap());
        let begun = [(0, "a"), (1, "a"), (0, "b"), (2, "a")];
        let begun = begun.map(|(index, case)| bundle.places(index, case, "1"));
        assert_eq!(begun, [2, 1, 0, 0]);
        let names = places.map(|place| {
            let id = place.request_id.strip_prefix(&bundle.run_id).unwrap();
            let folder = place.folder.strip_prefix(&bundle.folder).unwrap();
            (id.to_owned(), folder.to_string_lossy().into_owned())
        });
        let expected = [("/01", "01-a-1"), ("/01.2", "01-a-1.2"), ("/02", "02-a-1")];
        assert_eq!(
            names,
            expected.map(|(id, folder)| (id.into(), folder.into()))
        );
    }

    #[test]
    fn every_part_of_a_run_has_files_of_its_own() {
        let runs = tempfile::tempdir().unwrap();
        let bundle = Bundle::create(runs.path(), SystemTime::now(), "abc").unwrap();
        for expected in ["machine.json", "machine.2.json", "machine.3.json"] {
            let name = bundle.fresh_name("machine").unwrap();
            assert_eq!(name, expected);
            bundle.write(&name, &1).unwrap();
        }
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_the_next_result_stands_alone() {
        let runs = tempfile::tempdir().unwrap();
        let mut bundle = Bundle::create(runs.path(), SystemTime::now(), "abc").unwrap();
        bundle.append_result(&1).unwrap();
        bundle
            .results
            .write_all("{\"half\": \"\u{e9}".as_bytes())
            .unwrap();
        let path = bundle.folder.join(RESULTS);
        assert_eq!(bundle.lines().unwrap(), ["1"]);
        bundle.append_result(&2).unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "1\n2\n");
        assert_eq!(bundle.lines().unwrap(), ["1", "2"]);
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
