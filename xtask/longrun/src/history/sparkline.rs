//! A course of times as one line of letters. It never says more than the numbers beside it.

/// One place of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// A time in seconds.
    Time(f64),
    /// Runs without one.
    Gap,
    /// From here on it is not the same work any more.
    Break,
}

/// What the reader's terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// Blocks of eight heights.
    Blocks,
    /// Digits from 1 to 8.
    Digits,
}

/// Most marks of one line; of a longer course the end is shown.
pub const MARKS_MAX: usize = 60;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const DIGITS: [char; 8] = ['1', '2', '3', '4', '5', '6', '7', '8'];

/// The line. Each part between breaks has its own scale, from its fastest time (lowest) to its
/// slowest (highest); times that are all equal are in the middle.
pub fn sparkline(marks: &[Mark], letters: Letters) -> String {
    let (levels, gap, cut) = match letters {
        Letters::Blocks => (BLOCKS, '·', '…'),
        Letters::Digits => (DIGITS, '.', '~'),
    };
    let left_out = marks.len().saturating_sub(MARKS_MAX);
    let marks = marks.get(left_out..).unwrap_or_default();
    let mut line = String::new();
    if left_out > 0 {
        line.push(cut);
    }
    for (index, part) in marks.split(|mark| *mark == Mark::Break).enumerate() {
        if index > 0 {
            line.push('|');
        }
        let scale = Scale::of(part);
        line.extend(part.iter().map(|mark| {
            let level = match mark {
                Mark::Time(time) => scale.level(*time),
                Mark::Gap | Mark::Break => None,
            };
            level
                .and_then(|level| levels.get(level).copied())
                .unwrap_or(gap)
        }));
    }
    line
}

/// The times of one part.
struct Scale {
    fastest: f64,
    slowest: f64,
}

impl Scale {
    fn of(part: &[Mark]) -> Scale {
        let times = || {
            part.iter().filter_map(|mark| match mark {
                Mark::Time(time) if time.is_finite() => Some(*time),
                _ => None,
            })
        };
        Scale {
            fastest: times().fold(f64::INFINITY, f64::min),
            slowest: times().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// From 0 to 7; `None` for what is no time.
    fn level(&self, time: f64) -> Option<usize> {
        if !time.is_finite() {
            return None;
        }
        // Halved, so that the span of any two times is a number.
        let span = self.slowest / 2.0 - self.fastest / 2.0;
        if span <= 0.0 {
            return Some(3);
        }
        let part = (time / 2.0 - self.fastest / 2.0) / span;
        let level = (0_u8..8)
            .rev()
            .find(|level| part * 7.0 + 0.5 >= f64::from(*level));
        level.map(usize::from)
    }
}

/// Blocks where a person reads them on a terminal that shows them.
pub fn letters(terminal: bool, locale: &str) -> Letters {
    let locale = locale.to_ascii_lowercase();
    match terminal && (locale.contains("utf-8") || locale.contains("utf8")) {
        true => Letters::Blocks,
        false => Letters::Digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(times: &[f64], letters: Letters) -> String {
        let marks: Vec<Mark> = times.iter().map(|time| Mark::Time(*time)).collect();
        sparkline(&marks, letters)
    }

    #[test]
    fn few_constant_and_odd_courses_have_golden_answers() {
        let nan = f64::NAN;
        for (times, blocks, digits) in [
            (&[][..], "", ""),
            (&[1.0][..], "▄", "4"),
            (&[1.0, 2.0], "▁█", "18"),
            (&[2.0, 1.0, 1.5], "█▁▅", "815"),
            (&[1.0, 1.0, 1.0, 1.0], "▄▄▄▄", "4444"),
            (&[1.0, 9.0, 1.0, 1.0], "▁█▁▁", "1811"),
            (
                &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
                "▁▂▃▄▅▆▇█",
                "12345678",
            ),
            (&[1.0, nan, 2.0], "▁·█", "1.8"),
            (&[nan, nan], "··", ".."),
            (&[f64::INFINITY, 1.0], "·▄", ".4"),
            (&[5e-324, f64::MAX], "▁█", "18"),
        ] {
            assert_eq!(drawn(times, Letters::Blocks), blocks, "{times:?}");
            assert_eq!(drawn(times, Letters::Digits), digits, "{times:?}");
        }
    }

    #[test]
    fn a_gap_is_a_dot_and_a_break_begins_a_new_scale() {
        let marks = [
            Mark::Time(1.0),
            Mark::Time(2.0),
            Mark::Gap,
            Mark::Break,
            Mark::Time(100.0),
            Mark::Time(300.0),
            Mark::Time(200.0),
        ];
        assert_eq!(sparkline(&marks, Letters::Blocks), "▁█·|▁█▅");
        assert_eq!(sparkline(&marks, Letters::Digits), "18.|185");
    }

    #[test]
    fn of_a_long_course_the_end_is_shown() {
        let times: Vec<f64> = (0..1000).map(f64::from).collect();
        let line = drawn(&times, Letters::Blocks);
        assert_eq!(line.chars().count(), MARKS_MAX + 1);
        assert!(line.starts_with("…▁") && line.ends_with('█'), "{line}");
    }

    #[test]
    fn blocks_need_a_terminal_and_its_locale() {
        for (terminal, locale, expected) in [
            (true, "de_DE.UTF-8", Letters::Blocks),
            (true, "C.utf8", Letters::Blocks),
            (true, "C", Letters::Digits),
            (true, "", Letters::Digits),
            (false, "de_DE.UTF-8", Letters::Digits),
        ] {
            assert_eq!(letters(terminal, locale), expected);
        }
    }
}
