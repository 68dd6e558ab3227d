//! What a run says of one configuration, as far as baselines go by it.

use longrun_measure::sampling::{SampledFacts, Warning, diagnose};
use longrun_measure::statistics::{SPREAD_SAMPLES_MIN, Statistics};
use longrun_protocol::Configuration;

use crate::run::judge::ResultStatus;
use crate::track::results::ConfigurationResult;

/// What was really done: two times of different work are not compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    /// Integrator that ran.
    pub integrator: Option<String>,
    /// Tolerances that it ran with.
    pub tolerances: Option<String>,
    /// Noise model that was applied.
    pub noise_model: Option<String>,
}

/// The times of one configuration, in ns per operation, and what was counted beside them.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// Of all samples.
    pub statistics: Statistics,
    /// Medians of the processes that they are of; empty where there was one.
    pub process_medians_ns: Vec<f64>,
    /// What is to be said of them.
    pub warning: Option<Warning>,
    /// Blocks that one operation allocates; `None` where that was not counted.
    pub allocations: Option<f64>,
    /// Bytes that one operation asks for; `None` where that was not counted.
    pub allocated_bytes: Option<f64>,
}

impl Times {
    /// Whether nothing could be said of a later run beside them.
    pub fn are_doubtful(&self) -> bool {
        let warned = self.warning.is_some_and(|warning| !warning.is_a_note());
        warned || self.statistics.count < SPREAD_SAMPLES_MIN
    }
}

/// What became of a configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// It has times.
    Timed(Box<Times>),
    /// It was run and has no time; why.
    Untimed(String),
    /// It was not run; why.
    NotRun(String),
}

/// One configuration of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Which.
    pub configuration: Configuration,
    /// What it did.
    pub contract: Contract,
    /// What became of it.
    pub standing: Standing,
}

impl Found {
    /// What `result` says.
    pub fn of(result: &ConfigurationResult) -> Found {
        let reason = || {
            let reason = result.reason.clone();
            reason.unwrap_or_else(|| result.status.as_str().to_owned())
        };
        let standing = match result.status {
            ResultStatus::Complete => match times(result) {
                Some(times) => Standing::Timed(Box::new(times)),
                None => Standing::Untimed("it has no sample that is a time".to_owned()),
            },
            ResultStatus::Inconsistent | ResultStatus::Failed | ResultStatus::TimedOut => {
                Standing::Untimed(reason())
            }
            ResultStatus::Skipped => Standing::NotRun(reason()),
        };
        Found {
            configuration: result.configuration.clone(),
            contract: Contract {
                integrator: result.integrator.clone(),
                tolerances: result.tolerances.clone(),
                noise_model: result.noise_model.clone(),
            },
            standing,
        }
    }

    /// Its times, if it has any.
    pub fn times(&self) -> Option<&Times> {
        match &self.standing {
            Standing::Timed(times) => Some(times),
            Standing::Untimed(_) | Standing::NotRun(_) => None,
        }
    }
}

/// The times of a complete configuration; `None` where they are none.
fn times(result: &ConfigurationResult) -> Option<Times> {
    let Some(sampled) = &result.sampled else {
        let times: Vec<f64> = result.raw_s.iter().map(|time| nanoseconds(*time)).collect();
        return Some(Times {
            statistics: Statistics::of(&times)?,
            process_medians_ns: Vec::new(),
            warning: None,
            allocations: None,
            allocated_bytes: None,
        });
    };
    let allocated = sampled.allocated();
    Some(Times {
        statistics: sampled.statistics,
        process_medians_ns: sampled.process_medians_ns.clone(),
        warning: diagnose(&SampledFacts::of(&sampled.samples, &sampled.clock)),
        allocations: allocated.map(|allocated| allocated.count),
        allocated_bytes: allocated.map(|allocated| allocated.bytes),
    })
}

/// The time of a complete run in ns. Clocks count whole ones: the way over seconds does not show.
fn nanoseconds(seconds: f64) -> f64 {
    let exact = seconds * 1e9;
    let whole = exact.round();
    match (exact - whole).abs() <= 4.0 * f64::EPSILON * exact {
        true => whole,
        false => exact,
    }
}

#[cfg(test)]
pub mod made {
    //! What runs that never were have found.
    #![allow(clippy::unwrap_used)]

    use longrun_measure::statistics::Statistics;
    use longrun_protocol::{Configuration, Engine, Size, Width};

    use super::{Contract, Found, Standing, Times};

    /// What a configuration is that has times, width 1 of suite `kernels`.
    pub fn found(case: &str, standing: Standing) -> Found {
        Found {
            configuration: Configuration {
                suite: "kernels".into(),
                case: case.into(),
                size: Size::Full,
                revision: 1,
                engine: Engine::Native,
                stepper: "default".into(),
                variant: String::new(),
                width: Width::Threads(1),
            },
            contract: Contract {
                integrator: Some("none".into()),
                tolerances: Some(String::new()),
                noise_model: Some("none".into()),
            },
            standing,
        }
    }

    /// Thirty times around `median_ns`, of which the middle half spans about 1 % of it.
    pub fn quiet(median_ns: f64) -> Standing {
        spread(median_ns, 0.01)
    }

    /// The same with another interquartile range, as a fraction of the median.
    pub fn spread(median_ns: f64, relative_iqr: f64) -> Standing {
        // Evenly spaced: the quartiles of -14.5, -13.5, … 14.5 lie 14.5 apart.
        let times = (0..30).map(|n| (f64::from(n) - 14.5) / 14.5 * relative_iqr);
        let times: Vec<f64> = times.map(|away| median_ns * (1.0 + away)).collect();
        of(&times)
    }

    /// So many times, in ns.
    pub fn of(times_ns: &[f64]) -> Standing {
        Standing::Timed(Box::new(Times {
            statistics: Statistics::of(times_ns).unwrap(),
            process_medians_ns: Vec::new(),
            warning: None,
            allocations: Some(0.0),
            allocated_bytes: None,
        }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;
    use crate::ab::made::item;

    fn result(status: ResultStatus, raw_s: &[f64]) -> ConfigurationResult {
        ConfigurationResult {
            status,
            raw_s: raw_s.to_vec(),
            integrator: Some("rk".into()),
            ..ConfigurationResult::skipped(&item("a"), "it said so")
        }
    }

    #[test]
    fn a_complete_run_has_the_nanoseconds_that_its_clock_counted() {
        let ns: [u32; 3] = [1_234_567_891, 3, 4_000_000_007];
        let raw: Vec<f64> = ns.iter().map(|ns| f64::from(*ns) * 1e-9).collect();
        let found = Found::of(&result(ResultStatus::Complete, &raw));
        let statistics = &found.times().unwrap().statistics;
        assert_eq!(statistics.count, 3);
        assert_eq!(statistics.min, 3.0);
        assert_eq!(statistics.median, 1_234_567_891.0);
        assert_eq!(statistics.max, 4_000_000_007.0);
        assert_eq!(found.contract.integrator.as_deref(), Some("rk"));
    }

    #[test]
    fn a_fraction_of_a_nanosecond_stays_one() {
        assert_eq!(nanoseconds(0.7e-9), 0.7e-9 * 1e9);
        assert!((nanoseconds(0.7e-9) - 0.7).abs() < 1e-15);
    }

    #[test]
    fn times_are_doubtful_where_they_are_few_or_warned_of() {
        let few = Found::of(&result(ResultStatus::Complete, &[1.0; 4]));
        let enough = Found::of(&result(ResultStatus::Complete, &[1.0; 5]));
        assert!(few.times().unwrap().are_doubtful());
        let enough = enough.times().unwrap().clone();
        assert!(!enough.are_doubtful());
        let spread = Warning::Spread { relative_iqr: 0.06 };
        for (warning, doubtful) in [(spread, false), (Warning::BelowTick, true)] {
            let warned = Times {
                warning: Some(warning),
                ..enough.clone()
            };
            assert_eq!(warned.are_doubtful(), doubtful, "{warning:?}");
        }
    }

    #[test]
    fn what_has_no_time_says_why() {
        for status in [
            ResultStatus::Inconsistent,
            ResultStatus::Failed,
            ResultStatus::TimedOut,
        ] {
            let found = Found::of(&result(status, &[1.0; 5]));
            assert_eq!(found.standing, Standing::Untimed("it said so".into()));
            assert_eq!(found.times(), None);
        }
        let skipped = Found::of(&result(ResultStatus::Skipped, &[]));
        assert_eq!(skipped.standing, Standing::NotRun("it said so".into()));
        let empty = Found::of(&result(ResultStatus::Complete, &[]));
        assert!(matches!(empty.standing, Standing::Untimed(_)));
    }
}
