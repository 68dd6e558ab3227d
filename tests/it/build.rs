//! `build`: the library is what its sources are, and it is built only when that changed.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::members;

fn bench() -> Bench {
    Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .commit()
}

/// Builds, and checks whether that was a build and why.
#[track_caller]
fn build(bench: &Bench, status: &str, reason: &str) -> Value {
    let build = bench.run(["build", "--json"]).exits(0).json();
    assert_eq!(build["status"], status, "{build}");
    let reasons = build["reasons"].to_string();
    assert!(reasons.contains(reason), "{reasons}");
    build
}

fn key(build: &Value) -> &str {
    build["identity"]["build_key"].as_str().unwrap()
}

/// Folders of builds, finished or not.
fn folders(bench: &Bench) -> Vec<String> {
    let entries = fs::read_dir(bench.root().join("target/longrun/native")).unwrap();
    let folders = entries
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir());
    folders
        .map(|folder| folder.file_name().into_string().unwrap())
        .collect()
}

#[test]
fn the_second_build_reuses_the_first_and_says_what_it_is() {
    let bench = bench();
    let first = build(&bench, "built", "there is no earlier build here");
    let second = build(&bench, "up_to_date", "");
    for field in ["schema_version", "status", "reasons", "identity", "library"] {
        assert!(members(&second).contains(&field), "{field}");
    }
    assert_eq!(second["identity"], first["identity"]);
    assert_eq!(second["library"], first["library"]);
    assert_eq!(second["identity"]["version"], "1.2.3");
    assert_eq!(second["identity"]["abi"]["core"], 1);
    let library = fs::read(second["library"].as_str().unwrap()).unwrap();
    let carries_its_key = library
        .windows(key(&second).len())
        .any(|w| w == key(&second).as_bytes());
    assert!(carries_its_key, "the library carries its build key");
    bench
        .run(["build"])
        .exits(0)
        .says("up to date")
        .says(key(&first));
}

#[test]
fn an_edited_source_or_header_and_a_new_header_are_reasons_with_their_names() {
    let bench = bench();
    let first = build(&bench, "built", "");
    bench.append("native/src/minimal.cpp", "// another comment\n");
    let second = build(&bench, "built", "source `src/minimal.cpp` changed");
    bench.append("native/include/minimal/core.h", "// another comment\n");
    build(&bench, "built", "source `include/minimal/core.h` changed");
    bench.write("native/src/new.hpp", "#pragma once\n");
    build(&bench, "built", "source `src/new.hpp` is new");
    assert_ne!(key(&first), key(&second));
}

#[test]
fn documents_and_tests_of_the_native_project_do_not_enter_its_build() {
    let bench = bench();
    let first = build(&bench, "built", "");
    bench.append("native/docs/notes.md", "More.\n");
    bench.append("native/tests/check.cpp", "// more\n");
    let second = build(&bench, "up_to_date", "");
    assert_eq!(key(&first), key(&second));
}

#[test]
fn other_flags_are_another_build_and_the_old_one_stays() {
    let bench = bench();
    let first = build(&bench, "built", "");
    let ran = bench.run_with(["build", "--json"], |command| {
        command.env("CXXFLAGS", "-O1");
    });
    let other = ran.exits(0).json();
    assert_eq!(other["status"], "built");
    let reasons = other["reasons"].to_string();
    assert!(
        reasons.contains("flags changed from") && reasons.contains("-O1"),
        "{reasons}"
    );
    let again = build(&bench, "up_to_date", "an earlier build of these inputs");
    assert_eq!(key(&again), key(&first));
}

#[test]
fn switching_branches_back_and_forth_reuses_both_builds() {
    let bench = bench();
    let main = build(&bench, "built", "");
    bench.git(["switch", "--quiet", "--create", "topic"]);
    bench.append("native/src/minimal.cpp", "int topic;\n");
    bench.commit_all("topic");
    let topic = build(&bench, "built", "source `src/minimal.cpp` changed");
    bench.git(["switch", "--quiet", "main"]);
    assert_eq!(key(&build(&bench, "up_to_date", "is reused")), key(&main));
    bench.git(["switch", "--quiet", "topic"]);
    assert_eq!(key(&build(&bench, "up_to_date", "is reused")), key(&topic));
}

#[test]
fn a_build_made_while_dirty_serves_the_commit_with_that_content() {
    let bench = bench();
    bench.append("native/src/minimal.cpp", "int later;\n");
    let dirty = build(&bench, "built", "");
    bench.commit_all("later");
    assert_eq!(key(&build(&bench, "up_to_date", "")), key(&dirty));
}

#[test]
fn a_tampered_library_and_a_lost_stamp_are_noticed() {
    let bench = bench();
    let first = build(&bench, "built", "");
    let library = PathBuf::from(first["library"].as_str().unwrap());
    let mut bytes = fs::read(&library).unwrap();
    bytes.reverse();
    fs::write(&library, bytes).unwrap();
    build(&bench, "built", "was changed after it was built");
    let stamp = library.ancestors().map(|folder| folder.join("build.json"));
    let stamp = stamp.into_iter().find(|stamp| stamp.is_file()).unwrap();
    fs::remove_file(stamp).unwrap();
    build(&bench, "built", "no readable stamp");
    build(&bench, "up_to_date", "");
}

#[test]
fn what_a_killed_build_leaves_is_no_build_and_is_removed() {
    let bench = bench();
    let lists = bench.build_without_end();
    let running = bench.start(["build"]);
    bench.wait_for_the_build();
    running.kill();
    bench.kill_processes();
    let left = folders(&bench);
    assert_eq!(left.len(), 1, "{left:?}");
    bench.write("native/CMakeLists.txt", &lists);
    build(&bench, "built", "");
    assert!(!folders(&bench).contains(&left[0]), "the leftover is gone");
}

#[test]
fn a_compile_error_is_shown_and_mending_it_is_enough() {
    let bench = bench();
    let source = bench.read("native/src/minimal.cpp");
    bench.append("native/src/minimal.cpp", "int broken = nothing;\n");
    let ran = bench.run(["build"]).exits(6);
    ran.says("failed to build the native library")
        .says("minimal.cpp")
        .says("'nothing'");
    bench.write("native/src/minimal.cpp", &source);
    build(&bench, "built", "");
}

#[test]
fn sources_that_change_while_they_are_built_are_no_build() {
    let bench = bench();
    let edit = "file(APPEND \"${CMAKE_SOURCE_DIR}/src/minimal.cpp\" \"int meanwhile;\\n\")\n";
    bench.append("native/CMakeLists.txt", edit);
    bench.commit_all("a build that edits its sources");
    let refused = || {
        let ran = bench.run(["build"]).exits(1);
        ran.says("its sources changed while they were built")
            .says("`src/minimal.cpp`");
    };
    refused();
    // What was built from other sources must not serve when these are back.
    bench.git(["restore", "."]);
    refused();
}

#[test]
fn a_library_without_its_key_is_refused() {
    let bench = bench();
    let source = bench.read("native/src/minimal.cpp");
    bench.write(
        "native/src/minimal.cpp",
        &source.replace("LONGRUN_BUILD_KEY", "\"0\""),
    );
    bench
        .run(["build"])
        .exits(6)
        .says("carries the key `0`")
        .says("LONGRUN_BUILD_KEY");
}

#[test]
fn two_builds_at_the_same_time_both_succeed_with_one_build() {
    let bench = bench();
    let both = [
        bench.start(["build", "--json"]),
        bench.start(["build", "--json"]),
    ];
    let both = both.map(|running| running.finish().exits(0).json());
    assert_eq!(both[0]["library"], both[1]["library"]);
    assert_eq!(folders(&bench).len(), 1);
    build(&bench, "up_to_date", "");
}

#[test]
fn the_environment_of_the_caller_does_not_enter_the_build() {
    let bench = bench();
    let first = build(&bench, "built", "");
    let ran = bench.run_with(["build", "--json"], |command| {
        command
            .env("LD_LIBRARY_PATH", "/nonexistent")
            .env("CARGO_MANIFEST_DIR", "/nonexistent")
            .env("CARGO_ENCODED_RUSTFLAGS", "-Cdebuginfo=2")
            .env("CMAKE_PREFIX_PATH", "/nonexistent")
            .env("CMAKE_BUILD_PARALLEL_LEVEL", "3")
            .env("LDFLAGS", "-L/nonexistent")
            .env("LC_ALL", "C.UTF-8");
    });
    let second = ran.exits(0).json();
    assert_eq!(second["status"], "up_to_date");
    assert_eq!(key(&second), key(&first));
}
