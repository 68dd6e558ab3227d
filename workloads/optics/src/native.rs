//! The safe binding to the native library.
//!
//! A library is loaded once and never closed, its identity and the layout of every structure are
//! checked before anything else of it is called, and the symbols of an area are resolved when the
//! area is first needed, so an old library without a new area still serves. `unsafe` code lives in
//! this folder only.

mod abi;
mod library;
mod propagation;

use std::fmt;

pub use library::{Expected, NativeLibrary};
pub use propagation::{Counts, PlaneStatistics, Propagation};

/// Why a native library could not be used, or what it refused to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeError {
    /// What was attempted: `load the library`, `advance`, …
    pub attempt: String,
    /// Cause, and the next step where there is one.
    pub cause: String,
}

impl NativeError {
    fn new(attempt: impl Into<String>, cause: impl Into<String>) -> Self {
        NativeError {
            attempt: attempt.into(),
            cause: cause.into(),
        }
    }
}

impl fmt::Display for NativeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to {}: {}", self.attempt, self.cause)
    }
}

impl std::error::Error for NativeError {}
