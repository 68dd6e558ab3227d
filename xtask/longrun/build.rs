//! Hands the target triple on to the code: the compiler is found for the machine we run on.

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo:rustc-env=LONGRUN_TARGET={target}");
    println!("cargo:rerun-if-changed=build.rs");
}
