//! One try to commit one file: what is asked, where it goes, and what is staged meanwhile.

use std::path::Path;
use std::time::Duration;

use git2::{IndexEntry, Oid};

/// What is to be recorded, and where.
#[derive(Clone, Copy, Debug)]
pub struct CommitRequest<'a> {
    /// File, relative to the root, with `/` between components.
    pub path: &'a str,
    /// Message of the commit; its first line also goes to the reflog.
    pub message: &'a str,
    /// File that serialises writers; created if needed, outside version control.
    pub lock: &'a Path,
    /// Longest wait for another writer, and then for other git programs.
    pub lock_wait: Duration,
}

/// Where the checked out commit is written down.
pub(super) struct Tip {
    /// The branch, or `HEAD` where the checkout is detached.
    pub(super) reference: String,
    /// The commit.
    pub(super) commit: Oid,
}

/// One try to commit.
pub(super) struct Step<'a> {
    pub(super) request: &'a CommitRequest<'a>,
    pub(super) tip: &'a Tip,
    /// Blob of the file in the checked out commit.
    pub(super) before: Option<Oid>,
    pub(super) content: &'a [u8],
}

impl Step<'_> {
    /// The commit that is to be the parent.
    pub(super) fn parent(&self) -> Oid {
        self.tip.commit
    }
}

/// What is staged at the path.
pub(super) struct Staged {
    pub(super) entry: Option<IndexEntry>,
    /// Whether the commit holds all of it, so that the index may follow the commit.
    pub(super) held: bool,
}
