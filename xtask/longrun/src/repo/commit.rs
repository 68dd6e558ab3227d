//! Recording one file: the only thing that Longrun changes in a user's repository.
//!
//! The commit is the checked out commit's tree plus that one file; what the user has staged is
//! never part of it and stays staged. The reference moves only if it still is where it was read.
//! The file is written to the working tree first, so that whatever happens afterwards its rows
//! are not lost. Writers are serialised by a lock; other git programs are met by the comparison
//! under the references' own locks.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use git2::build::TreeUpdateBuilder;
use git2::{
    ErrorCode, FileMode, IndexEntry, ObjectType, Oid, RepositoryState, Signature, message_prettify,
};

use super::Repo;
use super::content::bare_entry;
use super::lock::Lock;
use super::program::Commit;
use super::step::{CommitRequest, Staged, Step, Tip};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::whole_file::{replace, unwritten};

/// How often the commit is tried again while other programs move or lock the reference.
const ATTEMPTS_MAX: u32 = 200;

/// Pause between two tries.
const RETRY: Duration = Duration::from_millis(40);

/// The versions of the file that its new content is derived from.
#[derive(Clone, Copy, Debug)]
pub struct Basis<'a> {
    /// As the checked out commit has it; `None` where it has none.
    pub head: Option<&'a [u8]>,
    /// As it is in the working tree; `None` where it is absent.
    pub working: Option<&'a [u8]>,
}

/// How recording ended. In both cases the file in the working tree has the new content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// A commit holds the content.
    Committed {
        /// Its full id.
        commit: String,
        /// What the user should know about the index, if anything.
        note: Option<String>,
    },
    /// The content is in the working tree only.
    LeftInWorkingTree {
        /// Why it was not committed.
        reason: String,
        /// What to do.
        next: String,
    },
}

impl Repo {
    /// Commits one file.
    ///
    /// `derive` makes the new content from what the file is now. It is called again with the new
    /// versions if the checked out commit moves meanwhile. It should extend both versions.
    ///
    /// Where hooks or signing are configured, `git commit --only` does the committing.
    ///
    /// # Errors
    /// What `derive` refuses at first; exit 6 where the lock is held too long or a file cannot be
    /// read or written; exit 1 where a hook made the commit something else than this one file.
    pub fn commit_file(
        &self,
        request: &CommitRequest<'_>,
        derive: &mut dyn FnMut(Basis<'_>) -> Outcome<Vec<u8>>,
    ) -> Outcome<Recorded> {
        check_path(request.path)?;
        let _lock = Lock::acquire(request.lock, request.lock_wait)?;
        let began = Instant::now();
        let mut before = self.working_file(request.path)?;
        let mut written: Option<Vec<u8>> = None;
        for _ in 0..ATTEMPTS_MAX {
            let tip = self.tip()?;
            let committed = self.blob_at(tip.commit, request.path)?;
            let head = committed.as_ref().map(|(_, bytes)| bytes.as_slice());
            if let Some(written) = &written {
                if head == Some(written.as_slice()) {
                    return Ok(committed_elsewhere(&tip));
                }
                let now = self.working_file(request.path)?;
                if now.as_ref() != Some(written) {
                    before = now;
                }
            }
            let working = before.as_deref();
            let content = match derive(Basis { head, working }) {
                Ok(content) => content,
                Err(refused) if written.is_none() => return Err(refused),
                Err(refused) => return Ok(self.left(request.path, refused.message)),
            };
            if head == Some(content.as_slice()) {
                return Err(Failure::refused(format!(
                    "failed to commit `{}`: it has nothing that is not committed already",
                    request.path
                )));
            }
            self.write_file(request.path, &content)?;
            if let Some(reason) = self.obstacle()? {
                return Ok(self.left(request.path, reason));
            }
            let step = Step {
                request,
                tip: &tip,
                before: committed.map(|(id, _)| id),
                content: &content,
            };
            if let Some(recorded) = self.commit_step(&step)? {
                return Ok(recorded);
            }
            written = Some(content);
            if began.elapsed() >= request.lock_wait {
                break;
            }
            thread::sleep(RETRY);
        }
        let reason = "another git program kept moving the branch or holding a lock such as \
                      `index.lock`"
            .to_owned();
        Ok(self.left(request.path, reason))
    }

    /// Extends a file in the working tree without committing it, under the same lock.
    ///
    /// # Errors
    /// What `derive` refuses; exit 6 where the lock is held too long or a file cannot be read or
    /// written.
    pub fn extend_file(
        &self,
        request: &CommitRequest<'_>,
        derive: &mut dyn FnMut(Basis<'_>) -> Outcome<Vec<u8>>,
    ) -> Outcome<()> {
        check_path(request.path)?;
        let _lock = Lock::acquire(request.lock, request.lock_wait)?;
        let working = self.working_file(request.path)?;
        let head = self.read_head_file(request.path)?;
        let basis = Basis {
            head: head.as_deref(),
            working: working.as_deref(),
        };
        self.write_file(request.path, &derive(basis)?)
    }

    /// What is known already to keep a commit of the file at `path` from being made, if anything:
    /// something that is not an ordinary file in its place, an operation of git that is not
    /// finished, conflicts, no identity. Hooks and signatures are only known when they are run.
    ///
    /// # Errors
    /// Exit 2 where `path` is not inside the repository; exit 6 where the file cannot be read.
    pub fn recording_obstacle(&self, path: &str) -> Outcome<Option<String>> {
        check_path(path)?;
        match self.working_file(path) {
            Ok(_) => self.obstacle(),
            Err(failure) if failure.exit == Exit::Refused => Ok(Some(failure.message)),
            Err(failure) => Err(failure),
        }
    }

    /// The outcome that leaves the rows in the working tree.
    fn left(&self, path: &str, reason: String) -> Recorded {
        // An index that cannot be read is as good as one that lacks the file: adding it is no harm.
        let entry = self
            .index()
            .ok()
            .map(|index| index.get_path(Path::new(path), 0));
        Recorded::LeftInWorkingTree {
            reason,
            next: next_step(path, entry.flatten().is_some()),
        }
    }

    /// What keeps this checkout from being committed to, whatever the file, if anything.
    pub fn obstacle(&self) -> Outcome<Option<String>> {
        let index = match self.index() {
            Ok(index) => index,
            Err(failure) => return Ok(Some(failure.message)),
        };
        let identity = self.git.signature().map(|_| ());
        Ok(obstacle(
            self.git.state(),
            index.has_conflicts(),
            identity.is_ok(),
        ))
    }

    /// One try. `None` where the reference or the index was moved or locked by someone else.
    fn commit_step(&self, step: &Step<'_>) -> Outcome<Option<Recorded>> {
        // Writing the index needs its lock; without it the new rows would look deleted.
        if self.git.path().join("index.lock").exists() {
            return Ok(None);
        }
        let staged = self.staged_version(step)?;
        match self.commit_program()? {
            Some(why) => self.commit_by_program(step, &staged, why),
            None => self.commit_directly(step, &staged),
        }
    }

    /// Commits without hooks and without touching the index before the reference has moved.
    fn commit_directly(&self, step: &Step<'_>, staged: &Staged) -> Outcome<Option<Recorded>> {
        let failed = |error| self.failed(&format!("commit `{}`", step.request.path), &error);
        let who = self.git.signature().map_err(failed)?;
        let commit = self.write_commit(step, &who).map_err(failed)?;
        let subject = step.request.message.lines().next().unwrap_or_default();
        let reflog = format!("commit: {}", subject.replace('\0', " "));
        match self.move_tip(step.tip, commit, &who, &reflog) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) if error.code() == ErrorCode::Locked => return Ok(None),
            Err(error) => return Err(failed(error)),
        }
        Ok(Some(Recorded::Committed {
            commit: commit.to_string(),
            note: self.settle_index(step, staged),
        }))
    }

    /// Writes the blob, the trees and the commit; nothing refers to them yet.
    fn write_commit(&self, step: &Step<'_>, who: &Signature<'_>) -> Result<Oid, git2::Error> {
        let parent = self.git.find_commit(step.tip.commit)?;
        let blob = self.git.blob(step.content)?;
        let tree = TreeUpdateBuilder::new()
            .upsert(step.request.path, blob, FileMode::Blob)
            .create_updated(&self.git, &parent.tree()?)?;
        let tree = self.git.find_tree(tree)?;
        let message = message_prettify(step.request.message, None)?;
        self.git.commit(None, who, who, &message, &tree, &[&parent])
    }

    /// Moves the reference to `commit` if it and HEAD are still what they were; says whether.
    fn move_tip(
        &self,
        tip: &Tip,
        commit: Oid,
        who: &Signature<'_>,
        reflog: &str,
    ) -> Result<bool, git2::Error> {
        let mut transaction = self.git.transaction()?;
        // With both locked, no other git program can move either until this ends.
        transaction.lock_ref("HEAD")?;
        if tip.reference != "HEAD" {
            transaction.lock_ref(&tip.reference)?;
        }
        let head = self.git.find_reference("HEAD")?;
        let points_at = match head.symbolic_target()? {
            Some(branch) => branch.to_owned(),
            None => "HEAD".to_owned(),
        };
        if points_at != tip.reference || self.git.refname_to_id("HEAD")? != tip.commit {
            return Ok(false);
        }
        transaction.set_target(&tip.reference, commit, Some(who), reflog)?;
        transaction.commit()?;
        Ok(true)
    }

    /// What is staged at the path, and whether the commit holds all of it.
    fn staged_version(&self, step: &Step<'_>) -> Outcome<Staged> {
        let index = self.index()?;
        let entry = index.get_path(Path::new(step.request.path), 0);
        let id = entry.as_ref().map(|entry| entry.id);
        let held = match id {
            staged if staged == step.before => true,
            Some(id) => {
                let blob = self.git.find_blob(id);
                blob.is_ok_and(|blob| step.content.starts_with(blob.content()))
            }
            None => false,
        };
        Ok(Staged { entry, held })
    }

    /// Makes the index agree with the commit at the path, unless it holds a version of the user's
    /// that the commit does not contain. Returns what the user should know.
    fn settle_index(&self, step: &Step<'_>, staged: &Staged) -> Option<String> {
        let path = step.request.path;
        let settled = if staged.held {
            self.stage(path, step.content)
        } else {
            self.stage_again(path, staged.entry.as_ref())
        };
        match settled {
            Err(error) => Some(format!(
                "the index still has the old version of `{path}` ({}); run `git reset -- {path}`",
                error.message()
            )),
            Ok(()) if staged.held => None,
            Ok(()) => Some(format!(
                "what you had staged for `{path}` is still staged and lacks the new rows; \
                 run `git reset -- {path}` unless you mean it"
            )),
        }
    }

    /// Stages the file, which is in the working tree with this content.
    pub(super) fn stage(&self, path: &str, content: &[u8]) -> Result<(), git2::Error> {
        let blob = Oid::hash_object(ObjectType::Blob, content)?;
        let mut index = self.git.index()?;
        index.read(true)?;
        // The whole entry, with the times that let git skip the file. A filter may have made
        // another blob of it; the commit holds the bytes as they are.
        let added = index.add_path(Path::new(path));
        let entry = index.get_path(Path::new(path), 0);
        if added.is_err() || entry.is_none_or(|entry| entry.id != blob) {
            index.add(&bare_entry(path, FileMode::Blob, blob))?;
        }
        index.write()
    }

    /// Puts an entry of the index back as it was; `None` where there was none.
    pub(super) fn stage_again(
        &self,
        path: &str,
        entry: Option<&IndexEntry>,
    ) -> Result<(), git2::Error> {
        let mut index = self.git.index()?;
        index.read(true)?;
        let now = index.get_path(Path::new(path), 0).map(|entry| entry.id);
        match entry {
            Some(entry) if now == Some(entry.id) => return Ok(()),
            Some(entry) => index.add(entry)?,
            None if now.is_none() => return Ok(()),
            None => index.remove(Path::new(path), 0)?,
        }
        index.write()
    }

    /// Where the checked out commit is written down now.
    fn tip(&self) -> Outcome<Tip> {
        let commit = self.head_id()?;
        let failed = |error| self.failed("read HEAD", &error);
        let head = self.git.find_reference("HEAD").map_err(failed)?;
        let reference = match head.symbolic_target().map_err(failed)? {
            Some(branch) => branch.to_owned(),
            None => "HEAD".to_owned(),
        };
        Ok(Tip { reference, commit })
    }

    /// Bytes of a file of the working tree.
    ///
    /// # Errors
    /// Exit 5 where it is not an ordinary file; exit 6 where it cannot be read.
    pub fn working_file(&self, path: &str) -> Outcome<Option<Vec<u8>>> {
        let at = self.root.join(path);
        match fs::symlink_metadata(&at) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::file("read", &at, error)),
            Ok(metadata) if !metadata.is_file() => Err(Failure::refused(format!(
                "failed to record in `{path}`: it is not an ordinary file; move it away"
            ))),
            Ok(_) => fs::read(&at)
                .map(Some)
                .map_err(|error| Failure::file("read", &at, error)),
        }
    }

    /// Writes a file of the working tree whole or not at all.
    fn write_file(&self, path: &str, content: &[u8]) -> Outcome<()> {
        let at = self.root.join(path);
        let folder = at.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, error))?;
        replace(&at, content).map_err(|error| unwritten("write", &at, &error))
    }
}

impl Repo {
    /// Lets `git commit --only` do it, for what only that program can do.
    fn commit_by_program(
        &self,
        step: &Step<'_>,
        staged: &Staged,
        why: &'static str,
    ) -> Outcome<Option<Recorded>> {
        let path = step.request.path;
        Ok(Some(match self.run_commit_program(step, staged)? {
            Commit::Made(commit) => Recorded::Committed {
                commit,
                note: self.settle_index(step, staged),
            },
            Commit::Refused(cause) => {
                self.left(path, format!("{why}, and `git commit` refused: {cause}"))
            }
        }))
    }
}

/// What keeps a checkout from being committed to.
fn obstacle(state: RepositoryState, conflicts: bool, identity: bool) -> Option<String> {
    let doing = match state {
        RepositoryState::Clean => None,
        RepositoryState::Merge => Some("a merge"),
        RepositoryState::Revert | RepositoryState::RevertSequence => Some("a revert"),
        RepositoryState::CherryPick | RepositoryState::CherryPickSequence => Some("a cherry-pick"),
        RepositoryState::Bisect => Some("a bisection"),
        RepositoryState::Rebase
        | RepositoryState::RebaseInteractive
        | RepositoryState::RebaseMerge => Some("a rebase"),
        RepositoryState::ApplyMailbox | RepositoryState::ApplyMailboxOrRebase => {
            Some("applying patches")
        }
    };
    if let Some(doing) = doing {
        return Some(format!("{doing} is in progress; finish or abort it"));
    }
    if conflicts {
        return Some("the index has unresolved conflicts".to_owned());
    }
    if !identity {
        return Some(
            "git knows no identity to commit as; set it with `git config user.name` and \
             `git config user.email`"
                .to_owned(),
        );
    }
    None
}

/// What to do with rows that are in the working tree only. Git commits and restores by name only
/// what its index knows.
fn next_step(path: &str, in_index: bool) -> String {
    match in_index {
        true => format!(
            "when that is settled, run `git commit --only -- {path}`, or drop the rows with \
             `git restore -- {path}`"
        ),
        false => format!(
            "when that is settled, run `git add -- {path} && git commit --only -- {path}`, or \
             move the file away to drop the rows"
        ),
    }
}

/// Someone else committed exactly the file that was written here.
fn committed_elsewhere(tip: &Tip) -> Recorded {
    Recorded::Committed {
        commit: tip.commit.to_string(),
        note: Some("another program committed the rows meanwhile".to_owned()),
    }
}

/// Refuses a path that could leave the checkout or name a part of git's own folder.
fn check_path(path: &str) -> Outcome<()> {
    let ordinary = path
        .split('/')
        .all(|name| !matches!(name, "" | "." | "..") && !name.eq_ignore_ascii_case(".git"));
    if ordinary && !path.contains(['\\', '\0']) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "failed to record in `{path}`: it is not a file inside the repository; \
         give a relative path such as `history/name.csv`"
    )))
}

#[cfg(test)]
mod tests;
