//! Writing the files of a commit into an empty folder.

use std::path::Path;

use git2::build::CheckoutBuilder;
use git2::{AttrCheckFlags, AttrValue, Oid};

use super::super::{Repo, Scope};
use super::modules::Source;
use crate::failure::{Failure, Outcome};

/// Depth of submodules in submodules.
const DEPTH_MAX: usize = 16;

/// Attributes that change a file by what only git itself can do.
const FOREIGN_ATTRIBUTES: [&str; 2] = ["filter", "working-tree-encoding"];

/// Kind of an index entry that is a submodule.
const MODULE_MODE: u32 = 0o160_000;

/// What is written.
pub struct Checkout<'a> {
    /// Commit of the repository itself.
    pub commit: Oid,
    /// What must be complete.
    pub needed: &'a Scope,
    /// The user's checkout, for messages.
    pub user: &'a Path,
}

impl Checkout<'_> {
    /// Writes everything into the folder `root`, which is empty.
    pub fn write(&self, source: &Source, root: &Path) -> Outcome<()> {
        self.write_one(source, root, self.commit, "", DEPTH_MAX)
    }

    /// Writes one repository, and its submodules after it; `prefix` is its path in the whole.
    fn write_one(
        &self,
        source: &Source,
        root: &Path,
        commit: Oid,
        prefix: &str,
        depth: usize,
    ) -> Outcome<()> {
        let repo = source.pinned(root, commit)?;
        let mut index = repo.index()?;
        let entries = index.iter().map(|entry| {
            let path = String::from_utf8_lossy(&entry.path).into_owned();
            (path, entry.mode, entry.id)
        });
        let entries: Vec<(String, u32, Oid)> = entries.collect();
        for (path, mode, _) in &entries {
            let whole = format!("{prefix}{path}");
            if *mode != MODULE_MODE && self.needed.covers(&whole) {
                self.refuse_foreign_filter(&repo, path, &whole)?;
            }
        }
        let mut options = CheckoutBuilder::new();
        options.force().update_index(false);
        repo.git
            .checkout_index(Some(&mut index), Some(&mut options))
            .map_err(|error| self.failed(super::super::lower_case(error.message()).as_str()))?;
        let modules = entries.iter().filter(|(_, mode, _)| *mode == MODULE_MODE);
        for (path, _, commit) in modules {
            let whole = format!("{prefix}{path}");
            match repo.module_source(path, *commit) {
                Some(source) if depth > 0 => {
                    let (root, prefix) = (root.join(path), format!("{whole}/"));
                    self.write_one(&source, &root, *commit, &prefix, depth - 1)?;
                }
                Some(_) => return Err(self.failed("submodules lie in each other without end")),
                None if self.needs(&whole) => return Err(self.missing_module(&whole, *commit)),
                None => {}
            }
        }
        Ok(())
    }

    /// Whether anything below the path of a submodule is needed.
    fn needs(&self, module: &str) -> bool {
        let below = format!("{module}/");
        let mut include = self.needed.include.iter();
        self.needed.covers(module) || include.any(|path| path.starts_with(&below))
    }

    /// A filter that is a program is not run, so the file would not be what the user builds.
    fn refuse_foreign_filter(&self, repo: &Repo, path: &str, whole: &str) -> Outcome<()> {
        for name in FOREIGN_ATTRIBUTES {
            let value = repo
                .git
                .get_attr_bytes(Path::new(path), name, AttrCheckFlags::INDEX_ONLY)
                .map_err(|error| {
                    repo.failed(&format!("read the attributes of `{path}`"), &error)
                })?;
            if let AttrValue::String(value) = AttrValue::from_bytes(value) {
                return Err(self.failed(&format!(
                    "`{whole}` has the attribute `{name}={value}`, and only git with its programs \
                     can write such a file; keep files that are built out of such filters, or \
                     compare with a revision that does"
                )));
            }
        }
        Ok(())
    }

    fn missing_module(&self, path: &str, commit: Oid) -> Failure {
        self.failed(&format!(
            "the submodule `{path}` is needed, and its commit {commit} is not in `{}`; run \
             `git submodule update --init --recursive` there, and `git fetch` in the submodule if \
             that commit is no longer what is checked out",
            self.user.display()
        ))
    }

    fn failed(&self, cause: &str) -> Failure {
        Failure::environment(format!(
            "failed to check out the revision {:.12}: {cause}",
            self.commit.to_string()
        ))
    }
}
