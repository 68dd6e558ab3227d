//! Results of sampled work for tests.
#![allow(clippy::unwrap_used)]

use longrun_protocol::Receipt;
use longrun_protocol::receipt::Sample;
use longrun_protocol::registry::SamplingPolicy;
use longrun_protocol::sampling::{ClockReport, SampledReport, Stopped};

use crate::ab::made;
use crate::run::judge::ResultStatus;
use crate::run::plan::PlanItem;
use crate::track::results::ConfigurationResult;

/// What the harness does where nobody chooses.
pub const POLICY: SamplingPolicy = SamplingPolicy::Sampled {
    block_ns: 1_000,
    samples_min: 5,
    samples_max: 1000,
    total_ns_min: 0,
    total_ns_max: 30_000_000_000,
};

/// A sampled configuration of the suite `kernels`.
pub fn item(case: &str) -> PlanItem {
    let mut item = made::item(case);
    "kernels".clone_into(&mut item.configuration.suite);
    PlanItem {
        sampling: POLICY,
        processes: 1,
        repeats: POLICY.samples_min(),
        ..item
    }
}

/// A receipt of it with these blocks of `ops` operations, on a clock with a tick of 1 ns.
pub fn receipt(case: &str, intervals_ns: &[u64], ops: u64) -> Receipt {
    let mut receipt = made::receipt(&made::request(case));
    receipt.configuration = item(case).configuration;
    let sample = |interval_ns: &u64| Sample {
        interval_ns: *interval_ns,
        cpu_ns: None,
        ops,
        usage: None,
    };
    receipt.samples = intervals_ns.iter().map(sample).collect();
    receipt.witnesses = vec![receipt.witnesses[0].clone(); 2];
    receipt.sampled = Some(SampledReport {
        ops,
        target_met: Some(true),
        warm_up: Vec::new(),
        stopped: Stopped::Enough,
        lost: 0,
        clock: ClockReport {
            overhead_ns: Some(20.0),
            granularity_ns: Some(1),
            pairs: 64,
        },
        allocations: None,
        work: None,
        reference: None,
    });
    receipt
}

/// What it comes to where it is complete, with something `change`d in its report.
pub fn result(
    case: &str,
    intervals_ns: &[u64],
    ops: u64,
    change: impl FnOnce(&mut SampledReport),
) -> ConfigurationResult {
    let mut receipt = receipt(case, intervals_ns, ops);
    change(receipt.sampled.as_mut().unwrap());
    let complete = ConfigurationResult {
        status: ResultStatus::Complete,
        ..ConfigurationResult::skipped(&item(case), "")
    };
    complete.with_receipt(&receipt)
}
