//! A propagation of a field over a plane.

use std::ptr;

use super::{Propagation, check, native_stepper};
use crate::cartesian::Problem;
use crate::engine::EngineError;
use crate::native::abi;
use crate::native::library::{NativeLibrary, count};
use crate::native::wisdom::Wisdom;
use crate::steppers::Integration;

const ATTEMPT: &str = "build the propagation";

impl Propagation {
    /// Builds an engine for a field over a plane: copies every array, allocates everything and
    /// plans the FFTs, from `wisdom` where there is some, which must be of the same library.
    pub fn cartesian(
        library: &NativeLibrary,
        problem: &Problem,
        integration: &Integration,
        threads: u32,
        wisdom: Option<&mut Wisdom>,
    ) -> Result<Self, EngineError> {
        let optics = library.optics()?;
        let create = library.cartesian()?;
        problem
            .check_lengths()
            .map_err(|cause| EngineError::new(ATTEMPT, cause))?;
        let native_problem = native_problem(problem);
        let stepper = native_stepper(integration);
        let wisdom = wisdom.map_or(ptr::null_mut(), Wisdom::handle);
        let mut handle = ptr::null_mut();
        // SAFETY: the structures have the layouts that were checked when `create` was found; every
        // pointer in them is null or points to as many values as the sizes of the problem imply,
        // which `Problem::check_lengths` made sure of, and the library copies all of it before it
        // returns. `wisdom` is null or a live handle, borrowed for this call.
        let status = unsafe {
            create(
                &raw const native_problem,
                &raw const stepper,
                i64::from(threads),
                wisdom,
                &raw mut handle,
            )
        };
        check(&optics, status, ATTEMPT)?;
        Propagation::owner_of(handle, library, optics, problem.state_len())
    }
}

/// The problem as the library is told it. What it points to must outlive it.
fn native_problem(problem: &Problem) -> abi::CartesianProblem {
    let windows = problem.windows.as_ref();
    abi::CartesianProblem {
        struct_size: count(size_of::<abi::CartesianProblem>()),
        points: count(problem.points),
        fine_points: count(problem.fine_points),
        first_bin: count(problem.first_bin),
        bins: count(problem.bins()),
        columns_x: count(problem.k_x.len()),
        columns_y: count(problem.k_y.len()),
        time_step_s: problem.time_step_s,
        energy_scale: problem.energy_scale,
        frame_s_per_m: problem.frame_s_per_m,
        evanescent_max_per_m: problem.evanescent_max_per_m,
        grazing: problem.grazing,
        omega: problem.omega.as_ptr(),
        wavenumber: problem.wavenumber.as_ptr(),
        strength: problem.strength.as_ptr(),
        k_x: problem.k_x.as_ptr(),
        k_y: problem.k_y.as_ptr(),
        density: 1.0,
        kerr: problem.kerr,
        rates: ptr::null(),
        absorb_spectral: windows.map_or(ptr::null(), |windows| windows.spectral.as_ptr()),
        absorb_temporal: windows.map_or(ptr::null(), |windows| windows.temporal.as_ptr()),
        absorb_x: windows.map_or(ptr::null(), |windows| windows.x.as_ptr()),
        absorb_y: windows.map_or(ptr::null(), |windows| windows.y.as_ptr()),
        time_window: windows.map_or(ptr::null(), |windows| windows.fine.as_ptr()),
        absorb_length_m: windows.map_or(0.0, |windows| windows.length_m),
    }
}
