//! A linear operator that changes along the guide.

use super::super::super::equation::Model;
use super::*;
use crate::constants::SPEED_OF_LIGHT;
use crate::guided::Gradient;

const CARRIER: f64 = 2.35e15;
/// Below it nothing is evaluated, rad/s.
const LOWEST: f64 = 6e14;
const LENGTH: f64 = 0.05;

/// chi over density in m³ and its derivative: about that of helium, with more dispersion.
fn chi(omega: f64) -> (f64, f64) {
    let relative = omega / CARRIER;
    let value = 2.6e-30 * (1.0 + 0.02 * relative * relative);
    (value, 2.6e-30 * 0.04 * relative / CARRIER)
}

/// `(u c / (w a))² (1 - i v u c / (w a))²` and its derivative, for a core of 40 µm.
fn waveguide(u: f64, omega: f64) -> (Complex64, Complex64) {
    let small = u * SPEED_OF_LIGHT / (omega * 40e-6);
    let lossy = Complex64::new(1.0, -1.5 * small);
    let value = small * small * lossy * lossy;
    let slope = -2.0 * small * small / omega * lossy * (2.0 * lossy - 1.0);
    (value, slope)
}

/// Two modes of a real field or an envelope in helium.
fn capillary(field: FieldKind, pressures_pa: [f64; 2]) -> GuidedProblem {
    let mut problem = bare(field, 256, 0.5e-15, CARRIER);
    for omega in &mut problem.omega {
        if *omega < LOWEST {
            *omega = 0.0;
        }
    }
    let gaseous = |omega: &f64| if *omega > 0.0 { chi(*omega).0 } else { 0.0 };
    let subtracted = |u: f64, omega: f64| match omega > 0.0 {
        true => waveguide(u, omega).0,
        false => Complex64::default(),
    };
    let at_bins =
        |u: &f64| -> Vec<Complex64> { problem.omega.iter().map(|w| subtracted(*u, *w)).collect() };
    let gradient = Gradient {
        inlet_pa: pressures_pa[0],
        outlet_pa: pressures_pa[1],
        length_m: LENGTH,
        temperature_k: 293.15,
        virial_m3: 1.97e-29,
        susceptibility: problem.omega.iter().map(gaseous).collect(),
        waveguide: [2.405, 5.52].iter().flat_map(at_bins).collect(),
        carrier_susceptibility: chi(CARRIER).0,
        carrier_waveguide: waveguide(2.405, CARRIER).0,
        susceptibility_slope: chi(CARRIER).1,
        waveguide_slope: waveguide(2.405, CARRIER).1,
        loss: true,
        max_loss_per_m: 3000.0,
        over_index: false,
    };
    problem.modes = 2;
    problem.synthesis = vec![1.0, 0.8];
    problem.projection = vec![1.0, 0.8];
    problem.density = Density::Gradient;
    problem.kerr = 1.0;
    // A phase of the order of 1 over the guide at 1 bar.
    let strength = |omega: &f64| Complex64::new(0.0, -omega / CARRIER / 2.5e25 / LENGTH);
    let source: Vec<Complex64> = problem.omega.iter().map(strength).collect();
    problem.source = source.repeat(2);
    problem.linear = Linear::Gradient(Box::new(gradient));
    problem
}

fn changed(mut problem: GuidedProblem, change: impl Fn(&mut Gradient)) -> GuidedProblem {
    if let Linear::Gradient(gradient) = &mut problem.linear {
        change(gradient);
    }
    problem
}

fn gas(problem: &GuidedProblem) -> &Gradient {
    match &problem.linear {
        Linear::Gradient(gradient) => gradient,
        Linear::Fixed(_) => unreachable!("every problem here has a gradient"),
    }
}

/// A pulse in the first mode, a weaker one in the second.
fn pulse(problem: &GuidedProblem) -> Vec<Complex64> {
    let envelope = gaussian(12e-15);
    let first = match problem.field {
        FieldKind::Real => launched(problem, |t| envelope(t) * (CARRIER * t).cos()),
        FieldKind::Envelope => launched(problem, &envelope),
    };
    let second = first.iter().map(|value| 0.3 * value);
    let second: Vec<Complex64> = second.collect();
    [first, second].concat()
}

/// Density from the equation of state, by bisection.
fn density(pressure_pa: f64) -> f64 {
    let pressure = |density: f64| density * 1.380_648_52e-23 * 293.15 * (1.0 + 1.97e-29 * density);
    let mut ends = (0.0, 1e26);
    for _ in 0..100 {
        let middle = 0.5 * (ends.0 + ends.1);
        if pressure(middle) < pressure_pa {
            ends.0 = middle;
        } else {
            ends.1 = middle;
        }
    }
    ends.0
}

/// The same capillary at one pressure, with a linear operator that is written down once.
fn uniform(field: FieldKind, pressure_pa: f64) -> GuidedProblem {
    let mut problem = capillary(field, [pressure_pa; 2]);
    let gas = gas(&problem).clone();
    let density = density(pressure_pa);
    // Everything less that of the vacuum: c beta_0, c beta_1, and c beta and the loss below.
    let less_one = |x: Complex64| x / ((1.0 + x).sqrt() + 1.0);
    let at_carrier = less_one(density * chi(CARRIER).0 - gas.carrier_waveguide);
    let slope = density * chi(CARRIER).1 - gas.waveguide_slope;
    let slope = slope / (2.0 * (1.0 + at_carrier));
    let (beta0, beta1) = (CARRIER * at_carrier.re, (at_carrier + CARRIER * slope).re);
    let omegas = problem.omega.iter().cycle();
    let linear = gas.waveguide.iter().zip(omegas).map(|(waveguide, omega)| {
        let index = less_one(density * chi(*omega).0 - waveguide);
        let frame = match field {
            FieldKind::Real => beta1 * omega,
            FieldKind::Envelope => beta1 * (omega - CARRIER) + beta0,
        };
        match *omega > 0.0 {
            true => Complex64::new(-omega * index.im, frame - omega * index.re) / SPEED_OF_LIGHT,
            false => Complex64::default(),
        }
    });
    problem.linear = Linear::Fixed(linear.collect());
    problem.density = Density::Constant(density);
    problem
}

#[test]
fn a_gradient_between_equal_pressures_is_a_uniform_capillary() {
    for field in [FieldKind::Real, FieldKind::Envelope] {
        let gradient = capillary(field, [9e4; 2]);
        let uniform = uniform(field, 9e4);
        let launch = pulse(&gradient);
        for stepper in CONTROLLED {
            let steps = controlled(1e-7, 1e-5, LENGTH);
            let run = |problem| through(problem, &launch, stepper, steps.clone(), LENGTH);
            let (a, b) = (run(&gradient), run(&uniform));
            let apart = distance(&state(&a), &state(&b));
            assert!(apart < 1e-10, "{field:?} {stepper:?}: {apart:e}");
            let counts = [&a, &b].map(|engine| engine.counts().unwrap().evaluations);
            assert_eq!(counts[0], counts[1], "{field:?} {stepper:?}");
        }
    }
}

#[test]
fn the_source_has_the_density_of_its_place_and_the_index_of_the_step() {
    let problem = capillary(FieldKind::Real, [9e4, 0.0]);
    let launch = pulse(&problem);
    let constant = GuidedProblem {
        density: Density::Constant(1.0),
        ..problem.clone()
    };
    let per_density = slope(&constant, 0.0, &launch);
    // Where a quarter of the square of the pressure is left, the pressure is half.
    for (z_m, pressure_pa) in [(0.0, 9e4), (0.75 * LENGTH, 4.5e4)] {
        let scaled = per_density.iter().map(|value| value * density(pressure_pa));
        let expected: Vec<Complex64> = scaled.collect();
        let apart = distance(&slope(&problem, z_m, &launch), &expected);
        assert!(apart < 1e-12, "{z_m} m: {apart:e}");
    }
    let divided = changed(problem.clone(), |gas| gas.over_index = true);
    let mut equation = Equation::new(Guided::new(&divided));
    equation.prepare(0.5 * LENGTH, 0.5 * LENGTH);
    let found = equation.slope(0.0, &launch);
    let pressed = density(4.5e4);
    let index = |(waveguide, chi): (&Complex64, &f64)| (1.0 + pressed * chi - waveguide).sqrt().re;
    let chis = gas(&divided).susceptibility.iter().cycle();
    let indices = gas(&divided).waveguide.iter().zip(chis).map(index);
    let whole = slope(&problem, 0.0, &launch);
    let quotients = whole
        .iter()
        .zip(indices)
        .map(|(value, index)| value / index);
    let expected: Vec<Complex64> = quotients.collect();
    let apart = distance(&found, &expected);
    assert!(apart < 1e-13, "{apart:e}");
}

#[test]
fn a_loss_is_clamped_and_can_be_left_out() {
    let problem = capillary(FieldKind::Real, [9e4, 0.0]);
    let largest = |problem: &GuidedProblem| {
        let guided = Guided::new(problem);
        let losses = guided.linear().iter().map(|value| -2.0 * value.re);
        losses.fold(0.0, f64::max)
    };
    let free = largest(&problem);
    assert!(free > 1.0, "{free}");
    let clamped = changed(problem.clone(), |gas| gas.max_loss_per_m = 0.5);
    assert_eq!(largest(&clamped), 0.5);
    let lossless = changed(problem, |gas| gas.loss = false);
    assert_eq!(largest(&lossless), 0.0);
}

#[test]
fn the_operator_is_frozen_at_the_middle_of_a_step_which_is_of_second_order() {
    let mut problem = capillary(FieldKind::Real, [9e4, 6e4]);
    problem.source.fill(Complex64::default());
    let launch = pulse(&problem);
    // Simpson's rule over the exact operator.
    let intervals = 4000_u32;
    let mut guided = Guided::new(&problem);
    let mut integral = vec![Complex64::default(); launch.len()];
    for place in 0..=intervals {
        guided.prepare(LENGTH * f64::from(place) / f64::from(intervals));
        let weight = match place {
            0 => 1.0,
            _ if place == intervals => 1.0,
            _ if place % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let scale = weight * LENGTH / (3.0 * f64::from(intervals));
        for (sum, value) in integral.iter_mut().zip(guided.linear()) {
            *sum += scale * value;
        }
    }
    let flow = launch.iter().zip(&integral).map(|(y, l)| y * l.exp());
    let exact: Vec<Complex64> = flow.collect();
    for stepper in Stepper::ALL {
        let errors = [20, 40].map(|count| {
            let steps = Steps::Fixed(vec![LENGTH / f64::from(count); count as usize]);
            distance(
                &state(&through(&problem, &launch, stepper, steps, LENGTH)),
                &exact,
            )
        });
        let order = (errors[0] / errors[1]).log2();
        assert!((order - 2.0).abs() < 0.2, "{stepper:?}: {order}");
    }
}
