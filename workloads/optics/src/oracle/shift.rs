//! The oracle of the soliton self-frequency shift: a published test of Luna.jl.

use longrun_protocol::receipt::OracleLine;

use super::evidence::Evidence;
use super::line::Quantity;
use super::{strongest_below, strongest_time_s};
use crate::gnlse::Gnlse;
use crate::gnlse::parameters::RamanModel;

/// Published frequency of the strongest mode, rad/s, and half of its last digit.
const OMEGA: (f64, f64) = (1.3975e15, 0.5e11);
/// Published time of the largest power, ps, and half of its last digit.
const TIME_PS: (f64, f64) = (6.080, 0.5e-3);

/// The published problem: length, duration, nonlinearity, dispersion; and how near it must be.
const LENGTH_M: f64 = 1.414;
const TAU_S: f64 = 10e-15;
const GAMMA: f64 = 0.1;
const BETA2: f64 = -1e-26;
const NEAR: f64 = 1e-3;

const FREQUENCY: Quantity = Quantity {
    oracle: "self_frequency_shift",
    name: "frequency of the strongest mode",
    unit: "rad/s",
};

const TIME: Quantity = Quantity {
    oracle: "self_frequency_shift",
    name: "time of the largest power",
    unit: "ps",
};

/// Whether the case is the published one.
pub fn is_published(case: &Gnlse) -> Result<(), &'static str> {
    let parameters = case.parameters();
    let near = |value: f64, published: f64| (value / published - 1.0).abs() < NEAR;
    let fibre = match case.fibre.dispersion.as_slice() {
        [beta2] => near(*beta2, BETA2) && near(case.fibre.gamma_per_w_m, GAMMA),
        _ => false,
    };
    let published = fibre
        && parameters.raman == RamanModel::BlowWood
        && !parameters.shock
        && near(case.pulse.tau_s, TAU_S)
        && near(case.length_m, LENGTH_M);
    match published {
        true => Ok(()),
        false => Err("it holds for a soliton of 10 fs after 90 periods, with Raman, without shock"),
    }
}

/// Where 90 periods of the Raman effect have taken a fundamental soliton: to the published
/// frequency within one step of the grid, and to the published time within one sample.
pub fn self_frequency_shift(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    let grid = &evidence.case.grid;
    let omega = strongest_below(grid, &evidence.end, f64::INFINITY);
    let time_ps = strongest_time_s(grid, &evidence.end).map(|time_s| 1e12 * time_s);
    let sample_ps = 1e12 * grid.time_step_s();
    vec![
        FREQUENCY.within(OMEGA.0, grid.frequency_step() + OMEGA.1, omega),
        TIME.within(TIME_PS.0, sample_ps + TIME_PS.1, time_ps),
    ]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::{changed, evidence, shifted};
    use super::*;
    use crate::fourier::{Complex64, forward};
    use serde_json::json;

    /// A soliton at a time and an absolute frequency.
    fn pulse(case: &Gnlse, time_s: f64, omega: f64) -> Vec<Complex64> {
        let offset = omega - case.grid.carrier();
        let at = |t: f64| {
            let envelope = 1.0 / ((t - time_s) / TAU_S).cosh();
            envelope * Complex64::cis(offset * t)
        };
        let mut field: Vec<Complex64> = case.grid.times().map(at).collect();
        forward(&mut field);
        field
    }

    #[test]
    fn the_published_shift_passes_and_one_that_is_two_steps_off_does_not() {
        let case = shifted();
        let mut evidence = evidence(&case);
        let (bin, sample) = (case.grid.frequency_step(), case.grid.time_step_s());
        for (bins, samples, expected) in [
            (0.0, 0.0, [true, true]),
            (2.5, 0.0, [false, true]),
            (0.0, -2.5, [true, false]),
        ] {
            let time_s = 6.080e-12 + samples * sample;
            evidence.end = pulse(&case, time_s, 1.3975e15 + bins * bin);
            let lines = self_frequency_shift(&evidence);
            let verdicts: Vec<bool> = lines.iter().map(OracleLine::passed).collect();
            assert_eq!(verdicts, expected, "{lines:?}");
        }
        evidence.end.clone_from(&case.launch);
        let lines = self_frequency_shift(&evidence);
        assert!(!lines.iter().any(OracleLine::passed), "nothing was shifted");
    }

    #[test]
    fn only_the_published_problem_is_held_to_the_published_figures() {
        assert!(is_published(&shifted()).is_ok());
        for (key, value) in [
            ("soliton_periods", json!(80.0)),
            ("shock", json!(true)),
            ("raman", json!("none")),
        ] {
            assert!(
                is_published(&changed(&shifted(), key, value)).is_err(),
                "{key}"
            );
        }
    }
}
