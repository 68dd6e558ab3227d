//! Guided cases through the worker: what their receipts say, and what is refused.

use longrun_optics::engine::Engine;
use longrun_optics::native::Propagation;
use longrun_optics::reference::Reference;
use longrun_optics::steppers::{Asked, Integration, Stepping, Steps};
use longrun_optics::worker::OpticsFacts;
use longrun_protocol::Size;
use longrun_protocol::receipt::{Receipt, Status};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::library::load;
use crate::registry::{any_case, entry};
use crate::worker::{call, fails, receipt, request};

/// A pulse whose field is launched just within the ionisation table of argon, J: 99 % of the energy
/// with which it would begin outside.
const LEAVES_TABLE_J: f64 = 79e-6;

/// A request for a case at size `smoke` with one value changed.
fn changed(name: &str, path: &str, value: Value) -> Value {
    let mut request = request(name);
    *request.pointer_mut(path).unwrap() = value;
    request
}

fn served(request: &Value) -> Receipt {
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Complete, "{:?}", receipt.failure);
    receipt
}

fn facts(receipt: Receipt) -> OpticsFacts {
    let context = receipt.context.unwrap();
    serde_json::from_value(Value::Object(context.facts)).unwrap()
}

#[test]
fn either_engine_runs_a_guided_case_and_says_what_it_ran() {
    let native = request("argon_blueshift");
    let mut reference = changed(
        "argon_blueshift",
        "/configuration/engine",
        json!("reference"),
    );
    reference.as_object_mut().unwrap().remove("library");
    for request in [native, reference] {
        let receipt = served(&request);
        let resolved = receipt.resolved.as_ref().unwrap();
        assert_eq!(resolved.integrator, integrator("argon_blueshift"));
        assert_eq!(resolved.tolerances["rtol"], 1e-6);
        assert_eq!(resolved.noise_model, "input");
        let facts = facts(receipt);
        assert_eq!((facts.points, facts.modes), (1024, Some(1)));
        assert!(facts.transverse_error.unwrap() < 0.1, "{facts:?}");
        // A millimetre takes next to nothing.
        assert!(
            (facts.energy_ratio.unwrap() - 1.0).abs() < 1e-3,
            "{facts:?}"
        );
    }
}

/// The default stepper of a case, as receipts have it.
fn integrator(name: &str) -> String {
    let case = any_case(name, Size::Smoke);
    let stepper = &entry(name).default_stepper;
    let asked = Asked {
        stepper,
        length: 1.0,
        replay: None,
    };
    match Integration::resolve(&case, asked).unwrap().order {
        Some(order) => format!("{stepper} order={order}"),
        None => stepper.clone(),
    }
}

#[test]
fn an_envelope_takes_the_order_of_envelopes() {
    let name = "argon_blueshift_envelope";
    let receipt = served(&request(name));
    assert_eq!(receipt.resolved.unwrap().integrator, integrator(name));
}

#[test]
fn a_parameter_out_of_its_domain_is_refused_before_anything_runs() {
    let argon = "argon_blueshift";
    for (name, path, value, phase, named) in [
        (
            argon,
            "/parameters/pressure_pa",
            json!(-1e5),
            "request",
            "`pressure_pa` is -100000",
        ),
        (
            argon,
            "/parameters/pressure_pa",
            json!(1e9),
            "construct",
            "`argon` at 1.000e9 Pa",
        ),
        (
            argon,
            "/parameters/wavelength_limits_m",
            json!([90e-9, 4e-6]),
            "construct",
            "`argon` at a wavelength of",
        ),
        (
            argon,
            "/parameters/resolved",
            json!({"modes": 12, "nodes": 12}),
            "construct",
            "12 modes",
        ),
        (
            argon,
            "/parameters/pulse",
            json!({"shape": "gauss", "fwhm_s": 30e-15, "energy_j": 1.2e-3}),
            "construct",
            "at z = 0 m",
        ),
        (
            "grin_nonlinear",
            "/parameters/modes",
            json!(5),
            "request",
            "resolves 4",
        ),
        (
            "grin_nonlinear",
            "/parameters/wavelength_limits_m",
            json!([150e-9, 2600e-9]),
            "construct",
            "`silica` at a wavelength of",
        ),
        (
            "rdw",
            "/parameters/gradient/inlet_pa",
            json!(-1.0),
            "request",
            "`gradient.inlet_pa` is -1",
        ),
    ] {
        let (failed, message) = fails(&changed(name, path, value));
        assert_eq!(failed, phase, "{message}");
        assert!(message.contains(named), "{path}: {message}");
    }
}

#[test]
fn a_beam_that_free_space_does_not_hold_is_refused_before_anything_runs() {
    for (path, value, phase, named) in [
        (
            "/parameters/nodes",
            json!(2),
            "request",
            "`nodes` is 2: give 4 to 512",
        ),
        (
            "/parameters/pulse/energy_j",
            json!(0.18),
            "construct",
            "at z = 0 m",
        ),
        ("/noise", json!("input"), "request", "`seed`"),
    ] {
        let (failed, message) = fails(&changed("radial_filament_256", path, value));
        assert_eq!(failed, phase, "{message}");
        assert!(message.contains(named), "{path}: {message}");
    }
}

#[test]
fn a_pulse_that_its_window_cannot_hold_is_refused_before_anything_runs() {
    for (path, value) in [
        ("/parameters/window_s", 1e-15),
        ("/parameters/pulse/fwhm_s", 30.0),
    ] {
        let (failed, message) = fails(&changed("argon_blueshift", path, json!(value)));
        assert_eq!(failed, "request", "{message}");
        let words = ["`window_s` is", "does not fit in", "`pulse.fwhm_s`"];
        assert_says(&message, &words);
    }
}

/// A request of either engine whose pulse has this energy, over the whole guide.
fn strong(engine: &str, name: &str, energy_j: f64) -> Value {
    let mut request = changed(name, "/parameters/pulse/energy_j", json!(energy_j));
    request["configuration"]["engine"] = json!(engine);
    if engine == "reference" {
        request.as_object_mut().unwrap().remove("library");
    }
    request["length"] = json!(1.0);
    request
}

/// The message of a run that ended on its way, and has no time.
fn diverges(request: &Value) -> String {
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Failed);
    assert!(receipt.samples.is_empty(), "{:?}", receipt.samples);
    receipt.failure.unwrap().message
}

fn assert_says(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "`{word}`: {message}");
    }
}

#[test]
fn a_field_that_is_no_longer_a_number_has_a_place_and_a_step() {
    for engine in ["native", "reference"] {
        let mut request = strong(engine, "argon_blueshift_averaged", 1e200);
        request["parameters"]["ionisation"] = json!("none");
        request["parameters"]["fixed_steps"] = json!(4);
        request["parameters"]["length_m"] = json!(0.02);
        request["configuration"]["stepper"] = json!("rk");
        let message = diverges(&request);
        assert_says(
            &message,
            &["the state is not finite", "at z = 0.005", "a step of"],
        );
    }
}

#[test]
fn a_run_whose_attempts_are_rejected_again_and_again_has_a_place_a_step_and_a_norm() {
    for engine in ["native", "reference"] {
        for stepper in ["rk", "multistep", "multistep-interaction"] {
            let mut request = strong(engine, "argon_blueshift_averaged", 1e200);
            request["parameters"]["ionisation"] = json!("none");
            request["configuration"]["stepper"] = json!(stepper);
            let rejected = "more than 10 attempts in a row were rejected";
            assert_says(
                &diverges(&request),
                &[
                    rejected,
                    "at z = 0 m",
                    "the last with a step of",
                    "the state has the norm",
                ],
            );
        }
    }
}

#[test]
fn a_step_that_no_longer_moves_the_position_ends_the_run() {
    let case = any_case("argon_blueshift_envelope", Size::Smoke);
    let middle_m = case.length_m() / 2.0;
    let asked = Asked {
        stepper: "rk",
        length: 1.0,
        replay: None,
    };
    let integration = Integration {
        steps: Steps::Controlled {
            rtol: 1e-6,
            atol: 1e-10,
            initial_m: 1e-20,
            max_m: middle_m,
        },
        ..Integration::resolve(&case, asked).unwrap()
    };
    let (longrun_optics::case::Problem::Guided(problem), library) = (case.problem(), load()) else {
        panic!("the case is guided");
    };
    let native = Propagation::guided(&library, &problem, &integration, 1, None).unwrap();
    let reference = Reference::guided(&problem, &integration).unwrap();
    let engines: [Box<dyn Engine>; 2] = [Box::new(native), Box::new(reference)];
    for mut engine in engines {
        engine.set_state(middle_m, case.launch()).unwrap();
        let message = engine.advance(case.length_m(), 10).unwrap_err().to_string();
        let place = format!("at z = {middle_m} m");
        let words = [
            "a step of 1",
            "no longer moves the position",
            "the norm",
            &place,
        ];
        assert_says(&message, &words);
    }
}

#[test]
fn a_field_that_leaves_the_ionisation_table_on_its_way_is_named_with_its_place() {
    for engine in ["native", "reference"] {
        let message = diverges(&strong(engine, "argon_blueshift_averaged", LEAVES_TABLE_J));
        // After a sixth of a millimetre, and not at the entrance.
        let words = ["at z = 0.00016", "ionisation table", "ends at 8.625", "V/m"];
        assert_says(&message, &words);
    }
}
