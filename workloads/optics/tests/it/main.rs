//! Tests that need the native library: physics through the binding, and the worker as a process.
//!
//! A test may end at the first thing that is not as it should be.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::float_cmp
)]

mod allocations;
mod beams;
mod breakdown;
mod duet;
mod free_space;
mod guided;
mod guided_native;
mod guided_runs;
mod kernels;
mod library;
mod limits;
mod linear;
mod native;
mod plans;
mod plot;
mod propagations;
mod reference;
mod registry;
mod steppers;
mod threads;
mod verify;
mod widths;
mod worker;
