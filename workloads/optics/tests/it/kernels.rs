//! The kernels of the registry, each sampled, checked and compared by the worker itself.

use std::fs;

use longrun_protocol::duet::Side;
use longrun_protocol::receipt::{Receipt, Relation, Status, WisdomReport};
use longrun_protocol::sampling::WorkReport;
use longrun_protocol::{CaseEntry, Size};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::library::{BUILD_KEY, defective_path, path};
use crate::registry::entries_of;
use crate::worker::{call, fails, receipt};

/// Every case of suite `kernels`.
pub fn names() -> Vec<String> {
    let cases = entries_of("kernels").into_iter();
    cases.map(|case| case.name).collect()
}

fn entry(name: &str) -> CaseEntry {
    let mut cases = entries_of("kernels").into_iter();
    let found = cases.find(|case| case.name == name);
    found.unwrap_or_else(|| panic!("the registry has no kernel `{name}`"))
}

/// A sound request for a kernel at size `smoke`: three samples of short blocks.
pub fn request(name: &str, threads: u32) -> Value {
    let entry = entry(name);
    json!({
        "protocol_version": 1, "request_id": "request-1", "task": "run",
        "configuration": {
            "suite": "kernels", "case": name, "size": "smoke", "revision": 1,
            "engine": "native", "stepper": "default", "variant": "", "width": threads.to_string()
        },
        "interface": entry.interface,
        "parameters": entry.parameters_at(&entry.sizes[&Size::Smoke]),
        "library": {"path": path(), "build_key": BUILD_KEY},
        "threads": threads, "repeats": 3, "warm_up": 0.02, "length": 1.0,
        "block_plan": {"kind": "frozen", "ops": 5}, "warm_up_blocks": 1,
        "noise": entry.noise, "default_stepper": entry.default_stepper,
        "bounds": {"repeat": entry.repeat_bound, "revision": entry.revision_bound}
    })
}

fn answer(request: &Value) -> Receipt {
    let folder = TempDir::new().unwrap();
    let output = call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Complete, "{:?}", receipt.failure);
    assert_eq!(output.status.code(), Some(0));
    receipt
}

/// FLOP and bytes of one operation by the formulas of `kernels.h`.
fn counted(parameters: &Value) -> (f64, f64) {
    let number = |key: &str| parameters[key].as_f64().unwrap_or(0.0);
    let (n, m, p) = (number("points"), number("raman_points"), number("order"));
    let transform = |n: f64| 5.0 * n * n.log2();
    let half = |n: f64| n / 2.0 + 1.0;
    match parameters["kernel"].as_str().unwrap() {
        "fft_forward" | "fft_inverse" => (transform(n), 32.0 * n),
        "rfft_forward" => (transform(n) / 2.0, 24.0 * n + 16.0 * half(n)),
        "rfft_inverse" => (transform(n) / 2.0, 8.0 * n + 48.0 * half(n)),
        "intensity" => (3.0 * n, 16.0 * n + 8.0 * m),
        "raman_product" => (6.0 * half(m), 48.0 * half(m)),
        "raman_convolution" => (
            3.0 * n + 6.0 * half(m) + transform(m),
            16.0 * n + 24.0 * m + 80.0 * half(m),
        ),
        "polarise" => (9.0 * n, 48.0 * n),
        "exponentials" => (39.0 * n, 24.0 * n),
        "moments" => ((56.0 + 9.0 * p) * n, (8.0 + 16.0 * (p + 2.0)) * n),
        "sum_squares" => (4.0 * n, 16.0 * n),
        // Stage 5, whose sum is the new state.
        "rk_stage" => (86.0 * n, 16.0 * 11.0 * n),
        "rk_error" => (14.0 * n, 80.0 * n),
        "adams_predict" => ((12.0 * p + 4.0) * n, 16.0 * (2.0 * p + 4.0) * n),
        "adams_correct" => (24.0 * n, 112.0 * n),
        "absorb" => (10.0 * n + 2.0 * transform(n), 176.0 * n),
        other => panic!("the suite has a kernel `{other}` that this test does not know"),
    }
}

#[test]
fn every_kernel_is_sampled_and_puts_out_what_the_formulas_say() {
    for name in names() {
        let request = request(&name, 1);
        let receipt = answer(&request);
        assert_eq!(receipt.samples.len(), 3, "{name}");
        assert!(receipt.samples.iter().all(|sample| sample.ops == 5));
        let report = receipt.sampled.unwrap();
        assert_eq!((report.ops, report.warm_up.len()), (5, 1));
        let reference = report.reference.unwrap();
        assert!(reference.passed(), "{name}: {reference:?}");
        // Two ways of computing round differently; an output that was not written is far off.
        assert!(reference.bound <= 1e-14);
        let (flops, bytes) = counted(&request["parameters"]);
        let due = WorkReport {
            flops: Some(flops),
            bytes: Some(bytes),
        };
        assert_eq!(report.work, Some(due), "{name}");
        let abi = receipt.library.unwrap().abi;
        assert_eq!(abi["kernels"], 1);
        let [first, last] = receipt.witnesses.as_slice() else {
            panic!("{name} has no two witnesses");
        };
        assert_eq!(first.digest, last.digest);
        assert_eq!(last.relative_l2_to_first, Some(0.0));
        assert_eq!(last.threads_observed, Some(1));
        let context = receipt.context.unwrap();
        assert_eq!(context.kind, "kernel");
        assert_eq!(context.facts, *request["parameters"].as_object().unwrap());
    }
}

/// Plans made anew in each process round differently, so that transforms take theirs from a store;
/// on few points, for which plans are made in a moment.
#[test]
fn a_wider_team_puts_out_the_same_bits() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("1.wisdom");
    for name in names() {
        let entry = entry(&name);
        let request = |task: &str, threads: u32| {
            let mut request = request(&name, threads);
            request["task"] = json!(task);
            if entry.fft_plans {
                request["wisdom"] = json!(store);
                request["parameters"]["points"] = json!(256);
            }
            if entry.fft_plans && request["parameters"].get("raman_points").is_some() {
                request["parameters"]["raman_points"] = json!(512);
            }
            request
        };
        if entry.fft_plans {
            answer(&request("prepare_fft", 1));
        }
        let digests = [1, 2].map(|threads| {
            let receipt = answer(&request("run", threads));
            let missing = receipt.wisdom.map(|wisdom| wisdom.missing);
            assert_eq!(missing, entry.fft_plans.then_some(0), "{name}");
            let last = receipt.witnesses.into_iter().last().unwrap();
            let observed = last.threads_observed.unwrap();
            assert!((1..=threads).contains(&observed), "{name} {observed}");
            last.digest.unwrap()
        });
        assert_eq!(digests[0], digests[1], "{name}");
    }
}

#[test]
fn every_size_of_the_registry_is_a_kernel() {
    for case in entries_of("kernels") {
        for (size, entry) in &case.sizes {
            let parameters = case.parameters_at(entry);
            let kernel = longrun_optics::kernels::Kernel::read(&parameters);
            assert!(kernel.is_ok(), "{} {size}: {kernel:?}", case.name);
            assert_eq!(entry.oracles, ["reference"]);
        }
        let with_plans = case.parameters["kernel"].as_str().unwrap();
        let transforms = ["fft_", "rfft_", "raman_convolution", "absorb"];
        let due = transforms
            .iter()
            .any(|begins| with_plans.starts_with(begins));
        assert_eq!(case.fft_plans, due, "{}", case.name);
    }
}

#[test]
fn the_full_sizes_are_checked_against_the_formulas_too() {
    for name in ["fft_forward_long", "raman_convolution", "moments", "absorb"] {
        let entry = entry(name);
        let mut request = request(name, 1);
        request["parameters"] = json!(entry.parameters_at(&entry.sizes[&Size::Full]));
        request["configuration"]["size"] = json!("full");
        request["block_plan"]["ops"] = json!(1);
        let reference = answer(&request).sampled.unwrap().reference.unwrap();
        assert!(reference.passed(), "{name}: {reference:?}");
    }
}

/// One value of the product is off by one part in 10^9.
#[test]
fn a_library_that_computes_a_kernel_wrongly_is_caught() {
    for name in ["raman_product", "raman_convolution"] {
        let mut request = request(name, 1);
        request["library"]["path"] = json!(defective_path());
        let (phase, message) = fails(&request);
        assert_eq!(phase, "run");
        assert!(message.contains("from the reference"), "{name}: {message}");
        request["task"] = json!("verify");
        request["oracles"] = json!(["reference"]);
        let oracles = answer(&request).oracles;
        assert!(oracles.len() == 1 && !oracles[0].passed(), "{oracles:?}");
    }
}

#[test]
fn a_verification_has_the_distance_from_the_reference() {
    let mut request = request("rk_stage", 1);
    request["task"] = json!("verify");
    request["oracles"] = json!(["reference"]);
    let receipt = answer(&request);
    assert!(receipt.samples.is_empty() && receipt.sampled.is_none());
    let [line] = receipt.oracles.as_slice() else {
        panic!("there is one quantity");
    };
    assert_eq!(
        (line.oracle.as_str(), line.relation),
        ("reference", Relation::AtMost)
    );
    assert!(
        line.passed() && line.tolerance > 0.0 && line.expected == 0.0,
        "{line:?}"
    );
}

#[test]
fn prepared_plans_are_used_exactly() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("1.wisdom");
    // The convolution has both real transforms and no other.
    let mut request = request("raman_convolution", 1);
    request["parameters"]["points"] = json!(256);
    request["parameters"]["raman_points"] = json!(512);
    request["wisdom"] = json!(store);
    let report = |missing, added| {
        Some(WisdomReport {
            plans: 2,
            missing,
            added,
        })
    };
    let mut prepare = request.clone();
    prepare["task"] = json!("prepare_fft");
    let prepared = answer(&prepare);
    assert_eq!(prepared.wisdom, report(2, 2));
    assert!(prepared.samples.is_empty() && prepared.sampled.is_none());
    assert_eq!(answer(&request).wisdom, report(0, 0));
}

#[test]
fn a_library_is_equal_to_its_copy_in_every_block() {
    for name in ["fft_inverse", "sum_squares", "adams_correct"] {
        let folder = TempDir::new().unwrap();
        let copy = folder.path().join("candidate.so");
        fs::copy(path(), &copy).unwrap();
        let mut request = request(name, 1);
        request["task"] = json!("duet");
        request["duet"] = json!({
            "candidate": {"path": copy, "build_key": BUILD_KEY},
            "created_first": "candidate", "first": "candidate", "blocks": 4
        });
        let receipt = answer(&request);
        let duet = receipt.duet.unwrap();
        assert_eq!(duet.candidate, receipt.library);
        let [stretch] = duet.stretches.as_slice() else {
            panic!("blocks are one stretch");
        };
        assert_eq!((stretch.checkpoint, stretch.segments.len()), (None, 4));
        let mut first = Side::Candidate;
        let mut total_ns = 0;
        for pair in &stretch.segments {
            assert_eq!((pair.first, pair.relative_l2), (first, Some(0.0)));
            for side in [pair.baseline, pair.candidate] {
                assert_eq!((side.sample.ops, side.accepted), (5, None));
                assert!(side.sample.cpu_ns.is_some() && side.sample.usage.is_some());
                total_ns += side.sample.interval_ns;
            }
            first = first.other();
        }
        assert_eq!(receipt.phases.run_ns, total_ns);
        assert!(receipt.samples.is_empty() && receipt.witnesses.is_empty());
    }
}

#[test]
fn a_request_that_is_no_kernel_is_answered_with_its_reason() {
    for (at, value, named) in [
        ("/parameters/kernel", json!("fast"), "unknown kernel `fast`"),
        ("/parameters/points", json!(4095), "`points` is 4095"),
        ("/parameters/points", json!(1 << 30), "at most 1048576"),
        ("/parameters/points", Value::Null, "invalid type: null"),
        ("/block_plan", Value::Null, "no `block_plan`"),
    ] {
        let mut request = request("polarise", 1);
        *request.pointer_mut(at).unwrap() = value;
        let (phase, message) = fails(&request);
        assert_eq!(phase, "request");
        assert!(message.contains(named), "{message}");
    }
}

#[test]
fn what_has_no_meaning_for_an_operation_is_skipped_with_its_reason() {
    let mut request = request("polarise", 1);
    request["length"] = json!(0.5);
    request["breakdown"] = json!(true);
    request["keep_state"] = json!(true);
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    let skipped: Vec<&str> = receipt
        .skips
        .iter()
        .map(|skip| skip.what.as_str())
        .collect();
    assert_eq!(skipped, ["length", "breakdown"]);
    let [output] = receipt.artifacts.as_slice() else {
        panic!("the output is kept");
    };
    let bytes = fs::read(folder.path().join(&output.file)).unwrap();
    let data = &bytes[bytes.len() - 4096 * 16..];
    let digest = longrun_optics::witness::sha256_hex(data);
    assert_eq!(receipt.witnesses[1].digest, Some(digest));
}
