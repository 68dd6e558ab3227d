//! Rules about documents: links lead to files, commands in fenced blocks are commands of this
//! program, and tables that are made are as they would be made.

use std::collections::BTreeSet;

use clap::error::ErrorKind;

use super::Hit;
use super::files::SourceFile;
use super::language::Language;
use crate::cases;
use crate::project::Settings;

/// How a command of this program begins.
const PROGRAM: [&str; 2] = ["cargo", "xtask"];

/// A line of a document that is inside a fenced block, or not.
struct Line<'a> {
    number: usize,
    text: &'a str,
    fenced: bool,
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        let start = text.trim_start();
        let marker = ["```", "~~~"]
            .into_iter()
            .find(|marker| start.starts_with(marker));
        match (fence, marker) {
            (None, Some(_)) => fence = marker,
            (Some(open), Some(close)) if open == close => fence = None,
            _ => lines.push(Line {
                number,
                text,
                fenced: fence.is_some(),
            }),
        }
    }
    lines
}

/// Relative links in documents lead to files of the repository.
pub fn links(file: &SourceFile, paths: &BTreeSet<&str>) -> Vec<Hit> {
    if file.language != Language::Markdown {
        return Vec::new();
    }
    let mut hits = Vec::new();
    for line in lines(&file.text).into_iter().filter(|line| !line.fenced) {
        for target in link_targets(line.text) {
            let elsewhere = target.contains("://") || target.starts_with("mailto:");
            let target = target.split('#').next().unwrap_or_default();
            if elsewhere || target.is_empty() {
                continue;
            }
            if !resolve(&file.path, target).is_some_and(|path| exists(&path, paths)) {
                hits.push(Hit::new(
                    line.number,
                    format!("the link `{target}` leads to no file"),
                ));
            }
        }
    }
    hits
}

/// Targets of `[text](target)` in a line, outside inline code.
fn link_targets(line: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    let outside_code = line.split('`').step_by(2);
    for part in outside_code {
        for after in part.split("](").skip(1) {
            if let Some((target, _)) = after.split_once(')') {
                // A title may follow the target.
                targets.extend(target.split_whitespace().next());
            }
        }
    }
    targets
}

/// The path that a link means; `None` where it leaves the repository.
fn resolve(from: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

fn exists(path: &str, paths: &BTreeSet<&str>) -> bool {
    let folder = format!("{path}/");
    path.is_empty()
        || paths
            .iter()
            .any(|other| *other == path || other.starts_with(&folder))
}

/// Commands of this program in fenced blocks have verbs and flags that exist.
pub fn commands(file: &SourceFile, grammar: &clap::Command) -> Vec<Hit> {
    if file.language != Language::Markdown {
        return Vec::new();
    }
    let fenced: Vec<Line> = lines(&file.text)
        .into_iter()
        .filter(|line| line.fenced)
        .collect();
    let mut hits = Vec::new();
    for (number, text) in joined(&fenced) {
        for command in split_commands(&text) {
            let Some(arguments) = own_arguments(&command) else {
                continue;
            };
            if let Some(problem) = refused(arguments, grammar) {
                let line = command.join(" ");
                hits.push(Hit::new(
                    number,
                    format!("`{line}` is no command: {problem}"),
                ));
            }
        }
    }
    hits
}

/// The tables of the page of the cases are those that `cases` would make.
pub fn cases(file: &SourceFile, files: &[SourceFile]) -> Vec<Hit> {
    if file.path != cases::PAGE {
        return Vec::new();
    }
    // These rules are about this repository, which keeps the folders that are usual.
    let settings = Settings::default();
    let texts = files
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_str()));
    let stale = cases::stale(&file.text, texts, &settings);
    let hit = |damage: cases::Damage| Hit::new(damage.line, damage.cause);
    stale.into_iter().map(hit).collect()
}

/// Lines with their continuations, under the number of the first.
fn joined(lines: &[Line]) -> Vec<(usize, String)> {
    let mut joined: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for line in lines {
        let body = line.text.strip_suffix('\\');
        let text = body.unwrap_or(line.text);
        match joined.last_mut().filter(|_| open) {
            Some((_, before)) => before.push_str(text),
            None => joined.push((line.number, text.to_owned())),
        }
        open = body.is_some();
    }
    joined
}

/// Words of each command of a shell line; a comment ends it.
fn split_commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, '&' | '|' | ';') => {
                finish(&mut commands, word.take());
                commands.push(Vec::new());
            }
            (None, c) if c.is_whitespace() => finish(&mut commands, word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    finish(&mut commands, word);
    commands.retain(|command| !command.is_empty());
    commands
}

fn finish(commands: &mut [Vec<String>], word: Option<String>) {
    if let (Some(word), Some(command)) = (word, commands.last_mut()) {
        command.push(word);
    }
}

/// The arguments of a command of this program, after a prompt and variables.
fn own_arguments(command: &[String]) -> Option<&[String]> {
    let is_before = |word: &String| word == "$" || word.contains('=');
    let start = command.iter().position(|word| !is_before(word))?;
    let (program, arguments) = command.get(start..)?.split_at_checked(PROGRAM.len())?;
    (program == PROGRAM).then_some(arguments)
}

/// Why the grammar refuses a command; `None` where it takes it.
fn refused(arguments: &[String], grammar: &clap::Command) -> Option<String> {
    // What a reader's shell would redirect is no argument.
    let redirects = |word: &String| word.starts_with('>') || word.starts_with("2>");
    let words = arguments.iter().take_while(|word| !redirects(word));
    let line = std::iter::once(PROGRAM.join(" ")).chain(words.cloned());
    match grammar.clone().try_get_matches_from(line) {
        Ok(_) => None,
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => None,
            _ => {
                let text = error.to_string();
                let first = text.lines().next().unwrap_or("it is refused");
                Some(first.trim_start_matches("error: ").to_owned())
            }
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::NOWHERE;
    use super::*;
    use clap::{Arg, ArgAction, Command};

    fn grammar() -> Command {
        let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
        let size = Arg::new("size")
            .long("size")
            .value_parser(["full", "smoke"]);
        Command::new("cargo xtask")
            .subcommand_required(true)
            .subcommand(Command::new("track").arg(size))
            .subcommand(Command::new("tidy").arg(json))
    }

    fn hits(block: &str) -> Vec<usize> {
        let text = format!("# Title\n\n```sh\n{block}\n```\n");
        let file = SourceFile::new("README.md", &text);
        commands(&file, &grammar())
            .iter()
            .map(|hit| hit.line)
            .collect()
    }

    #[test]
    fn commands_with_verbs_and_flags_that_exist_pass() {
        for block in [
            "cargo xtask track --size smoke",
            "$ cargo xtask tidy --json | less",
            "cargo xtask tidy && cargo xtask track # both",
            "cargo xtask track \\\n  --size smoke",
            "CXX=clang++ cargo xtask track --size 'full'",
            "cargo xtask --help",
            "cargo xtask tidy --json > report.json",
            "cargo xtask tidy --json 2>errors.log",
            "cargo test --workspace",
            "# cargo xtask paint",
        ] {
            assert_eq!(hits(block), NOWHERE, "{block}");
        }
    }

    #[test]
    fn commands_that_do_not_exist_are_found_with_their_line() {
        for (block, line) in [
            ("cargo xtask paint", 4),
            ("echo a\ncargo xtask track --colour", 5),
            ("cargo xtask track --size huge", 4),
            ("cargo xtask tidy && cargo xtask paint", 4),
            ("cargo xtask", 4),
            ("cargo xtask track \\\n  --colour", 4),
        ] {
            assert_eq!(hits(block), [line], "{block}");
        }
    }

    #[test]
    fn every_command_of_this_repositorys_documents_is_one_of_this_program() {
        use clap::CommandFactory;
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = std::fs::read_dir(root.join("docs")).unwrap();
        let pages = folder.map(|entry| entry.unwrap().path());
        let pages = pages.filter(|path| path.extension().is_some_and(|kind| kind == "md"));
        let pages: Vec<_> = pages.chain([root.join("README.md")]).collect();
        assert!(pages.len() > 5, "{pages:?}");
        for page in pages {
            let file = SourceFile::new("page.md", &std::fs::read_to_string(&page).unwrap());
            let hits = commands(&file, &crate::cli::Cli::command());
            assert_eq!(hits, [], "{}", page.display());
        }
    }

    #[test]
    fn commands_outside_fences_and_in_other_files_are_not_read() {
        let prose = SourceFile::new("README.md", "cargo xtask paint\n");
        assert_eq!(commands(&prose, &grammar()), []);
        let other = SourceFile::new("notes.txt", "```\ncargo xtask paint\n```\n");
        assert_eq!(commands(&other, &grammar()), []);
    }

    #[test]
    fn links_lead_to_files_or_folders_of_the_repository() {
        let paths = BTreeSet::from(["README.md", "docs/manual.md", "docs/cases.md"]);
        for (from, text, expected) in [
            ("README.md", "[a](docs/manual.md) [b](docs) [c](#there)", 0),
            (
                "docs/manual.md",
                "[a](cases.md#x) [b](../README.md) [c](./cases.md \"title\")",
                0,
            ),
            (
                "README.md",
                "[a](https://example.org/x) [b](mailto:a@example.org)",
                0,
            ),
            ("README.md", "`[a](gone.md)`", 0),
            ("README.md", "[a](gone.md)", 1),
            ("README.md", "[a](docs/gone.md) [b](../outside.md)", 2),
            ("README.md", "[a](/docs/manual.md)", 1),
            ("docs/manual.md", "![picture](picture.svg)", 1),
        ] {
            let file = SourceFile::new(from, text);
            assert_eq!(links(&file, &paths).len(), expected, "{text}");
        }
        let fenced = SourceFile::new("README.md", "```\n[a](gone.md)\n```\n");
        assert_eq!(links(&fenced, &paths), []);
    }
}
