//! Channels of a graded-index fibre: without nonlinearity each keeps its light, whatever image they
//! form together.

use longrun_protocol::receipt::OracleLine;

use super::spectrum;
use crate::constants::wavelength_m;
use crate::fourier::Complex64;
use crate::guided::Guided;
use crate::guided::parameters::GuideParameters;
use crate::oracle::evidence::Evidence;
use crate::oracle::line::Quantity;
use crate::oracle::ratio;
use crate::pulse::{Shape, gauss_tau_s};

/// Part of the energy in another channel than at the launch: from 0.001 to 0.019. To first order a
/// channel gives `gamma P S / delta beta` of its amplitude to its neighbour before their phases
/// have turned: some 80 per m over 11000 per m, and twice that of its energy, again and again.
const MOVED: (f64, f64) = (0.01, 0.009);

/// Width at the end over that at the launch, of the whole guide: from 1.7 to 7.1. The nonlinear
/// phase of the first channel, 2.7, alone makes 2.5 of the mean width, and anomalous dispersion
/// compresses the pulse, which only adds to that. Beyond 7 the spectrum would reach the limits of
/// the case.
const BROADER: (f64, f64) = (4.4, 2.7);

/// Level of that width, dB.
const LEVEL_DB: f64 = 20.0;

/// The pulse of `grin_nonlinear`: full width in s, energy in J, length of the guide in m.
const PULSE: [f64; 3] = [100e-15, 30e-9, 0.02];

/// How far, as a fraction, a case may be from it.
const NEAR: f64 = 0.01;

const EXCHANGED: Quantity = Quantity {
    oracle: "channels_couple",
    name: "energy in another channel than at the launch, in the middle or at the end",
    unit: "",
};

const BROADENED: Quantity = Quantity {
    oracle: "span",
    name: "width at -20 dB, end over launch",
    unit: "",
};

/// Whether there are channels that can exchange light.
pub fn couple(case: &Guided) -> Result<(), &'static str> {
    match is_of_pulse(case, false) {
        true => Ok(()),
        false => Err("it holds for the pulse of 100 fs and 30 nJ in several channels of a fibre"),
    }
}

/// Whether the case is that pulse over the whole length.
pub fn broadens(case: &Guided) -> bool {
    is_of_pulse(case, true)
}

fn is_of_pulse(case: &Guided, whole: bool) -> bool {
    let [fwhm_s, energy_j, length_m] = PULSE;
    let near = |value: f64, known: f64| (value / known - 1.0).abs() < NEAR;
    let common = &case.parameters().common;
    matches!(case.parameters().guide, GuideParameters::Waveguide(_))
        && case.problem().modes > 1
        && common.launch_waist_m.is_some()
        && case.pulse.shape == Shape::Gauss
        && near(case.pulse.tau_s, gauss_tau_s(fwhm_s))
        && near(case.pulse.energy_j(), energy_j)
        && (!whole || near(case.length_m, length_m))
}

/// How much light has changed its channel.
pub fn coupling(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let case = evidence.case;
    let states = [&evidence.middle.spectrum, &evidence.end];
    let moved: Option<Vec<f64>> = states.into_iter().map(|state| moved(case, state)).collect();
    let (expected, tolerance) = MOVED;
    // A maximum would pass over what is no number.
    let most = moved.map(|both| {
        both.into_iter()
            .fold(0.0, |a: f64, b| if b < a { a } else { b })
    });
    vec![EXCHANGED.within(expected, tolerance, most)]
}

/// Half of what the shares of all channels have changed by since the launch.
fn moved(case: &Guided, state: &[Complex64]) -> Option<f64> {
    let (launched, here) = (case.energies_j(&case.launch), case.energies_j(state));
    let totals: [f64; 2] = [launched.iter().sum(), here.iter().sum()];
    let apart = |(before, after): (&f64, &f64)| -> Option<f64> {
        Some((ratio(*after, totals[1])? - ratio(*before, totals[0])?).abs())
    };
    let sum: Option<f64> = launched.iter().zip(&here).map(apart).sum();
    sum.map(|sum| sum / 2.0)
}

/// How much broader the spectrum is.
pub fn broadening(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let case = evidence.case;
    let width_m = |state: &[Complex64]| {
        let edges = spectrum(case, state).span(LEVEL_DB);
        edges.map_or(0.0, |[lowest, highest]| {
            wavelength_m(lowest) - wavelength_m(highest)
        })
    };
    let (expected, tolerance) = BROADER;
    let obtained = ratio(width_m(&evidence.end), width_m(&case.launch));
    vec![BROADENED.within(expected, tolerance, obtained)]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::{changed, comb, evidence, fibre};
    use super::*;
    use serde_json::json;

    #[test]
    fn channels_that_keep_their_light_are_not_coupled() {
        let case = fibre();
        assert!(couple(&case).is_ok() && couple(&comb()).is_err());
        let bins = case.grid.bins();
        // Of 0.84 and 0.135 in the first two channels: what the second gains by, and what moves.
        for (gain, passes) in [(1.0, false), (1.1, true), (1.5, false), (f64::NAN, false)] {
            let mut evidence = evidence(&case);
            let second = &mut evidence.end[bins..2 * bins];
            second
                .iter_mut()
                .for_each(|value| *value *= f64::sqrt(gain));
            let line = &coupling(&evidence)[0];
            assert_eq!(line.passed(), passes, "{line:?}");
        }
        let mut evidence = evidence(&case);
        evidence.end.iter_mut().for_each(|value| *value *= 0.9);
        assert!(
            coupling(&evidence)[0].obtained.unwrap() < 1e-12,
            "all lose alike"
        );
    }

    #[test]
    fn the_middle_counts_as_well_as_the_end() {
        let case = fibre();
        let mut evidence = evidence(&case);
        let second = &mut evidence.middle.spectrum[case.grid.bins()..2 * case.grid.bins()];
        second.iter_mut().for_each(|value| *value *= f64::sqrt(1.1));
        assert!(coupling(&evidence)[0].passed());
    }

    #[test]
    fn a_spectrum_that_stays_as_it_was_is_not_broader() {
        let case = fibre();
        assert!(broadens(&case) && !broadens(&changed("fibre", "length_m", json!(0.01))));
        let mut evidence = evidence(&case);
        let line = &broadening(&evidence)[0];
        assert!(
            !line.passed() && (line.obtained.unwrap() - 1.0).abs() < 1e-12,
            "{line:?}"
        );
        // Every bin of the first channel at two and a half times its distance from the carrier.
        let bins = case.grid.bins();
        let half = i64::try_from(bins / 2).unwrap();
        for bin in 0..bins {
            let offset = (i64::try_from(bin).unwrap() + half).rem_euclid(2 * half) - half;
            let from = usize::try_from((offset * 2 / 5).rem_euclid(2 * half)).unwrap();
            evidence.end[bin] = case.launch[from];
        }
        assert!(broadening(&evidence)[0].passed());
    }
}
