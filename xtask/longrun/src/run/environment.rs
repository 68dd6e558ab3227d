//! The environment of a worker, built from nothing. Pure.
//!
//! A worker sees a short list of the caller's variables, a fixed locale, the id of its run, and
//! every variable of the threading policy with an explicit value. Everything else is left out, and
//! recorded by name: `cargo run` alone adds dozens of variables that change how programs load and
//! build.

use std::collections::BTreeMap;
use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use super::family::MARKER;

/// Variables of the caller that a worker sees.
const PASSED_ON: [&str; 6] = [
    "PATH",
    "HOME",
    "TMPDIR",
    "CUDA_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
];

/// Prefix of further variables that a worker sees: what the batch system allocated.
const PASSED_ON_PREFIX: &str = "SLURM_";

/// The environment of one worker. Written to `environment.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerEnvironment {
    /// Every variable that the worker sees.
    pub set: BTreeMap<String, String>,
    /// Names of the caller's variables that it does not see.
    pub dropped: Vec<String>,
}

/// The environment that a worker of the run `run_id` gets from the caller's variables and the
/// policy's.
pub fn worker_environment(
    caller: impl IntoIterator<Item = (OsString, OsString)>,
    policy: &BTreeMap<&'static str, String>,
    run_id: &str,
) -> WorkerEnvironment {
    let mut set = BTreeMap::new();
    let mut dropped = Vec::new();
    for (name, value) in caller {
        let name = name.to_string_lossy().into_owned();
        let passed = PASSED_ON.contains(&name.as_str()) || name.starts_with(PASSED_ON_PREFIX);
        match (passed, value.into_string()) {
            (true, Ok(value)) => {
                set.insert(name, value);
            }
            _ => dropped.push(name),
        }
    }
    set.insert("LC_ALL".to_owned(), "C".to_owned());
    set.insert(MARKER.to_owned(), run_id.to_owned());
    for (name, value) in policy {
        set.insert((*name).to_owned(), value.clone());
    }
    dropped.retain(|name| !set.contains_key(name));
    dropped.sort();
    dropped.dedup();
    WorkerEnvironment { set, dropped }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(caller: &[(&str, &str)]) -> WorkerEnvironment {
        let caller = caller.iter().map(|(n, v)| ((*n).into(), (*v).into()));
        let policy = BTreeMap::from([("OMP_NUM_THREADS", "2".to_owned())]);
        worker_environment(caller, &policy, "a-run")
    }

    #[test]
    fn only_listed_variables_pass_and_the_rest_is_named() {
        let environment = build(&[
            ("PATH", "/bin"),
            ("SLURM_JOB_ID", "7"),
            ("LD_LIBRARY_PATH", "/cargo"),
            ("CARGO_MANIFEST_DIR", "/x"),
            ("KOKKOS_TOOLS_LIBS", "tool.so"),
        ]);
        let names: Vec<&str> = environment.set.keys().map(String::as_str).collect();
        let passed = ["LC_ALL", MARKER, "OMP_NUM_THREADS", "PATH", "SLURM_JOB_ID"];
        assert_eq!(names, passed);
        let dropped = ["CARGO_MANIFEST_DIR", "KOKKOS_TOOLS_LIBS", "LD_LIBRARY_PATH"];
        assert_eq!(environment.dropped, dropped);
    }

    #[test]
    fn the_policy_and_the_locale_win_over_the_caller() {
        let environment = build(&[("OMP_NUM_THREADS", "64"), ("LC_ALL", "de_DE.UTF-8")]);
        assert_eq!(environment.set["OMP_NUM_THREADS"], "2");
        assert_eq!(environment.set["LC_ALL"], "C");
        assert!(environment.dropped.is_empty());
    }
}
