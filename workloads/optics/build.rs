//! Compiles what stands between the process and the allocator of the C library.
//!
//! Only glibc answers under other names once its own are taken. Elsewhere nothing is compiled, and
//! what the whole process allocates is not counted.

use std::env;
use std::error::Error;

/// The one file of C.
const SOURCE: &str = "src/native/allocations.c";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={SOURCE}");
    let target = |part: &str| env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") != "linux" || target("ENV") != "gnu" {
        return Ok(());
    }
    cc::Build::new()
        .file(SOURCE)
        // An allocator must not be compiled as if `malloc` were somebody else's.
        .flag("-fno-builtin")
        // One section for all of it: a linker that drops what Rust does not call would drop those
        // that only a library calls.
        .flag("-fno-function-sections")
        .warnings(true)
        .extra_warnings(true)
        .warnings_into_errors(true)
        .try_compile("longrun_allocations")?;
    Ok(())
}
