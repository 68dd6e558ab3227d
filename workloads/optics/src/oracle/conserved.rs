//! What a propagation conserves: photons or energy.

use longrun_protocol::receipt::OracleLine;

use super::evidence::Evidence;
use super::line::Quantity;
use super::{energy_j, photon_number, ratio};
use crate::fourier::{Complex64, inverse_of};
use crate::gnlse::Gnlse;

/// Tolerance of the photon number where windows take what reaches their edges.
const PHOTONS_ABSORBED: f64 = 1e-4;

/// Tolerance of a conserved quantity without windows: what the steps are allowed to lose.
const CONSERVED: f64 = 1e-6;

const PHOTONS: Quantity = Quantity {
    oracle: "photon_number",
    name: "photon number, end over launch",
    unit: "",
};

const ENERGY: Quantity = Quantity {
    oracle: "energy_conserved",
    name: "energy, end over launch",
    unit: "",
};

/// Self-steepening makes the source proportional to the frequency: photons are conserved.
pub fn conserves_photons(case: &Gnlse) -> Result<(), &'static str> {
    match case.parameters().shock && case.fibre.loss_per_m == 0.0 {
        true => Ok(()),
        false => Err("it holds with shock and without loss"),
    }
}

/// Without it the source only turns the phase of the field over time: energy is conserved.
pub fn conserves_energy(case: &Gnlse) -> Result<(), &'static str> {
    match !case.parameters().shock && case.fibre.loss_per_m == 0.0 {
        true => Ok(()),
        false => Err("it holds without shock and without loss"),
    }
}

/// Photons at the end over those at the launch.
pub fn photons(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    let case = evidence.case;
    let tolerance = match case.parameters().absorb {
        true => PHOTONS_ABSORBED,
        false => CONSERVED,
    };
    let of = |spectrum: &[Complex64]| photon_number(&case.grid, spectrum);
    let obtained = ratio(of(&evidence.end), of(&case.launch));
    vec![PHOTONS.within(1.0, tolerance, obtained)]
}

/// Energy at the end over that at the launch. What the launch has in the edges of the windows may
/// be lost.
pub fn energy(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    let case = evidence.case;
    let tolerance = CONSERVED + energy_in_edges(case);
    let of = |spectrum: &[Complex64]| energy_j(&case.grid, spectrum);
    let obtained = ratio(of(&evidence.end), of(&case.launch));
    vec![ENERGY.within(1.0, tolerance, obtained)]
}

/// Fraction of the launched energy that lies where a window is below 1.
pub fn energy_in_edges(case: &Gnlse) -> f64 {
    let Some(band) = case.grid.band().filter(|_| case.parameters().absorb) else {
        return 0.0;
    };
    let share = |values: &[Complex64], edge: &mut dyn Iterator<Item = bool>| {
        let total: f64 = values.iter().map(Complex64::norm_sqr).sum();
        let edges = values.iter().zip(edge).filter(|(_, edge)| *edge);
        let sum: f64 = edges.map(|(value, _)| value.norm_sqr()).sum();
        ratio(sum, total).unwrap_or(0.0)
    };
    let half_s = case.parameters().window_s / 2.0;
    let field = inverse_of(&case.launch);
    let late = share(&field, &mut case.grid.times().map(|t| t.abs() > half_s));
    let inside = |omega: f64| (band.low..=band.high).contains(&omega);
    let mut outside = case.grid.frequencies().map(|omega| !inside(omega));
    late + share(&case.launch, &mut outside)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::{evidence, soliton, supercontinuum};
    use super::*;

    #[test]
    fn a_lost_part_of_the_energy_is_seen() {
        let case = soliton();
        let mut evidence = evidence(&case);
        let lines = energy(&evidence);
        assert_eq!(lines[0].obtained, Some(1.0));
        assert!(lines[0].passed());
        // A thousandth of the amplitude is two thousandths of the energy.
        evidence.end.iter_mut().for_each(|value| *value *= 0.999);
        let line = &energy(&evidence)[0];
        assert!((line.obtained.unwrap() - 0.998_001).abs() < 1e-12);
        assert!(!line.passed());
    }

    #[test]
    fn the_tails_that_the_windows_may_take_are_those_of_the_launch() {
        // A sech² pulse has 1 - tanh(T / 2 tau) of its energy outside a window T.
        let case = soliton();
        let tails = 1.0 - (2e-12_f64 / 280e-15).tanh();
        let edges = energy_in_edges(&case);
        assert!((edges / tails - 1.0).abs() < 0.02, "{edges:e} {tails:e}");
    }

    #[test]
    fn a_red_shift_keeps_photons_where_it_loses_energy() {
        let case = supercontinuum();
        let mut evidence = evidence(&case);
        let line = &photons(&evidence)[0];
        assert_eq!(line.obtained, Some(1.0));
        evidence.end.rotate_left(100);
        let moved = photons(&evidence)[0].obtained.unwrap();
        assert!(
            moved > 1.001,
            "the same energy at lower frequencies: {moved}"
        );
    }

    #[test]
    fn what_is_conserved_depends_on_the_shock() {
        assert!(conserves_photons(&supercontinuum()).is_ok());
        assert!(conserves_energy(&supercontinuum()).is_err());
        assert!(conserves_photons(&soliton()).is_err());
        assert!(conserves_energy(&soliton()).is_ok());
    }
}
