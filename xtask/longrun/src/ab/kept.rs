//! What is kept of it: the file of observations, and what a comparison that goes on is held to.

pub mod file;
pub mod record;
pub mod stored;
