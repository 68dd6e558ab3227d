//! Where time comes from.
//!
//! Code that measures takes a [`Clock`]. The real one is read in production only; a test scripts
//! what the clock says and never asserts a time that has really passed. What a clock is like is
//! found by [`probe()`].

mod probe;
mod virtual_clock;

use std::cell::Cell;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

pub use probe::{Probed, probe};
pub use virtual_clock::VirtualClock;

/// A source of wall time and of CPU time.
pub trait Clock {
    /// Nanoseconds since an origin of the clock's own.
    fn now_ns(&self) -> u64;

    /// CPU time of all threads of this process in nanoseconds, where the system has that clock.
    fn process_cpu_ns(&self) -> Option<u64>;
}

/// The monotonic clock and the CPU clock of the system.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    origin: Instant,
}

impl SystemClock {
    /// A clock whose origin is now.
    pub fn new() -> Self {
        SystemClock {
            origin: Instant::now(),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        SystemClock::new()
    }
}

impl Clock for SystemClock {
    fn now_ns(&self) -> u64 {
        // 2^64 nanoseconds are 584 years: a process does not get there.
        u64::try_from(self.origin.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn process_cpu_ns(&self) -> Option<u64> {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        let seconds = u64::try_from(time.tv_sec).ok()?;
        let nanoseconds = u64::try_from(time.tv_nsec).ok()?;
        seconds.checked_mul(1_000_000_000)?.checked_add(nanoseconds)
    }
}

/// A clock that says what it was told to, for tests.
///
/// Wall time and CPU time are read from two scripts, in order. A script that has ended repeats
/// its last value, and an empty one says zero for wall time and nothing for CPU time.
#[derive(Debug, Default)]
pub struct ScriptedClock {
    wall: Script,
    cpu: Script,
}

#[derive(Debug, Default)]
struct Script {
    values: Vec<u64>,
    next: Cell<usize>,
}

impl Script {
    fn read(&self) -> Option<u64> {
        let index = self.next.get();
        self.next.set(index.saturating_add(1));
        self.values
            .get(index)
            .or_else(|| self.values.last())
            .copied()
    }
}

impl ScriptedClock {
    /// A clock that gives these readings, in nanoseconds.
    pub fn new(wall_ns: &[u64], cpu_ns: &[u64]) -> Self {
        let script = |values: &[u64]| Script {
            values: values.to_vec(),
            next: Cell::new(0),
        };
        ScriptedClock {
            wall: script(wall_ns),
            cpu: script(cpu_ns),
        }
    }
}

impl Clock for ScriptedClock {
    fn now_ns(&self) -> u64 {
        self.wall.read().unwrap_or(0)
    }

    fn process_cpu_ns(&self) -> Option<u64> {
        self.cpu.read()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_clocks_never_run_backwards() {
        let clock = SystemClock::new();
        let (wall, cpu) = (clock.now_ns(), clock.process_cpu_ns());
        let busy: u64 = (0..10_000_u64).fold(0, u64::wrapping_add);
        assert!(std::hint::black_box(busy) > 0);
        assert!(clock.now_ns() >= wall);
        assert!(cpu.is_some());
        assert!(clock.process_cpu_ns() >= cpu);
    }

    #[test]
    fn a_script_that_has_ended_repeats_its_last_value() {
        let clock = ScriptedClock::new(&[3, 5], &[7]);
        let wall: Vec<u64> = (0..4).map(|_| clock.now_ns()).collect();
        assert_eq!(wall, [3, 5, 5, 5]);
        assert_eq!(clock.process_cpu_ns(), Some(7));
        assert_eq!(clock.process_cpu_ns(), Some(7));
    }

    #[test]
    fn a_clock_without_a_cpu_script_has_no_cpu_time() {
        let clock = ScriptedClock::new(&[1], &[]);
        assert_eq!(clock.process_cpu_ns(), None);
    }
}
