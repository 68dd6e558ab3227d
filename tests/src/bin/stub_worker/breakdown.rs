//! Where the time of a run of the stub worker went: fixed shares of a time that nobody spent.

use longrun_protocol::Receipt;
use longrun_protocol::receipt::Skip;
use longrun_protocol::sampling::Breakdown;

use crate::Outcome;

/// Evaluations of each loop on the state at mid-guide.
const LOOP_EVALUATIONS: u64 = 200;

/// A run of `run_ns` with so many evaluations: 2 % of it is in no part, a bare evaluation takes
/// half of its share of the run, and its transforms three tenths.
fn of_run(run_ns: f64, evaluations: u64) -> Breakdown {
    let share = |fraction: f64| (run_ns * fraction).round() as u64;
    let each_ns = run_ns / evaluations as f64;
    Breakdown {
        run_ns: share(1.0),
        fft_ns: share(0.50),
        pointwise_ns: share(0.22),
        stepper_ns: share(0.16),
        absorb_ns: share(0.06),
        observe_ns: share(0.04),
        evaluations,
        bare_evaluation_ns: Some(0.5 * each_ns),
        transforms_ns: Some(0.3 * each_ns),
        source_bytes: Some(1 << 20),
        loop_evaluations: LOOP_EVALUATIONS,
    }
}

/// Adds the breakdown of a run of so long with so many evaluations. An operation has none.
pub fn add(run_ns: f64, evaluations: u64, receipt: &mut Receipt) {
    match receipt.sampled {
        None => receipt.breakdown = Some(of_run(run_ns, evaluations)),
        Some(_) => refuse(receipt, "an operation has no parts"),
    }
}

fn refuse(receipt: &mut Receipt, reason: &str) {
    receipt.breakdown = None;
    receipt.skips.push(Skip {
        what: "breakdown".to_owned(),
        reason: reason.to_owned(),
    });
}

/// Behaviours that have another breakdown, where one was asked for.
pub fn falsify(behaviour: &str, receipt: &mut Receipt) -> Outcome<()> {
    let Some(parts) = &mut receipt.breakdown else {
        return Ok(());
    };
    match behaviour {
        "breakdown_refused" => refuse(receipt, "this library does not time its parts"),
        "breakdown_unmentioned" => receipt.breakdown = None,
        "breakdown_short" => parts.fft_ns /= 2,
        "breakdown_beyond" => parts.fft_ns *= 2,
        "breakdown_parts_alone" => {
            parts.bare_evaluation_ns = None;
            parts.transforms_ns = None;
            parts.source_bytes = None;
        }
        other => return Err(format!("unknown behaviour `{other}`").into()),
    }
    Ok(())
}
