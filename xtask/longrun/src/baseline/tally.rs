//! How many verdicts of each kind a comparison has: counted once, shown as a panel and as a line.

use super::compare::Row;
use super::frame::Frame;
use super::verdict::{self, Verdict};
use crate::colour::{Palette, Tone};

/// Width of the widest label of the panel, and of its largest number: ten thousand.
const LABEL_WIDTH: usize = 12;
const COUNT_WIDTH: usize = 5;

/// The verdicts that are counted, in the order in which they are shown. Those that passed are the
/// rest of the total; entries that were not run have lines of their own.
const COUNTED: [Verdict; 6] = [
    Verdict::Regressed,
    Verdict::Improved,
    Verdict::Inconclusive,
    Verdict::New,
    Verdict::Incomparable,
    Verdict::Invalid,
];

/// How many of these the line names even where there are none.
const ALWAYS_NAMED: usize = 4;

/// How many there are of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Configurations that have a verdict.
    pub total: usize,
    counts: [usize; COUNTED.len()],
}

impl Tally {
    /// The verdicts of a comparison.
    pub fn of(rows: &[Row]) -> Tally {
        let count = |verdict: Verdict| rows.iter().filter(|row| row.verdict == verdict).count();
        Tally {
            total: rows.len(),
            counts: COUNTED.map(count),
        }
    }

    /// Each verdict that is counted, with its number.
    pub fn counts(&self) -> impl Iterator<Item = (Verdict, usize)> {
        COUNTED.into_iter().zip(self.counts)
    }

    /// `28 compared: 1 regressed, 0 improved, 2 inconclusive, 0 new`; more only where there are.
    pub fn line(&self) -> String {
        let counts = self.counts().enumerate();
        let named = counts.filter(|(index, (_, count))| *index < ALWAYS_NAMED || *count > 0);
        let named = named.map(|(_, (verdict, count))| format!("{count} {}", verdict.as_str()));
        let named: Vec<String> = named.collect();
        format!("{} compared: {}", self.total, named.join(", "))
    }

    /// The same in a frame, a number a line. Zeros are muted.
    pub fn panel(&self, frame: Frame, palette: Palette) -> String {
        let rule = frame.horizontal.repeat(LABEL_WIDTH + COUNT_WIDTH + 3);
        let line = |label: &str, count: usize, tone: Option<Tone>| {
            let text = format!("{label:<LABEL_WIDTH$} {count:>COUNT_WIDTH$}");
            let text = match tone {
                Some(tone) => palette.paint(tone, &text),
                None => text,
            };
            format!("{0} {text} {0}\n", frame.vertical)
        };
        let [[top_left, top_right], [bottom_left, bottom_right]] = [frame.top, frame.bottom];
        let mut text = format!("{top_left}{rule}{top_right}\n");
        text.push_str(&line("compared", self.total, None));
        for (verdict, count) in self.counts() {
            let tone = match count {
                0 => Tone::Muted,
                _ => verdict::tone(verdict),
            };
            text.push_str(&line(verdict.as_str(), count, Some(tone)));
        }
        text.push_str(&format!("{bottom_left}{rule}{bottom_right}\n"));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::compare::made::row;
    use super::*;

    fn tally() -> Tally {
        let verdicts = [
            Verdict::Regressed,
            Verdict::Pass,
            Verdict::Inconclusive,
            Verdict::Pass,
            Verdict::Invalid,
            Verdict::Inconclusive,
        ];
        Tally::of(&verdicts.map(|verdict| row("a", verdict)))
    }

    #[test]
    fn the_line_counts_what_is_to_be_looked_at_and_not_what_passed() {
        assert_eq!(
            tally().line(),
            "6 compared: 1 regressed, 0 improved, 2 inconclusive, 0 new, 1 invalid"
        );
        assert_eq!(
            Tally::of(&[]).line(),
            "0 compared: 0 regressed, 0 improved, 0 inconclusive, 0 new"
        );
    }

    #[test]
    fn the_panel_has_the_numbers_of_the_line_and_degrades_to_ascii() {
        let panel = tally().panel(Frame::ASCII, Palette::Plain);
        let expected = "\
+--------------------+
| compared         6 |
| regressed        1 |
| improved         0 |
| inconclusive     2 |
| new              0 |
| incomparable     0 |
| invalid          1 |
+--------------------+
";
        assert_eq!(panel, expected);
        assert!(panel.is_ascii());
        let lines = tally().panel(Frame::LINES, Palette::Plain);
        let widths = lines.lines().map(|line| line.chars().count());
        assert!(lines.starts_with('┌') && widths.clone().all(|width| width == 22));
        assert_eq!(widths.count(), panel.lines().count());
    }

    #[test]
    fn zeros_are_muted_and_the_frame_stays_straight() {
        let painted = tally().panel(Frame::ASCII, Palette::Ansi);
        let muted = Palette::Ansi.paint(Tone::Muted, "improved         0");
        let bad = Palette::Ansi.paint(Tone::Bad, "regressed        1");
        assert!(painted.contains(&format!("| {muted} |")), "{painted}");
        assert!(painted.contains(&format!("| {bad} |")), "{painted}");
    }
}
