//! Limits in which a guided problem is one that is known otherwise.

use super::*;
use crate::guided::Windows as GuidedWindows;

/// The generalised nonlinear Schrödinger equation as one mode at one node.
fn as_guided(problem: &Problem) -> GuidedProblem {
    let points = problem.linear.len();
    let (step, carrier) = (problem.time_step_s, problem.carrier_rad_s);
    let mut guided = bare(FieldKind::Envelope, points, step, carrier);
    guided.linear = Linear::Fixed(problem.linear.clone());
    guided.source.clone_from(&problem.source);
    guided.kerr = problem.kerr_fraction;
    guided.raman = problem.raman.as_ref().map(|(fraction, table)| RamanTable {
        points: table.points,
        values: table.values.iter().map(|value| fraction * value).collect(),
    });
    guided.windows = problem.windows.as_ref().map(|windows| GuidedWindows {
        spectral: windows.spectral.clone(),
        temporal: windows.temporal.clone(),
        fine: windows.temporal.clone(),
        nodes: None,
        // Once a step, as there.
        length_m: LENGTH / 40.0,
    });
    guided
}

/// The soliton of order 2 with everything on, and both its forms.
fn both() -> (Problem, GuidedProblem, Vec<Complex64>) {
    let (problem, launch) = soliton(128, 32.0, 2.0);
    let problem = everything(problem);
    let guided = as_guided(&problem);
    (problem, guided, launch)
}

const LENGTH: f64 = 0.4;

fn laid() -> Steps {
    Steps::Fixed(vec![LENGTH / 40.0; 40])
}

#[test]
fn one_mode_at_one_node_is_the_generalised_nonlinear_schroedinger_equation() {
    let (problem, guided, launch) = both();
    for stepper in Stepper::ALL {
        let mut plain = engine(&problem, stepper, laid(), LENGTH);
        plain.set_state(0.0, &launch).unwrap();
        plain.advance(LENGTH, STEPS_MAX).unwrap();
        let mut modal = through(&guided, &launch, stepper, laid(), LENGTH);
        let apart = distance(&state(&modal), &state(&plain));
        assert!(apart < 1e-12, "{stepper:?}: {apart:e}");
        assert_eq!(
            modal.counts().unwrap().evaluations,
            plain.counts().unwrap().evaluations
        );
        let z = LENGTH - 0.3 * LENGTH / 40.0;
        let (a, b) = (
            modal.observe(z, None).unwrap(),
            plain.observe(z, None).unwrap(),
        );
        for (a, b) in [
            (a.energy_j, b.energy_j),
            (a.photon_number, b.photon_number),
            (a.peak_power_w, b.peak_power_w),
            (a.mean_omega_rad_s, b.mean_omega_rad_s),
            (a.rms_duration_s, b.rms_duration_s),
        ] {
            assert!((a / b - 1.0).abs() < 1e-11, "{stepper:?}: {a} and {b}");
        }
    }
}

#[test]
fn nodes_that_see_the_same_field_count_by_their_weights() {
    let (_, one, launch) = both();
    let mut several = one.clone();
    several.nodes = 3;
    several.synthesis = vec![1.0; 3];
    several.projection = vec![0.5, 0.3, 0.2];
    let apart = distance(&slope(&several, 0.0, &launch), &slope(&one, 0.0, &launch));
    assert!(apart < 1e-14, "{apart:e}");
}

#[test]
fn modes_that_do_not_meet_go_their_own_ways() {
    let (_, one, launch) = both();
    let weaker: Vec<Complex64> = launch.iter().map(|value| 0.5 * value).collect();
    let mut two = one.clone();
    (two.modes, two.nodes) = (2, 2);
    two.synthesis = vec![1.0, 0.0, 0.0, 1.0];
    two.projection = two.synthesis.clone();
    two.source = two.source.repeat(2);
    if let Linear::Fixed(linear) = &mut two.linear {
        *linear = linear.repeat(2);
    }
    let both = [launch.clone(), weaker.clone()].concat();
    for stepper in Stepper::ALL {
        let run = |problem, launch| through(problem, launch, stepper, laid(), LENGTH);
        let mut modal = run(&two, &both);
        let mut singles = [run(&one, &launch), run(&one, &weaker)];
        let expected = [state(&singles[0]), state(&singles[1])].concat();
        let apart = distance(&state(&modal), &expected);
        assert!(apart < 1e-13, "{stepper:?}: {apart:e}");
        let seen = modal.observe(LENGTH, None).unwrap();
        let alone = singles
            .each_mut()
            .map(|engine| engine.observe(LENGTH, None));
        let [first, second] = alone.map(Result::unwrap);
        let sum = first.energy_j + second.energy_j;
        assert!((seen.energy_j / sum - 1.0).abs() < 1e-12);
        let sum = first.photon_number + second.photon_number;
        assert!((seen.photon_number / sum - 1.0).abs() < 1e-12);
    }
}

#[test]
fn the_power_of_several_modes_is_their_sum_at_each_time() {
    let (_, one, launch) = both();
    let mut two = one.clone();
    (two.modes, two.nodes) = (2, 2);
    two.synthesis = vec![1.0, 0.0, 0.0, 1.0];
    two.projection = two.synthesis.clone();
    two.source = two.source.repeat(2);
    if let Linear::Fixed(linear) = &mut two.linear {
        *linear = linear.repeat(2);
    }
    // The second mode is late by a quarter of the window: 8 of 32.
    let late: Vec<Complex64> = (0..)
        .zip(&launch)
        .map(|(k, value)| 0.5 * value * Complex64::cis(-TAU * f64::from(k) / 4.0))
        .collect();
    let mut engine = guide(&two, Stepper::Rk4ip, laid(), LENGTH);
    engine.set_state(0.0, &[launch, late].concat()).unwrap();
    let seen = engine.observe(0.0, None).unwrap();
    // 4 sech²(t) and sech²(t - 8): energies 8 and 2, peaks apart, centre at 1.6.
    assert!((seen.energy_j - 10.0).abs() < 1e-6, "{seen:?}");
    assert!((seen.peak_power_w - 4.0).abs() < 1e-5, "{seen:?}");
    assert_eq!(seen.peak_time_s, 0.0);
    let own = std::f64::consts::PI.powi(2) / 12.0;
    let variance = own + 0.8 * 1.6_f64.powi(2) + 0.2 * 6.4_f64.powi(2);
    assert!(
        (seen.rms_duration_s.powi(2) - variance).abs() < 1e-4,
        "{seen:?}"
    );
}
