//! Guided cases through the worker: what their receipts say, and what is refused.

use longrun_optics::worker::OpticsFacts;
use longrun_protocol::receipt::{Receipt, Status};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::worker::{call, fails, receipt, request};

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
    let mut reference = changed("argon_blueshift", "/configuration/engine", json!("reference"));
    reference.as_object_mut().unwrap().remove("library");
    for request in [native, reference] {
        let receipt = served(&request);
        let resolved = receipt.resolved.as_ref().unwrap();
        assert_eq!(resolved.integrator, "multistep order=3");
        assert_eq!(resolved.tolerances["rtol"], 1e-6);
        assert_eq!(resolved.noise_model, "input");
        let facts = facts(receipt);
        assert_eq!((facts.points, facts.modes), (1024, Some(1)));
        assert!(facts.transverse_error.unwrap() < 0.1, "{facts:?}");
        // A millimetre takes next to nothing.
        assert!((facts.energy_ratio.unwrap() - 1.0).abs() < 1e-3, "{facts:?}");
    }
}

#[test]
fn an_envelope_takes_the_order_of_envelopes() {
    for name in ["argon_blueshift_envelope", "grin_nonlinear"] {
        let receipt = served(&request(name));
        assert_eq!(receipt.resolved.unwrap().integrator, "multistep order=5");
    }
}

#[test]
fn a_parameter_out_of_its_domain_is_refused_before_anything_runs() {
    let argon = "argon_blueshift";
    for (name, path, value, phase, named) in [
        (argon, "/parameters/pressure_pa", json!(-1e5), "request", "`pressure_pa` is -100000"),
        (argon, "/parameters/pressure_pa", json!(1e9), "construct", "`argon` at 1.000e9 Pa"),
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
        ("grin_nonlinear", "/parameters/modes", json!(5), "request", "resolves 4"),
    ] {
        let (failed, message) = fails(&changed(name, path, value));
        assert_eq!(failed, phase, "{message}");
        assert!(message.contains(named), "{path}: {message}");
    }
}
