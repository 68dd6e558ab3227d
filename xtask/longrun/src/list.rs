//! `list`: the plan with its estimated time. Needs no native library, no worker and no git.

use std::collections::BTreeSet;
use std::env;

use longrun_protocol::registry::SamplingPolicy;
use serde_json::{Value, json};

use crate::cli::ListArgs;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::machine::{Machine, MachineOptions};
use crate::output;
use crate::project::Project;
use crate::registry::{Registry, Suite};
use crate::run::plan::{Plan, PlanItem, Widths};
use crate::text::{self, Align};

/// Version of the JSON.
const SCHEMA_VERSION: u32 = 1;

/// Shows the plan of a selection.
pub fn run(args: &ListArgs) -> Outcome<Exit> {
    let project = Project::find(&current_folder()?)?;
    let registry = Registry::load(&project.registry())?;
    let machine = Machine::read(MachineOptions {
        production: args.selection.production,
        instance_type: None,
    });
    let widths = Widths {
        production: machine.production,
        cores: machine.physical_cores,
    };
    let default_suite = &project.settings.default_suite;
    let plan = Plan::build(&registry, &args.selection, default_suite, widths)?;
    show(&registry, &plan, args.json)?;
    Ok(Exit::Success)
}

/// The folder in which the command was given.
pub fn current_folder() -> Outcome<std::path::PathBuf> {
    env::current_dir()
        .map_err(|e| Failure::environment(format!("failed to find the current folder: {e}")))
}

/// Prints the plan.
pub fn show(registry: &Registry, plan: &Plan, as_json: bool) -> Outcome<()> {
    match as_json {
        true => output::print(&format!("{}\n", to_json(plan))),
        false => output::print(&(titles(registry, plan) + &to_text(plan))),
    }
}

/// One line for each suite of the plan.
fn titles(registry: &Registry, plan: &Plan) -> String {
    let planned = |suite: &&Suite| {
        let mut items = plan.items.iter();
        items.any(|item| item.configuration.suite == suite.name)
    };
    let suites = registry.suites.iter().filter(planned);
    suites
        .map(|suite| format!("{}: {}\n", suite.name, suite.title))
        .collect()
}

fn to_json(plan: &Plan) -> Value {
    let configurations: Vec<Value> = plan
        .items
        .iter()
        .map(|item| {
            json!({
                "configuration": item.configuration,
                "sampling": item.sampling,
                "processes": item.processes,
                "estimate_s": item.estimate_s(),
                "memory_bytes": item.estimate.map(|estimate| estimate.memory_bytes),
            })
        })
        .collect();
    json!({
        "schema_version": SCHEMA_VERSION,
        "estimate_s": plan.estimate_s(),
        "configurations": configurations,
        "notes": plan.notes,
    })
}

fn to_text(plan: &Plan) -> String {
    let columns = [
        ("suite", Align::Left),
        ("configuration", Align::Left),
        ("revision", Align::Right),
        ("repeats", Align::Right),
        ("estimate", Align::Right),
        ("memory", Align::Right),
    ];
    let rows: Vec<Vec<String>> = plan.items.iter().map(row).collect();
    let mut text = text::table(&columns, &rows);
    let total = match plan.estimate_s() {
        Some(total) => format!("about {}", text::seconds(total)),
        None => "time unknown".to_owned(),
    };
    let configurations = plan.items.iter().map(|item| &item.configuration);
    let cases = configurations.map(|of| (&of.suite, &of.case));
    let cases = text::counted(cases.collect::<BTreeSet<_>>().len(), "case");
    let count = text::counted(plan.items.len(), "configuration");
    text.push_str(&format!("{cases} in {count}, {total}\n"));
    for note in &plan.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text
}

/// Timed repeats or samples of each process, and both ends where the samples decide.
fn repeats(item: &PlanItem) -> String {
    let of_process = match item.sampling {
        SamplingPolicy::Complete { repeats } | SamplingPolicy::Fixed { repeats, .. } => {
            repeats.to_string()
        }
        SamplingPolicy::Sampled {
            samples_min,
            samples_max,
            ..
        } => format!("{samples_min} to {samples_max}"),
    };
    match item.processes {
        1 => of_process,
        processes => format!("{processes} x {of_process}"),
    }
}

fn row(item: &PlanItem) -> Vec<String> {
    vec![
        item.configuration.suite.clone(),
        item.configuration.to_string(),
        item.configuration.revision.to_string(),
        repeats(item),
        text::or_unknown(item.estimate_s().map(text::seconds)),
        text::or_unknown(
            item.estimate
                .map(|estimate| text::bytes(estimate.memory_bytes)),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ab::made;
    use crate::track::sampled::made as sampled;
    use longrun_protocol::registry::Estimate;

    fn plan() -> Plan {
        let estimate = |run_s, setup_s| {
            Some(Estimate {
                run_s,
                setup_s,
                memory_bytes: 1 << 20,
            })
        };
        let whole = PlanItem {
            sampling: SamplingPolicy::Complete { repeats: 3 },
            repeats: 3,
            estimate: estimate(2.0, 1.0),
            ..made::item("soliton")
        };
        let sampled = PlanItem {
            sampling: SamplingPolicy::Sampled {
                block_ns: 1_000_000,
                samples_min: 30,
                samples_max: 1000,
                total_ns_min: 1_000_000_000,
                total_ns_max: 30_000_000_000,
            },
            processes: 8,
            estimate: estimate(40e-9, 0.5),
            ..sampled::item("fft")
        };
        Plan {
            items: vec![whole, sampled],
            notes: Vec::new(),
        }
    }

    #[test]
    fn whole_runs_and_sampled_work_add_up() {
        let text = to_text(&plan());
        let expected = "\
suite     configuration  revision         repeats  estimate    memory
tracking  soliton @1            1               3    7.00 s  1.00 MiB
kernels   fft @1                1  8 x 30 to 1000    12.0 s  1.00 MiB
2 cases in 2 configurations, about 19.0 s
";
        assert_eq!(text, expected);
        let json = to_json(&plan());
        assert_eq!(json["estimate_s"], 19.0);
        assert_eq!(json["configurations"][1]["processes"], 8);
        assert_eq!(json["configurations"][1]["sampling"]["kind"], "sampled");
    }

    #[test]
    fn a_fixed_number_of_samples_is_one_number() {
        let mut plan = plan();
        plan.items[1].sampling = plan.items[1].sampling.with_repeats(7);
        let row = row(&plan.items[1]);
        assert_eq!((row[3].as_str(), row[4].as_str()), ("8 x 7", "4.06 s"));
    }
}
