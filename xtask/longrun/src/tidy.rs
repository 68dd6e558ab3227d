//! `tidy`: the repository's own rules, checked over every file that git tracks or would track.
//!
//! Each rule is a pure function of one file, or of the list of files; reading happens in
//! [`files`] only. A rule that cannot be checked by a machine does not belong here.

pub mod code;
pub mod docs;
pub mod files;
pub mod functions;
pub mod language;
pub mod layout;
pub mod manifest;
pub mod requirements;
pub mod rust;
pub mod text;
pub mod words;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::cli::TidyArgs;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::list::current_folder;
use crate::project::Project;
use files::SourceFile;

/// Version of the JSON of this verb.
const SCHEMA_VERSION: u32 = 1;

/// Where in a file a rule is broken, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Hit {
    /// A hit on a line, counted from 1.
    pub fn new(line: usize, message: impl Into<String>) -> Hit {
        Hit {
            line,
            message: message.into(),
        }
    }
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// File, relative to the root of the repository.
    pub path: String,
    /// Line, from 1.
    pub line: usize,
    /// Name of the rule.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
}

/// A rule for one file.
struct Rule {
    name: &'static str,
    check: fn(&SourceFile) -> Vec<Hit>,
}

const RULES: &[Rule] = &[
    Rule {
        name: "line-length",
        check: text::line_length,
    },
    Rule {
        name: "file-length",
        check: text::file_length,
    },
    Rule {
        name: "blanks",
        check: text::blanks,
    },
    Rule {
        name: "module-doc",
        check: rust::module_doc,
    },
    Rule {
        name: "banned-call",
        check: rust::banned_calls,
    },
    Rule {
        name: "unsafe",
        check: rust::unsafe_code,
    },
    Rule {
        name: "function-length",
        check: functions::function_length,
    },
    Rule {
        name: "machine-path",
        check: words::machine_paths,
    },
    Rule {
        name: "registry-host",
        check: words::registry_hosts,
    },
    Rule {
        name: "dependency-reason",
        check: manifest::dependency_reasons,
    },
];

/// Rules that need to know more than one file.
const TOP_LEVEL: &str = "top-level";
const LINK: &str = "link";
const COMMAND: &str = "command";
const PROMISE: &str = "promise";
const CASES: &str = "cases";

#[derive(Debug, Serialize)]
struct Report<'a> {
    schema_version: u32,
    files: usize,
    findings: &'a [Finding],
}

/// Checks every rule; `grammar` is the command line that documents must agree with.
/// [`Exit::Failed`] where a rule is broken.
pub fn run(args: &TidyArgs, grammar: &clap::Command) -> Outcome<Exit> {
    let project = Project::find(&current_folder()?)?;
    let files = files::read_all(&project.root)?;
    let findings = check(&files, grammar);
    if args.json {
        let report = Report {
            schema_version: SCHEMA_VERSION,
            files: files.len(),
            findings: &findings,
        };
        let text = serde_json::to_string_pretty(&report)
            .map_err(|e| Failure::failed(format!("failed to write the report as JSON: {e}")))?;
        println!("{text}");
    } else {
        for Finding {
            path,
            line,
            rule,
            message,
        } in &findings
        {
            println!("{path}:{line}: {message} ({rule})");
        }
        println!("{}", summary(files.len(), findings.len()));
    }
    Ok(if findings.is_empty() {
        Exit::Success
    } else {
        Exit::Failed
    })
}

fn summary(files: usize, findings: usize) -> String {
    let rules = RULES.len() + [TOP_LEVEL, LINK, COMMAND, PROMISE, CASES].len();
    match findings {
        0 => format!("{files} files keep {rules} rules"),
        _ => format!("{findings} findings in {files} files"),
    }
}

/// Everything that is wrong, sorted.
fn check(files: &[SourceFile], grammar: &clap::Command) -> Vec<Finding> {
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut findings = layout::top_level(&paths);
    for file in files {
        let mut add = |rule: &'static str, hits: Vec<Hit>| {
            findings.extend(hits.into_iter().map(|hit| Finding {
                path: file.path.clone(),
                line: hit.line,
                rule,
                message: hit.message,
            }));
        };
        for rule in RULES {
            add(rule.name, (rule.check)(file));
        }
        add(LINK, docs::links(file, &paths));
        add(COMMAND, docs::commands(file, grammar));
        add(PROMISE, requirements::promises(file, files));
        add(CASES, docs::cases(file, files));
    }
    findings.sort();
    findings
}

/// No line is hit.
#[cfg(test)]
const NOWHERE: [usize; 0] = [];

/// Lines of a made file that a rule hits.
#[cfg(test)]
fn hit_lines(rule: fn(&SourceFile) -> Vec<Hit>, path: &str, text: &str) -> Vec<usize> {
    let hits = rule(&SourceFile::new(path, text));
    hits.iter().map(|hit| hit.line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grammar() -> clap::Command {
        clap::Command::new("cargo xtask").subcommand(clap::Command::new("setup"))
    }

    fn tree(extra: &[(&str, &str)]) -> Vec<SourceFile> {
        let mut files: Vec<SourceFile> = layout::REQUIRED
            .iter()
            .map(|name| match name.contains('.') && !name.starts_with('.') {
                true => SourceFile::new(name, "\n"),
                false => SourceFile::new(&format!("{name}/keep"), "kept\n"),
            })
            .collect();
        files.extend(extra.iter().map(|(path, text)| SourceFile::new(path, text)));
        files
    }

    #[test]
    fn a_tidy_tree_has_no_findings() {
        let files = tree(&[("xtask/src/main.rs", "//! Main.\n\nfn main() {}\n")]);
        assert_eq!(check(&files, &grammar()), []);
    }

    #[test]
    fn findings_name_path_line_and_rule_in_order() {
        let files = tree(&[
            (
                "xtask/src/main.rs",
                "//! Main.\n\nfn main() { x.unwrap() } \n",
            ),
            (
                "docs/a.md",
                "[gone](gone.md)\n\n```sh\ncargo xtask paint\n```\n",
            ),
        ]);
        let findings = check(&files, &grammar());
        let seen: Vec<(&str, usize, &str)> = findings
            .iter()
            .map(|f| (f.path.as_str(), f.line, f.rule))
            .collect();
        assert_eq!(
            seen,
            [
                ("docs/a.md", 1, "link"),
                ("docs/a.md", 4, "command"),
                ("xtask/src/main.rs", 3, "banned-call"),
                ("xtask/src/main.rs", 3, "blanks"),
            ]
        );
    }

    #[test]
    fn rule_names_differ_and_the_summary_counts() {
        let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
        assert_eq!(names.len(), RULES.len());
        assert!(summary(7, 0).starts_with("7 files keep "));
        assert_eq!(summary(7, 2), "2 findings in 7 files");
    }
}
