//! Tests of revisions, against real repositories.
#![allow(clippy::unwrap_used)]
use std::collections::BTreeMap;

use git2::{Signature, Time};

use super::super::testing::Checkout;
use super::*;
use crate::exit::Exit;

/// A checkout with commits `one` and `two` on the branch `main`.
fn two_commits() -> (Checkout, String, String) {
    let checkout = Checkout::new();
    checkout.write("native/a.cpp", "1\n");
    let first = checkout.commit_all("one\n\nmore about it\n");
    checkout.write("native/a.cpp", "2\n");
    let second = checkout.commit_all("two");
    (checkout, first, second)
}

fn refused(checkout: &Checkout, asked: &str) -> String {
    let failure = checkout.open().revision(asked).unwrap_err();
    assert_eq!(failure.exit, Exit::Usage, "{failure}");
    assert!(failure.message.contains(&format!("`{asked}`")), "{failure}");
    failure.message
}

/// Commits that nothing leads to, until two of them begin with the same four digits.
fn alike(checkout: &Checkout) -> [Oid; 2] {
    let git = checkout.git();
    let tree = git.head().unwrap().peel_to_tree().unwrap();
    let mut seen = BTreeMap::new();
    let mut pairs = (0..100_000).filter_map(|second| {
        let who = Signature::new("Ada", "ada@example.org", &Time::new(second, 0)).unwrap();
        let message = format!("number {second}");
        let id = git.commit(None, &who, &who, &message, &tree, &[]).unwrap();
        let other = seen.insert(id.to_string()[..4].to_owned(), id);
        other.map(|other| [other, id])
    });
    pairs.next().unwrap()
}

#[test]
fn whatever_git_understands_is_a_full_id_and_a_subject() {
    let (checkout, first, second) = two_commits();
    let git = checkout.git();
    let commit = |id: &str| git.find_commit(Oid::from_str(id).unwrap()).unwrap();
    let who = Signature::now("Ada", "ada@example.org").unwrap();
    git.tag("v1", commit(&first).as_object(), &who, "the first", false)
        .unwrap();
    git.branch("topic/a", &commit(&first), false).unwrap();
    let repo = checkout.open();
    let short = &first[..12];
    for asked in [
        "HEAD~1",
        "main^",
        "v1",
        "v1^{}",
        "v1^{commit}",
        "refs/tags/v1",
        "topic/a",
        "@{1}",
        &first,
        short,
        &format!("{second}~1"),
        ":/one",
    ] {
        let expected = Revision {
            text: asked.to_owned(),
            commit: first.clone(),
            subject: "one".to_owned(),
        };
        assert_eq!(repo.revision(asked).unwrap(), expected, "{asked}");
    }
    assert_eq!(repo.revision("HEAD").unwrap().commit, second);
    let head = repo.head_revision("working tree").unwrap();
    assert_eq!((head.commit, head.text.as_str()), (second, "working tree"));
}

#[test]
fn a_detached_head_has_ancestors_too() {
    let (checkout, first, second) = two_commits();
    let git = checkout.git();
    git.set_head_detached(Oid::from_str(&second).unwrap())
        .unwrap();
    let repo = checkout.open();
    assert_eq!(repo.revision("HEAD~1").unwrap().commit, first);
}

#[test]
fn an_unknown_name_is_refused_with_those_near_it() {
    let (checkout, first, _) = two_commits();
    let git = checkout.git();
    let commit = git.find_commit(Oid::from_str(&first).unwrap()).unwrap();
    git.branch("release-2026", &commit, false).unwrap();
    let message = refused(&checkout, "relase-2026");
    assert!(message.contains("near it are `release-2026`"), "{message}");
    for asked in ["zzz", "a..b", "deadbeef", "ab", "-"] {
        let message = refused(&checkout, asked);
        assert!(message.contains("`git branch --all`"), "{message}");
    }
    refused(&checkout, "");
    let message = refused(&checkout, "HEAD~7");
    assert!(message.contains("`HEAD` is there"), "{message}");
}

#[test]
fn what_is_no_commit_is_said_to_be_what_it_is() {
    let (checkout, _, _) = two_commits();
    let folder = refused(&checkout, "HEAD:native");
    assert!(folder.contains("it is a folder and no commit"), "{folder}");
    let file = refused(&checkout, "HEAD:native/a.cpp");
    assert!(file.contains("it is a file and no commit"), "{file}");
    let tree = refused(&checkout, "HEAD^{tree}");
    assert!(tree.contains("it is a folder"), "{tree}");
    let path = refused(&checkout, "native/a.cpp");
    assert!(path.contains("it is a path"), "{path}");
}

#[test]
fn the_beginning_of_several_ids_is_refused_with_all_of_them() {
    let (checkout, _, _) = two_commits();
    let ids = alike(&checkout);
    let beginning = &ids[0].to_string()[..4];
    for asked in [beginning.to_owned(), format!("{beginning}~1")] {
        let message = refused(&checkout, &asked);
        for id in ids {
            let git = checkout.git();
            let subject = git.find_commit(id).unwrap();
            let line = format!("{id} {}", subject.summary().unwrap().unwrap());
            assert!(message.contains(&line), "{message}");
        }
    }
}

#[test]
fn a_file_whose_id_begins_alike_does_not_stand_in_the_way_of_a_commit() {
    let (checkout, _, second) = two_commits();
    let beginning = &second[..4];
    let mut texts = (0..10_000_000).map(|n| format!("file {n}\n"));
    let text = texts.find(|text| {
        let id = Oid::hash_object(ObjectType::Blob, text.as_bytes()).unwrap();
        id.to_string().starts_with(beginning)
    });
    checkout.git().blob(text.unwrap().as_bytes()).unwrap();
    let repo = checkout.open();
    assert_eq!(repo.revision(beginning).unwrap().commit, second);
    let parent = repo.revision(&format!("{beginning}~1")).unwrap();
    assert_eq!(parent.subject, "one");
}

#[test]
fn a_tag_and_a_branch_of_one_name_are_refused_unless_they_are_one_commit() {
    let (checkout, first, second) = two_commits();
    let git = checkout.git();
    let commit = |id: &str| git.find_commit(Oid::from_str(id).unwrap()).unwrap();
    git.tag_lightweight("same", commit(&second).as_object(), false)
        .unwrap();
    git.branch("same", &commit(&second), false).unwrap();
    assert_eq!(checkout.open().revision("same").unwrap().commit, second);
    git.branch("same", &commit(&first), true).unwrap();
    for asked in ["same", "same~1"] {
        let message = refused(&checkout, asked);
        assert!(message.contains("`refs/heads/same`"), "{message}");
        assert!(message.contains(&first) && message.contains(&second));
    }
    let named = checkout.open().revision("refs/heads/same").unwrap();
    assert_eq!(named.commit, first);
}

#[test]
fn a_shallow_clone_names_the_command_that_completes_it() {
    let (checkout, first, second) = two_commits();
    checkout.write(".git/shallow", &format!("{second}\n"));
    for asked in ["HEAD~1", "v1.0"] {
        let message = refused(&checkout, asked);
        assert!(message.contains("`git fetch --unshallow`"), "{message}");
    }
    // What the clone has is found, whatever it lacks.
    assert_eq!(checkout.open().revision(&first).unwrap().commit, first);
}
