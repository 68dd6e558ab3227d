//! The registry: every case of every suite, read from `workloads/<suite>.toml`.
//!
//! Entries are checked here as a whole and by `longrun_protocol::registry` one by one; whatever
//! is wrong is reported with its file and line, all of it together.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use longrun_protocol::Size;
use longrun_protocol::registry::{CaseEntry, Defect, REGISTRY_VERSION, name_defect};
use serde::Deserialize;
use toml::Spanned;

use crate::failure::{Failure, Outcome};
use crate::project::line_of;

/// Files and cases that a registry may have.
const FILES_MAX: usize = 64;
const CASES_MAX: usize = 1000;

/// A named group of cases that is run and recorded as a whole.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Name, as in `--set`.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Its cases, in the order of the file.
    pub cases: Vec<CaseEntry>,
}

/// Every suite.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// Suites, by name.
    pub suites: Vec<Suite>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegistryFile {
    schema_version: Spanned<u32>,
    suite: Spanned<String>,
    title: String,
    #[serde(default)]
    case: Vec<Spanned<CaseEntry>>,
}

impl Registry {
    /// Reads and checks every `*.toml` directly inside `folder`.
    pub fn load(folder: &Path) -> Outcome<Registry> {
        let mut texts = Vec::new();
        for path in registry_files(folder)? {
            let text = fs::read_to_string(&path).map_err(|e| Failure::file("read", &path, e))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let shown = Path::new(folder.file_name().unwrap_or_default()).join(name.as_ref());
            texts.push((shown.display().to_string(), text));
        }
        Registry::parse(&texts)
    }

    /// The registry that these files, as (name, text), hold. Pure.
    pub fn parse(files: &[(String, String)]) -> Outcome<Registry> {
        let mut check = Check::default();
        let mut suites = Vec::new();
        for (name, text) in files {
            match toml::from_str::<RegistryFile>(text) {
                Ok(file) => suites.extend(check.file(name, text, file)),
                Err(error) => {
                    let line = error.span().map_or(1, |span| line_of(text, span.start));
                    check.report(name, line, error.message().to_owned());
                }
            }
        }
        if check.findings.is_empty() {
            suites.sort_by(|a: &Suite, b: &Suite| a.name.cmp(&b.name));
            return Ok(Registry { suites });
        }
        Err(Failure::usage(format!(
            "failed to read the registry:\n  {}",
            check.findings.join("\n  ")
        )))
    }

    /// The suite called `name`.
    pub fn suite(&self, name: &str) -> Option<&Suite> {
        self.suites.iter().find(|suite| suite.name == name)
    }

    /// The case called `name`, with its suite.
    pub fn case(&self, name: &str) -> Option<(&Suite, &CaseEntry)> {
        let mut all = self.cases();
        all.find(|(_, case)| case.name == name)
    }

    /// Every case with its suite, in order.
    pub fn cases(&self) -> impl Iterator<Item = (&Suite, &CaseEntry)> {
        self.suites
            .iter()
            .flat_map(|suite| suite.cases.iter().map(move |case| (suite, case)))
    }
}

fn registry_files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let listing = fs::read_dir(folder).map_err(|e| Failure::file("list registry", folder, e))?;
    let mut paths = Vec::new();
    for entry in listing {
        let path = entry
            .map_err(|e| Failure::file("list registry", folder, e))?
            .path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
            && path.is_file()
        {
            paths.push(path);
        }
    }
    paths.retain(|path| path.file_name().is_some_and(|name| name != "Cargo.toml"));
    paths.sort();
    if paths.len() > FILES_MAX {
        return Err(Failure::usage(format!(
            "failed to read the registry: `{}` holds {} files; at most {FILES_MAX} are read",
            folder.display(),
            paths.len()
        )));
    }
    Ok(paths)
}

/// What has been seen of all files so far, and what is wrong with it.
#[derive(Default)]
struct Check {
    findings: Vec<String>,
    suites: BTreeMap<String, String>,
    /// Lower-case name to (name as written, place).
    cases: BTreeMap<String, (String, String)>,
}

impl Check {
    fn report(&mut self, file: &str, line: usize, reason: String) {
        self.findings.push(format!("{file}:{line}: {reason}"));
    }

    fn file(&mut self, name: &str, text: &str, file: RegistryFile) -> Option<Suite> {
        let before = self.findings.len();
        let version = *file.schema_version.get_ref();
        if version != REGISTRY_VERSION {
            let line = line_of(text, file.schema_version.span().start);
            let reason = format!(
                "schema version {version} is not the version {REGISTRY_VERSION} that this \
                 Longrun reads"
            );
            self.report(name, line, reason);
        }
        self.suite(name, text, &file.suite);
        if self.cases.len() + file.case.len() > CASES_MAX {
            let reason = format!("the registry has more than {CASES_MAX} cases");
            self.report(name, 1, reason);
            return None;
        }
        for case in &file.case {
            self.case(name, text, case);
        }
        (self.findings.len() == before).then(|| Suite {
            name: file.suite.into_inner(),
            title: file.title,
            cases: file.case.into_iter().map(Spanned::into_inner).collect(),
        })
    }

    fn suite(&mut self, file: &str, text: &str, suite: &Spanned<String>) {
        let line = line_of(text, suite.span().start);
        let name = suite.get_ref();
        if let Some(reason) = name_defect(name) {
            self.report(file, line, reason);
        } else if name == "all" {
            let reason = "`all` cannot name a suite: it stands for every suite";
            self.report(file, line, reason.to_owned());
        } else if Path::new(file).file_stem().and_then(OsStr::to_str) != Some(name) {
            let reason = format!("suite `{name}` must be in a file called `{name}.toml`");
            self.report(file, line, reason);
        }
        if let Some(first) = self.suites.insert(name.clone(), file.to_owned()) {
            self.report(file, line, format!("suite `{name}` is already in {first}"));
        }
    }

    fn case(&mut self, file: &str, text: &str, case: &Spanned<CaseEntry>) {
        let start = case.span().start;
        let entry = case.get_ref();
        for Defect { key, size, reason } in entry.defects() {
            let from = size.map_or(start, |size| size_start(text, start, size));
            let line = key_line(text, from, key);
            self.report(file, line, format!("case `{}`: {reason}", entry.name));
        }
        let line = key_line(text, start, "name");
        let place = format!("{file}:{line}");
        let folded = entry.name.to_lowercase();
        match self.cases.get(&folded) {
            None => {
                self.cases.insert(folded, (entry.name.clone(), place));
            }
            Some((first, at)) if *first == entry.name => {
                let reason = format!("case `{first}` is already defined in {at}");
                self.report(file, line, reason);
            }
            Some((first, at)) => {
                let reason = format!(
                    "case `{}` differs from `{first}` in {at} only by letter case",
                    entry.name
                );
                self.report(file, line, reason);
            }
        }
    }
}

/// Where the table of `size` begins in the case that begins at the byte `start`; `start` where
/// the size has no table of its own.
fn size_start(text: &str, start: usize, size: Size) -> usize {
    let case = text.get(start..).unwrap_or_default();
    let header = format!("[case.sizes.{size}]");
    let mut at = start;
    for (index, line) in case.split_inclusive('\n').enumerate() {
        let line_start = line.trim_start();
        if index > 0 && line_start.starts_with("[[case]]") {
            break;
        }
        if line_start.starts_with(&header) {
            return at;
        }
        at += line.len();
    }
    start
}

/// Line of the first `key`, or of the table that it names, at or after the byte `start` and
/// before the next case; the line of `start` if there is none.
fn key_line(text: &str, start: usize, key: &str) -> usize {
    let first = line_of(text, start);
    let lines = text.lines().enumerate().skip(first - 1);
    let within = lines.take_while(|(index, line)| {
        *index + 1 == first || !line.trim_start().starts_with("[[case]]")
    });
    let names_key = |line: &str| {
        let line = line.trim_start();
        let rest = line.strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
            || line.contains(&format!(" {key} ="))
            || line.contains(&format!("{{ {key} ="))
            || (line.starts_with('[') && line.contains(&format!(".{key}]")))
    };
    for (index, line) in within {
        if names_key(line) {
            return index + 1;
        }
    }
    first
}

#[cfg(test)]
pub mod made {
    //! Registries that do not exist.
    #![allow(clippy::unwrap_used)]

    use super::Registry;

    /// A suite of these cases, each with its earlier name or "".
    pub fn renamed(suite: &str, cases: &[(&str, &str)]) -> Registry {
        let mut text = format!("schema_version = 1\nsuite = \"{suite}\"\ntitle = \"A suite\"\n");
        for (name, earlier) in cases {
            let earlier = match *earlier {
                "" => String::new(),
                earlier => format!("renamed_from = \"{earlier}\"\n"),
            };
            text.push_str(&format!(
                "[[case]]\nname = \"{name}\"\ntitle = \"A case\"\ninterface = \"stub\"\n\
                 worker = {{ command = [\"true\"] }}\nengines = [\"reference\"]\n\
                 repeat_bound = 1e-9\nrevision_bound = 1e-6\n{earlier}\
                 [case.sizes.full]\nrevision = 1\nwidths = [\"1\"]\n"
            ));
        }
        Registry::parse(&[(format!("{suite}.toml"), text)]).unwrap()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const HEAD: &str = "schema_version = 1\nsuite = \"tracking\"\ntitle = \"t\"\n";

    fn case(name: &str) -> String {
        format!(
            "[[case]]\nname = \"{name}\"\ntitle = \"t\"\ninterface = \"i\"\n\
             worker = {{ command = [\"w\"] }}\nrepeat_bound = 1e-9\nrevision_bound = 1e-6\n\
             [case.sizes.full]\nrevision = 1\nwidths = [\"1\", \"production\"]\n"
        )
    }

    fn parse(text: String) -> Outcome<Registry> {
        Registry::parse(&[("workloads/tracking.toml".to_owned(), text)])
    }

    fn refusal(text: String) -> String {
        let failure = parse(text).unwrap_err();
        assert_eq!(failure.exit.code(), 2);
        failure.message
    }

    #[test]
    fn a_sound_registry_is_read() {
        let registry = parse(format!("{HEAD}{}{}", case("a"), case("b"))).unwrap();
        let names: Vec<&str> = registry.cases().map(|(_, c)| c.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert!(registry.case("b").is_some());
        assert!(registry.suite("tracking").is_some());
    }

    #[test]
    fn an_unknown_key_is_refused_with_file_and_line() {
        let text = format!("{HEAD}{}", case("a").replace("title", "titel"));
        let message = refusal(text);
        assert!(message.contains("workloads/tracking.toml:"), "{message}");
        assert!(message.contains("titel"), "{message}");
        assert!(message.contains(":6:"), "{message}");
    }

    #[test]
    fn a_duplicate_name_is_refused_with_both_places() {
        let message = refusal(format!("{HEAD}{}{}", case("a"), case("a")));
        assert!(message.contains("tracking.toml:15:"), "{message}");
        assert!(
            message.contains("already defined in workloads/tracking.toml:5"),
            "{message}"
        );
    }

    #[test]
    fn names_that_differ_only_in_case_are_refused() {
        let message = refusal(format!("{HEAD}{}{}", case("abc"), case("aBc")));
        assert!(message.contains("only by letter case"), "{message}");
    }

    #[test]
    fn an_undefined_size_is_refused_with_its_line() {
        let text = format!("{HEAD}{}", case("a").replace("sizes.full", "sizes.medium"));
        let message = refusal(text);
        assert!(message.contains("medium"), "{message}");
        assert!(message.contains("tracking.toml:1"), "{message}");
    }

    #[test]
    fn revision_zero_is_refused_with_its_line() {
        let text = format!(
            "{HEAD}{}",
            case("a").replace("revision = 1", "revision = 0")
        );
        assert!(refusal(text).contains("tracking.toml:12: case `a`: revision 0"));
    }

    #[test]
    fn a_case_without_worker_is_refused() {
        let text = format!("{HEAD}{}", case("a").replace("command = [\"w\"]", ""));
        assert!(refusal(text).contains("tracking.toml:8: case `a`: the case has no worker"));
    }

    #[test]
    fn all_defects_are_reported_together() {
        let text = format!(
            "{HEAD}{}{}",
            case("a").replace("revision = 1", "revision = 0"),
            case("b").replace("command = [\"w\"]", "")
        );
        let message = refusal(text);
        assert!(
            message.contains("case `a`") && message.contains("case `b`"),
            "{message}"
        );
    }

    #[test]
    fn a_newer_registry_is_refused() {
        let message = refusal(HEAD.replace("= 1", "= 2"));
        assert!(message.contains("schema version 2"), "{message}");
    }

    #[test]
    fn the_name_all_is_kept_for_every_suite() {
        let message = refusal(HEAD.replace("tracking", "all"));
        assert!(message.contains("stands for every suite"), "{message}");
    }

    /// A case with the sizes `full` and `smoke`, whose parts begin in lines 11 and 17.
    fn two_sizes() -> String {
        let size = |name: &str| {
            format!(
                "[case.sizes.{name}]\nrevision = 1\nwidths = [\"1\"] # {name}\n\
                 oracles = [\"span_{name}\"]\n[case.sizes.{name}.estimates]\n\
                 1 = {{ run_s = 1.0, setup_s = 1.0, memory_bytes = 1 }} # {name}\n"
            )
        };
        let text = format!("{HEAD}{}", case("a"));
        let (shared, _) = text.split_once("[case.sizes").unwrap();
        format!("{shared}{}{}", size("full"), size("smoke"))
    }

    #[test]
    fn what_is_wrong_with_a_case_is_shown_with_its_line_at_its_size() {
        assert!(parse(two_sizes()).is_ok());
        let named = "name = \"a\"";
        for (old, new, line, part) in [
            (named, "name = \"a\"\nnoise = \"shot\"", 6, "noise `shot`"),
            ("[\"1\"] # full", "[\"1\", \"1\"]", 13, "there twice"),
            ("[\"1\"] # smoke", "[\"1\", \"1\"]", 19, "there twice"),
            ("[\"1\"] # smoke", "[]", 19, "no widths at size `smoke`"),
            ("span_full", "Span", 14, "`Span` is not a name"),
            ("span_smoke", "a b", 20, "`a b` is not a name"),
            ("[\"1\"] # full", "[\"2\"]", 15, "size `full` does not have"),
            (
                "[\"1\"] # smoke",
                "[\"2\"]",
                21,
                "size `smoke` does not have",
            ),
        ] {
            let text = two_sizes();
            assert!(text.contains(old), "{old}");
            let message = refusal(text.replace(old, new));
            let place = format!("workloads/tracking.toml:{line}: case `a`: ");
            assert!(message.contains(&place), "{place}: {message}");
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn a_suite_in_a_file_of_another_name_is_refused() {
        for (file, refused) in [
            ("workloads/tracking.toml", false),
            ("tracking.toml", false),
            ("workloads/Tracking.toml", true),
            ("workloads/tracking.old.toml", true),
            ("workloads/kernels.toml", true),
        ] {
            let text = format!("{HEAD}{}", case("a"));
            let found = Registry::parse(&[(file.to_owned(), text)]);
            assert_eq!(found.is_err(), refused, "{file}");
            if let Err(failure) = found {
                let part = format!("{file}:2: suite `tracking` must be in a file called");
                assert!(failure.message.contains(&part), "{}", failure.message);
            }
        }
    }
}
