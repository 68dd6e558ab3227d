//! What is compared: a measurement that was kept, and one of this run.

use crate::sampling::Warning;
use crate::statistics::{
    Noise, SPREAD_SAMPLES_MIN, Statistics, robust_sigma, standard_error_of_median,
};

/// No interval is longer, ns: it is kept in 64 bits. So is its number of operations, so the time of
/// one is no shorter than the inverse of this.
const INTERVAL_NS_LIMIT: f64 = u64::MAX as f64;

/// A measurement of the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredFacts {
    /// Median ns of one operation.
    pub median_ns: f64,
    /// Its interquartile range, ns.
    pub iqr_ns: f64,
    /// Its median absolute deviation, ns, if it was kept.
    pub mad_ns: Option<f64>,
    /// The shortest sample, ns. Kept for readers, never compared.
    pub min_ns: f64,
    /// Samples that there were.
    pub samples: usize,
    /// Medians of the processes that they are of, ns; empty where there was one.
    pub process_medians_ns: Vec<f64>,
    /// Code of the warning that it carried, if it did.
    pub warning: Option<String>,
    /// What decides whether times may be compared: hardware and contract. Unknown equals nothing.
    pub fingerprint: Option<String>,
}

impl StoredFacts {
    /// What is kept of a measurement; none where there is none.
    pub fn of(run: &RunFacts) -> Option<Self> {
        let statistics = run.statistics.as_ref()?;
        Some(StoredFacts {
            median_ns: statistics.median,
            iqr_ns: statistics.iqr,
            mad_ns: Some(statistics.mad),
            min_ns: statistics.min,
            samples: statistics.count,
            process_medians_ns: run.process_medians_ns.clone(),
            warning: run.warning.map(|warning| warning.code().to_owned()),
            fingerprint: run.fingerprint.clone(),
        })
    }
}

/// A measurement of this run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFacts {
    /// Of the ns of one operation; none without samples.
    pub statistics: Option<Statistics>,
    /// As of [`StoredFacts`].
    pub process_medians_ns: Vec<f64>,
    /// What [`diagnose`](crate::sampling::diagnose) says of it.
    pub warning: Option<Warning>,
    /// Why it was not the work that it should have been, if it was not.
    pub broken_witness: Option<String>,
    /// As of [`StoredFacts`].
    pub fingerprint: Option<String>,
}

/// The numbers of one side that are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub median_ns: f64,
    pub iqr_ns: f64,
    mad_ns: Option<f64>,
    pub samples: usize,
}

impl Times {
    pub fn of_baseline(stored: &StoredFacts) -> Self {
        Times {
            median_ns: stored.median_ns,
            iqr_ns: stored.iqr_ns,
            mad_ns: stored.mad_ns,
            samples: stored.samples,
        }
    }

    pub fn of_run(statistics: &Statistics) -> Self {
        Times {
            median_ns: statistics.median,
            iqr_ns: statistics.iqr,
            mad_ns: Some(statistics.mad),
            samples: statistics.count,
        }
    }

    /// Whether they can be those of a measurement: a file can hold anything.
    pub fn are_times(&self) -> bool {
        let spread = |ns: f64| (0.0..=INTERVAL_NS_LIMIT).contains(&ns);
        is_time(self.median_ns) && spread(self.iqr_ns) && self.mad_ns.is_none_or(spread)
    }

    pub fn robust_sigma(&self) -> f64 {
        robust_sigma(self.iqr_ns)
    }

    pub fn standard_error(&self) -> Option<f64> {
        standard_error_of_median(self.iqr_ns, self.samples)
    }

    /// None of too few samples, and of what is no time.
    pub fn noise(&self) -> Option<Noise> {
        let known = self.samples >= SPREAD_SAMPLES_MIN && self.are_times();
        known.then(|| Noise {
            relative_iqr: Some(self.iqr_ns / self.median_ns),
            relative_mad: self.mad_ns.map(|mad_ns| mad_ns / self.median_ns),
        })
    }
}

/// Whether so many ns can be the time of an operation.
pub(super) fn is_time(ns: f64) -> bool {
    (1.0 / INTERVAL_NS_LIMIT..=INTERVAL_NS_LIMIT).contains(&ns)
}
