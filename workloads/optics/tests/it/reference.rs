//! Two engines, one physics: the native library against the reference.
//!
//! What is asked of every case is one test a case: it names the case, and cases run side by side.

use longrun_optics::case::{Case, Problem};
use longrun_optics::engine::{Counts, Engine, PlaneStatistics};
use longrun_optics::fourier::Complex64;
use longrun_optics::native::Propagation;
use longrun_optics::reference::Reference;
use longrun_optics::steppers::{Asked, Integration, Stepping, Steps, planes_m};
use longrun_optics::witness::relative_l2;
use longrun_protocol::{CaseEntry, Size};

use crate::library::load;
use crate::registry::{any_case, entries, entry, names};

/// Steps of a run that are replayed: all of them, but for the longest runs of the multistep
/// methods, which would take the reference minutes.
const STEPS_REPLAYED: i64 = 3000;

/// Steps that are compared when both engines find their own.
const STEPS_FOUND: i64 = 700;

/// The same where kinks of the ionisation rate decide a step now and then: the slope of the rate is
/// infinite there, so that rounding grows from step to step, in the steps though not in the field.
const STEPS_BETWEEN_KINKS: i64 = 100;

/// A first step in m whose error is more than rounding: that of the interface is so short that its
/// error is 1e-16 of the field. A controller that remembers the error of the step before carries
/// that on, and each run has FFT plans, and with them a rounding, of its own.
const ABOVE_ROUNDING_M: f64 = 2e-3;

/// How far steps may differ, relative.
const STEPS_APART: f64 = 1e-3;

/// What a run came to.
pub struct Outcome {
    z_m: f64,
    /// At the end.
    pub state: Vec<Complex64>,
    /// Steps and evaluations.
    pub counts: Counts,
    /// The steps.
    pub steps_m: Vec<f64>,
}

/// The steps of a whole run.
pub fn integration(case: &Case, stepper: &str) -> Integration {
    let asked = Asked {
        stepper,
        length: 1.0,
        replay: None,
    };
    Integration::resolve(case, asked).unwrap()
}

/// The steps of `outcome`, laid down.
fn replayed(outcome: &Outcome, integration: Integration) -> Integration {
    Integration {
        steps: Steps::Replayed(outcome.steps_m.clone()),
        length_m: outcome.z_m,
        ..integration
    }
}

/// So many steps of a case at most.
pub fn run(case: &Case, mut engine: impl Engine, steps_max: i64) -> Outcome {
    run_with(case, &mut engine, steps_max)
}

fn run_with(case: &Case, engine: &mut dyn Engine, steps_max: i64) -> Outcome {
    let mut state = case.launch().to_vec();
    engine.set_state(0.0, &state).unwrap();
    let z_m = engine.advance(case.length_m(), steps_max).unwrap();
    engine.get_state(&mut state).unwrap();
    Outcome {
        z_m,
        state,
        counts: engine.counts().unwrap(),
        steps_m: engine.steps_m().unwrap(),
    }
}

fn native(case: &Case, integration: &Integration) -> Propagation {
    native_at(1, case, integration)
}

/// The native engine on so many threads.
pub fn native_at(threads: u32, case: &Case, integration: &Integration) -> Propagation {
    match case.problem() {
        Problem::Gnlse(problem) => {
            Propagation::create(&load(), &problem, integration, threads).unwrap()
        }
        Problem::Guided(problem) => {
            Propagation::guided(&load(), &problem, integration, threads, None).unwrap()
        }
        Problem::Cartesian(problem) => {
            Propagation::cartesian(&load(), &problem, integration, threads, None).unwrap()
        }
    }
}

fn reference(case: &Case, integration: &Integration) -> Box<dyn Engine> {
    match case.problem() {
        Problem::Gnlse(problem) => Box::new(Reference::create(&problem, integration).unwrap()),
        Problem::Guided(problem) => Box::new(Reference::guided(&problem, integration).unwrap()),
        Problem::Cartesian(problem) => {
            Box::new(Reference::cartesian(&problem, integration).unwrap())
        }
    }
}

/// Every stepper that a case may run with.
pub fn steppers(entry: &CaseEntry) -> Vec<&str> {
    let mut steppers: Vec<&str> = entry.steppers.iter().map(String::as_str).collect();
    if !steppers.contains(&entry.default_stepper.as_str()) {
        steppers.push(&entry.default_stepper);
    }
    steppers
}

/// Module of tests, one for each case named: `check` of the case. `CASES` are the names.
macro_rules! for_each_case {
    ($module:ident, $check:path, $($name:ident)*) => {
        mod $module {
            /// The cases of this module.
            pub const CASES: &[&str] = &[$(stringify!($name)),*];
            $(#[test]
            fn $name() {
                $check(stringify!($name));
            })*
        }
    };
}
pub(crate) use for_each_case;

for_each_case!(
    on_the_same_steps_the_engines_come_to_the_same_field,
    super::come_to_the_same_field,
    gnlse_raman_shock gnlse_soliton gnlse_dudley_8192 gnlse_soliton_noise gnlse_soliton_fixed
    gnlse_self_frequency_shift rdw he_rdw_averaged argon_blueshift argon_blueshift_averaged
    argon_blueshift_envelope h2_raman_averaged ctc grin_nonlinear radial_filament_256
    kerr_beam_384 kerr_beam_192);

for_each_case!(left_alone_the_engines_take_the_same_steps, super::take_the_same_steps,
    gnlse_soliton gnlse_dudley_8192 gnlse_soliton_noise gnlse_soliton_fixed
    gnlse_self_frequency_shift rdw he_rdw_averaged argon_blueshift argon_blueshift_averaged
    argon_blueshift_envelope h2_raman_averaged grin_nonlinear radial_filament_256
    kerr_beam_384 kerr_beam_192);

fn sorted<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable();
    names
}

/// That tests name every case of the registry.
pub fn assert_all_cases(tested: &[&str]) {
    let all = names();
    assert_eq!(
        sorted(tested.iter().copied()),
        sorted(all.iter().map(String::as_str))
    );
}

#[test]
fn every_case_of_the_registry_is_run_by_both_engines() {
    assert_all_cases(on_the_same_steps_the_engines_come_to_the_same_field::CASES);
    let entries = entries();
    let calm = entries.iter().filter(|entry| !entry.chaotic);
    let tested = left_alone_the_engines_take_the_same_steps::CASES;
    assert_eq!(
        sorted(tested.iter().copied()),
        sorted(calm.map(|entry| entry.name.as_str()))
    );
}

fn come_to_the_same_field(name: &str) {
    let case = any_case(name, Size::Smoke);
    for stepper in steppers(&entry(name)) {
        let integration = integration(&case, stepper);
        let native = run(&case, native(&case, &integration), STEPS_REPLAYED);
        let same = replayed(&native, integration);
        let reference = run_with(&case, reference(&case, &same).as_mut(), STEPS_REPLAYED);
        assert_eq!(reference.steps_m, native.steps_m, "{name} {stepper}");
        let apart = relative_l2(&reference.state, &native.state).unwrap();
        assert!(apart < 1e-9, "{name} {stepper}: {apart:e}");
    }
}

fn take_the_same_steps(name: &str) {
    let case = any_case(name, Size::Smoke);
    for stepper in steppers(&entry(name)) {
        let mut integration = integration(&case, stepper);
        if let ("rdw" | "he_rdw_averaged", "rk", Steps::Controlled { initial_m, .. }) =
            (name, stepper, &mut integration.steps)
        {
            *initial_m = ABOVE_ROUNDING_M;
        }
        let steps = match name {
            "rdw" => STEPS_BETWEEN_KINKS,
            _ => STEPS_FOUND,
        };
        let native = run(&case, native(&case, &integration), steps);
        let reference = run_with(&case, reference(&case, &integration).as_mut(), steps);
        let of = |c: &Counts| (c.accepted, c.rejected, c.evaluations, c.absorptions);
        assert_eq!(
            of(&native.counts),
            of(&reference.counts),
            "{name} {stepper}"
        );
        // A step follows from the errors before it, which are differences of near numbers. The last
        // one of a whole run is what the others leave of the guide.
        let found = native.steps_m.len() - usize::from(native.z_m >= case.length_m());
        let steps = reference.steps_m.iter().zip(&native.steps_m).take(found);
        for (index, (a, b)) in steps.enumerate() {
            let differ = (a / b - 1.0).abs();
            assert!(
                differ < STEPS_APART,
                "{name} {stepper}, step {index} of {found}: {a:e} and {b:e} m"
            );
        }
    }
}

#[test]
fn at_every_plane_the_engines_see_the_same() {
    let entry = entry("gnlse_dudley_8192");
    let case = any_case(&entry.name, Size::Smoke);
    for stepper in steppers(&entry) {
        let integration = integration(&case, stepper);
        let found = run(&case, native(&case, &integration), STEPS_REPLAYED);
        let same = replayed(&found, integration);
        let mut engines: [Box<dyn Engine>; 2] =
            [Box::new(native(&case, &same)), reference(&case, &same)];
        for engine in &mut engines {
            engine.set_state(0.0, case.launch()).unwrap();
        }
        for z_m in planes_m(case.length_m(), 11, case.length_m()) {
            let [native, reference] = engines.each_mut().map(|engine| {
                let mut intensity = vec![f64::NAN; case.launch().len()];
                engine.advance(z_m, STEPS_REPLAYED).unwrap();
                let seen = engine.observe(z_m, Some(&mut intensity)).unwrap();
                (seen, intensity)
            });
            assert_same_plane(&format!("{stepper} at {z_m} m"), &native, &reference);
        }
        for engine in engines {
            assert_eq!(engine.counts().unwrap().observations, 11);
        }
    }
}

/// Statistics and spectra at one plane.
type Seen = (PlaneStatistics, Vec<f64>);

fn assert_same_plane(plane: &str, (a, a_spectrum): &Seen, (b, b_spectrum): &Seen) {
    for (what, a, b) in [
        ("position", a.z_m, b.z_m),
        ("energy", a.energy_j, b.energy_j),
        ("photons", a.photon_number, b.photon_number),
        ("peak", a.peak_power_w, b.peak_power_w),
        ("frequency", a.mean_omega_rad_s, b.mean_omega_rad_s),
        ("duration", a.rms_duration_s, b.rms_duration_s),
    ] {
        assert!((a - b).abs() <= 1e-9 * b, "{plane}, {what}: {a} and {b}");
    }
    assert_eq!(a.peak_time_s, b.peak_time_s, "{plane}");
    let total: f64 = b_spectrum.iter().sum();
    let pairs = a_spectrum.iter().zip(b_spectrum);
    let apart = pairs.map(|(a, b)| (a - b).abs()).sum::<f64>() / total;
    assert!(apart < 1e-9, "{plane}: {apart:e}");
}
