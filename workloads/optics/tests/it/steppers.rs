//! What every stepper that controls its error must do, on problems with a known solution.

use longrun_optics::engine::Engine;
use longrun_optics::fourier::Complex64;
use longrun_optics::gnlse::{Gnlse, Noise};
use longrun_optics::oracle::soliton_recovery;
use longrun_optics::witness::relative_l2;
use longrun_protocol::Size;
use serde_json::{Value, json};

use crate::library::engine;
use crate::registry::{case, parameters, set_up};

/// More steps than any of these runs takes.
const STEPS_MAX: i64 = 1_000_000;

const CONTROLLED: [&str; 3] = ["rk", "multistep", "multistep-interaction"];

/// The soliton of the registry with other parameters.
fn soliton(extra: &Value) -> Gnlse {
    let mut map = parameters("gnlse_soliton", Size::Smoke);
    map.extend(extra.as_object().unwrap().clone());
    set_up(&map, Noise::None)
}

fn end_of(case: &Gnlse, stepper: &str) -> Vec<Complex64> {
    let mut engine = engine(case, stepper);
    let mut state = case.launch.clone();
    engine.set_state(0.0, &state).unwrap();
    engine.advance(case.length_m, STEPS_MAX).unwrap();
    engine.get_state(&mut state).unwrap();
    state
}

#[test]
fn a_breather_of_order_five_recovers_its_spectrum_after_two_periods_with_every_stepper() {
    // The normalised equation: 32 wide in time, 200 in frequency, two periods of pi/2.
    let time = 100e-15;
    let breather = soliton(&json!({
        "raman_fraction": 0.0,
        "pulse": {"shape": "sech", "tau_s": time, "soliton_order": 5.0},
        "points": 1024, "window_s": 32.0 * time, "absorb": false,
        "soliton_periods": 2.0, "rtol": 1e-8
    }));
    for stepper in CONTROLLED {
        let recovery = soliton_recovery(&breather.launch, &end_of(&breather, stepper)).unwrap();
        assert!(recovery.spectrum < 1e-3, "{stepper}: {recovery:?}");
    }
}

#[test]
fn the_global_error_of_every_stepper_follows_the_tolerance() {
    for stepper in CONTROLLED {
        let at = |rtol: f64| {
            let pulse = json!({"shape": "sech", "tau_s": 100e-15, "soliton_order": 2.0});
            let case = soliton(&json!({
                "rtol": rtol, "absorb": false, "soliton_periods": 0.25, "pulse": pulse
            }));
            end_of(&case, stepper)
        };
        let exact = at(1e-12);
        let error = |rtol: f64| relative_l2(&at(rtol), &exact).unwrap().log10();
        let errors = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9].map(error);
        assert!(errors.is_sorted_by(|a, b| a > b), "{stepper}: {errors:?}");
        let slope = (errors[1] - errors[4]) / 3.0;
        assert!((slope - 1.0).abs() < 0.3, "{stepper}: {slope}, {errors:?}");
    }
}

#[test]
fn the_supercontinuum_with_noise_and_windows_is_run_by_every_stepper() {
    let case = case("gnlse_raman_shock", Size::Smoke);
    for stepper in CONTROLLED {
        let mut engine = engine(&case, stepper);
        engine.set_state(0.0, &case.launch).unwrap();
        engine.advance(case.length_m, STEPS_MAX).unwrap();
        let counts = engine.counts().unwrap();
        let (accepted, rejected) = (counts.accepted, counts.rejected);
        let expected = match stepper {
            "rk" => 1 + 6 * (accepted + rejected),
            _ => 1 + 2 * accepted + rejected,
        };
        assert_eq!(counts.evaluations, expected, "{stepper}");
        // What is absorbed at every step must not look like an error of the step.
        assert!(rejected * 50 < accepted, "{stepper}: {counts:?}");
    }
}
