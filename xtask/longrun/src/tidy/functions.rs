//! The rule about the length of functions, in Rust and C++.

use super::Hit;
use super::code::{body_or_end, closing, line_of, words};
use super::files::SourceFile;
use super::language::Language;

/// Longest function, from its first line to its closing brace.
const FUNCTION_LINES_MAX: usize = 70;

/// Words that begin a block of C++ whose members are looked at one by one.
const CONTAINERS: [&str; 6] = ["namespace", "class", "struct", "union", "enum", "extern"];

/// Functions have at most 70 lines.
pub fn function_length(file: &SourceFile) -> Vec<Hit> {
    let functions = match file.language {
        Language::Rust => rust_functions(&file.code),
        Language::Cpp => cpp_functions(&file.code),
        _ => Vec::new(),
    };
    let mut hits = Vec::new();
    for (first, last) in functions {
        let length = last + 1 - first;
        if length > FUNCTION_LINES_MAX {
            let message =
                format!("the function has {length} lines, more than {FUNCTION_LINES_MAX}");
            hits.push(Hit::new(first, message));
        }
    }
    hits
}

/// First and last line of every function that has a body.
fn rust_functions(code: &str) -> Vec<(usize, usize)> {
    words(code, "fn")
        .filter_map(|start| {
            // `fn(…)` is a type.
            let named = code.get(start + 2..)?.trim_start();
            if named.starts_with('(') {
                return None;
            }
            let (open, kind) = body_or_end(code, start)?;
            let close = closing(code, open).filter(|_| kind == b'{')?;
            Some((line_of(code, start), line_of(code, close)))
        })
        .collect()
}

/// First and last line of every outermost block that is no namespace, type or initializer.
fn cpp_functions(code: &str) -> Vec<(usize, usize)> {
    let code = &without_directives(code);
    let mut functions = Vec::new();
    let mut header = 0;
    let mut position = 0;
    while let Some(byte) = code.as_bytes().get(position) {
        match byte {
            b';' | b'}' => header = position + 1,
            b'{' => {
                let text = code.get(header..position).unwrap_or_default();
                let close = closing(code, position).unwrap_or(code.len());
                if is_container(text) {
                    header = position + 1;
                } else {
                    if !text.trim_end().ends_with('=') {
                        let blank = text.len() - text.trim_start().len();
                        let first = line_of(code, header + blank);
                        functions.push((first, line_of(code, close)));
                    }
                    header = close + 1;
                    position = close;
                }
            }
            _ => {}
        }
        position += 1;
    }
    functions
}

/// Preprocessor lines may hold half a brace; blanked, with their continuations.
fn without_directives(code: &str) -> String {
    let mut inside = false;
    let mut kept = String::with_capacity(code.len());
    for line in code.split_inclusive('\n') {
        inside |= line.trim_start().starts_with('#');
        if inside {
            let body = line.trim_end_matches('\n');
            kept.push_str(&" ".repeat(body.len()));
            kept.push_str(line.get(body.len()..).unwrap_or_default());
        } else {
            kept.push_str(line);
        }
        inside &= line.trim_end().ends_with('\\');
    }
    kept
}

fn is_container(header: &str) -> bool {
    let header = without_template(header.trim_start());
    let mut words = header.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let first = words
        .by_ref()
        .find(|word| !["", "inline", "typedef"].contains(word));
    first.is_some_and(|word| CONTAINERS.contains(&word))
}

/// What follows `template <…>`.
fn without_template(header: &str) -> &str {
    let Some(rest) = header.strip_prefix("template") else {
        return header;
    };
    let mut depth = 0_usize;
    for (position, c) in rest.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if depth <= 1 => {
                return without_template(rest.get(position + 1..).unwrap_or_default().trim_start());
            }
            '>' => depth -= 1,
            _ => {}
        }
    }
    header
}

#[cfg(test)]
mod tests {
    use super::super::{NOWHERE, hit_lines};
    use super::*;

    fn found(path: &str, text: &str) -> Vec<usize> {
        hit_lines(function_length, path, text)
    }

    /// A body that makes a one-line signature a function of so many lines.
    fn body(lines: usize) -> String {
        "    x();\n".repeat(lines - 2)
    }

    #[test]
    fn a_rust_function_has_seventy_lines_at_most() {
        let function = |lines| format!("//! x\n\npub fn f(a: [u8; 2]) {{\n{}}}\n", body(lines));
        assert_eq!(found("a.rs", &function(70)), NOWHERE);
        assert_eq!(found("a.rs", &function(71)), [3]);
    }

    #[test]
    fn a_function_type_a_declaration_and_braces_in_text_have_no_length() {
        let text = format!(
            "trait T {{\n    fn f(&self);\n}}\ntype F = fn(u8) -> u8;\n\
             fn g() {{\n    a(\"}}\");\n}}\n{}",
            "\n".repeat(80)
        );
        assert_eq!(found("a.rs", &text), NOWHERE);
    }

    #[test]
    fn a_cpp_function_has_seventy_lines_at_most() {
        for signature in [
            "void f(int x) {",
            "template <class T> T f(const T& x) noexcept {",
            "Box::Box(int n) : n_{n}, data_(n) {",
            "auto f = [](int x) {",
        ] {
            let function = |lines| {
                format!(
                    "namespace a {{\nstruct S {{\n  int x;\n}};\n{signature}\n{}}}\n}}\n",
                    body(lines)
                )
            };
            assert_eq!(found("a.cpp", &function(70)), NOWHERE, "{signature}");
            assert_eq!(found("a.cpp", &function(71)), [5], "{signature}");
        }
    }

    #[test]
    fn tables_types_and_name_spaces_of_cpp_may_be_long() {
        for start in [
            "constexpr double table[] = {",
            "namespace a {",
            "struct S final : B {",
        ] {
            let text = format!("{start}\n{}}};\n", "  int x;\n".repeat(100));
            assert_eq!(found("a.hpp", &text), NOWHERE, "{start}");
        }
    }

    #[test]
    fn half_a_brace_in_a_macro_is_not_counted() {
        let text = format!(
            "#define OPEN \\\n  {{\nvoid f() {{\n}}\n{}",
            "int x;\n".repeat(100)
        );
        assert_eq!(found("a.cpp", &text), NOWHERE);
    }
}
