//! Finished native builds, by key. A build is finished when its folder has its final name: the
//! stamp is written and the folder renamed last, so an interrupted build is never taken for one.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process;

use longrun_protocol::{Backend, BuildIdentity};
use serde::{Deserialize, Serialize};

use crate::digest;
use crate::failure::{Failure, Outcome};
use crate::held::Held;
use crate::in_use;
use crate::patience::Patience;
use crate::whole_file::write_json;

/// Characters of the key that name a folder.
const NAME_LENGTH: usize = 32;

/// Name of the stamp in a finished build.
const STAMP: &str = "build.json";

/// Name of the lock that the process which builds in a partial folder holds.
pub const PARTIAL_LOCK: &str = "lock";

/// What a finished build says of itself.
#[derive(Serialize, Deserialize)]
struct Stamp {
    identity: BuildIdentity,
    /// Path of the library relative to the build's folder.
    library: String,
    library_sha256: String,
}

/// What the cache has under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The library, which is what was recorded.
    Sound(PathBuf),
    /// Something that is not what was recorded; why.
    Damaged(String),
    /// Nothing.
    Absent,
}

/// The folder of native builds.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The cache in `folder`, which is created.
    pub fn open(folder: &Path) -> Outcome<Cache> {
        fs::create_dir_all(folder).map_err(|e| Failure::file("create", folder, e))?;
        Ok(Cache {
            folder: folder.to_owned(),
        })
    }

    /// What is there for `identity`. Looks at the content of the library, not at its presence.
    pub fn find(&self, identity: &BuildIdentity) -> Found {
        let folder = self.finished(identity);
        if !folder.exists() {
            return Found::Absent;
        }
        let name = format!("the build {:.12}", identity.build_key);
        let stamp: Stamp = match read_json(&folder.join(STAMP)) {
            Some(stamp) => stamp,
            None => return Found::Damaged(format!("{name} has no readable stamp")),
        };
        if stamp.identity != *identity {
            return Found::Damaged(format!("the stamp of {name} is of another build"));
        }
        let library = folder.join(&stamp.library);
        match digest::of_file(&library) {
            Ok(sha256) if sha256 == stamp.library_sha256 => Found::Sound(library),
            Ok(_) => Found::Damaged(format!(
                "the library of {name} was changed after it was built"
            )),
            Err(_) => Found::Damaged(format!("the library of {name} is gone")),
        }
    }

    /// Says that a build is used now: its age is counted from here.
    pub fn mark_used(&self, identity: &BuildIdentity) {
        in_use::mark(&self.finished(identity).join(STAMP));
    }

    /// Identity of the build used last for `backend`.
    pub fn latest(&self, backend: Backend) -> Option<BuildIdentity> {
        read_json(&self.latest_file(backend))
    }

    /// Makes `identity` the build used last.
    pub fn remember(&self, identity: &BuildIdentity) -> Outcome<()> {
        if self.latest(identity.backend).as_ref() == Some(identity) {
            return Ok(());
        }
        write_json(&self.latest_file(identity.backend), identity)
    }

    /// Waits for, and holds, the right to build. Released when the result is dropped, even by a
    /// kill.
    pub fn lock(&self, patience: &Patience<'_>) -> Outcome<Held> {
        let path = self.folder.join("lock");
        patience.lock(&path, "waiting for another build of the native library")
    }

    /// An empty folder in which `identity` is to be built. Leftovers of killed builds are removed,
    /// unless something still works in them.
    pub fn partial(&self, identity: &BuildIdentity) -> Outcome<PathBuf> {
        self.remove_leftovers()?;
        let folder = self
            .folder
            .join(format!("partial-{}-{}", name(identity), process::id()));
        fs::create_dir(&folder).map_err(|e| Failure::file("create", &folder, e))?;
        Ok(folder)
    }

    /// Makes the finished build of `partial`, with its library at `library` inside, the build of
    /// `identity`, and returns the library.
    pub fn admit(
        &self,
        partial: &Path,
        identity: &BuildIdentity,
        library: &Path,
    ) -> Outcome<PathBuf> {
        let relative = library.strip_prefix(partial).unwrap_or(library);
        let stamp = Stamp {
            identity: identity.clone(),
            library: relative.to_string_lossy().into_owned(),
            library_sha256: digest::of_file(library)
                .map_err(|e| Failure::file("read", library, e))?,
        };
        write_json(&partial.join(STAMP), &stamp)?;
        let finished = self.finished(identity);
        let removed = match finished.is_dir() {
            true => fs::remove_dir_all(&finished),
            false if finished.exists() => fs::remove_file(&finished),
            false => Ok(()),
        };
        removed.map_err(|e| Failure::file("remove", &finished, e))?;
        fs::rename(partial, &finished).map_err(|e| Failure::file("rename", partial, e))?;
        Ok(finished.join(relative))
    }

    /// Where the log of a failed build is kept.
    pub fn failed_log(&self) -> PathBuf {
        self.folder.join("failed.log")
    }

    fn remove_leftovers(&self) -> Outcome<()> {
        let entries =
            fs::read_dir(&self.folder).map_err(|e| Failure::file("list", &self.folder, e))?;
        for entry in entries.flatten() {
            let partial = entry.file_name().to_string_lossy().starts_with("partial-");
            if partial && !in_use(&entry.path()) {
                // Whatever cannot be removed now has a name of its own, and its turn next time.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        Ok(())
    }

    fn finished(&self, identity: &BuildIdentity) -> PathBuf {
        self.folder.join(name(identity))
    }

    fn latest_file(&self, backend: Backend) -> PathBuf {
        self.folder.join(format!("latest-{backend}.json"))
    }
}

/// Whether a process still builds in this folder: one whose parent was killed goes on for a while,
/// and holds the lock in it.
fn in_use(partial: &Path) -> bool {
    let lock = File::open(partial.join(PARTIAL_LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
}

fn name(identity: &BuildIdentity) -> String {
    identity.build_key.chars().take(NAME_LENGTH).collect()
}

fn read_json<T: for<'de> Deserialize<'de>>(path: &Path) -> Option<T> {
    let bytes = fs::read(path).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use longrun_protocol::Compiler;
    use std::collections::BTreeMap;

    fn identity(key: &str) -> BuildIdentity {
        BuildIdentity {
            schema_version: 1,
            build_key: key.repeat(64),
            backend: Backend::Cpu,
            version: "0".into(),
            profile: "Release".into(),
            compiler: Compiler {
                family: "gnu".into(),
                version: "12".into(),
                target: "t".into(),
            },
            flags: Vec::new(),
            isa: String::new(),
            libraries: BTreeMap::new(),
            abi: BTreeMap::new(),
            sources: BTreeMap::new(),
        }
    }

    /// A cache with one finished build, and the path of its library.
    fn built(folder: &Path) -> (Cache, PathBuf) {
        let cache = Cache::open(folder).unwrap();
        let partial = cache.partial(&identity("a")).unwrap();
        let library = partial.join("liblongrun.so");
        fs::write(&library, "code").unwrap();
        let library = cache.admit(&partial, &identity("a"), &library).unwrap();
        (cache, library)
    }

    #[test]
    fn a_finished_build_is_found_again_and_another_is_absent() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, library) = built(folder.path());
        assert_eq!(cache.find(&identity("a")), Found::Sound(library));
        assert_eq!(cache.find(&identity("b")), Found::Absent);
    }

    #[test]
    fn a_tampered_library_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, library) = built(folder.path());
        fs::write(&library, "evil").unwrap();
        assert!(
            matches!(cache.find(&identity("a")), Found::Damaged(why) if why.contains("changed"))
        );
        fs::remove_file(&library).unwrap();
        assert!(matches!(cache.find(&identity("a")), Found::Damaged(why) if why.contains("gone")));
    }

    #[test]
    fn a_file_in_the_place_of_a_build_is_damaged_and_gives_way() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, library) = built(folder.path());
        let finished = library.parent().unwrap().to_owned();
        fs::remove_dir_all(&finished).unwrap();
        fs::write(&finished, "x").unwrap();
        assert!(matches!(cache.find(&identity("a")), Found::Damaged(_)));
        let (cache, library) = built(folder.path());
        assert_eq!(cache.find(&identity("a")), Found::Sound(library));
    }

    #[test]
    fn a_stamp_of_another_build_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, library) = built(folder.path());
        let mut other = identity("a");
        other.isa = "avx512".into();
        assert!(matches!(cache.find(&other), Found::Damaged(_)));
        fs::write(library.with_file_name(STAMP), "{").unwrap();
        assert!(matches!(cache.find(&identity("a")), Found::Damaged(_)));
    }

    #[test]
    fn an_interrupted_build_is_absent_and_its_leftovers_go() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let interrupted = cache.partial(&identity("a")).unwrap();
        fs::write(interrupted.join("liblongrun.so"), "half").unwrap();
        assert_eq!(cache.find(&identity("a")), Found::Absent);
        cache.partial(&identity("b")).unwrap();
        assert!(!interrupted.exists());
    }

    #[test]
    fn a_partial_build_that_is_still_worked_on_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let orphan = cache.partial(&identity("a")).unwrap();
        let lock = File::create(orphan.join(PARTIAL_LOCK)).unwrap();
        lock.lock().unwrap();
        cache.partial(&identity("b")).unwrap();
        assert!(orphan.exists());
        drop(lock);
        cache.partial(&identity("c")).unwrap();
        assert!(!orphan.exists());
    }

    #[test]
    fn the_latest_build_is_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        assert_eq!(cache.latest(Backend::Cpu), None);
        cache.remember(&identity("a")).unwrap();
        assert_eq!(cache.latest(Backend::Cpu), Some(identity("a")));
    }
}
