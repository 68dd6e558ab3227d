//! Git, as the owner of a bench uses it.

use std::fs;
use std::process::{Command, Output};

use crate::bench::Bench;

/// Everything of a repository that recording must leave alone.
#[derive(Debug, PartialEq, Eq)]
pub struct GitState {
    /// References other than the branch `main`.
    pub other_references: String,
    /// What is staged, as a patch.
    pub staged: String,
    /// What is changed and not staged, as a patch.
    pub unstaged: String,
    /// Stashes.
    pub stash: String,
    /// The repository's configuration.
    pub configuration: String,
}

impl Bench {
    /// Runs git here; what it printed, without the last newline.
    #[track_caller]
    pub fn git<const N: usize>(&self, arguments: [&str; N]) -> String {
        self.git_words(&arguments)
    }

    /// The same with any number of arguments.
    #[track_caller]
    pub fn git_words(&self, arguments: &[&str]) -> String {
        let output = self.git_output(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {stderr}");
        String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned()
    }

    fn git_output(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("git");
        self.isolate(&mut command);
        command.args(arguments).current_dir(self.root());
        command.output().unwrap()
    }

    /// Runs git here with the content of a file as its input.
    pub fn git_reading(&self, arguments: &[&str], input: &str) {
        let mut command = Command::new("git");
        self.isolate(&mut command);
        command.args(arguments).current_dir(self.root());
        command.stdin(fs::File::open(self.root().join(input)).unwrap());
        assert!(command.status().unwrap().success(), "git {arguments:?}");
    }

    /// Commits everything.
    pub fn commit_all(&self, message: &str) {
        self.git(["add", "--all"]);
        self.git(["commit", "--quiet", "--message", message]);
    }

    /// Begins a merge and leaves it at that.
    pub fn begin_merge(&self) {
        self.git(["switch", "--quiet", "--create", "topic"]);
        self.append("Cargo.toml", "# topic\n");
        self.commit_all("topic");
        self.git(["switch", "--quiet", "main"]);
        self.git(["merge", "--quiet", "--no-ff", "--no-commit", "topic"]);
    }

    /// Full id of a revision.
    pub fn commit_id(&self, revision: &str) -> String {
        self.git(["rev-parse", revision])
    }

    /// Number of commits that lead to the one that is checked out.
    pub fn commits(&self) -> u32 {
        self.git(["rev-list", "--count", "HEAD"]).parse().unwrap()
    }

    /// Files that the checked out commit changed.
    pub fn files_of_last_commit(&self) -> Vec<String> {
        let names = self.git(["show", "--format=", "--name-only", "HEAD"]);
        names.lines().map(str::to_owned).collect()
    }

    /// `git status`, short; empty for a clean checkout.
    pub fn status(&self) -> String {
        self.git(["status", "--porcelain"])
    }

    /// What recording must leave alone.
    pub fn git_state(&self) -> GitState {
        let references = self.git(["for-each-ref"]);
        let other = references
            .lines()
            .filter(|line| !line.ends_with("\trefs/heads/main"));
        GitState {
            other_references: other.collect::<Vec<_>>().join("\n"),
            staged: self.git(["diff", "--cached"]),
            unstaged: self.git(["diff"]),
            stash: self.git(["stash", "list"]),
            configuration: self.read(".git/config"),
        }
    }

    /// Installs a hook that runs this script.
    pub fn hook(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        self.write(
            &format!(".git/hooks/{name}"),
            &format!("#!/bin/sh\n{script}\n"),
        );
        let path = self.root().join(".git/hooks").join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}
