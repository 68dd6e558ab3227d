//! Just enough of the grammar of Rust and C++ to tell code from comments and literals, and to
//! find which braces belong together. It relies on formatted sources and parses nothing else.

use super::language::Language;

/// Blanks out comments and the content of literals. Lines stay where they are, and what is left
/// is ASCII.
pub fn mask(text: &str, language: Language) -> String {
    let mut lexer = Lexer {
        chars: text.chars().collect(),
        at: 0,
        out: String::new(),
        language,
    };
    while let Some(c) = lexer.peek(0) {
        lexer.step(c);
    }
    lexer.out
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    out: String,
    language: Language,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    /// Whether the character before the current one could belong to the same word.
    fn in_word(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.chars.get(at));
        before.is_some_and(|c| c.is_alphanumeric() || *c == '_')
    }

    fn keep(&mut self) {
        if let Some(c) = self.peek(0) {
            self.out.push(if c.is_ascii() { c } else { '?' });
            self.at += 1;
        }
    }

    fn blank(&mut self) {
        if let Some(c) = self.peek(0) {
            self.out.push(if c == '\n' { '\n' } else { ' ' });
            self.at += 1;
        }
    }

    fn blank_all(&mut self, count: usize) {
        for _ in 0..count {
            self.blank();
        }
    }

    fn step(&mut self, c: char) {
        match (c, self.peek(1)) {
            ('/', Some('/')) => self.line_comment(),
            ('/', Some('*')) => self.block_comment(),
            ('"', _) => self.string(),
            ('\'', _) => self.quote(),
            ('r' | 'b' | 'c', _) if self.language == Language::Rust && !self.in_word() => {
                self.raw_rust();
            }
            ('R', Some('"')) if self.language == Language::Cpp && !self.in_word() => {
                self.raw_cpp();
            }
            _ => self.keep(),
        }
    }

    fn line_comment(&mut self) {
        while self.peek(0).is_some_and(|c| c != '\n') {
            self.blank();
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some('/'), Some('*')) if depth == 0 || self.language == Language::Rust => {
                    depth += 1;
                    self.blank_all(2);
                }
                (Some('*'), Some('/')) => {
                    depth = depth.saturating_sub(1);
                    self.blank_all(2);
                    if depth == 0 {
                        return;
                    }
                }
                (Some(_), _) => self.blank(),
                (None, _) => return,
            }
        }
    }

    fn string(&mut self) {
        self.keep();
        while let Some(c) = self.peek(0) {
            match c {
                '\\' => self.blank_all(2),
                '"' => return self.keep(),
                _ => self.blank(),
            }
        }
    }

    /// A character literal, a lifetime, or a digit separator of C++.
    fn quote(&mut self) {
        let separator = self.language == Language::Cpp && self.in_word();
        let escaped = self.peek(1) == Some('\\');
        let literal = escaped || self.peek(2) == Some('\'') || self.language == Language::Cpp;
        self.keep();
        if separator || !literal {
            return;
        }
        while let Some(c) = self.peek(0) {
            match c {
                '\\' => self.blank_all(2),
                '\'' => return self.keep(),
                '\n' => return,
                _ => self.blank(),
            }
        }
    }

    /// `r"…"`, `br#"…"#` and so on, or an ordinary word that begins alike.
    fn raw_rust(&mut self) {
        let mut ahead = usize::from(self.peek(0) != Some('r'));
        if self.peek(ahead) != Some('r') {
            return self.keep();
        }
        ahead += 1;
        let mut hashes = 0;
        while self.peek(ahead) == Some('#') {
            hashes += 1;
            ahead += 1;
        }
        if self.peek(ahead) != Some('"') {
            return self.keep();
        }
        self.blank_all(ahead + 1);
        let mut end = String::from("\"");
        end.push_str(&"#".repeat(hashes));
        self.until(&end);
    }

    /// `R"delimiter(…)delimiter"`.
    fn raw_cpp(&mut self) {
        self.blank_all(2);
        let mut delimiter = String::new();
        while let Some(c) = self.peek(0).filter(|c| *c != '(') {
            delimiter.push(c);
            self.blank();
        }
        self.until(&format!("){delimiter}\""));
    }

    fn until(&mut self, end: &str) {
        let length = end.chars().count();
        while self.peek(0).is_some() {
            let here = end
                .chars()
                .enumerate()
                .all(|(i, c)| self.peek(i) == Some(c));
            if here {
                return self.blank_all(length);
            }
            self.blank();
        }
    }
}

/// Line of a position, from 1.
pub fn line_of(code: &str, position: usize) -> usize {
    let before = code.bytes().take(position);
    before.filter(|byte| *byte == b'\n').count() + 1
}

/// Position of the brace that closes the one at `open`.
pub fn closing(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (position, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(position);
                }
            }
            _ => {}
        }
    }
    None
}

/// The first `{` or `;` from `start` on that is inside no parenthesis or bracket.
pub fn body_or_end(code: &str, start: usize) -> Option<(usize, u8)> {
    let mut depth = 0_usize;
    for (position, byte) in code.bytes().enumerate().skip(start) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.checked_sub(1)?,
            b'{' | b';' if depth == 0 => return Some((position, byte)),
            _ => {}
        }
    }
    None
}

/// Positions of a word in masked code.
pub fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let bytes = code.as_bytes();
    let part = |at: Option<usize>| {
        let byte = at.and_then(|at| bytes.get(at));
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    code.match_indices(word)
        .map(|(position, _)| position)
        .filter(move |&at| !part(at.checked_sub(1)) && !part(at.checked_add(word.len())))
}

/// Positions after each `#[cfg(test)]` and the end of what it is about.
fn test_items(code: &str) -> Vec<(usize, usize, u8)> {
    let attributes = ["#[cfg(test)]", "#[cfg(all(test"];
    let starts = attributes
        .iter()
        .flat_map(|a| code.match_indices(a).map(|(at, _)| at));
    let mut items: Vec<(usize, usize, u8)> = starts
        .filter_map(|at| body_or_end(code, at).map(|(end, kind)| (at, end, kind)))
        .collect();
    items.sort_unstable();
    items
}

/// For each line whether it belongs to something that is compiled for tests only.
pub fn test_lines(code: &str) -> Vec<bool> {
    let mut lines = vec![false; code.lines().count()];
    for (start, end, kind) in test_items(code) {
        let last = match kind {
            b'{' => closing(code, end).unwrap_or(code.len()),
            _ => end,
        };
        let (first, last) = (line_of(code, start), line_of(code, last));
        let skipped = first.saturating_sub(1);
        for line in lines.iter_mut().take(last).skip(skipped) {
            *line = true;
        }
    }
    lines
}

/// Names of the modules for tests that have files of their own.
pub fn test_modules(code: &str) -> Vec<String> {
    test_items(code)
        .into_iter()
        .filter(|(_, _, kind)| *kind == b';')
        .filter_map(|(start, end, _)| {
            let item = code.get(start..end)?;
            let (_, name) = item.rsplit_once("mod ")?;
            Some(name.trim().to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rust(text: &str) -> String {
        mask(text, Language::Rust)
    }

    fn cpp(text: &str) -> String {
        mask(text, Language::Cpp)
    }

    #[test]
    fn comments_and_literals_of_rust_are_blanked() {
        for (text, expected) in [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            (r#"f("x\"{", 1)"#, "f(\"    \", 1)"),
            ("r\"{\" x", "     x"),
            ("br##\"a\"#{\"## x", "             x"),
            ("'{' x", "' ' x"),
            (r"'\'' x", "'  ' x"),
            ("fn f<'a>(x: &'a str) {", "fn f<'a>(x: &'a str) {"),
            ("r#type break", "r#type break"),
            ("\"a\nb\" c", "\" \n \" c"),
            ("é", "?"),
        ] {
            assert_eq!(rust(text), expected, "{text}");
        }
    }

    #[test]
    fn comments_and_literals_of_cpp_are_blanked() {
        for (text, expected) in [
            ("a /* b /* c */ d", "a              d"),
            ("x = 1'000'000; // y", "x = 1'000'000;     "),
            ("'{' x", "' ' x"),
            ("R\"d({)\" )d\" x", "            x"),
        ] {
            assert_eq!(cpp(text), expected, "{text}");
        }
    }

    #[test]
    fn a_text_that_ends_inside_a_literal_ends() {
        for text in ["\"a", "/* a", "r#\"a", "'\\", "\"\\"] {
            assert_eq!(rust(text).chars().count(), text.chars().count(), "{text}");
        }
        assert_eq!(cpp("R\"d").len(), 3);
    }

    #[test]
    fn braces_are_matched() {
        let code = "a { b { } c } d }";
        assert_eq!(closing(code, 2), Some(12));
        assert_eq!(closing(code, 6), Some(8));
        assert_eq!(closing("{", 0), None);
    }

    #[test]
    fn words_are_whole() {
        let code = "unsafe unsafe_op _unsafe unsafe";
        assert_eq!(words(code, "unsafe").collect::<Vec<_>>(), [0, 25]);
    }
}
