//! What the configuration computes with: the only place of the worker that knows the engines.

use longrun_protocol::receipt::LibraryReport;
use longrun_protocol::request::Library;

use crate::engine::{Engine, EngineError};
use crate::gnlse::Problem;
use crate::native::{Expected, NativeLibrary, Propagation};
use crate::reference::Reference;
use crate::steppers::Integration;

/// What a request asks to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked<'a> {
    /// This native library.
    Native(&'a Library),
    /// The reference engine.
    Reference,
}

/// What computes, loaded and checked. Engines are built from it, as many as are needed.
pub enum Loaded {
    /// A native library.
    Native(Box<NativeLibrary>),
    /// The reference engine, which is part of this program.
    Reference,
}

impl Asked<'_> {
    /// Loads what is asked for.
    pub fn load(self) -> Result<Loaded, EngineError> {
        match self {
            Asked::Native(library) => {
                let expected = Expected {
                    build_key: &library.build_key,
                };
                let library = NativeLibrary::load(&library.path, expected)?;
                Ok(Loaded::Native(Box::new(library)))
            }
            Asked::Reference => Ok(Loaded::Reference),
        }
    }
}

impl Loaded {
    /// An engine for a problem. The reference works on the thread that calls it, whatever
    /// `threads` says: [`super::checks`] lets no more than one through.
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
            Loaded::Reference => Ok(Box::new(Reference::create(problem, integration)?)),
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
            Loaded::Reference => None,
        }
    }
}
