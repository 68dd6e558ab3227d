//! The whole verb on made machines: folders of small scripts in place of tools.

#![allow(clippy::unwrap_used)]

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::execute;
use super::host::Host;
use crate::cli::SetupArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::machine::made::MadeMachine;

/// A machine on which only what is written into `bin/` is a tool.
struct Made {
    machine: MadeMachine,
}

impl Made {
    /// Every tool is there.
    fn complete() -> Made {
        let made = Made {
            machine: MadeMachine::empty(),
        };
        made.tool("git", "echo git version 2.39.5");
        made.tool("cc", "echo cc 12.2.0");
        made.tool("c++", "echo c++ 12.2.0");
        made.tool("cmake", "echo cmake version 3.25.1");
        made.tool("ninja", "echo 1.11.1");
        made.tool("pkg-config", "echo 3.3.10");
        made.tool("python3", "echo Python 3.11.2");
        made.machine.file("lists/archive_Packages", "");
        made
    }

    fn bin(&self) -> PathBuf {
        self.machine.root().join("bin")
    }

    fn tool(&self, name: &str, script: &str) {
        self.machine
            .file(&format!("bin/{name}"), &format!("#!/bin/sh\n{script}\n"));
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.bin().join(name), mode).unwrap();
    }

    fn without(self, name: &str) -> Made {
        fs::remove_file(self.bin().join(name)).unwrap();
        self
    }

    /// An apt that writes down its arguments and then does what `effect` says.
    fn with_apt(self, effect: &str) -> Made {
        let log = self.machine.root().join("apt.log");
        let script = format!("echo \"$@\" >> '{}'\n{effect}", log.display());
        self.tool("apt-get", &script);
        self.tool("env", "shift\nexec \"$@\"");
        self
    }

    fn apt_log(&self) -> Vec<String> {
        let log = fs::read_to_string(self.machine.root().join("apt.log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    fn host(&self) -> Host {
        Host {
            path: self.bin().into(),
            cc: vec![OsString::from("cc")],
            cxx: vec![OsString::from("c++")],
            clang: false,
            root: true,
            apt_lists: self.machine.root().join("lists"),
        }
    }

    fn setup(&self, yes: bool) -> (Outcome<Exit>, String) {
        run(&self.host(), self.machine.root(), yes, false)
    }
}

fn run(host: &Host, root: &Path, yes: bool, json: bool) -> (Outcome<Exit>, String) {
    let mut out = Vec::new();
    let args = SetupArgs { yes, json };
    let exit = execute(host, root, &args, &mut out);
    (exit, String::from_utf8(out).unwrap())
}

/// A script that makes `cmake` appear in the folder of the script itself.
const BRINGS_CMAKE: &str = "case $1 in install)\n\
    printf '#!/bin/sh\\necho cmake version 3.25.1\\n' > \"${0%/*}/cmake\"\n\
    /bin/chmod 755 \"${0%/*}/cmake\" ;; esac";

#[test]
fn when_everything_is_there_no_manager_is_named() {
    let made = Made::complete().with_apt("exit 1");
    for yes in [false, true] {
        let (exit, text) = made.setup(yes);
        assert_eq!(exit, Ok(Exit::Success));
        assert_eq!(
            text.lines()
                .filter(|line| line.starts_with("found"))
                .count(),
            10,
            "{text}"
        );
        assert!(!text.contains("missing") && !text.contains("apt"), "{text}");
    }
    assert_eq!(made.apt_log(), Vec::<String>::new());
}

#[test]
fn without_yes_the_command_is_printed_and_not_run() {
    let made = Made::complete().without("cmake").with_apt(BRINGS_CMAKE);
    let (exit, text) = made.setup(false);
    assert_eq!(exit, Ok(Exit::Environment));
    assert!(
        text.contains("missing  CMake: no `cmake` in PATH"),
        "{text}"
    );
    assert!(
        text.contains("apt-get install --yes --no-install-recommends cmake"),
        "{text}"
    );
    assert_eq!(made.apt_log(), Vec::<String>::new());
}

#[test]
fn with_yes_what_is_missing_is_installed_and_looked_for_again() {
    let made = Made::complete().without("cmake").with_apt(BRINGS_CMAKE);
    let (exit, text) = made.setup(true);
    assert_eq!(exit, Ok(Exit::Success));
    assert!(
        text.contains("found    CMake: cmake version 3.25.1"),
        "{text}"
    );
    assert!(text.contains("installed: cmake"), "{text}");
    assert_eq!(
        made.apt_log(),
        ["install --yes --no-install-recommends cmake"]
    );
}

#[test]
fn a_machine_without_package_lists_fetches_them_first() {
    let made = Made::complete().without("cmake").with_apt(BRINGS_CMAKE);
    fs::remove_file(made.machine.root().join("lists/archive_Packages")).unwrap();
    assert_eq!(made.setup(true).0, Ok(Exit::Success));
    let log = made.apt_log();
    assert_eq!(
        log,
        ["update", "install --yes --no-install-recommends cmake"]
    );
}

#[test]
fn stale_package_lists_are_fetched_and_the_installation_is_tried_once_more() {
    let once = format!(
        "[ -e \"${{0%/*}}/fresh\" ] || {{ case $1 in update) : > \"${{0%/*}}/fresh\" \
                        ;; *) exit 100 ;; esac }}\n{BRINGS_CMAKE}"
    );
    let made = Made::complete().without("cmake").with_apt(&once);
    assert_eq!(made.setup(true).0, Ok(Exit::Success));
    let install = "install --yes --no-install-recommends cmake";
    assert_eq!(made.apt_log(), [install, "update", install]);
}

#[test]
fn what_is_still_missing_after_the_installation_is_a_failure() {
    let made = Made::complete().without("cmake").with_apt("exit 0");
    let (exit, text) = made.setup(true);
    let failure = exit.unwrap_err();
    assert_eq!(failure.exit, Exit::Environment);
    assert!(failure.message.contains("CMake"), "{failure}");
    assert!(failure.message.contains("still missing"), "{failure}");
    assert!(text.contains("missing  CMake"), "{text}");
}

#[test]
fn a_failed_installation_names_the_command_and_how_it_ended() {
    let made = Made::complete().without("cmake").with_apt("exit 100");
    let failure = made.setup(true).0.unwrap_err();
    assert!(failure.message.contains("exit status: 100"), "{failure}");
    assert!(failure.message.contains("apt-get"), "{failure}");
    assert_eq!(made.apt_log().len(), 2);
}

#[test]
fn without_a_manager_yes_fails_and_names_those_that_are_known() {
    let made = Made::complete().without("cmake");
    let failure = made.setup(true).0.unwrap_err();
    assert_eq!(failure.exit, Exit::Environment);
    assert!(
        failure.message.contains("apt-get, dnf, pacman, brew"),
        "{failure}"
    );
    assert_eq!(made.setup(false).0, Ok(Exit::Environment));
}

#[test]
fn a_user_without_rights_is_told_what_to_run() {
    let made = Made::complete().without("cmake").with_apt(BRINGS_CMAKE);
    let mut host = made.host();
    host.root = false;
    let failure = run(&host, made.machine.root(), true, false).0.unwrap_err();
    assert!(failure.message.contains("run it as root"), "{failure}");
    assert_eq!(made.apt_log(), Vec::<String>::new());
}

#[test]
fn what_is_optional_is_named_and_does_not_fail() {
    for (program, label) in [("git", "git"), ("python3", "Python 3")] {
        let made = Made::complete().without(program).with_apt("exit 100");
        let (exit, text) = made.setup(false);
        assert_eq!(exit, Ok(Exit::Success));
        let missing = format!("missing  {label} (optional)");
        assert!(text.contains(&missing), "{text}");
        let install = format!("--no-install-recommends {program}");
        assert!(text.contains(&install), "{text}");
        assert_eq!(made.setup(true).0, Ok(Exit::Success));
    }
}

#[test]
fn tools_that_are_too_old_or_do_not_work_are_missing() {
    let made = Made::complete();
    made.tool("cmake", "echo cmake version 3.18.4");
    made.tool(
        "c++",
        "echo 'x.cpp:1: fatal error: concepts: no such file' >&2; exit 1",
    );
    made.tool("pkg-config", "[ $1 = --version ] && echo 1.8.1");
    let text = made.setup(false).1;
    for line in [
        "missing  CMake: version 3.18 is older than 3.24",
        "missing  C++ compiler with C++20: `c++` cannot build a test program: x.cpp:1: fatal",
        "missing  OpenMP: `c++` cannot build",
        "missing  FFTW: pkg-config does not know `fftw3`",
        "missing  OpenBLAS: pkg-config does not know `openblas`",
        "found    pkg-config: pkg-config 1.8.1",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[test]
fn json_has_what_was_found_and_missing_and_the_command() {
    let made = Made::complete().without("cmake").with_apt(BRINGS_CMAKE);
    let (exit, text) = run(&made.host(), made.machine.root(), false, true);
    assert_eq!(exit, Ok(Exit::Environment));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["missing"][0]["name"], "cmake");
    assert_eq!(json["found"].as_array().unwrap().len(), 9);
    assert!(json["command"].as_str().unwrap().contains("apt-get"));
    assert_eq!(json["installed"], serde_json::json!([]));
    let (exit, text) = run(&made.host(), made.machine.root(), true, true);
    assert_eq!(exit, Ok(Exit::Success));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["installed"], serde_json::json!(["cmake"]));
    assert_eq!(json["missing"], serde_json::json!([]));
}

#[test]
fn nothing_is_left_in_the_target_folder() {
    let made = Made::complete();
    assert_eq!(made.setup(false).0, Ok(Exit::Success));
    let folder = made.machine.root().join("target/longrun");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
}
