//! Results on stdout, notes on stderr.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use crate::failure::{Failure, Outcome};

/// Prints a result. A reader that has seen enough and gone away (`| head`) is no failure.
///
/// # Errors
/// Exit 6 where stdout cannot be written for another reason: a full disk.
pub fn print(text: &str) -> Outcome<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::environment(format!(
            "failed to print the result: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Prints a note or progress on stderr. One that nobody can read is no failure.
pub fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
