//! Ionisation as the whole equation sees it.

use super::*;
use crate::guided::Plasma;
use crate::ionisation::RateTable;

const CARRIER: f64 = 2.35e15;
const POINTS: usize = 8192;
const STEP_S: f64 = 0.02e-15;
/// J.
const ENERGY_J: f64 = 2.5e-18;

/// A rate in 1/s that is the same for all fields from a millionth of a volt per metre on.
fn constant(rate: f64) -> Plasma {
    Plasma {
        rate: RateTable {
            first_field: 1e-6,
            step: 1e12,
            cells: vec![[rate.ln(), 0.0, 0.0, 0.0]],
        },
        ionisation_energy_j: ENERGY_J,
    }
}

fn ionising(field: FieldKind, plasma: Plasma) -> GuidedProblem {
    let mut problem = bare(field, POINTS, STEP_S, CARRIER);
    problem.plasma = Some(plasma);
    problem
}

#[test]
fn free_electrons_push_a_field_as_they_push_its_envelope() {
    let free = Plasma {
        ionisation_energy_j: 0.0,
        ..constant(1e13)
    };
    let real = ionising(FieldKind::Real, free.clone());
    let envelope = ionising(FieldKind::Envelope, free);
    // In volts per metre: the amplitude is the field at the only node.
    let pulse = gaussian(20e-15);
    let launch = launched(&real, |t| 1e6 * pulse(t) * (CARRIER * t).cos());
    let of_the_field = slope(&real, 0.0, &launch);
    let launch = launched(&envelope, |t| 1e6 * pulse(t));
    let of_the_envelope = slope(&envelope, 0.0, &launch);
    // The carrier lies between two bins: so compare what they hold around it, not the bins.
    let energy = |values: &[Complex64], problem: &GuidedProblem| -> f64 {
        let bins = values.iter().zip(&problem.omega);
        let near = bins.filter(|(_, omega)| (*omega / CARRIER - 1.0).abs() < 0.2);
        near.map(|(value, _)| value.norm_sqr()).sum()
    };
    let field = 4.0 * energy(&of_the_field, &real);
    let ratio = field / energy(&of_the_envelope, &envelope);
    // Trapezoids at 0.05 rad a sample, and a rate that the cycle does not see: a part in a hundred.
    assert!((ratio - 1.0).abs() < 1e-2, "{ratio}");
    // Free electrons answer against the field: P = -e²/(m w²) f E.
    let at_carrier = of_the_envelope[0] / launch[0];
    assert!(at_carrier.re < 0.0, "{at_carrier}");
    assert!(
        at_carrier.im.abs() < 1e-2 * at_carrier.re.abs(),
        "{at_carrier}"
    );
}

#[test]
fn an_envelope_loses_the_energy_of_its_electrons() {
    // With s = i w the slope is the current, and the work on the field half of Re(J* E).
    let mut problem = ionising(FieldKind::Envelope, constant(1e13));
    let derivative = |omega: &f64| Complex64::new(0.0, *omega);
    problem.source = problem.omega.iter().map(derivative).collect();
    // A rectangle of 100 fs, whose rate fills it evenly: 1 - e^-1.
    let launch = launched(&problem, |t| if t.abs() < 50e-15 { 1e6 } else { 0.0 });
    let current = slope(&problem, 0.0, &launch);
    let pairs = current.iter().zip(&launch);
    let work: f64 = pairs.map(|(j, e)| 0.5 * (j.conj() * e).re).sum();
    let work = work * STEP_S / POINTS as f64;
    let expected = ENERGY_J * (1.0 - (-1.0_f64).exp());
    // Frequencies below zero, which the rectangle reaches, are not light.
    assert!(
        (work / expected - 1.0).abs() < 5e-3,
        "{work:e} {expected:e}"
    );
}

#[test]
fn a_field_beyond_the_table_is_named_with_its_place() {
    let mut problem = ionising(FieldKind::Real, constant(1e13));
    if let Some(plasma) = &mut problem.plasma {
        plasma.rate.step = 1e6;
    }
    let pulse = gaussian(20e-15);
    let launch = launched(&problem, |t| 2e6 * pulse(t) * (CARRIER * t).cos());
    for stepper in CONTROLLED {
        let mut engine = guide(&problem, stepper, controlled(1e-6, 1e-3, 1.0), 1.0);
        engine.set_state(0.0, &launch).unwrap();
        let error = engine.advance(1.0, STEPS_MAX).unwrap_err();
        let cause = &error.cause;
        assert!(error.attempt.contains("at z = 0 m"), "{error}");
        assert!(cause.contains("source at z = 0 m"), "{error}");
        assert!(cause.contains("2.0000e6 V/m"), "{error}");
        assert!(cause.contains("ionisation table"), "{error}");
        let error = engine.advance(1.0, STEPS_MAX).unwrap_err();
        assert!(error.cause.contains("set a state first"), "{error}");
    }
}
