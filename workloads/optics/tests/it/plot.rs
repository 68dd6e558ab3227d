//! The task `plot` through the worker and the real library.

use std::fs;

use longrun_optics::witness::sha256_hex;
use longrun_protocol::receipt::{Receipt, Status};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::kernels;
use crate::worker::{call, fails, receipt, request};

fn plotting(name: &str) -> Value {
    let mut request = request(name);
    request["task"] = json!("plot");
    request["repeats"] = json!(1);
    request
}

/// The receipt of a request that is served, and the picture that it names.
fn plot(request: &Value) -> (Receipt, String) {
    let folder = TempDir::new().unwrap();
    let output = call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Complete, "{:?}", receipt.failure);
    assert_eq!(output.status.code(), Some(0));
    let [artifact] = receipt.artifacts.as_slice() else {
        panic!("{:?}", receipt.artifacts);
    };
    assert_eq!(
        (artifact.kind.as_str(), artifact.file.as_str()),
        ("plot", "plot.svg")
    );
    let bytes = fs::read(folder.path().join(&artifact.file)).unwrap();
    assert_eq!(artifact.sha256, sha256_hex(&bytes));
    (receipt, String::from_utf8(bytes).unwrap())
}

#[test]
fn a_case_of_each_interface_is_plotted() {
    for name in [
        "gnlse_soliton",
        "he_rdw_averaged",
        "grin_nonlinear",
        "radial_filament_256",
        "kerr_beam_192",
    ] {
        let (receipt, svg) = plot(&plotting(name));
        let document = roxmltree::Document::parse(&svg).unwrap();
        let title = document
            .descendants()
            .find(|node| node.has_tag_name("title"));
        assert_eq!(
            title.unwrap().text(),
            Some(format!("{name} (smoke)").as_str())
        );
        let integrator = receipt.resolved.unwrap().integrator;
        assert!(svg.contains(&integrator), "{name}: {integrator}");
        let steps = receipt.witnesses[0].accepted.unwrap();
        assert!(svg.contains(&format!("{steps} steps")), "{name}: {steps}");
        assert!(receipt.samples.is_empty(), "nothing is timed");
    }
}

#[test]
fn what_is_looked_at_changes_no_step() {
    let timed = || {
        let folder = TempDir::new().unwrap();
        let mut request = request("gnlse_soliton");
        request["repeats"] = json!(1);
        call(folder.path(), &request.to_string());
        receipt(folder.path())
    };
    let (plotted, _) = plot(&plotting("gnlse_soliton"));
    let counts = |receipt: &Receipt| {
        let witness = &receipt.witnesses[0];
        [witness.accepted, witness.rejected, witness.evaluations]
    };
    assert_eq!(counts(&plotted), counts(&timed()));
}

#[test]
fn the_reference_is_plotted_like_the_library_and_the_same_run_makes_the_same_bytes() {
    let mut request = plotting("gnlse_soliton");
    request["configuration"]["engine"] = json!("reference");
    request.as_object_mut().unwrap().remove("library");
    let (_, svg) = plot(&request);
    assert!(svg.contains("reference"));
    assert_eq!(svg, plot(&request).1);
}

#[test]
fn what_has_no_course_is_refused() {
    let name = kernels::names().remove(0);
    let mut request = kernels::request(&name, 1);
    request["task"] = json!("plot");
    let (phase, message) = fails(&request);
    assert_eq!(phase, "request");
    assert!(message.contains("nothing to plot"), "{message}");
    let mut request = plotting("gnlse_soliton");
    request["oracles"] = json!(["repeat"]);
    assert!(fails(&request).1.contains("another task"));
}

#[test]
fn a_run_that_fails_leaves_no_picture() {
    let mut request = plotting("gnlse_soliton");
    request["parameters"]["pulse"]["soliton_order"] = json!(1e200);
    let folder = TempDir::new().unwrap();
    let output = call(folder.path(), &request.to_string());
    assert_eq!(output.status.code(), Some(1));
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Failed);
    assert!(receipt.artifacts.is_empty());
    assert!(!folder.path().join("plot.svg").exists());
}
