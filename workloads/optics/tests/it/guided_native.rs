//! Modes in a guide through the binding: what the arrays mean, and a library that is without them.

use longrun_optics::engine::{Engine, EngineError};
use longrun_optics::fourier::Complex64;
use longrun_optics::guided::{Density, FieldKind, Gradient, Linear, Problem, Shift, Windows};
use longrun_optics::native::{Expected, NativeLibrary, Propagation};
use longrun_optics::steppers::{Integration, Stepper, Steps};

use crate::library::{BUILD_KEY, defective_path, load};

const POINTS: usize = 64;
const BINS: usize = POINTS / 2 + 1;
const MODES: usize = 2;
const LENGTH_M: f64 = 0.25;

/// Two modes of a real field at three nodes, which disperse and do nothing else.
fn problem() -> Problem {
    let omega: Vec<f64> = (0..BINS).map(|k| k as f64 * 1e14).collect();
    let linear = (0..MODES * BINS).map(|i| {
        let (mode, bin) = (i / BINS, i % BINS);
        let rate = (mode + 1) as f64 * (bin * bin) as f64 / 50.0;
        Complex64::new(-0.1 * mode as f64, if bin == 0 { 0.0 } else { rate })
    });
    let harmonic = |bin: usize| if bin < 24 { 1.0 } else { 3.0 };
    Problem {
        field: FieldKind::Real,
        points: POINTS,
        fine_points: 2 * POINTS,
        modes: MODES,
        nodes: 3,
        time_step_s: 1e-15,
        carrier_rad_s: 1.2e15,
        omega,
        synthesis: vec![1.0; 3 * MODES],
        projection: vec![1.0; 3 * MODES],
        linear: Linear::Fixed(linear.collect()),
        source: vec![Complex64::default(); MODES * BINS],
        density: Density::Constant(1.0),
        kerr: 0.0,
        raman: None,
        plasma: None,
        windows: None,
        carrier_shift: Some(Shift {
            bin: 12,
            harmonic: (0..BINS).map(harmonic).collect(),
        }),
        energy_scale: 4e-15 / POINTS as f64,
    }
}

fn integration(stepper: Stepper) -> Integration {
    Integration {
        stepper,
        order: None,
        steps: Steps::Controlled {
            rtol: 1e-8,
            atol: 1e-10,
            initial_m: 1e-3,
            max_m: LENGTH_M / 2.0,
        },
        length_m: LENGTH_M,
    }
}

fn guided(
    library: &NativeLibrary,
    problem: &Problem,
    stepper: Stepper,
) -> Result<Propagation, EngineError> {
    Propagation::guided(library, problem, &integration(stepper), 2, None)
}

fn launch() -> Vec<Complex64> {
    let at = |i: usize| Complex64::new(1.0 / (1.0 + i as f64), 0.1 * (i % BINS) as f64);
    (0..MODES * BINS).map(at).collect()
}

#[test]
fn without_a_source_each_value_follows_its_own_exponential() {
    let problem = problem();
    let Linear::Fixed(linear) = &problem.linear else {
        panic!("the operator is the same everywhere");
    };
    for stepper in [
        Stepper::Rk,
        Stepper::Multistep,
        Stepper::MultistepInteraction,
    ] {
        let mut engine = guided(&load(), &problem, stepper).unwrap();
        assert_eq!(engine.points(), MODES * BINS);
        let mut state = launch();
        engine.set_state(0.0, &state).unwrap();
        assert_eq!(engine.advance(LENGTH_M, 1000).unwrap(), LENGTH_M);
        engine.get_state(&mut state).unwrap();
        for ((end, start), rate) in state.iter().zip(launch()).zip(linear) {
            let expected = (rate * LENGTH_M).exp() * start;
            assert!((end - expected).norm() < 1e-12, "{stepper:?}: {end}");
        }
    }
}

#[test]
fn energy_is_the_sum_over_modes_without_the_bins_that_carry_none() {
    let problem = problem();
    let mut engine = guided(&load(), &problem, Stepper::Rk).unwrap();
    engine.set_state(0.0, &launch()).unwrap();
    let mut intensity = vec![0.0; MODES * BINS];
    let plane = engine.observe(0.0, Some(&mut intensity)).unwrap();
    let carries = |i: usize| !matches!(i % BINS, 0 | 32);
    let values = intensity.iter().enumerate();
    let counted = values.filter(|(i, _)| carries(*i));
    let sum: f64 = counted.map(|(_, value)| value).sum();
    let expected = problem.energy_scale * sum;
    assert!((plane.energy_j / expected - 1.0).abs() < 1e-13);
}

#[test]
fn what_a_library_refuses_is_told_in_its_words() {
    let mut gas = problem();
    gas.linear = Linear::Gradient(Box::new(Gradient {
        inlet_pa: -1.0,
        outlet_pa: 0.0,
        length_m: LENGTH_M,
        temperature_k: 293.15,
        virial_m3: 0.0,
        susceptibility: vec![0.0; BINS],
        waveguide: vec![Complex64::default(); MODES * BINS],
        carrier_susceptibility: 0.0,
        carrier_waveguide: Complex64::default(),
        susceptibility_slope: 0.0,
        waveguide_slope: Complex64::default(),
        loss: true,
        max_loss_per_m: 3000.0,
        over_index: false,
    }));
    let error = guided(&load(), &gas, Stepper::Rk).err().unwrap();
    let told = error.to_string();
    let refused = "`inlet_pa` must be finite and not negative";
    assert!(told.contains(refused), "{told}");

    let mut torn = problem();
    torn.windows = Some(Windows {
        spectral: vec![1.0; BINS],
        temporal: vec![1.0; POINTS],
        fine: vec![1.0; POINTS],
        nodes: None,
        length_m: 1e-3,
    });
    let error = guided(&load(), &torn, Stepper::Rk).err().unwrap();
    assert!(error.to_string().contains("fine"), "{error}");
}

#[test]
fn an_older_library_says_that_it_has_no_guides() {
    let expected = Expected {
        build_key: BUILD_KEY,
    };
    let library = NativeLibrary::load(&defective_path(), expected).unwrap();
    let error = guided(&library, &problem(), Stepper::Rk).err().unwrap();
    let told = error.to_string();
    assert!(told.contains("propagate modes in a guide with `"), "{told}");
    assert!(told.contains("`longrun_guided_problem`"), "{told}");
}
