//! What Windows says, from its own programs `reg` and `powershell`. The parser takes text.
//!
//! The registry names the model; the counts come from the processor class of CIM, one block of
//! lines a socket. Caches and memory domains are unknown: the class has only their sums.

use std::process::Command;
use std::time::Duration;

use super::cpuinfo::CpuNames;
use super::facts::{Counts, Facts};
use super::process;

/// Where the registry describes the first CPU.
const REGISTRY_KEY: &str = r"HKLM\HARDWARE\DESCRIPTION\System\CentralProcessor\0";

/// Asks for the counts.
const CIM_QUERY: &str = "Get-CimInstance Win32_Processor | \
    Format-List NumberOfCores,NumberOfLogicalProcessors,MaxClockSpeed";

/// How long one program may take; PowerShell starts slowly.
const ANSWER_LIMIT: Duration = Duration::from_secs(20);

/// Reads this system.
pub fn read() -> Facts {
    let mut registry = Command::new("reg");
    registry.args(["query", REGISTRY_KEY]);
    let mut counts = Command::new("powershell");
    counts.args(["-NoProfile", "-NonInteractive", "-Command", CIM_QUERY]);
    let ask = |command| process::text_within(command, ANSWER_LIMIT).unwrap_or_default();
    parse(&ask(registry), &ask(counts))
}

/// The facts in what `reg query` and the query for counts print.
pub fn parse(registry: &str, counts: &str) -> Facts {
    let mut facts = Facts::unknown("windows");
    let identifier = registry_value(registry, "Identifier").unwrap_or_default();
    let after = |word: &str| {
        let mut words = identifier.split_whitespace();
        words.find(|found| *found == word)?;
        words.next().map(str::to_owned)
    };
    facts.cpu = CpuNames {
        vendor: registry_value(registry, "VendorIdentifier"),
        name: registry_value(registry, "ProcessorNameString"),
        family: after("Family"),
        model: after("Model"),
        stepping: after("Stepping").or_else(|| after("Revision")),
    };
    let numbers = |name: &str| -> Vec<u32> {
        let values = counts.lines().filter_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name)
                .then(|| value.trim().parse::<u32>())?
                .ok()
        });
        values.filter(|value| *value > 0).collect()
    };
    let total = |name: &str| {
        let numbers = numbers(name);
        (!numbers.is_empty()).then(|| numbers.iter().fold(0, |sum: u32, n| sum.saturating_add(*n)))
    };
    facts.counts = Some(Counts {
        logical: total("NumberOfLogicalProcessors"),
        cores: total("NumberOfCores"),
        classes: Vec::new(),
    });
    let fastest = numbers("MaxClockSpeed").into_iter().max();
    facts.max_khz = fastest.map(|mhz| u64::from(mhz) * 1000);
    facts
}

/// The text of one value in what `reg query` prints: name, type and value on a line.
fn registry_value(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once("REG_SZ")?;
        let value = value.trim();
        (key.trim() == name && !value.is_empty()).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{MachineOptions, describe};
    use super::*;

    const REGISTRY: &str = "\r\nHKEY_LOCAL_MACHINE\\HARDWARE\\DESCRIPTION\\System\\\
        CentralProcessor\\0\r\n    Component Information    REG_BINARY    00000000\r\n\
        \x20   Identifier    REG_SZ    AMD64 Family 25 Model 1 Stepping 1\r\n\
        \x20   ProcessorNameString    REG_SZ    AMD EPYC 7763 64-Core Processor                \r\n\
        \x20   VendorIdentifier    REG_SZ    AuthenticAMD\r\n    ~MHz    REG_DWORD    0x98d\r\n";

    const SOCKET: &str = "\r\nNumberOfCores             : 64\r\n\
        NumberOfLogicalProcessors : 128\r\nMaxClockSpeed             : 2445\r\n\r\n";

    #[test]
    fn the_registry_names_the_model_and_sockets_add_up() {
        let two = SOCKET.repeat(2);
        for (counts, slug, logical) in [
            (SOCKET, "amd-epyc-7763-64c", 128),
            (two.as_str(), "amd-epyc-7763-128c", 256),
        ] {
            let machine = describe(&parse(REGISTRY, counts), &MachineOptions::default());
            assert_eq!(machine.slug, slug);
            assert_eq!(machine.logical_cpus, Some(logical));
            assert_eq!(machine.smt, Some(true));
            assert_eq!(
                machine.signature.to_string(),
                "vendor=AuthenticAMD family=25 model=1 stepping=1 caches=? max_mhz=2445"
            );
        }
    }

    #[test]
    fn arm_has_a_revision_and_no_stepping() {
        let registry =
            "    Identifier    REG_SZ    ARMv8 (64-bit) Family 8 Model D4F Revision   1\n";
        let names = parse(registry, "").cpu;
        assert_eq!(names.model.unwrap(), "D4F");
        assert_eq!(names.stepping.unwrap(), "1");
    }

    #[test]
    fn what_windows_does_not_say_is_unknown() {
        for (registry, counts) in [
            ("", ""),
            (
                "ERROR: the system was unable to find the key",
                "NumberOfCores : 0",
            ),
            (
                "    ProcessorNameString    REG_SZ    ",
                "NumberOfCores : many",
            ),
        ] {
            let facts = parse(registry, counts);
            assert_eq!(facts.cpu, CpuNames::default(), "{registry}");
            assert_eq!(facts.counts.unwrap(), Counts::default(), "{counts}");
        }
    }
}
