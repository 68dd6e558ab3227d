//! Simulations of the paired rule and of comparisons with a kept baseline: how often they err and
//! what they see, through the functions that production calls.
//!
//! All draws are seeded and all logarithms are those of `libm`, so a count is the same on every
//! machine, and `docs/statistics.md` can be held to it.
#![allow(clippy::unwrap_used)]

mod boundaries;
mod draws;
mod families;
mod machine;
mod orders;
mod published;
mod stored;
mod studies;
mod verdicts;
