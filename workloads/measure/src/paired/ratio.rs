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
/// Times are whole nanoseconds, so a result is finite. An unknown time, a time of zero and sides that
/// did unequal work are errors, and never a number.
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
