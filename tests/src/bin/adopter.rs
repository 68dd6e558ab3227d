//! The xtask of a repository that adopts Longrun: it calls `main` and nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    longrun::main()
}
