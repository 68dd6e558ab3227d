//! The machine that a run used: what it is called, how wide production is, what may disturb it.
//!
//! Readers return plain values ([`facts`]; [`linux`], [`macos`] and [`windows`] know their
//! systems); everything else here decides from such values and reads nothing. Nothing here changes
//! a setting of the machine. This module must never hold a host name, a user name, a serial number
//! or a path: what it returns goes into history.

pub mod allowance;
mod arm;
pub mod busiest;
pub mod busy;
pub mod cgroup;
pub mod cloud;
pub mod conditions;
pub mod cpuinfo;
pub mod cpulist;
pub mod facts;
pub mod files;
pub mod gpu;
mod linux;
mod macos;
#[cfg(test)]
pub mod made;
pub mod process;
pub mod quota;
pub mod signature;
pub mod slug;
pub mod threading;
pub mod topology;
mod windows;

use serde::Serialize;

use facts::Facts;
use signature::Signature;
use topology::Topology;

/// What the user may say about the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MachineOptions {
    /// Production width, in threads, instead of the one that is found. At least 1.
    pub production: Option<u32>,
    /// Instance type of a cloud, instead of the product name that the firmware reports.
    pub instance_type: Option<String>,
}

/// Where the production width comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProductionSource {
    /// The user said so.
    Flag,
    /// Physical cores of the CPU allocation.
    PhysicalCores,
    /// The CPU quota, which is smaller than the cores.
    Quota,
    /// CPUs of the allocation: their cores are unknown.
    LogicalCpus,
    /// Nothing is known about the allocation; one thread is safe.
    Unknown,
}

/// The hardware set of a run, and what is known about it. Unknown is `None`.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// CPU model, as the system names it, with the vendor.
    pub cpu_model: Option<String>,
    /// What tells two machines with one model name apart.
    pub signature: Signature,
    /// Name and version of the system, and its kernel.
    pub os: String,
    /// Threads of a run at production width.
    pub production: u32,
    /// Why the production width is what it is.
    pub production_source: ProductionSource,
    /// CPUs that this process may use.
    pub logical_cpus: Option<u32>,
    /// Physical cores among them.
    pub physical_cores: Option<u32>,
    /// Whether some of them share a core.
    pub smt: Option<bool>,
    /// Physical cores of each kind, the fastest kind first; one number where all are alike.
    pub core_classes: Option<Vec<u32>>,
    /// Where bound policies pin threads, as `OMP_PLACES` has it.
    pub places: String,
    /// CPU time that the control group allows, in cores; `None` where none is set.
    pub quota: Option<f64>,
    /// Memory domains that the CPUs of this process belong to.
    pub memory_domains: Option<u32>,
    /// Instance type, from the flag or the firmware's product name.
    pub instance_type: Option<String>,
    /// Family of a known cloud: `aws-m8g`.
    pub cloud_family: Option<String>,
    /// Main memory of the machine.
    pub memory_total_bytes: Option<u64>,
    /// Memory that the control group allows; `None` where no limit is set.
    pub memory_limit_bytes: Option<u64>,
    /// Name of the hardware set, which is the name of its history file.
    pub slug: String,
    /// What the user should know about these values.
    pub notes: Vec<String>,
}

impl Machine {
    /// Reads this machine.
    pub fn read(options: MachineOptions) -> Machine {
        describe(&facts::read(), &options)
    }
}

/// Everything that follows from the facts and the options.
pub fn describe(facts: &Facts, options: &MachineOptions) -> Machine {
    let topology = topology::of(facts);
    let mut notes = Vec::new();
    let (production, production_source) = production(&topology, facts.quota, options, &mut notes);
    let cpu_model = facts.cpu.display_name();
    if cpu_model.is_none() {
        notes.push("the CPU model is unknown: unlike machines may share one history file".into());
    }
    notes.extend(kinds_note(&topology));
    let instance = cloud::instance(
        options.instance_type.as_deref(),
        facts.dmi_vendor.as_deref(),
        facts.dmi_product.as_deref(),
    );
    Machine {
        slug: slug::slug(cpu_model.as_deref(), production, instance.family.as_deref()),
        signature: Signature::of(facts),
        os: os_text(facts),
        production,
        production_source,
        logical_cpus: topology.logical,
        physical_cores: topology.cores,
        smt: topology.smt,
        places: threading::places(topology.places.as_deref()),
        core_classes: topology.core_classes,
        quota: facts.quota,
        memory_domains: topology.memory_domains,
        instance_type: instance.instance_type,
        cloud_family: instance.family,
        memory_total_bytes: facts.memory_total_bytes,
        memory_limit_bytes: facts.memory_limit_bytes,
        cpu_model,
        notes,
    }
}

/// Production width: the flag, else the physical cores of the allocation, lowered to a quota.
///
/// More threads than the quota pays for would time the scheduler's throttle.
fn production(
    topology: &Topology,
    quota: Option<f64>,
    options: &MachineOptions,
    notes: &mut Vec<String>,
) -> (u32, ProductionSource) {
    let payable = quota.map(quota::whole_cores);
    if let Some(width) = options.production.map(|width| width.max(1)) {
        if topology.logical.is_some_and(|logical| width > logical) {
            notes.push(format!(
                "the production width {width} is more than the CPUs of this process"
            ));
        }
        if payable.is_some_and(|payable| width > payable) {
            notes.push(format!(
                "the production width {width} is more than the CPU quota pays for: \
                 throttled time will be measured"
            ));
        }
        return (width, ProductionSource::Flag);
    }
    let (width, source) = match (topology.cores, topology.logical) {
        (Some(cores), _) => (cores, ProductionSource::PhysicalCores),
        (None, Some(logical)) => (logical, ProductionSource::LogicalCpus),
        (None, None) => (1, ProductionSource::Unknown),
    };
    match source {
        ProductionSource::LogicalCpus => notes.push(
            "the cores of this machine are unknown: the production width counts CPUs, which may \
             share cores; `--production` sets it"
                .into(),
        ),
        ProductionSource::Unknown => notes.push(
            "the CPUs of this process are unknown: the production width is 1; `--production` \
             sets it"
                .into(),
        ),
        _ => {}
    }
    match (payable, quota) {
        (Some(payable), Some(quota)) if payable < width => {
            let fraction = match quota::is_fractional(quota) {
                true => "; the fraction of a core is left unused",
                false => "",
            };
            notes.push(format!(
                "a CPU quota of {quota:.2} cores lowers the production width from {width} to \
                 {payable}{fraction}"
            ));
            (payable, ProductionSource::Quota)
        }
        _ => (width, source),
    }
}

/// Slow cores count like fast ones: the allocation has them, and the name of the hardware set says
/// how many threads were used.
fn kinds_note(topology: &Topology) -> Option<String> {
    let classes = topology.core_classes.as_ref()?;
    let kinds: Vec<String> = classes.iter().map(u32::to_string).collect();
    (classes.len() > 1).then(|| {
        format!(
            "the cores are of {} kinds ({}, fastest first), and the production width counts all: \
             equal shares of work wait for the slowest; `--production` sets it",
            classes.len(),
            kinds.join(" + ")
        )
    })
}

/// `Debian GNU/Linux 12 (bookworm), kernel 6.1.0-18-amd64`, as far as it is known.
fn os_text(facts: &Facts) -> String {
    let name = facts.os_name.as_deref().unwrap_or(facts.system);
    match &facts.kernel_release {
        Some(release) => format!("{name}, kernel {release}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::made::{MadeMachine, epyc};
    use super::*;

    fn facts_of(made: &MadeMachine) -> Facts {
        linux::read(made.root(), || None)
    }

    fn read(made: &MadeMachine) -> Machine {
        describe(&facts_of(made), &MachineOptions::default())
    }

    fn with_production(made: &MadeMachine, width: u32) -> Machine {
        let options = MachineOptions {
            production: Some(width),
            instance_type: None,
        };
        describe(&facts_of(made), &options)
    }

    #[test]
    fn production_is_the_physical_cores_of_the_allocation() {
        let machine = read(&epyc(4, 2));
        assert_eq!(machine.logical_cpus, Some(8));
        assert_eq!(machine.physical_cores, Some(4));
        assert_eq!(machine.smt, Some(true));
        assert_eq!(machine.production, 4);
        assert_eq!(machine.production_source, ProductionSource::PhysicalCores);
        assert_eq!(machine.slug, "amd-epyc-7763-4c");
        assert_eq!(machine.notes, Vec::<String>::new());
    }

    #[test]
    fn affinity_narrows_the_allocation_to_its_cores() {
        let made = epyc(4, 2);
        made.file("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-1,4\n");
        let machine = read(&made);
        assert_eq!(machine.logical_cpus, Some(3));
        assert_eq!(machine.production, 2);
    }

    #[test]
    fn a_quota_below_the_cores_lowers_the_production_width_and_says_so() {
        for (limit, width, fractional) in [
            ("200000 100000", 2, false),
            ("250000 100000", 2, true),
            ("50000 100000", 1, true),
        ] {
            let made = epyc(4, 2);
            made.file("proc/self/cgroup", "0::/job\n");
            made.file("sys/fs/cgroup/job/cpu.max", limit);
            let machine = read(&made);
            assert_eq!(machine.production, width, "{limit}");
            assert_eq!(machine.production_source, ProductionSource::Quota);
            assert!(machine.notes[0].contains("quota"), "{:?}", machine.notes);
            let said = machine.notes[0].contains("fraction");
            assert_eq!(said, fractional, "{:?}", machine.notes);
        }
    }

    #[test]
    fn a_quota_above_the_cores_changes_nothing() {
        let made = epyc(4, 2);
        made.file("proc/self/cgroup", "0::/job\n");
        made.file("sys/fs/cgroup/job/cpu.max", "600000 100000");
        let machine = read(&made);
        assert_eq!(machine.quota, Some(6.0));
        assert_eq!(machine.production, 4);
        assert!(machine.notes.is_empty());
    }

    #[test]
    fn production_counts_the_cores_of_every_kind_and_says_so() {
        let made = epyc(6, 1);
        made.file("sys/devices/cpu_core/cpus", "0-1\n");
        made.file("sys/devices/cpu_atom/cpus", "2-5\n");
        let machine = read(&made);
        assert_eq!(machine.core_classes, Some(vec![2, 4]));
        assert_eq!(machine.production, 6);
        assert!(machine.notes[0].contains("2 + 4"), "{:?}", machine.notes);
        assert_eq!(machine.places, "{0},{1},{2},{3},{4},{5}");
    }

    #[test]
    fn threads_of_bound_policies_have_a_core_each_before_any_core_has_two() {
        let made = epyc(4, 2);
        made.file("proc/self/status", "Cpus_allowed_list:\t1-2,5-7\n");
        let machine = read(&made);
        assert_eq!(machine.production, 3);
        assert_eq!(machine.places, "{1,5},{2,6},{7}");
    }

    #[test]
    fn machines_that_differ_in_one_thing_have_another_name_or_signature() {
        let identity = |made: &MadeMachine| {
            let machine = read(made);
            (machine.slug, machine.signature.to_string())
        };
        let base = identity(&epyc(4, 2));
        let changes: [(&str, &str); 6] = [
            (
                "proc/cpuinfo",
                "vendor_id : AuthenticAMD\ncpu family : 25\nmodel : 1\n\
                 model name : AMD EPYC 7713 64-Core Processor\nstepping : 1\n",
            ),
            (
                "proc/cpuinfo",
                "vendor_id : AuthenticAMD\ncpu family : 25\nmodel : 1\n\
                 model name : AMD EPYC 7763 64-Core Processor\nstepping : 2\n",
            ),
            ("sys/devices/system/cpu/cpu0/cache/index3/size", "16384K"),
            (
                "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
                "3529052",
            ),
            ("proc/self/status", "Cpus_allowed_list:\t0-2\n"),
            ("sys/class/dmi/id/sys_vendor", "Amazon EC2"),
        ];
        for (path, text) in changes {
            let made = epyc(4, 2);
            made.file("sys/class/dmi/id/product_name", "m6a.2xlarge");
            made.file(path, text);
            assert_ne!(identity(&made), base, "{path}: {text}");
        }
    }

    #[test]
    fn what_is_zero_or_absent_is_named_unknown_and_noted() {
        let made = epyc(2, 1);
        made.file("proc/cpuinfo", "CPU implementer : 0x00\nCPU part : 0x000\n");
        made.file("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "0");
        for index in 0..4 {
            let file = format!("sys/devices/system/cpu/cpu0/cache/index{index}/size");
            made.file(&file, "0K");
        }
        let machine = read(&made);
        assert_eq!(machine.slug, "unknown-2c");
        assert!(
            machine.notes[0].contains("CPU model is unknown"),
            "{:?}",
            machine.notes
        );
        let signature = machine.signature.to_string();
        assert!(signature.contains("vendor=? "), "{signature}");
        assert!(signature.ends_with("caches=? max_mhz=?"), "{signature}");
    }

    #[test]
    fn the_flag_sets_the_width_and_an_impossible_width_is_noted() {
        let made = epyc(4, 2);
        let machine = with_production(&made, 3);
        assert_eq!(machine.production, 3);
        assert_eq!(machine.production_source, ProductionSource::Flag);
        assert_eq!(machine.slug, "amd-epyc-7763-3c");
        assert!(machine.notes.is_empty());
        assert_eq!(with_production(&made, 9).notes.len(), 1);
    }

    #[test]
    fn an_empty_machine_is_unknown_and_runs_one_thread() {
        let made = MadeMachine::empty();
        let machine = read(&made);
        assert_eq!(machine.cpu_model, None);
        assert_eq!(machine.logical_cpus, None);
        assert_eq!(machine.memory_domains, None);
        assert_eq!(machine.memory_total_bytes, None);
        assert_eq!(machine.production, 1);
        assert_eq!(machine.production_source, ProductionSource::Unknown);
        assert_eq!(machine.slug, "unknown-1c");
        assert_eq!(machine.os, "linux");
        assert_eq!(machine.notes.len(), 2);
    }

    #[test]
    fn missing_topology_counts_the_allowed_cpus() {
        let made = MadeMachine::empty();
        made.file("proc/self/status", "Cpus_allowed_list:\t0-5\n");
        let machine = read(&made);
        assert_eq!(machine.production, 6);
        assert_eq!(machine.production_source, ProductionSource::LogicalCpus);
        assert_eq!(machine.physical_cores, None);
    }

    #[test]
    fn the_host_name_changes_nothing_and_appears_nowhere() {
        let made = epyc(2, 1);
        let before = serde_json::to_string(&read(&made)).unwrap();
        let mut after = String::new();
        for host in ["quokka-07", "Quokka", "quokka.example.org", "QUOKKA_7"] {
            made.file("proc/sys/kernel/hostname", &format!("{host}\n"));
            made.file("etc/hostname", &format!("{host}\n"));
            made.file("proc/sys/kernel/version", &format!("#1 SMP root@{host}\n"));
            made.file("sys/class/dmi/id/product_serial", &format!("{host}\n"));
            after = serde_json::to_string(&read(&made)).unwrap();
            assert_eq!(before, after, "{host}");
        }
        assert!(!after.to_lowercase().contains("quokka"));
        assert!(!after.contains(made.root().to_str().unwrap()));
    }

    #[test]
    fn the_system_is_its_name_and_kernel() {
        assert_eq!(
            read(&epyc(2, 1)).os,
            "Debian GNU/Linux 12 (bookworm), kernel 6.1.0-18-amd64"
        );
    }

    #[test]
    fn this_machine_can_be_read() {
        let machine = Machine::read(MachineOptions::default());
        assert!(machine.production >= 1);
        assert!(
            machine.slug.ends_with(&format!("-{}c", machine.production))
                || machine.cloud_family.is_some()
        );
    }
}
