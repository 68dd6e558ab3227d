//! The paired rule: what a sequence of log-ratios says about two programs.
//!
//! One observation is `ln(candidate / baseline)` of one duet process or of one pair of processes.
//! The rule looks at 6, 8, 11, … of them, takes a 20 % trimmed mean, and calls a change, proves
//! equivalence, or goes on. `docs/statistics.md` has the method, its constants and what a
//! simulation of it says.
//!
//! Everything here is a pure function of numbers. Logarithms and tails are those of `libm`, and
//! sums run in a fixed order, so the same observations give the same bits on any machine.

pub mod boundary;
pub mod coin;
pub mod confirm;
pub mod critical;
pub mod duet;
pub mod fraction;
pub mod guard;
pub mod looks;
pub mod ratio;
pub mod robust;
pub mod rule;
pub mod student;
pub mod suite;
pub mod trimmed;
pub mod trimmed_t;

pub use coin::{DuetOrder, Orders, SplitMix64};
pub use confirm::confirmed;
pub use guard::{Decider, Guarded, guarded};
pub use looks::{Look, Looks};
pub use ratio::{NoRatio, log_ratio};
pub use robust::{observations_needed, robust_sd};
pub use rule::{Concluded, Interval, Judged, Level, Rule, Verdict, conclude, judge};
