//! `list`: the plan with its estimated time. Needs no native library, no worker and no git.

use std::env;

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
    let count = text::counted(plan.items.len(), "configuration");
    text.push_str(&format!("{count}, {total}\n"));
    for note in &plan.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text
}

fn row(item: &PlanItem) -> Vec<String> {
    vec![
        item.configuration.suite.clone(),
        item.configuration.to_string(),
        item.configuration.revision.to_string(),
        item.repeats.to_string(),
        text::or_unknown(item.estimate_s().map(text::seconds)),
        text::or_unknown(
            item.estimate
                .map(|estimate| text::bytes(estimate.memory_bytes)),
        ),
    ]
}
