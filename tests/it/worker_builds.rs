//! Workers that cargo builds: in our profile, from what is in the tree, and kept by content.

use std::env;
use std::process::Command;

use crate::bench::Bench;
use crate::case::Case;

const MANIFEST: &str = "[package]\nname = \"worker\"\nversion = \"0.0.0\"\nedition = \"2021\"\n";
const LOCK: &str = "version = 4\n\n[[package]]\nname = \"worker\"\nversion = \"0.0.0\"\n";

/// A worker that hands on to the stub.
const SOURCE: &str = r#"use std::os::unix::process::CommandExt;

fn main() {
    assert!(!cfg!(debug_assertions), "built in another profile");
    let arguments = std::env::args_os().skip(1);
    let error = std::process::Command::new("STUB").args(arguments).exec();
    panic!("{error}");
}
"#;

/// A repository whose worker is a cargo package of its own.
fn bench() -> Bench {
    let stub = env!("CARGO_BIN_EXE_stub-worker");
    let bench = Bench::new().case(Case::new("a")).written();
    let manifest = bench.read("Cargo.toml");
    let members = manifest.replace("members = []", "members = [\"workloads/worker\"]");
    let registry = bench.read("workloads/tracking.toml");
    let command = format!("command = ['{stub}']");
    let package = "package = \"worker\", binary = \"worker\"";
    bench
        .file("Cargo.toml", &members)
        .file("Cargo.lock", LOCK)
        .file(
            "workloads/tracking.toml",
            &registry.replace(&command, package),
        )
        .file("workloads/worker/Cargo.toml", MANIFEST)
        .file(
            "workloads/worker/src/main.rs",
            &SOURCE.replace("STUB", stub),
        )
        .initialised()
}

/// Cargo finds its toolchain below the home of whoever runs the tests.
fn with_cargo(command: &mut Command) {
    if let Some(home) = env::var_os("HOME") {
        command.env("HOME", home);
    }
}

#[test]
fn a_worker_is_built_once_and_named_in_the_row() {
    let bench = bench();
    let record = ["track", "--append-history"];
    bench
        .run_with(record, with_cargo)
        .exits(0)
        .says("building the worker worker");
    bench
        .run_with(record, with_cargo)
        .exits(0)
        .does_not_say("building the worker");
    bench.append("workloads/worker/src/main.rs", "// another comment\n");
    bench.commit_all("another worker");
    bench
        .run_with(record, with_cargo)
        .exits(0)
        .says("building the worker worker");
    let rows = bench.committed_rows();
    let digests: Vec<&str> = rows
        .iter()
        .map(|row| row["worker_digest"].as_str())
        .collect();
    assert_eq!(digests.len(), 3);
    assert!(!digests[0].is_empty() && digests[0] == digests[1] && digests[1] != digests[2]);
}

#[test]
fn the_environment_of_the_caller_does_not_reach_the_build_of_a_worker() {
    let bench = bench();
    let ran = bench.run_with(["track"], |command| {
        with_cargo(command);
        command
            .env("RUSTFLAGS", "-Cdebug-assertions=yes")
            .env("CARGO_ENCODED_RUSTFLAGS", "-Cdebug-assertions=yes")
            .env("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true")
            .env("CARGO_TARGET_DIR", "/nonexistent/target");
    });
    ran.exits(0);
}

#[test]
fn a_worker_that_does_not_compile_is_shown_with_its_error() {
    let bench = bench();
    bench.append(
        "workloads/worker/src/main.rs",
        "const BROKEN: u8 = nothing;\n",
    );
    let ran = bench.run_with(["track"], with_cargo).exits(6);
    ran.says("failed to build the worker `worker`")
        .says("`nothing`");
    assert!(bench.bundle().results().is_empty());
}
