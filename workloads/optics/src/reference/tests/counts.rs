//! What is counted, and what the steps do not depend on: planes, restarts, replays.

use super::*;

const LENGTH: f64 = 0.8;

const CONTROLLED: [Stepper; 3] = [
    Stepper::Rk,
    Stepper::Multistep,
    Stepper::MultistepInteraction,
];

fn full_problem() -> (Problem, Vec<Complex64>) {
    let (problem, launch) = soliton(128, 32.0, 2.0);
    (everything(problem), launch)
}

#[test]
fn evaluations_follow_from_the_steps() {
    let (problem, launch) = soliton(128, 32.0, 2.0);
    for stepper in CONTROLLED {
        // The first step is too long: some attempts are rejected.
        let steps = controlled(1e-6, 0.3, LENGTH);
        let mut engine = engine(&problem, stepper, steps, LENGTH);
        engine.set_state(0.0, &launch).unwrap();
        assert_eq!(engine.counts().unwrap(), Counts::default());
        engine.advance(LENGTH, STEPS_MAX).unwrap();
        let counts = engine.counts().unwrap();
        // The start, and what each attempt and each step add.
        let expected = match stepper {
            Stepper::Rk => 1 + 6 * (counts.accepted + counts.rejected),
            _ => 1 + 2 * counts.accepted + counts.rejected,
        };
        assert_eq!(counts.evaluations, expected, "{stepper:?}");
        assert!(counts.rejected > 0, "{stepper:?}");
        assert_eq!(engine.steps_m().unwrap().len() as u64, counts.accepted);
        assert_eq!((counts.absorptions, counts.observations), (0, 0));
        assert_eq!(counts.threads_observed, 1);
    }
}

#[test]
fn a_schedule_has_no_rejections() {
    let (problem, launch) = soliton(64, 32.0, 1.0);
    for (stepper, expected) in [
        (Stepper::Rk, 121),
        (Stepper::Rk4ip, 80),
        (Stepper::Multistep, 41),
        (Stepper::MultistepInteraction, 41),
    ] {
        let steps = Steps::Fixed(vec![LENGTH / 20.0; 20]);
        let mut engine = engine(&problem, stepper, steps, LENGTH);
        engine.set_state(0.0, &launch).unwrap();
        engine.advance(LENGTH, STEPS_MAX).unwrap();
        let counts = engine.counts().unwrap();
        let found = (counts.accepted, counts.rejected, counts.evaluations);
        assert_eq!(found, (20, 0, expected), "{stepper:?}");
    }
}

#[test]
fn the_last_step_ends_exactly_at_the_end() {
    let (problem, launch) = soliton(64, 32.0, 2.0);
    for stepper in CONTROLLED {
        let mut engine = engine(&problem, stepper, controlled(1e-6, 1e-3, LENGTH), LENGTH);
        engine.set_state(0.0, &launch).unwrap();
        assert_eq!(engine.advance(10.0, STEPS_MAX).unwrap(), LENGTH);
        let counts = engine.counts().unwrap();
        assert_eq!(engine.advance(10.0, STEPS_MAX).unwrap(), LENGTH);
        assert_eq!(engine.counts().unwrap(), counts);
        let sum: f64 = engine.steps_m().unwrap().iter().sum();
        assert!((sum - LENGTH).abs() < 1e-14, "{stepper:?}: {sum}");
    }
}

#[test]
fn planes_do_not_change_the_steps() {
    let (problem, launch) = full_problem();
    for stepper in CONTROLLED {
        let steps = controlled(1e-6, 1e-3, LENGTH);
        let direct = end(&problem, &launch, stepper, steps.clone(), LENGTH);
        let mut engine = engine(&problem, stepper, steps, LENGTH);
        engine.set_state(0.0, &launch).unwrap();
        for plane in 0..=50 {
            let z = LENGTH * f64::from(plane) / 50.0;
            while engine.advance(z, 3).unwrap() < z {}
            assert_eq!(engine.observe(z, None).unwrap().z_m, z);
        }
        assert_eq!(state(&engine), direct, "{stepper:?}");
        let counts = engine.counts().unwrap();
        assert_eq!(counts.observations, 51);
        assert_eq!(counts.absorptions, counts.accepted);
    }
}

#[test]
fn a_restart_repeats_bit_by_bit() {
    let (problem, launch) = full_problem();
    for stepper in CONTROLLED {
        let make = || engine(&problem, stepper, controlled(1e-6, 1e-3, LENGTH), LENGTH);
        let mut first = make();
        first.set_state(0.0, &launch).unwrap();
        let middle = first.advance(LENGTH / 2.0, STEPS_MAX).unwrap();
        let checkpoint = state(&first);
        first.set_state(middle, &checkpoint).unwrap();
        first.advance(LENGTH, STEPS_MAX).unwrap();
        let mut second = make();
        second.set_state(middle, &checkpoint).unwrap();
        second.advance(LENGTH, STEPS_MAX).unwrap();
        assert_eq!(state(&first), state(&second), "{stepper:?}");
        assert_eq!(first.steps_m().unwrap(), second.steps_m().unwrap());
        assert_eq!(
            first.counts().unwrap().evaluations,
            second.counts().unwrap().evaluations
        );
    }
}

#[test]
fn a_replay_of_recorded_steps_gives_the_same_field() {
    let (problem, launch) = full_problem();
    for stepper in CONTROLLED {
        let mut free = engine(&problem, stepper, controlled(1e-6, 0.3, LENGTH), LENGTH);
        free.set_state(0.0, &launch).unwrap();
        free.advance(LENGTH, STEPS_MAX).unwrap();
        let steps = Steps::Replayed(free.steps_m().unwrap());
        let replayed = end(&problem, &launch, stepper, steps, LENGTH);
        assert_eq!(replayed, state(&free), "{stepper:?}");
    }
}

#[test]
fn a_schedule_is_entered_at_any_of_its_boundaries() {
    let (problem, launch) = soliton(64, 32.0, 1.0);
    let steps = Steps::Fixed(vec![LENGTH / 8.0; 8]);
    let mut engine = engine(&problem, Stepper::Rk4ip, steps, LENGTH);
    engine.set_state(LENGTH * 3.0 / 8.0, &launch).unwrap();
    engine.advance(LENGTH, STEPS_MAX).unwrap();
    assert_eq!(engine.counts().unwrap().accepted, 5);
    let error = engine.set_state(0.37, &launch).unwrap_err();
    assert!(error.cause.contains("not a boundary"), "{error}");
}
