//! Fresh copies of the two libraries for every process.
//!
//! The pages of a file stay where they are from process to process, and where they are changes the
//! time: with the same two files throughout, identical libraries differed by 0.17 %
//! (`docs/statistics.md`). So each process gets files that were written for it alone, from bytes in
//! memory, at paths of one length. The new ones are written before the old ones are removed, so
//! that they cannot be given the same pages.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use longrun_protocol::duet::Side;
use longrun_protocol::request::Library;

use crate::failure::{Failure, Outcome};
use crate::native::NativeBuild;

/// Largest library that is held in memory.
const BYTES_MAX: u64 = 1 << 30;

/// Name of every copy. What the files are called in their builds may differ in length.
const NAME: &str = "library";

/// Names of the folders of the two copies, in the order in which they are written.
const PLACES: [&str; 2] = ["a", "b"];

/// Names of the folders of the copies of two processes in a row.
const SLOTS: [&str; 2] = ["0", "1"];

/// A library in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    bytes: Vec<u8>,
    build_key: String,
}

impl Image {
    /// Reads the library of a build. To be done at once after its digest was checked: from then on
    /// an edited file changes nothing.
    pub fn of(build: &NativeBuild) -> Outcome<Image> {
        Image::read(&build.library, &build.identity.build_key)
    }

    fn read(path: &Path, build_key: &str) -> Outcome<Image> {
        let failed = |e| Failure::file("read the library", path, e);
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length > BYTES_MAX {
            return Err(Failure::environment(format!(
                "failed to read the library `{}`: it has {length} bytes; at most {BYTES_MAX} are \
                 held in memory",
                path.display()
            )));
        }
        let mut bytes = Vec::new();
        file.take(BYTES_MAX)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        Ok(Image {
            bytes,
            build_key: build_key.to_owned(),
        })
    }
}

/// The copies of one configuration, process after process. Everything goes when this goes.
#[derive(Debug)]
pub struct Copies {
    folder: PathBuf,
    slot: usize,
    live: Vec<PathBuf>,
}

impl Copies {
    /// Makes the folders of the copies in `folder`, which is created.
    pub fn within(folder: &Path) -> Outcome<Copies> {
        for slot in SLOTS {
            for place in PLACES {
                let path = folder.join(slot).join(place);
                fs::create_dir_all(&path).map_err(|e| Failure::file("create", &path, e))?;
            }
        }
        Ok(Copies {
            folder: folder.to_owned(),
            slot: 0,
            live: Vec::new(),
        })
    }

    /// Writes new copies, `first` side's first, and removes the old ones. The libraries are those
    /// of the baseline and of the candidate.
    ///
    /// Which of the two paths a side gets goes with the coin too: nothing but their content tells
    /// the sides apart.
    pub fn renew(&mut self, images: [&Image; 2], first: Side) -> Outcome<[Library; 2]> {
        self.slot = (self.slot + 1) % SLOTS.len();
        let folder = self.folder.join(SLOTS.get(self.slot).unwrap_or(&"0"));
        let mut written = Vec::new();
        for (place, side) in PLACES.into_iter().zip([first, first.other()]) {
            let [baseline, candidate] = images;
            let image = match side {
                Side::Baseline => baseline,
                Side::Candidate => candidate,
            };
            let path = folder.join(place).join(NAME);
            write(&path, &image.bytes).map_err(|e| {
                let next = "free some space, or give another folder with --out";
                let file = Failure::file("copy the library to", &path, e);
                Failure::environment(format!("{file}; {next}"))
            })?;
            written.push((side, path, image.build_key.clone()));
        }
        for old in self.live.drain(..) {
            // One that stays is written over in its turn.
            let _ = fs::remove_file(old);
        }
        self.live = written.iter().map(|(_, path, _)| path.clone()).collect();
        written.sort_by_key(|(side, ..)| *side);
        let libraries = written
            .into_iter()
            .map(|(_, path, build_key)| Library { path, build_key });
        let libraries: Vec<Library> = libraries.collect();
        libraries
            .try_into()
            .map_err(|_| Failure::failed("failed to copy the libraries: there are not two of them"))
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        // What cannot be removed lies in the bundle and goes with it.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A new file, never the old one's pages with other content.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::MetadataExt;

    fn image(folder: &Path, name: &str, content: &str) -> Image {
        let path = folder.join(name);
        fs::write(&path, content).unwrap();
        Image::read(&path, &format!("key of {content}")).unwrap()
    }

    fn files(folder: &Path) -> usize {
        let below = |path: &Path| fs::read_dir(path).unwrap().count();
        let slots = SLOTS
            .iter()
            .flat_map(|slot| PLACES.map(|place| format!("{slot}/{place}")));
        slots.map(|place| below(&folder.join(place))).sum()
    }

    #[test]
    fn every_process_gets_new_files_of_its_sides_at_paths_of_one_length() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (
            image(folder.path(), "l.so", "one"),
            image(folder.path(), "l.so", "two"),
        );
        let place = folder.path().join("copies");
        let mut copies = Copies::within(&place).unwrap();
        let mut inodes = Vec::new();
        for first in [
            Side::Baseline,
            Side::Candidate,
            Side::Candidate,
            Side::Baseline,
        ] {
            let [baseline, candidate] = copies.renew([&one, &two], first).unwrap();
            let read = |library: &Library| fs::read_to_string(&library.path).unwrap();
            assert_eq!([read(&baseline), read(&candidate)], ["one", "two"]);
            assert_eq!(candidate.build_key, "key of two");
            let lengths = [&baseline, &candidate].map(|one| one.path.as_os_str().len());
            assert_eq!(lengths[0], lengths[1]);
            let first_is_a = baseline.path.parent().unwrap().ends_with("a");
            assert_eq!(first_is_a, first == Side::Baseline);
            inodes.push([&baseline, &candidate].map(|one| fs::metadata(&one.path).unwrap().ino()));
            assert_eq!(files(&place), 2, "only the living copies are there");
        }
        // The files of a process exist while those of the next are written: none is used twice.
        let pairs = inodes.windows(2);
        let mut repeated = pairs.flat_map(|two| two[0].map(|old| two[1].contains(&old)));
        assert!(repeated.all(|repeated| !repeated), "{inodes:?}");
        drop(copies);
        assert!(!place.exists());
    }

    #[test]
    fn an_edited_library_changes_no_copy() {
        let folder = tempfile::tempdir().unwrap();
        let one = image(folder.path(), "l.so", "one");
        fs::write(folder.path().join("l.so"), "edited").unwrap();
        let mut copies = Copies::within(&folder.path().join("copies")).unwrap();
        let [baseline, _] = copies.renew([&one, &one], Side::Baseline).unwrap();
        assert_eq!(fs::read_to_string(baseline.path).unwrap(), "one");
    }

    #[test]
    fn a_library_that_cannot_be_read_or_copied_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let failure = Image::read(&folder.path().join("none.so"), "k").unwrap_err();
        assert!(failure.message.contains("none.so"), "{failure}");
        let one = image(folder.path(), "l.so", "one");
        let place = folder.path().join("copies");
        let mut copies = Copies::within(&place).unwrap();
        fs::remove_dir_all(&place).unwrap();
        let failure = copies.renew([&one, &one], Side::Baseline).unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        assert!(failure.message.contains("--out"), "{failure}");
    }
}
