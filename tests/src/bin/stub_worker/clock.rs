//! Times that the stub worker reports. It spends none of them.
//!
//! A time is one of `times_ns` in turn, or `time_ns` of the case, times what the library costs,
//! times noise that follows from a seed and from how many workers ran here before: the same test
//! sees the same times. The clock tells whole multiples of `tick_ns` apart, and nothing shorter.
//! A launch may take another part of its times (`launches`).

use longrun_protocol::receipt::Usage;
use longrun_protocol::{Request, Sample};
use serde_json::Value;

use crate::Outcome;
use crate::launches;
use crate::library::Made;

/// Time of one operation, where the case names none.
const TIME_NS: f64 = 1e6;

/// The clock of one process.
pub struct Clock {
    /// Times of one operation, in turn.
    times_ns: Vec<f64>,
    /// What it can tell apart.
    tick_ns: u64,
    /// Half-width of what differs from one side of a process to the other.
    noise: f64,
    /// Half-width of what differs from one interval to the next.
    spread: f64,
    /// What it costs to go second, as a fraction.
    second: f64,
    /// Number of this process among all that ran here.
    process: u64,
    taken: usize,
    drawn: u64,
}

/// What a side costs.
pub struct Cost {
    cpu: f64,
    wall: f64,
    /// Of this process.
    placement: f64,
}

impl Clock {
    /// The clock of the worker that was started as number `process`; it takes `cost` times as long.
    pub fn new(request: &Request, process: u64, cost: f64) -> Outcome<Self> {
        let number = |name| request.parameters.get(name).and_then(Value::as_f64);
        let mut times_ns: Vec<f64> = match request.parameters.get("times_ns") {
            Some(times) => serde_json::from_value(times.clone())?,
            None => vec![number("time_ns").unwrap_or(TIME_NS)],
        };
        if times_ns.is_empty() {
            return Err("there is no time in `times_ns`".into());
        }
        let part = request.length * cost * launches::share(request)?;
        for time in &mut times_ns {
            *time *= part;
        }
        let noise = number("noise").unwrap_or(0.0);
        Ok(Clock {
            times_ns,
            tick_ns: (number("tick_ns").unwrap_or(1.0) as u64).max(1),
            noise,
            spread: number("spread").unwrap_or(0.1 * noise),
            second: number("second").unwrap_or(0.0),
            process,
            taken: 0,
            drawn: 0,
        })
    }

    /// What `library` costs in this process: its words `cost`, `sleep` for wall time alone, and
    /// `noise` in place of the case's.
    pub fn cost(&mut self, library: Option<&Made>) -> Outcome<Cost> {
        let number = |name, default| library.map_or(Ok(default), |m| m.number(name, default));
        let cpu = number("cost", 1.0)?;
        Ok(Cost {
            cpu,
            wall: cpu * number("sleep", 1.0)?,
            placement: 1.0 + number("noise", self.noise)? * self.draw(),
        })
    }

    /// The time of `ops` operations.
    pub fn sample(&mut self, cost: &Cost, ops: u64, second: bool) -> Sample {
        let order = if second { 1.0 + self.second } else { 1.0 };
        let spread = 1.0 + self.spread * self.draw();
        let time_ns = self.times_ns[self.taken % self.times_ns.len()];
        self.taken += 1;
        let each = time_ns * cost.placement * order * spread;
        let whole = |factor: f64| (each * factor * ops as f64).round() as u64;
        Sample {
            interval_ns: whole(cost.wall) / self.tick_ns * self.tick_ns,
            cpu_ns: Some(whole(cost.cpu)),
            ops,
            usage: Some(Usage {
                user_ns: whole(cost.cpu),
                minor_faults: 3,
                voluntary_switches: 1,
                ..Usage::default()
            }),
        }
    }

    /// What one operation takes without noise, ns.
    pub fn expected_ns(&self) -> f64 {
        self.times_ns[0]
    }

    /// What it can tell apart, ns.
    pub fn tick_ns(&self) -> u64 {
        self.tick_ns
    }

    /// A number between -1 and 1: SplitMix64 of the process and of how many were drawn before.
    fn draw(&mut self) -> f64 {
        self.drawn += 1;
        let state = (self.process << 32).wrapping_add(self.drawn);
        let mut z = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
