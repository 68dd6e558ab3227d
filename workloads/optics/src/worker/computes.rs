//! What the configuration computes with: the only place of the worker that knows the engines.

use std::collections::BTreeMap;

use longrun_protocol::receipt::{LibraryReport, Skip};
use longrun_protocol::request::Library;

use crate::case::Problem;
use crate::engine::{Engine, EngineError};
use crate::kernels::{Example, Kernel, Routine};
use crate::native::{Effort, Expected, NativeKernel, NativeLibrary, Propagation, Wisdom};
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

    /// The placement of threads that the environment asks for and that will not happen.
    ///
    /// The library's runtime places its threads. The reference has the one thread that it is
    /// called on, which never waits, and leaves it where the system puts it.
    pub fn unplaced(self, environment: &BTreeMap<String, String>) -> Option<Skip> {
        let binding = environment.get("OMP_PROC_BIND")?;
        let asked = !binding.eq_ignore_ascii_case("false");
        (asked && self == Asked::Reference).then(|| Skip {
            what: "placement of threads".to_owned(),
            reason: format!(
                "engine `reference` leaves its thread to the system and does not follow \
                 `OMP_PROC_BIND={binding}`"
            ),
        })
    }
}

impl Loaded {
    /// An engine for a problem. `wisdom` is of [`Loaded::wisdom`]. The reference works on the
    /// thread that calls it, whatever `threads` says: [`super::checks`] lets no more than one
    /// through.
    pub fn engine(
        &self,
        problem: &Problem,
        integration: &Integration,
        threads: u32,
        wisdom: Option<&mut Wisdom>,
    ) -> Result<Box<dyn Engine>, EngineError> {
        Ok(match (self, problem) {
            (Loaded::Native(library), Problem::Gnlse(problem)) => Box::new(Propagation::planned(
                library,
                problem,
                integration,
                threads,
                wisdom,
            )?),
            (Loaded::Native(library), Problem::Guided(problem)) => Box::new(Propagation::guided(
                library,
                problem,
                integration,
                threads,
                wisdom,
            )?),
            (Loaded::Native(library), Problem::Cartesian(problem)) => Box::new(
                Propagation::cartesian(library, problem, integration, threads, wisdom)?,
            ),
            (Loaded::Reference, Problem::Cartesian(problem)) => {
                Box::new(Reference::cartesian(problem, integration)?)
            }
            (Loaded::Reference, Problem::Gnlse(problem)) => {
                Box::new(Reference::create(problem, integration)?)
            }
            (Loaded::Reference, Problem::Guided(problem)) => {
                Box::new(Reference::guided(problem, integration)?)
            }
        })
    }

    /// A kernel with the input of its example. The reference has none: what it would compute is the
    /// example's output.
    pub fn routine(
        &self,
        kernel: &Kernel,
        example: &Example,
        threads: u32,
        wisdom: Option<&mut Wisdom>,
    ) -> Result<Box<dyn Routine>, EngineError> {
        let refuse = |cause: String| Err(EngineError::new("build the kernel", cause));
        let Loaded::Native(library) = self else {
            return refuse("engine `reference` has no kernels".to_owned());
        };
        let routine = NativeKernel::create(library, kernel, &example.input, threads, wisdom)?;
        if routine.outputs() != example.output.len() {
            return refuse(format!(
                "its output has {} values and the reference has {}",
                routine.outputs(),
                example.output.len()
            ));
        }
        Ok(Box::new(routine))
    }

    /// FFT wisdom from the bytes of a store; none where the engine has no use for it.
    pub fn wisdom(&self, bytes: &[u8], effort: Effort) -> Result<Option<Wisdom>, EngineError> {
        match self {
            Loaded::Native(library) => Wisdom::import(library, bytes, effort).map(Some),
            Loaded::Reference => Ok(None),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_says_that_it_does_not_follow_a_placement() {
        let library = Library {
            path: "lib.so".into(),
            build_key: "k".to_owned(),
        };
        let environment = |binding: &str| {
            let variable = ("OMP_PROC_BIND".to_owned(), binding.to_owned());
            BTreeMap::from([variable])
        };
        let bound = environment("close");
        let skip = Asked::Reference.unplaced(&bound);
        assert!(skip.is_some_and(|skip| skip.reason.contains("`OMP_PROC_BIND=close`")));
        assert_eq!(Asked::Native(&library).unplaced(&bound), None);
        for unbound in [environment("false"), BTreeMap::new()] {
            assert_eq!(Asked::Reference.unplaced(&unbound), None);
        }
    }
}
