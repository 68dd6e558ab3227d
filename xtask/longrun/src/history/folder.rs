//! Reading the folder of history files.

use std::fs;
use std::io;
use std::path::Path;

use super::file::{self, HistoryFile};
use crate::failure::{Failure, Outcome};

/// Hardware sets that have a history in a folder, sorted. A folder that is absent has none.
///
/// # Errors
/// Exit 6 where the folder cannot be read.
pub fn available_slugs(folder: &Path) -> Outcome<Vec<String>> {
    let failed = |error: io::Error| unreadable("list", folder, folder, &error);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut slugs = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let is_history = path.is_file() && path.extension().is_some_and(|end| end == "csv");
        let slug = path.file_stem().and_then(|stem| stem.to_str());
        if let (true, Some(slug)) = (is_history, slug) {
            slugs.push(slug.to_owned());
        }
    }
    slugs.sort();
    Ok(slugs)
}

/// The history of one hardware set; `None` where the folder has none.
///
/// # Errors
/// Exit 6 where the file cannot be read or is damaged, with the line.
pub fn load(folder: &Path, slug: &str) -> Outcome<Option<HistoryFile>> {
    let path = folder.join(format!("{slug}.csv"));
    let name = path.display().to_string();
    // Looked at before it is read: reading a pipe would wait for its writer.
    let bytes = match fs::metadata(&path) {
        Ok(found) if found.is_file() => fs::read(&path),
        Ok(_) => {
            return Err(Failure::environment(format!(
                "failed to read `{name}`: it is not an ordinary file; move it away, and bring a \
                 committed file back with `git restore --source=HEAD -- {name}`"
            )));
        }
        Err(error) => Err(error),
    };
    match bytes {
        Ok(bytes) => HistoryFile::parse(&name, file::decoded(&name, &bytes)?).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable("read", &path, folder, &error)),
    }
}

/// Something in the folder that cannot be read, or the folder itself.
fn unreadable(verb: &str, path: &Path, folder: &Path, error: &io::Error) -> Failure {
    let next = match folder.exists() && !folder.is_dir() {
        true => format!(
            "`{}` must be a folder: move the file away that has its name",
            folder.display()
        ),
        false => "let this user read it".to_owned(),
    };
    Failure::file(verb, path, format!("{error}; {next}"))
}

/// The history that is named, or else that of every hardware set.
///
/// # Errors
/// Exit 2 where the one that is named does not exist; exit 6 where a file cannot be read or is
/// damaged, with the line.
pub fn load_named_or_all(folder: &Path, slug: Option<&str>) -> Outcome<Vec<HistoryFile>> {
    let slugs = match slug {
        Some(slug) => return Ok(vec![load_named(folder, slug)?]),
        None => available_slugs(folder)?,
    };
    let mut files = Vec::new();
    for slug in slugs {
        files.extend(load(folder, &slug)?);
    }
    Ok(files)
}

/// The history of one hardware set that must be there.
///
/// # Errors
/// Exit 2 where it does not exist; exit 6 where it cannot be read or is damaged, with the line.
pub fn load_named(folder: &Path, slug: &str) -> Outcome<HistoryFile> {
    // A hardware set is a name, never a way out of the folder.
    let file = match slug.contains(['/', '\\']) {
        true => None,
        false => load(folder, slug)?,
    };
    match file {
        Some(file) => Ok(file),
        None => Err(unknown_slug(slug, &available_slugs(folder)?)),
    }
}

fn unknown_slug(slug: &str, available: &[String]) -> Failure {
    let there_is = match available.is_empty() {
        true => "nothing has been recorded yet".to_owned(),
        false => format!("there is `{}`", available.join("`, `")),
    };
    Failure::usage(format!(
        "failed to show the history of `{slug}`: no run is recorded for it; {there_is}"
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::exit::Exit;
    use crate::history::{append, testing};

    #[test]
    fn the_slugs_of_a_folder_are_its_csv_files() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b-16c.csv", "a-2c.csv", "notes.md", ".gitattributes"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("records.csv")).unwrap();
        assert_eq!(available_slugs(folder.path()).unwrap(), ["a-2c", "b-16c"]);
        let absent = folder.path().join("absent");
        assert_eq!(available_slugs(&absent).unwrap(), [""; 0]);
    }

    #[test]
    fn what_is_no_file_or_no_folder_is_refused_with_the_next_step() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("x-1c.csv")).unwrap();
        let failure = load(folder.path(), "x-1c").unwrap_err();
        assert_eq!(failure.exit, Exit::Environment);
        let message = failure.message;
        assert!(
            message.contains("not an ordinary file; move it away"),
            "{message}"
        );
        let file = folder.path().join("history");
        fs::write(&file, "").unwrap();
        let failures = [
            load(&file, "x-1c").unwrap_err(),
            available_slugs(&file).unwrap_err(),
        ];
        for failure in failures {
            assert_eq!(failure.exit, Exit::Environment);
            assert!(failure.message.contains("must be a folder"), "{failure}");
        }
    }

    #[test]
    fn a_history_is_loaded_by_its_slug() {
        let folder = tempfile::tempdir().unwrap();
        let rows = testing::entries(&[testing::full_row("r1", "a", 1.0)]);
        let text = append::append("x", None, None, &rows).unwrap();
        fs::write(folder.path().join("some-cpu-2c.csv"), text).unwrap();
        let file = load(folder.path(), "some-cpu-2c").unwrap().unwrap();
        assert_eq!((file.slug.as_str(), file.entries), ("some-cpu-2c", rows));
        assert_eq!(load(folder.path(), "other").unwrap(), None);
        let inside = folder.path().join("inside");
        fs::create_dir(&inside).unwrap();
        let failure = load_named(&inside, "../some-cpu-2c").unwrap_err();
        assert!(failure.message.contains("`../some-cpu-2c`"), "{failure}");
        let every = load_named_or_all(folder.path(), None).unwrap();
        assert_eq!(every.len(), 1);
    }
}
