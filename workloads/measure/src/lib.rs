//! Clocks, timed intervals and the statistics of samples.
//!
//! * [`clock`]: where time comes from, so that a test can say what time it is.
//! * [`timing`]: one timed interval, as a raw sample.
//! * [`statistics`]: what a handful of samples says.
//!
//! This crate reads clocks and nothing else: no file, no process, no environment. It never drops,
//! trims or repeats a sample.

pub mod clock;
pub mod statistics;
pub mod timing;

pub use clock::{Clock, ScriptedClock, SystemClock};
pub use statistics::{Summary, quantile};
pub use timing::{Interval, time};
