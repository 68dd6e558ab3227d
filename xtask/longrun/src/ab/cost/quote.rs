//! The cost of a comparison in words, before it costs anything. Pure.

use serde_json::{Value, json};

use crate::ab::cost::{Cost, Row};
use crate::ab::kept::record::Standing;
use crate::ab::sides::ground::Arms;
use crate::cli::ab::Mode;
use crate::text::{self, Align};
use longrun_protocol::duet::Side;

/// Version of the JSON of `ab --dry-run`.
const SCHEMA_VERSION: u32 = 1;

impl Cost {
    /// For people.
    pub fn to_text(&self) -> String {
        let columns = [
            ("configuration", Align::Left),
            ("observation", Align::Left),
            ("number", Align::Left),
            ("preparation", Align::Right),
        ];
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| self.line(row)).collect();
        format!("{}{}\n", text::table(&columns, &rows), self.sum())
    }

    fn line(&self, row: &Row) -> Vec<String> {
        let name = row.configuration.to_string();
        let untimed = |why: &str| vec![name.clone(), why.to_owned(), String::new(), String::new()];
        match &row.standing {
            Standing::New => return untimed("new: not in the baseline"),
            Standing::Missing => return untimed("missing: not in the candidate"),
            Standing::Changed { reasons } => {
                let first = reasons.first().map_or("", String::as_str);
                let more = match reasons.len() {
                    0 | 1 => String::new(),
                    all => format!(", and {} more", all - 1),
                };
                return untimed(&format!("changed: {first}{more}"));
            }
            Standing::Comparable => {}
        }
        let mode = match row.mode {
            Mode::Duet => "duet",
            Mode::Pairs => "pair",
        };
        let each = match row.observation_s {
            Some(each) => format!("{mode}, about {}", text::seconds(each)),
            None => format!("{mode}, time unknown"),
        };
        let number = match (self.rounds, row.observations_expected) {
            (Some(rounds), _) => rounds.to_string(),
            (None, Some(expected)) => format!("about {expected}, at most {}", row.observations_max),
            (None, None) => format!("at most {}", row.observations_max),
        };
        let preparation = match row.preparation_s {
            Some(seconds) if seconds > 0.0 => text::seconds(seconds),
            Some(_) => "none".to_owned(),
            None => "unknown".to_owned(),
        };
        vec![name, each, number, preparation]
    }

    fn sum(&self) -> String {
        let timed = |row: &Row| row.standing == Standing::Comparable;
        if !self.rows.iter().any(timed) {
            return "nothing can be timed: the sides have no configuration in common".to_owned();
        }
        let times = match self.comparisons {
            1 => String::new(),
            comparisons => format!("{comparisons} comparisons of each; "),
        };
        let rounds = match self.rounds_s {
            Some(rounds) => format!("rounds about {}", text::seconds(rounds)),
            None => "rounds of unknown length, because no A/A comparison has shown the spread here"
                .to_owned(),
        };
        let kept = "(kept for later comparisons), then ";
        let preparation = match self.preparation_s {
            Some(seconds) if seconds > 0.0 => {
                format!("preparations about {} {kept}", text::seconds(seconds))
            }
            Some(_) => String::new(),
            None => format!("preparations of unknown length {kept}"),
        };
        format!(
            "{times}builds, then {preparation}{rounds}; the rounds end after {} in any case",
            text::seconds(self.max_time_s)
        )
    }

    /// For programs.
    pub fn to_json(&self, arms: &Arms) -> Value {
        let side = |side: Side| {
            let arm = arms.of(side);
            json!({
                "revision": arm.revision,
                "commit": arm.commit,
                "dirty": arm.dirty,
                "subject": arm.subject,
            })
        };
        json!({
            "schema_version": SCHEMA_VERSION,
            "baseline": side(Side::Baseline),
            "candidate": side(Side::Candidate),
            "cost": self,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ab::cost::Asked;
    use crate::ab::made;

    fn row(standing: Standing, expected: Option<u32>) -> Row {
        Row {
            configuration: made::configuration("a"),
            standing,
            mode: Mode::Duet,
            observation_s: Some(0.5),
            preparation_s: Some(12.0),
            observations_expected: expected,
            observations_max: 80,
        }
    }

    fn cost(rows: Vec<Row>, comparisons: u32, rounds: Option<u32>) -> Cost {
        let asked = Asked {
            comparisons,
            max_time_s: 900.0,
            rounds,
            gate: false,
        };
        Cost::of(rows, asked)
    }

    #[test]
    fn what_is_known_is_said_and_what_is_not_is_said_to_be_unknown() {
        let unknown = cost(vec![row(Standing::Comparable, None)], 1, None).to_text();
        assert!(unknown.contains("at most 80"), "{unknown}");
        assert!(unknown.contains("rounds of unknown length"), "{unknown}");
        let known = cost(vec![row(Standing::Comparable, Some(19))], 1, None).to_text();
        assert!(known.contains("about 19, at most 80"), "{known}");
        assert!(known.contains("rounds about 10"), "{known}");
        assert!(known.contains("preparations about 12"), "{known}");
        let exact = cost(vec![row(Standing::Comparable, None)], 1, Some(7)).to_text();
        assert!(exact.contains(" 7 "), "{exact}");
        let itself = cost(vec![row(Standing::Comparable, None)], 20, None).to_text();
        assert!(itself.contains("20 comparisons of each"), "{itself}");
    }

    #[test]
    fn where_nothing_is_prepared_no_preparation_is_announced() {
        let pair = Row {
            mode: Mode::Pairs,
            preparation_s: Some(0.0),
            ..row(Standing::Comparable, Some(19))
        };
        let text = cost(vec![pair], 1, None).to_text();
        let sum = text.lines().last().unwrap_or_default();
        assert!(sum.starts_with("builds, then rounds about"), "{sum}");
    }

    #[test]
    fn what_is_not_timed_says_why() {
        let reasons = vec!["`seed` was 1 and is 2".to_owned(), "x".to_owned()];
        let rows = vec![
            row(Standing::New, None),
            row(Standing::Missing, None),
            row(Standing::Changed { reasons }, None),
        ];
        let text = cost(rows, 1, None).to_text();
        for expected in [
            "new: not in the baseline",
            "missing: not in the candidate",
            "changed: `seed` was 1 and is 2, and 1 more",
            "nothing can be timed",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }
}
