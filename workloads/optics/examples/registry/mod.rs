//! Cases of the registry as the examples run them.

use std::error::Error;

use longrun_optics::case::{Case, Parameters, Problem};
use longrun_optics::gnlse::Noise;
use longrun_optics::native::{NativeLibrary, Propagation};
use longrun_optics::steppers::Integration;
use longrun_protocol::{CaseEntry, Size};

/// More accepted steps than any of these runs takes.
pub const STEPS_MAX: i64 = 10_000_000;

pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// The entry of a propagation.
pub fn entry(name: &str) -> Outcome<CaseEntry> {
    let file: toml::Table = toml::from_str(include_str!("../../../tracking.toml"))?;
    let cases = file.get("case").and_then(toml::Value::as_array);
    for case in cases.ok_or("no cases")? {
        let entry: CaseEntry = case.clone().try_into()?;
        if entry.name == name {
            return Ok(entry);
        }
    }
    Err(format!("the registry has no case `{name}`").into())
}

/// The case at a size, with these parameters changed.
pub fn case(entry: &CaseEntry, size: Size, changes: &[(&str, f64)]) -> Outcome<Case> {
    let missing = || format!("`{}` has no size `{size}`", entry.name);
    let mut map = entry.parameters_at(entry.sizes.get(&size).ok_or_else(missing)?);
    for (key, value) in changes {
        map.insert((*key).to_owned(), (*value).into());
    }
    let noise = match entry.seed.filter(|_| entry.noise == "input") {
        Some(seed) => Noise::Input { seed },
        None => Noise::None,
    };
    Ok(Case::new(
        &Parameters::read(&entry.interface, &map)?,
        noise,
    )?)
}

/// An engine of the library for a case.
pub fn engine(
    library: &NativeLibrary,
    case: &Case,
    integration: &Integration,
    threads: u32,
) -> Outcome<Propagation> {
    Ok(match case.problem() {
        Problem::Gnlse(problem) => Propagation::create(library, &problem, integration, threads)?,
        Problem::Guided(problem) => {
            Propagation::guided(library, &problem, integration, threads, None)?
        }
        Problem::Cartesian(problem) => {
            Propagation::cartesian(library, &problem, integration, threads, None)?
        }
    })
}
