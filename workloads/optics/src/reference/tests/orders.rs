//! Orders observed by halving the steps twice, with the control off.

use super::super::estimate::Estimate;
use super::*;

/// Past the compression of the soliton at pi/4.
const LENGTH: f64 = 0.8;

/// Numbers of steps. On 64 points the fastest phase turns by 0.08 in the longer ones.
const COUNTS: [usize; 2] = [192, 384];

/// Order of the whole method. A predictor of order 5 has a corrector of order 6.
const ORDERS: [(Stepper, f64); 4] = [
    (Stepper::Rk, 5.0),
    (Stepper::Rk4ip, 4.0),
    (Stepper::Multistep, 6.0),
    (Stepper::MultistepInteraction, 6.0),
];

/// `count` equal steps, of which the first is reached by doubling from a thousandth of it, so
/// that the low orders at the start of a history do not show.
fn schedule(count: usize) -> Vec<f64> {
    const DOUBLINGS: i32 = 10;
    let h = LENGTH / count as f64;
    let growing = (0..DOUBLINGS).map(|k| h * 2.0_f64.powi(k - DOUBLINGS));
    let mut steps = vec![h * 2.0_f64.powi(-DOUBLINGS)];
    steps.extend(growing);
    steps.extend(vec![h; count - 1]);
    steps
}

/// The state at `z`, from steps so short that its error does not show.
fn exact(problem: &Problem, launch: &[Complex64], z: f64) -> Vec<Complex64> {
    let steps = Steps::Fixed(vec![z / 1500.0; 1500]);
    end(problem, launch, Stepper::Rk, steps, z)
}

/// The order of every stepper, at the fraction `theta` of the last step of each run.
fn observed(problem: &Problem, launch: &[Complex64], theta: f64) -> Vec<f64> {
    let errors = COUNTS.map(|count| {
        let z = LENGTH - (1.0 - theta) * LENGTH / count as f64;
        let exact = exact(problem, launch, z);
        ORDERS.map(|(stepper, _)| {
            let steps = Steps::Replayed(schedule(count));
            let mut engine = engine(problem, stepper, steps, LENGTH);
            engine.set_state(0.0, launch).unwrap();
            engine.advance(LENGTH, STEPS_MAX).unwrap();
            distance(&engine.spectrum_at(z).unwrap(), &exact)
        })
    });
    let [coarse, fine] = errors;
    coarse
        .iter()
        .zip(fine)
        .map(|(coarse, fine)| (coarse / fine).log2())
        .collect()
}

#[test]
fn every_stepper_has_its_order() {
    let (problem, launch) = soliton(64, 32.0, 2.0);
    for (found, (stepper, order)) in observed(&problem, &launch, 1.0).iter().zip(ORDERS) {
        assert!((found - order).abs() < 0.2, "{stepper:?}: {found}");
    }
}

#[test]
fn loss_takes_nothing_from_the_order() {
    let (mut problem, launch) = soliton(64, 32.0, 2.0);
    problem.linear.iter_mut().for_each(|value| value.re = -0.25);
    for (found, (stepper, order)) in observed(&problem, &launch, 1.0).iter().zip(ORDERS) {
        assert!(*found > order - 0.2, "{stepper:?}: {found}");
    }
}

#[test]
fn inside_a_step_the_field_is_as_good_as_at_its_end() {
    let (mut problem, launch) = soliton(64, 32.0, 2.0);
    problem.linear.iter_mut().for_each(|value| value.re = -0.05);
    for theta in [0.0, 0.3, 0.7] {
        for (found, (stepper, order)) in observed(&problem, &launch, theta).iter().zip(ORDERS) {
            assert!(*found > order - 0.2, "{stepper:?} at {theta}: {found}");
        }
    }
}

#[test]
fn the_order_of_the_predictor_grows_by_one_with_every_step() {
    let (problem, launch) = soliton(64, 32.0, 1.0);
    let steppers: [Box<dyn Stepping>; 2] = [
        Box::new(Multistep::new(5, Estimate::Predictor)),
        Box::new(MultistepInteraction::new(5, Estimate::Predictor)),
    ];
    for mut stepper in steppers {
        let mut equation = Equation::new(Gnlse::new(&problem));
        for _ in 0..2 {
            stepper.restart();
            let mut state = launch.clone();
            let mut orders: Vec<u32> = Vec::new();
            for _ in 0..7 {
                // A rejected attempt changes nothing.
                let z = 0.01 * orders.len() as f64;
                stepper.attempt(&mut equation, z, &state, 0.02);
                let attempt = stepper.attempt(&mut equation, z, &state, 0.01);
                stepper.accept();
                let end = z + 0.01;
                stepper.settle(&mut equation, end, &attempt.state);
                orders.push(attempt.order);
                state = attempt.state;
            }
            assert_eq!(orders, [1, 2, 3, 4, 5, 5, 5]);
        }
    }
}
