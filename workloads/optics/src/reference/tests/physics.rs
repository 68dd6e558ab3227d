//! What the equation says, in cases that can be computed by hand.

use std::f64::consts::PI;

use super::*;
use crate::constants::HBAR;
use crate::fourier::inverse_of;

/// `F` by its definition.
fn transformed(values: &[Complex64], sign: f64) -> Vec<Complex64> {
    let n = values.len();
    let at = |k: usize| {
        let turned = |(j, value): (usize, &Complex64)| {
            value * Complex64::cis(sign * TAU * (j * k % n) as f64 / n as f64)
        };
        values.iter().enumerate().map(turned).sum()
    };
    (0..n).map(at).collect()
}

/// A real response whose transform is `half`, at the times of its own grid.
fn response_in_time(half: &[Complex64], points: usize) -> Vec<f64> {
    let at = |j: usize| {
        let term = |k: usize| {
            let whole = if k < half.len() {
                half[k]
            } else {
                half[points - k].conj()
            };
            (whole * Complex64::cis(TAU * (j * k % points) as f64 / points as f64)).re
        };
        (0..points).map(term).sum::<f64>() / points as f64
    };
    (0..points).map(at).collect()
}

#[test]
fn the_source_is_what_the_equation_says_sum_by_sum() {
    let (problem, launch) = soliton(32, 8.0, 2.0);
    let mut problem = everything(problem);
    for (k, value) in problem.source.iter_mut().enumerate() {
        *value = Complex64::new(0.1 * k as f64, -1.0);
    }
    let chirped: Vec<Complex64> = (0..)
        .zip(&launch)
        .map(|(k, y)| y * Complex64::cis(0.3 * f64::from(k)))
        .collect();
    let n = chirped.len();
    let field: Vec<Complex64> = transformed(&chirped, 1.0)
        .iter()
        .map(|a| a / n as f64)
        .collect();
    let power: Vec<f64> = field.iter().map(Complex64::norm_sqr).collect();
    let (fraction, table) = problem.raman.clone().unwrap();
    let response = response_in_time(&table.values, table.points);
    let delayed = |i: usize| -> f64 {
        let term = |j: usize| response[(table.points + i - j) % table.points] * power[j];
        (0..n).map(term).sum()
    };
    let window = &problem.windows.as_ref().unwrap().temporal;
    let polarisation: Vec<Complex64> = (0..n)
        .map(|i| window[i] * field[i] * (problem.kerr_fraction * power[i] + fraction * delayed(i)))
        .collect();
    let spectrum = transformed(&polarisation, -1.0);
    let expected: Vec<Complex64> = spectrum
        .iter()
        .zip(&problem.source)
        .map(|(p, s)| s * p)
        .collect();
    let obtained = Equation::new(Gnlse::new(&problem)).slope(0.0, &chirped);
    assert!(distance(&obtained, &expected) < 1e-13);
}

#[test]
fn without_a_source_only_the_linear_flow_acts() {
    let (mut problem, launch) = soliton(256, 32.0, 2.0);
    problem.source.fill(Complex64::default());
    problem.linear.iter_mut().for_each(|value| value.re = -0.35);
    let flow = |(y, l): (&Complex64, &Complex64)| y * (l * 0.8).exp();
    let expected: Vec<Complex64> = launch.iter().zip(&problem.linear).map(flow).collect();
    for stepper in Stepper::ALL {
        let steps = match stepper {
            Stepper::Rk4ip => Steps::Fixed(vec![0.1; 8]),
            _ => controlled(1e-8, 1e-3, 0.8),
        };
        let error = distance(&end(&problem, &launch, stepper, steps, 0.8), &expected);
        assert!(error < 1e-13, "{stepper:?}: {error:e}");
    }
}

#[test]
fn the_kerr_effect_alone_turns_the_phase_by_the_power() {
    let (mut problem, launch) = soliton(256, 32.0, 2.0);
    problem.linear.fill(Complex64::default());
    let turned: Vec<Complex64> = inverse_of(&launch)
        .iter()
        .map(|a| a * Complex64::cis(-a.norm_sqr() * 0.5))
        .collect();
    for stepper in [
        Stepper::Rk,
        Stepper::Multistep,
        Stepper::MultistepInteraction,
    ] {
        let steps = controlled(1e-12, 1e-4, 0.5);
        let field = inverse_of(&end(&problem, &launch, stepper, steps, 0.5));
        let error = distance(&field, &turned);
        assert!(error < 1e-9, "{stepper:?}: {error:e}");
    }
}

#[test]
fn the_fundamental_soliton_only_turns_its_phase() {
    let (problem, launch) = soliton(256, 32.0, 1.0);
    let turned: Vec<Complex64> = launch
        .iter()
        .map(|y| y * Complex64::cis(-0.5 * 2.0))
        .collect();
    for stepper in [
        Stepper::Rk,
        Stepper::Multistep,
        Stepper::MultistepInteraction,
    ] {
        let steps = controlled(1e-10, 1e-4, 2.0);
        let error = distance(&end(&problem, &launch, stepper, steps, 2.0), &turned);
        assert!(error < 1e-6, "{stepper:?}: {error:e}");
    }
}

#[test]
fn the_windows_act_on_the_state_after_every_step() {
    let (problem, launch) = soliton(64, 32.0, 1.0);
    let mut problem = everything(problem);
    problem.linear.fill(Complex64::default());
    problem.source.fill(Complex64::default());
    let windows = problem.windows.clone().unwrap();
    let mut expected = launch.clone();
    for _ in 0..2 {
        let cut = expected.iter().zip(&windows.spectral).map(|(y, w)| y * w);
        let mut field = inverse_of(&cut.collect::<Vec<_>>());
        field
            .iter_mut()
            .zip(&windows.temporal)
            .for_each(|(a, w)| *a *= w);
        forward(&mut field);
        expected = field;
    }
    for stepper in Stepper::ALL {
        let obtained = end(&problem, &launch, stepper, Steps::Fixed(vec![0.5; 2]), 1.0);
        assert!(distance(&obtained, &expected) < 1e-14, "{stepper:?}");
    }
    assert!(distance(&expected, &launch) > 1e-3);
}

#[test]
fn what_is_observed_at_the_launch_is_known_of_a_soliton() {
    let (problem, launch) = soliton(256, 32.0, 3.0);
    let mut engine = engine(&problem, Stepper::Rk, controlled(1e-8, 1e-3, 1.0), 1.0);
    engine.set_state(0.0, &launch).unwrap();
    let mut intensity = vec![f64::NAN; 256];
    let seen = engine.observe(0.0, Some(&mut intensity)).unwrap();
    // The integral of 9 sech^2(t), and its variance pi^2 / 12.
    assert!((seen.energy_j - 18.0).abs() < 1e-9, "{seen:?}");
    assert!(
        (seen.rms_duration_s - PI / 12.0_f64.sqrt()).abs() < 1e-9,
        "{seen:?}"
    );
    assert!((seen.peak_power_w - 9.0).abs() < 1e-12, "{seen:?}");
    assert_eq!((seen.z_m, seen.peak_time_s), (0.0, 0.0));
    assert!((seen.mean_omega_rad_s - 100.0).abs() < 1e-9, "{seen:?}");
    // 1/w averaged over a symmetric spectrum of variance 1/3 about 100.
    let photons = seen.photon_number * HBAR * 100.0 / seen.energy_j;
    assert!((photons - 1.0 - 1.0 / 3.0 * 1e-4).abs() < 1e-7, "{photons}");
    let expected: Vec<f64> = launch.iter().map(Complex64::norm_sqr).collect();
    assert_eq!(intensity, expected);
}
