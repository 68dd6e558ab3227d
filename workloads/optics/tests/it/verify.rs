//! The task `verify` through the worker and the real library: what each case of the registry is
//! held to, it comes to.

use std::collections::BTreeSet;

use longrun_optics::oracle::catalogue::Oracle;
use longrun_protocol::Size;
use longrun_protocol::receipt::{OracleLine, Receipt, Status};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::registry::{entry, names};
use crate::worker::{call, fails, receipt, request};

/// A request to verify a case at size `smoke`.
fn verification(name: &str, oracles: &[&str]) -> Value {
    let mut request = request(name);
    request["task"] = json!("verify");
    request["oracles"] = json!(oracles);
    request["length"] = json!(1.0);
    request["repeats"] = json!(2);
    request
}

fn verify(request: &Value) -> Receipt {
    let folder = TempDir::new().unwrap();
    let output = call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Complete, "{:?}", receipt.failure);
    assert_eq!(output.status.code(), Some(0));
    receipt
}

fn registered(name: &str) -> Vec<String> {
    entry(name).sizes[&Size::Smoke].oracles.clone()
}

fn verify_registered(name: &str) -> Vec<OracleLine> {
    let oracles = registered(name);
    let words: Vec<&str> = oracles.iter().map(String::as_str).collect();
    let lines = verify(&verification(name, &words)).oracles;
    let measured: BTreeSet<&str> = lines.iter().map(|line| line.oracle.as_str()).collect();
    assert_eq!(measured, words.into_iter().collect(), "{name}");
    lines
}

#[test]
fn every_case_comes_to_what_it_is_held_to() {
    for name in names() {
        for line in verify_registered(&name) {
            assert!(line.passed(), "{name}: {line:?}");
        }
    }
}

#[test]
fn every_registered_oracle_is_one_of_the_worker_and_holds_for_two_repeats() {
    for name in names() {
        for (size, entry) in &entry(&name).sizes {
            assert!(!entry.oracles.is_empty(), "{name} {size} has none");
            for oracle in &entry.oracles {
                let known = Oracle::from_name(oracle);
                assert!(known.is_some(), "{name} {size}: {oracle}");
            }
        }
    }
}

#[test]
fn steps_that_are_too_coarse_are_seen_by_the_oracles() {
    let oracles = ["soliton_recovered", "soliton_splits"];
    let mut request = verification("gnlse_soliton_fixed", &oracles);
    request["parameters"]["fixed_steps"] = json!(60);
    let lines = verify(&request).oracles;
    assert!(!lines.iter().all(OracleLine::passed), "{lines:?}");
}

#[test]
fn more_planes_change_no_step_and_nothing_is_timed() {
    let few = verify(&verification("gnlse_soliton", &["energy_conserved"]));
    let many = verify(&verification("gnlse_soliton", &["soliton_splits"]));
    // Not the digests: two processes plan their transforms, and round, each in its own way.
    let counts = |receipt: &Receipt| -> Vec<[Option<u64>; 3]> {
        let witnesses = receipt.witnesses.iter();
        witnesses
            .map(|witness| [witness.accepted, witness.rejected, witness.evaluations])
            .collect()
    };
    assert_eq!(counts(&few), counts(&many));
    assert_eq!(few.witnesses.len(), 2);
    assert!(few.samples.is_empty());
}

#[test]
fn the_width_is_honoured() {
    let mut request = verification("gnlse_soliton", &["soliton_recovered", "repeat"]);
    request["threads"] = json!(2);
    request["configuration"]["width"] = json!("2");
    let receipt = verify(&request);
    assert_eq!(receipt.resolved.unwrap().threads, 2);
    assert_eq!(receipt.witnesses[0].threads_observed, Some(2));
    assert!(receipt.oracles.iter().all(OracleLine::passed));
}

#[test]
fn an_oracle_that_does_not_hold_for_the_case_is_refused_by_name() {
    for (name, oracle, part) in [
        ("gnlse_soliton", "photon_number", "with shock"),
        ("gnlse_raman_shock", "energy_conserved", "without shock"),
        ("gnlse_raman_shock", "span", "15 cm"),
        ("gnlse_soliton", "rk4ip_evaluations", "`rk4ip`"),
        ("gnlse_soliton", "fission", "order 5"),
        ("gnlse_soliton", "self_frequency_shift", "90 periods"),
        ("gnlse_soliton", "ultraviolet", "guides and beams"),
        ("argon_blueshift", "centroid", "pulses in argon"),
        ("rdw", "raman_lines", "hydrogen"),
        ("h2_raman_averaged", "fission", "interface `gnlse`"),
    ] {
        let (phase, message) = fails(&verification(name, &[oracle]));
        assert_eq!(phase, "construct");
        assert!(message.contains(&format!("`{oracle}`")), "{message}");
        assert!(message.contains(part), "{message}");
    }
    let mut once = verification("gnlse_soliton", &["repeat"]);
    once["repeats"] = json!(1);
    assert!(fails(&once).1.contains("two repeats"));
}

#[test]
fn without_ionisation_the_comb_keeps_its_photons() {
    let mut request = verification("ctc", &["photon_number"]);
    request["parameters"]["ionisation"] = json!("none");
    let lines = verify(&request).oracles;
    assert!(lines.iter().all(OracleLine::passed), "{lines:?}");
    let (_, message) = fails(&verification("ctc", &["photon_number"]));
    assert!(message.contains("without ionisation"), "{message}");
}

#[test]
fn an_unknown_oracle_is_refused_by_name() {
    let (phase, message) = fails(&verification("gnlse_soliton", &["weather"]));
    assert_eq!(phase, "request");
    assert!(message.contains("unknown oracle `weather`"), "{message}");
}
