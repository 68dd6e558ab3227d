//! Timing blocks of one operation, and keeping every interval.

use longrun_protocol::Sample;

use super::operation::Operation;
use crate::clock::Clock;
use crate::timing::{Interval, time};

/// How many blocks there can be, so that room for them is made before the first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Room {
    /// Of planning and warm-up.
    pub warm_up: usize,
    /// That count.
    pub samples: usize,
}

/// The operation on its clock, with the blocks that were timed.
pub struct Bench<'a, C, O> {
    clock: &'a C,
    operation: &'a mut O,
    /// Blocks of planning and warm-up, in order.
    pub warm_up: Vec<Sample>,
    /// Blocks that count, in order.
    pub samples: Vec<Sample>,
    /// Blocks for which the clock gave no interval.
    pub lost: u32,
}

impl<'a, C: Clock, O: Operation> Bench<'a, C, O> {
    /// A bench that takes that many blocks without allocating.
    pub fn new(clock: &'a C, operation: &'a mut O, room: Room) -> Self {
        Bench {
            clock,
            operation,
            warm_up: Vec::with_capacity(room.warm_up),
            samples: Vec::with_capacity(room.samples),
            lost: 0,
        }
    }

    /// Times a block that does not count. Its interval in ns; none if the clock went back.
    pub fn trial(&mut self, ops: u64) -> Result<Option<u64>, O::Error> {
        let block = self.block(ops)?;
        self.warm_up.extend(block);
        Ok(block.map(|sample| sample.interval_ns))
    }

    /// Times a block that counts. Its interval in ns; none if the clock went back.
    pub fn sample(&mut self, ops: u64) -> Result<Option<u64>, O::Error> {
        let block = self.block(ops)?;
        self.samples.extend(block);
        Ok(block.map(|sample| sample.interval_ns))
    }

    /// Lets the operation look at the output of its first sample.
    pub fn after_first_sample(&mut self) -> Result<(), O::Error> {
        self.operation.after_first_sample()
    }

    fn block(&mut self, ops: u64) -> Result<Option<Sample>, O::Error> {
        let operation = &mut *self.operation;
        let (done, interval) = time(self.clock, ops, || operation.run(ops));
        done?;
        match interval {
            Interval::Measured(sample) => Ok(Some(sample)),
            Interval::Backwards { .. } => {
                self.lost = self.lost.saturating_add(1);
                Ok(None)
            }
        }
    }
}
