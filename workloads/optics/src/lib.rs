//! Propagation of ultrashort pulses: the worker `longrun-optics` and what it is made of.
//!
//! The physics of a case is set up here, in Rust: [`fibre`], [`grid`], [`window`], [`pulse`],
//! [`noise`], [`raman`] and, put together, [`gnlse`]. What is known of gases and glass is
//! in [`medium`], [`ionisation`] and [`molecular_raman`], of the modes of guides in [`guide`]; they
//! make [`mod@guided`] cases. A beam over a plane is a [`cartesian`] case. A [`case`] is of any
//! family. [`steppers`] decides how the steps are taken, an [`engine`] takes them: that of the
//! library in [`native`], or [`mod@reference`]. [`oracle`] and [`witness`] describe what came out,
//! [`soliton`] is what one case exactly comes to, [`plot`] draws it, [`kernels`] are single
//! operations of the library with what must come out of them, and [`worker`] answers one request
//! with one receipt.
//!
//! The hot loop is not here. Everything in this crate happens before, between or after timed
//! regions, except the loop over planes in [`worker`].

mod arrays;
pub mod bessel;
pub mod cartesian;
pub mod case;
pub mod constants;
pub mod engine;
pub mod fibre;
pub mod fourier;
pub mod gnlse;
pub mod grid;
pub mod guide;
pub mod guided;
pub mod ionisation;
pub mod kernels;
pub mod medium;
pub mod molecular_raman;
pub mod native;
pub mod noise;
pub mod npy;
pub mod oracle;
pub mod plot;
pub mod pulse;
pub mod quadrature;
pub mod raman;
pub mod random;
pub mod reference;
pub mod soliton;
pub mod steppers;
pub mod window;
pub mod witness;
pub mod worker;
