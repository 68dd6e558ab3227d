//! `ab`: two builds, observed in pairs, and a verdict that states its own false-alarm rate.

pub mod arms;
pub mod figures;
pub mod file;
pub mod numbers;
pub mod difference;
pub mod record;
pub mod verdicts;

#[cfg(test)]
pub mod testing;
