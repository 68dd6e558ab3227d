//! Times that the stub worker reports. It spends none of them.
//!
//! A time is `time_ns` of the case, times what the library costs, times noise that follows from a
//! seed and from how many workers ran here before: the same test sees the same times.

use longrun_protocol::receipt::Usage;
use longrun_protocol::{Request, Sample};
use serde_json::Value;

use crate::Outcome;
use crate::library::Made;

/// Time of one operation, where the case names none.
const TIME_NS: f64 = 1e6;

/// The clock of one process.
pub struct Clock {
    time_ns: f64,
    /// Half-width of what differs from one side of a process to the other.
    noise: f64,
    /// What it costs to go second, as a fraction.
    second: f64,
    /// Number of this process among all that ran here.
    process: u64,
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
    pub fn new(request: &Request, process: u64, cost: f64) -> Self {
        let number = |name| request.parameters.get(name).and_then(Value::as_f64);
        Clock {
            time_ns: number("time_ns").unwrap_or(TIME_NS) * request.length * cost,
            noise: number("noise").unwrap_or(0.0),
            second: number("second").unwrap_or(0.0),
            process,
            drawn: 0,
        }
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
        let noise = 1.0 + 0.1 * self.noise * self.draw();
        let each = self.time_ns * cost.placement * order * noise;
        let whole = |factor: f64| (each * factor * ops as f64).round() as u64;
        Sample {
            interval_ns: whole(cost.wall),
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

    /// Operations that last `target_ns`, at most `ops_max`.
    pub fn ops(&self, target_ns: u64, ops_max: u64) -> u64 {
        let ops = (target_ns as f64 / self.time_ns).ceil() as u64;
        ops.clamp(1, ops_max.max(1))
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
