//! The repository that is measured. The only place that touches git.
//!
//! Everything here reads, and changes nothing in the checkout, the index, the references or the
//! configuration; the one exception is [`Repo::commit_file`], which records one file. Environment
//! variables named `GIT_*` are ignored, so that a hook or an alias that starts Longrun cannot
//! point it at another repository. What is dirty is decided by content, never by time stamps.

mod commit;
mod content;
mod lock;
mod program;
mod reach;
mod revision;
mod scope;
mod state;
mod step;
#[cfg(test)]
pub mod testing;
pub mod tree;

pub use commit::{Basis, Recorded};
pub use content::ContentMap;
use content::DifferenceKind;
pub use reach::Reach;
pub use revision::Revision;
pub use scope::Scope;
pub use state::RepoState;
#[cfg(test)]
pub use state::{Change, DirtyPath};
pub use step::CommitRequest;
use tree::Pin;
pub use tree::{Tree, Trees};

use std::path::{Path, PathBuf};

use git2::{ErrorCode, Oid, Repository};

use crate::failure::{Failure, Outcome};

/// An open repository with a working tree and at least one commit.
pub struct Repo {
    git: Repository,
    root: PathBuf,
    /// Where the files are those of one commit, in a folder of Longrun's own.
    pin: Option<Pin>,
}

impl Repo {
    /// Opens the repository that contains `start`: a main checkout, a linked worktree or a
    /// submodule, on a branch or detached.
    ///
    /// # Errors
    /// Exit 6 where there is no repository, it is bare, it has no commit yet, or it belongs to
    /// another user.
    pub fn discover(start: &Path) -> Outcome<Repo> {
        let git = Repository::discover(start).map_err(|error| cannot_open(start, &error))?;
        let Some(root) = git.workdir().map(Path::to_path_buf) else {
            return Err(Failure::environment(format!(
                "failed to open the repository at `{}`: it is bare and has no files to measure; \
                 run in a checkout of it",
                git.path().display()
            )));
        };
        let repo = Repo {
            git,
            root,
            pin: None,
        };
        repo.head_id()?;
        Ok(repo)
    }

    /// Root of the working tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Full id of the commit that is checked out, in hexadecimal.
    ///
    /// # Errors
    /// Exit 6 where there is no commit yet.
    pub fn head_commit(&self) -> Outcome<String> {
        Ok(self.head_id()?.to_string())
    }

    /// Bytes of a file as the checked out commit has it; `path` is relative to the root.
    ///
    /// `None` where the commit has no such file.
    ///
    /// # Errors
    /// Exit 6 where the commit cannot be read or `path` is a folder in it.
    pub fn read_head_file(&self, path: &str) -> Outcome<Option<Vec<u8>>> {
        let head = self.head_id()?;
        Ok(self.blob_at(head, path)?.map(|(_, bytes)| bytes))
    }

    /// Bytes of a file as a commit has it, which is named by its full id.
    ///
    /// # Errors
    /// As [`Repo::read_head_file`].
    pub fn read_file_of(&self, commit: &str, path: &str) -> Outcome<Option<Vec<u8>>> {
        let commit = Oid::from_str(commit)
            .map_err(|error| self.failed(&format!("read the id `{commit}`"), &error))?;
        Ok(self.blob_at(commit, path)?.map(|(_, bytes)| bytes))
    }

    /// Id of the commit that is checked out.
    fn head_id(&self) -> Outcome<Oid> {
        if let Some(pin) = &self.pin {
            return Ok(pin.commit);
        }
        let head = self.git.head().and_then(|head| head.peel_to_commit());
        head.map(|commit| commit.id()).map_err(|error| {
            if error.code() == ErrorCode::UnbornBranch {
                return Failure::environment(format!(
                    "failed to read the checked out commit of `{}`: there is no commit yet; \
                     commit what is to be measured first",
                    self.root.display()
                ));
            }
            self.failed("read the checked out commit", &error)
        })
    }

    /// Blob of a file in a commit: its id and its bytes.
    fn blob_at(&self, commit: Oid, path: &str) -> Outcome<Option<(Oid, Vec<u8>)>> {
        let failed = |error| self.failed(&format!("read `{path}` of commit {commit}"), &error);
        let tree = self
            .git
            .find_commit(commit)
            .and_then(|commit| commit.tree())
            .map_err(failed)?;
        match tree.get_path(Path::new(path)) {
            Ok(entry) => {
                let blob = self.git.find_blob(entry.id()).map_err(failed)?;
                Ok(Some((blob.id(), blob.content().to_vec())))
            }
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// A git operation that failed: attempt, repository, cause.
    fn failed(&self, attempt: &str, cause: &git2::Error) -> Failure {
        Failure::environment(format!(
            "failed to {attempt} in the repository `{}`: {}; `git fsck` and `git status` show \
             what is wrong with it",
            self.root.display(),
            lower_case(cause.message())
        ))
    }
}

/// Why no repository could be opened, with the next step.
fn cannot_open(start: &Path, error: &git2::Error) -> Failure {
    let start = start.display();
    Failure::environment(match error.code() {
        ErrorCode::NotFound => format!(
            "failed to find a repository at or above `{start}`: nothing there is a git checkout; \
             run inside one, or `git init` and commit first"
        ),
        ErrorCode::Owner => format!(
            "failed to open the repository at `{start}`: it belongs to another user, and git \
             trusts no such repository; if you trust it, run \
             `git config --global --add safe.directory <root of the checkout>`"
        ),
        _ => format!(
            "failed to open the repository at `{start}`: {}; `git status` there shows more",
            lower_case(error.message())
        ),
    })
}

/// Messages of libgit2 begin with a word in either case; ours go on in the middle of a sentence.
fn lower_case(message: &str) -> String {
    let mut letters = message.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => "no cause was given".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::fs;

    use git2::{ErrorClass, WorktreeAddOptions};

    use super::testing::{Checkout, initialised};
    use super::*;
    use crate::exit::Exit;

    fn message_of(outcome: Outcome<Repo>) -> String {
        let failure = outcome.err().unwrap();
        assert_eq!(failure.exit, Exit::Environment);
        failure.message
    }

    #[test]
    fn a_folder_outside_any_repository_is_refused_with_the_next_step() {
        let folder = tempfile::tempdir().unwrap();
        let message = message_of(Repo::discover(folder.path()));
        assert!(message.contains("`git init`"), "{message}");
    }

    #[test]
    fn a_bare_repository_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        Repository::init_bare(folder.path()).unwrap();
        let message = message_of(Repo::discover(folder.path()));
        assert!(message.contains("it is bare"), "{message}");
    }

    #[test]
    fn a_repository_without_a_commit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        initialised(folder.path());
        let message = message_of(Repo::discover(folder.path()));
        assert!(message.contains("there is no commit yet"), "{message}");
    }

    #[test]
    fn a_repository_of_another_user_names_the_setting_that_trusts_it() {
        let error = git2::Error::new(ErrorCode::Owner, ErrorClass::Config, "not owned");
        let failure = cannot_open(Path::new("/somewhere"), &error);
        assert!(failure.message.contains("safe.directory"), "{failure}");
        assert_eq!(failure.exit, Exit::Environment);
    }

    #[test]
    fn a_checkout_is_found_from_a_folder_inside_it_whatever_its_name() {
        let checkout = Checkout::named("späte Läufe");
        checkout.write("native/src/a b.cpp", "int x;\n");
        let id = checkout.commit_all("one");
        let repo = Repo::discover(&checkout.path("native/src")).unwrap();
        assert_eq!(repo.head_commit().unwrap(), id);
        let root = fs::canonicalize(repo.root()).unwrap();
        assert_eq!(root, fs::canonicalize(checkout.root()).unwrap());
    }

    #[test]
    fn a_linked_worktree_has_its_own_checked_out_commit() {
        let checkout = Checkout::new();
        checkout.write("a", "1\n");
        let first = checkout.commit_all("one");
        let linked = checkout.folder().join("linked");
        let git = Repository::open(checkout.root()).unwrap();
        git.worktree("linked", &linked, Some(&WorktreeAddOptions::new()))
            .unwrap();
        checkout.write("a", "2\n");
        let second = checkout.commit_all("two");
        let repo = Repo::discover(&linked).unwrap();
        assert_eq!(repo.head_commit().unwrap(), first);
        assert_ne!(first, second);
        assert_eq!(repo.state(&Scope::everything()).unwrap().dirty, []);
    }

    #[test]
    fn a_file_is_read_from_the_commit_and_not_from_the_working_tree() {
        let checkout = Checkout::new();
        checkout.write("history/x.csv", "committed\n");
        checkout.commit_all("one");
        checkout.write("history/x.csv", "edited\n");
        let repo = checkout.open();
        let bytes = repo.read_head_file("history/x.csv").unwrap();
        assert_eq!(bytes.as_deref(), Some(&b"committed\n"[..]));
        assert_eq!(repo.read_head_file("history/y.csv").unwrap(), None);
        assert!(repo.read_head_file("history").is_err());
    }
}
