//! The oracles of this worker by name: when each holds, what it looks at, what it measures.

use longrun_protocol::receipt::OracleLine;

use super::evidence::Evidence;
use super::{conserved, ideal, shift, steps, supercontinuum};
use crate::gnlse::Gnlse;
use crate::steppers::{Integration, Stepper};

/// What a propagation is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// Where a pulse in a gas has been shifted to.
    Centroid,
    /// Channels of a fibre exchange light.
    ChannelsCouple,
    /// Electrons stop a beam that focuses itself.
    Clamping,
    /// Energy is conserved without shock and loss.
    EnergyConserved,
    /// Nothing along a guide adds energy.
    EnergyFalls,
    /// What is left of the energy at the end.
    EnergyRatio,
    /// Where a soliton of high order breaks up.
    Fission,
    /// Where a beam that focuses itself is brightest.
    Focus,
    /// How much brighter a beam that focuses itself is on its axis.
    OnAxis,
    /// A dispersive wave travels in phase with the soliton that sheds it.
    PhaseMatching,
    /// Photons are conserved where nothing takes them.
    PhotonNumber,
    /// Light is shifted by the frequencies of molecules.
    RamanLines,
    /// A repeat takes the same steps to the same field.
    Repeat,
    /// Source evaluations of the fixed schedule.
    Rk4ipEvaluations,
    /// The published soliton self-frequency shift.
    SelfFrequencyShift,
    /// What noise does to the soliton.
    SolitonNoise,
    /// The soliton is itself again after one period.
    SolitonRecovered,
    /// The soliton of order 3 on its way.
    SolitonSplits,
    /// Where the first soliton of the supercontinuum is at the end.
    SolitonWavelength,
    /// Width of a continuum.
    Span,
    /// Every stepper that controls its error ends in the same field.
    SteppersAgree,
    /// A round beam stays round.
    Symmetry,
    /// The dispersive wave of a soliton in helium.
    Ultraviolet,
    /// How fast a beam widens or narrows.
    Virial,
}

impl Oracle {
    /// Every oracle.
    pub const ALL: [Oracle; 24] = [
        Oracle::Centroid,
        Oracle::ChannelsCouple,
        Oracle::Clamping,
        Oracle::EnergyConserved,
        Oracle::EnergyFalls,
        Oracle::EnergyRatio,
        Oracle::Fission,
        Oracle::Focus,
        Oracle::OnAxis,
        Oracle::PhaseMatching,
        Oracle::PhotonNumber,
        Oracle::RamanLines,
        Oracle::Repeat,
        Oracle::Rk4ipEvaluations,
        Oracle::SelfFrequencyShift,
        Oracle::SolitonNoise,
        Oracle::SolitonRecovered,
        Oracle::SolitonSplits,
        Oracle::SolitonWavelength,
        Oracle::Span,
        Oracle::SteppersAgree,
        Oracle::Symmetry,
        Oracle::Ultraviolet,
        Oracle::Virial,
    ];

    /// The name in the registry.
    pub fn as_str(self) -> &'static str {
        match self {
            Oracle::Centroid => "centroid",
            Oracle::ChannelsCouple => "channels_couple",
            Oracle::Clamping => "clamping",
            Oracle::EnergyConserved => "energy_conserved",
            Oracle::EnergyFalls => "energy_falls",
            Oracle::EnergyRatio => "energy_ratio",
            Oracle::Fission => "fission",
            Oracle::Focus => "focus",
            Oracle::OnAxis => "on_axis",
            Oracle::PhaseMatching => "phase_matching",
            Oracle::PhotonNumber => "photon_number",
            Oracle::RamanLines => "raman_lines",
            Oracle::Repeat => "repeat",
            Oracle::Rk4ipEvaluations => "rk4ip_evaluations",
            Oracle::SelfFrequencyShift => "self_frequency_shift",
            Oracle::SolitonNoise => "soliton_noise",
            Oracle::SolitonRecovered => "soliton_recovered",
            Oracle::SolitonSplits => "soliton_splits",
            Oracle::SolitonWavelength => "soliton_wavelength",
            Oracle::Span => "span",
            Oracle::SteppersAgree => "steppers_agree",
            Oracle::Symmetry => "symmetry",
            Oracle::Ultraviolet => "ultraviolet",
            Oracle::Virial => "virial",
        }
    }

    /// The oracle of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Oracle::ALL
            .into_iter()
            .find(|oracle| oracle.as_str() == name)
    }

    /// Whether the oracle holds for a case of interface `gnlse` that is run like this; if not, for
    /// what it does. [`super::family`] asks for a case of any family.
    pub fn holds(
        self,
        case: &Gnlse,
        integration: &Integration,
        repeats: u32,
    ) -> Result<(), &'static str> {
        match self {
            Oracle::EnergyConserved => conserved::conserves_energy(case),
            Oracle::PhotonNumber => conserved::conserves_photons(case),
            Oracle::Fission => supercontinuum::breaks_up(case),
            Oracle::EnergyRatio | Oracle::SolitonWavelength | Oracle::Span => {
                supercontinuum::is_published(case)
            }
            Oracle::SelfFrequencyShift => shift::is_published(case),
            Oracle::SolitonNoise | Oracle::SolitonRecovered => {
                ideal::order_over_one_period(case).map(drop)
            }
            Oracle::SolitonSplits => ideal::splits_in_two(case),
            Oracle::Repeat => steps::repeats(repeats),
            Oracle::Rk4ipEvaluations => steps::is_rk4ip(integration),
            Oracle::SteppersAgree => steps::is_controlled(integration),
            Oracle::Centroid
            | Oracle::ChannelsCouple
            | Oracle::Clamping
            | Oracle::EnergyFalls
            | Oracle::Focus
            | Oracle::OnAxis
            | Oracle::PhaseMatching
            | Oracle::RamanLines
            | Oracle::Symmetry
            | Oracle::Ultraviolet
            | Oracle::Virial => Err("it holds for guides and beams"),
        }
    }

    /// Steppers that must run too, for a case that is run with `stepper`.
    pub fn other_steppers(self, stepper: Stepper) -> Vec<Stepper> {
        match self {
            Oracle::SteppersAgree => steps::others(stepper).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it looks at the points of the cross-section at every plane.
    pub fn sees_nodes(self) -> bool {
        matches!(
            self,
            Oracle::Clamping | Oracle::Focus | Oracle::OnAxis | Oracle::Virial
        )
    }

    /// Planes in metres that it needs beside those of the case.
    pub fn planes_m(self, case: &Gnlse) -> Vec<f64> {
        match self {
            Oracle::Fission => supercontinuum::fission_planes_m(case),
            Oracle::SolitonSplits => {
                let intervals = ideal::COMPRESSION_INTERVALS;
                let at = |index| case.length_m * f64::from(index) / f64::from(intervals);
                (0..=intervals).map(at).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What it measures.
    pub fn measure(self, evidence: &Evidence<'_>) -> Vec<OracleLine> {
        match self {
            Oracle::EnergyConserved => conserved::energy(evidence),
            Oracle::EnergyRatio => supercontinuum::energy(evidence),
            Oracle::Fission => supercontinuum::fission(evidence),
            Oracle::PhotonNumber => conserved::photons(evidence),
            Oracle::Repeat => steps::repeat(evidence),
            Oracle::Rk4ipEvaluations => steps::rk4ip_evaluations(evidence),
            Oracle::SelfFrequencyShift => shift::self_frequency_shift(evidence),
            Oracle::SolitonNoise => ideal::noise(evidence),
            Oracle::SolitonRecovered => ideal::recovery(evidence),
            Oracle::SolitonSplits => ideal::splitting(evidence),
            Oracle::SolitonWavelength => supercontinuum::soliton_wavelength(evidence),
            Oracle::Span => supercontinuum::span(evidence),
            Oracle::SteppersAgree => steps::agree(evidence),
            Oracle::Centroid
            | Oracle::ChannelsCouple
            | Oracle::Clamping
            | Oracle::EnergyFalls
            | Oracle::Focus
            | Oracle::OnAxis
            | Oracle::PhaseMatching
            | Oracle::RamanLines
            | Oracle::Symmetry
            | Oracle::Ultraviolet
            | Oracle::Virial => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::evidence::Other;
    use super::super::testing::{evidence, shifted, soliton, supercontinuum};
    use super::*;
    use crate::steppers::Asked;

    fn integration(case: &Gnlse) -> Integration {
        let asked = Asked {
            stepper: "rk",
            length: 1.0,
            replay: None,
        };
        Integration::resolve(case, asked).unwrap()
    }

    /// Oracles that only guides and beams have.
    const OF_GUIDES: [Oracle; 11] = [
        Oracle::Centroid,
        Oracle::ChannelsCouple,
        Oracle::Clamping,
        Oracle::EnergyFalls,
        Oracle::Focus,
        Oracle::OnAxis,
        Oracle::PhaseMatching,
        Oracle::RamanLines,
        Oracle::Symmetry,
        Oracle::Ultraviolet,
        Oracle::Virial,
    ];

    #[test]
    fn every_oracle_is_found_by_its_name_and_measures_under_it() {
        let case = soliton();
        let mut evidence = evidence(&case);
        evidence.others = steps::others(Stepper::Rk)
            .map(|stepper| Other {
                stepper,
                distance: Some(0.0),
            })
            .collect();
        for oracle in Oracle::ALL {
            assert_eq!(Oracle::from_name(oracle.as_str()), Some(oracle));
            let lines = oracle.measure(&evidence);
            assert_eq!(lines.is_empty(), OF_GUIDES.contains(&oracle), "{oracle:?}");
            for line in &lines {
                assert_eq!(line.oracle, oracle.as_str());
            }
            let mut names: Vec<&str> = lines.iter().map(|line| line.quantity.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(
                names.len(),
                lines.len(),
                "{oracle:?} names a quantity twice"
            );
        }
        assert_eq!(Oracle::from_name("weather"), None);
    }

    #[test]
    fn each_case_has_the_oracles_of_its_physics() {
        let holding = |case: &Gnlse, repeats| -> Vec<&str> {
            let integration = integration(case);
            let holds = |oracle: &Oracle| oracle.holds(case, &integration, repeats).is_ok();
            let oracles = Oracle::ALL.into_iter().filter(holds);
            oracles.map(Oracle::as_str).collect()
        };
        assert_eq!(
            holding(&soliton(), 2),
            [
                "energy_conserved",
                "repeat",
                "soliton_noise",
                "soliton_recovered",
                "soliton_splits",
                "steppers_agree"
            ]
        );
        assert_eq!(
            holding(&supercontinuum(), 1),
            [
                "energy_ratio",
                "fission",
                "photon_number",
                "soliton_wavelength",
                "span",
                "steppers_agree"
            ]
        );
        assert_eq!(
            holding(&shifted(), 1),
            ["energy_conserved", "self_frequency_shift", "steppers_agree"]
        );
    }

    #[test]
    fn planes_lie_within_the_guide() {
        for case in [soliton(), supercontinuum()] {
            for oracle in Oracle::ALL {
                let planes = oracle.planes_m(&case);
                assert!(planes.iter().all(|z| (0.0..=case.length_m).contains(z)));
                assert!(planes.is_sorted());
            }
        }
    }
}
