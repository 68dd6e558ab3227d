//! Commands with their words kept apart, in a folder of their choice.

use std::path::Path;

use xshell::Shell;

use crate::failure::{Failure, Outcome};

/// A shell that runs its commands in `folder`. The folder of this process does not change.
pub fn in_folder(folder: &Path) -> Outcome<Shell> {
    let shell = Shell::new().map_err(|e| Failure::environment(e.to_string()))?;
    shell.change_dir(folder);
    Ok(shell)
}
