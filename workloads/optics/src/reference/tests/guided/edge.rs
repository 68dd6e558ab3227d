//! What the edge of a cross-section takes.

use super::*;
use crate::guided::Windows as GuidedWindows;

/// Two modes on two nodes, which are the sum and the difference of the modes, of which the window
/// is 1 and `window`. The projection is twice the inverse of the synthesis.
fn two(window: f64) -> GuidedProblem {
    let mut problem = bare(FieldKind::Real, 64, 1e-15, 1.5e15);
    (problem.modes, problem.nodes) = (2, 2);
    problem.synthesis = vec![1.0, 1.0, 1.0, -1.0];
    problem.projection = problem.synthesis.clone();
    let length = 2 * problem.bins();
    problem.linear = Linear::Fixed(vec![Complex64::default(); length]);
    problem.source = vec![Complex64::default(); length];
    problem.windows = Some(GuidedWindows {
        spectral: vec![1.0; problem.bins()],
        temporal: vec![1.0; 64],
        fine: vec![1.0; 64],
        nodes: Some(vec![1.0, window]),
        length_m: 0.1,
    });
    problem
}

fn launch(problem: &GuidedProblem, amplitudes: [f64; 2]) -> Vec<Complex64> {
    let spectrum = launched(problem, |t| gaussian(8e-15)(t) * (1.5e15 * t).cos());
    let mode = |amplitude: f64| spectrum.iter().map(move |value| amplitude * value);
    amplitudes.into_iter().flat_map(mode).collect()
}

fn laid(steps: u32) -> Steps {
    Steps::Fixed(vec![0.2 / f64::from(steps); steps as usize])
}

#[test]
fn the_node_at_the_edge_fades_with_the_length_and_not_with_the_steps() {
    for steps in [1, 2, 7] {
        let problem = two(0.5);
        let launch = launch(&problem, [0.8, 0.2]);
        let engine = through(&problem, &launch, Stepper::Rk4ip, laid(steps), 0.2);
        // Two lengths of the window: 0.6 at the edge becomes 0.15, 1.0 in the middle stays.
        let expected = self::launch(&problem, [0.575, 0.425]);
        let apart = distance(&state(&engine), &expected);
        assert!(apart < 1e-13, "{steps}: {apart:e}");
    }
}

#[test]
fn what_it_takes_is_what_the_state_has_lost() {
    let problem = two(0.5);
    let launch = launch(&problem, [0.8, 0.2]);
    let mut engine = through(&problem, &launch, Stepper::Rk4ip, laid(3), 0.2);
    let told = engine.edge_energy_j().unwrap();
    let after = engine.observe(0.2, None).unwrap().energy_j;
    engine.set_state(0.0, &launch).unwrap();
    let before = engine.observe(0.0, None).unwrap().energy_j;
    assert!((told / (before - after) - 1.0).abs() < 1e-12, "{told:e}");
    assert!(told > 0.1 * before, "{told:e}");
    // A restart begins anew.
    assert_eq!(engine.edge_energy_j().unwrap(), 0.0);
}

#[test]
fn a_window_that_is_one_everywhere_takes_nothing() {
    let problem = two(1.0);
    let launch = launch(&problem, [0.8, 0.2]);
    let engine = through(&problem, &launch, Stepper::Rk4ip, laid(3), 0.2);
    assert_eq!(engine.edge_energy_j().unwrap(), 0.0);
}

#[test]
fn nodes_see_the_sum_of_the_modes() {
    let problem = two(0.5);
    let launch = launch(&problem, [0.8, 0.2]);
    let mut engine = guide(&problem, Stepper::Rk4ip, laid(1), 0.2);
    engine.set_state(0.0, &launch).unwrap();
    assert_eq!(engine.nodes(), 2);
    let (mut fluence, mut peak) = ([0.0; 2], [0.0; 2]);
    engine
        .observe_nodes(0.0, Some(&mut fluence), Some(&mut peak))
        .unwrap();
    let alone = |amplitude: f64| {
        // The square of a Gaussian of 8 fs, over all times.
        let area = 8e-15 * (std::f64::consts::PI / (4.0 * std::f64::consts::LN_2)).sqrt();
        amplitude * amplitude * area
    };
    for (found, expected) in fluence.iter().zip([1.0, 0.6].map(alone)) {
        assert!((found / expected - 1.0).abs() < 1e-6, "{fluence:?}");
    }
    for (found, expected) in peak.iter().zip([1.0, 0.36]) {
        assert!((found / expected - 1.0).abs() < 1e-6, "{peak:?}");
    }
    let error = engine.observe_nodes(0.0, Some(&mut fluence), Some(&mut peak[..1]));
    assert!(error.unwrap_err().to_string().contains("1 values"));
}
