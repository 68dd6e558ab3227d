//! Trees with submodules.
use super::*;

const MODULES: &str = "[submodule \"fft\"]\n\tpath = vendor/fft\n\turl = ../fft\n";

/// A checkout whose submodule moved between two commits; their ids.
fn moved_module() -> (Checkout, String, String) {
    let checkout = Checkout::new();
    checkout.write("a", "1\n");
    let inner = initialised(&checkout.path("vendor/fft"));
    commit_inside(&inner, "fft.c", "old\n");
    checkout.write(".gitmodules", MODULES);
    for path in ["a", ".gitmodules", "vendor/fft"] {
        checkout.stage(path);
    }
    let old = checkout.commit_staged("old");
    commit_inside(&inner, "fft.c", "new\n");
    checkout.stage("vendor/fft");
    let new = checkout.commit_staged("new");
    (checkout, old, new)
}

fn with(text: &str) -> BTreeMap<String, String> {
    expected(&[
        ("a", "1\n"),
        (".gitmodules", MODULES),
        ("vendor/fft/fft.c", text),
    ])
}

#[test]
fn commits_that_differ_in_a_submodule_only_have_two_trees() {
    let (checkout, old, new) = moved_module();
    let before = (checkout.git_bytes(), files(checkout.root()));
    for (commit, text) in [(&old, "old\n"), (&new, "new\n")] {
        let tree = provided(&checkout, commit);
        assert_eq!(files(tree.repo.root()), with(text));
        let scope = Scope::everything();
        let content = tree.repo.working_content(&scope).unwrap();
        assert_eq!(content, tree.repo.head_content(&scope).unwrap());
        drop(tree);
        // It is sound, and so it is not made anew.
        let again = trees(&checkout).sound(Oid::from_str(commit).unwrap());
        assert_eq!(again.unwrap().err(), None);
    }
    assert!(before == (checkout.git_bytes(), files(checkout.root())));
}

#[test]
fn the_objects_are_found_where_git_keeps_them() {
    let (checkout, old, _) = moved_module();
    // As after `git submodule update --init` and `git submodule deinit`: the checkout is empty.
    let kept = checkout.path(".git/modules/fft");
    fs::create_dir_all(kept.parent().unwrap()).unwrap();
    fs::rename(checkout.path("vendor/fft/.git"), &kept).unwrap();
    fs::remove_file(checkout.path("vendor/fft/fft.c")).unwrap();
    let git = Repository::open_bare(&kept).unwrap();
    git.config()
        .unwrap()
        .set_str("core.worktree", "../../../vendor/fft")
        .unwrap();
    assert_eq!(files(provided(&checkout, &old).repo.root()), with("old\n"));
}

#[test]
fn what_differs_inside_a_submodule_is_made_anew() {
    let (checkout, old, _) = moved_module();
    let root = provided(&checkout, &old).repo.root().to_owned();
    for (path, text) in [
        ("vendor/fft/fft.c", "edited\n"),
        ("vendor/fft/more.c", "more\n"),
        ("vendor/fft/.git", "gitdir: elsewhere\n"),
        (".gitmodules", ""),
    ] {
        fs::write(root.join(path), text).unwrap();
        assert_eq!(
            files(provided(&checkout, &old).repo.root()),
            with("old\n"),
            "{path}"
        );
    }
}

#[test]
fn a_module_that_is_not_here_is_refused_where_it_is_needed_and_left_out_elsewhere() {
    let (checkout, old, _) = moved_module();
    fs::remove_dir_all(checkout.path("vendor/fft")).unwrap();
    fs::create_dir(checkout.path("vendor/fft")).unwrap();
    for needed in ["vendor", "vendor/fft/src"] {
        let scope = Scope {
            include: vec![needed.to_owned()],
            ..Scope::everything()
        };
        let message = refused(&checkout, &old, &scope);
        assert!(message.contains("`vendor/fft`"), "{message}");
        assert!(
            message.contains("`git submodule update --init"),
            "{message}"
        );
    }
    let elsewhere = Scope {
        include: vec!["native".to_owned()],
        ..Scope::everything()
    };
    let never = Interrupt::made(false);
    let tree = trees(&checkout).provide(&old, &elsewhere, &never).unwrap();
    let without = expected(&[("a", "1\n"), (".gitmodules", MODULES)]);
    assert_eq!(files(tree.repo.root()), without);
}

#[test]
fn a_submodule_in_a_submodule_is_there_too() {
    let checkout = Checkout::new();
    let outer = initialised(&checkout.path("outer"));
    let inner = initialised(&checkout.path("outer/inner"));
    commit_inside(&inner, "deep.c", "deep\n");
    commit_inside(&outer, "outer.c", "outer\n");
    let names = "[submodule \"inner\"]\n\tpath = inner\n\turl = ../inner\n";
    commit_inside(&outer, ".gitmodules", names);
    let mut index = outer.index().unwrap();
    index.add_path(Path::new("inner")).unwrap();
    index.write().unwrap();
    commit_inside(&outer, "outer.c", "outer\n");
    checkout.write(
        ".gitmodules",
        "[submodule \"o\"]\n\tpath = outer\n\turl = ../outer\n",
    );
    checkout.stage(".gitmodules");
    checkout.stage("outer");
    let commit = checkout.commit_staged("one");
    let tree = provided(&checkout, &commit);
    let found = files(tree.repo.root());
    assert_eq!(found["outer/inner/deep.c"], "deep\n");
    assert_eq!(found["outer/outer.c"], "outer\n");
    drop(tree);
    let sound = trees(&checkout).sound(Oid::from_str(&commit).unwrap());
    assert_eq!(sound.unwrap().err(), None);
}
