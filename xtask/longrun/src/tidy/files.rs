//! The files that the rules are about: read from the working tree, with what the rules need to
//! know of each.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::code;
use super::language::Language;
use crate::failure::{Failure, Outcome};
use crate::machine::process::output_within;
use crate::shell;
use xshell::cmd;

/// Longest file that is checked; a longer one is data.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// How long git may take to list the files.
const GIT_LIMIT: Duration = Duration::from_secs(60);

/// One text file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Its content.
    pub text: String,
    /// Its content with comments and literals blanked out, line by line the same.
    pub code: String,
    /// Its language.
    pub language: Language,
    /// Whether all of it is test code.
    pub is_test: bool,
    /// For each line whether it belongs to a test module.
    test_lines: Vec<bool>,
}

impl SourceFile {
    /// A file from its path and content.
    pub fn new(path: &str, text: &str) -> SourceFile {
        let language = language(path);
        let code = match language {
            Language::Rust | Language::Cpp => code::mask(text, language),
            _ => text.to_owned(),
        };
        let test_lines = match language {
            Language::Rust => code::test_lines(&code),
            _ => Vec::new(),
        };
        let is_test = path
            .split('/')
            .any(|part| part == "tests" || part == "tests.rs" || part.ends_with("_tests.rs"));
        SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
            code,
            language,
            is_test,
            test_lines,
        }
    }

    /// Whether a line, counted from 1, is test code.
    pub fn is_test_line(&self, line: usize) -> bool {
        let index = line.saturating_sub(1);
        self.is_test || self.test_lines.get(index).copied().unwrap_or(false)
    }

    /// Paths of the modules that this file declares for tests only, in files of their own.
    fn test_modules(&self) -> Vec<String> {
        let stem = self.path.strip_suffix(".rs").unwrap_or(&self.path);
        let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        let folder = match name {
            "lib" | "main" => folder,
            _ => stem,
        };
        let modules = code::test_modules(&self.code);
        modules
            .into_iter()
            .map(|module| format!("{folder}/{module}.rs"))
            .collect()
    }
}

fn language(path: &str) -> Language {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name == "Cargo.toml" {
        return Language::Manifest;
    }
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("rs") => Language::Rust,
        Some("cpp" | "hpp" | "c" | "h" | "cu" | "cuh" | "hip") => Language::Cpp,
        Some("md") => Language::Markdown,
        _ => Language::Other,
    }
}

/// Marks the files that other files declare as test modules.
pub fn mark_test_modules(files: &mut [SourceFile]) {
    let rust = files.iter().filter(|file| file.language == Language::Rust);
    let modules: BTreeSet<String> = rust.flat_map(SourceFile::test_modules).collect();
    for file in files {
        file.is_test |= modules.contains(&file.path);
    }
}

/// Every text file that git tracks or would track, sorted by path.
pub fn read_all(root: &Path) -> Outcome<Vec<SourceFile>> {
    let mut files = Vec::new();
    for path in list(root)? {
        let full = root.join(&path);
        // A file that was deleted, a link and a submodule have no text of their own.
        let Ok(metadata) = fs::symlink_metadata(&full) else {
            continue;
        };
        if !metadata.is_file() || metadata.len() > FILE_BYTES_MAX {
            continue;
        }
        let bytes = fs::read(&full).map_err(|e| Failure::file("read", Path::new(&path), e))?;
        // Bytes that are no text are data.
        if let Ok(text) = String::from_utf8(bytes)
            && !text.contains('\0')
        {
            files.push(SourceFile::new(&path, &text));
        }
    }
    mark_test_modules(&mut files);
    Ok(files)
}

fn list(root: &Path) -> Outcome<BTreeSet<String>> {
    let refuse = |cause: String| {
        Failure::environment(format!(
            "failed to list the files of the repository: {cause}; `tidy` needs git and a checkout"
        ))
    };
    let shell = shell::in_folder(root)?;
    let git = cmd!(
        shell,
        "git ls-files --cached --others --exclude-standard -z"
    )
    .env("LC_ALL", "C");
    let output = output_within(git.into(), GIT_LIMIT).map_err(|e| refuse(format!("`git`: {e}")))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(refuse(
            stderr.lines().next().unwrap_or("git failed").to_owned(),
        ));
    }
    let listing = String::from_utf8_lossy(&output.stdout);
    Ok(listing
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::machine::made::MadeMachine;
    use std::process::Command;

    #[test]
    fn a_module_declared_for_tests_is_a_test_file() {
        let mut files = vec![
            SourceFile::new("a/src/lib.rs", "#[cfg(test)]\nmod helper;\nmod plain;\n"),
            SourceFile::new("a/src/helper.rs", ""),
            SourceFile::new("a/src/plain.rs", "#[cfg(all(test, unix))]\npub mod made;\n"),
            SourceFile::new("a/src/plain/made.rs", ""),
            SourceFile::new("tests/src/dsl.rs", ""),
            SourceFile::new("a/src/plan_tests.rs", ""),
        ];
        mark_test_modules(&mut files);
        let marked: Vec<bool> = files.iter().map(|file| file.is_test).collect();
        assert_eq!(marked, [false, true, false, true, true, true]);
    }

    #[test]
    fn lines_of_a_test_module_are_test_lines() {
        let file = SourceFile::new(
            "a.rs",
            "fn a() {}\n#[cfg(test)]\nmod tests {\n}\nfn b() {}\n",
        );
        let lines: Vec<bool> = (1..=5).map(|line| file.is_test_line(line)).collect();
        assert_eq!(lines, [false, true, true, true, false]);
    }

    #[test]
    fn ignored_and_deleted_files_are_not_read() {
        let made = MadeMachine::empty();
        let git = |words: &[&str]| {
            let mut command = Command::new("git");
            command.args(words).current_dir(made.root());
            assert!(output_within(command, GIT_LIMIT).unwrap().status.success());
        };
        git(&["init", "--quiet"]);
        made.file(".gitignore", "/target\n");
        made.file("gone.rs", "//! x\n");
        made.file("kept.rs", "//! x\n");
        git(&["add", "gone.rs", "kept.rs"]);
        fs::remove_file(made.root().join("gone.rs")).unwrap();
        made.file("new.md", "x\n");
        made.file("target/x.rs", "");
        fs::write(made.root().join("data.bin"), [0, 159, 146, 150]).unwrap();
        let files = read_all(made.root()).unwrap();
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, [".gitignore", "kept.rs", "new.md"]);
    }

    #[test]
    fn a_folder_that_is_no_checkout_is_an_error() {
        let made = MadeMachine::empty();
        let failure = read_all(made.root()).unwrap_err();
        assert!(failure.message.starts_with("failed to list"), "{failure}");
    }
}
