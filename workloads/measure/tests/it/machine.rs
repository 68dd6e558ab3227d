//! A machine that disturbs what it times, in the ways that real ones were seen to.
//!
//! The magnitudes are those of the noise facts that the method rests on: a drift that successive
//! runs share (lag 1: 0.9), two speeds 40 % apart that change in 7 % of runs, a long right tail,
//! whoever goes second 1.2 % slower, whoever is created first 0.3 % slower, and memory placement
//! that is drawn once per process.

use longrun_measure::paired::Orders;
use longrun_measure::paired::duet::observation;
use longrun_measure::paired::log_ratio;
use longrun_protocol::Sample;
use longrun_protocol::duet::{Segment, SegmentSide, Side, StretchReport};
use longrun_protocol::registry::Metric;

use crate::draws::Draws;

/// What a machine does to times.
#[derive(Clone, Copy, Default)]
pub struct Noise {
    pub drift: bool,
    pub states: bool,
    pub tail: bool,
    /// How much slower whoever goes second is, as a log-ratio.
    pub second: f64,
    /// How much slower the side is whose engine was created first.
    pub created: f64,
}

/// What one observation is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Design {
    Duet,
    Pair,
}

/// Who decides the orders: coins, or nobody.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Turns {
    Coins,
    BaselineFirst,
}

const STRETCHES: usize = 4;
/// Segments of each side in a stretch.
const SEGMENTS: usize = 4;
/// Timed intervals of a duet process.
const INTERVALS: f64 = (2 * STRETCHES * SEGMENTS) as f64;

/// Drift: share that one run passes to the next, and standard deviation, by scale.
const DRIFT: [(f64, f64); 3] = [(0.5, 0.02), (0.9, 0.04), (0.99, 0.05)];

pub struct Machine {
    noise: Noise,
    design: Design,
    draws: Draws,
    /// For each scale of the drift, what an interval passes on, and its state.
    drift: [(f64, f64); 3],
    slow: bool,
    /// Length of an interval in runs.
    share: f64,
}

/// One observation by both clocks.
pub struct Observed {
    pub cpu: f64,
    pub wall: f64,
}

impl Machine {
    pub fn new(noise: Noise, design: Design, seed: u64) -> Self {
        let mut draws = Draws::new(seed);
        let share = match design {
            Design::Duet => 1.0 / INTERVALS,
            Design::Pair => 1.0,
        };
        let drift = DRIFT.map(|(kept, sd)| (libm::pow(kept, share), sd * draws.normal()));
        let slow = draws.happens(0.5);
        Machine {
            noise,
            design,
            draws,
            drift,
            slow,
            share,
        }
    }

    /// One observation of two programs that differ by `effect` (a log-ratio), where means of
    /// processes differ by `sd`.
    pub fn observe(&mut self, effect: f64, sd: f64, orders: &Order) -> Observed {
        let placement = |draws: &mut Draws| sd * std::f64::consts::FRAC_1_SQRT_2 * draws.normal();
        let mut levels = Levels {
            baseline: placement(&mut self.draws),
            candidate: effect + placement(&mut self.draws),
        };
        match orders.created_first {
            Side::Baseline => levels.baseline += self.noise.created,
            Side::Candidate => levels.candidate += self.noise.created,
        }
        match self.design {
            Design::Duet => self.duet(&levels, orders.first),
            Design::Pair => self.pair(&levels, orders.first),
        }
    }

    fn duet(&mut self, levels: &Levels, first: Side) -> Observed {
        let mut turn = first;
        let stretches: Vec<StretchReport> = (0..STRETCHES)
            .map(|_| StretchReport {
                checkpoint: None,
                segments: (0..SEGMENTS)
                    .map(|_| {
                        let segment = self.segment(levels, turn);
                        turn = turn.other();
                        segment
                    })
                    .collect(),
            })
            .collect();
        Observed {
            cpu: observation(&stretches, Metric::Cpu).unwrap(),
            wall: observation(&stretches, Metric::Wall).unwrap(),
        }
    }

    fn pair(&mut self, levels: &Levels, first: Side) -> Observed {
        let pair = self.segment(levels, first);
        let ratio =
            |metric| log_ratio(&pair.baseline.sample, &pair.candidate.sample, metric).unwrap();
        Observed {
            cpu: ratio(Metric::Cpu),
            wall: ratio(Metric::Wall),
        }
    }

    /// Both sides, one after the other.
    fn segment(&mut self, levels: &Levels, first: Side) -> Segment {
        let one = self.interval(levels.of(first));
        let other = self.interval(levels.of(first.other()) + self.noise.second);
        let (baseline, candidate) = match first {
            Side::Baseline => (one, other),
            Side::Candidate => (other, one),
        };
        Segment {
            first,
            baseline,
            candidate,
            relative_l2: None,
        }
    }

    fn interval(&mut self, level: f64) -> SegmentSide {
        let mut cpu = level + 0.003 * self.draws.normal();
        if self.noise.drift {
            for ((kept, state), (_, sd)) in self.drift.iter_mut().zip(DRIFT) {
                let fresh = sd * (1.0 - *kept * *kept).sqrt();
                *state = *kept * *state + fresh * self.draws.normal();
                cpu += *state;
            }
        }
        if self.noise.states {
            self.slow ^= self.draws.happens(0.07 * self.share);
            cpu += if self.slow { libm::log(1.4) } else { 0.0 };
        }
        let mut wall = cpu + 0.005 * self.draws.exponential();
        if self.noise.tail {
            if self.draws.happens(0.05) {
                let stolen = libm::log1p(0.15 * self.draws.exponential());
                cpu += stolen;
                wall += stolen;
            }
            if self.draws.happens(0.05) {
                wall += libm::log1p(0.3 * self.draws.exponential());
            }
        }
        let length_ns = 36e6 * self.share;
        let ns = |log: f64| (length_ns * libm::exp(log)).round() as u64;
        SegmentSide {
            sample: Sample {
                interval_ns: ns(wall),
                cpu_ns: Some(ns(cpu)),
                ops: 1,
                usage: None,
            },
            accepted: None,
            evaluations: None,
        }
    }
}

/// Logarithms of how slow the sides are in this process.
struct Levels {
    baseline: f64,
    candidate: f64,
}

impl Levels {
    fn of(&self, side: Side) -> f64 {
        match side {
            Side::Baseline => self.baseline,
            Side::Candidate => self.candidate,
        }
    }
}

/// Orders of one observation.
pub struct Order {
    pub created_first: Side,
    pub first: Side,
}

impl Order {
    pub fn of(design: Design, turns: Turns, orders: Orders, round: u32) -> Self {
        let (created_first, first) = match (turns, design) {
            (Turns::BaselineFirst, _) => (Side::Baseline, Side::Baseline),
            (Turns::Coins, Design::Duet) => {
                let order = orders.duet(round);
                (order.created_first, order.first)
            }
            (Turns::Coins, Design::Pair) => (orders.pair(round), orders.pair(round)),
        };
        Order {
            created_first,
            first,
        }
    }
}
