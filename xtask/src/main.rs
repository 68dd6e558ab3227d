//! `cargo xtask`: Longrun, applied to this repository.
//!
//! Another repository adopts Longrun with the same lines.

use std::process::ExitCode;

fn main() -> ExitCode {
    longrun::main()
}
