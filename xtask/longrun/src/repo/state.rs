//! What is checked out, and what differs from it.

use std::collections::BTreeMap;

use git2::Delta;

use super::content::{differences, name_of, scoped};
use super::{DifferenceKind, Repo, Scope};
use crate::failure::Outcome;

/// How a path differs from the checked out commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Its bytes, executable bit or kind of file are others.
    Modified,
    /// It is in the index and not in the commit.
    Added,
    /// It is in the commit and not here.
    Deleted,
    /// It is here, not ignored, and git does not know it.
    Untracked,
    /// A merge left it unresolved.
    Conflicted,
}

impl Change {
    /// The word used in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Change::Modified => "modified",
            Change::Added => "added",
            Change::Deleted => "deleted",
            Change::Untracked => "untracked",
            Change::Conflicted => "conflicted",
        }
    }
}

/// A path that differs from the checked out commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirtyPath {
    /// Path relative to the root.
    pub path: String,
    /// How it differs.
    pub change: Change,
}

/// What is checked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoState {
    /// Full id of the commit, 40 hexadecimal digits.
    pub commit: String,
    /// Name of the branch; `None` where the checkout is detached.
    pub branch: Option<String>,
    /// What differs from the commit within the scope that was asked for, in order of path.
    pub dirty: Vec<DirtyPath>,
}

impl Repo {
    /// What is checked out, and what in `scope` differs from it, staged or not.
    ///
    /// A submodule that is not initialised is deleted: its content is not here. Ignored files are
    /// no difference, whatever the scope says.
    ///
    /// # Errors
    /// Exit 6 where a file, the index or the commit cannot be read.
    pub fn state(&self, scope: &Scope) -> Outcome<RepoState> {
        let scope = &scope.without_ignored();
        let head = self.head_content(scope)?;
        let working = self.working_content_since(scope, &head)?;
        let staged = self.staged(scope)?;
        let mut dirty = BTreeMap::new();
        for difference in differences(&head, &working) {
            let change = match difference.kind {
                DifferenceKind::Modified => Change::Modified,
                DifferenceKind::Deleted => Change::Deleted,
                DifferenceKind::Added => match staged.get(&difference.path) {
                    Some(_) => Change::Added,
                    None => Change::Untracked,
                },
            };
            dirty.insert(difference.path, change);
        }
        // What is only staged counts as well: it is about to be the next commit.
        for (path, change) in staged {
            if change == Change::Conflicted {
                dirty.insert(path, change);
            } else {
                dirty.entry(path).or_insert(change);
            }
        }
        Ok(RepoState {
            commit: self.head_commit()?,
            branch: self.branch(),
            dirty: dirty
                .into_iter()
                .map(|(path, change)| DirtyPath { path, change })
                .collect(),
        })
    }

    /// Name of the branch that is checked out; `None` where the checkout is detached.
    pub fn branch(&self) -> Option<String> {
        if self.pin.is_some() {
            return None;
        }
        let head = self.git.head().ok()?;
        let name = String::from_utf8_lossy(head.shorthand_bytes()).into_owned();
        head.is_branch().then_some(name)
    }

    /// What the index has and the checked out commit has not.
    fn staged(&self, scope: &Scope) -> Outcome<BTreeMap<String, Change>> {
        let failed = |error| self.failed("compare the index with the commit", &error);
        let commit = self.git.find_commit(self.head_id()?).map_err(failed)?;
        let tree = commit.tree().map_err(failed)?;
        let index = self.index()?;
        let diff = self
            .git
            .diff_tree_to_index(Some(&tree), Some(&index), Some(&mut scoped(scope)))
            .map_err(failed)?;
        let mut staged = BTreeMap::new();
        for delta in diff.deltas() {
            let change = match delta.status() {
                Delta::Added => Change::Added,
                Delta::Deleted => Change::Deleted,
                Delta::Conflicted => Change::Conflicted,
                _ => Change::Modified,
            };
            let path = name_of(&delta.new_file())?;
            if scope.covers(&path) {
                staged.insert(path, change);
            }
        }
        Ok(staged)
    }
}

#[cfg(test)]
mod tests;
