//! The native build proper.
//!
//! The crate `cmake` is made for build scripts: it panics on failure, reads the environment and
//! prints for cargo. It therefore runs in a child process of its own (`xtask __cmake ORDER`) with
//! an environment built from nothing, its output in a log; the user sees a sentence.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use longrun_protocol::BuildIdentity;
use serde::{Deserialize, Serialize};

use super::cache::{Cache, Found, PARTIAL_LOCK};
use super::key::carried_key;
use super::toolchain::Toolchain;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::patience::Patience;
use crate::run::supervise::{Ending, Limits, supervise};
use crate::whole_file;

/// Variables of the caller that the build sees.
pub const PASSED_ON: [&str; 6] = [
    "PATH",
    "HOME",
    "TMPDIR",
    "PKG_CONFIG_PATH",
    "PKG_CONFIG_LIBDIR",
    "PKG_CONFIG_SYSROOT_DIR",
];

/// Longest native build.
const BUILD_TIME_MAX: Duration = Duration::from_secs(3600);

/// Lines of a failed build's log that are shown.
const LOG_LINES: usize = 30;

/// What the child process is to build.
#[derive(Debug, Serialize, Deserialize)]
pub struct Order {
    source: PathBuf,
    prefix: PathBuf,
    profile: String,
    generator: String,
    target: String,
    defines: Vec<(String, String)>,
}

/// One build that is to be made.
pub struct Job<'a> {
    /// Where builds are kept.
    pub cache: &'a Cache,
    /// The native project.
    pub source: &'a Path,
    /// What builds it.
    pub toolchain: &'a Toolchain,
    /// What the build will be.
    pub identity: &'a BuildIdentity,
    /// Variable that keeps a build in a tree from finding a repository above it.
    pub git_ceiling: Option<(&'static str, &'a Path)>,
    /// Raised when the user interrupts.
    pub interrupt: &'a Interrupt,
}

impl Job<'_> {
    /// Builds into the cache and returns the library. `unchanged` refuses a build whose sources
    /// were edited meanwhile; such a build is not kept.
    pub fn build(&self, unchanged: &dyn Fn() -> Outcome<()>) -> Outcome<PathBuf> {
        let _lock = self.cache.lock(&Patience {
            limit: BUILD_TIME_MAX,
            interrupt: self.interrupt,
        })?;
        // Another process may have built it while this one waited.
        if let Found::Sound(library) = self.cache.find(self.identity) {
            return Ok(library);
        }
        let partial = self.cache.partial(self.identity)?;
        let built = self.build_in(&partial, unchanged);
        if built.is_err() {
            // Its log is kept elsewhere. What cannot be removed now is removed the next time.
            let _ = fs::remove_dir_all(&partial);
        }
        built
    }

    fn build_in(&self, partial: &Path, unchanged: &dyn Fn() -> Outcome<()>) -> Outcome<PathBuf> {
        let order = order(self.source, partial, self.toolchain, self.identity);
        let order_file = partial.join("order.json");
        whole_file::hand_over(&order_file, &order)?;
        self.run_child(partial, &order_file)?;
        let library = installed_library(partial)?;
        check_carried_key(&library, self.identity)?;
        unchanged()?;
        let objects = partial.join("build");
        fs::remove_dir_all(&objects).map_err(|e| Failure::file("remove", &objects, e))?;
        self.cache.admit(partial, self.identity, &library)
    }

    fn run_child(&self, partial: &Path, order: &Path) -> Outcome<()> {
        let program = env::current_exe()
            .map_err(|e| Failure::environment(format!("failed to find this program: {e}")))?;
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        let passed = PASSED_ON
            .into_iter()
            .filter_map(|name| env::var_os(name).map(|value| (name, value)));
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(passed)
            .envs(self.git_ceiling)
            .env("LC_ALL", "C")
            .env("NUM_JOBS", jobs.to_string());
        hand_over(&mut command, order);
        let logs = [partial.join("build.log"), partial.join("build-errors.log")];
        let limits = Limits {
            timeout: BUILD_TIME_MAX,
            interrupt: self.interrupt,
            run_id: None,
        };
        let [stdout, stderr] = &logs;
        let aftermath = supervise(command, stdout, stderr, &limits, |_, _| ())
            .map_err(|e| Failure::environment(format!("failed to start the native build: {e}")))?;
        match aftermath.ending {
            Ending::Exited(0) => Ok(()),
            ending => Err(self.failure(ending, &logs)),
        }
    }

    /// What a build that did not succeed has to say. Its log is kept.
    fn failure(&self, ending: Ending, logs: &[PathBuf]) -> Failure {
        let texts = logs.iter().map(|log| fs::read(log).unwrap_or_default());
        let bytes = texts.collect::<Vec<_>>().concat();
        let text = String::from_utf8_lossy(&bytes);
        let kept = self.cache.failed_log();
        let whole = match fs::write(&kept, text.as_bytes()) {
            Ok(()) => format!("the whole log is in `{}`; ", kept.display()),
            Err(_) => String::new(),
        };
        let how = match ending {
            Ending::TimedOut => format!(" within {} s", BUILD_TIME_MAX.as_secs()),
            _ => String::new(),
        };
        Failure::environment(format!(
            "failed to build the native library{how}:\n{}\n{whole}`cargo xtask setup` shows what \
             may be missing",
            telling_lines(&text),
        ))
    }
}

/// Tells the child process its order.
#[cfg(not(test))]
fn hand_over(command: &mut Command, order: &Path) {
    command.arg("__cmake").arg(order);
}

/// Within tests this program is that of the tests: one of them carries out the order.
#[cfg(test)]
fn hand_over(command: &mut Command, order: &Path) {
    command
        .args(["--exact", tests::CHILD])
        .env(tests::ORDER, order);
}

fn order(source: &Path, prefix: &Path, toolchain: &Toolchain, identity: &BuildIdentity) -> Order {
    let define = |name: &str, value: String| (name.to_owned(), value);
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let family = &identity.compiler.family;
    let path_flags = path_flags(source, &prefix.join("build"), family);
    let cxx_flags = [toolchain.flags.as_slice(), &path_flags].concat();
    Order {
        source: source.to_owned(),
        prefix: prefix.to_owned(),
        profile: identity.profile.clone(),
        generator: toolchain.generator.clone(),
        target: env!("LONGRUN_TARGET").to_owned(),
        defines: vec![
            define("CMAKE_CXX_COMPILER", path(&toolchain.cxx)),
            define("CMAKE_C_COMPILER", path(&toolchain.cc)),
            define("CMAKE_CXX_FLAGS", cxx_flags.join(" ")),
            // Set, so that the crate does not add flags of its own (it would silence warnings).
            define("CMAKE_C_FLAGS", path_flags.join(" ")),
            define("CMAKE_ASM_FLAGS", String::new()),
            define("CMAKE_INSTALL_LIBDIR", "lib".to_owned()),
            // No path of the machine, and no room for one, in the library.
            define("CMAKE_BUILD_RPATH_USE_ORIGIN", "ON".to_owned()),
            define("LONGRUN_BACKEND", identity.backend.to_string()),
            define("LONGRUN_BUILD_KEY", identity.build_key.clone()),
        ],
    }
}

/// Flags that keep the paths of this machine out of what is compiled, so that one content is one
/// library wherever it was built. They are no part of the build key: what they lead to does not
/// depend on them. Later ones win where several match.
fn path_flags(source: &Path, objects: &Path, family: &str) -> Vec<String> {
    if !["gnu", "clang"].contains(&family) {
        return Vec::new();
    }
    let mut flags = Vec::new();
    for (path, stands_for) in [(source, "."), (objects, "build")] {
        // A compiler names the folder it is in as the system does.
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let real = real.to_string_lossy();
        for path in BTreeSet::from([path.to_string_lossy(), real]) {
            // Neither the option nor the shell between could tell where such a path ends.
            if !path.contains(['=', '`']) {
                flags.push(format!("\"-ffile-prefix-map={path}={stands_for}\""));
            }
        }
    }
    flags
}

/// The lines of a build log that say what went wrong: the first errors, else the end.
pub fn telling_lines(log: &str) -> String {
    let noise = |line: &&str| !line.contains("panicked at") && !line.contains("RUST_BACKTRACE");
    let lines: Vec<&str> = log.lines().filter(noise).collect();
    let first_error = lines
        .iter()
        .position(|line| line.contains("error:") || line.contains("CMake Error"));
    let start = first_error.unwrap_or(lines.len().saturating_sub(LOG_LINES));
    let telling = lines.iter().skip(start).take(LOG_LINES);
    telling
        .map(|line| format!("  {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The one shared library that the build installed.
fn installed_library(prefix: &Path) -> Outcome<PathBuf> {
    let mut found = Vec::new();
    for folder in ["lib", "lib64", "bin"] {
        for entry in fs::read_dir(prefix.join(folder))
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = entry.path();
            let shared = path
                .extension()
                .is_some_and(|extension| extension == env::consts::DLL_EXTENSION);
            if shared {
                found.push(path);
            }
        }
    }
    match found.as_slice() {
        [library] => Ok(library.clone()),
        _ => Err(Failure::environment(format!(
            "failed to build the native library: it installs {} shared libraries into `lib` and \
             must install exactly one; check install() in its CMakeLists.txt",
            found.len()
        ))),
    }
}

fn check_carried_key(library: &Path, identity: &BuildIdentity) -> Outcome<()> {
    let bytes = fs::read(library).map_err(|e| Failure::file("read", library, e))?;
    match carried_key(&bytes) {
        Some(key) if key == identity.build_key => Ok(()),
        carried => Err(Failure::environment(format!(
            "failed to build the native library: it carries {} where its build key {:.12} is due; \
             its CMakeLists.txt must put LONGRUN_BUILD_KEY into the identity section",
            carried.map_or("no key".to_owned(), |key| format!("the key `{key:.12}`")),
            identity.build_key
        ))),
    }
}

/// The child's side: carries the order out. The crate ends the process if it fails.
///
/// The lock in the folder lasts as long as this process, so that nobody removes the folder of a
/// build whose parent was killed.
pub fn carry_out(order_file: &Path) -> Outcome<()> {
    let text = fs::read_to_string(order_file).map_err(|e| Failure::file("read", order_file, e))?;
    let order: Order =
        serde_json::from_str(&text).map_err(|e| Failure::file("read", order_file, e))?;
    let lock_file = order.prefix.join(PARTIAL_LOCK);
    let lock = File::create(&lock_file).map_err(|e| Failure::file("create", &lock_file, e))?;
    lock.lock()
        .map_err(|e| Failure::file("lock", &lock_file, e))?;
    let mut config = cmake::Config::new(&order.source);
    config
        .target(&order.target)
        .host(&order.target)
        .out_dir(&order.prefix)
        .profile(&order.profile)
        .generator(&order.generator)
        .no_default_flags(true);
    for (name, value) in &order.defines {
        config.define(name, value);
    }
    config.build();
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Variable that tells the test below its order.
    pub const ORDER: &str = "LONGRUN_TEST_ORDER";

    /// The test that carries out orders when it is started for one.
    pub const CHILD: &str = "native::cmake::tests::an_order_is_carried_out_and_none_is_an_error";

    #[test]
    fn an_order_is_carried_out_and_none_is_an_error() {
        match env::var_os(ORDER) {
            Some(order) => carry_out(Path::new(&order)).unwrap(),
            None => assert!(carry_out(Path::new("/nonexistent/order.json")).is_err()),
        }
    }

    #[test]
    fn paths_are_kept_out_by_compilers_that_can() {
        let of =
            |source: &str, family| path_flags(Path::new(source), Path::new("/w/p/build"), family);
        let gnu = [
            "\"-ffile-prefix-map=/r/a b=.\"",
            "\"-ffile-prefix-map=/w/p/build=build\"",
        ];
        assert_eq!(of("/r/a b", "gnu"), gnu);
        assert_eq!(of("/r/a b", "clang"), gnu);
        assert_eq!(of("/r/a=b", "gnu"), gnu[1..]);
        assert!(of("/r/a b", "unknown").is_empty());
    }

    #[test]
    fn the_first_errors_of_a_log_are_told() {
        let log = "configuring\na.cpp:1: error: no\nnote: here\nthread panicked at x\n";
        assert_eq!(telling_lines(log), "  a.cpp:1: error: no\n  note: here");
    }

    #[test]
    fn a_log_without_errors_is_told_by_its_end() {
        let log: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let told = telling_lines(&log);
        assert!(
            told.starts_with("  line 70\n") && told.ends_with("  line 99"),
            "{told}"
        );
    }
}
