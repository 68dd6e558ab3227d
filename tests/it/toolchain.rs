//! Machines that cannot build: exit 6, with what is missing and what to do.

use crate::bench::Bench;
use crate::case::Case;

fn bench() -> Bench {
    Bench::new().native_project().case(Case::new("a").native())
}

#[test]
fn a_missing_compiler_is_named() {
    let bench = bench().commit();
    let ran = bench.run_with(["build"], |command| {
        command.env("CXX", "/nonexistent/c++");
    });
    ran.exits(6)
        .says("C++ compiler")
        .says("`/nonexistent/c++`")
        .says("setup");
}

#[test]
fn a_missing_cmake_is_named() {
    let bench = bench().commit();
    let path = bench.path_of(&["c++", "cc"]);
    let ran = bench.run_with(["build"], |command| {
        command.env("PATH", path);
    });
    ran.exits(6).says("no `cmake` in PATH").says("setup");
}

#[test]
fn a_missing_build_tool_is_named() {
    let bench = bench().commit();
    let path = bench.path_of(&["c++", "cc", "cmake"]);
    let ran = bench.run_with(["build"], |command| {
        command.env("PATH", path);
    });
    ran.exits(6)
        .says("neither `ninja` nor `make`")
        .says("setup");
}

#[test]
fn a_missing_library_is_named() {
    let bench = bench().setting("native_libraries = [\"fftw3\"]").commit();
    let empty = bench.home();
    let ran = bench.run_with(["build"], |command| {
        command.env("PKG_CONFIG_LIBDIR", empty);
    });
    ran.exits(6).says("library `fftw3`").says("setup");
}

#[test]
fn a_missing_native_project_is_named_with_the_setting() {
    let bench = Bench::new().case(Case::new("a").native()).commit();
    bench
        .run(["build"])
        .exits(6)
        .says("native/CMakeLists.txt")
        .says("set `native`");
}

#[test]
fn a_machine_that_cannot_build_runs_nothing() {
    let bench = bench().commit();
    let ran = bench.run_with(["track"], |command| {
        command.env("CXX", "/nonexistent/c++");
    });
    ran.exits(6);
    assert!(bench.bundle().results().is_empty());
}
