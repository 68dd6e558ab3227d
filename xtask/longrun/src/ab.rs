//! `ab`: two builds, observed in pairs, and a verdict that states its own false-alarm rate.

pub mod arms;
pub mod difference;
<<<<<<< HEAD
pub mod figures;
pub mod file;
pub mod gate;
pub mod calibration;
pub mod copies;
pub mod cost;
pub mod duet;
pub mod figures;
pub mod file;
pub mod lock;
pub mod meter;
pub mod method;
pub mod numbers;
pub mod pairing;
pub mod record;
pub mod redact;
pub mod replay;
pub mod report;
pub mod verdicts;

=======
pub mod copies;
pub mod duet;
pub mod method;
pub mod pair;
pub mod pairing;
pub mod player;
pub mod record;
pub mod score;
pub mod session;
>>>>>>> 605cb86 (Lay down duets and pairs, the copies of libraries for each process, and the rounds of a comparison)
#[cfg(test)]
pub mod testing;
