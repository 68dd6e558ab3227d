//! What a CPU calls itself: parsers of `/proc/cpuinfo` and of `lscpu`. They take text only.

use super::arm;

/// Names and numbers of a CPU, as far as the system tells them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CpuNames {
    /// `AuthenticAMD`, `GenuineIntel`, `ARM`.
    pub vendor: Option<String>,
    /// Model name: `AMD EPYC 7763 64-Core Processor`, `Neoverse-V2`.
    pub name: Option<String>,
    /// Family of x86; architecture of Arm.
    pub family: Option<String>,
    /// Model of x86; implementer and part of Arm.
    pub model: Option<String>,
    /// Stepping of x86; variant and revision of Arm.
    pub stepping: Option<String>,
}

impl CpuNames {
    /// The model name, after the vendor where the name does not say it (Arm).
    pub fn display_name(&self) -> Option<String> {
        let name = self.name.as_deref()?;
        match self.vendor.as_deref() {
            Some(vendor) if self.is_bare() && !starts_with_word(name, vendor) => {
                Some(format!("{vendor} {name}"))
            }
            _ => Some(name.to_owned()),
        }
    }

    /// Takes name and vendor from what `lscpu` printed in the C locale.
    pub fn complete_from_lscpu(&mut self, text: &str) {
        let value = |key: &str| known(field(text, key));
        self.name = self.name.take().or_else(|| value("Model name"));
        self.vendor = self.vendor.take().or_else(|| value("Vendor ID"));
    }

    /// Takes name and vendor of an Arm core from its implementer and part.
    pub fn complete_from_part(&mut self) {
        let Some((implementer, part)) = self.model.as_deref().and_then(|m| m.split_once(':'))
        else {
            return;
        };
        let vendor = arm::vendor(implementer).map(str::to_owned);
        self.name = self.name.take().or_else(|| arm::name(implementer, part));
        self.vendor = self.vendor.take().or(vendor);
    }

    /// Whether the name is that of a core design, which does not say whose it is.
    fn is_bare(&self) -> bool {
        // The vendor fields of x86 are identifiers of twelve letters, never a word of a name.
        !matches!(self.vendor.as_deref(), Some(vendor) if vendor.len() == 12)
    }
}

/// Reads the first CPU of `/proc/cpuinfo`.
pub fn parse(text: &str) -> CpuNames {
    let value = |key: &str| known(field(text, key));
    let pair = |first: &str, second: &str| Some(format!("{}:{}", value(first)?, value(second)?));
    CpuNames {
        vendor: value("vendor_id"),
        name: value("model name"),
        family: value("cpu family").or_else(|| value("CPU architecture")),
        model: value("model").or_else(|| pair("CPU implementer", "CPU part")),
        stepping: value("stepping").or_else(|| pair("CPU variant", "CPU revision")),
    }
}

/// First value of a `key : value` line with exactly this key.
fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim())
    })
}

/// A value that says something.
fn known(value: Option<&str>) -> Option<String> {
    let value = value?;
    let nothing = ["", "-", "unknown", "not specified", "n/a"];
    (!nothing.contains(&value.to_lowercase().as_str())).then(|| value.to_owned())
}

fn starts_with_word(name: &str, word: &str) -> bool {
    name.split_whitespace()
        .next()
        .is_some_and(|first| first.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_first_cpu_of_x86_has_name_family_model_and_stepping() {
        let text = "vendor_id : GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n\
                    model name\t: Intel(R) Xeon(R) Gold 6240 CPU @ 2.60GHz\nstepping\t: 7\n\n\
                    vendor_id : GenuineIntel\nmodel\t\t: 99\n";
        let names = parse(text);
        assert_eq!(names.model.as_deref(), Some("85"));
        assert_eq!(names.family.as_deref(), Some("6"));
        assert_eq!(names.stepping.as_deref(), Some("7"));
        let shown = names.display_name().unwrap();
        assert_eq!(shown, "Intel(R) Xeon(R) Gold 6240 CPU @ 2.60GHz");
    }

    #[test]
    fn arm_is_identified_by_implementer_part_variant_and_revision() {
        let text = "processor : 0\nCPU implementer\t: 0x41\nCPU architecture: 8\n\
                    CPU variant\t: 0x0\nCPU part\t: 0xd4f\nCPU revision\t: 1\n";
        let names = parse(text);
        assert_eq!(names.name, None);
        assert_eq!(names.family.as_deref(), Some("8"));
        assert_eq!(names.model.as_deref(), Some("0x41:0xd4f"));
        assert_eq!(names.stepping.as_deref(), Some("0x0:1"));
    }

    #[test]
    fn lscpu_gives_the_vendor_and_name_of_arm() {
        let mut names = CpuNames::default();
        names.complete_from_lscpu("Vendor ID:    ARM\n  Model name: Neoverse-N1\n");
        assert_eq!(names.display_name().unwrap(), "ARM Neoverse-N1");
        let mut ampere = CpuNames::default();
        ampere.complete_from_lscpu("Vendor ID: Ampere\nModel name: Ampere Altra\n");
        assert_eq!(ampere.display_name().unwrap(), "Ampere Altra");
    }

    #[test]
    fn numbers_complete_only_what_is_missing() {
        let arm = "CPU implementer : 0x41\nCPU part : 0xd0c\n";
        let mut names = parse(arm);
        names.complete_from_part();
        assert_eq!(names.display_name().unwrap(), "ARM Neoverse-N1");
        let mut named = parse(arm);
        named.complete_from_lscpu("Vendor ID: ARM\nModel name: Neoverse-N1-Next\n");
        named.complete_from_part();
        assert_eq!(named.display_name().unwrap(), "ARM Neoverse-N1-Next");
        let mut x86 = parse("model : 85\n");
        x86.complete_from_part();
        assert_eq!(x86.name, None);
    }

    #[test]
    fn a_value_that_says_nothing_is_unknown() {
        for nothing in ["", "-", "unknown", "Unknown"] {
            assert_eq!(
                parse(&format!("model name : {nothing}\n")).name,
                None,
                "{nothing}"
            );
        }
        assert_eq!(parse(""), CpuNames::default());
        assert_eq!(parse("\u{fffd}\u{fffd} no colon here"), CpuNames::default());
    }
}
