//! Programs of one C++ file that Longrun brings along, built with the compiler and the flags of
//! native builds and kept by what they are made of.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::time::Duration;

use super::cmake::{PASSED_ON, telling_lines};
use super::toolchain::Cxx;
use crate::digest;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::run::supervise::{Ending, Limits, supervise};

/// Flags beside those of the toolchain: what `native/` is compiled with, warnings as errors.
const FLAGS: [&str; 11] = [
    "-std=c++20",
    "-O3",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ffp-contract=fast",
    "-fopenmp",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wshadow",
    "-Werror",
];

/// Longest compilation of one file.
const COMPILE_TIME_MAX: Duration = Duration::from_secs(300);

/// Characters of the key that name a folder.
const NAME_LENGTH: usize = 32;

/// The program `name` with this source in `folder`, built unless exactly it is there.
///
/// # Errors
/// Exit 6 where there is no compiler, the source does not compile or the folder cannot be written.
pub fn ensure(
    folder: &Path,
    name: &str,
    source: &str,
    cxx: &Cxx,
    interrupt: &Interrupt,
) -> Outcome<PathBuf> {
    let folder = folder.join(key(source, cxx));
    let program = folder.join(name);
    if program.is_file() {
        return Ok(program);
    }
    fs::create_dir_all(&folder).map_err(|e| Failure::file("create", &folder, e))?;
    // Another process may be building the same: each has names of its own, and the last wins.
    let own = |extension: &str| folder.join(format!("{name}-{}.{extension}", process::id()));
    let (file, partial) = (own("cpp"), own("partial"));
    let logs = [own("log"), own("errors.log")];
    fs::write(&file, source).map_err(|e| Failure::file("write", &file, e))?;
    let compiled = compile(cxx, &file, &partial, &logs, interrupt);
    for left in [&file, &logs[0], &logs[1]] {
        // Left-over files of a build harm nothing.
        let _ = fs::remove_file(left);
    }
    compiled?;
    // A program is finished when it has its name.
    fs::rename(&partial, &program).map_err(|e| Failure::file("create", &program, e))?;
    Ok(program)
}

/// Digest of all that decides what the program is.
fn key(source: &str, cxx: &Cxx) -> String {
    let compiler = &cxx.compiler;
    let flags = [FLAGS.join(" "), cxx.flags.join(" ")];
    let parts = [
        source,
        &compiler.family,
        &compiler.version,
        &compiler.target,
        &flags[0],
        &flags[1],
        &cxx.isa,
    ];
    let mut key = digest::of_bytes(parts.join("\0").as_bytes());
    key.truncate(NAME_LENGTH);
    key
}

fn compile(
    cxx: &Cxx,
    file: &Path,
    program: &Path,
    [stdout, stderr]: &[PathBuf; 2],
    interrupt: &Interrupt,
) -> Outcome<()> {
    let passed = PASSED_ON
        .into_iter()
        .filter_map(|name| env::var_os(name).map(|value| (name, value)));
    let mut command = Command::new(&cxx.program);
    command
        .args(FLAGS)
        .args(&cxx.flags)
        .arg(file)
        .arg("-o")
        .arg(program)
        .env_clear()
        .envs(passed)
        .env("LC_ALL", "C");
    let limits = Limits {
        timeout: COMPILE_TIME_MAX,
        interrupt,
        run_id: None,
    };
    let attempt = format!(
        "failed to compile a program with `{}`",
        cxx.program.display()
    );
    let aftermath = supervise(command, stdout, stderr, &limits, |_, _| ())
        .map_err(|e| Failure::environment(format!("{attempt}: {e}; check CXX")))?;
    match aftermath.ending {
        Ending::Exited(0) => Ok(()),
        Ending::Interrupted => Err(Failure::interrupted("interrupted; nothing was measured")),
        Ending::TimedOut => Err(Failure::environment(format!(
            "{attempt}: it took longer than {} s; try again on a quiet machine",
            COMPILE_TIME_MAX.as_secs()
        ))),
        Ending::Exited(_) | Ending::Signalled(_) => {
            let log = fs::read(stderr).unwrap_or_default();
            Err(Failure::environment(format!(
                "{attempt}:\n{}\n`cargo xtask setup` shows what may be missing; check CXXFLAGS",
                telling_lines(&String::from_utf8_lossy(&log))
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn made(cxx: &Cxx, source: &str, folder: &Path) -> Outcome<PathBuf> {
        ensure(folder, "made", source, cxx, &Interrupt::made(false))
    }

    #[test]
    fn a_program_is_built_once_and_anew_for_another_source_or_flag() {
        let folder = tempfile::tempdir().unwrap();
        let cxx = Cxx::find(folder.path()).unwrap();
        let source = "int main() { return 3; }\n";
        let program = made(&cxx, source, folder.path()).unwrap();
        let status = Command::new(&program).status().unwrap();
        assert_eq!(status.code(), Some(3));
        fs::write(&program, "marked").unwrap();
        assert_eq!(made(&cxx, source, folder.path()).unwrap(), program);
        assert_eq!(fs::read(&program).unwrap(), b"marked", "it is used again");
        let names = fs::read_dir(program.parent().unwrap()).unwrap().count();
        assert_eq!(names, 1, "nothing else is left");
        let other = key("int main() { return 4; }\n", &cxx);
        let flagged = Cxx {
            flags: vec!["-O0".to_owned()],
            ..cxx.clone()
        };
        let keys = [key(source, &cxx), other, key(source, &flagged)];
        assert!(keys[0] != keys[1] && keys[0] != keys[2]);
    }

    #[test]
    fn a_source_that_does_not_compile_is_told_with_its_first_error() {
        let folder = tempfile::tempdir().unwrap();
        let cxx = Cxx::find(folder.path()).unwrap();
        let failure = made(&cxx, "int main() { int unused; }\n", folder.path()).unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        assert!(failure.message.contains("unused"), "{failure}");
        assert!(failure.message.contains("setup"), "{failure}");
    }

    #[test]
    fn an_interrupt_ends_the_compilation() {
        let folder = tempfile::tempdir().unwrap();
        let cxx = Cxx::find(folder.path()).unwrap();
        let raised = Interrupt::made(true);
        let ended = ensure(folder.path(), "made", "int main() {}\n", &cxx, &raised);
        assert_eq!(ended.unwrap_err().exit.code(), 130);
    }
}
