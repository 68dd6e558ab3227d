//! Cartesian cases for tests: a small grid, the beam of the tracked cases.
#![allow(clippy::unwrap_used)]

use serde_json::{Map, Value, json};

use super::Cartesian;
use super::parameters::{ParameterError, Parameters};
use crate::gnlse::Noise;

/// The parameters of [`small`].
pub fn map() -> Map<String, Value> {
    let value = json!({
        "material": "silica", "n2_m2_per_w": 2.7e-20,
        "waist_m": 50e-6, "half_width_m": 160e-6, "columns": 16,
        "pulse": {"shape": "gauss", "fwhm_s": 30e-15, "energy_j": 231.5e-9},
        "wavelength_m": 800e-9, "wavelength_limits_m": [600e-9, 1.2e-6],
        "window_s": 80e-15, "length_m": 2e-3, "fixed_steps": 4, "planes": 5
    });
    value.as_object().unwrap().clone()
}

/// The same with other values; `null` takes a key away.
pub fn changed(changes: &[(&str, Value)]) -> Result<Cartesian, ParameterError> {
    let mut map = map();
    for (key, value) in changes {
        match value {
            Value::Null => map.remove(*key),
            value => map.insert((*key).to_owned(), value.clone()),
        };
    }
    Cartesian::new(&Parameters::read(&map)?, Noise::None)
}

/// A beam of three critical powers in 2 mm of silica.
pub fn small() -> Cartesian {
    changed(&[]).unwrap()
}
