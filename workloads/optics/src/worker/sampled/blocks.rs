//! Two operations and a clock: the blocks of a duet, in turn.
//!
//! The order is that of the segments of a propagation, for the same reasons
//! ([`crate::worker`]'s duet): the side that goes first is looked at first, and comes second in the
//! warm-up.

use longrun_measure::Clock;
use longrun_protocol::Side;
use longrun_protocol::duet::{Segment, SegmentSide, StretchReport};

use super::check;
use crate::engine::EngineError;
use crate::kernels::{Example, Routine};
use crate::witness;
use crate::worker::duet::{Sides, on};
use crate::worker::meter::Meter;

/// One side: its operation, and a place for what it puts out.
struct Player {
    routine: Box<dyn Routine>,
    output: Vec<f64>,
}

/// Two sides that take the same blocks.
pub struct Session<'a, C> {
    players: Sides<Player>,
    /// Whose turn it is to go first.
    first: Side,
    /// Operations of a block.
    ops: u64,
    meter: &'a Meter<'a, C>,
    /// Wall time of the warm-up, ns.
    pub warm_up_ns: u64,
}

impl<'a, C: Clock> Session<'a, C> {
    /// Both sides have their input.
    pub fn new(
        routines: Sides<Box<dyn Routine>>,
        first: Side,
        ops: u64,
        meter: &'a Meter<'a, C>,
    ) -> Self {
        let player = |routine| Player {
            routine,
            output: Vec::new(),
        };
        Session {
            players: Sides {
                baseline: player(routines.baseline),
                candidate: player(routines.candidate),
            },
            first,
            ops,
            meter,
            warm_up_ns: 0,
        }
    }

    /// An untimed block of both sides, whose output must be within `bound` of the example's.
    pub fn warm_up(&mut self, example: &Example, bound: f64) -> Result<(), String> {
        let start_ns = self.meter.clock.now_ns();
        let order = [self.first.other(), self.first];
        for side in order {
            let player = self.players.of_mut(side);
            player.output = vec![f64::NAN; example.output.len()];
            let done = player.routine.run(self.ops).map_err(words);
            done.map_err(|cause| on(side, &format!("failed in the warm-up: {cause}")))?;
        }
        for side in order {
            let player = self.players.of_mut(side);
            player
                .look()
                .and_then(|()| check::reference(&player.output, example, bound).map(drop))
                .map_err(|cause| on(side, &format!("failed in the warm-up: {cause}")))?;
        }
        let end_ns = self.meter.clock.now_ns();
        self.warm_up_ns = end_ns.saturating_sub(start_ns);
        Ok(())
    }

    /// So many blocks of each side.
    pub fn blocks(&mut self, count: u32) -> Result<StretchReport, String> {
        let mut segments = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
        for number in 1..=count {
            segments.push(self.block(number)?);
        }
        Ok(StretchReport {
            checkpoint: None,
            segments,
        })
    }

    /// One block with both sides; then the turn to go first is the other's.
    fn block(&mut self, number: u32) -> Result<Segment, String> {
        let first = self.first;
        self.first = first.other();
        let place = |side: Side| {
            move |cause: String| on(side, &format!("failed in block {number}: {cause}"))
        };
        let (players, meter, ops) = (&mut self.players, self.meter, self.ops);
        let taken = Sides::make(first, |side| {
            let taken = players.of_mut(side).take(ops, meter);
            taken.map_err(place(side))
        })?;
        for side in [first, first.other()] {
            players.of_mut(side).look().map_err(place(side))?;
        }
        let outputs = (&players.candidate.output, &players.baseline.output);
        Ok(Segment {
            first,
            baseline: taken.baseline,
            candidate: taken.candidate,
            relative_l2: witness::relative_l2_real(outputs.0, outputs.1),
        })
    }
}

impl Player {
    /// The timed region: a block and nothing else.
    fn take(&mut self, ops: u64, meter: &Meter<'_, impl Clock>) -> Result<SegmentSide, String> {
        let routine = self.routine.as_mut();
        let (done, sample) = meter.sample(ops, || routine.run(ops));
        done.map_err(words)?;
        Ok(SegmentSide {
            sample: sample?,
            accepted: None,
            evaluations: None,
        })
    }

    /// Reads the output; one that is not finite is a failure.
    fn look(&mut self) -> Result<(), String> {
        self.routine.output(&mut self.output).map_err(words)?;
        match self.output.iter().all(|value| value.is_finite()) {
            true => Ok(()),
            false => Err("the output is not finite".to_owned()),
        }
    }
}

fn words(error: EngineError) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests;
