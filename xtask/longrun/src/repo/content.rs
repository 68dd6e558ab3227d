//! What the files of a scope contain, named by git's own blob ids.
//!
//! The working tree is hashed through git's filters (line endings, `ident`), so a file that would
//! be committed unchanged has the id of the committed one. Nothing is written to the object store
//! and no time stamp is believed: every file of the scope is read. Filters that are programs
//! (`filter.<name>.clean`) are not run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use git2::{
    Delta, DiffDelta, DiffFile, DiffOptions, FileMode, Index, IndexEntry, IndexTime, ObjectType,
    Oid, Repository, TreeWalkMode, TreeWalkResult,
};

use super::{Repo, Scope};
use crate::failure::{Failure, Outcome};

/// What is at each path, relative to the root with `/` between components.
///
/// The value is the blob id in hexadecimal, followed by `:x` for an executable file and `:l` for
/// a symbolic link. A submodule is `<commit>:m`, or `:m` alone where it has no commit; files that
/// differ inside a submodule have entries of their own, below its path (`deleted` where one is
/// missing).
pub type ContentMap = BTreeMap<String, String>;

/// Ends the entry of a submodule.
const MODULE: &str = ":m";

/// Stands for a file of a submodule that its commit has and its working tree has not.
const DELETED: &str = "deleted";

/// How two contents differ at one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// Only in the second.
    Added,
    /// Only in the first.
    Deleted,
    /// In both, and not the same: bytes, executable bit or kind of file.
    Modified,
}

impl DifferenceKind {
    /// The word used in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            DifferenceKind::Added => "new",
            DifferenceKind::Deleted => "gone",
            DifferenceKind::Modified => "changed",
        }
    }
}

/// One path at which two contents differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Path relative to the root.
    pub path: String,
    /// How they differ.
    pub kind: DifferenceKind,
}

/// Every path at which `b` differs from `a`, in order of path.
pub fn differences(a: &ContentMap, b: &ContentMap) -> Vec<Difference> {
    let gone_or_changed = a.iter().filter_map(|(path, before)| match b.get(path) {
        None => Some((path, DifferenceKind::Deleted)),
        Some(after) if after != before => Some((path, DifferenceKind::Modified)),
        Some(_) => None,
    });
    let added = b.keys().filter(|path| !a.contains_key(*path));
    let mut found: Vec<Difference> = gone_or_changed
        .chain(added.map(|path| (path, DifferenceKind::Added)))
        .map(|(path, kind)| Difference {
            path: path.clone(),
            kind,
        })
        .collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

impl Repo {
    /// What the checked out commit contains.
    ///
    /// # Errors
    /// Exit 6 where the commit cannot be read.
    pub fn head_content(&self, scope: &Scope) -> Outcome<ContentMap> {
        let failed = |error| self.failed("read the files of the checked out commit", &error);
        let tree = self.git.find_commit(self.head_id()?).map_err(failed)?;
        let tree = tree.tree().map_err(failed)?;
        let mut content = ContentMap::new();
        let mut unnameable = None;
        let walked = tree.walk(TreeWalkMode::PreOrder, |folder, entry| {
            let Ok(name) = entry.name() else {
                unnameable = Some(lossy(entry.name_bytes()));
                return TreeWalkResult::Abort;
            };
            if entry.kind() != Some(ObjectType::Tree) {
                let path = format!("{folder}{name}");
                if scope.covers(&path) {
                    let mode = u32::try_from(entry.filemode()).map_or(FileMode::Blob, mode_of);
                    content.insert(path, value(&entry.id().to_string(), mode));
                }
            }
            TreeWalkResult::Ok
        });
        match unnameable {
            Some(name) => Err(cannot_name(&name)),
            None => walked.map_err(failed).map(|()| content),
        }
    }

    /// What the working tree contains: tracked files as they are now, and untracked files; those
    /// that git ignores only where the scope asks for them.
    ///
    /// # Errors
    /// Exit 6 where a file cannot be read.
    pub fn working_content(&self, scope: &Scope) -> Outcome<ContentMap> {
        self.working_content_since(scope, &self.head_content(scope)?)
    }

    /// The working content, given that of the checked out commit.
    pub(super) fn working_content_since(
        &self,
        scope: &Scope,
        head: &ContentMap,
    ) -> Outcome<ContentMap> {
        let is_module = |text: &String| text.ends_with(MODULE);
        let mut content = head.clone();
        // Read here, each one: what a submodule's own settings ignore is content all the same.
        let mut modules: BTreeSet<String> = head
            .iter()
            .filter(|(_, text)| is_module(text))
            .map(|(path, _)| path.clone())
            .collect();
        let mut unhashed = BTreeMap::new();
        for entry in self.changed_since_head(scope)? {
            content.remove(&entry.path);
            match entry.now {
                Now::Gone => {}
                Now::Hashed(text) => {
                    content.insert(entry.path, text);
                }
                Now::Unhashed(mode) => {
                    unhashed.insert(entry.path, mode);
                }
                Now::Module => {
                    modules.insert(entry.path);
                }
            }
        }
        for (path, mode) in self.tracked_by_index_only(scope, head, &content)? {
            if mode == FileMode::Commit {
                modules.insert(path);
            } else {
                unhashed.entry(path).or_insert(mode);
            }
        }
        for path in &modules {
            content.remove(path);
            self.read_module(path, scope.ignored, &mut content)?;
        }
        content.extend(self.hash_files(&unhashed)?);
        Ok(content)
    }

    /// Files of the scope whose content is not that of the checked out commit.
    fn changed_since_head(&self, scope: &Scope) -> Outcome<Vec<Changed>> {
        let failed = |error| self.failed("compare the working tree with its commit", &error);
        let commit = self.git.find_commit(self.head_id()?).map_err(failed)?;
        let tree = commit.tree().map_err(failed)?;
        let mut options = scoped(scope);
        options
            .include_untracked(true)
            .recurse_untracked_dirs(true)
            .include_unreadable(true)
            // A repository inside the checkout that is no submodule is listed as ignored.
            .include_ignored(true)
            .recurse_ignored_dirs(scope.ignored);
        // Against the tree, and not against the index: tree entries carry no time stamp or size
        // that could vouch for a file, so libgit2 has to hash each one.
        let diff = self
            .git
            .diff_tree_to_workdir(Some(&tree), Some(&mut options))
            .map_err(failed)?;
        let mut changed = Vec::new();
        for delta in diff.deltas() {
            if let Some(entry) = self.changed(&delta, scope.ignored)?
                && scope.covers(&entry.path)
            {
                changed.push(entry);
            }
        }
        Ok(changed)
    }

    /// What one difference to the checked out commit means; with `ignored`, ignored files count.
    fn changed(&self, delta: &DiffDelta<'_>, ignored: bool) -> Outcome<Option<Changed>> {
        let new = delta.new_file();
        // A repository is a folder to libgit2, and ends with a slash.
        let name = name_of(&new)?;
        let path = name.trim_end_matches('/').to_owned();
        let now = match delta.status() {
            Delta::Unmodified => return Ok(None),
            Delta::Deleted => Now::Gone,
            Delta::Ignored if !ignored && new.mode() != FileMode::Commit => return Ok(None),
            Delta::Ignored if !ignored && self.is_ignored(&path) => return Ok(None),
            Delta::Unreadable => {
                let at = self.root.join(&path);
                return Err(Failure::file("read", &at, "permission denied"));
            }
            _ if new.mode() == FileMode::Commit || name.ends_with('/') => Now::Module,
            _ if !new.id().is_zero() => Now::Hashed(value(&new.id().to_string(), new.mode())),
            _ => Now::Unhashed(new.mode()),
        };
        Ok(Some(Changed { path, now }))
    }

    /// What exists here and only the index knows: submodules that were added, and files that were
    /// added against an ignore rule. They are tracked, so they are part of the content.
    fn tracked_by_index_only(
        &self,
        scope: &Scope,
        head: &ContentMap,
        content: &ContentMap,
    ) -> Outcome<Vec<(String, FileMode)>> {
        let mut found = Vec::new();
        for entry in self.index()?.iter() {
            let Ok(path) = String::from_utf8(entry.path) else {
                continue;
            };
            let known = head.contains_key(&path) || content.contains_key(&path);
            if !known && scope.covers(&path) && self.root.join(&path).symlink_metadata().is_ok() {
                found.push((path, mode_of(entry.mode)));
            }
        }
        Ok(found)
    }

    /// A submodule, or a repository inside the checkout: its commit, and what differs inside it.
    fn read_module(&self, path: &str, ignored: bool, content: &mut ContentMap) -> Outcome<()> {
        let Some(module) = self.open_module(path, content)? else {
            return Ok(());
        };
        let Ok(commit) = module.head_commit() else {
            content.insert(path.to_owned(), MODULE.to_owned());
            return Ok(());
        };
        content.insert(path.to_owned(), format!("{commit}{MODULE}"));
        let scope = Scope {
            ignored,
            ..Scope::everything()
        };
        let committed = module.head_content(&scope)?;
        let working = module.working_content_since(&scope, &committed)?;
        for difference in differences(&committed, &working) {
            let text = match working.get(&difference.path) {
                Some(text) => text.clone(),
                None => DELETED.to_owned(),
            };
            content.insert(format!("{path}/{}", difference.path), text);
        }
        Ok(())
    }

    /// The repository at the path of a submodule; `None` where nothing of it is here, after the
    /// content was told so.
    fn open_module(&self, path: &str, content: &mut ContentMap) -> Outcome<Option<Repo>> {
        let folder = self.root.join(path);
        if self.pin.is_some() {
            return self.open_pinned_module(path, content);
        }
        let git = match Repository::open(&folder) {
            Ok(git) => git,
            // Not initialised: nothing of it is here.
            Err(_) if is_empty(&folder) => return Ok(None),
            Err(error) => return Err(super::cannot_open(&folder, &error)),
        };
        let root = git.workdir().map(Path::to_path_buf);
        Ok(root.map(|root| Repo {
            git,
            root,
            pin: None,
        }))
    }

    /// The same in a tree of one commit, whose submodules have no repository in them.
    fn open_pinned_module(&self, path: &str, content: &mut ContentMap) -> Outcome<Option<Repo>> {
        let folder = self.root.join(path);
        let Some(commit) = self.module_commit(path)? else {
            // A repository that the commit does not know.
            content.insert(path.to_owned(), MODULE.to_owned());
            return Ok(None);
        };
        if folder.join(".git").symlink_metadata().is_ok() {
            content.insert(format!("{path}/.git"), MODULE.to_owned());
        }
        let module = self.pinned_module(path, commit)?;
        if module.is_none() && is_empty(&folder) {
            // Left out: it is not in this clone, and nothing that is built needs it.
            content.insert(path.to_owned(), format!("{commit}{MODULE}"));
        }
        Ok(module)
    }

    /// Blob ids of files of the working tree, through git's filters.
    ///
    /// libgit2 hashes a file without storing it only while comparing; so the files are compared
    /// with an index in memory that knows their names and nothing else.
    fn hash_files(&self, files: &BTreeMap<String, FileMode>) -> Outcome<ContentMap> {
        if files.is_empty() {
            return Ok(ContentMap::new());
        }
        let failed = |error| self.failed("hash the untracked files", &error);
        let mut names = Index::new().map_err(failed)?;
        let some_id = Oid::hash_object(ObjectType::Blob, b"").map_err(failed)?;
        for (path, mode) in files {
            names
                .add(&bare_entry(path, *mode, some_id))
                .map_err(failed)?;
        }
        let mut options = DiffOptions::new();
        options
            .disable_pathspec_match(true)
            .include_unmodified(true);
        for path in files.keys() {
            options.pathspec(path.as_str());
        }
        let diff = self
            .git
            .diff_index_to_workdir(Some(&names), Some(&mut options))
            .map_err(failed)?;
        let mut content = ContentMap::new();
        for delta in diff.deltas() {
            let new = delta.new_file();
            if !new.id().is_zero() {
                content.insert(name_of(&new)?, value(&new.id().to_string(), new.mode()));
            }
        }
        match files.keys().find(|path| !content.contains_key(*path)) {
            None => Ok(content),
            Some(missed) => Err(Failure::file(
                "hash",
                &self.root.join(missed),
                "it changed while it was read; stop what writes there and run again",
            )),
        }
    }

    /// The index as it is on disk now.
    pub(super) fn index(&self) -> Outcome<Index> {
        let failed = |error| self.failed("read the index", &error);
        let mut index = self.git.index().map_err(failed)?;
        if self.pin.is_some() {
            // It is in memory only, and has nothing to be read from.
            return Ok(index);
        }
        index.read(true).map_err(failed)?;
        Ok(index)
    }

    /// Whether an ignore rule covers a path.
    fn is_ignored(&self, path: &str) -> bool {
        self.git.is_path_ignored(path).unwrap_or(false)
    }
}

/// A file whose content is not that of the checked out commit.
struct Changed {
    path: String,
    now: Now,
}

/// What a changed file is now.
enum Now {
    /// It is gone.
    Gone,
    /// Its entry of the content.
    Hashed(String),
    /// It exists, with this mode, and was not hashed yet.
    Unhashed(FileMode),
    /// It is a repository of its own.
    Module,
}

/// Whether a folder is absent or has nothing in it.
fn is_empty(folder: &Path) -> bool {
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Options that restrict a comparison to a scope, by literal names.
pub(super) fn scoped(scope: &Scope) -> DiffOptions {
    let mut options = DiffOptions::new();
    options.disable_pathspec_match(true);
    for prefix in &scope.include {
        options.pathspec(prefix.trim_end_matches('/'));
    }
    options
}

/// An entry that says that a file exists and nothing about its content.
pub(super) fn bare_entry(path: &str, mode: FileMode, id: Oid) -> IndexEntry {
    let mode = match mode {
        FileMode::BlobExecutable => 0o100_755,
        FileMode::Link => 0o120_000,
        _ => 0o100_644,
    };
    IndexEntry {
        ctime: IndexTime::new(0, 0),
        mtime: IndexTime::new(0, 0),
        dev: 0,
        ino: 0,
        mode,
        uid: 0,
        gid: 0,
        file_size: 0,
        id,
        flags: 0,
        flags_extended: 0,
        path: path.as_bytes().to_vec(),
    }
}

/// The text that stands for a file: id, and what kind of file it is.
fn value(id: &str, mode: FileMode) -> String {
    let kind = match mode {
        FileMode::BlobExecutable => ":x",
        FileMode::Link => ":l",
        FileMode::Commit => MODULE,
        _ => "",
    };
    format!("{id}{kind}")
}

/// The mode of a tree or index entry.
fn mode_of(mode: u32) -> FileMode {
    match mode {
        0o100_755 => FileMode::BlobExecutable,
        0o120_000 => FileMode::Link,
        0o160_000 => FileMode::Commit,
        _ => FileMode::Blob,
    }
}

/// Path of a file of a comparison.
pub(super) fn name_of(file: &DiffFile<'_>) -> Outcome<String> {
    let bytes = file.path_bytes().unwrap_or_default();
    match std::str::from_utf8(bytes) {
        Ok(path) => Ok(path.to_owned()),
        Err(_) => Err(cannot_name(&lossy(bytes))),
    }
}

/// A file name that is not text.
fn cannot_name(name: &str) -> Failure {
    Failure::environment(format!(
        "failed to name the file `{name}`: its name is not UTF-8; rename it"
    ))
}

/// A readable form of a name that is not text.
fn lossy(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

#[cfg(test)]
mod tests;
