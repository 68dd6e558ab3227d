//! What decides whether two times may be compared at all: the machine, and how its threads were
//! placed. Names no host, no user and no path.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::machine::Machine;
use crate::machine::slug;
use crate::machine::threading::Policy;

/// How a signature writes what it does not know.
const UNKNOWN: &str = "?";

/// Of the machine that a baseline was measured on, or that a run was measured on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(PartialEq, Eq))]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// Hardware set.
    pub slug: String,
    /// Signature of the CPU: `name=value` with blanks between, `?` where it is unknown.
    pub cpu: String,
    /// Threading policy.
    pub threading: String,
}

impl Fingerprint {
    /// Of runs on `machine` under `policy`.
    pub fn of(machine: &Machine, policy: Policy) -> Fingerprint {
        Fingerprint {
            slug: machine.slug.clone(),
            cpu: machine.signature.to_string(),
            threading: policy.name().to_owned(),
        }
    }

    /// What is known of the CPU, by name.
    fn known(&self) -> BTreeMap<&str, &str> {
        let fields = self.cpu.split_whitespace();
        let fields = fields.filter_map(|field| field.split_once('='));
        fields.filter(|(_, value)| *value != UNKNOWN).collect()
    }

    /// Whether anything tells this machine from another.
    fn names_a_machine(&self) -> bool {
        !self.known().is_empty() || !slug::is_unknown(&self.slug)
    }
}

/// Why times that were taken `then` may not be compared with those of `now`; empty if they may.
///
/// What is unknown on one side only is a difference: it could be anything. What neither side knows
/// says nothing, unless nothing at all is known.
pub fn differences(then: &Fingerprint, now: &Fingerprint) -> Vec<String> {
    let mut differences = Vec::new();
    for (what, was, is) in [
        ("hardware set", &then.slug, &now.slug),
        ("threading policy", &then.threading, &now.threading),
    ] {
        if was != is {
            differences.push(format!("the {what} was `{was}` and is `{is}`"));
        }
    }
    let (was, is) = (then.known(), now.known());
    let mut names: Vec<&str> = was.keys().chain(is.keys()).copied().collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let values = [&was, &is].map(|known| known.get(name).copied());
        if values[0] != values[1] {
            let [was, is] = values.map(|value| value.unwrap_or("unknown"));
            differences.push(format!("`{name}` of the CPU was {was} and is {is}"));
        }
    }
    if differences.is_empty() && !now.names_a_machine() {
        differences.push("nothing is known of the CPU, so it may be any machine".to_owned());
    }
    differences
}

#[cfg(test)]
pub mod made {
    //! Fingerprints of machines that do not exist.

    use super::Fingerprint;

    /// One that is known.
    pub fn fingerprint() -> Fingerprint {
        Fingerprint {
            slug: "some-cpu-4c".into(),
            cpu: "vendor=Some family=25 model=1 stepping=1 caches=L1d:32K max_mhz=?".into(),
            threading: "passive".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::made::fingerprint;
    use super::*;

    #[test]
    fn what_neither_side_knows_does_not_keep_times_apart() {
        assert_eq!(differences(&fingerprint(), &fingerprint()), [""; 0]);
    }

    #[test]
    fn every_difference_is_named_with_both_values() {
        let now = Fingerprint {
            slug: "other-cpu-8c".into(),
            cpu: "vendor=Some family=26 model=1 stepping=? caches=L1d:32K max_mhz=3000".into(),
            threading: "active".into(),
        };
        let expected = [
            "the hardware set was `some-cpu-4c` and is `other-cpu-8c`",
            "the threading policy was `passive` and is `active`",
            "`family` of the CPU was 25 and is 26",
            "`max_mhz` of the CPU was unknown and is 3000",
            "`stepping` of the CPU was 1 and is unknown",
        ];
        assert_eq!(differences(&fingerprint(), &now), expected);
    }

    #[test]
    fn machines_of_which_nothing_is_known_are_not_taken_for_one() {
        let nothing = Fingerprint {
            slug: "unknown-4c".into(),
            cpu: "vendor=? family=? model=? stepping=? caches=? max_mhz=?".into(),
            threading: "passive".into(),
        };
        let found = differences(&nothing, &nothing);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("nothing is known"), "{found:?}");
        let named = Fingerprint {
            slug: "some-cpu-4c".into(),
            ..nothing.clone()
        };
        assert_eq!(differences(&named, &named), [""; 0]);
        let signed = Fingerprint {
            cpu: "vendor=Some family=?".into(),
            ..nothing
        };
        assert_eq!(differences(&signed, &signed), [""; 0]);
    }
}
