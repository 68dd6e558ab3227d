//! Oracles of the supercontinuum of J. M. Dudley, G. Genty and S. Coen, Rev. Mod. Phys. 78, 1135
//! (2006). `docs/cases.md` says where each figure and its tolerance come from.

use longrun_protocol::receipt::OracleLine;

use super::evidence::Evidence;
use super::line::Quantity;
use super::{energy_j, ratio, span_m, strongest_below};
use crate::constants::{SPEED_OF_LIGHT, angular_frequency};
use crate::fibre::{Fibre, dispersion_length_m, soliton_order};
use crate::gnlse::Gnlse;
use crate::gnlse::parameters::RamanModel;
use crate::pulse::Shape;

/// Length of the published fibre, m.
const LENGTH_M: f64 = 0.15;
/// Power of the published pulse, W.
const PEAK_POWER_W: f64 = 1e4;
/// Duration parameter of the published pulse, s: 50 fs at half maximum.
const TAU_S: f64 = 28.4e-15;
/// How far the parameters of a case may be from the published ones.
const NEAR: f64 = 0.01;

/// Energy that is left, as a fraction, and its tolerance.
const ENERGY_LEFT: (f64, f64) = (0.91, 0.02);

/// Level in dB, shortest and longest wavelength in nm.
const SPANS: [(f64, f64, f64); 2] = [(20.0, 500.0, 1250.0), (40.0, 490.0, 1305.0)];
/// Tolerance of a shortest wavelength, nm.
const SHORTEST_NM: f64 = 5.0;
/// Tolerance of a longest wavelength, nm: a fifth of the width of the soliton that ends there.
const LONGEST_NM: f64 = 15.0;

/// Where the soliton that was ejected first is at the end, nm.
const SOLITON_NM: f64 = 1190.0;
/// Tolerance of that: a duration at the fission that is 1 % off shifts it by 4 % of 355 nm.
const SOLITON_TOLERANCE_NM: f64 = 15.0;
/// Beyond this wavelength there is nothing but that soliton.
const BEYOND_M: f64 = 1000e-9;

/// Intervals between planes, up to the end of the search for the fission.
const FISSION_INTERVALS: u32 = 160;
/// End of that search, in fission lengths.
const FISSION_SEARCH: f64 = 2.0;
/// The fission length is a law for high orders.
const FISSION_ORDER_MIN: f64 = 5.0;

const ENERGY: Quantity = Quantity {
    oracle: "energy_ratio",
    name: "energy, end over launch",
    unit: "",
};

const SOLITON: Quantity = Quantity {
    oracle: "soliton_wavelength",
    name: "strongest mode beyond 1000 nm",
    unit: "nm",
};

const FISSION: Quantity = Quantity {
    oracle: "fission",
    name: "position of the largest peak power",
    unit: "mm",
};

/// Names of the edges of [`SPANS`].
const EDGES: [[&str; 2]; 2] = [
    [
        "shortest wavelength at -20 dB",
        "longest wavelength at -20 dB",
    ],
    [
        "shortest wavelength at -40 dB",
        "longest wavelength at -40 dB",
    ],
];

const fn edge(name: &'static str) -> Quantity {
    Quantity {
        oracle: "span",
        name,
        unit: "nm",
    }
}

/// Whether the case is the published one, over its whole length.
pub fn is_published(case: &Gnlse) -> Result<(), &'static str> {
    let parameters = case.parameters();
    let near = |value: f64, published: f64| (value / published - 1.0).abs() < NEAR;
    let published = case.fibre == Fibre::dudley()
        && parameters.raman == RamanModel::BlowWood
        && parameters.shock
        && case.pulse.shape == Shape::Sech
        && near(case.pulse.tau_s, TAU_S)
        && near(case.pulse.peak_power_w, PEAK_POWER_W)
        && near(parameters.wavelength_m, 835e-9)
        && near(case.length_m, LENGTH_M);
    match published {
        true => Ok(()),
        false => Err("it holds for the pulse of 50 fs and 10 kW after 15 cm of the fibre `dudley`"),
    }
}

/// Fission length in metres and soliton order.
fn fission_law(case: &Gnlse) -> Option<(f64, f64)> {
    let beta2 = case.fibre.beta2().filter(|beta2| *beta2 < 0.0)?;
    let gamma = case.fibre.gamma_per_w_m * case.parameters().acting_fraction();
    let tau_s = case.pulse.tau_s;
    let order = soliton_order(case.pulse.peak_power_w, gamma, beta2, tau_s);
    Some((dispersion_length_m(beta2, tau_s) / order, order))
}

/// Whether a soliton of high order breaks up before the end.
pub fn breaks_up(case: &Gnlse) -> Result<(), &'static str> {
    let law = fission_law(case).filter(|(length_m, order)| {
        *order >= FISSION_ORDER_MIN && case.length_m >= length_m * (1.0 + 1.0 / order)
    });
    match law {
        Some(_) => Ok(()),
        None => Err("it holds for a soliton of order 5 or more that breaks up before the end"),
    }
}

/// Planes in metres that the fission is looked for on.
pub fn fission_planes_m(case: &Gnlse) -> Vec<f64> {
    let Some((length_m, _)) = fission_law(case) else {
        return Vec::new();
    };
    let end_m = (FISSION_SEARCH * length_m).min(case.length_m);
    let at = |index: u32| end_m * f64::from(index) / f64::from(FISSION_INTERVALS);
    (0..=FISSION_INTERVALS).map(at).collect()
}

/// A soliton of high order is shortest where it breaks up: about `L_D / N` from the launch.
/// Corrections to that law are of the relative order `1 / N`.
pub fn fission(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    let millimetres = |metres: f64| 1e3 * metres;
    let (length_m, order) = fission_law(evidence.case).unwrap_or((f64::NAN, f64::NAN));
    let brightest = evidence.brightest(FISSION_SEARCH * length_m);
    let position = brightest.map(|plane| millimetres(plane.z_m));
    let expected = millimetres(length_m);
    vec![FISSION.within(expected, expected / order, position)]
}

/// What the Raman effect leaves of the energy.
pub fn energy(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    let case = evidence.case;
    let launched = energy_j(&case.grid, &case.launch);
    let left = ratio(energy_j(&case.grid, &evidence.end), launched);
    vec![ENERGY.within(ENERGY_LEFT.0, ENERGY_LEFT.1, left)]
}

/// From where to where the spectrum reaches, at two levels.
pub fn span(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    let grid = &evidence.case.grid;
    let mut lines = Vec::new();
    for ((level_db, shortest, longest), [left, right]) in SPANS.into_iter().zip(EDGES) {
        let found = span_m(grid, &evidence.end, level_db);
        let nanometres = |index: usize| found.map(|edges| 1e9 * edges[index]);
        lines.push(edge(left).within(shortest, SHORTEST_NM, nanometres(0)));
        lines.push(edge(right).within(longest, LONGEST_NM, nanometres(1)));
    }
    lines
}

/// Where the soliton that was ejected first has been shifted to by the Raman effect.
pub fn soliton_wavelength(evidence: &Evidence<'_>) -> Vec<OracleLine> {
    let limit = angular_frequency(BEYOND_M);
    let omega = strongest_below(&evidence.case.grid, &evidence.end, limit);
    let wavelength = |omega: f64| 1e9 * std::f64::consts::TAU * SPEED_OF_LIGHT / omega;
    vec![SOLITON.within(SOLITON_NM, SOLITON_TOLERANCE_NM, omega.map(wavelength))]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::evidence::Plane;
    use super::super::testing::{changed, evidence, supercontinuum};
    use super::*;
    use crate::fourier::Complex64;
    use serde_json::json;

    /// A spectrum that is flat, as energy per wavelength, between wavelengths in nm.
    fn flat(case: &Gnlse, level: f64, from_nm: f64, to_nm: f64) -> Vec<Complex64> {
        let wavelength = |omega: f64| 1e9 * std::f64::consts::TAU * SPEED_OF_LIGHT / omega;
        let at = |omega: f64| match (from_nm..=to_nm).contains(&wavelength(omega)) {
            true => (level.sqrt() / omega).into(),
            false => Complex64::default(),
        };
        case.grid.frequencies().map(at).collect()
    }

    fn sum(a: &[Complex64], b: &[Complex64]) -> Vec<Complex64> {
        a.iter().zip(b).map(|(a, b)| a + b).collect()
    }

    #[test]
    fn a_made_spectrum_has_the_spans_that_it_was_made_with() {
        let case = supercontinuum();
        let mut evidence = evidence(&case);
        let strong = flat(&case, 1.0, 501.0, 1249.0);
        // 30 dB below: seen at -40 dB, and not at -20 dB.
        let weak = flat(&case, 1e-3, 489.0, 1304.0);
        evidence.end = sum(&strong, &weak);
        let lines = span(&evidence);
        let obtained: Vec<f64> = lines.iter().map(|line| line.obtained.unwrap()).collect();
        for (found, made) in obtained.iter().zip([501.0, 1249.0, 489.0, 1304.0]) {
            assert!((found - made).abs() < 1.0, "{obtained:?}");
        }
        assert!(lines.iter().all(OracleLine::passed));
        evidence.end = flat(&case, 1.0, 600.0, 1100.0);
        assert!(!span(&evidence).iter().any(OracleLine::passed));
    }

    #[test]
    fn the_soliton_is_the_strongest_mode_beyond_a_micrometre() {
        let case = supercontinuum();
        let mut evidence = evidence(&case);
        let pump = flat(&case, 9.0, 830.0, 840.0);
        for (made_nm, passes) in [(1190.0, true), (1240.0, false), (1120.0, false)] {
            let soliton = flat(&case, 1.0, made_nm - 1.0, made_nm + 1.0);
            evidence.end = sum(&pump, &soliton);
            let line = &soliton_wavelength(&evidence)[0];
            assert!((line.obtained.unwrap() - made_nm).abs() < 1.5, "{line:?}");
            assert_eq!(line.passed(), passes, "{line:?}");
        }
        evidence.end = pump;
        assert_eq!(soliton_wavelength(&evidence)[0].obtained, None);
    }

    #[test]
    fn the_fission_is_where_the_power_is_largest() {
        let case = supercontinuum();
        let mut evidence = evidence(&case);
        let planes = fission_planes_m(&case);
        assert!(planes.iter().all(|z| (0.0..=case.length_m).contains(z)));
        for (at_m, passes) in [
            (7.2e-3, true),
            (8.7e-3, true),
            (5e-3, false),
            (10e-3, false),
        ] {
            let peak = |z_m: f64| Plane {
                z_m,
                energy_j: 1.0,
                peak_power_w: 1.0 - (z_m - at_m).abs(),
                nodes: None,
            };
            evidence.planes = planes.iter().map(|z| peak(*z)).collect();
            let line = &fission(&evidence)[0];
            assert!(
                (line.obtained.unwrap() - 1e3 * at_m).abs() < 0.1,
                "{line:?}"
            );
            assert!((line.expected - 7.9).abs() < 0.1, "{line:?}");
            assert_eq!(line.passed(), passes, "{line:?}");
        }
    }

    #[test]
    fn the_energy_that_is_left_is_compared_with_the_launch() {
        let case = supercontinuum();
        let mut evidence = evidence(&case);
        assert!(!energy(&evidence)[0].passed(), "nothing was lost");
        let amplitude = 0.91_f64.sqrt();
        evidence
            .end
            .iter_mut()
            .for_each(|value| *value *= amplitude);
        assert!((energy(&evidence)[0].obtained.unwrap() - 0.91).abs() < 1e-12);
        assert!(energy(&evidence)[0].passed());
    }

    #[test]
    fn only_the_published_case_is_held_to_the_published_figures() {
        let case = supercontinuum();
        assert!(is_published(&case).is_ok() && breaks_up(&case).is_ok());
        let pulse = json!({"shape": "sech", "fwhm_s": 50e-15, "peak_power_w": 5e3});
        for (key, value) in [
            ("length_m", json!(0.05)),
            ("shock", json!(false)),
            ("pulse", pulse),
        ] {
            assert!(is_published(&changed(&case, key, value)).is_err(), "{key}");
        }
        assert!(breaks_up(&changed(&case, "length_m", json!(0.01))).is_ok());
        assert!(breaks_up(&changed(&case, "length_m", json!(0.005))).is_err());
        let weak = json!({"shape": "sech", "fwhm_s": 50e-15, "peak_power_w": 1e3});
        assert!(breaks_up(&changed(&case, "pulse", weak)).is_err());
    }
}
