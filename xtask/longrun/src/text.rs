//! Numbers and tables as people read them. Pure.

/// A time with a unit and three significant digits: `1.23 s`, `45.6 ms`, `12 min 5 s`; no time at
/// all is `0 s`.
pub fn seconds(value: f64) -> String {
    if !value.is_finite() || value < 0.0 {
        return "unknown".to_owned();
    }
    if value == 0.0 {
        return "0 s".to_owned();
    }
    if value >= 119.5 {
        let whole = value.round();
        return format!("{} min {} s", (whole / 60.0).floor(), whole % 60.0);
    }
    let (scaled, unit) = if value >= 0.9995 {
        (value, "s")
    } else if value >= 0.9995e-3 {
        (value * 1e3, "ms")
    } else if value >= 0.9995e-6 {
        (value * 1e6, "µs")
    } else {
        (value * 1e9, "ns")
    };
    format!("{} {unit}", three_digits(scaled))
}

/// A number with three significant digits, down to hundredths.
pub fn three_digits(value: f64) -> String {
    if value >= 99.95 {
        format!("{value:.0}")
    } else if value >= 9.995 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

/// A size with a binary unit: `12.0 MiB`.
pub fn bytes(value: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if value < 1024 {
        return format!("{value} B");
    }
    // Exact up to 2^53 bytes, which is beyond any memory.
    let mut scaled = value as f64;
    let mut unit = "B";
    for larger in UNITS {
        if scaled < 1024.0 {
            break;
        }
        scaled /= 1024.0;
        unit = larger;
    }
    format!("{} {unit}", three_digits(scaled))
}

/// A number of things: `1 row`, `4 rows`.
pub fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        count if thing.ends_with('s') => format!("{count} {thing}es"),
        count => format!("{count} {thing}s"),
    }
}

/// A number of things that may be a mean: whole where it is whole, else to hundredths.
pub fn count(value: f64) -> String {
    match value.fract() == 0.0 {
        true => format!("{value:.0}"),
        false => format!("{value:.2}"),
    }
}

/// A size that may be a mean, and is not below zero.
pub fn mean_bytes(value: f64) -> String {
    // Far below 2^53.
    bytes(value.round() as u64)
}

/// Something or a word for its absence.
pub fn or_unknown(value: Option<String>) -> String {
    value.unwrap_or_else(|| "unknown".to_owned())
}

/// Text without anything that moves a cursor or ends a line.
pub fn plain(text: &str) -> String {
    let shown = |c: char| match c.is_control() {
        true => ' ',
        false => c,
    };
    text.chars().map(shown).collect()
}

/// Plain text of `most` characters at most; an ellipsis says where something was left out.
pub fn shortened(text: &str, most: usize) -> String {
    let text = plain(text);
    if text.chars().count() <= most {
        return text;
    }
    let kept = text.chars().take(most.saturating_sub(1));
    kept.chain(std::iter::once('…')).collect()
}

/// How the cells of a column are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows as aligned text, two spaces between columns, no blanks at the ends of lines.
pub fn table(columns: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = columns.iter().map(|(name, _)| length(name)).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(length(cell));
        }
    }
    let head: Vec<String> = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut text = String::new();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::new();
        for ((cell, width), (_, align)) in row.iter().zip(&widths).zip(columns) {
            let blanks = " ".repeat(width.saturating_sub(length(cell)));
            match align {
                Align::Left => line.push_str(&format!("{cell}{blanks}  ")),
                Align::Right => line.push_str(&format!("{blanks}{cell}  ")),
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn length(cell: &str) -> usize {
    cell.chars().count()
}

/// `word` as a shell reads it back: in quotes where it holds anything but letters, digits and
/// `/._-`.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let expected = [
            (0.0, "0 s"),
            (1.5e-9, "1.50 ns"),
            (0.000_123_4, "123 µs"),
            (0.045_67, "45.7 ms"),
            (0.999_96, "1.00 s"),
            (12.345, "12.3 s"),
            (99.99, "100 s"),
            (119.4, "119 s"),
            (725.0, "12 min 5 s"),
            (119.9, "2 min 0 s"),
            (f64::NAN, "unknown"),
            (-1.0, "unknown"),
        ];
        for (value, text) in expected {
            assert_eq!(seconds(value), text);
        }
    }

    #[test]
    fn sizes_have_a_binary_unit() {
        assert_eq!(bytes(0), "0 B");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(12 << 20), "12.0 MiB");
        assert_eq!(bytes(25 << 30), "25.0 GiB");
    }

    #[test]
    fn one_thing_is_singular() {
        assert_eq!(counted(1, "row"), "1 row");
        assert_eq!(counted(0, "row"), "0 rows");
        assert_eq!(counted(2, "process"), "2 processes");
    }

    #[test]
    fn a_mean_of_counts_is_whole_where_it_is_whole() {
        for (value, shown) in [(0.0, "0"), (2.0, "2"), (0.5, "0.50"), (1e6, "1000000")] {
            assert_eq!(count(value), shown);
        }
    }

    #[test]
    fn a_mean_of_sizes_is_in_whole_bytes() {
        assert_eq!(mean_bytes(0.4), "0 B");
        assert_eq!(mean_bytes(1535.6), "1.50 KiB");
    }

    #[test]
    fn what_is_shown_is_one_line_of_bounded_length() {
        for (text, shown) in [
            ("a", "a"),
            ("abcd", "abcd"),
            ("abcde", "abc…"),
            ("a\nb\u{1b}[2J", "a b…"),
            ("\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}", "\u{e9}\u{e9}\u{e9}…"),
            ("", ""),
        ] {
            assert_eq!(shortened(text, 4), shown, "{text:?}");
        }
    }

    #[test]
    fn words_go_left_and_numbers_right() {
        let columns = [("case", Align::Left), ("median", Align::Right)];
        let rows = [
            vec!["a".to_owned(), "1.00 s".to_owned()],
            vec!["longer".to_owned(), "2 s".to_owned()],
        ];
        let expected = "case    median\na       1.00 s\nlonger     2 s\n";
        assert_eq!(table(&columns, &rows), expected);
    }

    #[test]
    fn a_shell_reads_a_word_back() {
        for (word, written) in [
            ("target/a-b_c.d", "target/a-b_c.d"),
            ("my runs", "'my runs'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("$HOME", "'$HOME'"),
        ] {
            assert_eq!(shell_word(word), written);
        }
    }
}
