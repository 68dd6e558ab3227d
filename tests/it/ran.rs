//! What the program did: its exit, its words, and the bundle of a run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::{Value, json};

/// Longest that a command of a test may take; beyond it the test fails instead of hanging.
const COMMAND_MAX: Duration = Duration::from_secs(300);

/// How often something that is waited for is looked at.
const POLL: Duration = Duration::from_millis(10);

/// Waits until `happened`, and fails if that takes too long.
#[track_caller]
pub fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let began = Instant::now();
    while !happened() {
        assert!(
            began.elapsed() < COMMAND_MAX,
            "waited too long until {what}"
        );
        thread::sleep(POLL);
    }
}

/// The program while it runs.
pub struct Running {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl Running {
    /// A program whose output goes to these files.
    pub fn new(child: Child, stdout: PathBuf, stderr: PathBuf) -> Self {
        Running {
            child,
            stdout,
            stderr,
        }
    }

    /// What it has said so far beside its result.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.stderr).unwrap()).into_owned()
    }

    /// Interrupts the program, as Ctrl-C does.
    pub fn interrupt(&self) {
        self.signal(Signal::INT);
    }

    /// Sends the program a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Interrupts the program and all that it started, as Ctrl-C in a terminal does.
    pub fn interrupt_group(&self) {
        kill_process_group(Pid::from_child(&self.child), Signal::INT).unwrap();
    }

    /// Kills the program and leaves it no time to tidy up.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for its end.
    #[track_caller]
    pub fn finish(mut self) -> Ran {
        let mut status = None;
        wait_until("the program ends", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        Ran {
            exit: status.and_then(|status| status.code()),
            stdout: String::from_utf8_lossy(&fs::read(&self.stdout).unwrap()).into_owned(),
            stderr: String::from_utf8_lossy(&fs::read(&self.stderr).unwrap()).into_owned(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test that fails while the program runs leaves nothing behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program when it has ended.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Exit code; `None` where a signal ended it.
    pub exit: Option<i32>,
    /// What it printed as its result.
    pub stdout: String,
    /// What it said beside it.
    pub stderr: String,
}

impl Ran {
    /// Asserts the exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.exit, Some(code), "{self}");
        self
    }

    /// Asserts that the text is in the result or beside it.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        let said = self.stdout.contains(text) || self.stderr.contains(text);
        assert!(said, "`{text}` is missing:\n{self}");
        self
    }

    /// Asserts that the text is nowhere.
    #[track_caller]
    pub fn does_not_say(self, text: &str) -> Self {
        let said = self.stdout.contains(text) || self.stderr.contains(text);
        assert!(!said, "`{text}` is there:\n{self}");
        self
    }

    /// The result as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        let parsed = serde_json::from_str(&self.stdout);
        assert!(parsed.is_ok(), "the result is not JSON:\n{self}");
        parsed.unwrap_or_default()
    }

    /// What `track --json` says of a case.
    #[track_caller]
    pub fn result(&self, name: &str) -> Value {
        let report = self.json();
        let results = report["results"].as_array().unwrap();
        let result = results.iter().find(|r| r["configuration"]["case"] == name);
        assert!(result.is_some(), "no case `{name}`:\n{self}");
        result.unwrap().clone()
    }

    /// Asserts that a case came to nothing: its status, a part of the reason, and no time.
    #[track_caller]
    pub fn has_no_time(&self, name: &str, status: &str, reason: &str) {
        let result = self.result(name);
        assert_eq!(result["status"], status, "{name}: {result}");
        let given = result["reason"].as_str().unwrap();
        assert!(given.contains(reason), "{name}: {given}");
        let times = ["median_s", "min_s", "max_s", "sampled"];
        assert!(
            times.iter().all(|time| result[time].is_null()) && result["raw_s"] == json!([]),
            "{name}: what is wrong has no time: {result}"
        );
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ran {
            exit,
            stdout,
            stderr,
        } = self;
        write!(
            f,
            "exit {exit:?}\n--- stdout\n{stdout}--- stderr\n{stderr}---"
        )
    }
}

/// The folder of one run.
pub struct Bundle {
    folder: PathBuf,
}

impl Bundle {
    /// The bundle in `folder`.
    pub fn new(folder: PathBuf) -> Self {
        Bundle { folder }
    }

    /// Id of the run: the name of its folder.
    pub fn id(&self) -> String {
        let name = self.folder.file_name().unwrap();
        name.to_str().unwrap().to_owned()
    }

    /// Names of what is directly in it, or in a folder of it, sorted.
    pub fn names(&self, below: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder.join(below)).unwrap();
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    /// Text of a file; empty while there is none.
    pub fn text(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap_or_default()
    }

    /// A JSON file.
    #[track_caller]
    pub fn json(&self, file: &str) -> Value {
        serde_json::from_str(&self.text(file)).unwrap()
    }

    /// The lines of `results.jsonl`, each parsed.
    #[track_caller]
    pub fn results(&self) -> Vec<Value> {
        let text = self.text("results.jsonl");
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

/// Names of the members of a JSON object, sorted.
#[track_caller]
pub fn members(value: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    names
}
