//! FFT plans that outlive a process.
//!
//! Planning anew in each process changes times by 10 to 30 %, and the rounding with them. So the
//! plans that a configuration needs are made once, by the worker task `prepare_fft`, and kept in
//! the user's cache: one additive store per FFT library and version, CPU and width. Timed runs
//! only read it. An index beside the store says what was prepared; it counts only while the
//! store is the file that it was written for.
//!
//! Nothing here keeps a run from being made: what fails is a note, and the run plans anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use longrun_protocol::request::{Request, Task};
use longrun_protocol::{BuildIdentity, Width};
use serde::{Deserialize, Serialize};

use crate::digest;
use crate::failure::{Failure, Outcome};
use crate::held::Held;
use crate::machine::Machine;
use crate::output;
use crate::patience::Patience;
use crate::run::bundle::Bundle;
use crate::run::judge::answered;
use crate::run::launch::{Common, Launched, ask, request};
use crate::run::plan::PlanItem;
use crate::user_cache;
use crate::whole_file::write_json;
use crate::workers::Workers;

/// Version of the index.
const INDEX_VERSION: u32 = 1;

/// Longest time in which one worker prepares, or another process is waited for.
const PREPARE_TIME_MAX: Duration = Duration::from_secs(1800);

/// Characters of a digest that name a CPU.
const CPU_NAME_LENGTH: usize = 16;

/// The stores for one native build on one machine.
#[derive(Debug)]
pub struct Wisdom {
    /// Folder with one store per width; else why there is none.
    folder: Result<PathBuf, &'static str>,
    build_key: String,
}

/// What preparing needs of a run.
pub struct Preparation<'a> {
    /// What its workers have in common.
    pub common: &'a Common<'a>,
    /// Where requests, receipts and logs go.
    pub bundle: &'a Bundle,
    /// Who does it.
    pub workers: &'a Workers,
}

/// What was prepared in one store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Index {
    version: u32,
    /// Digest of the store for which this was written.
    store_sha256: String,
    /// Names of what was prepared.
    prepared: BTreeSet<String>,
}

impl Wisdom {
    /// The stores of `build` on `machine`, in the user's cache.
    pub fn of(build: Option<&BuildIdentity>, machine: &Machine) -> Wisdom {
        let cpu = machine.cpu_model.as_deref();
        let signature = machine.signature.to_string();
        Wisdom::within(user_cache::folder(), build, cpu, &signature)
    }

    fn within(
        cache: Option<PathBuf>,
        build: Option<&BuildIdentity>,
        cpu_model: Option<&str>,
        signature: &str,
    ) -> Wisdom {
        let libraries = build.map(|build| &build.libraries);
        let folder = match (cache, libraries.and_then(provider), cpu_model) {
            (None, _, _) => Err("the environment names no cache folder"),
            (_, None, _) => Err("no version of an FFT library is known"),
            // Unlike machines with a shared home would read each other's plans.
            (_, _, None) => Err("the CPU is unknown"),
            (Some(cache), Some(provider), Some(model)) => {
                let cpu = digest::of_bytes(format!("{model}\n{signature}").as_bytes());
                let cpu: String = cpu.chars().take(CPU_NAME_LENGTH).collect();
                Ok(cache.join("wisdom").join(provider).join(cpu))
            }
        };
        Wisdom {
            folder,
            build_key: build.map_or_else(String::new, |build| build.build_key.clone()),
        }
    }

    /// Makes the plans of `items` that are not known to be there. Not part of any timed run.
    pub fn prepare<'a>(
        &self,
        preparation: &Preparation<'_>,
        items: impl Iterator<Item = (usize, &'a PlanItem)>,
    ) -> Outcome<()> {
        let mut asked = BTreeSet::new();
        for (index, item) in items.filter(|(_, item)| uses_plans(item)) {
            let Ok(folder) = &self.folder else { continue };
            let store = Store::of(folder, item.configuration.width);
            let name = self.name(item);
            let first = asked.insert((store.file.clone(), name.clone()));
            if !first || store.has(&name) || preparation.common.interrupt.raised() {
                continue;
            }
            let failed = store.prepare(preparation, (index, item), &name)?;
            if let Some(why) = failed.filter(|_| !preparation.common.interrupt.raised()) {
                output::note(format!(
                    "note: the FFT plans of `{}` were not prepared: {why}; its run plans anew",
                    item.configuration
                ));
            }
        }
        Ok(())
    }

    /// The store that a run of `item` reads, where there is one.
    pub fn file(&self, item: &PlanItem) -> Option<PathBuf> {
        let folder = self.folder.as_ref().ok().filter(|_| uses_plans(item))?;
        let store = Store::of(folder, item.configuration.width);
        store.file.is_file().then_some(store.file)
    }

    /// What a reader should know of the plans that a run used. What was missing is prepared before
    /// the next run.
    pub fn note(&self, item: &PlanItem, launched: &Launched) -> Option<String> {
        let report = launched.receipt.as_ref()?.wisdom?;
        if report.missing == 0 || !uses_plans(item) {
            return None;
        }
        let mut why = String::new();
        match &self.folder {
            Ok(folder) => Store::of(folder, item.configuration.width).forget(&self.name(item)),
            Err(reason) => why = format!(": {reason}"),
        }
        Some(format!(
            "{} of {} FFT plans were made in the process and not read{why}",
            report.missing, report.plans
        ))
    }

    /// Name of what `item` needs. The stepper is not in it: it changes no transform. The build is,
    /// because the code decides which transforms there are.
    fn name(&self, item: &PlanItem) -> String {
        let parameters = serde_json::Value::Object(item.parameters.clone());
        let text = format!("{}\n{parameters}\n{}", item.interface, self.build_key);
        digest::of_bytes(text.as_bytes())
    }
}

/// Whether the worker of `item` knows the task, and has plans to make.
fn uses_plans(item: &PlanItem) -> bool {
    item.fft_plans && item.configuration.engine.needs_library()
}

/// The libraries of a build as a folder name: `fftw3-3.3.10`. `None` where no version is known.
fn provider(libraries: &BTreeMap<String, String>) -> Option<String> {
    let sound = |c: char| match c.is_ascii_alphanumeric() || ".-".contains(c) {
        true => c,
        false => '_',
    };
    let names = libraries
        .iter()
        .map(|(name, version)| format!("{name}-{version}"));
    let name = names
        .collect::<Vec<_>>()
        .join("_")
        .chars()
        .map(sound)
        .collect::<String>();
    (!name.is_empty()).then_some(name)
}

/// One store with what belongs to it.
struct Store {
    file: PathBuf,
    index: PathBuf,
    lock: PathBuf,
}

impl Store {
    fn of(folder: &Path, width: Width) -> Store {
        Store {
            file: folder.join(format!("{width}.wisdom")),
            index: folder.join(format!("{width}.json")),
            lock: folder.join(format!("{width}.lock")),
        }
    }

    /// Whether what is called `name` was prepared and is still there.
    fn has(&self, name: &str) -> bool {
        self.read_index().prepared.contains(name)
    }

    /// The index; an empty one where it says nothing of the store as it is.
    fn read_index(&self) -> Index {
        let index = fs::read(&self.index).ok();
        let index: Option<Index> = index.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let store = digest::of_file(&self.file).ok();
        index
            .filter(|index| index.version == INDEX_VERSION)
            .filter(|index| Some(&index.store_sha256) == store.as_ref())
            .unwrap_or_default()
    }

    fn write_index(&self, prepared: BTreeSet<String>) -> Outcome<()> {
        let store_sha256 =
            digest::of_file(&self.file).map_err(|e| Failure::file("read", &self.file, e))?;
        let index = Index {
            version: INDEX_VERSION,
            store_sha256,
            prepared,
        };
        write_json(&self.index, &index)
    }

    /// Takes `name` for not prepared from now on.
    fn forget(&self, name: &str) {
        let mut prepared = self.read_index().prepared;
        if prepared.remove(name) {
            // If it cannot be written, the next run says again that plans were missing.
            let _ = self.write_index(prepared);
        }
    }

    /// Lets a worker add the plans; the reason if that cannot be done.
    fn prepare(
        &self,
        preparation: &Preparation<'_>,
        (index, item): (usize, &PlanItem),
        name: &str,
    ) -> Outcome<Option<String>> {
        let _lock = match self.acquire(preparation.common) {
            Ok(lock) => lock,
            Err(failure) => return Ok(Some(failure.message)),
        };
        // Another run may have done it meanwhile.
        let mut prepared = self.read_index().prepared;
        if prepared.contains(name) {
            return Ok(None);
        }
        output::note(format!(
            "preparing FFT plans (once per machine) for {}",
            item.configuration
        ));
        if let Some(why) = self.run_worker(preparation, index, item)? {
            return Ok(Some(why));
        }
        prepared.insert(name.to_owned());
        Ok(self
            .write_index(prepared)
            .err()
            .map(|failure| failure.message))
    }

    fn run_worker(
        &self,
        preparation: &Preparation<'_>,
        index: usize,
        item: &PlanItem,
    ) -> Outcome<Option<String>> {
        let Preparation {
            common,
            bundle,
            workers,
        } = preparation;
        let width = item.configuration.width.to_string();
        let place = bundle.plans_place(index, &item.configuration.case, &width)?;
        let common = Common {
            timeout: common.timeout.min(PREPARE_TIME_MAX),
            library: common.library.clone(),
            keep_state: false,
            ..**common
        };
        let request = Request {
            task: Task::PrepareFft,
            wisdom: Some(self.file.clone()),
            ..request(&common, item, &place.request_id)
        };
        let program = workers.program(&item.worker)?;
        let asked = ask(&common, &request, &place.folder, program, &mut |_| {})?;
        let answer = answered(&request, common.timeout, &asked.aftermath, &asked.reading);
        Ok(match answer {
            Err(judgement) => Some(judgement.reason),
            Ok(receipt) if receipt.wisdom.is_none() => {
                Some("its worker does not say what it added".to_owned())
            }
            Ok(_) if !self.file.is_file() => Some("its worker left no store".to_owned()),
            Ok(_) => None,
        })
    }

    fn acquire(&self, common: &Common<'_>) -> Outcome<Held> {
        let folder = self.lock.parent().unwrap_or(&self.lock);
        fs::create_dir_all(folder).map_err(|e| Failure::file("create", folder, e))?;
        let patience = Patience {
            limit: PREPARE_TIME_MAX,
            interrupt: common.interrupt,
        };
        patience.lock(&self.lock, "waiting for another run to prepare FFT plans")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn store(folder: &Path) -> Store {
        Store::of(folder, Width::Threads(2))
    }

    #[test]
    fn the_index_counts_only_while_the_store_is_what_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        assert!(!store.has("a"));
        fs::write(&store.file, "plans").unwrap();
        store.write_index(BTreeSet::from(["a".to_owned()])).unwrap();
        assert!(store.has("a") && !store.has("b"));
        fs::write(&store.file, "other plans").unwrap();
        assert!(!store.has("a"));
        fs::remove_file(&store.file).unwrap();
        assert!(!store.has("a"));
    }

    #[test]
    fn a_damaged_index_knows_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        fs::write(&store.file, "plans").unwrap();
        store.write_index(BTreeSet::from(["a".to_owned()])).unwrap();
        let text = fs::read_to_string(&store.index).unwrap();
        for damaged in ["", "{", &text.replace("\"version\": 1", "\"version\": 2")] {
            fs::write(&store.index, damaged).unwrap();
            assert!(!store.has("a"), "{damaged}");
        }
    }

    #[test]
    fn what_is_forgotten_is_not_prepared_and_the_rest_is() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        fs::write(&store.file, "plans").unwrap();
        let both = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        store.write_index(both).unwrap();
        store.forget("a");
        assert!(!store.has("a") && store.has("b"));
    }

    #[test]
    fn a_store_belongs_to_a_library_a_version_and_a_cpu() {
        let build = |version: &str| BuildIdentity {
            schema_version: 1,
            build_key: "k".into(),
            backend: longrun_protocol::Backend::Cpu,
            version: "0".into(),
            profile: "Release".into(),
            compiler: longrun_protocol::Compiler {
                family: "gnu".into(),
                version: "12".into(),
                target: "t".into(),
            },
            flags: Vec::new(),
            isa: String::new(),
            libraries: BTreeMap::from([("fftw3".into(), version.into())]),
            abi: BTreeMap::new(),
            sources: BTreeMap::new(),
        };
        let cache = || Some(PathBuf::from("/c"));
        let of = |version: &str, cpu, signature: &str| {
            Wisdom::within(cache(), Some(&build(version)), cpu, signature).folder
        };
        let first = of("3.3.10", Some("EPYC"), "model=1").unwrap();
        assert!(first.starts_with("/c/wisdom/fftw3-3.3.10"), "{first:?}");
        assert_ne!(of("3.3.9", Some("EPYC"), "model=1").unwrap(), first);
        assert_ne!(of("3.3.10", Some("Xeon"), "model=1").unwrap(), first);
        assert_ne!(of("3.3.10", Some("EPYC"), "model=2").unwrap(), first);
        let odd = of("../3", Some("EPYC"), "model=1").unwrap();
        assert!(odd.starts_with("/c/wisdom/fftw3-.._3"), "{odd:?}");
        assert!(of("3.3.10", None, "model=1").is_err());
        assert!(
            Wisdom::within(cache(), None, Some("EPYC"), "")
                .folder
                .is_err()
        );
        let without = Wisdom::within(None, Some(&build("3")), Some("EPYC"), "");
        assert!(without.folder.is_err());
    }
}
