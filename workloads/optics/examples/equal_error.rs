//! What each stepper takes for the same error, as lines of JSON for `cargo xtask cases --record`.
//!
//!     cargo run --release --example equal_error -- liblongrun.so BUILD_KEY SIZE CASE ...
//!
//! The error is that of the case's default stepper at the case's tolerance: the relative L2
//! distance of the complex field at the end from that of `rk` at a tolerance 1000 times as tight.
//! Tolerances of the others go up or down by the root of ten until two neighbours lie on either
//! side of that error; tolerance, counts and time are then interpolated between the two, logarithm
//! over logarithm. Times are CPU times of one thread, medians of three runs, in units of that of
//! `rk`.

mod registry;
#[path = "registry/runs.rs"]
mod runs;

use std::path::Path;

use longrun_measure::Summary;
use longrun_optics::native::{Expected, NativeLibrary};
use longrun_optics::witness::relative_l2;
use longrun_protocol::{CaseEntry, Size};
use registry::Outcome;
use runs::{End, Run};
use serde_json::json;

/// How much tighter the tolerance of the reference is.
const TIGHTER: f64 = 1e-3;

/// Steps of the tolerance until the search is given up.
const STEPS: usize = 8;

/// Runs of each tolerance.
const RUNS: usize = 3;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, build_key, size, cases @ ..] = arguments.as_slice() else {
        return Err("usage: equal_error LIBRARY BUILD_KEY SIZE CASE ...".into());
    };
    let library = NativeLibrary::load(Path::new(library), Expected { build_key })?;
    let size: Size = size.parse()?;
    for case in cases {
        Study::of(&library, registry::entry(case)?, size)?.print()?;
    }
    Ok(())
}

/// A case, and what is compared.
struct Study<'a> {
    library: &'a NativeLibrary,
    entry: CaseEntry,
    size: Size,
    reference: End,
}

/// What a tolerance led to.
#[derive(Clone, Copy)]
struct Point {
    rtol: f64,
    error: f64,
    accepted: f64,
    rejected: f64,
    evaluations: f64,
    cpu_s: f64,
}

impl<'a> Study<'a> {
    fn of(library: &'a NativeLibrary, entry: CaseEntry, size: Size) -> Outcome<Self> {
        let rtol = own_rtol(&entry, size)?;
        let tight = run("rk", rtol * TIGHTER);
        let reference = tight.over(library, &entry, size)?;
        Ok(Study {
            library,
            entry,
            size,
            reference,
        })
    }

    fn print(&self) -> Outcome<()> {
        let rtol = own_rtol(&self.entry, self.size)?;
        let own = self.point(&self.entry.default_stepper, rtol)?;
        let mut found = Vec::new();
        for stepper in &self.entry.steppers {
            let point = match *stepper == self.entry.default_stepper {
                true => own,
                false => self.at_error(stepper, rtol, own.error)?,
            };
            found.push((stepper, point));
        }
        let rk = found.iter().find(|(stepper, _)| stepper.as_str() == "rk");
        let (_, rk) = rk.ok_or("the case has no `rk`")?;
        let revision = self.entry.sizes.get(&self.size).map(|size| size.revision);
        for (stepper, point) in &found {
            let line = json!({
                "case": self.entry.name, "size": self.size, "revision": revision,
                "stepper": stepper, "rtol": two_digits(point.rtol)?, "error": point.error,
                "evaluations": point.evaluations.round() as u64,
                "accepted": point.accepted.round() as u64,
                "rejected": point.rejected.round() as u64,
                "seconds_ratio_to_rk": point.cpu_s / rk.cpu_s,
            });
            println!("{line}");
        }
        Ok(())
    }

    /// Between two tolerances that lie on either side of `error`.
    fn at_error(&self, stepper: &str, rtol: f64, error: f64) -> Outcome<Point> {
        let mut last = self.point(stepper, rtol)?;
        let factor = match last.error > error {
            true => 0.1_f64.sqrt(),
            false => 10.0_f64.sqrt(),
        };
        for _ in 0..STEPS {
            let next = self.point(stepper, last.rtol * factor)?;
            if (next.error > error) != (last.error > error) {
                return Ok(between(last, next, error));
            }
            last = next;
        }
        Err(format!("`{stepper}` does not come to an error of {error:e}").into())
    }

    fn point(&self, stepper: &str, rtol: f64) -> Outcome<Point> {
        let ends = (0..RUNS).map(|_| run(stepper, rtol).over(self.library, &self.entry, self.size));
        let ends = ends.collect::<Outcome<Vec<End>>>()?;
        let times: Vec<f64> = ends.iter().map(|end| end.cpu_s).collect();
        let cpu_s = Summary::of(&times).ok_or("nothing was timed")?.median;
        let end = ends.first().ok_or("nothing was run")?;
        let error = relative_l2(&end.state, &self.reference.state);
        let point = Point {
            rtol,
            error: error.ok_or("the reference is zero")?,
            accepted: end.accepted as f64,
            rejected: end.rejected as f64,
            evaluations: end.evaluations as f64,
            cpu_s,
        };
        let name = &self.entry.name;
        let (count, error) = (point.evaluations, point.error);
        let stepper = &end.integrator;
        eprintln!("{name} {stepper} {rtol:.1e}: {count} evaluations, {cpu_s:.3} s, {error:.2e}");
        Ok(point)
    }
}

/// Logarithms are linear in that of the error; rejections may be none, and are linear themselves.
fn between(a: Point, b: Point, error: f64) -> Point {
    let part = (error / a.error).ln() / (b.error / a.error).ln();
    let at = |a: f64, b: f64| a * (b / a).powf(part);
    Point {
        rtol: at(a.rtol, b.rtol),
        error,
        accepted: at(a.accepted, b.accepted),
        rejected: a.rejected + part * (b.rejected - a.rejected),
        evaluations: at(a.evaluations, b.evaluations),
        cpu_s: at(a.cpu_s, b.cpu_s),
    }
}

/// An interpolated tolerance has no more.
fn two_digits(rtol: f64) -> Outcome<f64> {
    Ok(format!("{rtol:.1e}").parse()?)
}

fn run(stepper: &str, rtol: f64) -> Run<'_> {
    Run {
        stepper,
        rtol,
        order: None,
    }
}

/// The tolerance of the case itself.
fn own_rtol(entry: &CaseEntry, size: Size) -> Outcome<f64> {
    use longrun_optics::steppers::Stepping;
    Ok(registry::case(entry, size, &[])?.rtol())
}
