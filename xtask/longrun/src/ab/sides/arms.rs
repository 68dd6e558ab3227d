//! The two sides of a comparison: which revisions they are, where their files are, and what is
//! built of them.
//!
//! The working tree is used where it is. Every other revision has a tree of its own, and its
//! builds lie beside those of the working tree, in the same caches: content decides what is built,
//! and not the side that it is built for.

use std::path::Path;

use longrun_protocol::Backend;
use longrun_protocol::duet::Side;
use longrun_protocol::registry::WorkerSpec;

use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::native::{self, NativeBuild};
use crate::project::Project;
use crate::registry::Registry;
use crate::repo::{ContentMap, Repo, Revision, Scope, Tree, Trees};
use crate::workers::{self, Workers};

/// What stands for the revision where the user gave none.
pub const WORKING_TREE: &str = "working tree";

/// Resolves both revisions, before anything else happens: neither can become another commit
/// meanwhile. Without a candidate that is the working tree, called [`WORKING_TREE`].
///
/// # Errors
/// Exit 2 where a revision means no commit, or several.
pub fn resolve(repo: &Repo, baseline: &str, candidate: Option<&str>) -> Outcome<[Revision; 2]> {
    let baseline = repo.revision(baseline)?;
    let candidate = match candidate {
        Some(candidate) => repo.revision(candidate)?,
        None => repo.head_revision(WORKING_TREE)?,
    };
    Ok([baseline, candidate])
}

/// Puts the files of revisions in place.
pub struct Provider<'a> {
    /// The checkout that the command was given in.
    pub project: &'a Project,
    /// Its repository.
    pub repo: &'a Repo,
    /// Longrun's folder in the user's cache, where there is one.
    pub cache: Option<&'a Path>,
}

/// One side of a comparison, with its files in place.
pub struct Arm {
    /// Which side.
    pub side: Side,
    /// As the user wrote it, or [`WORKING_TREE`].
    pub revision: String,
    /// Full id of the commit; for the working tree that of HEAD.
    pub commit: String,
    /// Whether watched content differs from that commit.
    pub dirty: bool,
    /// First line of the commit's message.
    pub subject: String,
    /// The project as this revision has it.
    pub project: Project,
    /// Its cases.
    pub registry: Registry,
    files: Files,
}

/// Where the files of an arm are.
enum Files {
    /// In the user's checkout.
    Checkout(Repo),
    /// In a tree of Longrun's own, which nobody changes meanwhile.
    Tree(Tree),
}

impl Provider<'_> {
    /// Puts the files of a revision in place, unless it is the working tree.
    ///
    /// # Errors
    /// Exit 2 where its settings or its registry cannot be read; exit 6 where it is no workspace
    /// or its files cannot be written; exit 130 where the user interrupts a wait.
    pub fn provision(
        &self,
        side: Side,
        revision: &Revision,
        interrupt: &Interrupt,
    ) -> Outcome<Arm> {
        let arm = match revision.text == WORKING_TREE {
            true => self.working_tree(side, revision),
            false => self.tree(side, revision, interrupt),
        };
        arm.map_err(|failure| about(side, revision, "check out", failure))
    }

    fn working_tree(&self, side: Side, revision: &Revision) -> Outcome<Arm> {
        let registry = Registry::load(&self.project.registry())?;
        let mut watched = self.project.watched_scope();
        for (_, case) in registry.cases() {
            let files = workers::command_files(&self.project.root, &case.worker);
            watched.include.extend(files);
        }
        let repo = self.project.open_repo()?;
        if repo.head_commit()? != revision.commit {
            return Err(Failure::environment(
                "another commit was checked out meanwhile; run the command again",
            ));
        }
        Ok(Arm {
            side,
            revision: revision.text.clone(),
            commit: revision.commit.clone(),
            dirty: !repo.state(&watched)?.dirty.is_empty(),
            subject: revision.subject.clone(),
            project: self.project.clone(),
            registry,
            files: Files::Checkout(repo),
        })
    }

    fn tree(&self, side: Side, revision: &Revision, interrupt: &Interrupt) -> Outcome<Arm> {
        let commit = &revision.commit;
        let manifest = self.repo.read_file_of(commit, "Cargo.toml")?;
        let manifest = manifest.ok_or_else(|| {
            Failure::environment("it has no `Cargo.toml` at its top; choose a later revision")
        })?;
        let manifest = String::from_utf8_lossy(&manifest);
        let trees = Trees::of(self.repo, self.cache)?;
        let place = trees.place(commit);
        let project = Project::of_tree(&place, &manifest, &self.project.work_root)?;
        let tree = trees.provide(commit, &needed(&project), interrupt)?;
        Ok(Arm {
            side,
            revision: revision.text.clone(),
            commit: commit.clone(),
            dirty: false,
            subject: revision.subject.clone(),
            registry: Registry::load(&project.registry())?,
            project,
            files: Files::Tree(tree),
        })
    }
}

/// What of a tree must be complete: everything that Longrun itself knows to be built or watched.
fn needed(project: &Project) -> Scope {
    let scopes = [
        project.native_scope(),
        project.watched_scope(),
        project.worker_scope(),
    ];
    Scope {
        include: scopes.into_iter().flat_map(|scope| scope.include).collect(),
        exclude: project.native_scope().exclude,
        ignored: false,
    }
}

impl Arm {
    /// The repository, which takes the commit of this arm for the one that is checked out.
    pub fn repo(&self) -> &Repo {
        match &self.files {
            Files::Checkout(repo) => repo,
            Files::Tree(tree) => &tree.repo,
        }
    }

    /// Builds the native library of this arm, or reuses it. The versions of the ABI that its
    /// sources have are in the identity.
    ///
    /// # Errors
    /// Exit 6 where the revision does not build; the log is kept and its telling lines are shown.
    pub fn build(&self, backend: Backend, interrupt: &Interrupt) -> Outcome<NativeBuild> {
        native::ensure(&self.project, self.repo(), backend, interrupt)
            .map_err(|failure| self.about("build", failure))
    }

    /// Builds the workers of this arm with its own lock file and toolchain, or reuses them.
    ///
    /// # Errors
    /// Exit 6 where the revision does not build.
    pub fn workers<'a>(
        &self,
        specs: impl IntoIterator<Item = &'a WorkerSpec> + Clone,
        interrupt: &Interrupt,
    ) -> Outcome<Workers> {
        workers::ensure(&self.project, self.repo(), specs, interrupt)
            .map_err(|failure| self.about("build", failure))
    }

    /// Content of what decides the work and who does it: the registry's folder, with the workers,
    /// and the lock file. Two arms of one native code are one build only if this is equal.
    ///
    /// # Errors
    /// Exit 6 where a file cannot be read.
    pub fn harness(&self) -> Outcome<ContentMap> {
        let scope = Scope {
            include: vec![
                self.project.settings.registry.clone(),
                "Cargo.lock".to_owned(),
            ],
            ..Scope::everything()
        };
        self.repo().working_content(&scope)
    }

    fn about(&self, attempt: &str, failure: Failure) -> Failure {
        let revision = Revision {
            text: self.revision.clone(),
            commit: self.commit.clone(),
            subject: self.subject.clone(),
        };
        about(self.side, &revision, attempt, failure)
    }
}

/// A failure that says which side it is about.
fn about(side: Side, revision: &Revision, attempt: &str, failure: Failure) -> Failure {
    if failure.exit == Exit::Interrupted {
        return failure;
    }
    let side = side.as_str();
    let commit = match revision.text == WORKING_TREE {
        true => "the working tree".to_owned(),
        false => format!("{:.12} ({})", revision.commit, revision.subject),
    };
    Failure {
        message: format!(
            "failed to {attempt} the {side}, {commit}: {}",
            failure.message
        ),
        ..failure
    }
}

#[cfg(test)]
mod tests;
