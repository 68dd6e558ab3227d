//! Which checkouts can be measured.

use std::process::Command;

use crate::bench::Bench;
use crate::case::Case;

#[test]
fn a_folder_that_is_no_checkout_is_refused_with_the_next_step() {
    let bench = Bench::new().case(Case::new("a")).written();
    bench
        .run(["track"])
        .exits(6)
        .says("failed to find a repository")
        .says("`git init`");
}

#[test]
fn a_folder_without_a_workspace_is_refused() {
    let bench = Bench::new();
    bench
        .run(["list"])
        .exits(6)
        .says("no `Cargo.toml` there has a `[workspace]`");
}

#[test]
fn a_workspace_below_the_top_of_its_repository_is_refused() {
    let bench = Bench::new().case(Case::new("a")).written();
    let top = bench.root().parent().unwrap();
    bench.git(["init", "--quiet", top.to_str().unwrap()]);
    bench.git(["config", "user.name", "A Tester"]);
    bench.git(["config", "user.email", "tester@example.org"]);
    bench.commit_all("a workspace below the top");
    bench
        .run(["track"])
        .exits(6)
        .says("not at the top of its git repository");
}

#[test]
fn a_bare_repository_is_refused() {
    let bench = Bench::new().case(Case::new("a")).written();
    bench.git(["init", "--quiet", "--bare", "."]);
    bench.run(["track"]).exits(6).says("it is bare");
}

#[test]
fn a_repository_without_a_commit_is_refused() {
    let bench = Bench::new().case(Case::new("a")).written();
    bench.git(["init", "--quiet"]);
    bench.run(["track"]).exits(6).says("there is no commit yet");
}

#[test]
fn a_detached_checkout_is_tracked() {
    let bench = Bench::new().case(Case::new("a")).commit();
    bench.git(["checkout", "--quiet", "--detach"]);
    bench.run(["track"]).exits(0);
    assert!(bench.bundle().json("plan.json")["branch"].is_null());
}

#[test]
fn a_path_with_spaces_and_letters_of_other_languages_is_tracked_and_recorded() {
    let bench = Bench::called("späte Läufe 試験")
        .native_project()
        .case(Case::new("a").native())
        .commit();
    bench.run(["track", "--append-history"]).exits(0);
    assert_eq!(bench.committed_rows().len(), 1);
}

#[test]
fn a_command_given_in_a_folder_of_the_repository_means_the_repository() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let below = bench.root().join("workloads");
    let ran = bench.run_with(["track"], |command| {
        command.current_dir(below);
    });
    ran.exits(0);
    assert_eq!(bench.bundles().len(), 1);
}

#[test]
fn variables_of_git_cannot_point_the_program_at_another_repository() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let other = Bench::new().case(Case::new("b")).commit();
    let (before, index) = (other.commits(), other.root().join(".git/index"));
    let ran = bench.run_with(["track", "--append-history"], |command| {
        command
            .env("GIT_DIR", other.root().join(".git"))
            .env("GIT_WORK_TREE", other.root())
            .env("GIT_INDEX_FILE", index);
    });
    ran.exits(0);
    assert_eq!(other.commits(), before);
    assert_eq!(bench.committed_rows().len(), 1);
}

#[test]
fn a_linked_worktree_is_tracked_as_itself() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let linked = bench.outside("linked");
    bench.git([
        "worktree",
        "add",
        "--quiet",
        "--detach",
        linked.to_str().unwrap(),
    ]);
    let mut commit = Command::new("git");
    bench.isolate(&mut commit);
    commit.args([
        "commit",
        "--quiet",
        "--allow-empty",
        "--message",
        "elsewhere",
    ]);
    assert!(commit.current_dir(&linked).status().unwrap().success());
    let ran = bench.run_with(["track", "--json"], |command| {
        command.current_dir(&linked);
    });
    let run_id = ran.exits(0).json()["run_id"].as_str().unwrap().to_owned();
    assert!(!run_id.contains(&bench.commit_id("HEAD")[..7]));
    assert!(linked.join("target/longrun/runs").join(run_id).is_dir());
}
