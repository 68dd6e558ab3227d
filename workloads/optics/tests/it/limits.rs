//! Guided cases of the registry, in limits that are known: with the reference engine, which needs
//! no library.

use longrun_optics::case::{Case, Parameters};
use longrun_optics::constants::{HBAR, wavelength_m};
use longrun_optics::engine::Engine;
use longrun_optics::fourier::{Complex64, inverse_of};
use longrun_optics::gnlse::{self, Noise};
use longrun_optics::guide::graded_index::GradedIndex;
use longrun_optics::guided::{Guided, Linear, Problem};
use longrun_optics::medium::silica;
use longrun_optics::reference::Reference;
use longrun_optics::steppers::{Asked, Integration, Stepper, Steps};
use longrun_optics::witness::relative_l2;
use longrun_protocol::Size;
use longrun_protocol::request::Parameters as Map;
use serde_json::json;

use crate::registry::{entry, parameters};

/// More steps than any of these runs takes.
const STEPS_MAX: i64 = 1_000_000;

/// A case of the registry without noise, after a change of its parameters.
pub fn case(name: &str, size: Size, change: impl Fn(&mut Map)) -> Guided {
    let mut map = parameters(name, size);
    change(&mut map);
    let parameters = Parameters::read(&entry(name).interface, &map).unwrap();
    match Case::new(&parameters, Noise::None).unwrap() {
        Case::Guided(case) => *case,
        _ => panic!("`{name}` is no guided case"),
    }
}

fn state(engine: &Reference) -> Vec<Complex64> {
    let mut state = vec![Complex64::default(); engine.points()];
    engine.get_state(&mut state).unwrap();
    state
}

/// The state after the first metres of a case, with the default stepper or another.
fn after(case: &Guided, stepper: &str, length_m: f64) -> Vec<Complex64> {
    let asked = Asked {
        stepper,
        length: length_m / case.length_m,
        replay: None,
    };
    let integration = Integration::resolve(case, asked).unwrap();
    let mut engine = Reference::guided(case.problem(), &integration).unwrap();
    engine.set_state(0.0, &case.launch).unwrap();
    engine.advance(length_m, STEPS_MAX).unwrap();
    state(&engine)
}

/// Wavelength in nm of the mean frequency.
pub fn centroid_nm(case: &Guided, state: &[Complex64]) -> f64 {
    let bins = state.iter().zip(&case.problem().omega);
    let weighted: f64 = bins.map(|(value, omega)| value.norm_sqr() * omega).sum();
    let lit = state.iter().zip(&case.problem().omega);
    let lit = lit.filter(|(_, omega)| **omega > 0.0);
    let sum: f64 = lit.map(|(value, _)| value.norm_sqr()).sum();
    1e9 * wavelength_m(weighted / sum)
}

/// Wavelength in nm of the mean frequency of the photons. Where their number is kept it moves as
/// the energy does, while the mean over energy is moved by mere width.
pub fn photon_nm(case: &Guided, state: &[Complex64]) -> f64 {
    1e9 * wavelength_m(case.energy_j(state) / (HBAR * case.photon_number(state)))
}

#[test]
fn ionisation_is_what_shifts_the_pulse_in_argon_to_the_blue() {
    let name = "argon_blueshift_envelope";
    let ionised = case(name, Size::Quick, |_| {});
    let end = after(&ionised, "multistep", ionised.length_m);
    let blue = centroid_nm(&ionised, &end);
    // By an independent prototype.
    assert!((blue - 773.0).abs() < 3.0, "{blue}");
    let left = ionised.energy_j(&end) / ionised.energy_j(&ionised.launch);
    assert!((left - 0.864).abs() < 0.01, "{left}");

    let bound = case(name, Size::Quick, |map| {
        map.insert("ionisation".to_owned(), json!("none"));
    });
    let end = after(&bound, "multistep", bound.length_m);
    let moved = photon_nm(&bound, &end) - photon_nm(&bound, &bound.launch);
    assert!(moved.abs() < 2.0, "{moved}");
    let photons = bound.photon_number(&end) / bound.photon_number(&bound.launch);
    assert!((photons - 1.0).abs() < 1e-3, "{photons}");
}

#[test]
fn one_resolved_mode_without_ionisation_is_its_average() {
    let name = "argon_blueshift";
    let bound = |map: &mut Map| {
        map.insert("ionisation".to_owned(), json!("none"));
    };
    let resolved = case(name, Size::Smoke, bound);
    let averaged = case(name, Size::Smoke, |map| {
        bound(map);
        map.remove("resolved");
    });
    assert!(resolved.problem().nodes > 1 && averaged.problem().nodes == 1);
    let energies = [&resolved, &averaged].map(|case| -> Vec<Complex64> {
        let end = after(case, "rk", case.length_m);
        end.iter().map(|value| value.norm_sqr().into()).collect()
    });
    let apart = relative_l2(&energies[0], &energies[1]).unwrap();
    assert!(apart < 3e-3, "{apart:e}");
}

/// The graded-index fibre over one period of self-imaging, without nonlinearity, and its modes.
fn linear_fibre() -> (Guided, GradedIndex) {
    let of = |length_m: f64| {
        case("grin_nonlinear", Size::Quick, |map| {
            map.insert("n2_m2_per_w".to_owned(), json!(0.0));
            map.insert("length_m".to_owned(), json!(length_m));
        })
    };
    let carrier = of(1e-3).problem().carrier_rad_s;
    let index = (silica::permittivity(carrier).unwrap() + 0.04).sqrt();
    let fibre = GradedIndex::new(25e-6, 0.2, index, carrier);
    (of(fibre.self_imaging_m()), fibre)
}

/// Largest intensity on the axis over time, W/m².
fn on_axis(case: &Guided, fibre: &GradedIndex, state: &[Complex64]) -> f64 {
    let mut field = vec![Complex64::default(); case.problem().points];
    for (mode, spectrum) in state.chunks_exact(field.len()).enumerate() {
        let amplitude = fibre.field(mode, 0.0);
        for (sum, value) in field.iter_mut().zip(inverse_of(spectrum)) {
            *sum += amplitude * value;
        }
    }
    field.iter().map(Complex64::norm_sqr).fold(0.0, f64::max)
}

#[test]
fn the_graded_index_fibre_images_its_beam_after_a_period() {
    let (case, fibre) = linear_fibre();
    let period_m = case.length_m;
    assert!((period_m - 0.572e-3).abs() < 2e-6, "{period_m:e}");
    let launched = on_axis(&case, &fibre, &case.launch);
    let gain = |state: &[Complex64]| on_axis(&case, &fibre, state) / launched;
    let whole = gain(&after(&case, "rk", period_m));
    assert!((whole - 1.0).abs() < 0.05, "{whole}");
    // Half way the waist of 12 µm has become w² / 12 µm = 5.1 µm.
    let half = gain(&after(&case, "rk", period_m / 2.0));
    assert!((half / 5.44 - 1.0).abs() < 0.05, "{half}");
    let energy = case.energy_j(&after(&case, "rk", period_m)) / case.energy_j(&case.launch);
    assert!((energy - 1.0).abs() < 1e-6, "{energy}");
}

#[test]
fn a_single_channel_of_the_fibre_is_the_generalised_nonlinear_schroedinger_equation() {
    let case = case("grin_nonlinear", Size::Quick, |map| {
        map.insert("modes".to_owned(), json!(1));
    });
    let problem = case.problem();
    // The overlap of the mode with itself is one over the effective area.
    let overlaps = problem.synthesis.iter().zip(&problem.projection);
    let overlap: f64 = overlaps.map(|(e, w)| w * e.powi(3)).sum();
    let area_m2 = std::f64::consts::PI * 7.853e-6_f64.powi(2);
    assert!((overlap * area_m2 - 1.0).abs() < 1e-3, "{overlap:e}");
    let alone = channel(problem, overlap);
    let integration = Integration {
        stepper: Stepper::Rk,
        order: None,
        steps: Steps::Fixed(vec![1e-5; 20]),
        length_m: 2e-4,
    };
    let mut engines = [
        Reference::guided(problem, &integration).unwrap(),
        Reference::create(&alone, &integration).unwrap(),
    ];
    let [modal, fibre] = engines.each_mut().map(|engine| {
        engine.set_state(0.0, &case.launch).unwrap();
        engine.advance(2e-4, STEPS_MAX).unwrap();
        state(engine)
    });
    let apart = relative_l2(&modal, &fibre).unwrap();
    assert!(apart < 1e-10, "{apart:e}");
    let turned = relative_l2(&modal, &case.launch).unwrap();
    assert!(turned > 1e-3, "something happened: {turned:e}");
}

#[test]
fn the_kerr_effect_alone_keeps_the_photons_of_four_channels() {
    let case = case("grin_nonlinear", Size::Smoke, |map| {
        for (key, value) in [
            ("raman", json!("none")),
            ("absorb", json!(false)),
            ("rtol", json!(1e-8)),
        ] {
            map.insert(key.to_owned(), value);
        }
    });
    assert_eq!(
        (case.problem().modes, case.problem().raman.is_none()),
        (4, true)
    );
    let end = after(&case, "multistep", case.length_m);
    let photons = case.photon_number(&end) / case.photon_number(&case.launch);
    assert!((photons - 1.0).abs() < 1e-6, "{photons}");
    // Not because nothing happened: channels gave each other light.
    let shares = |state: &[Complex64]| {
        let energies = case.energies_j(state);
        energies[0] / energies.iter().sum::<f64>()
    };
    let exchanged = (shares(&end) - shares(&case.launch)).abs();
    assert!(exchanged > 1e-5, "{exchanged:e}");
}

/// A guided problem of one mode as a fibre, whose nonlinear coefficient has this overlap in it.
fn channel(problem: &Problem, overlap: f64) -> gnlse::Problem {
    let Linear::Fixed(linear) = &problem.linear else {
        panic!("the fibre is the same everywhere");
    };
    let windows = problem.windows.as_ref();
    gnlse::Problem {
        time_step_s: problem.time_step_s,
        carrier_rad_s: problem.carrier_rad_s,
        linear: linear.clone(),
        source: problem.source.iter().map(|s| s * overlap).collect(),
        windows: windows.map(|windows| gnlse::Windows {
            spectral: windows.spectral.clone(),
            temporal: windows.temporal.clone(),
        }),
        kerr_fraction: problem.kerr,
        raman: problem.raman.clone().map(|table| (1.0, table)),
    }
}
