//! What surrounds a measurement on a Linux system: clocks, frequency, load, swap, the host of a
//! virtual machine. Thin readers below a root; they decide nothing.

use std::collections::BTreeSet;
use std::path::Path;

use super::files::{line, text};

/// Conditions at one time. Absent is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// Frequency governors of the CPUs of the allocation, with their driver where it is named:
    /// `powersave (intel_pstate)`.
    pub governors: Option<BTreeSet<String>>,
    /// Whether the CPU may go beyond its nominal frequency.
    pub turbo: Option<bool>,
    /// Processes that ran or waited to run, on average over a minute.
    pub load_1m: Option<f64>,
    /// Swap space, in bytes.
    pub swap: Option<Swap>,
    /// Memory that could be used without swapping.
    pub memory_available_bytes: Option<u64>,
    /// Where the kernel reads the time.
    pub clocksource: Option<String>,
    /// Whether the time of day is known to be kept by a time server.
    pub synchronised: Option<bool>,
    /// Whether this is a virtual machine.
    pub virtual_machine: Option<bool>,
    /// Share of all CPU time since the start that the host gave to others.
    pub steal_share: Option<f64>,
}

/// Swap space, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swap {
    /// All of it.
    pub total: u64,
    /// What is in use.
    pub used: u64,
}

/// Reads the conditions of a Linux system under `root`, for these CPUs.
pub fn read(root: &Path, cpus: &BTreeSet<u32>) -> Conditions {
    let meminfo = text(root, "proc/meminfo").unwrap_or_default();
    Conditions {
        governors: governors(root, cpus),
        turbo: turbo(root),
        load_1m: text(root, "proc/loadavg").and_then(|text| load_1m(&text)),
        swap: swap(&meminfo),
        memory_available_bytes: kib(&meminfo, "MemAvailable"),
        clocksource: line(
            root,
            "sys/devices/system/clocksource/clocksource0/current_clocksource",
        ),
        synchronised: root
            .join("run/systemd/timesync/synchronized")
            .exists()
            .then_some(true),
        virtual_machine: virtual_machine(root),
        steal_share: text(root, "proc/stat").and_then(|text| steal_share(&text)),
    }
}

/// One text for each different governor; `None` unless it is known of every CPU.
fn governors(root: &Path, cpus: &BTreeSet<u32>) -> Option<BTreeSet<String>> {
    let governor = |cpu: &u32| {
        let folder = format!("sys/devices/system/cpu/cpu{cpu}/cpufreq");
        let governor = line(root, &format!("{folder}/scaling_governor"))?;
        Some(match line(root, &format!("{folder}/scaling_driver")) {
            Some(driver) => format!("{governor} ({driver})"),
            None => governor,
        })
    };
    let all: Option<BTreeSet<String>> = cpus.iter().map(governor).collect();
    all.filter(|governors| !governors.is_empty())
}

fn turbo(root: &Path) -> Option<bool> {
    let flag = |path: &str| match line(root, path)?.as_str() {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    };
    let forbidden = flag("sys/devices/system/cpu/intel_pstate/no_turbo");
    let allowed = || flag("sys/devices/system/cpu/cpufreq/boost");
    forbidden.map(|forbidden| !forbidden).or_else(allowed)
}

fn load_1m(loadavg: &str) -> Option<f64> {
    let load: f64 = loadavg.split_whitespace().next()?.parse().ok()?;
    load.is_finite().then_some(load)
}

fn swap(meminfo: &str) -> Option<Swap> {
    let total = kib(meminfo, "SwapTotal")?;
    let free = kib(meminfo, "SwapFree")?;
    Some(Swap {
        total,
        used: total.checked_sub(free)?,
    })
}

/// A value of `/proc/meminfo`, in bytes.
fn kib(meminfo: &str, name: &str) -> Option<u64> {
    let value = meminfo.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key == name).then(|| value.trim())
    })?;
    let kib: u64 = value.strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// Only x86 has a flag that says so; elsewhere a hypervisor may name itself.
fn virtual_machine(root: &Path) -> Option<bool> {
    if line(root, "sys/hypervisor/type").is_some() {
        return Some(true);
    }
    let cpuinfo = text(root, "proc/cpuinfo")?;
    let flags = cpuinfo.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "flags").then_some(value)
    })?;
    Some(flags.split_whitespace().any(|flag| flag == "hypervisor"))
}

/// Steal is the eighth column of the line of all CPUs; the two behind it repeat others.
fn steal_share(stat: &str) -> Option<f64> {
    let values = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let values: Vec<f64> = values
        .split_whitespace()
        .take(8)
        .map(|value| value.parse().ok())
        .collect::<Option<_>>()?;
    let total: f64 = values.iter().sum();
    let steal = values.get(7)?;
    (total > 0.0).then(|| steal / total)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::made::{MadeMachine, epyc};
    use super::*;

    fn cpus() -> BTreeSet<u32> {
        BTreeSet::from([0, 1])
    }

    #[test]
    fn a_machine_that_says_nothing_is_unknown_in_everything() {
        let made = MadeMachine::empty();
        assert_eq!(read(made.root(), &cpus()), Conditions::default());
    }

    #[test]
    fn governors_are_those_of_the_allocation_and_known_of_all_or_unknown() {
        let made = epyc(3, 1);
        let folder = |cpu| format!("sys/devices/system/cpu/cpu{cpu}/cpufreq");
        made.file(&format!("{}/scaling_governor", folder(0)), "powersave\n");
        made.file(&format!("{}/scaling_driver", folder(0)), "intel_pstate\n");
        assert_eq!(read(made.root(), &cpus()).governors, None);
        made.file(&format!("{}/scaling_governor", folder(1)), "performance\n");
        made.file(&format!("{}/scaling_governor", folder(2)), "ondemand\n");
        let found = read(made.root(), &cpus()).governors.unwrap();
        let expected = ["performance", "powersave (intel_pstate)"];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn turbo_is_forbidden_by_intel_and_allowed_by_others() {
        let intel = "sys/devices/system/cpu/intel_pstate/no_turbo";
        let other = "sys/devices/system/cpu/cpufreq/boost";
        for (path, text, expected) in [
            (intel, "0\n", Some(true)),
            (intel, "1\n", Some(false)),
            (other, "1\n", Some(true)),
            (other, "0\n", Some(false)),
            (other, "maybe\n", None),
        ] {
            let made = MadeMachine::empty();
            made.file(path, text);
            assert_eq!(read(made.root(), &cpus()).turbo, expected, "{path} {text}");
        }
    }

    #[test]
    fn memory_swap_and_load_are_read() {
        let made = MadeMachine::empty();
        made.file(
            "proc/meminfo",
            "MemTotal: 100 kB\nMemAvailable:  50 kB\nSwapTotal: 20 kB\nSwapFree: 15 kB\n",
        );
        made.file("proc/loadavg", "1.25 0.5 0.1 2/345 678\n");
        let found = read(made.root(), &cpus());
        assert_eq!(found.memory_available_bytes, Some(51_200));
        let swap = Swap {
            total: 20_480,
            used: 5120,
        };
        assert_eq!(found.swap, Some(swap));
        assert_eq!(found.load_1m, Some(1.25));
        made.file("proc/meminfo", "SwapTotal: 20\nSwapFree: 90 kB\n");
        made.file("proc/loadavg", "NaN\n");
        let found = read(made.root(), &cpus());
        assert_eq!((found.swap, found.load_1m), (None, None));
    }

    #[test]
    fn a_virtual_machine_is_told_by_its_flag_or_its_hypervisor() {
        let made = MadeMachine::empty();
        made.file("proc/cpuinfo", "flags : fpu sse2\nbugs :\n");
        assert_eq!(read(made.root(), &cpus()).virtual_machine, Some(false));
        made.file("proc/cpuinfo", "flags : fpu hypervisor sse2\n");
        assert_eq!(read(made.root(), &cpus()).virtual_machine, Some(true));
        made.file("proc/cpuinfo", "CPU implementer : 0x41\n");
        assert_eq!(read(made.root(), &cpus()).virtual_machine, None);
        made.file("sys/hypervisor/type", "xen\n");
        assert_eq!(read(made.root(), &cpus()).virtual_machine, Some(true));
    }

    #[test]
    fn stolen_time_is_a_share_of_all_time() {
        let share = |text| steal_share(text);
        assert_eq!(share("cpu  10 0 10 70 0 0 0 10 99 99\n"), Some(0.1));
        assert_eq!(share("cpu  0 0 0 0 0 0 0 0\n"), None);
        assert_eq!(share("cpu  1 2 3 4\n"), None);
        assert_eq!(share("cpu0 1 1 1 1 1 1 1 1\n"), None);
    }
}
