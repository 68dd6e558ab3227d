//! One process, one request, one receipt.
//!
//! [`main`] reads the request, answers it and writes the receipt. A request that cannot be served
//! is answered by a receipt with the reason; only one that cannot be understood at all has none.
//! `docs/worker-protocol.md` is the contract.

mod arguments;
mod breakdown;
mod checkpoint;
mod checks;
mod computes;
mod duet;
mod edge;
mod facts;
mod files;
mod machine;
mod memory;
mod meter;
mod plans;
mod plot;
mod prepare;
mod progress;
mod run;
mod sampled;
mod setup;
mod states;
mod verify;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use longrun_measure::{Clock, SystemClock};
use longrun_protocol::PROTOCOL_VERSION;
use longrun_protocol::receipt::{Failure, Memory, Phases, Receipt, Status};
use longrun_protocol::request::Request;

use checks::{Job, Work};
pub use facts::{OpticsFacts, PlaneFacts, RepeatFacts};
use progress::Progress;

/// Exit status when the receipt says `complete`.
const EXIT_COMPLETE: u8 = 0;
/// Exit status when it says `failed`, or when there is none.
const EXIT_FAILED: u8 = 1;
/// Exit status for wrong arguments.
const EXIT_USAGE: u8 = 2;

/// Runs the worker with the arguments after the program's name.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments = match arguments::parse(arguments) {
        Ok(arguments) => arguments,
        Err(reason) => {
            eprintln!("error: {reason}\n{}", arguments::USAGE);
            return ExitCode::from(EXIT_USAGE);
        }
    };
    machine::end_with_parent();
    let served = serve(&arguments.request, &arguments.receipt);
    match served {
        Ok(Status::Complete) => ExitCode::from(EXIT_COMPLETE),
        Ok(Status::Failed) => ExitCode::from(EXIT_FAILED),
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::from(EXIT_FAILED)
        }
    }
}

/// Answers the request in one file with the receipt in another. An error means: no receipt.
fn serve(request: &Path, receipt: &Path) -> Result<Status, String> {
    let request = files::read_request(request)?;
    let folder = files::folder_of(receipt);
    let mut progress = Progress::new(std::io::stdout());
    let answer = answer(&request, folder, &SystemClock::new(), &mut progress);
    if let Some(failure) = &answer.failure {
        eprintln!("error: {}", failure.message);
    }
    files::write_receipt(receipt, &answer)?;
    Ok(answer.status)
}

/// Does what a request asks; artifacts go into `folder`. Whatever happens becomes the receipt.
pub(crate) fn answer(
    request: &Request,
    folder: &Path,
    clock: &impl Clock,
    progress: &mut Progress<impl std::io::Write>,
) -> Receipt {
    let mut receipt = blank(request);
    let outcome = match request.interface.as_str() {
        checks::kernel::INTERFACE => checks::kernel::check(request)
            .and_then(|job| sampled::serve(&job, folder, clock, progress, &mut receipt)),
        _ => checks::check(request)
            .and_then(|job| propagate(&job, folder, clock, progress, &mut receipt)),
    };
    match outcome {
        Ok(()) => receipt.status = Status::Complete,
        Err(failure) => receipt.failure = Some(failure),
    }
    receipt.memory.peak_rss_bytes = machine::peak_rss_bytes();
    receipt
}

/// The tasks of interfaces whose cases are propagations.
fn propagate(
    job: &Job<'_>,
    folder: &Path,
    clock: &impl Clock,
    progress: &mut Progress<impl std::io::Write>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    match &job.work {
        Work::Run => run::run(job, folder, clock, progress, receipt),
        Work::PrepareFft => prepare::prepare(job, clock, progress, receipt),
        Work::Plot => plot::plot(job, folder, clock, progress, receipt),
        Work::Verify(oracles) => verify::verify(job, oracles, clock, progress, receipt),
        Work::Checkpoint(plan) => checkpoint::checkpoint(job, plan, clock, progress, receipt),
        Work::Duet(plan) => duet::duet(job, plan, clock, progress, receipt),
    }
}

/// The receipt of a request of which nothing has been done.
fn blank(request: &Request) -> Receipt {
    Receipt {
        protocol_version: PROTOCOL_VERSION,
        request_id: request.request_id.clone(),
        worker: concat!("longrun-optics ", env!("CARGO_PKG_VERSION")).to_owned(),
        configuration: request.configuration.clone(),
        status: Status::Failed,
        failure: None,
        library: None,
        resolved: None,
        phases: Phases::default(),
        samples: Vec::new(),
        witnesses: Vec::new(),
        load: Vec::new(),
        oracles: Vec::new(),
        checkpoints: None,
        sampled: None,
        breakdown: None,
        duet: None,
        wisdom: None,
        memory: Memory::default(),
        thread_environment: machine::thread_environment(std::env::vars_os()),
        context: None,
        artifacts: Vec::new(),
        skips: Vec::new(),
        warnings: Vec::new(),
    }
}

/// A failure in a phase.
fn failure(phase: &str, message: impl std::fmt::Display) -> Failure {
    Failure {
        phase: phase.to_owned(),
        message: message.to_string(),
    }
}
