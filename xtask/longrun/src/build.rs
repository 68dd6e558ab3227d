//! `build`: the native library of the working tree, built only if something it is made of changed.

use serde_json::json;

use crate::cli::BuildArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::interrupt::Interrupt;
use crate::list::current_folder;
use crate::native::{self, BuildStatus, NativeBuild};
use crate::output;
use crate::project::Project;

/// Version of the JSON.
const SCHEMA_VERSION: u32 = 1;

/// Builds or reuses the library, and says why and what it is.
pub fn run(args: &BuildArgs) -> Outcome<Exit> {
    let project = Project::find(&current_folder()?)?;
    let repo = project.open_repo()?;
    let interrupt = Interrupt::watch()?;
    let build = native::ensure(&project, &repo, args.backend.into(), &interrupt);
    let build = interrupt.wins_over(build)?;
    match args.json {
        true => output::print(&format!("{}\n", to_json(&build)))?,
        false => output::print(&to_text(&build))?,
    }
    Ok(Exit::Success)
}

fn to_json(build: &NativeBuild) -> serde_json::Value {
    json!({
        "schema_version": SCHEMA_VERSION,
        "status": build.status.as_str(),
        "reasons": build.reasons,
        "identity": build.identity,
        "library": build.library,
    })
}

fn to_text(build: &NativeBuild) -> String {
    let identity = &build.identity;
    let status = match build.status {
        BuildStatus::Built => "built",
        BuildStatus::UpToDate => "up to date",
    };
    let versions = |map: &std::collections::BTreeMap<String, String>| {
        let pairs: Vec<String> = map
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        pairs.join(", ")
    };
    let abi: Vec<String> = identity
        .abi
        .iter()
        .map(|(area, version)| format!("{area} {version}"))
        .collect();
    let lines = [
        ("status", status.to_owned()),
        ("reasons", build.reasons.join("; ")),
        ("build key", identity.build_key.clone()),
        ("backend", identity.backend.to_string()),
        ("version", identity.version.clone()),
        ("profile", identity.profile.clone()),
        (
            "compiler",
            format!("{} {}", identity.compiler.family, identity.compiler.version),
        ),
        ("flags", identity.flags.join(" ")),
        ("instructions", identity.isa.clone()),
        ("libraries", versions(&identity.libraries)),
        ("abi", abi.join(", ")),
        ("library", build.library.display().to_string()),
    ];
    let shown = lines.into_iter().filter(|(_, value)| !value.is_empty());
    shown
        .map(|(name, value)| format!("{name:<12}  {value}\n"))
        .collect()
}
