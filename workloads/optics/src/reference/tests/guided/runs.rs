//! Runs of the guided family: what they count, what their steps do not depend on, and the frame in
//! which the source of a real field is interpolated.

use super::*;
use crate::guided::{Shift, Windows as GuidedWindows};

const CARRIER: f64 = 2.35e15;
const TAU_S: f64 = 9e-15;
const LENGTH: f64 = 0.5;

/// A soliton of order about 2 as a real field, in units in which its dispersion length is 1 m, with
/// a common phase of 200 rad/m and a third harmonic that is out of phase.
fn real_soliton() -> (GuidedProblem, Vec<Complex64>) {
    let mut problem = bare(FieldKind::Real, 512, 0.4e-15, CARRIER);
    problem.fine_points = 1024;
    let beta2 = -TAU_S * TAU_S;
    let phase = |omega: &f64| 200.0 + beta2 / 2.0 * (omega - CARRIER).powi(2);
    let lit = |omega: &f64| *omega > 0.2 * CARRIER && *omega < 3.2 * CARRIER;
    let linear = |omega: &f64| match lit(omega) {
        true => Complex64::new(-0.02, -phase(omega)),
        false => Complex64::default(),
    };
    // 3/4 |A|² is what a real field sees of E³.
    let source = |omega: &f64| match lit(omega) {
        true => Complex64::new(0.0, -omega / CARRIER * 4.0 / 0.75),
        false => Complex64::default(),
    };
    problem.linear = Linear::Fixed(problem.omega.iter().map(linear).collect());
    problem.source = problem.omega.iter().map(source).collect();
    problem.kerr = 1.0;
    let spacing = problem.omega[1];
    let harmonic = |omega: &f64| if *omega < 2.0 * CARRIER { 1.0 } else { 3.0 };
    problem.carrier_shift = Some(Shift {
        bin: (CARRIER / spacing).round() as usize,
        harmonic: problem.omega.iter().map(harmonic).collect(),
    });
    let taper = |j: usize, points: usize| {
        let place = 2.0 * j as f64 / points as f64 - 1.0;
        1.0 - 0.5 * place.powi(8)
    };
    let over = |points: usize| (0..points).map(|j| taper(j, points)).collect();
    problem.windows = Some(GuidedWindows {
        spectral: problem
            .omega
            .iter()
            .map(|w| f64::from(u8::from(lit(w))))
            .collect(),
        temporal: over(512),
        fine: over(1024),
        nodes: None,
        length_m: 1e-3,
    });
    let launch = launched(&problem, |t| (CARRIER * t).cos() / (t / TAU_S).cosh());
    (problem, launch)
}

#[test]
fn evaluations_follow_from_the_steps() {
    let (problem, launch) = real_soliton();
    for stepper in CONTROLLED {
        let engine = through(
            &problem,
            &launch,
            stepper,
            controlled(1e-6, 0.1, LENGTH),
            LENGTH,
        );
        let counts = engine.counts().unwrap();
        let expected = match stepper {
            Stepper::Rk => 1 + 6 * (counts.accepted + counts.rejected),
            _ => 1 + 2 * counts.accepted + counts.rejected,
        };
        assert_eq!(counts.evaluations, expected, "{stepper:?}");
        assert!(counts.rejected > 0, "{stepper:?}");
        assert_eq!(counts.absorptions, counts.accepted);
    }
    let steps = Steps::Fixed(vec![LENGTH / 50.0; 50]);
    let engine = through(&problem, &launch, Stepper::Rk4ip, steps, LENGTH);
    assert_eq!(engine.counts().unwrap().evaluations, 200);
}

#[test]
fn planes_restarts_and_replays_change_no_step() {
    let (problem, launch) = real_soliton();
    for stepper in CONTROLLED {
        let steps = controlled(1e-6, 1e-3, LENGTH);
        let mut engine = through(&problem, &launch, stepper, steps, LENGTH);
        let (direct, steps_m) = (state(&engine), engine.steps_m().unwrap());
        engine.set_state(0.0, &launch).unwrap();
        for plane in 0..=20 {
            let z = LENGTH * f64::from(plane) / 20.0;
            while engine.advance(z, 3).unwrap() < z {}
            assert_eq!(engine.observe(z, None).unwrap().z_m, z);
        }
        assert_eq!(state(&engine), direct, "{stepper:?}");
        let steps = Steps::Replayed(steps_m);
        let replayed = through(&problem, &launch, stepper, steps, LENGTH);
        assert_eq!(state(&replayed), direct, "{stepper:?}");
    }
}

#[test]
fn every_stepper_ends_in_the_same_field() {
    let (mut problem, launch) = real_soliton();
    problem.windows = None;
    let run = |problem: &GuidedProblem, stepper| {
        let steps = controlled(1e-9, 1e-4, LENGTH);
        through(problem, &launch, stepper, steps, LENGTH)
    };
    let rk = state(&run(&problem, Stepper::Rk));
    let shifted = run(&problem, Stepper::Multistep);
    let turned = run(&problem, Stepper::MultistepInteraction);
    problem.carrier_shift = None;
    let plain = run(&problem, Stepper::Multistep);
    for (name, other) in [
        ("shifted", &shifted),
        ("turned", &turned),
        ("plain", &plain),
    ] {
        let apart = distance(&state(other), &rk);
        assert!(apart < 1e-5, "{name}: {apart:e}");
    }
    // Nothing has to follow the carrier any more.
    let evaluations = |engine: &Reference| engine.counts().unwrap().evaluations;
    assert!(evaluations(&shifted) < evaluations(&plain));
}

#[test]
fn a_shift_takes_a_common_phase_out_of_every_step() {
    let (problem, launch) = soliton(128, 32.0, 2.0);
    let mut still = bare(FieldKind::Envelope, 128, problem.time_step_s, 100.0);
    still.linear = Linear::Fixed(problem.linear.clone());
    still.source.clone_from(&problem.source);
    still.kerr = 1.0;
    let mut turning = still.clone();
    let turn = Complex64::new(0.0, -600.0);
    let linear = problem.linear.iter().map(|value| value + turn);
    turning.linear = Linear::Fixed(linear.collect());
    turning.carrier_shift = Some(Shift {
        bin: 0,
        harmonic: vec![1.0; 128],
    });
    let steps = controlled(1e-8, 1e-4, LENGTH);
    let run = |problem: &GuidedProblem| {
        through(problem, &launch, Stepper::Multistep, steps.clone(), LENGTH)
    };
    let (still, mut shifted) = (run(&still), run(&turning));
    let counts = |engine: &Reference| engine.counts().unwrap().evaluations;
    assert_eq!(counts(&shifted), counts(&still));
    let phase = (turn * LENGTH).exp();
    let expected: Vec<Complex64> = state(&still).iter().map(|value| value * phase).collect();
    let apart = distance(&state(&shifted), &expected);
    assert!(apart < 1e-9, "{apart:e}");
    // Inside a step too.
    let last = shifted.steps_m().unwrap().pop().unwrap();
    let inside = [&still, &shifted].map(|engine| engine.spectrum_at(LENGTH - 0.4 * last).unwrap());
    let phase = (turn * (LENGTH - 0.4 * last)).exp();
    let expected: Vec<Complex64> = inside[0].iter().map(|value| value * phase).collect();
    assert!(distance(&inside[1], &expected) < 1e-9);
    // Without it the steps must follow the phase.
    turning.carrier_shift = None;
    let following = run(&turning);
    assert!(counts(&following) > 2 * counts(&shifted));
    shifted.set_state(0.0, &launch).unwrap();
    assert_eq!(counts(&shifted), 0);
}

#[test]
fn arrays_that_do_not_fit_and_launches_that_are_no_numbers_are_refused() {
    let (mut problem, mut launch) = real_soliton();
    let mut engine = guide(
        &problem,
        Stepper::Rk,
        controlled(1e-6, 1e-3, LENGTH),
        LENGTH,
    );
    assert_eq!(engine.points(), 257);
    let error = engine.set_state(0.0, &launch[1..]).unwrap_err();
    assert!(error.cause.contains("256") && error.cause.contains("257"));
    launch[40].im = f64::INFINITY;
    let error = engine.set_state(0.0, &launch).unwrap_err();
    assert!(error.cause.contains("not finite"), "{error}");
    problem.source.pop();
    let steps = integration(Stepper::Rk, controlled(1e-6, 1e-3, LENGTH), LENGTH);
    let error = Reference::guided(&problem, &steps).err().unwrap();
    assert!(error.cause.contains("`source`"), "{error}");
}
