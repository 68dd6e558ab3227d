//! Free space around an axis: the operator of plane waves at an angle, and a beam among them.

use super::*;
use crate::guide::hankel::HankelModes;
use crate::medium::gas::Gas;

const RADIUS_M: f64 = 0.5e-3;
const WAIST_M: f64 = 100e-6;
const DENSITY_BAR: f64 = 5e5;

/// The beam of the tracked case on a short window and with few nodes; `extra` replaces keys.
fn beam(extra: &Value) -> Value {
    let mut value = json!({
        "gas": "argon", "pressure_pa": DENSITY_BAR, "radius_m": RADIUS_M, "nodes": 48,
        "waist_m": WAIST_M,
        "pulse": {"shape": "gauss", "fwhm_s": 35e-15, "energy_j": 180e-6},
        "wavelength_m": 800e-9, "wavelength_limits_m": [300e-9, 3e-6],
        "window_s": 150e-15, "length_m": 0.03, "planes": 11
    });
    let map = value.as_object_mut().unwrap();
    map.extend(extra.as_object().unwrap().clone());
    value
}

fn radial(extra: &Value) -> Guided {
    try_set_up(Interface::Radial, &beam(extra), Noise::None).unwrap()
}

/// Index and, by a difference, `d(n w / c) / dw` of the gas.
fn gas(omega: f64) -> (f64, f64) {
    let density = Gas::Argon.density_per_m3(DENSITY_BAR, 293.15).unwrap();
    let argon = Gas::Argon.dispersion(Gas::Argon.formula()).unwrap();
    let index = |omega: f64| argon.index(omega, density).unwrap();
    let step = 1e-4 * omega;
    let wave = |omega: f64| omega * index(omega) / SPEED_OF_LIGHT;
    let slope = (wave(omega + step) - wave(omega - step)) / (2.0 * step);
    (index(omega), slope)
}

#[test]
fn every_array_has_the_length_that_modes_and_nodes_imply() {
    for extra in [
        json!({}),
        json!({"ionisation": "ppt"}),
        json!({"absorb": false}),
    ] {
        let case = radial(&extra);
        let problem = case.problem();
        assert_eq!(problem.check_lengths(), Ok(()), "{extra}");
        assert_eq!((problem.modes, problem.nodes), (48, 48));
        assert_eq!(problem.field, FieldKind::Real);
        assert_eq!(case.launch.len(), problem.state_len());
        assert_eq!(case.free_space.as_ref().map(HankelModes::count), Some(48));
    }
}

#[test]
fn modes_come_back_from_the_nodes_as_they_were() {
    let case = radial(&json!({}));
    let problem = case.problem();
    let modes = problem.modes;
    for (m, row) in problem.projection.chunks_exact(problem.nodes).enumerate() {
        for n in 0..modes {
            let column = problem.synthesis.chunks_exact(modes).map(|row| row[n]);
            let product: f64 = row.iter().zip(column).map(|(w, e)| w * e).sum();
            // The square of a field in one watt.
            let power = 0.5 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * product;
            let expected = f64::from(u8::from(m == n));
            assert!((power - expected).abs() < 1e-8, "{m} {n}: {power}");
        }
    }
}

#[test]
fn the_launch_is_a_gaussian_beam_of_the_energy_that_is_asked_for() {
    let case = radial(&json!({}));
    let energy = case.energy_j(&case.launch);
    assert!((energy / 180e-6 - 1.0).abs() < 1e-13, "{energy:e}");
    // The field at the nodes at t = 0, of which the square of the envelope is 2 I / (eps0 c).
    let problem = case.problem();
    let peak: Vec<f64> = case
        .launch
        .chunks_exact(problem.bins())
        .map(|spectrum| case.grid.amplitude(spectrum)[problem.points / 2].re)
        .collect();
    let area = std::f64::consts::PI * WAIST_M * WAIST_M / 2.0;
    let intensity = case.pulse.peak_power_w / area;
    let on_axis = (2.0 * intensity / (VACUUM_PERMITTIVITY * SPEED_OF_LIGHT)).sqrt();
    let rows = problem.synthesis.chunks_exact(problem.modes);
    let radii = case.free_space.as_ref().unwrap().radii_m();
    for (row, r) in rows.zip(radii) {
        let found: f64 = row.iter().zip(&peak).map(|(e, a)| e * a).sum();
        let expected = on_axis * (-(r / WAIST_M).powi(2)).exp();
        // What the window over 150 fs cuts off is given back to the rest of the pulse.
        assert!(
            (found - expected).abs() < 1e-6 * on_axis,
            "{r:e}: {found:e} {expected:e}"
        );
    }
}

#[test]
fn each_mode_is_a_plane_wave_at_its_angle() {
    let case = radial(&json!({"absorb": false}));
    let problem = case.problem();
    let (_, slope) = gas(case.grid.carrier());
    let free_space = case.free_space.as_ref().unwrap();
    let bins = problem.bins();
    let mut travelling = 0;
    for (mode, transverse) in free_space.wavenumbers_per_m().enumerate() {
        for (bin, omega) in problem.omega.iter().copied().enumerate() {
            let (rate, source) = (
                fixed(problem)[mode * bins + bin],
                problem.source[mode * bins + bin],
            );
            if omega == 0.0 {
                assert_eq!((rate.norm(), source.norm()), (0.0, 0.0));
                continue;
            }
            let wave = gas(omega).0 * omega / SPEED_OF_LIGHT;
            let along = (wave * wave - transverse * transverse).sqrt();
            // Rounding of k_z, some 1e7 rad/m, and of the difference that gives the slope.
            let phase = along - slope * omega;
            assert!(
                rate.re == 0.0 && (rate.im + phase).abs() < 1e-2,
                "{mode} {bin}"
            );
            let strength = 0.25 * omega * omega / (SPEED_OF_LIGHT * along);
            assert!((-source.im / strength - 1.0).abs() < 1e-9, "{mode} {bin}");
            travelling += 1;
        }
    }
    assert_eq!(travelling, 48 * case.valid_points());
}

#[test]
fn what_does_not_travel_decays_and_has_no_source() {
    // Modes end at 50 rad per µm: light of less than 8 in the gas has no such angle.
    let narrow = json!({"radius_m": 5e-6, "waist_m": 1e-6, "nodes": 80});
    let case = radial(&narrow);
    let problem = case.problem();
    let bin = problem.carrier_shift.as_ref().unwrap().bin;
    let omega = problem.omega[bin];
    let wave = gas(omega).0 * omega / SPEED_OF_LIGHT;
    let (_, slope) = gas(case.grid.carrier());
    let free_space = case.free_space.as_ref().unwrap();
    let (mut decaying, mut grazing) = (0, 0);
    for (mode, transverse) in free_space.wavenumbers_per_m().enumerate() {
        let index = mode * problem.bins() + bin;
        let (rate, source) = (fixed(problem)[index], problem.source[index]);
        if transverse > wave {
            decaying += 1;
            let decay = (transverse * transverse - wave * wave).sqrt().min(200.0);
            assert!((rate.re + decay).abs() < 1e-6 * decay, "{mode}: {rate}");
            assert!((rate.im / (slope * omega) - 1.0).abs() < 1e-9, "{mode}");
            assert_eq!(source.norm(), 0.0);
        } else {
            let along = (wave * wave - transverse * transverse).sqrt();
            grazing += usize::from(along < 0.01 * wave);
            let bound = 0.25 * omega * omega / (SPEED_OF_LIGHT * 0.01 * wave);
            assert!(rate.re == 0.0 && -source.im <= bound, "{mode}: {source}");
        }
    }
    assert!(decaying > 50 && grazing == 0, "{decaying} {grazing}");
}

#[test]
fn light_near_the_tube_is_absorbed_and_the_launch_is_not() {
    let case = radial(&json!({"nodes": 256}));
    let free_space = case.free_space.as_ref().unwrap();
    let windows = case.problem().windows.as_ref().unwrap();
    let window = windows.nodes.as_ref().unwrap();
    let radii: Vec<f64> = free_space.radii_m().collect();
    assert!(window.is_sorted_by(|a, b| a >= b), "{window:?}");
    for (r, window) in radii.iter().zip(window) {
        // The taper begins so gently that it is 1 to rounding for a while.
        assert!(*r > 0.9 * RADIUS_M || *window == 1.0, "{r:e}: {window}");
        assert!(*r < 0.92 * RADIUS_M || *window < 1.0, "{r:e}: {window}");
        assert!((0.0..=1.0).contains(window));
    }
    assert!(*window.last().unwrap() < 0.01);
    // Over one length of the windows, in full.
    let beam = |(r, area): (f64, f64)| area * (-2.0 * (r / WAIST_M).powi(2)).exp();
    let energies: Vec<f64> = free_space.rule().into_iter().map(beam).collect();
    let lost = energies.iter().zip(window).map(|(e, w)| e * (1.0 - w * w));
    let lost = lost.sum::<f64>() / energies.iter().sum::<f64>();
    assert!(lost < 1e-17, "{lost:e}");
    let bare = radial(&json!({"absorb": false}));
    assert!(bare.problem().windows.is_none());
}

#[test]
fn the_rule_is_fine_enough_for_the_beam_and_what_it_ionises() {
    let error = |extra: &Value| radial(extra).transverse_error.unwrap();
    assert!(error(&json!({})) < 1e-9, "{:e}", error(&json!({})));
    let coarse = error(&json!({"nodes": 12}));
    assert!(coarse > 1e-6, "{coarse:e}");
    let ionised = error(&json!({"ionisation": "ppt"}));
    assert!((1e-12..1e-1).contains(&ionised), "{ionised:e}");
}

#[test]
fn what_free_space_cannot_have_is_refused_with_its_reason() {
    for (extra, named) in [
        (json!({"pressure_pa": 1e8}), "`argon` at 1.000e8 Pa"),
        (
            json!({"wavelength_limits_m": [90e-9, 3e-6]}),
            "`argon` at a wavelength of",
        ),
        (
            json!({"gas": "hydrogen", "ionisation": "ppt"}),
            "use the ADK rate",
        ),
        (
            json!({"ionisation": "ppt",
                   "pulse": {"shape": "gauss", "fwhm_s": 35e-15, "energy_j": 0.18}}),
            "at z = 0 m",
        ),
    ] {
        let refused = try_set_up(Interface::Radial, &beam(&extra), Noise::None);
        let message = refused.unwrap_err();
        assert!(message.contains(named), "{extra}: {message}");
        assert!(message.contains("interface `radial`"), "{message}");
    }
    let noise = Noise::Input { seed: 1 };
    let refused = try_set_up(Interface::Radial, &beam(&json!({})), noise);
    let message = refused.unwrap_err();
    assert!(message.contains("give `none`"), "{message}");
}
