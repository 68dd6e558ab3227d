//! Guides, and free space as one of them: their modes, how fast each frequency travels in them, and
//! what its field looks like.
//!
//! Nothing here knows a grid or an engine; [`mod@crate::guided`] makes arrays of it.

pub mod capillary;
pub mod dispersion;
pub mod field;
pub mod graded_index;
pub mod hankel;
pub mod pressure;

#[cfg(test)]
mod tests;
