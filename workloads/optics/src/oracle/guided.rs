//! What a guided case is held to.

mod budget;
mod channels;
mod free_space;
mod lines;
mod published;
mod setting;
#[cfg(test)]
mod testing;
mod ultraviolet;

use longrun_protocol::receipt::OracleLine;

use super::catalogue::Oracle;
use super::evidence::Evidence;
use super::spectrum::Spectrum;
use super::{ratio, steps};
use crate::fourier::Complex64;
use crate::guided::Guided;
use crate::steppers::Integration;

/// Whether an oracle holds for a case that is run like this; if not, for what it does.
pub fn holds(
    oracle: Oracle,
    case: &Guided,
    integration: &Integration,
    repeats: u32,
) -> Result<(), &'static str> {
    match oracle {
        Oracle::Centroid => published::has_centroid(case),
        Oracle::ChannelsCouple => channels::couple(case),
        Oracle::Clamping | Oracle::Focus => free_space::forms_filament(case),
        Oracle::Virial => free_space::obeys_virial(case),
        Oracle::EnergyFalls => Ok(()),
        Oracle::EnergyRatio => published::has_energy(case),
        Oracle::PhaseMatching | Oracle::Ultraviolet => ultraviolet::sheds(case),
        Oracle::PhotonNumber => budget::keeps_photons(case),
        Oracle::RamanLines => lines::has_lines(case),
        Oracle::Span if channels::broadens(case) => Ok(()),
        Oracle::Span => lines::is_continuum(case),
        Oracle::Repeat => steps::repeats(repeats),
        Oracle::Rk4ipEvaluations => steps::is_rk4ip(integration),
        Oracle::SteppersAgree => steps::is_controlled(integration),
        _ => Err("it holds for interface `gnlse`"),
    }
}

/// Planes in metres that an oracle needs beside those of the case.
pub fn planes_m(oracle: Oracle, case: &Guided) -> Vec<f64> {
    match oracle {
        Oracle::Virial => free_space::virial_planes_m(case),
        _ => Vec::new(),
    }
}

/// What an oracle measures; nothing where it does not hold.
pub fn measure(oracle: Oracle, evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    match oracle {
        Oracle::Centroid => published::centroid(evidence),
        Oracle::ChannelsCouple => channels::coupling(evidence),
        Oracle::Clamping => free_space::clamping(evidence),
        Oracle::Focus => free_space::focus(evidence),
        Oracle::Virial => free_space::virial(evidence),
        Oracle::EnergyFalls => budget::falls(evidence),
        Oracle::EnergyRatio => published::energy(evidence),
        Oracle::PhaseMatching => ultraviolet::phase_matching(evidence),
        Oracle::PhotonNumber => budget::photons(evidence),
        Oracle::RamanLines => lines::lines(evidence),
        Oracle::Span if channels::broadens(evidence.case) => channels::broadening(evidence),
        Oracle::Span => lines::span(evidence),
        Oracle::Ultraviolet => ultraviolet::wave(evidence),
        Oracle::Repeat => steps::repeat(evidence),
        Oracle::Rk4ipEvaluations => steps::rk4ip_evaluations(evidence),
        Oracle::SteppersAgree => steps::agree_but_for(evidence, energy_in_edges(evidence.case)),
        _ => Vec::new(),
    }
}

/// What all modes of a state together hold.
fn spectrum(case: &Guided, state: &[Complex64]) -> Spectrum {
    let problem = case.problem();
    let mut bins: Vec<(f64, f64)> = problem.omega.iter().map(|omega| (*omega, 0.0)).collect();
    for mode in state.chunks_exact(bins.len()) {
        for ((_, energy), value) in bins.iter_mut().zip(mode) {
            *energy += problem.energy_scale * value.norm_sqr();
        }
    }
    Spectrum::new(bins.into_iter())
}

/// Fraction of the launched energy that lies where a window is below 1.
fn energy_in_edges(case: &Guided) -> f64 {
    let Some(windows) = &case.problem().windows else {
        return 0.0;
    };
    let energy = |values: &[Complex64]| -> f64 { values.iter().map(Complex64::norm_sqr).sum() };
    let edge = |values: &[Complex64], window: &[f64]| -> f64 {
        let edges = values.iter().zip(window).filter(|(_, w)| **w < 1.0);
        edges.map(|(value, _)| value.norm_sqr()).sum()
    };
    let (mut early_or_late, mut power) = (0.0, 0.0);
    let (mut outside, mut total) = (0.0, 0.0);
    for spectrum in case.launch.chunks_exact(case.grid.bins()) {
        let amplitude = case.grid.amplitude(spectrum);
        early_or_late += edge(&amplitude, &windows.temporal);
        power += energy(&amplitude);
        outside += edge(spectrum, &windows.spectral);
        total += energy(spectrum);
    }
    let share = |part: f64, whole: f64| ratio(part, whole).unwrap_or(0.0);
    share(early_or_late, power) + share(outside, total)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::evidence::Other;
    use super::testing::{argon, comb, evidence, fibre, filament, helium, hydrogen};
    use super::*;
    use crate::steppers::{Asked, Stepper};

    fn integration(case: &Guided) -> Integration {
        let asked = Asked {
            stepper: "rk",
            length: 1.0,
            replay: None,
        };
        Integration::resolve(case, asked).unwrap()
    }

    fn holding(case: &Guided, repeats: u32) -> Vec<Oracle> {
        let integration = integration(case);
        let holds = |oracle: &Oracle| holds(*oracle, case, &integration, repeats).is_ok();
        Oracle::ALL.into_iter().filter(holds).collect()
    }

    fn names(oracles: &[Oracle]) -> Vec<&'static str> {
        oracles.iter().map(|oracle| oracle.as_str()).collect()
    }

    #[test]
    fn each_case_has_the_oracles_of_its_physics() {
        let shared = ["energy_falls", "steppers_agree"];
        for (case, own) in [
            (argon(), &["centroid", "energy_ratio"][..]),
            (
                helium(),
                &["energy_ratio", "phase_matching", "ultraviolet"][..],
            ),
            (
                hydrogen(),
                &["centroid", "energy_ratio", "photon_number"][..],
            ),
            (comb(), &["raman_lines", "span"][..]),
            (fibre(), &["channels_couple", "photon_number", "span"][..]),
            (filament(), &["clamping", "focus", "virial"][..]),
        ] {
            let mut expected = [own, &shared[..]].concat();
            expected.sort_unstable();
            assert_eq!(names(&holding(&case, 1)), expected);
        }
        assert!(holding(&argon(), 2).contains(&Oracle::Repeat));
    }

    #[test]
    fn what_holds_is_measured_under_its_name() {
        for case in [argon(), helium(), hydrogen(), comb(), fibre(), filament()] {
            let mut evidence = evidence(&case);
            evidence.others = vec![Other {
                stepper: Stepper::Multistep,
                distance: Some(9e-5),
            }];
            for oracle in holding(&case, 2) {
                let lines = measure(oracle, &evidence);
                assert!(!lines.is_empty(), "{oracle:?}");
                for line in &lines {
                    assert_eq!(line.oracle, oracle.as_str());
                }
                let planes = planes_m(oracle, &case);
                assert_eq!(planes.is_empty(), oracle != Oracle::Virial);
                assert!(planes.iter().all(|z| (0.0..=case.length_m).contains(z)));
            }
        }
    }

    #[test]
    fn where_nothing_happened_the_budget_and_the_steps_are_whole() {
        for case in [hydrogen(), fibre()] {
            let mut evidence = evidence(&case);
            evidence.others = vec![Other {
                stepper: Stepper::Multistep,
                distance: Some(9e-5),
            }];
            for oracle in [
                Oracle::EnergyFalls,
                Oracle::PhotonNumber,
                Oracle::Repeat,
                Oracle::SteppersAgree,
            ] {
                let lines = measure(oracle, &evidence);
                assert!(lines.iter().all(OracleLine::passed), "{lines:?}");
            }
        }
    }

    #[test]
    fn a_spectrum_is_the_sum_of_all_modes_over_light_alone() {
        let case = fibre();
        let sum = spectrum(&case, &case.launch);
        assert!((sum.energy_j() / case.energy_j(&case.launch) - 1.0).abs() < 1e-12);
        // Per photon, at 1550 nm.
        let photon_j = sum.energy_j() / case.photon_number(&case.launch);
        let mean = crate::constants::HBAR * sum.centroid().unwrap();
        assert!(
            (photon_j / mean - 1.0).abs() < 1e-2,
            "{photon_j:e} {mean:e}"
        );
    }

    #[test]
    fn what_the_windows_may_take_is_next_to_nothing_of_a_short_pulse() {
        // A Gaussian of 30 fs is at e^-48 after 125 fs, and as far from either wavelength.
        let edges = energy_in_edges(&argon());
        assert!((0.0..1e-12).contains(&edges), "{edges:e}");
    }
}
