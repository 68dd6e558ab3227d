//! Beams over a plane: what both engines make of them, and what is exactly known.

use longrun_optics::cartesian::{Cartesian, parameters::Parameters};
use longrun_optics::case::Case;
use longrun_optics::engine::Engine;
use longrun_optics::fourier::{Complex64, inverse};
use longrun_optics::gnlse::Noise;
use longrun_optics::native::Propagation;
use longrun_optics::reference::Reference;
use longrun_optics::steppers::{Integration, Stepper, Steps};
use longrun_optics::witness::{relative_l2, relative_l2_real};
use longrun_protocol::Size;
use longrun_protocol::receipt::Status;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::library::load;
use crate::registry::parameters;
use crate::worker::{call, fails, receipt, request};

/// More steps than any of these runs takes.
const STEPS_MAX: i64 = 1000;

/// The smaller of the tracked beams at size `smoke`, with other values.
fn beam(changes: &[(&str, Value)]) -> Cartesian {
    let mut map = parameters("kerr_beam_192", Size::Smoke);
    for (key, value) in changes {
        map.insert((*key).to_owned(), value.clone());
    }
    Cartesian::new(&Parameters::read(&map).unwrap(), Noise::None).unwrap()
}

fn schedule(case: &Cartesian, steps: usize) -> Integration {
    Integration {
        stepper: Stepper::Rk4ip,
        order: None,
        steps: Steps::Fixed(vec![case.length_m / steps as f64; steps]),
        length_m: case.length_m,
    }
}

fn native(case: &Cartesian, steps: usize) -> Propagation {
    let integration = schedule(case, steps);
    let mut engine =
        Propagation::cartesian(&load(), case.problem(), &integration, 1, None).unwrap();
    engine.set_state(0.0, &case.launch).unwrap();
    engine
}

fn reference(case: &Cartesian, steps: usize) -> Reference {
    let mut engine = Reference::cartesian(case.problem(), &schedule(case, steps)).unwrap();
    engine.set_state(0.0, &case.launch).unwrap();
    engine
}

fn end(case: &Cartesian, engine: &mut dyn Engine) -> Vec<Complex64> {
    engine.advance(case.length_m, STEPS_MAX).unwrap();
    let mut state = case.launch.clone();
    engine.get_state(&mut state).unwrap();
    state
}

/// Fluence and largest |E|² over the plane.
fn nodes(engine: &mut dyn Engine, z_m: f64) -> [Vec<f64>; 2] {
    let mut seen = [(); 2].map(|()| vec![f64::NAN; engine.nodes()]);
    let [fluence, peak] = &mut seen;
    engine
        .observe_nodes(z_m, Some(fluence), Some(peak))
        .unwrap();
    seen
}

#[test]
fn over_the_plane_and_at_its_edge_the_engines_see_the_same() {
    // Narrow enough that the edge absorbs what can be compared.
    let case = beam(&[("half_width_m", json!(90e-6)), ("columns", json!(20))]);
    let (mut native, mut reference) = (native(&case, 4), reference(&case, 4));
    // At both ends of a step and within one.
    for z_m in [0.0, 1e-4, 1.3e-4, 4e-4] {
        let seen = [&mut native as &mut dyn Engine, &mut reference].map(|engine| {
            engine.advance(z_m, STEPS_MAX).unwrap();
            (nodes(engine, z_m), engine.observe(z_m, None).unwrap())
        });
        let [(a, a_plane), (b, b_plane)] = &seen;
        for (a, b) in a.iter().zip(b) {
            let apart = relative_l2_real(a, b).unwrap();
            assert!(apart < 1e-11, "{z_m}: {apart:e}");
        }
        for (a, b) in [
            (a_plane.energy_j, b_plane.energy_j),
            (a_plane.photon_number, b_plane.photon_number),
            (a_plane.peak_power_w, b_plane.peak_power_w),
            (a_plane.rms_duration_s, b_plane.rms_duration_s),
            (a_plane.mean_omega_rad_s, b_plane.mean_omega_rad_s),
        ] {
            assert!((a / b - 1.0).abs() < 1e-11, "{z_m}: {a:e} {b:e}");
        }
    }
    let [a, b] = [&native as &dyn Engine, &reference].map(|engine| engine.edge_energy_j().unwrap());
    let lost = b / case.energy_j(&case.launch);
    assert!(lost > 1e-6 && lost < 0.1, "{lost:e}");
    assert!((a / b - 1.0).abs() < 1e-6, "{a:e} {b:e}");
}

#[test]
fn a_step_half_as_long_errs_a_sixteenth() {
    // Far from the carrier L turns by more than one a step, and what little light is there
    // has not the order yet: over the whole band of the case the ratio is 12.
    let case = beam(&[
        ("absorb", json!(false)),
        ("length_m", json!(2e-3)),
        ("wavelength_limits_m", json!([700e-9, 900e-9])),
    ]);
    let [four, eight, sixteen] = [4, 8, 16].map(|steps| end(&case, &mut native(&case, steps)));
    let coarse = relative_l2(&four, &eight).unwrap();
    let fine = relative_l2(&eight, &sixteen).unwrap();
    let ratio = coarse / fine;
    assert!((14.0..17.0).contains(&ratio), "{coarse:e} {fine:e}");
}

/// How far the beam of the carrier is from a Gaussian one that has diffracted over the length: the
/// L2 difference of the moduli over the plane.
fn apart_from_gaussian(case: &Cartesian, state: &[Complex64]) -> f64 {
    let problem = case.problem();
    let nearest = |a: &usize, b: &usize| {
        let away = |bin: usize| (problem.omega[bin] - case.grid.carrier()).abs();
        away(*a).total_cmp(&away(*b))
    };
    let bin = (0..problem.bins()).min_by(nearest).unwrap();
    let columns = case.plane.columns();
    let mut plane = state[bin * problem.columns()..(bin + 1) * problem.columns()].to_vec();
    for row in plane.chunks_exact_mut(columns) {
        inverse(row);
    }
    for x in 0..columns {
        let mut line: Vec<Complex64> = plane.iter().skip(x).step_by(columns).copied().collect();
        inverse(&mut line);
        for (y, value) in line.into_iter().enumerate() {
            plane[y * columns + x] = value;
        }
    }
    let waist_m = case.parameters().waist_m;
    let rayleigh_m = 0.5 * problem.wavenumber[bin] * waist_m.powi(2);
    let width_m = waist_m * (case.length_m / rayleigh_m).hypot(1.0);
    let positions = case.plane.positions_m();
    let expected: Vec<f64> = positions
        .iter()
        .flat_map(|y| {
            positions
                .iter()
                .map(move |x| (x * x + y * y) / width_m.powi(2))
        })
        .map(|square| (-square).exp())
        .collect();
    let found: Vec<f64> = plane.iter().map(|value| value.norm()).collect();
    let unit = |values: Vec<f64>| -> Vec<f64> {
        let norm = values.iter().map(|value| value * value).sum::<f64>().sqrt();
        values.into_iter().map(|value| value / norm).collect()
    };
    relative_l2_real(&unit(found), &unit(expected)).unwrap()
}

#[test]
fn without_a_kerr_effect_a_beam_diffracts_as_a_gaussian_one() {
    // The grid and the beam of a test of Luna.jl, in glass and with few frequencies.
    let wide = beam(&[
        ("n2_m2_per_w", json!(0.0)),
        ("columns", json!(128)),
        ("half_width_m", json!(4e-3)),
        ("waist_m", json!(0.5e-3)),
        ("length_m", json!(2.0)),
        ("wavelength_limits_m", json!([700e-9, 900e-9])),
        ("window_s", json!(60e-15)),
        ("absorb", json!(false)),
    ]);
    let apart = apart_from_gaussian(&wide, &end(&wide, &mut native(&wide, 4)));
    assert!(apart < 5e-5, "{apart:e}");
    // The beam that is tracked, over its whole length.
    let tracked = beam(&[
        ("n2_m2_per_w", json!(0.0)),
        ("columns", json!(48)),
        ("length_m", json!(2e-3)),
    ]);
    let apart = apart_from_gaussian(&tracked, &end(&tracked, &mut native(&tracked, 4)));
    assert!(apart < 5e-5, "{apart:e}");
    // What the Kerr effect does is far more.
    let focused = beam(&[("columns", json!(48)), ("length_m", json!(2e-3))]);
    let apart = apart_from_gaussian(&focused, &end(&focused, &mut native(&focused, 4)));
    assert!(apart > 1e-2, "{apart:e}");
}

#[test]
fn a_schedule_is_all_that_is_taken() {
    let case = beam(&[]);
    let controlled = Integration {
        steps: Steps::Controlled {
            rtol: 1e-6,
            atol: 1e-10,
            initial_m: 1e-5,
            max_m: 1e-4,
        },
        ..schedule(&case, 4)
    };
    let refused = Reference::cartesian(case.problem(), &controlled).err();
    assert!(refused.unwrap().to_string().contains("schedule"));
    assert!(matches!(Case::from(case), Case::Cartesian(_)));
}

/// A request for the smaller of the tracked beams at size `smoke`, with other parameters.
fn asked(changes: &[(&str, Value)]) -> Value {
    let mut request = request("kerr_beam_192");
    for (key, value) in changes {
        request["parameters"][*key] = value.clone();
    }
    request
}

#[test]
fn a_grid_that_fits_no_memory_is_refused_before_it_is_allocated() {
    // 500 billion samples in the plane and in time.
    let (phase, message) = fails(&asked(&[
        ("columns", json!(2048)),
        ("window_s", json!(40e-12)),
    ]));
    assert_eq!(phase, "construct", "{message}");
    let words = ["GB of memory", "GB are free", "fewer `columns`"];
    assert!(words.iter().all(|word| message.contains(word)), "{message}");
    // Of modes around an axis as well.
    let mut request = request("radial_filament_256");
    request["parameters"]["nodes"] = json!(512);
    request["parameters"]["window_s"] = json!(2e-9);
    let (phase, message) = fails(&request);
    assert_eq!(phase, "construct", "{message}");
    assert!(words.iter().all(|word| message.contains(word)), "{message}");
}

#[test]
fn a_beam_that_reaches_the_edge_is_told_of() {
    let folder = TempDir::new().unwrap();
    // The waist is three quarters of the half-width.
    let request = asked(&[("waist_m", json!(150e-6))]);
    call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Complete, "{:?}", receipt.failure);
    let told = |words: &str| {
        receipt
            .warnings
            .iter()
            .any(|warning| warning.contains(words))
    };
    assert!(
        told("reaches the edge of its cross-section"),
        "{:?}",
        receipt.warnings
    );
    // Outside of 220 um are 1 - erf(sqrt(2) 220 / 150)^2 of it.
    assert!(
        told("0.67 % of the launched Gaussian"),
        "{:?}",
        receipt.warnings
    );
}
