//! Guided cases and evidence for the tests of their oracles: small grids, whole guides.
#![allow(clippy::unwrap_used)]

use longrun_protocol::request::Parameters as Map;
use serde_json::{Value, json};

use crate::gnlse::Noise;
use crate::guided::Guided;
use crate::guided::parameters::{Interface, Parameters};
use crate::oracle::evidence::{Evidence, Run, State};

fn of_name(name: &str) -> (Interface, Value) {
    let value = match name {
        "argon" => json!({
            "field": "envelope", "gas": "argon", "pressure_pa": 1.7e5, "core_radius_m": 13e-6,
            "loss": false, "ionisation": "ppt",
            "pulse": {"shape": "gauss", "fwhm_s": 30e-15, "energy_j": 1.2e-6},
            "wavelength_m": 800e-9, "wavelength_limits_m": [200e-9, 4e-6],
            "window_s": 250e-15, "length_m": 0.2, "planes": 11
        }),
        "helium" => json!({
            "field": "real", "gas": "helium", "core_radius_m": 125e-6, "loss": true,
            "ionisation": "ppt",
            "gradient": {"inlet_pa": 0.8e5, "outlet_pa": 0.0, "length_m": 1.5},
            "pulse": {"shape": "gauss", "fwhm_s": 7.5e-15, "energy_j": 275e-6},
            "wavelength_m": 800e-9, "wavelength_limits_m": [90e-9, 4e-6],
            "window_s": 100e-15, "length_m": 1.5, "planes": 11
        }),
        "hydrogen" => json!({
            "field": "real", "gas": "hydrogen", "pressure_pa": 1e6, "core_radius_m": 13e-6,
            "loss": false, "raman": "both",
            "pulse": {"shape": "gauss", "fwhm_s": 20e-15, "energy_j": 0.15e-6},
            "wavelength_m": 800e-9, "wavelength_limits_m": [300e-9, 3e-6],
            "window_s": 500e-15, "length_m": 0.4, "planes": 11
        }),
        "comb" => json!({
            "field": "real", "gas": "hydrogen", "pressure_pa": 4e6, "core_radius_m": 9e-6,
            "loss": false, "raman": "both", "ionisation": "adk",
            "pulse": {"shape": "gauss", "fwhm_s": 600e-15, "energy_j": 6e-6},
            "wavelength_m": 1030e-9, "wavelength_limits_m": [350e-9, 4e-6],
            "window_s": 2e-12, "length_m": 0.13, "planes": 11
        }),
        "filament" => json!({
            "gas": "argon", "pressure_pa": 5e5, "radius_m": 0.5e-3, "nodes": 64,
            "waist_m": 100e-6, "ionisation": "ppt",
            "pulse": {"shape": "gauss", "fwhm_s": 35e-15, "energy_j": 180e-6},
            "wavelength_m": 800e-9, "wavelength_limits_m": [300e-9, 3e-6],
            "window_s": 150e-15, "length_m": 0.03, "planes": 11
        }),
        _ => json!({
            "core_radius_m": 25e-6, "numerical_aperture": 0.2, "n2_m2_per_w": 2.7e-20,
            "raman": "blow_wood", "raman_fraction": 0.18, "modes": 4, "nodes": 8,
            "pulse": {"shape": "gauss", "fwhm_s": 100e-15, "energy_j": 30e-9},
            "wavelength_m": 1550e-9, "wavelength_limits_m": [800e-9, 2600e-9],
            "window_s": 1e-12, "length_m": 0.02, "launch_waist_m": 12e-6, "planes": 11
        }),
    };
    let interface = match name {
        "fibre" => Interface::Waveguide,
        "filament" => Interface::Radial,
        _ => Interface::Capillary,
    };
    (interface, value)
}

fn set_up(interface: Interface, map: &Map) -> Guided {
    Guided::new(&Parameters::read(interface, map).unwrap(), Noise::None).unwrap()
}

fn case(name: &str) -> Guided {
    let (interface, value) = of_name(name);
    set_up(interface, value.as_object().unwrap())
}

/// A pulse that ionises argon, as an envelope.
pub fn argon() -> Guided {
    case("argon")
}

/// A soliton in helium that becomes thinner along the guide, averaged over its mode.
pub fn helium() -> Guided {
    case("helium")
}

/// A pulse in hydrogen.
pub fn hydrogen() -> Guided {
    case("hydrogen")
}

/// A long pulse in dense hydrogen, averaged over its mode.
pub fn comb() -> Guided {
    case("comb")
}

/// Four channels of a graded-index fibre.
pub fn fibre() -> Guided {
    case("fibre")
}

/// A beam in argon that focuses itself.
pub fn filament() -> Guided {
    case("filament")
}

/// The case of that name with one parameter changed.
pub fn changed(name: &str, key: &str, value: Value) -> Guided {
    let (interface, mut parameters) = of_name(name);
    parameters[key] = value;
    set_up(interface, parameters.as_object().unwrap())
}

/// The evidence of two equal runs in which nothing happened.
pub fn evidence(case: &Guided) -> Evidence<'_, Guided> {
    let run = Run {
        accepted: 10,
        rejected: 0,
        evaluations: 61,
        distance: Some(0.0),
    };
    Evidence {
        case,
        planes: Vec::new(),
        middle: State {
            z_m: case.length_m / 2.0,
            spectrum: case.launch.clone(),
        },
        end: case.launch.clone(),
        runs: vec![run; 2],
        others: Vec::new(),
        rtol: Some(1e-6),
        repeat_bound: 1e-9,
    }
}
