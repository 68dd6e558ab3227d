//! What the stub worker says of the machine around its repeats: it makes that up.
//!
//! Parameter: `others_percent` (hundredths of a CPU that others keep busy, for each repeat in turn;
//! load and pressure rise with them). Without it the worker says nothing, as one that cannot.

use longrun_protocol::receipt::{CpuTicks, LoadSpan, MachineLoad};
use longrun_protocol::{Receipt, Request};

use crate::Outcome;

/// Time between two readings.
const SPAN_NS: u64 = 1_000_000_000;

/// Ticks of one CPU in that time.
const SPAN_TICKS: u64 = 100;

/// CPUs, of which the worker keeps one busy.
const CPUS: u32 = 2;

/// The machine around each repeat of a receipt, or around all samples of it.
pub fn around(request: &Request, receipt: &Receipt) -> Outcome<Vec<LoadSpan>> {
    let Some(others) = request.parameters.get("others_percent") else {
        return Ok(Vec::new());
    };
    let others: Vec<u64> = serde_json::from_value(others.clone())?;
    let spans = match receipt.sampled {
        Some(_) => 1,
        None => receipt.samples.len(),
    };
    Ok(others.into_iter().cycle().take(spans).map(span).collect())
}

fn span(others_percent: u64) -> LoadSpan {
    let rise = others_percent as f64 / 100.0;
    let total = u64::from(CPUS) * SPAN_TICKS;
    let before = MachineLoad {
        load_1m: Some(0.5),
        cpu_some_avg10: Some(1.5),
        memory_some_avg10: None,
        at_ns: Some(SPAN_NS),
        process_cpu_ns: Some(SPAN_NS),
        cpu: Some(CpuTicks {
            busy: SPAN_TICKS,
            total,
            cpus: CPUS,
        }),
        swap_ins: Some(0),
    };
    let after = MachineLoad {
        load_1m: Some(0.5 + rise),
        cpu_some_avg10: Some(1.5 + 20.0 * rise),
        at_ns: Some(2 * SPAN_NS),
        process_cpu_ns: Some(2 * SPAN_NS),
        cpu: Some(CpuTicks {
            busy: 2 * SPAN_TICKS + others_percent,
            total: 2 * total,
            cpus: CPUS,
        }),
        ..before
    };
    LoadSpan { before, after }
}
