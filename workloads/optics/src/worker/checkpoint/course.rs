//! One complete run, step by step, and the states that are kept on its way.

use longrun_measure::Clock;

use super::layout::Summary;
use crate::engine::{Engine, EngineError};
use crate::fourier::Complex64;

/// States that are kept for each one that is asked for, at most.
const KEPT_PER_STATE: usize = 32;

/// States that are kept for each one that is asked for, however large they are.
const KEPT_PER_STATE_MIN: usize = 4;

/// Memory that the kept states may take where they are more than the least.
const KEPT_BYTES_MAX: usize = 256 << 20;

/// A state of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Where.
    pub z_m: f64,
    /// Evaluations of the run up to there.
    pub evaluations: u64,
    /// The state there.
    pub state: Vec<Complex64>,
}

/// A run that has ended.
pub struct Course {
    /// Length of the run, m.
    pub length_m: f64,
    /// Wall time of all its steps, ns.
    pub run_ns: u64,
    /// Where each step ended, m.
    ends_m: Vec<f64>,
    kept: Vec<Kept>,
    summary: Summary,
}

impl Course {
    /// Runs from the launch to the end. `count` states will be chosen from those that are kept.
    pub fn through(
        engine: &mut dyn Engine,
        launch: &[Complex64],
        length_m: f64,
        count: u32,
        clock: &impl Clock,
    ) -> Result<Self, String> {
        let words = |error: EngineError| error.to_string();
        engine.set_state(0.0, launch).map_err(words)?;
        let mut thinned = Thinned::new(capacity(count, launch.len()));
        thinned.offer(0, || kept(engine, 0.0))?;
        let (mut ends_m, mut times_ns) = (Vec::new(), Vec::new());
        let mut z_m = 0.0;
        // The engine bounds its steps itself, and says so.
        while z_m < length_m {
            let start_ns = clock.now_ns();
            z_m = engine.advance(length_m, 1).map_err(words)?;
            times_ns.push(clock.now_ns().saturating_sub(start_ns));
            ends_m.push(z_m);
            if z_m < length_m {
                thinned.offer(ends_m.len(), || kept(engine, z_m))?;
            }
        }
        let end = kept(engine, z_m)?;
        Ok(Course {
            length_m,
            run_ns: times_ns.iter().sum(),
            summary: Summary {
                accepted: ends_m.len() as u64,
                evaluations: end.evaluations,
                step_ns: median(times_ns),
            },
            ends_m,
            kept: thinned.kept,
        })
    }

    /// What is known of the run as a whole.
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// The last kept state that the run had reached with so many evaluations; else the launch.
    pub fn before(&self, evaluations: u64) -> &Kept {
        let later = self
            .kept
            .partition_point(|kept| kept.evaluations <= evaluations);
        // The launch is always kept, so there is a first one.
        &self.kept[later.saturating_sub(1)]
    }

    /// Length of the step that the run took at a position, m.
    pub fn step_at_m(&self, z_m: f64) -> f64 {
        let index = self.ends_m.partition_point(|end_m| *end_m <= z_m);
        let end_m = self.ends_m.get(index).copied().unwrap_or(self.length_m);
        let before = index
            .checked_sub(1)
            .and_then(|index| self.ends_m.get(index));
        end_m - before.copied().unwrap_or(0.0)
    }
}

/// The state at the position of an engine; one that is not finite is a failure.
fn kept(engine: &dyn Engine, z_m: f64) -> Result<Kept, String> {
    let words = |error: EngineError| error.to_string();
    let mut state = vec![Complex64::default(); engine.points()];
    engine.get_state(&mut state).map_err(words)?;
    if !state.iter().all(|value| value.is_finite()) {
        return Err(format!(
            "failed to keep the state at z = {z_m} m: the field is not finite; the parameters \
             make no sense"
        ));
    }
    Ok(Kept {
        z_m,
        evaluations: engine.counts().map_err(words)?.evaluations,
        state,
    })
}

/// How many states of `points` values are kept at most, to choose `count` of them.
fn capacity(count: u32, points: usize) -> usize {
    let count = count as usize;
    let held = KEPT_BYTES_MAX / (points.max(1) * size_of::<Complex64>());
    held.clamp(count * KEPT_PER_STATE_MIN, count * KEPT_PER_STATE)
}

/// The states after every `stride`-th step. The stride doubles when there are too many.
struct Thinned {
    capacity: usize,
    stride: usize,
    kept: Vec<Kept>,
}

impl Thinned {
    fn new(capacity: usize) -> Self {
        Thinned {
            capacity,
            stride: 1,
            kept: Vec::new(),
        }
    }

    /// Keeps the state after `steps` steps if it is its turn.
    fn offer(
        &mut self,
        steps: usize,
        state: impl FnOnce() -> Result<Kept, String>,
    ) -> Result<(), String> {
        if !steps.is_multiple_of(self.stride) {
            return Ok(());
        }
        if self.kept.len() == self.capacity {
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
            if !steps.is_multiple_of(self.stride) {
                return Ok(());
            }
        }
        self.kept.push(state()?);
        Ok(())
    }
}

fn median(mut times_ns: Vec<u64>) -> u64 {
    times_ns.sort_unstable();
    times_ns.get(times_ns.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn state(step: usize) -> Kept {
        Kept {
            z_m: step as f64,
            evaluations: 6 * step as u64 + 1,
            state: Vec::new(),
        }
    }

    #[test]
    fn kept_states_stay_evenly_spaced_and_few() {
        for (steps, stride) in [(3, 1), (7, 1), (8, 2), (15, 2), (16, 4), (1000, 128)] {
            let mut thinned = Thinned::new(8);
            for step in 0..=steps {
                thinned.offer(step, || Ok(state(step))).unwrap();
            }
            let found: Vec<f64> = thinned.kept.iter().map(|kept| kept.z_m).collect();
            let due = (0..=steps).step_by(stride).map(|step| step as f64);
            assert_eq!(found, due.collect::<Vec<_>>(), "{steps}");
        }
    }

    #[test]
    fn large_states_are_kept_in_smaller_numbers() {
        assert_eq!(capacity(16, 16_384), 512);
        assert_eq!(capacity(16, 131_072), 128);
        assert_eq!(capacity(16, 1 << 22), 64);
    }

    #[test]
    fn a_step_is_found_by_a_position_within_it() {
        let course = Course {
            length_m: 7.0,
            run_ns: 0,
            ends_m: vec![1.0, 3.0, 7.0],
            kept: (0..3).map(state).collect(),
            summary: Summary {
                accepted: 3,
                evaluations: 19,
                step_ns: 1,
            },
        };
        for (z_m, due) in [(0.0, 1.0), (0.9, 1.0), (1.0, 2.0), (3.0, 4.0), (6.0, 4.0)] {
            assert!((course.step_at_m(z_m) - due).abs() < 1e-12, "{z_m}");
        }
        for (evaluations, due) in [(0, 0.0), (1, 0.0), (6, 0.0), (7, 1.0), (99, 2.0)] {
            let found = course.before(evaluations).z_m;
            assert!((found - due).abs() < 1e-12, "{evaluations}");
        }
    }
}
