//! The Raman effect of hydrogen, from its parameters to the sign of what a weak pulse gains.

use serde_json::json;

use super::*;
use crate::gnlse::Noise;
use crate::guided::Guided as Case;
use crate::guided::parameters::{Interface, Parameters};

/// A pulse of 200 fs in hydrogen that only turns, as an envelope.
fn pumped() -> Case {
    let map = json!({
        "field": "envelope", "gas": "hydrogen", "pressure_pa": 1e6, "core_radius_m": 13e-6,
        "loss": false, "raman": "rotation",
        "pulse": {"shape": "gauss", "fwhm_s": 200e-15, "energy_j": 1e-6},
        "wavelength_m": 800e-9, "wavelength_limits_m": [500e-9, 2e-6],
        "window_s": 2e-12, "length_m": 0.1, "planes": 2
    });
    let parameters = Parameters::read(Interface::Capillary, map.as_object().unwrap());
    Case::new(&parameters.unwrap(), Noise::None).unwrap()
}

/// What a copy of the pump that is a thousand times weaker, and this many THz away, gains per metre
/// of its own energy.
fn gain(case: &Case, shift_thz: f64) -> f64 {
    let problem = case.problem();
    let window_s = problem.points as f64 * problem.time_step_s;
    let points = i64::try_from(problem.points).unwrap();
    let shift = (shift_thz * 1e12 * window_s).round() as i64;
    let moved = |k: i64| case.launch[usize::try_from((k - shift).rem_euclid(points)).unwrap()];
    let both = (0_i64..).zip(&case.launch);
    let both: Vec<Complex64> = both.map(|(k, pump)| pump + 1e-3 * moved(k)).collect();
    let slope = slope(problem, 0.0, &both);
    let seed = problem.carrier_rad_s + TAU * shift as f64 / window_s;
    let (mut energy, mut growth) = (0.0, 0.0);
    for ((value, slope), omega) in both.iter().zip(&slope).zip(&problem.omega) {
        // Two bandwidths: the pump is far.
        if (omega - seed).abs() < TAU * 4.4e12 {
            energy += value.norm_sqr();
            growth += 2.0 * (value.conj() * slope).re;
        }
    }
    growth / energy
}

#[test]
fn light_a_rotation_below_the_pump_is_amplified_and_light_above_is_absorbed() {
    let case = pumped();
    // The strongest line, from the first to the third level.
    let (below, above) = (gain(&case, -17.45), gain(&case, 17.45));
    assert!(below > 0.0, "{below}");
    assert!(
        (-2.0..-0.5).contains(&(above / below)),
        "{above} and {below}"
    );
    // Between two lines there is little to gain.
    let between = gain(&case, -21.0);
    assert!(between.abs() < 0.3 * below, "{between} and {below}");
}
