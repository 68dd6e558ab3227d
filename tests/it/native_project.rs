//! The smallest native project that Longrun builds.

use crate::bench::Bench;
use crate::ran::wait_until;

/// What CMake reads first, from the root.
const LISTS_PATH: &str = "native/CMakeLists.txt";

/// Its files, by path below `native/`.
pub const FILES: [(&str, &str); 5] = [
    ("CMakeLists.txt", LISTS),
    ("include/minimal/core.h", HEADER),
    ("src/minimal.cpp", SOURCE),
    ("docs/notes.md", "Notes.\n"),
    ("tests/check.cpp", "int main() { return 0; }\n"),
];

const LISTS: &str = r#"cmake_minimum_required(VERSION 3.16)
project(minimal VERSION 1.2.3 LANGUAGES CXX)
add_library(minimal SHARED src/minimal.cpp)
target_include_directories(minimal PRIVATE include)
target_compile_definitions(minimal PRIVATE LONGRUN_BUILD_KEY="${LONGRUN_BUILD_KEY}")
install(TARGETS minimal LIBRARY DESTINATION lib)
"#;

const HEADER: &str = r#"#pragma once
#include <cstdint>

#define LONGRUN_CORE_ABI 1

struct Identity {
    char magic[16];
    char build_key[72];
    std::int32_t abi[16];
};
"#;

/// Its one source.
// The magic is spelled in letters: as a string it would need room for its end.
pub const SOURCE: &str = r#"#include "minimal/core.h"

[[gnu::used, gnu::section(".longrun_identity")]] static const Identity identity = {
    {'l', 'o', 'n', 'g', 'r', 'u', 'n', '-', 'i', 'd', 'e', 'n', 't', 'i', 't', 'y'},
    LONGRUN_BUILD_KEY,
    {LONGRUN_CORE_ABI},
};

extern "C" const Identity *longrun_get_identity() { return &identity; }
"#;

/// What keeps the build from coming to an end.
const NO_END: &str = "sleep 600";

impl Bench {
    /// Lets the build of the native project have no end, and returns the file as it was.
    pub fn build_without_end(&self) -> String {
        let lists = self.read(LISTS_PATH);
        self.append(LISTS_PATH, &format!("execute_process(COMMAND {NO_END})\n"));
        lists
    }

    /// Waits until a build without an end is under way.
    #[track_caller]
    pub fn wait_for_the_build(&self) {
        wait_until("the build is under way", || {
            let mut processes = self.processes().into_iter();
            processes.any(|command| command.starts_with(NO_END))
        });
    }
}
