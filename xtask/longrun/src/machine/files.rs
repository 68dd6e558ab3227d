//! Thin readers of the system's own files, below a root so that tests use made trees.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Longest file that is read: `/proc/cpuinfo` of a thousand CPUs has about 2 MiB.
const FILE_BYTES_MAX: u64 = 8 << 20;

/// Most entries of one folder of `/sys` that are looked at.
const ENTRIES_MAX: usize = 8192;

/// The text of a file under `root`; bytes that are not UTF-8 are replaced.
pub fn text(root: &Path, path: &str) -> Option<String> {
    let file = File::open(root.join(path)).ok()?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A file of one line, trimmed; an empty one says nothing.
pub fn line(root: &Path, path: &str) -> Option<String> {
    let text = text(root, path)?;
    let trimmed = text.trim();
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// Names in a folder under `root`, sorted; `None` where there is no such folder.
pub fn names(root: &Path, path: &str) -> Option<Vec<String>> {
    let entries = fs::read_dir(root.join(path)).ok()?;
    let mut names: Vec<String> = entries
        .take(ENTRIES_MAX)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    Some(names)
}
