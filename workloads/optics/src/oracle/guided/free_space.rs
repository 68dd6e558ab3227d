//! A beam around an axis in a gas: it focuses itself, and the electrons that it sets free stop it.

use longrun_protocol::receipt::OracleLine;

use crate::constants::{SPEED_OF_LIGHT, VACUUM_PERMITTIVITY, wavelength_m};
use crate::guided::Guided;
use crate::guided::parameters::{GuideParameters, IonisationModel, RadialParameters};
use crate::medium::gas::Gas;
use crate::medium::nonlinear_index;
use crate::oracle::evidence::{Evidence, Plane};
use crate::oracle::line::Quantity;
use crate::oracle::ratio;
use crate::pulse::{Shape, gauss_tau_s};

/// The pulse of `radial_filament_256`: full width in s, energy in J, waist in m, pressure in Pa,
/// wavelength in m, and the length of the whole in m.
const FILAMENT: [f64; 6] = [35e-15, 180e-6, 100e-6, 5e5, 800e-9, 0.03];

/// How far, as a fraction, a case may be from it.
const NEAR: f64 = 0.01;

/// Where the beam has focused itself, mm. A monochromatic beam of its peak power reaches the
/// intensity at which electrons stop it, 90 TW/cm², after 15 mm, and without electrons collapses
/// after 23 mm (a paraxial split-step solver; 25 mm by the formula of J. H. Marburger, Prog.
/// Quantum Electron. 4, 35 (1975)): the fluence grows up to the one, and can no longer behind the
/// other.
const FOCUS_MM: (f64, f64) = (19.0, 4.0);

/// Highest intensity, TW/cm²: where electrons undo what the Kerr effect does.
const CLAMPED_TW_CM2: (f64, f64) = (100.0, 50.0);

/// Where the width of the beam is asked for, m: before it ionises enough to matter.
const EARLY_M: f64 = 3e-3;

/// How far the growth of the mean square radius may be from that of the virial theorem, of which a
/// linear beam has 1.
const GROWTH_TOLERANCE: f64 = 0.1;

/// W/m² in a TW/cm².
const TW_CM2: f64 = 1e16;

const FOCUS: Quantity = Quantity {
    oracle: "focus",
    name: "position of the largest fluence on the axis",
    unit: "mm",
};

const INTENSITY: Quantity = Quantity {
    oracle: "clamping",
    name: "largest intensity",
    unit: "TW/cm2",
};

const GROWTH: Quantity = Quantity {
    oracle: "virial",
    name: "growth of the mean square radius over that of a linear beam",
    unit: "",
};

/// Whether the case is the whole filament.
pub fn forms_filament(case: &Guided) -> Result<(), &'static str> {
    let [.., length_m] = FILAMENT;
    match is_filament(case) && near(case.length_m, length_m) {
        true => Ok(()),
        false => Err("it holds for the whole filament in argon"),
    }
}

/// Whether the width of the beam follows from its power.
pub fn obeys_virial(case: &Guided) -> Result<(), &'static str> {
    match is_filament(case) && early_m(case) >= EARLY_M / 10.0 {
        true => Ok(()),
        false => Err("it holds for the pulse of the filament in argon"),
    }
}

fn is_filament(case: &Guided) -> bool {
    let [fwhm_s, energy_j, waist_m, pressure_pa, wavelength_m, _] = FILAMENT;
    let is_beam = |own: &RadialParameters| {
        own.gas == Gas::Argon
            && own.kerr
            && own.ionisation == IonisationModel::Ppt
            && near(own.waist_m, waist_m)
            && near(own.pressure_pa, pressure_pa)
    };
    own(case).is_some_and(is_beam)
        && case.pulse.shape == Shape::Gauss
        && near(case.pulse.tau_s, gauss_tau_s(fwhm_s))
        && near(case.pulse.energy_j(), energy_j)
        && near(case.parameters().common.wavelength_m, wavelength_m)
}

fn near(value: f64, known: f64) -> bool {
    (value / known - 1.0).abs() < NEAR
}

fn own(case: &Guided) -> Option<&RadialParameters> {
    match &case.parameters().guide {
        GuideParameters::Radial(own) => Some(own),
        _ => None,
    }
}

fn early_m(case: &Guided) -> f64 {
    EARLY_M.min(case.length_m)
}

/// Planes in metres at which the width is asked for.
pub fn virial_planes_m(case: &Guided) -> Vec<f64> {
    vec![0.0, early_m(case)]
}

/// Where the fluence on the axis is largest; unknown where that is at an end.
pub fn focus(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let on_axis = |plane: &Plane| Some((plane.z_m, *plane.nodes.as_ref()?.fluence.first()?));
    let course: Option<Vec<(f64, f64)>> = evidence.planes.iter().map(on_axis).collect();
    let within = course.as_deref().and_then(|course| {
        let brightest = course.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let ends = [course.first()?, course.last()?];
        (!ends.contains(&brightest)).then_some(brightest.0)
    });
    let (expected, tolerance) = FOCUS_MM;
    vec![FOCUS.within(expected, tolerance, within.map(|z_m| 1e3 * z_m))]
}

/// The largest intensity anywhere.
pub fn clamping(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let peaks = evidence.planes.iter().map(|plane| {
        let peaks = plane.nodes.as_ref()?.peak.iter().copied();
        peaks.max_by(f64::total_cmp)
    });
    let peaks: Option<Vec<f64>> = peaks.collect();
    let highest = peaks.and_then(|all| all.into_iter().max_by(f64::total_cmp));
    let intensity = |square: f64| 0.5 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * square;
    let obtained = highest.map(|square| intensity(square) / TW_CM2);
    let (expected, tolerance) = CLAMPED_TW_CM2;
    vec![INTENSITY.within(expected, tolerance, obtained)]
}

/// How fast the beam widens or narrows before it ionises the gas.
///
/// S. N. Vlasov, V. A. Petrishchev and V. I. Talanov, Radiophys. Quantum Electron. 14, 1062 (1971):
/// `<r²> / <r²>_0 = 1 + (1 - P / P_v) (z / z_R)²` with `P_v = lambda² / (2 pi n0 n2)`. Over a
/// Gaussian pulse the mean of P is its peak over √2.
pub fn virial(evidence: &Evidence<'_, Guided>) -> Vec<OracleLine> {
    let case = evidence.case;
    let Some((own, wave)) = own(case).zip(Wave::of(case)) else {
        return Vec::new();
    };
    let rayleigh_m = std::f64::consts::PI * own.waist_m.powi(2) * wave.index / wave.vacuum_m;
    let expected = 1.0 - case.pulse.peak_power_w / (2.0_f64.sqrt() * wave.virial_power_w());
    let early_m = early_m(case);
    let at = |z_m: f64| {
        let plane = evidence.plane_at(z_m)?;
        mean_square_m2(case, &plane.nodes.as_ref()?.fluence)
    };
    let grown = at(early_m).zip(at(0.0));
    let obtained = grown.and_then(|(after, before)| ratio(after, before));
    let obtained = obtained.map(|grown| (grown - 1.0) / (early_m / rayleigh_m).powi(2));
    vec![GROWTH.within(expected, GROWTH_TOLERANCE, obtained)]
}

/// Mean of r² over the fluence at the nodes.
fn mean_square_m2(case: &Guided, fluence: &[f64]) -> Option<f64> {
    let rule = case.free_space.as_ref()?.rule();
    let nodes = || rule.iter().zip(fluence);
    let weighted: f64 = nodes().map(|((r, area), f)| r * r * area * f).sum();
    ratio(weighted, nodes().map(|((_, area), f)| area * f).sum())
}

/// The carrier in the gas.
struct Wave {
    /// Vacuum wavelength, m.
    vacuum_m: f64,
    /// n0.
    index: f64,
    /// n2, m²/W.
    nonlinear: f64,
}

impl Wave {
    fn of(case: &Guided) -> Option<Self> {
        let own = own(case)?;
        let density = own.gas.density_per_m3(own.pressure_pa, own.temperature_k);
        let gas = own.gas.dispersion(own.gas.formula());
        let (density, gas) = (density.ok()?, gas.ok()?);
        let index = gas.index(case.grid.carrier(), density).ok()?;
        Some(Wave {
            vacuum_m: wavelength_m(case.grid.carrier()),
            index,
            nonlinear: nonlinear_index(density * own.gas.gamma3(), index * index),
        })
    }

    fn virial_power_w(&self) -> f64 {
        self.vacuum_m.powi(2) / (std::f64::consts::TAU * self.index * self.nonlinear)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::{argon, changed, evidence, filament};
    use super::*;
    use crate::oracle::evidence::Nodes;
    use serde_json::json;

    /// W/cm² of an |E|² in V²/m².
    const SQUARE_OF_100_TW_CM2: f64 = 2e18 / (VACUUM_PERMITTIVITY * SPEED_OF_LIGHT);

    /// A plane with a Gaussian beam of this waist, of this fluence and |E|² on the axis.
    fn plane(case: &Guided, z_m: f64, waist_m: f64, [fluence, peak]: [f64; 2]) -> Plane {
        let radii = case.free_space.as_ref().unwrap().radii_m();
        let beam: Vec<f64> = radii
            .map(|r| (-2.0 * (r / waist_m).powi(2)).exp())
            .collect();
        let times = |scale: f64| beam.iter().map(|value| scale * value).collect();
        Plane {
            z_m,
            energy_j: case.pulse.energy_j(),
            peak_power_w: case.pulse.peak_power_w,
            nodes: Some(Nodes {
                fluence: times(fluence),
                peak: times(peak),
            }),
        }
    }

    #[test]
    fn the_filament_is_known_by_its_beam_and_its_gas() {
        let whole = filament();
        assert!(forms_filament(&whole).is_ok() && obeys_virial(&whole).is_ok());
        let shorter = changed("filament", "length_m", json!(0.003));
        assert!(forms_filament(&shorter).is_err() && obeys_virial(&shorter).is_ok());
        for (key, value) in [
            ("kerr", json!(false)),
            ("ionisation", json!("none")),
            ("pressure_pa", json!(4e5)),
            ("waist_m", json!(90e-6)),
            ("length_m", json!(1e-4)),
            ("wavelength_m", json!(1e-6)),
            (
                "pulse",
                json!({"shape": "gauss", "fwhm_s": 35e-15, "energy_j": 100e-6}),
            ),
        ] {
            let other = changed("filament", key, value);
            assert!(forms_filament(&other).is_err(), "{key}");
            assert!(obeys_virial(&other).is_err(), "{key}");
        }
        assert!(forms_filament(&argon()).is_err() && obeys_virial(&argon()).is_err());
    }

    #[test]
    fn a_focus_lies_where_it_is_known_to_and_within_the_gas() {
        let case = filament();
        let fluences = |fluences: [f64; 6]| -> Vec<OracleLine> {
            let mut evidence = evidence(&case);
            let along = fluences.iter().zip([0.0, 0.01, 0.016, 0.02, 0.025, 0.03]);
            let planes = along.map(|(fluence, z_m)| plane(&case, z_m, 1e-4, [*fluence, 1.0]));
            evidence.planes = planes.collect();
            focus(&evidence)
        };
        for (course, obtained, passes) in [
            ([1.0, 2.0, 4.0, 7.0, 6.0, 5.0], Some(20.0), true),
            ([1.0, 2.0, 7.0, 4.0, 6.0, 5.0], Some(16.0), true),
            ([1.0, 7.0, 4.0, 3.0, 2.0, 1.0], Some(10.0), false),
            ([1.0, 2.0, 3.0, 4.0, 7.0, 6.0], Some(25.0), false),
            ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], None, false),
            ([6.0, 5.0, 4.0, 3.0, 2.0, 1.0], None, false),
        ] {
            let line = &fluences(course)[0];
            let near = match (line.obtained, obtained) {
                (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
                (found, expected) => found == expected,
            };
            assert!(near && line.passed() == passes, "{course:?}: {line:?}");
        }
    }

    #[test]
    fn an_intensity_that_is_not_clamped_or_never_reached_is_seen() {
        let case = filament();
        for (peak, passes) in [(1.0, true), (0.4, false), (1.6, false), (f64::NAN, false)] {
            let mut evidence = evidence(&case);
            let highest = plane(&case, 0.02, 1e-4, [1.0, peak * SQUARE_OF_100_TW_CM2]);
            let launched = plane(&case, 0.0, 1e-4, [1.0, 0.3 * SQUARE_OF_100_TW_CM2]);
            evidence.planes = vec![launched, highest];
            let line = &clamping(&evidence)[0];
            assert_eq!(line.passed(), passes, "{peak}: {line:?}");
        }
    }

    #[test]
    fn a_beam_that_widens_like_a_linear_one_does_not_focus_itself() {
        let case = filament();
        let rayleigh_m = std::f64::consts::PI * 1e-8 / 800e-9;
        let z_m = EARLY_M;
        // What the square of the waist grows by, in the square of z over the Rayleigh length.
        for (growth, passes) in [(-0.41, true), (1.0, false), (-0.6, false), (0.0, false)] {
            let waist_m = 1e-4 * (1.0 + growth * (z_m / rayleigh_m).powi(2)).sqrt();
            let mut evidence = evidence(&case);
            let at = |z_m: f64, waist_m: f64| plane(&case, z_m, waist_m, [1.0, 1.0]);
            evidence.planes = vec![at(0.0, 1e-4), at(z_m, waist_m)];
            let line = &virial(&evidence)[0];
            assert!((line.obtained.unwrap() - growth).abs() < 0.01, "{line:?}");
            assert_eq!(line.passed(), passes, "{line:?}");
        }
    }

    #[test]
    fn without_what_was_seen_at_the_nodes_nothing_passes() {
        let case = filament();
        let mut evidence = evidence(&case);
        for planes in [Vec::new(), vec![plane(&case, 0.0, 1e-4, [1.0, 1.0])]] {
            evidence.planes = planes;
            for plane in &mut evidence.planes {
                plane.nodes = None;
            }
            for lines in [focus(&evidence), clamping(&evidence), virial(&evidence)] {
                assert!(lines.iter().all(|line| !line.passed()), "{lines:?}");
            }
        }
    }
}
