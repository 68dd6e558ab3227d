//! A repository with a suite of operations, `kernels`, beside a tracked case.
//!
//! The stub worker reports the times of a case in turn, so statistics and verdicts are known
//! before. Nothing is spent on them.

use serde_json::Value;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::{Ran, Running};

/// An operation of 10 µs. Its twelve samples are 9.9, 10 and 10.1 µs, four of each: the
/// interquartile range is 2 % of the median, and the median absolute deviation 1 %.
pub fn operation(name: &str) -> Case {
    lasting(name, 100)
}

/// The same operation at this percentage of its time.
pub fn lasting(name: &str, percent: u64) -> Case {
    scattered(name, 100, percent)
}

/// An operation of 10 µs, and of so much less and more in turn: the interquartile range is twice
/// that, the median absolute deviation once. The percentage is taken of all three.
pub fn scattered(name: &str, by_ns: u64, percent: u64) -> Case {
    let times = [10_000 - by_ns, 10_000, 10_000 + by_ns].map(|ns| ns * percent / 100);
    Case::new(name).sampled().takes_ns(times)
}

/// The repository: a tracked case `a` and the operations `fft` and `sum`.
pub fn kernels() -> Bench {
    with([operation("fft"), operation("sum")]).commit()
}

/// The repository with other operations, not written yet.
pub fn with<const N: usize>(operations: [Case; N]) -> Bench {
    let bench = Bench::new().case(Case::new("a"));
    operations
        .into_iter()
        .fold(bench, |bench, case| bench.case_of("kernels", case))
}

impl Bench {
    /// Runs the operations: `track --set kernels` with the words of a line.
    #[track_caller]
    pub fn track_kernels(&self, words: &str) -> Ran {
        self.start_kernels(words).finish()
    }

    /// Starts the same.
    pub fn start_kernels(&self, words: &str) -> Running {
        self.start_track(&format!("--set kernels {words}"))
    }
}

/// Asserts that a number of JSON is another to nine digits.
#[track_caller]
pub fn is(value: &Value, expected: f64) {
    let number = value.as_f64();
    let close = |found: f64| (found - expected).abs() <= 1e-9 * expected.abs();
    assert!(number.is_some_and(close), "{value} is not {expected}");
}
