//! `ab`: two builds, observed in pairs, and a verdict that states its own false-alarm rate.

pub mod record;
