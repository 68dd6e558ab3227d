//! What becomes of what is on disk. Pure.

use std::time::Duration;

use super::survey::{Item, Kind};

/// What is to be freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// What was not used for so long.
    pub older_than: Duration,
    /// Also complete runs that are in no history.
    pub unrecorded: bool,
}

/// What became of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was only shown.
    Shown,
    /// It is gone.
    Freed,
    /// It was used lately.
    Young,
    /// A process uses it.
    InUse,
    /// It is a complete run that is in no history.
    Unrecorded,
    /// It is never freed by age.
    Durable,
    /// It could not be removed; why.
    Failed(String),
}

impl Fate {
    /// The word in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Fate::Shown => "shown",
            Fate::Freed => "freed",
            Fate::Young => "young",
            Fate::InUse => "in_use",
            Fate::Unrecorded => "unrecorded",
            Fate::Durable => "durable",
            Fate::Failed(_) => "failed",
        }
    }
}

/// What is to become of an item; whether it is used is seen when it is taken away.
pub fn fate(item: &Item, policy: &Policy) -> Fate {
    if item.kind == Kind::Calibration {
        return Fate::Durable;
    }
    // What nobody can date is not known to be old.
    if item.age.is_none_or(|age| age < policy.older_than) {
        return Fate::Young;
    }
    match item.unrecorded && !policy.unrecorded {
        true => Fate::Unrecorded,
        false => Fate::Freed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    #[test]
    fn what_is_old_is_freed_and_nothing_else() {
        let item = |kind, age, unrecorded| Item {
            kind,
            path: "x".into(),
            bytes: 1,
            age,
            unrecorded,
        };
        let policy = |unrecorded| Policy {
            older_than: 30 * DAY,
            unrecorded,
        };
        let old = Some(30 * DAY);
        let young = Some(29 * DAY);
        for (item, unrecorded, expected) in [
            (item(Kind::Native, old, false), false, Fate::Freed),
            (item(Kind::Native, young, false), false, Fate::Young),
            (item(Kind::Native, None, false), true, Fate::Young),
            (item(Kind::Runs, old, false), false, Fate::Freed),
            (item(Kind::Runs, old, true), false, Fate::Unrecorded),
            (item(Kind::Runs, old, true), true, Fate::Freed),
            (item(Kind::Runs, young, true), true, Fate::Young),
            (item(Kind::Calibration, old, false), true, Fate::Durable),
        ] {
            assert_eq!(fate(&item, &policy(unrecorded)), expected, "{item:?}");
        }
    }
}
