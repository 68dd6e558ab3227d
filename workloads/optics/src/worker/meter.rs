//! One timed interval, with what the process used over it.

use longrun_measure::{Clock, Interval, time};
use longrun_protocol::Sample;
use longrun_protocol::receipt::Usage;

/// What times, and what counts beside time. Both can be scripted.
pub struct Meter<'a, C> {
    /// Wall and CPU time.
    pub clock: &'a C,
    /// What the process has used since it began, where the system says so.
    pub usage: &'a dyn Fn() -> Option<Usage>,
}

impl<C: Clock> Meter<'_, C> {
    /// Does `work`, which is `ops` operations, and samples it. The usage is read before and after
    /// the timed interval, so a system call or two count with it.
    pub fn sample<T>(&self, ops: u64, work: impl FnOnce() -> T) -> (T, Result<Sample, String>) {
        let before = (self.usage)();
        let (result, interval) = time(self.clock, ops, work);
        let after = (self.usage)();
        let sample = match interval {
            Interval::Measured(sample) => Ok(Sample {
                usage: between(before, after),
                ..sample
            }),
            Interval::Backwards { by_ns } => {
                Err(format!("the clock went back by {by_ns} ns; run it again"))
            }
        };
        (result, sample)
    }
}

/// What was used from one reading to the next; unknown where either is, or something shrank.
fn between(before: Option<Usage>, after: Option<Usage>) -> Option<Usage> {
    let (before, after) = (before?, after?);
    let switches = after.involuntary_switches;
    Some(Usage {
        user_ns: after.user_ns.checked_sub(before.user_ns)?,
        system_ns: after.system_ns.checked_sub(before.system_ns)?,
        minor_faults: after.minor_faults.checked_sub(before.minor_faults)?,
        major_faults: after.major_faults.checked_sub(before.major_faults)?,
        voluntary_switches: after
            .voluntary_switches
            .checked_sub(before.voluntary_switches)?,
        involuntary_switches: switches.checked_sub(before.involuntary_switches)?,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::cell::Cell;

    use longrun_measure::ScriptedClock;

    use super::*;

    fn used(times: u64) -> Usage {
        Usage {
            user_ns: 100 * times,
            system_ns: 10 * times,
            minor_faults: 7 * times,
            major_faults: times,
            voluntary_switches: 3 * times,
            involuntary_switches: 2 * times,
        }
    }

    #[test]
    fn a_sample_has_what_was_used_between_two_readings() {
        let clock = ScriptedClock::new(&[10, 35], &[1, 21]);
        let readings = Cell::new(1);
        let usage = || {
            readings.set(2 * readings.get());
            Some(used(readings.get()))
        };
        let meter = Meter {
            clock: &clock,
            usage: &usage,
        };
        let (result, sample) = meter.sample(3, || "done");
        let sample = sample.unwrap();
        assert_eq!((result, sample.ops), ("done", 3));
        assert_eq!((sample.interval_ns, sample.cpu_ns), (25, Some(20)));
        assert_eq!(sample.usage, Some(used(2)));
    }

    #[test]
    fn a_usage_that_is_unknown_or_shrinks_is_unknown() {
        assert_eq!(between(Some(used(1)), Some(used(1))), Some(used(0)));
        for (before, after) in [
            (None, Some(used(1))),
            (Some(used(1)), None),
            (Some(used(2)), Some(used(1))),
        ] {
            assert_eq!(between(before, after), None);
        }
    }

    #[test]
    fn a_clock_that_goes_back_gives_no_sample() {
        let clock = ScriptedClock::new(&[10, 3], &[]);
        let meter = Meter {
            clock: &clock,
            usage: &|| None,
        };
        let reason = meter.sample(1, || ()).1.unwrap_err();
        assert!(reason.contains("back by 7 ns"), "{reason}");
    }
}
