//! What a worker's end and receipt amount to. Pure.
//!
//! The worker describes; the verdict is made here (R20, R21): a receipt counts only if it answers
//! the request, has a time for every repeat, says in the formats of `docs/worker-protocol.md`
//! what each repeat computed, and shows that every repeat did the same work with the threads that
//! it was given. Sampled work has its own rules for times ([`sampled`]). Files that a receipt names
//! are not opened here.

pub mod sampled;

use std::time::Duration;

use longrun_protocol::receipt::{Artifact, Status};
use longrun_protocol::request::{Request, Task};
use longrun_protocol::{PROTOCOL_VERSION, Receipt, Witness};
use serde::{Deserialize, Serialize};

use super::oracles;
use super::supervise::{Aftermath, Ending};

/// Numbers in the sketch of the last repeat (`docs/worker-protocol.md`).
const SKETCH_LENGTH: usize = 256;

/// Hexadecimal digits of a SHA-256.
const DIGEST_LENGTH: usize = 64;

/// Kind of the artifact that is a picture.
const PLOT: &str = "plot";

/// Why a configuration that the user interrupted has no result.
pub const INTERRUPTED: &str = "interrupted";

/// SIGILL, on every system that is built for.
const ILLEGAL_INSTRUCTION: i32 = 4;

/// What one configuration came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultStatus {
    /// Every repeat finished and agrees with the first.
    Complete,
    /// Every repeat finished, but they do not agree.
    Inconsistent,
    /// The worker did not do what it was asked.
    Failed,
    /// The worker took too long.
    TimedOut,
    /// It was not run.
    Skipped,
}

impl ResultStatus {
    /// The words used in text.
    pub fn as_str(self) -> &'static str {
        match self {
            ResultStatus::Complete => "complete",
            ResultStatus::Inconsistent => "inconsistent",
            ResultStatus::Failed => "failed",
            ResultStatus::TimedOut => "timed out",
            ResultStatus::Skipped => "skipped",
        }
    }
}

/// A verdict with its reason; the reason is empty for a complete configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub status: ResultStatus,
    /// Why.
    pub reason: String,
}

impl Judgement {
    fn new(status: ResultStatus, reason: impl Into<String>) -> Self {
        Judgement {
            status,
            reason: reason.into(),
        }
    }

    fn failed(reason: impl Into<String>) -> Self {
        Judgement::new(ResultStatus::Failed, reason)
    }
}

/// The receipt that the worker left, as far as it can be read.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// There is no file.
    Missing,
    /// There is one, and it is not a receipt; why.
    Broken(String),
    /// There is one.
    Read(Box<Receipt>),
}

/// What the configuration came to.
pub fn judge(
    request: &Request,
    timeout: Duration,
    aftermath: &Aftermath,
    reading: &Reading,
) -> Judgement {
    let receipt = match answered(request, timeout, aftermath, reading) {
        Ok(receipt) => receipt,
        Err(judgement) => return judgement,
    };
    match request.task {
        Task::Verify => verified(request, receipt),
        Task::Plot => plotted(request, receipt),
        _ => timed(request, receipt),
    }
}

/// A timed configuration: every repeat, or sample, has a time and did the same work.
fn timed(request: &Request, receipt: &Receipt) -> Judgement {
    let measured = match request.block_plan {
        Some(plan) => sampled::measured(request, plan, receipt),
        None => measured(request, receipt),
    };
    if let Err(reason) = measured.and_then(|()| well_formed(request, receipt)) {
        return Judgement::failed(reason);
    }
    match consistent(request, receipt) {
        Ok(()) => Judgement::new(ResultStatus::Complete, ""),
        Err(reason) => Judgement::new(ResultStatus::Inconsistent, reason),
    }
}

/// A verification: it has the numbers of every oracle that was asked for, and ran on the threads
/// that it was given. Whether the numbers are as expected is another question.
fn verified(request: &Request, receipt: &Receipt) -> Judgement {
    let mut runs = receipt.witnesses.iter();
    let answered = oracles::answered(&request.oracles, &receipt.oracles)
        .and_then(|()| runs.try_for_each(|run| threads_used(request, run)));
    match answered {
        Ok(()) => Judgement::new(ResultStatus::Complete, ""),
        Err(reason) => Judgement::failed(reason),
    }
}

/// A plot: there is one picture, a file beside the receipt, of a run on the threads that it was
/// given. What is in the file is another question.
fn plotted(request: &Request, receipt: &Receipt) -> Judgement {
    let mut runs = receipt.witnesses.iter();
    let answered = plot_of(receipt)
        .and_then(is_beside_receipt)
        .and_then(|()| resolved(receipt))
        .and_then(|()| runs.try_for_each(|run| threads_used(request, run)));
    match answered {
        Ok(()) => Judgement::new(ResultStatus::Complete, ""),
        Err(reason) => Judgement::failed(reason),
    }
}

/// The one picture that a receipt names.
pub fn plot_of(receipt: &Receipt) -> Result<&Artifact, String> {
    let mut plots = receipt.artifacts.iter().filter(|file| file.kind == PLOT);
    match (plots.next(), plots.next()) {
        (Some(plot), None) => Ok(plot),
        (None, _) => Err("the receipt names no plot, which was asked for".to_owned()),
        (Some(_), Some(_)) => Err("the receipt names more plots than one".to_owned()),
    }
}

/// The receipt of a worker that did what `request` asks, whatever the task; else what it came to.
pub fn answered<'a>(
    request: &Request,
    timeout: Duration,
    aftermath: &Aftermath,
    reading: &'a Reading,
) -> Result<&'a Receipt, Judgement> {
    match aftermath.ending {
        Ending::TimedOut => {
            let limit = timeout.as_secs();
            let reason =
                format!("the worker took longer than {limit} s and was ended; see --timeout");
            return Err(Judgement::new(ResultStatus::TimedOut, reason));
        }
        Ending::Interrupted => return Err(Judgement::failed(INTERRUPTED)),
        Ending::Signalled(signal) => return Err(Judgement::failed(died(signal))),
        Ending::Exited(_) => {}
    }
    let receipt = match reading {
        Reading::Missing => return Err(Judgement::failed(missing(aftermath.ending))),
        Reading::Broken(why) => {
            let reason = format!("the worker's receipt cannot be read: {why}");
            return Err(Judgement::failed(reason));
        }
        Reading::Read(receipt) => receipt,
    };
    answers(request, receipt).map_err(Judgement::failed)?;
    if let Some(failure) = &receipt.failure {
        let reason = format!("{}: {}", failure.phase, failure.message);
        return Err(Judgement::failed(reason));
    }
    if receipt.status != Status::Complete {
        let reason = "the worker reports failure without saying why";
        return Err(Judgement::failed(reason));
    }
    if let Ending::Exited(code @ 1..) = aftermath.ending {
        return Err(Judgement::failed(format!(
            "the worker exited with {code} although its receipt says complete; see stderr.log"
        )));
    }
    Ok(receipt)
}

/// An illegal instruction says nothing of the work: the program does not fit the processor (A4).
fn died(signal: i32) -> String {
    if signal == ILLEGAL_INSTRUCTION {
        return "environment: the worker died of signal 4 (illegal instruction): it was built for \
                another processor; delete `target/longrun` and run again here"
            .to_owned();
    }
    format!(
        "the worker died of signal {signal} ({}); see stderr.log",
        signal_hint(signal)
    )
}

fn missing(ending: Ending) -> String {
    match ending {
        Ending::Exited(code) => {
            format!("the worker exited with {code} and left no receipt; see stderr.log")
        }
        _ => "the worker left no receipt; see stderr.log".to_owned(),
    }
}

fn signal_hint(signal: i32) -> &'static str {
    match signal {
        6 => "abort",
        9 => "killed: out of memory?",
        11 => "segmentation fault",
        _ => "unexpected",
    }
}

/// Whether the receipt answers this request.
fn answers(request: &Request, receipt: &Receipt) -> Result<(), String> {
    if receipt.protocol_version != PROTOCOL_VERSION {
        return Err(format!(
            "the worker speaks protocol version {} and not {PROTOCOL_VERSION}",
            receipt.protocol_version
        ));
    }
    if receipt.request_id != request.request_id || receipt.configuration != request.configuration {
        return Err("the receipt answers another request".to_owned());
    }
    let asked = request.library.as_ref().map(|library| &library.build_key);
    let ran = receipt.library.as_ref().map(|library| &library.build_key);
    if receipt.status == Status::Complete && asked != ran {
        return Err(match (asked, ran) {
            (Some(asked), Some(ran)) => {
                format!("the worker ran the library {ran:.12} and not {asked:.12}")
            }
            (Some(_), None) => "the worker does not say which library it ran".to_owned(),
            _ => "the worker ran a native library although it was given none".to_owned(),
        });
    }
    Ok(())
}

/// Whether there is a usable time for every repeat.
fn measured(request: &Request, receipt: &Receipt) -> Result<(), String> {
    if receipt.sampled.is_some() {
        return Err("the worker sampled operations, and was asked for whole runs".to_owned());
    }
    let repeats = usize::try_from(request.repeats).unwrap_or(usize::MAX);
    if receipt.samples.len() != repeats || receipt.witnesses.len() != repeats {
        return Err(format!(
            "the receipt has {} times and {} witnesses for {repeats} repeats",
            receipt.samples.len(),
            receipt.witnesses.len()
        ));
    }
    for (index, sample) in receipt.samples.iter().enumerate() {
        if sample.interval_ns == 0 || sample.ops == 0 {
            let repeat = index + 1;
            return Err(format!("repeat {repeat} has no time: the interval is zero"));
        }
    }
    resolved(receipt)
}

fn resolved(receipt: &Receipt) -> Result<(), String> {
    match receipt.resolved {
        Some(_) => Ok(()),
        None => Err("the worker does not report the integrator that it ran".to_owned()),
    }
}

/// What the witness with this index speaks of.
fn named(request: &Request, index: usize) -> String {
    match (request.block_plan, index) {
        (None, index) => format!("repeat {}", index + 1),
        (Some(_), 0) => "the first sample".to_owned(),
        (Some(_), _) => "the last sample".to_owned(),
    }
}

/// Whether digests, sketch and artifacts have the formats of the protocol.
fn well_formed(request: &Request, receipt: &Receipt) -> Result<(), String> {
    for (index, witness) in receipt.witnesses.iter().enumerate() {
        let named = named(request, index);
        let digest = witness.digest.as_deref();
        let digest = digest.ok_or(format!("{named} has no digest of its final state"))?;
        is_digest(digest).map_err(|what| format!("the digest of {named} {what}"))?;
        if let Some(plans) = &witness.fft_plans {
            is_digest(plans)
                .map_err(|what| format!("the digest of FFT plans of {named} {what}"))?;
        }
    }
    let last = match request.block_plan {
        None => "the last repeat",
        Some(_) => "the last sample",
    };
    let sketch = receipt
        .witnesses
        .last()
        .map_or(&[][..], |last| &last.sketch);
    if sketch.len() != SKETCH_LENGTH {
        return Err(format!(
            "the sketch of {last} has {} numbers and not {SKETCH_LENGTH}",
            sketch.len()
        ));
    }
    if let Some(index) = sketch.iter().position(|number| !number.is_finite()) {
        return Err(format!(
            "number {} of the sketch of {last} is not finite",
            index + 1
        ));
    }
    receipt.artifacts.iter().try_for_each(is_beside_receipt)
}

fn is_digest(text: &str) -> Result<(), String> {
    let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if text.len() == DIGEST_LENGTH && text.bytes().all(digit) {
        return Ok(());
    }
    Err(format!(
        "is not a SHA-256 of {DIGEST_LENGTH} lower-case hexadecimal digits: `{text:.80}`"
    ))
}

/// Whether the artifact is named as a file in the folder of the receipt, and only there.
fn is_beside_receipt(artifact: &Artifact) -> Result<(), String> {
    let Artifact { kind, file, .. } = artifact;
    // Both separators, and the colon of a drive, whatever the system: results move between them.
    let foreign = |c: char| matches!(c, '/' | '\\' | ':') || c.is_control();
    if matches!(file.as_str(), "" | "." | "..") || file.contains(foreign) {
        return Err(format!(
            "the artifact `{kind:.80}` is not named by a plain file name: {file:.80?}"
        ));
    }
    is_digest(&artifact.sha256).map_err(|what| format!("the digest of the file `{file}` {what}"))
}

/// Whether every repeat did the same work (R20).
fn consistent(request: &Request, receipt: &Receipt) -> Result<(), String> {
    let Some(first) = receipt.witnesses.first() else {
        return Err("there is no repeat".to_owned());
    };
    for (index, witness) in receipt.witnesses.iter().enumerate() {
        same_work(first, witness)
            .and_then(|()| close_to_first(request, first, witness, index))
            .and_then(|()| threads_used(request, witness))
            .map_err(|what| format!("{} {what}", named(request, index)))?;
    }
    Ok(())
}

fn same_work(first: &Witness, witness: &Witness) -> Result<(), String> {
    let counts = [
        ("accepted steps", first.accepted, witness.accepted),
        ("rejected steps", first.rejected, witness.rejected),
        ("source evaluations", first.evaluations, witness.evaluations),
        ("iterations", first.iterations, witness.iterations),
    ];
    for (what, expected, found) in counts {
        if expected != found {
            return Err(format!(
                "took {} {what} and the first took {}",
                shown(found),
                shown(expected)
            ));
        }
    }
    if witness.converged == Some(false) {
        return Err("did not converge".to_owned());
    }
    Ok(())
}

fn shown(count: Option<u64>) -> String {
    count.map_or_else(|| "unknown".to_owned(), |count| count.to_string())
}

/// Whether the repeat with this index ends where the first does, and says nothing against it.
fn close_to_first(
    request: &Request,
    first: &Witness,
    witness: &Witness,
    index: usize,
) -> Result<(), String> {
    let Some(distance) = witness.relative_l2_to_first else {
        let same = request.block_plan.is_some() && witness.digest == first.digest;
        return match index {
            0 => Ok(()),
            // Of sampled work equal digests say it as well.
            _ if same => Ok(()),
            _ => Err("does not say how far it ends from the first".to_owned()),
        };
    };
    if distance.is_nan() || distance < 0.0 {
        return Err(format!(
            "ends {distance:.2e} (relative L2) from the first, which is not a distance"
        ));
    }
    let bound = request.bounds.repeat;
    // A bound of zero asks for bitwise equality.
    if distance != 0.0 && distance >= bound {
        return Err(format!(
            "ends {distance:.2e} (relative L2) from the first; the bound is {bound:.0e}"
        ));
    }
    match (witness.digest == first.digest, distance == 0.0) {
        (false, true) => Err(
            "contradicts itself: it ends exactly where the first does, with another digest"
                .to_owned(),
        ),
        (true, false) => Err(format!(
            "contradicts itself: it has the digest of the first and ends {distance:.2e} from it"
        )),
        _ => Ok(()),
    }
}

fn threads_used(request: &Request, witness: &Witness) -> Result<(), String> {
    let native = request.configuration.engine.needs_library();
    let observed = witness.threads_observed;
    let fewer = observed.is_some_and(|observed| observed < request.threads);
    let narrower = request.block_plan.is_some() && fewer;
    match observed {
        Some(observed) if observed == request.threads => Ok(()),
        // A kernel may be too small to be shared out among all of them.
        Some(1..) if narrower => Ok(()),
        Some(observed) => Err(format!(
            "ran on {observed} threads and was given {}",
            request.threads
        )),
        None if native => Err("does not say how many threads did work".to_owned()),
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
