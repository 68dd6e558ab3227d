//! Frames: of lines where a terminal shows them, of ASCII everywhere else.

use std::env;
use std::io::{IsTerminal, stdout};

/// Variables that name the locale, the one that wins first.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_CTYPE", "LANG"];

/// Pieces of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Corners above, left and right.
    pub top: [&'static str; 2],
    /// Corners below, left and right.
    pub bottom: [&'static str; 2],
    /// A piece of the lines above and below.
    pub horizontal: &'static str,
    /// A piece of the lines at the sides.
    pub vertical: &'static str,
}

impl Frame {
    /// Of lines.
    pub const LINES: Frame = Frame {
        top: ["┌", "┐"],
        bottom: ["└", "┘"],
        horizontal: "─",
        vertical: "│",
    };

    /// Of what every reader has.
    pub const ASCII: Frame = Frame {
        top: ["+", "+"],
        bottom: ["+", "+"],
        horizontal: "-",
        vertical: "|",
    };

    /// What stdout can show.
    pub fn of_stdout() -> Frame {
        Frame::of(stdout().is_terminal(), |name| env::var(name).ok())
    }

    /// The same for any terminal and environment. A file is read later and elsewhere. Pure.
    fn of(terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Frame {
        let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
        let locale = LOCALE.iter().find_map(set).unwrap_or_default();
        let locale = locale.to_lowercase();
        match terminal && (locale.contains("utf-8") || locale.contains("utf8")) {
            true => Frame::LINES,
            false => Frame::ASCII,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_of_ascii_where_lines_may_not_be_shown() {
        type Row = (bool, &'static [(&'static str, &'static str)], Frame);
        let table: [Row; 6] = [
            (true, &[("LANG", "en_GB.UTF-8")], Frame::LINES),
            (true, &[("LC_ALL", ""), ("LANG", "C.utf8")], Frame::LINES),
            (true, &[("LC_ALL", "C"), ("LANG", "C.utf8")], Frame::ASCII),
            (
                true,
                &[("LC_CTYPE", "de_DE"), ("LANG", "C.utf8")],
                Frame::ASCII,
            ),
            (true, &[], Frame::ASCII),
            (false, &[("LANG", "en_GB.UTF-8")], Frame::ASCII),
        ];
        for (terminal, variables, expected) in table {
            let value = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(Frame::of(terminal, value), expected, "{variables:?}");
        }
    }
}
