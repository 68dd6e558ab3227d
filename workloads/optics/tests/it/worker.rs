//! The worker as a process: one request in, one receipt out, whatever the request.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use longrun_optics::oracle::photon_number;
use longrun_optics::witness::sha256_hex;
use longrun_optics::worker::OpticsFacts;
use longrun_protocol::receipt::{ProgressEvent, Receipt, Status};
use longrun_protocol::{Configuration, Engine, Size};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::library::{BUILD_KEY, path};
use crate::registry::{case, entry, parameters};

/// A sound request for a case at size `smoke`, over the first tenth of the guide.
pub fn request(name: &str) -> Value {
    let entry = entry(name);
    json!({
        "protocol_version": 1, "request_id": "request-1", "task": "run",
        "configuration": {
            "suite": "tracking", "case": name, "size": "smoke", "revision": 1,
            "engine": "native", "stepper": "default", "variant": "", "width": "1"
        },
        "interface": entry.interface,
        "parameters": parameters(name, Size::Smoke),
        "library": {"path": path(), "build_key": BUILD_KEY},
        "threads": 1, "repeats": 3, "warm_up": 0.02, "length": 0.1,
        "seed": entry.seed, "noise": entry.noise, "default_stepper": entry.default_stepper,
        "bounds": {"repeat": 1e-9, "revision": 1e-6}
    })
}

/// The same for the reference engine.
fn request_of_the_reference(name: &str) -> Value {
    let mut request = request(name);
    request["configuration"]["engine"] = json!("reference");
    request.as_object_mut().unwrap().remove("library");
    request
}

pub fn call(folder: &Path, request: &str) -> Output {
    fs::write(folder.join("request.json"), request).unwrap();
    Command::new(env!("CARGO_BIN_EXE_longrun-optics"))
        .args(["--request", "request.json", "--receipt", "receipt.json"])
        .env("OMP_NUM_THREADS", "1")
        .env("LONGRUN_UNRELATED", "1")
        .current_dir(folder)
        .output()
        .unwrap()
}

pub fn receipt(folder: &Path) -> Receipt {
    let text = fs::read_to_string(folder.join("receipt.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Runs a request that is to fail, and gives phase and message of its receipt.
pub fn fails(request: &Value) -> (String, String) {
    let folder = TempDir::new().unwrap();
    let output = call(folder.path(), &request.to_string());
    assert_eq!(output.status.code(), Some(1));
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Failed);
    assert_eq!(receipt.request_id, "request-1");
    let failure = receipt.failure.unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains(&failure.message));
    (failure.phase, failure.message)
}

fn changed(path: &str, value: Value) -> Value {
    let mut request = request("gnlse_soliton");
    *request.pointer_mut(path).unwrap() = value;
    request
}

#[test]
fn a_complete_run_is_answered_by_a_receipt_of_what_really_ran() {
    let folder = TempDir::new().unwrap();
    let output = call(folder.path(), &request("gnlse_raman_shock").to_string());
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Complete);
    let library = receipt.library.unwrap();
    assert_eq!(library.build_key, BUILD_KEY);
    assert_eq!((library.abi["core"], library.abi["optics"]), (1, 2));
    assert!(library.fft.unwrap().contains("FFTW"));
    let resolved = receipt.resolved.unwrap();
    assert_eq!(
        (resolved.integrator.as_str(), resolved.seed),
        ("multistep order=5", Some(20_061_004))
    );
    assert_eq!(receipt.samples.len(), 3);
    assert!(receipt.samples.iter().all(|sample| sample.ops == 1));
    let total: u64 = receipt
        .samples
        .iter()
        .map(|sample| sample.interval_ns)
        .sum();
    assert_eq!(receipt.phases.run_ns, total);
    assert_eq!(receipt.load.len(), 3);
    let omp = receipt.thread_environment.iter().collect::<Vec<_>>();
    assert!(omp.contains(&(&"OMP_NUM_THREADS".to_owned(), &"1".to_owned())));
    assert!(!receipt.thread_environment.contains_key("LONGRUN_UNRELATED"));
    assert!(receipt.memory.peak_rss_bytes.unwrap() > 1 << 20);
    assert!(receipt.artifacts.is_empty());
}

#[test]
fn the_repeats_of_a_run_did_the_same_work() {
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request("gnlse_raman_shock").to_string());
    let witnesses = receipt(folder.path()).witnesses;
    let first = &witnesses[0];
    assert_eq!(
        first.evaluations.unwrap(),
        1 + 2 * first.accepted.unwrap() + first.rejected.unwrap()
    );
    assert_eq!(first.threads_observed, Some(1));
    for witness in &witnesses {
        assert_eq!(witness.digest, first.digest);
        assert_eq!(witness.accepted, first.accepted);
        assert_eq!(witness.evaluations, first.evaluations);
        assert_eq!(witness.fft_plans, first.fft_plans);
        assert_eq!(witness.relative_l2_to_first, Some(0.0));
    }
    let sketches: Vec<usize> = witnesses
        .iter()
        .map(|witness| witness.sketch.len())
        .collect();
    assert_eq!(sketches, [0, 0, 256]);
}

#[test]
fn the_reference_answers_with_a_receipt_without_a_library() {
    let folder = TempDir::new().unwrap();
    let request = request_of_the_reference("gnlse_raman_shock");
    let output = call(folder.path(), &request.to_string());
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Complete);
    assert_eq!(receipt.library, None);
    assert_eq!(receipt.configuration.engine, Engine::Reference);
    assert_eq!(receipt.resolved.unwrap().threads, 1);
    let plans = "rustfft complex forward 4096\nrustfft complex inverse 4096\n\
                 rustfft complex forward 8192\nrustfft complex inverse 8192\n";
    let first = &receipt.witnesses[0];
    assert_eq!(first.fft_plans, Some(sha256_hex(plans.as_bytes())));
    assert_eq!(receipt.witnesses.len(), 3);
    for witness in &receipt.witnesses {
        assert_eq!(witness.digest, first.digest);
        assert_eq!(witness.relative_l2_to_first, Some(0.0));
        assert_eq!(witness.threads_observed, Some(1));
    }
    let facts = receipt.context.unwrap().facts;
    let facts: OpticsFacts = serde_json::from_value(Value::Object(facts)).unwrap();
    assert_eq!(facts.source_bytes, None);
    assert!((facts.photon_number_ratio.unwrap() - 1.0).abs() < 1e-4);
}

#[test]
fn the_reference_refuses_a_library_and_a_second_thread() {
    let mut request = request_of_the_reference("gnlse_soliton");
    request["library"] = json!({"path": path(), "build_key": BUILD_KEY});
    let (phase, message) = fails(&request);
    assert_eq!(phase, "request");
    assert!(message.contains("uses no library"), "{message}");
    let mut request = request_of_the_reference("gnlse_soliton");
    request["threads"] = json!(2);
    request["configuration"]["width"] = json!("2");
    let (_, message) = fails(&request);
    assert!(message.contains("works on one thread"), "{message}");
}

#[test]
fn the_context_tells_what_the_propagation_did() {
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request("gnlse_raman_shock").to_string());
    let context = receipt(folder.path()).context.unwrap();
    assert_eq!(context.kind, "optics");
    let facts: OpticsFacts = serde_json::from_value(Value::Object(context.facts)).unwrap();
    let case = case("gnlse_raman_shock", Size::Smoke);
    assert_eq!(
        (facts.points, facts.valid_points),
        (4096, case.valid_points())
    );
    // A tenth of ten intervals: the launch and the end.
    let planes: Vec<f64> = facts.planes.iter().map(|plane| plane.z_m).collect();
    assert_eq!(planes, [0.0, facts.length_m]);
    let photons = photon_number(&case.grid, &case.launch);
    assert!((facts.planes[0].photon_number / photons - 1.0).abs() < 1e-12);
    assert!((facts.photon_number_ratio.unwrap() - 1.0).abs() < 1e-4);
    assert_eq!(facts.repeats.len(), 3);
    assert!(
        facts
            .repeats
            .iter()
            .all(|repeat| repeat.absorptions > 0 && repeat.observations == 2)
    );
    assert!(facts.shortest_step_m <= facts.longest_step_m);
}

#[test]
fn progress_is_told_in_lines_of_json() {
    let folder = TempDir::new().unwrap();
    let output = call(folder.path(), &request("gnlse_soliton").to_string());
    let text = String::from_utf8(output.stdout).unwrap();
    let events: Vec<ProgressEvent> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let phases: Vec<&str> = events
        .iter()
        .filter_map(|event| match event {
            ProgressEvent::Phase { name } => Some(name.as_str()),
            ProgressEvent::Progress { .. } => None,
        })
        .collect();
    assert_eq!(
        phases,
        [
            "load",
            "construct",
            "translate",
            "build_engine",
            "warm_up",
            "run"
        ]
    );
    let last = ProgressEvent::Progress {
        repeat: 3,
        fraction: 1.0,
    };
    assert_eq!(events.last(), Some(&last));
}

#[test]
fn a_kept_state_is_a_numpy_file_that_the_witness_describes() {
    let mut request = request("gnlse_soliton");
    request["keep_state"] = json!(true);
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    let state = receipt
        .artifacts
        .iter()
        .find(|artifact| artifact.kind == "final_state")
        .unwrap();
    let bytes = fs::read(folder.path().join(&state.file)).unwrap();
    assert_eq!(sha256_hex(&bytes), state.sha256);
    let data = &bytes[bytes.len() - 4096 * 16..];
    assert_eq!(receipt.witnesses[0].digest, Some(sha256_hex(data)));
    let steps = receipt
        .artifacts
        .iter()
        .find(|artifact| artifact.kind == "accepted_steps");
    assert!(folder.path().join(&steps.unwrap().file).exists());
}

/// The last `count` numbers of a kept file.
fn kept(folder: &Path, file: &str, count: usize) -> Vec<f64> {
    let bytes = fs::read(folder.join(file)).unwrap();
    bytes[bytes.len() - 8 * count..]
        .chunks_exact(8)
        .map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap()))
        .collect()
}

#[test]
fn replaying_recorded_steps_gives_the_same_field() {
    let mut request = request("gnlse_soliton");
    request["keep_state"] = json!(true);
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request.to_string());
    let controlled = receipt(folder.path());
    let count = usize::try_from(controlled.witnesses[0].accepted.unwrap()).unwrap();
    let before = kept(folder.path(), "final_state.npy", 2 * 4096);
    request["replay_steps"] = json!(kept(folder.path(), "accepted_steps.npy", count));
    call(folder.path(), &request.to_string());
    let replayed = receipt(folder.path());
    assert_eq!(replayed.status, Status::Complete, "{:?}", replayed.failure);
    assert_eq!(
        replayed.resolved.unwrap().integrator,
        format!("multistep order=5 replayed={count}")
    );
    assert_eq!(replayed.witnesses[0].rejected, Some(0));
    let after = kept(folder.path(), "final_state.npy", 2 * 4096);
    let norm: f64 = before.iter().map(|x| x * x).sum();
    let difference: f64 = before
        .iter()
        .zip(&after)
        .map(|(a, b)| (a - b) * (a - b))
        .sum();
    // The positions are sums of rounded steps, so the bits may differ.
    let distance = (difference / norm).sqrt();
    assert!(distance < 1e-12, "{distance:e}");
}

#[test]
fn a_library_with_another_build_key_is_refused() {
    let (phase, message) = fails(&changed("/library/build_key", json!("0123")));
    assert_eq!(phase, "load");
    assert!(
        message.contains("`7e57`") && message.contains("`0123`"),
        "{message}"
    );
}

#[test]
fn a_file_that_is_no_library_of_ours_is_refused() {
    let (phase, message) = fails(&changed("/library/path", json!("/nowhere/liblongrun.so")));
    assert_eq!(phase, "load");
    assert!(message.contains("`/nowhere/liblongrun.so`"), "{message}");
}

#[test]
fn what_the_worker_does_not_serve_is_a_failed_receipt_that_says_what_it_serves() {
    for (path, value, named) in [
        ("/protocol_version", json!(99), "version 99"),
        ("/task", json!("duet"), "names no `duet`"),
        (
            "/interface",
            json!("fdtd"),
            "the interfaces `gnlse`, `capillary`, `waveguide`, `radial`, `free` and `kernel`",
        ),
        (
            "/configuration/engine",
            json!("auto"),
            "engines `native` and `reference`",
        ),
        ("/parameters/raman_fraction", json!(3), "`raman_fraction`"),
    ] {
        let (phase, message) = fails(&changed(path, value));
        assert_eq!(phase, "request");
        assert!(message.contains(named), "{message}");
    }
}

#[test]
fn an_unknown_stepper_is_refused_by_name() {
    let (phase, message) = fails(&changed("/configuration/stepper", json!("euler")));
    assert_eq!(phase, "construct");
    assert!(message.contains("`euler`"), "{message}");
}

#[test]
fn a_field_that_is_no_longer_a_number_is_a_failure_and_not_a_time() {
    let mut request = request("gnlse_soliton_fixed");
    request["parameters"]["fixed_steps"] = json!(2);
    request["parameters"]["pulse"]["soliton_order"] = json!(1e80);
    request["length"] = json!(1.0);
    let folder = TempDir::new().unwrap();
    let output = call(folder.path(), &request.to_string());
    assert_eq!(output.status.code(), Some(1));
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Failed);
    assert!(receipt.samples.is_empty());
    let message = receipt.failure.unwrap().message;
    assert!(message.contains("finite"), "{message}");
}

#[test]
fn a_request_that_cannot_be_understood_leaves_no_receipt() {
    for garbage in ["", "not json", "[1, 2]", "{\"protocol_version\": 1}"] {
        let folder = TempDir::new().unwrap();
        let output = call(folder.path(), garbage);
        assert_eq!(output.status.code(), Some(1), "{garbage}");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            stderr.contains("failed to read request `request.json`"),
            "{stderr}"
        );
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(names.len(), 1, "only the request is there");
    }
}

#[test]
fn wrong_arguments_are_answered_with_the_usage() {
    let output = Command::new(env!("CARGO_BIN_EXE_longrun-optics"))
        .arg("--fast")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains("`--fast`") && stderr.contains("usage:"),
        "{stderr}"
    );
}

#[test]
fn the_receipt_repeats_the_configuration_of_the_request() {
    let folder = TempDir::new().unwrap();
    let request = request("gnlse_soliton");
    call(folder.path(), &request.to_string());
    let configuration: Configuration =
        serde_json::from_value(request["configuration"].clone()).unwrap();
    assert_eq!(receipt(folder.path()).configuration, configuration);
}
