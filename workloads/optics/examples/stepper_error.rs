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
#[path = "registry/runs.rs"]
mod runs;

use std::path::Path;

use longrun_optics::native::{Expected, NativeLibrary};
use longrun_optics::witness::relative_l2;
use longrun_protocol::{CaseEntry, Size};
use registry::Outcome;
use runs::Run;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, build_key, case, size, reference, runs @ ..] = arguments.as_slice() else {
        return Err("usage: stepper_error LIBRARY BUILD_KEY CASE SIZE REFERENCE RUN ...".into());
    };
    let library = NativeLibrary::load(Path::new(library), Expected { build_key })?;
    let entry = changed(case)?;
    let size: Size = size.parse()?;
    let runs: Vec<Run<'_>> = runs.iter().map(|text| read(text)).collect::<Outcome<_>>()?;
    let reference = read(reference)?.over(&library, &entry, size)?;
    let columns = ["accepted", "rejected", "evaluations", "CPU s", "error"];
    print!("{:<30} {:>8}", "stepper", "rtol");
    columns.iter().for_each(|column| print!(" {column:>11}"));
    println!();
    for run in runs {
        let end = run.over(&library, &entry, size)?;
        let error = relative_l2(&end.state, &reference.state).ok_or("the reference is zero")?;
        println!(
            "{:<30} {:>8.1e} {:>11} {:>11} {:>11} {:>11.3} {error:>11.2e}",
            end.integrator, run.rtol, end.accepted, end.rejected, end.evaluations, end.cpu_s,
        );
    }
    Ok(())
}

fn read(text: &str) -> Outcome<Run<'_>> {
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
