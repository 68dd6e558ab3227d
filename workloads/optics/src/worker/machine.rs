//! What the system says about the machine and this process. Linux; absent elsewhere.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;

use longrun_protocol::receipt::{MachineLoad, Usage};

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

/// Load and pressure now.
pub fn load() -> MachineLoad {
    let read = |path: &str| fs::read_to_string(path).ok();
    MachineLoad {
        load_1m: read("/proc/loadavg").as_deref().and_then(load_1m),
        cpu_some_avg10: read("/proc/pressure/cpu").as_deref().and_then(some_avg10),
        memory_some_avg10: read("/proc/pressure/memory")
            .as_deref()
            .and_then(some_avg10),
    }
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
