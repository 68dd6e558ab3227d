//! The page and the records on disk: read with a bound, replaced whole or not at all.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use super::store::Store;
use super::{Damage, PAGE, RECORDS};
use crate::failure::{Failure, Outcome};
use crate::registry::Registry;
use crate::whole_file;

/// Longest file that is read: documents of whole runs are far shorter.
const BYTES_MAX: u64 = 64 << 20;

/// The text of a file.
///
/// # Errors
/// Exit 6 where it cannot be read, exit 2 where it is no text of a bounded length.
pub fn text(path: &Path) -> Outcome<String> {
    let failed = |error| Failure::file("read", path, error);
    let refused = |cause: &str| {
        let shown = path.display();
        Failure::usage(format!(
            "failed to read `{shown}`: {cause}; give another file"
        ))
    };
    // Before it is opened: the end of a pipe that nobody writes to would wait for ever.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(refused("it is no ordinary file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    // One byte more tells that there are too many.
    file.take(BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > BYTES_MAX {
        return Err(refused(&format!("it has more than {BYTES_MAX} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| refused("it is not text in UTF-8"))
}

/// The records of every suite that has a file.
///
/// # Errors
/// Exit 2 where one is damaged, with its line; exit 6 where it cannot be read.
pub fn stores(root: &Path, registry: &Registry) -> Outcome<BTreeMap<String, Store>> {
    let mut stores = BTreeMap::new();
    for suite in &registry.suites {
        let relative = records_path(&suite.name);
        let path = root.join(&relative);
        match fs::metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            _ => {}
        }
        let store = Store::parse(&suite.name, &text(&path)?);
        let store = store.map_err(|Damage { line, cause }| {
            Failure::usage(format!(
                "failed to read the records `{relative}`:{line}: {cause}; take the last whole \
                 version from your repository and record again what is missing there"
            ))
        })?;
        stores.insert(suite.name.clone(), store);
    }
    Ok(stores)
}

/// Writes the records of some suites.
///
/// # Errors
/// Exit 6 where one cannot be written; what was there is there still.
pub fn write_records(
    root: &Path,
    suites: &[String],
    stores: &BTreeMap<String, Store>,
) -> Outcome<()> {
    for suite in suites {
        let path = root.join(records_path(suite));
        let Some(store) = stores.get(suite) else {
            continue;
        };
        let text = store.render(suite);
        let text = text.map_err(|cause| Failure::file("write", &path, cause))?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| Failure::file("make", folder, e))?;
        }
        whole_file::write("write", &path, text.as_bytes())?;
    }
    Ok(())
}

/// Writes the page.
///
/// # Errors
/// Exit 6 where it cannot be written; what was there is there still.
pub fn write_page(root: &Path, text: &str) -> Outcome<()> {
    whole_file::write("write", &root.join(PAGE), text.as_bytes())
}

/// Where the records of a suite are, from the root.
pub fn records_path(suite: &str) -> String {
    format!("{RECORDS}/{suite}.json")
}
