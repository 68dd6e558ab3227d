//! What whole propagations must come to: the oracles of the tracked cases at size `smoke`, and
//! two published solutions.

use longrun_optics::engine::Engine;
use longrun_optics::fourier::{Complex64, inverse_of};
use longrun_optics::gnlse::{Gnlse, Noise};
use longrun_optics::oracle::{
    SolitonRecovery, energy_j, photon_number, power_peaks_s, ratio, soliton_recovery,
    strongest_below,
};
use longrun_protocol::Size;
use serde_json::json;

use crate::library::engine;
use crate::registry::{case, parameters, set_up};

/// More steps than any of these runs takes.
const STEPS_MAX: i64 = 1_000_000;

fn run_to(case: &Gnlse, stepper: &str, fraction: f64) -> Vec<Complex64> {
    let mut engine = engine(case, stepper);
    let mut state = case.launch.clone();
    engine.set_state(0.0, &state).unwrap();
    engine.advance(fraction * case.length_m, STEPS_MAX).unwrap();
    engine.get_state(&mut state).unwrap();
    state
}

fn energy_ratio(case: &Gnlse, end: &[Complex64]) -> f64 {
    ratio(
        energy_j(&case.grid, end),
        energy_j(&case.grid, &case.launch),
    )
    .unwrap()
}

fn photon_ratio(case: &Gnlse, end: &[Complex64]) -> f64 {
    let launched = photon_number(&case.grid, &case.launch);
    ratio(photon_number(&case.grid, end), launched).unwrap()
}

fn assert_recovered(case: &Gnlse, end: &[Complex64]) -> SolitonRecovery {
    let recovery = soliton_recovery(&case.launch, end).unwrap();
    assert!(recovery.power <= 1e-3, "{recovery:?}");
    assert!(recovery.spectrum <= 1e-2, "{recovery:?}");
    assert!(recovery.field <= 1e-2, "{recovery:?}");
    recovery
}

#[test]
fn the_supercontinuum_keeps_its_photons_and_loses_energy_to_the_raman_effect() {
    let case = case("gnlse_raman_shock", Size::Smoke);
    let end = run_to(&case, "rk", 1.0);
    let photons = photon_ratio(&case, &end);
    assert!((photons - 1.0).abs() < 1e-4, "{photons}");
    let energy = energy_ratio(&case, &end);
    assert!(energy < 0.9999 && energy > 0.9, "{energy}");
}

#[test]
fn the_soliton_of_order_three_is_itself_again_after_one_period() {
    let case = set_up(&parameters("gnlse_soliton", Size::Smoke), Noise::None);
    let end = run_to(&case, "rk", 1.0);
    let energy = energy_ratio(&case, &end);
    assert_recovered(&case, &end);
    // The window is so short that the tails of the pulse reach the absorber.
    let tails = 1.0 - (case.parameters().window_s / 2.0 / case.pulse.tau_s).tanh();
    assert!(
        energy <= 1.0 && 1.0 - energy < tails,
        "{energy}, {tails:e} in the tails"
    );
}

#[test]
fn without_windows_the_soliton_keeps_its_energy() {
    let mut map = parameters("gnlse_soliton", Size::Smoke);
    map.insert("absorb".into(), json!(false));
    let case = set_up(&map, Noise::None);
    let energy = energy_ratio(&case, &run_to(&case, "rk", 1.0));
    assert!((energy - 1.0).abs() < 1e-6, "{energy}");
}

#[test]
fn one_photon_per_mode_is_all_that_parts_the_noisy_soliton_from_its_launch() {
    let noisy = case("gnlse_soliton_noise", Size::Smoke);
    let end = run_to(&noisy, "rk", 1.0);
    let recovery = soliton_recovery(&noisy.launch, &end).unwrap();
    // Noise of mean power p under a sech pulse of peak power P gives the power over time a
    // relative L2 error of sqrt(3 p / P), whatever propagates it.
    let pure = set_up(&parameters("gnlse_soliton", Size::Smoke), Noise::None);
    let noise: Vec<Complex64> = noisy
        .launch
        .iter()
        .zip(&pure.launch)
        .map(|(a, b)| a - b)
        .collect();
    let power = energy_j(&noisy.grid, &noise) / noisy.grid.window_s();
    let expected = (3.0 * power / noisy.pulse.peak_power_w).sqrt();
    assert!(recovery.power < 2.0 * expected, "{recovery:?}, {expected}");
}

#[test]
fn the_soliton_of_order_three_is_split_in_the_middle_of_its_period() {
    let case = case("gnlse_soliton", Size::Smoke);
    let middle = run_to(&case, "rk", 0.5);
    let peaks = power_peaks_s(&case.grid, &middle, 0.5);
    assert_eq!(peaks.len(), 2, "{peaks:?}");
    assert!((peaks[0] + peaks[1]).abs() < 2.0 * case.grid.time_step_s());
}

#[test]
fn the_soliton_of_order_three_is_first_compressed_to_six_times_its_power() {
    let case = case("gnlse_soliton", Size::Smoke);
    let mut engine = engine(&case, "rk");
    engine.set_state(0.0, &case.launch).unwrap();
    let z_m = 0.24 * case.length_m;
    engine.advance(z_m, STEPS_MAX).unwrap();
    let peak = engine.observe(z_m, None).unwrap().peak_power_w;
    let gain = peak / case.pulse.peak_power_w;
    assert!((gain - 6.17).abs() < 0.1, "{gain}");
}

#[test]
fn a_fixed_schedule_recovers_the_soliton_too() {
    let case = case("gnlse_soliton_fixed", Size::Smoke);
    assert_recovered(&case, &run_to(&case, "rk4ip", 1.0));
}

#[test]
fn the_steps_do_not_depend_on_the_planes_and_a_repeat_is_bitwise_the_same() {
    let case = case("gnlse_raman_shock", Size::Smoke);
    let direct = run_to(&case, "rk", 1.0);
    let mut engine = engine(&case, "rk");
    let mut state = case.launch.clone();
    for _ in 0..2 {
        engine.set_state(0.0, &case.launch).unwrap();
        for plane in 0..=20 {
            let z_m = case.length_m * f64::from(plane) / 20.0;
            engine.advance(z_m, STEPS_MAX).unwrap();
            engine.observe(z_m, None).unwrap();
        }
        engine.get_state(&mut state).unwrap();
        assert_eq!(state, direct);
    }
}

#[test]
fn the_raman_effect_shifts_a_fundamental_soliton_to_the_published_frequency_and_delay() {
    let map = json!({
        "fibre": {"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26]},
        "raman": "blow_wood", "raman_fraction": 0.18, "shock": false,
        "pulse": {"shape": "sech", "tau_s": 10e-15, "soliton_order": 1.0},
        "wavelength_m": 835e-9, "wavelength_limits_m": [450e-9, 8000e-9],
        "window_s": 13e-12, "soliton_periods": 90.0, "planes": 2, "rtol": 1e-6,
        "raman_spectrum": "continuous"
    });
    let case = set_up(map.as_object().unwrap(), Noise::None);
    assert!((case.length_m - 1.414).abs() < 5e-4);
    let end = run_to(&case, "rk", 1.0);
    let omega = strongest_below(&case.grid, &end, f64::INFINITY).unwrap();
    let field = inverse_of(&end);
    let strongest = |(_, a): &(f64, f64), (_, b): &(f64, f64)| a.total_cmp(b);
    let powers = field.iter().map(Complex64::norm_sqr);
    let (time, _) = case.grid.times().zip(powers).max_by(strongest).unwrap();
    // One bin or sample, and half of the last digit that was published.
    let off = (omega - 1.3975e15).abs();
    assert!(
        off <= case.grid.frequency_step() + 0.5e11,
        "{omega:e} rad/s"
    );
    let late = (time - 6.080e-12).abs();
    assert!(late <= case.grid.time_step_s() + 0.5e-15, "{time:e} s");
}
