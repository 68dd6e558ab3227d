//! The repository that Longrun is applied to: its root, its settings, its version.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::failure::{Failure, Outcome};
use crate::repo::{Repo, Scope};

/// Times that one worker may be given: up to a week.
pub const TIMEOUTS_S: RangeInclusive<u64> = 1..=604_800;

/// Directories that a search for the root walks up at most.
const ANCESTORS_MAX: usize = 64;

/// `[workspace.metadata.longrun]` of the root `Cargo.toml`. Unknown keys are refused.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Folder of the native project.
    pub native: String,
    /// Folders of the native project that do not enter its build.
    pub native_ignored: Vec<String>,
    /// pkg-config modules whose versions are part of the native build's identity.
    pub native_libraries: Vec<String>,
    /// Folder of the registry and the workers.
    pub registry: String,
    /// Folder of the history files.
    pub history: String,
    /// What "dirty" covers.
    pub watched: Vec<String>,
    /// Suite that is run when nothing is selected.
    pub default_suite: String,
    /// Longest time that one worker may take.
    pub timeout_s: u64,
}

impl Default for Settings {
    fn default() -> Self {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Settings {
            native: "native".to_owned(),
            native_ignored: words(&["docs", "tests"]),
            native_libraries: Vec::new(),
            registry: "workloads".to_owned(),
            history: "history".to_owned(),
            watched: words(&[
                "native",
                "workloads",
                "xtask",
                "Cargo.toml",
                "Cargo.lock",
                ".cargo",
                "rust-toolchain",
                "rust-toolchain.toml",
            ]),
            default_suite: "tracking".to_owned(),
            timeout_s: 7200,
        }
    }
}

/// The repository: where it is and what its root manifest says.
#[derive(Clone, Debug)]
pub struct Project {
    /// Folder of the root `Cargo.toml`.
    pub root: PathBuf,
    /// Checkout in which builds, workers and runs are kept; the root, but for a tree of another
    /// revision.
    pub work_root: PathBuf,
    /// Settings, with defaults filled in.
    pub settings: Settings,
    /// Version of what is tracked: `[workspace.package] version`, where there is one.
    pub version: Option<String>,
}

#[derive(Deserialize)]
struct Manifest {
    workspace: Option<Workspace>,
}

#[derive(Deserialize)]
struct Workspace {
    package: Option<WorkspacePackage>,
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct WorkspacePackage {
    version: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    longrun: Option<Settings>,
}

impl Project {
    /// The nearest folder at or above `start` whose `Cargo.toml` is a workspace root.
    pub fn find(start: &Path) -> Outcome<Project> {
        for folder in start.ancestors().take(ANCESTORS_MAX) {
            let manifest = folder.join("Cargo.toml");
            if !manifest.is_file() {
                continue;
            }
            let text =
                fs::read_to_string(&manifest).map_err(|e| Failure::file("read", &manifest, e))?;
            if let Some(project) = Project::parse(folder, &text)? {
                return Ok(project);
            }
        }
        Err(Failure::environment(format!(
            "failed to find a workspace at or above `{}`: no `Cargo.toml` there has a \
             `[workspace]`; run the command inside the repository",
            start.display()
        )))
    }

    /// The project as another revision has it: the manifest `text`, its files in `root`, its builds
    /// beside those of the checkout `work_root`.
    ///
    /// # Errors
    /// Exit 2 where the settings cannot be read; exit 6 where the manifest is no workspace.
    pub fn of_tree(root: &Path, text: &str, work_root: &Path) -> Outcome<Project> {
        let project = Project::parse(root, text)?;
        let mut project = project.ok_or_else(|| {
            Failure::environment(format!(
                "failed to find a workspace in `{}`: its `Cargo.toml` has no `[workspace]`",
                root.display()
            ))
        })?;
        work_root.clone_into(&mut project.work_root);
        Ok(project)
    }

    /// Whether the files are those of another revision, in a folder of Longrun's own.
    pub fn is_tree(&self) -> bool {
        self.root != self.work_root
    }

    /// What keeps a build in a tree from finding a repository above it, which is not its own.
    pub fn git_ceiling(&self) -> Option<(&'static str, &Path)> {
        let above = self.root.parent().filter(|_| self.is_tree());
        above.map(|above| ("GIT_CEILING_DIRECTORIES", above))
    }

    /// The project that the manifest `text` in `root` describes, if it is a workspace root.
    fn parse(root: &Path, text: &str) -> Outcome<Option<Project>> {
        let manifest: Manifest = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            Failure::usage(format!(
                "failed to read the settings in `{}`: line {line}: {}",
                root.join("Cargo.toml").display(),
                error.message()
            ))
        })?;
        let Some(workspace) = manifest.workspace else {
            return Ok(None);
        };
        let settings = workspace.metadata.and_then(|metadata| metadata.longrun);
        let settings = settings.unwrap_or_default();
        if !TIMEOUTS_S.contains(&settings.timeout_s) {
            return Err(Failure::usage(format!(
                "failed to read the settings in `{}`: `timeout_s` is {}; write {} to {} seconds",
                root.join("Cargo.toml").display(),
                settings.timeout_s,
                TIMEOUTS_S.start(),
                TIMEOUTS_S.end()
            )));
        }
        Ok(Some(Project {
            root: root.to_owned(),
            work_root: root.to_owned(),
            settings,
            version: workspace.package.and_then(|package| package.version),
        }))
    }

    /// The repository, whose top must be the workspace: paths in the history and in the settings
    /// are relative to both.
    pub fn open_repo(&self) -> Outcome<Repo> {
        let repo = Repo::discover(&self.root)?;
        let canonical = |path: &Path| path.canonicalize().ok();
        match canonical(repo.root()) == canonical(&self.root) {
            true => Ok(repo),
            false => Err(Failure::environment(format!(
                "failed to use the workspace `{}`: it is not at the top of its git repository \
                 `{}`; move it there",
                self.root.display(),
                repo.root().display()
            ))),
        }
    }

    /// Folder of the native project.
    pub fn native(&self) -> PathBuf {
        self.root.join(&self.settings.native)
    }

    /// Folder of the registry files.
    pub fn registry(&self) -> PathBuf {
        self.root.join(&self.settings.registry)
    }

    /// Everything that Longrun builds and runs lies below this folder, which git ignores.
    pub fn work(&self) -> PathBuf {
        self.work_root.join("target").join("longrun")
    }

    /// Where cargo builds the workers. Each tree has a folder of its own: cargo tells artefacts of
    /// two copies of a workspace apart by the times of their files, and not by where they are.
    pub fn cargo_target(&self) -> PathBuf {
        match self.root.file_name().filter(|_| self.is_tree()) {
            Some(name) => self.work().join("cargo-trees").join(name),
            None => self.work().join("cargo"),
        }
    }

    /// History file of a hardware set, relative to the root.
    pub fn history_file(&self, slug: &str) -> String {
        format!("{}/{slug}.csv", self.settings.history)
    }

    /// What enters the native build.
    pub fn native_scope(&self) -> Scope {
        Scope {
            include: vec![self.settings.native.clone()],
            exclude: self.native_ignored(),
            // A compiler does not ask git: an ignored header is a source like any other.
            ignored: true,
        }
    }

    /// What "dirty" covers.
    pub fn watched_scope(&self) -> Scope {
        Scope {
            include: self.settings.watched.clone(),
            exclude: self.native_ignored(),
            ignored: false,
        }
    }

    /// What enters the workers that cargo builds here.
    pub fn worker_scope(&self) -> Scope {
        let mut include = vec![self.settings.registry.clone()];
        for path in ["Cargo.toml", "Cargo.lock", ".cargo"] {
            include.push(path.to_owned());
        }
        for path in ["rust-toolchain", "rust-toolchain.toml"] {
            include.push(path.to_owned());
        }
        Scope {
            include,
            exclude: Vec::new(),
            ignored: false,
        }
    }

    fn native_ignored(&self) -> Vec<String> {
        let below = |folder: &String| format!("{}/{folder}", self.settings.native);
        self.settings.native_ignored.iter().map(below).collect()
    }
}

/// Line, from 1, in which the byte `offset` of `text` stands.
pub fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    before.filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parse(text: &str) -> Outcome<Option<Project>> {
        Project::parse(Path::new("/r"), text)
    }

    #[test]
    fn a_workspace_without_settings_gets_the_defaults() {
        let project = parse("[workspace]\nmembers = []\n").unwrap().unwrap();
        assert_eq!(project.settings, Settings::default());
        assert_eq!(project.version, None);
    }

    #[test]
    fn a_manifest_that_is_no_workspace_is_passed_over() {
        assert!(parse("[package]\nname = \"x\"\n").unwrap().is_none());
    }

    #[test]
    fn an_unknown_setting_is_refused_with_its_line() {
        let text = "[workspace]\n[workspace.metadata.longrun]\nnativ = \"n\"\n";
        let failure = parse(text).unwrap_err();
        assert!(failure.message.contains("line 3"), "{failure}");
        assert!(failure.message.contains("nativ"), "{failure}");
        assert_eq!(failure.exit.code(), 2);
    }

    #[test]
    fn a_time_limit_of_nothing_is_refused() {
        for given in [0, 604_801] {
            let text = format!("[workspace]\n[workspace.metadata.longrun]\ntimeout_s = {given}\n");
            let failure = parse(&text).unwrap_err();
            assert!(failure.message.contains("`timeout_s` is"), "{failure}");
            assert_eq!(failure.exit.code(), 2);
        }
    }

    #[test]
    fn a_tree_has_its_own_files_and_the_builds_of_its_checkout() {
        let settings = "[workspace]\n[workspace.metadata.longrun]\nnative = \"core\"\n";
        let root = Path::new("/cache/trees/0f/abc");
        let tree = Project::of_tree(root, settings, Path::new("/r")).unwrap();
        assert_eq!(tree.native(), root.join("core"));
        assert_eq!(tree.work(), Path::new("/r/target/longrun"));
        assert!(
            tree.cargo_target()
                .ends_with("target/longrun/cargo-trees/abc")
        );
        let ceiling = ("GIT_CEILING_DIRECTORIES", Path::new("/cache/trees/0f"));
        assert_eq!(tree.git_ceiling(), Some(ceiling));
        let checkout = parse(settings).unwrap().unwrap();
        assert_eq!(checkout.work(), tree.work());
        assert!(checkout.cargo_target().ends_with("target/longrun/cargo"));
        assert_eq!(checkout.git_ceiling(), None);
        let failure = Project::of_tree(root, "[package]\nname = \"x\"\n", root).unwrap_err();
        assert_eq!(failure.exit.code(), 6);
    }

    #[test]
    fn the_ignored_native_folders_are_outside_both_scopes() {
        let project = parse("[workspace]\n").unwrap().unwrap();
        let ignored = ["native/docs", "native/tests"];
        assert_eq!(project.native_scope().exclude, ignored);
        assert_eq!(project.watched_scope().exclude, ignored);
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(line_of("a\nb\nc", 0), 1);
        assert_eq!(line_of("a\nb\nc", 2), 2);
        assert_eq!(line_of("a\nb\nc", 4), 3);
    }
}
