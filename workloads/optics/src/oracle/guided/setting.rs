//! The problems that figures are known of: gas, guide and pulse.

use crate::guided::Guided;
use crate::guided::parameters::{CapillaryParameters, GuideParameters, IonisationModel, Pressure};
use crate::medium::gas::Gas;
use crate::molecular_raman::Motion;
use crate::pulse::{Shape, gauss_tau_s};

/// How far, as a fraction, the parameters of a case may be from the known ones.
const NEAR: f64 = 0.01;

/// A Gaussian pulse in a capillary.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The gas.
    pub gas: Gas,
    /// What ionises it.
    pub ionisation: IonisationModel,
    /// What its molecules do.
    pub raman: Option<Motion>,
    /// Pressure at the entrance and at the end, Pa.
    pub pressures_pa: [f64; 2],
    /// Radius of the core, m.
    pub core_radius_m: f64,
    /// Length, m.
    pub length_m: f64,
    /// Full width of the pulse at half maximum, s.
    pub fwhm_s: f64,
    /// Energy of the pulse, J.
    pub energy_j: f64,
    /// Vacuum wavelength of the pulse, m.
    pub wavelength_m: f64,
}

/// A pulse that compresses in argon until it ionises it: the three cases `argon_blueshift`.
pub const ARGON: Setting = Setting {
    gas: Gas::Argon,
    ionisation: IonisationModel::Ppt,
    raman: None,
    pressures_pa: [1.7e5; 2],
    core_radius_m: 13e-6,
    length_m: 0.2,
    fwhm_s: 30e-15,
    energy_j: 1.2e-6,
    wavelength_m: 800e-9,
};

/// A soliton that sheds a dispersive wave in the vacuum ultraviolet: `rdw`, `he_rdw_averaged`.
pub const HELIUM: Setting = Setting {
    gas: Gas::Helium,
    ionisation: IonisationModel::Ppt,
    raman: None,
    pressures_pa: [0.8e5, 0.0],
    core_radius_m: 125e-6,
    length_m: 1.5,
    fwhm_s: 7.5e-15,
    energy_j: 275e-6,
    wavelength_m: 800e-9,
};

/// A pulse that hydrogen shifts to the red: `h2_raman_averaged`.
pub const HYDROGEN: Setting = Setting {
    gas: Gas::Hydrogen,
    ionisation: IonisationModel::None,
    raman: Some(Motion::Both),
    pressures_pa: [1e6; 2],
    core_radius_m: 13e-6,
    length_m: 0.4,
    fwhm_s: 20e-15,
    energy_j: 0.15e-6,
    wavelength_m: 800e-9,
};

/// A long pulse that hydrogen spreads over many lines and then between them: `ctc`.
pub const COMB: Setting = Setting {
    gas: Gas::Hydrogen,
    ionisation: IonisationModel::Adk,
    raman: Some(Motion::Both),
    pressures_pa: [4e6; 2],
    core_radius_m: 9e-6,
    length_m: 0.13,
    fwhm_s: 600e-15,
    energy_j: 6e-6,
    wavelength_m: 1030e-9,
};

/// What is known of the capillary of a case; none of a fibre or of free space.
pub fn capillary(case: &Guided) -> Option<&CapillaryParameters> {
    match &case.parameters().guide {
        GuideParameters::Capillary(own) => Some(own),
        GuideParameters::Waveguide(_) | GuideParameters::Radial(_) => None,
    }
}

impl Setting {
    /// Whether a case is this problem, over its whole length. How the field is resolved, and on
    /// which grid, is not asked.
    pub fn is_of(&self, case: &Guided) -> bool {
        let common = &case.parameters().common;
        let guide = capillary(case).is_some_and(|own| self.is_guide(own));
        guide
            && case.pulse.shape == Shape::Gauss
            && near(case.pulse.tau_s, gauss_tau_s(self.fwhm_s))
            && near(case.pulse.energy_j(), self.energy_j)
            && near(common.wavelength_m, self.wavelength_m)
            && near(case.length_m, self.length_m)
            && common.launch_waist_m.is_none()
    }

    fn is_guide(&self, own: &CapillaryParameters) -> bool {
        let pressures_pa = match own.pressure() {
            Ok(Pressure::Constant(pressure_pa)) => [pressure_pa; 2],
            Ok(Pressure::Gradient(gradient)) => [gradient.inlet_pa, gradient.outlet_pa],
            Err(_) => return false,
        };
        let pairs = pressures_pa.iter().zip(&self.pressures_pa);
        let mut pressures = pairs.map(|(found, known)| (found - known).abs());
        own.gas == self.gas
            && own.ionisation == self.ionisation
            && own.raman == self.raman
            && own.kerr
            && near(own.core_radius_m, self.core_radius_m)
            && pressures.all(|apart| apart <= NEAR * self.pressures_pa[0])
    }
}

fn near(value: f64, known: f64) -> bool {
    (value / known - 1.0).abs() < NEAR
}

#[cfg(test)]
mod tests {
    use super::super::testing::{argon, changed, comb, fibre, filament, helium, hydrogen};
    use super::*;
    use serde_json::json;

    #[test]
    fn each_case_is_one_problem_and_no_other() {
        let cases = [argon(), helium(), hydrogen(), comb(), fibre(), filament()];
        let settings = [ARGON, HELIUM, HYDROGEN, COMB];
        for (row, case) in cases.iter().enumerate() {
            for (column, setting) in settings.iter().enumerate() {
                assert_eq!(setting.is_of(case), row == column, "{row} {column}");
            }
        }
    }

    #[test]
    fn another_length_pressure_or_pulse_is_another_problem() {
        for (key, value) in [
            ("length_m", json!(0.1)),
            ("pressure_pa", json!(2e5)),
            ("core_radius_m", json!(15e-6)),
            ("kerr", json!(false)),
            ("ionisation", json!("none")),
            (
                "pulse",
                json!({"shape": "gauss", "fwhm_s": 30e-15, "energy_j": 2e-6}),
            ),
            (
                "pulse",
                json!({"shape": "gauss", "fwhm_s": 65e-15, "energy_j": 1.2e-6}),
            ),
        ] {
            assert!(!ARGON.is_of(&changed("argon", key, value)), "{key}");
        }
        assert!(ARGON.is_of(&changed("argon", "window_s", json!(300e-15))));
    }
}
