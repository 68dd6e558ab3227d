//! What `xtask` and a worker say to each other.
//!
//! * [`configuration`]: what one worker process does, in the words used everywhere.
//! * [`registry`]: the entries of `workloads/<suite>.toml`.
//! * [`request`]: what `xtask` asks of one worker process.
//! * [`receipt`]: what the worker says that it really did.
//! * [`sampling`]: how operations are sampled in blocks, and what was found beside their times.
//! * [`duet`]: two libraries in one process, and the states that such a process starts from.
//! * [`identity`]: who built what, and which rows of history may be compared.
//!
//! This crate holds plain data and the checks that need nothing but that data. It reads no file
//! and starts no process. `docs/worker-protocol.md` is its manual.

pub mod configuration;
pub mod duet;
pub mod identity;
pub mod receipt;
pub mod registry;
pub mod request;
pub mod sampling;

pub use configuration::{Backend, Configuration, Engine, Size, Width};
pub use duet::Side;
pub use identity::{BuildIdentity, Compiler, HistoryIdentity};
pub use receipt::{Receipt, Sample, Witness};
pub use registry::CaseEntry;
pub use request::Request;

#[cfg(test)]
mod schema;

/// Version of request and receipt. A worker refuses a request of another version.
pub const PROTOCOL_VERSION: u32 = 1;
