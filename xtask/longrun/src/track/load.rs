//! What the machine did while a configuration was timed, repeat by repeat. Pure.
//!
//! The worker reads load, pressure and counters before and after each repeat, where nothing is
//! timed. Whether others kept the machine busy in between is judged here, as it is for the set-up.

#[cfg(test)]
pub mod made;

use longrun_protocol::Receipt;
use longrun_protocol::receipt::{LoadSpan, MachineLoad};
use serde::{Deserialize, Serialize};

use crate::machine::busy;

/// The machine during one repeat; of sampled work, during all samples of a process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepeatLoad {
    /// Whether others used it; unknown where the counters do not tell.
    pub busy: Option<bool>,
    /// CPUs of the allocation that they kept busy on average.
    pub others_cpus: Option<f64>,
    /// Just before it.
    pub before: Averages,
    /// Just after it.
    pub after: Averages,
}

/// Load and pressure at one moment. Unknown is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Averages {
    /// One-minute load average.
    pub load_1m: Option<f64>,
    /// Percentage of the last ten seconds in which some task waited for a CPU.
    pub cpu_some_avg10: Option<f64>,
    /// The same for memory.
    pub memory_some_avg10: Option<f64>,
}

impl From<&LoadSpan> for RepeatLoad {
    fn from(span: &LoadSpan) -> Self {
        let others = busy::of_span(span);
        RepeatLoad {
            busy: others.busy,
            others_cpus: others.cpus,
            before: Averages::from(&span.before),
            after: Averages::from(&span.after),
        }
    }
}

impl From<&MachineLoad> for Averages {
    fn from(load: &MachineLoad) -> Self {
        Averages {
            load_1m: load.load_1m,
            cpu_some_avg10: load.cpu_some_avg10,
            memory_some_avg10: load.memory_some_avg10,
        }
    }
}

/// One entry per timed repeat of a receipt, in order, or one of all samples; none where the receipt
/// has another number of them, so that nobody knows which is of which repeat.
pub fn of_receipt(receipt: &Receipt) -> Vec<RepeatLoad> {
    let due = match receipt.sampled {
        Some(_) => 1,
        None => receipt.samples.len(),
    };
    match receipt.load.len() == due {
        true => receipt.load.iter().map(RepeatLoad::from).collect(),
        false => Vec::new(),
    }
}

/// Whether the machine was busy for one of several; unknown if that is not known of all, or there
/// is none.
pub fn any_busy(flags: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let flags: Vec<Option<bool>> = flags.into_iter().collect();
    if flags.contains(&Some(true)) {
        return Some(true);
    }
    let all_quiet = !flags.is_empty() && flags.iter().all(|flag| *flag == Some(false));
    all_quiet.then_some(false)
}

/// The flag of a configuration. A repeat on a busy machine makes it busy, and so does a set-up; it
/// was not busy only where that is known of every repeat, because the times are theirs.
pub fn flag(setup: Option<bool>, repeats: &[RepeatLoad]) -> Option<bool> {
    match setup {
        Some(true) => Some(true),
        _ => any_busy(repeats.iter().map(|repeat| repeat.busy)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;
    use crate::ab::made as whole;
    use crate::track::sampled::made as sampled;

    #[test]
    fn each_repeat_has_its_flag_with_load_and_pressure_before_and_after() {
        let mut receipt = whole::receipt(&whole::request("soliton"));
        receipt.samples = vec![receipt.samples[0]; 3];
        receipt.load = vec![made::span(0), made::span(50), LoadSpan::default()];
        let loads = of_receipt(&receipt);
        let flags: Vec<_> = loads.iter().map(|load| load.busy).collect();
        assert_eq!(flags, [Some(false), Some(true), None]);
        let expected = json!({
            "busy": true, "others_cpus": 0.5,
            "before": {"load_1m": 1.0, "cpu_some_avg10": 2.5, "memory_some_avg10": 0.0},
            "after": {"load_1m": 1.5, "cpu_some_avg10": 7.5, "memory_some_avg10": 0.0},
        });
        assert_eq!(serde_json::to_value(&loads[1]).unwrap(), expected);
        let nothing = json!({"load_1m": null, "cpu_some_avg10": null, "memory_some_avg10": null});
        let expected = json!({
            "busy": null, "others_cpus": null, "before": nothing, "after": nothing,
        });
        assert_eq!(serde_json::to_value(&loads[2]).unwrap(), expected);
    }

    #[test]
    fn readings_that_are_not_one_per_repeat_are_of_none() {
        let mut receipt = whole::receipt(&whole::request("soliton"));
        receipt.samples = vec![receipt.samples[0]; 3];
        receipt.load = vec![made::span(50); 2];
        assert!(of_receipt(&receipt).is_empty());
        receipt.load = vec![made::span(50); 4];
        assert!(of_receipt(&receipt).is_empty());
        let mut receipt = sampled::receipt("fft", &[100, 110, 120], 1);
        receipt.load = vec![made::span(50)];
        assert_eq!(of_receipt(&receipt).len(), 1);
        receipt.load = vec![made::span(50); 3];
        assert!(of_receipt(&receipt).is_empty());
    }

    #[test]
    fn a_configuration_is_busy_with_its_set_up_or_one_of_its_repeats() {
        let (quiet, busy, unknown) = (made::load(5), made::load(50), made::unknown());
        let all_quiet = vec![quiet.clone(); 3];
        let one_busy = vec![quiet.clone(), busy.clone(), quiet.clone()];
        let one_unknown = vec![quiet.clone(), unknown.clone(), quiet];
        let either = vec![unknown, busy];
        // Where the set-up was quiet or unknown, the repeats decide.
        for setup in [Some(false), None] {
            assert_eq!(flag(setup, &all_quiet), Some(false));
            assert_eq!(flag(setup, &one_busy), Some(true));
            assert_eq!(flag(setup, &one_unknown), None);
            assert_eq!(flag(setup, &either), Some(true));
            assert_eq!(flag(setup, &[]), None);
        }
        for repeats in [&all_quiet, &one_busy, &one_unknown, &Vec::new()] {
            assert_eq!(flag(Some(true), repeats), Some(true));
        }
    }

    #[test]
    fn busy_wins_over_unknown_and_unknown_over_quiet_in_any_order() {
        let (yes, no, unknown) = (Some(true), Some(false), None);
        for (flags, expected) in [
            (vec![], None),
            (vec![no], no),
            (vec![no, no], no),
            (vec![no, unknown], unknown),
            (vec![unknown, no], unknown),
            (vec![unknown, no, yes], yes),
            (vec![yes, unknown, no], yes),
        ] {
            assert_eq!(any_busy(flags.clone()), expected, "{flags:?}");
        }
    }
}
