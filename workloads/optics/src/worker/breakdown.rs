//! Where the time of a complete run goes: one more repeat, after those that count, with a look at
//! the clock between its parts.
//!
//! The repeat stops at mid-guide for a copy of the state, untimed. There, after the end, source
//! evaluations and their transforms are timed alone. `docs/native.md` has the words.

use longrun_measure::Clock;
use longrun_protocol::receipt::Receipt;
use longrun_protocol::sampling::Breakdown;

use super::meter::Meter;
use super::run::{Course, traverse};
use super::setup::{STEPS_MAX, skip};
use crate::case::Case;
use crate::engine::{Counts, Engine, EngineError, Parts, Probe};
use crate::fourier::Complex64;

/// Source evaluations of each loop at mid-guide: at least 200 are asked for.
const LOOP_EVALUATIONS: u32 = 400;

/// The same of a field over a plane, of which one may take seconds and varies by little.
const LOOP_EVALUATIONS_OF_PLANES: u32 = 8;

/// Takes the repeat and writes it into the receipt; where the engine does not time its parts, the
/// reason.
pub fn take(
    engine: &mut dyn Engine,
    case: &Case,
    course: &mut Course,
    meter: &Meter<'_, impl Clock>,
    receipt: &mut Receipt,
) -> Result<(), String> {
    if let Err(reason) = engine.probe() {
        receipt.skips.push(skip("breakdown", &reason));
        return Ok(());
    }
    let repeat = Repeat::take(engine, case.launch(), course, meter)?;
    let counted = receipt.witnesses.last();
    let evaluations = counted.and_then(|witness| witness.evaluations);
    if evaluations != Some(repeat.counts.evaluations) {
        return Err(format!(
            "it took {} source evaluations, and the last timed repeat {}",
            repeat.counts.evaluations,
            evaluations.map_or("an unknown number".to_owned(), |count| count.to_string())
        ));
    }
    let evaluations = match case {
        Case::Cartesian(_) => LOOP_EVALUATIONS_OF_PLANES,
        _ => LOOP_EVALUATIONS,
    };
    receipt.breakdown = Some(repeat.breakdown(engine, evaluations)?);
    Ok(())
}

/// What the repeat came to.
struct Repeat {
    run_ns: u64,
    parts: Parts,
    counts: Counts,
    /// Position of the copy, m.
    middle_m: f64,
    middle: Vec<Complex64>,
}

impl Repeat {
    fn take(
        engine: &mut dyn Engine,
        launch: &[Complex64],
        course: &mut Course,
        meter: &Meter<'_, impl Clock>,
    ) -> Result<Self, String> {
        let half_m = course.planes.last().map_or(0.0, |plane| plane.z_m) / 2.0;
        let before = course.planes.partition_point(|plane| plane.z_m <= half_m);
        let (first, second) = course.planes.split_at_mut(before);
        let mut middle = vec![Complex64::default(); engine.points()];
        probe(engine)?.start_parts().map_err(words)?;
        engine.set_state(0.0, launch).map_err(words)?;
        let (reached, one) = meter.sample(1, || {
            traverse(engine, first)?;
            engine.advance(half_m, STEPS_MAX)
        });
        let middle_m = reached.map_err(words)?;
        engine.get_state(&mut middle).map_err(words)?;
        let (ended, other) = meter.sample(1, || traverse(engine, second));
        ended.map_err(words)?;
        let parts = probe(engine)?.parts().map_err(words)?;
        probe(engine)?.stop_parts().map_err(words)?;
        Ok(Repeat {
            run_ns: one?.interval_ns.saturating_add(other?.interval_ns),
            parts,
            counts: engine.counts().map_err(words)?,
            middle_m,
            middle,
        })
    }

    /// The same with the loops at mid-guide.
    fn breakdown(&self, engine: &mut dyn Engine, loops: u32) -> Result<Breakdown, String> {
        let mean = |ns: u64| ns as f64 / f64::from(loops);
        engine
            .set_state(self.middle_m, &self.middle)
            .map_err(words)?;
        let evaluations = probe(engine)?.bare_evaluations(loops);
        let evaluations_ns = evaluations.map_err(words)?;
        let transforms = probe(engine)?.bare_transforms(loops);
        let transforms_ns = transforms.map_err(words)?;
        Ok(Breakdown {
            run_ns: self.run_ns,
            fft_ns: self.parts.fft_ns,
            pointwise_ns: self.parts.pointwise_ns,
            stepper_ns: self.parts.stepper_ns,
            absorb_ns: self.parts.absorb_ns,
            observe_ns: self.parts.observe_ns,
            evaluations: self.counts.evaluations,
            bare_evaluation_ns: Some(mean(evaluations_ns)),
            transforms_ns: Some(mean(transforms_ns)),
            source_bytes: engine.source_bytes(),
            loop_evaluations: loops.into(),
        })
    }
}

fn probe(engine: &mut dyn Engine) -> Result<&mut dyn Probe, String> {
    engine.probe()
}

fn words(error: EngineError) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests;
