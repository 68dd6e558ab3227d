//! Light that molecules shift by their own frequencies: lines, and then all that lies between them.

use longrun_protocol::receipt::OracleLine;

use super::setting::{COMB, capillary};
use super::spectrum;
use crate::guided::Guided;
use crate::molecular_raman::Motion;
use crate::oracle::evidence::Evidence;
use crate::oracle::line::Quantity;
use crate::oracle::spectrum::Spectrum;

/// A line is looked for where it is expected, give or take this, THz.
const SEARCH_THZ: f64 = 6.0;

/// How far half the distance of two lines may be from the frequency of the molecules, THz: below
/// the next rotation, 7 THz away, and above half the width of a line.
const TOLERANCE_THZ: f64 = 1.5;

/// What is weaker than this part of the strongest bin is no line: 70 dB. Noise lies at 115 dB, and
/// what the window cuts off a pulse of 600 fs at 95 dB.
const FAINTEST: f64 = 1e-7;

/// Shortest pulse, as the duration parameter of a Gaussian in s, whose own spectrum leaves room for
/// lines: 100 fs at half maximum.
const TAU_MIN_S: f64 = 59e-15;

/// Level at which the continuum of `ctc` is measured, dB, and the wavelengths in nm that it covers:
/// 500 to 2000. The third harmonic of the pump is as bright from the first centimetre, so the
/// distance between the outermost wavelengths would say nothing.
const LEVEL_DB: f64 = 40.0;
const COVERED_NM: (f64, f64) = (1250.0, 750.0);

const RADIANS_PER_TERACYCLE: f64 = 1e12 * std::f64::consts::TAU;

/// A frequency of molecules in THz, and how its two lines are called.
type Line = (f64, Quantity);

const fn line(name: &'static str) -> Quantity {
    Quantity {
        oracle: "raman_lines",
        name,
        unit: "THz",
    }
}

/// Vibration of hydrogen.
const VIBRATION: Line = (
    124.57,
    line("half of what is between the Stokes and anti-Stokes lines of the vibration"),
);

/// Rotation of ortho-hydrogen, the strongest.
const ROTATION: Line = (
    17.45,
    line("half of what is between the Stokes and anti-Stokes lines of the rotation"),
);

const COVERED: Quantity = Quantity {
    oracle: "span",
    name: "wavelengths within 40 dB of the peak, without gaps",
    unit: "nm",
};

/// The lines of a case; none without molecules, or for a pulse too short to show them.
fn expected(case: &Guided) -> Vec<Line> {
    let motion = capillary(case).and_then(|own| own.raman);
    match motion.filter(|_| case.pulse.tau_s >= TAU_MIN_S) {
        Some(Motion::Both) => vec![ROTATION, VIBRATION],
        Some(Motion::Rotation) => vec![ROTATION],
        Some(Motion::Vibration) => vec![VIBRATION],
        None => Vec::new(),
    }
}

/// Whether the case has lines.
pub fn has_lines(case: &Guided) -> Result<(), &'static str> {
    match expected(case).is_empty() {
        false => Ok(()),
        true => Err("it holds for pulses of 100 fs or more in hydrogen with its Raman effect"),
    }
}

/// How far the light of the middle is apart that molecules have shifted once, to the red and to the
/// blue. Lines stand alone there; by the end all that lies between them is lit.
///
/// They are not looked at one by one. Most of them comes from the rear of the pulse, which by then
/// is bluer than the carrier by some 2 THz, and so are both lines.
pub fn lines(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let carrier = evidence.case.problem().carrier_rad_s;
    let middle = spectrum(evidence.case, &evidence.middle.spectrum);
    let lines = expected(evidence.case).into_iter();
    let measured = lines.map(|(shift_thz, quantity)| {
        let red = shift_of_peak(&middle, carrier, -shift_thz);
        let blue = shift_of_peak(&middle, carrier, shift_thz);
        let half = red.zip(blue).map(|(red, blue)| (blue - red) / 2.0);
        quantity.within(shift_thz, TOLERANCE_THZ, half)
    });
    measured.collect()
}

/// Distance in THz from the carrier to the strongest light near where a line is expected, if that
/// is a line.
fn shift_of_peak(spectrum: &Spectrum, carrier: f64, shift_thz: f64) -> Option<f64> {
    let at = |shift_thz: f64| carrier + RADIANS_PER_TERACYCLE * shift_thz;
    let near = at(shift_thz - SEARCH_THZ)..at(shift_thz + SEARCH_THZ);
    let (omega, energy) = spectrum.peak_within(near)?;
    let is_line = energy >= FAINTEST * spectrum.largest_j();
    is_line.then_some((omega - carrier) / RADIANS_PER_TERACYCLE)
}

/// Whether the case is the long pulse in dense hydrogen, over its whole length.
pub fn is_continuum(case: &Guided) -> Result<(), &'static str> {
    match COMB.is_of(case) {
        true => Ok(()),
        false => Err("it holds for the pulse of 600 fs and 6 µJ in 13 cm of hydrogen at 40 bar"),
    }
}

/// How much light of other wavelengths there is at the end.
pub fn span(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let covered_m = spectrum(evidence.case, &evidence.end).covered_m(LEVEL_DB);
    let (expected, tolerance) = COVERED_NM;
    vec![COVERED.within(expected, tolerance, covered_m.map(|metres| 1e9 * metres))]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::{changed, comb, evidence, fibre, hydrogen};
    use super::*;
    use crate::fourier::Complex64;
    use serde_json::json;

    /// Amplitudes of narrow lines at shifts in THz from the carrier, beside the launch.
    fn with_lines(case: &Guided, shifts_thz: &[f64], amplitude: f64) -> Vec<Complex64> {
        let carrier = case.problem().carrier_rad_s;
        let largest = case.launch.iter().map(|value| value.norm());
        let largest = largest.fold(0.0, f64::max);
        let omegas = case.problem().omega.iter();
        let both = case.launch.iter().zip(omegas).map(|(value, omega)| {
            let near = |shift: &f64| {
                let apart_thz = (omega - carrier) / RADIANS_PER_TERACYCLE - shift;
                (-0.5 * apart_thz * apart_thz).exp()
            };
            let lines: f64 = shifts_thz.iter().map(near).sum();
            value + amplitude * largest * lines
        });
        both.collect()
    }

    #[test]
    fn lines_where_they_belong_pass_and_others_do_not() {
        let case = comb();
        assert!(has_lines(&case).is_ok());
        let mut evidence = evidence(&case);
        // As a blue pump has them: all are shifted by 2 THz.
        let known = [-122.57, -15.45, 19.45, 126.57];
        evidence.middle.spectrum = with_lines(&case, &known, 0.01);
        let measured = lines(&evidence);
        assert_eq!(measured.len(), 2);
        assert!(measured.iter().all(OracleLine::passed), "{measured:?}");
        // A vibration of another molecule and another rotation; one side alone; too faint.
        for (shifts_thz, amplitude) in [
            (&[-120.0, -14.5, 14.5, 120.0][..], 0.01),
            (&[-124.57, -17.45], 0.01),
            (&known, 1e-4),
        ] {
            evidence.middle.spectrum = with_lines(&case, shifts_thz, amplitude);
            let measured = lines(&evidence);
            assert!(!measured.iter().any(OracleLine::passed), "{measured:?}");
        }
        evidence.middle.spectrum.clone_from(&case.launch);
        let pump_alone = lines(&evidence);
        assert!(!pump_alone.iter().any(OracleLine::passed), "{pump_alone:?}");
    }

    #[test]
    fn molecules_that_only_turn_have_no_lines_of_a_vibration() {
        let case = changed("comb", "raman", json!("rotation"));
        assert_eq!(expected(&case).len(), 1);
        for case in [hydrogen(), fibre()] {
            assert!(has_lines(&case).is_err());
        }
    }

    #[test]
    fn a_continuum_has_no_gaps() {
        let case = comb();
        assert!(is_continuum(&case).is_ok() && is_continuum(&hydrogen()).is_err());
        let mut evidence = evidence(&case);
        let pump_alone = &span(&evidence)[0];
        assert!(!pump_alone.passed() && pump_alone.obtained.unwrap() < 50.0);
        // Two lines are 560 nm apart, 870 nm and 1430 nm, and dark in between.
        evidence.end = with_lines(&case, &[-81.4, 53.5], 0.5);
        assert!(!span(&evidence)[0].passed());
        let between: Vec<f64> = (-81..=53).map(f64::from).collect();
        evidence.end = with_lines(&case, &between, 0.5);
        let line = &span(&evidence)[0];
        assert!(line.passed() && line.obtained.unwrap() < 650.0, "{line:?}");
    }
}
