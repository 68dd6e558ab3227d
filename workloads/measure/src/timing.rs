//! One timed interval.

use longrun_protocol::Sample;

use crate::clock::Clock;

/// What the clock said about one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// An interval that lasted zero nanoseconds or more: a sample, zero included.
    Measured(Sample),
    /// The wall clock went backwards: there is no sample, and it must not be taken for a fast one.
    Backwards {
        /// By how much.
        by_ns: u64,
    },
}

/// Does `work`, which is `ops` operations, and times it.
///
/// Wall time is read last before and first after the work, so the reading of the CPU clock, which
/// is a system call, is not part of the interval. CPU time that is unknown at either end, or goes
/// backwards, is unknown.
pub fn time<T>(clock: &impl Clock, ops: u64, work: impl FnOnce() -> T) -> (T, Interval) {
    let cpu_start = clock.process_cpu_ns();
    let start = clock.now_ns();
    let result = work();
    let end = clock.now_ns();
    let cpu_end = clock.process_cpu_ns();
    (result, interval(ops, (start, end), (cpu_start, cpu_end)))
}

/// Nanoseconds of one operation, never rounded: a block of a million may take less than one each.
pub fn ns_per_op(sample: &Sample) -> f64 {
    sample.interval_ns as f64 / sample.ops as f64
}

fn interval(ops: u64, wall: (u64, u64), cpu: (Option<u64>, Option<u64>)) -> Interval {
    let cpu_ns = match cpu {
        (Some(start), Some(end)) => end.checked_sub(start),
        _ => None,
    };
    match wall.1.checked_sub(wall.0) {
        Some(interval_ns) => Interval::Measured(Sample {
            interval_ns,
            cpu_ns,
            ops,
            usage: None,
        }),
        None => Interval::Backwards {
            by_ns: wall.0.abs_diff(wall.1),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ScriptedClock;

    fn measured(interval_ns: u64, cpu_ns: Option<u64>, ops: u64) -> Interval {
        Interval::Measured(Sample {
            interval_ns,
            cpu_ns,
            ops,
            usage: None,
        })
    }

    #[test]
    fn an_interval_is_the_difference_of_two_readings() {
        let clock = ScriptedClock::new(&[100, 350], &[20, 260]);
        let (result, interval) = time(&clock, 5, || "done");
        assert_eq!(result, "done");
        assert_eq!(interval, measured(250, Some(240), 5));
    }

    #[test]
    fn an_interval_below_the_tick_of_the_clock_is_a_sample_of_zero() {
        let clock = ScriptedClock::new(&[7], &[7]);
        assert_eq!(time(&clock, 1, || ()).1, measured(0, Some(0), 1));
    }

    /// The original divided whole nanoseconds, and 0.7 became 0.
    #[test]
    fn an_operation_of_less_than_a_nanosecond_keeps_its_time() {
        let clock = ScriptedClock::new(&[0, 700_000], &[]);
        let ns = match time(&clock, 1_000_000, || ()).1 {
            Interval::Measured(sample) => Some(ns_per_op(&sample)),
            Interval::Backwards { .. } => None,
        };
        assert!(ns.is_some_and(|ns| (ns - 0.7).abs() < 1e-15), "{ns:?}");
    }

    #[test]
    fn a_clock_that_goes_backwards_gives_no_sample() {
        let clock = ScriptedClock::new(&[100, 40], &[0, 10]);
        assert_eq!(time(&clock, 1, || ()).1, Interval::Backwards { by_ns: 60 });
    }

    #[test]
    fn cpu_time_that_is_unknown_or_goes_backwards_is_unknown() {
        for (cpu, name) in [((None, Some(1)), "start"), ((Some(1), None), "end")] {
            assert_eq!(interval(1, (0, 9), cpu), measured(9, None, 1), "{name}");
        }
        let backwards = interval(1, (0, 9), (Some(5), Some(4)));
        assert_eq!(backwards, measured(9, None, 1));
    }
}
