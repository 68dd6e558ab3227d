//! What a case needs of memory, held against what is free before anything large is allocated.

use std::fs;

use super::checks::{Job, Work};
use super::computes::Asked;
use crate::case::Parameters;
use crate::{cartesian, guided};

/// States that the native library holds of a field over a plane: the state, what a step of RK4IP
/// works on, and what its interpolation is made of.
const LIBRARY_STATES: u64 = 10;

/// The same of modes in a guide: what the largest of the steppers works on and remembers, L, the
/// source, and planes.
const LIBRARY_STATES_OF_MODES: u64 = 24;

/// Spectra on the fine grid that either engine holds for each node.
const SPECTRA_OF_NODES: u64 = 2;

/// The same of the reference engine, which keeps L and the source for every value as well.
const REFERENCE_STATES: u64 = 16;

/// States that a worker holds of modes in a guide, the arrays of the problem among them.
const WORKER_STATES: u64 = 8;

/// Samples of the fine grid, as complex numbers, that the reference engine holds at once.
const REFERENCE_CUBES: u64 = 2;

/// Refuses a case that does not fit, with what it needs and what is free. Where the system does not
/// say what is free, nothing is refused.
pub fn check(job: &Job<'_>) -> Result<(), String> {
    let Some(need) = need(job)? else {
        return Ok(());
    };
    judge(need, free(|path| fs::read_to_string(path).ok()))
}

fn judge(need: u64, free: Option<u64>) -> Result<(), String> {
    match free {
        Some(free) if need > free => Err(format!(
            "failed to set the case up: it needs {:.2} GB of memory and {:.2} GB are free; give \
             it fewer `columns` or `nodes` or a shorter `window_s`, or free memory",
            gigabytes(need),
            gigabytes(free)
        )),
        _ => Ok(()),
    }
}

fn gigabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e9
}

/// Bytes that worker and engine hold at once; none where that is little.
fn need(job: &Job<'_>) -> Result<Option<u64>, String> {
    let (state_bytes, fine_bytes, library_states) = match &job.parameters {
        Parameters::Cartesian(parameters) => {
            let size = cartesian::Size::of(parameters).map_err(|error| error.to_string())?;
            (size.state_bytes, size.fine_bytes, LIBRARY_STATES)
        }
        Parameters::Guided(parameters) => {
            let size = guided::Size::of(parameters).map_err(|error| error.to_string())?;
            let nodes = size.nodes_bytes.saturating_mul(SPECTRA_OF_NODES);
            let states = size
                .state_bytes
                .saturating_mul(LIBRARY_STATES_OF_MODES + WORKER_STATES);
            return Ok(Some(states.saturating_add(nodes)));
        }
        Parameters::Gnlse(_) => return Ok(None),
    };
    let (engines, worker) = match job.work {
        // The launch, the first end and the present one; then a copy for the breakdown.
        Work::Run => (1, 3),
        // And planes in the middle.
        Work::Verify(_) => (1, 6),
        Work::Plot => (1, 3),
        Work::PrepareFft => (1, 1),
        Work::Checkpoint(_) => (1, 8),
        Work::Duet(_) => (2, 8),
    };
    let (states, cubes) = match job.computes {
        Asked::Native(_) => (library_states, 0),
        Asked::Reference => (REFERENCE_STATES, REFERENCE_CUBES),
    };
    let states = state_bytes.saturating_mul(worker + engines * states);
    let cubes = fine_bytes.saturating_mul(cubes);
    Ok(Some(states.saturating_add(cubes)))
}

/// Bytes that this process may still take; `read` gives the text of a file, where there is one.
fn free(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
    let of_machine = read("/proc/meminfo").and_then(|text| available(&text));
    let number = |path: &str| read(path)?.trim().parse::<u64>().ok();
    let within = |limit: &str, used: &str| Some(number(limit)?.saturating_sub(number(used)?));
    let of_group = within("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
    let of_older_group = within(
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    );
    let known = [of_machine, of_group, of_older_group];
    known.into_iter().flatten().min()
}

/// What `/proc/meminfo` says is available, in bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const MEMINFO: &str = "MemTotal:  4000 kB\nMemFree: 10 kB\nMemAvailable:    2000 kB\n";

    #[test]
    fn the_least_of_what_machine_and_group_leave_is_free() {
        let files = |group: &'static [(&'static str, &'static str)]| {
            move |path: &str| {
                let all = [("/proc/meminfo", MEMINFO)];
                let mut all = all.iter().chain(group);
                let found = all.find(|(name, _)| *name == path);
                found.map(|(_, text)| (*text).to_owned())
            }
        };
        assert_eq!(free(files(&[])), Some(2_048_000));
        let limited = &[
            ("/sys/fs/cgroup/memory.max", "1500000\n"),
            ("/sys/fs/cgroup/memory.current", "500000\n"),
        ];
        assert_eq!(free(files(limited)), Some(1_000_000));
        let unlimited = &[
            ("/sys/fs/cgroup/memory.max", "max\n"),
            ("/sys/fs/cgroup/memory.current", "500000\n"),
        ];
        assert_eq!(free(files(unlimited)), Some(2_048_000));
        assert_eq!(free(|_| None), None);
        assert_eq!(available("MemAvailable: many kB"), None);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_need_and_free() {
        let said = judge(5_000_000_000, Some(4_500_000_000)).unwrap_err();
        for part in ["5.00 GB", "4.50 GB", "fewer `columns`"] {
            assert!(said.contains(part), "{said}");
        }
        assert_eq!(judge(4_500_000_000, Some(4_500_000_000)), Ok(()));
        assert_eq!(judge(u64::MAX, None), Ok(()));
    }
}
