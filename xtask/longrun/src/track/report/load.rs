//! What is said of the machine beside a result: when it was busy, and what it did during the
//! slowest repeat. Pure.

use crate::track::load::RepeatLoad;
use crate::track::results::{ConfigurationResult, percent};

/// Spread of the repeats above which the summary says so.
const SPREAD_NOTED: f64 = 0.05;

/// When the machine was busy, as far as that is known.
pub fn busy_note(result: &ConfigurationResult) -> Option<String> {
    let mut when = Vec::new();
    if result.setup_busy == Some(true) {
        when.push("while it was set up".to_owned());
    }
    let is_busy = |(_, load): &(usize, &RepeatLoad)| load.busy == Some(true);
    let busy = (1..).zip(&result.load).filter(is_busy);
    let busy: Vec<usize> = busy.map(|(number, _)| number).collect();
    if result.sampling.is_sampled() {
        when.extend((!busy.is_empty()).then(|| "while it was sampled".to_owned()));
    } else {
        when.extend(repeats(&busy, result.load.len()));
    }
    (!when.is_empty()).then(|| format!("the machine was busy {}", when.join(" and ")))
}

/// Some of so many repeats: `during repeats 1 and 3 of 4`.
fn repeats(some: &[usize], all: usize) -> Option<String> {
    let (last, others) = some.split_last()?;
    if some.len() == all && all > 1 {
        return Some("during every repeat".to_owned());
    }
    let others: Vec<String> = others.iter().map(usize::to_string).collect();
    Some(match others.is_empty() {
        true => format!("during repeat {last} of {all}"),
        false => format!("during repeats {} and {last} of {all}", others.join(", ")),
    })
}

/// What is said of repeats that spread: by how much, what the machine did during the slowest, and
/// what to do.
pub fn spread_note(result: &ConfigurationResult) -> Option<String> {
    let spread = result.spread().filter(|spread| *spread > SPREAD_NOTED)?;
    let slowest = slowest(&result.raw_s)?;
    let load = match result.load.len() == result.raw_s.len() {
        true => result.load.get(slowest),
        false => None,
    };
    let advice = match load.and_then(|load| load.busy) {
        Some(false) => "run again before relying on it",
        Some(true) | None => "run again on a quieter machine before relying on it",
    };
    Some(format!(
        "the repeats spread by {}; {}; {advice}",
        percent(spread),
        during(slowest + 1, load)
    ))
}

/// Which repeat took longest; the first of several.
fn slowest(times_s: &[f64]) -> Option<usize> {
    let longest = times_s.iter().copied().reduce(f64::max)?;
    times_s.iter().position(|time_s| *time_s >= longest)
}

/// What the machine did during the slowest repeat.
fn during(number: usize, load: Option<&RepeatLoad>) -> String {
    let unknown = format!("what the machine did during the slowest, repeat {number}, is unknown");
    let Some(load) = load else {
        return unknown;
    };
    let figures = figures(load);
    let machine = match load.busy {
        Some(true) => "the machine was busy",
        Some(false) => "the machine was not busy",
        None if figures.is_empty() => return unknown,
        None => "it is unknown whether the machine was busy",
    };
    let figures = match figures.is_empty() {
        true => String::new(),
        false => format!(" ({})", figures.join(", ")),
    };
    format!("during the slowest, repeat {number}, {machine}{figures}")
}

/// What is known of the machine around a repeat.
fn figures(load: &RepeatLoad) -> Vec<String> {
    let others = load.others_cpus;
    let others = others.map(|cpus| format!("others used {cpus:.2} CPUs"));
    let (before, after) = (load.before, load.after);
    let plain = |value: f64| format!("{value:.2}");
    let percentage = |value: f64| format!("{value:.1} %");
    let averages = [
        around("load", before.load_1m, after.load_1m, plain),
        around(
            "CPU pressure",
            before.cpu_some_avg10,
            after.cpu_some_avg10,
            percentage,
        ),
        around(
            "memory pressure",
            before.memory_some_avg10,
            after.memory_some_avg10,
            percentage,
        ),
    ];
    others
        .into_iter()
        .chain(averages.into_iter().flatten())
        .collect()
}

/// A figure before and after.
fn around(
    name: &str,
    before: Option<f64>,
    after: Option<f64>,
    shown: impl Fn(f64) -> String,
) -> Option<String> {
    match (before.map(&shown), after.map(&shown)) {
        (Some(before), Some(after)) => Some(format!("{name} {before} before and {after} after")),
        (Some(before), None) => Some(format!("{name} {before} before")),
        (None, Some(after)) => Some(format!("{name} {after} after")),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::ab::made as whole;
    use crate::run::judge::ResultStatus;
    use crate::track::load::made;
    use crate::track::sampled::made as sampled;

    /// Repeats that took so many milliseconds.
    fn took(times_ms: &[u64], load: Vec<RepeatLoad>) -> ConfigurationResult {
        let mut receipt = whole::receipt(&whole::request("soliton"));
        let sample = receipt.samples[0];
        receipt.samples.clear();
        for time_ms in times_ms {
            let mut sample = sample;
            sample.interval_ns = time_ms * 1_000_000;
            receipt.samples.push(sample);
        }
        let complete = ConfigurationResult {
            status: ResultStatus::Complete,
            ..ConfigurationResult::skipped(&whole::item("soliton"), "")
        };
        ConfigurationResult {
            load,
            ..complete.with_receipt(&receipt)
        }
    }

    #[test]
    fn repeats_that_spread_are_noted_with_what_the_machine_did_during_the_slowest() {
        let load = vec![made::load(0), made::load(0), made::load(50)];
        let said = spread_note(&took(&[1000, 990, 1060], load)).unwrap();
        let expected = "the repeats spread by 7.0 %; during the slowest, repeat 3, the machine was \
                        busy (others used 0.50 CPUs, load 1.00 before and 1.50 after, CPU pressure \
                        2.5 % before and 7.5 % after, memory pressure 0.0 % before and 0.0 % \
                        after); run again on a quieter machine before relying on it";
        assert_eq!(said, expected);
    }

    #[test]
    fn the_machine_during_the_slowest_repeat_may_be_quiet_or_unknown() {
        let quiet = vec![made::load(10), made::load(50), made::load(50)];
        let said = spread_note(&took(&[1100, 1000, 1000], quiet)).unwrap();
        let beginning = "the repeats spread by 10.0 %; during the slowest, repeat 1, the machine \
                         was not busy (others used 0.10 CPUs, ";
        assert!(said.starts_with(beginning), "{said}");
        assert!(said.ends_with("; run again before relying on it"), "{said}");

        let unknown = "; what the machine did during the slowest, repeat 2, is unknown; run again \
                       on a quieter machine before relying on it";
        // Nothing is known of it, of no repeat, and of how many there were.
        for load in [
            vec![made::load(0), made::unknown(), made::load(0)],
            vec![],
            vec![made::load(50), made::load(50)],
        ] {
            let said = spread_note(&took(&[1000, 1100, 1000], load)).unwrap();
            assert!(said.ends_with(unknown), "{said}");
        }
        let mut load = vec![made::unknown(); 3];
        load[1].after.load_1m = Some(2.0);
        let said = spread_note(&took(&[1000, 1100, 1000], load)).unwrap();
        let part = "during the slowest, repeat 2, it is unknown whether the machine was busy \
                    (load 2.00 after); run";
        assert!(said.contains(part), "{said}");
    }

    #[test]
    fn a_spread_of_five_percent_is_not_noted() {
        let busy = || vec![made::load(50); 3];
        assert_eq!(spread_note(&took(&[1000, 1050, 1020], busy())), None);
        assert_eq!(spread_note(&took(&[1000, 1049, 1000], busy())), None);
        assert!(spread_note(&took(&[1000, 1000, 1051], busy())).is_some());
        let samples = sampled::result("fft", &[100, 200, 300], 1, |_| ());
        assert_eq!(spread_note(&samples), None);
    }

    #[test]
    fn a_busy_machine_is_noted_with_when_it_was() {
        let (no, yes) = (made::load(0), made::load(50));
        let note = |setup_busy, load: &[&RepeatLoad]| {
            let load = load.iter().map(|load| (*load).clone()).collect();
            busy_note(&ConfigurationResult {
                setup_busy,
                ..took(&[1000, 1000, 1000], load)
            })
        };
        for (setup, load, expected) in [
            (Some(false), vec![&no, &no, &no], None),
            (None, vec![], None),
            (Some(true), vec![], Some("while it was set up")),
            (None, vec![&no, &yes, &no], Some("during repeat 2 of 3")),
            (
                None,
                vec![&yes, &no, &yes],
                Some("during repeats 1 and 3 of 3"),
            ),
            (
                Some(true),
                vec![&yes, &yes, &yes],
                Some("while it was set up and during every repeat"),
            ),
            (None, vec![&yes], Some("during repeat 1 of 1")),
        ] {
            let expected = expected.map(|when| format!("the machine was busy {when}"));
            assert_eq!(note(setup, &load), expected);
        }
        let samples = ConfigurationResult {
            load: vec![no, yes],
            ..sampled::result("fft", &[100, 200, 300], 1, |_| ())
        };
        let said = busy_note(&samples).unwrap();
        assert_eq!(said, "the machine was busy while it was sampled");
    }
}
