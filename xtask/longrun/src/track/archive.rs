//! Copying the bundle of a run that has ended to a folder that is kept (`--archive`).
//!
//! The copy has its final name only when it is whole and was checked. What is in the way is never
//! overwritten, unless it is an earlier copy of the same run: one from before it was resumed.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::Ground;
use crate::clean::REMOVED;
use crate::digest;
use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::repo::Scope;
use crate::run::bundle::{Bundle, RESULTS};

/// Files and folders that one bundle may have.
const ENTRIES_MAX: usize = 1_000_000;

/// Copies one file.
type Copy<'a> = &'a dyn Fn(&Path, &Path) -> io::Result<u64>;

/// The folder that copies go to.
#[derive(Debug)]
pub struct Archive {
    folder: PathBuf,
}

impl Archive {
    /// Makes sure, before anything is built, that there is a folder that can be written.
    /// `runs` is the folder that holds the bundle, or will hold it.
    ///
    /// # Errors
    /// Exit 2 where the folder is part of what is measured, or is `runs` or inside it; exit 6 where
    /// it cannot be written.
    pub fn prepare(ground: &Ground, runs: &Path, given: &Path) -> Outcome<Archive> {
        let folder = ground.outside_of_measured(given, "--archive")?;
        apart_from_runs(&folder, runs)?;
        let refuse = |e| {
            let file = Failure::file("prepare the archive", &folder, e);
            Failure::environment(format!("{file}; give another with --archive"))
        };
        fs::create_dir_all(&folder).map_err(refuse)?;
        let folder = fs::canonicalize(&folder).map_err(refuse)?;
        let probe = folder.join(format!(".longrun-{}", std::process::id()));
        fs::create_dir(&probe)
            .and_then(|()| fs::remove_dir(&probe))
            .map_err(refuse)?;
        Ok(Archive { folder })
    }

    /// Makes sure that the copy of `bundle` will have a place of its own.
    ///
    /// # Errors
    /// Exit 2 where the folder is that of the bundle, or inside it; exit 6 where something else
    /// has its name.
    pub fn check(&self, bundle: &Bundle) -> Outcome<()> {
        let target = self.target(bundle);
        if target.starts_with(&bundle.folder) || self.folder.starts_with(&bundle.folder) {
            return Err(Failure::usage(format!(
                "failed to prepare the archive `{}`: the bundle itself is there; give another \
                 folder with --archive",
                self.folder.display()
            )));
        }
        match !target.exists() || is_earlier_copy(&target, &bundle.folder) {
            true => Ok(()),
            false => Err(Failure::environment(format!(
                "failed to prepare the archive: `{}` is there and no earlier copy of this run; \
                 move it away or give another folder with --archive",
                target.display()
            ))),
        }
    }

    /// Copies the bundle. Returns where the copy is.
    pub fn store(&self, bundle: &Bundle) -> Outcome<PathBuf> {
        self.store_by(bundle, &copy_file)
    }

    fn store_by(&self, bundle: &Bundle, copy: Copy<'_>) -> Outcome<PathBuf> {
        self.check(bundle)?;
        let target = self.target(bundle);
        // Whoever holds the bundle is the only one who archives it.
        let partial = self.folder.join(format!(".{}.partial", bundle.run_id));
        let earlier = self.folder.join(format!(".{}.earlier", bundle.run_id));
        let stored = remove(&partial)
            .and_then(|()| remove(&earlier))
            .and_then(|()| copy_tree(&bundle.folder, &partial, copy))
            .and_then(|()| same_results(&bundle.folder, &partial))
            .and_then(|()| replace(&partial, &target, &earlier));
        stored.map_err(|cause| {
            // What cannot be removed now is removed by the next try.
            let _ = remove(&partial);
            Failure::environment(format!(
                "failed to archive the run to `{}`: {cause}; the bundle stays in `{}`",
                target.display(),
                bundle.folder.display()
            ))
        })?;
        Ok(target)
    }

    fn target(&self, bundle: &Bundle) -> PathBuf {
        self.folder.join(&bundle.run_id)
    }
}

/// A copy among the runs would be taken for a run, or be in its own way.
fn apart_from_runs(folder: &Path, runs: &Path) -> Outcome<()> {
    match settled(folder).starts_with(settled(runs)) {
        false => Ok(()),
        true => Err(Failure::usage(format!(
            "failed to prepare the archive `{}`: the runs themselves are in `{}`; give another \
             folder with --archive",
            folder.display(),
            runs.display()
        ))),
    }
}

impl Ground {
    /// The folder `given` by a flag, made absolute: nowhere that is measured, or writing to it
    /// would change what is measured.
    pub fn outside_of_measured(&self, given: &Path, flag: &str) -> Outcome<PathBuf> {
        outside_of_measured(&self.project, &self.watched, given, flag)
    }
}

impl Ground {
    /// Why the file at `path` is not a user's to have written, if it is not.
    pub fn claimed(&self, path: &Path) -> Option<&'static str> {
        let history = &self.project.settings.history;
        let is_at = |folder: &str| is_measured(&self.project, path, |file| is_in(file, folder));
        if is_measured(&self.project, path, |file| self.watched.covers(file)) {
            Some("it is part of what is measured")
        } else if is_at(history) {
            Some("it is in the folder of the history, which `track --append-history` writes")
        } else if is_at(".git") {
            Some("it is git's")
        } else {
            let work = settled(&self.project.work());
            let of_longrun = settled(path).starts_with(work);
            of_longrun.then_some("it is in the folder of what Longrun builds and runs")
        }
    }
}

/// Whether a path relative to the root is that of `folder` or in it.
fn is_in(file: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    let rest = file.strip_prefix(folder);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The same for whatever is `watched`.
pub fn outside_of_measured(
    project: &Project,
    watched: &Scope,
    given: &Path,
    flag: &str,
) -> Outcome<PathBuf> {
    let folder = crate::list::current_folder()?.join(given);
    let why = match is_measured(project, &folder, |path| watched.covers(path)) {
        true => Some("it is part of what is measured"),
        false => is_of_longrun(project, &folder).then_some("Longrun keeps something else there"),
    };
    match why {
        None => Ok(folder),
        Some(why) => Err(Failure::usage(format!(
            "failed to choose the folder `{}`: {why}; give another with {flag}",
            folder.display()
        ))),
    }
}

/// Folders below Longrun's own whose content follows rules of theirs, or is removed by `clean`.
const FOLDERS_OF_LONGRUN: [&str; 7] = [
    "native",
    "workers",
    "cargo",
    "cargo-trees",
    "roof",
    "checkpoints",
    REMOVED,
];

fn is_of_longrun(project: &Project, folder: &Path) -> bool {
    let work = settled(&project.work());
    let folder = settled(folder);
    let mut own = FOLDERS_OF_LONGRUN.iter();
    own.any(|name| folder.starts_with(work.join(name)))
}

fn is_measured(project: &Project, folder: &Path, covers: impl Fn(&str) -> bool) -> bool {
    let root = fs::canonicalize(&project.root).unwrap_or_else(|_| project.root.clone());
    let folder = settled(folder);
    let inside = folder.strip_prefix(&root).ok();
    inside.is_some_and(|path| covers(&path.to_string_lossy()))
}

/// The path without links, as far as it exists, and without `..` after that.
fn settled(path: &Path) -> PathBuf {
    let real = without_links(path);
    let mut plain = PathBuf::new();
    for part in real.components() {
        match part {
            Component::ParentDir => plain = plain.parent().unwrap_or(&plain).to_owned(),
            part => plain.push(part),
        }
    }
    // What stands behind a `..` may be a link that exists.
    without_links(&plain)
}

fn without_links(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (fs::canonicalize(ancestor), path.strip_prefix(ancestor)) {
            return real.join(rest);
        }
    }
    path.to_owned()
}

/// Whether `target` holds the beginning of what `bundle` holds.
fn is_earlier_copy(target: &Path, bundle: &Path) -> bool {
    let read = |folder: &Path, name| fs::read(folder.join(name));
    let same_plan = match (read(target, "plan.json"), read(bundle, "plan.json")) {
        (Ok(earlier), Ok(now)) => earlier == now,
        _ => false,
    };
    let extended = match (read(target, RESULTS), read(bundle, RESULTS)) {
        (Ok(earlier), Ok(now)) => now.starts_with(&earlier),
        _ => false,
    };
    same_plan && extended
}

fn copy_tree(from: &Path, to: &Path, copy: Copy<'_>) -> io::Result<()> {
    let mut open = vec![(from.to_owned(), to.to_owned())];
    let mut entries = 0;
    while let Some((from, to)) = open.pop() {
        fs::create_dir(&to)?;
        for entry in fs::read_dir(&from)? {
            entries += 1;
            if entries > ENTRIES_MAX {
                return Err(io::Error::other(format!(
                    "it has more than {ENTRIES_MAX} files"
                )));
            }
            let entry = entry?;
            let (from, to) = (entry.path(), to.join(entry.file_name()));
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push((from, to));
            } else if kind.is_file() {
                let expected = fs::metadata(&from)?.len();
                copy(&from, &to)?;
                check_length(&from, &to, expected)?;
            } else {
                let name = from.display();
                return Err(io::Error::other(format!(
                    "`{name}` is neither file nor folder"
                )));
            }
        }
    }
    Ok(())
}

/// Copies one file and waits until it is on disk.
fn copy_file(from: &Path, to: &Path) -> io::Result<u64> {
    let length = fs::copy(from, to)?;
    File::open(to)?.sync_all()?;
    Ok(length)
}

fn check_length(from: &Path, to: &Path, expected: u64) -> io::Result<()> {
    let found = fs::metadata(to)?.len();
    match found == expected {
        true => Ok(()),
        false => Err(io::Error::other(format!(
            "`{}` has {expected} bytes and its copy {found}",
            from.display()
        ))),
    }
}

fn same_results(from: &Path, to: &Path) -> io::Result<()> {
    let digest = |folder: &Path| digest::of_file(&folder.join(RESULTS));
    match digest(from)? == digest(to)? {
        true => Ok(()),
        false => Err(io::Error::other(
            "the copied results are not what was written",
        )),
    }
}

/// Gives the copy its name, and takes the earlier copy away.
fn replace(partial: &Path, target: &Path, earlier: &Path) -> io::Result<()> {
    if !target.exists() {
        return fs::rename(partial, target);
    }
    fs::rename(target, earlier)?;
    if let Err(error) = fs::rename(partial, target) {
        fs::rename(earlier, target)?;
        return Err(error);
    }
    remove(earlier)
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::exit::Exit;
    use std::time::SystemTime;

    struct Made {
        _folder: tempfile::TempDir,
        bundle: Bundle,
        archive: Archive,
    }

    fn made() -> Made {
        let folder = tempfile::tempdir().unwrap();
        let runs = folder.path().join("runs");
        let mut bundle = Bundle::create(&runs, SystemTime::now(), "abc").unwrap();
        bundle.write("plan.json", &1).unwrap();
        bundle.append_result(&"first").unwrap();
        let place = bundle.place(0, "a", "1").unwrap();
        fs::write(place.folder.join("stdout.log"), "text").unwrap();
        let archive = folder.path().join("archive");
        fs::create_dir(&archive).unwrap();
        Made {
            _folder: folder,
            bundle,
            archive: Archive { folder: archive },
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.collect()
    }

    #[test]
    fn the_whole_bundle_is_copied() {
        let made = made();
        let copy = made.archive.store(&made.bundle).unwrap();
        assert_eq!(
            fs::read_to_string(copy.join("01-a-1/stdout.log")).unwrap(),
            "text"
        );
        assert_eq!(
            fs::read_to_string(copy.join(RESULTS)).unwrap(),
            "\"first\"\n"
        );
        assert_eq!(names(&made.archive.folder).join(" "), made.bundle.run_id);
    }

    #[test]
    fn an_earlier_copy_of_the_run_gives_way_to_the_longer_one() {
        let mut made = made();
        made.archive.store(&made.bundle).unwrap();
        made.bundle.append_result(&"second").unwrap();
        let copy = made.archive.store(&made.bundle).unwrap();
        let results = fs::read_to_string(copy.join(RESULTS)).unwrap();
        assert_eq!(results, "\"first\"\n\"second\"\n");
        assert_eq!(names(&made.archive.folder).join(" "), made.bundle.run_id);
    }

    #[test]
    fn anything_else_in_the_way_stays_as_it_is() {
        let made = made();
        let target = made.archive.target(&made.bundle);
        fs::create_dir(&target).unwrap();
        fs::write(target.join("precious"), "").unwrap();
        let failure = made.archive.store(&made.bundle).unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        assert_eq!(names(&target), ["precious"]);
        assert!(made.bundle.folder.join(RESULTS).exists());
    }

    #[test]
    fn a_full_disk_leaves_the_bundle_and_no_half_copy() {
        let made = made();
        let full = |_: &Path, to: &Path| -> io::Result<u64> {
            fs::write(to, "te")?;
            Err(io::ErrorKind::StorageFull.into())
        };
        let failure = made.archive.store_by(&made.bundle, &full).unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        assert!(failure.message.contains("the bundle stays in"), "{failure}");
        assert_eq!(names(&made.archive.folder), [""; 0]);
        assert!(made.bundle.folder.join("01-a-1/stdout.log").exists());
    }

    #[test]
    fn a_copy_that_is_too_short_is_none() {
        let made = made();
        let short = |_: &Path, to: &Path| fs::write(to, "").map(|()| 0);
        let failure = made.archive.store_by(&made.bundle, &short).unwrap_err();
        assert!(failure.message.contains("and its copy 0"), "{failure}");
        assert_eq!(names(&made.archive.folder), [""; 0]);
    }

    #[test]
    fn a_link_in_a_bundle_is_not_followed() {
        let made = made();
        std::os::unix::fs::symlink("/", made.bundle.folder.join("01-a-1/root")).unwrap();
        let failure = made.archive.store(&made.bundle).unwrap_err();
        assert!(
            failure.message.contains("neither file nor folder"),
            "{failure}"
        );
    }

    #[test]
    fn a_path_is_settled_through_links_and_through_what_does_not_exist() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir(root.join("real")).unwrap();
        std::os::unix::fs::symlink(root.join("real"), root.join("link")).unwrap();
        for (given, expected) in [
            ("link/new/deep", "real/new/deep"),
            ("new/../real/x", "real/x"),
            ("link/../real", "real"),
            ("new/deep/../../link", "real"),
        ] {
            assert_eq!(settled(&root.join(given)), root.join(expected), "{given}");
        }
    }

    #[test]
    fn the_folder_of_runs_and_all_in_it_is_no_archive_whether_it_exists_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let runs = folder.path().join("target/runs");
        for (given, refused) in [
            ("target/runs", true),
            ("target/runs/deep/archive", true),
            ("target/x/../runs/archive", true),
            ("target", false),
            ("target/runs-2", false),
        ] {
            let found = apart_from_runs(&folder.path().join(given), &runs);
            assert_eq!(found.is_err(), refused, "{given}");
            assert!(
                found
                    .err()
                    .is_none_or(|failure| failure.exit == Exit::Usage)
            );
        }
    }

    #[test]
    fn the_folder_of_the_bundle_is_no_archive() {
        let made = made();
        for folder in [
            made.bundle.folder.clone(),
            made.bundle.folder.join("01-a-1"),
        ] {
            let archive = Archive { folder };
            assert_eq!(archive.check(&made.bundle).unwrap_err().exit.code(), 2);
        }
        let runs = made.bundle.folder.parent().unwrap().to_owned();
        let archive = Archive { folder: runs };
        assert_eq!(archive.check(&made.bundle).unwrap_err().exit.code(), 2);
    }
}
