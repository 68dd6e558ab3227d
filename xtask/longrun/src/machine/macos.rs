//! What macOS says, from its own program `sysctl`. The parser takes text.
//!
//! macOS names no single CPUs and has no affinity: there are numbers only.

use std::process::Command;
use std::time::Duration;

use super::cpuinfo::CpuNames;
use super::facts::{Cache, Counts, Facts};
use super::process;

/// How long `sysctl` may take.
const SYSCTL_LIMIT: Duration = Duration::from_secs(5);

/// Most kinds of cores that are asked for.
const CLASSES_MAX: u32 = 8;

/// Reads this system.
pub fn read() -> Facts {
    let mut command = Command::new("sysctl");
    command.args(["machdep.cpu", "hw"]);
    let text = process::text_within(command, SYSCTL_LIMIT);
    parse(&text.unwrap_or_default())
}

/// The facts in what `sysctl machdep.cpu hw` prints, one `name: value` a line.
pub fn parse(text: &str) -> Facts {
    let said = Said(text);
    let mut facts = Facts::unknown("macos");
    facts.cpu = CpuNames {
        vendor: said.value("machdep.cpu.vendor"),
        name: said.value("machdep.cpu.brand_string"),
        family: said.first(&["machdep.cpu.family", "hw.cpufamily"]),
        model: said.first(&["machdep.cpu.model", "hw.cpusubfamily"]),
        stepping: said.value("machdep.cpu.stepping"),
    };
    let cores = said.count("hw.physicalcpu");
    let classes: Vec<u32> = (0..CLASSES_MAX)
        .map_while(|level| said.count(&format!("hw.perflevel{level}.physicalcpu")))
        .collect();
    let whole = cores == Some(classes.iter().sum());
    facts.counts = Some(Counts {
        logical: said.count("hw.logicalcpu"),
        cores,
        classes: if whole { classes } else { Vec::new() },
    });
    facts.caches = caches(&said);
    facts.max_khz = said.number("hw.cpufrequency_max").map(|hz| hz / 1000);
    facts.memory_total_bytes = said.number("hw.memsize");
    facts
}

/// Caches of a core of the fastest kind.
fn caches(said: &Said<'_>) -> Vec<Cache> {
    let cache = |level: u32, kind: &str, name: &str| {
        let fast = said.number(&format!("hw.perflevel0.{name}"));
        let bytes = fast.or_else(|| said.number(&format!("hw.{name}")))?;
        Some(Cache {
            level,
            kind: kind.to_owned(),
            size: format!("{}K", bytes / 1024),
            shared_by: said.count(&format!("hw.perflevel0.cpusperl{level}")),
        })
    };
    let caches = [
        cache(1, "Data", "l1dcachesize"),
        cache(1, "Instruction", "l1icachesize"),
        cache(2, "Unified", "l2cachesize"),
        cache(3, "Unified", "l3cachesize"),
    ];
    caches.into_iter().flatten().collect()
}

/// Lines `name: value`.
struct Said<'a>(&'a str);

impl Said<'_> {
    fn value(&self, name: &str) -> Option<String> {
        let mut lines = self.0.lines().filter_map(|line| line.split_once(':'));
        let (_, value) = lines.find(|(key, _)| key.trim() == name)?;
        let value = value.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    fn first(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.value(name))
    }

    /// A number that says something: macOS writes 0 where a thing is not there.
    fn number(&self, name: &str) -> Option<u64> {
        self.value(name)?.parse().ok().filter(|number| *number > 0)
    }

    fn count(&self, name: &str) -> Option<u32> {
        self.number(name)?.try_into().ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{MachineOptions, describe};
    use super::*;

    const APPLE: &str = "machdep.cpu.cores_per_package: 18\nmachdep.cpu.core_count: 18\n\
        machdep.cpu.brand_string: Apple M5 Max\nhw.ncpu: 18\nhw.memsize: 68719476736\n\
        hw.perflevel0.physicalcpu: 6\nhw.perflevel0.logicalcpu: 6\n\
        hw.perflevel0.l1icachesize: 196608\nhw.perflevel0.l1dcachesize: 131072\n\
        hw.perflevel0.l2cachesize: 16777216\nhw.perflevel0.cpusperl2: 6\n\
        hw.perflevel0.name: Super\nhw.perflevel1.physicalcpu: 12\nhw.perflevel1.name: Performance\n\
        hw.physicalcpu: 18\nhw.logicalcpu: 18\nhw.cpufamily: 1912690738\nhw.cpusubfamily: 5\n\
        hw.l1dcachesize: 65536\nhw.l2cachesize: 4194304\nhw.l3cachesize: 0\n";

    const INTEL: &str = "machdep.cpu.vendor: GenuineIntel\nmachdep.cpu.family: 6\n\
        machdep.cpu.model: 158\nmachdep.cpu.stepping: 13\n\
        machdep.cpu.brand_string: Intel(R) Core(TM) i9-9980HK CPU @ 2.40GHz\n\
        hw.physicalcpu: 8\nhw.logicalcpu: 16\nhw.memsize: 34359738368\n\
        hw.cpufrequency_max: 2400000000\nhw.l1icachesize: 32768\nhw.l1dcachesize: 32768\n\
        hw.l2cachesize: 262144\nhw.l3cachesize: 16777216\n";

    #[test]
    fn apple_silicon_counts_all_its_cores_and_names_their_kinds() {
        let facts = parse(APPLE);
        let machine = describe(&facts, &MachineOptions::default());
        assert_eq!(machine.slug, "apple-m5-max-18c");
        assert_eq!(machine.core_classes, Some(vec![6, 12]));
        assert_eq!(machine.smt, Some(false));
        assert_eq!(machine.memory_domains, None);
        assert_eq!(facts.memory_total_bytes, Some(64 << 30));
        assert_eq!(
            machine.signature.to_string(),
            "vendor=? family=1912690738 model=5 stepping=? \
             caches=L1d:128K,L1i:192K,L2:16384K max_mhz=?"
        );
        assert_eq!(facts.caches[2].shared_by, Some(6));
    }

    #[test]
    fn an_intel_mac_has_two_cpus_a_core() {
        let facts = parse(INTEL);
        let machine = describe(&facts, &MachineOptions::default());
        assert_eq!(machine.slug, "intel-core-i9-9980hk-8c");
        assert_eq!(machine.smt, Some(true));
        assert_eq!(machine.core_classes, None);
        assert_eq!(
            machine.signature.to_string(),
            "vendor=GenuineIntel family=6 model=158 stepping=13 \
             caches=L1d:32K,L1i:32K,L2:256K,L3:16384K max_mhz=2400"
        );
    }

    #[test]
    fn what_sysctl_does_not_say_is_unknown() {
        for text in ["", "hw.physicalcpu: 0\n", "rubbish\nhw.physicalcpu: many\n"] {
            let facts = parse(text);
            assert_eq!(facts.counts.unwrap(), Counts::default(), "{text}");
            assert_eq!(facts.cpu, CpuNames::default());
            assert!(facts.caches.is_empty());
        }
    }
}
