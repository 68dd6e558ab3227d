//! Pages of the documentation, read for what they show: files, and lines for a shell.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of this repository, by its path from the root.
pub fn of_repository(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The root of this repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A fenced block, and what is written before it.
pub struct Block {
    /// What stands behind the fence: `sh`, `toml`, or nothing.
    pub language: String,
    /// Its lines.
    pub text: String,
    /// The path that begins the last line before it that begins with one in backquotes.
    pub path: Option<String>,
}

/// The fenced blocks of a page, in order.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut path = None;
    let mut open: Option<Block> = None;
    for line in of_repository(page).lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => {
                open = Some(Block {
                    language: language.to_owned(),
                    text: String::new(),
                    path: path.take(),
                });
            }
            (None, Some(block)) => block.text.extend([line, "\n"]),
            (None, None) => path = quoted(line).or(path),
        }
    }
    assert!(open.is_none(), "{page}: the last block has no end");
    blocks
}

/// What is in the backquotes that begin a line.
fn quoted(line: &str) -> Option<String> {
    let (path, _) = line.strip_prefix('`')?.split_once('`')?;
    Some(path.to_owned())
}

/// The first block that is shown as the file of this path.
#[track_caller]
pub fn file(page: &str, path: &str) -> String {
    let shown = |block: &Block| block.path.as_deref() == Some(path);
    let block = blocks(page).into_iter().find(shown);
    assert!(block.is_some(), "{page} does not show `{path}`");
    block.unwrap().text
}
