//! Reads all that `doctor` grades, and changes nothing: no setting of the machine, and no file but
//! scratch files of the compiler tests, which are removed.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::finding::Finding;
use super::ground::{self, Checkout, Folder, Ground, Needs};
use super::hardware::{self, Hardware};
use super::recording::{self, History, Obstacle};
use super::surroundings::{self, Surroundings};
use crate::cli::{DoctorArgs, SelectionArgs};
use crate::failure::{Failure, Outcome};
use crate::history;
use crate::machine::busiest::{Busiest, Watch};
use crate::machine::conditions::{self, Conditions};
use crate::machine::facts::{self, Facts};
use crate::machine::gpu::{self, Gpus};
use crate::machine::{self, Machine, MachineOptions, busy, cloud, process};
use crate::project::Project;
use crate::registry::Registry;
use crate::run::plan::{Plan, Widths};
use crate::setup::find::{self, Finding as Tool};
use crate::setup::host::Host;
use crate::user_cache;

/// Where the system's own files are.
const SYSTEM: &str = "/";

/// Beginnings of the names of variables that concern threads or load tools into programs.
const VARIABLES: [&str; 8] = [
    "OMP_",
    "GOMP_",
    "KMP_",
    "OPENBLAS_",
    "MKL_",
    "KOKKOS_",
    "LD_PRELOAD",
    "DYLD_INSERT",
];

/// Readings of the clock among which the smallest step is looked for.
const CLOCK_READINGS: u32 = 10_000;

/// Everything that was read.
pub struct Survey {
    /// What the system says.
    pub facts: Facts,
    /// The hardware set.
    pub machine: Machine,
    conditions: Conditions,
    gpus: Gpus,
    others_cpus: Option<f64>,
    busiest: Option<Busiest>,
    clock_step: Option<Duration>,
    now_s: Option<u64>,
    variables: Vec<String>,
    tools: Result<Vec<Tool>, String>,
    checkout: Result<Checkout, String>,
    plan: Result<Needs, String>,
    work: Folder,
    cache: Folder,
    history: History,
}

impl Survey {
    /// Reads this machine and this project.
    pub fn take(project: &Project, args: &DoctorArgs) -> Survey {
        let facts = facts::read();
        let machine = machine::describe(
            &facts,
            &MachineOptions {
                production: None,
                instance_type: args.instance_type.clone(),
            },
        );
        let cpus = facts.usable().unwrap_or_default();
        let mut watch = Watch::begin();
        let load = LoadWatch::begin(&cpus);
        let work = folder(Some(project.work()));
        let (tools, gpus) = (tools(project, &work), gpu::read());
        Survey {
            others_cpus: load.others(),
            busiest: watch.look(),
            conditions: conditions::read(Path::new(SYSTEM), &cpus),
            clock_step: clock_step(),
            now_s: now_s(),
            variables: variables(env::vars_os()),
            checkout: checkout(project).map_err(first_line),
            plan: needs(project, &machine).map_err(first_line),
            cache: folder(user_cache::folder()),
            history: history_of(project, &machine.slug),
            facts,
            machine,
            gpus,
            tools,
            work,
        }
    }

    /// Memory that runs may use: the machine's, or what the control group allows of it.
    pub fn memory_bytes(&self) -> Option<u64> {
        let sizes = [
            self.machine.memory_total_bytes,
            self.machine.memory_limit_bytes,
        ];
        sizes.into_iter().flatten().min()
    }

    /// Memory that is free, as far as the system tells, and within the control group's limit.
    pub fn available_bytes(&self) -> Option<u64> {
        let free = self.conditions.memory_available_bytes?;
        Some(free.min(self.memory_bytes().unwrap_or(free)))
    }

    /// Grades all of it.
    pub fn findings(&self, instance_type: Option<&str>) -> Vec<Finding> {
        let vendor = self.facts.dmi_vendor.as_deref();
        let product = self.facts.dmi_product.as_deref();
        let online = self.facts.online.as_ref();
        let mut findings = ground::grade(&Ground {
            tools: &self.tools,
            checkout: &self.checkout,
            plan: &self.plan,
            work: &self.work,
            cache: &self.cache,
            memory_bytes: self.memory_bytes(),
            available_bytes: self.available_bytes(),
        });
        findings.extend(recording::grade(&self.history));
        findings.extend(hardware::grade(&Hardware {
            machine: &self.machine,
            online: online.and_then(|cpus| u32::try_from(cpus.len()).ok()),
            type_hidden: instance_type.is_none() && cloud::needs_flag(vendor, product),
            gpus: &self.gpus,
        }));
        findings.extend(surroundings::grade(&Surroundings {
            conditions: &self.conditions,
            others_cpus: self.others_cpus,
            busiest: self.busiest.as_ref(),
            logical_cpus: self.machine.logical_cpus,
            clock_step: self.clock_step,
            now_s: self.now_s,
            variables: &self.variables,
        }));
        findings
    }
}

/// Watches the CPUs while other things are looked at: that takes long enough.
struct LoadWatch<'a> {
    cpus: &'a BTreeSet<u32>,
    before: busy::Counters,
    own: Option<Duration>,
    began: Instant,
}

impl<'a> LoadWatch<'a> {
    fn begin(cpus: &'a BTreeSet<u32>) -> Self {
        LoadWatch {
            cpus,
            before: busy::read(Path::new(SYSTEM), Some(cpus)),
            own: own_cpu(),
            began: Instant::now(),
        }
    }

    fn others(&self) -> Option<f64> {
        let after = busy::read(Path::new(SYSTEM), Some(self.cpus));
        let own = own_cpu()?.checked_sub(self.own?)?;
        busy::others(&self.before, &after, own, self.began.elapsed())
    }
}

/// CPU time of this process and all that it started.
fn own_cpu() -> Option<Duration> {
    process::cpu_time(Path::new(SYSTEM), std::process::id())
}

/// What the build needs. Its tests need a folder for scratch files.
fn tools(project: &Project, work: &Folder) -> Result<Vec<Tool>, String> {
    if work.writable == Some(false) {
        return Err("there is no place for the scratch files of a test".to_owned());
    }
    find::all(&Host::current(), &project.root).map_err(first_line)
}

fn checkout(project: &Project) -> Outcome<Checkout> {
    let state = project.open_repo()?.state(&project.watched_scope())?;
    Ok(Checkout {
        commit: state.commit,
        branch: state.branch,
        dirty: state.dirty.len(),
    })
}

/// What `history` can read, and what `track` and `history --retract` would be refused for.
fn history_of(project: &Project, slug: &str) -> History {
    History {
        file: project.history_file(slug),
        runs: history::recorded_runs(project, slug).map_err(first_line),
        obstacle: obstacle(project, slug).unwrap_or_else(|failure| {
            // Where there is no repository, nothing can be recorded either.
            Some(Obstacle::File(first_line(failure)))
        }),
    }
}

fn obstacle(project: &Project, slug: &str) -> Outcome<Option<Obstacle>> {
    let repo = project.open_repo()?;
    if let Some(failure) = history::unextendable(project, &repo, slug)? {
        return Ok(Some(Obstacle::File(first_line(failure))));
    }
    let why = repo.recording_obstacle(&project.history_file(slug))?;
    Ok(why.map(Obstacle::Commit))
}

/// What the default plan needs here.
fn needs(project: &Project, machine: &Machine) -> Outcome<Needs> {
    let registry = Registry::load(&project.registry())?;
    let widths = Widths {
        production: machine.production,
        cores: machine.physical_cores,
    };
    let suite = &project.settings.default_suite;
    let plan = Plan::build(&registry, &SelectionArgs::default(), suite, widths)?;
    let memory = plan.items.iter().filter_map(|item| {
        let estimate = item.estimate?;
        Some((estimate.memory_bytes, item.configuration.to_string()))
    });
    Ok(Needs {
        configurations: plan.items.len(),
        memory: memory.max(),
    })
}

/// The first line of a failure: the rest lists details that the command at hand shows better.
fn first_line(failure: Failure) -> String {
    let line = failure.message.lines().next().unwrap_or_default();
    line.trim_end_matches(':').to_owned()
}

/// A folder that is, or will be, written into.
fn folder(path: Option<PathBuf>) -> Folder {
    // What does not exist yet is created in the nearest folder that does.
    let existing = path
        .as_deref()
        .and_then(|path| path.ancestors().find(|up| up.exists()));
    Folder {
        writable: existing.and_then(writable),
        free_bytes: existing.and_then(free_bytes),
        path,
    }
}

#[cfg(unix)]
fn writable(folder: &Path) -> Option<bool> {
    use rustix::fs::{Access, access};
    let access = access(folder, Access::WRITE_OK | Access::EXEC_OK);
    Some(folder.is_dir() && access.is_ok())
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let space = rustix::fs::statvfs(folder).ok()?;
    space.f_bavail.checked_mul(space.f_frsize)
}

#[cfg(not(unix))]
fn writable(_folder: &Path) -> Option<bool> {
    None
}

#[cfg(not(unix))]
fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}

/// Names of those variables that concern threads or load tools, sorted.
fn variables(variables: impl Iterator<Item = (OsString, OsString)>) -> Vec<String> {
    let names = variables.filter_map(|(name, _)| name.into_string().ok());
    let concern = |name: &String| VARIABLES.iter().any(|start| name.starts_with(start));
    let mut names: Vec<String> = names.filter(concern).collect();
    names.sort();
    names
}

/// The smallest step that the monotonic clock is seen to take.
fn clock_step() -> Option<Duration> {
    let mut last = Instant::now();
    let steps = (0..CLOCK_READINGS).map(|_| {
        let now = Instant::now();
        let step = now.saturating_duration_since(last);
        last = now;
        step
    });
    steps.filter(|step| !step.is_zero()).min()
}

fn now_s() -> Option<u64> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.ok().map(|since| since.as_secs())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn variables_that_concern_threads_or_tools_are_named_without_their_values() {
        let set = [
            "PATH",
            "OMP_NUM_THREADS",
            "KOKKOS_TOOLS_LIBS",
            "KMP_AFFINITY",
            "HOMP_",
        ];
        let set = set.map(|name| (OsString::from(name), OsString::from("secret")));
        let expected = ["KMP_AFFINITY", "KOKKOS_TOOLS_LIBS", "OMP_NUM_THREADS"];
        assert_eq!(variables(set.into_iter()), expected);
    }

    #[test]
    fn the_clock_moves() {
        assert!(clock_step().is_some_and(|step| step < Duration::from_secs(1)));
    }

    #[test]
    fn a_folder_that_is_not_there_yet_has_the_space_of_the_nearest_above() {
        let made = tempfile::tempdir().unwrap();
        let found = folder(Some(made.path().join("a/b/c")));
        assert_eq!(found.writable, Some(true));
        assert!(found.free_bytes.is_some());
        assert!(!made.path().join("a").exists());
        assert_eq!(folder(None).writable, None);
    }

    #[test]
    fn a_failure_is_told_in_one_line() {
        let failure = Failure::usage("failed to read the registry:\n  a\n  b");
        assert_eq!(first_line(failure), "failed to read the registry");
    }
}
