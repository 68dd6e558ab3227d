//! Names that somebody may have meant.

/// Most names that are offered.
const OFFERED_MAX: usize = 3;

/// Edits that make one name of the other at most, in relation to its length: one in three.
const LETTERS_PER_EDIT: usize = 3;

/// The names that are a few edits from what was asked for, nearest first. A name that is longer
/// than what was asked for is compared by its beginning too, because ids are given that way.
pub fn near<'a>(asked: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let asked: Vec<char> = asked.chars().collect();
    let limit = asked.len() / LETTERS_PER_EDIT;
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in names {
        let letters: Vec<char> = name.chars().collect();
        let beginning = letters.get(..asked.len()).unwrap_or(&letters);
        let edits = distance(&asked, beginning).min(distance(&asked, &letters));
        if edits <= limit {
            found.push((edits, name));
        }
    }
    found.sort_unstable();
    found.dedup();
    let nearest = found.into_iter().take(OFFERED_MAX);
    nearest.map(|(_, name)| name).collect()
}

/// Insertions, deletions and replacements that make `b` of `a` (Levenshtein).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (row, letter) in a.iter().enumerate() {
        let mut diagonal = row;
        let mut left = row + 1;
        let mut line = vec![left];
        for (other, up) in b.iter().zip(above.iter().skip(1)) {
            let replaced = diagonal + usize::from(letter != other);
            left = replaced.min(left + 1).min(*up + 1);
            diagonal = *up;
            line.push(left);
        }
        above = line;
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
            ("same", "same", 0),
        ] {
            let letters = |text: &str| text.chars().collect::<Vec<char>>();
            assert_eq!(distance(&letters(a), &letters(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn the_nearest_names_come_first_and_far_ones_not_at_all() {
        let names = [
            "gnlse_soliton",
            "gnlse_soliton_noise",
            "huber",
            "gnlse_raman",
        ];
        assert_eq!(near("gnlse_solitn", names)[0], "gnlse_soliton");
        assert_eq!(near("hubert", names), ["huber"]);
        assert_eq!(near("tensor", names), [""; 0]);
        let ids = [
            "20261027T120000Z-abc1234-00ff",
            "20261028T120000Z-abc1234-00ff",
        ];
        assert_eq!(near("20261027T12000Z", ids)[0], ids[0]);
    }
}
