//! Guided cases with the native library, over guides that the reference would take long for: what
//! independent prototypes found, and what the equations cannot do.

use longrun_optics::engine::Engine;
use longrun_optics::fourier::Complex64;
use longrun_optics::guided::Guided;
use longrun_optics::native::Propagation;
use longrun_optics::steppers::{Asked, Integration};
use longrun_protocol::Size;
use longrun_protocol::request::Parameters as Map;
use serde_json::{Value, json};

use crate::library::load;
use crate::limits::{case, centroid_nm, photon_nm};

/// More steps than any of these runs takes.
const STEPS_MAX: i64 = 1_000_000;

/// Changes of parameters: `null` takes a key away.
fn changes(changed: &Value) -> impl Fn(&mut Map) {
    move |map| {
        for (key, value) in changed.as_object().unwrap() {
            match value {
                Value::Null => map.remove(key),
                value => map.insert(key.clone(), value.clone()),
            };
        }
    }
}

/// The end of a whole case.
fn end(case: &Guided) -> Vec<Complex64> {
    let asked = Asked {
        stepper: "rk",
        length: 1.0,
        replay: None,
    };
    let integration = Integration::resolve(case, asked).unwrap();
    let problem = case.problem();
    let mut engine = Propagation::guided(&load(), problem, &integration, 1, None).unwrap();
    let mut state = case.launch.clone();
    engine.set_state(0.0, &state).unwrap();
    engine.advance(case.length_m, STEPS_MAX).unwrap();
    engine.get_state(&mut state).unwrap();
    state
}

/// The energy left of the launch.
fn left(case: &Guided, end: &[Complex64]) -> f64 {
    case.energy_j(end) / case.energy_j(&case.launch)
}

#[test]
fn field_and_envelope_in_argon_shift_alike_and_a_resolved_mode_further() {
    // The grids of size `quick`, over the whole guide.
    let whole = json!({"length_m": 0.2});
    let of = |name: &str| case(name, Size::Quick, changes(&whole));
    let averaged = of("argon_blueshift_averaged");
    let ended = end(&averaged);
    let field_nm = centroid_nm(&averaged, &ended);
    // By an independent prototype.
    assert!((field_nm - 771.0).abs() < 3.0, "{field_nm}");
    let energy = left(&averaged, &ended);
    assert!((energy - 0.872).abs() < 0.01, "{energy}");
    let envelope = of("argon_blueshift_envelope");
    let envelope_nm = centroid_nm(&envelope, &end(&envelope));
    assert!(
        (field_nm - envelope_nm).abs() < 10.0,
        "{field_nm} and {envelope_nm}"
    );
    let resolved = of("argon_blueshift");
    let resolved_nm = centroid_nm(&resolved, &end(&resolved));
    assert!(resolved_nm < field_nm - 1.0, "{resolved_nm} and {field_nm}");
}

#[test]
fn a_real_field_that_ionises_nothing_stays_where_it_is() {
    let bound = json!({"length_m": 0.2, "ionisation": "none"});
    let case = case("argon_blueshift_averaged", Size::Quick, changes(&bound));
    let ended = end(&case);
    let moved = photon_nm(&case, &ended) - photon_nm(&case, &case.launch);
    assert!(moved.abs() < 2.0, "{moved}");
    let photons = case.photon_number(&ended) / case.photon_number(&case.launch);
    assert!((photons - 1.0).abs() < 1e-3, "{photons}");
}

#[test]
fn a_soliton_in_hydrogen_moves_to_the_red_and_loses_as_much_energy_as_its_photons() {
    // Half of the guide in a quarter of the window.
    let short = json!({"length_m": 0.2});
    let case = case("h2_raman_averaged", Size::Quick, changes(&short));
    let ended = end(&case);
    let photons = case.photon_number(&ended) / case.photon_number(&case.launch);
    assert!((photons - 1.0).abs() < 1e-3, "{photons}");
    let [launched_nm, red_nm] = [&case.launch, &ended].map(|state| photon_nm(&case, state));
    assert!(red_nm > launched_nm + 5.0, "{launched_nm} to {red_nm}");
    let energy = left(&case, &ended);
    let quantum = launched_nm / red_nm;
    assert!((energy - quantum).abs() < 1e-3, "{energy} and {quantum}");
}

#[test]
fn helium_leaves_no_more_energy_than_the_wall_alone_would() {
    let name = "he_rdw_averaged";
    let of = |changed: &Value| case(name, Size::Quick, changes(changed));
    let (gas, wall) = (
        of(&json!({})),
        of(&json!({"kerr": false, "ionisation": "none"})),
    );
    let (energy, linear) = (left(&gas, &end(&gas)), left(&wall, &end(&wall)));
    // 0.615 dB/m at 800 nm, and more at the long side of 7.5 fs.
    let carrier = 10_f64.powf(-0.0615 * 1.5);
    assert!(
        (0.95 * carrier..carrier).contains(&linear),
        "{linear} and {carrier}"
    );
    assert!(energy < linear, "{energy} and {linear}");
    assert!((energy - 0.69).abs() < 0.03, "{energy}");
}

#[test]
fn modes_of_hydrogen_without_delay_and_ionisation_pass_energy_on_and_keep_it() {
    let kerr = json!({
        "raman": null, "ionisation": "none", "absorb": false, "rtol": 1e-8,
        "launch_waist_m": 3.5e-6
    });
    let case = case("ctc", Size::Smoke, changes(&kerr));
    let ended = end(&case);
    // Three photons become one and one three: the energy stays, photons do not quite.
    let energy = left(&case, &ended);
    assert!((energy - 1.0).abs() < 1e-6, "{energy}");
    let share = |state: &[Complex64]| case.energies_j(state)[1] / case.energy_j(state);
    let (before, after) = (share(&case.launch), share(&ended));
    assert!((after - before).abs() > 1e-4, "{before} and {after}");
}
