//! Asks the tools whether they are there, which version they have, and whether they work.
//!
//! A compiler counts as found only when it has compiled something: a driver without headers is
//! missing. Every question has a time limit.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::time::Duration;

use super::host::Host;
use super::packages::Need;
use crate::failure::{Failure, Outcome};
use crate::machine::process::output_within;

/// Oldest CMake that the native project is written for.
const CMAKE_MIN: (u32, u32) = (3, 24);

/// How long one tool may take to answer; a compiler that starts from a slow disk needs seconds.
const ANSWER_LIMIT: Duration = Duration::from_secs(60);

const C_SOURCE: &str = "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n";

const CXX_SOURCE: &str = "#include <concepts>\n#include <numbers>\n#include <span>\n\
    template <std::floating_point T> T sum(std::span<const T> v) {\n\
    T s{}; for (T x : v) { s += x; } return s; }\n\
    int main() { const double v[]{std::numbers::pi}; return sum<double>(v) < 0; }\n";

const OPENMP_SOURCE: &str = "#include <omp.h>\n\
    int main() { int n = 0;\n#pragma omp parallel reduction(+ : n)\nn += 1;\n\
    return n > 0 && omp_get_max_threads() > 0 ? 0 : 1; }\n";

/// Whether one need is met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is needed.
    pub need: Need,
    /// Whether it is there.
    pub state: State,
}

/// Found or missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It is there and works.
    Found {
        /// As it reports itself; `None` where it does not.
        version: Option<String>,
    },
    /// It is not.
    Missing {
        /// Why it counts as missing.
        reason: String,
    },
}

impl Finding {
    /// Whether it is missing.
    pub fn is_missing(&self) -> bool {
        matches!(self.state, State::Missing { .. })
    }
}

/// Checks every need. Scratch files go into a folder under `<root>/target/` and are removed.
pub fn all(host: &Host, root: &Path) -> Outcome<Vec<Finding>> {
    let scratch = Scratch::create(root)?;
    let states = [
        (Need::Git, program(host, &["git"])),
        (
            Need::CCompiler,
            compiles(host, &host.cc, &scratch, "c.c", C_SOURCE, &[]),
        ),
        (
            Need::CxxCompiler,
            compiles(
                host,
                &host.cxx,
                &scratch,
                "cxx.cpp",
                CXX_SOURCE,
                &["-std=c++20"],
            ),
        ),
        (
            Need::OpenMp,
            compiles(
                host,
                &host.cxx,
                &scratch,
                "openmp.cpp",
                OPENMP_SOURCE,
                &["-fopenmp"],
            ),
        ),
        (Need::Cmake, cmake(host)),
        (Need::BuildTool, program(host, &["ninja", "make"])),
        (Need::PkgConfig, program(host, &["pkg-config"])),
        (Need::Fftw, library(host, "fftw3")),
        (Need::Openblas, library(host, "openblas")),
        (Need::Python, program(host, &["python3"])),
    ];
    Ok(states
        .into_iter()
        .map(|(need, state)| Finding {
            need,
            state: match state {
                Ok(version) => State::Found { version },
                Err(reason) => State::Missing { reason },
            },
        })
        .collect())
}

/// A version, if the tool tells it; or why the need is not met.
type Answer = Result<Option<String>, String>;

/// The first of some programs that is there.
fn program(host: &Host, names: &[&str]) -> Answer {
    for name in names {
        if let Some(path) = host.which(name) {
            let answer = ask(host, path, &["--version".into()])?;
            let version = first_line(&answer);
            return Ok(version.map(|line| match line.contains(name) {
                true => line,
                false => format!("{name} {line}"),
            }));
        }
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    Err(format!("no {} in PATH", quoted.join(" or ")))
}

fn cmake(host: &Host) -> Answer {
    let version = program(host, &["cmake"])?;
    let (major, minor) = CMAKE_MIN;
    match version.as_deref().and_then(major_minor) {
        Some(found) if found >= CMAKE_MIN => Ok(version),
        Some((old_major, old_minor)) => Err(format!(
            "version {old_major}.{old_minor} is older than {major}.{minor}"
        )),
        None => Err(format!("its version is unknown; {major}.{minor} is needed")),
    }
}

fn library(host: &Host, module: &str) -> Answer {
    let path = host
        .which("pkg-config")
        .ok_or("not looked for: no `pkg-config` in PATH")?;
    let answer = ask(host, path, &["--modversion".into(), module.into()])
        .map_err(|_| format!("pkg-config does not know `{module}`"))?;
    Ok(first_line(&answer))
}

/// Compiles and links one source file; the version is what the compiler says it is.
fn compiles(
    host: &Host,
    compiler: &[OsString],
    scratch: &Scratch,
    name: &str,
    source: &str,
    flags: &[&str],
) -> Answer {
    let (program, before) = compiler.split_first().ok_or("no compiler is named")?;
    let path = host
        .which(program)
        .ok_or_else(|| format!("no `{}` in PATH", program.display()))?;
    let file = scratch.0.join(name);
    fs::write(&file, source).map_err(|e| format!("no scratch file could be written: {e}"))?;
    let mut arguments = before.to_vec();
    arguments.extend(flags.iter().map(OsString::from));
    let output = scratch.0.join(format!("{name}.out"));
    arguments.extend([file.into(), "-o".into(), output.into()]);
    ask(host, path.clone(), &arguments)
        .map_err(|why| format!("`{}` cannot build a test program: {why}", program.display()))?;
    let mut version = before.to_vec();
    version.push("--version".into());
    Ok(ask(host, path, &version)
        .ok()
        .and_then(|answer| first_line(&answer)))
}

/// What a program prints, if it succeeds within the limit; otherwise why not.
fn ask(host: &Host, path: PathBuf, arguments: &[OsString]) -> Result<String, String> {
    let mut command = Command::new(path);
    command
        .args(arguments)
        .env("PATH", &host.path)
        .env("LC_ALL", "C");
    let output = output_within(command, ANSWER_LIMIT).map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let telling = stderr.lines().find(|line| line.contains("error"));
    let line = telling.map(str::to_owned).or_else(|| first_line(&stderr));
    Err(line.map_or_else(|| output.status.to_string(), |line| line.trim().to_owned()))
}

fn first_line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.to_owned())
}

/// The first `a.b` in a text.
fn major_minor(text: &str) -> Option<(u32, u32)> {
    text.split_whitespace().find_map(|word| {
        let mut parts = word.split('.');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    })
}

/// A folder that is removed when it is no longer needed.
struct Scratch(PathBuf);

impl Scratch {
    fn create(root: &Path) -> Outcome<Scratch> {
        let name = format!("setup-{}", process::id());
        let folder = root.join("target").join("longrun").join(name);
        fs::create_dir_all(&folder)
            .map_err(|e| Failure::file("create the scratch folder", &folder, e))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Left-over scratch files harm nothing and `cargo clean` removes them.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_the_first_pair_of_numbers() {
        for (text, expected) in [
            ("cmake version 3.25.1", Some((3, 25))),
            ("cmake 4.4.5-rc1", Some((4, 4))),
            ("cmake version 3", None),
            ("", None),
        ] {
            assert_eq!(major_minor(text), expected, "{text}");
        }
    }
}
