//! Cases set up whole: sizes, launch, prefactors, frames, and what is refused.

#![allow(clippy::unwrap_used, clippy::panic, clippy::float_cmp)]

mod radial;

use super::parameters::{Interface, Parameters};
use super::*;
use crate::constants::{HBAR, SPEED_OF_LIGHT, VACUUM_PERMITTIVITY};
use serde_json::{Value, json};

/// The argon guide on a short window; `extra` replaces keys, null removes them.
fn argon(extra: &Value) -> Value {
    let mut value = json!({
        "field": "real", "gas": "argon", "pressure_pa": 1.7e5, "core_radius_m": 13e-6,
        "loss": false,
        "pulse": {"shape": "gauss", "fwhm_s": 30e-15, "energy_j": 1.2e-6},
        "wavelength_m": 800e-9, "wavelength_limits_m": [200e-9, 4e-6],
        "window_s": 120e-15, "length_m": 0.2, "planes": 11
    });
    let map = value.as_object_mut().unwrap();
    map.extend(extra.as_object().unwrap().clone());
    map.retain(|_, value| !value.is_null());
    value
}

fn waveguide() -> Value {
    json!({
        "core_radius_m": 25e-6, "numerical_aperture": 0.2, "n2_m2_per_w": 2.7e-20,
        "raman": "blow_wood", "raman_fraction": 0.18, "modes": 4, "nodes": 8,
        "pulse": {"shape": "gauss", "fwhm_s": 100e-15, "energy_j": 60e-9},
        "launch_waist_m": 12e-6,
        "wavelength_m": 1550e-9, "wavelength_limits_m": [800e-9, 2600e-9],
        "window_s": 2e-12, "length_m": 0.02, "planes": 11
    })
}

fn try_set_up(interface: Interface, value: &Value, noise: Noise) -> Result<Guided, String> {
    let parameters = Parameters::read(interface, value.as_object().unwrap());
    let parameters = parameters.map_err(|error| error.to_string())?;
    Guided::new(&parameters, noise).map_err(|error| error.to_string())
}

fn capillary(extra: &Value) -> Guided {
    try_set_up(Interface::Capillary, &argon(extra), Noise::None).unwrap()
}

fn fixed(problem: &Problem) -> &[Complex64] {
    match &problem.linear {
        Linear::Fixed(values) => values,
        Linear::Gradient(_) => panic!("the operator is that of a gradient"),
    }
}

#[test]
fn every_array_has_the_length_that_the_sizes_imply() {
    for extra in [
        json!({}),
        json!({"field": "envelope"}),
        json!({"resolved": {"modes": 2, "nodes": 16}}),
        json!({"pressure_pa": null,
               "gradient": {"inlet_pa": 2e5, "outlet_pa": 0.0, "length_m": 0.2}}),
        json!({"ionisation": "adk"}),
        json!({"gas": "hydrogen", "raman": "both"}),
        json!({"absorb": false}),
    ] {
        let case = capillary(&extra);
        assert_eq!(case.problem().check_lengths(), Ok(()), "{extra}");
        assert_eq!(case.launch.len(), case.problem().state_len());
    }
    let case = try_set_up(Interface::Waveguide, &waveguide(), Noise::None).unwrap();
    assert_eq!(case.problem().check_lengths(), Ok(()));
    assert_eq!((case.problem().modes, case.problem().nodes), (4, 8));
}

#[test]
fn the_launch_has_the_energy_that_is_asked_for_on_either_grid() {
    for field in ["real", "envelope"] {
        let case = capillary(&json!({"field": field}));
        let energy = case.energy_j(&case.launch);
        assert!((energy / 1.2e-6 - 1.0).abs() < 1e-13, "{field}: {energy:e}");
        // All at the carrier, within the width of the pulse.
        let photons = case.photon_number(&case.launch);
        let mean = energy / photons / HBAR;
        assert!(
            (mean / case.grid.carrier() - 1.0).abs() < 0.01,
            "{field}: {mean:e}"
        );
        let peak = case.grid.amplitude(&case.launch)[case.grid.points() / 2].norm_sqr();
        assert!(
            (peak / case.pulse.peak_power_w - 1.0).abs() < 1e-6,
            "{field}"
        );
    }
}

#[test]
fn a_beam_is_shared_among_the_modes() {
    let resolved = json!({"modes": 4, "nodes": 24});
    let alone = capillary(&json!({"resolved": resolved}));
    let energies = alone.energies_j(&alone.launch);
    assert!((energies[0] / 1.2e-6 - 1.0).abs() < 1e-13 && energies[1..] == [0.0; 3]);

    let beam = capillary(&json!({"resolved": resolved, "launch_waist_m": 0.64 * 13e-6}));
    let energies = beam.energies_j(&beam.launch);
    assert!(
        (energies[0] / 1.2e-6 - 0.980_71).abs() < 1e-5,
        "{energies:?}"
    );
    assert!(
        (energies[1] / 1.2e-6 - 0.006_182_6).abs() < 1e-7,
        "{energies:?}"
    );

    let fibre = try_set_up(Interface::Waveguide, &waveguide(), Noise::None).unwrap();
    let energies = fibre.energies_j(&fibre.launch);
    for (energy, part) in energies.iter().zip([0.8398, 0.1346, 0.0216, 0.0035]) {
        assert!((energy / 60e-9 - part).abs() < 5e-5, "{energies:?}");
    }
}

#[test]
fn noise_is_one_photon_in_every_bin_of_every_mode() {
    let extra = json!({"resolved": {"modes": 2, "nodes": 16}});
    let value = argon(&extra);
    let noise = Noise::Input { seed: 3 };
    let noisy = try_set_up(Interface::Capillary, &value, noise).unwrap();
    let quiet = capillary(&extra);
    let pairs = noisy.launch.iter().zip(&quiet.launch);
    let difference: Vec<Complex64> = pairs.map(|(noisy, quiet)| noisy - quiet).collect();
    let photons = noisy.photon_number(&difference);
    let expected = 2.0 * noisy.valid_points() as f64;
    // The pulse has some 1e5 times the amplitude, and takes as many digits.
    assert!(
        (photons / expected - 1.0).abs() < 1e-8,
        "{photons} {expected}"
    );
}

#[test]
fn nothing_acts_outside_the_valid_set() {
    let case = capillary(&json!({"resolved": {"modes": 2, "nodes": 16}}));
    let problem = case.problem();
    let zero = Complex64::default();
    let bins = problem.bins();
    let mut outside = 0;
    for index in 0..problem.state_len() {
        if problem.omega[index % bins] == 0.0 {
            outside += 1;
            let values = [
                fixed(problem)[index],
                problem.source[index],
                case.launch[index],
            ];
            assert_eq!(values, [zero; 3]);
        }
    }
    assert_eq!(outside + 2 * case.valid_points(), problem.state_len());
    assert!(outside > 0);
}

#[test]
fn the_source_of_an_average_is_that_of_its_nonlinear_coefficient() {
    // With E = A / sqrt(eps0 c S / 2) and P = rho 3/4 eps0 gamma3 |E|² E, the source at the carrier
    // is -i gamma |A|² A with gamma = n2 w / (c S), but for the index squared.
    let case = capillary(&json!({"field": "envelope"}));
    let problem = case.problem();
    let Density::Constant(density) = problem.density else {
        panic!("the pressure is constant");
    };
    let cubed = problem.synthesis[0].powi(3) * problem.kerr * density;
    let found = problem.source[0] * cubed * problem.projection[0];
    let gamma3 = crate::medium::gas::Gas::Argon.gamma3();
    let n2 = crate::medium::nonlinear_index(density * gamma3, 1.0);
    let area = 1.497_168_951 * 13e-6 * 13e-6;
    let gamma = n2 * case.grid.carrier() / (SPEED_OF_LIGHT * area);
    assert!(
        found.re == 0.0 && (found.im / -gamma - 1.0).abs() < 1e-3,
        "{found}"
    );
    assert!((gamma / 4.42e-7 - 1.0).abs() < 5e-3, "{gamma:e}");
}

#[test]
fn a_resolved_mode_acts_on_itself_as_its_average_does() {
    // The Kerr effect of one mode is that of its effective area; the average has it by definition.
    let gamma = |case: &Guided| {
        let problem = case.problem();
        let bin = problem.carrier_shift.as_ref().unwrap().bin;
        let cubes = problem.synthesis.iter().map(|e| e.powi(3));
        let sum: f64 = cubes
            .zip(&problem.projection)
            .map(|(cube, w)| cube * w)
            .sum();
        problem.source[bin].im * sum
    };
    let averaged = gamma(&capillary(&json!({})));
    let resolved = gamma(&capillary(&json!({"resolved": {"modes": 1, "nodes": 48}})));
    // The source of the average is over its index, 1 - 1e-4 here.
    assert!(
        (averaged / resolved - 1.0).abs() < 1e-3,
        "{averaged:e} {resolved:e}"
    );
}

#[test]
fn a_waveguide_acts_as_its_nonlinear_index_says() {
    let mut value = waveguide();
    value["modes"] = json!(1);
    let case = try_set_up(Interface::Waveguide, &value, Noise::None).unwrap();
    let problem = case.problem();
    let quartic = problem.synthesis.iter().map(|e| e.powi(3));
    let sum: f64 = quartic
        .zip(&problem.projection)
        .map(|(cube, w)| cube * w)
        .sum();
    // One over the area pi w² of a Gaussian of waist 7.853 um.
    let waist = 7.853e-6_f64;
    assert!((sum * std::f64::consts::PI * waist * waist - 1.0).abs() < 1e-3);
    let gamma = 2.7e-20 * case.grid.carrier() / SPEED_OF_LIGHT * sum;
    assert!((problem.source[0].im * sum / -gamma - 1.0).abs() < 1e-12);
    // The two parts of the response are all of it.
    let delayed = problem.raman.as_ref().unwrap().values[0].re;
    assert!((problem.kerr + delayed - 1.0).abs() < 1e-12);
}

#[test]
fn the_frame_leaves_the_carrier_of_an_envelope_at_rest() {
    for case in [
        capillary(&json!({"field": "envelope"})),
        try_set_up(Interface::Waveguide, &waveguide(), Noise::None).unwrap(),
    ] {
        let problem = case.problem();
        let linear = fixed(problem);
        assert!(linear[0].norm() < 1e-8, "{}", linear[0]);
        // No slope: the two sides differ in third order only.
        let odd = (linear[1].im - linear[problem.bins() - 1].im).abs();
        let even = (linear[1].im + linear[problem.bins() - 1].im).abs();
        assert!(odd < 0.1 * even, "{odd:e} {even:e}");
        assert_eq!(problem.carrier_shift, None);
    }
}

#[test]
fn a_real_field_turns_with_its_carrier_and_three_times_as_fast_at_the_third_harmonic() {
    let case = capillary(&json!({}));
    let shift = case.problem().carrier_shift.as_ref().unwrap();
    let frequencies = case.grid.frequencies();
    let spacing = frequencies[1];
    assert!((frequencies[shift.bin] - case.grid.carrier()).abs() <= 0.5 * spacing);
    for (omega, harmonic) in frequencies.iter().zip(&shift.harmonic) {
        let ratio = omega / case.grid.carrier();
        let expected = match ratio {
            r if r < 2.0 => 1.0,
            r if r < 4.0 => 3.0,
            r if r < 6.0 => 5.0,
            _ => 7.0,
        };
        assert_eq!(*harmonic, expected, "{ratio}");
    }
    // The operator there is what the frame of a moving pulse leaves: 4411 rad/m (spec of the case).
    let turn = fixed(case.problem())[shift.bin].im.abs();
    assert!((turn - 4411.0).abs() < 50.0, "{turn}");
}

#[test]
fn a_gradient_of_equal_pressures_has_the_operator_of_that_pressure() {
    let constant = capillary(&json!({"loss": true}));
    let graded = capillary(&json!({
        "loss": true, "pressure_pa": null,
        "gradient": {"inlet_pa": 1.7e5, "outlet_pa": 1.7e5, "length_m": 0.2}
    }));
    let Linear::Gradient(gradient) = &graded.problem().linear else {
        panic!("there is a gradient");
    };
    let Density::Constant(density) = constant.problem().density else {
        panic!("the pressure is constant");
    };
    assert_eq!(graded.problem().density, Density::Gradient);
    // The law of the density, and the operator from the closed forms.
    let thermal = crate::constants::BOLTZMANN * gradient.temperature_k;
    let pressure = density * thermal * (1.0 + gradient.virial_m3 * density);
    assert!((pressure / gradient.inlet_pa - 1.0).abs() < 1e-12);
    let omega = &graded.problem().omega;
    let index = |chi: f64, waveguide: Complex64| (1.0 + density * chi - waveguide).sqrt();
    let carrier = graded.grid.carrier();
    let at_carrier = index(gradient.carrier_susceptibility, gradient.carrier_waveguide);
    let slope = density * gradient.susceptibility_slope - gradient.waveguide_slope;
    let index_slope = (slope / (2.0 * at_carrier)).re;
    let beta1 = (at_carrier.re + carrier * index_slope) / SPEED_OF_LIGHT;
    for (bin, omega) in omega.iter().enumerate().filter(|(_, omega)| **omega > 0.0) {
        let n = index(gradient.susceptibility[bin], gradient.waveguide[bin]);
        let wave = omega / SPEED_OF_LIGHT;
        let loss = (2.0 * wave * n.im).clamp(0.0, gradient.max_loss_per_m);
        let expected = Complex64::new(-0.5 * loss, beta1 * omega - wave * n.re);
        let found = fixed(constant.problem())[bin];
        // Rounding of beta, some 1e7 rad/m.
        assert!(
            (found - expected).norm() < 1e-7,
            "{bin}: {found} {expected}"
        );
    }
    assert!(gradient.over_index && gradient.loss);
    // Without the index in it, the source is that of the constant pressure times the index.
    let bin = constant.problem().carrier_shift.as_ref().unwrap().bin;
    let n = index(gradient.susceptibility[bin], gradient.waveguide[bin]).re;
    let ratio = graded.problem().source[bin].im / constant.problem().source[bin].im;
    assert!((ratio / n - 1.0).abs() < 1e-14);
}

#[test]
fn windows_are_one_where_light_is_and_zero_at_the_edges() {
    let case = capillary(&json!({}));
    let windows = case.problem().windows.as_ref().unwrap();
    let middle = case.grid.points() / 2;
    assert_eq!((windows.temporal[middle], windows.temporal[0]), (1.0, 0.0));
    let fine_middle = case.grid.fine_points() / 2;
    assert_eq!((windows.fine[fine_middle], windows.fine[0]), (1.0, 0.0));
    let bin = case.problem().carrier_shift.as_ref().unwrap().bin;
    assert_eq!((windows.spectral[bin], windows.spectral[0]), (1.0, 0.0));
    assert!(
        capillary(&json!({"absorb": false}))
            .problem()
            .windows
            .is_none()
    );
}

#[test]
fn the_field_of_a_resolved_mode_is_stronger_on_its_axis_than_its_average() {
    let averaged = capillary(&json!({})).problem().synthesis[0];
    let resolved = capillary(&json!({"resolved": {"modes": 1, "nodes": 48}}));
    let first = resolved.problem().synthesis[0];
    assert!(
        (1.3..1.35).contains(&(first / averaged)),
        "{}",
        first / averaged
    );
    // |A|² is a power: half of eps0 c times the integral of the square of the field.
    let pairs = resolved.problem().synthesis.iter();
    let pairs = pairs.zip(&resolved.problem().projection);
    let power: f64 = pairs.map(|(field, weighted)| field * weighted).sum();
    let power = 0.5 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * power;
    assert!((power - 1.0).abs() < 1e-10, "{power}");
}

#[test]
fn the_rule_is_held_against_a_finer_one() {
    let error = |extra: &Value| capillary(extra).transverse_error;
    assert_eq!(error(&json!({})), None);
    let fine = error(&json!({"resolved": {"modes": 1, "nodes": 24}})).unwrap();
    assert!(fine < 1e-10, "{fine:e}");
    // What ionises is narrower than the mode.
    let ionised = json!({"resolved": {"modes": 1, "nodes": 8}, "ionisation": "ppt"});
    let coarse = error(&ionised).unwrap();
    assert!(coarse > fine, "{coarse:e}");
}

#[test]
fn what_cannot_be_set_up_is_refused_with_its_reason() {
    let table = [
        // Below the formula of argon.
        (
            json!({"wavelength_limits_m": [90e-9, 4e-6]}),
            "`argon` at a wavelength of",
        ),
        (json!({"pressure_pa": 1e8}), "`argon` at 1.000e8 Pa"),
        (json!({"temperature_k": 20.0}), "`argon` at 20 K"),
        (json!({"resolved": {"modes": 9, "nodes": 12}}), "9 modes"),
        (
            json!({"wavelength_m": 5e-6}),
            "outside the wavelength limits",
        ),
        (
            json!({"gas": "hydrogen", "ionisation": "ppt"}),
            "use the ADK rate",
        ),
        // A field far above barrier suppression, at the launch.
        (
            json!({"ionisation": "ppt",
                   "pulse": {"shape": "gauss", "fwhm_s": 30e-15, "energy_j": 1.2e-3}}),
            "at z = 0 m",
        ),
    ];
    for (extra, named) in table {
        let refused = try_set_up(Interface::Capillary, &argon(&extra), Noise::None);
        let message = refused.unwrap_err();
        assert!(message.contains(named), "{extra}: {message}");
        assert!(message.contains("interface `capillary`"), "{message}");
    }
}

#[test]
fn steps_have_the_tolerance_and_order_of_their_grid() {
    let real = capillary(&json!({}));
    assert_eq!(
        (real.rtol(), real.atol(), real.multistep_order()),
        (1e-6, 1e-10, 3)
    );
    let envelope = capillary(&json!({"field": "envelope", "rtol": 1e-8}));
    assert_eq!((envelope.rtol(), envelope.multistep_order()), (1e-8, 5));
    assert_eq!(envelope.length_m(), 0.2);
}
