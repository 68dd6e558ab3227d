//! `git commit --only`, for what libgit2 cannot do: hooks and signatures.
//!
//! The program runs without any `GIT_*` variable, reads the message from its standard input and
//! is ended after a bound. What it made is verified: one file, on the expected parent.

use std::env;
use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use git2::{Delta, Oid};

use super::Repo;
use super::step::{Staged, Step};
use crate::failure::{Failure, Outcome};

/// Hooks that `git commit` may run. Committing without them would break somebody's rule.
const HOOKS: [&str; 5] = [
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "reference-transaction",
];

/// Longest time for the program: a hook may run tests, a signature may wait for a person.
const COMMIT_TIME_MAX: Duration = Duration::from_secs(600);

/// How often the program is asked whether it has ended.
const POLL: Duration = Duration::from_millis(20);

/// Most bytes of its output that are shown.
const OUTPUT_SHOWN: usize = 2000;

/// How the program ended.
pub(super) enum Commit {
    /// It made this commit.
    Made(String),
    /// It did not, for this reason.
    Refused(String),
}

impl Repo {
    /// Why the program has to commit, if it has to.
    pub(super) fn commit_program(&self) -> Outcome<Option<&'static str>> {
        let failed = |error| self.failed("read the configuration", &error);
        let config = self.git.config().and_then(|mut config| config.snapshot());
        let config = config.map_err(failed)?;
        if config.get_bool("commit.gpgsign").unwrap_or(false) {
            return Ok(Some("commits are signed here"));
        }
        let hooks = match config.get_path("core.hooksPath") {
            Ok(folder) => self.root.join(folder),
            Err(_) => self.git.commondir().join("hooks"),
        };
        let configured = HOOKS.iter().any(|hook| is_executable(&hooks.join(hook)));
        Ok(configured.then_some("hooks run on commits here"))
    }

    /// Runs `git commit --only` for the file of `step` and verifies what it made.
    pub(super) fn run_commit_program(&self, step: &Step<'_>, staged: &Staged) -> Outcome<Commit> {
        let path = step.request.path;
        let failed = |error| self.failed(&format!("stage `{path}`"), &error);
        // The program commits only what the index knows.
        if staged.entry.is_none() {
            self.git.blob(step.content).map_err(failed)?;
            self.stage(path, step.content).map_err(failed)?;
        }
        let log = step.request.lock.with_extension("log");
        let outcome = self.run_program(step.request.path, step.request.message, &log);
        let after = self.head_id()?;
        if after == step.parent() {
            self.stage_again(path, staged.entry.as_ref())
                .map_err(failed)?;
            return Ok(Commit::Refused(match outcome {
                Ok(()) => "it ended well but made no commit".to_owned(),
                Err(cause) => cause,
            }));
        }
        self.verify(step, after)?;
        Ok(Commit::Made(after.to_string()))
    }

    /// The program itself; the error is why it failed.
    fn run_program(&self, path: &str, message: &str, log: &Path) -> Result<(), String> {
        let cannot = |error: std::io::Error| format!("failed to run `git commit`: {error}");
        let mut output = File::options()
            .create(true)
            .truncate(true)
            .read(true)
            .write(true)
            .open(log)
            .map_err(cannot)?;
        let mut command = Command::new("git");
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("GIT_") {
                command.env_remove(name);
            }
        }
        // To a file and not a pipe: a hook's child that outlives it would keep a pipe open.
        let mut child = command
            .current_dir(&self.root)
            .args(["--literal-pathspecs", "commit", "--only", "--quiet"])
            .args(["--file=-", "--cleanup=whitespace", "--", path])
            .stdin(Stdio::piped())
            .stdout(Stdio::from(output.try_clone().map_err(cannot)?))
            .stderr(Stdio::from(output.try_clone().map_err(cannot)?))
            .spawn()
            .map_err(cannot)?;
        if let Some(mut input) = child.stdin.take() {
            // If it does not read, its status says why.
            let _ = input.write_all(message.as_bytes());
        }
        let status = wait(&mut child, COMMIT_TIME_MAX).map_err(cannot)?;
        let ended = match status {
            Some(status) if status.success() => return Ok(()),
            Some(status) => status.to_string(),
            None => format!("it took more than {} s", COMMIT_TIME_MAX.as_secs()),
        };
        let mut said = Vec::new();
        let read = output.rewind().and_then(|()| output.read_to_end(&mut said));
        let said = match read {
            Ok(_) => tail(&said),
            Err(error) => format!("its output is lost: {error}"),
        };
        Err(format!("{ended}: {said}"))
    }

    /// Whether the commit is the one that was asked for.
    fn verify(&self, step: &Step<'_>, made: Oid) -> Outcome<()> {
        let failed = |error| self.failed(&format!("read the new commit {made}"), &error);
        let commit = self.git.find_commit(made).map_err(failed)?;
        let parents: Vec<Oid> = commit.parent_ids().collect();
        if parents != [step.parent()] {
            return Err(Failure::failed(format!(
                "failed to verify the commit {made}: another commit came between; \
                 look at `git log` before recording again"
            )));
        }
        let before = commit.parent(0).and_then(|parent| parent.tree());
        let before = before.map_err(failed)?;
        let after = commit.tree().map_err(failed)?;
        let diff = self
            .git
            .diff_tree_to_tree(Some(&before), Some(&after), None)
            .map_err(failed)?;
        let touched: Vec<PathBuf> = diff
            .deltas()
            .filter(|delta| delta.status() != Delta::Unmodified)
            .filter_map(|delta| delta.new_file().path().map(Path::to_path_buf))
            .collect();
        let path = step.request.path;
        if touched != [PathBuf::from(path)] {
            let files = match touched.len() {
                1 => "another file".to_owned(),
                count => format!("{count} files"),
            };
            return Err(Failure::failed(format!(
                "failed to commit only `{path}`: a hook made the commit {made} touch {files}; \
                 undo it with `git reset --soft HEAD~1` and record again with `--no-commit`"
            )));
        }
        if self.blob_at(made, path)?.map(|(_, bytes)| bytes).as_deref() != Some(step.content) {
            return Err(Failure::failed(format!(
                "failed to commit `{path}` as it is: a hook or filter changed it in the commit \
                 {made}; undo it with `git reset --soft HEAD~1` and exempt the file"
            )));
        }
        Ok(())
    }
}

/// Waits for a child at most `limit`; `None` where it had to be ended.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if began.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

/// The end of what a program said, on one line.
fn tail(said: &[u8]) -> String {
    let shown = said.len().saturating_sub(OUTPUT_SHOWN);
    let text = String::from_utf8_lossy(said.get(shown..).unwrap_or_default());
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    match lines.join(" / ").trim() {
        "" => "it said nothing".to_owned(),
        text => text.to_owned(),
    }
}

/// Whether a file is one that git would run as a hook.
#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Whether a file is one that git would run as a hook.
#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file())
}
