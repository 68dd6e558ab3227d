//! What the configuration computes with: the only place of the worker that knows the engines.

use longrun_protocol::receipt::LibraryReport;
use longrun_protocol::request::Library;

use crate::engine::{Engine, EngineError};
use crate::gnlse::Problem;
use crate::native::{Expected, NativeLibrary, Propagation};
use crate::steppers::Integration;

/// What a request asks to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked<'a> {
    /// This native library.
    Native(&'a Library),
}

/// What computes, loaded and checked. Engines are built from it, as many as are needed.
pub enum Loaded {
    /// A native library.
    Native(NativeLibrary),
}

impl Asked<'_> {
    /// Loads what is asked for.
    pub fn load(self) -> Result<Loaded, EngineError> {
        match self {
            Asked::Native(library) => {
                let expected = Expected {
                    build_key: &library.build_key,
                };
                NativeLibrary::load(&library.path, expected).map(Loaded::Native)
            }
        }
    }
}

impl Loaded {
    /// An engine for a problem.
    pub fn engine(
        &self,
        problem: &Problem,
        integration: &Integration,
        threads: u32,
    ) -> Result<Box<dyn Engine>, EngineError> {
        match self {
            Loaded::Native(library) => {
                let engine = Propagation::create(library, problem, integration, threads)?;
                Ok(Box::new(engine))
            }
        }
    }

    /// What the receipt says of the library; nothing where there is none.
    pub fn report(&self) -> Option<LibraryReport> {
        match self {
            Loaded::Native(library) => {
                let fft = library.fft_provider();
                Some(LibraryReport {
                    build_key: library.build_key().to_owned(),
                    abi: library.abi(),
                    fft: (!fft.is_empty()).then(|| fft.to_owned()),
                })
            }
        }
    }
}
