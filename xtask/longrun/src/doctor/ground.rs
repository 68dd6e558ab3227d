//! Grades what the commands stand on: tools, the repository, the plan, folders, memory.
//! Pure.

use std::path::PathBuf;

use super::finding::{Finding, Grade};
use crate::setup::find::{Finding as Tool, State};
use crate::text;

/// Free space below which nothing can be built.
const DISK_MIN_BYTES: u64 = 100 << 20;

/// Free space that builds of the workers and some runs need.
const DISK_GOOD_BYTES: u64 = 2 << 30;

/// A folder that Longrun writes into.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Where it is or will be; `None` where nothing says.
    pub path: Option<PathBuf>,
    /// Whether it, or where it will be created, can be written; `None` is unknown.
    pub writable: Option<bool>,
    /// Free space there.
    pub free_bytes: Option<u64>,
}

/// What is checked out.
#[derive(Clone, Debug)]
pub struct Checkout {
    /// Commit, in full.
    pub commit: String,
    /// Branch; `None` where the checkout is detached.
    pub branch: Option<String>,
    /// Watched paths that are not committed.
    pub dirty: usize,
}

/// What the default plan needs.
#[derive(Clone, Debug)]
pub struct Needs {
    /// How many configurations it has.
    pub configurations: usize,
    /// Memory of the largest of them and its name; `None` where no estimate says.
    pub memory: Option<(u64, String)>,
}

/// What the commands stand on.
pub struct Ground<'a> {
    /// What the build needs, as far as it was looked for; otherwise why not.
    pub tools: &'a Result<Vec<Tool>, String>,
    /// The repository; otherwise why it cannot be used.
    pub checkout: &'a Result<Checkout, String>,
    /// The default plan; otherwise why there is none.
    pub plan: &'a Result<Needs, String>,
    /// Folder of builds and bundles.
    pub work: &'a Folder,
    /// The user's cache folder, which holds what outlives `target`.
    pub cache: &'a Folder,
    /// Main memory, within the control group's limit.
    pub memory_bytes: Option<u64>,
    /// Memory that is free now.
    pub available_bytes: Option<u64>,
}

/// Grades all of it, in the order of the report.
pub fn grade(ground: &Ground<'_>) -> Vec<Finding> {
    let mut findings = tools(ground.tools);
    findings.extend([
        repository(ground.checkout),
        plan(ground.plan),
        memory(ground.plan, ground.memory_bytes, ground.available_bytes),
        work_folder(ground.work),
        disk(ground.work.free_bytes),
        cache_folder(ground.cache),
    ]);
    findings
}

fn tools(tools: &Result<Vec<Tool>, String>) -> Vec<Finding> {
    match tools {
        Ok(tools) => tools.iter().map(tool).collect(),
        Err(why) => {
            let next = format!("nothing was tried: {why}");
            vec![Finding::unknown("tools", Grade::Warn).next(next)]
        }
    }
}

fn tool(tool: &Tool) -> Finding {
    let topic = tool.need.key();
    let install = "`cargo xtask setup` shows the line that installs it";
    match (&tool.state, tool.need.required()) {
        (
            State::Found {
                version: Some(version),
            },
            _,
        ) => Finding::new(topic, Grade::Ok, version.clone()),
        (State::Found { version: None }, _) => {
            Finding::new(topic, Grade::Ok, "found, version unknown")
        }
        (State::Missing { reason }, true) => {
            Finding::new(topic, Grade::Blocked, format!("missing: {reason}")).next(install)
        }
        (State::Missing { reason }, false) => {
            Finding::new(topic, Grade::Note, format!("missing: {reason}")).next(install)
        }
    }
}

fn repository(checkout: &Result<Checkout, String>) -> Finding {
    let topic = "repository";
    let checkout = match checkout {
        Ok(checkout) => checkout,
        Err(why) => {
            return Finding::new(topic, Grade::Blocked, why.clone())
                .next("build and track need the repository: put it right");
        }
    };
    let branch = match &checkout.branch {
        Some(branch) => format!("on {branch}"),
        None => "detached".to_owned(),
    };
    let commit = format!("commit {:.12}, {branch}", checkout.commit);
    match checkout.dirty {
        0 => Finding::new(topic, Grade::Ok, format!("{commit}, nothing uncommitted")),
        dirty => {
            let files = text::counted(dirty, "watched file");
            Finding::new(
                topic,
                Grade::Note,
                format!("{commit}, {files} not committed"),
            )
            .next("commit before recording: `track --append-history` refuses otherwise")
        }
    }
}

fn plan(plan: &Result<Needs, String>) -> Finding {
    let topic = "plan";
    match plan {
        Ok(needs) => {
            let count = text::counted(needs.configurations, "configuration");
            Finding::new(topic, Grade::Ok, format!("{count} by default"))
        }
        Err(why) => Finding::new(topic, Grade::Blocked, why.clone())
            .next("put the registry right: `cargo xtask list` names every defect"),
    }
}

fn memory(plan: &Result<Needs, String>, total: Option<u64>, available: Option<u64>) -> Finding {
    let topic = "memory";
    let here = match total {
        Some(total) => text::bytes(total),
        None => "an unknown amount".to_owned(),
    };
    let free = available.map(|bytes| format!(", {} free", text::bytes(bytes)));
    let here = format!("{here}{}", free.unwrap_or_default());
    let largest = plan.as_ref().ok().and_then(|needs| needs.memory.as_ref());
    let Some((bytes, name)) = largest else {
        return Finding::new(
            topic,
            Grade::Note,
            format!("{here}; what the plan needs is unknown"),
        );
    };
    let need = format!("{here}; at most {} needed ({name})", text::bytes(*bytes));
    match (total, available) {
        (Some(total), _) if *bytes > total => Finding::new(topic, Grade::Warn, need)
            .next("select other cases, or another size: that one cannot run here"),
        (_, Some(available)) if *bytes > available => Finding::new(topic, Grade::Warn, need)
            .next("end what uses the memory: that one would swap or be ended"),
        (None, None) => Finding::new(topic, Grade::Note, need),
        _ => Finding::new(topic, Grade::Ok, need),
    }
}

fn work_folder(folder: &Folder) -> Finding {
    let topic = "work_folder";
    match folder.writable {
        Some(true) => Finding::new(topic, Grade::Ok, "target/longrun can be written"),
        Some(false) => Finding::new(topic, Grade::Blocked, "target/longrun cannot be written")
            .next("make target writable: builds and bundles lie in it"),
        None => Finding::unknown(topic, Grade::Note),
    }
}

fn disk(free: Option<u64>) -> Finding {
    let topic = "disk";
    let Some(free) = free else {
        return Finding::unknown(topic, Grade::Note);
    };
    let found = format!("{} free", text::bytes(free));
    let next = "free some: folders in target/longrun/runs are bundles of earlier runs";
    if free < DISK_MIN_BYTES {
        return Finding::new(topic, Grade::Blocked, found).next(next);
    }
    match free < DISK_GOOD_BYTES {
        true => Finding::new(topic, Grade::Warn, found).next(next),
        false => Finding::new(topic, Grade::Ok, found),
    }
}

fn cache_folder(folder: &Folder) -> Finding {
    let topic = "cache_folder";
    let next = "set XDG_CACHE_HOME to a folder that can be written: FFT plans are kept there";
    match (&folder.path, folder.writable) {
        (Some(_), Some(true)) => Finding::new(topic, Grade::Ok, "it can be written"),
        (Some(_), Some(false)) => {
            Finding::new(topic, Grade::Warn, "it cannot be written").next(next)
        }
        (Some(_), None) => Finding::unknown(topic, Grade::Note),
        (None, _) => Finding::new(topic, Grade::Warn, "no variable says where it is").next(next),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::check;
    use super::*;
    use crate::setup::packages::Need;

    #[test]
    fn a_missing_tool_blocks_only_where_it_is_required() {
        let missing = || State::Missing {
            reason: "no `x` in PATH".to_owned(),
        };
        let found = |version: Option<&str>| State::Found {
            version: version.map(str::to_owned),
        };
        for (need, state, grade, text, step) in [
            (
                Need::Cmake,
                found(Some("cmake 3.25")),
                Grade::Ok,
                "cmake 3.25",
                false,
            ),
            (
                Need::Cmake,
                found(None),
                Grade::Ok,
                "version unknown",
                false,
            ),
            (Need::Cmake, missing(), Grade::Blocked, "no `x`", true),
            (
                Need::CxxCompiler,
                missing(),
                Grade::Blocked,
                "missing",
                true,
            ),
            (Need::Git, missing(), Grade::Note, "missing", true),
            (Need::Openblas, missing(), Grade::Blocked, "missing", true),
        ] {
            let finding = tool(&Tool { need, state });
            assert_eq!(finding.topic, need.key());
            check(&finding, grade, Some(text), step);
        }
        let untried = tools(&Err("the disk is full".to_owned()));
        check(&untried[0], Grade::Warn, None, true);
    }

    fn checkout(branch: Option<&str>, dirty: usize) -> Result<Checkout, String> {
        Ok(Checkout {
            commit: "0123456789abcdef0123".to_owned(),
            branch: branch.map(str::to_owned),
            dirty,
        })
    }

    #[test]
    fn uncommitted_files_are_noted_and_no_repository_blocks() {
        let clean = repository(&checkout(Some("main"), 0));
        check(
            &clean,
            Grade::Ok,
            Some("commit 0123456789ab, on main"),
            false,
        );
        check(
            &repository(&checkout(None, 0)),
            Grade::Ok,
            Some("detached"),
            false,
        );
        let dirty = repository(&checkout(Some("main"), 2));
        check(
            &dirty,
            Grade::Note,
            Some("2 watched files not committed"),
            true,
        );
        let none = repository(&Err("it is bare".to_owned()));
        check(&none, Grade::Blocked, Some("it is bare"), true);
    }

    fn needs(bytes: Option<u64>) -> Result<Needs, String> {
        Ok(Needs {
            configurations: 3,
            memory: bytes.map(|bytes| (bytes, "big".to_owned())),
        })
    }

    #[test]
    fn memory_is_held_against_the_largest_configuration() {
        let gib = |number: u64| number << 30;
        for (need, total, available, grade, found) in [
            (
                Some(1),
                Some(4),
                Some(3),
                Grade::Ok,
                "1.00 GiB needed (big)",
            ),
            (Some(3), Some(4), Some(2), Grade::Warn, "2.00 GiB free"),
            (Some(5), Some(4), Some(4), Grade::Warn, "5.00 GiB"),
            (Some(5), Some(4), None, Grade::Warn, "5.00 GiB"),
            (Some(3), Some(4), None, Grade::Ok, "3.00 GiB"),
            (Some(1), None, None, Grade::Note, "unknown amount"),
            (None, Some(4), None, Grade::Note, "needs is unknown"),
        ] {
            let needs = needs(need.map(gib));
            let finding = memory(&needs, total.map(gib), available.map(gib));
            check(&finding, grade, Some(found), grade == Grade::Warn);
        }
    }

    #[test]
    fn a_registry_with_a_defect_blocks_and_hides_what_is_needed() {
        let broken = Err("line 3: no".to_owned());
        let hidden = memory(&broken, None, None);
        check(&hidden, Grade::Note, Some("is unknown"), false);
        check(&plan(&broken), Grade::Blocked, Some("line 3"), true);
        let sound = plan(&needs(None));
        check(&sound, Grade::Ok, Some("3 configurations"), false);
    }

    fn folder(path: Option<&str>, writable: Option<bool>) -> Folder {
        Folder {
            path: path.map(PathBuf::from),
            writable,
            free_bytes: None,
        }
    }

    #[test]
    fn folders_that_cannot_be_written_are_blocked_or_warned_of() {
        for (path, writable, work, cache) in [
            (Some("x"), Some(true), Grade::Ok, Grade::Ok),
            (Some("x"), Some(false), Grade::Blocked, Grade::Warn),
            (Some("x"), None, Grade::Note, Grade::Note),
            (None, Some(true), Grade::Ok, Grade::Warn),
        ] {
            let folder = folder(path, writable);
            assert_eq!(work_folder(&folder).grade, work, "{folder:?}");
            assert_eq!(cache_folder(&folder).grade, cache, "{folder:?}");
        }
        check(
            &work_folder(&folder(Some("x"), None)),
            Grade::Note,
            None,
            false,
        );
    }

    #[test]
    fn a_disk_that_is_nearly_full_blocks() {
        for (free, grade, found, step) in [
            (
                Some(DISK_GOOD_BYTES),
                Grade::Ok,
                Some("2.00 GiB free"),
                false,
            ),
            (Some(DISK_GOOD_BYTES - 1), Grade::Warn, Some("free"), true),
            (Some(DISK_MIN_BYTES), Grade::Warn, Some("100 MiB"), true),
            (Some(DISK_MIN_BYTES - 1), Grade::Blocked, Some("free"), true),
            (Some(0), Grade::Blocked, Some("0 B"), true),
            (None, Grade::Note, None, false),
        ] {
            check(&disk(free), grade, found, step);
        }
    }
}
