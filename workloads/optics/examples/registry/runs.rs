//! One way through a case, and what it took.

use longrun_measure::{Interval, SystemClock, time};
use longrun_optics::engine::Engine;
use longrun_optics::fourier::Complex64;
use longrun_optics::native::NativeLibrary;
use longrun_optics::steppers::{Asked, Integration};
use longrun_protocol::{CaseEntry, Size};

use crate::registry::{Outcome, STEPS_MAX, case, engine};

/// A stepper, its tolerance, and the order of a multistep method if it is not to be its own.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub stepper: &'a str,
    pub rtol: f64,
    pub order: Option<i32>,
}

/// Where it led, and what it took. CPU time of the process, observation left out and absorption
/// left in.
pub struct End {
    pub state: Vec<Complex64>,
    pub integrator: String,
    pub accepted: u64,
    pub rejected: u64,
    pub evaluations: u64,
    pub cpu_s: f64,
}

impl Run<'_> {
    /// Through the whole guide, on one thread.
    pub fn over(self, library: &NativeLibrary, entry: &CaseEntry, size: Size) -> Outcome<End> {
        let case = case(entry, size, &[("rtol", self.rtol)])?;
        let asked = Asked {
            stepper: self.stepper,
            length: 1.0,
            replay: None,
        };
        let mut integration = Integration::resolve(&case, asked)?;
        integration.order = self.order.or(integration.order);
        let mut engine = engine(library, &case, &integration, 1)?;
        let mut state = case.launch().to_vec();
        engine.set_state(0.0, &state)?;
        let advance = || engine.advance(integration.length_m, STEPS_MAX);
        let (advanced, interval) = time(&SystemClock::new(), 1, advance);
        advanced?;
        let Interval::Measured(sample) = interval else {
            return Err("the clock went back; run it again".into());
        };
        engine.get_state(&mut state)?;
        let counts = engine.counts()?;
        let cpu_ns = sample
            .cpu_ns
            .ok_or("this system has no clock of CPU time")?;
        Ok(End {
            state,
            integrator: integration.name(),
            accepted: counts.accepted,
            rejected: counts.rejected,
            evaluations: counts.evaluations,
            cpu_s: cpu_ns as f64 / 1e9,
        })
    }
}
