//! Whether a receipt answers for the oracles that were asked for. Pure.
//!
//! This is about the receipt, not about the physics: every oracle that was asked for has its
//! numbers, no other has, and numbers are numbers.

use std::collections::BTreeSet;

use longrun_protocol::receipt::OracleLine;

/// Lines that a receipt may have: more is a worker that has lost count.
const LINES_MAX: usize = 1000;

/// Whether `lines` answer for exactly the oracles `asked`; if not, everything that is wrong.
///
/// A quantity without an obtained number is an answer: one that has not passed.
pub fn answered(asked: &[String], lines: &[OracleLine]) -> Result<(), String> {
    if lines.len() > LINES_MAX {
        let count = lines.len();
        return Err(format!(
            "the receipt has {count} quantities; at most {LINES_MAX} are read"
        ));
    }
    let mut wrong = Vec::new();
    for name in asked {
        if !lines.iter().any(|line| line.oracle == *name) {
            wrong.push(format!("it lacks the oracle `{name}`, which was asked for"));
        }
    }
    let mut seen = BTreeSet::new();
    for line in lines {
        if !asked.contains(&line.oracle) && seen.insert((&line.oracle, None)) {
            let name = &line.oracle;
            wrong.push(format!(
                "it has the oracle `{name:.80}`, which was not asked for"
            ));
        }
        if !seen.insert((&line.oracle, Some(&line.quantity))) {
            let OracleLine {
                oracle, quantity, ..
            } = line;
            wrong.push(format!(
                "oracle `{oracle:.80}` has the quantity `{quantity:.80}` twice"
            ));
        }
        wrong.extend(defect(line));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("the receipt does not answer: {}", wrong.join("; "))),
    }
}

/// What is wrong with the numbers of one line.
fn defect(line: &OracleLine) -> Option<String> {
    let what = if line.quantity.trim().is_empty() {
        "does not name its quantity"
    } else if !line.expected.is_finite() {
        "expects something that is no finite number"
    } else if !(line.tolerance.is_finite() && line.tolerance >= 0.0) {
        "has a tolerance that is no finite number of at least 0"
    } else if line.obtained.is_some_and(|obtained| !obtained.is_finite()) {
        "obtained something that is no finite number"
    } else {
        return None;
    };
    let OracleLine {
        oracle, quantity, ..
    } = line;
    Some(format!("oracle `{oracle:.80}` (`{quantity:.80}`) {what}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use longrun_protocol::receipt::Relation;

    fn line(oracle: &str, quantity: &str) -> OracleLine {
        OracleLine {
            oracle: oracle.into(),
            quantity: quantity.into(),
            unit: String::new(),
            relation: Relation::Within,
            expected: 1.0,
            obtained: Some(1.0),
            tolerance: 0.1,
        }
    }

    fn asked() -> Vec<String> {
        vec!["energy".to_owned(), "span".to_owned()]
    }

    fn sound() -> Vec<OracleLine> {
        vec![
            line("energy", "energy"),
            line("span", "left"),
            line("span", "right"),
        ]
    }

    #[test]
    fn an_oracle_may_have_several_quantities_and_fail_in_any() {
        assert_eq!(answered(&asked(), &sound()), Ok(()));
        let mut lines = sound();
        lines[0].obtained = Some(7.0);
        lines[1].obtained = None;
        assert_eq!(answered(&asked(), &lines), Ok(()));
    }

    #[test]
    fn what_does_not_answer_is_named() {
        type Change = fn(&mut Vec<OracleLine>);
        let table: [(Change, &str); 12] = [
            (|lines| drop(lines.remove(0)), "lacks the oracle `energy`"),
            (|lines| lines.clear(), "lacks the oracle `span`"),
            (
                |lines| lines.push(line("weather", "rain")),
                "`weather`, which was not asked for",
            ),
            (
                |lines| lines.push(line("span", "left")),
                "quantity `left` twice",
            ),
            (|lines| lines[0].quantity = " ".into(), "name its quantity"),
            (|lines| lines[0].expected = f64::NAN, "expects something"),
            (
                |lines| lines[0].expected = f64::INFINITY,
                "expects something",
            ),
            (|lines| lines[0].tolerance = f64::NAN, "has a tolerance"),
            (|lines| lines[0].tolerance = -1.0, "has a tolerance"),
            (
                |lines| lines[0].tolerance = f64::INFINITY,
                "has a tolerance",
            ),
            (
                |lines| lines[0].obtained = Some(f64::NAN),
                "obtained something",
            ),
            (
                |lines| *lines = vec![line("energy", "energy"); LINES_MAX + 1],
                "has 1001 quantities",
            ),
        ];
        for (change, part) in table {
            let mut lines = sound();
            change(&mut lines);
            let reason = answered(&asked(), &lines).unwrap_err();
            assert!(reason.contains(part), "{part}: {reason}");
        }
    }

    #[test]
    fn everything_that_is_wrong_is_said_together() {
        let lines = vec![line("weather", "rain"), line("weather", "snow")];
        let reason = answered(&asked(), &lines).unwrap_err();
        let parts = ["`energy`", "`span`", "`weather`"];
        assert!(parts.iter().all(|part| reason.contains(part)), "{reason}");
        assert_eq!(reason.matches("not asked for").count(), 1, "{reason}");
    }
}
