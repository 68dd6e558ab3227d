//! The task `run`: blocks of one operation, sampled as the request says.
//!
//! A block is [`Routine::run`] and nothing else. Allocations are counted in a block of their own,
//! after the last sample.

use std::io::Write;
use std::path::Path;

use longrun_measure::Clock;
use longrun_measure::clock::Probed;
use longrun_measure::sampling::{Operation, Sampled, Settings, sample};
use longrun_protocol::receipt::{Failure, LoadSpan, Receipt};
use longrun_protocol::sampling::{AllocationReport, ReferenceReport, WorkReport};
use longrun_protocol::{Sample, Witness};

use super::{check, ready};
use crate::engine::EngineError;
use crate::kernels::{BOUND, Example, Routine, Work};
use crate::native::allocations::Allocations;
use crate::worker::checks::kernel::Job;
use crate::worker::setup::Stage;
use crate::worker::{failure, files, machine};
use crate::{npy, witness};

/// Does the job and writes what happened into `receipt`.
pub fn run<C: Clock, W: Write>(
    job: &Job<'_>,
    settings: &Settings,
    folder: &Path,
    stage: &mut Stage<'_, C, W>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    let (example, mut routine) = ready(job, stage, receipt)?;
    // Nothing can be told between the two: a line would be printed inside a series of blocks.
    stage.progress.phase("warm_up");
    stage.progress.phase("run");
    stage.progress.repeat(1, 0.0);
    let subject = Subject {
        example: &example,
        bound: BOUND,
        settings,
        count_allocations: job.request.count_allocations,
    };
    let output = subject
        .sample(routine.as_mut(), stage.clock, receipt)
        .map_err(|message| failure("run", message))?;
    stage.progress.repeat(1, 1.0);
    if job.request.keep_state {
        let described = "output of the last sample, float64, in the order of the library's header";
        let bytes = npy::real(&output);
        let kept = files::write_artifact(folder, "output", &bytes, described.to_owned());
        receipt.artifacts = vec![kept.map_err(|message| failure("run", message))?];
    }
    Ok(())
}

/// What is sampled, and how.
pub(super) struct Subject<'a> {
    pub example: &'a Example,
    pub bound: f64,
    pub settings: &'a Settings,
    pub count_allocations: bool,
}

impl Subject<'_> {
    /// Samples an operation that has its input, and fills the receipt with what it came to: all of
    /// it, or nothing. The output of the last sample.
    pub fn sample(
        &self,
        routine: &mut dyn Routine,
        clock: &impl Clock,
        receipt: &mut Receipt,
    ) -> Result<Vec<f64>, String> {
        let words = |error: EngineError| error.to_string();
        let mut first = vec![f64::NAN; self.example.output.len()];
        let mut last = first.clone();
        let probed = Probed::new(clock);
        let before = machine::load();
        let mut watched = Watched {
            routine,
            first: &mut first,
        };
        let sampled = sample(self.settings, &probed, &mut watched);
        let after = machine::load();
        let sampled = sampled.map_err(|error| error.to_string())?;
        if sampled.samples.is_empty() {
            return Err(format!(
                "the clock went back in all of {} blocks; run it again",
                sampled.lost
            ));
        }
        routine.output(&mut last).map_err(words)?;
        let reference = self.reference([&first, &last])?;
        let work = routine.work().map_err(words)?;
        let allocations = match self.count_allocations {
            true => Some(counted(routine, sampled.ops).map_err(words)?),
            false => None,
        };
        receipt.load.push(LoadSpan { before, after });
        receipt.witnesses = self.witnesses([&first, &last], routine, &work);
        fill(receipt, sampled);
        if let Some(report) = &mut receipt.sampled {
            report.allocations = allocations;
            report.reference = Some(reference);
            report.work = Some(WorkReport {
                flops: work.flops,
                bytes: work.bytes,
            });
        }
        Ok(last)
    }

    /// The check of both outputs; the larger distance counts.
    fn reference(&self, outputs: [&[f64]; 2]) -> Result<ReferenceReport, String> {
        let mut worst = ReferenceReport {
            relative_l2: None,
            bound: self.bound,
        };
        for (output, sample) in outputs.into_iter().zip(["first", "last"]) {
            let report = check::reference(output, self.example, self.bound)
                .map_err(|cause| format!("after the {sample} sample {cause}"))?;
            let distances = worst.relative_l2.into_iter().chain(report.relative_l2);
            worst.relative_l2 = distances.max_by(f64::total_cmp);
        }
        Ok(worst)
    }

    fn witnesses(
        &self,
        [first, last]: [&[f64]; 2],
        routine: &dyn Routine,
        work: &Work,
    ) -> Vec<Witness> {
        let plans = routine.fft_plans();
        let plans = (!plans.is_empty()).then(|| witness::sha256_hex(plans.as_bytes()));
        let of = |output: &[f64]| Witness {
            digest: Some(witness::digest_real(output)),
            relative_l2_to_first: witness::relative_l2_real(output, first),
            threads_observed: work.threads_observed,
            fft_plans: plans.clone(),
            ..Witness::default()
        };
        let sketch = witness::sketch_real(last);
        vec![of(first), Witness { sketch, ..of(last) }]
    }
}

/// The operation as it is sampled: what its first sample put out is kept.
struct Watched<'a> {
    routine: &'a mut dyn Routine,
    first: &'a mut [f64],
}

impl Operation for Watched<'_> {
    type Error = EngineError;

    fn run(&mut self, ops: u64) -> Result<(), EngineError> {
        self.routine.run(ops)
    }

    fn after_first_sample(&mut self) -> Result<(), EngineError> {
        self.routine.output(self.first)
    }
}

/// What a block of `ops` operations allocates. Nobody else allocates in this process meanwhile: its
/// other threads are those of the library.
fn counted(routine: &mut dyn Routine, ops: u64) -> Result<AllocationReport, EngineError> {
    let before = Allocations::now();
    let done = routine.run(ops);
    let taken = Allocations::now().since(before);
    done?;
    Ok(AllocationReport {
        ops,
        rust: Some(taken.rust),
        process: taken.process,
    })
}

fn fill(receipt: &mut Receipt, sampled: Sampled) {
    let total = |blocks: &[Sample]| {
        let intervals = blocks.iter().map(|block| block.interval_ns);
        intervals.fold(0, u64::saturating_add)
    };
    let (samples, report) = sampled.into_report();
    receipt.phases.warm_up_ns = total(&report.warm_up);
    receipt.phases.run_ns = total(&samples);
    receipt.samples = samples;
    receipt.sampled = Some(report);
}

#[cfg(test)]
mod tests;
