//! What names a native build, and why one build is not another. Pure, but for reading headers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use longrun_protocol::BuildIdentity;

use crate::digest;
use crate::failure::{Failure, Outcome};

/// Version of [`BuildIdentity`].
pub const IDENTITY_VERSION: u32 = 1;

/// Reasons that are spelled out; more are counted.
const REASONS_MAX: usize = 12;

/// Digest of everything in `identity` but the key itself.
pub fn build_key(identity: &BuildIdentity) -> String {
    let mut nameless = identity.clone();
    nameless.build_key.clear();
    // Maps are sorted and structures keep their order, so equal identities give equal text.
    let text = serde_json::to_string(&nameless).unwrap_or_default();
    digest::of_bytes(text.as_bytes())
}

/// Why `now` needs a build when `previous` was the last one used.
pub fn reasons(previous: Option<&BuildIdentity>, now: &BuildIdentity) -> Vec<String> {
    let Some(previous) = previous else {
        return vec!["there is no earlier build here".to_owned()];
    };
    let mut reasons = Vec::new();
    let texts = [
        ("native version", &previous.version, &now.version),
        ("build profile", &previous.profile, &now.profile),
        (
            "compiler family",
            &previous.compiler.family,
            &now.compiler.family,
        ),
        (
            "compiler",
            &previous.compiler.version,
            &now.compiler.version,
        ),
        (
            "compiler target",
            &previous.compiler.target,
            &now.compiler.target,
        ),
        ("instruction set", &previous.isa, &now.isa),
    ];
    for (what, before, after) in texts {
        if before != after {
            reasons.push(format!("{what} changed from `{before}` to `{after}`"));
        }
    }
    let (before, after) = (previous.flags.join(" "), now.flags.join(" "));
    if before != after {
        reasons.push(format!("flags changed from `{before}` to `{after}`"));
    }
    reasons.extend(map_differences(
        "library",
        &previous.libraries,
        &now.libraries,
    ));
    reasons.extend(map_differences("source", &previous.sources, &now.sources));
    let more = reasons.len().saturating_sub(REASONS_MAX);
    if more > 0 {
        reasons.truncate(REASONS_MAX);
        reasons.push(format!("and {more} more"));
    }
    if reasons.is_empty() {
        reasons.push(format!(
            "the build {:.12} is not in the cache",
            now.build_key
        ));
    }
    reasons
}

/// What differs between two maps, one sentence a key.
pub fn map_differences(
    what: &str,
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
) -> Vec<String> {
    let mut differences = Vec::new();
    for (key, value) in after {
        match before.get(key) {
            None => differences.push(format!("{what} `{key}` is new")),
            Some(old) if old != value => differences.push(format!("{what} `{key}` changed")),
            Some(_) => {}
        }
    }
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        differences.push(format!("{what} `{key}` is gone"));
    }
    differences
}

/// `x.y.z` of `project(NAME VERSION x.y.z …)` in the text of a CMakeLists.txt.
pub fn project_version(lists: &str) -> Option<String> {
    let (_, after) = lists.split_once("project(")?;
    let (arguments, _) = after.split_once(')')?;
    let mut words = arguments.split_whitespace();
    words.find(|word| *word == "VERSION")?;
    words.next().map(str::to_owned)
}

/// Versions of the ABI areas, as the headers define them: `#define LONGRUN_<AREA>_ABI <n>`.
pub fn abi_versions(include: &Path) -> Outcome<BTreeMap<String, i32>> {
    let mut versions = BTreeMap::new();
    let mut folders = vec![include.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "h") {
                let text = fs::read_to_string(&path)
                    .map_err(|e| Failure::file("read the header", &path, e))?;
                versions.extend(abi_of_header(&text));
            }
        }
    }
    Ok(versions)
}

fn abi_of_header(text: &str) -> Vec<(String, i32)> {
    let define = |line: &str| {
        let rest = line.strip_prefix("#define LONGRUN_")?;
        let (area, version) = rest.split_once("_ABI ")?;
        Some((area.to_lowercase(), version.trim().parse().ok()?))
    };
    text.lines().filter_map(define).collect()
}

/// Text that begins the identity section of a native library.
const MAGIC: &[u8; 16] = b"longrun-identity";

/// Build key that the bytes of a library carry in their identity section.
pub fn carried_key(library: &[u8]) -> Option<String> {
    let at = library
        .windows(MAGIC.len())
        .position(|window| window == MAGIC)?;
    let text = library.get(at + MAGIC.len()..)?;
    let end = text.iter().take(72).position(|byte| *byte == 0)?;
    String::from_utf8(text.get(..end)?.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use longrun_protocol::{Backend, Compiler};

    fn identity() -> BuildIdentity {
        BuildIdentity {
            schema_version: IDENTITY_VERSION,
            build_key: String::new(),
            backend: Backend::Cpu,
            version: "0.1.0".into(),
            profile: "Release".into(),
            compiler: Compiler {
                family: "gnu".into(),
                version: "12.2.0".into(),
                target: "x86_64-linux-gnu".into(),
            },
            flags: vec!["-march=native".into()],
            isa: "avx2".into(),
            libraries: BTreeMap::from([("fftw3".into(), "3.3.10".into())]),
            abi: BTreeMap::from([("core".into(), 1)]),
            sources: BTreeMap::from([("src/a.cpp".into(), "1".into())]),
        }
    }

    fn changed(change: impl FnOnce(&mut BuildIdentity)) -> Vec<String> {
        let before = identity();
        let mut after = identity();
        change(&mut after);
        assert_ne!(build_key(&before), build_key(&after));
        reasons(Some(&before), &after)
    }

    #[test]
    fn the_key_does_not_depend_on_itself() {
        let mut named = identity();
        named.build_key = build_key(&identity());
        assert_eq!(build_key(&named), build_key(&identity()));
    }

    #[test]
    fn every_input_changes_the_key_and_is_named_as_the_reason() {
        let compiler = changed(|i| i.compiler.version = "13.1".into());
        assert_eq!(compiler, ["compiler changed from `12.2.0` to `13.1`"]);
        let flag = changed(|i| i.flags.push("-O1".into()));
        assert_eq!(
            flag,
            ["flags changed from `-march=native` to `-march=native -O1`"]
        );
        let isa = changed(|i| i.isa = "avx512".into());
        assert_eq!(isa, ["instruction set changed from `avx2` to `avx512`"]);
        let library = changed(|i| {
            i.libraries.insert("fftw3".into(), "3.4".into());
        });
        assert_eq!(library, ["library `fftw3` changed"]);
        let edited = changed(|i| {
            i.sources.insert("src/a.cpp".into(), "2".into());
        });
        assert_eq!(edited, ["source `src/a.cpp` changed"]);
        let added = changed(|i| {
            i.sources.insert("src/b.hpp".into(), "1".into());
        });
        assert_eq!(added, ["source `src/b.hpp` is new"]);
        assert_eq!(
            changed(|i| i.sources.clear()),
            ["source `src/a.cpp` is gone"]
        );
    }

    #[test]
    fn the_first_build_says_so() {
        assert_eq!(
            reasons(None, &identity()),
            ["there is no earlier build here"]
        );
    }

    #[test]
    fn many_reasons_are_counted() {
        let many = changed(|i| {
            for n in 0..30 {
                i.sources.insert(format!("src/{n}.cpp"), "1".into());
            }
        });
        assert_eq!(many.len(), REASONS_MAX + 1);
        assert_eq!(many[REASONS_MAX], "and 18 more");
    }

    #[test]
    fn version_and_abi_are_read_from_the_sources() {
        let lists = "cmake_minimum_required(VERSION 3.24)\nproject(longrun\n  VERSION 0.3.1\n)";
        assert_eq!(project_version(lists), Some("0.3.1".into()));
        assert_eq!(project_version("project(x)"), None);
        let header = "#define LONGRUN_OPTICS_ABI 4\n#define LONGRUN_API x\n";
        assert_eq!(abi_of_header(header), [("optics".into(), 4)]);
    }

    #[test]
    fn the_carried_key_is_found_in_the_bytes() {
        let mut bytes = b"ELF....longrun-identityabc123".to_vec();
        bytes.extend([0; 100]);
        assert_eq!(carried_key(&bytes), Some("abc123".into()));
        assert_eq!(carried_key(b"ELF"), None);
    }
}
