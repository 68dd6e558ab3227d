//! Submodules of a tree: where the objects of each are on this machine.
//!
//! Nothing is fetched. A submodule that the user has initialised has its objects below the
//! repository's own folder, under its name, or in the checkout itself.

use std::path::{Component, Path, PathBuf};

use git2::{Config, FileMode, Oid, Repository};

use super::super::Repo;
use crate::failure::Outcome;

/// Most settings of a `.gitmodules` that are read.
const SETTINGS_MAX: usize = 10_000;

/// Where the objects of a repository or of a submodule are.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its git folder.
    pub git: PathBuf,
    /// The user's checkout of it, where there is one.
    pub checkout: Option<PathBuf>,
}

impl Source {
    /// The submodule at `path`, called `name`, that has `commit`; `None` where no folder has it.
    fn module(&self, path: &str, name: Option<&str>, commit: Oid) -> Option<Source> {
        let checkout = self.checkout.as_ref().map(|root| root.join(path));
        let mut places = Vec::new();
        if let (Some(name), Ok(git)) = (name, Repository::open_bare(&self.git)) {
            for folder in [git.path(), git.commondir()] {
                places.push(folder.join("modules").join(name));
            }
        }
        if let Some(git) = checkout.as_ref().and_then(|at| Repository::open(at).ok()) {
            places.push(git.path().to_owned());
        }
        let has = |place: &PathBuf| {
            let git = Repository::open_bare(place);
            git.is_ok_and(|git| git.find_commit(commit).is_ok())
        };
        let git = places.into_iter().find(has)?;
        Some(Source { git, checkout })
    }
}

impl Repo {
    /// Commit of the submodule at `path`, as the commit of this tree has it.
    pub(in super::super) fn module_commit(&self, path: &str) -> Outcome<Option<Oid>> {
        let failed = |error| self.failed(&format!("read the submodule `{path}`"), &error);
        let commit = self.git.find_commit(self.head_id()?).map_err(failed)?;
        let entry = commit
            .tree()
            .map_err(failed)?
            .get_path(Path::new(path))
            .ok();
        let module = entry.filter(|entry| entry.filemode() == i32::from(FileMode::Commit));
        Ok(module.map(|entry| entry.id()))
    }

    /// The submodule of a tree with its files in the tree; `None` where this clone does not have
    /// it.
    pub(in super::super) fn pinned_module(&self, path: &str, commit: Oid) -> Outcome<Option<Repo>> {
        let source = self.module_source(path, commit);
        source
            .map(|source| source.pinned(&self.root.join(path), commit))
            .transpose()
    }

    /// Where the objects of a submodule of a tree are.
    pub(super) fn module_source(&self, path: &str, commit: Oid) -> Option<Source> {
        let pin = self.pin.as_ref()?;
        let name = module_name(&self.root.join(".gitmodules"), path);
        pin.source.module(path, name.as_deref(), commit)
    }
}

/// Name of the submodule at `path`, as `.gitmodules` has it.
fn module_name(file: &Path, path: &str) -> Option<String> {
    let ordinary = file.symlink_metadata().is_ok_and(|data| data.is_file());
    let config = ordinary.then(|| Config::open(file).ok())??;
    let mut entries = config.entries(Some(r"^submodule\..*\.path$")).ok()?;
    for _ in 0..SETTINGS_MAX {
        let entry = entries.next()?.ok()?;
        if entry.value().ok() == Some(path) {
            let name = entry.name().ok()?;
            let name = name.strip_prefix("submodule.")?.strip_suffix(".path")?;
            return is_inside(name).then(|| name.to_owned());
        }
    }
    None
}

/// Whether a name, which anybody may have committed, is that of a folder inside another.
fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_no_other_folder() {
        for inside in ["lib", "deps/lib", "a b"] {
            assert!(is_inside(inside), "{inside}");
        }
        for outside in ["", "..", "../x", "a/../../x", "/etc"] {
            assert!(!is_inside(outside), "{outside}");
        }
    }
}
