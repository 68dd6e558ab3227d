//! What light has at the end of a guide: photons where nothing takes them, and never more energy.

use longrun_protocol::receipt::OracleLine;

use crate::fourier::Complex64;
use crate::guided::parameters::{GuideParameters, IonisationModel};
use crate::guided::{FieldKind, Guided};
use crate::oracle::evidence::Evidence;
use crate::oracle::line::Quantity;
use crate::oracle::ratio;

/// Tolerance of the photon number of an envelope: ten tolerances of a step. At 1e-6 the steps of
/// `grin_nonlinear` make 1.9e-6 of it, at 1e-8 1.2e-8; its windows take nothing.
const PHOTONS_OF_AN_ENVELOPE: f64 = 1e-5;

/// The same of a real field, in which three photons can become one, and the window takes that one
/// where it lies beyond the limits.
const PHOTONS_OF_A_FIELD: f64 = 1e-3;

/// Energy that steps may add, in relative tolerances of a step: as far as two steppers may part.
const STEPS_ADD: f64 = 100.0;

/// The same on a schedule, which has no tolerance.
const SCHEDULE_ADDS: f64 = 1e-4;

const PHOTONS: Quantity = Quantity {
    oracle: "photon_number",
    name: "photon number, end over launch",
    unit: "",
};

const GAIN: Quantity = Quantity {
    oracle: "energy_falls",
    name: "energy, largest gain from the launch to the middle and from there to the end",
    unit: "",
};

const PLANES: Quantity = Quantity {
    oracle: "energy_falls",
    name: "energy, largest gain over that of an earlier plane",
    unit: "",
};

/// Kerr and Raman effect move photons; walls and ionisation take them.
pub fn keeps_photons(case: &Guided) -> Result<(), &'static str> {
    let keeps = match &case.parameters().guide {
        GuideParameters::Capillary(own) => !own.loss && own.ionisation == IonisationModel::None,
        GuideParameters::Waveguide(_) => true,
        GuideParameters::Radial(own) => own.ionisation == IonisationModel::None,
    };
    match keeps {
        true => Ok(()),
        false => Err("it holds without loss and without ionisation"),
    }
}

/// Photons at the end over those at the launch, all modes together.
pub fn photons(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let case = evidence.case;
    let tolerance = match case.problem().field {
        FieldKind::Real => PHOTONS_OF_A_FIELD,
        FieldKind::Envelope => PHOTONS_OF_AN_ENVELOPE,
    };
    let of = |state: &[Complex64]| case.photon_number(state);
    let obtained = ratio(of(&evidence.end), of(&case.launch));
    vec![PHOTONS.within(1.0, tolerance, obtained)]
}

/// The Kerr effect turns phases, everything else takes energy: molecules, electrons, walls,
/// windows. In free space every plane is looked at.
pub fn falls(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let case = evidence.case;
    let energies = [&case.launch, &evidence.middle.spectrum, &evidence.end];
    let energies = energies.map(|state| case.energy_j(state));
    let gains = energies.windows(2).map(|pair| ratio(pair[1], pair[0]));
    let gains: Option<Vec<f64>> = gains.collect();
    let largest = gains.map(|all| all.iter().fold(0.0, |most: f64, gain| most.max(gain - 1.0)));
    let bound = evidence.rtol.map_or(SCHEDULE_ADDS, |rtol| STEPS_ADD * rtol);
    let mut lines = vec![GAIN.at_most(bound, largest)];
    if case.free_space.is_some() {
        lines.push(PLANES.at_most(bound, gain_along(evidence)));
    }
    lines
}

/// How much more energy a plane has than one before it.
fn gain_along(evidence: &Evidence<'_, Guided>) -> Option<f64> {
    let mut least_j = evidence.planes.first()?.energy_j;
    let mut largest: f64 = 0.0;
    for plane in &evidence.planes {
        let gain = ratio(plane.energy_j, least_j)? - 1.0;
        largest = largest.max(gain);
        least_j = least_j.min(plane.energy_j);
    }
    Some(largest)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::{argon, changed, evidence, fibre, filament, hydrogen};
    use super::*;
    use crate::oracle::evidence::Plane;
    use serde_json::json;

    #[test]
    fn photons_are_kept_where_nothing_takes_them() {
        assert!(keeps_photons(&hydrogen()).is_ok() && keeps_photons(&fibre()).is_ok());
        assert!(keeps_photons(&argon()).is_err(), "it is ionised");
        let lossy = changed("hydrogen", "loss", json!(true));
        assert!(keeps_photons(&lossy).is_err());
    }

    #[test]
    fn a_lost_thousandth_of_the_photons_is_seen() {
        for (case, lost, passes) in [
            (hydrogen(), 5e-4, true),
            (hydrogen(), 2e-3, false),
            (fibre(), 5e-6, true),
            (fibre(), 5e-5, false),
        ] {
            let mut evidence = evidence(&case);
            let amplitude = (1.0_f64 - lost).sqrt();
            evidence
                .end
                .iter_mut()
                .for_each(|value| *value *= amplitude);
            let line = &photons(&evidence)[0];
            assert!((line.obtained.unwrap() - (1.0 - lost)).abs() < 1e-12);
            assert_eq!(line.passed(), passes, "{line:?}");
        }
    }

    #[test]
    fn energy_may_go_anywhere_but_up() {
        let case = argon();
        // Amplitudes in the middle and at the end.
        for (amplitudes, passes) in [
            ([1.0, 1.0], true),
            ([0.9, 0.8], true),
            ([0.9, 0.91], false),
            ([1.01, 1.0], false),
            ([1.0, f64::NAN], false),
        ] {
            let mut evidence = evidence(&case);
            let [middle, end] = amplitudes;
            let states = [&mut evidence.middle.spectrum, &mut evidence.end];
            for (state, amplitude) in states.into_iter().zip([middle, end]) {
                state.iter_mut().for_each(|value| *value *= amplitude);
            }
            assert_eq!(falls(&evidence)[0].passed(), passes, "{amplitudes:?}");
        }
    }

    #[test]
    fn in_free_space_every_plane_has_less_than_those_before() {
        let case = filament();
        for (energies, passes) in [
            ([1.0, 0.9, 0.9, 0.8], true),
            ([1.0, 0.8, 0.79, 0.81], false),
            ([1.0, 1.01, 0.7, 0.6], false),
            ([1.0, f64::NAN, 0.7, 0.6], false),
            ([0.0, 0.0, 0.0, 0.0], false),
        ] {
            let mut evidence = evidence(&case);
            let plane = |energy_j: f64| Plane {
                z_m: 0.0,
                energy_j,
                peak_power_w: 1.0,
                nodes: None,
            };
            evidence.planes = energies.map(plane).into();
            let lines = falls(&evidence);
            assert_eq!(lines.len(), 2);
            assert_eq!(lines[1].passed(), passes, "{energies:?}: {lines:?}");
        }
    }
}
