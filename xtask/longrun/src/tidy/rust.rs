//! Rules about Rust: module documentation, banned calls, where `unsafe` may stand.

use super::Hit;
use super::code::{line_of, words};
use super::files::SourceFile;
use super::language::Language;

/// How many lines above `unsafe` its reason may begin.
const SAFETY_LINES: usize = 5;

/// Something that must not be written.
struct Banned {
    text: &'static str,
    /// Whether tests may use it.
    tests_may: bool,
    instead: &'static str,
}

const BANNED: &[Banned] = &[
    Banned {
        text: ".unwrap()",
        tests_may: true,
        instead: "return an error that says what to do",
    },
    Banned {
        text: ".expect(",
        tests_may: true,
        instead: "return an error that says what to do",
    },
    Banned {
        text: "panic!(",
        tests_may: true,
        instead: "return an error that says what to do",
    },
    Banned {
        text: "todo!(",
        tests_may: false,
        instead: "write it or leave it out",
    },
    Banned {
        text: "unimplemented!(",
        tests_may: false,
        instead: "write it or leave it out",
    },
    Banned {
        text: "dbg!(",
        tests_may: false,
        instead: "remove it",
    },
    Banned {
        text: "partial_cmp",
        tests_may: false,
        instead: "use `total_cmp`",
    },
    Banned {
        text: "#[ignore",
        tests_may: false,
        instead: "make the test run or delete it",
    },
    Banned {
        text: "allow(dead_code",
        tests_may: false,
        instead: "remove what is not used",
    },
];

/// Every Rust file begins with a `//!` comment.
pub fn module_doc(file: &SourceFile) -> Vec<Hit> {
    let begins = file
        .text
        .lines()
        .next()
        .is_some_and(|line| line.starts_with("//! "));
    match file.language == Language::Rust && !begins {
        true => vec![Hit::new(
            1,
            "the file does not begin with a `//!` comment that says its purpose",
        )],
        false => Vec::new(),
    }
}

/// Nothing that ends the program without a reason, hides dead code or skips a test.
pub fn banned_calls(file: &SourceFile) -> Vec<Hit> {
    if file.language != Language::Rust {
        return Vec::new();
    }
    let mut hits = Vec::new();
    for (number, line) in (1..).zip(file.code.lines()) {
        for banned in BANNED {
            let excused = banned.tests_may && file.is_test_line(number);
            if line.contains(banned.text) && !excused {
                let message = format!("`{}` is banned: {}", banned.text, banned.instead);
                hits.push(Hit::new(number, message));
            }
        }
    }
    hits
}

/// `unsafe` stands only where workers bind the C ABI, each block with its reason.
pub fn unsafe_code(file: &SourceFile) -> Vec<Hit> {
    if file.language != Language::Rust {
        return Vec::new();
    }
    let mut hits = Vec::new();
    for position in words(&file.code, "unsafe") {
        let line = line_of(&file.code, position);
        if !is_binding(&file.path) {
            hits.push(Hit::new(line, "`unsafe` outside the binding of the C ABI"));
            continue;
        }
        let after = file
            .code
            .get(position + "unsafe".len()..)
            .unwrap_or_default()
            .trim_start();
        let does = after.starts_with('{') || after.starts_with("impl");
        if does && !has_reason(&file.text, line) {
            let message = format!("no `// SAFETY:` comment within {SAFETY_LINES} lines above");
            hits.push(Hit::new(line, message));
        }
    }
    hits
}

/// `workloads/<crate>/src/native.rs` and what lies under `native/`, or begins so.
fn is_binding(path: &str) -> bool {
    let mut parts = path.split('/');
    let shape = [parts.next(), parts.next(), parts.next(), parts.next()];
    matches!(shape, [Some("workloads"), Some(_), Some("src"), Some(name)]
        if name.starts_with("native"))
}

fn has_reason(text: &str, line: usize) -> bool {
    let first = line.saturating_sub(SAFETY_LINES + 1);
    let above = text.lines().take(line).skip(first);
    above.into_iter().any(|line| line.contains("SAFETY:"))
}

#[cfg(test)]
mod tests {
    use super::super::{NOWHERE, hit_lines as lines};
    use super::*;

    #[test]
    fn a_module_says_its_purpose_first() {
        assert_eq!(lines(module_doc, "a.rs", "//! Purpose.\n"), NOWHERE);
        assert_eq!(lines(module_doc, "a.rs", "use std::fs;\n//! Late.\n"), [1]);
        assert_eq!(lines(module_doc, "a.rs", ""), [1]);
        assert_eq!(lines(module_doc, "a.cpp", "int x;\n"), NOWHERE);
    }

    #[test]
    fn what_ends_the_program_is_banned_outside_tests() {
        for call in ["x.unwrap();", "x.expect(\"y\");", "panic!(\"x\");"] {
            let text = format!("fn f() {{ {call} }}\n");
            assert_eq!(lines(banned_calls, "a.rs", &text), [1], "{call}");
            assert_eq!(lines(banned_calls, "tests/a.rs", &text), NOWHERE, "{call}");
            let test = format!("#[cfg(test)]\nmod tests {{\n{text}}}\n{text}");
            assert_eq!(lines(banned_calls, "a.rs", &test), [5], "{call}");
        }
    }

    #[test]
    fn what_hides_is_banned_in_tests_too() {
        for call in [
            "todo!()",
            "unimplemented!()",
            "dbg!(x)",
            "a.partial_cmp(b)",
            "#[ignore]",
        ] {
            let text = format!("fn f() {{ {call} }}\n");
            assert_eq!(lines(banned_calls, "tests/a.rs", &text), [1], "{call}");
        }
        assert_eq!(lines(banned_calls, "a.rs", "#![allow(dead_code)]\n"), [1]);
    }

    #[test]
    fn words_in_comments_and_literals_are_not_calls() {
        let text = "// x.unwrap() and panic!(\nconst A: &str = \"dbg!( #[ignore todo!(\";\n";
        assert_eq!(lines(banned_calls, "a.rs", text), NOWHERE);
        assert_eq!(
            lines(
                banned_calls,
                "a.rs",
                "x.unwrap_or(1); x.unwrap_or_default();\n"
            ),
            NOWHERE
        );
    }

    #[test]
    fn unsafe_stands_only_in_the_binding_and_with_a_reason() {
        let bare = "fn f() { unsafe { g() } }\n";
        let reasoned = "// SAFETY: the handle is live.\nlet x = unsafe { g() };\n";
        let far = "// SAFETY: too far.\n\n\n\n\n\nlet x = unsafe { g() };\n";
        let binding = "workloads/optics/src/native.rs";
        for (path, text, expected) in [
            ("xtask/longrun/src/a.rs", reasoned, vec![2]),
            ("workloads/optics/src/reference.rs", reasoned, vec![2]),
            (binding, bare, vec![1]),
            (binding, reasoned, vec![]),
            (binding, far, vec![7]),
            ("workloads/optics/src/native/load.rs", reasoned, vec![]),
            (binding, "type F = unsafe extern \"C\" fn();\n", vec![]),
            (binding, "unsafe impl Send for X {}\n", vec![1]),
            (
                "a.rs",
                "#![deny(unsafe_op_in_unsafe_fn)]\n// unsafe\n",
                vec![],
            ),
        ] {
            assert_eq!(lines(unsafe_code, path, text), expected, "{path} {text}");
        }
    }
}
