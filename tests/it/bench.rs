//! Benches: temporary repositories that have adopted Longrun, and running it there.

use std::env;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::case::Case;
use crate::native_project;
use crate::ran::{Bundle, Ran, Running, wait_until};

/// Variables that would decide something in the program; tests set them where they matter.
const UNSET: [&str; 9] = [
    "CC",
    "CFLAGS",
    "CXX",
    "CXXFLAGS",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_WORK_TREE",
    "PKG_CONFIG_PATH",
    "PKG_CONFIG_LIBDIR",
];

/// What an adopting repository's own xtask is.
const PROGRAM: &str = env!("CARGO_BIN_EXE_adopter");

/// The folder of a bench.
enum Folder {
    /// It is removed with the bench.
    Temporary(TempDir),
    /// It stays.
    Kept(PathBuf),
}

/// A repository in a temporary folder, with a home folder of its own beside it.
pub struct Bench {
    folder: Folder,
    root: PathBuf,
    settings: Vec<String>,
    cases: Vec<(String, Case)>,
    commands: AtomicU32,
}

impl Folder {
    fn path(&self) -> &Path {
        match self {
            Folder::Temporary(folder) => folder.path(),
            Folder::Kept(path) => path,
        }
    }
}

impl Bench {
    /// An empty repository.
    pub fn new() -> Self {
        Bench::called("bench")
    }

    /// An empty repository in a folder of this name.
    pub fn called(name: &str) -> Self {
        Bench::made(Folder::Temporary(tempfile::tempdir().unwrap()), name)
    }

    /// An empty repository in `bench` of an existing folder, which stays.
    pub fn in_folder(folder: &Path) -> Self {
        Bench::made(Folder::Kept(folder.to_owned()), "bench")
    }

    fn made(folder: Folder, name: &str) -> Self {
        let root = folder.path().join(name);
        fs::create_dir(&root).unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        Bench {
            folder,
            root,
            settings: Vec::new(),
            cases: Vec::new(),
            commands: AtomicU32::new(0),
        }
    }

    /// Adds a case to the suite `tracking`.
    pub fn case(self, case: Case) -> Self {
        self.case_of("tracking", case)
    }

    /// Adds a case to a suite.
    pub fn case_of(mut self, suite: &str, case: Case) -> Self {
        self.cases.push((suite.to_owned(), case));
        self
    }

    /// Adds a line to `[workspace.metadata.longrun]`.
    pub fn setting(mut self, line: &str) -> Self {
        self.settings.push(line.to_owned());
        self
    }

    /// Adds a file.
    pub fn file(self, path: &str, text: &str) -> Self {
        self.write(path, text);
        self
    }

    /// Adds the smallest native project.
    pub fn native_project(self) -> Self {
        for (path, text) in native_project::FILES {
            self.write(&format!("native/{path}"), text);
        }
        self
    }

    /// Writes settings and registry, without git.
    pub fn written(self) -> Self {
        let settings = self.settings.join("\n");
        let manifest = format!(
            "[workspace]\nmembers = []\n[workspace.package]\nversion = \"1.0.0\"\n\
             [workspace.metadata.longrun]\n{settings}\n"
        );
        self.write("Cargo.toml", &manifest);
        self.write(".gitignore", "/target\n");
        self.write("history/.gitkeep", "");
        self.write_registry();
        self
    }

    /// Writes everything and makes it the first commit of the branch `main`.
    pub fn commit(self) -> Self {
        self.written().initialised()
    }

    /// Makes what is written the first commit of the branch `main`.
    pub fn initialised(self) -> Self {
        self.git(["init", "--quiet", "--initial-branch=main"]);
        self.git(["config", "user.name", "A Tester"]);
        self.git(["config", "user.email", "tester@example.org"]);
        self.commit_all("the bench");
        self
    }

    /// Replaces the case of the same name in the registry, without committing.
    pub fn redefine(&mut self, case: Case) {
        let mut cases = self.cases.iter_mut();
        let (_, old) = cases.find(|(_, old)| old.name == case.name).unwrap();
        *old = case;
        self.write_registry();
    }

    fn write_registry(&self) {
        let mut suites: Vec<&str> = self.cases.iter().map(|(suite, _)| suite.as_str()).collect();
        suites.dedup();
        for suite in suites {
            let cases = self.cases.iter().filter(|(of, _)| of == suite);
            let cases: String = cases.map(|(_, case)| case.to_toml()).collect();
            let head = format!("schema_version = 1\nsuite = \"{suite}\"\ntitle = \"A suite\"\n");
            self.write(&format!("workloads/{suite}.toml"), &(head + &cases));
        }
    }

    /// Root of the repository.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// An empty home folder outside the repository.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// A path outside the repository that is removed with it.
    pub fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file of the working tree.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Text of a file of the working tree.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// Adds text to the end of a file of the working tree.
    pub fn append(&self, path: &str, text: &str) {
        self.write(path, &(self.read(path) + text));
    }

    /// Whether a path exists.
    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Names of what is in a folder of the working tree; none while it is not there.
    pub fn names_below(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.root.join(folder)).into_iter().flatten();
        let names = entries.map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).collect()
    }

    /// Runs the program to its end.
    pub fn run<'a>(&self, arguments: impl AsRef<[&'a str]>) -> Ran {
        self.run_with(arguments, |_| {})
    }

    /// Runs the program to its end after `prepare` has changed how it is started.
    pub fn run_with<'a>(
        &self,
        arguments: impl AsRef<[&'a str]>,
        prepare: impl FnOnce(&mut Command),
    ) -> Ran {
        self.start_with(arguments, prepare).finish()
    }

    /// Runs `track` with the words of a line.
    #[track_caller]
    pub fn track(&self, words: &str) -> Ran {
        self.start_track(words).finish()
    }

    /// Starts `track` with the words of a line.
    pub fn start_track(&self, words: &str) -> Running {
        let words = words.split_whitespace();
        self.start(std::iter::once("track").chain(words).collect::<Vec<_>>())
    }

    /// Goes on with the only run, with the words of a line.
    #[track_caller]
    pub fn resume(&self, words: &str) -> Ran {
        self.track(&format!("--resume {} {words}", self.bundle().id()))
    }

    /// Starts the program.
    pub fn start<'a>(&self, arguments: impl AsRef<[&'a str]>) -> Running {
        self.start_with(arguments, |_| {})
    }

    /// Starts the program after `prepare` has changed how it is started.
    pub fn start_with<'a>(
        &self,
        arguments: impl AsRef<[&'a str]>,
        prepare: impl FnOnce(&mut Command),
    ) -> Running {
        self.launch(Command::new(PROGRAM), arguments, prepare)
    }

    /// Runs the program to its end under a shell that has done `first`: limits of the system are
    /// set so.
    pub fn run_after<'a>(&self, first: &str, arguments: impl AsRef<[&'a str]>) -> Ran {
        self.start_after(first, arguments).finish()
    }

    /// Starts the program under such a shell.
    pub fn start_after<'a>(&self, first: &str, arguments: impl AsRef<[&'a str]>) -> Running {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{first}; exec \"$@\""), "sh", PROGRAM]);
        self.launch(shell, arguments, |_| {})
    }

    fn launch<'a>(
        &self,
        mut command: Command,
        arguments: impl AsRef<[&'a str]>,
        prepare: impl FnOnce(&mut Command),
    ) -> Running {
        let number = self.commands.fetch_add(1, Ordering::Relaxed);
        let stdout = self.outside(&format!("stdout-{number}"));
        let stderr = self.outside(&format!("stderr-{number}"));
        command
            .args(arguments.as_ref())
            .current_dir(&self.root)
            .stdin(Stdio::null())
            // To files and not pipes: a process that is left over cannot hold the test up.
            .stdout(File::create(&stdout).unwrap())
            .stderr(File::create(&stderr).unwrap());
        self.isolate(&mut command);
        prepare(&mut command);
        let child: Child = command.spawn().unwrap();
        Running::new(child, stdout, stderr)
    }

    /// Keeps the settings of whoever runs the tests out.
    pub fn isolate(&self, command: &mut Command) {
        for name in UNSET {
            command.env_remove(name);
        }
        command
            .env("HOME", self.home())
            .env("XDG_CONFIG_HOME", self.home())
            .env("XDG_CACHE_HOME", self.home().join("cache"))
            .env("XDG_RUNTIME_DIR", self.home())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
    }

    /// Cases that workers were started for, in order, each as often as it was.
    pub fn ran(&self) -> Vec<String> {
        let trace = fs::read_to_string(self.root.join("target/ran")).unwrap_or_default();
        trace.lines().map(str::to_owned).collect()
    }

    /// Lets workers that wait at the gate through, those that are started from now on.
    pub fn open_gate(&self) {
        self.write("target/gate", "");
    }

    /// Bundles of all runs so far.
    pub fn bundles(&self) -> Vec<Bundle> {
        self.bundles_in("target/longrun/runs")
    }

    /// Bundles of all verifications so far.
    pub fn verifications(&self) -> Vec<Bundle> {
        self.bundles_in("target/longrun/verify")
    }

    /// Bundles in a folder of the repository.
    pub fn bundles_in(&self, folder: &str) -> Vec<Bundle> {
        let runs = self.root.join(folder);
        let mut folders: Vec<PathBuf> = match fs::read_dir(runs) {
            Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
            Err(_) => Vec::new(),
        };
        folders.sort();
        folders.into_iter().map(Bundle::new).collect()
    }

    /// The bundle of the only run.
    #[track_caller]
    pub fn bundle(&self) -> Bundle {
        let mut bundles = self.bundles();
        assert_eq!(bundles.len(), 1, "one run has one bundle");
        bundles.remove(0)
    }

    /// The bundle of the only verification.
    #[track_caller]
    pub fn verification(&self) -> Bundle {
        let mut bundles = self.verifications();
        assert_eq!(bundles.len(), 1, "one verification has one bundle");
        bundles.remove(0)
    }

    /// Processes that work in this repository, as their command lines.
    ///
    /// Workers, builds and all that they start have a folder of it as their working folder, or one
    /// of the caches in its home.
    pub fn processes(&self) -> Vec<String> {
        let command = |id: i32| fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let text = |id| String::from_utf8_lossy(&command(id)).replace('\0', " ");
        self.process_ids().into_iter().map(text).collect()
    }

    /// Kills every process that works in this repository.
    pub fn kill_processes(&self) {
        for id in self.process_ids() {
            // It may have ended since.
            let _ = kill_process(Pid::from_raw(id).unwrap(), Signal::KILL);
        }
        wait_until("the killed processes are gone", || {
            self.process_ids().is_empty()
        });
    }

    fn process_ids(&self) -> Vec<i32> {
        let works_here = |id: &i32| {
            let folder = fs::read_link(format!("/proc/{id}/cwd"));
            folder.is_ok_and(|folder| folder.starts_with(self.folder.path()))
        };
        let names = fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name());
        let ids = names.filter_map(|name| name.to_str()?.parse().ok());
        ids.filter(works_here).collect()
    }

    /// A PATH with these programs, as links, and no others.
    pub fn path_of(&self, programs: &[&str]) -> PathBuf {
        let folder = self.outside("path");
        fs::create_dir(&folder).unwrap();
        for program in programs {
            symlink(found_in_path(program), folder.join(program)).unwrap();
        }
        folder
    }
}

fn found_in_path(program: &str) -> PathBuf {
    let path = env::var_os("PATH").unwrap();
    let mut places = env::split_paths(&path).map(|folder| folder.join(program));
    places.find(|place| place.is_file()).unwrap()
}
