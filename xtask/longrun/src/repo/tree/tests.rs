//! Tests of trees, against real repositories.
#![allow(clippy::unwrap_used)]
use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::thread;

use git2::WorktreeAddOptions;

use super::super::testing::{Checkout, commit_inside, initialised};
use super::*;

fn trees(checkout: &Checkout) -> Trees {
    let cache = checkout.folder().join("cache");
    Trees::of(&checkout.open(), Some(&cache)).unwrap()
}

fn provided(checkout: &Checkout, commit: &str) -> Tree {
    let never = Interrupt::made(false);
    let everything = Scope::everything();
    trees(checkout)
        .provide(commit, &everything, &never)
        .unwrap()
}

fn refused(checkout: &Checkout, commit: &str, needed: &Scope) -> String {
    let never = Interrupt::made(false);
    let failure = trees(checkout).provide(commit, needed, &never);
    let failure = failure.err().unwrap();
    assert_eq!(failure.exit.code(), 6);
    failure.message
}

/// Every file below a folder, with its text; of links, where they lead.
fn files(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().display().to_string();
            if path.is_symlink() {
                let to = fs::read_link(&path).unwrap().display().to_string();
                found.insert(name, format!("-> {to}"));
            } else if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                found.insert(name, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    found
}

fn expected(entries: &[(&str, &str)]) -> BTreeMap<String, String> {
    let owned = entries.iter().map(|(a, b)| ((*a).into(), (*b).into()));
    owned.collect()
}

/// A checkout with an old commit of odd files, which are edited since; the old id.
fn odd_files() -> (Checkout, String) {
    let checkout = Checkout::new();
    checkout.write("tool", "#!/bin/sh\n");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(checkout.path("tool"), executable).unwrap();
    checkout.write("späte Läufe/a b.txt", "old\n");
    symlink("späte Läufe/a b.txt", checkout.path("link")).unwrap();
    let old = checkout.commit_all("old");
    fs::remove_file(checkout.path("link")).unwrap();
    checkout.write("späte Läufe/a b.txt", "new\n");
    checkout.write("added", "new\n");
    checkout.commit_all("new");
    (checkout, old)
}

const ODD: [(&str, &str); 3] = [
    ("tool", "#!/bin/sh\n"),
    ("späte Läufe/a b.txt", "old\n"),
    ("link", "-> späte Läufe/a b.txt"),
];

#[test]
fn a_tree_has_the_files_of_its_commit_and_nothing_else() {
    let (checkout, old) = odd_files();
    let tree = provided(&checkout, &old);
    assert_eq!(files(tree.repo.root()), expected(&ODD));
    let mode = fs::metadata(tree.repo.root().join("tool")).unwrap();
    assert_ne!(mode.permissions().mode() & 0o111, 0);
    assert_eq!(tree.repo.head_commit().unwrap(), old);
    let state = tree.repo.state(&Scope::everything()).unwrap();
    assert_eq!((state.dirty, state.branch), (Vec::new(), None));
}

#[test]
fn trees_have_paths_of_one_length_outside_of_the_checkout() {
    let (checkout, old) = odd_files();
    let new = checkout.open().head_commit().unwrap();
    let places = [&old, &new].map(|commit| provided(&checkout, commit).repo.root().to_owned());
    assert_eq!(places[0].as_os_str().len(), places[1].as_os_str().len());
    let inside = checkout.path(".cache");
    let failure = Trees::of(&checkout.open(), Some(&inside)).err().unwrap();
    assert!(failure.message.contains("XDG_CACHE_HOME"), "{failure}");
    let failure = Trees::of(&checkout.open(), None).err().unwrap();
    assert!(failure.message.contains("XDG_CACHE_HOME"), "{failure}");
}

#[test]
fn nothing_of_the_users_repository_changes() {
    let (checkout, old) = odd_files();
    checkout.write("added", "staged\n");
    checkout.stage("added");
    checkout.write("added", "edited\n");
    let linked = checkout.folder().join("linked");
    checkout
        .git()
        .worktree("linked", &linked, Some(&WorktreeAddOptions::new()))
        .unwrap();
    // A worktree on a disk that is not there must stay registered.
    fs::remove_dir_all(&linked).unwrap();
    let who = checkout.git().signature().unwrap();
    checkout.git().stash_save(&who, "mine", None).unwrap();
    checkout.write("added", "edited again\n");
    let before = (checkout.git_bytes(), files(checkout.root()));
    drop(provided(&checkout, &old));
    drop(provided(&checkout, &old));
    let after = (checkout.git_bytes(), files(checkout.root()));
    assert!(before == after, "the repository changed");
}

#[test]
fn what_was_edited_torn_or_extended_is_made_anew() {
    let (checkout, old) = odd_files();
    let root = provided(&checkout, &old).repo.root().to_owned();
    let inode = |path: &Path| {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(path).unwrap().ino()
    };
    let first = inode(&root);
    drop(provided(&checkout, &old));
    assert_eq!(inode(&root), first, "a sound tree is used again");
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 8] = [
        ("edited", |root| {
            fs::write(root.join("späte Läufe/a b.txt"), "odd\n").unwrap()
        }),
        ("torn", |root| fs::remove_file(root.join("link")).unwrap()),
        ("extended", |root| {
            fs::write(root.join("extra"), "").unwrap()
        }),
        ("mode", |root| {
            let plain = fs::Permissions::from_mode(0o644);
            fs::set_permissions(root.join("tool"), plain).unwrap();
        }),
        ("retargeted", |root| {
            fs::remove_file(root.join("link")).unwrap();
            symlink("tool", root.join("link")).unwrap();
        }),
        ("a repository", |root| {
            fs::write(root.join(".git"), "gitdir: x").unwrap()
        }),
        ("no folder", |root| {
            fs::remove_dir_all(root).unwrap();
            fs::write(root, "x").unwrap();
        }),
        ("empty", |root| {
            fs::remove_dir_all(root).unwrap();
            fs::create_dir(root).unwrap();
        }),
    ];
    for (name, damage) in damages {
        damage(&root);
        let tree = provided(&checkout, &old);
        assert_eq!(files(tree.repo.root()), expected(&ODD), "{name}");
    }
}

#[test]
fn what_a_kill_left_stands_in_nobodys_way() {
    let (checkout, old) = odd_files();
    let trees = trees(&checkout);
    let partial = trees.folder.join(format!("{PARTIAL}{old}"));
    fs::create_dir_all(partial.join("späte Läufe")).unwrap();
    fs::write(partial.join("half"), "ha").unwrap();
    fs::write(trees.folder.join(format!("{old}{LOCK}")), "99999").unwrap();
    let tree = provided(&checkout, &old);
    assert_eq!(files(tree.repo.root()), expected(&ODD));
    assert!(!partial.exists());
}

#[test]
fn several_at_once_all_have_the_tree() {
    let (checkout, old) = odd_files();
    let trees = trees(&checkout);
    let place = trees.place(&old);
    thread::scope(|scope| {
        let (checkout, old) = (&checkout, &old);
        let all: Vec<_> = (0..4)
            .map(|_| scope.spawn(move || files(provided(checkout, old).repo.root())))
            .collect();
        for one in all {
            assert_eq!(one.join().unwrap(), expected(&ODD));
        }
    });
    assert_eq!(files(&place), expected(&ODD));
}

#[test]
fn a_tree_that_is_used_is_not_made_anew_under_its_user() {
    let (checkout, old) = odd_files();
    let used = provided(&checkout, &old);
    fs::write(used.repo.root().join("extra"), "").unwrap();
    let raised = Interrupt::made(true);
    let waited = trees(&checkout).provide(&old, &Scope::everything(), &raised);
    let failure = waited.err().unwrap();
    assert_eq!(failure.exit.code(), 130);
    assert!(used.repo.root().join("extra").exists());
    drop(used);
    assert_eq!(files(provided(&checkout, &old).repo.root()), expected(&ODD));
}

#[test]
fn line_endings_are_written_as_git_would() {
    let checkout = Checkout::new();
    checkout.write(
        ".gitattributes",
        "*.txt eol=crlf\n*.id ident\nsub/.gitattributes eol=lf\n",
    );
    checkout.write("a.txt", "1\r\n2\r\n");
    checkout.write("sub/.gitattributes", "*.txt eol=lf\n");
    checkout.write("sub/b.txt", "1\n");
    checkout.write("c.id", "$Id$\n");
    let old = checkout.commit_all("old");
    checkout.write(".gitattributes", "*.txt -text\n");
    checkout.write("a.txt", "binary\n");
    checkout.commit_all("new");
    let tree = provided(&checkout, &old);
    let files = files(tree.repo.root());
    assert_eq!(files["a.txt"], "1\r\n2\r\n");
    assert_eq!(files["sub/b.txt"], "1\n");
    assert!(files["c.id"].starts_with("$Id: "), "{}", files["c.id"]);
    drop(tree);
    drop(provided(&checkout, &old));
}

#[test]
fn a_needed_file_behind_a_program_is_refused_by_name() {
    let checkout = Checkout::new();
    checkout.write(
        ".gitattributes",
        "*.bin filter=lfs\n*.utf16 working-tree-encoding=UTF-16\n",
    );
    checkout.write(
        "native/table.bin",
        "version https://git-lfs.github.com/spec/v1\n",
    );
    checkout.write(
        "docs/picture.bin",
        "version https://git-lfs.github.com/spec/v1\n",
    );
    checkout.write("tool/a.utf16", "1\n");
    let commit = checkout.commit_all("one");
    let of = |folder: &str| Scope {
        include: vec![folder.to_owned()],
        ..Scope::everything()
    };
    let message = refused(&checkout, &commit, &of("native"));
    assert!(message.contains("`native/table.bin`"), "{message}");
    assert!(message.contains("`filter=lfs`"), "{message}");
    let message = refused(&checkout, &commit, &of("tool"));
    assert!(message.contains("`tool/a.utf16`"), "{message}");
    let never = Interrupt::made(false);
    let other = trees(&checkout).provide(&commit, &of("src"), &never);
    assert!(other.is_ok(), "what nothing needs may be anything");
    let left = fs::read_dir(&trees(&checkout).folder).unwrap().flatten();
    let mut partial = left.filter(|entry| entry.file_name().to_string_lossy().starts_with(PARTIAL));
    assert!(partial.next().is_none(), "nothing is left behind");
}

#[test]
fn a_linked_worktree_has_the_trees_of_its_repository() {
    let (checkout, old) = odd_files();
    let linked = checkout.folder().join("linked");
    checkout
        .git()
        .worktree("linked", &linked, Some(&WorktreeAddOptions::new()))
        .unwrap();
    let cache = checkout.folder().join("cache");
    let of_linked = Trees::of(&Repo::discover(&linked).unwrap(), Some(&cache)).unwrap();
    assert_eq!(of_linked.folder, trees(&checkout).folder);
    let never = Interrupt::made(false);
    let tree = of_linked
        .provide(&old, &Scope::everything(), &never)
        .unwrap();
    assert_eq!(files(tree.repo.root()), expected(&ODD));
}

mod modules;
