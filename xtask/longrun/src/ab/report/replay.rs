//! `ab --replay`: every verdict again, from the file alone.

use std::path::Path;

use crate::ab::kept::file;
use crate::ab::report::{Report, Strictness};
use crate::exit::Exit;
use crate::failure::Outcome;

/// Prints the report of the comparison in `path`, as the comparison itself printed it. Needs no
/// repository, no registry and no build.
pub fn run(path: &Path, strictness: Strictness, as_json: bool) -> Outcome<Exit> {
    let record = file::read(path)?;
    let report = Report::of(&record);
    report.print(as_json)?;
    Ok(report.exit(strictness))
}
