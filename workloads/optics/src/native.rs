//! The safe binding to the native library.
//!
//! A library is loaded once and never closed, its identity and the layout of every structure are
//! checked before anything else of it is called, and the symbols of an area are resolved when the
//! area is first needed, so an old library without a new area still serves. `unsafe` code lives in
//! this folder only; so what counts the allocations of the process is here too.

mod abi;
pub mod allocations;
mod kernel;
mod library;
mod propagation;
mod wisdom;

pub use kernel::NativeKernel;
pub use library::{Expected, NativeLibrary};
pub use propagation::Propagation;
pub use wisdom::{Effort, Wisdom, WisdomCounts};
