//! FFT plans that outlive a process: prepared once, then used exactly, by the worker itself.

use std::fs;
use std::path::Path;

use longrun_protocol::receipt::{Receipt, Status, WisdomReport};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::worker::{call, receipt, request};

/// A request over so few points that plans are made in a moment, on a hundredth of the guide.
fn small(task: &str, points: u32, wisdom: &Path) -> Value {
    let mut request = request("gnlse_dudley_8192");
    request["task"] = json!(task);
    request["parameters"]["points"] = json!(points);
    request["length"] = json!(0.01);
    request["repeats"] = json!(1);
    request["wisdom"] = json!(wisdom);
    request
}

fn answer(request: &Value) -> Receipt {
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Complete, "{:?}", receipt.failure);
    receipt
}

fn report(plans: u32, missing: u32, added: u32) -> Option<WisdomReport> {
    Some(WisdomReport {
        plans,
        missing,
        added,
    })
}

#[test]
fn prepared_plans_are_used_exactly_and_stay_when_others_are_added() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("1.wisdom");
    let prepared = answer(&small("prepare_fft", 256, &store));
    assert_eq!(prepared.wisdom, report(4, 4, 4));
    assert!(prepared.samples.is_empty() && prepared.witnesses.is_empty());
    assert!(prepared.warnings.is_empty(), "{:?}", prepared.warnings);

    let first = answer(&small("run", 256, &store));
    assert_eq!(first.wisdom, report(4, 0, 0));
    let digest = first.witnesses[0].fft_plans.clone().unwrap();

    // 512 points share no transform with 256; they would share parts of them.
    let other = answer(&small("prepare_fft", 512, &store));
    assert_eq!(other.wisdom, report(4, 4, 4));
    let again = answer(&small("run", 256, &store));
    assert_eq!(again.wisdom, report(4, 0, 0));
    assert_eq!(again.witnesses[0].fft_plans, Some(digest));
    assert_eq!(again.witnesses[0].digest, first.witnesses[0].digest);

    // Nothing is left to prepare: the file stays as it is, and no other file is left behind.
    let before = fs::read(&store).unwrap();
    let nothing = answer(&small("prepare_fft", 256, &store));
    assert_eq!(nothing.wisdom, report(4, 0, 0));
    assert_eq!(fs::read(&store).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_run_without_a_store_that_can_be_read_plans_anew_and_says_so() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("1.wisdom");
    let absent = answer(&small("run", 256, &store));
    assert_eq!(absent.wisdom, report(4, 4, 0));
    assert!(
        absent.warnings[0].contains("1.wisdom"),
        "{:?}",
        absent.warnings
    );
    assert!(!store.exists(), "a run writes no store");

    fs::write(&store, "rubbish\n").unwrap();
    let damaged = answer(&small("run", 256, &store));
    assert_eq!(damaged.wisdom, report(4, 4, 0));
    assert!(
        damaged.warnings[0].contains("anew"),
        "{:?}",
        damaged.warnings
    );
    assert_eq!(fs::read(&store).unwrap(), b"rubbish\n");

    // A folder cannot be read as a file.
    let odd = answer(&small("run", 256, folder.path()));
    assert_eq!(odd.wisdom, report(4, 4, 0));
}

#[test]
fn preparing_replaces_a_damaged_store_and_warns() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("1.wisdom");
    fs::write(&store, "rubbish\n").unwrap();
    let prepared = answer(&small("prepare_fft", 256, &store));
    assert_eq!(prepared.wisdom, report(4, 4, 4));
    assert_eq!(prepared.warnings.len(), 1, "{:?}", prepared.warnings);
    assert_eq!(answer(&small("run", 256, &store)).wisdom, report(4, 0, 0));
}

#[test]
fn a_run_that_names_no_store_reports_none() {
    let mut request = small("run", 256, Path::new("unused"));
    request.as_object_mut().unwrap().remove("wisdom");
    assert_eq!(answer(&request).wisdom, None);
}

#[test]
fn a_store_that_cannot_be_written_fails_the_preparation_by_name() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("missing").join("1.wisdom");
    let place = TempDir::new().unwrap();
    call(place.path(), &small("prepare_fft", 256, &store).to_string());
    let receipt = receipt(place.path());
    assert_eq!(receipt.status, Status::Failed);
    let message = receipt.failure.unwrap().message;
    assert!(message.contains("1.wisdom"), "{message}");
}
