//! Tests of the state of a checkout, against real repositories.
#![allow(clippy::unwrap_used)]

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::*;
use crate::repo::testing::Checkout;

fn dirty(checkout: &Checkout) -> Vec<(String, Change)> {
    let state = checkout.open().state(&Scope::everything()).unwrap();
    state
        .dirty
        .into_iter()
        .map(|dirty| (dirty.path, dirty.change))
        .collect()
}

#[test]
fn a_clean_checkout_names_its_commit_and_branch() {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    let commit = checkout.commit_all("one");
    let state = checkout.open().state(&Scope::everything()).unwrap();
    let expected = RepoState {
        commit,
        branch: Some("main".into()),
        dirty: vec![],
    };
    assert_eq!(state, expected);
}

#[test]
fn a_detached_checkout_has_no_branch() {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    let commit = checkout.commit_all("one");
    let id = git2::Oid::from_str(&commit).unwrap();
    checkout.git().set_head_detached(id).unwrap();
    let state = checkout.open().state(&Scope::everything()).unwrap();
    assert_eq!((state.commit, state.branch), (commit, None));
}

#[test]
fn each_kind_of_change_is_named() {
    let checkout = Checkout::new();
    for name in ["modified", "deleted", "staged", "unchanged"] {
        checkout.write(name, "1\n");
    }
    checkout.write(".gitignore", "ignored\n");
    checkout.commit_all("one");
    checkout.write("modified", "2\n");
    fs::remove_file(checkout.path("deleted")).unwrap();
    checkout.write("staged", "2\n");
    checkout.stage("staged");
    checkout.write("added", "1\n");
    checkout.stage("added");
    checkout.write("untracked", "1\n");
    checkout.write("ignored", "1\n");
    assert_eq!(
        dirty(&checkout),
        [
            ("added".into(), Change::Added),
            ("deleted".into(), Change::Deleted),
            ("modified".into(), Change::Modified),
            ("staged".into(), Change::Modified),
            ("untracked".into(), Change::Untracked),
        ]
    );
}

#[test]
fn a_change_that_is_staged_and_undone_in_the_file_is_still_dirty() {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    checkout.commit_all("one");
    checkout.write("a", "2\n");
    checkout.stage("a");
    checkout.write("a", "1\n");
    assert_eq!(dirty(&checkout), [("a".into(), Change::Modified)]);
}

#[test]
fn an_unresolved_merge_is_a_conflict() {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    checkout.commit_all("one");
    let git = checkout.git();
    let mut index = git.index().unwrap();
    let mut entry = index.get_path(Path::new("a"), 0).unwrap();
    index.remove(Path::new("a"), 0).unwrap();
    for stage in 1..=3_u16 {
        // The stage of an index entry is in bits 12 and 13 of its flags.
        entry.flags = stage << 12;
        index.add(&entry).unwrap();
    }
    index.write().unwrap();
    assert_eq!(dirty(&checkout), [("a".into(), Change::Conflicted)]);
}

#[test]
fn a_touched_file_is_clean() {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    checkout.commit_all("one");
    let file = File::options()
        .write(true)
        .open(checkout.path("a"))
        .unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000))
        .unwrap();
    assert_eq!(dirty(&checkout), []);
}

#[test]
fn a_change_that_keeps_size_and_time_is_dirty() {
    let checkout = Checkout::new();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let set = |text: &str| {
        fs::write(checkout.path("a"), text).unwrap();
        let file = File::options()
            .write(true)
            .open(checkout.path("a"))
            .unwrap();
        file.set_modified(long_ago).unwrap();
    };
    set("1\n");
    checkout.commit_all("one");
    set("2\n");
    assert_eq!(dirty(&checkout), [("a".into(), Change::Modified)]);
}

#[test]
fn a_file_that_the_index_is_told_to_ignore_is_still_compared() {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    checkout.commit_all("one");
    let mut index = checkout.git().index().unwrap();
    let mut entry = index.get_path(Path::new("a"), 0).unwrap();
    // The bit of `git update-index --assume-unchanged`.
    entry.flags |= 0x8000;
    index.add(&entry).unwrap();
    index.write().unwrap();
    checkout.write("a", "2\n");
    assert_eq!(dirty(&checkout), [("a".into(), Change::Modified)]);
}

#[test]
fn asking_writes_nothing_below_the_git_folder() {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    checkout.write("b", "1\n");
    checkout.commit_all("one");
    checkout.write("b", "2\n");
    checkout.stage("b");
    checkout.write("a", "2\n");
    checkout.write("c", "3\n");
    let before = checkout.git_bytes();
    let repo = checkout.open();
    repo.state(&Scope::everything()).unwrap();
    repo.working_content(&Scope::everything()).unwrap();
    assert!(checkout.git_bytes() == before);
}
