//! Cases and evidence for the tests of the oracles.
#![allow(clippy::unwrap_used)]

use longrun_protocol::request::Parameters as Map;
use serde_json::{Value, json};

use super::evidence::{Evidence, Plane, Run, State};
use crate::gnlse::{Gnlse, Noise, parameters::Parameters};

fn map(value: &Value) -> Map {
    value.as_object().unwrap().clone()
}

fn soliton_map() -> Map {
    map(&json!({
        "fibre": {"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26]},
        "raman": "none", "raman_fraction": 0.18, "shock": false,
        "pulse": {"shape": "sech", "tau_s": 280e-15, "soliton_order": 3.0},
        "wavelength_m": 835e-9, "wavelength_limits_m": [450e-9, 8000e-9],
        "window_s": 4e-12, "soliton_periods": 1.0, "planes": 11
    }))
}

fn supercontinuum_map() -> Map {
    map(&json!({
        "fibre": "dudley", "raman": "blow_wood", "raman_fraction": 0.18, "shock": true,
        "pulse": {"shape": "sech", "fwhm_s": 50e-15, "peak_power_w": 1e4},
        "wavelength_m": 835e-9, "wavelength_limits_m": [400e-9, 2400e-9],
        "window_s": 4e-12, "length_m": 0.15, "planes": 11
    }))
}

fn shifted_map() -> Map {
    map(&json!({
        "fibre": {"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26]},
        "raman": "blow_wood", "raman_fraction": 0.18, "shock": false,
        "pulse": {"shape": "sech", "tau_s": 10e-15, "soliton_order": 1.0},
        "wavelength_m": 835e-9, "wavelength_limits_m": [490e-9, 8000e-9],
        "window_s": 13e-12, "soliton_periods": 90.0, "planes": 11
    }))
}

fn set_up(map: &Map) -> Gnlse {
    Gnlse::new(&Parameters::read(map).unwrap(), Noise::None).unwrap()
}

/// The ideal soliton of order 3 over one period.
pub fn soliton() -> Gnlse {
    set_up(&soliton_map())
}

/// The supercontinuum, on a short window.
pub fn supercontinuum() -> Gnlse {
    set_up(&supercontinuum_map())
}

/// The soliton that the Raman effect shifts.
pub fn shifted() -> Gnlse {
    set_up(&shifted_map())
}

/// The case with one parameter changed. Keys that exclude each other are not checked.
pub fn changed(case: &Gnlse, key: &str, value: Value) -> Gnlse {
    let of_case = [soliton_map(), supercontinuum_map(), shifted_map()];
    let same = |map: &&Map| (set_up(map).length_m / case.length_m - 1.0).abs() < 1e-12;
    let mut map = of_case.iter().find(same).unwrap().clone();
    map.insert(key.to_owned(), value);
    set_up(&map)
}

/// The evidence of two equal runs that end with the launch.
pub fn evidence(case: &Gnlse) -> Evidence<'_> {
    let run = Run {
        accepted: 100,
        rejected: 2,
        evaluations: 613,
        distance: Some(0.0),
    };
    let plane = |z_m: f64| Plane {
        z_m,
        energy_j: case.pulse.energy_j(),
        peak_power_w: case.pulse.peak_power_w,
        nodes: None,
    };
    Evidence {
        case,
        planes: vec![plane(0.0), plane(case.length_m)],
        middle: State {
            z_m: case.length_m / 2.0,
            spectrum: case.launch.clone(),
        },
        end: case.launch.clone(),
        runs: vec![run; 2],
        others: Vec::new(),
        rtol: Some(1e-8),
        repeat_bound: 1e-9,
    }
}
