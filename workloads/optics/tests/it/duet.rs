//! Preparations and duets through files, with the real library and a copy of it.

use std::fs;
use std::path::{Path, PathBuf};

use longrun_optics::witness::sha256_hex;
use longrun_protocol::Side;
use longrun_protocol::duet::{CheckpointReport, Stretch};
use longrun_protocol::receipt::{Receipt, Status};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::library::{BUILD_KEY, path};
use crate::worker::{call, fails, receipt, request};

/// A case whose states have been prepared, and the folder that they lie in.
struct Prepared {
    folder: TempDir,
    /// The request of a complete run.
    run: Value,
    receipt: Receipt,
}

/// Answers a request that is to succeed.
fn answer(folder: &Path, request: &Value) -> Receipt {
    let output = call(folder, &request.to_string());
    let receipt = receipt(folder);
    assert_eq!(receipt.status, Status::Complete, "{:?}", receipt.failure);
    assert_eq!(output.status.code(), Some(0));
    receipt
}

/// Prepares a case at size `smoke`. Segments are as short as they can be and processes as short as
/// the rule of eight segments lets them be, so that counts do not depend on the machine.
fn prepared(name: &str, stepper: &str, length: f64) -> Prepared {
    let folder = TempDir::new().unwrap();
    let mut run = request(name);
    run["configuration"]["stepper"] = json!(stepper);
    run["length"] = json!(length);
    run["repeats"] = json!(1);
    let mut request = run.clone();
    request["task"] = json!("checkpoint");
    request["checkpoint"] = json!({
        "file": folder.path().join("states.npy"), "count": 4, "visited": 2,
        "segment_ns": 1, "process_ns": 1
    });
    let receipt = answer(folder.path(), &request);
    Prepared {
        folder,
        run,
        receipt,
    }
}

impl Prepared {
    fn report(&self) -> &CheckpointReport {
        self.receipt.checkpoints.as_ref().unwrap()
    }

    /// A copy of the library in the folder.
    fn copy(&self) -> PathBuf {
        let copy = self.folder.path().join("candidate.so");
        fs::copy(path(), &copy).unwrap();
        copy
    }

    /// A duet with a copy of the library over some of the stretches.
    fn duet(&self, stretches: &[&Stretch]) -> Value {
        let mut request = self.run.clone();
        request["task"] = json!("duet");
        request["duet"] = json!({
            "candidate": {"path": self.copy(), "build_key": BUILD_KEY},
            "created_first": "candidate", "first": "candidate",
            "states": self.folder.path().join("states.npy"),
            "states_sha256": self.report().sha256,
            "stretches": stretches
        });
        request
    }

    fn whole_duet(&self) -> Value {
        self.duet(&self.report().stretches.iter().collect::<Vec<_>>())
    }
}

/// Whatever the stepper, a library does what its copy does, bit by bit and step by step.
fn is_equal_to_its_copy(name: &str, stepper: &str, length: f64) {
    let prepared = prepared(name, stepper, length);
    let report = prepared.report();
    assert_eq!(report.stretches.len(), 4, "{report:?}");
    assert_eq!(report.visited, 1);
    let receipt = answer(prepared.folder.path(), &prepared.whole_duet());
    let duet = receipt.duet.unwrap();
    assert_eq!(duet.created_first, Side::Candidate);
    assert_eq!(duet.candidate, receipt.library);
    assert_eq!(receipt.resolved, prepared.receipt.resolved);
    assert_eq!(duet.stretches.len(), 4);
    let mut total_ns = 0;
    for (visited, planned) in duet.stretches.iter().zip(&report.stretches) {
        assert_eq!(visited.checkpoint, Some(planned.checkpoint));
        // A process without time visits one stretch, with all of its eight segments.
        assert_eq!(visited.segments.len(), 8);
        let mut first = Side::Candidate;
        for segment in &visited.segments {
            let sides = [segment.baseline, segment.candidate];
            assert_eq!(segment.first, first);
            assert_eq!(segment.relative_l2, Some(0.0));
            for side in sides {
                assert_eq!(side.accepted, Some(1));
                assert!(side.evaluations.unwrap() > 0);
                assert!(side.sample.cpu_ns.is_some() && side.sample.usage.is_some());
                total_ns += side.sample.interval_ns;
            }
            assert_eq!(sides[0].evaluations, sides[1].evaluations);
            first = first.other();
        }
    }
    assert_eq!(receipt.phases.run_ns, total_ns);
}

#[test]
fn a_library_is_equal_to_its_copy_in_every_segment() {
    is_equal_to_its_copy("gnlse_soliton", "multistep", 1.0);
    is_equal_to_its_copy("gnlse_soliton", "rk", 0.5);
    is_equal_to_its_copy("gnlse_soliton_fixed", "rk4ip", 1.0);
}

#[test]
fn a_noisy_supercontinuum_is_equal_to_itself_in_every_segment() {
    is_equal_to_its_copy("gnlse_raman_shock", "default", 1.0);
    is_equal_to_its_copy("gnlse_raman_shock", "multistep-interaction", 1.0);
}

/// Where each accepted step of a complete run ends, m.
fn ends_m(prepared: &Prepared) -> Vec<f64> {
    let mut request = prepared.run.clone();
    request["keep_state"] = json!(true);
    let folder = TempDir::new().unwrap();
    let receipt = answer(folder.path(), &request);
    let count = usize::try_from(receipt.witnesses[0].accepted.unwrap()).unwrap();
    let bytes = fs::read(folder.path().join("accepted_steps.npy")).unwrap();
    let steps = bytes[bytes.len() - 8 * count..].chunks_exact(8);
    let mut z_m = 0.0;
    steps
        .map(|step| {
            z_m += f64::from_le_bytes(step.try_into().unwrap());
            z_m
        })
        .collect()
}

#[test]
fn stretches_stand_at_equal_shares_of_the_run_and_end_before_it() {
    for (name, stepper) in [
        ("gnlse_soliton", "multistep"),
        ("gnlse_soliton", "rk"),
        ("gnlse_raman_shock", "default"),
    ] {
        let prepared = prepared(name, stepper, 1.0);
        let ends_m = ends_m(&prepared);
        let report = prepared.report();
        assert_eq!(report.accepted, ends_m.len() as u64);
        // Evaluations of a run are all but proportional to its accepted steps.
        let share = |z_m: f64| {
            let steps = ends_m.partition_point(|end_m| *end_m <= z_m + 1e-12);
            4.0 * steps as f64 / ends_m.len() as f64
        };
        for (index, stretch) in (0..).zip(&report.stretches) {
            let begin = share(stretch.z_m) - f64::from(index);
            let end = share(*stretch.planes_m.last().unwrap()) - f64::from(index);
            // Half a share in, less half of its length, and a sixteenth early at most.
            assert!((0.3..0.5).contains(&begin), "{name} {stepper} {begin}");
            assert!((begin..0.7).contains(&end), "{name} {stepper} {end}");
        }
    }
}

#[test]
fn a_preparation_keeps_whole_states_and_says_what_it_ran() {
    let prepared = prepared("gnlse_soliton", "default", 0.5);
    let report = prepared.report();
    let bytes = fs::read(prepared.folder.path().join("states.npy")).unwrap();
    assert_eq!(sha256_hex(&bytes), report.sha256);
    assert!(bytes.len() > 4 * 4096 * 16);
    let header = String::from_utf8_lossy(&bytes[..128]);
    assert!(header.contains("'<c16'") && header.contains("(4, 4096)"));
    assert!(report.step_ns > 0 && report.run_ns >= report.step_ns * report.accepted / 2);
    assert_eq!(prepared.receipt.phases.run_ns, report.run_ns);
    assert!(prepared.receipt.samples.is_empty() && prepared.receipt.witnesses.is_empty());
    for stretch in &report.stretches {
        assert!(stretch.z_m < stretch.warm_up_m);
        let planes = &stretch.planes_m;
        assert!(planes[0] > stretch.warm_up_m && planes.is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn a_duet_visits_the_stretches_that_it_is_given_in_their_order() {
    let prepared = prepared("gnlse_soliton", "default", 0.5);
    let stretches = &prepared.report().stretches;
    let request = prepared.duet(&[&stretches[3], &stretches[1]]);
    let receipt = answer(prepared.folder.path(), &request);
    let visited = receipt.duet.unwrap().stretches;
    let visited: Vec<_> = visited.iter().map(|stretch| stretch.checkpoint).collect();
    assert_eq!(visited, [Some(3), Some(1)]);
    assert!(receipt.samples.is_empty());
}

#[test]
fn each_side_has_plans_of_its_own_from_the_same_wisdom() {
    let prepared = prepared("gnlse_soliton", "default", 0.5);
    let store = prepared.folder.path().join("1.wisdom");
    let mut request = prepared.run.clone();
    request["task"] = json!("prepare_fft");
    request["wisdom"] = json!(store);
    answer(prepared.folder.path(), &request);
    let mut request = prepared.whole_duet();
    request["wisdom"] = json!(store);
    let receipt = answer(prepared.folder.path(), &request);
    let wisdom = receipt.wisdom.unwrap();
    assert!(wisdom.plans > 0 && wisdom.missing == 0, "{wisdom:?}");
    assert_eq!(receipt.duet.unwrap().candidate_wisdom, Some(wisdom));
    fs::write(&store, "no wisdom").unwrap();
    let receipt = answer(prepared.folder.path(), &request);
    let warned = |side: &str| {
        let begins = format!("side `{side}`: failed to read FFT wisdom");
        receipt
            .warnings
            .iter()
            .any(|text| text.starts_with(&begins))
    };
    assert!(warned("baseline") && warned("candidate"));
}

/// Changes one thing of a sound duet and gives phase and message of the failure.
fn changed(request: &Value, path: &str, value: Value) -> (String, String) {
    let mut request = request.clone();
    *request.pointer_mut(path).unwrap() = value;
    fails(&request)
}

#[test]
fn a_library_that_is_not_as_asked_is_refused_with_its_side() {
    let prepared = prepared("gnlse_soliton", "default", 0.5);
    let request = prepared.whole_duet();
    let text = prepared.folder.path().join("text.so");
    fs::write(&text, "no library").unwrap();
    for (side, at) in [("baseline", "/library"), ("candidate", "/duet/candidate")] {
        for (key, value, named) in [
            ("build_key", json!("0123"), "`0123`"),
            ("path", json!("/nowhere/lib.so"), "`/nowhere/lib.so`"),
            ("path", json!(text), "text.so"),
        ] {
            let (phase, message) = changed(&request, &format!("{at}/{key}"), value);
            assert_eq!(phase, "load");
            let begins = format!("side `{side}`: failed to load");
            assert!(message.starts_with(&begins), "{message}");
            assert!(message.contains(named), "{message}");
        }
    }
    let linked = prepared.folder.path().join("linked.so");
    std::os::unix::fs::symlink(path(), &linked).unwrap();
    for same in [path(), linked] {
        let (phase, message) = changed(&request, "/duet/candidate/path", json!(same));
        assert_eq!(phase, "load");
        assert!(message.contains("are the same file"), "{message}");
    }
}

#[test]
fn states_that_are_not_those_of_the_plan_are_refused() {
    let prepared = prepared("gnlse_soliton", "default", 0.5);
    let request = prepared.whole_duet();
    for (path, value, named) in [
        ("/duet/states", json!("/nowhere.npy"), "`/nowhere.npy`"),
        ("/duet/states_sha256", json!("0123"), "`0123`"),
        ("/duet/stretches/1/checkpoint", json!(9), "no state 9"),
        (
            "/duet/stretches/0/planes_m/7",
            json!(1e9),
            "ends at 1000000000 m",
        ),
        (
            "/parameters/window_s",
            json!(8e-12),
            "4096 points and the case has 8192",
        ),
    ] {
        let (phase, message) = changed(&request, path, value);
        assert_eq!(phase, "construct", "{path}: {message}");
        assert!(message.contains(named), "{message}");
    }
}

#[test]
fn what_cannot_be_a_duet_is_refused_with_a_sentence() {
    let prepared = prepared("gnlse_soliton", "default", 0.5);
    let duet = prepared.whole_duet();
    for (path, value, named) in [
        (
            "/duet/stretches",
            json!([]),
            "which task `checkpoint` prepares",
        ),
        ("/duet/states_sha256", Value::Null, "needs `states`"),
        (
            "/duet/stretches/0/planes_m",
            json!([1.0, 2.0, 3.0]),
            "an even number",
        ),
        ("/duet/stretches/0/warm_up_m", json!(-1.0), "do not follow"),
        ("/task", json!("run"), "another task than `duet`"),
    ] {
        let (phase, message) = changed(&duet, path, value);
        assert_eq!(phase, "request");
        assert!(message.contains(named), "{path}: {message}");
    }
    let mut blocks = duet.clone();
    blocks["duet"]["blocks"] = json!(40);
    assert!(fails(&blocks).1.contains("a duet of blocks"));
    let mut reference = duet;
    reference["configuration"]["engine"] = json!("reference");
    reference.as_object_mut().unwrap().remove("library");
    let (_, message) = fails(&reference);
    assert!(
        message.contains("engine `reference` uses none"),
        "{message}"
    );
}

#[test]
fn a_run_that_is_too_short_for_a_stretch_is_refused_with_its_steps() {
    let folder = TempDir::new().unwrap();
    let mut request = request("gnlse_soliton_fixed");
    request["task"] = json!("checkpoint");
    request["length"] = json!(0.001);
    request["checkpoint"] = json!({
        "file": folder.path().join("states.npy"), "count": 16, "visited": 4,
        "segment_ns": 1, "process_ns": 1
    });
    let (phase, message) = fails(&request);
    assert_eq!(phase, "run");
    assert!(
        message.contains("failed to lay down a stretch"),
        "{message}"
    );
    assert!(!folder.path().join("states.npy").exists());
    for (key, value) in [
        ("count", json!(0)),
        ("visited", json!(0)),
        ("count", json!(1000)),
    ] {
        let mut request = request.clone();
        request["checkpoint"][key] = value;
        assert!(fails(&request).1.contains(&format!("`checkpoint.{key}`")));
    }
}
