//! Cases for the tests of figures.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};

use crate::case::{Case, Parameters};
use crate::gnlse::Noise;

fn set_up(interface: &str, value: &Value) -> Case {
    let parameters = Parameters::read(interface, value.as_object().unwrap()).unwrap();
    Case::new(&parameters, Noise::None).unwrap()
}

/// A case with one mode, on the grid of an envelope, with these limits of wavelength.
pub fn within(limits_m: [f64; 2]) -> Case {
    set_up(
        "gnlse",
        &json!({
            "fibre": "dudley", "raman": "none", "raman_fraction": 0.18, "shock": true,
            "pulse": {"shape": "sech", "fwhm_s": 50e-15, "peak_power_w": 1e4},
            "wavelength_m": 835e-9, "wavelength_limits_m": limits_m,
            "window_s": 2e-12, "length_m": 0.15, "planes": 11
        }),
    )
}

/// The same with the limits of the supercontinuum.
pub fn case() -> Case {
    within([400e-9, 2400e-9])
}

/// A case with two modes, on the grid of a real field, with a pulse of a few cycles.
pub fn two_modes() -> Case {
    set_up(
        "capillary",
        &json!({
            "field": "real", "gas": "argon", "pressure_pa": 1.7e5, "core_radius_m": 13e-6,
            "loss": false, "resolved": {"modes": 2, "nodes": 16},
            "pulse": {"shape": "gauss", "fwhm_s": 10e-15, "energy_j": 1e-6},
            "wavelength_m": 800e-9, "wavelength_limits_m": [200e-9, 4e-6],
            "window_s": 120e-15, "length_m": 0.2, "planes": 11
        }),
    )
}
