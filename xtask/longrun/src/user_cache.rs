//! The user's cache folder: what costs more than a build to make again, and outlives `cargo clean`.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// Folder of Longrun in the user's cache, by the convention of the system; `None` where the
/// environment names none.
pub fn folder() -> Option<PathBuf> {
    of(env::consts::OS, |name| env::var_os(name))
}

/// The same for any system and environment. Pure.
fn of(system: &str, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // A relative path would depend on where the command is given; the convention ignores it too.
    let folder = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.has_root())
    };
    let cache = folder("XDG_CACHE_HOME").or_else(|| match system {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => folder("HOME").map(|home| home.join("Library").join("Caches")),
        _ => folder("HOME").map(|home| home.join(".cache")),
    });
    cache.map(|cache| cache.join("longrun"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_convention_of_each_system_is_followed() {
        type Row = (
            &'static str,
            &'static [(&'static str, &'static str)],
            Option<&'static str>,
        );
        let table: [Row; 8] = [
            (
                "linux",
                &[("HOME", "/h"), ("XDG_CACHE_HOME", "/c")],
                Some("/c/longrun"),
            ),
            ("linux", &[("HOME", "/h")], Some("/h/.cache/longrun")),
            (
                "linux",
                &[("HOME", "/h"), ("XDG_CACHE_HOME", "c")],
                Some("/h/.cache/longrun"),
            ),
            ("linux", &[("HOME", "")], None),
            ("linux", &[], None),
            (
                "macos",
                &[("HOME", "/h")],
                Some("/h/Library/Caches/longrun"),
            ),
            (
                "macos",
                &[("HOME", "/h"), ("XDG_CACHE_HOME", "/c")],
                Some("/c/longrun"),
            ),
            (
                "windows",
                &[("HOME", "/h"), ("LOCALAPPDATA", "/l")],
                Some("/l/longrun"),
            ),
        ];
        for (system, variables, expected) in table {
            let value = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| OsString::from(value))
            };
            let expected = expected.map(PathBuf::from);
            assert_eq!(of(system, value), expected, "{system} {variables:?}");
        }
    }
}
