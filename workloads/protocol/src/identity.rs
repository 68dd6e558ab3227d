//! Who built what, and which rows of history may be compared.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::configuration::{Backend, Configuration};
use crate::receipt::Resolved;

/// A compiler, as it names itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compiler {
    /// Family: `gnu`, `clang`, `msvc`.
    pub family: String,
    /// Full version, as reported.
    pub version: String,
    /// Target triple.
    pub target: String,
}

/// Everything that decides what a native build is.
///
/// The build key is a digest of this map; two builds with equal keys are the same build. It holds
/// no time stamp, no commit and no path of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildIdentity {
    /// Version of this structure.
    pub schema_version: u32,
    /// Digest that names the build.
    pub build_key: String,
    /// Which native library.
    pub backend: Backend,
    /// Version of the native project.
    pub version: String,
    /// CMake build profile.
    pub profile: String,
    /// Compiler of the native code.
    pub compiler: Compiler,
    /// Explicit compile flags, in order.
    pub flags: Vec<String>,
    /// Instruction set that the code was compiled for, resolved.
    pub isa: String,
    /// Version of each library linked, by name.
    pub libraries: BTreeMap<String, String>,
    /// ABI versions by area.
    pub abi: BTreeMap<String, i32>,
    /// Content digest of every source file by its path relative to `native/`.
    pub sources: BTreeMap<String, String>,
}

/// What must be equal before two rows of history are compared.
///
/// The hardware set is the file; the rest of the comparison key is here (R24).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HistoryIdentity {
    /// What the worker process did.
    pub configuration: Configuration,
    /// Memory domains spanned by the allocation; `None` is unknown and equal to nothing.
    pub memory_domains: Option<u32>,
    /// Threading policy.
    pub threading: String,
    /// Integrator that the stepper resolved to.
    pub integrator: String,
    /// Tolerances as `name=value` text, sorted.
    pub tolerances: String,
    /// Noise model.
    pub noise_model: String,
}

impl HistoryIdentity {
    /// Whether rows with these two identities may be compared. Unknown equals nothing.
    pub fn comparable(&self, other: &Self) -> bool {
        self.memory_domains.is_some() && self == other
    }
}

/// Tolerances as sorted `name=value` text; the shortest decimal that reads back as the value.
pub fn tolerances_text(resolved: &Resolved) -> String {
    let pairs: Vec<String> = resolved
        .tolerances
        .iter()
        .map(|(name, value)| format!("{name}={value:e}"))
        .collect();
    pairs.join(",")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::configuration::{Engine, Size, Width};

    fn identity(memory_domains: Option<u32>) -> HistoryIdentity {
        HistoryIdentity {
            configuration: Configuration {
                suite: "tracking".into(),
                case: "gnlse_soliton".into(),
                size: Size::Full,
                revision: 1,
                engine: Engine::Native,
                stepper: "default".into(),
                variant: String::new(),
                width: Width::Threads(1),
            },
            memory_domains,
            threading: "passive".into(),
            integrator: "rk".into(),
            tolerances: "atol=1e-10,rtol=1e-8".into(),
            noise_model: "input".into(),
        }
    }

    #[test]
    fn equal_identities_are_comparable_and_a_changed_default_is_not() {
        let a = identity(Some(1));
        let mut b = a.clone();
        assert!(a.comparable(&b));
        b.integrator = "multistep".into();
        assert!(!a.comparable(&b));
    }

    #[test]
    fn unknown_memory_domains_equal_nothing() {
        assert!(!identity(None).comparable(&identity(None)));
    }

    #[test]
    fn tolerances_are_sorted_text() {
        let resolved = Resolved {
            integrator: "rk".into(),
            tolerances: BTreeMap::from([("rtol".into(), 1e-8), ("atol".into(), 1e-10)]),
            noise_model: "input".into(),
            seed: None,
            threads: 1,
        };
        assert_eq!(tolerances_text(&resolved), "atol=1e-10,rtol=1e-8");
    }
}
