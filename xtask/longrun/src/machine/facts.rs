//! What a system says about itself, as plain values.
//!
//! [`read`] is the one door. Each system has a module that knows its files or programs; every
//! module is compiled everywhere, and its parsers take text. What cannot be read is `None`, and
//! everything that is read or asked has a bound.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::cpuinfo::CpuNames;
use super::{linux, macos, windows};

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
    /// As Linux writes it: `32K`. Never a size of zero.
    pub size: String,
    /// CPUs that share it, those outside the allocation included.
    pub shared_by: Option<u32>,
}

/// What a system that names no single CPUs tells about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// CPUs that this process may use.
    pub logical: Option<u32>,
    /// Physical cores.
    pub cores: Option<u32>,
    /// Physical cores of each kind, the fastest kind first; empty where the kinds are unknown.
    pub classes: Vec<u32>,
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
    /// Speed of each CPU relative to the fastest of the machine, which has 1024; empty where the
    /// system does not tell.
    pub capacities: BTreeMap<u32, u32>,
    /// Numbers, where the system does not name its CPUs.
    pub counts: Option<Counts>,
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
    /// Memory that the control groups allow.
    pub memory_limit_bytes: Option<u64>,
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
            capacities: BTreeMap::new(),
            counts: None,
            nodes: None,
            cpu: CpuNames::default(),
            caches: Vec::new(),
            max_khz: None,
            quota: None,
            memory_limit_bytes: None,
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
    let mut facts = match std::env::consts::OS {
        "linux" => linux::read(Path::new("/"), linux::lscpu),
        "macos" => named(macos::read()),
        "windows" => named(windows::read()),
        other => named(Facts::unknown(other)),
    };
    facts.memory_total_bytes = memory_total();
    facts
}

/// Adds what can be asked in one way on every system but Linux, whose files say more.
fn named(mut facts: Facts) -> Facts {
    // The standard library knows how many CPUs this process may use, not which.
    let available = thread::available_parallelism().ok();
    let available = available.and_then(|count| u32::try_from(count.get()).ok());
    facts.counts = Some(allocated(facts.counts.unwrap_or_default(), available));
    facts.os_name = System::long_os_version().ok();
    facts.kernel_release = System::kernel_version().ok();
    facts
}

/// The counts of a machine, narrowed to the CPUs that this process may use. Pure.
fn allocated(counts: Counts, available: Option<u32>) -> Counts {
    match (counts.logical, available) {
        // Which cores the rest belong to is not known.
        (Some(logical), Some(available)) if available < logical => Counts {
            logical: Some(available),
            ..Counts::default()
        },
        (logical, available) => Counts {
            logical: logical.or(available),
            ..counts
        },
    }
}

/// Main memory in bytes, on any system.
fn memory_total() -> Option<u64> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let total = System::new_with_specifics(memory).ok()?.total_memory();
    (total > 0).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_memory() {
        assert!(memory_total().is_some_and(|bytes| bytes > 1 << 20));
    }

    #[test]
    fn counts_are_those_of_the_allocation() {
        let machine = Counts {
            logical: Some(16),
            cores: Some(8),
            classes: vec![8],
        };
        let narrowed = Counts {
            logical: Some(4),
            ..Counts::default()
        };
        for (counts, available, expected) in [
            (machine.clone(), Some(16), machine.clone()),
            (machine.clone(), None, machine.clone()),
            (machine, Some(4), narrowed.clone()),
            (Counts::default(), Some(4), narrowed),
            (Counts::default(), None, Counts::default()),
        ] {
            let asked = format!("{counts:?} {available:?}");
            assert_eq!(allocated(counts, available), expected, "{asked}");
        }
    }
}
