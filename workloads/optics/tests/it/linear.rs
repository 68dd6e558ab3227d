//! Cases with an exact solution: dispersion alone, the Kerr effect alone, nothing at all.

use std::f64::consts::LN_2;

use longrun_optics::engine::Engine;
use longrun_optics::fourier::{Complex64, inverse_of};
use longrun_optics::gnlse::{Gnlse, Noise};
use longrun_optics::witness::relative_l2;
use serde_json::{Value, json};

use crate::library::engine;
use crate::registry::set_up;

/// A Gaussian pulse on 1024 points without windows; `extra` replaces keys.
fn case(extra: &Value) -> Gnlse {
    let mut value = json!({
        "fibre": {"gamma_per_w_m": 0.0, "dispersion_s_per_m": [-1e-26]},
        "raman": "none", "raman_fraction": 0.0, "shock": false,
        "pulse": {"shape": "gauss", "fwhm_s": 100e-15, "peak_power_w": 100.0},
        "wavelength_m": 835e-9, "points": 1024, "window_s": 2.2e-12, "absorb": false,
        "length_m": 0.5, "planes": 2
    });
    let map = value.as_object_mut().unwrap();
    map.extend(extra.as_object().unwrap().clone());
    set_up(map, Noise::None)
}

fn run(case: &Gnlse, stepper: &str) -> Vec<Complex64> {
    let mut engine = engine(case, stepper);
    let mut state = case.launch.clone();
    engine.set_state(0.0, &state).unwrap();
    let z_m = engine.advance(case.length_m, 100_000).unwrap();
    assert!(
        (z_m - case.length_m).abs() <= 1e-15 * case.length_m,
        "{z_m}"
    );
    engine.get_state(&mut state).unwrap();
    state
}

#[test]
fn without_a_source_the_state_gains_the_phase_of_the_linear_operator_exactly() {
    let fibre = json!({"gamma_per_w_m": 0.0, "dispersion_s_per_m": [-1e-26, 8e-41],
                       "loss_per_m": 0.7});
    for (stepper, extra) in [
        ("rk", json!({"fibre": fibre})),
        ("multistep", json!({"fibre": fibre})),
        ("multistep-interaction", json!({"fibre": fibre})),
        ("rk4ip", json!({"fibre": fibre, "fixed_steps": 7})),
    ] {
        let case = case(&extra);
        let linear = case.problem().linear;
        let exact: Vec<Complex64> = case
            .launch
            .iter()
            .zip(&linear)
            .map(|(value, l)| value * (l * case.length_m).exp())
            .collect();
        let error = relative_l2(&run(&case, stepper), &exact).unwrap();
        assert!(error < 1e-13, "{stepper}: {error:e}");
    }
}

#[test]
fn a_gaussian_pulse_spreads_as_dispersion_demands() {
    let case = case(&json!({}));
    let mut engine = engine(&case, "rk");
    engine.set_state(0.0, &case.launch).unwrap();
    let before = engine.observe(0.0, None).unwrap().rms_duration_s;
    engine.advance(case.length_m, 100_000).unwrap();
    let after = engine.observe(case.length_m, None).unwrap().rms_duration_s;
    let stretch = 4.0 * LN_2 * 1e-26 * case.length_m / (100e-15_f64 * 100e-15);
    let expected = (1.0 + stretch * stretch).sqrt();
    assert!(
        (after / before / expected - 1.0).abs() < 1e-6,
        "{}",
        after / before
    );
}

#[test]
fn the_kerr_effect_alone_turns_the_phase_by_the_power() {
    let fibre = json!({"gamma_per_w_m": 0.1, "dispersion_s_per_m": []});
    let case = case(&json!({"fibre": fibre, "rtol": 1e-12}));
    let launch = inverse_of(&case.launch);
    let turned: Vec<Complex64> = launch
        .iter()
        .map(|a| a * Complex64::cis(-0.1 * a.norm_sqr() * case.length_m))
        .collect();
    let error = relative_l2(&inverse_of(&run(&case, "rk")), &turned).unwrap();
    assert!(error < 1e-9, "{error:e}");
}

#[test]
fn the_spectrum_of_self_phase_modulation_has_one_peak_for_every_pi_of_phase() {
    // A phase of 3.5 pi, at which the spectrum has four peaks.
    let power = 3.5 * std::f64::consts::PI / (0.1 * 0.5);
    let fibre = json!({"gamma_per_w_m": 0.1, "dispersion_s_per_m": []});
    let pulse = json!({"shape": "gauss", "fwhm_s": 100e-15, "peak_power_w": power});
    let case = case(&json!({"fibre": fibre, "pulse": pulse}));
    let end = run(&case, "rk");
    let half = end.len() / 2;
    let ordered: Vec<f64> = end[half..]
        .iter()
        .chain(&end[..half])
        .map(Complex64::norm_sqr)
        .collect();
    let floor = 0.1 * ordered.iter().copied().fold(0.0, f64::max);
    let is_peak = |w: &&[f64]| w[1] > w[0] && w[1] >= w[2] && w[1] > floor;
    assert_eq!(ordered.windows(3).filter(is_peak).count(), 4);
}

#[test]
fn step_counts_and_source_evaluations_agree() {
    let fibre = json!({"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26]});
    let controlled = case(&json!({"fibre": fibre}));
    let mut propagation = engine(&controlled, "rk");
    propagation.set_state(0.0, &controlled.launch).unwrap();
    propagation.advance(controlled.length_m, 100_000).unwrap();
    let counts = propagation.counts().unwrap();
    assert_eq!(
        counts.evaluations,
        1 + 6 * (counts.accepted + counts.rejected)
    );
    let steps = propagation.steps_m().unwrap();
    assert_eq!(steps.len() as u64, counts.accepted);
    assert!((steps.iter().sum::<f64>() / controlled.length_m - 1.0).abs() < 1e-12);
    assert_eq!((counts.absorptions, counts.absorb_ns), (0, 0));

    let fixed = case(&json!({"fibre": fibre, "fixed_steps": 25}));
    let mut propagation = engine(&fixed, "rk4ip");
    propagation.set_state(0.0, &fixed.launch).unwrap();
    propagation.advance(fixed.length_m, 100_000).unwrap();
    let counts = propagation.counts().unwrap();
    assert_eq!(
        (counts.accepted, counts.rejected, counts.evaluations),
        (25, 0, 100)
    );
}
