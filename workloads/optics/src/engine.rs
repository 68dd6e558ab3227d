//! What computes a propagation, seen from outside: the native library, or the reference.
//!
//! Runs, oracles and comparisons are written against [`Engine`] and do not know which one it is.
//! Positions are in metres. A state is the stored spectrum of `gnlse`: FFT order, unnormalised
//! forward transform of the field in sqrt(W).

use std::fmt;

use crate::fourier::Complex64;

/// A propagation in progress.
///
/// Life of an engine: any number of { `set_state`, `advance` and `observe` …, `get_state` }. After
/// an error of `advance`, a state must be set before anything else.
pub trait Engine {
    /// Number of complex values of the state.
    fn points(&self) -> usize;

    /// Puts the state at `z_m` and resets counters, step control and history: a restart.
    ///
    /// On a schedule, `z_m` must be one of its step boundaries.
    fn set_state(&mut self, z_m: f64, state: &[Complex64]) -> Result<(), EngineError>;

    /// Takes accepted steps until `plane_m`, the end of the guide, or `steps_max` steps; the
    /// position reached, in metres. The steps do not depend on the planes asked for.
    fn advance(&mut self, plane_m: f64, steps_max: i64) -> Result<f64, EngineError>;

    /// The field at a plane within the last step taken, by the stepper's own interpolation.
    /// `intensity` receives the squared modulus of the spectrum and is as long as the state.
    fn observe(
        &mut self,
        plane_m: f64,
        intensity: Option<&mut [f64]>,
    ) -> Result<PlaneStatistics, EngineError>;

    /// Number of points of the cross-section at which fields are polarised; 0 where there are none.
    fn nodes(&self) -> usize {
        0
    }

    /// What the analytic signal (the envelope) E of the field is at those points, at a plane within
    /// the last step taken, as [`Engine::observe`]: `fluence` receives the integral of |E|² over
    /// time, `peak` the largest |E|², both as long as there are points; V² s/m² and V²/m² in a gas
    /// and in free space. No observation is counted.
    fn observe_nodes(
        &mut self,
        _plane_m: f64,
        _fluence: Option<&mut [f64]>,
        _peak: Option<&mut [f64]>,
    ) -> Result<(), EngineError> {
        let cause = "the engine has no points of a cross-section for this case";
        Err(EngineError::new("observe the cross-section", cause))
    }

    /// Energy in J that the edge of the cross-section has absorbed since the last restart; 0
    /// without one.
    fn edge_energy_j(&self) -> Result<f64, EngineError> {
        Ok(0.0)
    }

    /// Copies the state at the position into `state`.
    fn get_state(&self, state: &mut [Complex64]) -> Result<(), EngineError>;

    /// What has been counted since the last restart.
    fn counts(&self) -> Result<Counts, EngineError>;

    /// The step lengths accepted since the last restart, m.
    fn steps_m(&self) -> Result<Vec<f64>, EngineError>;

    /// One line for each FFT plan in use.
    fn fft_plans(&self) -> String;

    /// Bytes that one source evaluation must read and write once, its transforms aside; none
    /// where the engine is not written for speed.
    fn source_bytes(&self) -> Option<u64>;

    /// What tells where the time of this engine goes; or why there is nothing that does.
    fn probe(&mut self) -> Result<&mut dyn Probe, String> {
        Err("the engine does not time its parts".to_owned())
    }
}

/// What an engine that was written for speed tells of where its time goes.
pub trait Probe {
    /// Times the parts of what is done from the next restart on, which costs time itself.
    fn start_parts(&mut self) -> Result<(), EngineError>;

    /// Times no parts any more.
    fn stop_parts(&mut self) -> Result<(), EngineError>;

    /// Where the time since the last restart went; all 0 while parts are not timed.
    fn parts(&self) -> Result<Parts, EngineError>;

    /// Wall time in ns of source evaluations of the state, which stays as it is and counts none.
    fn bare_evaluations(&mut self, evaluations: u32) -> Result<u64, EngineError>;

    /// Wall time in ns of the transforms of so many source evaluations, alone.
    fn bare_transforms(&mut self, evaluations: u32) -> Result<u64, EngineError>;
}

/// Where the time since the last restart went, ns. No moment is in two of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Transforms inside source evaluations.
    pub fft_ns: u64,
    /// The rest of source evaluations.
    pub pointwise_ns: u64,
    /// The loops of the stepper.
    pub stepper_ns: u64,
    /// Absorption, its transforms included.
    pub absorb_ns: u64,
    /// Observation, its transforms included.
    pub observe_ns: u64,
}

/// What has been counted since the last restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Steps accepted.
    pub accepted: u64,
    /// Steps rejected.
    pub rejected: u64,
    /// Source evaluations, rejected and start-up ones included.
    pub evaluations: u64,
    /// Times that the windows were applied to the state.
    pub absorptions: u64,
    /// Planes observed.
    pub observations: u64,
    /// Wall time inside absorption, ns.
    pub absorb_ns: u64,
    /// Wall time inside observation, ns.
    pub observe_ns: u64,
    /// Distinct threads that did work.
    pub threads_observed: u64,
}

/// Statistics of the field at one plane; units in the names, as in `optics.h`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlaneStatistics {
    /// Position.
    pub z_m: f64,
    /// Energy.
    pub energy_j: f64,
    /// Photons at positive frequencies.
    pub photon_number: f64,
    /// Largest power.
    pub peak_power_w: f64,
    /// Time of the largest power.
    pub peak_time_s: f64,
    /// Energy-weighted mean frequency.
    pub mean_omega_rad_s: f64,
    /// Energy-weighted standard deviation of time.
    pub rms_duration_s: f64,
}

/// Why an engine could not be had, or what it refused to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError {
    /// What was attempted: `load the native library`, `advance the propagation`, …
    pub attempt: String,
    /// Cause, and the next step where there is one.
    pub cause: String,
}

impl EngineError {
    /// An error of one attempt.
    pub fn new(attempt: impl Into<String>, cause: impl Into<String>) -> Self {
        EngineError {
            attempt: attempt.into(),
            cause: cause.into(),
        }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to {}: {}", self.attempt, self.cause)
    }
}

impl std::error::Error for EngineError {}
