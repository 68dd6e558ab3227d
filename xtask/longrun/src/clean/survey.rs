//! What is on disk: where, how large, how long unused, and which locks protect it.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::{REMOVED, folders};
use crate::failure::{Failure, Outcome};
use crate::file_lock;
use crate::in_use;
use crate::repo::tree;
use crate::run::bundle::{LOCK, RESULTS};

/// Most files that are counted: the sizes of more would take minutes.
const FILES_MAX: usize = 2_000_000;

/// Depth at which the time of a file still tells when its folder was used.
const DATED_DEPTH: usize = 2;

/// Unit in which the system counts what a file takes on disk, bytes.
const BLOCK_BYTES: u64 = 512;

/// Largest file of a bundle or of the history that is read here, bytes.
const TEXT_BYTES_MAX: u64 = 256 << 20;

/// Longest time between the making of a bundle and its lock.
const BEGUN_MAX: Duration = Duration::from_secs(60);

/// What accumulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Native builds.
    Native,
    /// Workers.
    Workers,
    /// Cargo's files for them.
    Cargo,
    /// Programs of `doctor`.
    Roof,
    /// States from which comparisons start.
    Checkpoints,
    /// Bundles of runs.
    Runs,
    /// Bundles of comparisons.
    Comparisons,
    /// Bundles of verifications.
    Verifications,
    /// Bundles of plots.
    Plots,
    /// Trees of other revisions, of every repository.
    Trees,
    /// FFT plans and what else took long to learn about this machine.
    Calibration,
}

impl Kind {
    /// Every kind, in the order in which they are shown.
    pub const ALL: [Kind; 11] = [
        Kind::Native,
        Kind::Workers,
        Kind::Cargo,
        Kind::Roof,
        Kind::Checkpoints,
        Kind::Runs,
        Kind::Comparisons,
        Kind::Verifications,
        Kind::Plots,
        Kind::Trees,
        Kind::Calibration,
    ];

    /// The word in text and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Native => "native",
            Kind::Workers => "workers",
            Kind::Cargo => "cargo",
            Kind::Roof => "roof",
            Kind::Checkpoints => "checkpoints",
            Kind::Runs => "runs",
            Kind::Comparisons => "ab",
            Kind::Verifications => "verify",
            Kind::Plots => "plots",
            Kind::Trees => "trees",
            Kind::Calibration => "calibration",
        }
    }
}

/// One thing that could be freed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Its folder.
    pub path: PathBuf,
    /// What it takes on disk.
    pub bytes: u64,
    /// Time since it was used; `None` where that is unknown.
    pub age: Option<Duration>,
    /// Whether it is a complete run of full size that is in no history.
    pub unrecorded: bool,
}

impl Item {
    /// Whether it is a bundle that a process may be making right now: it is there and no lock is.
    pub fn may_be_begun(&self, locks: &[PathBuf]) -> bool {
        let bundle = matches!(
            self.kind,
            Kind::Runs | Kind::Comparisons | Kind::Verifications | Kind::Plots
        );
        bundle && locks.is_empty() && self.age.is_none_or(|age| age < BEGUN_MAX)
    }
}

/// Where things are.
pub struct Places {
    /// Folder of everything that is built and run in this checkout.
    pub work: PathBuf,
    /// Longrun's folder in the user's cache.
    pub cache: Option<PathBuf>,
    /// Folder of the history.
    pub history: PathBuf,
}

impl Places {
    /// Where an item is moved to before it is removed: on the same disk.
    pub fn trash_of(&self, kind: Kind) -> PathBuf {
        match &self.cache {
            Some(cache) if kind == Kind::Trees => cache.join(REMOVED),
            _ => self.work.join(REMOVED),
        }
    }

    /// Every such folder.
    pub fn trash(&self) -> [PathBuf; 2] {
        [Kind::Native, Kind::Trees].map(|kind| self.trash_of(kind))
    }

    /// Folders of one kind, one for each item.
    fn of(&self, kind: Kind) -> Vec<PathBuf> {
        let work = |name: &str| folders(&self.work.join(name));
        match kind {
            Kind::Cargo => {
                let own = self.work.join("cargo");
                let own = own.is_dir().then_some(own);
                own.into_iter().chain(work("cargo-trees")).collect()
            }
            Kind::Trees => {
                let all = self.cache.iter().map(|cache| cache.join(tree::FOLDER));
                let repositories = all.flat_map(|all| folders(&all));
                repositories.flat_map(|one| folders(&one)).collect()
            }
            Kind::Calibration => {
                let all = self.cache.iter().flat_map(|cache| folders(cache));
                let other = |path: &PathBuf| {
                    let name = path.file_name().unwrap_or_default();
                    name != tree::FOLDER && name != file_lock::FOLDER && name != REMOVED
                };
                all.filter(other).collect()
            }
            kind => work(kind.as_str()),
        }
    }
}

/// Everything that is there, by kind.
///
/// # Errors
/// Exit 6 where a history that could hold runs cannot be read.
pub fn survey(places: &Places, now: SystemTime) -> Outcome<Vec<Item>> {
    let recorded = Recorded::read(&places.history)?;
    let mut left = FILES_MAX;
    let mut items = Vec::new();
    for kind in Kind::ALL {
        for path in places.of(kind) {
            let mut found = Found::default();
            found.look(&path, 0, &mut left);
            // The lock of a tree is touched whenever it is used.
            if kind == Kind::Trees {
                for lock in locks(places, kind, &path) {
                    found.date(fs::metadata(lock).ok().as_ref());
                }
            }
            items.push(Item {
                kind,
                unrecorded: kind == Kind::Runs && is_complete(&path) && !recorded.has(&path),
                bytes: found.blocks.saturating_mul(BLOCK_BYTES),
                age: found
                    .used
                    .map(|used| now.duration_since(used).unwrap_or_default()),
                path,
            });
        }
    }
    Ok(items)
}

/// Files whose locks a process holds that uses what is at `path`.
pub fn locks(places: &Places, kind: Kind, path: &Path) -> Vec<PathBuf> {
    match kind {
        Kind::Native | Kind::Workers | Kind::Cargo | Kind::Roof | Kind::Checkpoints => {
            vec![places.work.join(in_use::LOCK)]
        }
        Kind::Runs | Kind::Comparisons | Kind::Verifications | Kind::Plots => {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            // A comparison has its file of observations only once both sides are built.
            let held = |path: &PathBuf| {
                let lines = path.extension().is_some_and(|ending| ending == "jsonl");
                lines || path.file_name().is_some_and(|name| name == LOCK)
            };
            entries.map(|entry| entry.path()).filter(held).collect()
        }
        Kind::Trees => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let commit = name.strip_prefix(tree::PARTIAL).unwrap_or(&name);
            vec![path.with_file_name(format!("{commit}{}", tree::LOCK))]
        }
        Kind::Calibration => Vec::new(),
    }
}

/// Size and time of what was looked at.
#[derive(Default)]
struct Found {
    blocks: u64,
    used: Option<SystemTime>,
    /// Files with several names, which take their room once.
    seen: BTreeSet<(u64, u64)>,
}

impl Found {
    /// Looks at a file or a folder and all that is in it, as long as any are `left`.
    fn look(&mut self, path: &Path, depth: usize, left: &mut usize) {
        let Ok(data) = fs::symlink_metadata(path) else {
            return;
        };
        *left = left.saturating_sub(1);
        if depth <= DATED_DEPTH {
            self.date(Some(&data));
        }
        let counted =
            data.nlink() < 2 || data.is_dir() || self.seen.insert((data.dev(), data.ino()));
        if counted {
            self.blocks = self.blocks.saturating_add(data.blocks());
        }
        if data.is_dir() {
            for entry in fs::read_dir(path).into_iter().flatten().flatten() {
                if *left == 0 {
                    return;
                }
                self.look(&entry.path(), depth + 1, left);
            }
        }
    }

    fn date(&mut self, data: Option<&Metadata>) {
        let changed = data.and_then(|data| data.modified().ok());
        self.used = self.used.max(changed);
    }
}

/// The text of every history file: a run is recorded where its id stands in one.
struct Recorded(Vec<String>);

impl Recorded {
    fn read(folder: &Path) -> Outcome<Recorded> {
        let mut texts = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending == "csv") {
                let text = text_of(&path);
                texts.push(text.ok_or_else(|| {
                    Failure::environment(format!(
                        "failed to read `{}`: nobody knows which runs are recorded; mend it first",
                        path.display()
                    ))
                })?);
            }
        }
        Ok(Recorded(texts))
    }

    fn has(&self, bundle: &Path) -> bool {
        let name = bundle.file_name().unwrap_or_default().to_string_lossy();
        self.0.iter().any(|text| text.contains(name.as_ref()))
    }
}

/// Whether a bundle has a complete result of full size for everything that was planned.
fn is_complete(bundle: &Path) -> bool {
    let plan = text_of(&bundle.join("plan.json"));
    let plan: Option<Value> = plan.and_then(|text| serde_json::from_str(&text).ok());
    let results = text_of(&bundle.join(RESULTS));
    let (Some(plan), Some(results)) = (plan, results) else {
        return false;
    };
    let planned = plan["configurations"].as_array().map_or(0, Vec::len);
    let lines = results
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let complete = lines.filter(|line: &Value| line["status"] == "complete");
    let complete: BTreeSet<String> = complete
        .map(|line| line["configuration"].to_string())
        .collect();
    let full = plan["options"]["selection"]["size"] == "full";
    full && planned > 0 && complete.len() >= planned
}

/// Text of a file of bounded size.
fn text_of(path: &Path) -> Option<String> {
    let length = fs::metadata(path).ok()?.len();
    let text = (length <= TEXT_BYTES_MAX).then(|| fs::read(path).ok())??;
    Some(String::from_utf8_lossy(&text).into_owned())
}
