//! The dispersive wave that a soliton in helium sheds in the vacuum ultraviolet.

use longrun_protocol::receipt::OracleLine;

use super::setting::{HELIUM, capillary};
use super::spectrum;
use crate::constants::{BOLTZMANN, SPEED_OF_LIGHT, angular_frequency, wavelength_m};
use crate::fourier::Complex64;
use crate::guide::capillary::excess_of;
use crate::guided::{Gradient, Guided, Linear};
use crate::oracle::evidence::Evidence;
use crate::oracle::line::Quantity;

/// Wavelengths in m between which the wave is looked for.
const SEARCH_M: [f64; 2] = [95e-9, 160e-9];

/// Light of shorter wavelengths than this, in m, belongs to the wave.
const BELOW_M: f64 = 200e-9;

/// Wavelength of the wave in nm, and its tolerance: averaged by an independent prototype, resolved
/// as the example that the case is made after has it.
const AVERAGED_NM: (f64, f64) = (123.5, 3.0);
const RESOLVED_NM: (f64, f64) = (120.0, 20.0);

/// Part of the energy at the end that is below 200 nm, and its tolerance; averaged.
const SHARE: (f64, f64) = (0.014, 0.004);

const PEAK: Quantity = Quantity {
    oracle: "ultraviolet",
    name: "wavelength of the dispersive wave",
    unit: "nm",
};

const PART: Quantity = Quantity {
    oracle: "ultraviolet",
    name: "energy below 200 nm, as a part of that at the end",
    unit: "",
};

const MATCHED: Quantity = Quantity {
    oracle: "phase_matching",
    name: "wavelength of the dispersive wave, up to that which is in phase at the entrance",
    unit: "nm",
};

/// Whether the case is the soliton in helium, over its whole length.
pub fn sheds(case: &Guided) -> Result<(), &'static str> {
    match HELIUM.is_of(case) {
        true => Ok(()),
        false => Err("it holds for the pulse of 7.5 fs and 275 µJ after 1.5 m of thinning helium"),
    }
}

/// The largest energy in the vacuum ultraviolet, if it is a maximum; nm.
fn peak_nm(evidence: &Evidence<'_, Guided>) -> Option<f64> {
    let [short, long] = SEARCH_M.map(angular_frequency);
    let (omega, _) = spectrum(evidence.case, &evidence.end).peak_within(long..short)?;
    Some(1e9 * wavelength_m(omega))
}

/// Where the wave is, and how strong.
pub fn wave(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let obtained = peak_nm(evidence);
    if capillary(evidence.case).is_some_and(|own| own.resolved.is_some()) {
        return vec![PEAK.within(RESOLVED_NM.0, RESOLVED_NM.1, obtained)];
    }
    let end = spectrum(evidence.case, &evidence.end);
    let share = end.share_above(angular_frequency(BELOW_M));
    vec![
        PEAK.within(AVERAGED_NM.0, AVERAGED_NM.1, obtained),
        PART.within(SHARE.0, SHARE.1, share),
    ]
}

/// The wave is in phase with the soliton. As the gas becomes thinner, and by the nonlinear phase of
/// the soliton, that happens at shorter and shorter wavelengths: at the entrance at the longest.
pub fn phase_matching(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let matched = matched_nm(evidence.case);
    // Without a wavelength in phase there is no wave, and no number to be expected.
    let bound = matched.unwrap_or(0.0);
    vec![MATCHED.at_most(bound, peak_nm(evidence))]
}

/// The longest wavelength in nm, below half of the carrier's, at which light in mode 0 travels in
/// phase with a soliton at the entrance; none without a gradient, or where there is none.
fn matched_nm(case: &Guided) -> Option<f64> {
    let problem = case.problem();
    let Linear::Gradient(gradient) = &problem.linear else {
        return None;
    };
    let mismatch = mismatch_at_entrance(gradient, problem.carrier_rad_s);
    let bins = problem.omega.iter().enumerate();
    let beyond = bins.filter(|(_, omega)| **omega > 2.0 * problem.carrier_rad_s);
    let mut phases = beyond.map(|(bin, omega)| (*omega, mismatch(bin, *omega)));
    // Near the soliton its anomalous dispersion holds everything on one side of being in phase.
    let (_, first) = phases.next()?;
    let (omega, _) = phases.find(|(_, phase)| (*phase > 0.0) != (first > 0.0))?;
    Some(1e9 * wavelength_m(omega))
}

/// `beta(w) - beta_0 - beta_1 (w - w0)` in 1/m at the entrance of a capillary, of a bin and its
/// frequency; counted from the vacuum, whose part drops out.
fn mismatch_at_entrance(gradient: &Gradient, carrier: f64) -> impl Fn(usize, f64) -> f64 {
    let ideal = gradient.inlet_pa / (BOLTZMANN * gradient.temperature_k);
    let root = (1.0 + 4.0 * gradient.virial_m3 * ideal).sqrt();
    let density = 2.0 * ideal / (1.0 + root);
    let excess = |chi: f64, waveguide: Complex64| excess_of(density * chi - waveguide);
    let at_carrier = excess(gradient.carrier_susceptibility, gradient.carrier_waveguide);
    let slope = density * gradient.susceptibility_slope - gradient.waveguide_slope;
    let slope = (slope / (2.0 * (1.0 + at_carrier))).re;
    let (beta0, beta1) = (carrier * at_carrier.re, at_carrier.re + carrier * slope);
    move |bin: usize, omega: f64| {
        let here = excess_of(density * gradient.susceptibility[bin] - gradient.waveguide[bin]);
        (omega * here.re - beta0 - beta1 * (omega - carrier)) / SPEED_OF_LIGHT
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::{argon, changed, evidence, helium};
    use super::*;
    use serde_json::json;

    /// A pulse of this part of the energy around a wavelength in nm, beside the launch.
    fn with_wave(case: &Guided, nanometres: f64, share: f64) -> Vec<Complex64> {
        let centre = angular_frequency(1e-9 * nanometres);
        let shape = |omega: &f64| (-0.5 * ((omega - centre) / 2e14).powi(2)).exp();
        let wave: Vec<f64> = case.problem().omega.iter().map(shape).collect();
        let sum: f64 = wave.iter().map(|a| a * a).sum();
        let launched: f64 = case.launch.iter().map(Complex64::norm_sqr).sum();
        let scale = (share / (1.0 - share) * launched / sum).sqrt();
        let both = case.launch.iter().zip(&wave);
        both.map(|(value, wave)| value + scale * wave).collect()
    }

    #[test]
    fn a_wave_of_the_known_wavelength_and_energy_passes() {
        let case = helium();
        let mut evidence = evidence(&case);
        for (nanometres, share, expected) in [
            (123.5, 0.014, [true, true]),
            (125.0, 0.017, [true, true]),
            (135.0, 0.014, [false, true]),
            (123.5, 0.03, [true, false]),
        ] {
            evidence.end = with_wave(&case, nanometres, share);
            let lines = wave(&evidence);
            let passed: Vec<bool> = lines.iter().map(OracleLine::passed).collect();
            assert_eq!(passed, expected, "{lines:?}");
        }
        evidence.end.clone_from(&case.launch);
        assert!(!wave(&evidence)[1].passed(), "nothing was shed");
    }

    #[test]
    fn the_wave_of_a_resolved_field_is_only_known_within_forty_nanometres() {
        let case = changed("helium", "resolved", json!({"modes": 1, "nodes": 16}));
        assert!(sheds(&case).is_ok());
        let mut evidence = evidence(&case);
        for (nanometres, passes) in [(112.0, true), (150.0, false)] {
            evidence.end = with_wave(&case, nanometres, 0.01);
            let lines = wave(&evidence);
            assert_eq!(lines.len(), 1);
            assert_eq!(lines[0].passed(), passes, "{lines:?}");
        }
    }

    #[test]
    fn at_the_entrance_light_of_168_nm_is_in_phase() {
        // By an independent prototype, at 0.8 bar. Bins are a nanometre apart there.
        let matched = matched_nm(&helium()).unwrap();
        assert!((matched - 168.0).abs() < 4.0, "{matched}");
        assert_eq!(matched_nm(&argon()), None, "it has no gradient");
    }

    #[test]
    fn a_wave_beyond_what_is_in_phase_is_seen() {
        // In half as dense a gas only shorter waves are in phase: of 122 nm, by the prototype.
        let thin = json!({"inlet_pa": 0.4e5, "outlet_pa": 0.0, "length_m": 1.5});
        let thin = changed("helium", "gradient", thin);
        let matched = matched_nm(&thin).unwrap();
        assert!((matched - 122.0).abs() < 4.0, "{matched}");
        for (case, nanometres, passes) in [(helium(), 150.0, true), (thin, 150.0, false)] {
            let mut evidence = evidence(&case);
            evidence.end = with_wave(&case, nanometres, 0.014);
            let line = &phase_matching(&evidence)[0];
            assert_eq!(line.passed(), passes, "{line:?}");
        }
    }

    #[test]
    fn other_cases_shed_nothing_that_is_known() {
        assert!(sheds(&helium()).is_ok());
        assert!(sheds(&argon()).is_err());
        assert!(sheds(&changed("helium", "length_m", json!(0.3))).is_err());
    }
}
