//! Trees of revisions that are not checked out, in a folder of Longrun's own.
//!
//! A tree holds exactly the files of one commit, submodules included, and no repository: nothing
//! is registered, and neither index, references nor configuration of the user's repository are
//! written. Files go through git's own filters (line endings, `ident`). It is made under another
//! name and renamed when it is whole, and every use hashes all of it: what was edited, torn or
//! extended is made anew. Whoever uses a tree holds its lock, shared with others who do.
//!
//! The place is outside the user's checkout, because cargo and rustup read the settings of all
//! folders above the one that they work in.

mod checkout;
mod modules;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use git2::{Index, Oid, Repository};

use super::content::differences;
use super::{Repo, Scope};
use crate::digest;
use crate::failure::{Failure, Outcome};
use crate::held::Held;
use crate::interrupt::Interrupt;
use crate::output;
use crate::patience::Patience;
use modules::Source;

/// Folder of all trees in the user's cache.
pub const FOLDER: &str = "trees";

/// Begins the name of a tree that is being made.
pub const PARTIAL: &str = "partial-";

/// Ends the name of the lock of a tree.
pub const LOCK: &str = ".lock";

/// Characters of the digest that names a repository.
const NAME_LENGTH: usize = 16;

/// Longest wait for another process that makes or uses the same tree.
const WAIT_MAX: Duration = Duration::from_secs(7200);

/// How often a tree is made before it is given up: others may damage it as often.
const ATTEMPTS_MAX: u32 = 3;

/// The commit whose files a tree has, and where its objects are.
pub(super) struct Pin {
    pub(super) commit: Oid,
    source: Source,
}

/// The files of one commit. While it exists nobody changes them.
pub struct Tree {
    /// The repository, which takes this commit for the one that is checked out here.
    pub repo: Repo,
    _lock: Held,
}

/// The trees of one repository.
pub struct Trees {
    folder: PathBuf,
    source: Source,
    checkout: PathBuf,
}

impl Trees {
    /// Those of `repo`, in the cache folder `cache` of the user.
    ///
    /// # Errors
    /// Exit 6 where there is no such folder, it cannot be written, or it is inside the checkout.
    pub fn of(repo: &Repo, cache: Option<&Path>) -> Outcome<Trees> {
        const NEXT: &str = "set XDG_CACHE_HOME to a folder outside of the checkout";
        let cache = cache.ok_or_else(|| {
            Failure::environment(format!(
                "failed to find a place for the trees of other revisions: there is no cache \
                 folder of the user; {NEXT}"
            ))
        })?;
        let common = absolute(repo.git.commondir())?;
        let mut name = digest::of_bytes(common.as_os_str().as_encoded_bytes());
        name.truncate(NAME_LENGTH);
        let folder = cache.join(FOLDER).join(name);
        fs::create_dir_all(&folder).map_err(|e| {
            let file = Failure::file("create", &folder, e);
            Failure::environment(format!("{file}; {NEXT}"))
        })?;
        // As the system names it: tools ask for their folder and go up from there.
        let folder = absolute(&folder)?;
        let checkout = absolute(&repo.root)?;
        if folder.starts_with(&checkout) {
            return Err(Failure::environment(format!(
                "failed to place the trees of other revisions in `{}`: it is inside the checkout, \
                 whose settings of cargo would reach them; {NEXT}",
                folder.display()
            )));
        }
        Ok(Trees {
            folder,
            source: Source {
                git: repo.git.path().to_owned(),
                checkout: Some(checkout.clone()),
            },
            checkout,
        })
    }

    /// Where the tree of a commit is.
    pub fn place(&self, commit: &str) -> PathBuf {
        self.folder.join(commit)
    }

    /// The tree of a commit, named by its full id: the one that is there, if it is what the commit
    /// says, else a new one. What `needed` covers must be complete; a submodule elsewhere that is
    /// not in this clone is left out.
    ///
    /// # Errors
    /// Exit 6 where the files cannot be written, an object is missing, a needed file goes through
    /// a filter that is a program, or what was written is not what the commit says; exit 130 where
    /// the user interrupts a wait.
    pub fn provide(&self, commit: &str, needed: &Scope, interrupt: &Interrupt) -> Outcome<Tree> {
        let id = Oid::from_str(commit).map_err(|error| self.failed(commit, error.message()))?;
        let patience = Patience {
            limit: WAIT_MAX,
            interrupt,
        };
        let lock_file = self.folder.join(format!("{commit}{LOCK}"));
        let waiting = format!("waiting for the tree of {commit:.12}, which another process");
        let mut last = String::new();
        for _ in 0..ATTEMPTS_MAX {
            let shared = patience.share(&lock_file, &format!("{waiting} makes"))?;
            let why = match self.sound(id)? {
                Ok(repo) => {
                    // Its age is the time since somebody used it; if that fails, it looks older.
                    let _ = shared.set_modified(SystemTime::now());
                    return Ok(Tree {
                        repo,
                        _lock: shared,
                    });
                }
                Err(why) => why,
            };
            drop(shared);
            let _alone = patience.lock(&lock_file, &format!("{waiting} uses"))?;
            // Another process may have made it while this one waited.
            if self.sound(id)?.is_err() {
                if self.place(commit).exists() {
                    output::note(format!("the tree of {commit:.12} is made anew: {why}"));
                }
                self.make(id, needed)?;
            }
            last = why;
        }
        Err(self.failed(
            commit,
            &format!("what is written is not what the commit says ({last})"),
        ))
    }

    /// The tree of a commit as it is, or why it is not what the commit says.
    fn sound(&self, commit: Oid) -> Outcome<Result<Repo, String>> {
        let place = self.place(&commit.to_string());
        if !place.is_dir() || place.is_symlink() {
            return Ok(Err("it is not there".to_owned()));
        }
        if place.join(".git").symlink_metadata().is_ok() {
            return Ok(Err("`.git` is new".to_owned()));
        }
        let repo = self.source.pinned(&place, commit)?;
        let scope = Scope {
            ignored: true,
            ..Scope::everything()
        };
        let committed = repo.head_content(&scope)?;
        // What cannot be read is not what the commit says.
        let working = match repo.working_content_since(&scope, &committed) {
            Ok(working) => working,
            Err(failure) => return Ok(Err(failure.message)),
        };
        let different = differences(&committed, &working);
        Ok(match different.first() {
            None => Ok(repo),
            Some(first) => Err(format!("`{}` is {}", first.path, first.kind.as_str())),
        })
    }

    /// Makes the tree of a commit in place of what is there.
    fn make(&self, commit: Oid, needed: &Scope) -> Outcome<()> {
        let place = self.place(&commit.to_string());
        let partial = self.folder.join(format!("{PARTIAL}{commit}"));
        remove(&partial)?;
        fs::create_dir(&partial).map_err(|e| Failure::file("create", &partial, e))?;
        let made = checkout::Checkout {
            commit,
            needed,
            user: &self.checkout,
        };
        if let Err(failure) = made.write(&self.source, &partial) {
            // The cause is what matters; what is left is removed the next time.
            let _ = remove(&partial);
            return Err(failure);
        }
        remove(&place)?;
        fs::rename(&partial, &place).map_err(|e| Failure::file("rename", &partial, e))
    }

    fn failed(&self, commit: &str, cause: &str) -> Failure {
        Failure::environment(format!(
            "failed to check out the revision {commit:.12} into `{}`: {cause}; stop what writes \
             there and run again",
            self.folder.display()
        ))
    }
}

impl Source {
    /// The repository whose objects are here, with `root` for its working tree and `commit` for
    /// the one that is checked out in it. Its index is in memory.
    fn pinned(&self, root: &Path, commit: Oid) -> Outcome<Repo> {
        let open = || -> Result<Repository, git2::Error> {
            let git = Repository::open_bare(&self.git)?;
            // Nothing is written down: only this handle takes `root` for the working tree.
            git.set_workdir(root, false)?;
            let mut index = Index::new()?;
            index.read_tree(&git.find_commit(commit)?.tree()?)?;
            git.set_index(&mut index)?;
            Ok(git)
        };
        let git = open().map_err(|error| super::cannot_open(&self.git, &error))?;
        Ok(Repo {
            git,
            root: root.to_owned(),
            pin: Some(Pin {
                commit,
                source: self.clone(),
            }),
        })
    }
}

/// Removes a file or a folder with all that is in it, if it is there.
fn remove(path: &Path) -> Outcome<()> {
    let removed = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => Err(error),
        Ok(data) if data.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    removed.map_err(|e| Failure::file("remove", path, e))
}

fn absolute(path: &Path) -> Outcome<PathBuf> {
    path.canonicalize()
        .map_err(|e| Failure::file("find", path, e))
}

#[cfg(test)]
mod tests;
