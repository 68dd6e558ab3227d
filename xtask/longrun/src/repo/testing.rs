//! Git repositories for the tests of this folder, independent of the machine's configuration.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use git2::{IndexAddOption, Repository, Signature};
use tempfile::TempDir;

use super::Repo;

/// A new repository with settings of its own for everything that a test depends on.
pub fn initialised(root: &Path) -> Repository {
    let git = Repository::init(root).unwrap();
    git.set_head("refs/heads/main").unwrap();
    let mut config = git.config().unwrap();
    let hooks = git.path().join("hooks");
    for (name, value) in [
        ("user.name", "Ada"),
        ("user.email", "ada@example.org"),
        ("commit.gpgsign", "false"),
        ("core.autocrlf", "false"),
        ("core.hooksPath", hooks.to_str().unwrap()),
        ("core.excludesFile", ""),
    ] {
        config.set_str(name, value).unwrap();
    }
    git
}

/// A commit in a repository that lies inside a checkout.
pub fn commit_inside(git: &Repository, name: &str, text: &str) -> String {
    let root = git.workdir().unwrap();
    fs::write(root.join(name), text).unwrap();
    let mut index = git.index().unwrap();
    index.add_path(Path::new(name)).unwrap();
    index.write().unwrap();
    let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
    let who = git.signature().unwrap();
    let parent = git.head().ok().map(|head| head.peel_to_commit().unwrap());
    let parents: Vec<_> = parent.iter().collect();
    git.commit(Some("HEAD"), &who, &who, "inside", &tree, &parents)
        .unwrap()
        .to_string()
}

/// A checkout in a folder that is removed with it.
pub struct Checkout {
    folder: TempDir,
    root: PathBuf,
}

impl Checkout {
    /// An empty checkout on the branch `main`.
    pub fn new() -> Self {
        Checkout::named("checkout")
    }

    /// An empty checkout in a folder of that name.
    pub fn named(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join(name);
        initialised(&root);
        Checkout { folder, root }
    }

    /// The temporary folder that the checkout is in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    pub fn git(&self) -> Repository {
        Repository::open(&self.root).unwrap()
    }

    pub fn open(&self) -> Repo {
        Repo::discover(&self.root).unwrap()
    }

    pub fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).unwrap()
    }

    pub fn set(&self, name: &str, value: &str) {
        let mut config = self.git().config().unwrap();
        config.set_str(name, value).unwrap();
    }

    /// Stages one file as it is now.
    pub fn stage(&self, relative: &str) {
        let git = self.git();
        let mut index = git.index().unwrap();
        index.add_path(Path::new(relative)).unwrap();
        index.write().unwrap();
    }

    /// Text of the staged version of a file.
    pub fn staged(&self, relative: &str) -> Option<String> {
        let git = self.git();
        let entry = git.index().unwrap().get_path(Path::new(relative), 0)?;
        let blob = git.find_blob(entry.id).unwrap();
        Some(String::from_utf8(blob.content().to_vec()).unwrap())
    }

    /// Stages everything and commits it; returns the full id.
    pub fn commit_all(&self, message: &str) -> String {
        let git = self.git();
        let mut index = git.index().unwrap();
        index.add_all(["*"], IndexAddOption::DEFAULT, None).unwrap();
        index.update_all(["*"], None).unwrap();
        index.write().unwrap();
        self.commit_staged(message)
    }

    /// Commits what is staged; returns the full id.
    pub fn commit_staged(&self, message: &str) -> String {
        let git = self.git();
        let mut index = git.index().unwrap();
        let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
        let who = Signature::now("Ada", "ada@example.org").unwrap();
        let parent = git.head().ok().map(|head| head.peel_to_commit().unwrap());
        let parents: Vec<_> = parent.iter().collect();
        git.commit(Some("HEAD"), &who, &who, message, &tree, &parents)
            .unwrap()
            .to_string()
    }

    /// Bytes of every file below `.git`.
    pub fn git_bytes(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut bytes = BTreeMap::new();
        let mut folders = vec![self.path(".git")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let content = fs::read(&path).unwrap();
                    bytes.insert(path, content);
                }
            }
        }
        bytes
    }
}
