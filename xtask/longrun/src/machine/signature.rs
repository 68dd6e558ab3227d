//! What tells two machines with one model name apart: family, model, stepping, caches, frequency.
//!
//! Virtual machines often name only `Intel Xeon Processor`; the signature is the column of history
//! that shows that the hardware behind such a name has changed.

use std::fmt;

use serde::Serialize;

use super::facts::{Cache, Facts};

/// Identity of a CPU beyond its name. Unknown is `None`, and equal to nothing: there is no
/// `PartialEq` on purpose.
#[derive(Clone, Debug, Serialize)]
pub struct Signature {
    /// Vendor, as the CPU writes it.
    pub vendor: Option<String>,
    /// Family of x86; architecture of Arm.
    pub family: Option<String>,
    /// Model of x86; implementer and part of Arm.
    pub model: Option<String>,
    /// Stepping of x86; variant and revision of Arm.
    pub stepping: Option<String>,
    /// Cache sizes in the order of their levels: `L1d:32K,L1i:32K,L2:512K,L3:32768K`.
    pub caches: Option<String>,
    /// Highest frequency, in MHz.
    pub max_mhz: Option<u64>,
}

impl Signature {
    /// The signature of the CPUs that this process may use.
    pub fn of(facts: &Facts) -> Signature {
        Signature {
            vendor: facts.cpu.vendor.clone(),
            family: facts.cpu.family.clone(),
            model: facts.cpu.model.clone(),
            stepping: facts.cpu.stepping.clone(),
            caches: caches_text(&facts.caches),
            max_mhz: facts.max_khz.map(|khz| khz / 1000),
        }
    }

    fn fields(&self) -> [(&'static str, Option<String>); 6] {
        [
            ("vendor", self.vendor.as_deref().map(one_word)),
            ("family", self.family.as_deref().map(one_word)),
            ("model", self.model.as_deref().map(one_word)),
            ("stepping", self.stepping.as_deref().map(one_word)),
            ("caches", self.caches.clone()),
            ("max_mhz", self.max_mhz.map(|mhz| mhz.to_string())),
        ]
    }
}

/// One stable line, every field named and unknown ones as `?`.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, value)) in self.fields().into_iter().enumerate() {
            let blank = if number == 0 { "" } else { " " };
            write!(f, "{blank}{name}={}", value.as_deref().unwrap_or("?"))?;
        }
        Ok(())
    }
}

/// A value that cannot be mistaken for two fields.
fn one_word(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join("_")
}

fn caches_text(caches: &[Cache]) -> Option<String> {
    let mut caches = caches.to_vec();
    caches.sort();
    let parts: Vec<String> = caches
        .iter()
        .map(|cache| {
            let kind = match cache.kind.as_str() {
                "Data" => "d",
                "Instruction" => "i",
                _ => "",
            };
            format!("L{}{kind}:{}", cache.level, one_word(&cache.size))
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join(","))
}

#[cfg(test)]
mod tests {
    use super::super::linux;
    use super::super::made::{MadeMachine, epyc};
    use super::*;

    fn signature(made: &MadeMachine) -> Signature {
        Signature::of(&linux::read(made.root(), || None))
    }

    fn known() -> Signature {
        let made = epyc(1, 1);
        made.file(
            "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
            "3529052\n",
        );
        signature(&made)
    }

    #[test]
    fn the_text_names_every_field() {
        assert_eq!(
            known().to_string(),
            "vendor=AuthenticAMD family=25 model=1 stepping=1 \
             caches=L1d:32K,L1i:32K,L2:512K,L3:32768K max_mhz=3529"
        );
    }

    #[test]
    fn unknown_fields_are_question_marks() {
        assert_eq!(
            signature(&MadeMachine::empty()).to_string(),
            "vendor=? family=? model=? stepping=? caches=? max_mhz=?"
        );
    }

    #[test]
    fn each_field_tells_two_machines_apart() {
        let changes: [fn(&mut Signature); 6] = [
            |s| s.vendor = Some("GenuineIntel".into()),
            |s| s.family = Some("6".into()),
            |s| s.model = Some("17".into()),
            |s| s.stepping = Some("2".into()),
            |s| s.caches = Some("L1d:48K".into()),
            |s| s.max_mhz = Some(3000),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut other = known();
            change(&mut other);
            assert_ne!(known().to_string(), other.to_string(), "field {number}");
        }
    }
}
