//! `ab`: two builds, observed in pairs, and a verdict that states its own false-alarm rate.

pub mod arms;
pub mod difference;
pub mod figures;
pub mod file;
pub mod gate;
pub mod method;
pub mod numbers;
pub mod pairing;
pub mod record;
pub mod redact;
pub mod replay;
pub mod report;
pub mod verdicts;

#[cfg(test)]
pub mod testing;
