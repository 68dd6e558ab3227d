//! The rule about the top level: exactly the names that the architecture describes.

use std::collections::BTreeSet;

use super::Finding;

/// Names that must be there.
pub const REQUIRED: [&str; 9] = [
    "Cargo.toml",
    "xtask",
    "native",
    "workloads",
    "history",
    ".cargo",
    "docs",
    "tests",
    "README.md",
];

/// Names that may be there, beside names that begin with a dot.
const ALLOWED: [&str; 1] = ["Cargo.lock"];

/// The top level has every required name and no other.
pub fn top_level(paths: &BTreeSet<&str>) -> Vec<Finding> {
    let names: BTreeSet<&str> = paths
        .iter()
        .filter_map(|path| path.split('/').next())
        .collect();
    let finding = |name: &str, message: &str| Finding {
        path: name.to_owned(),
        line: 1,
        rule: super::TOP_LEVEL,
        message: message.to_owned(),
    };
    let known = |name: &str| REQUIRED.contains(&name) || ALLOWED.contains(&name);
    let strange = names
        .iter()
        .filter(|name| !known(name) && !name.starts_with('.'))
        .map(|name| finding(name, "nothing of this name belongs at the top level"));
    let absent = REQUIRED
        .iter()
        .filter(|name| !names.contains(*name))
        .map(|name| finding(name, "this belongs at the top level and has no files"));
    strange.chain(absent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_level_is_exactly_what_is_described() {
        let mut paths: BTreeSet<&str> = REQUIRED.into_iter().collect();
        paths.extend(["Cargo.lock", ".ci/run", ".gitignore", "docs/manual.md"]);
        assert_eq!(top_level(&paths), []);
        paths.insert("notes.txt");
        paths.insert("scripts/x.sh");
        paths.remove("history");
        let found: Vec<String> = top_level(&paths).into_iter().map(|f| f.path).collect();
        assert_eq!(found, ["notes.txt", "scripts", "history"]);
    }
}
