//! Light that molecules shift by their own frequencies: lines, and then all that lies between them.

use longrun_protocol::receipt::OracleLine;

use super::setting::{COMB, capillary};
use super::spectrum;
use crate::constants::wavelength_m;
use crate::guided::Guided;
use crate::molecular_raman::Motion;
use crate::oracle::evidence::Evidence;
use crate::oracle::line::Quantity;
use crate::oracle::spectrum::Spectrum;

/// A line is looked for where it is expected, give or take this, THz.
const SEARCH_THZ: f64 = 6.0;

/// How far it may be from there, THz: less than the search, so that a flank does not pass, and more
/// than the width of a pulse that shows lines at all.
const TOLERANCE_THZ: f64 = 3.0;

/// What is weaker than this part of the strongest bin is no line: 60 dB.
const FAINTEST: f64 = 1e-6;

/// Shortest pulse, as the duration parameter of a Gaussian in s, whose own spectrum leaves room for
/// lines: 100 fs at half maximum.
const TAU_MIN_S: f64 = 59e-15;

/// Level at which the continuum of `ctc` is measured, dB, and the width in nm that it exceeds.
const LEVEL_DB: f64 = 40.0;
const WIDTH_NM: f64 = 500.0;

const RADIANS_PER_TERACYCLE: f64 = 1e12 * std::f64::consts::TAU;

/// A shift in THz, positive to the blue, and how the line is called.
type Line = (f64, Quantity);

const fn line(name: &'static str) -> Quantity {
    Quantity {
        oracle: "raman_lines",
        name,
        unit: "THz",
    }
}

/// Vibration of hydrogen.
const VIBRATION: [Line; 2] = [
    (
        -124.57,
        line("Stokes line of the vibration, from the carrier"),
    ),
    (
        124.57,
        line("anti-Stokes line of the vibration, from the carrier"),
    ),
];

/// Rotation of ortho-hydrogen, the strongest.
const ROTATION: [Line; 2] = [
    (
        -17.45,
        line("Stokes line of the rotation, from the carrier"),
    ),
    (
        17.45,
        line("anti-Stokes line of the rotation, from the carrier"),
    ),
];

const NARROW: Quantity = Quantity {
    oracle: "span",
    name: "width at -40 dB, short of 500 nm by",
    unit: "nm",
};

/// The lines of a case; none without molecules, or for a pulse too short to show them.
fn expected(case: &Guided) -> Vec<Line> {
    let motion = capillary(case).and_then(|own| own.raman);
    match motion.filter(|_| case.pulse.tau_s >= TAU_MIN_S) {
        Some(Motion::Both) => [ROTATION, VIBRATION].concat(),
        Some(Motion::Rotation) => ROTATION.to_vec(),
        Some(Motion::Vibration) => VIBRATION.to_vec(),
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

/// Where the light is that molecules have shifted once.
pub fn lines(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let carrier = evidence.case.problem().carrier_rad_s;
    let end = spectrum(evidence.case, &evidence.end);
    let lines = expected(evidence.case).into_iter();
    let measured = lines.map(|(shift_thz, quantity)| {
        let found_thz = shift_of_peak(&end, carrier, shift_thz);
        quantity.within(shift_thz, TOLERANCE_THZ, found_thz)
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
        false => Err("it holds for the pulse of 250 fs and 10 µJ in 13 cm of hydrogen at 40 bar"),
    }
}

/// How far light reaches at the end.
pub fn span(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let edges = spectrum(evidence.case, &evidence.end).span(LEVEL_DB);
    let short_of = edges.map(|[lowest, highest]| {
        let width_nm = 1e9 * (wavelength_m(lowest) - wavelength_m(highest));
        (WIDTH_NM - width_nm).max(0.0)
    });
    vec![NARROW.at_most(0.0, short_of)]
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
        let known = [-124.57, -17.45, 17.45, 124.57];
        evidence.end = with_lines(&case, &known, 0.01);
        let measured = lines(&evidence);
        assert_eq!(measured.len(), 4);
        assert!(measured.iter().all(OracleLine::passed), "{measured:?}");
        // A vibration of another molecule, and no rotation.
        evidence.end = with_lines(&case, &[-120.0, 120.0], 0.01);
        assert!(!lines(&evidence).iter().any(OracleLine::passed));
        evidence.end.clone_from(&case.launch);
        let pump_alone = lines(&evidence);
        assert!(!pump_alone.iter().any(OracleLine::passed), "{pump_alone:?}");
    }

    #[test]
    fn molecules_that_only_turn_have_two_lines() {
        let case = changed("comb", "raman", json!("rotation"));
        assert_eq!(expected(&case).len(), 2);
        for case in [hydrogen(), fibre()] {
            assert!(has_lines(&case).is_err());
        }
    }

    #[test]
    fn a_continuum_is_wide() {
        let case = comb();
        assert!(is_continuum(&case).is_ok() && is_continuum(&hydrogen()).is_err());
        let mut evidence = evidence(&case);
        let line = &span(&evidence)[0];
        assert!(!line.passed() && line.obtained.unwrap() > 400.0, "{line:?}");
        // From 870 nm to 1430 nm.
        evidence.end = with_lines(&case, &[-81.4, 53.5], 0.5);
        assert!(span(&evidence)[0].passed());
    }
}
