//! Workers that cargo builds: in our profile, from what is in the tree, and kept by content.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::wait_until;

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

#[test]
fn an_interrupt_while_a_worker_is_built_is_an_interrupt() {
    let bench = bench();
    let sleep =
        "fn main() { std::process::Command::new(\"sleep\").arg(\"600\").status().unwrap(); }\n";
    bench.write("workloads/worker/build.rs", sleep);
    for words in [&["track"][..], &["ab", "--baseline", "HEAD"]] {
        let running = bench.start_with(words, |command| {
            with_cargo(command);
            // A group of its own, so that the tests are not interrupted with it.
            command.process_group(0);
        });
        bench.wait_for_the_build();
        running.interrupt_group();
        let ran = running.finish().exits(130).says("interrupted");
        ran.does_not_say("failed to build");
        wait_until("the build is gone", || bench.processes().is_empty());
    }
}

#[test]
fn each_side_of_a_comparison_runs_a_worker_with_its_own_helper_in_it() {
    let bench = bench();
    let helper = |cost: &str| {
        let body = format!("pub const COST: &str = \"{cost}\";\n");
        bench.write("workloads/helper/src/lib.rs", &body);
    };
    let manifest = MANIFEST.replace("worker", "helper");
    bench.write("workloads/helper/Cargo.toml", &manifest);
    bench.append(
        "workloads/worker/Cargo.toml",
        "[dependencies]\nhelper = { path = \"../helper\" }\n",
    );
    let members = bench.read("Cargo.toml");
    let both = "[\"workloads/worker\", \"workloads/helper\"]";
    bench.write(
        "Cargo.toml",
        &members.replace("[\"workloads/worker\"]", both),
    );
    let package =
        "[[package]]\nname = \"helper\"\nversion = \"0.0.0\"\n\n[[package]]\nname = \"worker\"";
    let lock = LOCK.replace("[[package]]\nname = \"worker\"", package);
    bench.write(
        "Cargo.lock",
        &(lock + "dependencies = [\n \"helper\",\n]\n"),
    );
    let main = bench.read("workloads/worker/src/main.rs");
    let args = ".args([\"--cost\", helper::COST]).args(arguments)";
    bench.write(
        "workloads/worker/src/main.rs",
        &main.replace(".args(arguments)", args),
    );
    let noise = "[case.parameters]\nnoise = 0.002";
    let registry = bench.read("workloads/tracking.toml");
    bench.write(
        "workloads/tracking.toml",
        &registry.replace("[case.parameters]", noise),
    );
    helper("1.0");
    bench.commit_all("a helper");
    helper("1.1");
    bench.commit_all("a helper that costs more");
    let building = "building the worker worker";
    bench
        .run_with(["track"], with_cargo)
        .exits(0)
        .says(building);
    let shared = bench.run_with(["ab", "--baseline", "HEAD~1"], with_cargo);
    // The working tree's worker is the one that `track` has built.
    assert_eq!(shared.exits(3).stderr.matches(building).count(), 1);
    for (sides, verdict, exit) in [
        (["HEAD~1", "HEAD"], "regressed", 3),
        (["HEAD", "HEAD~1"], "improved", 0),
    ] {
        let [baseline, candidate] = sides;
        let words = [
            "ab",
            "--json",
            "--baseline",
            baseline,
            "--candidate",
            candidate,
        ];
        let ran = bench.run_with(words, with_cargo).exits(exit);
        let estimate = ran.judges("a", verdict)["estimate"].as_f64().unwrap();
        assert!((0.08..0.12).contains(&estimate.abs()), "{estimate}");
    }
}
