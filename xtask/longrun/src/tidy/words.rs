//! Rules about words that must not get into the repository: paths of somebody's machine and
//! addresses of package registries.

use super::Hit;
use super::files::SourceFile;

/// Folders that exist on one machine only. Written in halves, so that this file keeps its rule.
const MACHINE_FOLDERS: [&str; 5] = [
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("/tm", "p/"),
    concat!("/wo", "rk/"),
];

/// Hosts of package registries and archives.
const REGISTRY_HOSTS: [&str; 12] = [
    concat!("index.crates", ".io"),
    concat!("static.crates", ".io"),
    concat!("://crates", ".io"),
    concat!("crates.io", "-index"),
    concat!("pypi", ".org"),
    concat!("files.python", "hosted.org"),
    concat!("deb.debian", ".org"),
    concat!("security.debian", ".org"),
    concat!("archive.ubuntu", ".com"),
    concat!("registry.npmjs", ".org"),
    concat!("conda.anaconda", ".org"),
    concat!("proxy.golang", ".org"),
];

/// How a lock file names the public registry, whichever mirror was used.
const LOCK_SOURCE: &str = concat!("registry+https://github.com/rust-lang/crates.io", "-index");

/// No absolute path into a folder of somebody's machine. Tests may make up such paths.
pub fn machine_paths(file: &SourceFile) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        if file.is_test_line(number) {
            continue;
        }
        for folder in MACHINE_FOLDERS {
            if line
                .match_indices(folder)
                .any(|(at, _)| begins_path(line, at))
            {
                hits.push(Hit::new(
                    number,
                    format!("a path of one machine: `{folder}`"),
                ));
            }
        }
    }
    hits
}

/// Whether a slash begins a path: it does not where something that a path goes on from precedes.
fn begins_path(line: &str, at: usize) -> bool {
    let before = line.get(..at).and_then(|before| before.chars().next_back());
    !before.is_some_and(|c| c.is_alphanumeric() || "_-.~})]>*?".contains(c))
}

/// No address of a package registry, except how a lock file names the public one.
pub fn registry_hosts(file: &SourceFile) -> Vec<Hit> {
    let is_lock = file.path == "Cargo.lock";
    let mut hits = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        if is_lock {
            if let Some(source) = line.strip_prefix("source = ")
                && source.trim_matches('"') != LOCK_SOURCE
            {
                hits.push(Hit::new(
                    number,
                    format!("a source other than the public registry: {source}"),
                ));
            }
            continue;
        }
        for host in REGISTRY_HOSTS {
            if line.contains(host) {
                hits.push(Hit::new(
                    number,
                    format!("an address of a package registry: `{host}`"),
                ));
            }
        }
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::super::{NOWHERE, hit_lines as lines};
    use super::*;

    #[test]
    fn absolute_paths_of_a_machine_are_found_in_any_file() {
        for folder in MACHINE_FOLDERS {
            let text = format!("ok\nsee {folder}ada/x\n");
            for path in ["a.rs", "README.md", ".ci/run", "x.toml"] {
                assert_eq!(lines(machine_paths, path, &text), [2], "{path} {folder}");
            }
            assert_eq!(lines(machine_paths, "tests/a.rs", &text), NOWHERE);
        }
    }

    #[test]
    fn the_same_names_inside_a_path_are_not_absolute() {
        for folder in MACHINE_FOLDERS {
            for before in ["target", "$OUT", "{root}", "..", "~"] {
                let text = format!("{before}{folder}x\n");
                assert_eq!(lines(machine_paths, "a.sh", &text), NOWHERE, "{text}");
            }
        }
    }

    #[test]
    fn registries_have_no_address_here() {
        for host in REGISTRY_HOSTS {
            let text = format!("x\nhttps{host}/simple\n");
            assert_eq!(lines(registry_hosts, "docs/a.md", &text), [2], "{host}");
        }
        assert_eq!(
            lines(registry_hosts, "docs/a.md", "published on crates.io\n"),
            NOWHERE
        );
    }

    #[test]
    fn a_lock_file_names_the_public_registry_and_no_mirror() {
        let good = format!("source = \"{LOCK_SOURCE}\"\n");
        assert_eq!(lines(registry_hosts, "Cargo.lock", &good), NOWHERE);
        let mirror = "source = \"sparse+https://mirror.example/index/\"\n";
        assert_eq!(lines(registry_hosts, "Cargo.lock", mirror), [1]);
    }
}
