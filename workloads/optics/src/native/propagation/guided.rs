//! A propagation of modes in a guide, or around an axis in free space.

use std::ptr;

use super::{Propagation, check, native_stepper};
use crate::engine::EngineError;
use crate::guided::{Density, FieldKind, Gradient, Linear, Plasma, Problem};
use crate::native::abi;
use crate::native::library::{NativeLibrary, count};
use crate::native::wisdom::Wisdom;
use crate::steppers::Integration;

const ATTEMPT: &str = "build the propagation";

impl Propagation {
    /// Builds an engine for modes in a guide: copies every array, allocates everything and plans
    /// the FFTs, from `wisdom` where there is some, which must be of the same library. Where light
    /// is absorbed at the nodes, the library must know free space too.
    pub fn guided(
        library: &NativeLibrary,
        problem: &Problem,
        integration: &Integration,
        threads: u32,
        wisdom: Option<&mut Wisdom>,
    ) -> Result<Self, EngineError> {
        let optics = library.optics()?;
        let create = Create::of(library, problem)?;
        problem
            .check_lengths()
            .map_err(|cause| EngineError::new(ATTEMPT, cause))?;
        let gradient = match &problem.linear {
            Linear::Fixed(_) => None,
            Linear::Gradient(gradient) => Some(native_gradient(gradient)),
        };
        let rates = problem.plasma.as_ref().map(native_rates);
        let native_problem = native_problem(problem, gradient.as_ref(), rates.as_ref());
        let stepper = native_stepper(integration);
        let wisdom = wisdom.map_or(ptr::null_mut(), Wisdom::handle);
        let (problem_at, stepper_at) = (&raw const native_problem, &raw const stepper);
        let threads = i64::from(threads);
        let mut handle = ptr::null_mut();
        let place = &raw mut handle;
        // SAFETY: the structures have the layouts that were checked when the function was found;
        // every pointer in them is null or points to as many values as the sizes of the problem
        // imply, which `Problem::check_lengths` made sure of, as it did of the window over the
        // nodes, or to one of the structures above, and the library copies all of it before it
        // returns. `wisdom` is null or a live handle, borrowed for this call.
        let status = unsafe {
            match create {
                Create::Guided(create) => create(problem_at, stepper_at, threads, wisdom, place),
                Create::Radial(create, nodes) => {
                    let nodes = nodes.as_ptr();
                    create(problem_at, nodes, stepper_at, threads, wisdom, place)
                }
            }
        };
        check(&optics, status, ATTEMPT)?;
        Propagation::owner_of(handle, library, optics, problem.state_len())
    }
}

/// What builds a propagation of modes.
enum Create<'a> {
    /// In a guide.
    Guided(abi::GuidedCreate),
    /// In free space, with the window over the nodes.
    Radial(abi::RadialCreate, &'a [f64]),
}

impl<'a> Create<'a> {
    fn of(library: &NativeLibrary, problem: &'a Problem) -> Result<Self, EngineError> {
        let windows = problem.windows.as_ref();
        Ok(match windows.and_then(|windows| windows.nodes.as_deref()) {
            None => Create::Guided(library.guided()?),
            Some(nodes) => Create::Radial(library.radial()?, nodes),
        })
    }
}

/// The problem as the library is told it. What it points to must outlive it.
fn native_problem(
    problem: &Problem,
    gradient: Option<&abi::Gradient>,
    rates: Option<&abi::RateTable>,
) -> abi::GuidedProblem {
    let field = match problem.field {
        FieldKind::Real => abi::FIELD_REAL,
        FieldKind::Envelope => abi::FIELD_ENVELOPE,
    };
    let (density_follows, density) = match problem.density {
        Density::Constant(density) => (0, density),
        Density::Gradient => (1, 0.0),
    };
    let linear = match &problem.linear {
        Linear::Fixed(values) => values.as_ptr().cast(),
        Linear::Gradient(_) => ptr::null(),
    };
    let raman = problem.raman.as_ref();
    let windows = problem.windows.as_ref();
    let shift = problem.carrier_shift.as_ref();
    abi::GuidedProblem {
        struct_size: count(size_of::<abi::GuidedProblem>()),
        field,
        density_follows,
        points: count(problem.points),
        fine_points: count(problem.fine_points),
        modes: count(problem.modes),
        nodes: count(problem.nodes),
        time_step_s: problem.time_step_s,
        carrier_rad_s: problem.carrier_rad_s,
        energy_scale: problem.energy_scale,
        omega: problem.omega.as_ptr(),
        synthesis: problem.synthesis.as_ptr(),
        projection: problem.projection.as_ptr(),
        linear,
        gradient: gradient.map_or(ptr::null(), ptr::from_ref),
        source: problem.source.as_ptr().cast(),
        density,
        kerr: problem.kerr,
        raman_points: raman.map_or(0, |table| count(table.points)),
        raman: raman.map_or(ptr::null(), |table| table.values.as_ptr().cast()),
        rates: rates.map_or(ptr::null(), ptr::from_ref),
        absorb_spectral: windows.map_or(ptr::null(), |windows| windows.spectral.as_ptr()),
        absorb_temporal: windows.map_or(ptr::null(), |windows| windows.temporal.as_ptr()),
        time_window: windows.map_or(ptr::null(), |windows| windows.fine.as_ptr()),
        absorb_length_m: windows.map_or(0.0, |windows| windows.length_m),
        carrier_bin: shift.map_or(0, |shift| count(shift.bin)),
        harmonic: shift.map_or(ptr::null(), |shift| shift.harmonic.as_ptr()),
    }
}

fn native_gradient(gradient: &Gradient) -> abi::Gradient {
    let (waveguide, slope) = (gradient.carrier_waveguide, gradient.waveguide_slope);
    abi::Gradient {
        struct_size: count(size_of::<abi::Gradient>()),
        inlet_pa: gradient.inlet_pa,
        outlet_pa: gradient.outlet_pa,
        length_m: gradient.length_m,
        temperature_k: gradient.temperature_k,
        virial_m3: gradient.virial_m3,
        susceptibility: gradient.susceptibility.as_ptr(),
        waveguide: gradient.waveguide.as_ptr().cast(),
        carrier_susceptibility: gradient.carrier_susceptibility,
        susceptibility_slope: gradient.susceptibility_slope,
        carrier_waveguide: [waveguide.re, waveguide.im],
        waveguide_slope: [slope.re, slope.im],
        index_min: Gradient::INDEX_MIN,
        max_loss_per_m: gradient.max_loss_per_m,
        loss: i32::from(gradient.loss),
        over_index: i32::from(gradient.over_index),
    }
}

fn native_rates(plasma: &Plasma) -> abi::RateTable {
    abi::RateTable {
        struct_size: count(size_of::<abi::RateTable>()),
        first_field_v_m: plasma.rate.first_field,
        step_v_m: plasma.rate.step,
        cells: count(plasma.rate.cells.len()),
        coefficients: plasma.rate.cells.as_ptr().cast(),
        ionisation_energy_j: plasma.ionisation_energy_j,
    }
}
