//! Worker binaries: built by cargo in one profile of our choosing, kept by the content of their
//! inputs.
//!
//! The build has a target folder of its own and an environment built from nothing: neither the
//! toolchain that `cargo run` chose for us nor the user's flags reach it.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use longrun_protocol::registry::WorkerSpec;
use serde::Serialize;
use xshell::cmd;

use crate::digest;
use crate::failure::{Failure, Outcome};
use crate::in_use::{self, InUse};
use crate::interrupt::Interrupt;
use crate::machine::process::output_within;
use crate::output;
use crate::patience::Patience;
use crate::project::Project;
use crate::repo::Repo;
use crate::run::supervise::{Ending, Limits, supervise};
use crate::shell;
use crate::whole_file;

/// The profile, stated whole: a worker built in another one would make every ratio a lie.
const PROFILE: [&str; 5] = [
    "profile.release.opt-level=3",
    "profile.release.debug-assertions=false",
    "profile.release.overflow-checks=false",
    "profile.release.codegen-units=16",
    "profile.release.debug=\"line-tables-only\"",
];

/// Longest build of a worker.
const BUILD_TIME_MAX: Duration = Duration::from_secs(3600);

/// Longest time in which `rustc` names itself.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(60);

/// Lines of a failed build's log that are shown.
const LOG_LINES: usize = 60;

/// Variables of the caller that cargo sees: where it and its files live, and how it reaches a
/// registry.
const PASSED_ON: [&str; 16] = [
    "PATH",
    "HOME",
    "TMPDIR",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CARGO_HTTP_CAINFO",
    "CARGO_NET_OFFLINE",
    "RUSTUP_AUTO_INSTALL",
];

/// The workers of a plan.
#[derive(Clone, Debug, Default)]
pub struct Workers {
    programs: BTreeMap<String, Vec<String>>,
    digests: BTreeMap<String, String>,
    /// Keeps `clean` from removing them.
    _in_use: InUse,
}

impl Workers {
    /// Command and arguments of the worker of `spec`.
    pub fn program(&self, spec: &WorkerSpec) -> Outcome<&[String]> {
        let found = self.programs.get(&key(spec));
        found.map(Vec::as_slice).ok_or_else(|| {
            Failure::failed(format!(
                "failed to find the worker {}: not built",
                key(spec)
            ))
        })
    }

    /// Digest of what the worker of `spec` was built from; `None` for a command of the registry.
    pub fn digest(&self, spec: &WorkerSpec) -> Option<&str> {
        self.digests.get(&key(spec)).map(String::as_str)
    }

    /// All digests by worker, for the bundle.
    pub fn digests(&self) -> &BTreeMap<String, String> {
        &self.digests
    }
}

fn key(spec: &WorkerSpec) -> String {
    match (&spec.package, &spec.binary, &spec.command) {
        (Some(package), Some(binary), _) => format!("{package}/{binary}"),
        (_, _, Some(command)) => command.join(" "),
        _ => String::new(),
    }
}

/// Everything that decides what a worker binary is.
#[derive(Serialize)]
struct Inputs<'a> {
    package: &'a str,
    binary: &'a str,
    profile: [&'static str; 5],
    rustc: &'a str,
    content: &'a BTreeMap<String, String>,
}

/// Builds the workers of `specs` that cargo builds, or reuses them.
pub fn ensure<'a>(
    project: &Project,
    repo: &Repo,
    specs: impl IntoIterator<Item = &'a WorkerSpec> + Clone,
    interrupt: &Interrupt,
) -> Outcome<Workers> {
    let mut workers = Workers {
        digests: digests(project, repo, specs.clone())?,
        _in_use: InUse::hold(&project.work(), interrupt)?,
        ..Workers::default()
    };
    for spec in specs {
        let name = key(spec);
        if workers.programs.contains_key(&name) {
            continue;
        }
        let program = match (&spec.package, &spec.binary, workers.digests.get(&name)) {
            (Some(package), Some(binary), Some(digest)) => {
                let unchanged = || unchanged_since(project, repo, spec, digest);
                let wanted = Wanted {
                    package,
                    binary,
                    digest,
                };
                let program = ensure_one(project, &wanted, &unchanged, interrupt)?;
                vec![program.to_string_lossy().into_owned()]
            }
            _ => spec.command.clone().unwrap_or_default(),
        };
        workers.programs.insert(name, program);
    }
    Ok(workers)
}

/// A worker whose sources were edited while it was built is not the worker of their digest.
fn unchanged_since(project: &Project, repo: &Repo, spec: &WorkerSpec, digest: &str) -> Outcome<()> {
    let now = digests(project, repo, [spec])?;
    match now.get(&key(spec)).is_some_and(|now| now == digest) {
        true => Ok(()),
        false => Err(Failure::failed(format!(
            "failed to build the worker {}: its sources changed while it was built; run the \
             command again",
            key(spec)
        ))),
    }
}

/// Digests of what the workers of `specs` are or would be built from, by worker; builds nothing.
/// A command that names no file of the repository has none.
pub fn digests<'a>(
    project: &Project,
    repo: &Repo,
    specs: impl IntoIterator<Item = &'a WorkerSpec>,
) -> Outcome<BTreeMap<String, String>> {
    let mut digests = BTreeMap::new();
    let mut cargo_built: Option<(String, BTreeMap<String, String>)> = None;
    for spec in specs {
        let name = key(spec);
        if digests.contains_key(&name) {
            continue;
        }
        let (Some(package), Some(binary)) = (&spec.package, &spec.binary) else {
            let command = spec.command.clone().unwrap_or_default();
            if let Some(digest) = command_digest(project, &command)? {
                digests.insert(name, digest);
            }
            continue;
        };
        let (rustc, content) = match &cargo_built {
            Some(known) => known,
            None => cargo_built.insert((rustc_version(project)?, content(project, repo)?)),
        };
        let inputs = Inputs {
            package,
            binary,
            profile: PROFILE,
            rustc,
            content,
        };
        let text = serde_json::to_string(&inputs)
            .map_err(|e| Failure::failed(format!("failed to name the worker {name}: {e}")))?;
        digests.insert(name, digest::of_bytes(text.as_bytes()));
    }
    Ok(digests)
}

/// Files of the repository that a worker command names, relative to the root: what it runs is part
/// of what is measured.
pub fn command_files(root: &Path, spec: &WorkerSpec) -> Vec<String> {
    let named = |word: &String| {
        let path = root.join(word);
        // However it is written: `./bin/worker` and an absolute path below the root count too.
        let relative = path.strip_prefix(root).ok()?;
        let inside = |part| matches!(part, Component::Normal(_));
        let file = relative.components().all(inside) && path.is_file();
        file.then(|| {
            relative
                .components()
                .collect::<PathBuf>()
                .display()
                .to_string()
        })
    };
    spec.command.iter().flatten().filter_map(named).collect()
}

/// Digest of a worker command and of the repository's files that it names; `None` if it names
/// none, because a program of the system says nothing of its content.
fn command_digest(project: &Project, command: &[String]) -> Outcome<Option<String>> {
    let spec = WorkerSpec {
        package: None,
        binary: None,
        command: Some(command.to_vec()),
    };
    let mut text = command.join("\n");
    let files = command_files(&project.root, &spec);
    for file in &files {
        let path = project.root.join(file);
        let content = digest::of_file(&path).map_err(|e| Failure::file("read", &path, e))?;
        text.push_str(&format!("\n{file} {content}"));
    }
    Ok((!files.is_empty()).then(|| digest::of_bytes(text.as_bytes())))
}

/// Content of everything that workers are built from; the registry files only say what to run.
fn content(project: &Project, repo: &Repo) -> Outcome<BTreeMap<String, String>> {
    let mut content = repo.working_content(&project.worker_scope())?;
    content.retain(|path, _| !is_registry_file(&project.settings.registry, path));
    Ok(content)
}

/// Whether `path` is a file of the registry in the folder `registry`, which enters no worker.
pub fn is_registry_file(registry: &str, path: &str) -> bool {
    let below = path.strip_prefix(registry);
    let name = below.and_then(|below| below.strip_prefix('/'));
    name.is_some_and(|name| name.ends_with(".toml") && !name.contains('/'))
}

fn rustc_version(project: &Project) -> Outcome<String> {
    let shell = shell::in_folder(&project.root)?;
    let rustc = cmd!(shell, "rustc -vV").env_clear().envs(passed_on());
    let output = output_within(rustc.into(), ANSWER_TIME_MAX)
        .map_err(|e| Failure::environment(format!("failed to start `rustc`: {e}")))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(Failure::environment(format!(
            "failed to identify `rustc`: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ))),
    }
}

/// A worker that cargo builds.
struct Wanted<'a> {
    package: &'a str,
    binary: &'a str,
    digest: &'a str,
}

fn ensure_one(
    project: &Project,
    wanted: &Wanted<'_>,
    unchanged: &dyn Fn() -> Outcome<()>,
    interrupt: &Interrupt,
) -> Outcome<PathBuf> {
    let store = project.work().join("workers");
    let folder = store.join(wanted.digest.get(..32).unwrap_or(wanted.digest));
    let program = folder.join(format!("{}{}", wanted.binary, env::consts::EXE_SUFFIX));
    if sound(&program) {
        in_use::mark(&stamp(&program));
        return Ok(program);
    }
    fs::create_dir_all(&folder).map_err(|e| Failure::file("create", &folder, e))?;
    let patience = Patience {
        limit: BUILD_TIME_MAX,
        interrupt,
    };
    let waiting = "waiting for another build of the workers";
    let _lock = patience.lock(&store.join("lock"), waiting)?;
    if !sound(&program) {
        let built = build(project, wanted.package, wanted.binary, interrupt)?;
        unchanged()?;
        keep(&built, &program)?;
    }
    Ok(program)
}

/// Whether the program is there, can be run, and is what was kept.
fn sound(program: &Path) -> bool {
    let mode = fs::metadata(program).map(|data| data.permissions().mode());
    if !mode.is_ok_and(|mode| mode & 0o111 != 0) {
        return false;
    }
    let recorded = fs::read_to_string(stamp(program));
    let found = digest::of_file(program);
    matches!((recorded, found), (Ok(recorded), Ok(found)) if recorded.trim() == found)
}

fn stamp(program: &Path) -> PathBuf {
    program.with_extension("sha256")
}

/// Copies a built program to its content-keyed place; the stamp comes last.
fn keep(built: &Path, program: &Path) -> Outcome<()> {
    let partial = program.with_extension("partial");
    fs::copy(built, &partial).map_err(|e| Failure::file("copy", built, e))?;
    let digest = digest::of_file(&partial).map_err(|e| Failure::file("read", &partial, e))?;
    fs::rename(&partial, program).map_err(|e| Failure::file("rename", &partial, e))?;
    whole_file::write("write", &stamp(program), format!("{digest}\n").as_bytes())
}

fn build(
    project: &Project,
    package: &str,
    binary: &str,
    interrupt: &Interrupt,
) -> Outcome<PathBuf> {
    output::note(format!("building the worker {binary}"));
    let target = project.cargo_target();
    let shell = shell::in_folder(&project.root)?;
    let mut cargo = cmd!(shell, "cargo build --locked --release")
        .args(["--package", package, "--bin", binary])
        .arg("--target-dir")
        .arg(&target)
        .env_clear()
        .envs(passed_on())
        .envs(project.git_ceiling())
        .env("LC_ALL", "C");
    for setting in PROFILE {
        cargo = cargo.args(["--config", setting]);
    }
    let folder = project.work().join("workers");
    let (stdout, stderr) = (folder.join("build.log"), folder.join("build-errors.log"));
    let limits = Limits {
        timeout: BUILD_TIME_MAX,
        interrupt,
        run_id: None,
    };
    let aftermath = supervise(cargo.into(), &stdout, &stderr, &limits, |_, _| ())
        .map_err(|e| Failure::environment(format!("failed to start `cargo`: {e}")))?;
    if aftermath.ending != Ending::Exited(0) {
        // Cargo was ended by us: no fault of the sources.
        if interrupt.raised() {
            return Err(Failure::interrupted(format!(
                "interrupted while the worker `{binary}` was built"
            )));
        }
        let log = fs::read(&stderr).unwrap_or_default();
        return Err(Failure::environment(format!(
            "failed to build the worker `{binary}` of package `{package}`:\n{}\nthe whole log is \
             in `{}`",
            end_of(&String::from_utf8_lossy(&log)),
            stderr.display()
        )));
    }
    let name = format!("{binary}{}", env::consts::EXE_SUFFIX);
    Ok(target.join("release").join(name))
}

/// The last lines of a log.
fn end_of(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let first = lines.len().saturating_sub(LOG_LINES);
    lines.get(first..).unwrap_or_default().join("\n")
}

/// What a command sees of the caller's environment.
fn passed_on() -> impl Iterator<Item = (&'static str, OsString)> {
    let value = |name| env::var_os(name).map(|value| (name, value));
    PASSED_ON.into_iter().filter_map(value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::fs::Permissions;

    /// A folder with a program that can be run, and the place where it is to be kept.
    fn built(folder: &Path) -> (PathBuf, PathBuf) {
        let (built, program) = (folder.join("built"), folder.join("worker"));
        fs::write(&built, "code").unwrap();
        fs::set_permissions(&built, Permissions::from_mode(0o755)).unwrap();
        (built, program)
    }

    #[test]
    fn a_kept_program_is_sound_until_it_is_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (built, program) = built(folder.path());
        assert!(!sound(&program));
        keep(&built, &program).unwrap();
        assert!(sound(&program));
        fs::write(&program, "evil").unwrap();
        assert!(!sound(&program));
    }

    #[test]
    fn a_program_that_cannot_be_run_is_not_sound() {
        let folder = tempfile::tempdir().unwrap();
        let (built, program) = built(folder.path());
        keep(&built, &program).unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o644)).unwrap();
        assert!(!sound(&program));
    }

    #[test]
    fn a_command_names_files_of_the_repository_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("bin")).unwrap();
        fs::write(root.path().join("bin/worker.py"), "").unwrap();
        let words = ["python3", "bin/worker.py", "-v", "../x", "/bin/sh", "bin"];
        let spec = WorkerSpec {
            package: None,
            binary: None,
            command: Some(words.map(str::to_owned).to_vec()),
        };
        assert_eq!(command_files(root.path(), &spec), ["bin/worker.py"]);
        let absolute = root.path().join("bin/worker.py").display().to_string();
        for word in ["./bin/worker.py", "bin/./worker.py", &absolute] {
            let spec = WorkerSpec {
                command: Some(vec![word.to_owned()]),
                ..spec.clone()
            };
            assert_eq!(
                command_files(root.path(), &spec),
                ["bin/worker.py"],
                "{word}"
            );
        }
    }
}
