//! Two engines and a clock: the segments of a duet, in turn.

use longrun_measure::Clock;
use longrun_protocol::Side;
use longrun_protocol::duet::{Segment, SegmentSide, Stretch, StretchReport};

use super::on;
use crate::engine::{Counts, Engine, EngineError};
use crate::fourier::Complex64;
use crate::witness;
use crate::worker::meter::Meter;
use crate::worker::setup::STEPS_MAX;

#[cfg(test)]
mod tests;

/// How far two positions may be apart, relative to the larger, to be the same but for rounding.
const POSITION_ROUNDING: f64 = 1e-12;

/// Something of each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sides<T> {
    /// The baseline's.
    pub baseline: T,
    /// The candidate's.
    pub candidate: T,
}

impl<T> Sides<T> {
    /// Makes that of `first`, and then that of the other.
    pub fn make<E>(first: Side, mut make: impl FnMut(Side) -> Result<T, E>) -> Result<Self, E> {
        let (one, other) = (make(first)?, make(first.other())?);
        Ok(match first {
            Side::Baseline => Sides {
                baseline: one,
                candidate: other,
            },
            Side::Candidate => Sides {
                baseline: other,
                candidate: one,
            },
        })
    }

    /// That of a side.
    pub fn of(&self, side: Side) -> &T {
        match side {
            Side::Baseline => &self.baseline,
            Side::Candidate => &self.candidate,
        }
    }

    /// The same to be changed.
    pub fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Baseline => &mut self.baseline,
            Side::Candidate => &mut self.candidate,
        }
    }
}

/// One side: its engine, and arrays of its own to look at it.
struct Player {
    engine: Box<dyn Engine>,
    z_m: f64,
    counts: Counts,
    state: Vec<Complex64>,
    intensity: Vec<f64>,
}

/// Two sides that take the same segments.
pub struct Session<'a, C> {
    players: Sides<Player>,
    /// Whose turn it is to go first.
    first: Side,
    meter: &'a Meter<'a, C>,
    /// Wall time of all restarts and their untimed steps, ns.
    pub warm_up_ns: u64,
}

impl<'a, C: Clock> Session<'a, C> {
    /// Every array is written here, so that none is touched first between two timed segments.
    pub fn new(engines: Sides<Box<dyn Engine>>, first: Side, meter: &'a Meter<'a, C>) -> Self {
        let player = |engine: Box<dyn Engine>| Player {
            z_m: f64::NAN,
            counts: Counts::default(),
            state: vec![Complex64::new(f64::NAN, f64::NAN); engine.points()],
            intensity: vec![f64::NAN; engine.points()],
            engine,
        };
        Session {
            players: Sides {
                baseline: player(engines.baseline),
                candidate: player(engines.candidate),
            },
            first,
            meter,
            warm_up_ns: 0,
        }
    }

    /// Restarts both sides at `state` and takes every segment of the stretch with both.
    pub fn stretch(
        &mut self,
        stretch: &Stretch,
        state: &[Complex64],
    ) -> Result<StretchReport, String> {
        let start_ns = self.meter.clock.now_ns();
        self.warm_up(stretch, state)?;
        let end_ns = self.meter.clock.now_ns();
        let taken_ns = end_ns.saturating_sub(start_ns);
        self.warm_up_ns = self.warm_up_ns.saturating_add(taken_ns);
        let mut segments = Vec::with_capacity(stretch.planes_m.len());
        for plane_m in &stretch.planes_m {
            segments.push(self.segment(*plane_m)?);
        }
        Ok(StretchReport {
            checkpoint: Some(stretch.checkpoint),
            segments,
        })
    }

    /// Restarts both sides and takes the untimed steps.
    ///
    /// Everything in the order of a segment before the first one: the side that goes first was the
    /// second to work and to be looked at, as it is in every turn. With its field in the caches a
    /// side is some 10 % faster. The other side waits longer for its first segment than for later
    /// ones, so that one still has a penalty of its own, which cancels over processes.
    fn warm_up(&mut self, stretch: &Stretch, state: &[Complex64]) -> Result<(), String> {
        let order = [self.first.other(), self.first];
        let place = |side: Side| {
            let z_m = stretch.z_m;
            move |cause: String| on(side, &format!("failed to restart at z = {z_m} m: {cause}"))
        };
        for side in order {
            let player = self.players.of_mut(side);
            player.restart(stretch, state).map_err(place(side))?;
        }
        for side in order {
            self.players
                .of_mut(side)
                .settle(stretch)
                .map_err(place(side))?;
        }
        for side in order {
            self.players.of_mut(side).look().map_err(place(side))?;
        }
        Ok(())
    }

    /// One segment with both sides; then the turn to go first is the other's.
    ///
    /// Afterwards the sides are looked at in the order in which they went. What that leaves in the
    /// caches depends on who went first and not on which side that was, so it cancels as the turns
    /// do.
    fn segment(&mut self, plane_m: f64) -> Result<Segment, String> {
        let first = self.first;
        self.first = first.other();
        let place = |side: Side| {
            move |cause: String| {
                let sentence = format!("failed in the segment up to {plane_m} m: {cause}");
                on(side, &sentence)
            }
        };
        let (players, meter) = (&mut self.players, self.meter);
        let taken = Sides::make(first, |side| {
            let taken = players.of_mut(side).advance(plane_m, meter);
            taken.map_err(place(side))
        })?;
        for side in [first, first.other()] {
            players.of_mut(side).look().map_err(place(side))?;
        }
        let relative_l2 = if same_position(players.baseline.z_m, players.candidate.z_m) {
            witness::relative_l2(&players.candidate.state, &players.baseline.state)
        } else {
            for side in [first, first.other()] {
                let observed = players.of_mut(side).observe(plane_m);
                observed.map_err(place(side))?;
            }
            of_amplitudes(&players.candidate.intensity, &players.baseline.intensity)
        };
        Ok(Segment {
            first,
            baseline: taken.baseline,
            candidate: taken.candidate,
            relative_l2,
        })
    }
}

impl Player {
    fn restart(&mut self, stretch: &Stretch, state: &[Complex64]) -> Result<(), String> {
        self.engine.set_state(stretch.z_m, state).map_err(words)
    }

    /// The untimed steps after a restart.
    fn settle(&mut self, stretch: &Stretch) -> Result<(), String> {
        self.z_m = self
            .engine
            .advance(stretch.warm_up_m, STEPS_MAX)
            .map_err(words)?;
        self.counts = self.engine.counts().map_err(words)?;
        Ok(())
    }

    /// The timed region: one advance and nothing else.
    fn advance(
        &mut self,
        plane_m: f64,
        meter: &Meter<'_, impl Clock>,
    ) -> Result<SegmentSide, String> {
        let engine = self.engine.as_mut();
        let (reached, sample) = meter.sample(1, || engine.advance(plane_m, STEPS_MAX));
        self.z_m = reached.map_err(words)?;
        let before = self.counts;
        self.counts = self.engine.counts().map_err(words)?;
        Ok(SegmentSide {
            sample: sample?,
            accepted: self.counts.accepted.checked_sub(before.accepted),
            evaluations: self.counts.evaluations.checked_sub(before.evaluations),
        })
    }

    /// Reads the state; one that is not finite is a failure.
    fn look(&mut self) -> Result<(), String> {
        self.engine.get_state(&mut self.state).map_err(words)?;
        let finite = |value: &Complex64| value.re.is_finite() && value.im.is_finite();
        match self.state.iter().all(finite) {
            true => Ok(()),
            false => Err("the field is not finite".to_owned()),
        }
    }

    fn observe(&mut self, plane_m: f64) -> Result<(), String> {
        let intensity = Some(self.intensity.as_mut_slice());
        self.engine
            .observe(plane_m, intensity)
            .map(drop)
            .map_err(words)
    }
}

fn words(error: EngineError) -> String {
    error.to_string()
}

fn same_position(one_m: f64, other_m: f64) -> bool {
    (one_m - other_m).abs() <= POSITION_ROUNDING * one_m.abs().max(other_m.abs())
}

/// `||a| - |b|| / |b|` of two spectra from their squared moduli; none where `b` is zero.
fn of_amplitudes(a: &[f64], b: &[f64]) -> Option<f64> {
    let norm: f64 = b.iter().sum();
    let amplitudes = a.iter().zip(b).map(|(a, b)| a.sqrt() - b.sqrt());
    let difference: f64 = amplitudes.map(|apart| apart * apart).sum();
    (norm > 0.0).then(|| (difference / norm).sqrt())
}
