//! Colour on a terminal, and nowhere else. It repeats what the words say and never says it alone.
//!
//! What is aligned is painted last: the codes have no width on a terminal and would have one in a
//! column.

use std::env;
use std::ffi::OsStr;
use std::io::{IsTerminal, stdout};

/// What a colour means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Something failed, or got slower.
    Bad,
    /// Something got faster.
    Good,
    /// Something cannot be relied on.
    Doubtful,
    /// What only matters when it is looked for.
    Muted,
}

/// Whether there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// None: a file, a pipe, or a terminal that has none.
    Plain,
    /// Those of the terminal.
    Ansi,
}

impl Palette {
    /// What stdout can show and the user wants.
    pub fn of_stdout() -> Palette {
        let variable = |name: &str| env::var_os(name);
        Palette::of(
            stdout().is_terminal(),
            variable("NO_COLOR").as_deref(),
            variable("TERM").as_deref(),
        )
    }

    /// The same for any terminal and environment: `NO_COLOR` with any value turns colours off, and
    /// a terminal that is called `dumb` has none. Pure.
    pub fn of(terminal: bool, no_color: Option<&OsStr>, term: Option<&OsStr>) -> Palette {
        let unwanted = no_color.is_some_and(|value| !value.is_empty());
        let without = term.is_none_or(|term| term.is_empty() || term == "dumb");
        match terminal && !unwanted && !without {
            true => Palette::Ansi,
            false => Palette::Plain,
        }
    }

    /// `text` in the colour of `tone`.
    pub fn paint(self, tone: Tone, text: &str) -> String {
        let code = match (self, tone) {
            (Palette::Plain, _) => return text.to_owned(),
            (Palette::Ansi, Tone::Bad) => "31",
            (Palette::Ansi, Tone::Good) => "32",
            (Palette::Ansi, Tone::Doubtful) => "33",
            (Palette::Ansi, Tone::Muted) => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_colour_only_where_a_terminal_can_show_it_and_nobody_objects() {
        let xterm = Some("xterm-256color");
        for (terminal, no_color, term, expected) in [
            (true, None, xterm, Palette::Ansi),
            (true, Some(""), xterm, Palette::Ansi),
            (true, Some("1"), xterm, Palette::Plain),
            (true, None, Some("dumb"), Palette::Plain),
            (true, None, Some(""), Palette::Plain),
            (true, None, None, Palette::Plain),
            (false, None, xterm, Palette::Plain),
        ] {
            let found = Palette::of(terminal, no_color.map(OsStr::new), term.map(OsStr::new));
            assert_eq!(found, expected, "{terminal} {no_color:?} {term:?}");
        }
    }

    #[test]
    fn what_is_painted_holds_the_same_text() {
        for tone in [Tone::Bad, Tone::Good, Tone::Doubtful, Tone::Muted] {
            assert_eq!(Palette::Plain.paint(tone, " a "), " a ");
            let painted = Palette::Ansi.paint(tone, " a ");
            assert!(painted.starts_with("\u{1b}[") && painted.ends_with("\u{1b}[0m"));
            assert!(painted.contains("m a \u{1b}"), "{painted:?}");
        }
    }
}
