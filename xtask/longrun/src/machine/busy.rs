//! Whether the machine was busy with something else while a worker was set up, or in a repeat.
//!
//! Counters are read before and after; [`judge`] compares them. There is no waiting: the window
//! is the time that the set-up or the repeat takes anyway. Around repeats the worker reads them,
//! who knows when nothing is timed, and its readings are judged here as well ([`of_span`]).

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

pub use longrun_protocol::receipt::CpuTicks;
use longrun_protocol::receipt::{LoadSpan, MachineLoad};

use super::files::text;

/// Share of the allocation that other processes may use before the machine counts as busy.
///
/// A choice, not a measurement: well above what the daemons of a quiet system use, and low enough
/// to flag one other busy process on an allocation of up to ten CPUs.
pub const OTHER_SHARE_MAX: f64 = 0.10;

/// Shortest window that says anything: the counters have steps of 10 ms.
const WINDOW_MIN: Duration = Duration::from_millis(50);

/// Window after which nothing is gained by a longer one: a step of the counters is 2 % of it.
pub const WINDOW_ENOUGH: Duration = Duration::from_millis(500);

/// Ticks that the CPUs of an allocation were busy, and pages that came back from swap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// CPU time, where the system counts it.
    pub cpu: Option<CpuTicks>,
    /// Pages swapped in since the start, where the system counts them.
    pub swap_ins: Option<u64>,
}

/// What others did in a window of time; unknown where the counters do not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Others {
    /// Whether that was enough to count as busy, as for [`judge`].
    pub busy: Option<bool>,
    /// CPUs of the allocation that they kept busy on average.
    pub cpus: Option<f64>,
}

/// Reads the counters of a Linux system under `root`, over the given CPUs or, where they are
/// unknown, over all.
pub fn read(root: &Path, cpus: Option<&BTreeSet<u32>>) -> Counters {
    Counters {
        cpu: text(root, "proc/stat").and_then(|stat| parse_stat(&stat, cpus)),
        swap_ins: text(root, "proc/vmstat").and_then(|vmstat| parse_vmstat(&vmstat)),
    }
}

/// Whether other processes used more than a tenth of an allocation of `cpus` CPUs between two
/// readings that lie `elapsed` apart, or pages came back from swap. `own_cpu` is the CPU time that
/// this process and its children used in between. Unknown where the counters do not tell.
pub fn judge(
    before: &Counters,
    after: &Counters,
    own_cpu: Duration,
    elapsed: Duration,
    cpus: u32,
) -> Option<bool> {
    if elapsed < WINDOW_MIN {
        return None;
    }
    let swapped = before
        .swap_ins
        .zip(after.swap_ins)
        .and_then(|(before, after)| after.checked_sub(before))
        .is_some_and(|pages| pages > 0);
    if swapped {
        return Some(true);
    }
    let others = others(before, after, own_cpu, elapsed)?;
    (cpus > 0).then(|| others > OTHER_SHARE_MAX * f64::from(cpus))
}

/// What others did between two readings of a worker.
pub fn of_span(span: &LoadSpan) -> Others {
    let counters = |load: &MachineLoad| Counters {
        cpu: load.cpu,
        swap_ins: load.swap_ins,
    };
    let passed = |of: fn(&MachineLoad) -> Option<u64>| {
        let ns = of(&span.after)?.checked_sub(of(&span.before)?)?;
        Some(Duration::from_nanos(ns))
    };
    let own_cpu = passed(|load| load.process_cpu_ns);
    let elapsed = passed(|load| load.at_ns);
    let (Some(own_cpu), Some(elapsed), Some(ticks)) = (own_cpu, elapsed, span.after.cpu) else {
        return Others::default();
    };
    let (before, after) = (counters(&span.before), counters(&span.after));
    Others {
        busy: judge(&before, &after, own_cpu, elapsed, ticks.cpus),
        // Less than nothing is the rounding of the counters.
        cpus: others(&before, &after, own_cpu, elapsed).map(|cpus| cpus.max(0.0)),
    }
}

/// How many CPUs of an allocation other processes kept busy on average, in a window as for
/// [`judge`]; unknown where that is too short or the counters do not tell.
pub fn others(
    before: &Counters,
    after: &Counters,
    own_cpu: Duration,
    elapsed: Duration,
) -> Option<f64> {
    if elapsed < WINDOW_MIN {
        return None;
    }
    others_cpus(before.cpu?, after.cpu?, own_cpu, elapsed)
}

/// How many CPUs other processes kept busy on average.
fn others_cpus(
    before: CpuTicks,
    after: CpuTicks,
    own_cpu: Duration,
    elapsed: Duration,
) -> Option<f64> {
    let busy = after.busy.checked_sub(before.busy)?;
    let total = after
        .total
        .checked_sub(before.total)
        .filter(|total| *total > 0)?;
    if before.cpus != after.cpus {
        return None;
    }
    // The share of all ticks needs no knowledge of how long a tick is.
    let busy_cpus = ticks(busy)? / ticks(total)? * f64::from(after.cpus);
    Some(busy_cpus - own_cpu.as_secs_f64() / elapsed.as_secs_f64())
}

/// Differences of ticks are small: more than 2^32 of them are damage.
fn ticks(count: u64) -> Option<f64> {
    u32::try_from(count).ok().map(f64::from)
}

/// Sums the lines `cpuN` of the given CPUs, or takes the line `cpu` of all of them.
fn parse_stat(stat: &str, cpus: Option<&BTreeSet<u32>>) -> Option<CpuTicks> {
    let mut chosen = CpuTicks {
        busy: 0,
        total: 0,
        cpus: 0,
    };
    let mut all = None;
    let mut online: u32 = 0;
    for line in stat.lines() {
        let Some((name, values)) = line.split_once(char::is_whitespace) else {
            continue;
        };
        let Some(number) = name.strip_prefix("cpu") else {
            continue;
        };
        let (busy, total) = parse_ticks(values)?;
        if number.is_empty() {
            all = Some((busy, total));
            continue;
        }
        online = online.checked_add(1)?;
        let number: u32 = number.parse().ok()?;
        if cpus.is_some_and(|cpus| cpus.contains(&number)) {
            chosen.busy = chosen.busy.checked_add(busy)?;
            chosen.total = chosen.total.checked_add(total)?;
            chosen.cpus = chosen.cpus.checked_add(1)?;
        }
    }
    if chosen.cpus == 0 {
        let (busy, total) = all?;
        chosen = CpuTicks {
            busy,
            total,
            cpus: online,
        };
    }
    (chosen.total > 0 && chosen.cpus > 0).then_some(chosen)
}

/// Busy and total ticks of one line: user nice system idle iowait irq softirq steal, after which
/// guest time repeats what user time holds.
fn parse_ticks(values: &str) -> Option<(u64, u64)> {
    let mut busy: u64 = 0;
    let mut total: u64 = 0;
    for (column, value) in values.split_whitespace().take(8).enumerate() {
        let value: u64 = value.parse().ok()?;
        total = total.checked_add(value)?;
        let idle = column == 3 || column == 4;
        if !idle {
            busy = busy.checked_add(value)?;
        }
    }
    Some((busy, total))
}

fn parse_vmstat(vmstat: &str) -> Option<u64> {
    let value = vmstat
        .lines()
        .find_map(|line| line.strip_prefix("pswpin "))?;
    value.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::made::MadeMachine;
    use super::*;

    fn counters(busy: u64, total: u64, swap_ins: Option<u64>) -> Counters {
        Counters {
            cpu: Some(CpuTicks {
                busy,
                total,
                cpus: 4,
            }),
            swap_ins,
        }
    }

    /// Four CPUs over one second: 400 ticks, of which so many busy and so many milliseconds own.
    fn verdict(busy: u64, own_ms: u64, swap: Option<(u64, u64)>) -> Option<bool> {
        judge(
            &counters(1000, 9000, swap.map(|swap| swap.0)),
            &counters(1000 + busy, 9400, swap.map(|swap| swap.1)),
            Duration::from_millis(own_ms),
            Duration::from_secs(1),
            4,
        )
    }

    #[test]
    fn more_than_a_tenth_of_the_allocation_is_busy() {
        for (busy, own_ms, expected) in [
            (0, 0, false),
            (39, 0, false),
            (41, 0, true),
            (100, 1000, false),
            (139, 1000, false),
            (141, 1000, true),
            (100, 1200, false),
            (400, 0, true),
        ] {
            assert_eq!(
                verdict(busy, own_ms, None),
                Some(expected),
                "{busy} {own_ms}"
            );
        }
    }

    #[test]
    fn one_page_from_swap_is_busy() {
        assert_eq!(verdict(0, 0, Some((7, 7))), Some(false));
        assert_eq!(verdict(0, 0, Some((7, 8))), Some(true));
    }

    #[test]
    fn the_allocation_counts_and_not_the_machine() {
        let (before, after) = (counters(0, 400, None), counters(20, 800, None));
        let second = Duration::from_secs(1);
        assert_eq!(
            judge(&before, &after, Duration::ZERO, second, 4),
            Some(false)
        );
        assert_eq!(
            judge(&before, &after, Duration::ZERO, second, 1),
            Some(true)
        );
    }

    #[test]
    fn what_the_counters_do_not_tell_is_unknown() {
        let second = Duration::from_secs(1);
        let zero = Duration::ZERO;
        let known = counters(10, 400, Some(0));
        let later = counters(10, 800, Some(0));
        let nothing = Counters::default();
        let short = Duration::from_millis(49);
        assert_eq!(judge(&known, &later, zero, short, 4), None);
        assert_eq!(judge(&known, &known, zero, second, 4), None);
        assert_eq!(judge(&later, &known, zero, second, 4), None);
        assert_eq!(judge(&nothing, &later, zero, second, 4), None);
        assert_eq!(judge(&known, &nothing, zero, second, 4), None);
        assert_eq!(judge(&known, &later, zero, second, 0), None);
        assert_eq!(judge(&known, &later, zero, second, 4), Some(false));
    }

    /// Readings of a worker, two seconds apart on two CPUs: so many ticks more that were busy, and
    /// so much of its own time.
    fn span(busy: u64, own_ms: u64) -> LoadSpan {
        let before = MachineLoad {
            at_ns: Some(5_000_000_000),
            process_cpu_ns: Some(700_000_000),
            cpu: Some(CpuTicks {
                busy: 1000,
                total: 9000,
                cpus: 2,
            }),
            swap_ins: Some(3),
            ..MachineLoad::default()
        };
        let after = MachineLoad {
            at_ns: Some(7_000_000_000),
            process_cpu_ns: Some(700_000_000 + own_ms * 1_000_000),
            cpu: Some(CpuTicks {
                busy: 1000 + busy,
                total: 9400,
                cpus: 2,
            }),
            ..before
        };
        LoadSpan { before, after }
    }

    #[test]
    fn a_repeat_is_judged_by_what_others_did_in_it() {
        for (busy, own_ms, expected, cpus) in [
            (200, 2000, false, 0.0),
            (230, 2000, false, 0.15),
            (250, 2000, true, 0.25),
            (400, 2000, true, 1.0),
            (400, 3900, false, 0.05),
            // Ticks are coarse: the worker may have used more than was counted.
            (195, 2000, false, 0.0),
        ] {
            let others = of_span(&span(busy, own_ms));
            assert_eq!(others.busy, Some(expected), "{busy} {own_ms}");
            assert!((others.cpus.unwrap() - cpus).abs() < 1e-12, "{others:?}");
        }
        let mut swapped = span(200, 2000);
        swapped.after.swap_ins = Some(4);
        assert_eq!(of_span(&swapped).busy, Some(true));
    }

    #[test]
    fn a_repeat_whose_readings_lack_something_or_contradict_themselves_is_unknown() {
        let changes: [fn(&mut LoadSpan); 9] = [
            |span| span.before.at_ns = None,
            |span| span.after.at_ns = None,
            |span| span.after.at_ns = Some(5_049_999_999),
            |span| span.after.at_ns = Some(1),
            |span| span.before.process_cpu_ns = None,
            |span| span.after.process_cpu_ns = Some(0),
            |span| span.before.cpu = None,
            |span| span.after.cpu = None,
            |span| span.after.cpu = span.before.cpu,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut lacking = span(400, 2000);
            change(&mut lacking);
            assert_eq!(of_span(&lacking), Others::default(), "{number}");
        }
        assert_eq!(of_span(&LoadSpan::default()), Others::default());
    }

    const STAT: &str = "cpu  30 0 10 200 20 0 0 4 5 0\n\
                        cpu0 10 0 5 100 10 0 0 2 5 0\n\
                        cpu1 20 0 5 100 10 0 0 2 0 0\n\
                        intr 12345 0\nctxt 99\n";

    #[test]
    fn idle_and_waiting_are_not_busy_and_stolen_time_is() {
        let all = parse_stat(STAT, None).unwrap();
        assert_eq!(
            all,
            CpuTicks {
                busy: 44,
                total: 264,
                cpus: 2
            }
        );
    }

    #[test]
    fn only_the_cpus_of_the_allocation_are_summed() {
        let one = parse_stat(STAT, Some(&BTreeSet::from([1]))).unwrap();
        assert_eq!(
            one,
            CpuTicks {
                busy: 27,
                total: 137,
                cpus: 1
            }
        );
        let none_of_them = parse_stat(STAT, Some(&BTreeSet::from([9]))).unwrap();
        assert_eq!(none_of_them.cpus, 2);
    }

    #[test]
    fn counters_that_are_absent_damaged_or_zero_are_unknown() {
        let made = MadeMachine::empty();
        assert_eq!(read(made.root(), None), Counters::default());
        made.file("proc/stat", "cpu  0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0\n");
        made.file("proc/vmstat", "nr_free_pages 1\n");
        assert_eq!(read(made.root(), None), Counters::default());
        made.file("proc/stat", "cpu  1 x\n");
        made.file("proc/vmstat", "pswpin 12\npswpout 3\n");
        assert_eq!(
            read(made.root(), None),
            Counters {
                cpu: None,
                swap_ins: Some(12)
            }
        );
    }
}
