//! The Kerr effect: alone, and the same on the fundamental band whatever the field is.

use std::f64::consts::PI;

use super::super::super::samples::Samples;
use super::*;
use crate::fourier::inverse_of;

const POINTS: usize = 4096;
const TIME_STEP_S: f64 = 0.0858e-15;
/// The bin of the carrier, even, so that the carrier has its crest at t = 0: 798 nm.
const CARRIER_BIN: usize = 132;

fn carrier() -> f64 {
    CARRIER_BIN as f64 * TAU / (POINTS as f64 * TIME_STEP_S)
}

/// N of the pulse of 10 fs as a real field, on `fine_points` samples.
fn of_the_field(fine_points: usize) -> Vec<Complex64> {
    let mut problem = bare(FieldKind::Real, POINTS, TIME_STEP_S, carrier());
    problem.fine_points = fine_points;
    problem.kerr = 1.0;
    slope(&problem, 0.0, &crest(&problem))
}

fn crest(problem: &GuidedProblem) -> Vec<Complex64> {
    let pulse = gaussian(10e-15);
    let carrier = problem.carrier_rad_s;
    launched(problem, |t| pulse(t) * (carrier * t).cos())
}

#[test]
fn field_envelope_and_field_without_third_harmonic_agree_on_the_fundamental_band() {
    let mut envelope = bare(FieldKind::Envelope, POINTS, TIME_STEP_S, carrier());
    envelope.kerr = 0.75;
    let of_the_envelope = slope(&envelope, 0.0, &launched(&envelope, gaussian(10e-15)));
    // P = 3/4 |E_a|² E, with the analytic signal E_a: no third harmonic.
    let samples = Samples::new(FieldKind::Real, POINTS, POINTS);
    let real = bare(FieldKind::Real, POINTS, TIME_STEP_S, carrier());
    let spectrum = crest(&real);
    let power = samples.envelope(&spectrum);
    let mut field = samples.field(&spectrum);
    for (value, power) in field.iter_mut().zip(&power) {
        *value *= 0.75 * power.norm_sqr();
    }
    let of_the_analytic_signal = samples.spectrum(field);
    let band = CARRIER_BIN / 2..CARRIER_BIN * 3 / 2;
    // A real field has half of the amplitude of its envelope at positive frequencies.
    let at = |k: usize| of_the_envelope[(k + POINTS - CARRIER_BIN) % POINTS] / 2.0;
    let expected: Vec<Complex64> = band.clone().map(at).collect();
    for fine_points in [POINTS, 2 * POINTS] {
        let apart = distance(&of_the_field(fine_points)[band.clone()], &expected);
        assert!(apart < 1e-13, "{fine_points} samples: {apart:e}");
    }
    let apart = distance(&of_the_analytic_signal[band.clone()], &expected);
    assert!(apart < 1e-13, "{apart:e}");
    // That the third harmonic is what makes the difference.
    let third = 3 * CARRIER_BIN;
    let whole = of_the_field(POINTS)[third].norm();
    assert!(whole > 1e6 * of_the_analytic_signal[third].norm());
}

#[test]
fn a_finer_grid_keeps_the_third_harmonic_from_folding_into_the_band() {
    // 0.6 fs between samples: the third harmonic of 375 THz lies beyond 833 THz.
    let problem = |points: usize, fine_points: usize| {
        let step = 0.6e-15 * 512.0 / points as f64;
        let mut problem = bare(FieldKind::Real, points, step, 2.35e15);
        problem.fine_points = fine_points;
        problem.kerr = 1.0;
        problem
    };
    let on = |problem: &GuidedProblem| slope(problem, 0.0, &crest(problem));
    let wide = on(&problem(2048, 2048));
    let band: Vec<Complex64> = wide[..=256].iter().map(|value| value / 4.0).collect();
    let apart = distance(&on(&problem(512, 2048)), &band);
    assert!(apart < 1e-12, "{apart:e}");
    let folded = distance(&on(&problem(512, 512)), &band);
    assert!(folded > 1e-2, "{folded:e}");
}

#[test]
fn alone_it_turns_the_phase_of_an_envelope_by_its_power() {
    let mut problem = bare(FieldKind::Envelope, 1024, 0.5e-15, 2.35e15);
    problem.source.fill(Complex64::new(0.0, -1.0));
    problem.kerr = 1.0;
    // A largest phase of 3.5 pi, where the spectrum has four peaks.
    let length = 3.5 * PI;
    let launch = launched(&problem, gaussian(50e-15));
    let turned: Vec<Complex64> = inverse_of(&launch)
        .iter()
        .map(|a| a * Complex64::cis(-a.norm_sqr() * length))
        .collect();
    for stepper in CONTROLLED {
        let steps = controlled(1e-13, 1e-4, length);
        let end = state(&through(&problem, &launch, stepper, steps, length));
        let apart = distance(&inverse_of(&end), &turned);
        assert!(apart < 1e-9, "{stepper:?}: {apart:e}");
        assert_eq!(peaks(&end), 4, "{stepper:?}");
    }
}

/// Local maxima of a spectrum that reach a hundredth of the largest.
fn peaks(spectrum: &[Complex64]) -> usize {
    let half = spectrum.len() / 2;
    let ordered = spectrum[half..].iter().chain(&spectrum[..half]);
    let energy: Vec<f64> = ordered.map(Complex64::norm_sqr).collect();
    let floor = 0.01 * energy.iter().copied().fold(0.0, f64::max);
    let is_peak = |w: &&[f64]| w[1] > w[0] && w[1] >= w[2] && w[1] >= floor;
    energy.windows(3).filter(is_peak).count()
}

/// `sum |A|² / w^power` changes by this over a metre, over what it would if every term grew.
fn growth(problem: &GuidedProblem, state: &[Complex64], power: i32) -> f64 {
    let slope = slope(problem, 0.0, state);
    let (mut sum, mut size) = (0.0, 0.0);
    let omegas = problem.omega.iter().cycle();
    for ((value, slope), omega) in state.iter().zip(&slope).zip(omegas) {
        if *omega > 0.0 {
            sum += 2.0 * (value.conj() * slope).re / omega.powi(power);
            size += 2.0 * value.norm() * slope.norm() / omega.powi(power);
        }
    }
    sum / size
}

/// Two modes at three nodes.
fn two_modes(field: FieldKind) -> (GuidedProblem, Vec<Complex64>) {
    let mut problem = bare(field, 512, 0.25e-15, 2.35e15);
    problem.fine_points = match field {
        FieldKind::Real => 1024,
        FieldKind::Envelope => 512,
    };
    problem.modes = 2;
    problem.nodes = 3;
    problem.synthesis = vec![1.0, 0.7, 0.8, -0.4, 0.3, 0.5];
    let weights = [0.2, 0.5, 0.4];
    let row = |mode: usize| {
        [0, 1, 2].map(|node: usize| weights[node] * problem.synthesis[2 * node + mode])
    };
    problem.projection = [row(0), row(1)].concat();
    let source = problem.omega.iter().map(|w| Complex64::new(0.0, -w));
    problem.source = source.collect::<Vec<_>>().repeat(2);
    problem.kerr = 1.0;
    let pulse = gaussian(10e-15);
    let carrier = problem.carrier_rad_s;
    let oscillation = |t: f64| match field {
        FieldKind::Real => (carrier * t).cos(),
        FieldKind::Envelope => 1.0,
    };
    let mut launch = launched(&problem, |t| pulse(t) * oscillation(t));
    let late = launched(&problem, |t| {
        0.6 * pulse(t + 4e-15) * oscillation(t - 1e-15)
    });
    launch.extend(late);
    (problem, launch)
}

/// A response that relaxes.
fn relaxing(points: usize) -> RamanTable {
    let response = |k: usize| Complex64::new(1.0, 0.2 * k as f64).inv();
    RamanTable {
        points,
        values: (0..=points / 2).map(response).collect(),
    }
}

#[test]
fn it_keeps_the_energy_of_a_real_field_and_the_photons_of_an_envelope() {
    let (mut field, launch) = two_modes(FieldKind::Real);
    let energy = growth(&field, &launch, 0);
    assert!(energy.abs() < 1e-12, "{energy:e}");
    field.raman = Some(relaxing(2 * field.fine_points));
    assert!(growth(&field, &launch, 0).abs() > 1e-6, "Raman heats");
    let (mut envelope, launch) = two_modes(FieldKind::Envelope);
    envelope.raman = Some(relaxing(2 * envelope.fine_points));
    let photons = growth(&envelope, &launch, 1);
    assert!(photons.abs() < 1e-12, "{photons:e}");
    assert!(growth(&envelope, &launch, 0).abs() > 1e-6, "Raman heats");
}
