//! One propagation in progress, owned.

mod cartesian;
mod guided;

use std::ptr::{self, NonNull};

use super::abi;
use super::library::{self, NativeLibrary, Optics, check_status, count, text};
use super::wisdom::Wisdom;
use crate::engine::{Counts, Engine, EngineError, Parts, PlaneStatistics, Probe};
use crate::fourier::Complex64;
use crate::gnlse::Problem;
use crate::steppers::{Integration, Stepper, Steps};

/// A propagation in progress. Freed when dropped; used by one thread at a time.
pub struct Propagation {
    optics: Optics,
    /// What times its parts; or why the library has nothing that does.
    timing: Result<library::Parts, String>,
    /// What looks at its cross-section; or why the library has nothing that does.
    section: Result<library::CrossSection, String>,
    handle: NonNull<abi::Handle>,
    points: usize,
}

impl Propagation {
    /// Builds an engine: copies every array, allocates everything and plans the FFTs.
    pub fn create(
        library: &NativeLibrary,
        problem: &Problem,
        integration: &Integration,
        threads: u32,
    ) -> Result<Self, EngineError> {
        Propagation::planned(library, problem, integration, threads, None)
    }

    /// The same with FFT plans from `wisdom`, which must be of the same library.
    pub fn planned(
        library: &NativeLibrary,
        problem: &Problem,
        integration: &Integration,
        threads: u32,
        wisdom: Option<&mut Wisdom>,
    ) -> Result<Self, EngineError> {
        let optics = library.optics()?;
        let points = problem.linear.len();
        problem
            .check_lengths()
            .map_err(|cause| EngineError::new("build the propagation", cause))?;
        let (raman_fraction, raman_points, raman) = match &problem.raman {
            Some((fraction, table)) => {
                (*fraction, count(table.points), table.values.as_ptr().cast())
            }
            None => (0.0, 0, ptr::null()),
        };
        let windows = problem.windows.as_ref();
        let spectral = windows.map_or(ptr::null(), |windows| windows.spectral.as_ptr());
        let temporal = windows.map_or(ptr::null(), |windows| windows.temporal.as_ptr());
        let native_problem = abi::GnlseProblem {
            struct_size: count(size_of::<abi::GnlseProblem>()),
            points: count(points),
            time_step_s: problem.time_step_s,
            carrier_rad_s: problem.carrier_rad_s,
            linear: problem.linear.as_ptr().cast(),
            source: problem.source.as_ptr().cast(),
            time_window: temporal,
            kerr_fraction: problem.kerr_fraction,
            raman_fraction,
            raman_points,
            raman,
            absorb_spectral: spectral,
            absorb_temporal: temporal,
        };
        let stepper = native_stepper(integration);
        let wisdom = wisdom.map_or(ptr::null_mut(), Wisdom::handle);
        let mut handle = ptr::null_mut();
        // SAFETY: both structures have the layout that was checked at load; every pointer in them
        // is null or points to as many values as `points` and `raman_points` imply, which
        // `Problem::check_lengths` made sure of, and the library copies them before it returns.
        // `wisdom` is null or a live handle, borrowed for this call.
        let status = unsafe {
            (optics.gnlse_create)(
                &raw const native_problem,
                &raw const stepper,
                i64::from(threads),
                wisdom,
                &raw mut handle,
            )
        };
        check(&optics, status, "build the propagation")?;
        Propagation::owner_of(handle, library, optics, points)
    }

    /// The owner of what the library has just built, whose state has `points` values.
    fn owner_of(
        handle: *mut abi::Handle,
        library: &NativeLibrary,
        optics: Optics,
        points: usize,
    ) -> Result<Self, EngineError> {
        let handle = NonNull::new(handle).ok_or_else(|| {
            EngineError::new("build the propagation", "the library returned no handle")
        })?;
        let propagation = Propagation {
            optics,
            timing: library.parts(),
            section: library.cross_section(),
            handle,
            points,
        };
        propagation.check_size()?;
        Ok(propagation)
    }

    fn check_size(&self) -> Result<(), EngineError> {
        // SAFETY: the handle is live.
        let size = unsafe { (self.optics.size)(self.handle.as_ptr()) };
        if size == count(self.points) {
            return Ok(());
        }
        let cause = format!("the state has {size} values instead of {}", self.points);
        Err(EngineError::new("build the propagation", cause))
    }

    /// Wall time in ns of `evaluations` source evaluations of the state, which stays as it is.
    pub fn bare_evaluations(&mut self, evaluations: i64) -> Result<u64, EngineError> {
        self.bare(
            self.optics.bare_evaluations,
            evaluations,
            "time source evaluations",
        )
    }

    /// Wall time in ns of the transforms of `evaluations` source evaluations, alone.
    pub fn bare_transforms(&mut self, evaluations: i64) -> Result<u64, EngineError> {
        self.bare(self.optics.bare_transforms, evaluations, "time transforms")
    }

    fn bare(&mut self, call: abi::Bare, times: i64, attempt: &str) -> Result<u64, EngineError> {
        let mut elapsed_ns = 0_i64;
        // SAFETY: the handle is live and `elapsed_ns` is a place for one number.
        let status = unsafe { call(self.handle.as_ptr(), times, &raw mut elapsed_ns) };
        self.check(status, attempt)?;
        u64::try_from(elapsed_ns)
            .map_err(|_| EngineError::new(attempt, format!("the time is {elapsed_ns} ns")))
    }

    fn time_parts(&mut self, on: i32, attempt: &str) -> Result<(), EngineError> {
        let timing = self.timing(attempt)?;
        // SAFETY: the handle is live.
        let status = unsafe { (timing.time_parts)(self.handle.as_ptr(), on) };
        self.check(status, attempt)
    }

    fn timing(&self, attempt: &str) -> Result<library::Parts, EngineError> {
        let timing = self.timing.as_ref();
        timing
            .copied()
            .map_err(|why| EngineError::new(attempt, why.as_str()))
    }

    fn section(&self, attempt: &str) -> Result<library::CrossSection, EngineError> {
        let section = self.section.as_ref();
        section
            .copied()
            .map_err(|why| EngineError::new(attempt, why.as_str()))
    }

    fn check(&self, status: i32, attempt: &str) -> Result<(), EngineError> {
        check(&self.optics, status, attempt)
    }

    fn check_length(&self, attempt: &str, length: usize) -> Result<(), EngineError> {
        if length == self.points {
            return Ok(());
        }
        let cause = format!("{length} values were given, the state has {}", self.points);
        Err(EngineError::new(attempt, cause))
    }
}

impl Engine for Propagation {
    fn points(&self) -> usize {
        self.points
    }

    fn set_state(&mut self, z_m: f64, state: &[Complex64]) -> Result<(), EngineError> {
        self.check_length("set the state", state.len())?;
        // SAFETY: the handle is live and `state` has as many values as the library reads.
        let status =
            unsafe { (self.optics.set_state)(self.handle.as_ptr(), z_m, state.as_ptr().cast()) };
        self.check(status, "set the state")
    }

    fn advance(&mut self, plane_m: f64, steps_max: i64) -> Result<f64, EngineError> {
        let mut z_m = f64::NAN;
        // SAFETY: the handle is live and `z_m` is a place for one number.
        let status = unsafe {
            (self.optics.advance)(self.handle.as_ptr(), plane_m, steps_max, &raw mut z_m)
        };
        self.check(status, "advance the propagation")?;
        Ok(z_m)
    }

    fn observe(
        &mut self,
        plane_m: f64,
        intensity: Option<&mut [f64]>,
    ) -> Result<PlaneStatistics, EngineError> {
        if let Some(values) = &intensity {
            self.check_length("observe the field", values.len())?;
        }
        let intensity = intensity.map_or(ptr::null_mut(), <[f64]>::as_mut_ptr);
        let mut statistics = abi::PlaneStatistics {
            struct_size: count(size_of::<abi::PlaneStatistics>()),
            ..Default::default()
        };
        // SAFETY: the handle is live, `statistics` says its size, and `intensity` is null or has
        // as many values as the library writes.
        let status = unsafe {
            let place = &raw mut statistics;
            (self.optics.observe)(self.handle.as_ptr(), plane_m, place, intensity)
        };
        self.check(status, "observe the field")?;
        Ok(PlaneStatistics {
            z_m: statistics.z_m,
            energy_j: statistics.energy_j,
            photon_number: statistics.photon_number,
            peak_power_w: statistics.peak_power_w,
            peak_time_s: statistics.peak_time_s,
            mean_omega_rad_s: statistics.mean_omega_rad_s,
            rms_duration_s: statistics.rms_duration_s,
        })
    }

    fn nodes(&self) -> usize {
        let Ok(section) = &self.section else {
            return 0;
        };
        // SAFETY: the handle is live.
        let nodes = unsafe { (section.nodes)(self.handle.as_ptr()) };
        usize::try_from(nodes).unwrap_or(0)
    }

    fn observe_nodes(
        &mut self,
        plane_m: f64,
        fluence: Option<&mut [f64]>,
        peak: Option<&mut [f64]>,
    ) -> Result<(), EngineError> {
        let attempt = "observe the cross-section";
        let section = self.section(attempt)?;
        let nodes = self.nodes();
        for given in [&fluence, &peak].into_iter().flatten() {
            if given.len() != nodes {
                let cause = format!(
                    "{} values were given, the cross-section has {nodes}",
                    given.len()
                );
                return Err(EngineError::new(attempt, cause));
            }
        }
        let [fluence, peak] =
            [fluence, peak].map(|values| values.map_or(ptr::null_mut(), <[f64]>::as_mut_ptr));
        // SAFETY: the handle is live, and both arrays are null or have as many values as the
        // library writes.
        let status =
            unsafe { (section.observe_nodes)(self.handle.as_ptr(), plane_m, fluence, peak) };
        self.check(status, attempt)
    }

    fn edge_energy_j(&self) -> Result<f64, EngineError> {
        // A library that cannot tell has no windows over cross-sections either.
        let Ok(section) = &self.section else {
            return Ok(0.0);
        };
        let mut energy_j = f64::NAN;
        // SAFETY: the handle is live and `energy_j` is a place for one number.
        let status = unsafe { (section.get_edge_energy)(self.handle.as_ptr(), &raw mut energy_j) };
        self.check(status, "read the energy that the edge absorbed")?;
        Ok(energy_j)
    }

    fn get_state(&self, state: &mut [Complex64]) -> Result<(), EngineError> {
        self.check_length("read the state", state.len())?;
        // SAFETY: the handle is live and `state` has as many values as the library writes.
        let status =
            unsafe { (self.optics.get_state)(self.handle.as_ptr(), state.as_mut_ptr().cast()) };
        self.check(status, "read the state")
    }

    fn counts(&self) -> Result<Counts, EngineError> {
        let mut counts = abi::Counts {
            struct_size: count(size_of::<abi::Counts>()),
            ..Default::default()
        };
        // SAFETY: the handle is live and `counts` says its size.
        let status = unsafe { (self.optics.get_counts)(self.handle.as_ptr(), &raw mut counts) };
        self.check(status, "read the counters")?;
        let natural = |value| natural(value, "read the counters");
        Ok(Counts {
            accepted: natural(counts.accepted)?,
            rejected: natural(counts.rejected)?,
            evaluations: natural(counts.evaluations)?,
            absorptions: natural(counts.absorptions)?,
            observations: natural(counts.observations)?,
            absorb_ns: natural(counts.absorb_ns)?,
            observe_ns: natural(counts.observe_ns)?,
            threads_observed: natural(counts.threads_observed)?,
        })
    }

    fn steps_m(&self) -> Result<Vec<f64>, EngineError> {
        let accepted = self.counts()?.accepted;
        let capacity = usize::try_from(accepted)
            .map_err(|_| EngineError::new("read the steps", format!("{accepted} are too many")))?;
        let mut steps = vec![f64::NAN; capacity];
        let mut found = 0_i64;
        // SAFETY: the handle is live, `steps` has `capacity` values and `found` is a place for one.
        let status = unsafe {
            let (values, number) = (steps.as_mut_ptr(), &raw mut found);
            (self.optics.get_steps)(self.handle.as_ptr(), values, count(capacity), number)
        };
        self.check(status, "read the steps")?;
        if found == count(capacity) {
            return Ok(steps);
        }
        let cause = format!("the library recorded {found} of {capacity} accepted steps");
        Err(EngineError::new("read the steps", cause))
    }

    fn fft_plans(&self) -> String {
        // SAFETY: the handle is live, and the text is copied before it can be freed.
        text(unsafe { (self.optics.fft_plans)(self.handle.as_ptr()) })
    }

    fn source_bytes(&self) -> Option<u64> {
        // SAFETY: the handle is live.
        let bytes = unsafe { (self.optics.source_bytes)(self.handle.as_ptr()) };
        u64::try_from(bytes).ok()
    }

    fn probe(&mut self) -> Result<&mut dyn Probe, String> {
        if let Err(why) = &self.timing {
            return Err(why.clone());
        }
        Ok(self)
    }
}

impl Probe for Propagation {
    fn start_parts(&mut self) -> Result<(), EngineError> {
        self.time_parts(1, "begin to time parts")
    }

    fn stop_parts(&mut self) -> Result<(), EngineError> {
        self.time_parts(0, "stop timing parts")
    }

    fn parts(&self) -> Result<Parts, EngineError> {
        let attempt = "read the times of parts";
        let timing = self.timing(attempt)?;
        let mut parts = abi::PropagationParts {
            struct_size: count(size_of::<abi::PropagationParts>()),
            ..Default::default()
        };
        // SAFETY: the handle is live and `parts` says its size.
        let status = unsafe { (timing.get_parts)(self.handle.as_ptr(), &raw mut parts) };
        self.check(status, attempt)?;
        Ok(Parts {
            fft_ns: natural(parts.fft_ns, attempt)?,
            pointwise_ns: natural(parts.pointwise_ns, attempt)?,
            stepper_ns: natural(parts.stepper_ns, attempt)?,
            absorb_ns: natural(parts.absorb_ns, attempt)?,
            observe_ns: natural(parts.observe_ns, attempt)?,
        })
    }

    fn bare_evaluations(&mut self, evaluations: u32) -> Result<u64, EngineError> {
        Propagation::bare_evaluations(self, evaluations.into())
    }

    fn bare_transforms(&mut self, evaluations: u32) -> Result<u64, EngineError> {
        Propagation::bare_transforms(self, evaluations.into())
    }
}

impl Drop for Propagation {
    fn drop(&mut self) {
        // SAFETY: the handle is live, and nothing uses it after this.
        unsafe { (self.optics.destroy)(self.handle.as_ptr()) }
    }
}

/// A counter of the library as a number that is not below 0.
fn natural(value: i64, attempt: &str) -> Result<u64, EngineError> {
    u64::try_from(value).map_err(|_| EngineError::new(attempt, format!("a counter is {value}")))
}

fn native_stepper(integration: &Integration) -> abi::Stepper {
    let kind = match integration.stepper {
        Stepper::Rk => abi::STEPPER_RK,
        Stepper::Rk4ip => abi::STEPPER_RK4IP,
        Stepper::Multistep => abi::STEPPER_MULTISTEP,
        Stepper::MultistepInteraction => abi::STEPPER_MULTISTEP_INTERACTION,
    };
    let (rtol, atol, initial_step_m, max_step_m) = match integration.steps {
        Steps::Controlled {
            rtol,
            atol,
            initial_m,
            max_m,
        } => (rtol, atol, initial_m, max_m),
        Steps::Fixed(_) | Steps::Replayed(_) => (0.0, 0.0, 0.0, 0.0),
    };
    let schedule = integration.schedule();
    abi::Stepper {
        struct_size: count(size_of::<abi::Stepper>()),
        kind,
        order: integration.order.unwrap_or(0),
        length_m: integration.length_m,
        rtol,
        atol,
        initial_step_m,
        max_step_m,
        schedule_m: schedule.map_or(ptr::null(), <[f64]>::as_ptr),
        schedule_count: schedule.map_or(0, |steps| count(steps.len())),
    }
}

fn check(optics: &library::Optics, status: i32, attempt: &str) -> Result<(), EngineError> {
    check_status(optics.last_error, status, attempt)
}
