//! How it is observed: preparations, the processes of duets and pairs, and the order of rounds.

pub mod copies;
pub mod duet;
pub mod lock;
pub mod meter;
pub mod pair;
pub mod player;
pub mod score;
pub mod session;
pub mod stage;
