//! What a worker's end and receipt amount to. Pure.
//!
//! The worker describes; the verdict is made here (R20, R21): a receipt counts only if it answers
//! the request, has a time for every repeat, and shows that every repeat did the same work with
//! the threads that it was given.

use std::time::Duration;

use longrun_protocol::receipt::Status;
use longrun_protocol::request::Request;
use longrun_protocol::{PROTOCOL_VERSION, Receipt, Witness};
use serde::{Deserialize, Serialize};

use super::supervise::{Aftermath, Ending};

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
    match aftermath.ending {
        Ending::TimedOut => {
            let limit = timeout.as_secs();
            let reason =
                format!("the worker took longer than {limit} s and was ended; see --timeout");
            return Judgement::new(ResultStatus::TimedOut, reason);
        }
        Ending::Interrupted => return Judgement::failed("interrupted"),
        Ending::Signalled(signal) => {
            return Judgement::failed(format!(
                "the worker died of signal {signal} ({}); see stderr.log",
                signal_hint(signal)
            ));
        }
        Ending::Exited(_) => {}
    }
    let receipt = match reading {
        Reading::Missing => return Judgement::failed(missing(aftermath.ending)),
        Reading::Broken(why) => {
            return Judgement::failed(format!("the worker's receipt cannot be read: {why}"));
        }
        Reading::Read(receipt) => receipt,
    };
    if let Err(reason) = answers(request, receipt) {
        return Judgement::failed(reason);
    }
    if let Some(failure) = &receipt.failure {
        return Judgement::failed(format!("{}: {}", failure.phase, failure.message));
    }
    if receipt.status != Status::Complete {
        return Judgement::failed("the worker reports failure without saying why");
    }
    if let Ending::Exited(code @ 1..) = aftermath.ending {
        return Judgement::failed(format!(
            "the worker exited with {code} although its receipt says complete; see stderr.log"
        ));
    }
    if let Err(reason) = measured(request, receipt) {
        return Judgement::failed(reason);
    }
    match consistent(request, receipt) {
        Ok(()) => Judgement::new(ResultStatus::Complete, ""),
        Err(reason) => Judgement::new(ResultStatus::Inconsistent, reason),
    }
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
        4 => "illegal instruction: built for another processor?",
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
    if receipt.resolved.is_none() {
        return Err("the worker does not report the integrator that it ran".to_owned());
    }
    Ok(())
}

/// Whether every repeat did the same work (R20).
fn consistent(request: &Request, receipt: &Receipt) -> Result<(), String> {
    let Some(first) = receipt.witnesses.first() else {
        return Err("there is no repeat".to_owned());
    };
    if first.digest.is_none() {
        return Err("the worker reports no digest of the final state".to_owned());
    }
    for (index, witness) in receipt.witnesses.iter().enumerate() {
        let repeat = index + 1;
        same_work(first, witness).map_err(|what| format!("repeat {repeat} {what}"))?;
        if index > 0 {
            close_to_first(witness, request.bounds.repeat)
                .map_err(|what| format!("repeat {repeat} {what}"))?;
        }
        threads_used(request, witness).map_err(|what| format!("repeat {repeat} {what}"))?;
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

fn close_to_first(witness: &Witness, bound: f64) -> Result<(), String> {
    match witness.relative_l2_to_first {
        // A bound of zero asks for bitwise equality.
        Some(distance) if distance < bound || distance == 0.0 => Ok(()),
        Some(distance) => Err(format!(
            "ends {distance:.2e} (relative L2) from the first; the bound is {bound:.0e}"
        )),
        None => Err("does not say how far it ends from the first".to_owned()),
    }
}

fn threads_used(request: &Request, witness: &Witness) -> Result<(), String> {
    let native = request.configuration.engine.needs_library();
    match witness.threads_observed {
        Some(observed) if observed == request.threads => Ok(()),
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
