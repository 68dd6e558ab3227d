//! Where the time of a source evaluation goes: complete run, bare evaluation, transforms, floor.
//!
//!     cargo run --release --example stepper_overhead -- liblongrun.so BUILD_KEY CASE SIZE
//!         [ROUNDS [THREADS [STEPPER]]]
//!
//! 5 rounds, one thread and the case's default stepper where nothing else is said. Rounds alternate
//! all measurements. `docs/native.md` defines them:
//! stepper overhead = (run - absorb - observe) / evaluations / bare evaluation, and floor =
//! transforms + bytes of a source evaluation / bandwidth. The bandwidth is measured on three
//! arrays that together are as large as those bytes, so it is that of the cache level they live in.

mod registry;

use std::hint::black_box;
use std::path::Path;

use longrun_measure::{Clock, Summary, SystemClock};
use longrun_optics::case::Case;
use longrun_optics::engine::Engine;
use longrun_optics::fourier::Complex64;
use longrun_optics::native::{Expected, NativeLibrary, Propagation};
use longrun_optics::steppers::{Asked, Integration, Stepping, planes_m};
use longrun_protocol::Size;
use registry::{Outcome, STEPS_MAX};

/// Source evaluations of one bare measurement.
const EVALUATIONS: i64 = 400;

/// Bytes that one bandwidth measurement moves at least.
const BANDWIDTH_BYTES: u64 = 1 << 30;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, build_key, name, size, options @ ..] = arguments.as_slice() else {
        let usage = "stepper_overhead LIBRARY BUILD_KEY CASE SIZE [ROUNDS [THREADS [STEPPER]]]";
        return Err(format!("usage: {usage}").into());
    };
    let number = |index: usize, default: u32| {
        let text = options.get(index);
        text.map_or(Ok(default), |text| text.parse())
    };
    let (rounds, threads) = (number(0, 5)?, number(1, 1)?);
    let library = NativeLibrary::load(Path::new(library), Expected { build_key })?;
    let stepper = options.get(2).map(String::as_str);
    let mut bench = Bench::new(&library, (name, size.parse()?), stepper, threads)?;
    let mut columns = Columns::default();
    for round in 1..=rounds {
        bench.round(&mut columns)?;
        eprintln!("round {round} of {rounds}");
    }
    columns.print();
    Ok(())
}

/// Nanoseconds per evaluation, except the bandwidth and the ratios.
#[derive(Default)]
struct Columns {
    run: Vec<f64>,
    bare: Vec<f64>,
    transforms: Vec<f64>,
    bandwidth: Vec<f64>,
    floor: Vec<f64>,
    overhead: Vec<f64>,
    over_floor: Vec<f64>,
}

impl Columns {
    fn print(&self) {
        println!("{:<34} {:>10} {:>10} {:>10}", "", "median", "min", "max");
        for (name, values) in [
            ("run per evaluation, us", &self.run),
            ("bare evaluation, us", &self.bare),
            ("transforms, us", &self.transforms),
            ("bandwidth, GB/s", &self.bandwidth),
            ("floor, us", &self.floor),
            ("stepper overhead", &self.overhead),
            ("run per evaluation over floor", &self.over_floor),
        ] {
            if let Some(s) = Summary::of(values) {
                println!(
                    "{name:<34} {:>10.3} {:>10.3} {:>10.3}",
                    s.median, s.min, s.max
                );
            }
        }
    }
}

struct Bench {
    engine: Propagation,
    case: Case,
    planes: Vec<f64>,
    middle: Vec<Complex64>,
    intensity: Vec<f64>,
    triad: Triad,
    clock: SystemClock,
}

impl Bench {
    fn new(
        library: &NativeLibrary,
        (name, size): (&str, Size),
        stepper: Option<&str>,
        threads: u32,
    ) -> Outcome<Self> {
        let (case, integration) = case(name, size, stepper)?;
        let mut engine = registry::engine(library, &case, &integration, threads)?;
        let mut middle = case.launch().to_vec();
        engine.set_state(0.0, &middle)?;
        engine.advance(integration.length_m / 2.0, STEPS_MAX)?;
        engine.get_state(&mut middle)?;
        let bytes = engine
            .source_bytes()
            .ok_or("the library does not know its bytes")?;
        Ok(Bench {
            planes: planes_m(case.length_m(), case.planes(), integration.length_m),
            intensity: vec![f64::NAN; middle.len()],
            triad: Triad::new(bytes)?,
            clock: SystemClock::new(),
            engine,
            case,
            middle,
        })
    }

    fn round(&mut self, columns: &mut Columns) -> Outcome<()> {
        let run = self.run()?;
        self.engine
            .set_state(self.case.length_m() / 2.0, &self.middle)?;
        let per_evaluation = |ns: u64| ns as f64 / EVALUATIONS as f64 / 1e3;
        let bare = per_evaluation(self.engine.bare_evaluations(EVALUATIONS)?);
        let transforms = per_evaluation(self.engine.bare_transforms(EVALUATIONS)?);
        let bandwidth = self.triad.bytes_per_ns(&self.clock);
        let floor = transforms + self.triad.bytes as f64 / bandwidth / 1e3;
        columns.run.push(run);
        columns.bare.push(bare);
        columns.transforms.push(transforms);
        columns.bandwidth.push(bandwidth);
        columns.floor.push(floor);
        columns.overhead.push(run / bare);
        columns.over_floor.push(run / floor);
        Ok(())
    }

    /// Microseconds per evaluation of a complete run, absorption and observation taken off.
    fn run(&mut self) -> Outcome<f64> {
        self.engine.set_state(0.0, self.case.launch())?;
        let start = self.clock.now_ns();
        for plane in &self.planes {
            self.engine.advance(*plane, STEPS_MAX)?;
            self.engine.observe(*plane, Some(&mut self.intensity))?;
        }
        let elapsed = self.clock.now_ns().saturating_sub(start);
        let counts = self.engine.counts()?;
        let aside = counts.absorb_ns.saturating_add(counts.observe_ns);
        Ok(elapsed.saturating_sub(aside) as f64 / counts.evaluations as f64 / 1e3)
    }
}

/// Three arrays of together `bytes`: two are read, one is written.
struct Triad {
    bytes: u64,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
}

impl Triad {
    fn new(bytes: u64) -> Outcome<Self> {
        let length = usize::try_from(bytes / 24)?.max(1);
        Ok(Triad {
            bytes,
            a: vec![0.0; length],
            b: vec![1.0; length],
            c: vec![2.0; length],
        })
    }

    fn bytes_per_ns(&mut self, clock: &SystemClock) -> f64 {
        let per_pass = 24 * self.a.len() as u64;
        let passes = BANDWIDTH_BYTES.div_ceil(per_pass);
        let mut factor = 1.0;
        let start = clock.now_ns();
        for _ in 0..passes {
            for ((a, b), c) in self.a.iter_mut().zip(&self.b).zip(&self.c) {
                *a = b + factor * c;
            }
            factor = black_box(&self.a).first().map_or(1.0, |a| 1.0 / (1.0 + a));
        }
        let elapsed = clock.now_ns().saturating_sub(start).max(1);
        (per_pass * passes) as f64 / elapsed as f64
    }
}

fn case(name: &str, size: Size, stepper: Option<&str>) -> Outcome<(Case, Integration)> {
    let entry = registry::entry(name)?;
    let case = registry::case(&entry, size, &[])?;
    let asked = Asked {
        stepper: stepper.unwrap_or(&entry.default_stepper),
        length: 1.0,
        replay: None,
    };
    let integration = Integration::resolve(&case, asked)?;
    Ok((case, integration))
}
