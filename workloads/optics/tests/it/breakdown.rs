//! Where the time of a run goes, as the worker takes it down.

use longrun_protocol::receipt::{Receipt, Status};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::library::defective_path;
use crate::worker::{call, receipt, request};

/// A whole run with a breakdown.
fn broken_down(mut request: Value) -> Receipt {
    request["breakdown"] = json!(true);
    request["repeats"] = json!(1);
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Complete, "{:?}", receipt.failure);
    assert_eq!(receipt.samples.len(), 1, "the extra repeat is no sample");
    assert_eq!(receipt.witnesses.len(), 1);
    receipt
}

#[test]
fn the_parts_of_a_run_are_told_beside_it() {
    for (name, stepper) in [
        ("gnlse_raman_shock", "default"),
        ("gnlse_raman_shock", "rk"),
        ("gnlse_soliton_fixed", "default"),
    ] {
        let mut request = request(name);
        request["configuration"]["stepper"] = json!(stepper);
        let receipt = broken_down(request);
        let parts = receipt.breakdown.unwrap();
        let sum = parts.fft_ns
            + parts.pointwise_ns
            + parts.stepper_ns
            + parts.absorb_ns
            + parts.observe_ns;
        assert!(sum <= parts.run_ns, "{name}: {parts:?}");
        for part in [
            parts.fft_ns,
            parts.pointwise_ns,
            parts.stepper_ns,
            parts.absorb_ns,
            parts.observe_ns,
        ] {
            assert!(part > 0, "{name}: {parts:?}");
        }
        assert_eq!(Some(parts.evaluations), receipt.witnesses[0].evaluations);
        assert_eq!(parts.loop_evaluations, 400);
        assert!(parts.bare_evaluation_ns.unwrap() > 0.0);
        assert!(parts.transforms_ns.unwrap() > 0.0);
        assert!(parts.source_bytes.unwrap() > 4096);
        assert!(receipt.skips.is_empty());
    }
}

#[test]
fn the_reference_and_an_older_library_skip_it_with_the_reason() {
    let mut reference = request("gnlse_soliton");
    reference["configuration"]["engine"] = json!("reference");
    reference.as_object_mut().unwrap().remove("library");
    let mut older = request("gnlse_soliton");
    older["library"]["path"] = json!(defective_path());
    for (request, named) in [
        (reference, "engine `reference` does not time its parts"),
        (older, "the library does not time its parts"),
    ] {
        let receipt = broken_down(request);
        assert_eq!(receipt.breakdown, None);
        let [skip] = receipt.skips.as_slice() else {
            panic!("one thing is skipped: {:?}", receipt.skips);
        };
        assert_eq!(skip.what, "breakdown");
        assert!(skip.reason.contains(named), "{}", skip.reason);
    }
}

#[test]
fn nobody_is_broken_down_without_being_asked() {
    let mut request = request("gnlse_soliton");
    request["repeats"] = json!(1);
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    assert_eq!(receipt.breakdown, None);
    assert!(receipt.skips.is_empty(), "{:?}", receipt.skips);
}
