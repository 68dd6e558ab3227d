//! One thing that `doctor` looked at, and how good it is.

use serde::Serialize;

/// How good a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Nothing to think about.
    Ok,
    /// Worth knowing when numbers are read.
    Note,
    /// Numbers will suffer, cannot be compared, or could not be recorded.
    Warn,
    /// Some command cannot do its work.
    Blocked,
}

impl Grade {
    /// The word in the report.
    pub fn as_str(self) -> &'static str {
        match self {
            Grade::Ok => "ok",
            Grade::Note => "note",
            Grade::Warn => "warn",
            Grade::Blocked => "blocked",
        }
    }
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at; a word that never changes.
    pub topic: &'static str,
    /// How good it is.
    pub grade: Grade,
    /// What was found; `None` is unknown.
    pub found: Option<String>,
    /// What to do about it, where there is something.
    pub next_step: Option<String>,
}

impl Finding {
    /// Something that was found.
    pub fn new(topic: &'static str, grade: Grade, found: impl Into<String>) -> Finding {
        Finding {
            topic,
            grade,
            found: Some(found.into()),
            next_step: None,
        }
    }

    /// Something that the system does not tell.
    pub fn unknown(topic: &'static str, grade: Grade) -> Finding {
        Finding {
            topic,
            grade,
            found: None,
            next_step: None,
        }
    }

    /// The same, with something to do about it.
    pub fn next(mut self, step: impl Into<String>) -> Finding {
        self.next_step = Some(step.into());
        self
    }
}

/// Asserts what a finding is: `found` is part of its text or unknown, `step` whether there is a
/// next step.
#[cfg(test)]
#[track_caller]
pub fn check(finding: &Finding, grade: Grade, found: Option<&str>, step: bool) {
    assert_eq!(finding.grade, grade, "{finding:?}");
    let text = finding.found.as_deref();
    match found {
        None => assert_eq!(text, None, "{finding:?}"),
        Some(part) => assert!(text.is_some_and(|text| text.contains(part)), "{finding:?}"),
    }
    assert_eq!(finding.next_step.is_some(), step, "{finding:?}");
}
