//! What is compared: two revisions, their configurations, their builds, and how those differ.

pub mod arms;
pub mod built;
pub mod difference;
pub mod ground;
pub mod harness;
pub mod method;
pub mod pairing;
