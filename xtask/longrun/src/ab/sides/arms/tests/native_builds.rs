//! Native libraries of arms, built by CMake.
use super::*;

const LISTS: &str = r#"cmake_minimum_required(VERSION 3.16)
project(minimal VERSION 1.2.3 LANGUAGES CXX)
add_library(minimal SHARED src/minimal.cpp)
target_include_directories(minimal PRIVATE include)
target_compile_options(minimal PRIVATE -g)
target_compile_definitions(minimal PRIVATE LONGRUN_BUILD_KEY="${LONGRUN_BUILD_KEY}")
install(TARGETS minimal LIBRARY DESTINATION lib)
"#;

// The magic is spelled in letters: as a string it would need room for its end.
const SOURCE: &str = r#"#include "core.h"
struct Identity { char magic[16]; char build_key[72]; int abi[16]; };
[[gnu::used]] static const Identity identity = {
    {'l', 'o', 'n', 'g', 'r', 'u', 'n', '-', 'i', 'd', 'e', 'n', 't', 'i', 't', 'y'},
    LONGRUN_BUILD_KEY, {LONGRUN_CORE_ABI}};
extern "C" const char *name() { return __FILE__ " PROBE"; }
"#;

/// A checkout with a native project that has this text in its library.
fn native(name: &str, probe: &str) -> Checkout {
    let checkout = adopter(name, "");
    checkout.write("native/CMakeLists.txt", LISTS);
    checkout.write(
        "native/include/core.h",
        "#pragma once\n#define LONGRUN_CORE_ABI 3\n",
    );
    probed(&checkout, probe);
    checkout
}

fn probed(checkout: &Checkout, probe: &str) {
    checkout.write("native/src/minimal.cpp", &SOURCE.replace("PROBE", probe));
}

fn built(arm: &Arm) -> NativeBuild {
    arm.build(Backend::Cpu, &never()).unwrap()
}

fn holds(build: &NativeBuild, text: &str) -> bool {
    let bytes = fs::read(&build.library).unwrap();
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

#[test]
fn each_side_has_its_own_library_and_nothing_of_the_repository_changes() {
    let checkout = native("r", "old probe");
    checkout.commit_all("old");
    probed(&checkout, "new probe");
    let of_tree = checkout.commit_all("new");
    probed(&checkout, "working probe");
    checkout.stage("native/src/minimal.cpp");
    let before = checkout.git_bytes();
    let working = built(&arm(&checkout, None));
    let latest = fs::read(checkout.path("target/longrun/native/latest-cpu.json")).unwrap();
    let old = built(&arm(&checkout, Some("HEAD~1")));
    let new = built(&arm(&checkout, Some("HEAD")));
    for (build, probe) in [(&working, "working"), (&old, "old"), (&new, "new")] {
        for other in ["working probe", "old probe", "new probe"] {
            assert_eq!(
                holds(build, other),
                other.starts_with(probe),
                "{probe} {other}"
            );
        }
        assert_eq!(build.identity.abi["core"], 3);
    }
    assert!(before == checkout.git_bytes(), "the repository changed");
    let after = fs::read(checkout.path("target/longrun/native/latest-cpu.json")).unwrap();
    assert!(latest == after, "the working tree's last build is another");
    // Content decides: the working tree of that commit has the build that its tree has.
    probed(&checkout, "new probe");
    assert_eq!(built(&arm(&checkout, None)).library, new.library);
    assert_eq!(
        built(&arm(&checkout, Some(&of_tree))).status.as_str(),
        "up_to_date"
    );
}

#[test]
fn one_content_is_one_library_wherever_it_is_built() {
    let places = ["r", "a much longer name of a checkout, with spaces"];
    let checkouts = places.map(|name| {
        let checkout = native(name, "probe");
        checkout.commit_all("one");
        checkout
    });
    let [first, second] = [&checkouts[0], &checkouts[1]];
    let library = |checkout: &Checkout, revision| {
        let build = built(&arm(checkout, revision));
        let bytes = fs::read(&build.library).unwrap();
        // Each is compiled, and none is found.
        fs::remove_dir_all(checkout.path("target/longrun/native")).unwrap();
        assert_eq!(build.status.as_str(), "built");
        bytes
    };
    let bytes = library(first, None);
    assert!(bytes == library(second, None), "another checkout");
    assert!(bytes == library(second, Some("HEAD")), "a tree");
    let folder = first.folder().to_str().unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(!text.contains(folder), "the path of the machine is in it");
    assert!(text.contains("./src/minimal.cpp probe"));
}

#[test]
fn an_edited_build_of_an_arm_is_built_anew() {
    let checkout = native("r", "probe");
    checkout.commit_all("one");
    let side = arm(&checkout, Some("HEAD"));
    let build = built(&side);
    let bytes = fs::read(&build.library).unwrap();
    fs::write(&build.library, "evil").unwrap();
    let again = built(&side);
    assert_eq!(again.status.as_str(), "built");
    assert!(
        again.reasons[0].contains("was changed"),
        "{:?}",
        again.reasons
    );
    assert!(fs::read(&again.library).unwrap() == bytes);
}

#[test]
fn a_revision_that_does_not_build_is_shown_and_leaves_its_log_only() {
    let checkout = native("r", "probe");
    checkout.write("native/src/minimal.cpp", "int broken = nothing;\n");
    let broken = checkout.commit_all("it breaks");
    probed(&checkout, "probe");
    let failure = arm(&checkout, Some("HEAD")).build(Backend::Cpu, &never());
    let failure = failure.unwrap_err();
    assert_eq!(failure.exit.code(), 6);
    for told in [
        "the baseline",
        &broken[..12],
        "(it breaks)",
        "nothing",
        "failed.log",
    ] {
        assert!(failure.message.contains(told), "{told}: {failure}");
    }
    let left = fs::read_dir(checkout.path("target/longrun/native")).unwrap();
    let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["failed.log", "lock"]);
    assert_eq!(built(&arm(&checkout, None)).status.as_str(), "built");
}

#[test]
fn a_build_in_a_tree_finds_no_repository_that_is_not_its_own() {
    let checkout = native("r", "probe");
    // As where somebody keeps the settings of a home folder in git.
    let home = initialised(&cache_of(&checkout));
    assert!(home.workdir().is_some());
    let asks = "execute_process(COMMAND git rev-parse --show-toplevel\n  RESULT_VARIABLE result \
                WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})\nif(result EQUAL 0)\n  \
                message(FATAL_ERROR \"found a repository\")\nendif()\n";
    checkout.write("native/CMakeLists.txt", &format!("{LISTS}{asks}"));
    checkout.commit_all("one");
    let failure = arm(&checkout, None).build(Backend::Cpu, &never());
    let failure = failure.unwrap_err();
    assert!(failure.message.contains("found a repository"), "{failure}");
    built(&arm(&checkout, Some("HEAD")));
}
