//! Oracles of the ideal soliton of integer order, which has an exact solution.

use longrun_protocol::receipt::OracleLine;

use super::evidence::{Evidence, State};
use super::line::Quantity;
use super::{energy_j, power_peaks_s, soliton_recovery};
use crate::fibre::{dispersion_length_m, soliton_order, soliton_period_m};
use crate::fourier::{Complex64, forward};
use crate::gnlse::parameters::RamanModel;
use crate::gnlse::{Gnlse, Noise};
use crate::pulse::Shape;
use crate::soliton::{ORDER_MAX, field};
use crate::witness::relative_l2;

/// Bounds for one period: those that Luna.jl asks of a soliton of order 4 over two.
const POWER_BOUND: f64 = 1e-3;
const SPECTRUM_BOUND: f64 = 1e-2;
/// The complex field may be as far off as its spectrum.
const FIELD_BOUND: f64 = 1e-2;

/// How near an order or a number of periods is to a whole one.
const WHOLE: f64 = 1e-6;

/// Order whose oracles in the middle of the period are known: two peaks.
const SPLITTING_ORDER: u32 = 3;
/// Peaks that reach this part of the largest power are counted.
const PEAK_FRACTION: f64 = 0.5;

/// Planes over the length among which the largest power is looked for.
pub const COMPRESSION_INTERVALS: u32 = 200;
/// How far peak powers may be from the exact ones: what sampling a pulse a tenth as long as the
/// launched one, at `tau / 200`, and a field error within [`FIELD_BOUND`] can do.
const PEAK_TOLERANCE: f64 = 0.02;

/// Relative spread that is allowed to the error that noise makes. It is a sum over some 400
/// independent modes under the pulse, so it scatters by about 5 %; what the absorber leaves of the
/// noise at the end adds up to 10 %.
const NOISE_SPREAD: f64 = 0.25;

const fn recovered(name: &'static str) -> Quantity {
    Quantity {
        oracle: "soliton_recovered",
        name,
        unit: "",
    }
}

const fn splits(name: &'static str) -> Quantity {
    Quantity {
        oracle: "soliton_splits",
        name,
        unit: "",
    }
}

const NOISY_POWER: Quantity = Quantity {
    oracle: "soliton_noise",
    name: "power over time after one period, relative L2 error that the noise makes",
    unit: "",
};

/// The order, where the case is the ideal soliton of an integer order over one period.
pub fn order_over_one_period(case: &Gnlse) -> Result<u32, &'static str> {
    let parameters = case.parameters();
    let ideal = parameters.raman == RamanModel::None
        && !parameters.shock
        && case.fibre.loss_per_m == 0.0
        && case.pulse.shape == Shape::Sech;
    let &[beta2] = case.fibre.dispersion.as_slice() else {
        return Err("it holds for second-order dispersion alone");
    };
    if !ideal || beta2 >= 0.0 {
        return Err(
            "it holds for a sech pulse in anomalous dispersion, without Raman, shock, loss",
        );
    }
    let gamma = case.fibre.gamma_per_w_m * parameters.acting_fraction();
    let order = soliton_order(case.pulse.peak_power_w, gamma, beta2, case.pulse.tau_s);
    let whole = (1..=ORDER_MAX).find(|n| (order - f64::from(*n)).abs() < WHOLE);
    let periods = case.length_m / soliton_period_m(beta2, case.pulse.tau_s);
    match whole.filter(|_| (periods - 1.0).abs() < WHOLE) {
        Some(order) => Ok(order),
        None => Err("it holds for a soliton of integer order over one period"),
    }
}

/// Whether the case is that of order 3, whose splitting is known.
pub fn splits_in_two(case: &Gnlse) -> Result<(), &'static str> {
    match order_over_one_period(case)? {
        SPLITTING_ORDER => Ok(()),
        _ => Err("it holds for the soliton of order 3"),
    }
}

/// After one period the field is that of the launch, turned by an eighth of a turn.
pub fn recovery(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    let found = soliton_recovery(&evidence.case.launch, &evidence.end);
    let power = "power over time after one period, relative L2 error";
    let spectrum = "energy over frequency after one period, relative L2 error";
    let complex = "complex field after one period, relative L2 error";
    vec![
        recovered(power).at_most(POWER_BOUND, found.map(|found| found.power)),
        recovered(spectrum).at_most(SPECTRUM_BOUND, found.map(|found| found.spectrum)),
        recovered(complex).at_most(FIELD_BOUND, found.map(|found| found.field)),
    ]
}

/// On the way the soliton of order 3 is compressed, splits in two and comes together again.
pub fn splitting(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    let case = evidence.case;
    let gain = |power_w: f64| power_w / case.pulse.peak_power_w;
    let middle_m = case.length_m / 2.0;
    let brightest = evidence.brightest(middle_m);
    let exact = exact_brightest(evidence, middle_m);
    let peaks = power_peaks_s(&case.grid, &evidence.middle.spectrum, PEAK_FRACTION);
    let at_middle = evidence.plane_at(middle_m);
    let spacing = 1.0 / f64::from(COMPRESSION_INTERVALS);
    let position = |z_m: f64| z_m / case.length_m;
    vec![
        splits("largest peak power in the first half, over that at the launch").within(
            exact.1,
            PEAK_TOLERANCE * exact.1,
            brightest.map(|plane| gain(plane.peak_power_w)),
        ),
        splits("where it is, as a fraction of the period").within(
            position(exact.0),
            spacing,
            brightest.map(|plane| position(plane.z_m)),
        ),
        splits("pulses in the middle of the period").within(2.0, 0.0, Some(peaks.len() as f64)),
        splits("peak power in the middle, over that at the launch").within(
            exact_gain(case, middle_m),
            PEAK_TOLERANCE * exact_gain(case, middle_m),
            at_middle.map(|plane| gain(plane.peak_power_w)),
        ),
        splits("complex field in the middle, relative L2 error")
            .at_most(FIELD_BOUND, middle_error(case, &evidence.middle)),
    ]
}

/// Position in metres and gain of the largest exact peak power on the planes up to `z_max_m`.
/// While the pulse is whole, its peak is at its centre.
fn exact_brightest(evidence: &Evidence<'_>, z_max_m: f64) -> (f64, f64) {
    let planes = evidence.planes.iter().filter(|plane| plane.z_m <= z_max_m);
    let gains = planes.map(|plane| (plane.z_m, centre_gain(evidence.case, plane.z_m)));
    gains
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((f64::NAN, f64::NAN))
}

/// The exact power at the centre over that of the launch.
fn centre_gain(case: &Gnlse, z_m: f64) -> f64 {
    exact_amplitude(case, 0.0, z_m).norm_sqr() / case.pulse.peak_power_w
}

/// The exact peak power over that of the launch, on the times of the grid.
fn exact_gain(case: &Gnlse, z_m: f64) -> f64 {
    // Two durations from the centre the exact field is a tail.
    let near = case
        .grid
        .times()
        .filter(|t| t.abs() <= 2.0 * case.pulse.tau_s);
    let powers = near.map(|t| exact_amplitude(case, t, z_m).norm_sqr());
    powers.max_by(f64::total_cmp).unwrap_or(f64::NAN) / case.pulse.peak_power_w
}

/// The exact stored field in √W: the conjugate of the one that turns forward.
fn exact_amplitude(case: &Gnlse, t: f64, z_m: f64) -> Complex64 {
    let (Ok(order), Some(beta2)) = (order_over_one_period(case), case.fibre.beta2()) else {
        return Complex64::new(f64::NAN, f64::NAN);
    };
    let tau_s = case.pulse.tau_s;
    let u = field(order, t / tau_s, z_m / dispersion_length_m(beta2, tau_s));
    let unit = case.pulse.peak_power_w.sqrt() / f64::from(order);
    u.map_or(Complex64::new(f64::NAN, f64::NAN), |u| unit * u.conj())
}

fn middle_error(case: &Gnlse, middle: &State) -> Option<f64> {
    let at = |t| exact_amplitude(case, t, middle.z_m);
    let mut exact: Vec<Complex64> = case.grid.times().map(at).collect();
    forward(&mut exact);
    relative_l2(&middle.spectrum, &exact)
}

/// One photon per mode is all that parts the noisy soliton from its launch.
///
/// Noise of mean power p beats with a sech pulse of peak power P. Its power over time then has a
/// relative L2 error of `sqrt(3 p / P)` against the pure pulse, whatever propagates it; the end
/// has lost nearly all of the noise to the windows.
pub fn noise(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    let case = evidence.case;
    let expected = noise_error(case).unwrap_or(f64::NAN);
    let found = soliton_recovery(&case.launch, &evidence.end).map(|found| found.power);
    vec![NOISY_POWER.within(expected, NOISE_SPREAD * expected, found)]
}

fn noise_error(case: &Gnlse) -> Option<f64> {
    let pure = Gnlse::new(case.parameters(), Noise::None).ok()?;
    let pairs = case.launch.iter().zip(&pure.launch);
    let noise: Vec<Complex64> = pairs.map(|(noisy, pure)| noisy - pure).collect();
    let power_w = energy_j(&case.grid, &noise) / case.grid.window_s();
    Some((3.0 * power_w / case.pulse.peak_power_w).sqrt())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::evidence::Plane;
    use super::super::testing::{changed, evidence, soliton};
    use super::*;
    use crate::fourier::inverse_of;
    use serde_json::json;
    use std::f64::consts::FRAC_PI_4;

    fn exact_spectrum(case: &Gnlse, z_m: f64) -> Vec<Complex64> {
        let mut values: Vec<Complex64> = case
            .grid
            .times()
            .map(|t| exact_amplitude(case, t, z_m))
            .collect();
        forward(&mut values);
        values
    }

    /// The evidence of a propagation that is exact.
    fn exact_evidence(case: &Gnlse) -> Evidence<'_> {
        let mut evidence = evidence(case);
        let plane = |index: u32| {
            let z_m = case.length_m * f64::from(index) / f64::from(COMPRESSION_INTERVALS);
            let gain = match index == COMPRESSION_INTERVALS / 2 {
                true => exact_gain(case, z_m),
                false => centre_gain(case, z_m),
            };
            Plane {
                z_m,
                energy_j: case.pulse.energy_j(),
                peak_power_w: gain * case.pulse.peak_power_w,
                nodes: None,
            }
        };
        evidence.planes = (0..=COMPRESSION_INTERVALS).map(plane).collect();
        evidence.middle = State {
            z_m: 0.501 * case.length_m,
            spectrum: exact_spectrum(case, 0.501 * case.length_m),
        };
        evidence.end = exact_spectrum(case, case.length_m);
        evidence
    }

    #[test]
    fn the_exact_soliton_passes_everything() {
        let case = soliton();
        let evidence = exact_evidence(&case);
        for line in recovery(&evidence).iter().chain(&splitting(&evidence)) {
            assert!(line.passed(), "{line:?}");
        }
        let lines = splitting(&evidence);
        let obtained: Vec<f64> = lines.iter().map(|line| line.obtained.unwrap()).collect();
        assert!((obtained[0] - 6.19).abs() < 0.01, "{obtained:?}");
        assert!((obtained[1] - 0.235).abs() < 0.006, "{obtained:?}");
        assert!((obtained[3] - 2.322).abs() < 0.001, "{obtained:?}");
        assert!(obtained[4] < 1e-12, "{obtained:?}");
    }

    #[test]
    fn a_soliton_that_does_not_change_fails_on_the_way() {
        let case = soliton();
        let mut evidence = exact_evidence(&case);
        for plane in &mut evidence.planes {
            plane.peak_power_w = case.pulse.peak_power_w;
        }
        evidence.middle.spectrum.clone_from(&case.launch);
        for line in splitting(&evidence) {
            assert!(!line.passed(), "{line:?}");
        }
    }

    #[test]
    fn a_phase_that_is_missing_is_seen_in_the_field_alone() {
        let case = soliton();
        let mut evidence = exact_evidence(&case);
        let turn = Complex64::cis(FRAC_PI_4);
        evidence.end.iter_mut().for_each(|value| *value *= turn);
        let verdicts: Vec<bool> = recovery(&evidence).iter().map(OracleLine::passed).collect();
        assert_eq!(verdicts, [true, true, false]);
    }

    #[test]
    fn only_an_ideal_soliton_over_one_period_is_one() {
        assert_eq!(order_over_one_period(&soliton()), Ok(3));
        for (key, value) in [
            ("raman", json!("blow_wood")),
            ("shock", json!(true)),
            ("soliton_periods", json!(2.0)),
            (
                "pulse",
                json!({"shape": "sech", "tau_s": 280e-15, "soliton_order": 2.5}),
            ),
            (
                "pulse",
                json!({"shape": "gauss", "tau_s": 280e-15, "soliton_order": 3.0}),
            ),
            (
                "fibre",
                json!({"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26, 1e-41]}),
            ),
        ] {
            let case = changed(&soliton(), key, value.clone());
            assert!(order_over_one_period(&case).is_err(), "{key} {value}");
        }
        let pulse = json!({"shape": "sech", "tau_s": 280e-15, "soliton_order": 2.0});
        let second = changed(&soliton(), "pulse", pulse);
        assert_eq!(order_over_one_period(&second), Ok(2));
        assert!(splits_in_two(&second).is_err());
    }

    #[test]
    fn noise_is_expected_to_part_the_power_by_its_beat_with_the_pulse() {
        let parameters = soliton().parameters().clone();
        let noisy = Gnlse::new(&parameters, Noise::Input { seed: 1 }).unwrap();
        let pure = soliton();
        // What the noise does to the power of the launch itself.
        let power = |spectrum: &[Complex64]| -> Vec<Complex64> {
            let field = inverse_of(spectrum);
            field.iter().map(|a| a.norm_sqr().into()).collect()
        };
        let found = relative_l2(&power(&noisy.launch), &power(&pure.launch)).unwrap();
        let expected = noise_error(&noisy).unwrap();
        assert!(
            (found / expected - 1.0).abs() < NOISE_SPREAD,
            "{found} {expected}"
        );
    }
}
