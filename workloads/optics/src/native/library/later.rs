//! What came to area `optics` later: a library of the same version may be without it.

use super::abi;
use super::{NativeLibrary, check_layouts, symbol};
use crate::engine::EngineError;

/// The functions that time the parts of a propagation.
#[derive(Clone, Copy)]
pub(in crate::native) struct Parts {
    pub time_parts: abi::TimeParts,
    pub get_parts: abi::GetParts,
}

/// The functions that look at the cross-section of a propagation.
#[derive(Clone, Copy)]
pub(in crate::native) struct CrossSection {
    pub nodes: abi::Size,
    pub observe_nodes: abi::ObserveNodes,
    pub get_edge_energy: abi::GetEdgeEnergy,
}

impl NativeLibrary {
    /// What times the parts of a propagation; or why this library cannot.
    pub(in crate::native) fn parts(&self) -> Result<Parts, String> {
        check_layouts(&abi::parts_layouts(), &self.layouts)
            .map_err(|cause| format!("the library does not time its parts: {cause}"))?;
        let library = self.library;
        // SAFETY: each type is the one that `optics.h` declares for the name beside it where it has
        // the structure just checked, and the library is never closed.
        unsafe {
            Ok(Parts {
                time_parts: symbol(library, "longrun_propagation_time_parts")?,
                get_parts: symbol(library, "longrun_propagation_get_parts")?,
            })
        }
    }

    /// What looks at the cross-section of a propagation; or why this library cannot.
    pub(in crate::native) fn cross_section(&self) -> Result<CrossSection, String> {
        let library = self.library;
        // SAFETY: each type is the one that `optics.h` declares for the name beside it in every
        // version that has the name, and the library is never closed.
        unsafe {
            Ok(CrossSection {
                nodes: symbol(library, "longrun_propagation_nodes")?,
                observe_nodes: symbol(library, "longrun_propagation_observe_nodes")?,
                get_edge_energy: symbol(library, "longrun_propagation_get_edge_energy")?,
            })
        }
    }

    /// What creates a propagation of modes in a guide.
    pub(in crate::native) fn guided(&self) -> Result<abi::GuidedCreate, EngineError> {
        let library = self.library;
        let found = check_layouts(&abi::guided_layouts(), &self.layouts).and_then(|()| {
            // SAFETY: the type is the one that `optics.h` declares for the name where it has the
            // structures just checked, and the library is never closed.
            unsafe { symbol(library, "longrun_guided_create") }
        });
        self.or_without(found, "propagate modes in a guide")
    }

    /// What creates a propagation around an axis in free space.
    pub(in crate::native) fn radial(&self) -> Result<abi::RadialCreate, EngineError> {
        let library = self.library;
        let found = check_layouts(&abi::guided_layouts(), &self.layouts).and_then(|()| {
            // SAFETY: the type is the one that `optics.h` declares for the name where it has the
            // structures just checked, and the library is never closed.
            unsafe { symbol(library, "longrun_radial_create") }
        });
        self.or_without(found, "propagate beams in free space")
    }

    /// What creates a propagation over a plane.
    pub(in crate::native) fn cartesian(&self) -> Result<abi::CartesianCreate, EngineError> {
        let library = self.library;
        let found = check_layouts(&abi::cartesian_layouts(), &self.layouts).and_then(|()| {
            // SAFETY: the type is the one that `optics.h` declares for the name where it has the
            // structures just checked, and the library is never closed.
            unsafe { symbol(library, "longrun_cartesian_create") }
        });
        self.or_without(found, "propagate a field over a plane")
    }

    /// What was found, or an error that says for what this library lacks it.
    fn or_without<T>(&self, found: Result<T, String>, what: &str) -> Result<T, EngineError> {
        found.map_err(|cause| {
            let attempt = format!("{what} with `{}`", self.path.display());
            EngineError::new(attempt, cause)
        })
    }
}
