//! What sampling adds to a timed interval beyond the clock, and to a block beside it.
//!
//!     cargo run --release -p longrun-measure --example sampling_overhead [ROUNDS]
//!
//! An operation that does nothing is sampled one at a time, by the clock of the system.
//!
//! * inside: the median interval, less the mean of two successive readings of the clock.
//! * beside: the time of a whole block, less what the same readings of both clocks take alone.

use std::error::Error;
use std::hint::black_box;

use longrun_measure::sampling::{Settings, sample};
use longrun_measure::{Clock, Probed, Statistics, Summary, SystemClock};
use longrun_protocol::request::BlockPlan;
use longrun_protocol::sampling::StopRule;

/// Blocks of a round.
const BLOCKS: u32 = 10_000;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let rounds = std::env::args()
        .nth(1)
        .map_or(Ok(101), |text| text.parse::<u32>())?;
    let clock = SystemClock::new();
    let (mut inside, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let round = round(&clock)?;
        inside.push(round.inside_ns);
        beside.push(round.beside_ns);
    }
    println!("{:<28} {:>8} {:>8} {:>8}", "", "median", "min", "max");
    for (name, values) in [("inside, ns", &inside), ("beside, ns", &beside)] {
        let said = Summary::of(values).ok_or("no rounds")?;
        let Summary {
            median, min, max, ..
        } = said;
        println!("{name:<28} {median:>8.1} {min:>8.1} {max:>8.1}");
    }
    Ok(())
}

struct Round {
    inside_ns: f64,
    beside_ns: f64,
}

fn round(clock: &SystemClock) -> Outcome<Round> {
    let probed = Probed::new(clock);
    let settings = Settings {
        block: BlockPlan::Frozen { ops: 1 },
        stop: StopRule::Fixed { samples: BLOCKS },
        warm_up_blocks: 1_000,
    };
    let blocks = f64::from(BLOCKS + settings.warm_up_blocks);
    let mut nothing = |ops: u64| {
        black_box(ops);
        Ok::<(), String>(())
    };
    // Half of them before and half after, so that a machine that slows down favours neither.
    let before_ns = readings(clock, BLOCKS / 2);
    let began = clock.now_ns();
    let sampled = sample(&settings, &probed, &mut nothing)?;
    let sampling_ns = clock.now_ns().saturating_sub(began) as f64 / blocks;
    let reading_ns = (before_ns + readings(clock, BLOCKS / 2)) / f64::from(BLOCKS);
    let interval: Option<Statistics> = sampled.facts().statistics;
    let interval_ns = interval.ok_or("no samples")?.median;
    let overhead_ns = probed
        .report
        .overhead_ns
        .ok_or("the clock has no overhead")?;
    Ok(Round {
        inside_ns: interval_ns - overhead_ns,
        beside_ns: sampling_ns - reading_ns,
    })
}

/// Time of the readings that so many blocks make, ns.
fn readings(clock: &SystemClock, blocks: u32) -> f64 {
    let began = clock.now_ns();
    for _ in 0..blocks {
        black_box(clock.process_cpu_ns());
        black_box((clock.now_ns(), clock.now_ns()));
        black_box(clock.process_cpu_ns());
    }
    clock.now_ns().saturating_sub(began) as f64
}
