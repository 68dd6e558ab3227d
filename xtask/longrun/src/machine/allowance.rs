//! CPUs and memory that the control groups of this process allow (cgroup v1 and v2).

use std::collections::BTreeSet;
use std::path::Path;

use super::cgroup::{self, Group, Version};
use super::cpulist::parse_cpulist;
use super::files::{line, text};

/// Limits beyond this are what version 1 writes where none is set: 2^63 rounded down to a page.
const NO_LIMIT_BYTES: u64 = 1 << 60;

/// CPUs of the control groups: those that every group on the path has. `None` where no group says.
///
/// The affinity of a process usually holds them already; some sandboxes show the affinity of the
/// whole machine instead.
pub fn cpus(root: &Path) -> Option<BTreeSet<u32>> {
    let groups = cgroup::groups(root, "cpuset");
    let sets = groups.iter().filter_map(|group| cpus_of(root, group));
    sets.reduce(|all, group| all.intersection(&group).copied().collect())
        .filter(|cpus| !cpus.is_empty())
}

fn cpus_of(root: &Path, group: &Group) -> Option<BTreeSet<u32>> {
    let names: &[&str] = match group.version {
        Version::Two => &["cpuset.cpus.effective"],
        Version::One => &["cpuset.effective_cpus", "cpuset.cpus"],
    };
    let mut texts = names
        .iter()
        .filter_map(|name| text(root, &format!("{}/{name}", group.folder)));
    texts.find_map(|text| parse_cpulist(&text))
}

/// Memory that this process and its neighbours in the group may use; the smallest limit on the
/// path, in bytes. `None` where no limit is set or can be read.
pub fn memory_bytes(root: &Path) -> Option<u64> {
    let limit = |group: &Group| -> Option<u64> {
        let name = match group.version {
            Version::Two => "memory.max",
            Version::One => "memory.limit_in_bytes",
        };
        let text = line(root, &format!("{}/{name}", group.folder))?;
        text.parse().ok().filter(|bytes| *bytes < NO_LIMIT_BYTES)
    };
    cgroup::groups(root, "memory")
        .iter()
        .filter_map(limit)
        .min()
}

#[cfg(test)]
mod tests {
    use super::super::made::MadeMachine;
    use super::*;

    fn made(cgroup: &str, files: &[(&str, &str)]) -> MadeMachine {
        let made = MadeMachine::empty();
        made.file("proc/self/cgroup", cgroup);
        for (path, text) in files {
            made.file(path, text);
        }
        made
    }

    #[test]
    fn the_cpus_are_those_of_every_group_on_the_path() {
        let two = "sys/fs/cgroup/a/cpuset.cpus.effective";
        let inner = "sys/fs/cgroup/a/b/cpuset.cpus.effective";
        let one = "sys/fs/cgroup/cpuset/job/cpuset.cpus";
        let effective = "sys/fs/cgroup/cpuset/job/cpuset.effective_cpus";
        for (cgroup, files, expected) in [
            (
                "0::/a/b\n",
                vec![(two, "0-3\n"), (inner, "2-3\n")],
                Some(vec![2, 3]),
            ),
            (
                "0::/a/b\n",
                vec![(two, "0-1\n"), (inner, "\n")],
                Some(vec![0, 1]),
            ),
            ("3:cpuset:/job\n", vec![(one, "4,6\n")], Some(vec![4, 6])),
            (
                "3:cpuset:/job\n",
                vec![(one, "0-7\n"), (effective, "1\n")],
                Some(vec![1]),
            ),
            ("0::/a/b\n", vec![], None),
            ("0::/a/b\n", vec![(two, "rubbish")], None),
        ] {
            let cpus = cpus(made(cgroup, &files).root());
            let cpus = cpus.map(|cpus| cpus.into_iter().collect::<Vec<_>>());
            assert_eq!(cpus, expected, "{cgroup} {files:?}");
        }
    }

    #[test]
    fn the_smallest_memory_limit_counts_and_no_limit_is_none() {
        let outer = "sys/fs/cgroup/a/memory.max";
        let inner = "sys/fs/cgroup/a/b/memory.max";
        let one = "sys/fs/cgroup/memory/job/memory.limit_in_bytes";
        for (cgroup, files, expected) in [
            (
                "0::/a/b\n",
                vec![(outer, "1048576\n"), (inner, "2097152\n")],
                Some(1_048_576),
            ),
            ("0::/a/b\n", vec![(inner, "max\n")], None),
            ("4:memory:/job\n", vec![(one, "4096\n")], Some(4096)),
            (
                "4:memory:/job\n",
                vec![(one, "9223372036854771712\n")],
                None,
            ),
            ("", vec![], None),
        ] {
            let limit = memory_bytes(made(cgroup, &files).root());
            assert_eq!(limit, expected, "{cgroup} {files:?}");
        }
    }
}
