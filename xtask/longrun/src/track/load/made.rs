//! What the machine did around repeats, for tests.

use longrun_protocol::receipt::{CpuTicks, LoadSpan, MachineLoad};

use super::RepeatLoad;

/// Two seconds on two CPUs, one of them the worker's; others keep so many hundredths of a CPU
/// busy. Load and pressure rise with them.
pub fn span(others_percent: u64) -> LoadSpan {
    let rise = others_percent as f64 / 100.0;
    let ticks = |busy, total| {
        Some(CpuTicks {
            busy,
            total,
            cpus: 2,
        })
    };
    let before = MachineLoad {
        load_1m: Some(1.0),
        cpu_some_avg10: Some(2.5),
        memory_some_avg10: Some(0.0),
        at_ns: Some(0),
        process_cpu_ns: Some(0),
        cpu: ticks(0, 0),
        swap_ins: Some(0),
    };
    let after = MachineLoad {
        load_1m: Some(1.0 + rise),
        cpu_some_avg10: Some(2.5 + 10.0 * rise),
        at_ns: Some(2_000_000_000),
        process_cpu_ns: Some(2_000_000_000),
        cpu: ticks(200 + 2 * others_percent, 400),
        ..before
    };
    LoadSpan { before, after }
}

/// The same, judged.
pub fn load(others_percent: u64) -> RepeatLoad {
    RepeatLoad::from(&span(others_percent))
}

/// A repeat of which nothing is known.
pub fn unknown() -> RepeatLoad {
    RepeatLoad::from(&LoadSpan::default())
}
