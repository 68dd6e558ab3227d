//! The log-ratio of two times.

use std::fmt;

use longrun_protocol::Sample;
use longrun_protocol::registry::Metric;

/// Why two times have no ratio, or a process no observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRatio {
    /// There is nothing to compare.
    Empty,
    /// The system did not say the time of this clock.
    Unknown(Metric),
    /// A time of zero: the clock is too coarse for it.
    Zero,
    /// The two sides did another number of operations, or none.
    Operations,
    /// Two segments in succession that do not begin with one side each.
    Order,
}

impl fmt::Display for NoRatio {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            NoRatio::Empty => "there is no segment",
            NoRatio::Unknown(Metric::Cpu) => "the CPU time is unknown",
            NoRatio::Unknown(Metric::Wall) => "the wall time is unknown",
            NoRatio::Zero => "a time is zero",
            NoRatio::Operations => "the sides did not do the same number of operations",
            NoRatio::Order => "the sides did not take turns in going first",
        })
    }
}

impl std::error::Error for NoRatio {}

/// `ln(candidate / baseline)` of two samples by one clock.
///
/// Times are whole nanoseconds, so a result is finite. An unknown time, a time of zero and sides
/// that did unequal work are errors, and never a number.
pub fn log_ratio(baseline: &Sample, candidate: &Sample, metric: Metric) -> Result<f64, NoRatio> {
    if baseline.ops != candidate.ops || baseline.ops == 0 {
        return Err(NoRatio::Operations);
    }
    let time = |sample: &Sample| match metric {
        Metric::Cpu => sample.cpu_ns.ok_or(NoRatio::Unknown(metric)),
        Metric::Wall => Ok(sample.interval_ns),
    };
    let (baseline, candidate) = (time(baseline)?, time(candidate)?);
    if baseline == 0 || candidate == 0 {
        return Err(NoRatio::Zero);
    }
    Ok(libm::log(candidate as f64 / baseline as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(interval_ns: u64, cpu_ns: Option<u64>, ops: u64) -> Sample {
        Sample {
            interval_ns,
            cpu_ns,
            ops,
            usage: None,
        }
    }

    #[test]
    fn each_clock_has_its_own_ratio() {
        let (baseline, candidate) = (sample(100, Some(80), 3), sample(110, Some(40), 3));
        let wall = log_ratio(&baseline, &candidate, Metric::Wall);
        assert_eq!(wall, Ok(libm::log(1.1)));
        let cpu = log_ratio(&baseline, &candidate, Metric::Cpu);
        assert_eq!(cpu, Ok(libm::log(0.5)));
    }

    #[test]
    fn the_longest_and_shortest_times_have_a_finite_ratio() {
        let ratio = log_ratio(
            &sample(1, None, 1),
            &sample(u64::MAX, None, 1),
            Metric::Wall,
        );
        assert!(ratio.is_ok_and(|ratio| ratio.is_finite() && ratio > 44.0));
    }

    #[test]
    fn what_is_no_time_has_no_ratio() {
        let good = sample(10, Some(10), 1);
        let cases = [
            (sample(0, Some(10), 1), Metric::Wall, NoRatio::Zero),
            (sample(10, Some(0), 1), Metric::Cpu, NoRatio::Zero),
            (
                sample(10, None, 1),
                Metric::Cpu,
                NoRatio::Unknown(Metric::Cpu),
            ),
            (sample(10, Some(10), 2), Metric::Cpu, NoRatio::Operations),
            (sample(10, Some(10), 0), Metric::Wall, NoRatio::Operations),
        ];
        for (bad, metric, why) in cases {
            assert_eq!(log_ratio(&good, &bad, metric), Err(why));
            assert_eq!(log_ratio(&bad, &good, metric), Err(why));
        }
        assert_eq!(
            log_ratio(&sample(1, None, 0), &sample(1, None, 0), Metric::Wall),
            Err(NoRatio::Operations)
        );
    }
}
