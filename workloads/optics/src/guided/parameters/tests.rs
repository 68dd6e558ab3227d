//! What is read, what has a default, and what is refused by its name.

#![allow(clippy::unwrap_used, clippy::panic, clippy::float_cmp)]
use super::*;
use serde_json::{Value, json};

fn capillary() -> Value {
    json!({
        "field": "real", "gas": "argon", "pressure_pa": 1.7e5, "core_radius_m": 13e-6,
        "loss": false, "ionisation": "ppt",
        "pulse": {"shape": "gauss", "fwhm_s": 30e-15, "energy_j": 1.2e-6},
        "wavelength_m": 800e-9, "wavelength_limits_m": [200e-9, 4e-6],
        "window_s": 500e-15, "length_m": 0.2, "planes": 101
    })
}

fn waveguide() -> Value {
    json!({
        "core_radius_m": 25e-6, "numerical_aperture": 0.2, "n2_m2_per_w": 2.7e-20,
        "raman": "blow_wood", "raman_fraction": 0.18, "modes": 4, "nodes": 8,
        "pulse": {"shape": "gauss", "fwhm_s": 100e-15, "energy_j": 60e-9},
        "launch_waist_m": 12e-6,
        "wavelength_m": 1550e-9, "wavelength_limits_m": [800e-9, 2600e-9],
        "window_s": 32e-12, "length_m": 0.02, "planes": 101
    })
}

fn radial() -> Value {
    json!({
        "gas": "argon", "pressure_pa": 5e5, "radius_m": 0.5e-3, "nodes": 256,
        "waist_m": 100e-6, "ionisation": "ppt",
        "pulse": {"shape": "gauss", "fwhm_s": 35e-15, "energy_j": 180e-6},
        "wavelength_m": 800e-9, "wavelength_limits_m": [250e-9, 3e-6],
        "window_s": 250e-15, "length_m": 0.03, "planes": 101
    })
}

fn read(interface: Interface, value: &Value) -> Result<Parameters, ParameterError> {
    Parameters::read(interface, value.as_object().unwrap())
}

fn changed(mut value: Value, key: &str, new: Value) -> Value {
    match new {
        Value::Null => drop(value.as_object_mut().unwrap().remove(key)),
        new => value[key] = new,
    }
    value
}

#[test]
fn what_is_left_out_has_its_default() {
    let parameters = read(Interface::Capillary, &capillary()).unwrap();
    assert_eq!(parameters.interface(), Interface::Capillary);
    let GuideParameters::Capillary(own) = &parameters.guide else {
        panic!("{parameters:?}");
    };
    assert_eq!(own.temperature_k, 293.15);
    assert_eq!(own.pressure(), Ok(Pressure::Constant(1.7e5)));
    assert_eq!((own.resolved, own.kerr), (None, true));
    assert_eq!(own.raman, None);
    assert!(parameters.common.absorb);
    assert_eq!(parameters.common.rtol, None);
}

#[test]
fn the_energy_of_a_pulse_gives_its_power() {
    let parameters = read(Interface::Capillary, &capillary()).unwrap();
    let pulse = parameters.common.pulse().unwrap();
    assert!((pulse.energy_j() / 1.2e-6 - 1.0).abs() < 1e-14);
    // 0.94 of the energy over the full width, for a Gaussian.
    assert!((pulse.peak_power_w / (0.939_437 * 1.2e-6 / 30e-15) - 1.0).abs() < 1e-6);
}

#[test]
fn values_of_a_capillary_that_make_no_sense_are_refused_by_name() {
    let table = [
        ("gas", json!("xenon"), "xenon"),
        ("core_radius", json!(1e-5), "`core_radius`"),
        ("core_radius_m", json!(0.0), "`core_radius_m`"),
        ("pressure_pa", json!(-1.0), "`pressure_pa`"),
        ("pressure_pa", Value::Null, "`pressure_pa`"),
        ("temperature_k", json!(-3.0), "`temperature_k`"),
        (
            "resolved",
            json!({"modes": 0, "nodes": 8}),
            "`resolved.modes`",
        ),
        ("resolved", json!({"modes": 1}), "`nodes`"),
        ("launch_waist_m", json!(8e-6), "`resolved`"),
        ("ionisation", json!("keldysh"), "keldysh"),
        ("raman", json!("both"), "hydrogen"),
        ("length_m", json!(-0.1), "`length_m`"),
        ("window_s", json!(0.0), "`window_s`"),
        ("planes", json!(1), "`planes`"),
        ("fixed_steps", json!(0), "`fixed_steps`"),
        ("rtol", json!(-1e-6), "`rtol`"),
        ("modes", json!(4), "`modes`"),
    ];
    for (key, value, named) in table {
        let error = read(Interface::Capillary, &changed(capillary(), key, value));
        let message = error.unwrap_err().to_string();
        assert!(message.contains(named), "{key}: {message}");
        assert!(message.contains("interface `capillary`"), "{message}");
    }
}

#[test]
fn values_of_a_waveguide_that_make_no_sense_are_refused_by_name() {
    let table = [
        ("numerical_aperture", json!(0.0), "`numerical_aperture`"),
        ("n2_m2_per_w", json!(-1e-20), "`n2_m2_per_w`"),
        ("raman_fraction", json!(1.5), "`raman_fraction`"),
        ("raman", json!("molecular"), "molecular"),
        ("modes", json!(0), "`modes`"),
        ("modes", json!(5), "8 nodes resolves 4"),
        ("nodes", json!(65), "`nodes`"),
        ("gas", json!("argon"), "`gas`"),
    ];
    for (key, value, named) in table {
        let error = read(Interface::Waveguide, &changed(waveguide(), key, value));
        let message = error.unwrap_err().to_string();
        assert!(message.contains(named), "{key}: {message}");
    }
    assert!(read(Interface::Waveguide, &waveguide()).is_ok());
}

#[test]
fn values_of_free_space_that_make_no_sense_are_refused_by_name_with_what_is_allowed() {
    let table = [
        ("nodes", json!(3), "`nodes` is 3: give 4 to 512"),
        ("nodes", json!(513), "`nodes` is 513: give 4 to 512"),
        ("nodes", json!(8), "give more nodes"),
        ("radius_m", json!(0.0), "`radius_m` is 0"),
        ("radius_m", json!(90e-6), "give less than `radius_m`"),
        ("waist_m", json!(-1e-4), "`waist_m` is -0.0001"),
        ("waist_m", json!(3e-6), "3.906e-6 m and more"),
        ("pressure_pa", json!(-1.0), "`pressure_pa` is -1"),
        ("pressure_pa", Value::Null, "`pressure_pa`"),
        ("temperature_k", json!(0.0), "`temperature_k` is 0"),
        ("launch_waist_m", json!(1e-4), "give `waist_m`"),
        ("gas", json!("xenon"), "xenon"),
        ("field", json!("envelope"), "unknown field `field`"),
        ("raman", json!("both"), "unknown field `raman`"),
        ("ionisation", json!("keldysh"), "keldysh"),
        ("planes", json!(1), "`planes` is 1"),
    ];
    for (key, value, said) in table {
        let error = read(Interface::Radial, &changed(radial(), key, value));
        let message = error.unwrap_err().to_string();
        assert!(message.contains(said), "{key}: {message}");
        assert!(message.contains("interface `radial`"), "{message}");
    }
    let parameters = read(Interface::Radial, &radial()).unwrap();
    assert_eq!(parameters.interface(), Interface::Radial);
    let GuideParameters::Radial(own) = &parameters.guide else {
        panic!("{parameters:?}");
    };
    assert_eq!((own.temperature_k, own.kerr), (293.15, true));
}

#[test]
fn a_value_of_another_type_is_refused_by_the_name_of_its_key() {
    let table = [
        ("gas", json!("neon"), "`gas`: unknown variant `neon`"),
        ("loss", json!("no"), "`loss`: invalid type: string"),
        ("pressure_pa", json!("high"), "`pressure_pa`: invalid type"),
        ("pulse", json!(30e-15), "`pulse`: invalid type"),
        ("pulse", json!({"shape": "box"}), "`pulse`: unknown"),
        ("planes", json!(1.5), "`planes`: invalid type: floating"),
        ("window_s", json!([1]), "`window_s`: invalid type"),
        ("length_m", Value::Null, "missing field `length_m`"),
        ("colour", json!(1), "unknown field `colour`"),
    ];
    for (key, value, said) in table {
        let case = changed(capillary(), key, value);
        let message = read(Interface::Capillary, &case).unwrap_err().to_string();
        assert!(message.contains(said), "{key}: {message}");
    }
}

#[test]
fn a_pulse_is_described_once() {
    for pulse in [
        json!({"shape": "gauss", "energy_j": 1e-6}),
        json!({"shape": "gauss", "fwhm_s": 3e-14, "tau_s": 2e-14, "energy_j": 1e-6}),
        json!({"shape": "gauss", "fwhm_s": 3e-14}),
        json!({"shape": "gauss", "fwhm_s": 3e-14, "energy_j": 1e-6, "peak_power_w": 1e7}),
        json!({"shape": "gauss", "fwhm_s": 3e-14, "energy_j": 0.0}),
    ] {
        let case = changed(capillary(), "pulse", pulse);
        let message = read(Interface::Capillary, &case).unwrap_err().to_string();
        assert!(message.contains("pulse"), "{message}");
    }
}

#[test]
fn a_pulse_is_shorter_than_its_window() {
    let of = |pulse: Value, window_s: f64| {
        let case = changed(capillary(), "pulse", pulse);
        let case = changed(case, "window_s", json!(window_s));
        read(Interface::Capillary, &case)
    };
    let gauss = json!({"shape": "gauss", "fwhm_s": 7.5e-15, "energy_j": 1e-6});
    assert!(of(gauss.clone(), 7.6e-15).is_ok());
    let message = of(gauss, 7.4e-15).unwrap_err().to_string();
    for said in ["`window_s` is 7.400e-15", "7.500e-15 s", "`pulse.fwhm_s`"] {
        assert!(message.contains(said), "{said}: {message}");
    }
    // A sech² pulse is 1.763 of its `tau_s` wide.
    let sech = json!({"shape": "sech", "tau_s": 10e-15, "energy_j": 1e-6});
    assert!(of(sech.clone(), 18e-15).is_ok());
    let message = of(sech, 17e-15).unwrap_err().to_string();
    for said in ["1.763e-14 s", "lengthen `window_s`", "`pulse.tau_s`"] {
        assert!(message.contains(said), "{said}: {message}");
    }
}

#[test]
fn a_pressure_is_described_once_and_a_guide_is_no_longer_than_its_gradient() {
    let gradient = |inlet_pa: f64, length_m: f64| {
        let numbers = json!({"inlet_pa": inlet_pa, "outlet_pa": 0.0, "length_m": length_m});
        let case = changed(capillary(), "pressure_pa", Value::Null);
        read(Interface::Capillary, &changed(case, "gradient", numbers))
    };
    assert!(gradient(0.8e5, 0.2).is_ok());
    let message = gradient(0.8e5, 0.1).unwrap_err().to_string();
    assert!(message.contains("the gradient ends"), "{message}");
    let message = gradient(-0.8e5, 0.2).unwrap_err().to_string();
    assert!(message.contains("`gradient.inlet_pa`"), "{message}");
    let numbers = json!({"inlet_pa": 1e5, "outlet_pa": 0.0, "length_m": 1.0});
    let both = changed(capillary(), "gradient", numbers);
    let message = read(Interface::Capillary, &both).unwrap_err().to_string();
    assert!(message.contains("not both"), "{message}");
}

#[test]
fn responses_that_are_not_known_of_a_gas_are_refused() {
    let mut case = changed(capillary(), "gas", json!("hydrogen"));
    case["raman"] = json!("both");
    case["ionisation"] = json!("adk");
    assert!(read(Interface::Capillary, &case).is_ok());
    let message = |case: &Value| read(Interface::Capillary, case).unwrap_err().to_string();
    let envelope = changed(case.clone(), "field", json!("envelope"));
    assert!(message(&envelope).contains("`adk`"));
    let empty = changed(case.clone(), "pressure_pa", json!(0.0));
    assert!(message(&empty).contains("needs gas"));
    let numbers = json!({"inlet_pa": 1e5, "outlet_pa": 0.0, "length_m": 1.0});
    let graded = changed(case, "pressure_pa", Value::Null);
    let graded = changed(graded, "gradient", numbers);
    assert!(message(&graded).contains("constant pressure"));
}
