//! What a bundle says of its comparison beside the observations: `plan.json`. Whoever resumes the
//! comparison reads it again.

use std::fs;
use std::time::Duration;

use longrun_protocol::Configuration;
use serde::{Deserialize, Serialize};

use crate::ab::kept::file::{OBSERVATIONS, Record, Recorder};
use crate::ab::kept::record::{ArmRecord, Compared, Header};
use crate::ab::sides::ground::{Ground, Planned};
use crate::cli::SelectionArgs;
use crate::cli::ab::{AbArgs, Harness, Mode, Opinion};
use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::run::bundle::{Bundle, LOCK};
use crate::run::family;
use crate::run::launch::definition;
use crate::text;
use crate::track::archive::outside_of_measured;

/// Version of the plan.
const SCHEMA_VERSION: u32 = 1;

/// Name of the plan in a bundle.
const PLAN: &str = "plan.json";

/// Longest plan that is read.
const BYTES_MAX: u64 = 64 << 20;

/// What the user chose, with revisions resolved and the seed drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    schema_version: u32,
    /// Id of the comparison.
    run_id: String,
    /// Full id of the baseline's commit.
    baseline: String,
    /// Full id of the candidate's commit; absent for the working tree.
    candidate: Option<String>,
    selection: SelectionArgs,
    mode: Option<Mode>,
    workers: Option<Harness>,
    margin: Option<f64>,
    alpha: f64,
    max_observations: Option<u32>,
    max_time_s: f64,
    seed: u64,
    pin: bool,
    rounds: Option<u32>,
    length: f64,
    confirm: Option<Opinion>,
    gate: bool,
    aa: Option<u32>,
    timeout_s: Option<u64>,
    /// What each configuration that can be compared is, but for the code.
    definitions: Vec<Definition>,
}

/// Digests of what decides the measurement of one configuration, but for the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Definition {
    configuration: Configuration,
    baseline: String,
    candidate: String,
}

impl Plan {
    /// What there is to keep of a comparison that begins.
    pub fn of(run_id: &str, ground: &Ground, args: &AbArgs, seed: u64) -> Outcome<Plan> {
        let commit = |given: &Option<String>, side| {
            given.as_ref().map(|_| ground.arms.of(side).commit.clone())
        };
        use longrun_protocol::duet::Side::{Baseline, Candidate};
        Ok(Plan {
            schema_version: SCHEMA_VERSION,
            run_id: run_id.to_owned(),
            baseline: ground.arms.of(Baseline).commit.clone(),
            candidate: commit(&args.candidate, Candidate),
            selection: args.selection.clone(),
            mode: args.mode,
            workers: args.workers,
            margin: args.margin,
            alpha: args.alpha,
            max_observations: args.max_observations,
            max_time_s: args.max_time.as_secs_f64(),
            seed,
            pin: args.pin,
            rounds: args.rounds,
            length: args.length,
            confirm: args.confirm,
            gate: args.gate,
            aa: args.aa,
            timeout_s: args.timeout,
            definitions: definitions(ground, args)?,
        })
    }

    /// Keeps it.
    pub fn write(&self, bundle: &Bundle) -> Outcome<()> {
        bundle.write(PLAN, self)
    }

    fn read(bundle: &Bundle) -> Outcome<Plan> {
        let path = bundle.folder.join(PLAN);
        let length = fs::metadata(&path).map(|data| data.len()).unwrap_or(0);
        let text = fs::read_to_string(&path)
            .ok()
            .filter(|_| length <= BYTES_MAX);
        let plan = text.and_then(|text| serde_json::from_str::<Plan>(&text).ok());
        plan.filter(|plan| plan.schema_version == SCHEMA_VERSION)
            .ok_or_else(|| {
                Failure::usage(format!(
                    "failed to resume the comparison {}: its plan is not there, damaged, or of \
                 another version; begin another one",
                    bundle.run_id
                ))
            })
    }

    /// What was chosen then, with what was chosen now.
    fn arguments(&self, now: &AbArgs) -> AbArgs {
        let then = self.clone();
        AbArgs {
            selection: then.selection,
            baseline: Some(then.baseline),
            candidate: then.candidate,
            mode: then.mode,
            workers: then.workers,
            margin: then.margin,
            alpha: then.alpha,
            max_observations: then.max_observations,
            max_time: Duration::try_from_secs_f64(then.max_time_s).unwrap_or(now.max_time),
            seed: Some(then.seed),
            pin: then.pin,
            rounds: then.rounds,
            length: then.length,
            confirm: then.confirm,
            gate: then.gate,
            aa: then.aa,
            timeout: now.timeout.or(then.timeout_s),
            ..now.clone()
        }
    }
}

fn definitions(ground: &Ground, args: &AbArgs) -> Outcome<Vec<Definition>> {
    let comparable = ground.planned.iter().filter(|one| one.is_comparable());
    let (policy, places) = (args.selection.threading, &ground.machine.places);
    let mut definitions = Vec::new();
    for Planned {
        couple, compared, ..
    } in comparable
    {
        let (Some(baseline), Some(candidate)) = (&couple.baseline, &couple.candidate) else {
            continue;
        };
        definitions.push(Definition {
            configuration: compared.configuration.clone(),
            baseline: definition(baseline, policy, places, false)?,
            candidate: definition(candidate, policy, places, false)?,
        });
    }
    Ok(definitions)
}

/// A comparison that was stopped and is to be finished. Nobody else can meanwhile.
pub struct Earlier {
    /// Its file, open.
    pub recorder: Recorder,
    /// What the file holds.
    pub record: Record,
    plan: Plan,
}

impl Earlier {
    /// Finds the comparison that `wanted` names, and its bundle.
    ///
    /// # Errors
    /// Exit 2 where none or several are meant, it has ended, or its files are damaged; exit 6 where
    /// another process is making it right now.
    pub fn open(project: &Project, args: &AbArgs, wanted: &str) -> Outcome<(Bundle, Earlier)> {
        let folder = folder(project, args)?;
        let bundle = Bundle::open_holding(LOCK, &folder, wanted)?;
        let plan = Plan::read(&bundle)?;
        let (recorder, record) = Recorder::reopen(&bundle.folder.join(OBSERVATIONS))?;
        let earlier = Earlier {
            recorder,
            record,
            plan,
        };
        Ok((bundle, earlier))
    }

    /// What was chosen then, with what was chosen now.
    pub fn arguments(&self, now: &AbArgs) -> AbArgs {
        self.plan.arguments(now)
    }

    /// Seed of its coins.
    pub fn seed(&self) -> u64 {
        self.plan.seed
    }

    /// Refuses to go on where anything is not as it was. Processes that a killed part has left
    /// behind are ended.
    pub fn check(&self, ground: &Ground, args: &AbArgs, now: &Header) -> Outcome<()> {
        let mut all = definition_differences(&self.plan.definitions, &definitions(ground, args)?);
        all.extend(differences(&self.record.header, now));
        if !all.is_empty() {
            let listed: String = all.iter().map(|what| format!("\n  {what}")).collect();
            return Err(Failure::refused(format!(
                "refused to resume the comparison {}: the rest of it would not be measured like \
                 what is there:{listed}\nrestore that, or begin another one",
                self.record.header.run_id
            )));
        }
        let left = family::end_leftovers(&self.record.header.run_id);
        if left > 0 {
            let ended = text::counted(left, "process");
            crate::output::note(format!(
                "note: {ended} that this comparison had left behind: ended"
            ));
        }
        Ok(())
    }
}

/// The folder of comparisons that the arguments name, absolute. It lies nowhere that is measured.
pub fn folder(project: &Project, args: &AbArgs) -> Outcome<std::path::PathBuf> {
    Ok(match &args.out {
        Some(folder) => outside_of_measured(project, &project.watched_scope(), folder, "--out")?,
        None => project.work().join("ab"),
    })
}

fn definition_differences(then: &[Definition], now: &[Definition]) -> Vec<String> {
    let mut differences = Vec::new();
    for one in then {
        let name = &one.configuration;
        let same = |other: &&Definition| other.configuration == *name;
        // One that is gone is named where the configurations are compared.
        let other = now.iter().find(same);
        if other.is_some_and(|other| other != one) {
            differences.push(format!("`{name}` is defined otherwise now"));
        }
    }
    differences
}

/// Why the rest of a comparison would not be measured like what is there. Pure.
fn differences(then: &Header, now: &Header) -> Vec<String> {
    let mut differences = Vec::new();
    for (side, then, now) in [
        ("baseline", &then.baseline, &now.baseline),
        ("candidate", &then.candidate, &now.candidate),
    ] {
        differences.extend(arm_differences(side, then, now));
    }
    let (before, after) = (&then.machine, &now.machine);
    let unknown = || "unknown".to_owned();
    let model = |model: &Option<String>| model.clone().unwrap_or_else(unknown);
    let mut fact = |what: &str, then: String, now: String| {
        if then != now {
            differences.push(format!("the {what} was `{then}` and is `{now}`"));
        }
    };
    fact("hardware set", before.slug.clone(), after.slug.clone());
    fact("CPU", model(&before.cpu_model), model(&after.cpu_model));
    fact(
        "CPU's signature",
        before.signature.clone(),
        after.signature.clone(),
    );
    fact("platform", before.platform.clone(), after.platform.clone());
    differences.extend(plan_differences(&then.configurations, &now.configurations));
    differences
}

fn arm_differences(side: &str, then: &ArmRecord, now: &ArmRecord) -> Vec<String> {
    let mut differences = Vec::new();
    if then.build_key != now.build_key {
        let name = |key: &Option<String>| match key {
            Some(key) => format!("{key:.12}"),
            None => "none".to_owned(),
        };
        let (then, now) = (name(&then.build_key), name(&now.build_key));
        differences.push(format!(
            "the native build of the {side} was {then} and is {now}"
        ));
    }
    let gone = then
        .workers
        .keys()
        .filter(|name| !now.workers.contains_key(*name));
    for worker in now.workers.keys().chain(gone) {
        if then.workers.get(worker) != now.workers.get(worker) {
            differences.push(format!("the worker {worker} of the {side} changed"));
        }
    }
    differences
}

fn plan_differences(then: &[Compared], now: &[Compared]) -> Vec<String> {
    let mut differences = Vec::new();
    for one in then {
        let name = &one.configuration;
        let found = now.iter().find(|other| other.configuration == *name);
        match found {
            None => differences.push(format!("`{name}` (revision {}) is gone", name.revision)),
            Some(other) if !alike(one, other) => {
                differences.push(format!("`{name}` would be compared otherwise now"));
            }
            Some(_) => {}
        }
    }
    let known = |one: &&Compared| !then.iter().any(|t| t.configuration == one.configuration);
    let new = now.iter().filter(known).map(|one| &one.configuration);
    differences.extend(new.map(|name| format!("`{name}` (revision {}) is new", name.revision)));
    let order = |plan: &[Compared]| -> Vec<Configuration> {
        plan.iter().map(|one| one.configuration.clone()).collect()
    };
    if differences.is_empty() && order(then) != order(now) {
        differences.push("the order of the plan is another one".to_owned());
    }
    differences
}

/// Whether both are observed and judged alike. What was learnt of the machine meanwhile is no
/// difference: the rest goes by what the file says.
fn alike(then: &Compared, now: &Compared) -> bool {
    let bits =
        |one: &Compared| [one.margin, one.revision_bound, one.step_tolerance].map(f64::to_bits);
    then.renamed_from == now.renamed_from
        && then.standing == now.standing
        && then.mode == now.mode
        && then.metric == now.metric
        && bits(then) == bits(now)
        && then.chaotic == now.chaotic
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::ab::kept::record::Standing;
    use crate::ab::testing;

    #[test]
    fn an_equal_header_has_no_differences_whatever_was_learnt_meanwhile() {
        let then = testing::header(&["a"]);
        let mut now = then.clone();
        now.date = "2030-01-01T00:00:00Z".to_owned();
        now.configurations[0].observations_max = 21;
        now.configurations[0].known_sd = Some(0.1);
        now.candidate.commit = "another commit with the same content".to_owned();
        assert_eq!(differences(&then, &now), [""; 0]);
    }

    #[test]
    fn every_difference_is_named() {
        type Change = fn(&mut Header);
        let table: [(&str, Change); 9] = [
            ("native build of the baseline was", |now| {
                now.baseline.build_key = Some("other".into());
            }),
            ("native build of the candidate was", |now| {
                now.candidate.build_key = None
            }),
            ("worker w of the candidate changed", |now| {
                now.candidate.workers.insert("w".into(), "other".into());
            }),
            ("the hardware set was", |now| {
                now.machine.slug = "other".into()
            }),
            ("the CPU was", |now| {
                now.machine.cpu_model = Some("other".into())
            }),
            ("`a @1` (revision 1) is gone", |now| {
                now.configurations.clear()
            }),
            ("`b @1` (revision 1) is new", |now| {
                now.configurations.push(testing::compared("b"));
            }),
            ("`a @1` would be compared otherwise", |now| {
                now.configurations[0].standing = Standing::Missing;
            }),
            ("`a @1` would be compared otherwise", |now| {
                now.configurations[0].mode = Mode::Pairs;
            }),
        ];
        let then = testing::header(&["a"]);
        for (expected, change) in table {
            let mut now = then.clone();
            change(&mut now);
            let found = differences(&then, &now);
            assert_eq!(found.len(), 1, "{expected}: {found:?}");
            assert!(found[0].contains(expected), "{expected}: {found:?}");
        }
    }

    #[test]
    fn another_order_and_another_definition_are_named() {
        let both = [testing::compared("a"), testing::compared("b")];
        let turned = [testing::compared("b"), testing::compared("a")];
        let found = plan_differences(&both, &turned);
        assert_eq!(found, ["the order of the plan is another one"]);
        let definition = |digest: &str| Definition {
            configuration: testing::compared("a").configuration,
            baseline: "1".to_owned(),
            candidate: digest.to_owned(),
        };
        let found = definition_differences(&[definition("1")], &[definition("2")]);
        assert_eq!(found, ["`a @1` is defined otherwise now"]);
        assert_eq!(
            definition_differences(&[definition("1")], &[definition("1")]),
            [""; 0]
        );
    }
}
