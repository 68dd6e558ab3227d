//! The environment of a worker, built from nothing. Pure.
//!
//! A worker sees a short list of the caller's variables, a fixed locale, the id of its run, and
//! every variable of the threading policy with an explicit value. Everything else is left out, and
//! recorded by name: `cargo run` alone adds dozens of variables that change how programs load and
//! build.

use std::collections::{BTreeMap, BTreeSet};
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

/// Variable that names the CPUs of the allocation, for a worker that reads what they do: `0,1,5`.
/// The worker cannot tell by itself, because bound policies move its threads to some of them.
const CPUS: &str = "LONGRUN_CPUS";

/// The environment of one worker. Written to `environment.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerEnvironment {
    /// Every variable that the worker sees.
    pub set: BTreeMap<String, String>,
    /// Names of the caller's variables that it does not see.
    pub dropped: Vec<String>,
}

impl WorkerEnvironment {
    /// The same, naming the CPUs of the allocation, where they are known.
    pub fn with_cpus(mut self, cpus: Option<&BTreeSet<u32>>) -> Self {
        if let Some(cpus) = cpus {
            let numbers: Vec<String> = cpus.iter().map(u32::to_string).collect();
            self.set.insert(CPUS.to_owned(), numbers.join(","));
            self.dropped.retain(|name| name != CPUS);
        }
        self
    }
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
    fn the_cpus_of_the_allocation_are_named_where_they_are_known() {
        let caller = [(CPUS, "7")];
        let known = build(&caller).with_cpus(Some(&BTreeSet::from([10, 0, 2])));
        assert_eq!(known.set[CPUS], "0,2,10");
        assert!(known.dropped.is_empty());
        let unknown = build(&caller).with_cpus(None);
        assert_eq!(unknown.set.get(CPUS), None);
        assert_eq!(unknown.dropped, [CPUS]);
    }

    #[test]
    fn the_policy_and_the_locale_win_over_the_caller() {
        let environment = build(&[("OMP_NUM_THREADS", "64"), ("LC_ALL", "de_DE.UTF-8")]);
        assert_eq!(environment.set["OMP_NUM_THREADS"], "2");
        assert_eq!(environment.set["LC_ALL"], "C");
        assert!(environment.dropped.is_empty());
    }
}
