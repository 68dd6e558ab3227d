//! The worker binary: one request in, one receipt out. Everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    longrun_optics::worker::main(std::env::args_os().skip(1))
}
