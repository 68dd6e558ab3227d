//! Grades what may disturb a measurement here and now: frequency, load, swap, the host of a virtual
//! machine, clocks, the caller's environment. Pure.

use std::collections::BTreeSet;
use std::time::Duration;

use super::finding::{Finding, Grade};
use crate::machine::busiest::Busiest;
use crate::machine::busy::OTHER_SHARE_MAX;
use crate::machine::conditions::{Conditions, Swap};
use crate::text;

/// Clock sources that are read without leaving the process or the virtual machine.
const FAST_CLOCKS: [&str; 5] = [
    "tsc",
    "arch_sys_counter",
    "kvm-clock",
    "hyperv_clocksource_tsc_page",
    "xen",
];

/// Coarsest clock that is fine: blocks are planned to take far longer than a hundred steps.
const RESOLUTION_MAX: Duration = Duration::from_micros(1);

/// Share of stolen time above which a host is too busy: as much as a small change in speed.
const STEAL_SHARE_MAX: f64 = 0.01;

/// A time of day before this one, 2024-01-01, is that of a clock that was never set. In seconds
/// since 1970.
const PLAUSIBLE_S: u64 = 1_704_067_200;

/// Variables that load a tool into programs, by their beginnings.
const TOOLS: [&str; 3] = ["KOKKOS_TOOLS_", "KOKKOS_PROFILE_", "LD_PRELOAD"];

/// What is known of the surroundings.
pub struct Surroundings<'a> {
    /// As the system tells them.
    pub conditions: &'a Conditions,
    /// CPUs that others kept busy while the doctor looked, on average.
    pub others_cpus: Option<f64>,
    /// Who they were.
    pub busiest: Option<&'a Busiest>,
    /// CPUs of this process.
    pub logical_cpus: Option<u32>,
    /// Smallest step of the monotonic clock.
    pub clock_step: Option<Duration>,
    /// Time of day, in seconds since 1970; `None` before that.
    pub now_s: Option<u64>,
    /// Names of the caller's environment variables that concern threads or load tools.
    pub variables: &'a [String],
}

/// Grades all of it, in the order of the report.
pub fn grade(around: &Surroundings<'_>) -> Vec<Finding> {
    let conditions = around.conditions;
    vec![
        governor(conditions.governors.as_ref()),
        turbo(conditions.turbo),
        load(around),
        swap(conditions.swap),
        virtualisation(conditions.virtual_machine, conditions.steal_share),
        clock(conditions.clocksource.as_deref(), around.clock_step),
        date(around.now_s, conditions.synchronised),
        environment(around.variables),
        locale(),
    ]
}

fn governor(governors: Option<&BTreeSet<String>>) -> Finding {
    let topic = "governor";
    let Some(governors) = governors else {
        return Finding::unknown(topic, Grade::Note);
    };
    let names: Vec<&str> = governors.iter().map(String::as_str).collect();
    let found = names.join(", ");
    match names.iter().all(|name| name.starts_with("performance")) {
        true => Finding::new(topic, Grade::Ok, found),
        false => Finding::new(topic, Grade::Warn, found).next(
            "short runs are timed while the frequency rises: have an administrator choose the \
             governor `performance`",
        ),
    }
}

fn turbo(turbo: Option<bool>) -> Finding {
    let topic = "turbo";
    match turbo {
        None => Finding::unknown(topic, Grade::Note),
        Some(false) => Finding::new(topic, Grade::Ok, "off"),
        Some(true) => Finding::new(topic, Grade::Note, "on").next(
            "the frequency depends on heat and on how many cores work: compare like widths, and \
             leave it as it is between the runs of one history",
        ),
    }
}

fn load(around: &Surroundings<'_>) -> Finding {
    let topic = "load";
    let average = match around.conditions.load_1m {
        Some(load) => format!("load average {load:.2}"),
        None => "load average unknown".to_owned(),
    };
    let Some((others, cpus)) = around.others_cpus.zip(around.logical_cpus) else {
        return match around.conditions.load_1m {
            None => Finding::unknown(topic, Grade::Note),
            Some(_) => Finding::new(topic, Grade::Note, average),
        };
    };
    let busiest = around
        .busiest
        .filter(|busiest| !busiest.processes.is_empty());
    let names = busiest.map(|busiest| {
        let processes = busiest.processes.iter();
        let names = processes.map(|busy| format!("{} {:.2}", busy.name, busy.cpus));
        format!(
            " (on the whole machine: {})",
            names.collect::<Vec<_>>().join(", ")
        )
    });
    let found = format!(
        "others use {others:.2} of {}{}; {average}",
        text::counted(usize::try_from(cpus).unwrap_or(usize::MAX), "CPU"),
        names.unwrap_or_default()
    );
    match others > OTHER_SHARE_MAX * f64::from(cpus) {
        false => Finding::new(topic, Grade::Ok, found),
        true => Finding::new(topic, Grade::Warn, found)
            .next("let them end: runs would be marked busy, and be slower"),
    }
}

fn swap(swap: Option<Swap>) -> Finding {
    let topic = "swap";
    match swap {
        None => Finding::unknown(topic, Grade::Note),
        Some(Swap { total: 0, .. }) => Finding::new(topic, Grade::Ok, "there is none"),
        Some(Swap { total, used: 0 }) => Finding::new(
            topic,
            Grade::Ok,
            format!("none of {} is used", text::bytes(total)),
        ),
        Some(Swap { total, used }) => {
            let found = format!("{} of {} are used", text::bytes(used), text::bytes(total));
            Finding::new(topic, Grade::Note, found)
                .next("a run that reads pages back from it is marked busy: free memory first")
        }
    }
}

fn virtualisation(virtual_machine: Option<bool>, steal: Option<f64>) -> Finding {
    let topic = "virtualisation";
    let share = steal.map(|share| format!("{:.1} % of its time went to others", share * 100.0));
    if steal.is_some_and(|share| share > STEAL_SHARE_MAX) {
        let found = format!("virtual machine; {}", share.unwrap_or_default());
        return Finding::new(topic, Grade::Warn, found)
            .next("use an instance with CPUs of its own, or more repeats");
    }
    match virtual_machine {
        None => Finding::unknown(topic, Grade::Note),
        Some(false) => Finding::new(topic, Grade::Ok, "none"),
        Some(true) => {
            let share = share.unwrap_or_else(|| "time given to others is unknown".to_owned());
            Finding::new(topic, Grade::Note, format!("virtual machine; {share}"))
                .next("neighbours on the host are not seen from here: watch the spread of repeats")
        }
    }
}

fn clock(source: Option<&str>, step: Option<Duration>) -> Finding {
    let topic = "clock";
    let Some(step) = step else {
        return Finding::unknown(topic, Grade::Warn)
            .next("the monotonic clock did not move while it was looked at: times would be zero");
    };
    let resolution = text::seconds(step.as_secs_f64());
    let found = format!(
        "{}, steps of {resolution}",
        source.unwrap_or("source unknown")
    );
    if step > RESOLUTION_MAX {
        return Finding::new(topic, Grade::Warn, found)
            .next("times of short operations will be coarse: use the larger sizes");
    }
    match source {
        Some(source) if !FAST_CLOCKS.contains(&source) => Finding::new(topic, Grade::Warn, found)
            .next("this clock is slow to read: have an administrator see why `tsc` was given up"),
        _ => Finding::new(topic, Grade::Ok, found),
    }
}

fn date(now_s: Option<u64>, synchronised: Option<bool>) -> Finding {
    let topic = "date";
    if now_s.is_none_or(|now_s| now_s < PLAUSIBLE_S) {
        return Finding::new(topic, Grade::Warn, "the time of day was never set")
            .next("set it: rows of history are ordered by their dates");
    }
    // Intervals come from the monotonic clock, which a time server slews and never sets.
    match synchronised {
        Some(true) => Finding::new(topic, Grade::Ok, "kept by a time server; it times nothing"),
        _ => Finding::new(
            topic,
            Grade::Ok,
            "plausible; it orders rows and times nothing",
        ),
    }
}

fn environment(variables: &[String]) -> Finding {
    let topic = "environment";
    let tool = |name: &&String| TOOLS.iter().any(|tool| name.starts_with(tool));
    if variables.is_empty() {
        return Finding::new(
            topic,
            Grade::Ok,
            "no variable about threads or tools is set",
        );
    }
    let found = format!(
        "set here, and not seen by workers: {}",
        variables.join(", ")
    );
    match variables.iter().find(tool) {
        None => Finding::new(topic, Grade::Ok, found),
        Some(_) => Finding::new(topic, Grade::Note, found)
            .next("a run that is meant to use the tool must be started by hand"),
    }
}

fn locale() -> Finding {
    let found = "irrelevant: workers see LC_ALL=C, and numbers are written in one way";
    Finding::new("locale", Grade::Ok, found)
}

#[cfg(test)]
mod tests {
    use super::super::finding::check;
    use super::*;
    use crate::machine::busiest::Busy;

    #[test]
    fn only_the_governor_performance_is_ok() {
        for (names, grade, found, step) in [
            (vec!["performance"], Grade::Ok, "performance", false),
            (
                vec!["performance (intel_pstate)"],
                Grade::Ok,
                "intel_pstate",
                false,
            ),
            (
                vec!["powersave (intel_pstate)"],
                Grade::Warn,
                "powersave",
                true,
            ),
            (
                vec!["ondemand", "performance"],
                Grade::Warn,
                "ondemand, performance",
                true,
            ),
        ] {
            let names = names.into_iter().map(str::to_owned).collect();
            check(&governor(Some(&names)), grade, Some(found), step);
        }
        check(&governor(None), Grade::Note, None, false);
    }

    #[test]
    fn turbo_is_noted() {
        check(&turbo(Some(false)), Grade::Ok, Some("off"), false);
        check(&turbo(Some(true)), Grade::Note, Some("on"), true);
        check(&turbo(None), Grade::Note, None, false);
    }

    fn loaded(others_cpus: Option<f64>, load_1m: Option<f64>, names: &[&str]) -> Finding {
        let conditions = Conditions {
            load_1m,
            ..Conditions::default()
        };
        let busy = |name: &&str| Busy {
            name: (*name).to_owned(),
            cpus: 0.75,
        };
        let busiest = Busiest {
            window_s: 1.0,
            processes: names.iter().map(busy).collect(),
        };
        load(&Surroundings {
            conditions: &conditions,
            others_cpus,
            busiest: Some(&busiest),
            logical_cpus: Some(4),
            clock_step: None,
            now_s: None,
            variables: &[],
        })
    }

    #[test]
    fn others_are_warned_of_where_runs_would_be_marked_busy() {
        check(
            &loaded(Some(0.39), Some(0.1), &[]),
            Grade::Ok,
            Some("0.39 of 4 CPUs;"),
            false,
        );
        let busy = loaded(Some(0.41), None, &["cc1plus", "sh"]);
        check(
            &busy,
            Grade::Warn,
            Some("(on the whole machine: cc1plus 0.75, sh 0.75)"),
            true,
        );
        check(&busy, Grade::Warn, Some("load average unknown"), true);
        check(
            &loaded(None, Some(1.5), &[]),
            Grade::Note,
            Some("load average 1.50"),
            false,
        );
        check(&loaded(None, None, &[]), Grade::Note, None, false);
    }

    #[test]
    fn swap_in_use_is_noted() {
        let of = |total, used| swap(Some(Swap { total, used }));
        check(&swap(None), Grade::Note, None, false);
        check(&of(0, 0), Grade::Ok, Some("none"), false);
        check(&of(1 << 30, 0), Grade::Ok, Some("none of 1.00 GiB"), false);
        check(
            &of(1 << 30, 1 << 20),
            Grade::Note,
            Some("1.00 MiB of 1.00 GiB"),
            true,
        );
    }

    #[test]
    fn a_busy_host_is_warned_of_and_any_host_noted() {
        for (virtual_machine, steal, grade, found, step) in [
            (Some(false), Some(0.0), Grade::Ok, Some("none"), false),
            (Some(true), Some(0.001), Grade::Note, Some("0.1 %"), true),
            (Some(true), None, Grade::Note, Some("is unknown"), true),
            (Some(true), Some(0.05), Grade::Warn, Some("5.0 %"), true),
            (None, Some(0.05), Grade::Warn, Some("5.0 %"), true),
            (None, None, Grade::Note, None, false),
        ] {
            check(&virtualisation(virtual_machine, steal), grade, found, step);
        }
    }

    #[test]
    fn clocks_that_are_slow_or_coarse_are_warned_of() {
        let (fine, coarse) = (Duration::from_nanos(20), Duration::from_millis(10));
        for (source, step, grade, found, next) in [
            (
                Some("tsc"),
                Some(fine),
                Grade::Ok,
                Some("tsc, steps of 20.0 ns"),
                false,
            ),
            (None, Some(fine), Grade::Ok, Some("source unknown"), false),
            (Some("hpet"), Some(fine), Grade::Warn, Some("hpet"), true),
            (
                Some("acpi_pm"),
                Some(fine),
                Grade::Warn,
                Some("acpi_pm"),
                true,
            ),
            (
                Some("tsc"),
                Some(coarse),
                Grade::Warn,
                Some("10.0 ms"),
                true,
            ),
            (Some("tsc"), None, Grade::Warn, None, true),
        ] {
            check(&clock(source, step), grade, found, next);
        }
    }

    #[test]
    fn a_clock_that_was_never_set_is_warned_of() {
        check(
            &date(Some(PLAUSIBLE_S), Some(true)),
            Grade::Ok,
            Some("time server"),
            false,
        );
        check(
            &date(Some(PLAUSIBLE_S), None),
            Grade::Ok,
            Some("plausible"),
            false,
        );
        check(
            &date(Some(0), Some(true)),
            Grade::Warn,
            Some("never set"),
            true,
        );
        check(&date(None, None), Grade::Warn, Some("never set"), true);
    }

    #[test]
    fn tools_in_the_environment_are_noted_and_threads_are_not() {
        let named = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        check(&environment(&[]), Grade::Ok, Some("no variable"), false);
        let threads = named(&["KMP_AFFINITY", "OMP_NUM_THREADS"]);
        check(
            &environment(&threads),
            Grade::Ok,
            Some("OMP_NUM_THREADS"),
            false,
        );
        for tool in ["KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY", "LD_PRELOAD"] {
            check(&environment(&named(&[tool])), Grade::Note, Some(tool), true);
        }
    }

    #[test]
    fn every_topic_appears_once_and_nothing_known_blocks_nothing() {
        let findings = grade(&Surroundings {
            conditions: &Conditions::default(),
            others_cpus: None,
            busiest: None,
            logical_cpus: None,
            clock_step: None,
            now_s: None,
            variables: &[],
        });
        let topics: BTreeSet<&str> = findings.iter().map(|finding| finding.topic).collect();
        assert_eq!(topics.len(), findings.len());
        assert!(
            findings
                .iter()
                .all(|finding| finding.grade < Grade::Blocked)
        );
    }
}
