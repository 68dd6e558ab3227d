//! The compiler, CMake and the libraries of the native build, as they are on this machine.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use longrun_protocol::Compiler;
use xshell::{Shell, cmd};

use crate::failure::{Failure, Outcome};
use crate::machine::process::output_within;
use crate::shell;

/// Flags of every native build, before those of the user.
const BASE_FLAGS: [&str; 1] = ["-march=native"];

/// Longest time in which a compiler names itself.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(60);

/// What a build needs to know of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// C++ compiler.
    pub cxx: PathBuf,
    /// C compiler.
    pub cc: PathBuf,
    /// What the C++ compiler says it is.
    pub compiler: Compiler,
    /// Explicit compile flags: ours, then the user's `CXXFLAGS`.
    pub flags: Vec<String>,
    /// Instruction set that the flags resolve to here.
    pub isa: String,
    /// CMake generator.
    pub generator: String,
    /// Version of each library, by pkg-config module.
    pub libraries: BTreeMap<String, String>,
}

/// Advice that ends every message about something missing.
const ADVICE: &str = "run `cargo xtask setup` to see what is missing";

/// The C++ compiler alone, for a program that needs neither CMake nor libraries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cxx {
    /// The program.
    pub program: PathBuf,
    /// What it says it is.
    pub compiler: Compiler,
    /// Explicit compile flags: ours, then the user's `CXXFLAGS`.
    pub flags: Vec<String>,
    /// Instruction set that the flags resolve to here.
    pub isa: String,
}

impl Cxx {
    /// Finds it for the project at `root`, or says what is missing.
    pub fn find(root: &Path) -> Outcome<Cxx> {
        let program = compiler(true)?;
        let flags = flags(env::var("CXXFLAGS").ok().as_deref());
        let report = report(&shell::in_folder(root)?, &program, &flags)?;
        Ok(Cxx {
            program,
            compiler: report.compiler,
            flags,
            isa: report.isa,
        })
    }
}

impl Toolchain {
    /// Finds everything for the project at `root`, or says what is missing.
    pub fn find(root: &Path, modules: &[String]) -> Outcome<Toolchain> {
        let shell = shell::in_folder(root)?;
        let cxx = Cxx::find(root)?;
        let cc = compiler(false)?;
        which::which("cmake").map_err(|_| {
            Failure::environment(format!(
                "failed to find CMake: no `cmake` in PATH; {ADVICE}"
            ))
        })?;
        Ok(Toolchain {
            compiler: cxx.compiler,
            isa: cxx.isa,
            generator: generator()?,
            libraries: libraries(&shell, modules)?,
            cxx: cxx.program,
            cc,
            flags: cxx.flags,
        })
    }
}

fn compiler(cpp: bool) -> Outcome<PathBuf> {
    let language = if cpp { "C++" } else { "C" };
    let target = env!("LONGRUN_TARGET");
    let tool = cc::Build::new()
        .cpp(cpp)
        .no_default_flags(true)
        .target(target)
        .host(target)
        .opt_level(3)
        .debug(false)
        .cargo_metadata(false)
        .cargo_warnings(false)
        .try_get_compiler();
    let missing = |cause: String| {
        Failure::environment(format!(
            "failed to find a {language} compiler: {cause}; {ADVICE}"
        ))
    };
    let path = tool.map_err(|e| missing(e.to_string()))?.path().to_owned();
    which::which(&path).map_err(|_| missing(format!("there is no `{}`", path.display())))
}

/// Our flags and the user's.
fn flags(cxxflags: Option<&str>) -> Vec<String> {
    let base = BASE_FLAGS.into_iter();
    let user = cxxflags.unwrap_or_default().split_whitespace();
    base.chain(user).map(str::to_owned).collect()
}

/// What a compiler says about itself and about the flags.
#[derive(Debug, PartialEq, Eq)]
struct Report {
    compiler: Compiler,
    isa: String,
}

/// Asks the compiler to preprocess nothing, verbosely: it names itself and its resolved flags.
fn report(shell: &Shell, cxx: &Path, flags: &[String]) -> Outcome<Report> {
    let refuse = |cause: String| {
        Failure::environment(format!(
            "failed to identify the compiler `{}` with flags `{}`: {cause}; check CXX and CXXFLAGS",
            cxx.display(),
            flags.join(" ")
        ))
    };
    let asked = cmd!(shell, "{cxx} {flags...} -E -v -x c++ /dev/null").env("LC_ALL", "C");
    let output = output_within(asked.into(), ANSWER_TIME_MAX).map_err(|e| refuse(e.to_string()))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let telling = stderr.lines().find(|line| line.contains("error"));
        let telling = telling.or(stderr.lines().last()).unwrap_or("it failed");
        return Err(refuse(telling.trim().to_owned()));
    }
    parse_report(&stderr).ok_or_else(|| refuse("it does not name its version".to_owned()))
}

/// Reads what `-v` prints of GCC and Clang.
fn parse_report(text: &str) -> Option<Report> {
    let version_line = text.lines().find(|line| line.contains(" version "))?;
    let (name, version) = version_line.split_once(" version ")?;
    let family = if name.contains("clang") {
        "clang"
    } else if name.contains("gcc") {
        "gnu"
    } else {
        "unknown"
    };
    let target = text.lines().find_map(|line| line.strip_prefix("Target: "));
    let command = text.lines().find(|line| line.contains("cc1"))?;
    Some(Report {
        compiler: Compiler {
            family: family.to_owned(),
            version: version.trim().to_owned(),
            target: target.unwrap_or("unknown").trim().to_owned(),
        },
        isa: resolved_isa(command),
    })
}

/// Instruction set, tuning and cache sizes in the command line of the compiler proper. `native`
/// means something else on every machine; these words do not.
fn resolved_isa(command: &str) -> String {
    let words: Vec<&str> = command
        .split_whitespace()
        .map(|word| word.trim_matches('"'))
        .collect();
    let clang = words.contains(&"-target-cpu");
    let mut parts = Vec::new();
    for pair in words.windows(2) {
        match pair {
            ["-target-cpu" | "-tune-cpu", value] if clang => parts.push((*value).to_owned()),
            ["-target-feature", value] if clang && value.starts_with('+') => {
                parts.push(value.trim_start_matches('+').to_owned());
            }
            ["--param", value] if !clang => parts.push((*value).to_owned()),
            [word, _] if !clang && word.starts_with("-m") && !word.starts_with("-mno-") => {
                parts.push(word.trim_start_matches("-m").to_owned());
            }
            _ => {}
        }
    }
    parts.join(" ")
}

fn generator() -> Outcome<String> {
    if which::which("ninja").is_ok() {
        return Ok("Ninja".to_owned());
    }
    match which::which("make") {
        Ok(_) => Ok("Unix Makefiles".to_owned()),
        Err(_) => Err(Failure::environment(format!(
            "failed to find a build tool: neither `ninja` nor `make` is in PATH; {ADVICE}"
        ))),
    }
}

fn libraries(shell: &Shell, modules: &[String]) -> Outcome<BTreeMap<String, String>> {
    let mut libraries = BTreeMap::new();
    for module in modules {
        let missing = |cause: &str| {
            Failure::environment(format!(
                "failed to find the library `{module}`: {cause}; {ADVICE}"
            ))
        };
        let asked = cmd!(shell, "pkg-config --modversion {module}").env("LC_ALL", "C");
        let output = output_within(asked.into(), ANSWER_TIME_MAX)
            .map_err(|_| missing("no `pkg-config` in PATH that answers"))?;
        if !output.status.success() {
            return Err(missing("pkg-config does not know it"));
        }
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        libraries.insert(module.clone(), version);
    }
    Ok(libraries)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const GCC: &str = "Using built-in specs.\nTarget: x86_64-linux-gnu\nThread model: posix\n\
        gcc version 12.2.0 (Debian 12.2.0-14) \n\
        \x20/usr/lib/gcc/cc1plus -E -quiet -v - -march=znver3 -mavx2 -mno-avx512f -msse4.1 \
        --param l1-cache-size=32 --param l2-cache-size=512 -mtune=znver3 -dumpbase -\n";

    const CLANG: &str = "Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\n\
        \x20\"/usr/lib/llvm-14/bin/clang\" \"-cc1\" \"-mrelocation-model\" \"pic\" \
        \"-target-cpu\" \"znver3\" \"-target-feature\" \"+avx2\" \"-target-feature\" \"-movdiri\" \
        \"-x\" \"c++\"\n";

    #[test]
    fn gcc_names_itself_and_what_native_means() {
        let report = parse_report(GCC).unwrap();
        assert_eq!(report.compiler.family, "gnu");
        assert_eq!(report.compiler.version, "12.2.0 (Debian 12.2.0-14)");
        assert_eq!(report.compiler.target, "x86_64-linux-gnu");
        let isa = "arch=znver3 avx2 sse4.1 l1-cache-size=32 l2-cache-size=512 tune=znver3";
        assert_eq!(report.isa, isa);
    }

    #[test]
    fn clang_names_itself_and_what_native_means() {
        let report = parse_report(CLANG).unwrap();
        assert_eq!(report.compiler.family, "clang");
        assert_eq!(report.compiler.version, "14.0.6");
        assert_eq!(report.isa, "znver3 avx2");
    }

    #[test]
    fn a_machine_with_another_cache_has_another_instruction_set_text() {
        let other = GCC.replace("l2-cache-size=512", "l2-cache-size=2048");
        assert_ne!(
            parse_report(&other).unwrap().isa,
            parse_report(GCC).unwrap().isa
        );
    }

    #[test]
    fn a_program_that_is_no_compiler_is_not_identified() {
        assert_eq!(parse_report("hello\n"), None);
    }

    #[test]
    fn the_flags_of_the_user_come_last() {
        assert_eq!(flags(None), ["-march=native"]);
        assert_eq!(
            flags(Some(" -march=x86-64-v3  -g ")),
            ["-march=native", "-march=x86-64-v3", "-g"]
        );
    }
}
