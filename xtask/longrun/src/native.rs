//! The native library: built from what is in `native/` now, or reused if exactly that was built
//! before. The only place that runs a compiler.

pub mod cache;
pub mod cmake;
pub mod code;
pub mod key;
pub mod program;
pub mod toolchain;

use std::path::{Path, PathBuf};

use longrun_protocol::{Backend, BuildIdentity};

use crate::failure::{Failure, Outcome};
use crate::in_use::InUse;
use crate::interrupt::Interrupt;
use crate::output;
use crate::project::Project;
use crate::repo::Repo;
use cache::{Cache, Found};
use toolchain::Toolchain;

/// CMake build profile of every native build.
const PROFILE: &str = "Release";

/// Whether the library had to be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildStatus {
    /// It was built now.
    Built,
    /// It was there.
    UpToDate,
}

impl BuildStatus {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            BuildStatus::Built => "built",
            BuildStatus::UpToDate => "up_to_date",
        }
    }
}

/// A native library that is exactly what its identity says.
#[derive(Clone, Debug)]
pub struct NativeBuild {
    /// Whether it was built now.
    pub status: BuildStatus,
    /// Why it was built, or what is being reused.
    pub reasons: Vec<String>,
    /// What it is.
    pub identity: BuildIdentity,
    /// The shared library.
    pub library: PathBuf,
    /// Keeps `clean` from removing it.
    _in_use: InUse,
}

/// Builds the library of the working tree for `backend`, or reuses it. A tree of another revision
/// has its library in the same cache; what the working tree used last stays remembered.
pub fn ensure(
    project: &Project,
    repo: &Repo,
    backend: Backend,
    interrupt: &Interrupt,
) -> Outcome<NativeBuild> {
    check_path(&project.root)?;
    let toolchain = Toolchain::find(&project.root, &project.settings.native_libraries)?;
    let identity = identity(project, repo, backend, &toolchain)?;
    let in_use = InUse::hold(&project.work(), interrupt)?;
    let cache = Cache::open(&project.work().join("native"))?;
    let previous = cache.latest(backend);
    let remember = || match project.is_tree() {
        true => Ok(()),
        false => cache.remember(&identity),
    };
    let (status, mut reasons) = match cache.find(&identity) {
        Found::Sound(library) => {
            let reasons = reuse_reasons(previous.as_ref(), &identity);
            cache.mark_used(&identity);
            remember()?;
            return Ok(NativeBuild {
                status: BuildStatus::UpToDate,
                reasons,
                identity,
                library,
                _in_use: in_use,
            });
        }
        Found::Damaged(why) => (BuildStatus::Built, vec![why]),
        Found::Absent => (BuildStatus::Built, Vec::new()),
    };
    reasons.extend(key::reasons(previous.as_ref(), &identity));
    output::note("building the native library:");
    for reason in &reasons {
        output::note(format!("  {reason}"));
    }
    let unchanged = || unchanged_since(project, repo, &identity);
    let job = cmake::Job {
        cache: &cache,
        source: &project.native(),
        toolchain: &toolchain,
        identity: &identity,
        git_ceiling: project.git_ceiling(),
        interrupt,
    };
    let library = job.build(&unchanged)?;
    remember()?;
    Ok(NativeBuild {
        status,
        reasons,
        identity,
        library,
        _in_use: in_use,
    })
}

/// What the library of the working tree is or would be; builds nothing.
///
/// # Errors
/// Exit 6 where there is no toolchain or no native project.
pub fn expected(project: &Project, repo: &Repo, backend: Backend) -> Outcome<BuildIdentity> {
    let toolchain = Toolchain::find(&project.root, &project.settings.native_libraries)?;
    identity(project, repo, backend, &toolchain)
}

/// CMake and the build tools give these characters a meaning of their own wherever they stand.
fn check_path(root: &Path) -> Outcome<()> {
    let text = root.to_string_lossy();
    match text.chars().find(|c| "$;\"\\\n".contains(*c)) {
        None => Ok(()),
        Some(character) => Err(Failure::environment(format!(
            "failed to build the native library in `{text}`: CMake cannot build below a path with \
             the character {character:?}; move the checkout"
        ))),
    }
}

/// What a build of the working tree would be.
fn identity(
    project: &Project,
    repo: &Repo,
    backend: Backend,
    toolchain: &Toolchain,
) -> Outcome<BuildIdentity> {
    let native = project.native();
    let lists = native.join("CMakeLists.txt");
    let text = std::fs::read_to_string(&lists).map_err(|e| {
        let file = Failure::file("read the native project", &lists, e);
        Failure::environment(format!(
            "{file}; set `native` in [workspace.metadata.longrun] to the folder that holds it"
        ))
    })?;
    let mut identity = BuildIdentity {
        schema_version: key::IDENTITY_VERSION,
        build_key: String::new(),
        backend,
        version: key::project_version(&text).unwrap_or_else(|| "0".to_owned()),
        profile: PROFILE.to_owned(),
        compiler: toolchain.compiler.clone(),
        flags: toolchain.flags.clone(),
        isa: toolchain.isa.clone(),
        libraries: toolchain.libraries.clone(),
        abi: key::abi_versions(&native.join("include"))?,
        sources: sources(project, repo)?,
    };
    identity.build_key = key::build_key(&identity);
    Ok(identity)
}

/// Content of the native sources by path relative to the native folder.
fn sources(project: &Project, repo: &Repo) -> Outcome<std::collections::BTreeMap<String, String>> {
    let content = repo.working_content(&project.native_scope())?;
    let prefix = format!("{}/", project.settings.native);
    let relative = |path: String| {
        path.strip_prefix(&prefix)
            .map(str::to_owned)
            .unwrap_or(path)
    };
    Ok(content
        .into_iter()
        .map(|(path, id)| (relative(path), id))
        .collect())
}

/// A build whose sources were edited meanwhile is not the build that it claims to be.
fn unchanged_since(project: &Project, repo: &Repo, identity: &BuildIdentity) -> Outcome<()> {
    let now = sources(project, repo)?;
    let differences = key::map_differences("source", &identity.sources, &now);
    match differences.is_empty() {
        true => Ok(()),
        false => Err(Failure::failed(format!(
            "failed to build the native library: its sources changed while they were built \
             ({}); run the command again",
            differences.join(", ")
        ))),
    }
}

fn reuse_reasons(previous: Option<&BuildIdentity>, now: &BuildIdentity) -> Vec<String> {
    match previous {
        Some(previous) if previous.build_key == now.build_key => Vec::new(),
        _ => vec![format!(
            "an earlier build of these inputs, {:.12}, is reused",
            now.build_key
        )],
    }
}
