//! Names of Arm core designs by their numbers, for systems whose `lscpu` is absent or too old.
//!
//! The numbers are those of the register MIDR_EL1; the spelling is that of `lscpu`, so that a
//! machine keeps its name when `lscpu` is installed.

/// Who makes cores, by the implementer's number.
const VENDORS: [(&str, &str); 10] = [
    ("0x41", "ARM"),
    ("0x43", "Cavium"),
    ("0x46", "FUJITSU"),
    ("0x48", "HiSilicon"),
    ("0x4e", "NVIDIA"),
    ("0x51", "Qualcomm"),
    ("0x53", "Samsung"),
    ("0x61", "Apple"),
    ("0x6d", "Microsoft"),
    ("0xc0", "Ampere"),
];

/// Core designs by implementer and part.
const PARTS: [(&str, &str, &str); 46] = [
    ("0x41", "0xd03", "Cortex-A53"),
    ("0x41", "0xd04", "Cortex-A35"),
    ("0x41", "0xd05", "Cortex-A55"),
    ("0x41", "0xd07", "Cortex-A57"),
    ("0x41", "0xd08", "Cortex-A72"),
    ("0x41", "0xd09", "Cortex-A73"),
    ("0x41", "0xd0a", "Cortex-A75"),
    ("0x41", "0xd0b", "Cortex-A76"),
    ("0x41", "0xd0c", "Neoverse-N1"),
    ("0x41", "0xd0d", "Cortex-A77"),
    ("0x41", "0xd40", "Neoverse-V1"),
    ("0x41", "0xd41", "Cortex-A78"),
    ("0x41", "0xd44", "Cortex-X1"),
    ("0x41", "0xd46", "Cortex-A510"),
    ("0x41", "0xd47", "Cortex-A710"),
    ("0x41", "0xd48", "Cortex-X2"),
    ("0x41", "0xd49", "Neoverse-N2"),
    ("0x41", "0xd4a", "Neoverse-E1"),
    ("0x41", "0xd4b", "Cortex-A78C"),
    ("0x41", "0xd4d", "Cortex-A715"),
    ("0x41", "0xd4e", "Cortex-X3"),
    ("0x41", "0xd4f", "Neoverse-V2"),
    ("0x41", "0xd81", "Cortex-A720"),
    ("0x41", "0xd82", "Cortex-X4"),
    ("0x41", "0xd83", "Neoverse-V3AE"),
    ("0x41", "0xd84", "Neoverse-V3"),
    ("0x41", "0xd85", "Cortex-X925"),
    ("0x41", "0xd87", "Cortex-A725"),
    ("0x41", "0xd8e", "Neoverse-N3"),
    ("0x43", "0x0af", "ThunderX2-99xx"),
    ("0x46", "0x001", "A64FX"),
    ("0x48", "0xd01", "TaiShan-v110"),
    ("0x4e", "0x004", "Carmel"),
    ("0x51", "0x001", "Oryon"),
    ("0x61", "0x022", "Icestorm-M1"),
    ("0x61", "0x023", "Firestorm-M1"),
    ("0x61", "0x025", "Firestorm-M1-Pro"),
    ("0x61", "0x029", "Firestorm-M1-Max"),
    ("0x61", "0x032", "Blizzard-M2"),
    ("0x61", "0x033", "Avalanche-M2"),
    ("0x61", "0x035", "Avalanche-M2-Pro"),
    ("0x61", "0x039", "Avalanche-M2-Max"),
    ("0x6d", "0xd49", "Azure-Cobalt-100"),
    ("0xc0", "0xac3", "Ampere-1"),
    ("0xc0", "0xac4", "Ampere-1a"),
    ("0xc0", "0xac5", "Ampere-1b"),
];

/// Vendor of an implementer's number.
pub fn vendor(implementer: &str) -> Option<&'static str> {
    let implementer = implementer.to_lowercase();
    let mut vendors = VENDORS.iter();
    vendors
        .find(|(number, _)| *number == implementer)
        .map(|(_, vendor)| *vendor)
}

/// Name of a core design; one that is not in the table is named by its numbers, so that two such
/// designs never share a name. `None` where the part says nothing.
pub fn name(implementer: &str, part: &str) -> Option<String> {
    let (implementer, part) = (implementer.to_lowercase(), part.to_lowercase());
    if says_nothing(&part) {
        return None;
    }
    let mut parts = PARTS.iter();
    let known = parts.find(|(by, number, _)| *by == implementer && *number == part);
    Some(match (known, vendor(&implementer)) {
        (Some((_, _, name)), _) => (*name).to_owned(),
        (None, Some(_)) => format!("part {part}"),
        (None, None) => format!("implementer {implementer} part {part}"),
    })
}

/// A part of zero is what hypervisors write that hide it.
fn says_nothing(part: &str) -> bool {
    part.trim_start_matches("0x").trim_matches('0').is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn designs_are_named_by_their_numbers() {
        for (implementer, part, expected) in [
            ("0x41", "0xd4f", Some("Neoverse-V2")),
            ("0x41", "0xD0C", Some("Neoverse-N1")),
            ("0xc0", "0xac3", Some("Ampere-1")),
            ("0x61", "0x023", Some("Firestorm-M1")),
            ("0x41", "0xfff", Some("part 0xfff")),
            ("0x99", "0x001", Some("implementer 0x99 part 0x001")),
            ("0x41", "0x000", None),
            ("0x41", "0x0", None),
            ("0x41", "", None),
        ] {
            let found = name(implementer, part);
            assert_eq!(found.as_deref(), expected, "{implementer} {part}");
        }
    }

    #[test]
    fn no_two_designs_share_a_name_and_every_one_has_a_vendor() {
        let names: BTreeSet<&str> = PARTS.iter().map(|part| part.2).collect();
        assert_eq!(names.len(), PARTS.len());
        for (implementer, _, name) in PARTS {
            assert!(vendor(implementer).is_some(), "{name}");
        }
    }
}
