//! Thin readers of what the system says about itself; they decide nothing.
//!
//! [`read`] is the one door: systems without readers give [`Facts::unknown`]. Every file that is
//! read has a bound, and what cannot be read is `None`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::cpuinfo::{self, CpuNames};
use super::cpulist::parse_cpulist;
use super::files::{line, names, text};
use super::process;
use super::quota;

/// How long `lscpu` may take.
const LSCPU_LIMIT: Duration = Duration::from_secs(5);

/// Which physical core a CPU belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CoreId {
    /// Socket.
    pub package: i64,
    /// Die within the socket, where the system tells: some number their cores anew on each die.
    pub die: Option<i64>,
    /// Core within them.
    pub core: i64,
}

/// One cache of one CPU.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cache {
    /// 1, 2, 3.
    pub level: u32,
    /// `Data`, `Instruction`, `Unified`.
    pub kind: String,
    /// As the system writes it: `32K`.
    pub size: String,
}

/// What the system says about itself. Absent is `None`.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Family of the system: `linux`.
    pub system: &'static str,
    /// CPUs that this process may use, those that are offline included.
    pub allowed: Option<BTreeSet<u32>>,
    /// CPUs that are online.
    pub online: Option<BTreeSet<u32>>,
    /// Core of each CPU whose topology is known.
    pub cores: BTreeMap<u32, CoreId>,
    /// CPUs of each memory domain.
    pub nodes: Option<BTreeMap<u32, BTreeSet<u32>>>,
    /// What the CPU calls itself.
    pub cpu: CpuNames,
    /// Caches of the first CPU of the allocation.
    pub caches: Vec<Cache>,
    /// Highest frequency of the CPUs of the allocation.
    pub max_khz: Option<u64>,
    /// CPU time that the control groups allow, in cores.
    pub quota: Option<f64>,
    /// Main memory.
    pub memory_total_bytes: Option<u64>,
    /// Name and version of the distribution.
    pub os_name: Option<String>,
    /// Release of the kernel.
    pub kernel_release: Option<String>,
    /// Vendor that the firmware names.
    pub dmi_vendor: Option<String>,
    /// Product that the firmware names.
    pub dmi_product: Option<String>,
}

impl Facts {
    /// A system about which nothing is known.
    pub fn unknown(system: &'static str) -> Facts {
        Facts {
            system,
            allowed: None,
            online: None,
            cores: BTreeMap::new(),
            nodes: None,
            cpu: CpuNames::default(),
            caches: Vec::new(),
            max_khz: None,
            quota: None,
            memory_total_bytes: None,
            os_name: None,
            kernel_release: None,
            dmi_vendor: None,
            dmi_product: None,
        }
    }

    /// CPUs that this process can really run on.
    pub fn usable(&self) -> Option<BTreeSet<u32>> {
        let allowed = self.allowed.as_ref()?;
        let usable: BTreeSet<u32> = match &self.online {
            // The mask of a virtual machine with hot-plug names CPUs that do not exist yet.
            Some(online) => allowed.intersection(online).copied().collect(),
            None => allowed.clone(),
        };
        (!usable.is_empty()).then_some(usable)
    }
}

/// Reads this system.
pub fn read() -> Facts {
    let mut facts = if cfg!(target_os = "linux") {
        linux(Path::new("/"), lscpu)
    } else {
        elsewhere()
    };
    facts.memory_total_bytes = memory_total();
    facts
}

/// What can be said of a system without readers of its own.
fn elsewhere() -> Facts {
    let mut facts = Facts::unknown(std::env::consts::OS);
    // The standard library knows how many CPUs there are, not which.
    facts.allowed = thread::available_parallelism()
        .ok()
        .and_then(|count| u32::try_from(count.get()).ok())
        .map(|count| (0..count).collect());
    facts.os_name = System::long_os_version().ok();
    facts.kernel_release = System::kernel_version().ok();
    facts
}

/// Main memory in bytes, on any system.
fn memory_total() -> Option<u64> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let total = System::new_with_specifics(memory).ok()?.total_memory();
    (total > 0).then_some(total)
}

/// Reads a Linux system whose files lie under `root`. `lscpu` is asked only where
/// `/proc/cpuinfo` has no model name, as on Arm.
pub fn linux(root: &Path, lscpu: impl Fn() -> Option<String>) -> Facts {
    let mut facts = Facts::unknown("linux");
    facts.allowed = status_cpus(root);
    facts.online = text(root, "sys/devices/system/cpu/online").and_then(|t| parse_cpulist(&t));
    let usable = facts.usable().unwrap_or_default();
    for &cpu in &usable {
        if let Some(core) = core_id(root, cpu) {
            facts.cores.insert(cpu, core);
        }
    }
    facts.nodes = nodes(root);
    facts.cpu = text(root, "proc/cpuinfo").map_or_else(CpuNames::default, |t| cpuinfo::parse(&t));
    if facts.cpu.name.is_none()
        && let Some(said) = lscpu()
    {
        facts.cpu.complete_from_lscpu(&said);
    }
    if let Some(&first) = usable.first() {
        facts.caches = caches(root, first);
    }
    facts.max_khz = usable.iter().filter_map(|&cpu| max_khz(root, cpu)).max();
    facts.quota = quota::read(root);
    facts.os_name = text(root, "etc/os-release").and_then(|t| pretty_name(&t));
    facts.kernel_release = line(root, "proc/sys/kernel/osrelease");
    facts.dmi_vendor = line(root, "sys/class/dmi/id/sys_vendor");
    facts.dmi_product = line(root, "sys/class/dmi/id/product_name");
    facts
}

fn status_cpus(root: &Path) -> Option<BTreeSet<u32>> {
    let status = text(root, "proc/self/status")?;
    let list = status
        .lines()
        .find_map(|l| l.strip_prefix("Cpus_allowed_list:"))?;
    parse_cpulist(list)
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
        .filter_map(|name| {
            Some(Cache {
                level: line(root, &format!("{folder}/{name}/level"))?
                    .parse()
                    .ok()?,
                kind: line(root, &format!("{folder}/{name}/type"))?,
                size: line(root, &format!("{folder}/{name}/size"))?,
            })
        })
        .collect();
    caches.sort();
    caches
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

fn lscpu() -> Option<String> {
    let mut command = Command::new("lscpu");
    command.env("LC_ALL", "C");
    let output = process::output_within(command, LSCPU_LIMIT).ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
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
        let facts = linux(made.root(), || None);
        assert_eq!(facts.usable(), Some(BTreeSet::from([0, 1])));
    }

    #[test]
    fn this_machine_has_memory() {
        assert!(memory_total().is_some_and(|bytes| bytes > 1 << 20));
    }

    #[test]
    fn the_distribution_is_its_pretty_name() {
        assert_eq!(
            pretty_name("ID=x\nPRETTY_NAME=\"Fedora 42\"\n").unwrap(),
            "Fedora 42"
        );
        assert_eq!(pretty_name("PRETTY_NAME=\"\"\n"), None);
    }

    #[test]
    fn lscpu_is_asked_only_where_cpuinfo_has_no_name() {
        let arm = MadeMachine::empty();
        arm.file(
            "proc/cpuinfo",
            "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd4f\n",
        );
        let said = "Vendor ID:   ARM\nModel name:  Neoverse-V2\n";
        let facts = linux(arm.root(), || Some(said.to_owned()));
        assert_eq!(facts.cpu.display_name().unwrap(), "ARM Neoverse-V2");
        let facts = linux(epyc(1, 1).root(), || Some(said.to_owned()));
        assert_eq!(
            facts.cpu.display_name().unwrap(),
            "AMD EPYC 7763 64-Core Processor"
        );
    }

    #[test]
    fn caches_and_frequency_are_those_of_the_allocation() {
        let made = epyc(2, 1);
        made.file("proc/self/status", "Cpus_allowed_list:\t1\n");
        made.file(
            "sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq",
            "3529052\n",
        );
        made.file(
            "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
            "9000000\n",
        );
        let facts = linux(made.root(), || None);
        assert_eq!(facts.max_khz, Some(3_529_052));
        let sizes: Vec<&str> = facts
            .caches
            .iter()
            .map(|cache| cache.size.as_str())
            .collect();
        assert_eq!(sizes, ["32K", "32K", "512K", "32768K"]);
    }

    #[test]
    fn a_memory_domain_without_cpus_is_kept_and_empty() {
        let made = epyc(1, 1);
        made.file("sys/devices/system/node/node1/cpulist", "\n");
        let nodes = linux(made.root(), || None).nodes.unwrap();
        assert_eq!(nodes[&1], BTreeSet::new());
        assert_eq!(nodes[&0], BTreeSet::from([0]));
    }
}
