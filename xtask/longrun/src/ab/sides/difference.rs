//! What differs between the two builds of a comparison, before anything is timed.
//!
//! [`between`] reads the two libraries; everything else is a function of plain values. The builds
//! are the same only if the code that is loaded, the linked libraries, the ABI versions, the
//! workers, `workloads/` and `Cargo.lock` are. The reasons say in words why they are or are not:
//! that files changed and code did not is a finding, and no measurement.

#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use longrun_protocol::BuildIdentity;
use serde::Serialize;

use crate::ab::kept::record::BuildDifference;
use crate::failure::{Failure, Outcome};
use crate::native::code::{self, CodeDifference, LIBRARY_MAX};

/// One side as it was built.
#[derive(Clone, Copy, Debug)]
pub struct ArmBuild<'a> {
    /// Its native library; `None` where no configuration needs one.
    pub native: Option<NativeArm<'a>>,
    /// Digests of the workers that run this side, by worker.
    pub workers: &'a BTreeMap<String, String>,
    /// Digests of the files below `workloads/`, by path.
    pub workloads: &'a BTreeMap<String, String>,
    /// Digest of `Cargo.lock`; `None` where there is none.
    pub lock: Option<&'a str>,
}

/// The native library of one side.
#[derive(Clone, Copy, Debug)]
pub struct NativeArm<'a> {
    /// What it is.
    pub identity: &'a BuildIdentity,
    /// Where it is.
    pub library: &'a Path,
}

/// How two builds differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Whether nothing that is measured differs.
    pub same: bool,
    /// What went into the native libraries.
    pub native: NativeInputs,
    /// What came out of it; `None` where a side has no library.
    pub code: Option<CodeDifference>,
    /// Workers whose digests differ.
    pub workers: Changes,
    /// Files below `workloads/`.
    pub workloads: Changes,
    /// Whether `Cargo.lock` differs.
    pub lock: bool,
}

/// What went into two native libraries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NativeInputs {
    /// Which sides have a library: baseline, candidate.
    pub present: [bool; 2],
    /// Whether the build keys are equal: the libraries are one build.
    pub one_build: bool,
    /// Native source files.
    pub sources: Changes,
    /// Version, profile, compiler, target, flags, instruction set, backend: what is not equal.
    pub settings: Vec<Setting>,
    /// Libraries that are linked.
    pub libraries: Vec<Setting>,
    /// ABI versions by area.
    pub abi: Vec<Setting>,
}

/// One setting that differs; absent on a side that lacks it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// What it is.
    pub name: String,
    /// Its value for the baseline.
    pub before: Option<String>,
    /// Its value for the candidate.
    pub after: Option<String>,
}

/// Names of what differs between two maps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// In both, with different content.
    pub changed: Vec<String>,
    /// In the candidate only.
    pub new: Vec<String>,
    /// In the baseline only.
    pub gone: Vec<String>,
}

/// How the builds of two sides differ, `after` being the candidate's.
///
/// # Errors
/// Exit 6 where a library cannot be read.
pub fn between(before: &ArmBuild<'_>, after: &ArmBuild<'_>) -> Outcome<Difference> {
    let code = match (before.native, after.native) {
        (Some(old), Some(new)) => {
            let (old, new) = (read(old.library)?, read(new.library)?);
            Some(code::compare(&old, &new))
        }
        _ => None,
    };
    Ok(of(before, after, code))
}

/// The bytes of a library. One beyond the limit is read up to it and one byte, which is enough to
/// be told.
fn read(library: &Path) -> Outcome<Vec<u8>> {
    let failed = |e| Failure::file("read the library", library, e);
    let size = fs::metadata(library).map_err(failed)?.len();
    if size > LIBRARY_MAX {
        return Err(Failure::environment(format!(
            "failed to read the library `{}`: it has {size} bytes, and at most {LIBRARY_MAX} are \
             compared; build it without debug information",
            library.display()
        )));
    }
    let mut bytes = Vec::new();
    let file = File::open(library).map_err(failed)?;
    file.take(LIBRARY_MAX)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}

/// The difference, given that of the code.
fn of(before: &ArmBuild<'_>, after: &ArmBuild<'_>, code: Option<CodeDifference>) -> Difference {
    let native = NativeInputs::of(before.native, after.native);
    let workers = Changes::of(before.workers, after.workers);
    let workloads = Changes::of(before.workloads, after.workloads);
    let lock = before.lock != after.lock;
    let [old, new] = native.present;
    let native_same = old == new
        && native.libraries.is_empty()
        && native.abi.is_empty()
        && code.as_ref().is_none_or(|code| code.same);
    Difference {
        same: native_same && workers.is_empty() && workloads.is_empty() && !lock,
        native,
        code,
        workers,
        workloads,
        lock,
    }
}

impl NativeInputs {
    fn of(before: Option<NativeArm<'_>>, after: Option<NativeArm<'_>>) -> NativeInputs {
        let present = [before.is_some(), after.is_some()];
        let (Some(before), Some(after)) = (before, after) else {
            return NativeInputs {
                present,
                ..NativeInputs::default()
            };
        };
        let (before, after) = (before.identity, after.identity);
        let number = |versions: &BTreeMap<String, i32>| -> BTreeMap<String, String> {
            let version = |(area, version): (&String, &i32)| (area.clone(), version.to_string());
            versions.iter().map(version).collect()
        };
        NativeInputs {
            present,
            one_build: before.build_key == after.build_key,
            sources: Changes::of(&before.sources, &after.sources),
            settings: settings(&texts(before), &texts(after)),
            libraries: settings(&before.libraries, &after.libraries),
            abi: settings(&number(&before.abi), &number(&after.abi)),
        }
    }
}

/// What decides a build beside its sources, by name.
fn texts(identity: &BuildIdentity) -> BTreeMap<String, String> {
    let compiler = &identity.compiler;
    let texts = [
        ("backend", identity.backend.to_string()),
        ("native version", identity.version.clone()),
        ("build profile", identity.profile.clone()),
        (
            "compiler",
            format!("{} {}", compiler.family, compiler.version),
        ),
        ("compiler target", compiler.target.clone()),
        ("flags", identity.flags.join(" ")),
        ("instruction set", identity.isa.clone()),
    ];
    let named = |(name, text): (&str, String)| (name.to_owned(), text);
    texts.into_iter().map(named).collect()
}

fn settings(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<Setting> {
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    let names = after.keys().chain(gone);
    let setting = |name: &String| Setting {
        name: name.clone(),
        before: before.get(name).cloned(),
        after: after.get(name).cloned(),
    };
    let settings = names.map(setting);
    settings
        .filter(|setting| setting.before != setting.after)
        .collect()
}

impl Changes {
    /// Of two maps from names to digests or values.
    pub fn of(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Changes {
        let mut changes = Changes::default();
        for setting in settings(before, after) {
            let names = match (setting.before, setting.after) {
                (None, _) => &mut changes.new,
                (_, None) => &mut changes.gone,
                _ => &mut changes.changed,
            };
            names.push(setting.name);
        }
        changes
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.new.is_empty() && self.gone.is_empty()
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.changed.len() + self.new.len() + self.gone.len()
    }
}

impl Difference {
    /// What the record of a comparison keeps of it.
    pub fn to_record(&self) -> BuildDifference {
        BuildDifference {
            same: self.same,
            reasons: self.reasons(),
        }
    }
}
