//! Running a plan: what is run, in which environment, under whose supervision, and what came back.

pub mod bundle;
pub mod environment;
pub mod family;
pub mod judge;
pub mod launch;
pub mod oracles;
pub mod pin;
pub mod plan;
pub mod supervise;
pub mod writable;
