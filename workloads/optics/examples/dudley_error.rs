//! Source evaluations and error of `gnlse_dudley_8192` over the relative tolerance.
//!
//!     cargo run --release --example dudley_error -- liblongrun.so BUILD_KEY [RTOL ...]
//!
//! The error is the relative L2 distance of the complex field at the end from a run at 1e-12.

use std::error::Error;
use std::path::Path;

use longrun_optics::engine::{Counts, Engine};
use longrun_optics::fourier::Complex64;
use longrun_optics::gnlse::{Gnlse, Noise, parameters::Parameters};
use longrun_optics::native::{Expected, NativeLibrary, Propagation};
use longrun_optics::steppers::{Asked, Integration};
use longrun_optics::witness::relative_l2;
use longrun_protocol::{CaseEntry, Size};

/// Tolerance of the run that the others are compared with.
const RTOL_REFERENCE: f64 = 1e-12;

/// Tolerances that are tried when none are given.
const RTOLS: [f64; 5] = [1e-6, 1e-7, 1e-8, 1e-9, 1e-10];

/// More accepted steps than any of these runs takes.
const STEPS_MAX: i64 = 10_000_000;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, build_key, rtols @ ..] = arguments.as_slice() else {
        return Err("usage: dudley_error LIBRARY BUILD_KEY [RTOL ...]".into());
    };
    let library = NativeLibrary::load(Path::new(library), Expected { build_key })?;
    let rtols: Vec<f64> = match rtols {
        [] => RTOLS.to_vec(),
        given => given
            .iter()
            .map(|text| text.parse())
            .collect::<Result<_, _>>()?,
    };
    let case = case("gnlse_dudley_8192")?;
    let (reference, _) = run(&library, &case, RTOL_REFERENCE)?;
    println!("    rtol   accepted   rejected  evaluations      error");
    for rtol in rtols {
        let (end, counts) = run(&library, &case, rtol)?;
        let error = relative_l2(&end, &reference).ok_or("the reference is zero")?;
        println!(
            "{rtol:>8.0e} {:>10} {:>10} {:>12} {error:>10.2e}",
            counts.accepted, counts.rejected, counts.evaluations
        );
    }
    Ok(())
}

fn run(library: &NativeLibrary, entry: &Entry, rtol: f64) -> Outcome<(Vec<Complex64>, Counts)> {
    let mut map = entry.parameters.clone();
    map.insert("rtol".to_owned(), rtol.into());
    let case = Gnlse::new(&Parameters::read(&map)?, Noise::None)?;
    let asked = Asked {
        stepper: &entry.stepper,
        length: 1.0,
        replay: None,
    };
    let integration = Integration::resolve(&case, asked)?;
    let mut engine = Propagation::create(library, &case.problem(), &integration, 1)?;
    let mut state = case.launch;
    engine.set_state(0.0, &state)?;
    engine.advance(integration.length_m, STEPS_MAX)?;
    engine.get_state(&mut state)?;
    Ok((state, engine.counts()?))
}

/// What is needed of a registry entry.
struct Entry {
    parameters: longrun_protocol::request::Parameters,
    stepper: String,
}

fn case(name: &str) -> Outcome<Entry> {
    let file: toml::Table = toml::from_str(include_str!("../../tracking.toml"))?;
    let cases = file
        .get("case")
        .and_then(toml::Value::as_array)
        .ok_or("no cases")?;
    for case in cases {
        let entry: CaseEntry = case.clone().try_into()?;
        if entry.name == name {
            let size = entry
                .sizes
                .get(&Size::Full)
                .ok_or("the case has no full size")?;
            return Ok(Entry {
                parameters: entry.parameters_at(size),
                stepper: entry.default_stepper.clone(),
            });
        }
    }
    Err(format!("the registry has no case `{name}`").into())
}
