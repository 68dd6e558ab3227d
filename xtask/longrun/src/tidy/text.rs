//! Rules about lines and lengths, for every text file.

use super::Hit;
use super::files::SourceFile;
use super::language::Language;

/// Longest line of code, in characters.
const LINE_CHARS_MAX: usize = 100;

/// Longest file of code, tests included.
const FILE_LINES_MAX: usize = 500;

fn is_code(file: &SourceFile) -> bool {
    matches!(file.language, Language::Rust | Language::Cpp)
}

/// Lines of code have at most 100 characters.
pub fn line_length(file: &SourceFile) -> Vec<Hit> {
    if !is_code(file) {
        return Vec::new();
    }
    (1..)
        .zip(file.text.lines())
        .map(|(number, line)| (number, line.chars().count()))
        .filter(|(_, length)| *length > LINE_CHARS_MAX)
        .map(|(number, length)| {
            Hit::new(
                number,
                format!("the line has {length} characters, more than {LINE_CHARS_MAX}"),
            )
        })
        .collect()
}

/// Files of code have at most 500 lines.
pub fn file_length(file: &SourceFile) -> Vec<Hit> {
    let lines = file.text.lines().count();
    if !is_code(file) || lines <= FILE_LINES_MAX {
        return Vec::new();
    }
    let message =
        format!("the file has {lines} lines, more than {FILE_LINES_MAX}: split it by concept");
    vec![Hit::new(FILE_LINES_MAX + 1, message)]
}

/// Lines end in a single line feed without blanks before it, and so does the file.
pub fn blanks(file: &SourceFile) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (number, line) in (1..).zip(file.text.split_inclusive('\n')) {
        let body = line.strip_suffix('\n').unwrap_or(line);
        if body.ends_with('\r') {
            hits.push(Hit::new(number, "the line ends in a carriage return"));
        } else if body.ends_with([' ', '\t']) {
            hits.push(Hit::new(number, "blanks at the end of the line"));
        }
    }
    let lines = file.text.lines().count();
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        hits.push(Hit::new(lines, "no line feed at the end of the file"));
    }
    if file.text.ends_with("\n\n") {
        hits.push(Hit::new(lines, "empty lines at the end of the file"));
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::super::{NOWHERE, hit_lines as lines};
    use super::*;

    #[test]
    fn a_line_of_code_has_a_hundred_characters_at_most() {
        let long = format!("// é{}\n", "x".repeat(96));
        let longer = format!("ok\n// é{}\n", "x".repeat(97));
        assert_eq!(lines(line_length, "a.rs", &long), NOWHERE);
        assert_eq!(lines(line_length, "a.rs", &longer), [2]);
        assert_eq!(lines(line_length, "a.hpp", &longer), [2]);
        assert_eq!(lines(line_length, "a.md", &longer), NOWHERE);
    }

    #[test]
    fn a_file_of_code_has_five_hundred_lines_at_most() {
        assert_eq!(lines(file_length, "a.cpp", &"\n".repeat(500)), NOWHERE);
        assert_eq!(lines(file_length, "a.cpp", &"\n".repeat(501)), [501]);
        assert_eq!(lines(file_length, "Cargo.lock", &"\n".repeat(501)), NOWHERE);
    }

    #[test]
    fn lines_end_in_a_line_feed_and_nothing_else() {
        for (text, expected) in [
            ("a\nb\n", vec![]),
            ("", vec![]),
            ("a \nb\t\n", vec![1, 2]),
            ("a\r\nb\n", vec![1]),
            ("a\nb", vec![2]),
            ("a\n\n", vec![2]),
        ] {
            assert_eq!(lines(blanks, "x.toml", text), expected, "{text:?}");
        }
    }
}
