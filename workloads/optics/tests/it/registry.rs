//! Cases as the registry gives them, for tests.

use std::fs;

use longrun_optics::gnlse::parameters::Parameters;
use longrun_optics::gnlse::{Gnlse, Noise};
use longrun_protocol::request::Parameters as Map;
use longrun_protocol::{CaseEntry, Engine, Size};

use crate::library::repository;

/// Every case of suite `tracking`.
pub fn entries() -> Vec<CaseEntry> {
    entries_of("tracking")
}

/// Every case of a suite.
pub fn entries_of(suite: &str) -> Vec<CaseEntry> {
    let path = repository().join(format!("workloads/{suite}.toml"));
    let text = fs::read_to_string(path).expect("the registry can be read");
    let file: toml::Table = toml::from_str(&text).expect("the registry is TOML");
    let cases = file["case"]
        .as_array()
        .expect("the registry has cases")
        .iter();
    cases
        .map(|case| {
            case.clone()
                .try_into::<CaseEntry>()
                .expect("a case has the fields of one")
        })
        .collect()
}

/// The name of every case of suite `tracking`.
pub fn names() -> Vec<String> {
    entries().into_iter().map(|case| case.name).collect()
}

/// The entry of a case of suite `tracking`.
pub fn entry(name: &str) -> CaseEntry {
    entries()
        .into_iter()
        .find(|case| case.name == name)
        .unwrap_or_else(|| panic!("the registry has no case `{name}`"))
}

/// The parameters of a case at a size.
pub fn parameters(name: &str, size: Size) -> Map {
    let entry = entry(name);
    entry.parameters_at(&entry.sizes[&size])
}

/// A case at a size, set up with the noise of the registry.
pub fn case(name: &str, size: Size) -> Gnlse {
    let entry = entry(name);
    let noise = match entry.seed.filter(|_| entry.noise == "input") {
        Some(seed) => Noise::Input { seed },
        None => Noise::None,
    };
    set_up(&parameters(name, size), noise)
}

/// A case from parameters.
pub fn set_up(parameters: &Map, noise: Noise) -> Gnlse {
    let parameters = Parameters::read(parameters).expect("the parameters are those of a case");
    Gnlse::new(&parameters, noise).expect("the case can be set up")
}

#[test]
fn every_case_of_the_registry_can_be_set_up_at_every_size() {
    for name in names() {
        for size in entry(&name).sizes.keys() {
            let case = case(&name, *size);
            assert!(
                case.length_m > 0.0 && case.valid_points() > 0,
                "{name} {size}"
            );
        }
    }
}

#[test]
fn every_case_can_be_computed_by_the_reference_too_on_one_thread() {
    for CaseEntry {
        name,
        engines,
        single_threaded_engines,
        ..
    } in entries()
    {
        assert_eq!(engines, [Engine::Native, Engine::Reference], "{name}");
        assert_eq!(single_threaded_engines, [Engine::Reference], "{name}");
    }
}
