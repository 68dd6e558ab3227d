//! Threading policies: how idle threads wait and whether threads stay on their cores.
//!
//! A policy writes every variable, also those whose value is the runtime's own default, so that a
//! receipt's environment says what happened and no surrounding variable decides it. FFT and BLAS
//! calls stand inside a team and are single-threaded under every policy.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// Leaves it to the runtime to find the cores; without meaning where threads are not pinned.
const PLACES_UNKNOWN: &str = "cores";

/// How threads wait and where they run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Policy {
    /// Unpinned; idle threads sleep at once.
    #[default]
    Passive,
    /// Pinned to neighbouring cores; idle threads sleep at once.
    PassiveBound,
    /// Unpinned; idle threads wait as the runtime would by itself: a short spin, then sleep.
    Default,
    /// Unpinned; idle threads spin.
    Active,
    /// Pinned to neighbouring cores; waiting as under [`Policy::Default`].
    Bound,
    /// Pinned to neighbouring cores; idle threads spin.
    BoundActive,
}

#[derive(Clone, Copy)]
enum Waiting {
    Sleep,
    Runtime,
    Spin,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Policy; 6] = [
        Policy::Passive,
        Policy::PassiveBound,
        Policy::Default,
        Policy::Active,
        Policy::Bound,
        Policy::BoundActive,
    ];

    /// Its name on the command line and in history.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Passive => "passive",
            Policy::PassiveBound => "passive-bound",
            Policy::Default => "default",
            Policy::Active => "active",
            Policy::Bound => "bound",
            Policy::BoundActive => "bound-active",
        }
    }

    fn waiting(self) -> Waiting {
        match self {
            Policy::Passive | Policy::PassiveBound => Waiting::Sleep,
            Policy::Default | Policy::Bound => Waiting::Runtime,
            Policy::Active | Policy::BoundActive => Waiting::Spin,
        }
    }

    /// Whether threads are pinned.
    fn is_bound(self) -> bool {
        match self {
            Policy::PassiveBound | Policy::Bound | Policy::BoundActive => true,
            Policy::Passive | Policy::Default | Policy::Active => false,
        }
    }
}

/// Where threads may be pinned, as `OMP_PLACES` names it: `{0,4},{1,5}`, one place a physical core
/// with all its CPUs, in this order.
///
/// Where the cores are unknown the runtime is asked to find them. A list of our own is exact where
/// the runtime cannot see the topology, and has the fast cores of a hybrid machine first: `close`
/// fills places in order, so that p threads have p different cores, and the fastest.
pub fn places(cores: Option<&[Vec<u32>]>) -> String {
    let Some(cores) = cores else {
        return PLACES_UNKNOWN.to_owned();
    };
    let place = |cpus: &Vec<u32>| {
        let cpus: Vec<String> = cpus.iter().map(u32::to_string).collect();
        format!("{{{}}}", cpus.join(","))
    };
    let places: Vec<String> = cores.iter().map(place).collect();
    places.join(",")
}

/// The variables of a policy for a worker of so many threads, on these [`places`].
///
/// OpenMP can name only two ways of waiting. The runtime's own one is therefore written as the
/// spin that libgomp (`GOMP_SPINCOUNT`) and libomp (`KMP_BLOCKTIME`, in milliseconds) have when
/// nothing is set; both variables take precedence over `OMP_WAIT_POLICY`.
pub fn environment(policy: Policy, threads: u32, places: &str) -> BTreeMap<&'static str, String> {
    let (wait_policy, spin_count, block_time) = match policy.waiting() {
        Waiting::Sleep => ("passive", "0", "0"),
        Waiting::Runtime => ("passive", "300000", "200"),
        Waiting::Spin => ("active", "infinite", "infinite"),
    };
    BTreeMap::from([
        ("OMP_NUM_THREADS", threads.to_string()),
        ("OMP_DYNAMIC", "false".into()),
        (
            "OMP_PROC_BIND",
            if policy.is_bound() { "close" } else { "false" }.into(),
        ),
        (
            "OMP_PLACES",
            if policy.is_bound() {
                places
            } else {
                PLACES_UNKNOWN
            }
            .into(),
        ),
        ("OMP_WAIT_POLICY", wait_policy.into()),
        ("GOMP_SPINCOUNT", spin_count.into()),
        ("KMP_BLOCKTIME", block_time.into()),
        ("OPENBLAS_NUM_THREADS", "1".into()),
        ("MKL_NUM_THREADS", "1".into()),
    ])
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl TryFrom<String> for Policy {
    type Error = Failure;

    fn try_from(text: String) -> Result<Self, Failure> {
        text.parse()
    }
}

impl From<Policy> for String {
    fn from(policy: Policy) -> String {
        policy.name().to_owned()
    }
}

impl FromStr for Policy {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Policy::ALL.into_iter().find(|policy| policy.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Policy::ALL.iter().map(|policy| policy.name()).collect();
            Failure::usage(format!(
                "failed to choose threading policy `{text}`: there is no such policy; choose one \
                 of {}",
                names.join(", ")
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::exit::Exit;

    #[test]
    fn every_policy_writes_every_variable() {
        let places = "{0,2},{1,3}";
        for (policy, binding, places, waiting, spin, block) in [
            ("passive", "false", "cores", "passive", "0", "0"),
            ("passive-bound", "close", places, "passive", "0", "0"),
            ("default", "false", "cores", "passive", "300000", "200"),
            ("active", "false", "cores", "active", "infinite", "infinite"),
            ("bound", "close", places, "passive", "300000", "200"),
            (
                "bound-active",
                "close",
                places,
                "active",
                "infinite",
                "infinite",
            ),
        ] {
            let written = environment(policy.parse().unwrap(), 16, "{0,2},{1,3}");
            let expected = [
                ("GOMP_SPINCOUNT", spin),
                ("KMP_BLOCKTIME", block),
                ("MKL_NUM_THREADS", "1"),
                ("OMP_DYNAMIC", "false"),
                ("OMP_NUM_THREADS", "16"),
                ("OMP_PLACES", places),
                ("OMP_PROC_BIND", binding),
                ("OMP_WAIT_POLICY", waiting),
                ("OPENBLAS_NUM_THREADS", "1"),
            ];
            let written: Vec<_> = written.iter().map(|(k, v)| (*k, v.as_str())).collect();
            assert_eq!(written, expected, "{policy}");
        }
    }

    #[test]
    fn a_place_is_a_core_with_all_its_cpus() {
        let cores = [vec![0, 4], vec![2], vec![1, 5]];
        assert_eq!(places(Some(&cores)), "{0,4},{2},{1,5}");
        assert_eq!(places(None), "cores");
    }

    #[test]
    fn names_are_read_back_and_passive_is_the_default() {
        for policy in Policy::ALL {
            assert_eq!(policy.to_string().parse::<Policy>().unwrap(), policy);
        }
        assert_eq!(Policy::default().name(), "passive");
    }

    #[test]
    fn an_unknown_policy_lists_all_six() {
        let failure = "Passive".parse::<Policy>().unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
        for policy in Policy::ALL {
            assert!(
                failure.message.contains(policy.name()),
                "{}",
                failure.message
            );
        }
    }
}
