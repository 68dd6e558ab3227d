//! Thin readers of a Linux system: files below a root, so that tests use made trees, and `lscpu`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::cpuinfo::{self, CpuNames};
use super::cpulist::parse_cpulist;
use super::facts::{Cache, CoreId, Facts};
use super::files::{line, names, text};
use super::{allowance, process, quota};

/// How long `lscpu` may take.
const LSCPU_LIMIT: Duration = Duration::from_secs(5);

/// Capacity of the fastest CPU of a machine.
const CAPACITY_MAX: u32 = 1024;

/// Capacity given to the efficiency cores of x86, about which the system says only that they are.
const CAPACITY_ATOM: u32 = 512;

/// Reads a Linux system whose files lie under `root`. `lscpu` is asked only where
/// `/proc/cpuinfo` has no model name, as on Arm; where it does not know either, the numbers of the
/// core design decide.
pub fn read(root: &Path, lscpu: impl Fn() -> Option<String>) -> Facts {
    let mut facts = Facts::unknown("linux");
    facts.allowed = allowed(root);
    facts.online = text(root, "sys/devices/system/cpu/online").and_then(|t| parse_cpulist(&t));
    let usable = facts.usable().unwrap_or_default();
    for &cpu in &usable {
        if let Some(core) = core_id(root, cpu) {
            facts.cores.insert(cpu, core);
        }
    }
    facts.capacities = capacities(root, &usable);
    facts.nodes = nodes(root);
    facts.cpu = text(root, "proc/cpuinfo").map_or_else(CpuNames::default, |t| cpuinfo::parse(&t));
    if facts.cpu.name.is_none() {
        if let Some(said) = lscpu() {
            facts.cpu.complete_from_lscpu(&said);
        }
        facts.cpu.complete_from_part();
    }
    if let Some(&first) = usable.first() {
        facts.caches = caches(root, first);
    }
    facts.max_khz = usable.iter().filter_map(|&cpu| max_khz(root, cpu)).max();
    facts.quota = quota::read(root);
    facts.memory_limit_bytes = allowance::memory_bytes(root);
    facts.os_name = text(root, "etc/os-release").and_then(|t| pretty_name(&t));
    facts.kernel_release = line(root, "proc/sys/kernel/osrelease");
    facts.dmi_vendor = line(root, "sys/class/dmi/id/sys_vendor");
    facts.dmi_product = line(root, "sys/class/dmi/id/product_name");
    facts
}

/// The affinity of this process, within what its control groups allow.
fn allowed(root: &Path) -> Option<BTreeSet<u32>> {
    let status = text(root, "proc/self/status")?;
    let list = status
        .lines()
        .find_map(|l| l.strip_prefix("Cpus_allowed_list:"))?;
    let affinity = parse_cpulist(list)?;
    let both = allowance::cpus(root).map(|cpus| affinity.intersection(&cpus).copied().collect());
    match both {
        Some(both) if !BTreeSet::is_empty(&both) => Some(both),
        _ => Some(affinity),
    }
}

fn core_id(root: &Path, cpu: u32) -> Option<CoreId> {
    let number = |name: &str| -> Option<i64> {
        let path = format!("sys/devices/system/cpu/cpu{cpu}/topology/{name}");
        line(root, &path)?.parse().ok()
    };
    Some(CoreId {
        package: number("physical_package_id")?,
        die: number("die_id"),
        core: number("core_id")?,
    })
}

/// Relative speed of each CPU; empty unless it is known of all of them.
///
/// Hybrid x86 names the CPUs of each kind; its capacities differ even between cores of one kind,
/// some of which may clock higher than others.
fn capacities(root: &Path, usable: &BTreeSet<u32>) -> BTreeMap<u32, u32> {
    let list = |kind: &str| {
        let text = text(root, &format!("sys/devices/{kind}/cpus"));
        text.and_then(|text| parse_cpulist(&text))
    };
    let kinds = list("cpu_core").zip(list("cpu_atom"));
    let capacity = |cpu: u32| match &kinds {
        Some((fast, _)) if fast.contains(&cpu) => Some(CAPACITY_MAX),
        Some((_, slow)) => slow.contains(&cpu).then_some(CAPACITY_ATOM),
        None => line(
            root,
            &format!("sys/devices/system/cpu/cpu{cpu}/cpu_capacity"),
        )?
        .parse()
        .ok()
        .filter(|capacity| *capacity > 0),
    };
    let all: Option<BTreeMap<u32, u32>> = usable
        .iter()
        .map(|&cpu| Some((cpu, capacity(cpu)?)))
        .collect();
    all.unwrap_or_default()
}

fn nodes(root: &Path) -> Option<BTreeMap<u32, BTreeSet<u32>>> {
    let folder = "sys/devices/system/node";
    let mut nodes = BTreeMap::new();
    for name in names(root, folder)? {
        let Some(Ok(number)) = name.strip_prefix("node").map(str::parse::<u32>) else {
            continue;
        };
        // A domain of memory alone has an empty list.
        let list = text(root, &format!("{folder}/{name}/cpulist"))?;
        nodes.insert(number, parse_cpulist(&list).unwrap_or_default());
    }
    (!nodes.is_empty()).then_some(nodes)
}

fn caches(root: &Path, cpu: u32) -> Vec<Cache> {
    let folder = format!("sys/devices/system/cpu/cpu{cpu}/cache");
    let mut caches: Vec<Cache> = names(root, &folder)
        .unwrap_or_default()
        .iter()
        .filter(|name| name.starts_with("index"))
        .filter_map(|name| cache(root, &format!("{folder}/{name}")))
        .collect();
    caches.sort();
    caches
}

/// One cache; a size of zero is not known.
fn cache(root: &Path, folder: &str) -> Option<Cache> {
    let value = |name: &str| line(root, &format!("{folder}/{name}"));
    let sharing = value("shared_cpu_list").and_then(|list| parse_cpulist(&list));
    Some(Cache {
        level: value("level")?.parse().ok()?,
        kind: value("type")?,
        size: value("size").filter(|size| !size.trim_matches('0').trim_matches('K').is_empty())?,
        shared_by: sharing.and_then(|cpus| u32::try_from(cpus.len()).ok()),
    })
}

fn max_khz(root: &Path, cpu: u32) -> Option<u64> {
    let path = format!("sys/devices/system/cpu/cpu{cpu}/cpufreq/cpuinfo_max_freq");
    line(root, &path)?.parse().ok().filter(|khz| *khz > 0)
}

fn pretty_name(os_release: &str) -> Option<String> {
    let value = os_release
        .lines()
        .find_map(|l| l.strip_prefix("PRETTY_NAME="))?;
    let name = value.trim().trim_matches(['"', '\'']).trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// What `lscpu` prints in the C locale.
pub fn lscpu() -> Option<String> {
    let mut command = Command::new("lscpu");
    command.env("LC_ALL", "C");
    process::text_within(command, LSCPU_LIMIT)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::made::{MadeMachine, epyc};
    use super::*;

    #[test]
    fn cpus_that_are_allowed_but_offline_cannot_be_used() {
        let made = epyc(2, 1);
        made.file("proc/self/status", "Cpus_allowed_list:\t0-127\n");
        let facts = read(made.root(), || None);
        assert_eq!(facts.usable(), Some(BTreeSet::from([0, 1])));
    }

    #[test]
    fn a_cpuset_narrows_an_affinity_that_does_not_know_it() {
        let made = epyc(4, 1);
        made.file("proc/self/cgroup", "0::/pod\n");
        made.file("sys/fs/cgroup/pod/cpuset.cpus.effective", "1-2\n");
        let facts = read(made.root(), || None);
        assert_eq!(facts.usable(), Some(BTreeSet::from([1, 2])));
        // A set that has nothing in common with the affinity is of another name space.
        made.file("sys/fs/cgroup/pod/cpuset.cpus.effective", "8-9\n");
        let facts = read(made.root(), || None);
        assert_eq!(facts.usable(), Some(BTreeSet::from([0, 1, 2, 3])));
    }

    #[test]
    fn the_distribution_is_its_pretty_name() {
        assert_eq!(
            pretty_name("ID=x\nPRETTY_NAME=\"Fedora 42\"\n").unwrap(),
            "Fedora 42"
        );
        assert_eq!(pretty_name("PRETTY_NAME=\"\"\n"), None);
    }

    const ARM: &str = "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd4f\n";

    #[test]
    fn lscpu_is_asked_only_where_cpuinfo_has_no_name() {
        let arm = MadeMachine::empty();
        arm.file("proc/cpuinfo", ARM);
        let said = "Vendor ID:   ARM\nModel name:  Neoverse-Next\n";
        let facts = read(arm.root(), || Some(said.to_owned()));
        assert_eq!(facts.cpu.display_name().unwrap(), "ARM Neoverse-Next");
        let facts = read(epyc(1, 1).root(), || Some(said.to_owned()));
        assert_eq!(
            facts.cpu.display_name().unwrap(),
            "AMD EPYC 7763 64-Core Processor"
        );
    }

    #[test]
    fn without_lscpu_the_numbers_of_the_core_design_name_it() {
        let arm = MadeMachine::empty();
        arm.file("proc/cpuinfo", ARM);
        for said in [None, Some("Vendor ID: ARM\nModel name: -\n".to_owned())] {
            let facts = read(arm.root(), || said.clone());
            assert_eq!(facts.cpu.display_name().unwrap(), "ARM Neoverse-V2");
        }
    }

    #[test]
    fn caches_and_frequency_are_those_of_the_allocation() {
        let made = epyc(2, 1);
        made.file("proc/self/status", "Cpus_allowed_list:\t1\n");
        let folder = "sys/devices/system/cpu";
        made.file(
            &format!("{folder}/cpu1/cpufreq/cpuinfo_max_freq"),
            "3529052\n",
        );
        made.file(
            &format!("{folder}/cpu0/cpufreq/cpuinfo_max_freq"),
            "9000000\n",
        );
        made.file(
            &format!("{folder}/cpu1/cache/index3/shared_cpu_list"),
            "0-1\n",
        );
        made.file(&format!("{folder}/cpu1/cache/index1/size"), "0K\n");
        let facts = read(made.root(), || None);
        assert_eq!(facts.max_khz, Some(3_529_052));
        let caches = facts.caches.iter();
        let sizes: Vec<_> = caches.map(|c| (c.size.as_str(), c.shared_by)).collect();
        let expected = [("32K", None), ("512K", None), ("32768K", Some(2))];
        assert_eq!(sizes, expected, "a size of zero is unknown");
    }

    #[test]
    fn a_memory_domain_without_cpus_is_kept_and_empty() {
        let made = epyc(1, 1);
        made.file("sys/devices/system/node/node1/cpulist", "\n");
        let nodes = read(made.root(), || None).nodes.unwrap();
        assert_eq!(nodes[&1], BTreeSet::new());
        assert_eq!(nodes[&0], BTreeSet::from([0]));
    }

    #[test]
    fn kinds_of_cores_are_told_by_name_on_x86_and_by_capacity_elsewhere() {
        let made = epyc(4, 1);
        assert!(read(made.root(), || None).capacities.is_empty());
        for (cpu, capacity) in [(0, "1024"), (1, "1009"), (2, "600"), (3, "600")] {
            let file = format!("sys/devices/system/cpu/cpu{cpu}/cpu_capacity");
            made.file(&file, capacity);
        }
        let values = |made: &MadeMachine| -> Vec<u32> {
            read(made.root(), || None)
                .capacities
                .into_values()
                .collect()
        };
        assert_eq!(values(&made), [1024, 1009, 600, 600]);
        made.file("sys/devices/cpu_core/cpus", "0-1\n");
        made.file("sys/devices/cpu_atom/cpus", "2-3\n");
        assert_eq!(values(&made), [1024, 1024, 512, 512]);
        made.file("sys/devices/cpu_atom/cpus", "2\n");
        assert_eq!(values(&made), Vec::<u32>::new(), "one CPU is of no kind");
    }
}
