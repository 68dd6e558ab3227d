//! Which part of a repository a question is about.

/// Path prefixes, relative to the root, with `/` between components.
///
/// A prefix covers the file or folder of that name and everything below it; it is a literal name,
/// never a pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// What is covered; empty covers everything.
    pub include: Vec<String>,
    /// What is left out again.
    pub exclude: Vec<String>,
    /// Whether the content of the working tree has the files that git ignores as well. They never
    /// make a tree dirty.
    pub ignored: bool,
}

impl Scope {
    /// The whole repository.
    pub fn everything() -> Self {
        Scope::default()
    }

    /// The same part of the repository, without the files that git ignores.
    pub(super) fn without_ignored(&self) -> Self {
        Scope {
            ignored: false,
            ..self.clone()
        }
    }

    /// Whether a path is covered.
    pub fn covers(&self, path: &str) -> bool {
        let under = |prefixes: &[String]| prefixes.iter().any(|prefix| is_under(path, prefix));
        (self.include.is_empty() || under(&self.include)) && !under(&self.exclude)
    }
}

/// Whether `path` is `prefix` or below it.
fn is_under(path: &str, prefix: &str) -> bool {
    let prefix = prefix.trim_end_matches('/');
    match path.strip_prefix(prefix) {
        Some(rest) => rest.is_empty() || rest.starts_with('/') || prefix.is_empty(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_covers_whole_components_only() {
        let scope = Scope {
            include: vec!["native".into(), "Cargo.toml".into(), "xtask/".into()],
            exclude: vec!["native/docs".into()],
            ignored: false,
        };
        for covered in ["native/src/a.cpp", "native", "Cargo.toml", "xtask/src/a.rs"] {
            assert!(scope.covers(covered), "{covered}");
        }
        for left_out in [
            "native2/a.cpp",
            "Cargo.toml.orig",
            "native/docs/a.md",
            "docs/native/a.md",
        ] {
            assert!(!scope.covers(left_out), "{left_out}");
        }
        assert!(scope.covers("native/docs2/a.md"));
        assert!(Scope::everything().covers("anything/at all"));
    }
}
