//! What the engine refuses to do, and how it says so.

use super::*;

fn ready() -> (Reference, Vec<Complex64>) {
    let (problem, launch) = soliton(64, 32.0, 2.0);
    let mut engine = engine(&problem, Stepper::Rk, controlled(1e-8, 1e-3, 1.0), 1.0);
    engine.set_state(0.0, &launch).unwrap();
    (engine, launch)
}

#[test]
fn nothing_can_be_done_without_a_state() {
    let (problem, _) = soliton(64, 32.0, 2.0);
    let mut engine = engine(&problem, Stepper::Rk, controlled(1e-8, 1e-3, 1.0), 1.0);
    let mut state = vec![Complex64::default(); 64];
    let errors = [
        engine.advance(1.0, 1).unwrap_err(),
        engine.observe(0.0, None).unwrap_err(),
        engine.get_state(&mut state).unwrap_err(),
    ];
    for error in errors {
        assert!(error.cause.contains("set a state first"), "{error}");
    }
}

#[test]
fn arrays_of_another_length_are_refused_with_both_lengths() {
    let (mut engine, launch) = ready();
    let errors = [
        engine.observe(0.0, Some(&mut [0.0; 63])).unwrap_err(),
        engine
            .get_state(&mut vec![Complex64::default(); 65])
            .unwrap_err(),
        engine.set_state(0.0, &launch[1..]).unwrap_err(),
    ];
    for (error, length) in errors.iter().zip(["63", "65", "63"]) {
        let cause = &error.cause;
        assert!(cause.contains(length) && cause.contains("64"), "{error}");
    }
}

#[test]
fn places_outside_the_guide_and_the_last_step_are_refused() {
    let (mut engine, launch) = ready();
    let z = engine.advance(1.0, 2).unwrap();
    for plane in [0.0, 1.1 * z, f64::NAN] {
        let error = engine.observe(plane, None).unwrap_err();
        assert!(error.cause.contains("not within the last step"), "{error}");
    }
    for z in [-0.1, 1.1, f64::NAN] {
        let error = engine.set_state(z, &launch).unwrap_err();
        assert!(error.cause.contains("not within the guide"), "{error}");
    }
}

#[test]
fn a_launch_that_is_not_finite_is_refused() {
    let (mut engine, mut launch) = ready();
    launch[3].re = f64::NAN;
    let error = engine.set_state(0.0, &launch).unwrap_err();
    assert!(error.cause.contains("not finite"), "{error}");
}

#[test]
fn arrays_of_the_problem_that_do_not_fit_are_refused() {
    let (mut problem, _) = soliton(64, 32.0, 2.0);
    problem.source.pop();
    let integration = Integration {
        stepper: Stepper::Rk,
        order: None,
        steps: controlled(1e-8, 1e-3, 1.0),
        length_m: 1.0,
    };
    let error = Reference::create(&problem, &integration).err().unwrap();
    assert!(error.cause.contains("64 points"), "{error}");
}

#[test]
fn an_order_that_there_is_not_is_refused() {
    let (problem, _) = soliton(64, 32.0, 2.0);
    for order in [None, Some(0), Some(7), Some(-1)] {
        let integration = Integration {
            stepper: Stepper::Multistep,
            order,
            steps: controlled(1e-8, 1e-3, 1.0),
            length_m: 1.0,
        };
        let error = Reference::create(&problem, &integration).err().unwrap();
        assert!(error.cause.contains("from 1 to 6"), "{error}");
    }
}

#[test]
fn a_run_that_cannot_go_on_says_where_and_needs_a_new_state() {
    let (problem, mut launch) = soliton(64, 32.0, 2.0);
    launch.iter_mut().for_each(|value| *value *= 1e120);
    let steps = [
        (Stepper::Rk, controlled(1e-8, 1e-3, 1.0), "rejected"),
        (Stepper::Multistep, controlled(1e-8, 1e-3, 1.0), "rejected"),
        (Stepper::Rk4ip, Steps::Fixed(vec![0.5; 2]), "not finite"),
    ];
    for (stepper, steps, named) in steps {
        let mut engine = engine(&problem, stepper, steps, 1.0);
        engine.set_state(0.0, &launch).unwrap();
        let error = engine.advance(1.0, STEPS_MAX).unwrap_err();
        assert!(error.cause.contains(named), "{error}");
        assert!(error.attempt.contains("at z = "), "{error}");
        let error = engine.advance(1.0, STEPS_MAX).unwrap_err();
        assert!(error.cause.contains("set a state first"), "{error}");
    }
}
