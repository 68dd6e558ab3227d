//! Clocks, timed intervals and the statistics of samples.
//!
//! * [`clock`]: where time comes from, so that a test can say what time it is.
//! * [`timing`]: one timed interval, as a raw sample.
//! * [`sampling`]: operations in blocks, until there is enough evidence.
//! * [`statistics`]: what samples say.
//! * [`stored`]: what a run says beside a baseline that was kept.
//! * [`paired`]: what a sequence of log-ratios says about two programs.
//! * [`acceptance`]: whether a candidate's samples are acceptable beside a baseline's.
//!
//! This crate reads clocks and nothing else: no file, no process, no environment. It never drops
//! or repeats a sample: where an estimate trims values, what is stored stays whole.

pub mod acceptance;
pub mod clock;
pub mod paired;
pub mod sampling;
pub mod statistics;
pub mod stored;
pub mod timing;

pub use clock::{Clock, Probed, ScriptedClock, SystemClock, VirtualClock};
pub use statistics::{Statistics, Summary, quantile};
pub use timing::{Interval, ns_per_op, time};
