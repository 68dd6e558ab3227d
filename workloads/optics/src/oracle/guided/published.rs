//! Where the centroid of a pulse and its energy end, by an independent prototype.
//!
//! The prototype integrated the averaged equations with other steps, other tables and other noise
//! (`docs/cases.md`). A resolved field has its own oracle: on the axis it is stronger than its
//! average, so it ionises more and shifts further.

use longrun_protocol::receipt::OracleLine;

use super::setting::{ARGON, HELIUM, HYDROGEN, capillary};
use super::spectrum;
use crate::constants::wavelength_m;
use crate::guided::{FieldKind, Guided};
use crate::oracle::evidence::Evidence;
use crate::oracle::line::Quantity;
use crate::oracle::ratio;

/// What is known of the end of a whole case.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Figures {
    /// Centroid in nm, and its tolerance.
    centroid_nm: Option<(f64, f64)>,
    /// Energy over that of the launch, and its tolerance.
    energy: (f64, f64),
}

/// Argon, as a real field and as its envelope.
const ARGON_FIELD: Figures = Figures {
    centroid_nm: Some((771.0, 3.0)),
    energy: (0.872, 0.01),
};
const ARGON_ENVELOPE: Figures = Figures {
    centroid_nm: Some((773.0, 3.0)),
    energy: (0.864, 0.01),
};

/// Helium. Its centroid depends on what the window takes at 4 µm, and is not asked for. So does its
/// energy: where the window acts once a step, as in the prototype, 0.674 is left by both programs;
/// where it acts along the length, 0.701.
const HELIUM_FIELD: Figures = Figures {
    centroid_nm: None,
    energy: (0.69, 0.03),
};

/// Hydrogen. The prototype had the envelope alone; the field has third harmonic light beside it.
const HYDROGEN_FIELD: Figures = Figures {
    centroid_nm: Some((851.8, 3.0)),
    energy: (0.9386, 0.005),
};

/// A resolved field in argon ends at least as blue as its average does.
const RESOLVED_ARGON_NM: f64 = 771.0;

const CENTROID: Quantity = Quantity {
    oracle: "centroid",
    name: "wavelength of the mean frequency",
    unit: "nm",
};

const ENERGY: Quantity = Quantity {
    oracle: "energy_ratio",
    name: "energy, end over launch",
    unit: "",
};

fn is_resolved(case: &Guided) -> bool {
    capillary(case).is_some_and(|own| own.resolved.is_some())
}

fn figures(case: &Guided) -> Option<Figures> {
    if is_resolved(case) {
        return None;
    }
    let field = case.problem().field;
    match field {
        FieldKind::Real if ARGON.is_of(case) => Some(ARGON_FIELD),
        FieldKind::Envelope if ARGON.is_of(case) => Some(ARGON_ENVELOPE),
        FieldKind::Real if HELIUM.is_of(case) => Some(HELIUM_FIELD),
        FieldKind::Real if HYDROGEN.is_of(case) => Some(HYDROGEN_FIELD),
        _ => None,
    }
}

/// Whether the energy at the end is known.
pub fn has_energy(case: &Guided) -> Result<(), &'static str> {
    match figures(case) {
        Some(_) => Ok(()),
        None => Err("it holds for the averaged pulses in argon, helium and hydrogen"),
    }
}

/// Whether the centroid at the end is known.
pub fn has_centroid(case: &Guided) -> Result<(), &'static str> {
    let known = figures(case).is_some_and(|figures| figures.centroid_nm.is_some());
    match known || (is_resolved(case) && ARGON.is_of(case)) {
        true => Ok(()),
        false => Err("it holds for the pulses in argon, and for the averaged one in hydrogen"),
    }
}

/// Energy at the end over that at the launch.
pub fn energy(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let case = evidence.case;
    let obtained = ratio(case.energy_j(&evidence.end), case.energy_j(&case.launch));
    let known = figures(case).map(|figures| figures.energy);
    let line = known.map(|(expected, tolerance)| ENERGY.within(expected, tolerance, obtained));
    line.into_iter().collect()
}

/// Where ionisation has shifted a pulse to the blue, or molecules to the red.
pub fn centroid(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let case = evidence.case;
    let omega = spectrum(case, &evidence.end).centroid();
    let obtained = omega.map(|omega| 1e9 * wavelength_m(omega));
    let known = figures(case).and_then(|figures| figures.centroid_nm);
    let line = match known {
        Some((expected, tolerance)) => Some(CENTROID.within(expected, tolerance, obtained)),
        None if is_resolved(case) => Some(CENTROID.at_most(RESOLVED_ARGON_NM, obtained)),
        None => None,
    };
    line.into_iter().collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::{argon, changed, evidence, fibre, helium, hydrogen};
    use super::*;
    use crate::constants::angular_frequency;
    use crate::fourier::Complex64;
    use serde_json::json;

    /// All light in the bin nearest to a wavelength in nm.
    fn line(case: &Guided, nanometres: f64) -> Vec<Complex64> {
        let omega = angular_frequency(1e-9 * nanometres);
        let distance = |w: &f64| (w - omega).abs();
        let bins = case.problem().omega.iter().enumerate();
        let nearest = bins.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
        let mut state = vec![Complex64::default(); case.launch.len()];
        state[nearest.unwrap().0] = Complex64::new(1.0, 0.0);
        state
    }

    #[test]
    fn field_and_envelope_in_argon_are_held_to_figures_of_their_own() {
        let field = changed("argon", "field", json!("real"));
        for (case, known_nm) in [(argon(), 773.0), (field, 771.0)] {
            let mut evidence = evidence(&case);
            assert!(!centroid(&evidence)[0].passed(), "nothing was shifted");
            // Bins are some 5 nm apart.
            for (found_nm, passes) in [(known_nm, true), (800.0, false), (750.0, false)] {
                evidence.end = line(&case, found_nm);
                let measured = &centroid(&evidence)[0];
                let apart = measured.obtained.unwrap() - found_nm;
                assert!(apart.abs() < 5.0, "{measured:?}");
                let near = (measured.obtained.unwrap() - known_nm).abs() <= 3.0;
                assert_eq!([measured.passed(), near], [passes; 2], "{measured:?}");
            }
        }
    }

    #[test]
    fn a_resolved_field_may_shift_further_and_not_less() {
        let case = changed("argon", "resolved", json!({"modes": 1, "nodes": 16}));
        assert!(has_centroid(&case).is_ok() && has_energy(&case).is_err());
        let mut evidence = evidence(&case);
        for (found_nm, passes) in [(700.0, true), (790.0, false)] {
            evidence.end = line(&case, found_nm);
            assert_eq!(centroid(&evidence)[0].passed(), passes, "{found_nm}");
        }
    }

    #[test]
    fn the_energy_that_is_left_is_compared_with_the_launch() {
        for (case, left) in [(argon(), 0.864), (helium(), 0.674), (hydrogen(), 0.9386)] {
            let mut evidence = evidence(&case);
            assert!(!energy(&evidence)[0].passed(), "nothing was lost");
            let amplitude = f64::sqrt(left);
            evidence
                .end
                .iter_mut()
                .for_each(|value| *value *= amplitude);
            let measured = &energy(&evidence)[0];
            assert!((measured.obtained.unwrap() - left).abs() < 1e-12);
            assert!(measured.passed(), "{measured:?}");
        }
    }

    #[test]
    fn other_cases_are_held_to_no_figures() {
        let shorter = changed("argon", "length_m", json!(0.05));
        for case in [fibre(), shorter] {
            assert!(has_energy(&case).is_err() && has_centroid(&case).is_err());
            let evidence = evidence(&case);
            assert!(energy(&evidence).is_empty() && centroid(&evidence).is_empty());
        }
        assert!(has_energy(&helium()).is_ok() && has_centroid(&helium()).is_err());
    }
}
