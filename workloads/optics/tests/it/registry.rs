//! Cases as the registry gives them, for tests.

use std::fs;

use longrun_optics::case::{self, Case, Problem};
use longrun_optics::gnlse::parameters::Parameters;
use longrun_optics::gnlse::{Gnlse, Noise};
use longrun_optics::steppers::Stepping;
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

/// A case of interface `gnlse` at a size, set up with the noise of the registry.
pub fn case(name: &str, size: Size) -> Gnlse {
    set_up(&parameters(name, size), noise(&entry(name)))
}

/// A case of any interface at a size, set up with the noise of the registry.
pub fn any_case(name: &str, size: Size) -> Case {
    let entry = entry(name);
    let parameters = case::Parameters::read(&entry.interface, &parameters(name, size));
    let parameters = parameters.expect("the parameters are those of a case");
    Case::new(&parameters, noise(&entry)).expect("the case can be set up")
}

fn noise(entry: &CaseEntry) -> Noise {
    match entry.seed.filter(|_| entry.noise == "input") {
        Some(seed) => Noise::Input { seed },
        None => Noise::None,
    }
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
            let case = any_case(&name, *size);
            let (length_m, energy_j) = (case.length_m(), case.energy_j(case.launch()));
            assert!(length_m > 0.0 && energy_j > 0.0, "{name} {size}");
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

#[test]
fn grids_and_rules_of_the_guided_cases_have_their_published_sizes() {
    // Bins of the state, samples of the fine grid, modes and nodes at size `full`, then at `quick`.
    let table = [
        ("rdw", [2049, 8192, 4, 32], [513, 2048, 4, 16]),
        ("he_rdw_averaged", [2049, 8192, 1, 1], [513, 2048, 1, 1]),
        ("argon_blueshift", [2049, 8192, 1, 48], [513, 2048, 1, 24]),
        (
            "argon_blueshift_averaged",
            [2049, 8192, 1, 1],
            [1025, 4096, 1, 1],
        ),
        (
            "argon_blueshift_envelope",
            [2048, 2048, 1, 1],
            [1024, 1024, 1, 1],
        ),
        ("h2_raman_averaged", [8193, 32768, 1, 1], [2049, 8192, 1, 1]),
        ("ctc", [4097, 16384, 3, 24], [2049, 8192, 3, 16]),
        ("grin_nonlinear", [16384, 16384, 4, 8], [2048, 2048, 4, 8]),
        (
            "radial_filament_256",
            [513, 2048, 256, 256],
            [257, 1024, 256, 256],
        ),
    ];
    for (name, full, quick) in table {
        for (size, expected) in [(Size::Full, full), (Size::Quick, quick)] {
            let Problem::Guided(problem) = any_case(name, size).problem() else {
                panic!("{name} is not guided");
            };
            let (bins, fine) = (problem.bins(), problem.fine_points);
            let found = [bins, fine, problem.modes, problem.nodes];
            assert_eq!(found, expected, "{name} {size}");
        }
    }
}
