//! Dispersion alone, which spreads a Gaussian pulse by a known factor.

use super::*;

const FWHM_S: f64 = 10e-15;
const CARRIER: f64 = 2.35e15;

/// One mode with a dispersion of beta_2 = 1 s²/m, and 1 rad/m at the carrier of a real field.
fn dispersive(field: FieldKind) -> GuidedProblem {
    let mut problem = bare(field, 4096, 0.1e-15, CARRIER);
    problem.source.fill(Complex64::default());
    let common = match field {
        FieldKind::Real => 1.0,
        FieldKind::Envelope => 0.0,
    };
    let phase = |omega: &f64| common + (omega - CARRIER).powi(2) / 2.0;
    let linear = problem.omega.iter().map(phase);
    let linear = linear.map(|phase| Complex64::new(0.0, -phase));
    problem.linear = Linear::Fixed(linear.collect());
    problem
}

#[test]
fn dispersion_spreads_a_gaussian_pulse_of_either_kind_as_it_must() {
    let pulse = gaussian(FWHM_S);
    // 4 ln 2 beta_2 z / tau² = sqrt(3): twice as long.
    let length_m = 3.0_f64.sqrt() * FWHM_S.powi(2) / (4.0 * std::f64::consts::LN_2);
    for field in [FieldKind::Real, FieldKind::Envelope] {
        let problem = dispersive(field);
        let launch = match field {
            FieldKind::Real => launched(&problem, |t| pulse(t) * (CARRIER * t).cos()),
            FieldKind::Envelope => launched(&problem, &pulse),
        };
        for stepper in CONTROLLED {
            let steps = controlled(1e-6, length_m / 10.0, length_m);
            let mut engine = through(&problem, &launch, stepper, steps, length_m);
            let end = engine.observe(length_m, None).unwrap();
            engine.set_state(0.0, &launch).unwrap();
            let start = engine.observe(0.0, None).unwrap();
            let ratio = end.rms_duration_s / start.rms_duration_s;
            assert!((ratio - 2.0).abs() < 1e-6, "{field:?} {stepper:?}: {ratio}");
            let lower = end.peak_power_w / start.peak_power_w;
            assert!((lower - 0.5).abs() < 1e-6, "{field:?} {stepper:?}: {lower}");
            assert!((end.energy_j / start.energy_j - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn what_is_observed_of_a_real_pulse_is_that_of_its_envelope() {
    let problem = dispersive(FieldKind::Real);
    let pulse = gaussian(FWHM_S);
    let launch = launched(&problem, |t| pulse(t) * (CARRIER * t).cos());
    let steps = controlled(1e-6, 1e-30, 1e-28);
    let mut engine = guide(&problem, Stepper::Rk, steps, 1e-28);
    engine.set_state(0.0, &launch).unwrap();
    let mut intensity = vec![f64::NAN; problem.bins()];
    let seen = engine.observe(0.0, Some(&mut intensity)).unwrap();
    // The integral of exp(-4 ln 2 t²/tau²), and its standard deviation.
    let ln2 = std::f64::consts::LN_2;
    let energy = FWHM_S * (std::f64::consts::PI / (4.0 * ln2)).sqrt();
    assert!((seen.energy_j / energy - 1.0).abs() < 1e-10, "{seen:?}");
    let spread = FWHM_S / (8.0 * ln2).sqrt();
    assert!((seen.rms_duration_s / spread - 1.0).abs() < 1e-10);
    assert!((seen.peak_power_w - 1.0).abs() < 1e-10, "{seen:?}");
    assert_eq!((seen.z_m, seen.peak_time_s), (0.0, 0.0));
    assert!((seen.mean_omega_rad_s / CARRIER - 1.0).abs() < 1e-10);
    // 1/w over a spectrum of variance 2 ln 2 / tau² about the carrier.
    let variance = 2.0 * ln2 / (FWHM_S * CARRIER).powi(2);
    let photons = seen.photon_number * crate::constants::HBAR * CARRIER / energy;
    assert!((photons - 1.0 - variance).abs() < 1e-4, "{photons}");
    let expected: Vec<f64> = launch.iter().map(Complex64::norm_sqr).collect();
    assert_eq!(intensity, expected);
}
