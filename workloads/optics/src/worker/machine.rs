//! What the system says about the machine and this process. Linux; absent elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::{env, fs};

use longrun_measure::{Clock, SystemClock};
use longrun_protocol::receipt::{CpuTicks, MachineLoad, Usage};

/// Variable that names the CPUs of the allocation: what others do on these is of interest.
const CPUS: &str = "LONGRUN_CPUS";

/// Beginnings of the names of variables that concern threads.
const THREAD_PREFIXES: [&str; 5] = ["OMP_", "GOMP_", "KMP_", "OPENBLAS_", "MKL_"];

/// Asks the system to end this process when its parent ends, where the system can: a run whose
/// orchestrator was killed has nobody to end it and would disturb the next measurement.
pub fn end_with_parent() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        // Where it is refused, the worker runs to its end as it would elsewhere.
        let _ = set_parent_process_death_signal(Some(Signal::TERM));
    }
}

/// Load, pressure and counters now. The counters are read last and together: two of these readings
/// say what the machine and this process did from one to the other.
pub fn load() -> MachineLoad {
    let read = |path: &str| fs::read_to_string(path).ok();
    let cpus = env::var(CPUS).ok();
    let averages = MachineLoad {
        load_1m: read("/proc/loadavg").as_deref().and_then(load_1m),
        cpu_some_avg10: read("/proc/pressure/cpu").as_deref().and_then(some_avg10),
        memory_some_avg10: read("/proc/pressure/memory")
            .as_deref()
            .and_then(some_avg10),
        swap_ins: read("/proc/vmstat").as_deref().and_then(swap_ins),
        ..MachineLoad::default()
    };
    MachineLoad {
        cpu: read("/proc/stat")
            .as_deref()
            .and_then(|stat| cpu_ticks(stat, cpus.as_deref())),
        process_cpu_ns: SystemClock::new().process_cpu_ns(),
        at_ns: monotonic_ns(),
        ..averages
    }
}

/// Nanoseconds on the system's clock that never goes back.
fn monotonic_ns() -> Option<u64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    let nanoseconds = u64::try_from(time.tv_nsec).ok()?;
    seconds.checked_mul(1_000_000_000)?.checked_add(nanoseconds)
}

/// Peak resident memory of this process.
pub fn peak_rss_bytes() -> Option<u64> {
    fs::read_to_string("/proc/self/status")
        .ok()
        .as_deref()
        .and_then(vm_hwm_bytes)
}

/// What this process has used since it began, its threads included.
pub fn usage() -> Option<Usage> {
    use nix::sys::resource::{UsageWho, getrusage};
    let used = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    let natural = |count| u64::try_from(count).ok();
    let nanoseconds = |time: nix::sys::time::TimeVal| {
        let seconds = u64::try_from(time.tv_sec()).ok()?;
        let rest = u64::try_from(time.tv_usec()).ok()?.checked_mul(1000)?;
        seconds.checked_mul(1_000_000_000)?.checked_add(rest)
    };
    Some(Usage {
        user_ns: nanoseconds(used.user_time())?,
        system_ns: nanoseconds(used.system_time())?,
        minor_faults: natural(used.minor_page_faults())?,
        major_faults: natural(used.major_page_faults())?,
        voluntary_switches: natural(used.voluntary_context_switches())?,
        involuntary_switches: natural(used.involuntary_context_switches())?,
    })
}

/// The variables that concern threads, as this process sees them.
pub fn thread_environment(
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> BTreeMap<String, String> {
    variables
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .filter(|(name, _)| {
            THREAD_PREFIXES
                .iter()
                .any(|prefix| name.starts_with(prefix))
        })
        .map(|(name, value)| (name, value.to_string_lossy().into_owned()))
        .collect()
}

fn load_1m(text: &str) -> Option<f64> {
    number(text.split_whitespace().next()?)
}

fn some_avg10(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    number(
        line.split_whitespace()
            .find_map(|word| word.strip_prefix("avg10="))?,
    )
}

fn swap_ins(text: &str) -> Option<u64> {
    let count = text.lines().find_map(|line| line.strip_prefix("pswpin "))?;
    count.trim().parse().ok()
}

/// What the CPUs that are named (`0,1,5`) have done, of the text of `/proc/stat`; of all where none
/// are named. One that is named and not there leaves it unknown.
fn cpu_ticks(stat: &str, named: Option<&str>) -> Option<CpuTicks> {
    let named: Option<BTreeSet<u32>> = match named {
        Some(list) => Some(
            list.split(',')
                .map(|cpu| cpu.parse().ok())
                .collect::<Option<_>>()?,
        ),
        None => None,
    };
    let mut sum = CpuTicks::default();
    for line in stat.lines() {
        let Some((name, values)) = line.split_once(' ') else {
            continue;
        };
        // The line `cpu` sums all of them, and other names follow those of CPUs.
        let Some(Ok(cpu)) = name.strip_prefix("cpu").map(str::parse::<u32>) else {
            continue;
        };
        if named.as_ref().is_none_or(|named| named.contains(&cpu)) {
            let (busy, total) = ticks(values)?;
            sum.busy = sum.busy.checked_add(busy)?;
            sum.total = sum.total.checked_add(total)?;
            sum.cpus = sum.cpus.checked_add(1)?;
        }
    }
    let found = usize::try_from(sum.cpus).ok()?;
    let wanted = named.map_or(found, |named| named.len());
    (found > 0 && found == wanted).then_some(sum)
}

/// Busy and total ticks of a CPU: user nice system idle iowait irq softirq steal. What follows is
/// in the time of users already.
fn ticks(values: &str) -> Option<(u64, u64)> {
    let (mut busy, mut total) = (0_u64, 0_u64);
    for (column, value) in values.split_whitespace().take(8).enumerate() {
        let value: u64 = value.parse().ok()?;
        total = total.checked_add(value)?;
        if column != 3 && column != 4 {
            busy = busy.checked_add(value)?;
        }
    }
    Some((busy, total))
}

fn vm_hwm_bytes(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes = line.trim().strip_suffix("kB")?.trim_end();
    kibibytes.parse::<u64>().ok()?.checked_mul(1024)
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_is_the_first_number() {
        assert_eq!(load_1m("0.75 0.40 0.31 2/211 9183\n"), Some(0.75));
        assert_eq!(load_1m(""), None);
    }

    #[test]
    fn the_pressure_is_the_ten_second_average_of_some() {
        let text = "some avg10=1.25 avg60=0.10 avg300=0.02 total=1\nfull avg10=9.00 avg60=0\n";
        assert_eq!(some_avg10(text), Some(1.25));
        assert_eq!(some_avg10("full avg10=9.00"), None);
        assert_eq!(some_avg10("some avg10=much"), None);
    }

    const STAT: &str = "cpu  60 0 30 600 60 0 0 12 5 0\n\
                        cpu0 10 0 5 100 10 0 0 2 5 0\n\
                        cpu1 20 0 5 100 10 0 0 2 0 0\n\
                        cpu10 30 0 20 400 40 0 0 8 0 0\n\
                        intr 12345 0\ncpufreq x\n";

    #[test]
    fn ticks_are_those_of_the_cpus_that_are_named_and_of_all_where_none_are() {
        let of = |busy, total, cpus| Some(CpuTicks { busy, total, cpus });
        for (named, expected) in [
            (Some("1"), of(27, 137, 1)),
            (Some("0,10"), of(75, 625, 2)),
            (None, of(102, 762, 3)),
            (Some("0,9"), None),
            (Some(""), None),
            (Some("0-1"), None),
        ] {
            assert_eq!(cpu_ticks(STAT, named), expected, "{named:?}");
        }
        assert_eq!(cpu_ticks("cpu0 1 x 3 4\n", None), None);
        assert_eq!(cpu_ticks("cpu  1 2 3 4\n", None), None);
        assert_eq!(cpu_ticks("", None), None);
    }

    #[test]
    fn pages_from_swap_are_counted_where_the_system_does() {
        let text = "nr_free_pages 1\npswpin 12\npswpout 3\n";
        assert_eq!(swap_ins(text), Some(12));
        assert_eq!(swap_ins("pswpout 3\n"), None);
    }

    #[test]
    fn a_later_reading_says_how_far_both_clocks_went() {
        let (before, after) = (load(), load());
        let clocks = |of: MachineLoad| of.at_ns.zip(of.process_cpu_ns);
        let both = clocks(before).into_iter().zip(clocks(after));
        let went = both.map(|(from, to)| from.0 < to.0 && from.1 <= to.1);
        assert_eq!(went.collect::<Vec<_>>(), [true]);
    }

    #[test]
    fn the_peak_is_in_kibibytes() {
        assert_eq!(
            vm_hwm_bytes("VmPeak:\t9 kB\nVmHWM:\t   512 kB\n"),
            Some(524_288)
        );
        assert_eq!(vm_hwm_bytes("VmHWM:\t512 MB\n"), None);
        assert_eq!(vm_hwm_bytes("VmRSS:\t512 kB\n"), None);
    }

    #[test]
    fn what_a_process_has_used_never_shrinks() {
        let before = usage();
        // More than any allocator keeps at hand: its pages are new.
        let touched = std::hint::black_box(vec![1_u8; 1 << 26]);
        let (before, after) = (before.into_iter(), usage().into_iter());
        let grown = before.zip(after).map(|(before, after)| {
            after.minor_faults > before.minor_faults && after.user_ns >= before.user_ns
        });
        assert_eq!(grown.collect::<Vec<_>>(), [true], "{}", touched.len());
    }

    #[test]
    fn only_variables_that_concern_threads_are_kept() {
        let variables = [
            ("OMP_NUM_THREADS", "2"),
            ("HOME", "/root"),
            ("MKL_DYNAMIC", "FALSE"),
        ];
        let pairs = variables
            .iter()
            .map(|(name, value)| (name.into(), value.into()));
        let kept: Vec<(String, String)> = thread_environment(pairs).into_iter().collect();
        let expected = [("MKL_DYNAMIC", "FALSE"), ("OMP_NUM_THREADS", "2")];
        assert_eq!(
            kept,
            expected.map(|(name, value)| (name.into(), value.into()))
        );
    }
}
