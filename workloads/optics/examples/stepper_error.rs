//! Work and error of steppers over the relative tolerance, on one case.
//!
//!     cargo run --release --example stepper_error -- liblongrun.so BUILD_KEY CASE SIZE RUN RUN ...
//!
//! CASE may be followed by parameters in JSON: `gnlse_raman_shock,absorb=false`. A RUN is
//! `STEPPER,RTOL`, or `STEPPER,RTOL,ORDER` for a multistep method of another order than its own.
//! One thread. The error is the relative L2 distance of the complex field at the end from that of
//! the first RUN, on the same grid: give it a tight tolerance, such as `rk,1e-11`. The time is CPU
//! time of the process, observation left out and absorption left in.

mod registry;

use std::path::Path;

use longrun_measure::{Interval, SystemClock, time};
use longrun_optics::engine::Engine;
use longrun_optics::fourier::Complex64;
use longrun_optics::native::{Expected, NativeLibrary};
use longrun_optics::steppers::{Asked, Integration};
use longrun_optics::witness::relative_l2;
use longrun_protocol::{CaseEntry, Size};
use registry::{Outcome, STEPS_MAX};

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, build_key, case, size, reference, runs @ ..] = arguments.as_slice() else {
        return Err("usage: stepper_error LIBRARY BUILD_KEY CASE SIZE REFERENCE RUN ...".into());
    };
    let library = NativeLibrary::load(Path::new(library), Expected { build_key })?;
    let entry = changed(case)?;
    let size: Size = size.parse()?;
    let runs: Vec<Run<'_>> = runs
        .iter()
        .map(|text| Run::read(text))
        .collect::<Outcome<_>>()?;
    let reference = Run::read(reference)?.over(&library, &entry, size)?;
    let columns = ["accepted", "rejected", "evaluations", "CPU s", "error"];
    print!("{:<24} {:>5} {:>8}", "stepper", "order", "rtol");
    columns.iter().for_each(|column| print!(" {column:>11}"));
    println!();
    for run in runs {
        let end = run.over(&library, &entry, size)?;
        let error = relative_l2(&end.state, &reference.state).ok_or("the reference is zero")?;
        println!(
            "{:<24} {:>5} {:>8.1e} {:>11} {:>11} {:>11} {:>11.3} {error:>11.2e}",
            run.stepper,
            end.order.map_or("-".to_owned(), |order| order.to_string()),
            run.rtol,
            end.accepted,
            end.rejected,
            end.evaluations,
            end.cpu_s,
        );
    }
    Ok(())
}

/// One way through the case.
#[derive(Clone, Copy)]
struct Run<'a> {
    stepper: &'a str,
    rtol: f64,
    order: Option<i32>,
}

/// Where it led, and what it took.
struct End {
    state: Vec<Complex64>,
    order: Option<i32>,
    accepted: u64,
    rejected: u64,
    evaluations: u64,
    cpu_s: f64,
}

impl<'a> Run<'a> {
    fn read(text: &'a str) -> Outcome<Self> {
        let mut words = text.split(',');
        let (Some(stepper), Some(rtol)) = (words.next(), words.next()) else {
            return Err(format!("`{text}` is not STEPPER,RTOL").into());
        };
        Ok(Run {
            stepper,
            rtol: rtol.parse()?,
            order: words.next().map(str::parse).transpose()?,
        })
    }

    fn over(self, library: &NativeLibrary, entry: &CaseEntry, size: Size) -> Outcome<End> {
        let case = registry::case(entry, size, &[("rtol", self.rtol)])?;
        let asked = Asked {
            stepper: self.stepper,
            length: 1.0,
            replay: None,
        };
        let mut integration = Integration::resolve(&case, asked)?;
        integration.order = self.order.or(integration.order);
        let mut engine = registry::engine(library, &case, &integration, 1)?;
        let mut state = case.launch().to_vec();
        engine.set_state(0.0, &state)?;
        let advance = || engine.advance(integration.length_m, STEPS_MAX);
        let (advanced, interval) = time(&SystemClock::new(), 1, advance);
        advanced?;
        let Interval::Measured(sample) = interval else {
            return Err("the clock went back; run it again".into());
        };
        engine.get_state(&mut state)?;
        let counts = engine.counts()?;
        Ok(End {
            state,
            order: integration.order,
            accepted: counts.accepted,
            rejected: counts.rejected,
            evaluations: counts.evaluations,
            cpu_s: sample
                .cpu_ns
                .ok_or("this system has no clock of CPU time")? as f64
                / 1e9,
        })
    }
}

/// The case of the registry that `text` names, with the parameters that it gives changed.
fn changed(text: &str) -> Outcome<CaseEntry> {
    let mut words = text.split(',');
    let mut entry = registry::entry(words.next().unwrap_or_default())?;
    for word in words {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("`{word}` is not KEY=JSON"))?;
        let value: serde_json::Value = serde_json::from_str(value)?;
        for size in entry.sizes.values_mut() {
            size.parameters.insert(key.to_owned(), value.clone());
        }
    }
    Ok(entry)
}
