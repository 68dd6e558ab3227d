//! Tests of content maps, against real repositories.
#![allow(clippy::unwrap_used)]

use std::fs;

use git2::Oid;

use super::*;
use crate::repo::testing::{Checkout, commit_inside, initialised};

fn map(entries: &[(&str, &str)]) -> ContentMap {
    entries
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect()
}

fn blob(bytes: &[u8]) -> String {
    Oid::hash_object(ObjectType::Blob, bytes)
        .unwrap()
        .to_string()
}

/// Paths at which the working tree differs from its commit.
fn changed(checkout: &Checkout) -> Vec<(String, DifferenceKind)> {
    let repo = checkout.open();
    let scope = Scope::everything();
    let head = repo.head_content(&scope).unwrap();
    let working = repo.working_content(&scope).unwrap();
    differences(&head, &working)
        .into_iter()
        .map(|difference| (difference.path, difference.kind))
        .collect()
}

#[test]
fn differences_are_listed_by_path() {
    let a = map(&[("b", "1"), ("c", "2"), ("d", "3")]);
    let b = map(&[("a", "0"), ("b", "1"), ("c", "2:x")]);
    let found: Vec<_> = differences(&a, &b)
        .into_iter()
        .map(|difference| (difference.path, difference.kind))
        .collect();
    assert_eq!(
        found,
        [
            ("a".into(), DifferenceKind::Added),
            ("c".into(), DifferenceKind::Modified),
            ("d".into(), DifferenceKind::Deleted),
        ]
    );
    assert_eq!(differences(&a, &a), []);
}

#[test]
fn a_clean_tree_has_the_content_of_its_commit() {
    let checkout = Checkout::new();
    checkout.write("native/ä b.cpp", "int x;\n");
    checkout.write("empty", "");
    checkout.commit_all("one");
    let repo = checkout.open();
    let scope = Scope::everything();
    let working = repo.working_content(&scope).unwrap();
    let expected = map(&[
        ("empty", &blob(b"")),
        ("native/ä b.cpp", &blob(b"int x;\n")),
    ]);
    assert_eq!(working, expected);
    assert_eq!(repo.head_content(&scope).unwrap(), expected);
}

#[test]
fn changed_new_empty_and_deleted_files_are_seen() {
    let checkout = Checkout::new();
    checkout.write("changed", "1\n");
    checkout.write("emptied", "1\n");
    checkout.write("deleted", "1\n");
    checkout.commit_all("one");
    checkout.write("changed", "2\n");
    checkout.write("emptied", "");
    checkout.write("new/deep/file", "3\n");
    checkout.write("new/empty", "");
    fs::remove_file(checkout.path("deleted")).unwrap();
    let working = checkout
        .open()
        .working_content(&Scope::everything())
        .unwrap();
    let expected = map(&[
        ("changed", &blob(b"2\n")),
        ("emptied", &blob(b"")),
        ("new/deep/file", &blob(b"3\n")),
        ("new/empty", &blob(b"")),
    ]);
    assert_eq!(working, expected);
}

#[test]
fn only_the_scope_is_read() {
    let checkout = Checkout::new();
    checkout.write("native/a", "1\n");
    checkout.write("native/docs/a", "1\n");
    checkout.write("other", "1\n");
    checkout.commit_all("one");
    checkout.write("native/b", "1\n");
    checkout.write("native/docs/b", "1\n");
    checkout.write("other2", "1\n");
    let scope = Scope {
        include: vec!["native".into()],
        exclude: vec!["native/docs".into()],
        ignored: false,
    };
    let repo = checkout.open();
    let head: Vec<_> = repo.head_content(&scope).unwrap().into_keys().collect();
    let working: Vec<_> = repo.working_content(&scope).unwrap().into_keys().collect();
    assert_eq!(head, ["native/a"]);
    assert_eq!(working, ["native/a", "native/b"]);
}

#[test]
fn ignored_files_are_content_where_the_scope_asks_for_them() {
    let checkout = Checkout::new();
    checkout.write(".gitignore", "made.h\nout/\n");
    checkout.write("native/a.cpp", "#include \"made.h\"\n");
    checkout.commit_all("one");
    let scope = Scope {
        include: vec!["native".into()],
        exclude: vec!["native/tests".into()],
        ignored: true,
    };
    let repo = checkout.open();
    let clean = repo.working_content(&scope).unwrap();
    assert_eq!(clean, repo.head_content(&scope).unwrap());
    for outside in [
        "native/tests/out/a.h",
        "native/tests/made.h",
        "other/made.h",
    ] {
        checkout.write(outside, "1\n");
    }
    assert_eq!(repo.working_content(&scope).unwrap(), clean);
    checkout.write("native/made.h", "1\n");
    checkout.write("native/out/deep/b.h", "2\n");
    fs::create_dir_all(checkout.path("native/out/empty")).unwrap();
    let working = repo.working_content(&scope).unwrap();
    let found = differences(&repo.head_content(&scope).unwrap(), &working);
    let added = |path: &str| Difference {
        path: path.to_owned(),
        kind: DifferenceKind::Added,
    };
    assert_eq!(
        found,
        [added("native/made.h"), added("native/out/deep/b.h")]
    );
    assert_eq!(working["native/made.h"], blob(b"1\n"));
    checkout.write("native/made.h", "3\n");
    let changed = repo.working_content(&scope).unwrap();
    assert_eq!(changed["native/made.h"], blob(b"3\n"));
    assert_eq!(repo.state(&scope).unwrap().dirty, []);
    assert_eq!(
        repo.working_content(&scope.without_ignored()).unwrap(),
        clean
    );
}

#[test]
fn an_ignored_repository_is_content_where_the_scope_asks_for_it() {
    let checkout = Checkout::new();
    checkout.write(".gitignore", "native/vendor/\n");
    checkout.write("native/a.cpp", "1\n");
    checkout.commit_all("one");
    let inner = initialised(&checkout.path("native/vendor"));
    checkout.write("native/vendor/v.h", "1\n");
    checkout.write("native/vendor/.gitignore", "made.h\n");
    checkout.write("native/vendor/made.h", "1\n");
    let mut index = inner.index().unwrap();
    index.add_path(Path::new("v.h")).unwrap();
    let tree = inner.find_tree(index.write_tree().unwrap()).unwrap();
    let who = inner.signature().unwrap();
    inner
        .commit(Some("HEAD"), &who, &who, "one", &tree, &[])
        .unwrap();
    let repo = checkout.open();
    let asked = Scope {
        ignored: true,
        ..Scope::everything()
    };
    let with = repo.working_content(&asked).unwrap();
    assert!(with["native/vendor"].ends_with(MODULE), "{with:?}");
    assert_eq!(with["native/vendor/made.h"], blob(b"1\n"));
    let without = repo.working_content(&Scope::everything()).unwrap();
    assert!(!without.contains_key("native/vendor"), "{without:?}");
}

#[test]
fn line_endings_are_compared_as_git_would_commit_them() {
    let checkout = Checkout::new();
    checkout.write("a.txt", "1\n2\n");
    checkout.commit_all("one");
    checkout.set("core.autocrlf", "true");
    checkout.write("a.txt", "1\r\n2\r\n");
    checkout.write("new.txt", "1\r\n2\r\n");
    let working = checkout
        .open()
        .working_content(&Scope::everything())
        .unwrap();
    let committed = blob(b"1\n2\n");
    assert_eq!(
        working,
        map(&[("a.txt", &committed), ("new.txt", &committed)])
    );
}

#[cfg(unix)]
#[test]
fn the_executable_bit_and_links_are_content() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let checkout = Checkout::new();
    checkout.write("tool", "#!/bin/sh\n");
    checkout.commit_all("one");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(checkout.path("tool"), executable.clone()).unwrap();
    checkout.write("tool2", "#!/bin/sh\n");
    fs::set_permissions(checkout.path("tool2"), executable).unwrap();
    symlink("tool", checkout.path("link")).unwrap();
    let working = checkout
        .open()
        .working_content(&Scope::everything())
        .unwrap();
    let script = blob(b"#!/bin/sh\n");
    let expected = map(&[
        ("link", &format!("{}:l", blob(b"tool"))),
        ("tool", &format!("{script}:x")),
        ("tool2", &format!("{script}:x")),
    ]);
    assert_eq!(working, expected);
    checkout.commit_all("two");
    assert_eq!(changed(&checkout), []);
}

#[test]
fn a_folder_in_the_place_of_a_file_is_a_deletion_and_an_addition() {
    let checkout = Checkout::new();
    checkout.write("thing", "1\n");
    checkout.commit_all("one");
    fs::remove_file(checkout.path("thing")).unwrap();
    checkout.write("thing/inside", "1\n");
    let found = changed(&checkout);
    assert_eq!(
        found,
        [
            ("thing".into(), DifferenceKind::Deleted),
            ("thing/inside".into(), DifferenceKind::Added),
        ]
    );
}

#[test]
fn an_ignored_file_is_no_content_unless_it_was_added() {
    let checkout = Checkout::new();
    checkout.write(".gitignore", "*.o\nbuild/\n");
    checkout.commit_all("one");
    checkout.write("a.o", "1\n");
    checkout.write("build/b", "1\n");
    assert_eq!(changed(&checkout), []);
    checkout.stage("a.o");
    assert_eq!(changed(&checkout), [("a.o".into(), DifferenceKind::Added)]);
}

#[test]
fn a_submodule_counts_by_its_commit_and_by_what_differs_inside_it() {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    checkout.commit_all("one");
    let inner = initialised(&checkout.path("vendor/fft"));
    let first = commit_inside(&inner, "fft.c", "1\n");
    let module = "[submodule \"fft\"]\n\tpath = vendor/fft\n\turl = ../fft\n\tignore = all\n";
    checkout.write(".gitmodules", module);
    checkout.stage(".gitmodules");
    checkout.stage("vendor/fft");
    checkout.commit_staged("two");
    let repo = checkout.open();
    let head = repo.head_content(&Scope::everything()).unwrap();
    assert_eq!(head.get("vendor/fft"), Some(&format!("{first}:m")));
    assert_eq!(changed(&checkout), []);

    fs::write(checkout.path("vendor/fft/fft.c"), "edited\n").unwrap();
    assert_eq!(
        changed(&checkout),
        [("vendor/fft/fft.c".into(), DifferenceKind::Added)]
    );
    commit_inside(&inner, "fft.c", "2\n");
    assert_eq!(
        changed(&checkout),
        [("vendor/fft".into(), DifferenceKind::Modified)]
    );
    fs::remove_dir_all(checkout.path("vendor/fft")).unwrap();
    fs::create_dir(checkout.path("vendor/fft")).unwrap();
    assert_eq!(
        changed(&checkout),
        [("vendor/fft".into(), DifferenceKind::Deleted)]
    );
}

#[test]
fn a_repository_that_is_no_submodule_is_content_too() {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    checkout.commit_all("one");
    let inner = initialised(&checkout.path("vendor/fft"));
    let commit = commit_inside(&inner, "fft.c", "1\n");
    let working = checkout
        .open()
        .working_content(&Scope::everything())
        .unwrap();
    assert_eq!(working.get("vendor/fft"), Some(&format!("{commit}:m")));
}

#[test]
fn a_folder_that_looks_like_a_repository_and_is_none_is_not_passed_over() {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    checkout.commit_all("one");
    checkout.write("vendor/fft/.git", "gitdir: nowhere\n");
    checkout.write("vendor/fft/fft.c", "1\n");
    let failure = checkout.open().working_content(&Scope::everything());
    let message = failure.unwrap_err().message;
    assert!(message.contains("vendor/fft"), "{message}");
}
