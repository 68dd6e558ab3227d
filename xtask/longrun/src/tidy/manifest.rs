//! The rule about dependencies: each has a comment that says why it is there.

use super::Hit;
use super::files::SourceFile;
use super::language::Language;

/// Every dependency of a package has a comment on the line above. The shared versions of the
/// workspace need none: the reason stands where a package takes them.
pub fn dependency_reasons(file: &SourceFile) -> Vec<Hit> {
    if file.language != Language::Manifest {
        return Vec::new();
    }
    let mut hits = Vec::new();
    let mut section = "";
    let mut depth = 0_usize;
    let mut above = "";
    for (number, line) in (1..).zip(file.text.lines()) {
        let inside_value = depth > 0;
        let header = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        if let Some(name) = header.filter(|_| !inside_value) {
            section = name;
        }
        let entry = !inside_value && dependency(section, header.is_some(), line);
        if entry && !above.trim_start().starts_with('#') {
            let message = "a dependency without a comment above that says why it is there";
            hits.push(Hit::new(number, message));
        }
        if header.is_none() && !line.trim_start().starts_with('#') {
            let count = |open: char| line.chars().filter(|c| *c == open).count();
            depth += count('[') + count('{');
            depth = depth.saturating_sub(count(']') + count('}'));
        }
        above = line;
    }
    hits
}

/// Whether a line begins a dependency: an entry of a list of dependencies, or a table of its own.
fn dependency(section: &str, is_header: bool, line: &str) -> bool {
    if section.starts_with("workspace.") {
        return false;
    }
    let (parent, last) = section.rsplit_once('.').unwrap_or(("", section));
    let is_list = |name: &str| name.ends_with("dependencies");
    match is_header {
        true => is_list(parent),
        false => is_list(last) && line.starts_with(|c: char| c.is_alphanumeric() || c == '"'),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NOWHERE, hit_lines};
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        hit_lines(dependency_reasons, path, text)
    }

    #[test]
    fn each_dependency_has_its_reason_on_the_line_above() {
        for (text, expected) in [
            ("[dependencies]\n# Formats.\nserde = \"1\"\n", vec![]),
            ("[dependencies]\nserde = \"1\"\n", vec![2]),
            (
                "[dependencies]\n# Formats.\nserde = \"1\"\ntoml.workspace = true\n",
                vec![4],
            ),
            ("[dev-dependencies]\nserde = \"1\"\n", vec![2]),
            (
                "[target.'cfg(unix)'.dependencies]\nrustix = \"1\"\n",
                vec![2],
            ),
            (
                "# Formats.\n[dependencies.serde]\nversion = \"1\"\n",
                vec![],
            ),
            ("[dependencies.serde]\nversion = \"1\"\n", vec![1]),
            ("[workspace.dependencies]\nserde = \"1\"\n", vec![]),
            ("[package]\nname = \"x\"\n", vec![]),
            (
                "[dependencies]\n# Why.\na = { version = \"1\", features = [\n\"b\",\n] }\n",
                vec![],
            ),
        ] {
            assert_eq!(lines("a/Cargo.toml", text), expected, "{text}");
        }
        assert_eq!(
            lines("a/other.toml", "[dependencies]\nserde = \"1\"\n"),
            NOWHERE
        );
    }
}
