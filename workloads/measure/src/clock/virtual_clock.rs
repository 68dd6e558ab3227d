//! A clock whose time passes when it is read and when it is told to.

use std::cell::Cell;

use super::Clock;

/// Simulated time, for tests: what is measured says by [`pass`](VirtualClock::pass) how long it
/// took.
///
/// CPU time is the same time without its granularity, and reading it costs none.
#[derive(Debug)]
pub struct VirtualClock {
    now_ns: Cell<f64>,
    read_ns: f64,
    tick_ns: u64,
}

impl VirtualClock {
    /// A clock that takes `read_ns` to read and shows whole multiples of `tick_ns`.
    pub fn new(read_ns: f64, tick_ns: u64) -> Self {
        VirtualClock {
            now_ns: Cell::new(0.0),
            read_ns,
            tick_ns: tick_ns.max(1),
        }
    }

    /// Lets time pass. Negative time sets the clock back, no further than to its origin.
    pub fn pass(&self, ns: f64) {
        self.now_ns.set((self.now_ns.get() + ns).max(0.0));
    }
}

impl Clock for VirtualClock {
    fn now_ns(&self) -> u64 {
        self.pass(self.read_ns);
        let now = self.now_ns.get() as u64;
        now - now % self.tick_ns
    }

    fn process_cpu_ns(&self) -> Option<u64> {
        Some(self.now_ns.get() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_by_reading_and_by_being_told_to_and_shows_in_ticks() {
        let clock = VirtualClock::new(10.0, 25);
        assert_eq!((clock.now_ns(), clock.now_ns(), clock.now_ns()), (0, 0, 25));
        clock.pass(60.5);
        assert_eq!(clock.process_cpu_ns(), Some(90));
        assert_eq!(clock.now_ns(), 100);
        clock.pass(-1000.0);
        assert_eq!(clock.now_ns(), 0);
    }
}
