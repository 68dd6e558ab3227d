//! What a clock is like: what reading it costs, and the least that it tells apart.

use longrun_protocol::sampling::ClockReport;

use super::Clock;

/// Ticks after which a clock is known.
const TICKS: u32 = 64;

/// Time of the clock's own after which it is as well known as it will be: fifty ticks of one that
/// ticks every 0.4 ms, as some do.
const TIME_NS: u64 = 20_000_000;

/// Pairs after which nothing more is expected of a clock that stands still or runs backwards.
const PAIRS_MAX: u64 = 2_000_000;

/// A clock and what was found of it.
#[derive(Debug)]
pub struct Probed<'a, C> {
    /// The clock.
    pub clock: &'a C,
    /// What it is like.
    pub report: ClockReport,
}

impl<'a, C: Clock> Probed<'a, C> {
    /// Probes a clock. Once per process is enough: it stays what it is.
    pub fn new(clock: &'a C) -> Self {
        let report = probe(clock);
        Probed { clock, report }
    }
}

/// Reads pairs until 64 of them saw the clock tick, for 20 ms by the clock, or 2,000,000 pairs.
///
/// A fixed number of pairs would be too few for a coarse clock, which ticks once in thousands of
/// readings. The overhead is a mean, because the median of a coarse clock is zero.
pub fn probe(clock: &impl Clock) -> ClockReport {
    let mut seen = Seen::default();
    let began = clock.now_ns();
    while seen.ticks < TICKS && seen.pairs < PAIRS_MAX {
        let (first, second) = (clock.now_ns(), clock.now_ns());
        seen.pair(first, second);
        if second.saturating_sub(began) >= TIME_NS {
            break;
        }
    }
    seen.report()
}

/// What pairs of readings have shown so far.
#[derive(Default)]
struct Seen {
    pairs: u64,
    /// Pairs in which the clock did not go back, and the time of all of them.
    usable: u64,
    total_ns: u64,
    /// Pairs in which it went on.
    ticks: u32,
    least_ns: Option<u64>,
}

impl Seen {
    fn pair(&mut self, first: u64, second: u64) {
        self.pairs += 1;
        let Some(difference) = second.checked_sub(first) else {
            return;
        };
        self.usable += 1;
        self.total_ns = self.total_ns.saturating_add(difference);
        if difference > 0 {
            self.ticks += 1;
            self.least_ns = Some(
                self.least_ns
                    .map_or(difference, |least| least.min(difference)),
            );
        }
    }

    fn report(&self) -> ClockReport {
        ClockReport {
            overhead_ns: (self.usable > 0).then(|| self.total_ns as f64 / self.usable as f64),
            granularity_ns: self.least_ns,
            pairs: self.pairs,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::cell::Cell;

    use super::*;
    use crate::clock::{ScriptedClock, VirtualClock};

    #[test]
    fn a_fine_clock_is_known_after_sixty_four_ticks() {
        let clock = VirtualClock::new(25.0, 1);
        let report = probe(&clock);
        assert_eq!(report.granularity_ns, Some(25));
        assert_eq!(report.overhead_ns, Some(25.0));
        assert_eq!(report.pairs, 64);
    }

    /// The original read 64 pairs, which is too few to see a tick of a coarse clock.
    #[test]
    fn a_coarse_clock_is_read_until_it_has_ticked() {
        let clock = VirtualClock::new(254.0, 378_100);
        let report = probe(&clock);
        assert_eq!(report.granularity_ns, Some(378_100));
        assert!(report.pairs > 10_000, "{report:?}");
        // A mean over whole ticks: the overhead is a thousandth of one, and is found.
        let overhead = report.overhead_ns.unwrap();
        assert!((overhead / 254.0 - 1.0).abs() < 0.3, "{report:?}");
    }

    /// The original called this mean a median.
    #[test]
    fn the_smallest_tick_is_the_granularity_and_the_mean_is_over_all_pairs() {
        let mut readings = vec![0];
        for (first, second) in [(0, 0), (10, 50), (60, 90)] {
            readings.extend([first, second]);
        }
        // The last one is beyond the time, so it ends the probe.
        readings.extend([100, TIME_NS + 100]);
        let report = probe(&ScriptedClock::new(&readings, &[]));
        assert_eq!((report.granularity_ns, report.pairs), (Some(30), 4));
        assert_eq!(report.overhead_ns, Some((TIME_NS + 70) as f64 / 4.0));
    }

    #[test]
    fn a_clock_that_stands_still_has_no_granularity_and_the_probe_ends() {
        let report = probe(&ScriptedClock::new(&[7], &[]));
        assert_eq!(report.granularity_ns, None);
        assert_eq!((report.overhead_ns, report.pairs), (Some(0.0), PAIRS_MAX));
    }

    /// Every reading is earlier than the one before.
    struct Falling(Cell<u64>);

    impl Clock for Falling {
        fn now_ns(&self) -> u64 {
            self.0.set(self.0.get() - 1);
            self.0.get()
        }

        fn process_cpu_ns(&self) -> Option<u64> {
            None
        }
    }

    #[test]
    fn a_clock_that_runs_backwards_has_neither_overhead_nor_granularity() {
        let report = probe(&Falling(Cell::new(u64::MAX)));
        assert_eq!((report.overhead_ns, report.granularity_ns), (None, None));
        assert_eq!(report.pairs, PAIRS_MAX);
    }

    #[test]
    fn a_probe_keeps_its_clock() {
        let clock = VirtualClock::new(30.0, 10);
        let probed = Probed::new(&clock);
        assert_eq!(probed.report.granularity_ns, Some(30));
        assert!(probed.clock.now_ns() > 0);
    }
}
