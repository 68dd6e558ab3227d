//! What a bundle says of its run beside the results: `plan.json`, `machine.json`, `build.json`.
//!
//! Whoever resumes a run reads them again: they must say enough to know whether the rest would be
//! measured like what is there, and [`differences`] says in words where it would not.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::SystemTime;

use longrun_protocol::request::Task;
use longrun_protocol::{BuildIdentity, Configuration};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Ground;
use super::report::SCHEMA_VERSION;
use crate::cli::{SelectionArgs, TrackArgs};
use crate::failure::{Failure, Outcome};
use crate::run::bundle::Bundle;
use crate::run::launch::definition;
use crate::text::counted;

/// Longest file of a bundle that is read here: a plan of ten thousand configurations.
const BYTES_MAX: u64 = 64 << 20;

/// Facts of `machine.json` that must be equal for results to belong to one run.
const MACHINE_FACTS: [&str; 6] = [
    "slug",
    "cpu_model",
    "signature",
    "memory_domains",
    "production",
    "os",
];

/// What the user chose for a run, for whoever resumes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// What its workers are asked to do.
    pub task: Task,
    /// Which configurations.
    pub selection: SelectionArgs,
    /// Cloud instance type.
    pub instance_type: Option<String>,
    /// Longest time of one worker, where one was given.
    pub timeout_s: Option<u64>,
    /// Whether final states are kept.
    pub keep_state: bool,
    /// Whether a repeat more says where its time went.
    #[serde(default)]
    pub breakdown: bool,
}

impl Options {
    /// What the arguments of `track` say.
    pub fn of(args: &TrackArgs) -> Self {
        Options {
            task: Task::Run,
            selection: args.selection.clone(),
            instance_type: args.instance_type.clone(),
            timeout_s: args.timeout,
            keep_state: args.keep_state,
            breakdown: args.breakdown,
        }
    }
}

/// One configuration of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// What is computed.
    pub configuration: Configuration,
    /// Expected seconds.
    pub estimate_s: Option<f64>,
    /// Processes that run it.
    #[serde(default = "one")]
    pub processes: u32,
    /// Least seconds from the first of them to the last.
    #[serde(default)]
    pub spread_s: u32,
    /// Digest of what decides the measurement, but for the code ([`definition`]).
    pub definition: String,
}

fn one() -> u32 {
    1
}

impl Planned {
    /// How many processes there are, and over what time.
    fn in_processes(&self) -> String {
        let count = usize::try_from(self.processes).unwrap_or(usize::MAX);
        match (counted(count, "process"), self.spread_s) {
            (processes, 0) => processes,
            (processes, spread_s) => format!("{processes} over {spread_s} s"),
        }
    }
}

/// An uncommitted path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Uncommitted {
    /// Path relative to the root.
    pub path: String,
    /// What happened to it.
    pub change: String,
}

/// `plan.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanFile {
    /// Version of the files of a bundle.
    pub schema_version: u32,
    /// Id of the run.
    pub run_id: String,
    /// When it began, RFC 3339 in UTC.
    pub began: String,
    /// Commit that was checked out then.
    pub commit: String,
    /// Branch, where there was one.
    pub branch: Option<String>,
    /// Watched files that were not committed then.
    pub dirty: Vec<Uncommitted>,
    /// What the user chose.
    pub options: Options,
    /// The configurations, in order.
    pub configurations: Vec<Planned>,
}

impl PlanFile {
    /// What there is to write about the run `run_id`.
    pub fn of(
        run_id: &str,
        began: SystemTime,
        ground: &Ground,
        options: Options,
    ) -> Outcome<PlanFile> {
        let state = &ground.state;
        let dirty = state.dirty.iter().map(|dirty| Uncommitted {
            path: dirty.path.clone(),
            change: dirty.change.as_str().to_owned(),
        });
        Ok(PlanFile {
            schema_version: SCHEMA_VERSION,
            run_id: run_id.to_owned(),
            began: humantime::format_rfc3339_seconds(began).to_string(),
            commit: state.commit.clone(),
            branch: state.branch.clone(),
            dirty: dirty.collect(),
            configurations: planned(ground, &options)?,
            options,
        })
    }

    /// Reads the plan of a bundle.
    ///
    /// # Errors
    /// Exit 2 where the run cannot be resumed: it has no plan yet, or one of another version.
    pub fn read(bundle: &Bundle) -> Outcome<PlanFile> {
        let refuse = |why: &str| {
            Err(Failure::usage(format!(
                "failed to resume the run {}: {why}; start a new run",
                bundle.run_id
            )))
        };
        let value = match read_earlier(bundle, "plan.json")? {
            None => return refuse("it ended before its plan was written"),
            Some(value) => value,
        };
        if value["schema_version"] != SCHEMA_VERSION {
            return refuse("its bundle was written by another version of Longrun");
        }
        match serde_json::from_value::<PlanFile>(value) {
            Ok(plan) if plan.options.task == Task::Run => Ok(plan),
            Ok(_) => refuse("it is no run of `track`"),
            Err(error) => refuse(&format!("its plan does not say enough ({error})")),
        }
    }

    /// When the run began.
    pub fn began(&self) -> Outcome<SystemTime> {
        humantime::parse_rfc3339(&self.began).map_err(|error| {
            Failure::usage(format!(
                "failed to resume the run {}: its plan names no time (`{}`: {error}); start a \
                 new run",
                self.run_id, self.began
            ))
        })
    }
}

/// The configurations of the plan as it is now.
pub fn planned(ground: &Ground, options: &Options) -> Outcome<Vec<Planned>> {
    let (policy, places) = (options.selection.threading, &ground.machine.places);
    let items = ground.plan.items.iter().map(|item| {
        Ok(Planned {
            configuration: item.configuration.clone(),
            estimate_s: item.estimate_s(),
            processes: item.processes,
            spread_s: item.spread_s,
            definition: definition(item, policy, places, options.keep_state)?,
        })
    });
    items.collect()
}

/// `build.json`, of what was or would be measured.
pub fn build_json(native: Option<&BuildIdentity>, workers: &BTreeMap<String, String>) -> Value {
    json!({
        "schema_version": SCHEMA_VERSION,
        "native": native,
        "workers": workers,
    })
}

/// A JSON file of the bundle of an earlier run; `None` where it is absent.
///
/// # Errors
/// Exit 6 where it is damaged.
pub fn read_earlier(bundle: &Bundle, name: &str) -> Outcome<Option<Value>> {
    read_json(&bundle.folder.join(name)).map_err(|failure| Failure {
        message: format!("{}; start a new run", failure.message),
        ..failure
    })
}

/// A JSON file of a bundle; `None` where it is absent.
fn read_json<T: DeserializeOwned>(path: &Path) -> Outcome<Option<T>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::file("read", path, error)),
    };
    let mut bytes = Vec::new();
    file.take(BYTES_MAX)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::file("read", path, error))?;
    let value = serde_json::from_slice(&bytes);
    value.map(Some).map_err(|e| Failure::file("read", path, e))
}

/// Why the rest of a plan would not be measured like what is there. Pure.
pub fn plan_differences(then: &[Planned], now: &[Planned]) -> Vec<String> {
    let mut differences = Vec::new();
    for planned in then {
        let same = |one: &&Planned| one.configuration == planned.configuration;
        let name = &planned.configuration;
        match now.iter().find(same) {
            None => differences.push(format!("`{name}` (revision {}) is gone", name.revision)),
            Some(one) if one.definition != planned.definition => {
                differences.push(format!("`{name}` is defined otherwise now"));
            }
            Some(one) if one.in_processes() != planned.in_processes() => {
                let (was, is) = (planned.in_processes(), one.in_processes());
                differences.push(format!("`{name}` was sampled in {was} and is in {is}"));
            }
            Some(_) => {}
        }
    }
    let known = |one: &&Planned| then.iter().all(|t| t.configuration != one.configuration);
    let new = now.iter().filter(known);
    differences.extend(new.map(|one| {
        let name = &one.configuration;
        format!("`{name}` (revision {}) is new", name.revision)
    }));
    let order = |plan: &[Planned]| -> Vec<Configuration> {
        plan.iter().map(|one| one.configuration.clone()).collect()
    };
    if differences.is_empty() && order(then) != order(now) {
        differences.push("the order of the plan is another one".to_owned());
    }
    differences
}

/// The same for the machine: two values of `machine.json`. Pure.
pub fn machine_differences(then: &Value, now: &Value) -> Vec<String> {
    let changed = MACHINE_FACTS
        .into_iter()
        .filter(|fact| then[fact] != now[fact]);
    let changed = changed.map(|fact| format!("`{fact}` was {} and is {}", then[fact], now[fact]));
    changed.collect()
}

/// The same for the code: two values of `build.json`. Pure.
pub fn build_differences(then: &Value, now: &Value) -> Vec<String> {
    let mut differences = Vec::new();
    let keys = [then, now].map(|value| &value["native"]["build_key"]);
    if keys[0] != keys[1] {
        let name = |key: &Value| match key.as_str() {
            Some(key) => format!("{key:.12}"),
            None => "none".to_owned(),
        };
        let [then, now] = keys.map(name);
        differences.push(format!("the native build was {then} and is {now}"));
    }
    let digests = [then, now].map(|value| -> BTreeMap<String, Value> {
        let workers = value["workers"].as_object();
        let entries = workers.into_iter().flatten();
        entries.map(|(k, v)| (k.clone(), v.clone())).collect()
    });
    if digests[0] != digests[1] {
        let names = digests[0].keys().chain(digests[1].keys());
        let mut changed: Vec<&String> = names
            .filter(|n| digests[0].get(*n) != digests[1].get(*n))
            .collect();
        changed.sort();
        changed.dedup();
        differences.extend(
            changed
                .into_iter()
                .map(|n| format!("the worker {n} changed")),
        );
    }
    differences
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::machine::{Machine, MachineOptions};
    use longrun_protocol::{Engine, Size, Width};

    fn planned(case: &str, definition: &str) -> Planned {
        Planned {
            configuration: Configuration {
                suite: "s".into(),
                case: case.into(),
                size: Size::Full,
                revision: 1,
                engine: Engine::Native,
                stepper: "default".into(),
                variant: String::new(),
                width: Width::Threads(1),
            },
            estimate_s: None,
            processes: 1,
            spread_s: 0,
            definition: definition.into(),
        }
    }

    #[test]
    fn an_equal_plan_has_no_differences_whatever_it_is_expected_to_cost() {
        let then = [planned("a", "1"), planned("b", "2")];
        let mut now = then.clone();
        now[0].estimate_s = Some(5.0);
        assert_eq!(plan_differences(&then, &now), [""; 0]);
    }

    #[test]
    fn every_difference_of_a_plan_is_named() {
        let then = [planned("a", "1"), planned("b", "2")];
        let table: [(&[Planned], &[&str]); 4] = [
            (
                &[planned("a", "1"), planned("b", "3")],
                &["`b @1` is defined otherwise now"],
            ),
            (&[planned("a", "1")], &["`b @1` (revision 1) is gone"]),
            (
                &[planned("a", "1"), planned("c", "2")],
                &["`b @1` (revision 1) is gone", "`c @1` (revision 1) is new"],
            ),
            (
                &[planned("b", "2"), planned("a", "1")],
                &["the order of the plan is another one"],
            ),
        ];
        for (now, expected) in table {
            assert_eq!(plan_differences(&then, now), expected);
        }
        let mut more = then.clone();
        more[1].processes = 8;
        more[1].spread_s = 30;
        let expected = ["`b @1` was sampled in 1 process and is in 8 processes over 30 s"];
        assert_eq!(plan_differences(&then, &more), expected);
    }

    #[test]
    fn every_fact_that_is_compared_is_written() {
        let machine = Machine::read(MachineOptions::default());
        let written = serde_json::to_value(&machine).unwrap();
        for fact in MACHINE_FACTS {
            assert!(written.get(fact).is_some(), "{fact}");
        }
    }

    #[test]
    fn another_machine_is_named_fact_by_fact_and_its_load_is_no_fact() {
        let then = json!({"slug": "a-1c", "os": "Debian", "signature": {"model": "1"}, "load": 1});
        let mut now = then.clone();
        now["load"] = json!(2);
        assert_eq!(machine_differences(&then, &now), [""; 0]);
        now["signature"] = json!({"model": "2"});
        now["os"] = Value::Null;
        let expected = [
            r#"`signature` was {"model":"1"} and is {"model":"2"}"#,
            r#"`os` was "Debian" and is null"#,
        ];
        assert_eq!(machine_differences(&then, &now), expected);
    }

    #[test]
    fn another_build_and_another_worker_are_named() {
        let then = json!({"native": {"build_key": "aaaa"}, "workers": {"w": "1"}});
        assert_eq!(build_differences(&then, &then), [""; 0]);
        let now = json!({"native": null, "workers": {"w": "2", "x": "1"}});
        let expected = [
            "the native build was aaaa and is none",
            "the worker w changed",
            "the worker x changed",
        ];
        assert_eq!(build_differences(&then, &now), expected);
    }
}
