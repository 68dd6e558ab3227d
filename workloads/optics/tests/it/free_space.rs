//! A beam around an axis, in limits that are known; and as both engines see it.

use std::f64::consts::PI;

use longrun_optics::constants::SPEED_OF_LIGHT;
use longrun_optics::engine::Engine;
use longrun_optics::fourier::Complex64;
use longrun_optics::guided::Guided;
use longrun_optics::medium::gas::Gas;
use longrun_optics::native::Propagation;
use longrun_optics::reference::Reference;
use longrun_optics::steppers::{Asked, Integration};
use longrun_protocol::Size;
use longrun_protocol::request::Parameters as Map;
use serde_json::json;

use crate::library::load;
use crate::limits::case;

/// More steps than any of these runs takes.
const STEPS_MAX: i64 = 1_000_000;

/// 1e-12 J: no electron is set free, and the Kerr effect does nothing.
fn weak(change: impl Fn(&mut Map)) -> Guided {
    case("radial_filament_256", Size::Quick, |map| {
        map["pulse"]["energy_j"] = json!(1e-12);
        map.insert("window_s".to_owned(), json!(250e-15));
        change(map);
    })
}

/// The steps of a whole case.
fn integration(case: &Guided) -> Integration {
    let asked = Asked {
        stepper: "rk",
        length: 1.0,
        replay: None,
    };
    Integration::resolve(case, asked).unwrap()
}

/// The engine at the end of a case, and the state there.
fn end(case: &Guided) -> (Reference, Vec<Complex64>) {
    let mut engine = Reference::guided(case.problem(), &integration(case)).unwrap();
    engine.set_state(0.0, &case.launch).unwrap();
    engine.advance(case.length_m, STEPS_MAX).unwrap();
    let mut state = case.launch.clone();
    engine.get_state(&mut state).unwrap();
    (engine, state)
}

/// For each node, its field over the bins.
fn at_nodes(case: &Guided, state: &[Complex64]) -> Vec<Vec<Complex64>> {
    let problem = case.problem();
    let field = |row: &[f64]| {
        let mut sum = vec![Complex64::default(); problem.bins()];
        for (e, mode) in row.iter().zip(state.chunks_exact(problem.bins())) {
            for (sum, value) in sum.iter_mut().zip(mode) {
                *sum += e * value;
            }
        }
        sum
    };
    problem
        .synthesis
        .chunks_exact(problem.modes)
        .map(field)
        .collect()
}

#[test]
fn a_weak_beam_spreads_as_a_gaussian_does() {
    // A little more than the Rayleigh length, 39 mm.
    let length_m = 0.04;
    let case = weak(|map| {
        map.insert("length_m".to_owned(), json!(length_m));
    });
    let (_, state) = end(&case);
    let waist_m = 100e-6;
    let argon = Gas::Argon.dispersion(Gas::Argon.formula()).unwrap();
    let density = Gas::Argon.density_per_m3(5e5, 293.15).unwrap();
    let wave = |omega: f64| omega * argon.index(omega, density).unwrap() / SPEED_OF_LIGHT;
    let carrier = case.problem().carrier_rad_s;
    let step = 1e-4 * carrier;
    let slope = (wave(carrier + step) - wave(carrier - step)) / (2.0 * step);
    let free_space = case.free_space.as_ref().unwrap();
    let (launched, found) = (at_nodes(&case, &case.launch), at_nodes(&case, &state));
    let first = free_space.radii_m().next().unwrap();
    let on_axis = (first / waist_m).powi(2).exp();
    let (mut apart, mut norm, mut changed) = (0.0, 0.0, 0.0);
    for (node, (r, area)) in free_space.rule().into_iter().enumerate() {
        for (bin, omega) in case.problem().omega.iter().copied().enumerate() {
            if omega == 0.0 {
                continue;
            }
            let k = wave(omega);
            // Stored spectra are complex conjugates of exp(i k z - i w t).
            let q = Complex64::new(1.0, -2.0 * length_m / (k * waist_m * waist_m));
            let profile = (-(r / waist_m).powi(2) / q).exp() / q;
            let phase = Complex64::cis(-(k - slope * omega) * length_m);
            let expected = launched[0][bin] * on_axis * profile * phase;
            apart += area * (found[node][bin] - expected).norm_sqr();
            norm += area * expected.norm_sqr();
            changed += area * (found[node][bin].norm() - launched[node][bin].norm()).powi(2);
        }
    }
    let error = f64::sqrt(apart / norm);
    assert!(error < 1.5e-4, "{error:e}");
    let spread = f64::sqrt(changed / norm);
    assert!(spread > 0.1, "it hardly spread: {spread:e}");
}

#[test]
fn light_that_reaches_the_edge_is_absorbed_and_told_of() {
    // After 30 mm a waist of 20 µm has become one of 380 µm, in a tube of 500.
    let case = weak(|map| {
        map.insert("length_m".to_owned(), json!(0.03));
        map.insert("waist_m".to_owned(), json!(20e-6));
        map.insert("nodes".to_owned(), json!(64));
        map.insert("fixed_steps".to_owned(), json!(60));
    });
    let (engine, state) = end(&case);
    let lost_j = case.energy_j(&case.launch) - case.energy_j(&state);
    let edge_j = engine.edge_energy_j().unwrap();
    // The windows in time and frequency take next to nothing of this pulse.
    assert!(
        (edge_j / lost_j - 1.0).abs() < 1e-6,
        "{edge_j:e} {lost_j:e}"
    );
    // Of a Gaussian beam, exp(-2 (0.9 R / w)²) = 0.06 is beyond the edge there.
    let part = edge_j / case.energy_j(&case.launch);
    assert!((0.01..0.3).contains(&part), "{part}");
    let nodes = at_nodes(&case, &state);
    let energy = |node: &[Complex64]| node.iter().map(Complex64::norm_sqr).sum::<f64>();
    let last = energy(&nodes[63]) / energy(&nodes[0]);
    assert!(last < 1e-4, "{last:e}");
}

#[test]
fn what_is_seen_at_the_nodes_is_the_beam() {
    let case = weak(|_| {});
    let mut engine = Reference::guided(case.problem(), &integration(&case)).unwrap();
    engine.set_state(0.0, &case.launch).unwrap();
    assert_eq!(engine.nodes(), 256);
    let (mut fluence, mut peak) = (vec![f64::NAN; 256], vec![f64::NAN; 256]);
    engine
        .observe_nodes(0.0, Some(&mut fluence), Some(&mut peak))
        .unwrap();
    let square_v2_m2 = |w_m2: f64| 2.0 * w_m2 / (8.854_187_8e-12 * SPEED_OF_LIGHT);
    let area = PI * 1e-8 / 2.0;
    let (energy, power) = (1e-12 / area, case.pulse.peak_power_w / area);
    let radii = case.free_space.as_ref().unwrap().radii_m();
    for ((r, fluence), peak) in radii.zip(&fluence).zip(&peak) {
        let profile = (-2.0 * (r / 1e-4).powi(2)).exp();
        for (found, on_axis) in [(fluence, energy), (peak, power)] {
            let expected = square_v2_m2(on_axis) * profile;
            let apart = (found - expected).abs() / square_v2_m2(on_axis);
            assert!(apart < 1e-6, "{r:e}: {found:e} {expected:e}");
        }
    }
    // It is no observation, and the arrays must have their length.
    assert_eq!(engine.counts().unwrap().observations, 0);
    let error = engine.observe_nodes(0.0, None, Some(&mut peak[..3]));
    assert!(error.unwrap_err().to_string().contains("3 values"));
}

#[test]
fn both_engines_see_the_same_at_the_nodes_and_at_the_edge() {
    // Wide enough for the edge to take some of it from the start.
    let case = case("radial_filament_256", Size::Smoke, |map| {
        map.insert("waist_m".to_owned(), json!(250e-6));
        map.insert("nodes".to_owned(), json!(64));
        map["pulse"]["energy_j"] = json!(1e-3);
        map.insert("fixed_steps".to_owned(), json!(6));
    });
    let integration = integration(&case);
    let native = Propagation::guided(&load(), case.problem(), &integration, 2, None).unwrap();
    let reference = Reference::guided(case.problem(), &integration).unwrap();
    let engines: [Box<dyn Engine>; 2] = [Box::new(native), Box::new(reference)];
    let [a, b] = engines.map(|mut engine| {
        engine.set_state(0.0, &case.launch).unwrap();
        engine.advance(case.length_m, STEPS_MAX).unwrap();
        // Inside the last step.
        let z_m = 0.95 * case.length_m;
        let (mut fluence, mut peak) = (vec![f64::NAN; 64], vec![f64::NAN; 64]);
        engine
            .observe_nodes(z_m, Some(&mut fluence), Some(&mut peak))
            .unwrap();
        assert_eq!(engine.nodes(), 64);
        (engine.edge_energy_j().unwrap(), fluence, peak)
    });
    assert!(b.0 > 1e-6 * 1e-3, "the edge took {:e} J", b.0);
    assert!((a.0 / b.0 - 1.0).abs() < 1e-9, "{:e} {:e}", a.0, b.0);
    for (a, b) in [(&a.1, &b.1), (&a.2, &b.2)] {
        for (node, (a, b)) in a.iter().zip(b).enumerate() {
            assert!((a / b - 1.0).abs() < 1e-9, "{node}: {a:e} {b:e}");
        }
    }
}
