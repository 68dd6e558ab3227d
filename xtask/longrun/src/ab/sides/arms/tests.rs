//! Tests of the two sides of a comparison, in real repositories.
#![allow(clippy::unwrap_used)]
use std::fs;
use std::path::PathBuf;

use super::*;
use crate::repo::testing::{Checkout, initialised};

mod native_builds;
mod worker_builds;

const REGISTRY: &str = "schema_version = 1\nsuite = \"tracking\"\ntitle = \"A suite\"\n";

/// A checkout that has adopted Longrun, without a commit.
fn adopter(name: &str, members: &str) -> Checkout {
    let checkout = Checkout::named(name);
    checkout.write(
        "Cargo.toml",
        &format!("[workspace]\nmembers = [{members}]\nresolver = \"3\"\n"),
    );
    checkout.write(".gitignore", "/target\n");
    checkout.write("workloads/tracking.toml", REGISTRY);
    checkout
}

fn never() -> Interrupt {
    Interrupt::made(false)
}

fn cache_of(checkout: &Checkout) -> PathBuf {
    checkout.folder().join("cache")
}

/// The arm of a revision; of the working tree where there is none.
fn try_arm(checkout: &Checkout, revision: Option<&str>) -> Outcome<Arm> {
    let project = Project::find(checkout.root()).unwrap();
    let repo = project.open_repo().unwrap();
    let provider = Provider {
        project: &project,
        repo: &repo,
        cache: Some(&cache_of(checkout)),
    };
    let [baseline, candidate] = resolve(&repo, revision.unwrap_or("HEAD"), None)?;
    match revision {
        Some(_) => provider.provision(Side::Baseline, &baseline, &never()),
        None => provider.provision(Side::Candidate, &candidate, &never()),
    }
}

fn arm(checkout: &Checkout, revision: Option<&str>) -> Arm {
    try_arm(checkout, revision).unwrap()
}

#[test]
fn both_revisions_are_full_ids_before_anything_happens() {
    let checkout = adopter("r", "");
    let first = checkout.commit_all("one");
    checkout.write("native/a", "2\n");
    let second = checkout.commit_all("two");
    checkout
        .git()
        .set_head_detached(git2::Oid::from_str(&second).unwrap())
        .unwrap();
    let repo = checkout.open();
    let [baseline, candidate] = resolve(&repo, "HEAD~1", None).unwrap();
    assert_eq!(
        (baseline.commit, baseline.subject.as_str()),
        (first.clone(), "one")
    );
    assert_eq!(
        (candidate.commit, candidate.text.as_str()),
        (second, WORKING_TREE)
    );
    let [_, candidate] = resolve(&repo, "HEAD", Some("HEAD~1")).unwrap();
    assert_eq!(candidate.commit, first);
    assert_eq!(
        resolve(&repo, "HEAD", Some("nothing"))
            .unwrap_err()
            .exit
            .code(),
        2
    );
    assert!(!cache_of(&checkout).exists());
}

#[test]
fn each_arm_has_the_settings_the_registry_and_the_harness_of_its_revision() {
    let checkout = adopter("r", "");
    checkout.write("Cargo.lock", "version = 4\n");
    checkout.commit_all("one");
    let settings = "[workspace]\n[workspace.metadata.longrun]\nregistry = \"cases\"\n";
    checkout.write("Cargo.toml", settings);
    fs::remove_dir_all(checkout.path("workloads")).unwrap();
    checkout.write(
        "cases/kernels.toml",
        &REGISTRY.replace("tracking", "kernels"),
    );
    let old = arm(&checkout, Some("HEAD"));
    let new = arm(&checkout, None);
    let suite = |arm: &Arm| arm.registry.suites[0].name.clone();
    assert_eq!(
        (suite(&old), suite(&new)),
        ("tracking".into(), "kernels".into())
    );
    assert_eq!((old.dirty, new.dirty), (false, true));
    assert_eq!(old.commit, new.commit);
    let paths = |arm: &Arm| arm.harness().unwrap().into_keys().collect::<Vec<_>>();
    assert_eq!(paths(&old), ["Cargo.lock", "workloads/tracking.toml"]);
    assert_eq!(paths(&new), ["Cargo.lock", "cases/kernels.toml"]);
    assert_eq!(
        old.harness().unwrap()["Cargo.lock"],
        new.harness().unwrap()["Cargo.lock"]
    );
    assert_eq!(old.project.work(), new.project.work());
    assert_ne!(old.project.root, new.project.root);
}

#[test]
fn a_revision_from_before_the_workspace_is_refused() {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    checkout.commit_all("long ago");
    checkout.write("Cargo.toml", "[package]\nname = \"a\"\n");
    checkout.commit_all("a package");
    checkout.write("Cargo.toml", "[workspace]\n");
    checkout.write("workloads/tracking.toml", REGISTRY);
    checkout.commit_all("one");
    for (revision, cause) in [
        ("HEAD~2", "no `Cargo.toml`"),
        ("HEAD~1", "no `[workspace]`"),
    ] {
        let failure = try_arm(&checkout, Some(revision)).err().unwrap();
        assert_eq!(failure.exit.code(), 6);
        assert!(failure.message.contains(cause), "{failure}");
        assert!(failure.message.contains("the baseline"), "{failure}");
    }
}
