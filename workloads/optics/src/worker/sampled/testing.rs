//! Operations that do what they are told, and what tests need around them.

#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::rc::Rc;

use longrun_measure::clock::VirtualClock;
use longrun_protocol::receipt::Receipt;
use serde_json::json;

use crate::engine::EngineError;
use crate::kernels::{Example, Routine, Work};

/// What operations and the clock were asked, in order.
pub type Log = Rc<RefCell<Vec<String>>>;

/// An operation with one number for its output.
pub struct Scripted {
    /// Its name in the log.
    pub name: &'static str,
    /// What it was asked.
    pub log: Log,
    /// The clock that its time passes on, and how much of it passes for one operation.
    pub time: Option<(Rc<VirtualClock>, f64)>,
    /// What it puts out, and how much more after every block.
    pub output: f64,
    /// See `output`.
    pub drift: f64,
    /// Blocks that it does before it fails.
    pub blocks_max: usize,
    /// Whether each block allocates.
    pub allocates: bool,
    blocks: usize,
}

impl Scripted {
    /// One that puts out what it should and takes no time.
    pub fn new(name: &'static str, log: &Log) -> Self {
        Scripted {
            name,
            log: log.clone(),
            time: None,
            output: 2.0,
            drift: 0.0,
            blocks_max: usize::MAX,
            allocates: false,
            blocks: 0,
        }
    }

    fn note(&self, what: &str) {
        let line = format!("{} {what}", self.name);
        self.log.borrow_mut().push(line);
    }
}

impl Routine for Scripted {
    fn run(&mut self, ops: u64) -> Result<(), EngineError> {
        self.note(&format!("run {ops}"));
        if self.blocks == self.blocks_max {
            return Err(EngineError::new("run the kernel", "it was told to fail"));
        }
        if self.blocks > 0 {
            self.output += self.drift;
        }
        self.blocks += 1;
        if self.allocates {
            std::hint::black_box(vec![0_u8; 1 << 16]);
        }
        if let Some((clock, op_ns)) = &self.time {
            clock.pass(ops as f64 * op_ns);
        }
        Ok(())
    }

    fn output(&self, values: &mut [f64]) -> Result<(), EngineError> {
        self.note("look");
        values[0] = self.output;
        Ok(())
    }

    fn work(&self) -> Result<Work, EngineError> {
        Ok(Work {
            flops: Some(3.0),
            bytes: Some(8.0),
            threads_observed: Some(1),
        })
    }

    fn fft_plans(&self) -> String {
        String::new()
    }
}

/// What a scripted operation must put out.
pub fn example() -> Example {
    Example {
        input: Vec::new(),
        output: vec![2.0],
    }
}

/// The receipt of a request of which nothing has been done.
pub fn receipt() -> Receipt {
    let request = json!({
        "protocol_version": 1, "request_id": "r", "task": "run",
        "configuration": {
            "suite": "kernels", "case": "made", "size": "smoke", "revision": 1,
            "engine": "native", "stepper": "default", "variant": "", "width": "1"
        },
        "interface": "kernel", "parameters": {}, "threads": 1, "repeats": 3, "warm_up": 0.0,
        "length": 1.0, "noise": "none", "default_stepper": "none",
        "bounds": {"repeat": 0.0, "revision": 1e-12}
    });
    crate::worker::blank(&serde_json::from_value(request).unwrap())
}
